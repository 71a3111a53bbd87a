// Package benchmarks holds programs with expectations and the tests that run the tool on them: races/ are small C
// programs, drivers/ drivers in kernel style. A line's comment says what the tool must do with the accesses on it:
//
//	// RACE!   it races and must be reported
//	// RACE    it does not race, but a known imprecision reports it
//	// NORACE  it does not race and must not be reported
package benchmarks
