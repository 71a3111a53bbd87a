package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whoop/diag"
	"whoop/pipeline"
	"whoop/report"
)

// exploreFlags are the flags of explore that are not the pipeline's.
type exploreFlags struct {
	format, output, color, trace string
	first                        bool
	fairness, property           string
	worker, all, verbose         bool
}

func exploreCommand() *cobra.Command {
	var o pipeline.ExploreOptions
	var v exploreFlags
	cmd := &cobra.Command{Use: "explore PATH…", Short: "Run a program's executions one after the other, all of them or many",
		Long: "Run the executions of a program with a main function one after the other, and show what goes wrong by a short one;\n" +
			"of a driver, those of its entry points, pair by pair.\n\n" +
			"PATH is a C file, a .wir file, or a Go package with the function that --root names. Strategies (docs/explanation/explore.md):\n" +
			"portfolio takes turns between optimal-dpor and executions that are drawn;\n" +
			"optimal-dpor and source-dpor run one execution of each class of equivalent ones, dfs all, context-bound those with at\n" +
			"most --bound preemptions, delay:rr, delay:rtc and delay:prr those that a scheduler prefers first; liveness looks for\n" +
			"executions that go on for ever; the others draw executions.\n\n" +
			"Exit status: 0 all executions were covered and none goes wrong; 1 something goes wrong; 3 nothing was found, but not\n" +
			"everything was covered; 2 the command line or the input cannot be used.",
		Args: func(cmd *cobra.Command, args []string) error {
			if v.worker {
				return cobra.NoArgs(cmd, args)
			}
			return somePaths(cmd, args)
		}}
	inputFlags(cmd, &o.Options)
	rootFlag(cmd, &o.Options)
	f := cmd.Flags()
	f.StringVar(&o.Strategy, "strategy", "portfolio",
		"how executions are chosen (with --checkpoint, --processes, --observers or --reads-from by default optimal-dpor): "+strings.Join(pipeline.Strategies, ", "))
	f.IntVar(&o.Bound, "bound", -1, "context-bound: the greatest number of preemptions (default 2); delay, sample: of delays (default any); pct: the depth of bugs (default 3)")
	f.StringVar(&v.property, "property", "", "look for this alone: goroutine-leak (strategy context-bound, unless another one is named; not portfolio, irs, delay, liveness)")
	f.Uint64Var(&o.Seed, "seed", 1, "what drawn executions depend on: the same seed, the same executions")
	f.Int64Var(&o.Executions, "executions", 0, "end after so many executions (default none, 10000 where they are drawn)")
	f.Int64Var(&o.States, "states", 0, "end after so many states, of context-bound, delay, liveness and each pair of a driver (default none, 20000 of a pair)")
	f.StringArrayVar(&o.Pairs, "pairs", nil, "explore this pair of a driver's entry points only, `A,B` (repeatable)")
	jobsFlag(f, &o.Jobs, "pairs explored at once")
	f.IntVar(&o.MaxEvents, "max-events", 0, "events that an execution may have (default 1000, 10000 where they are drawn)")
	f.IntVar(&o.Workers, "workers", 1, "searches that explore at a time, of portfolio, dfs, source-dpor and optimal-dpor")
	f.IntVar(&o.Processes, "processes", 0, "workers in processes of their own beside these, of dfs, source-dpor and optimal-dpor")
	f.BoolVar(&v.worker, "worker", false, "be such a worker, by standard input and output")
	if err := f.MarkHidden("worker"); err != nil {
		panic(err) // there is no such flag
	}
	f.StringVar(&o.Checkpoint, "checkpoint", "", "save every few seconds in `DIR` how far it is, and go on from there; of dfs, source-dpor and optimal-dpor")
	f.BoolVar(&o.Proofs, "proofs", false, "ask verify first: accesses that it proves not to race are no events, so that there are fewer interleavings")
	f.BoolVar(&o.ReadsFrom, "reads-from", false, "count also how many executions differ in which write something reads (strategy optimal-dpor, source-dpor or dfs)")
	f.BoolVar(&o.Observers, "observers", false, "order writes of the same memory only where something reads them (strategy optimal-dpor, or source-dpor)")
	f.BoolVar(&v.first, "first", false, "end with the first error (the default)")
	f.BoolVar(&o.KeepGoing, "keep-going", false, "go on after an error: each is shown once")
	f.StringArrayVar(&o.Hot, "hot", nil, "liveness: the global variable `NAME` should not be other than zero for ever (repeatable; none: executions should end)")
	f.StringVar(&v.fairness, "fairness", "strong", "liveness: strong (a thread goes on that can again and again) or weak (one that always can)")
	f.BoolVar(&o.Failures, "failures", false, "let allocations and thread creation fail")
	f.DurationVar(&o.Timeout, "timeout", 0, "stop after this time (default none)")
	f.StringVar(&v.format, "format", "text", "text, json or html")
	traceFlag(f, &v.trace)
	f.StringVarP(&v.output, "output", "o", "", "write the report to `FILE`")
	f.BoolVar(&v.all, "all", false, "leave nothing out of the text: the texts of all assumptions")
	verboseFlag(f, &v.verbose)
	f.StringVar(&v.color, "color", "auto", "colours in text: auto, always or never")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if v.worker {
			return pipeline.ServeExploration(struct {
				io.Reader
				io.Writer
			}{cmd.InOrStdin(), cmd.OutOrStdout()})
		}
		o.Start = startWorker
		if (o.Checkpoint != "" || o.Processes > 0 || o.Observers || o.ReadsFrom) && !cmd.Flags().Changed("strategy") {
			o.Strategy = "optimal-dpor"
		}
		if o.LeftBlocked = v.property != ""; o.LeftBlocked && !cmd.Flags().Changed("strategy") {
			o.Strategy = "context-bound"
		}
		if err := checkExplore(&o, &v); err != nil {
			return err
		}
		if err := also(cmd, args); err != nil {
			return err
		}
		return runExplore(cmd, args[0], o, v)
	}
	return cmd
}

