package mhp

import (
	"maps"
	"slices"
	"strings"

	"whoop/ir"
)

// registry knows the Register and Unregister instructions of every entry.
type registry struct {
	cg      *calls
	entries []*ir.Entry
	regs    map[*ir.Entry][]*ir.Register
	unregs  map[*ir.Entry][]*ir.Unregister
	// calls of functions that are not seen, which may register anything
	unseen map[*ir.Entry][]*ir.Touch
	// what a Register with a function makes an entry; empty: not known
	funcs    map[*ir.Register][]*ir.Func
	ordered  map[ordering]*values
	followed map[*ir.Entry][]followed
	// excluded are the pairs that never overlap; restarted the entries that an Unregister
	// does not stop for good: see restarts.
	excluded  map[[2]string]string
	restarted map[*ir.Unregister]map[*ir.Entry]*ir.Entry
	// objects are those for which an entry is registered that have names.
	objects map[*ir.Entry][]string
}

// ordering is a question about one entry with respect to another.
type ordering struct {
	a, b   *ir.Entry
	exit   bool
	object string
}

// followed is a problem about an entry that is solved: it begins in events.
type followed struct {
	exit   bool
	events map[ir.Instr]fn
	values *values
}

func newRegistry(p *ir.Program, w *world, excluded map[[2]string]string) *registry {
	g := &registry{cg: w.cg, entries: p.Entries, regs: map[*ir.Entry][]*ir.Register{},
		unregs: map[*ir.Entry][]*ir.Unregister{}, unseen: map[*ir.Entry][]*ir.Touch{},
		funcs: map[*ir.Register][]*ir.Func{}, ordered: map[ordering]*values{},
		followed: map[*ir.Entry][]followed{},
		excluded: excluded, restarted: map[*ir.Unregister]map[*ir.Entry]*ir.Entry{}, objects: map[*ir.Entry][]string{}}
	for _, e := range p.Entries {
		w.cg.notables(e.Func, func(in ir.Instr) {
			switch in := in.(type) {
			case *ir.Register:
				if slices.Contains(in.Kinds, ir.KeptKind) {
					break
				}
				g.regs[e] = append(g.regs[e], in)
				if in.Fn != nil {
					if f := ir.FuncOf(in.Fn); f != nil {
						g.funcs[in] = []*ir.Func{f}
					} else {
						g.funcs[in] = w.al.Funcs(in.Fn, w.cg.fnOf(in))
					}
				}
			case *ir.Unregister:
				g.unregs[e] = append(g.unregs[e], in)
			case *ir.Touch:
				if in.Deep {
					g.unseen[e] = append(g.unseen[e], in)
				}
			}
		})
	}
	g.named(p)
	g.restarts()
	return g
}

// ends reports whether, after in, which is a's, b does not run any more.
func (g *registry) ends(in *ir.Unregister, a, b *ir.Entry) bool {
	return (in.Object == "" || !g.several(b)) && g.endsFor(in, a, b, "")
}

// endsFor reports whether, after in, b does not run any more for an object.
func (g *registry) endsFor(in *ir.Unregister, a, b *ir.Entry, object string) bool {
	return (object == "" || in.Object == "" || in.Object == object) && names(in, a, b) && g.restarted[in][b] == nil
}

// known lists the objects for which b is registered, where these have names: it runs
// until all are taken back. Else it is one object without a name.
func (g *registry) known(b *ir.Entry) []string {
	if g.several(b) {
		return g.objects[b]
	}
	return []string{""}
}

// several reports whether b may run for more than one object.
func (g *registry) several(b *ir.Entry) bool {
	os := g.objects[b]
	return len(os) > 1 || len(os) == 1 && strings.HasPrefix(os[0], ir.SeveralObjects)
}

// named notes the names of objects that entries are registered for.
func (g *registry) named(p *ir.Program) {
	for _, in := range p.Instrs() {
		r, ok := in.(*ir.Register)
		if !ok || r.Object == "" {
			continue
		}
		for _, b := range g.entries {
			if g.enables(r, b) && !slices.Contains(g.objects[b], r.Object) {
				g.objects[b] = append(g.objects[b], r.Object)
			}
		}
	}
}

// names reports whether in, which is a's, is to stop b. Kinds "exit:K" count in a
// module's exit function only.
func names(in *ir.Unregister, a, b *ir.Entry) bool {
	kinds, none := in.Stops(a.Kind == "exit")
	return !none && ir.Covers(kinds, b.Kind)
}

// enables reports whether a Register makes e able to run.
func (g *registry) enables(in *ir.Register, e *ir.Entry) bool {
	if in.Fn != nil && slices.Contains(in.Kinds, ir.IdleKind) {
		return false // another one does
	}
	if in.Fn != nil && len(g.funcs[in]) > 0 {
		return slices.Contains(g.funcs[in], e.Func)
	}
	return ir.Covers(in.Kinds, e.Kind)
}

