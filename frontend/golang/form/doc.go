// Package form answers questions about functions in SSA form and about types, which need
// nothing but these: what a value is used for, where a variable is kept, what comes before
// what, how often a loop runs.
//
//	for _, use := range form.Uses(v) { … }                   // without debug references
//	if form.OnCycle(b) { … }                                 // the block may run again
//	if vs, ok := form.KeptIn(v); ok { … }                    // all that v may be, by variables
//	same := form.Key(t) == form.Key(u)                       // identical types
//
// In go SSA values, instructions, blocks, functions and types; out come answers of the same
// kinds. Where something cannot be found out, the answer is the one that promises least:
// each function's comment says which. Nothing here knows what a program, a library or the
// IR is, and nothing is kept between calls.
package form
