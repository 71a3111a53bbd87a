package check

import (
	"context"
	"fmt"
	"slices"

	"whoop/ir"
)

// spurious is the program in which condition variables may wake up at any time, as POSIX
// allows: waiting is no more than to release the mutex and take it again. Its executions
// are those of the program, and those with wake-ups that no signal causes. nil where
// nothing waits. The operations that stand for waits are listed.
func spurious(p *ir.Program) (*ir.Program, map[ir.Instr]bool) {
	if !waiting(p) {
		return nil, nil
	}
	list := map[ir.Instr]bool{}
	q, _ := ir.CloneWithMap(p)
	for _, f := range q.Funcs {
		for _, b := range f.Blocks {
			var out []ir.Instr
			for _, in := range b.Instrs {
				w, ok := in.(*ir.CondWait)
				if !ok {
					out = append(out, in)
					continue
				}
				un, re := &ir.Unlock{Base: w.Base, Lock: w.Mutex, Mode: ir.Exclusive, Class: "mutex"}, &ir.Lock{Base: w.Base, Lock: w.Mutex, Mode: ir.Exclusive, Class: "mutex"}
				list[un], list[re] = true, true
				out = append(out, un, re)
				if w.Dst != nil {
					out = append(out, &ir.Havoc{Base: w.Base, Dst: w.Dst})
				}
			}
			b.Instrs = out
		}
	}
	return q, list
}

// waiting reports whether something waits at a condition variable.
func waiting(p *ir.Program) bool {
	return slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool {
		return slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool {
			return slices.ContainsFunc(b.Instrs, func(in ir.Instr) bool { _, ok := in.(*ir.CondWait); return ok })
		})
	})
}

// withSpurious holds a proof against wake-ups that no signal causes. A bug that needs one
// is said to be that: it is allowed and rare, and no execution of ours shows it.
func (r *run) withSpurious(ctx context.Context) error {
	q, waits := spurious(r.p)
	if q == nil || r.opt.Property == Deadlock {
		return nil
	}
	s := &run{ctx: ctx, p: q, opt: r.opt, res: &Result{Property: r.opt.Property, Answer: "UNKNOWN"}, gaps: r.gaps, waits: waits, kinds: r.kinds}
	s.opt.Yields = "all"
	if err := s.bounded(); err != nil {
		return err
	}
	for _, st := range s.res.Steps {
		st.Engine += ", with spurious wake-ups"
		r.res.Steps = append(r.res.Steps, st)
	}
	switch s.res.Answer {
	case "TRUE":
	case "FALSE":
		r.res.Answer, r.res.Reason = "UNKNOWN", fmt.Sprintf("a violation only where a condition variable, or a futex, wakes up without a signal: %s", s.res.Bug.Place.Pos)
	default:
		r.res.Answer, r.res.Reason = "UNKNOWN", "with condition variables that wake up without a signal: "+s.res.Reason
	}
	return nil
}
