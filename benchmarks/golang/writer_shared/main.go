// The buffer is written through an interface.
package main

import (
	"bytes"
	"fmt"
	"io"
)

func log(w io.Writer, s string) {
	fmt.Fprintln(w, s) // RACE!
}

func main() {
	var b bytes.Buffer
	go log(&b, "x")
	log(&b, "y")
}
