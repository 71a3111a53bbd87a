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
//	seq, err := seqz.Unfold(entry, resolver, seqz.Options{})
//	seq.Origin[instr].Calls // the chain, outermost first
package seqz
