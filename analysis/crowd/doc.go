// Package crowd makes entry points that are alike one: what the users of a library call,
// and what code not seen may call, is hundreds of entry points, which reach nearly the
// same functions. An analysis that looks at each entry for itself does the same work
// hundreds of times.
//
// In goes a program, out comes one in which a thread that runs one of several functions
// stands for the entries that run these, with the way back: which instructions are copies
// of which, and what an entry stands for.
//
//	m := crowd.Merge(p)
//	al := alias.Analyze(m.Program, alias.Options{})
//
// Entries are merged of which any number of threads may run at any time, and of which
// nothing is known but that: no order, no locks that the environment holds, nothing about
// arguments. A set of threads that runs such entries is one that runs the merged one, each
// choosing its function, so each execution of the program is one of the new program: what
// is proved of all executions of that holds in this. The new program has more: a thread
// that is started for one function may choose another, with arguments that lead to
// nothing. That costs precision.
//
// Threads that the program itself starts, by go statements or timers, stay apart: they
// are started at a time, and with objects that matter. Threads that are joined do as well.
package crowd
