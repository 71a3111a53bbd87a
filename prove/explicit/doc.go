// Package explicit proves assertions of programs by going over all their states, or over
// views of a few threads at a time.
//
//	r, err := reach.Check(ctx, p, reach.Options{Views: 2, Values: 6, States: 100_000, Wanted: func(*ir.Assert) bool { return true }})
//	if err == nil && r.Proved { … } // no execution violates an assertion that is wanted
//
// # States
//
// A program with a main function is run as it is, calls included (exec.go, eval.go,
// memory.go, sync.go). A state is what all threads share, and what each has for itself:
// its calls under way with the registers that are still read, objects that nobody else
// knows, locks (state.go). Both parts are made canonical and get numbers (keep.go), so
// that a step is one of a pair of numbers, and is computed once. What is read that the
// program does not determine is a symbol, which stands for an interval, or for those of
// its numbers that leave one remainder (value.go). A comparison splits a symbol where
// both answers are possible; a symbol is the same number wherever the thread has it, or
// wherever it is in shared memory, and no more than that.
//
// A step of a thread goes up to the next instruction that others may notice: an access
// that may race, the taking of a lock, an atomic section. It also ends before what may
// end the program, if others may have noticed something since the step began; for what
// they noticed they must be able to see. Releases of locks, and accesses that were proved
// not to race, may be taken to happen right behind what comes before them: Lipton,
// "Reduction", CACM 18, 1975.
//
// # Any number of threads
//
// With Options.Views, the threads that are started in loops are looked at so many at a
// time (views.go), as in Abdulla, Haziza, Holík, "All for the price of few", VMCAI 2013:
// a state with more is possible if all its parts with that many threads are. With
// Options.Values, a place of memory or a register that has held more than that many
// values is told apart from there on by the constants that the program compares with, and
// by the remainder that all its values had in common. Both only add executions. In arrays
// with a lock in each element, one element at a time is followed (elements.go).
//
// Waits on condition variables may end at any time, and a thread that is waited for may
// be unknown: then the wait may end at any time, too. What is not followed ends the
// search without a proof: accesses that may leave their objects or use what has ended,
// releases of locks that are not held, locks that may be taken twice, calls and pointers
// that are not known.
//
// # Data races
//
// With Options.Races, data races are looked for instead: two threads of one state whose
// next steps begin with accesses that conflict (races.go).
//
// # Executions
//
// The search of all states remembers how it came to each. A failing assertion is run in
// the interpreter (path.go), with some numbers for what is not determined; only what
// fails there has a Trace.
package explicit
