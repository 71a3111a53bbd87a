package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"whoop/bmc"
	"whoop/diag"
	"whoop/explore/strategy"
	"whoop/internal/crash"
	"whoop/internal/live"
	"whoop/ir"
)

// DriverStrategies reports whether a driver's entry points can be explored by a strategy.
var DriverStrategies = strategy.Driver

// exploredPairs explores a driver pair by pair: those that bmc checks, with what runs
// before them there. What goes wrong in several pairs is told once.
func exploredPairs(ctx context.Context, p *ir.Program, opt ExploreOptions,
	rep *diag.Exploration) error {
	for _, w := range opt.Pairs {
		if err := checkPair([]*ir.Program{p}, w); err != nil {
			return err
		}
	}
	if !DriverStrategies(opt.Strategy) || opt.Checkpoint != "" || opt.Workers > 1 ||
		opt.Processes > 0 || opt.Proofs || opt.Observers || opt.ReadsFrom {
		return fmt.Errorf("%s has no main function: its entry points are explored pair by pair, without --checkpoint, --workers, --processes, --proofs, --observers and --reads-from, and not by liveness", rep.Input)
	}
	b := BMCOptions{Options: opt.Options, Yields: "mr", Before: -1}
	asked := &diag.BoundedReport{Properties: Properties,
		Assumptions: slices.Concat(p.Assumptions, wakeUps(p))}
	facts, err := proofs(ctx, p, b, asked)
	if err != nil {
		return err
	}
	jobs, first := harnesses(p, facts, b), initRuns(p, facts, asked)
	if len(jobs)+len(first) == 0 {
		return fmt.Errorf("nothing to explore: no main function, and no pair of entry points that may run at the same time")
	}
	ready, err := strategy.Prepare(p)
	if err != nil {
		return err
	}
	x := &pairs{p: p, ready: ready, opt: opt, done: make([]*explored1, len(jobs))}
	if err := x.all(ctx, jobs); err != nil {
		return err
	}
	rep.Assumptions = asked.Assumptions
	for i, d := range x.done {
		d.pair.Open = append(d.pair.Open, seqReader(p, &jobs[i], asked)...)
		addPair(rep, d, jobs[i].taken)
	}
	for _, r := range first {
		addPair(rep, &explored1{pair: diag.ExploredPair{Threads: r.Threads, Skipped: true,
			Open: r.Assumptions}}, nil)
	}
	rep.Workers = 1
	settlePairs(rep)
	return nil
}

// addPair adds what was found about a pair to the report.
func addPair(rep *diag.Exploration, d *explored1, taken []ir.Assumption) {
	for i := range d.bugs {
		b := &d.bugs[i]
		k := slices.IndexFunc(rep.Bugs, func(o diag.Bug) bool { return alike(&o, b) })
		if k < 0 {
			k = len(rep.Bugs)
			rep.Bugs = append(rep.Bugs, *b)
		}
		if !slices.Contains(d.pair.Bugs, k) {
			d.pair.Bugs = append(d.pair.Bugs, k)
		}
	}
	rep.Pairs = append(rep.Pairs, d.pair)
	for _, a := range taken {
		if !slices.Contains(rep.Assumptions, a) {
			rep.Assumptions = append(rep.Assumptions, a)
		}
	}
	for _, a := range d.pair.Open {
		if !slices.Contains(rep.Open, a) {
			rep.Open = append(rep.Open, a)
		}
	}
	for _, n := range d.notes {
		if !slices.Contains(rep.Notes, n) {
			rep.Notes = append(rep.Notes, n)
		}
	}
	rep.Executions += d.pair.Executions
	rep.States += d.pair.States
	rep.Deadlocks += d.deadlocks
	rep.Stuck += d.stuck
	rep.Longest = max(rep.Longest, d.longest)
	if rep.Weak == nil {
		rep.Weak = d.weak
	}
}

// alike reports whether bugs of two pairs are one to a reader.
func alike(a, b *diag.Bug) bool {
	at := func(b *diag.Bug) [2]ir.Pos {
		if b.Other.Pos.Less(b.Place.Pos) {
			return [2]ir.Pos{b.Other.Pos, b.Place.Pos}
		}
		return [2]ir.Pos{b.Place.Pos, b.Other.Pos}
	}
	return a.Kind == b.Kind && at(a) == at(b)
}

// settlePairs says of all pairs together whether they were covered.
func settlePairs(rep *diag.Exploration) {
	why := map[string]int{}
	open, explored := 0, 0
	for _, x := range rep.Pairs {
		if x.Skipped {
			continue
		}
		explored++
		rep.BoundHit = rep.BoundHit || x.BoundHit
		if !x.Complete {
			open++
			why[x.Reason]++
		}
	}
	rep.Complete = open == 0
	if rep.Complete {
		return
	}
	most := ""
	for r, n := range why {
		if n > why[most] || n == why[most] && r < most {
			most = r
		}
	}
	rep.Reason = fmt.Sprintf("%d of %d pairs: %s", why[most], explored, most)
	if n := open - why[most]; n > 0 {
		rep.Reason += fmt.Sprintf("; %d for other reasons", n)
	}
}

