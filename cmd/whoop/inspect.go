package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"whoop/emit/boogie"
	"whoop/frontend/entry"
	"whoop/ir"
	"whoop/pipeline"
)

func emitCommand() *cobra.Command {
	var to string
	var pairs []string
	var b boogie.Options
	print := func(w io.Writer, p *ir.Program) error {
		if to == "ir" {
			return ir.Print(w, p)
		}
		if err := boogie.Emit(w, p, b); err != nil {
			return usage("--to boogie: %w", err)
		}
		return nil
	}
	cmd := inspect("emit PATH", "Print the program's intermediate representation, or a translation of it", print, func() error {
		switch {
		case to != "ir" && to != "boogie":
			return usage("--to %q: want ir or boogie", to)
		case to == "ir" && len(pairs) > 0:
			return usage("--pairs goes with --to boogie")
		case len(pairs) > 1:
			return usage("--pairs: one pair a file")
		case to == "ir" && (b.Inline != 0 || b.CheckLocks || b.CheckRaces):
			return usage("--inline, --check-locks and --check-races go with --to boogie")
		case b.Inline < 0:
			return usage("--inline %d: want 0 or more", b.Inline)
		}
		return pairOf(pairs, &b)
	})
	f := cmd.Flags()
	f.StringVar(&to, "to", "ir", "what to print: ir or boogie")
	f.StringArrayVar(&pairs, "pairs", nil, "boogie: start this pair of entry points, `A,B`")
	f.IntVar(&b.Inline, "inline", 0, "boogie: mark procedures {:inline `N`}")
	f.BoolVar(&b.CheckLocks, "check-locks", false, "boogie: assert that locks are released by who holds them, and not taken twice")
	f.BoolVar(&b.CheckRaces, "check-races", false, "boogie: assert that no two threads are about to make conflicting accesses")
	return cmd
}

// pairOf sets the entry points of a --pairs value.
func pairOf(pairs []string, b *boogie.Options) error {
	for _, w := range pairs {
		x, y, ok := strings.Cut(w, ",")
		if !ok {
			return usage("--pairs %q: want two entry points, as in a,b", w)
		}
		b.Pair = []string{strings.TrimSpace(x), strings.TrimSpace(y)}
	}
	return nil
}

func entryPointsCommand() *cobra.Command {
	cmd := inspect("entry-points PATH", "Print the entry points that were found, as a file for --entry-points", entry.Write, func() error { return nil })
	return cmd
}

// inspect makes a command that loads a program and prints something of it.
func inspect(use, short string, print func(io.Writer, *ir.Program) error, check func() error) *cobra.Command {
	var o pipeline.Options
	var file string
	cmd := &cobra.Command{Use: use, Short: short, Args: onePath}
	inputFlags(cmd, &o)
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := check(); err != nil {
			return err
		}
		if err := checkInput(&o); err != nil {
			return err
		}
		p, err := pipeline.Load(args[0], o)
		if err != nil {
			return err
		}
		return output(cmd.OutOrStdout(), "-o", file, func(w io.Writer) error { return print(w, p) })
	}
	return cmd
}
