// Functions that do nothing to what they are given read it, and methods that may be called concurrently access it.
package main

import (
	"log"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

var re = regexp.MustCompile("a+")

type item struct{ n int }

func main() {
	words := []string{"a", "b"}
	go func() {
		_ = strings.Join(words, ",") // RACE!
	}()
	words[0] = "c" // RACE!

	text := []byte("abc")
	go func() {
		_ = utf8.Valid(text) // RACE!
		_ = re.Match(text)   // RACE!
	}()
	text[0] = 'x' // RACE!

	l, it := log.New(os.Stderr, "", 0), &item{}
	go func() {
		l.Println(it) // RACE!
	}()
	it.n++ // RACE!

	f, _ := os.Open("name")
	buf := make([]byte, 8)
	go func() {
		f.Read(buf) // RACE!
	}()
	println(buf[0]) // RACE!
}
