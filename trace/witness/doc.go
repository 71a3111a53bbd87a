// Package witness is the exchange formats of SV-COMP for what a verifier found: a
// violation witness leads another tool to a bug, a correctness witness hints at a proof.
// It makes violation witnesses of traces, writes and reads both formats (YAML 2.0 to 2.2,
// GraphML 1.0), and replays a violation in the interpreter from the file alone, whoever
// wrote it.
//
//	v, err := witness.FromTrace(p, t, witness.Meta{Producer: witness.Producer{Name: "whoop", Version: "1"}})
//	err = v.WriteYAML(file)                         // or WriteGraphML
//	w, err := witness.Read(file)                    // detects the format
//	res, err := w.Violation.Replay(ctx, p, witness.Options{})
//	if res.Confirmed { err = report.Execution(os.Stdout, res.Execution, report.ExecutionOptions{}) }
//
// In go a program of package ir and a trace of package trace; out come files, and
// executions that package trace has replayed. A replay never trusts a file: what it
// confirms was run. docs/reference/witness.md describes the formats as used here.
package witness
