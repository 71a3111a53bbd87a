package main

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whoop/diag"
	"whoop/internal/live"
	"whoop/pipeline"
	"whoop/pipeline/confirm"
	"whoop/report"
	"whoop/report/accept"
)

// verifyFlags are the flags of verify that are not the pipeline's.
type verifyFlags struct {
	format, output, color string
	stats, all, verbose   bool
	// warnings is off, print or error; newBaseline the file to write what is known into.
	warnings, newBaseline string
	noIgnore              bool
	kernel                string
	// confirm is how long other engines may be asked about what is open.
	confirm time.Duration
	// executions is how many executions of a program may be explored where something is
	// open.
	executions int64
}

func verifyCommand() *cobra.Command {
	var o pipeline.Options
	var v verifyFlags
	cmd := &cobra.Command{Use: "verify PATH…", Short: "Prove pair by pair that entry points cannot race",
		Long: "Prove pair by pair that entry points cannot race, or report where they can.\n\n" +
			"PATH is a .c, .i or .wir file, a directory with C files in it or below, a compile_commands.json, or Go packages:\n" +
			"a directory, a directory followed by /..., .go files, or an import path. Several C files are one program.\n" +
			"Where a directory has several main functions, each is a program with the files that have none.\n" +
			"A comment //whoop:ignore REASON at a line, or right above it, takes the races and warnings there out of the report.\n" +
			"Exit status: 0 everything is proved, or its races accepted; 1 a race is reported; 3 no race, but something is undecided;\n" +
			"2 the command line or the input cannot be used.",
		Args: somePaths}
	inputFlags(cmd, &o)
	testsFlag(cmd, &o)
	kernelFlag(cmd, &v.kernel)
	f := cmd.Flags()
	f.StringArrayVar(&o.Pairs, "pairs", nil, "check this pair of entry points only, `A,B` (repeatable)")
	jobsFlag(f, &o.Jobs, "entry points analysed at once")
	f.DurationVar(&o.Timeout, "timeout", 0, "stop after this time; what is not proved by then is unknown (default none)")
	f.DurationVar(&v.confirm, "confirm", 0, "ask the other engines about pairs that are racy or unknown, for this time: for a proof, or an execution that shows the race (default: they are not asked)")
	f.Int64Var(&v.executions, "executions", 5000,
		"explore so many executions of a small program with a main function where pairs are racy or unknown, for a proof, or an execution that shows the race; 0: none")
	f.BoolVar(&o.Uniprocessor, "uniprocessor", false, "assume one processor: disabling interrupts excludes their handlers")
	f.IntVar(&o.MaxSize, "max-size", 0, "entry points with more instructions after unfolding calls are undecided (default 60000, and 240000 where few of their accesses can race)")
	f.DurationVar(&o.QueryTimeout, "query-timeout", 0, "bound of one solver query (default 30s)")
	f.StringVar(&o.DumpSMT, "dump-smt", "", "write the verification conditions into `DIR`")
	f.StringVar(&o.Solver, "solver", pipeline.Solvers[0], "what decides the queries: "+strings.Join(pipeline.Solvers[:], ", "))
	f.StringVar(&v.format, "format", "text", strings.Join(formats, ", "))
	f.StringVarP(&v.output, "output", "o", "", "write the report to `FILE`")
	f.BoolVar(&v.all, "all", false, "leave nothing out of the text: every pair, every race, every assumption")
	f.BoolVar(&v.stats, "stats", false, "print work counters")
	f.StringVar(&v.warnings, "warnings", "print", "Go: locks that are copied, or held where the program may block: "+strings.Join(warningModes, ", ")+" (they count for the exit status)")
	f.BoolVar(&v.noIgnore, "no-ignore", false, "do not follow whoop:ignore comments")
	f.StringVar(&o.Baseline, "baseline", "", "races and warnings that `FILE` knows do not count")
	f.StringVar(&v.newBaseline, "write-baseline", "", "write the races and warnings that are found into `FILE`, for --baseline")
	verboseFlag(f, &v.verbose)
	f.StringVar(&v.color, "color", "auto", "colours in text: auto, always or never")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkVerify(&o, &v); err != nil {
			return err
		}
		files, note, done, err := kernelModule(cmd.Context(), args, v.kernel, &o)
		if err != nil {
			return err
		}
		defer done()
		if err := also(cmd, files); err != nil {
			return err
		}
		return verify(cmd, args[0], files[0], note, o, v)
	}
	return cmd
}

