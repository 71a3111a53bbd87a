// Package bmc looks for bugs in all executions within bounds, and shows each by an
// execution that the interpreter confirms: assertions, data races, deadlocks and misused
// locks.
//
// The program is unfolded first: every thread of a harness (a main function with the
// threads it creates, or the entry points of a driver) is executed symbolically, loops
// unrolled and calls inlined, with literals folded on the way; what remains is a list of
// positions, the steps that other threads may notice, as bit vector terms (unfold.go,
// exec.go, instr.go, sync.go). Which memory is shared, and where pointers in it lead, is
// found by unfolding again until nothing changes. The executions of K rounds are then one
// formula (encode.go, after Lal and Reps), in which errors are conditions on the state in
// which threads stop for good (property.go). A model is a schedule with inputs, which is
// replayed (model.go, confirm.go).
//
//	res, err := bmc.Check(ctx, p, bmc.Harness{Roots: []bmc.Root{{Func: p.FuncByName("main")}}, Main: true},
//		bmc.Options{CSB: 2}, func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) })
//
// Which executions a bound covers is said in docs/explanation/csb.md.
package bmc
