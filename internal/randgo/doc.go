// Package randgo makes small random Go programs of goroutines, channels, WaitGroups,
// locks, timers and panics, and explores what they may do with a model of its own:
//
//	p := randgo.Generate(seed)
//	p.Text(randgo.Layout{})           // the Go source
//	p.Explore(randgo.Budget{...})     // the conflicts that executions show, by lines of that source
//
// The model interprets the statements one by one, keeps vector clocks as the Go memory
// model orders operations, and finds two conflicting operations that nothing orders:
// accesses of variables, a send beside a close, two closes, an Add from zero beside a
// Wait, and a WaitGroup that is reused before Wait has returned. What it finds is real.
// It is made without knowledge of how verify proves programs.
//
// Half of the programs are idioms of correct programs with a few random changes: so most
// are nearly correct, and proofs are tried. The others are random statements.
package randgo
