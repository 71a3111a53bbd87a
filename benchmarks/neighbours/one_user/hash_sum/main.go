// WANT: verify | racy | a hash is fed by a tee while another goroutine asks for the sum
package main

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"
)

type upload struct{ h hash.Hash }

func (u *upload) copy(r io.Reader, done chan<- int64) {
	n, _ := io.Copy(io.Discard, io.TeeReader(r, u.h)) // RACE!
	done <- n
}

func main() {
	u := &upload{h: sha256.New()}
	done := make(chan int64)
	go u.copy(io.MultiReader(strings.NewReader("a"), strings.NewReader("b"), strings.NewReader(strings.Repeat("c", 1<<20))), done)
	time.Sleep(time.Microsecond)
	fmt.Printf("%x\n", u.h.Sum(nil)) // RACE!
	fmt.Println(<-done)
}
