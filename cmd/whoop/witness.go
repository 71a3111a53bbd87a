package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"whoop/ir"
	"whoop/pipeline"
	"whoop/report"
	"whoop/trace"
	"whoop/trace/witness"
)

// replayWitness looks for the execution that a witness leads to, and prints it.
func replayWitness(cmd *cobra.Command, path string, o pipeline.Options, v replayFlags) error {
	if err := checkInput(&o); err != nil {
		return err
	}
	f, err := os.Open(v.witness)
	if err != nil {
		return fmt.Errorf("%s: no such file or directory", v.witness)
	}
	w, err := witness.Read(f)
	f.Close()
	if err != nil {
		return fmt.Errorf("%s: %w", v.witness, err)
	}
	if w.Correctness != nil {
		return replayInvariants(cmd, path, o, v, w.Correctness)
	}
	if err := forWitness(cmd, &o, &w.Violation.Meta); err != nil {
		return fmt.Errorf("%s: %w", v.witness, err)
	}
	p, err := pipeline.Load(path, o)
	if err != nil {
		return err
	}
	res, err := w.Violation.Replay(cmd.Context(), p, witness.Options{Steps: v.steps, Deviations: v.deviations})
	if err != nil {
		return fmt.Errorf("%s: %w", v.witness, err)
	}
	out := cmd.OutOrStdout()
	for _, n := range res.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
	if !res.Confirmed {
		fmt.Fprintf(out, "%s: not confirmed: %s\n", v.witness, res.Reason)
		return status(3)
	}
	if err := report.Execution(out, res.Execution, report.ExecutionOptions{Width: v.width, Color: colored(v.color, "")}); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: confirmed\n", v.witness)
	return status(1)
}

// saveWitness writes a trace as a witness that was replayed.
func saveWitness(cmd *cobra.Command, p *ir.Program, t *trace.Trace, model string, v replayFlags) error {
	format := witness.YAML
	if filepath.Ext(v.save) == ".graphml" {
		format = witness.GraphML
	}
	meta := witness.Meta{Created: time.Now(), Producer: witness.Producer{Name: "whoop", Version: version}, DataModel: model}
	b, _, err := witness.Checked(cmd.Context(), p, t, meta, format, witness.Options{Steps: v.steps, Deviations: v.deviations})
	if err != nil {
		return fmt.Errorf("--save-witness: %w", err)
	}
	if err := os.WriteFile(v.save, b, 0o644); err != nil {
		return fmt.Errorf("--save-witness: %w", err)
	}
	return nil
}
