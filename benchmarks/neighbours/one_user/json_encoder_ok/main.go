// WANT: verify | race-free | the same with a lock around Encode
package main

import (
	"bytes"
	"encoding/json"
	"sync"
)

type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
	enc *json.Encoder
}

func (j *journal) add(v any) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.enc.Encode(v) // NORACE
}

func main() {
	j := &journal{}
	j.enc = json.NewEncoder(&j.buf)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { j.add(i) })
	}
	wg.Wait()
	println(j.buf.Len()) // NORACE
}
