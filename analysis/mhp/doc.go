// Package mhp says what may happen in parallel: which entries overlap at all, and for
// every instruction which others may be running then. It comes before locksets: what
// cannot run in parallel is not a pair.
//
// In: an *ir.Program and the alias result. Out: a *Result that answers Entries and
// Parallel, with a reason for "no".
//
//	r := mhp.Analyze(p, al)
//	ok, why := r.Parallel(main, store, worker, load)   // why: "worker has not been started yet or has been joined"
//
// # Driver entries
//
// All overlap, except Exclusions, an entry that is not Multi with itself, Init entries
// before they register what makes the other run, Exit entries after they unregistered it
// (driver.go).
//
// # Threads
//
// Every Spawn instruction is a site. For each site a value goes with every program point
// of its spawner: no thread of this site is alive (low); all alive ones can be joined
// through known handles (mid); any number may be alive (top). Values are a chain, so a
// function is summarised by what it makes of each of the four values (chain.go): a call
// applies the summary of the callee, which makes the analysis context-sensitive for what
// a call does, and insensitive (joined over the call sites) for where a function runs. A
// join lowers mid to low when its handle is read from the cell that the site wrote and
// nothing else can have written since (sites.go, cells.go); a loop that joins t[i] over
// the same range as the loop that spawned into t[i] does so when it ends (loops.go). A
// failed spawn (its OK register is false on one side of a branch) is low again.
//
// Two threads overlap when one may be alive at a spawn site of the other (or of an
// ancestor of the other) in their common spawner (threads.go). Whatever is not understood
// stays top, or answers "may".
//
// Ended says which of a site's threads has ended behind a join within such a loop: the
// one that was started in the iteration with the same number; Alone, where all have
// (handback.go).
//
// # What is taken for granted
//
// A Join returns only when the thread has ended (a model of a timed join must not become
// a Join). An entry of kind main runs once; an Init entry that is not Multi is not run
// again while threads of an earlier run are alive. Init entries register what makes other
// entries run by Register instructions; one without any is taken to overlap with all. A
// loop counter that goes up or down by one does not wrap around.
//
// Not recognised, and so "may": joins in another function than the spawning loop unless
// both ranges are constant, loops that step a pointer, handles that another thread or a
// callee writes through unknown pointers, single joins of the elements that a loop
// spawned into, and orders made by other means than spawn and join (barriers, flags).
package mhp
