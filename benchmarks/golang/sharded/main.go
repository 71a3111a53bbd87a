// Each shard has its own lock.
package main

import "sync"

type shard struct {
	mu sync.Mutex
	n  int
}

var shards [4]shard

func inc(i int) {
	s := &shards[i%4]
	s.mu.Lock()
	s.n++ // NORACE
	s.mu.Unlock()
}

func main() {
	for i := 0; i < 8; i++ {
		go inc(i)
	}
	inc(3)
}
