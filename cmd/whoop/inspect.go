package main

import (
	"io"

	"github.com/spf13/cobra"

	"whoop/frontend/entry"
	"whoop/ir"
	"whoop/pipeline"
)

func emitCommand() *cobra.Command {
	var to string
	cmd := inspect("emit PATH", "Print the program's intermediate representation", ir.Print, func() error {
		if to != "ir" {
			return usage("--to %q: want ir", to)
		}
		return nil
	})
	cmd.Flags().StringVar(&to, "to", "ir", "what to print: ir")
	return cmd
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
		return output(cmd.OutOrStdout(), file, func(w io.Writer) error { return print(w, p) })
	}
	return cmd
}
