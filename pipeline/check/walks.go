package check

import (
	"fmt"
	"math"
	"slices"
	"time"

	"whoop/explore/strategy"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
)

// maxWalks bounds the time for runs by chance, and firstWalks that before other engines are asked; maxWalk the steps of one.
const (
	maxWalks   = 5 * time.Second
	firstWalks = time.Second
	maxWalk    = 1_000_000
)

// stroll looks for a data race by chance where verify did not prove that there is none: most are found in no time.
func (r *run) stroll() error {
	if r.opt.Property != DataRace {
		return nil
	}
	return r.walk(firstWalks, 2)
}

// walks runs the program under schedules and inputs by chance, once, for an eighth of the time or maxWalks.
func (r *run) walks() error {
	if r.walked {
		return nil
	}
	r.walked = true
	return r.walk(maxWalks, 1)
}

// walk makes runs by chance for an eighth of the time, and limit at most.
func (r *run) walk(limit time.Duration, seed uint64) error {
	if !r.wants("walks") || r.opt.Property != Unreach && r.opt.Property != DataRace {
		return nil
	}
	start := time.Now()
	if r.opt.Timeout > 0 {
		limit = min(limit, r.opt.Timeout/8)
	}
	ctx, cancel := r.limited(limit)
	defer cancel()
	wanted := func(e *interp.Error) bool {
		a, ok := e.Instr.(*ir.Assert)
		return ok && e.Kind == interp.ErrAssert && slices.Contains(r.kinds, a.Tag)
	}
	res, err := guarded(func() (*strategy.Result, error) {
		return strategy.Run(r.p, strategy.Options{Strategy: strategy.Walk, Context: ctx, Seed: seed, Executions: math.MaxInt64,
			MaxEvents: maxWalk, Wanted: wanted, NoRaces: r.opt.Property != DataRace})
	})
	var outcome string
	switch {
	case err != nil:
		outcome = oneLine(err.Error())
	case len(res.Traces) == 0:
		outcome = fmt.Sprintf("no violation in %d runs", res.Executions)
	default:
		t := res.Traces[0]
		outcome = fmt.Sprintf("a violation in run %d", res.Executions)
		t.Options = append(t.Options, r.opt.Flags...)
		if bug, err := pipeline.Confirmed(r.p, t); err != nil {
			outcome += ", not confirmed: " + oneLine(err.Error())
		} else if len(bug.Guesses) == 0 {
			r.bug(bug)
		}
	}
	r.step("walks", outcome, start)
	if r.ctx.Err() != nil && r.res.Answer == "UNKNOWN" {
		return r.ctx.Err()
	}
	return nil
}
