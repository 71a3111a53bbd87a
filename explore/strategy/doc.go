// Package strategy explores the executions of a program with a main function, in a way
// that is chosen by name.
//
//	r, err := strategy.Run(p, strategy.Options{Strategy: "optimal-dpor"})
//	for _, t := range r.Traces { … }   // each shows something that goes wrong, and replays
//	if !r.Complete { fmt.Println(r.Reason) }
//
// In goes a valid program, out come traces (package trace), and what was covered.
// Everything that is told was run in the interpreter first: what a search foresees and
// the interpreter does not confirm is no finding.
//
// # The strategies
//
//   - dfs: all interleavings of the events of package vm, one after the other.
//   - source-dpor, optimal-dpor: one of each class of equivalent executions (package
//     dpor).
//   - context-bound: all executions with at most so many preemptions, in the interpreter,
//     states visited once.
//   - delay:rr, delay:rtc, delay:prr: all states, in the order of the delays of an
//     explorer that goes round robin, runs to completion, or goes round robin with new
//     threads at random places (package delay).
//   - sample:rr, sample:rtc, sample:prr: executions drawn from the strata of these
//     explorers.
//   - random: in each state, each thread that can go on is as likely as the others.
//   - pct: threads have random priorities, which change at a few random moments
//     (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
//     probabilistic guarantees of finding bugs, ASPLOS 2010). A bug of depth d is found
//     in each execution with probability 1/(n k^(d-1)), for n threads and k events.
//   - pos: each event has a random priority when its thread comes to it, and a new one
//     when an event was made that it conflicts with (Yuan, Yang, Gu: Partial order aware
//     concurrency sampling, CAV 2018).
//   - urw: of the events on one cell, chosen for each execution, all orders are as
//     likely, as far as it is known how many of them threads make (Zhao, Wolff, Mathur,
//     Roychoudhury: Selectively uniform concurrency testing, ASPLOS 2025).
//   - walk: executions of thousands of threads in the interpreter, with preemptions at a
//     rate that is drawn; races are seen by happens-before, so that the two accesses need
//     not meet.
//
// Where package vm does not take a program, the exhaustive ones search in the
// interpreter, and the others end there; a note says so.
package strategy
