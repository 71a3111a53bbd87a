// Package vm runs programs of the IR fast, forwards and backwards. It is what package
// explore searches with; package interp stays the reference that it is held against.
//
//	p, err := vm.Compile(prog)
//	m, err := vm.New(p, "main", vm.Config{})
//	for _, t := range m.Enabled(nil) {
//		k := m.Mark()
//		m.Step(t, nil)     // one event of t, and what follows it that nobody notices
//		…                  // m.Ops() are the cells that the event touched
//		m.Undo(k)          // back to the state before
//	}
//
// In go a valid program with a main function, out come events. The machine has no
// closures and allocates nothing once its slices have grown: registers are words of one
// stack a thread, memory is bytes, and a journal of old values takes every step back.
//
// # Events
//
// An event is one visible operation of a thread with all local operations after it, up to
// before the thread's next visible operation. Local are operations on registers and on
// private objects, thread starts, joins of ended threads, and assertions. So a thread
// always stands before a visible operation, waits, or has ended.
//
// An object is private to the thread that made it until its address is stored where
// others may read it, or is given to a new thread. Then it, and what it leads to, is
// public for good.
//
// A thread that comes to a false assumption stands still there (stuck), and so does one
// that did something wrong; the others go on. The return of main ends it like any other
// thread: what others do afterwards they could have done before.
//
// # Names that do not depend on the schedule
//
// An object's number holds the thread that made it and how many it had made before; a
// thread's number belongs to its parent and how many it had started before. So equivalent
// schedules lead to equal states, bit by bit, and an operation has the same cells in all
// of them.
//
// # What it does not take
//
// Integers of more than 64 bits, pointers of 4 bytes, arbitrary pointers, conversions of
// floating-point values, drivers' registrations and interrupts are not executed: the
// machine then stops with Unsupported, which says where. More than MaxThreads threads are
// another case.
package vm
