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
		o.Views, o.Values, o.States = b.views, b.values, b.states
		limit := 20 * time.Second
		if r.opt.Timeout > 0 {
			limit = r.opt.Timeout / 6
		}
		ctx, cancel := context.WithTimeout(r.ctx, limit)
		res, err := reach.Check(ctx, r.p, o)
		cancel()
		name := "states"
		if b.views > 0 {
			name = fmt.Sprintf("states views=%d values=%d", b.views, b.values)
		}
		if err != nil {
			r.step(name, oneLine(err.Error()), start)
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			continue
		}
		if !res.Proved {
			r.step(name, fmt.Sprintf("%s (%d states)", oneLine(res.Reason), res.States), start)
			continue
		}
		r.proved(append(r.p.Assumptions[:len(r.p.Assumptions):len(r.p.Assumptions)], res.Assumptions...))
		r.step(name, fmt.Sprintf("no assertion fails in %d states: %s %s", res.States, r.res.Answer, r.res.Reason), start)
		return nil
	}
	return nil
}

// effort is how much is tried, one after the other; see reach.Options.
var effort = []struct{ views, values, states int }{{2, 6, 100_000}, {2, 40, 100_000}, {3, 6, 100_000}, {0, 1_000_000, 2_000_000}}