// checkExplore reports flags that cannot be used, and fills in the bound.
func checkExplore(o *pipeline.ExploreOptions, v *exploreFlags) error {
	switch {
	case !slices.Contains(pipeline.Strategies, o.Strategy):
		return usage("--strategy %q: want %s", o.Strategy, strings.Join(pipeline.Strategies, ", "))
	case !slices.Contains([]string{"text", "json", "html"}, v.format):
		return usage("--format %q: want text, json or html", v.format)
	case !slices.Contains(colors, v.color):
		return usage("--color %q: want auto, always or never", v.color)
	case v.property != "" && v.property != pipeline.Leak:
		return usage("--property %q: want %s", v.property, pipeline.Leak)
	case o.LeftBlocked && !pipeline.LeakStrategies(o.Strategy):
		return usage("--property goroutine-leak is for context-bound, dfs, the two DPORs, walk and what draws executions, not for %s", o.Strategy)
	case o.LeftBlocked && (o.Processes > 0 || o.Checkpoint != ""):
		return usage("--property goroutine-leak cannot be used with --processes and --checkpoint")
	case o.Bound < -1:
		return usage("--bound cannot be negative")
	case o.Executions < 0 || o.States < 0 || o.MaxEvents < 0 || o.Timeout < 0:
		return usage("--executions, --states, --max-events and --timeout cannot be negative")
	case o.Workers < 1:
		return usage("--workers: want at least 1")
	case o.Workers > 1 && !pipeline.ParallelStrategies(o.Strategy):
		return usage("--workers is for portfolio, dfs, source-dpor and optimal-dpor, not for %s", o.Strategy)
	case o.Processes < 0:
		return usage("--processes cannot be negative")
	case o.Processes > 0 && !pipeline.ResumingStrategies(o.Strategy):
		return usage("--processes is for dfs, source-dpor and optimal-dpor, not for %s", o.Strategy)
	case o.Checkpoint != "" && !pipeline.ResumingStrategies(o.Strategy):
		return usage("--checkpoint is for dfs, source-dpor and optimal-dpor, not for %s", o.Strategy)
	case o.Observers && !strings.HasSuffix(o.Strategy, "-dpor"):
		return usage("--observers is for source-dpor and optimal-dpor, not for %s", o.Strategy)
	case o.Observers && (o.Workers > 1 || o.Processes > 0 || o.Checkpoint != "" || o.Proofs):
		return usage("--observers cannot be used with --workers, --processes, --checkpoint and --proofs")
	case o.ReadsFrom && !pipeline.ResumingStrategies(o.Strategy):
		return usage("--reads-from is for dfs, source-dpor and optimal-dpor, not for %s", o.Strategy)
	case o.ReadsFrom && (o.Workers > 1 || o.Processes > 0 || o.Checkpoint != ""):
		return usage("--reads-from cannot be used with --workers, --processes and --checkpoint")
	case !slices.Contains([]string{"strong", "weak"}, v.fairness):
		return usage("--fairness %q: want strong or weak", v.fairness)
	case (len(o.Hot) > 0 || v.fairness != "strong") && o.Strategy != "liveness":
		return usage("--hot and --fairness are for liveness, not for %s", o.Strategy)
	case v.first && o.KeepGoing:
		return usage("--first and --keep-going: want one of them")
	}
	o.WeakFairness = v.fairness == "weak"
	def, bounded := bounds[o.Strategy]
	switch {
	case o.Bound >= 0 && !bounded:
		return usage("--bound is for context-bound, pct, delay and sample, not for %s", o.Strategy)
	case o.Bound < 0 && bounded:
		o.Bound = def
	}
	return checkInput(&o.Options)
}

// bounds are the strategies that take a bound, with its default.
var bounds = map[string]int{"context-bound": 2, "pct": 3, "delay:rr": -1, "delay:rtc": -1, "delay:prr": -1,
	"sample:rr": -1, "sample:rtc": -1, "sample:prr": -1}

func runExplore(cmd *cobra.Command, path string, o pipeline.ExploreOptions, v exploreFlags) error {
	o.Flags = loadFlags(cmd)
	ctx, stop := watch(cmd.Context(), cmd.ErrOrStderr(), v.verbose)
	defer stop()
	rep, err := pipeline.Explore(ctx, path, o)
	stop()
	if err != nil {
		return err
	}
	rep.Version = version
	runs := &diag.BoundedReport{Version: version, Runs: []diag.Run{{Bugs: rep.Bugs}}}
	if err := saveTraces(runs, path, v.trace); err != nil {
		return err
	}
	err = output(cmd.OutOrStdout(), "-o", v.output, func(w io.Writer) error {
		if v.format == "json" {
			return report.ExplorationJSON(w, rep)
		}
		if v.format == "html" {
			return report.ExplorationHTML(w, rep)
		}
		return report.ExplorationText(w, rep, report.Options{Color: colored(v.color, v.output), All: v.all})
	})
	if err != nil {
		return err
	}
	if s := rep.ExitStatus(); s != 0 {
		return status(s)
	}
	return nil
}
