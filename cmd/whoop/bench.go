package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"whoop/bench"
	"whoop/bench/page"
	benchrun "whoop/bench/run"
	"whoop/bench/task"
)

// benchFlags are the flags of bench as they were given.
type benchFlags struct {
	config, compare, memory, tool, out string
	properties, vs                     []string
	timeout, wall                      time.Duration
	jobs                               int
	fresh, witnesses, verbose, list    bool
}

func benchCommand() *cobra.Command {
	var v benchFlags
	cmd := &cobra.Command{Use: "bench SUITE…", Short: "Run many tasks under limits, and say how it went",
		Long: "Run every task of the suites, each in a process of its own under limits, and write results.csv, results.json,\n" +
			"table.txt and index.html, a page with all of it. A suite is a directory, a task set (.set), a task definition of\n" +
			"BenchExec (.yml), or a C file with verdicts in its name. Called again with the same settings, it goes on where it was\n" +
			"stopped. See docs/reference/bench.md.\n\n" +
			"Exit status: 0 all was run and no answer is wrong; 1 an answer is wrong; 3 it was interrupted, no answer so far\n" +
			"is wrong; 2 the command line or the input cannot be used.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("bench wants a SUITE: a directory, a .set, a .yml or a C file; see \"whoop bench --help\"")
			}
			return nil
		}}
	f := cmd.Flags()
	f.StringVar(&v.config, "config", "check", "how to call the verifier: `ENGINE[:OPTION…]`, as check, bmc:mr, bmc:epp:csb=3; several separated by commas")
	f.StringVar(&v.compare, "compare", "", "run these configurations in turn on each task and compare the first with the others: `A,B`")
	f.StringArrayVar(&v.properties, "property", nil, "tasks of this property only (repeatable)")
	f.DurationVar(&v.timeout, "timeout", time.Minute, "CPU time of each run; 0: no limit")
	f.DurationVar(&v.wall, "wall", 0, "wall time of each run (default twice --timeout)")
	f.StringVar(&v.memory, "memory", "4GB", "memory of each run, as 500MB, 4GB or 2GiB; 0: no limit")
	f.IntVar(&v.jobs, "jobs", 1, "runs at once; with more than the machine has processors for, wall times mean little")
	f.StringVarP(&v.out, "output", "o", "out/bench", "write everything into `DIR`")
	f.StringArrayVar(&v.vs, "vs", nil, "compare with the results in `FILE`: results.csv, or .xml or .xml.bz2 of BenchExec (repeatable)")
	f.StringVar(&v.tool, "tool", "", "run `FILE` instead of this program")
	f.BoolVar(&v.fresh, "fresh", false, "begin anew, whatever the directory's journal has")
	f.BoolVar(&v.witnesses, "witnesses", false, "let the verifier write a witness for each run")
	f.BoolVarP(&v.verbose, "verbose", "v", false, "print a line for each run")
	f.BoolVar(&v.list, "list", false, "print the tasks and their expected verdicts, and run nothing")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("config") && v.compare != "" {
			return usage("--config and --compare: give one of them")
		}
		return runBench(cmd, args, &v)
	}
	return cmd
}

func runBench(cmd *cobra.Command, args []string, v *benchFlags) error {
	o, err := v.options()
	if err != nil {
		return err
	}
	suite, err := task.Load(args...)
	if err != nil {
		return err
	}
	for _, p := range v.properties {
		if !slices.Contains(suite.Properties(), p) {
			return usage("--property %q: no task is about it: there are %s", p, strings.Join(suite.Properties(), ", "))
		}
	}
	for _, w := range suite.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "whoop: warning:", w)
	}
	tasks := suite.Tasks(v.properties...)
	if v.list {
		return listTasks(cmd.OutOrStdout(), tasks)
	}
	var others []bench.Baseline
	for _, file := range v.vs {
		b, err := bench.ReadBaseline(file)
		if err != nil {
			return err
		}
		others = append(others, b...)
	}
	res, err := executeBench(cmd.Context(), cmd.ErrOrStderr(), tasks, o, v.verbose)
	if err != nil {
		return err
	}
	res.Comparisons = append(res.Comparisons, res.CompareWith(others)...)
	for _, b := range others {
		res.Notes = append(res.Notes, b.Notes...)
	}
	return finishBench(cmd.OutOrStdout(), v.out, res)
}

