package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whoop/internal/live"
	"whoop/ir"
	"whoop/ir/irutil"
	"whoop/pipeline"
	"whoop/pipeline/check"
	"whoop/report"
	"whoop/trace"
	"whoop/trace/witness"
)

// checkFlags are the flags of check about what is written.
type checkFlags struct {
	trace, witness string
	verbose        bool
	limit          time.Duration
}

// engines are what --engine may name.
var engines = []string{"verify", "absint", "states", "walks", "lockstep", "invariants", "bmc"}

func checkCommand() *cobra.Command {
	var o pipeline.Options
	var c check.Options
	var prop string
	var v checkFlags
	cmd := &cobra.Command{Use: "check --property PROPERTY PATH…", Short: "Answer one question about a program with one line",
		Long: "Answer whether a program has a property: TRUE, FALSE(property) or UNKNOWN(reason), on one line.\n\n" +
			"Engines are asked in turn: verify for a proof, bmc with growing bounds for a bug or a proof that there is none.\n" +
			"Exit status: 0 TRUE; 1 FALSE; 3 UNKNOWN; 2 the command line or the input cannot be used.",
		Args: somePaths}
	inputFlags(cmd, &o)
	f := cmd.Flags()
	f.StringVar(&prop, "property", "", strings.Join(check.Names(), ", ")+", or a property `FILE`")
	f.DurationVar(&v.limit, "timeout", defaultCheck, "answer UNKNOWN after this time; 0: never. Where it is given, engines get shares of it")
	f.UintVar(&c.Memory, "memory", 0, "memory of the solvers in MiB, all together, and about that of everything else (default 8000, or what GOMEMLIMIT says)")
	f.StringVar(&c.Yields, "yields", "mr", "as for bmc: all, epp or mr")
	f.BoolVar(&c.LalRepsOnly, "rounds-only", false, "as for bmc: the formulas of Lal and Reps alone, to compare with")
	f.IntVar(&c.CSB, "csb", 0, "the only context switch bound that bmc tries (default growing)")
	f.IntVar(&c.Unroll, "unroll", 0, "the greatest bound of iterations that bmc tries (default growing)")
	f.StringArrayVar(&c.Engines, "engine", nil, "ask this engine only: "+strings.Join(engines, ", ")+" (repeatable)")
	f.StringVar(&v.trace, "trace", noTrace, "save the execution of a violation in `FILE`; none: save nothing")
	f.StringVar(&v.witness, "witness", "", "write a witness for the verdict to `FILE`: GraphML where it ends so, else YAML")
	f.BoolVarP(&v.verbose, "verbose", "v", false, "say on standard error what each engine answered, and print the violation's interleaving")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("timeout") {
			c.Timeout = v.limit
		}
		if err := checkCheck(&o, &c, prop); err != nil {
			return err
		}
		var err error
		if c.Property, err = check.ParseProperty(prop); err != nil {
			return usage("--property: %w", err)
		}
		if name := assertions[c.Property]; name != "" {
			// as if it were given, so that replay knows
			if err := cmd.Flags().Set(name, "true"); err != nil {
				return err
			}
		}
		if err := also(cmd, args); err != nil {
			return err
		}
		c.Flags = loadFlags(cmd)
		return runCheck(cmd, args[0], o, c, v)
	}
	return cmd
}

func checkCheck(o *pipeline.Options, c *check.Options, prop string) error {
	switch {
	case prop == "":
		return usage("--property is missing: want %s, or a property file", strings.Join(check.Names(), ", "))
	case !slices.Contains(pipeline.Yields, c.Yields):
		return usage("--yields %q: want %s", c.Yields, strings.Join(pipeline.Yields, ", "))
	case c.CSB < 0 || c.Unroll < 0 || c.Timeout < 0:
		return usage("--csb, --unroll and --timeout cannot be negative")
	}
	for _, e := range c.Engines {
		if !slices.Contains(engines, e) {
			return usage("--engine %q: want %s", e, strings.Join(engines, ", "))
		}
	}
	return checkInput(o)
}

// limitMemory makes the collector work harder before there is more heap than the memory
// that there is (8000 MiB; GOMEMLIMIT where the environment has it), and gives solvers
// and searches their parts: three quarters, where the user has not said more, and seven
// tenths of what is alive.
func limitMemory(c *check.Options) {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		limit = int64(cmp.Or(c.Memory, 8000)) << 20
		debug.SetMemoryLimit(limit)
	} else if c.Memory == 0 {
		c.Memory = max(uint(limit>>20)/4*3, 1)
	}
	c.Heap = uint64(limit) / 10 * 7
}

