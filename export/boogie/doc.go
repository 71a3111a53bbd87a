// Package boogie writes a program as concurrent Boogie in the dialect of Corral:
// procedures with labelled blocks, "async call" for new threads, "yield" where another
// thread may go on, assume statements that block.
//
//	err := boogie.Emit(os.Stdout, prog, boogie.Options{})                            // main is the program's main
//	err = boogie.Emit(os.Stdout, prog, boogie.Options{Pair: []string{"read", "write"}}) // init entries, then these two
//
// In: a valid *ir.Program, facts of package alias. Out: text that is a function of them.
// What has no counterpart in Boogie is replaced by an arbitrary value, with a comment,
// and listed in the header. docs/reference/emit.md describes the output.
package boogie