// executeBench runs the tasks and shows how far it is.
func executeBench(ctx context.Context, errw io.Writer, tasks []task.Task, o bench.Options, verbose bool) (*bench.Results, error) {
	var bar *progressbar.ProgressBar
	if isTerminal(errw) && !verbose {
		bar = progressbar.NewOptions(len(tasks)*len(o.Configs), progressbar.OptionSetWriter(errw), progressbar.OptionClearOnFinish(),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetDescription("runs"))
	}
	o.Progress = func(done, total int, r *bench.Run) {
		switch {
		case bar != nil:
			_ = bar.Set(done) // a bar that cannot be drawn is no reason to stop
		case verbose && r != nil:
			fmt.Fprintf(errw, "%d/%d %s %s %s: %s, %s, %.2f s\n", done, total, r.Task, r.Property, r.Config, r.Verdict, r.Class, r.CPUSeconds)
		case verbose:
			fmt.Fprintf(errw, "%d/%d done before\n", done, total)
		}
	}
	res, err := bench.Execute(ctx, tasks, o)
	if bar != nil {
		_ = bar.Finish()
	}
	return res, err
}

// finishBench writes the files and prints the short form.
func finishBench(w io.Writer, dir string, res *bench.Results) error {
	if err := bench.WriteFiles(dir, res); err != nil {
		return err
	}
	if err := page.Write(dir, res, page.Options{}); err != nil {
		return err
	}
	if err := bench.Brief(w, res); err != nil {
		return err
	}
	fmt.Fprintf(w, "written: %s, results.json, table.txt, %s, logs\n", filepath.Join(dir, "results.csv"), page.Name)
	switch {
	case res.Wrong() > 0:
		return status(1)
	case !res.Complete:
		fmt.Fprintln(w, "run the same command again to go on")
		return status(3)
	}
	return nil
}

// options makes options of flags.
func (v *benchFlags) options() (bench.Options, error) {
	o := bench.Options{Tool: v.tool, Version: version, Jobs: v.jobs, Dir: v.out, Fresh: v.fresh, Runner: benchrun.New()}
	specs := v.config
	if v.compare != "" {
		specs = v.compare
	}
	var err error
	if o.Configs, err = bench.Configs(specs); err != nil {
		return o, err
	}
	if v.compare != "" && len(o.Configs) < 2 {
		return o, usage("--compare %q: want two configurations or more, as bmc:all,bmc:mr", v.compare)
	}
	if v.witnesses {
		for i := range o.Configs {
			o.Configs[i] = o.Configs[i].WithWitness()
		}
	}
	if v.jobs < 1 || v.timeout < 0 || v.wall < 0 {
		return o, usage("--jobs wants 1 or more, --timeout and --wall cannot be negative")
	}
	o.Limits = bench.Limits{CPU: v.timeout, Wall: v.wall}
	if v.wall == 0 {
		o.Limits.Wall = 2 * v.timeout
	}
	if o.Limits.Memory, err = parseSize(v.memory); err != nil {
		return o, usage("--memory: %w", err)
	}
	if o.Tool == "" {
		o.Tool, err = os.Executable()
	}
	return o, err
}

// parseSize reads a number of bytes: 500MB, 2GiB, 1000000.
func parseSize(s string) (int64, error) {
	units := []struct {
		suffix string
		bytes  float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}
	for _, u := range units {
		num, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
		if err != nil || !(x >= 0 && x*u.bytes < 1<<60) {
			break
		}
		return int64(x * u.bytes), nil
	}
	return 0, fmt.Errorf("%q: want a size, as 500MB, 4GB or 2GiB", s)
}

// listTasks prints the tasks.
func listTasks(w io.Writer, tasks []task.Task) error {
	for _, t := range tasks {
		expected := t.Expected.String()
		if expected == "" {
			expected = "?"
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", t.Name, t.Property, expected); err != nil {
			return err
		}
	}
	return nil
}
