// Package bench runs a verifier over many tasks and says how it did: each task and
// configuration in a process of its own, under limits, several at once, with a journal
// that a later run takes up where an earlier one was stopped. In go a task.Suite and
// Options; out come Results, which WriteFiles turns into results.csv, results.json and
// table.txt.
//
//	suite, err := task.Load("benchmarks/svcomp")
//	configs, err := bench.Configs("bmc:all,bmc:mr")
//	res, err := bench.Execute(ctx, suite.Tasks(), bench.Options{Tool: "whoop", Configs: configs,
//		Limits: bench.Limits{CPU: time.Minute, Memory: 4e9}, Jobs: 2, Dir: "out", Runner: run.New()})
//	err = bench.WriteFiles("out", res)
//
// All that is known about the verifier (how a configuration becomes a command line, what
// it prints) is in tool.go. Formats are described in docs/reference/bench.md.
package bench
