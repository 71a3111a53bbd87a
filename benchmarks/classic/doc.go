// Package classic holds the classic concurrent programs, mutual exclusion algorithms,
// locks, lock-free data structures and drivers, with their classic mistakes, and the
// answers that are known for them: each file of programs/ is one, and its first comment
// says what it is, where it comes from, and why the answer holds. Sequential consistency
// is assumed.
//
// The answers are comments:
//
//	// EXPECT assertion csb=2            an assertion fails with two preemptions, and with fewer none does
//	// EXPECT deadlock csb=0 unroll=1    threads wait for each other without any; bmc runs loops once
//	// EXPECT race csb=1                 accesses at lines marked RACE! race with one preemption
//	// EXPECT none csb=3 unroll=2        nothing is wrong with up to three preemptions
//	// EXPECT none csb=3 all             ... nor with any number of them
//	// EXPECT none csb=0 deep=2          ... with up to two preemptions, for which bmc takes long: see -slow
//	// EXPECT assertion csb=4 slow       bmc takes long: see -slow
//	// EXPECT none csb=1 explore=2       the explorer goes through schedules with two preemptions only
//
// A program with several EXPECT lines has bugs of several kinds, and no others.
// docs/explanation/csb.md says what is counted. The test runs bmc with these bounds, and
// the explorer on all schedules; it does not bound loops.
//
//	go test ./benchmarks/classic          # the quick ones
//	go test ./benchmarks/classic -slow    # bmc on all, and with the deep bounds
package classic
