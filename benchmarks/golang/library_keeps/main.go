// Library objects call what they were made for whenever they are used, also in other goroutines.
package main

import (
	"bufio"
	"log"
)

type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	s.n += len(p) // RACE!
	return len(p), nil
}

type source struct{ n int }

func (s *source) Read(p []byte) (int, error) {
	s.n++ // RACE!
	return len(p), nil
}

func main() {
	s := &sink{}
	w := bufio.NewWriter(s)
	go w.Flush()
	s.n++ // RACE!

	t := &sink{}
	l := log.New(t, "", 0)
	go l.Println("a")
	t.n++ // RACE!

	r := &source{}
	sc := bufio.NewScanner(r)
	go sc.Scan()
	r.n++ // RACE!
}
