package check

import (
	"fmt"
	"slices"
	"time"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
	"whoop/trace"
	"whoop/walk"
)

// maxWalks bounds the time for runs by chance, maxWalk the steps of one.
const (
	maxWalks = 5 * time.Second
	maxWalk  = 1_000_000
)

// walks runs the program under schedules and inputs by chance, once, for an eighth of the time or maxWalks.
func (r *run) walks() error {
	if r.walked || !r.wants("walks") || r.opt.Property != Unreach {
		return nil
	}
	r.walked = true
	start := time.Now()
	limit := maxWalks
	if r.opt.Timeout > 0 {
		limit = min(limit, r.opt.Timeout/8)
	}
	ctx, cancel := r.limited(limit)
	defer cancel()
	wanted := func(e *interp.Error) bool {
		a, ok := e.Instr.(*ir.Assert)
		return ok && e.Kind == interp.ErrAssert && slices.Contains(r.kinds, a.Tag)
	}
	runs := 0
	t, err := guarded(func() (t *trace.Trace, err error) {
		t, runs, err = walk.Search(ctx, r.p, walk.Options{Seed: 1, Steps: maxWalk, Wanted: wanted})
		return t, err
	})
	outcome := fmt.Sprintf("no violation in %d runs", runs)
	switch {
	case err != nil:
		outcome = oneLine(err.Error())
	case t != nil:
		outcome = fmt.Sprintf("a violation in run %d", runs)
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
