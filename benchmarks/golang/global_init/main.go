// Package variables are initialised before main.
package main

import "sync"

var table = build()
var mu sync.Mutex
var hits = map[string]int{}

func build() map[string]int {
	m := map[string]int{} // NORACE
	m["a"] = 1            // NORACE
	return m
}

func look(k string) int {
	mu.Lock()
	hits[k]++ // NORACE
	mu.Unlock()
	return table[k] // NORACE
}

func main() {
	go look("a")
	look("b")
}
