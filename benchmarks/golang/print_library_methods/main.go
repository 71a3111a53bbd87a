// Package main prints objects of libraries, whose methods read them, and call methods of
// the program, while others change them.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
)

type failure struct{ n int }

func (f *failure) Error() string {
	f.n++ // RACE!
	return "failure"
}

func buffers() {
	d := make(chan bool)
	x := new(bytes.Buffer)
	go func() {
		fmt.Println(x) // RACE!
		close(d)
	}()
	x.WriteByte('a') // RACE!
	<-d
	x.WriteByte('b') // NORACE
}

func urls() {
	d := make(chan bool)
	u := &url.URL{Host: "a"}
	go func() {
		_ = fmt.Sprint(u) // RACE!
		close(d)
	}()
	u.Host = "b" // RACE!
	<-d
	u.Host = "c" // NORACE
}

func paths() {
	d := make(chan bool)
	e := &os.PathError{Err: &failure{}}
	go func() {
		_ = fmt.Sprint(e) // RACE!
		close(d)
	}()
	_ = fmt.Sprint(e) // RACE!
	<-d
}

func joins() {
	d := make(chan bool)
	e := errors.Join(io.EOF, &failure{})
	go func() {
		fmt.Println(e) // RACE!
		close(d)
	}()
	fmt.Println(e) // RACE!
	<-d
}

func main() {
	buffers()
	urls()
	paths()
	joins()
}
