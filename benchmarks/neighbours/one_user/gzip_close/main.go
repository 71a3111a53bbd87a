// WANT: verify | racy | gzip.Writer is closed while the worker that writes to it is not
// waited for
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
)

func main() {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	lines := make(chan string)
	go func() {
		for l := range lines {
			fmt.Fprintln(zw, l) // RACE!
		}
	}()
	for i := range 100 {
		lines <- fmt.Sprint("line ", i)
	}
	close(lines)
	zw.Close() // RACE!
	fmt.Println(buf.Len() > 0)
}
