// Package dpor explores the executions of a program without exploring equivalent ones twice.
//
//	p, err := vm.Compile(prog)
//	m, err := vm.New(p, prog.FuncByName("main"), vm.Config{})
//	s := dpor.New(m, dpor.Options{Algorithm: dpor.Optimal})
//	s.Run()
//	fmt.Println(s.Complete, "executions", s.Incomplete)
//
// In goes a machine in its first state, out come counts, and a call for each thing that
// went wrong. Two executions are equivalent where one is the other with neighbouring events
// exchanged that do not conflict (package vm's Conflict).
//
// # What is where
//
// A node of the search is a state of the current execution, and holds what is explored from
// there: a wakeup tree (optimal-DPOR) or a set of threads (source-DPOR), and the threads
// that sleep. Events have vector clocks in flat arrays, and their operations are chained
// cell by cell, so that the races of a new event are found along the chains of the cells
// that it touches. Everything is a stack: going back costs what going forward did, and
// memory does not grow with the number of executions.
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
// lead into a later one. Where both are explored at a time, that comes too late, even where
// it is inserted in the end, since parts of the later one are gone. So the later one does
// without: where a head that comes earlier is not finished, sleepers are open (see
// sleeping), and races are reversed as source-DPOR does. Executions may then turn out to be
// redundant.
//
// A Snapshot is the shared part when all searches have made known what is left of theirs.
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
// What an event touches may depend on what comes before it: an exchange writes or not, an
// atomic section takes another way. Where such an event is the later one of a race, the
// machine makes it in the exchanged place, to see.
//
// A section that blocks in its middle is an event with vm.Config.Attempts: it touches what
// it does before it blocks, changes nothing, and its thread stands still. So it may race
// where it blocks, though it touches something else where it does not. That it happens
// depends on nothing, so it is exchanged with others like any event.
//
// # What is not done
//
// Several workers by Source leave out executions in rare cases (random program seed 303599,
// in certain turns of four workers). Package strategy calls no such exploration complete.
//
// Without vm.Config.Attempts, races with what a section touches before it blocks may be
// left out, by DFS too. Package strategy sets it where a program has such sections.
//
// Races are told as they are foreseen, so the caller confirms them (explore.Follow).
// Programs that package vm does not take are not explored.
package dpor