// leadsTo reports whether in makes e able to run, or another entry than a that may in
// turn register e, and so on.
func (g *registry) leadsTo(in *ir.Register, a, e *ir.Entry) bool { return g.leadsFor(in, a, e, "") }

// leadsFor is leadsTo for one of e's objects.
func (g *registry) leadsFor(in *ir.Register, a, e *ir.Entry, object string) bool {
	seen := map[*ir.Entry]bool{a: true}
	work := []*ir.Register{in}
	for len(work) > 0 {
		x := work[0]
		work = work[1:]
		if g.enables(x, e) && (object == "" || x.Object == "" || x.Object == object) {
			return true
		}
		for _, c := range g.entries {
			if !seen[c] && g.enables(x, c) {
				seen[c] = true
				work = append(work, g.regs[c]...)
			}
		}
	}
	return false
}

// explicit reports whether some Register in a names entries like b, and not just any.
func (g *registry) explicit(a, b *ir.Entry) bool {
	return slices.ContainsFunc(g.regs[a], func(in *ir.Register) bool {
		return (len(in.Kinds) > 0 || in.Fn != nil) && g.enables(in, b)
	})
}

// initFirst reports whether a, an Init entry, is at x before it has registered what b
// needs to run (x nil: always).
func (g *registry) initFirst(a *ir.Entry, x ir.Instr, b *ir.Entry) bool {
	if r, ok := x.(*ir.Register); ok && slices.Contains(g.regs[a], r) {
		return false // while it runs, what it registers may run
	}
	return g.quietFor(a, x, b, g.before)
}

// quietFor reports whether b does not run for any of its objects while a is at x.
func (g *registry) quietFor(a *ir.Entry, x ir.Instr, b *ir.Entry, of func(a, b *ir.Entry, object string) *values) bool {
	for _, o := range g.known(b) {
		if v := of(a, b, o); v == nil || !v.quiet(x) {
			return false
		}
	}
	return true
}

// before follows a, an Init entry, to where it registers what b needs to run, and to where
// it has ended b again; nil where b need not run after that.
func (g *registry) before(a, b *ir.Entry, object string) *values {
	if !a.Init || b.Always || len(g.regs[a]) == 0 || b.Init && (!g.explicit(a, b) || g.explicit(b, a)) {
		return nil
	}
	if object != "" && !slices.ContainsFunc(g.regs[a], func(in *ir.Register) bool { return g.leadsFor(in, a, b, object) }) {
		if !g.afterwards(a, b, object) {
			return nil // another entry registers that one
		}
		return g.ordering(ordering{a, b, false, object}, func() map[ir.Instr]fn { return nil }, low)
	}
	return g.ordering(ordering{a, b, false, object}, func() map[ir.Instr]fn {
		events := map[ir.Instr]fn{}
		for _, in := range g.regs[a] {
			if g.leadsFor(in, a, b, object) {
				events[in] = startAny
			}
		}
		if len(events) > 0 {
			for _, in := range g.unregs[a] { // what failed later on is taken back
				if g.endsFor(in, a, b, object) {
					events[in] = fn{none, low, low, low}
				}
			}
			return events
		}
		for _, in := range g.regs[a] { // not known which one: the first of any kind
			events[in] = startAny
		}
		for _, in := range g.unseen[a] {
			events[in] = startAny
		}
		return events
	}, low)
}

// afterwards reports whether only entries that never overlap a, an Init entry, register b
// for an object: an interrupt that is asked for again when the device resumes. Nothing
// runs before a, so that they run after it.
func (g *registry) afterwards(a, b *ir.Entry, object string) bool {
	found := false
	for _, c := range g.entries {
		for _, r := range g.regs[c] {
			if !g.enables(r, b) || r.Object != "" && r.Object != object {
				continue
			}
			if _, apart := g.excluded[[2]string{a.Name, c.Name}]; !apart || c == b || c.Init || c.Always || c.Spawned {
				return false
			}
			found = true
		}
	}
	return found
}

// exitLast reports whether a, an Exit entry, is at x after it has unregistered b on all
// paths (x nil: always).
func (g *registry) exitLast(a *ir.Entry, x ir.Instr, b *ir.Entry) bool {
	return g.quietFor(a, x, b, g.after)
}

