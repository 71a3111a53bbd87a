// Package goanalysis is the race check of "whoop verify" as an analyzer of
// golang.org/x/tools/go/analysis, for go vet and other drivers of such analyzers
// (cmd/whoop-vet is one).
//
//	multichecker.Main(goanalysis.Analyzer)
//
// In goes one package with its syntax and types. What it imports of its own module comes
// as facts (fact.go): the source of these packages, with which the program is built
// together (universe.go), so that locks, atomic operations and channels of theirs count.
// Packages of other modules are known by their types and by models; what they do to their
// own objects is left out.
//
// Out come diagnostics: each race once, at its first access in the package, with the other
// as related information; what an imported package has been told of already is not
// reported again. No diagnostic is no proof: a package without entry points has none,
// undecided pairs are reported with the flag undecided only, and goroutines that packages
// start which import this one are not seen. For proofs there is "whoop verify ./...".
package goanalysis
