package check

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/ir"
	"whoop/pipeline"
	"whoop/reach"
)

// states asks for a proof by going over all states: first with all threads, then with views of two and of three threads.
func (r *run) states() error {
	if !r.wants("states") || r.opt.Property != Unreach || len(r.gaps) > 0 {
		return nil
	}
	o := reach.Options{Wanted: func(a *ir.Assert) bool { return slices.Contains(r.kinds, a.Tag) }}
	if r.facts != nil {
		o.MayRace = pipeline.MayRace(r.facts)
	}
	for _, b := range effort {
		start := time.Now()
		o.Views, o.Values, o.States, o.Threads = b.views, b.values, b.states, b.threads
		limit := maxStates
		if r.opt.Timeout > 0 {
			limit = r.opt.Timeout / b.share
		}
		ctx, cancel := context.WithTimeout(r.ctx, limit)
		ask := reach.Check
		if b.elements {
			ask = reach.Elements
		}
		res, err := ask(ctx, r.p, o)
		cancel()
		if err != nil {
			r.step(b.name, oneLine(err.Error()), start)
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			continue
		}
		if res.Proved {
			r.proved(append(r.p.Assumptions[:len(r.p.Assumptions):len(r.p.Assumptions)], res.Assumptions...))
			r.step(b.name, fmt.Sprintf("no assertion fails in %d states: %s %s", res.States, r.res.Answer, r.res.Reason), start)
			return nil
		}
		outcome := fmt.Sprintf("%s (%d states)", oneLine(res.Reason), res.States)
		if res.Trace != nil {
			res.Trace.Options = append(res.Trace.Options, r.opt.Flags...)
			bug, err := pipeline.Confirmed(r.p, res.Trace)
			switch {
			case err != nil:
				outcome += ", not confirmed: " + oneLine(err.Error())
			case len(bug.Guesses) == 0 && !r.bug(bug):
				r.step(b.name, outcome, start)
				return nil
			}
		}
		r.step(b.name, outcome, start)
	}
	return nil
}

// maxStates bounds each way to go over the states where there is no timeout.
const maxStates = 10 * time.Second

// effort is how much is tried, one after the other, each with one of so many shares of the time; see reach.Options.
var effort = []struct {
	name                           string
	views, values, states, threads int
	elements                       bool
	share                          time.Duration
}{
	{"states of two threads", 2, 6, 100_000, 0, false, 10},
	{"states of two threads, finer", 2, 40, 100_000, 0, false, 10},
	{"states of three threads", 3, 6, 100_000, 0, false, 10},
	{"states by elements", 2, 2, 400_000, 0, true, 3},
	{"states with two further threads", 0, 1_000_000, 100_000, 2, false, 10},
	{"states", 0, 1_000_000, 2_000_000, 0, false, 4},
}
