// Package svcomp holds concurrent C programs in the form of the SV-COMP benchmark sets,
// all our own.
//
// FAMILY/NAME.c is a program, FAMILY/NAME.yml its task definition (BenchExec's format
// 2.0): the properties to check and their verdicts. FAMILY.set lists the tasks of a
// family, all.set all of them; properties/ has the properties. The first comment of a
// program says what it does, and why each verdict holds:
//
//				/*
//				 * Two threads add one to an atomic counter.
//				 *
//				 * unreach-call: true, fetch_add is one indivisible step, so both additions
//	     are
//		    in
//			   the sum.
//				 * no-data-race: true, the threads touch the counter by atomic operations
//	     only;
//		    main
//			   asserts after both joins.
//				 */
//
// The verdicts are derived by reasoning, with these meanings:
//
//   - unreach-call: no interleaving of the threads' steps calls reach_error. A plain load
//     or store is one step. Memory is sequentially consistent, whatever order an atomic
//     operation asks for, and a data race has no other effect than the interleaving.
//   - no-data-race: no interleaving brings two accesses of one memory location next to
//     each other, by two threads, with a write among them and not both atomic. The
//     accesses between __VERIFIER_atomic_begin and _end count as atomic to each other. To
//     free a block counts as writing it.
//   - no-deadlock: no reachable state has a thread that has not ended and none that can
//     go on. Condition variables may wake a thread without a signal, but it is a deadlock
//     if only that would help.
//   - no-overflow: no signed addition, subtraction or other operation has a result that
//     its type cannot hold.
//   - valid-memsafety: no invalid access, no invalid free, and no block is lost: at the
//     end, what a global leads to is not. A verdict false names the part that fails.
//   - valid-memcleanup: no execution ends with a block that is not freed.
//   - termination: every execution ends; one in which main waits for ever does not.
//
// Allocations and the creation of threads succeed; a mutex or semaphore that is free is
// not refused to a try.
package svcomp
