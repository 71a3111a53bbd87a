package main

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whoop/diag"
	"whoop/pipeline"
	"whoop/report"
)

// bmcFlags are the flags of bmc that are not the pipeline's.
type bmcFlags struct {
	format, output, color, trace string
	stats, all, verbose          bool
	limit                        time.Duration
}

func bmcCommand() *cobra.Command {
	var o pipeline.BMCOptions
	var v bmcFlags
	cmd := &cobra.Command{Use: "bmc PATH…", Short: "Look for bugs in all executions with few context switches",
		Long: "Look for bugs in all executions with at most so many preemptions, and show each by an execution that was run.\n\n" +
			"A program with a main function is checked as a whole, a driver pair by pair of its entry points,\n" +
			"a Go package from the function that --root names: a test, main, or another one without parameters.\n" +
			"Exit status: 0 no bug within the bounds; 1 a bug; 3 none was found but executions were not followed to their\n" +
			"ends, the check ended before its bounds, or a bug happens only if code not seen does something; 2 the command line or the input cannot be used.",
		Args: somePaths}
	inputFlags(cmd, &o.Options)
	rootFlag(cmd, &o.Options)
	f := cmd.Flags()
	f.IntVar(&o.CSB, "csb", 2, "context switch bound: how often a thread is left that could go on")
	f.IntVar(&o.Rounds, "rounds", 0, "rounds an execution may take (default as many as the switches need, up to 2*csb+4)")
	f.IntVar(&o.Unroll, "unroll", 2, "iterations of loops that are not decided by constants")
	f.IntVar(&o.Recursion, "recursion", 0, "depth of recursion (default as --unroll)")
	f.StringVar(&o.Yields, "yields", "mr", "where threads may be switched beside synchronisation: all (every shared access), epp (of pairs not proved race-free), mr (accesses that may race)")
	f.BoolVar(&o.LalRepsOnly, "rounds-only", false, "ask with the formulas of Lal and Reps alone, round by round: slower, to compare with")
	f.IntVar(&o.Before, "before", 1, "how often each other entry point of a driver may have run before a pair, where races are looked for that take it; 0: the pair by itself, which is faster")
	f.StringArrayVar(&o.Properties, "property", nil, "look for this only: "+strings.Join(pipeline.Properties, ", ")+" (default all of them, overflow and memcleanup where --check-overflow and --check-leaks ask for them, and goroutine-leak only where it is named, alone), or "+pipeline.Memory+" (repeatable)")
	f.IntVar(&o.Threads, "threads", 1, "instances of each entry point of a driver's pair")
	f.BoolVar(&o.FirstBug, "first", false, "end with the first bug, which need not be one with the fewest preemptions")
	f.BoolVar(&o.Failures, "failures", false, "let allocations and thread creation fail")
	f.StringArrayVar(&o.Pairs, "pairs", nil, "check this pair of entry points only, `A,B` (repeatable)")
	jobsFlag(f, &o.Jobs, "pairs checked at once")
	f.DurationVar(&v.limit, "timeout", defaultBMC, "stop after this time; what is not checked by then is unknown; 0: never")
	f.UintVar(&o.Memory, "memory", 0, "memory of the solvers in MiB, all together (default 8000)")
	f.StringVar(&v.format, "format", "text", "text, json or html")
	traceFlag(f, &v.trace)
	f.StringVarP(&v.output, "output", "o", "", "write the report to `FILE`")
	f.BoolVar(&v.stats, "stats", false, "print work counters")
	f.BoolVar(&v.all, "all", false, "leave nothing out of the text: the texts of all assumptions")
	verboseFlag(f, &v.verbose)
	f.StringVar(&v.color, "color", "auto", "colours in text: auto, always or never")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkBMC(&o, &v); err != nil {
			return err
		}
		if err := also(cmd, args); err != nil {
			return err
		}
		return runBMC(cmd, args[0], o, v)
	}
	return cmd
}

// checkBMC reports flags that cannot be used.
func checkBMC(o *pipeline.BMCOptions, v *bmcFlags) error {
	switch {
	case !slices.Contains([]string{"text", "json", "html"}, v.format):
		return usage("--format %q: want text, json or html", v.format)
	case !slices.Contains(colors, v.color):
		return usage("--color %q: want auto, always or never", v.color)
	case !slices.Contains(pipeline.Yields, o.Yields):
		return usage("--yields %q: want %s", o.Yields, strings.Join(pipeline.Yields, ", "))
	case o.CSB < 0 || o.Rounds < 0:
		return usage("--csb and --rounds cannot be negative")
	case o.Unroll < 1 || o.Recursion < 0:
		return usage("--unroll wants 1 or more, --recursion cannot be negative")
	case o.Before < 0:
		return usage("--before cannot be negative")
	case o.Threads < 1 || o.Jobs < 1:
		return usage("--threads and --jobs want 1 or more")
	case v.limit < 0:
		return usage("--timeout cannot be negative")
	}
	for _, p := range o.Properties {
		if p != pipeline.Memory && !slices.Contains(pipeline.Properties, p) {
			return usage("--property %q: want %s or %s", p, strings.Join(pipeline.Properties, ", "), pipeline.Memory)
		}
	}
	if slices.Contains(o.Properties, pipeline.Leak) && len(o.Properties) > 1 {
		return usage("--property goroutine-leak is looked for alone: other threads go on there when main has returned")
	}
	if o.Before == 0 {
		o.Before = -1
	}
	return checkInput(&o.Options)
}

func runBMC(cmd *cobra.Command, path string, o pipeline.BMCOptions, v bmcFlags) error {
	for _, p := range o.Properties {
		if name := map[string]string{"overflow": "check-overflow", "memcleanup": "check-leaks"}[p]; name != "" {
			if err := cmd.Flags().Set(name, "true"); err != nil {
				return err
			}
			o.C.Overflow, o.Leaks = o.C.Overflow || p == "overflow", o.Leaks || p == "memcleanup"
		}
	}
	o.Flags = loadFlags(cmd)
	ctx, stop := watch(cmd.Context(), cmd.ErrOrStderr(), v.verbose)
	defer stop()
	if cmd.Flags().Changed("timeout") {
		o.Timeout = v.limit
	}
	ctx, cancel := within(ctx, v.limit)
	defer cancel()
	rep, err := inTime(ctx, func() (*diag.BoundedReport, error) { return pipeline.BMC(ctx, path, o) },
		func() *diag.BoundedReport { return pipeline.Unfinished(ctx, path, o) })
	stop()
	if err != nil {
		return err
	}
	rep.Version = version
	if err := saveTraces(rep, path, v.trace); err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		rep.Notes = append(rep.Notes, "interrupted: what was not checked by then is unknown")
	}
	err = output(cmd.OutOrStdout(), "-o", v.output, func(w io.Writer) error {
		switch v.format {
		case "json":
			return report.BoundedJSON(w, rep)
		case "html":
			return report.BoundedHTML(w, rep)
		}
		return report.BoundedText(w, rep, report.Options{Color: colored(v.color, v.output), Stats: v.stats, All: v.all})
	})
	if err != nil {
		return err
	}
	if s := rep.ExitStatus(); s != 0 {
		return status(s)
	}
	return nil
}
