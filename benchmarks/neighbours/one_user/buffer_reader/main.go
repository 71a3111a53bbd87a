// WANT: verify | racy | a command's output goes to a bytes.Buffer by a copying goroutine,
// progress reads it
package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
)

func main() {
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(&out, strings.NewReader(strings.Repeat("line\n", 1000))) // RACE!
		done <- err
	}()
	for {
		select {
		case err := <-done:
			fmt.Println(out.Len(), err) // NORACE
			return
		case <-time.After(time.Microsecond):
			fmt.Println("so far", out.Len()) // RACE!
		}
	}
}
