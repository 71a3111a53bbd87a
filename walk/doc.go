// Package walk runs a program again and again under schedules and inputs that are drawn by chance, to find a violation in programs that are too large to be searched: thousands of
// threads, long loops.
//
//	t, runs, err := walk.Search(ctx, p, walk.Options{Seed: 1, Steps: 1_000_000, Wanted: func(e *interp.Error) bool { return e.Kind == interp.ErrAssert }})
//
// In goes a program with a main function; out comes the execution that violates something, as a trace that replays, or nil. That nothing is found says nothing.
//
// Data races are looked for by happens-before (Options.Races): of a run in which two accesses are not ordered, everything is left out that follows the first one by order, so that
// both threads are about to make them in the end.
//
// A run draws how often it leaves a thread that could go on (never, or once in some number of steps), and whether main goes on first as long as it can, so that all threads that it starts
// wait for their first step. Bugs need few preemptions (Musuvathi and Qadeer, PLDI 2007), and a random choice of the few finds them (Burckhardt, Kothari, Musuvathi and
// Nagarakatte, ASPLOS 2010); drawing them at a rate needs no count of the steps to come.
package walk
