// Package dataflow is a small engine for fixpoints over graphs, and the laws its lattices
// must keep.
//
// In: the nodes in a good order (reverse post-order), a Lattice, the value at the entry,
// and a step that maps the value at a node to values at its successors. Out: the least
// solution, the value at the start of every node.
//
//	type sets struct{ … }                       // implements Lattice[set]
//	in := dataflow.Forward(ir.RPO(f), sets{}, entry, initial, func(b *ir.Block, v set, emit func(*ir.Block, set)) {
//		for _, s := range b.Succs() { emit(s, transfer(b, v)) }
//	})
//
// The step sees each edge, so a branch may refine what it sends to either side. For
// termination the lattice must have no infinite ascending chains and the step must be
// monotone; CheckLaws and CheckMonotone test both on samples.
package dataflow