// pairs explores a driver's pairs, several at a time.
type pairs struct {
	p     *ir.Program
	ready *strategy.Prepared
	opt   ExploreOptions
	mu    sync.Mutex
	next  int
	made  int64 // executions of the pairs that are done
	done  []*explored1
	err   error
}

// explored1 is what was found about a pair.
type explored1 struct {
	pair             diag.ExploredPair
	bugs             []diag.Bug
	notes            []string
	deadlocks, stuck int64
	longest          int
	weak             *ir.Pos
}

func (x *pairs) all(ctx context.Context, jobs []job) error {
	var wg sync.WaitGroup
	n := max(x.opt.Jobs, 1)
	for range n {
		wg.Go(func() {
			for {
				x.mu.Lock()
				i := x.next
				x.next++
				x.mu.Unlock()
				if i >= len(jobs) {
					return
				}
				own, cancel := share(ctx, len(jobs)-i, n, 1)
				d, err := x.guarded(own, &jobs[i])
				cancel()
				x.mu.Lock()
				if x.done[i] = d; err != nil {
					x.err = err
				}
				x.made += d.pair.Executions
				x.mu.Unlock()
			}
		})
	}
	wg.Wait()
	return x.err
}

// guarded explores a pair. An invariant of ours that does not hold leaves this pair
// without an answer, with the reason, and not the others.
func (x *pairs) guarded(ctx context.Context, j *job) (d *explored1, err error) {
	d = &explored1{pair: diag.ExploredPair{Threads: j.names, Proved: j.proved}}
	defer func() {
		if r := recover(); r != nil {
			d.pair.Complete, d.pair.Reason, err = false, crash.Error(r).Error(), nil
		}
	}()
	start := time.Now()
	err = x.explore(ctx, j, d)
	d.pair.Seconds = time.Since(start).Seconds()
	return d, err
}

// run explores a harness.
func (x *pairs) run(ctx context.Context, h *bmc.Harness, most int64) (*strategy.Result, error) {
	names := func(rs []bmc.Root) (out []string) {
		for _, r := range rs {
			out = append(out, r.Entry.Name)
		}
		return out
	}
	o := strategyOptions(ctx, x.p, &x.opt)
	o.Init, o.Roots, o.Prepared, o.MaxStates = names(h.Init), names(h.Roots), x.ready, most
	if board := live.On(ctx); board != nil {
		o.Progress = func(s strategy.Progress) {
			x.mu.Lock()
			defer x.mu.Unlock()
			board.Set("executions", x.made+s.Executions)
		}
	}
	return strategy.Run(x.p, o)
}

// explore explores a pair, with what runs before it; without what sets up its arguments
// where that never succeeds.
func (x *pairs) explore(ctx context.Context, j *job, d *explored1) error {
	r, err := x.run(ctx, &j.h, x.opt.States)
	if err == nil && r.NotBegun && j.once != nil {
		one, err := x.run(ctx, j.once, 1)
		if err != nil {
			return err
		}
		if !one.NotBegun {
			d.pair.Skipped, d.pair.Open = true, notTwice(j, 0).Assumptions
			return nil
		}
	}
	if err == nil && r.NotBegun && j.plain != nil {
		j.h, j.plain, j.taken, j.open = *j.plain, nil, nil, nil
		r, err = x.run(ctx, &j.h, x.opt.States)
	}
	if err != nil {
		return err
	}
	pair := &d.pair
	pair.Complete, pair.Reason, pair.BoundHit = r.Complete, r.Reason, r.BoundHit
	pair.Executions, pair.States = r.Executions, r.States
	if r.NotBegun {
		pair.Complete, pair.Reason = false, "no execution gets past the init entries: the entry points were not run"
	}
	if !pair.Complete && ctx.Err() != nil {
		pair.Reason = Ended(ctx)
	}
	d.notes, d.deadlocks, d.stuck, d.longest, d.weak = r.Notes, r.Deadlocks, r.Stuck, r.Longest, r.Weak
	pair.Open = append(slices.Clone(j.open), r.Open...)
	for _, t := range r.Traces {
		t.Options = append([]string{}, x.opt.Flags...)
		b, err := Confirmed(x.p, t)
		if err != nil {
			return err
		}
		if proved := j.proved && b.Kind == "race"; !proved || len(b.Guesses) == 0 {
			b.Guesses = nil // an entry point's environment is all guesses
		} else { // of which verify takes other ones
			b.Message += " (verify proves that this pair has none: what is read of memory that is not seen, or done by functions there, would have to be as it is here)"
		}
		if b.Kind == "assert" {
			b.Message = strings.TrimSpace(b.Message + " (what entry points are given, and the memory it leads to, is arbitrary here)")
		}
		d.bugs = append(d.bugs, *b)
	}
	return nil
}
