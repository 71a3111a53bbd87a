// Package task reads what a benchmark run is about: programs, the properties they are
// checked for, and the verdicts that are expected. In go BenchExec task definitions
// (.yml, formats 2.0 and 2.1), task sets (.set), property files (.prp), directories of
// these, and C files that name their verdicts (foo_true-unreach-call.c); out come values
// of type Task, one for each program and property. The package also says what an answer
// is worth: Classify holds a verdict against the expected one, and Score counts it by the
// scheme of SV-COMP.
//
//	suite, err := task.Load("benchmarks/svcomp", "more/locks.set")
//	for _, t := range suite.Tasks("no-data-race") {
//		fmt.Println(t.Name, t.Inputs, t.Expected)
//	}
//	class := task.Classify(t.Property, t.Expected, task.Verdict{Kind: task.True})
//	points := task.Score(class)
//
// Errors name the file and the line. Nothing here runs a program.
package task
