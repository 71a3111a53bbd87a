// A bytes.Buffer is not safe for concurrent use.
package main

import "bytes"

var buf bytes.Buffer

func main() {
	go buf.WriteString("a") // RACE!
	buf.WriteString("b")    // RACE!
}
