// Package explore runs programs of the IR under all schedules and inputs, or under many,
// and says what goes wrong.
//
//	m, err := interp.Compile(p, interp.Config{})
//	h := interp.MainOf(p.FuncByName("main"))
//	r, err := explore.Exhaustive(m, h, explore.Options{Bound: 2})
//	for _, f := range r.Findings {
//		fmt.Println(f)                        // race: a.c:3 and a.c:9 (cost 1)
//		err := explore.Replay(m, h, f)        // nil: the schedule and the answers show it
//	}
//	if !r.Complete { fmt.Println("not everything was seen:", r.Reason) }
//
// In go a compiled program and a harness, out come findings, each with a schedule and
// input values that show it. Exhaustive is the reference that other strategies and
// engines are held against: a depth-first search without any reduction. What it explores
// is defined here.
//
// # Macro steps
//
// An execution is a sequence of macro steps. A macro step of thread t is
// State.StepVisible(t): the invisible instructions before the next visible one, and that
// one; t may also come to a visible instruction that blocks, and then stops before it.
// While t is inside an atomic section, StepVisible(t) is repeated, so that a section is
// part of one macro step; sections that begin next to each other are not. A macro step
// also ends where t ends, or the execution. The program is to be compiled with the
// interpreter's own notion of what is visible (Config.Visible nil).
//
// So a thread is left right behind a visible instruction: invisible instructions that
// follow it, an assumption that is false or a division by zero among them, are executed
// only when the thread goes on, and only then have an effect.
//
// # Cost
//
// The cost of an execution is the number of its preemptions. In a state whose last macro
// step was of thread l, scheduling t costs 1 if t ≠ l and State.CanStep(l), and nothing
// otherwise: going on with the same thread, leaving one that has ended or blocks, and the
// first macro step are free. A thread that has invisible instructions left in front of an
// operation that blocks can step; it is left for free after it has run up to that
// operation, which is free as well. Options.Bound is the greatest cost of what is
// explored; the cost of a finding is the least cost of an execution that shows it, so
// that an exploration with bound k answers for all smaller bounds too.
//
// # Inputs
//
// Every query of the program (interp.Query) branches the search: one of N alternatives
// over all N; a number of one bit over both values; other numbers over Options.Values
// alone (Result.Sampled then says so); what may fail without need over success, and
// failure where Options.Failures is set; a value that nobody reads is 0. Arguments of the
// harness's threads and what its Init functions ask come first, before any macro step.
//
// # Findings
//
// A finding is about a prefix of an execution: what comes afterwards, an assumption that
// is false for instance, does not take it back. There are
//
//   - errors: the execution has failed (interp.Error). Kind is that of the error
//     ("assert", "double-lock", …). They are told apart by kind, tag and instruction.
//   - deadlocks: the status is interp.Deadlock. They are told apart by where the threads
//     are that have not ended.
//   - data races, told apart by their two instructions, in any order. Two accesses
//     conflict if they overlap in some byte, one of them writes, and they are not both
//     atomic (Access.Atomic). What a thread is about to access in a state are the
//     accesses of its next visible instruction (State.Peek), for any answers to its
//     queries. There is a race (a) in a reachable state, if two threads that can step are
//     about to make conflicting accesses. It costs what the state costs, whichever
//     threads those are; (b) in a macro step of t that goes through an atomic section, if
//     an access inside the section conflicts with one that another thread, which could
//     step, was about to make before the macro step. It costs what the state after the
//     macro step costs. The macro step may fail, or turn out infeasible, after the
//     access. Accesses that are both inside atomic sections do not race: nobody is about
//     to make one, since the next visible instruction in front of a section is its
//     beginning.
//
// Liveness alone tells of
//
//   - livelocks: fair executions that go on for ever although they should not. Their
//     schedules end with a cycle (Finding.Loop). They are told apart by where the threads
//     are that have not ended when it begins.
//
// Memory that a thread makes just before the access, in the same macro step, is not known
// to others. This includes the object an arbitrary pointer was chosen to point to, if it
// is a fresh one.
//
// # Counts
//
// Result.Executions counts the executions that have come to an end: done, failed or
// deadlocked, each schedule and each list of answers once. Infeasible ones do not count,
// nor do those that a cached state cuts off (Options.Cache).
package explore
