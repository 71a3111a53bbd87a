// Package benchmarks holds programs with expectations and the tests that run the tool on
// them: races/ are small C programs, drivers/ drivers in kernel style, handlers/ small
// drivers whose entry points find their device in what they are given: a racy one and a
// repaired one of each. A line's comment says what the tool must do with the accesses on
// it:
//
//	// RACE!   it races and must be reported
//	// RACE    it does not race, but a known imprecision reports it
//	// NORACE  it does not race and must not be reported
package benchmarks
