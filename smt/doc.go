// Package smt has the terms that verification conditions are made of and the interface of
// the solvers that decide them.
//
// Terms are hash-consed by a Builder: equal terms are the same pointer, so sharing
// survives into the solver. The constructors fold constants and flatten conjunctions;
// they never change the meaning. The package knows no solver; smt/z3 implements Solver.
//
//	b := smt.NewBuilder()
//	x := b.Var("x", smt.Int)
//	s.Assert(b.Lt(x, b.Num(3)))
//	r, err := s.Check(ctx)
package smt
