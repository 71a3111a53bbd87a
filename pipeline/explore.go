package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"whoop/analysis/alias"
	"whoop/diag"
	"whoop/explore/strategy"
	"whoop/frontend/golang/program"
	"whoop/internal/live"
	"whoop/ir"
)

// Strategies are the values of ExploreOptions.Strategy.
var Strategies = strategy.Names

// ParallelStrategies reports whether several workers can explore by a strategy.
var ParallelStrategies = strategy.Parallel

// LeakStrategies reports whether a strategy can look for goroutine-leak.
var LeakStrategies = strategy.FindsLeaks

// ResumingStrategies reports whether an exploration by a strategy can have a checkpoint.
var ResumingStrategies = strategy.Resumes

// ExploreOptions are those of explore beside the ones of all commands.
type ExploreOptions struct {
	Options
	// Strategy, Bound, Seed, Executions, KeepGoing and Failures are those of package
	// strategy; Work and MaxEvents, too. States is MaxStates there.
	Strategy   string
	Bound      int
	Seed       uint64
	Executions int64
	Work       int64
	States     int64
	MaxEvents  int
	// Processes and Start are those of package strategy.
	Processes int
	Start     func() (io.ReadWriteCloser, error)
	// Workers is how many searches explore at a time; 0: one. Checkpoint is the directory
	// of package strategy's.
	Workers             int
	Checkpoint          string
	KeepGoing, Failures bool
	// LeftBlocked looks for goroutines that block for good when main has returned.
	LeftBlocked bool
	// FastOnly is package strategy's.
	FastOnly bool
	// Proofs: accesses that verify proves not to race are no events.
	Proofs bool
	// Observers: writes are ordered only where something can tell.
	Observers bool
	// ReadsFrom: executions are told apart, too, by which write each event reads alone.
	ReadsFrom bool
	// Hot and WeakFairness are those of package strategy.
	Hot          []string
	WeakFairness bool
	// Flags are what the program was loaded with, for traces.
	Flags []string
}

// Explore looks for what goes wrong in the executions of a program with a main function,
// and in those of a driver's pairs of entry points.
func Explore(ctx context.Context, path string, opt ExploreOptions) (*diag.Exploration, error) {
	start := time.Now()
	if opt.Root == "" && program.Is(path) {
		opt.Root = "main"
		opt.Flags = append(slices.Clone(opt.Flags), "--root=main")
	}
	ctx, cancel := limited(ctx, opt.Timeout)
	defer cancel()
	rep := &diag.Exploration{Tool: "whoop", Command: "explore", Input: opt.name(path), Strategy: opt.Strategy, Bound: opt.Bound, Seed: opt.Seed}
	live.On(ctx).Engine("reading "+opt.name(path), "")
	p, _, err := load(ctx, path, opt.Options)
	var unread *Late
	if errors.As(err, &unread) {
		rep.Reason = unread.Error()
		return rep, nil
	}
	if err != nil {
		return nil, err
	}
	if err := exact(p); err != nil {
		return nil, err
	}
	do := explored
	if mainOf(p) == nil {
		do = exploredPairs
	} else if err := checkMain(&opt, rep.Input); err != nil {
		return nil, err
	}
	if err := do(ctx, p, opt, rep); err != nil {
		return nil, err
	}
	rep.Seconds = time.Since(start).Seconds()
	return rep, nil
}

// checkMain reports what is asked for that programs with a main function do not have.
func checkMain(opt *ExploreOptions, name string) error {
	if len(opt.Pairs) > 0 {
		return fmt.Errorf("%s has a main function: it is explored as a whole, and --pairs is for drivers", name)
	}
	if opt.States > 0 && !strategy.CountsStates(opt.Strategy) {
		return fmt.Errorf("%s has a main function: --states is for context-bound, delay and liveness then, not for %s", name, opt.Strategy)
	}
	return nil
}

