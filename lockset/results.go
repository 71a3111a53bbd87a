package lockset

import (
	"maps"
	"slices"

	"whoop/ir"
)

// Results beyond the first lie in a variable of the caller, whose address the callee gets
// (ir.Results). Nothing else is done with it than to load and store its members and to
// pass it on in this way. So its members are registers, and the flow of tokens treats them
// as such: a store moves a token to the member, a load takes it from there.

// member is a member of such a variable, or of the one that a parameter points to.
type member struct {
	reg   *ir.Reg
	index int
}

// outcomeOf is what a function leaves in a member of its results.
type outcomeOf struct {
	origin origin
	owner  relative
	known  bool
	typ    ir.Type // of the member's address
}

// findResults finds the variables, and the parameter, that are used in this way alone.
func (w *placing) findResults() {
	ok := map[*ir.Reg]bool{}
	for _, r := range w.params {
		ok[r] = r.Name == ir.Results
	}
	for _, b := range w.order {
		for _, in := range b.Instrs {
			if a, is := in.(*ir.Alloc); is && a.Kind == "stack" {
				_, again := ok[a.Dst]
				_, isStruct := a.Elem.(*ir.Struct)
				ok[a.Dst] = !again && isStruct && isOne(a.Count)
			}
		}
	}
	bad := func(e ir.Expr) {
		for _, r := range ir.RegsOf(e) {
			r, _ = w.original(r)
			ok[r] = false
		}
	}
	for _, b := range w.order {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ir.Load:
				if _, is := w.memberOf(in.Addr); !is {
					bad(in.Addr)
				}
			case *ir.Store:
				if _, is := w.memberOf(in.Addr); !is {
					bad(in.Addr)
				}
				bad(in.Val)
			case *ir.Assign:
				if _, copied := w.same[in.Dst]; !copied || !isUse(in.X) {
					bad(in.X)
				}
			case *ir.Call:
				for i, a := range in.Args {
					if !isUse(a) || !w.takesResults(in, i) {
						bad(a)
					}
				}
				bad(in.Callee)
			default:
				for _, e := range ir.Operands(in) {
					bad(e)
				}
			}
			if _, alloc := in.(*ir.Alloc); !alloc {
				for _, d := range ir.Defs(in) {
					ok[d] = false
				}
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			bad(e)
		}
	}
	w.members = map[member]*ir.Reg{}
	maps.DeleteFunc(ok, func(_ *ir.Reg, ok bool) bool { return !ok })
	w.results = ok
}

// findLoose finds the functions that do something else with the address of their results,
// and their callers' variables which are none then.
func (p *placings) findLoose(fns []*ir.Func, flows []*placing) {
	for again := true; again; {
		again = false
		for i, fn := range fns {
			for _, r := range fn.Params {
				if r.Name == ir.Results && !flows[i].results[r] && !p.loose[fn] {
					p.loose[fn], again = true, true
				}
			}
		}
		for i := 0; again && i < len(flows); i++ {
			flows[i].findResults()
		}
	}
}

func isUse(e ir.Expr) bool { _, ok := e.(ir.Use); return ok }

func isOne(e ir.Expr) bool {
	n, ok := ir.ConstInt(e)
	return e == nil || ok && n == 1
}

// takesResults reports whether all that a call may be of takes argument i as its results.
func (w *placing) takesResults(in *ir.Call, i int) bool {
	orig, ok := w.source(in).(*ir.Call)
	if !ok {
		return false
	}
	fns, complete := w.f.al.Callees(orig)
	return complete && !slices.ContainsFunc(fns, func(g *ir.Func) bool {
		return i >= len(g.Params) || g.Params[i].Name != ir.Results || w.funcs[g] == nil || w.loose[g]
	})
}

// memberOf is the member at an address of a variable or parameter.
func (w *placing) memberOf(addr ir.Expr) (member, bool) {
	f, ok := addr.(ir.FieldAddr)
	if !ok {
		return member{}, false
	}
	u, ok := f.Base.(ir.Use)
	if !ok {
		return member{}, false
	}
	r, off := w.original(u.Reg)
	return member{r, f.Index}, off == 0
}

// cell is the register that stands for a member at an address; nil where none does.
func (w *placing) cell(addr ir.Expr) *ir.Reg {
	m, ok := w.memberOf(addr)
	if !ok || !w.results[m.reg] {
		return nil
	}
	return w.register(m, addr.Type())
}