// after follows a, an Exit entry, to where it has unregistered b; nil where it does not.
func (g *registry) after(a, b *ir.Entry, object string) *values {
	ends := func(in *ir.Unregister) bool { return g.endsFor(in, a, b, object) }
	if !a.Exit || a == b || b.Always || !slices.ContainsFunc(g.unregs[a], ends) {
		return nil
	}
	return g.ordering(ordering{a, b, true, object}, func() map[ir.Instr]fn {
		events := map[ir.Instr]fn{}
		for _, in := range g.unregs[a] {
			if ends(in) {
				events[in] = fn{none, low, low, low}
			}
		}
		for _, in := range g.regs[a] {
			if g.leadsFor(in, a, b, object) {
				events[in] = startAny
			}
		}
		return events
	}, top)
}

// ordering solves a problem about a and b and keeps the result. Entries b for which the
// same instructions of a matter have the same one.
func (g *registry) ordering(k ordering, what func() map[ir.Instr]fn, start val) *values {
	a, exit := k.a, k.exit
	v, known := g.ordered[k]
	if known {
		return v
	}
	events := what()
	for _, o := range g.followed[a] {
		if o.exit == exit && maps.Equal(o.events, events) {
			g.ordered[k] = o.values
			return o.values
		}
	}
	c := newChain(g.cg, startAny)
	maps.Copy(c.events, events)
	c.solve()
	v = c.run(a.Func, start)
	if g.cg.opaque(a.Func) {
		v.end, v.opaque = top, g.cg.reachable(a.Func)
	}
	g.ordered[k] = v
	g.followed[a] = append(g.followed[a], followed{exit, events, v})
	return v
}

// phase is equal for instructions of a between which nothing changes of what the other
// entries wait for.
func (g *registry) phase(a *ir.Entry, x ir.Instr) []byte {
	for _, b := range g.entries {
		for _, o := range g.known(b) {
			g.before(a, b, o)
			g.after(a, b, o)
		}
	}
	var out []byte
	for _, o := range g.followed[a] {
		if o.values.quiet(x) {
			out = append(out, 1)
		} else {
			out = append(out, 0)
		}
	}
	return out
}

// quiet reports whether the value at x is low, for x nil: everywhere.
func (v *values) quiet(x ir.Instr) bool {
	if x != nil {
		return v.at(x) == low
	}
	return v.most() <= low
}

// drivers is the answer for two entries of which neither is a thread.
func (r *Result) drivers(a *ir.Entry, x ir.Instr, b *ir.Entry, y ir.Instr) (bool, string) {
	g := r.registry
	switch {
	case a == b && !a.Multi:
		return false, "only one instance of " + a.Name + " runs at a time"
	case a == b:
		return true, ""
	case g.initFirst(a, x, b):
		return false, a.Name + " has not registered " + b.Name + " yet"
	case g.initFirst(b, y, a):
		return false, b.Name + " has not registered " + a.Name + " yet"
	case g.exitLast(a, x, b):
		return false, a.Name + " has unregistered " + b.Name
	case g.exitLast(b, y, a):
		return false, b.Name + " has unregistered " + a.Name
	}
	return true, ""
}

// Stopped says what a does to stop b: the last instruction that is to, and, where another
// entry may start b again from there on, which; nil where a does nothing.
func (r *Result) Stopped(a, b *ir.Entry) (in *ir.Unregister, again *ir.Entry) {
	for _, u := range r.registry.unregs[a] {
		if !names(u, a, b) {
			continue
		}
		if in == nil || in.Pos.Less(u.Pos) {
			in, again = u, r.registry.restarted[u][b]
		}
	}
	return in, again
}

// Objects lists the objects that b runs for: it runs until each of them is unregistered.
func (r *Result) Objects(b *ir.Entry) []string { return r.registry.known(b) }

// Registers lists the instructions of the Init entry a from which on b may run: those
// that lead to it, or all where it is not known which do. ok is false where a has none,
// or need not come before b at all. object is one of Objects(b).
func (r *Result) Registers(a, b *ir.Entry, object string) (ins []*ir.Register, ok bool) {
	g := r.registry
	if !a.Init || a == b || b.Spawned || b.Always || len(g.regs[a]) == 0 || b.Init && (!g.explicit(a, b) || g.explicit(b, a)) {
		return nil, false
	}
	for _, in := range g.regs[a] {
		if g.leadsFor(in, a, b, object) {
			ins = append(ins, in)
		}
	}
	if len(ins) == 0 {
		if object != "" {
			return nil, false // another entry registers it
		}
		ins = g.regs[a]
		if len(g.unseen[a]) > 0 {
			return nil, false
		}
	}
	return ins, true
}

// Unregisters lists the instructions of a after which b does not run until it is
// registered again for an object.
func (r *Result) Unregisters(a, b *ir.Entry, object string) []*ir.Unregister {
	var ins []*ir.Unregister
	for _, in := range r.registry.unregs[a] {
		if r.registry.endsFor(in, a, b, object) {
			ins = append(ins, in)
		}
	}
	return ins
}
