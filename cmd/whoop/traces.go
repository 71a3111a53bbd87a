package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// traceDir has a directory for each run whose traces have no other place.
const traceDir = "whoop-traces"

// saveTraces writes the executions of the bugs of an input. Where file is "", they get a
// directory of their own; where it is a directory, they are bug-1.json and so on in it;
// else the first is file, and the others file-2, file-3 and so on before the extension.
// Traces of those names that an earlier run has left are removed, so that old ones and
// new ones are never beside each other.
func saveTraces(rep *diag.BoundedReport, input, file string) error {
	var bugs []*diag.Bug
	for i := range rep.Runs {
		for k := range rep.Runs[i].Bugs {
			if b := &rep.Runs[i].Bugs[k]; b.Execution != nil {
				bugs = append(bugs, b)
			}
		}
	}
	if file == noTrace || len(bugs) == 0 {
		return nil
	}
	name, err := traceNames(file)
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	for i, b := range bugs {
		t := b.Execution.Trace
		b.Trace, t.Version, t.Input = name(i+1), rep.Version, input
		if err := writeTrace(b.Trace, t); err != nil {
			return err
		}
	}
	for n := len(bugs) + 1; removeTrace(name(n)); n++ {
	}
	return nil
}

// traceNames says how the traces of a run are called; see saveTraces.
func traceNames(file string) (func(n int) string, error) {
	dir := file
	if file == "" {
		var err error
		if dir, err = newTraceDir(); err != nil {
			return nil, err
		}
	} else if strings.HasSuffix(file, "/") {
		if err := os.MkdirAll(file, 0o755); err != nil {
			return nil, err
		}
	} else if st, err := os.Stat(file); err != nil || !st.IsDir() {
		ext := filepath.Ext(file)
		return func(n int) string {
			if n == 1 {
				return file
			}
			return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), n, ext)
		}, nil
	}
	return func(n int) string { return filepath.Join(dir, fmt.Sprintf("bug-%d.json", n)) }, nil
}

// newTraceDir makes a directory that no run has had.
func newTraceDir() (string, error) {
	if err := os.MkdirAll(traceDir, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		dir := filepath.Join(traceDir, fmt.Sprint(n))
		if err := os.Mkdir(dir, 0o755); !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// removeTrace removes a file that is a trace, and says whether it was one.
func removeTrace(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	_, err = trace.Read(f)
	f.Close()
	return err == nil && os.Remove(file) == nil
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
	f.StringVar(&v.format, "format", "text", "text or html")
	f.StringVarP(&v.output, "output", "o", "", "write the execution to `FILE`")
	f.IntVar(&v.width, "width", v.width, "characters in a line")
	f.StringVar(&v.witness, "witness", "", "replay the violation witness `FILE` of the program PATH, or check the invariants of a correctness witness")
	f.StringVar(&v.save, "save-witness", "", "write the trace as a witness to `FILE` as well (GraphML where it is named .graphml, else YAML), if that leads to the bug")
	f.IntVar(&v.steps, "steps", 0, "instructions to execute in search of a witness's execution (default 2000000)")
	f.IntVar(&v.deviations, "deviations", 0, "how often a witness's execution may do something else than is likely (default 3)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case !slices.Contains(colors, v.color):
			return usage("--color %q: want auto, always or never", v.color)
		case v.format != "text" && v.format != "html":
			return usage("--format %q: want text or html", v.format)
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
	format, output           string
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
	if err := showExecution(cmd, x, v); err != nil {
		return err
	}
	if v.save != "" {
		if err := saveWitness(cmd, p, t, o.C.DataModel, v); err != nil {
			return err
		}
	}
	return status(1)
}

// showExecution writes an execution in the format asked for.
func showExecution(cmd *cobra.Command, x *trace.Execution, v replayFlags) error {
	return output(cmd.OutOrStdout(), "-o", v.output, func(w io.Writer) error {
		if v.format == "html" {
			return report.ExecutionHTML(w, x)
		}
		return report.Execution(w, x, report.ExecutionOptions{Width: v.width, Color: colored(v.color, v.output)})
	})
}
