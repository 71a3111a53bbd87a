// Functions ask what they are given in an interface for more methods, and use the library's own objects behind interfaces.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

type reader struct{ n int }

func (r *reader) Read([]byte) (int, error) { return 0, io.EOF }

func (r *reader) WriteTo(io.Writer) (int64, error) { r.n++; return 0, nil } // RACE!

type fault struct{ n int }

func (f *fault) Error() string { return "" }

func (f *fault) Is(error) bool { f.n++; return false } // RACE!

func main() {
	r, f, text, own := &reader{}, &fault{}, strings.NewReader("text"), new(bytes.Buffer)
	var shared bytes.Buffer
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, _ = io.Copy(io.Discard, r)
			_ = errors.Is(f, io.EOF)
			_, _ = io.ReadAll(text)  // RACE!
			fmt.Fprint(&shared, "x") // RACE!
			mu.Lock()
			fmt.Fprint(own, "x")
			mu.Unlock()
		}()
	}
	wg.Wait()
}
