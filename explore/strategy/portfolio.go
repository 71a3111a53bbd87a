package strategy

import (
	"fmt"
	"slices"
	"strings"

	"whoop/explore/dpor"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// Portfolio is the strategy that is taken where none is named: rounds of optimal-dpor,
// which goes on where it was, and of executions drawn in several ways. Each round is four
// times as long as the one before. How long is counted in executions, so that the outcome
// is the same each time.
const Portfolio = "portfolio"

// What a round makes: of optimal-dpor as many executions in the first round, and of each
// of the strategies that draw.
const (
	roundSearched = 2000
	roundDrawn    = 50
)

// roundStrategies are those that draw in a round, with their bounds.
var roundStrategies = []struct {
	name  string
	bound int
}{{"urw", -1}, {"pos", -1}, {"pct", 3}, {"sample:rtc", -1}}

// portfolio explores in rounds.
func (r *run) portfolio() error {
	c, err := vm.CompileQuiet(r.p, r.opt.Quiet)
	if err != nil {
		return err
	}
	var kept *dpor.Snapshot
	sampled, drawn, visited := false, int64(0), false
	for scale := int64(1); ; scale *= 4 {
		ms, err := r.machines(c, kept)
		if err != nil {
			return err
		}
		pool := r.round(ms, kept, scale*roundSearched, drawn, func(s *dpor.Snapshot) error { kept = s; return nil })
		for _, m := range ms {
			if why := m.Unsupported(); why != "" && len(r.res.Traces) == 0 {
				return r.instead(why)
			}
			sampled = sampled || m.Sampled()
		}
		ended := r.opt.Context.Err() != nil || r.enough(drawn+pool.Executions()) || !r.opt.KeepGoing && len(r.res.Traces) > 0
		if pool.Long > 0 && !visited && !ended && r.opt.Executions == 0 {
			visited = true
			if decided, reason, err := r.visit(); err != nil {
				return err
			} else if decided {
				r.counted(&pool.Counts, reason, false)
				r.drew(drawn)
				return nil
			}
		}
		// A pool that is over has explored all. Another one has made its round, or ended
		// early.
		if ended || pool.Over() || !strings.HasSuffix(pool.Incomplete, dpor.LimitReached) && pool.Executions() < scale*roundSearched {
			r.counted(&pool.Counts, pool.Incomplete, sampled)
			r.drew(drawn)
			return nil
		}
		n, ended, err := r.draw(scale, drawn+pool.Executions())
		if drawn += n; err != nil {
			return err
		}
		reason := ""
		if ended {
			reason = "ended at the first finding"
		} else if _, timed := r.opt.Context.Deadline(); pool.Long > 0 && !timed {
			reason = pool.Incomplete // there may be no end
		} else if made := drawn + pool.Executions(); r.enough(made) {
			reason = fmt.Sprint(made, dpor.LimitReached)
		}
		if reason != "" {
			r.counted(&pool.Counts, reason, sampled)
			r.drew(drawn)
			return nil
		}
	}
}

// mostVisited is how many states are visited where executions are long.
const mostVisited = 1 << 18

// visit goes over the states, where executions are too long: a loop that waits for others
// has few. Decided: all were visited, or something was found that ends the exploration;
// the reason is why that does not cover everything.
func (r *run) visit() (decided bool, reason string, err error) {
	sub := *r
	sub.res = &Result{}
	sub.opt.Strategy, sub.opt.Bound, sub.opt.MaxStates = "delay:rr", -1, mostVisited
	sub.opt.Progress = nil
	if err := sub.strata(false); err != nil {
		return false, "", err
	}
	x := sub.res
	r.res.Traces, r.res.Findings = append(r.res.Traces, x.Traces...), append(r.res.Findings, x.Findings...)
	switch {
	case len(x.Traces) > 0 && !r.opt.KeepGoing:
		return true, x.Reason, nil
	case !x.Complete && x.Reason != NumbersTried:
		if strings.HasPrefix(x.Reason, "internal error") {
			r.incomplete("%s", x.Reason)
		}
		return false, "", nil
	}
	r.res.States = x.States
	r.res.Notes = append(r.res.Notes, fmt.Sprintf("executions have more than %d events: all states were visited, too, %d, as by delay:rr",
		r.opt.MaxEvents, x.States))
	return true, x.Reason, nil
}

// enough reports whether as many executions were made as were asked for.
func (r *run) enough(made int64) bool { return r.opt.Executions > 0 && made >= r.opt.Executions }

// machines makes a machine for each worker.
func (r *run) machines(c *vm.Program, kept *dpor.Snapshot) (ms []*vm.Machine, err error) {
	cfg := vm.Config{Failures: r.opt.Failures, Attempts: irutil.BlocksInside(r.p) != nil, Names: vm.NewNames(nil)}
	if kept != nil {
		cfg.Names = vm.NewNames(kept.Names)
	}
	for range max(r.opt.Workers, 1) {
		m, err := vm.New(c, r.main.Func, cfg)
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// round goes on with optimal-dpor until it has made so many executions in all.
func (r *run) round(ms []*vm.Machine, kept *dpor.Snapshot, limit, drawn int64, save func(*dpor.Snapshot) error) *dpor.Pool {
	o := dpor.Options{Algorithm: dpor.Optimal, MaxEvents: r.opt.MaxEvents, MaxExecutions: limit, Context: r.opt.Context, Found: r.found, Save: save}
	if n := r.opt.Executions; n > 0 {
		o.MaxExecutions = min(limit, max(n-drawn, 1))
	}
	var pool *dpor.Pool
	if r.opt.Progress != nil {
		o.Progress = func(*dpor.Search) { r.opt.Progress(Progress{Executions: pool.Made() + drawn}) }
	}
	pool = dpor.NewPool(ms, o)
	if kept != nil {
		pool.Resume(kept)
	}
	pool.Run()
	r.res.Stops = pool.Stops
	return pool
}

// draw draws executions in each way. It tells how many, and whether a finding ended it.
func (r *run) draw(scale, made int64) (drawn int64, ended bool, err error) {
	for _, x := range roundStrategies {
		if r.enough(made + drawn) {
			break
		}
		sub := *r
		sub.res, sub.opt.Strategy, sub.opt.Bound = &Result{}, x.name, x.bound
		sub.opt.Seed = r.opt.Seed + uint64(scale) - 1
		sub.opt.Executions, sub.opt.Workers = scale*roundDrawn, 1
		if n := r.opt.Executions; n > 0 {
			sub.opt.Executions = min(sub.opt.Executions, n-made-drawn)
		}
		if r.opt.MaxEvents == LongSearched {
			sub.opt.MaxEvents = LongDrawn
		}
		if r.opt.Progress != nil {
			sub.opt.Progress = func(p Progress) { r.opt.Progress(Progress{Executions: made + drawn + p.Executions}) }
		}
		if err := sub.machine(); err != nil {
			return drawn, false, err
		}
		drawn += sub.res.Executions
		r.res.Traces = append(r.res.Traces, sub.res.Traces...)
		if strings.HasPrefix(sub.res.Reason, "internal error") {
			r.incomplete("%s", sub.res.Reason)
		}
		if len(sub.res.Traces) > 0 && !r.opt.KeepGoing {
			return drawn, true, nil
		}
	}
	return drawn, false, nil
}

// drew notes how many executions were drawn.
func (r *run) drew(n int64) {
	if n == 0 {
		return
	}
	var names []string
	for _, x := range roundStrategies {
		names = append(names, x.name)
	}
	r.res.Notes = append(r.res.Notes, fmt.Sprintf("%d executions were drawn, too, by %s", n, strings.Join(slices.Sorted(slices.Values(names)), ", ")))
}
