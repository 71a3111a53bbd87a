// Package seqz turns what one thread does into sequential procedures, with the way back
// to the source program.
//
// Unfold takes an entry point and yields a root procedure in which every call is inlined
// that can be (context sensitivity for free: each call site has its own copy), and
// further procedures for those that cannot: recursive functions and very large ones,
// whose calls stay calls. Every instruction of the result knows its Origin: the
// instruction of the program it copies and the call chain that leads there. The way back
// is total: instructions that only pass arguments and results have an Origin whose Instr
// is nil.
//
// Three other packages copy calls, for other ends. prove/absint inlines all of a program,
// or says why that is not possible: its states have no procedures. There, what the copies
// of a function have in common is of account (which allocations happen once, which
// registers start arbitrary), and a wait for a condition is taken apart. bmc unrolls calls
// and loops as it executes them, without copies of the IR. analysis/contexts copies whole
// functions by their callers, and leaves the calls. In all of them a call that is not
// understood means something else: an arbitrary result here, an error there.
//
//	seq := seqz.Unfold([]*ir.Entry{entry}, resolver, seqz.Options{})
//	seq.Origin[instr].Calls // the chain, outermost first
package seqz
