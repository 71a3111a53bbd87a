// Package invariant finds facts about the variables of a C program, and checks those that
// anybody claims.
//
//	src := invariant.Source{Path: "prog.c", Options: o}            // o as for pipeline.Load
//	invs, err := invariant.Find(ctx, src)                          // loops and statements, with C expressions over what is in scope
//	rs, err := invariant.Check(ctx, src, invs, invariant.Limits{}) // of each: in how many executions it held, or one that violates it
//
// In go a C file and, to be checked, invariants of package witness; out come such
// invariants, and what executions say of them. Find puts calls into the text at the
// places that the front end names, with variables as arguments, and asks package absint
// what the arguments may be: so a name means what it means there, whatever became of it
// in the IR. Check puts assertions into the text in the same way, and runs the program by
// random schedules, and by abstract interpretation for a proof; so it needs to know
// nothing of where invariants come from.
package invariant