func runCheck(cmd *cobra.Command, path string, o pipeline.Options, c check.Options, v checkFlags) error {
	start := time.Now()
	ctx, stop := watch(cmd.Context(), cmd.ErrOrStderr(), v.verbose)
	defer stop()
	ctx, cancel := within(ctx, v.limit)
	defer cancel()
	reading := o
	reading.Timeout = v.limit
	live.On(ctx).Engine("reading "+path, "")
	p, err := pipeline.Load(path, reading)
	var late *pipeline.Late
	if errors.As(err, &late) {
		fmt.Fprintln(cmd.OutOrStdout(), (&check.Result{Property: c.Property, Reason: late.Error()}).Verdict())
		return status(3)
	}
	if err != nil {
		return err
	}
	total := c.Timeout
	if total > 0 {
		c.Timeout = max(total-time.Since(start), 1)
	}
	c.Asserted = pipeline.Overflows(path, p, o)
	debug.SetGCPercent(200)
	limitMemory(&c)
	r, err := inTime(ctx, func() (*check.Result, error) { return check.Run(ctx, p, c) }, func() *check.Result {
		return &check.Result{Property: c.Property, Answer: "UNKNOWN", Reason: pipeline.Ended(ctx)}
	})
	stop()
	if err != nil {
		return err
	}
	if c.Property == check.Unreach && check.AssertsAlone(p) {
		fmt.Fprintln(cmd.ErrOrStderr(), "whoop: unreach-call is about calls of reach_error, which the program has none of: its assertions are looked at by whoop bmc --property assert")
	}
	if at, ok := irutil.WeakAtomic(p); ok && r.Answer == "TRUE" {
		fmt.Fprintf(cmd.ErrOrStderr(), "whoop: TRUE is about sequentially consistent executions; %s asks for an order that is weaker\n", at)
	}
	if v.verbose {
		for _, s := range r.Steps {
			fmt.Fprintf(cmd.ErrOrStderr(), "%8.2fs  %s: %s\n", s.Seconds, s.Engine, strings.TrimSpace(s.Outcome))
		}
		if r.Bug != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), report.Interleaving(r.Bug.Execution))
		}
	}
	if t, ok := traceOf(r); ok && v.trace != noTrace && v.trace != "" {
		t.Version, t.Input = version, path
		if err := writeTrace(v.trace, t); err != nil {
			return err
		}
	}
	if v.witness != "" {
		left := total
		if left > 0 { // what is left of the time, and a little where that is nothing
			left = max(total-time.Since(start), total/10)
		}
		if err := checkWitness(cmd, path, p, o, r, left, v.witness); err != nil {
			return err
		}
	}
	fmt.Fprintln(cmd.OutOrStdout(), r.Verdict())
	if s := r.ExitStatus(); s != 0 {
		return status(s)
	}
	return nil
}

func traceOf(r *check.Result) (*trace.Trace, bool) {
	if r.Bug == nil || r.Bug.Execution == nil {
		return nil, false
	}
	return r.Bug.Execution.Trace, true
}

// checkWitness writes a witness for a verdict, where there is one. A violation's witness
// is replayed from the file alone first; where that does not show the violation there is
// none, which standard error says.
func checkWitness(cmd *cobra.Command, path string, p *ir.Program, o pipeline.Options, r *check.Result, timeout time.Duration, file string) error {
	format := witness.YAML
	if strings.HasSuffix(file, ".graphml") {
		format = witness.GraphML
	}
	meta := witness.Meta{Created: time.Now(), Producer: witness.Producer{Name: "whoop", Version: version}, DataModel: o.C.DataModel, Files: append([]string{path}, o.More...),
		Specification: specifications[r.Property]}
	var out bytes.Buffer
	switch t, ok := traceOf(r); {
	case ok:
		ctx := cmd.Context()
		if timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, timeout)
			defer cancel()
		}
		b, _, err := witness.Checked(ctx, p, t, meta, format, witness.Options{})
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "whoop: no witness: %v\n", err)
			return nil
		}
		out.Write(b)
	case r.Answer == "TRUE":
		b, err := correctness(cmd, path, p, o, timeout, meta, format)
		if err != nil {
			return err
		}
		out.Write(b)
	default:
		return nil
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		return fmt.Errorf("--witness: %w", err)
	}
	return nil
}

// assertions are the flags that make a property one of assertions in the program.
var assertions = map[check.Property]string{check.Overflow: "check-overflow", check.MemSafety: "check-leaks", check.MemCleanup: "check-leaks"}

// specifications are the properties in the competitions' notation.
var specifications = map[check.Property]string{
	check.Unreach:     "CHECK( init(main()), LTL(G ! call(reach_error())) )",
	check.DataRace:    "CHECK( init(main()), LTL(G ! data-race) )",
	check.Deadlock:    "CHECK( init(main()), LTL(G ! deadlock) )",
	check.Overflow:    "CHECK( init(main()), LTL(G ! overflow) )",
	check.MemSafety:   "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )",
	check.MemCleanup:  "CHECK( init(main()), LTL(G valid-memcleanup) )",
	check.Termination: "CHECK( init(main()), LTL(F end) )",
}
