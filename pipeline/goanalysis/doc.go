// Package goanalysis is the race check of "whoop verify" as an analyzer of
// golang.org/x/tools/go/analysis, for go vet and other drivers of such analyzers
// (cmd/whoop-vet is one).
//
//	multichecker.Main(goanalysis.Analyzer)
//
// In goes one package with its syntax and types; packages that it imports are known by
// their types and by models, also those of its own module. Out come diagnostics: each
// race once, at its first access, with the second as related information. No diagnostic
// is no proof: a package without entry points has none, undecided pairs are reported with
// the flag undecided only, goroutines that other packages start are not seen, and what
// other packages do to their own objects is left out. For proofs there is "whoop verify
// ./...".
package goanalysis
