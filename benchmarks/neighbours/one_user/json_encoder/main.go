// WANT: verify | racy | json.Encoder is not promised for concurrent use; two event
// sources share it
package main

import (
	"bytes"
	"encoding/json"
	"sync"
	"time"
)

type event struct {
	At   time.Time
	Kind string
}

type journal struct{ enc *json.Encoder }

func (j journal) add(kind string) error {
	return j.enc.Encode(event{time.Now(), kind}) // RACE!
}

func main() {
	var sink bytes.Buffer
	j := journal{enc: json.NewEncoder(&sink)}
	var wg sync.WaitGroup
	for _, k := range []string{"login", "logout"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 10 {
				j.add(k)
			}
		}()
	}
	wg.Wait()
}
