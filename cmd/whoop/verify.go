package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"whoop/diag"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/report"
)

// inputFlags are the flags of every command that reads a program.
func inputFlags(cmd *cobra.Command, o *pipeline.Options) {
	f := cmd.Flags()
	f.StringSliceVarP(&o.C.IncludeDirs, "include-dir", "I", nil, "search `DIR` for headers")
	f.StringArrayVarP(&o.C.Defines, "define", "D", nil, "define a macro, `NAME[=VALUE]`")
	f.StringSliceVar(&o.C.Includes, "include", nil, "include `FILE` before the source")
	f.StringVar(&o.C.DataModel, "data-model", "LP64", "LP64 or ILP32")
	f.BoolVar(&o.C.IgnoreExterns, "ignore-externs", false, "assume that unmodelled external functions do nothing")
	f.StringSliceVar(&o.Models, "models", nil, "add the API models of `FILE`")
}

func verifyCommand() *cobra.Command {
	var o pipeline.Options
	var format, output string
	var stats bool
	cmd := &cobra.Command{Use: "verify PATH", Short: "Prove pair by pair that entry points cannot race", Args: cobra.ExactArgs(1)}
	inputFlags(cmd, &o)
	f := cmd.Flags()
	f.StringArrayVar(&o.Pairs, "pairs", nil, "check this pair of entry points only, `A,B`")
	f.IntVar(&o.Jobs, "jobs", runtime.NumCPU(), "entry points analysed at once")
	f.DurationVar(&o.Timeout, "timeout", 0, "stop after this time; what is not proved is unknown")
	f.DurationVar(&o.QueryTimeout, "query-timeout", 0, "bound of one solver query (default 30s)")
	f.StringVar(&o.DumpSMT, "dump-smt", "", "write the verification conditions into `DIR`")
	f.StringVar(&format, "format", "text", "text or json")
	f.StringVarP(&output, "output", "o", "", "write the report to `FILE`")
	f.BoolVar(&stats, "stats", false, "print work counters")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if format != "text" && format != "json" {
			return fmt.Errorf("--format %q: want text or json", format)
		}
		rep, err := pipeline.Verify(cmd.Context(), args[0], o)
		if err != nil {
			return err
		}
		rep.Version = version
		if err := write(cmd, rep, format, output, stats); err != nil {
			return err
		}
		if s := rep.ExitStatus(); s != 0 {
			return status(s)
		}
		return nil
	}
	return cmd
}

// write renders the report, to a file by way of a temporary one.
func write(cmd *cobra.Command, rep *diag.Report, format, output string, stats bool) error {
	var b bytes.Buffer
	var err error
	if format == "json" {
		err = report.JSON(&b, rep)
	} else {
		err = report.Text(&b, rep, report.Options{Color: output == "" && isTerminal(), Stats: stats})
	}
	if err != nil {
		return err
	}
	if output == "" {
		_, err := cmd.OutOrStdout().Write(b.Bytes())
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(output), ".whoop-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(b.Bytes()); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), output)
}

func isTerminal() bool {
	st, err := os.Stdout.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""
}

func emitCommand() *cobra.Command {
	var o pipeline.Options
	var to string
	cmd := &cobra.Command{Use: "emit PATH", Short: "Print the program's intermediate representation", Args: cobra.ExactArgs(1)}
	inputFlags(cmd, &o)
	cmd.Flags().StringVar(&to, "to", "ir", "what to print: ir")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if to != "ir" {
			return fmt.Errorf("--to %q: want ir", to)
		}
		p, err := pipeline.Load(args[0], o)
		if err != nil {
			return err
		}
		return ir.Print(cmd.OutOrStdout(), p)
	}
	return cmd
}

func entryPointsCommand() *cobra.Command {
	var o pipeline.Options
	cmd := &cobra.Command{Use: "entry-points PATH", Short: "Print the entry points that were found", Args: cobra.ExactArgs(1)}
	inputFlags(cmd, &o)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := pipeline.Load(args[0], o)
		if err != nil {
			return err
		}
		for _, e := range p.Entries {
			fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\t%s\tmulti=%v\n", e.Name, e.Kind, e.Pos, e.Multi)
		}
		return nil
	}
	return cmd
}
