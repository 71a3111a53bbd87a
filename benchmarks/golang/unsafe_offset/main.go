// Offsets are those that package unsafe says.
package main

import "unsafe"

type pair struct{ a, b int64 }

func main() {
	p := &pair{}
	go func() {
		q := (*int64)(unsafe.Pointer(uintptr(unsafe.Pointer(p)) + unsafe.Offsetof(p.b)))
		*q = 4 // RACE!
	}()
	p.b++ // RACE!
}
