// Functions of package bytes read what they are given, and return a copy, or a part of it.
package main

import (
	"bytes"
	"sync"
)

var (
	newline = []byte{'\n'}
	space   = []byte{' '}
	header  = []byte(" name: value ")
	copied  = []byte("copied")
	lines   = [][]byte{[]byte("a"), []byte("b")}
	fields  = []byte("x y")
)

func line(b []byte) int {
	return len(bytes.TrimSpace(bytes.Replace(b, newline, space, -1))) // NORACE
}

func trim() {
	b := bytes.TrimSpace(header) // RACE!
	b[0] = 'N'                   // RACE!
}

func cut() {
	_, after, _ := bytes.Cut(header, space) // RACE!
	after[0] = 'v'                          // RACE!
}

func upper() {
	b := bytes.ToUpper(copied)
	b[0] = 'c' // NORACE
	c := bytes.Join(lines, space)
	c[0] = 'j' // NORACE
}

func field() {
	bytes.Fields(fields)[0][0] = 'z' // RACE!
}

func main() {
	var wg sync.WaitGroup
	for _, f := range []func(){trim, cut, upper, field} {
		for range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				println(line([]byte("a\n")))
				f()
			}()
		}
	}
	wg.Wait()
}
