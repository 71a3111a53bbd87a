package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whoop/diag"
	"whoop/ir/interp"
	"whoop/pipeline"
	"whoop/report"
	"whoop/trace"
)

// loadFlags are the flags that decide how a program is loaded, as they were given.
func loadFlags(cmd *cobra.Command) []string {
	var o pipeline.Options
	known := &cobra.Command{}
	inputFlags(known, &o)
	rootFlag(known, &o)
	var out []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if known.Flags().Lookup(f.Name) == nil {
			return
		}
		if v, ok := f.Value.(pflag.SliceValue); ok {
			for _, s := range v.GetSlice() {
				out = append(out, "--"+f.Name+"="+s)
			}
			return
		}
		out = append(out, "--"+f.Name+"="+f.Value.String())
	})
	return out
}

// noTrace is the value of --trace that saves nothing.
const noTrace = "none"

func unsaved(file string) bool { return file == noTrace || file == "" }

// saveTraces writes the executions of the bugs of an input: file, then file-2, file-3 and
// so on before the extension.
func saveTraces(rep *diag.BoundedReport, input, file string) error {
	if unsaved(file) {
		return nil
	}
	n := 0
	for i := range rep.Runs {
		for k := range rep.Runs[i].Bugs {
			b := &rep.Runs[i].Bugs[k]
			if b.Execution == nil {
				continue
			}
			t := b.Execution.Trace
			n++
			b.Trace = file
			if n > 1 {
				ext := filepath.Ext(file)
				b.Trace = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), n, ext)
			}
			t.Version, t.Input = rep.Version, input
			if err := writeTrace(b.Trace, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeTrace(file string, t *trace.Trace) error {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	if err := t.Write(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", file, err)
	}
	return f.Close()
}

func replayCommand() *cobra.Command {
	var o pipeline.Options
	v := replayFlags{width: 110}
	cmd := &cobra.Command{Use: "replay TRACE | replay --witness FILE PATH", Short: "Run an execution again that bmc saved, or the one a witness leads to",
		Long: "Run an execution again that bmc saved, check that it shows the bug, and print it; or look for the execution of a program\n" +
			"that a violation witness of any tool leads to (YAML 2.0 to 2.2 or GraphML 1.0), and print it; or check the invariants of a\n" +
			"correctness witness in executions, and by abstract interpretation.\n\n" +
			"Exit status: 1 the bug shows, or an invariant is violated; 2 it does not, or the trace, the witness or the program cannot be used;\n" +
			"3 a witness is not confirmed, or an invariant cannot be checked; 0 all invariants hold.",
		Args: onePath}
	inputFlags(cmd, &o)
	f := cmd.Flags()
	f.StringVar(&v.color, "color", "auto", "colours in text: auto, always or never")
	f.IntVar(&v.width, "width", v.width, "characters in a line")
	f.StringVar(&v.witness, "witness", "", "replay the violation witness `FILE` of the program PATH, or check the invariants of a correctness witness")
	f.StringVar(&v.save, "save-witness", "", "write the trace as a witness to `FILE` as well (GraphML where it is named .graphml, else YAML), if that leads to the bug")
	f.IntVar(&v.steps, "steps", 0, "instructions to execute in search of a witness's execution (default 2000000)")
	f.IntVar(&v.deviations, "deviations", 0, "how often a witness's execution may do something else than is likely (default 3)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case !slices.Contains(colors, v.color):
			return usage("--color %q: want auto, always or never", v.color)
		case v.witness == "" && len(loadFlags(cmd)) > 0:
			return usage("%s: a trace holds the flags that its program is loaded with: leave them out", loadFlags(cmd)[0])
		case v.witness != "" && v.save != "":
			return usage("--save-witness is for traces: leave out --witness")
		case v.steps < 0 || v.deviations < 0:
			return usage("--steps and --deviations cannot be negative")
		case v.witness != "":
			return replayWitness(cmd, args[0], o, v)
		}
		return replay(cmd, args[0], v)
	}
	return cmd
}

// replayFlags are the flags of replay.
type replayFlags struct {
	width, steps, deviations int
	witness, save, color     string
}

func replay(cmd *cobra.Command, file string, v replayFlags) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("%s: no such file or directory", file)
	}
	t, err := trace.Read(f)
	f.Close()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var o pipeline.Options
	flags := &cobra.Command{}
	inputFlags(flags, &o)
	rootFlag(flags, &o)
	if err := flags.ParseFlags(t.Options); err != nil {
		return fmt.Errorf("%s: its options cannot be used: %w", file, err)
	}
	p, err := pipeline.Load(t.Input, o)
	if err != nil {
		return fmt.Errorf("%s is of %s, which cannot be read (run replay where bmc was run): %w", file, t.Input, err)
	}
	if trace.Hash(p) != t.Program {
		return fmt.Errorf("%s: %s has changed since the trace was made: run bmc again", file, t.Input)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return err
	}
	h, err := t.Harness(p)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	x, err := trace.Replay(m, h, t)
	if err != nil {
		return fmt.Errorf("%s: the execution does not show the bug: %w", file, err)
	}
	if err := report.Execution(cmd.OutOrStdout(), x, report.ExecutionOptions{Width: v.width, Color: colored(v.color, "")}); err != nil {
		return err
	}
	if v.save != "" {
		if err := saveWitness(cmd, p, t, o.C.DataModel, v); err != nil {
			return err
		}
	}
	return status(1)
}
