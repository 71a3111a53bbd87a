// Package golang is the Go front end: it lowers Go programs in SSA form (package program
// reads them) to an ir.Program.
//
//	p, err := golang.Load("./...", golang.Options{})   // or a directory, or one .go file
//	for _, e := range p.Entries { fmt.Println(e.Name, e.Kind) }
//
// In goes a package pattern; out comes a program with its entry points (see entries.go),
// the library's part of it as data (package library), and every simplification as an
// assumption. Packages outside the module are not walked: their functions are known by a
// model, or do whatever they could with what they are given. How Go's types and
// operations are represented is described in docs/reference/golang.md.
//
// # Values
//
// An SSA value is a list of scalars ("leaves"): a string is a number that stands for its
// text, a slice is (pointer, length, capacity), an interface is (number of its dynamic
// type, data), a struct is the leaves of its fields. A function value points to an object
// that starts with the code's address and goes on with what is captured; a map or channel
// points to an object with the elements. What a Go variable holds lies in memory as these
// leaves at fixed offsets.
package golang
