package check

import (
	"fmt"
	"slices"
	"time"

	"whoop/ir"
	"whoop/pipeline"
	"whoop/prove/reduction"
)

// maxLockstep bounds the search where there is no timeout.
const maxLockstep = 10 * time.Second

// lockstep asks for a proof that runs threads side by side, once: in a quarter of the
// time or maxLockstep.
func (r *run) lockstep() error {
	if !r.wants("lockstep") || !r.abstractable() || r.facts == nil || r.stepped {
		return nil
	}
	r.stepped = true
	start := r.begin("lockstep")
	limit := maxLockstep
	if r.opt.Timeout > 0 {
		limit = r.opt.Timeout / 4
	}
	ctx, cancel := r.limited(limit)
	defer cancel()
	racing := pipeline.MayRace(r.facts)
	res, err := reduction.Prove(ctx, r.p, reduction.Options{Solver: pipeline.Solver(r.opt.Memory), Safe: func(in ir.Instr) bool { return !racing(in) },
		Wanted: func(a *ir.Assert) bool { return slices.Contains(kinds[r.opt.Property], a.Tag) }})
	outcome := ""
	switch {
	case err != nil:
		outcome = oneLine(err.Error())
	case !res.Proved:
		outcome = res.Why
	default:
		r.proved(slices.Concat(r.p.Assumptions, res.Assumptions, r.facts.Assumptions))
		outcome = fmt.Sprintf("no assertion fails (threads %s, %d states): %s %s", res.Order, res.Nodes, r.res.Answer, r.res.Reason)
	}
	r.step("lockstep", outcome, start)
	return r.ctx.Err()
}
