// Package confirm asks other engines about the pairs that verify has left open: racy
// ones, which need not be, and unknown ones.
//
// In goes a report of verify, out comes the same report with more decided, within a number
// of executions and a budget of time:
//
//   - what is explored: of a small program with a main function, in C or Go, a number of
//     executions is run. Where these are all, and none goes wrong, all pairs are race-free;
//     where one shows a race, the race is confirmed, and where nothing but races goes wrong
//     in all of them, other races are ruled out;
//   - what states show: of a small C program, the states of each two threads are gone
//     through, within a bound;
//   - what is proved: of a C program with a main function, package check is asked whether
//     it has a race at all. Where it proves that it has none, all pairs are race-free,
//     with that as the reason and its assumptions beside those of verify;
//   - what is confirmed: an execution that shows a race, found by explore, check or bmc, is put
//     into the race of the report. Confirmed races come first.
//
// A race that is not confirmed may be real all the same: the search is bounded.
//
//	rep, err := pipeline.Verify(ctx, path, opt)
//	…
//	confirm.Run(ctx, path, rep, confirm.Options{Input: opt, Budget: 10 * time.Second})
package confirm
