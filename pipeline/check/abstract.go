package check

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/ir"
	"whoop/pipeline"
	"whoop/prove/absint"
)

// abstract asks for a proof by abstract interpretation, in a quarter of the time.
func (r *run) abstract() error {
	if !r.wants("absint") || !r.abstractable() {
		return nil
	}
	return r.interpreted("absint", false)
}

// invariants asks for one by invariants that are looked for with a solver, in three
// fifths of the time or maxInvariants. Where intervals alone could not follow the
// program, these cannot either.
func (r *run) invariants() error {
	switch {
	case !r.wants("invariants") || r.unfollowed:
		return nil
	case r.abstractable():
		return r.interpreted("invariants", true)
	case r.raceable():
		return r.unraced()
	}
	return nil
}

// maxInvariants bounds the search for invariants where there is no timeout.
const maxInvariants = 36 * time.Second

// abstractable reports whether the property is about assertions, and nothing is in the
// way of a proof.
func (r *run) abstractable() bool {
	return (r.opt.Property == Unreach || r.opt.Property == Overflow) && len(r.gaps) == 0 && !r.dangles()
}

// raceable reports whether the property is about data races, some of which verify has not
// excluded, and nothing is in the way of a proof.
func (r *run) raceable() bool {
	return r.opt.Property == DataRace && r.facts != nil && len(r.gaps) == 0 && !r.dangles()
}

// unraced asks for invariants that exclude the races that verify has not.
func (r *run) unraced() error {
	start := time.Now()
	limit := maxInvariants
	if r.opt.Timeout > 0 {
		limit = r.opt.Timeout * 3 / 5
	}
	ctx, cancel := r.limited(limit)
	defer cancel()
	res, err := absint.Analyze(ctx, r.p, absint.Options{Wanted: func(*ir.Assert) bool { return false }, Races: pipeline.RacingPairs(r.facts), Solver: pipeline.Solver(r.opt.Memory)})
	outcome := ""
	switch {
	case err != nil:
		r.unfollowed = true
		outcome = oneLine(err.Error())
	case res.Race != nil:
		outcome = fmt.Sprintf("the accesses at %s and %s may race", res.Race.First.At(), res.Race.Second.At())
	case !res.RaceFree:
		outcome = "races were not excluded: " + res.Incomplete
	case len(res.MayMisuse) > 0 && !r.facts.Disciplined:
		outcome = fmt.Sprintf("nothing races, unless a lock is misused at %s", earliest(keys(res.MayMisuse)))
	default:
		r.proved(slices.Concat(r.p.Assumptions, res.Assumptions, r.facts.Assumptions))
		outcome = "nothing races: " + r.res.Answer + " " + r.res.Reason
	}
	r.step("invariants", outcome, start)
	return r.ctx.Err()
}

// interpreted runs abstract interpretation, with a solver or without.
func (r *run) interpreted(name string, solve bool) error {
	start := r.begin(name)
	limit := maxInvariants
	switch {
	case r.opt.Timeout > 0 && solve:
		limit = r.opt.Timeout * 3 / 5
	case r.opt.Timeout > 0:
		limit = r.opt.Timeout / 4
	}
	ctx, cancel := r.ctx, context.CancelFunc(func() {})
	if r.opt.Timeout > 0 || solve {
		ctx, cancel = r.limited(limit)
	}
	defer cancel()
	wanted := func(a *ir.Assert) bool { return slices.Contains(kinds[r.opt.Property], a.Tag) }
	o := absint.Options{Wanted: wanted}
	if solve {
		o.Solver = pipeline.Solver(r.opt.Memory)
	}
	res, err := absint.Analyze(ctx, r.p, o)
	if err == nil && res.Fails(wanted) && r.facts != nil {
		res, err = r.forwarded(ctx, res, o)
	}
	if err != nil {
		r.unfollowed = true
		r.step(name, oneLine(err.Error()), start)
		return r.ctx.Err()
	}
	var open []ir.Instr
	for in := range res.MayFail {
		if a, ok := in.(*ir.Assert); ok && wanted(a) {
			open = append(open, in)
		}
	}
	if len(open) > 0 {
		r.step(name, fmt.Sprintf("%d assertions may fail, one at %s %s", len(open), earliest(open), res.Incomplete), start)
		return nil
	}
	if len(res.MayLeave) > 0 {
		r.unfollowed = true
		r.step(name, fmt.Sprintf("no assertion fails, unless the access at %s leaves its array", earliest(keys(res.MayLeave))), start)
		return nil
	}
	if len(res.MayMisuse) > 0 && (r.facts == nil || !r.facts.Disciplined) {
		r.unfollowed = true
		r.step(name, fmt.Sprintf("no assertion fails, unless a lock is misused at %s", earliest(keys(res.MayMisuse))), start)
		return nil
	}
	gaps := r.gaps
	as := append(slices.Clone(r.p.Assumptions), res.Assumptions...)
	if res.Forwarded {
		as = append(as, r.facts.Assumptions...)
	}
	r.proved(as)
	r.step(name, "no assertion fails: "+r.res.Answer+" "+r.res.Reason, start)
	r.gaps = gaps
	return nil
}

// forwarded asks once more, with what verify has proved of accesses. Where that is of no
// use, the answer is what was found without.
func (r *run) forwarded(ctx context.Context, before *absint.Result, o absint.Options) (*absint.Result, error) {
	racing := pipeline.Racing(r.facts)
	o.Safe = func(in ir.Instr) bool { return !racing(in) }
	res, err := absint.Analyze(ctx, r.p, o)
	if err != nil || res.Fails(o.Wanted) {
		return before, r.ctx.Err()
	}
	return res, nil
}

func keys(set map[ir.Instr]bool) []ir.Instr {
	var out []ir.Instr
	for in := range set {
		out = append(out, in)
	}
	return out
}

// earliest is the first of the instructions' places.
func earliest(ins []ir.Instr) ir.Pos {
	pos := ins[0].At()
	for _, in := range ins[1:] {
		if in.At().Less(pos) {
			pos = in.At()
		}
	}
	return pos
}
