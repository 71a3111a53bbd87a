package entry

import (
	"slices"

	"whoop/ir"
)

// Handlers that a helper sets up, which gets them as an argument: each is set up as often
// as the helper is called with it. And handlers of one kind that are ended one by one,
// where which one a call ends is not told by the text (free_irq of a number that was
// asked for again): when as many calls have been made as handlers are set up, all have
// ended. That each call ends another one is the assumption ended-one-by-one: free_irq
// warns of a handler that is not there (core-api/genericirq.rst; kernel/irq/manage.c).

// fromParameter lists the calls of a function of which a parameter is what in makes a
// callback; nil where it is something else, or where not all calls are known.
func (x *inferrer) fromParameter(f *ir.Func, in *ir.Register) []site {
	use, ok := ir.Uncast(in.Fn).(ir.Use)
	if !ok || x.cg.param[use.Reg].fn != f || len(x.cg.defs[use.Reg]) > 0 || x.cg.taken[f] {
		return nil
	}
	return x.cg.calls[f]
}

// setUpAgain reports whether a role's instruction may set up f more than once.
func (x *inferrer) setUpAgain(f *ir.Func, r role) bool {
	entries := x.entryFuncs()
	in, ok := r.site.(*ir.Register)
	if !ok || entries[r.fn] {
		return x.cg.repeated(r.fn, entries, map[*ir.Func]bool{})
	}
	calls := x.fromParameter(r.fn, in)
	if calls == nil {
		return x.cg.repeated(r.fn, entries, map[*ir.Func]bool{})
	}
	i := x.cg.param[ir.Uncast(in.Fn).(ir.Use).Reg].index
	var with []site
	for _, c := range calls {
		call, ok := c.in.(*ir.Call)
		if !ok || i >= len(call.Args) {
			return true
		}
		fs, all := x.cg.values(call.Args[i])
		if !all || slices.Contains(fs, f) {
			with = append(with, c)
		}
	}
	return len(with) != 1 || x.cg.inLoop(with[0].fn, with[0].block) || x.cg.repeated(with[0].fn, entries, map[*ir.Func]bool{})
}

// oneByOne reports whether in is the last of several calls that end handlers one by one,
// on every path through their function, and as many as there are.
func (x *inferrer) oneByOne(in *ir.Unregister, hit []*ir.Entry) bool {
	if slices.ContainsFunc(hit, func(e *ir.Entry) bool {
		return e.Multi || len(x.roles[e.Func]) != 1 || !x.m.CallbackKinds[ir.WithoutPlace(e.Kind)].Numbered
	}) {
		return false
	}
	last := x.cg.of[in]
	n := 0
	for _, s := range x.cg.sites {
		u, ok := s.in.(*ir.Unregister)
		if !ok || s.fn != last.fn || u.API != in.API || u.Obj == nil {
			continue
		}
		switch {
		case x.cg.inLoop(s.fn, s.block) || avoidable(s.fn, s.block):
			return false
		case s.block == last.block && slices.Index(s.block.Instrs, s.in) > slices.Index(last.block.Instrs, last.in),
			s.block != last.block && reachable(last.block, s.block):
			return false // a later one
		}
		n++
	}
	return n >= x.registrations(hit)
}

// registrations is how many registrations set up some entries: a handler and its thread
// are one.
func (x *inferrer) registrations(es []*ir.Entry) int {
	n := len(es)
	for i, e := range es {
		for _, o := range es[:i] {
			r, s := x.roles[e.Func][0], x.roles[o.Func][0]
			a, ok := r.site.(*ir.Register)
			b, ok2 := s.site.(*ir.Register)
			if ok && ok2 && e.Kind != o.Kind && a.Pos == b.Pos && r.fn == s.fn && x.fromParameter(r.fn, a) == nil && x.fromParameter(s.fn, b) == nil {
				n--
				break
			}
		}
	}
	return n
}

// avoidable reports whether a run of f may end without having been in a block.
func avoidable(f *ir.Func, b *ir.Block) bool {
	seen := map[*ir.Block]bool{b: true}
	work := []*ir.Block{f.Blocks[0]}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[k] {
			continue
		}
		seen[k] = true
		if _, ends := k.Term.(*ir.Return); ends {
			return true
		}
		work = append(work, k.Succs()...)
	}
	return false
}

// reachable reports whether a block may be reached from another one, by at least a step.
func reachable(from, to *ir.Block) bool {
	seen := map[*ir.Block]bool{}
	work := slices.Clone(from.Succs())
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if k == to {
			return true
		}
		if !seen[k] {
			seen[k] = true
			work = append(work, k.Succs()...)
		}
	}
	return false
}
