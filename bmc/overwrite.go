package bmc

import (
	"sort"

	"whoop/ir"
	"whoop/smt/bv"
)

// The synchronisation state of an address lies beside memory, so that plain writes do not
// change it. Where a write hits a lock that is held, a semaphore that counts, a barrier
// or a once control that was used, what the real one does then is not known: executions
// are followed up to there.

// overwritten ends executions in which an instruction that writes n bytes at addr hits
// synchronisation state that is not new; -1: any number. from is where the bytes come
// from, for copies: a lock that is copied, and used, must be new as well.
func (x *exec) overwritten(st *state, at ir.Pos, addr ir.Expr, n int64, from ir.Expr) {
	if st.guard == x.b.False {
		return
	}
	v := x.eval(addr, st)
	if x.valuesOf(v).any {
		return // an access there says so
	}
	ps, _ := x.places(v, max(n, 1), st, at)
	var used []target
	for _, p := range ps {
		p.obj.plain = true
		used = append(used, p.stateWithin(n)...)
	}
	if len(used) == 0 {
		return
	}
	if from != nil {
		if s := x.eval(from, st); !x.valuesOf(s).any {
			ps, _ := x.places(s, max(n, 1), st, at)
			for _, p := range ps {
				p.obj.plain = true
				used = append(used, p.stateWithin(n)...)
			}
		}
	}
	x.unused(st, at, used)
}

// stateWithin are the parts of the synchronisation state of a place's bytes.
func (p *place) stateWithin(n int64) []target {
	var keys []string
	for k, c := range p.obj.special {
		if c != p.obj.freed && c.name != destroyedState && c.lo >= p.off && (n < 0 || c.lo < p.off+n) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	var out []target
	for _, k := range keys {
		out = append(out, target{c: p.obj.special[k], match: p.match})
	}
	return out
}

// unused ends executions in which one of the parts of synchronisation state is not what
// it is at first.
func (x *exec) unused(st *state, at ir.Pos, ts []target) {
	o := &op{x: x, st: st, in: &ir.Yield{Base: ir.Base{Pos: at}}}
	shared := false
	for _, t := range ts {
		shared = shared || x.conc(t, st)
	}
	if shared {
		o.p = x.step(st, nil, at)
		o.p.poise = true
	}
	var fresh []*bv.Term
	for _, t := range ts {
		v := o.getCells([]target{{c: t.c, match: x.b.True}}, t.c.width)
		fresh = append(fresh, x.b.Or(x.b.Not(t.match), x.b.Eq(v, x.b.Num(t.c.width, 0))))
	}
	c := x.b.And(fresh...)
	if o.p == nil {
		x.valid(st, c, nil, at, false)
		return
	}
	o.p.require = append(o.p.require, c)
	o.p.invalid = x.b.Not(c)
}
