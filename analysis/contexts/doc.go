// Package contexts copies functions, so that analyses that look at each instruction once
// tell the calls of a function apart: call-string sensitivity (Sharir and Pnueli 1981) by
// cloning (Whaley and Lam, PLDI 2004, section 4).
//
// In goes a program, out comes one with the same executions, in which every entry point,
// and every function that is a value, has copies of its own of the functions that it
// calls, one for each call path; where the paths are too many, one for all paths from a
// depth on. In type-safe programs small functions have a copy for each call wherever they
// are called.
//
//	q, from := contexts.Split(p, contexts.Options{})
//	al := alias.Analyze(q, alias.Options{})
//
// So what two library types store in values of a third is told apart where the points-to
// analysis alone, which does not know calls apart, would mix it. Functions that the
// solver would unfold into their callers anyway are copied, so its work hardly grows;
// that of the points-to analysis does, up to the bound in Options.
//
// A copy has the function's name with a number, and Func.Copy says whose copy it is:
// reports name that. Functions that are entry points are not copied: which function a
// thread runs says which entry it is. Functions of the same cycle of the call graph are
// copied together, once for each call from outside the cycle. Instructions keep their
// positions.
package contexts
