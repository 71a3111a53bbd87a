// sync.OnceFunc and OnceValue make functions that call theirs when they are first called.
package main

import "sync"

var made int

var get = sync.OnceValue(func() int {
	made++
	return made
})

func main() {
	go func() { println(get()) }()
	println(get())

	n := 0
	f := sync.OnceFunc(func() {
		n++ // RACE!
	})
	go func() { f() }()
	n = 3 // RACE!
}
