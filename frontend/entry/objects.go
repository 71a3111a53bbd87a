package entry

import (
	"fmt"
	"slices"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Objects that are registered. A call that takes one back (input_unregister_device) ends
// the runs for this object alone. Where a program registers several objects of a kind,
// a function of that kind runs until all are taken back: which function serves which
// object is not followed. Objects are told apart by their names:
//
//   - the address of a variable or of a member;
//   - a pointer, by the value that is stored where it is kept, or else by that place.
//
// A name is that of one object only where it is singular (several.go). A call that
// registers what has no such name registers one object if it runs once, and several else.
// A call ends what must be the object that it takes back, never what may be: one without
// such a name ends nothing where a kind has several objects.

// nameOf is a name of what e points to, "" where the text does not tell one.
func (o *objects) nameOf(e ir.Expr) string {
	if e == nil {
		return ""
	}
	x := o.x
	if p, ok := x.placeOf(e); ok {
		n := o.noted(o.canonical(p))
		if t, ok := ir.Uncast(e).Type().(ir.Ptr); ok && p.loaded {
			o.leads[n] = t.Elem
		}
		return n
	}
	u, ok := ir.Uncast(e).(ir.Use)
	if !ok {
		return ""
	}
	switch ds := x.cg.defs[u.Reg]; len(ds) {
	case 0:
		return o.nameOf(x.passedOnce(u.Reg))
	case 1:
		if a, ok := ds[0].(*ir.Assign); ok {
			return o.nameOf(a.X)
		}
		n := fmt.Sprintf("%p", u.Reg) // a value of its own
		o.made[n] = x.cg.of[ds[0]]
		return n
	}
	return ""
}

// passedOnce is what the only call of a function passes as the parameter r, nil where
// there may be other calls.
func (x *inferrer) passedOnce(r *ir.Reg) ir.Expr {
	q := x.cg.param[r]
	if q.fn == nil || x.cg.taken[q.fn] || len(x.cg.calls[q.fn]) != 1 || slices.ContainsFunc(x.p.Entries, func(e *ir.Entry) bool { return e.Func == q.fn }) {
		return nil
	}
	if c, ok := x.cg.calls[q.fn][0].in.(*ir.Call); ok && !x.cg.reachable(q.fn)[x.cg.calls[q.fn][0].fn] && q.index < len(c.Args) {
		return c.Args[q.index]
	}
	return nil
}

func (p place) text() string { return fmt.Sprintf("%s+%d", p.root, p.off) }

// tableRegister reports whether an instruction registers tables of operations, and says
// for which kinds.
func (x *inferrer) tableRegister(in ir.Instr) (*ir.Register, bool) {
	r, ok := in.(*ir.Register)
	if !ok || r.Fn != nil || len(r.Kinds) == 0 || slices.Contains(r.Kinds, ir.KeptKind) {
		return nil, false
	}
	_, callback := x.m.CallbackKinds[ir.WithoutPlace(r.Kinds[0])]
	return r, !callback
}

// objects names the objects of registrations and of what ends them, where a kind has
// several.
func (x *inferrer) objects() {
	o := x.objectNames()
	var regs []*ir.Register
	for _, s := range x.cg.sites {
		if r, ok := x.tableRegister(s.in); ok {
			regs = append(regs, r)
		}
	}
	for _, s := range x.cg.sites {
		u, ok := s.in.(*ir.Unregister)
		if !ok || len(u.Kinds) == 0 || u.Kinds[0] == models.NoKind || ofDevice(u) || x.handlers(u) || slices.ContainsFunc(u.Kinds, attributeTable) && u.Obj != nil {
			continue
		}
		of := map[string][]*ir.Register{}
		own := o.class(u.Of)
		for i, r := range regs {
			if !overlap(r.Kinds, strings.TrimPrefix(u.Kinds[0], "exit:")) {
				continue
			}
			c := o.class(r.Of)
			switch {
			case c != "":
			case o.runsAgain(x.cg.of[r]):
				c = fmt.Sprintf("%s %d", ir.SeveralObjects, i)
			default:
				c = fmt.Sprintf("unknown %d", i)
			}
			of[c] = append(of[c], r)
			if r.Of != nil && u.Of == r.Of && released(s.fn) {
				own = c // all that the call has registered
			}
		}
		o.end(u, own, of)
	}
	o.absent()
	for _, s := range x.cg.sites {
		switch in := s.in.(type) {
		case *ir.Register:
			in.Of = nil
		case *ir.Unregister:
			in.Of = nil
		}
	}
}

// ofDevice reports whether an instruction ends functions of the driver for the one device
// that it serves, whatever has made them known.
func ofDevice(u *ir.Unregister) bool {
	return u.Of == nil && !slices.ContainsFunc(u.Kinds, func(k string) bool { return !strings.HasPrefix(k, "dev_pm_ops.") })
}

// released reports whether a function gives back what belongs to a device.
func released(f *ir.Func) bool {
	return f.Name == models.ReleaseFunc || f.Name == models.FailedFunc
}

// end says which of the objects of a kind u ends, which has the name own; of lists them.
func (o *objects) end(u *ir.Unregister, own string, of map[string][]*ir.Register) {
	if len(of) == 0 {
		return
	}
	if len(of) == 1 {
		for c := range of {
			if c == own || !severalObjects(c) && !o.different(c, own) {
				return // there is no other one that it could be
			}
			if !severalObjects(c) { // it takes back what nothing has made known
				u.Kinds = []string{models.NoKind}
				return
			}
		}
	}
	u.Object = unknownObject
	for c, rs := range of {
		for _, r := range rs {
			r.Object = o.short(c)
		}
		if c == own || len(of) > 1 && strings.HasPrefix(c, "unknown ") && o.noneBut(c, own, of) {
			u.Object = o.short(c)
		}
	}
}

// unknownObject is the name of an object that may be any.
const unknownObject = "unknown object"

// severalObjects reports whether a name is that of several objects.
func severalObjects(c string) bool { return strings.HasPrefix(c, ir.SeveralObjects) }

// noneBut reports whether own is none of the objects but perhaps c.
func (o *objects) noneBut(c, own string, of map[string][]*ir.Register) bool {
	for d := range of {
		if d != c && !o.different(d, own) {
			return false
		}
	}
	return own != ""
}

// handlers reports whether an instruction ends callbacks, not tables.
func (x *inferrer) handlers(u *ir.Unregister) bool {
	return slices.ContainsFunc(u.Kinds, func(k string) bool {
		_, callback := x.m.CallbackKinds[ir.WithoutPlace(k)]
		return callback
	})
}

// handedOver finds out which calls make tables known that are handed to code not seen by
// a function of which the name says nothing of registering: those that get a table, or an
// object, by its address, or by where it is kept, that no call registers. Where a call
// with such a name registers tables of the kinds, functions whose names say that they
// make or fill in an object do not make it known.
func (x *inferrer) handedOver() {
	var regs []*ir.Register
	for _, s := range x.cg.sites {
		if r, ok := x.tableRegister(s.in); ok && !slices.Contains(r.Kinds, models.PerhapsKind) {
			regs = append(regs, r)
		}
	}
	var drop []ir.Instr
	for _, s := range x.cg.sites {
		r, ok := s.in.(*ir.Register)
		if !ok || !slices.Contains(r.Kinds, models.PerhapsKind) {
			continue
		}
		r.Kinds = slices.DeleteFunc(slices.Clone(r.Kinds), func(k string) bool { return k == models.PerhapsKind })
		if !x.makesKnown(r, regs) {
			drop = append(drop, r)
			s.block.Instrs = slices.DeleteFunc(s.block.Instrs, func(in ir.Instr) bool { return in == ir.Instr(r) })
		}
	}
	x.cg.sites = slices.DeleteFunc(x.cg.sites, func(s site) bool { return slices.Contains(drop, s.in) })
}

// makesKnown reports whether a call makes a table known.
func (x *inferrer) makesKnown(r *ir.Register, regs []*ir.Register) bool {
	others := slices.DeleteFunc(slices.Clone(regs), func(o *ir.Register) bool {
		return !slices.ContainsFunc(r.Kinds, func(k string) bool { return overlap(o.Kinds, k) })
	})
	if len(others) == 0 {
		return false // nothing is said of when they begin to run
	}
	if models.FillsIn(r.API) {
		return false
	}
	if r.Of == nil {
		return true
	}
	for _, p := range x.placesOf(r.Of, map[*ir.Reg]bool{}) {
		if !slices.ContainsFunc(others, func(o *ir.Register) bool {
			qs := x.placesOf(o.Of, map[*ir.Reg]bool{})
			return p.loaded && len(qs) == 0 || slices.ContainsFunc(qs, p.same)
		}) {
			return true
		}
	}
	return false
}

// placesOf are the places of what e points to, also where callers pass it; those that the
// text does not tell are left out.
func (x *inferrer) placesOf(e ir.Expr, seen map[*ir.Reg]bool) []place {
	if e == nil {
		return nil
	}
	if p, ok := x.placeOf(e); ok {
		return []place{p}
	}
	u, ok := ir.Uncast(e).(ir.Use)
	if !ok || seen[u.Reg] {
		return nil
	}
	seen[u.Reg] = true
	if q := x.cg.param[u.Reg]; q.fn != nil && len(x.cg.defs[u.Reg]) == 0 {
		var out []place
		for _, s := range x.cg.calls[q.fn] {
			if c, ok := s.in.(*ir.Call); ok && q.index < len(c.Args) {
				out = append(out, x.placesOf(c.Args[q.index], seen)...)
			}
		}
		return out
	}
	if ds := x.cg.defs[u.Reg]; len(ds) == 1 {
		if a, ok := ds[0].(*ir.Assign); ok {
			return x.placesOf(a.X, seen)
		}
	}
	return nil
}