// explored explores a program and adds what was found to the report.
func explored(ctx context.Context, p *ir.Program, opt ExploreOptions, rep *diag.Exploration) error {
	o := strategyOptions(ctx, p, &opt)
	board := live.On(ctx)
	if board != nil {
		o.Progress = func(x strategy.Progress) { board.Of("executions", x.Executions, x.Total) }
	}
	assumptions := slices.Concat(p.Assumptions, wakeUps(p))
	if opt.Proofs {
		facts, err := proofs(ctx, p, BMCOptions{Options: opt.Options, Yields: "mr"},
			&diag.BoundedReport{})
		if err != nil {
			return err
		}
		races := Racing(facts)
		o.Quiet = func(in ir.Instr) bool { return !races(in) }
		rep.Notes = append(rep.Notes, "accesses that verify proves not to race are no events: that holds where its assumptions do")
		assumptions = facts.Assumptions
	}
	board.Engine("executions by "+opt.Strategy, "")
	r, err := strategy.Run(p, o)
	if err != nil {
		return err
	}
	rep.Complete, rep.Reason, rep.BoundHit = r.Complete, r.Reason, r.BoundHit
	rep.Notes = append(rep.Notes, r.Notes...)
	if opt.Observers {
		rep.Notes = append(rep.Notes, fmt.Sprintf("the order of writes counts only where something reads them: %d executions were cut off when a write was overwritten unread, and %d differ from others only in what is in memory in the end", r.Unread, r.Alike))
	}
	if rep.Classes = r.Classes; opt.ReadsFrom {
		rep.Notes = append(rep.Notes, fmt.Sprintf("of the executions that end, or come to a deadlock, %d differ in which write something reads", r.Classes))
	}
	rep.Executions, rep.Redundant, rep.Stuck, rep.Deadlocks = r.Executions, r.Redundant, r.Stuck, r.Deadlocks
	rep.Events, rep.States, rep.Longest, rep.Assumptions = r.Events, r.States, r.Longest, assumptions
	rep.Workers, rep.Stops = max(opt.Workers, 1)+opt.Processes, diag.Stops(r.Stops)
	rep.Strata, rep.Weak = r.Strata, r.Weak
	open := slices.Concat(unfollowed(p), passedOver(p))
	if numbersOfAddresses(p) {
		al := alias.Analyze(p, alias.Options{})
		open = slices.Concat(open, runsUnseen(p, al), layouts(p, al))
	}
	one := diag.BoundedReport{Runs: []diag.Run{{Assumptions: open}}}
	rep.Open, rep.Exact = one.NotFollowed(Properties...), allSeen(p) && !wakesUp(p) && !r.Doubts
	for _, t := range r.Traces {
		t.Options = append([]string{}, opt.Flags...)
		b, err := Confirmed(p, t)
		if err != nil {
			return err
		}
		rep.Bugs = append(rep.Bugs, *b)
	}
	if g := guessedInitialiser(p); g != "" && len(rep.Bugs) > 0 {
		rep.Notes = append(rep.Notes, g)
	}
	if !rep.Complete && ctx.Err() != nil {
		rep.Reason = Ended(ctx)
	}
	return nil
}

// strategyOptions are those of package strategy.
func strategyOptions(ctx context.Context, p *ir.Program, opt *ExploreOptions) strategy.Options {
	o := strategy.Options{Strategy: opt.Strategy, Bound: opt.Bound, Seed: opt.Seed,
		Executions: opt.Executions, Work: opt.Work, MaxStates: opt.States, MaxEvents: opt.MaxEvents,
		Workers: opt.Workers, Processes: opt.Processes, Start: opt.Start,
		Checkpoint: opt.Checkpoint,
		KeepGoing:  opt.KeepGoing, Failures: opt.Failures, FastOnly: opt.FastOnly, Stays: opt.LeftBlocked,
		Observers: opt.Observers, ReadsFrom: opt.ReadsFrom,
		Hot: opt.Hot, WeakFairness: opt.WeakFairness, Context: ctx}
	if looseLocks(p) {
		o.Ignore = []string{"double-lock", "unlock-not-held"}
	}
	return o
}

// ServeExploration is a worker of an exploration that another process has started.
func ServeExploration(conn io.ReadWriter) error { return strategy.Serve(conn) }
