// Methods that write what they are given, change a receiver that is a map, or hand out parts of their receivers.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
	"sync"
)

func main() {
	out := make([]byte, 8)
	values := url.Values{}
	var buf bytes.Buffer
	buf.WriteString("text")
	part := buf.Bytes()
	lines := bufio.NewScanner(strings.NewReader("a b"))
	lines.Scan()
	line := lines.Bytes()
	own := make([]byte, 8)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		base64.StdEncoding.Encode(out, []byte("a")) // RACE!
		values.Add("a", "b")                        // RACE!
		part[0] = 1                                 // RACE!
		line[0] = 1                                 // RACE!
		base64.StdEncoding.Encode(own, []byte("a"))
	}()
	out[0] = 1            // RACE!
	_ = values.Encode()   // RACE!
	_, _ = buf.ReadByte() // RACE!
	lines.Scan()          // RACE!
	wg.Wait()
	own[0] = 1
}
