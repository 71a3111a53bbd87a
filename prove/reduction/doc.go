// Package reduction proves assertions of programs with a fixed number of threads by
// invariants of one interleaving of each class of equivalent ones.
//
//	r, err := lockstep.Prove(ctx, p, lockstep.Options{Solver: open, Safe: verified, Wanted: asked}) // p: a program with a main function
//	if err == nil && r.Proved { … } // no execution violates an assertion that is asked about
//
// A program goes in; out comes whether all its assertions hold, for loops of any length
// and arrays of any size. Where two threads' steps commute, their order does not matter,
// and of all orders one may be chosen in which the proof is simple: loops that do the
// same with the same data go round together, and then their variables are equal.
//
// # How
//
// Calls are inlined, and each thread's code is cut into steps: from one place where
// others may notice something, or the head of a loop, to the next (program.go, step.go).
// The product of the threads is explored with sleep sets (Godefroid, "Partial-Order
// Methods for the Verification of Concurrent Systems", LNCS 1032, chapter 5), where the
// order in which threads are preferred depends on what was done so far (order.go):
// threads whose turns end with each iteration of their loops, or one after the other.
// Sleep sets leave, of each class of equivalent interleavings, the least one in that
// order (Farzan, Klumpp, Podelski, "Sound Sequentialization for Concurrent Program
// Verification", PLDI 2022, section 4). For that it is enough that a step and one that
// follows it may be made in the other order with the same outcome, whenever they are made
// in this one: a consumer's and a producer's may, a producer's and a consumer's only
// where the queue is not empty. Steps may be exchanged where they touch different memory,
// or where a solver says so (commute.go), given what is known of the numbers that threads
// share: comparisons with each other, which are followed from step to step (known.go).
// What is left is a sequential program with few loops (product.go).
//
// At the heads of these loops the least affine relations of the variables modulo powers
// of two are computed (affine.go; Elder, Lim, Sharma, Andersen, Reps, "Abstract Domains
// of Affine Relations", SAS 2011; Reps, Sagiv, Yorsh, "Symbolic Implementation of the
// Best Transformer", VMCAI 2004), together with comparisons of two variables, clauses of
// two flags, and that what a violation needs does not hold (guess.go). What runs with
// random inputs (simulate.go), and then models with small numbers, refute is dropped
// everywhere before anything is proved (infer.go).
//
// That accesses stay within their arrays, and locks are released by who holds them, is
// proved of each thread by itself, while others may write what they like (solo, in
// prove.go).
package reduction
