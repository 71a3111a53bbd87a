package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whoop/diag"
	"whoop/export/boogie"
	"whoop/frontend/entry"
	"whoop/ir"
	"whoop/pipeline"
)

func emitCommand() *cobra.Command {
	var to string
	var pairs []string
	var b boogie.Options
	var o pipeline.BMCOptions
	var cmd *cobra.Command
	print := func(w io.Writer, p *ir.Program) error {
		switch to {
		case "ir":
			return ir.Print(w, p)
		case "smtlib":
			o.Unbounded, o.Pairs = o.CSB < 0, pairs
			o.CSB = max(o.CSB, 0)
			return pipeline.Formula(cmd.Context(), w, p, o)
		}
		if err := boogie.Emit(w, p, b); err != nil {
			return usage("--to boogie: %w", err)
		}
		return nil
	}
	cmd = inspect("emit PATH…", "Print the program's intermediate representation, or a translation of it", print, func() error {
		switch {
		case to != "ir" && to != "boogie" && to != "smtlib":
			return usage("--to %q: want ir, boogie or smtlib", to)
		case to == "ir" && len(pairs) > 0:
			return usage("--pairs goes with --to boogie and --to smtlib")
		case len(pairs) > 1:
			return usage("--pairs: one pair a file")
		case to == "smtlib" && (o.CSB < -1 || o.Rounds < 0 || o.Unroll < 1):
			return usage("--csb wants -1 or more, --rounds 0 or more, --unroll 1 or more")
		case to == "smtlib" && !slices.Contains(pipeline.Yields, o.Yields):
			return usage("--yields %q: want %s", o.Yields, strings.Join(pipeline.Yields, ", "))
		case to != "boogie" && (b.Inline != 0 || b.CheckLocks || b.CheckRaces):
			return usage("--inline, --check-locks and --check-races go with --to boogie")
		case b.Inline < 0:
			return usage("--inline %d: want 0 or more", b.Inline)
		}
		return pairOf(pairs, &b)
	})
	f := cmd.Flags()
	f.StringVar(&to, "to", "ir", "what to print: ir, boogie or smtlib (what bmc asks; for the conditions of verify see its --dump-smt)")
	f.IntVar(&o.CSB, "csb", 2, "smtlib: context switch bound; -1: all executions, in the partial-order encoding")
	f.IntVar(&o.Rounds, "rounds", 0, "smtlib: rounds (default 2*csb+2)")
	f.IntVar(&o.Unroll, "unroll", 2, "smtlib: iterations of loops")
	f.StringVar(&o.Yields, "yields", "all", "smtlib: as for bmc: all, epp or mr")
	f.StringArrayVar(&pairs, "pairs", nil, "boogie, smtlib: this pair of entry points, `A,B`")
	f.IntVar(&b.Inline, "inline", 0, "boogie: mark procedures {:inline `N`}")
	f.BoolVar(&b.CheckLocks, "check-locks", false, "boogie: assert that locks are released by who holds them, and not taken twice")
	f.BoolVar(&b.CheckRaces, "check-races", false, "boogie: assert that no two threads are about to make conflicting accesses")
	return cmd
}

// pairOf sets the entry points of a --pairs value.
func pairOf(pairs []string, b *boogie.Options) error {
	for _, w := range pairs {
		x, y, ok := diag.CutPair(w)
		if !ok {
			return usage("--pairs %q: want two entry points, as in a,b", w)
		}
		b.Pair = []string{x, y}
	}
	return nil
}

func entryPointsCommand() *cobra.Command {
	cmd := inspect("entry-points PATH…", "Print the entry points that were found, as a file for --entry-points", entry.Write, func() error { return nil })
	return cmd
}

// inspect makes a command that loads a program and prints something of it.
func inspect(use, short string, print func(io.Writer, *ir.Program) error, check func() error) *cobra.Command {
	var o pipeline.Options
	var file, kernel string
	cmd := &cobra.Command{Use: use, Short: short, Args: somePaths}
	inputFlags(cmd, &o)
	testsFlag(cmd, &o)
	rootFlag(cmd, &o)
	kernelFlag(cmd, &kernel)
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := check(); err != nil {
			return err
		}
		if err := checkInput(&o); err != nil {
			return err
		}
		files, _, done, err := kernelModule(cmd.Context(), args, kernel, &o)
		if err != nil {
			return err
		}
		defer done()
		if err := also(cmd, files); err != nil {
			return err
		}
		p, err := pipeline.Load(files[0], o)
		if err != nil {
			return err
		}
		return output(cmd.OutOrStdout(), "-o", file, func(w io.Writer) error { return print(w, p) })
	}
	return cmd
}
