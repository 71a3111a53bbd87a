// Package interp runs programs of the IR concretely, one instruction of one thread at a
// time. It is the reference semantics of package ir: what engines claim about a program
// is checked by running it here.
//
//	m, err := interp.Compile(p, interp.Config{})
//	h := interp.MainOf(p.FuncByName("main"))         // or HarnessOf(p, entries…): a driver's init entries, then N threads
//	s := m.Start(h, interp.Zero{})                   // inputs: Zero, List, Random, InputFunc, Reliable
//	for s.Status() == interp.Running {
//		ts := s.Enabled()
//		e := s.Step(ts[0])                           // one instruction of that thread; e says what it did
//	}
//	fmt.Println(s.Err())                             // what went wrong, and where; nil if nothing did
//
// StepVisible executes up to and with the next instruction that other threads may notice,
// Snapshot and Hash are cheap, Peek tells what a step would do, Stack, Held, Wants and
// Describe are for reports, Races detects data races.
//
// An execution is a function of the schedule (which thread steps) and of the input values
// (Inputs): havoc, arguments, memory that was never written, and every other arbitrary
// choice. Undefined behaviour is an Error with a kind and a place, never a panic.
//
// # Values
//
// A register holds words of 64 bits: integers sign- or zero-extended after their type,
// two words for more than 64 bits, opaque values as many as their bytes need. A pointer
// is one word: the number of an object in the upper half, the offset plus 2^31 in the
// lower one. So a pointer keeps its provenance however it is copied (bytewise, through
// integers), differences within an object are exact, and arithmetic that leaves the
// window of 2^32 bytes around an object yields an address that belongs to no object. Null
// is zero; function addresses have object numbers too.
//
// # Memory
//
// An object (global, stack, heap, thread-local, input) is a sequence of bytes, each of
// which is written, never written, or arbitrary (extern globals, arguments' pointees,
// what a Touch wrote). Reading a byte that is not written takes an input, which then
// stays. A pointer that is arbitrary is a fresh input object, null, or an input object
// that exists already, as the input says; input objects grow where they are accessed,
// since nothing is known about their size, and so do those whose size is an arbitrary
// value that was made just before. Numbers of dead objects are used again, but only after
// reuseAfter further deaths, so that stale pointers are noticed.
//
// # Choices
//
// Some waiter is woken by a signal; a goto goes to one of its targets; mayfail
// allocations may fail, and so may weak exchanges; a spawn with a success register may
// fail: inputs, 0 being the usual outcome. A value that was just made arbitrary and makes
// the next assumption false is replaced by one that does not, where such a one is easily
// found. A timed wait that was not signalled is enabled, and stepping it is its timeout.
// A try lock or try wait fails exactly when it would block. With Config.Spurious,
// condition waits may wake up unsignalled, too. Casts to and from opaque values, and
// constants that are known by a text alone, are inputs, too, once for each operand.
//
// # Blocking and ending
//
// When no thread is enabled and not all have ended, the status is Deadlock. An assumption
// that is false, a "stop unreachable", and an atomic section that blocks make the
// execution Infeasible. It is Done when the root thread of main returns, at "stop abort",
// and when all threads have ended.
package interp
