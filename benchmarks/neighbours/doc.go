// Package neighbours holds programs that were written without knowledge of the analysis,
// around mistakes that users met: types of atomic results, types that synchronise in
// unusual ways, channels and WaitGroups that are misused, objects for one user, the ends
// of threads and processes, memory of variable size.
//
// expected.tsv has a line for each question: the program, what is asked (verify; default,
// which is verify with what explore adds; a property of check, or bmc with one), the right
// answer, and why. The answers were confirmed with ThreadSanitizer or Go's race detector where they can be.
//
//	go test ./benchmarks/neighbours -all
package neighbours
