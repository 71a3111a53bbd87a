// Package dpor explores the executions of a program without exploring equivalent ones
// twice.
//
//	p, err := vm.Compile(prog)
//	m, err := vm.New(p, prog.FuncByName("main"), vm.Config{})
//	s := dpor.New(m, dpor.Options{Algorithm: dpor.Optimal})
//	s.Run()
//	fmt.Println(s.Complete, "executions", s.Incomplete)
//
// In goes a machine in its first state, out come counts, and a call for each thing that
// went wrong. Two executions are equivalent where one is the other with neighbouring
// events exchanged that do not conflict (package vm's Conflict).
//
// # What is where
//
// A node of the search is a state of the current execution, and holds what is explored
// from there: a wakeup tree (optimal-DPOR) or a set of threads (source-DPOR), and the
// threads that sleep. Events have vector clocks in flat arrays, and their operations are
// chained cell by cell, so that the races of a new event are found along the chains of
// the cells that it touches. Everything is a stack: going back costs what going forward
// did, and memory does not grow with the number of executions.
//
// # Several workers
//
// Pool explores by several searches at a time. Where one has nothing to do, another one
// makes the first nodes of its stack known to all, with the branches that are left: these
// are heads, and whoever takes one explores all behind it by itself. What it finds for a
// node that others know is disputed, and is inserted there when it stops. Each trace is
// explored once: threads whose heads come earlier sleep.
//
// Optimal-DPOR relies on the order of branches: what is found behind an earlier one may
// lead into a later one. Where both are explored at a time, that comes too late, even
// where it is inserted in the end, since parts of the later one are gone. So the later
// one does without: where a head that comes earlier is not finished, sleepers are open
// (see sleeping), and races are reversed as source-DPOR does. Executions may then turn
// out to be redundant. So it is with a head whose worker in another process is lost: what
// was found for it meanwhile was left to that worker.
//
// A Snapshot is the shared part when all searches have made known what is left of theirs.
// So does a worker in another process each time that it stops (Pool.Join, Serve).
//
// # Where it deviates from the paper
//
// Races are noted when their later event is made, and looked at when the execution ends.
// Locks, semaphores, once controls and awaited conditions block: an event that waited for
// another one cannot be exchanged with it, but with what made it wait; so an event that
// still blocks at the end has races, too, and so has the timeout of a wait that a signal
// has ended. Queries for inputs belong to events: each event is explored with all answers
// before its thread sleeps.
//
// What an event touches may depend on the answers to its queries: an atomic section takes
// one way or another. So a thread sleeps until something conflicts with its event under
// any answers, and a branch of a wakeup tree stands for sequences without its thread only
// where answers make no difference (see answers.go).
//
// What an event touches may depend on what comes before it: an exchange writes or not, an
// atomic section takes another way. Where such an event is the later one of a race, the
// machine makes it in the exchanged place, to see.
//
// A section that blocks in its middle is an event with vm.Config.Attempts: it touches
// what it does before it blocks, changes nothing, and its thread stands still. So it may
// race where it blocks, though it touches something else where it does not. That it
// happens depends on nothing, so it is exchanged with others like any event.
//
// # Why several workers leave nothing out
//
// Take the tree of all that was explored in the end. From a node E, done(E) are the
// threads that were explored, and sleep(E) those that slept. Of a sequence w of events
// that is possible there, I(w) are the threads whose event in w nothing in w comes
// before; WI(w) are also those without an event in w whose next one conflicts with
// nothing in w.
//
// Source. The claim: if no thread of I(w) sleeps at E, some path behind E contains w, up
// to exchanges. It is shown from the leaves up, and says nothing about when things were
// done.
//
//   - If a thread of done(E) is in WI(w), take the one that was begun first, p. Whoever
//     sleeps behind p slept at E or was begun before p, so it is not in I(w) without p's
//     event. The claim for the node behind p has what is left of w.
//   - If none is, let w(p) be the longest beginning of w that p conflicts with nothing
//     of, for p in done(E), and e(p) the event of w behind it. Take the p with the
//     longest w(p), and of those the one that was begun first. Whoever sleeps behind p is
//     not in I(w(p).e(p)): it would be in I(w), or its own beginning would be longer. So
//     by the claim a path behind p contains w(p).e(p). There p and e(p) race. So done(E)
//     or sleep(E) has a thread r of I(v), v being what does not come after p on that
//     path, and then e(p). If r sleeps at E, something woke it that comes before its
//     event in v, unless that is in w: so r is in I(w), against what was assumed. If r
//     was explored, it is in WI(w), or its beginning is longer than w(p).
//
// What it takes is that of each race in each path a thread of I(v) was explored or slept
// from the node before it, in the end, and that only those sleep that slept before or
// were begun earlier at the same node. Who explores it, and when, does not matter. So a
// dispute may be left out only where a thread of its own I(v) is known (see
// disputeThread).
//
// Optimal. A sleeper that is open counts as with Source. One that is not, q, may also
// stand for v by WI(v) alone. That needs order: all behind q was explored, and its
// disputes were settled, before the head with E behind it was taken, and so for all who
// sleep at E (see sleepers). Take the q with the longest w(q). What was found behind q,
// u.w(q).e(q) with u the way to E from where q was explored, was then inserted along u,
// for each branch that takes it over otherwise comes before those of u. Such a branch
// sleeps at E: it is open, so that all are, or its beginning is longer than q's. So
// w(q).e(q) is in the wakeup tree of E, and its first branch is in WI(w), or has a longer
// beginning: the claim follows as before. Heads of one node are taken in the order in
// which they were found, but for those that have other answers; then all sleepers are
// open.
//
// No trace is explored twice: of two branches of a node, the earlier one sleeps in the
// later one until something conflicts with it.
//
// This is about events that touch the same cells wherever they are possible. For those
// that do not, and for those that wait, tests with random programs stand, for several
// workers as for one.
//
// # What is not done
//
// Without vm.Config.Attempts, races with what a section touches before it blocks may be
// left out, by DFS too. Package strategy sets it where a program has such sections.
//
// Races are told as they are foreseen, so the caller confirms them (explore.Follow).
// Programs that package vm does not take are not explored.
package dpor