// register is the register that stands for a member, made where it is not there yet; t is
// a pointer to its type.
func (w *placing) register(m member, t ir.Type) *ir.Reg {
	r := w.members[m]
	if r == nil {
		p, ok := t.(ir.Ptr)
		if !ok || !ir.IsPtr(p.Elem) {
			return nil
		}
		r = &ir.Reg{Name: m.reg.Name + ".", Type: p.Elem, Ghost: true}
		w.members[m], w.across[r] = r, true
	}
	return r
}

// forget drops what the members of a variable have.
func (w *placing) forget(r *ir.Reg, at origins) {
	for m, c := range w.members {
		if m.reg == r {
			delete(at, c)
		}
	}
}

// returnsMembers adds what a return leaves in the results.
func (w *placing) returnsMembers(at origins) {
	for i, p := range w.params {
		if !w.results[p] {
			continue
		}
		for m, c := range w.members {
			if m.reg != w.params[i] {
				continue
			}
			v, ok := at[c]
			old, seen := w.left[m.index]
			if !seen {
				old = outcomeOf{known: true}
			}
			j, joins := old.origin.joined(v)
			w.left[m.index] = outcomeOf{origin: j, known: old.known && ok &&
				joins, typ: ir.Ptr{Elem: c.Type}}
		}
	}
}

// summariseMembers enters what the returns of this round leave in the results.
func (w *placing) summariseMembers() {
	for i, o := range w.left {
		o.owner = unrelated
		if w.owners[o.origin.from] != nil && o.known {
			o.owner = w.relativeTo(spot{key: o.origin.from})
			o.known = o.owner != unrelated
		}
		old, seen := w.sum.left[i]
		if !seen || old.known != o.known || old.owner != o.owner || !old.origin.equal(o.origin) {
			w.sum.left[i], w.sum.changed = o, true
		}
	}
}

// takeMember follows a load of a member: who loads it has the token that was there.
func (w *placing) takeMember(c *ir.Reg, in *ir.Load, at origins) {
	v, ok := at[c]
	w.defined(in, at)
	if !ok {
		return
	}
	if v.token() {
		delete(at, c)
	}
	w.set(in.Dst, v, true, at)
}

// putMember follows a store to a member. Who does not know that it is a register finds
// nothing there.
func (w *placing) putMember(c *ir.Reg, in *ir.Store, at origins) {
	for _, a := range w.f.acc[w.source(in)] {
		if a.Write {
			w.place(w.touch(a, true), origin{}, false, spot{})
		}
	}
	v, ok := w.value(in.Val, at)
	if ok {
		w.take(in.Val, at)
	}
	delete(at, c)
	w.set(c, v, ok, at)
}

// callMembers are the members of the results of a call.
type callMembers struct {
	w     *placing
	vars  []*ir.Reg
	found map[int]outcomeOf
	first bool
}

// membersAt are those of a call.
func (w *placing) membersAt(in *ir.Call) *callMembers {
	m := &callMembers{w: w, first: true}
	for _, a := range in.Args {
		if u, ok := a.(ir.Use); ok {
			if r, off := w.original(u.Reg); off == 0 && w.results[r] {
				m.vars = append(m.vars, r)
			}
		}
	}
	return m
}

// add joins what one function that may be called leaves there.
func (m *callMembers) add(s *placed, args *arguments, gone map[int]origin) {
	if len(m.vars) == 0 {
		return
	}
	found := map[int]outcomeOf{}
	for _, i := range slices.Sorted(maps.Keys(s.left)) {
		v, ok := args.outcome(s.left[i], gone)
		if old, seen := m.found[i]; !m.first {
			j, joins := v.joined(old.origin)
			v, ok = j, ok && seen && joins
		}
		if ok {
			found[i] = outcomeOf{origin: v, typ: s.left[i].typ}
		}
	}
	m.found, m.first = found, false
}

// enter gives the members what the call has left there.
func (m *callMembers) enter(at origins) {
	for _, r := range m.vars {
		m.w.forget(r, at)
	}
	if len(m.vars) != 1 {
		return
	}
	for i, o := range m.found {
		if c := m.w.register(member{m.vars[0], i}, o.typ); c != nil {
			m.w.set(c, o.origin, true, at)
		}
	}
}
