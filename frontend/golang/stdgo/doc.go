// Package stdgo says in Go what functions of the standard library do, for bmc: the front
// end lowers these bodies where a program calls the functions that the directives name.
// Nothing here is called when Whoop runs; the package's tests hold it against the
// library.
//
//	//whoop:for sync.OnceFunc
//	func onceFunc(f func()) func() { … }
//
// A file stands for one package of the library, whose name it has, and is read where the
// program can get to that package. A function has the signature of the one that it stands
// for, the receiver as its first parameter. Goroutines and locks are real ones: what
// orders memory accesses here orders them in the library, and the other way round. Loops
// and recursion count against bmc's bounds.
package stdgo

import "embed"

// Sources are the files.
//
//go:embed context.go errors.go iter.go sync.go testing.go time.go
var Sources embed.FS
