package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whoop/ir"
	"whoop/pipeline"
	"whoop/pipeline/invariant"
	"whoop/report"
	"whoop/trace/witness"
)

// hintTime bounds the search for the invariants of a correctness witness.
const hintTime = 20 * time.Second

// correctness is a witness for a proof, with the invariants that are found in short time.
// What is written is read again and held against executions; what they violate is left
// out. The search may take a quarter of the timeout (0: none).
func correctness(cmd *cobra.Command, path string, p *ir.Program, o pipeline.Options, timeout time.Duration, meta witness.Meta, f witness.Format) ([]byte, error) {
	meta, err := meta.Complete(p, "")
	if err != nil {
		return nil, err
	}
	c := &witness.Correctness{Meta: meta}
	limit := hintTime
	if timeout > 0 {
		limit = min(limit, timeout/4)
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), limit)
	defer cancel()
	src := invariant.Source{Path: path, Options: o}
	found, err := invariant.Find(ctx, src)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "whoop: the witness has no invariants: %v\n", err)
		return written(c, f)
	}
	for {
		c.Invariants = invariant.Join(found)
		b, err := written(c, f)
		if err != nil || len(found) == 0 {
			return b, err
		}
		bad, err := wrong(ctx, src, b, f)
		if err != nil {
			return nil, err
		}
		if len(bad) == 0 {
			return b, nil
		}
		for _, r := range bad {
			fmt.Fprintf(cmd.ErrOrStderr(), "whoop: internal error, please report it: %s:%d: the invariant %s is left out: %s\n", path, r.Invariant.At.Line, r.Invariant.Value, reason(&r))
		}
		if found, bad, err = invariant.Held(ctx, src, found, invariant.Limits{NoProof: true}); err != nil {
			return nil, err
		}
		if len(bad) == 0 { // together they do not hold, each by itself does
			found = nil
		}
	}
}

// wrong reads a witness again and returns its invariants that do not hold.
func wrong(ctx context.Context, src invariant.Source, b []byte, f witness.Format) ([]invariant.Result, error) {
	w, err := witness.Read(bytes.NewReader(b))
	if err != nil || w.Correctness == nil {
		return nil, fmt.Errorf("internal error: the witness cannot be read again: %w", err)
	}
	_, bad, err := invariant.Held(ctx, src, w.Correctness.Invariants, invariant.Limits{NoProof: true})
	return bad, err
}

// reason says what speaks against an invariant.
func reason(r *invariant.Result) string {
	if r.Unusable != "" {
		return r.Unusable
	}
	return "an execution violates it"
}

func written(c *witness.Correctness, f witness.Format) ([]byte, error) {
	var b bytes.Buffer
	write := c.WriteYAML
	if f == witness.GraphML {
		write = c.WriteGraphML
	}
	err := write(&b)
	return b.Bytes(), err
}

// replayInvariants checks the invariants of a correctness witness and says what became of
// each. The status is 1 where one is violated, 3 where one cannot be used, 0 where
// nothing speaks against them.
func replayInvariants(cmd *cobra.Command, path string, o pipeline.Options, v replayFlags, c *witness.Correctness) error {
	if err := forWitness(cmd, &o, &c.Meta); err != nil {
		return fmt.Errorf("%s: %w", v.witness, err)
	}
	rs, err := invariant.Check(cmd.Context(), invariant.Source{Path: path, Options: o}, c.Invariants, invariant.Limits{Steps: v.steps})
	if err != nil {
		return fmt.Errorf("%s: %w", v.witness, err)
	}
	out, code := cmd.OutOrStdout(), status(0)
	for i := range rs {
		r := &rs[i]
		what := "location invariant"
		if r.Invariant.Loop {
			what = "loop invariant"
		}
		fmt.Fprintf(out, "%s:%d:%d: %s %s: ", path, r.Invariant.At.Line, r.Invariant.At.Column, what, strings.TrimSpace(r.Invariant.Value))
		switch {
		case r.Unusable != "":
			fmt.Fprintf(out, "not checked: %s\n", r.Unusable)
			if code == 0 {
				code = 3
			}
		case r.Violated != nil:
			fmt.Fprintf(out, "violated by execution %d\n", r.Executions)
			if err := report.Execution(out, r.Violated, report.ExecutionOptions{Width: v.width}); err != nil {
				return err
			}
			code = 1
		case r.Proved:
			fmt.Fprintf(out, "proved, and holds in %d executions\n", r.Executions)
		default:
			fmt.Fprintf(out, "holds in %d executions\n", r.Executions)
		}
	}
	for _, x := range c.Other {
		fmt.Fprintf(out, "%s: %s: not checked\n", v.witness, x)
		if code == 0 {
			code = 3
		}
	}
	if code == 0 {
		fmt.Fprintf(out, "%s: %d invariants, nothing speaks against them\n", v.witness, len(rs))
		return nil
	}
	return code
}

// forWitness sets the options that a witness is about: its data model, unless it is
// given, and what its property needs.
func forWitness(cmd *cobra.Command, o *pipeline.Options, m *witness.Meta) error {
	if m.DataModel != "" && !cmd.Flags().Changed("data-model") {
		o.C.DataModel = m.DataModel
		if err := checkInput(o); err != nil {
			return err
		}
	}
	if strings.Contains(m.Specification, "! overflow") {
		o.C.Overflow = true
	}
	if strings.Contains(m.Specification, "G valid-memtrack") || strings.Contains(m.Specification, "G valid-memcleanup") {
		o.Leaks = true
	}
	return nil
}
