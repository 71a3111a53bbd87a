// Package summaries finds which candidate facts are true: Houdini (Flanagan and Leino,
// FME 2001).
//
// In go procedures with their verification conditions (vcgen), in which candidate facts
// are assumed and proved, each guarded by a Boolean constant; out comes the greatest set
// of candidates that is consistent: assuming them all, each procedure proves all. One
// solver is kept for a procedure; one model refutes every candidate it violates; when a
// candidate falls, only the procedures that assumed it are looked at again.
//
// What the solver cannot decide is dropped as if refuted, which is sound, and named in
// Result.Undecided.
//
//	res, err := summaries.Houdini(ctx, procs, candidates, newSolver)
package summaries
