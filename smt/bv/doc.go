// Package bv is the term language of the bounded checker: Booleans and bit vectors,
// hash-consed and simplified while they are built, so that constants are folded and equal
// branches merged before a solver sees anything. It is apart from package smt, whose
// terms are unbounded integers made for proofs about locksets, because what is
// simplified, and how values are read back, differs.
//
//	b := bv.NewBuilder()
//	x := b.Var("x", 32)
//	t := b.Eq(b.Add(x, b.Num(32, 1)), b.Num(32, 3)) // is x = 2
//
// In go widths from 1; a width of 0 is Bool. Out comes an immutable graph; Script prints
// it as SMT-LIB 2.
package bv
