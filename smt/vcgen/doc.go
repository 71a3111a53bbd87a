// Package vcgen turns one sequential procedure into a verification condition.
//
// In goes an ir.Func (calls inlined or summarised), the candidate facts to assume and to
// prove, and a classification of its memory reads; out comes a VC: axioms that describe
// all executions of the procedure, and one obligation for each place where a candidate
// must hold. The candidates are guarded by Boolean constants, so that one solver serves
// all rounds of Houdini (Flanagan and Leino 2001; guarded as in Lal, Qadeer and Lahiri
// 2012).
//
// The body is executed symbolically in reverse post-order over block equations (Barnett
// and Leino 2005): registers are renamed apart where paths join (passification), loops
// are cut at their heads, where everything the loop changes becomes arbitrary and the
// head's candidates are assumed; every back edge must re-establish them.
//
// Integers are mathematical integers with range constraints. An operation whose exact
// result is not linear, or that might wrap, yields an arbitrary value of its type that
// depends on its operands alone: an over-approximation.
//
//	vc, err := vcgen.Generate(smt.NewBuilder(), f, vcgen.Options{Post: []vcgen.Candidate{{ID: 1, Cond: ir.Use{held}}}})
package vcgen
