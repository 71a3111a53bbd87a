package check

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/absint"
	"whoop/ir"
	"whoop/pipeline"
)

// abstract asks for a proof by abstract interpretation, in a quarter of the time. Invariants are looked for with a solver where that is asked
// for.
func (r *run) abstract() error {
	solve := slices.Contains(r.opt.Engines, "invariants")
	if r.dangles() {
		return nil
	}
	if !r.wants("absint") && !solve || r.opt.Property != Unreach && r.opt.Property != Overflow || len(r.gaps) > 0 {
		return nil
	}
	start := time.Now()
	ctx := r.ctx
	if r.opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.opt.Timeout/4)
		defer cancel()
	}
	wanted := func(a *ir.Assert) bool { return slices.Contains(kinds[r.opt.Property], a.Tag) }
	o := absint.Options{Wanted: wanted}
	if solve {
		o.Solver = pipeline.Solver(r.opt.Memory)
	}
	res, err := absint.Analyze(ctx, r.p, o)
	if err != nil {
		r.step("absint", oneLine(err.Error()), start)
		return r.ctx.Err()
	}
	var open []ir.Instr
	for in := range res.MayFail {
		if a, ok := in.(*ir.Assert); ok && wanted(a) {
			open = append(open, in)
		}
	}
	if len(open) > 0 {
		r.step("absint", fmt.Sprintf("%d assertions may fail, one at %s %s", len(open), earliest(open), res.Incomplete), start)
		return nil
	}
	if len(res.MayLeave) > 0 {
		r.step("absint", fmt.Sprintf("no assertion fails, unless the access at %s leaves its array", earliest(keys(res.MayLeave))), start)
		return nil
	}
	if len(res.MayMisuse) > 0 && (r.facts == nil || !r.facts.Disciplined) {
		r.step("absint", fmt.Sprintf("no assertion fails, unless a lock is misused at %s", earliest(keys(res.MayMisuse))), start)
		return nil
	}
	gaps := r.gaps
	r.proved(append(r.p.Assumptions[:len(r.p.Assumptions):len(r.p.Assumptions)], res.Assumptions...))
	r.step("absint", "no assertion fails: "+r.res.Answer+" "+r.res.Reason, start)
	r.gaps = gaps
	return nil
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
