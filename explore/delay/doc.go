// Package delay explores executions in the order in which a delaying explorer prefers
// them (Desai, Qadeer, Seshia: Systematic testing of asynchronous reactive systems,
// ESEC/FSE 2015).
//
//	x := delay.Search(m, delay.Options{Make: delay.RoundRobin, Bound: 2, Found: …})
//	fmt.Println(x.States, "states,", x.Strata, "executions by their delays")
//
// A delaying explorer is a deterministic scheduler that can be told to put off what it
// would do next. In go a machine and an explorer, out come executions: those without a
// delay first, then those with one, and so on. Few delays of a good explorer lead to what
// is far away for others.
//
// # The explorers
//
// RoundRobin goes on with one thread until it blocks or ends, then with the one behind
// it, in the order of creation. RunToCompletion goes on with the thread that was made
// able to go on last. ProbabilisticRoundRobin is RoundRobin with new threads at random
// places. An explorer of one's own has the five methods of Explorer; see the example.
//
// # What is guaranteed
//
// An explorer is sound where, in each state, its next thread, that after one delay, and
// so on, are all that can go on, each once. Then Search visits each reachable state
// (theorem 1 of the paper); one that is not sound is noticed, and the search says so.
// Sampler draws each execution with d delays with a probability of at least 1/L^d, for
// executions of at most L events and queries (theorem 3).
//
// # How it is done
//
// Search is stratified: what takes more delays than the bound so far is kept in a
// frontier, and explored with the next bound; nothing is explored twice. A frontier entry
// is a path, shared with others, that is executed again. States that were visited are
// known by a hash of 128 bits of the program's state alone: what leads there again is
// left, whatever the explorer's state, so that a state may be visited with more delays
// than it needs. Answers to queries count as delays, too: the first alternative none, the
// second one, and so on.
//
// Two threads race in a state where both could make conflicting accesses next; this needs
// no history, and is found with cached states, too.
//
// With Options.Alike, states are one in which threads that were started alike have changed
// places (see vm.Machine.HashAlike).
package delay
