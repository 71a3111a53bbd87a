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
// each at a call of its own, a function of that kind runs until all are taken back: which
// function serves which object is not followed. Objects are told apart by their names:
//
//   - the address of a variable or of a member: two calls with the same name are about one
//     object (one-device);
//   - a pointer, by where it is kept: two names are one object where the same value is
//     stored at both. A name at which several values are stored, of which more than one is
//     registered, names none.
//
// A call that takes back what has no name ends nothing then.

// naming joins the names of one object.
type naming map[string]string

func (n naming) find(s string) string {
	for n[s] != "" {
		s = n[s]
	}
	return s
}

func (n naming) join(a, b string) {
	if a, b = n.find(a), n.find(b); a != b {
		n[a] = b
	}
}

// nameOf is a name of what e points to, "" where the text does not tell one.
func (x *inferrer) nameOf(e ir.Expr) string {
	if e == nil {
		return ""
	}
	if p, ok := x.placeOf(e); ok {
		if p.loaded {
			return "*" + p.text()
		}
		return "&" + p.text()
	}
	u, ok := ir.Uncast(e).(ir.Use)
	if !ok {
		return ""
	}
	if ds := x.cg.defs[u.Reg]; len(ds) == 1 {
		if a, ok := ds[0].(*ir.Assign); ok {
			return x.nameOf(a.X)
		}
		return fmt.Sprintf("%p", u.Reg) // a value of its own
	}
	return ""
}

func (p place) text() string { return fmt.Sprintf("%s+%d", p.root, p.off) }

// names joins where pointers are kept with the values that are stored there; values are
// the registers with a name.
func (x *inferrer) names() (n naming, values map[string][]string) {
	n, values = naming{}, map[string][]string{}
	for _, s := range x.cg.sites {
		st, ok := s.in.(*ir.Store)
		if !ok || !ir.IsPtr(st.Val.Type()) || ir.IsNull(st.Val) {
			continue
		}
		p, ok := x.placeOf(st.Addr)
		if !ok || p.loaded {
			continue
		}
		at, v := "*"+p.text(), x.nameOf(st.Val)
		if v == "" {
			v = fmt.Sprintf("%p", st)
		}
		n.join(at, v)
		values[v] = append(values[v], at)
	}
	return n, values
}

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
	n, values := x.names()
	var regs []*ir.Register
	for _, s := range x.cg.sites {
		if r, ok := x.tableRegister(s.in); ok {
			regs = append(regs, r)
		}
	}
	// how many different values the objects of a name are
	several := map[string]int{}
	for v := range values {
		several[n.find(v)]++
	}
	class := func(e ir.Expr) string {
		s := x.nameOf(e)
		if s == "" {
			return ""
		}
		switch c := n.find(s); {
		case several[c] <= 1:
			return c
		case strings.HasPrefix(s, "&"):
			return s // the object itself, whatever else its pointers are kept with
		}
		return ""
	}
	var numbers map[string]int
	short := func(c string) string {
		if numbers == nil {
			numbers = map[string]int{}
		}
		if numbers[c] == 0 {
			numbers[c] = len(numbers) + 1
		}
		return fmt.Sprintf("object %d", numbers[c])
	}
	for _, s := range x.cg.sites {
		u, ok := s.in.(*ir.Unregister)
		if !ok || len(u.Kinds) == 0 || u.Kinds[0] == models.NoKind || x.handlers(u) || slices.ContainsFunc(u.Kinds, attributeTable) && u.Obj != nil {
			continue
		}
		of := map[string][]*ir.Register{}
		unknown := 0
		for i, r := range regs {
			if overlap(r.Kinds, strings.TrimPrefix(u.Kinds[0], "exit:")) {
				c := class(r.Of)
				if c == "" {
					c = fmt.Sprintf("unknown %d", i)
					unknown++
				}
				of[c] = append(of[c], r)
			}
		}
		if len(of) < 2 {
			continue
		}
		u.Object = "unknown object"
		own := class(u.Of)
		for c, rs := range of {
			for _, r := range rs {
				r.Object = short(c)
			}
			if c == own || own != "" && of[own] == nil && unknown == 1 && strings.HasPrefix(c, "unknown ") {
				u.Object = short(c)
			}
		}
	}
	for _, s := range x.cg.sites {
		switch in := s.in.(type) {
		case *ir.Register:
			in.Of = nil
		case *ir.Unregister:
			in.Of = nil
		}
	}
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
