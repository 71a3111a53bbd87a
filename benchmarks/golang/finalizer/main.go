// Finalizers and cleanups run in a goroutine of their own.
package main

import "runtime"

var freed, cleaned int

type file struct{ fd [4]int }

func main() {
	f, g := &file{}, &file{}
	runtime.SetFinalizer(f, func(*file) {
		freed++ // RACE!
	})
	runtime.AddCleanup(g, func(n int) {
		cleaned += n // RACE!
	}, 1)
	runtime.GC()
	freed++   // RACE!
	cleaned++ // RACE!
}
