// In the manner of istio #8144: a cache calls its owner back for each entry that it evicts, from its own goroutine; the owner's recorder
// counts without a lock, and the test reads the count.
package main

import (
	"sync"
	"time"
)

type recorder struct{ evicted int }

func (r *recorder) callback(key string) {
	r.evicted++ // RACE!
}

type cache struct {
	entries  sync.Map
	callback func(key string)
}

func (c *cache) evicter(every time.Duration) {
	for {
		time.Sleep(every)
		c.entries.Range(func(k, v any) bool {
			c.callback(k.(string))
			c.entries.Delete(k)
			return true
		})
	}
}

func main() {
	r := new(recorder)
	c := &cache{callback: r.callback}
	c.entries.Store("a", 1)
	go c.evicter(time.Millisecond)
	time.Sleep(5 * time.Millisecond)
	println(r.evicted) // RACE!
}
