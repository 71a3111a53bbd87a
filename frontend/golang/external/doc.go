// Package external finds out what functions of other modules do with the functions, and
// the values with methods, that a program gives them: call them before they return, start
// them as goroutines, or keep them for later.
//
// It works in two steps. Facts are extracted for one package at a time, from its source:
// which functions it calls and starts, and where each function value, parameter and
// captured variable goes (Package, kept in a cache on disk). A World puts the facts of
// those packages together that the program's calls reach, and answers questions about a
// program.
//
// Where values go is followed inside functions, through closures and the parameters of
// functions that are known by name (Node, Edge). A value that is stored anywhere else is
// kept: from then on any call of a function of its signature, or of a method of its name
// and signature, may be a call of it (Key). So a kept function runs concurrently if a
// goroutine of these modules may reach such a call. What is not known, such as a function
// without a body, does everything.
//
// The standard library is not extracted: Library says which of its functions start
// goroutines; the others are taken to call what they are given before they return, and to
// keep it where what they return, or their receiver, may.
package external
