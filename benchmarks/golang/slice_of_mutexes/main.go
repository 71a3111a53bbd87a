// The lock of one element protects another.
package main

import "sync"

type shard struct {
	mu sync.Mutex
	n  int
}

var shards [4]shard

func inc(i, j int) {
	shards[i].mu.Lock()
	shards[j].n++ // RACE!
	shards[i].mu.Unlock()
}

func incOwn(i int) {
	s := &shards[i]
	s.mu.Lock()
	s.n += 2 // RACE!
	s.mu.Unlock()
}

func main() {
	go inc(0, 1)
	go incOwn(1)
	incOwn(2)
}