// formats are the values of --format.
var formats = []string{"text", "json", "sarif", "html", "gnu", "markdown"}

// warningModes are the values of --warnings.
var warningModes = []string{"off", "print", "error"}

// checkVerify reports flags that cannot be used.
func checkVerify(o *pipeline.Options, v *verifyFlags) error {
	switch {
	case !slices.Contains(formats, v.format):
		return usage("--format %q: want one of %s", v.format, strings.Join(formats, ", "))
	case !slices.Contains(colors, v.color):
		return usage("--color %q: want auto, always or never", v.color)
	case !slices.Contains(warningModes, v.warnings):
		return usage("--warnings %q: want one of %s", v.warnings, strings.Join(warningModes, ", "))
	case !slices.Contains(pipeline.Solvers[:], o.Solver):
		return usage("--solver %q: want one of %s", o.Solver, strings.Join(pipeline.Solvers[:], ", "))
	case o.Jobs < 1:
		return usage("--jobs %d: want 1 or more", o.Jobs)
	case o.Timeout < 0 || o.QueryTimeout < 0 || v.confirm < 0 || v.executions < 0:
		return usage("--timeout, --query-timeout, --confirm and --executions cannot be negative")
	}
	return checkInput(o)
}

// verify verifies what is read from path, which reports call name.
func verify(cmd *cobra.Command, name, path, note string, o pipeline.Options, v verifyFlags) error {
	o.Keep = true
	o.Comments, o.Warnings, o.StrictWarnings = !v.noIgnore, v.warnings != "off", v.warnings == "error"
	balance()
	keeping := keepingOf(path, o, v)
	if old, ok := keeping.old(); ok {
		return old.show(cmd, v.output)
	}
	ctx, stop := watch(cmd.Context(), cmd.ErrOrStderr(), v.verbose)
	defer stop()
	ctx, late := pipeline.NoteLate(ctx)
	rep, err := pipeline.Verify(ctx, path, o)
	if err != nil {
		return err
	}
	live.On(ctx).Engine("executions", "")
	confirm.Run(ctx, path, rep, confirm.Options{Input: o, Executions: v.executions,
		Budget: v.confirm})
	stop()
	rep.Version = version
	if note != "" {
		rep.Input = name
		rep.Notes = append(rep.Notes, note)
	}
	if cmd.Context().Err() != nil {
		rep.Notes = append(rep.Notes, "interrupted: what was not proved by then is unknown")
	}
	if err := output(cmd.OutOrStdout(), "-o", v.output, func(w io.Writer) error {
		if keeping != nil {
			w = io.MultiWriter(w, keeping)
		}
		return render(w, rep, v)
	}); err != nil {
		return err
	}
	if !late() && cmd.Context().Err() == nil {
		keeping.keep(rep.ExitStatus())
	}
	if v.newBaseline != "" {
		if err := output(nil, "--write-baseline", v.newBaseline, func(w io.Writer) error { return accept.WriteBaseline(w, rep) }); err != nil {
			return err
		}
	}
	if s := rep.ExitStatus(); s != 0 {
		return status(s)
	}
	return nil
}

// render writes the report in the format asked for.
func render(w io.Writer, rep *diag.Report, v verifyFlags) error {
	switch v.format {
	case "json":
		return report.JSON(w, rep)
	case "sarif":
		return report.SARIF(w, rep)
	case "html":
		return report.HTML(w, rep)
	case "gnu":
		return report.GNU(w, rep)
	case "markdown":
		return report.Markdown(w, rep)
	}
	return report.Text(w, rep, report.Options{Color: colored(v.color, v.output), Stats: v.stats, All: v.all})
}
