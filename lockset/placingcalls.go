package lockset

import (
	"whoop/ir"
)

// Calls in the flow of tokens (placing.go): what a function does with the tokens of its
// arguments is in its summary, in terms of its parameters.

// call follows a call: tokens go to the functions that store or return them. False where
// none of these returns.
func (w *placing) call(in *ir.Call, at origins) bool {
	orig, ok := w.source(in).(*ir.Call)
	if !ok {
		w.defined(in, at)
		return true
	}
	fns, complete := w.f.al.Callees(orig)
	w.overwritten(in)
	var result origin
	members := w.membersAt(in)
	known, goesOn := complete && in.Dst != nil && ir.IsPtr(in.Dst.Type), !complete || len(fns) == 0
	gone := map[int]origin{}
	for _, g := range fns {
		s := w.funcs[g]
		if s == nil {
			known, goesOn = false, true
			continue
		}
		args := &arguments{w: w, call: in, at: at, used: map[*ir.Reg]bool{}}
		for i := range g.Params {
			for by, rs := range s.stored[i] {
				v, ok := args.take(i)
				to := args.spot(by)
				w.place(rs, v, ok, to)
				after := origin{}
				if len(s.stored[i]) == 1 && to.owned() && by != unrelated {
					after = origin{from: to.key, cells: rs.with(to.cells)}
				}
				if _, twice := gone[i]; twice {
					after = origin{}
				}
				gone[i] = after
				if ok && (to.free || to.mixed) && v.from != "" {
					w.set(to.reg, origin{from: v.from, cells: v.cells.with(to.cells), made: to.made}, true, at)
				}
			}
		}
		if s.none {
			continue
		}
		goesOn = true
		members.add(s, args, gone)
		r, ok := args.outcome(outcomeOf{origin: s.result, owner: s.owner, known: s.known}, gone)
		if ok {
			r, ok = r.joined(result)
		}
		result, known = r, known && ok
	}
	for i, after := range gone {
		if i >= len(in.Args) {
			continue
		}
		for _, r := range w.regs(in.Args[i]) {
			if at[r].token() {
				delete(at, r)
				w.set(r, after, after.from != "", at)
			}
		}
	}
	w.defined(in, at)
	if known && goesOn {
		w.set(in.Dst, result, true, at)
	}
	members.enter(at)
	return goesOn
}

// arguments are those of a call: each token is there once.
type arguments struct {
	w    *placing
	call *ir.Call
	at   origins
	used map[*ir.Reg]bool
}

// take is the origin of an argument; false where nothing is known of it.
func (g *arguments) take(i int) (origin, bool) {
	if i >= len(g.call.Args) {
		return origin{}, false
	}
	v, ok := g.w.value(g.call.Args[i], g.at)
	for _, r := range g.w.regs(g.call.Args[i]) {
		if g.at[r].token() {
			ok = ok && !g.used[r]
			g.used[r] = true
		}
	}
	return v, ok
}

// outcome is what a function returns, or leaves in its results, at the call; false where
// nothing is known of it. The arguments whose tokens it has are gone.
func (g *arguments) outcome(o outcomeOf, gone map[int]origin) (origin, bool) {
	r, ok := origin{fresh: o.origin.fresh, cells: o.origin.cells, made: o.origin.made}, o.known
	if o.known && o.owner != unrelated {
		to := g.spot(o.owner)
		r.from, r.cells, ok = to.key, r.cells.with(to.cells), ok && to.owned()
	}
	for i := 0; o.known && o.origin.params>>i != 0; i++ {
		if o.origin.params>>i&1 == 1 {
			v, has := g.take(i)
			j, joins := r.joined(v)
			r, ok, gone[i] = j, ok && has && joins, origin{}
		}
	}
	return r, ok
}

// spot is what is relative to a parameter, at the call.
func (g *arguments) spot(by relative) spot {
	if by.param < 0 || by.param >= len(g.call.Args) {
		return spot{known: by == unrelated, key: unknownOwner}
	}
	arg := g.call.Args[by.param]
	if !by.holder {
		return g.w.container(arg, g.at)
	}
	root, off := splitAddr(arg)
	return spot{known: true, key: g.w.holder(root, off+by.off)}
}
