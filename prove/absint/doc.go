// Package absint proves assertions of programs with any number of threads and iterations,
// by thread-modular abstract interpretation.
//
//	r, err := absint.Analyze(ctx, p, absint.Options{}) // p: a program with a main function
//	if err == nil && len(r.MayLeave) == 0 && !r.MayFail[assert] { … } // no execution violates it
//
// A program goes in; out come the assertions that may fail, the arithmetic that may
// overflow and the accesses that may leave their arrays: what is not listed cannot. Where
// something cannot be followed, Analyze says so in an error, and nothing is known.
//
// # How
//
// Calls are inlined (inline.go), the points-to analysis is done again on the result, and
// its regions become cells (cells.go). Each thread is analysed by itself, with sets of
// numbers or intervals (value.go, arith.go, eval.go); states with different locks are
// kept apart (state.go). What threads do to each other goes through what they publish
// when they release locks (thread.go), which is iterated over all threads until it is
// stable (engine.go): the per-mutex reading of Schwarz, Saan, Seidl, Apinis, Erhard,
// Vojdani, "Improving Thread-Modular Abstract Interpretation", SAS 2021, section 4. Which
// locks guard which cells is believed at first, and held against the writes that are
// found: an execution's first write that is not as believed would have been found, since
// up to there all is as believed.
//
// With a solver, invariants of one and of two threads are looked for by Houdini
// (points.go, symbolic.go, candidate.go, invariants.go, houdini.go): Hoenicke, Majumdar,
// Podelski, "Thread Modularity at Many Levels", POPL 2017, level two. Where these do not
// prove all, numbers of threads are among the variables that they speak of (counts.go).
// The same invariants tell whether two threads are ever about to access one place
// (races.go): Options.Races says of which accesses that is asked.
package absint
