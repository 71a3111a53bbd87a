// Package starts has goroutines that its initialisation starts, and does it right: what
// they use is written before, or under a lock, or is theirs alone.
package starts

import (
	"sync"
	"time"
)

var (
	n     int
	mu    sync.Mutex
	conf  string
	level int
	own   int
	ready = make(chan struct{})
	table map[string]int
)

func init() {
	n = 2
	go func() { n++ }()
	go fill()
	watch()
}

func fill() {
	table = map[string]int{"a": 1}
	close(ready)
}

func watch() {
	go func() {
		for {
			mu.Lock()
			conf += "."
			stop := level == 0
			mu.Unlock()
			own++
			if stop {
				return
			}
			time.Sleep(time.Second)
		}
	}()
}

// Conf reads under the lock.
func Conf() string {
	mu.Lock()
	defer mu.Unlock()
	return conf
}

// SetLevel writes under the lock.
func SetLevel(k int) {
	mu.Lock()
	level = k
	mu.Unlock()
}

// Find waits until the table is there.
func Find(k string) int {
	<-ready
	return table[k]
}
