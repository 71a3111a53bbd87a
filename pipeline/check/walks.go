package check

import (
	"fmt"
	"slices"
	"time"

	"whoop/explore/strategy"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
)

// maxWalk is how many steps a run by chance has at most.
const maxWalk = 1_000_000

// A budget is what runs by chance may take. Runs and steps end most searches, so that
// these end alike on every machine; the time bounds programs whose steps are slow.
type budget struct {
	runs, steps int64
	time        time.Duration
}

// earlyWalks are the runs before other engines are asked, lateWalks the others.
func earlyWalks() budget { return budget{10_000, 2_000_000, time.Second} }
func lateWalks() budget  { return budget{50_000, 10_000_000, 5 * time.Second} }

// stroll looks for a data race by chance where verify did not prove that there is none:
// most are found in no time.
func (r *run) stroll() error {
	if r.opt.Property != DataRace {
		return nil
	}
	return r.walk(earlyWalks(), 2)
}

// walks runs the program under schedules and inputs by chance, once, for an eighth of the
// time or lateWalks.
func (r *run) walks() error {
	if r.walked {
		return nil
	}
	r.walked = true
	return r.walk(lateWalks(), 1)
}

// walk makes runs by chance for an eighth of the time, and within a budget.
func (r *run) walk(most budget, seed uint64) error {
	if !r.wants("walks") || r.opt.Property != Unreach && r.opt.Property != DataRace {
		return nil
	}
	start, limit := r.begin("runs by chance"), most.time
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
		return strategy.Run(r.p, strategy.Options{Strategy: strategy.Walk, Context: ctx, Seed: seed, Executions: most.runs,
			Work: most.steps, MaxEvents: maxWalk, Wanted: wanted, NoRaces: r.opt.Property != DataRace})
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
