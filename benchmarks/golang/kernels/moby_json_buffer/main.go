// In the manner of moby #18412: a container's two copiers, of its output and of its errors, write log lines through one buffer.
package main

import (
	"bytes"
	"sync"
)

type jsonLogger struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	lines int
}

func (l *jsonLogger) log(line string) {
	l.buf.WriteString(line) // RACE!
	l.mu.Lock()
	l.lines++ // NORACE
	l.mu.Unlock()
}

func main() {
	l := new(jsonLogger)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		l.log("out")
	}()
	go func() {
		defer wg.Done()
		l.log("err")
	}()
	wg.Wait()
	println(l.lines) // NORACE
}
