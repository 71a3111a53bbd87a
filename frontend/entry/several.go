package entry

import (
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
)

// Which names of objects are those of one object: at all times, and wherever in the text
// they occur.
//
//   - A variable, or a part of it, is one object. An element of an array has no name.
//   - A member of the objects of a struct type is one where the program has one object of
//     this type: one variable, or one allocation that runs once, and nothing that contains
//     several. Where the program makes none, the environment does, one a device (one-device).
//   - A pointer that is kept at such a place leads to one object where one value is stored
//     there in the whole program, which is an object of these kinds or is made once, and
//     where no store may write the place whose own place is not known.
//
// A place has one root: a struct type of which one variable or allocation is known to be
// the only one stands for that.
type objects struct {
	x      *inferrer
	places map[string]place
	made   map[string]site // where the values of names of their own come from
	// values are the stores of each value, by the name of the place.
	values  map[string]map[string][]site
	sources map[*ir.Struct][]source
	// unknown are addresses that pointers are stored at of which the places are not known,
	// untyped says that memory is allocated of which the type is not.
	unknown []ir.Expr
	untyped bool
	numbers map[string]int
}

// source is where objects of a struct type come from: the root of a place and the offset
// in it; many: more than one lies there.
type source struct {
	root string
	off  int64
	many bool
}

func (x *inferrer) newObjects() *objects {
	o := &objects{x: x, places: map[string]place{}, made: map[string]site{},
		values: map[string]map[string][]site{}, sources: map[*ir.Struct][]source{}, numbers: map[string]int{}}
	o.findSources()
	o.initial()
	for _, s := range x.cg.sites {
		switch in := s.in.(type) {
		case *ir.Store:
			if ir.IsPtr(in.Val.Type()) && !ir.IsNull(in.Val) {
				o.store(in, s)
			}
		case *ir.MemCopy:
			if in.Elem == nil || hasPointers(in.Elem) {
				o.unknown = append(o.unknown, in.Dst)
			}
		case *ir.Touch:
			if p, ok := x.placeOf(in.Addr); ok && in.Write && !p.loaded {
				o.stored(o.canonical(p), "code not seen", s)
			}
		}
	}
	return o
}

// store notes what a store writes, and where.
func (o *objects) store(in *ir.Store, s site) {
	p, ok := o.x.placeOf(in.Addr)
	if ok && !p.loaded {
		p, ok = o.one(p)
	}
	if !ok || p.loaded {
		o.unknown = append(o.unknown, in.Addr)
		return
	}
	v := o.nameOf(in.Val)
	if v == "" {
		v = fmt.Sprintf("%p", in)
		o.made[v] = s
	}
	o.stored(p, v, s)
}

// noted is the name of a place's object.
func (o *objects) noted(p place) string {
	n := "&" + p.text()
	if p.loaded {
		n = "*" + p.text()
	}
	o.places[n] = p
	return n
}

// stored notes that a value is stored at a place.
func (o *objects) stored(p place, v string, s site) {
	p.loaded = true
	at := o.noted(p)
	if o.values[at] == nil {
		o.values[at] = map[string][]site{}
	}
	o.values[at][v] = append(o.values[at][v], s)
}

// initial notes what variables hold at first.
func (o *objects) initial() {
	for _, g := range o.x.p.Globals {
		for _, c := range g.Init {
			if !ir.IsPtr(c.Value.Type()) || ir.IsNull(c.Value) {
				continue
			}
			if v := o.nameOf(c.Value); v != "" {
				o.stored(place{root: "variable " + g.Name, off: c.Offset}, v, site{})
			}
		}
	}
}

// findSources looks for the objects of each struct type.
func (o *objects) findSources() {
	for _, g := range o.x.p.Globals {
		o.source(g.Type, source{root: "variable " + g.Name})
	}
	for _, s := range o.x.cg.sites {
		if a, ok := s.in.(*ir.Alloc); ok {
			one, ok := a.Count.(ir.Const)
			_, array := a.Elem.(ir.Array)
			many := array || a.Count != nil && (!ok || one.Val.Cmp(ir.IntConst(ir.U64, 1).Val) != 0) || o.runsAgain(s)
			ts, typed := o.allocatedAs(a)
			o.untyped = o.untyped || !typed
			for _, t := range ts {
				o.source(t, source{root: t.Name, many: many}) // as places of members have it
			}
		}
	}
}

// allocatedAs lists the struct types that an allocation may be of; typed is false where
// it may be of any.
func (o *objects) allocatedAs(a *ir.Alloc) (out []*ir.Struct, typed bool) {
	switch t := elem(a.Elem).(type) {
	case *ir.Struct:
		return []*ir.Struct{t}, true
	case ir.Int:
		if t.Bits > 8 {
			return nil, true
		}
	default:
		return nil, true
	}
	for _, s := range o.x.cg.sites {
		to, ok := s.in.(*ir.Assign)
		if !ok {
			continue
		}
		p, ok := to.X.Type().(ir.Ptr)
		u, isUse := ir.Uncast(to.X).(ir.Use)
		if !ok || !isUse || u.Reg != a.Dst {
			continue
		}
		switch t := p.Elem.(type) {
		case *ir.Struct:
			out, typed = append(out, t), true
		case ir.Int:
			typed = true
		}
	}
	return out, typed
}

// elem is what an array has.
func elem(t ir.Type) ir.Type {
	for {
		a, ok := t.(ir.Array)
		if !ok {
			return t
		}
		t = a.Elem
	}
}

func (o *objects) source(t ir.Type, from source) {
	switch t := t.(type) {
	case *ir.Struct:
		o.sources[t] = append(o.sources[t], from)
		for _, f := range t.Fields {
			in := from
			in.off += f.Offset
			o.source(f.Type, in)
		}
	case ir.Array:
		from.many = from.many || t.Len != 1
		o.source(t.Elem, from)
	}
}

// structOf is the struct type that is the root of a place, nil for a variable.
func (o *objects) structOf(p place) *ir.Struct {
	for t := range o.sources {
		if t.Name == p.root {
			return t
		}
	}
	return nil
}

// canonical gives a place the root that all its names have.
func (o *objects) canonical(p place) place {
	if t := o.structOf(p); t != nil && len(o.sources[t]) == 1 && !o.sources[t][0].many && !o.untyped {
		from := o.sources[t][0]
		p.root, p.off = from.root, p.off+from.off
	}
	return p
}

// one is the canonical name of a place, and whether there is one such place.
func (o *objects) one(p place) (place, bool) {
	if strings.HasPrefix(p.root, "variable ") {
		return p, true
	}
	t := o.structOf(p)
	switch {
	case o.untyped:
		return p, false
	case t == nil:
		return p, true // one a device
	case len(o.sources[t]) > 1 || o.sources[t][0].many:
		return p, false
	}
	return o.canonical(p), true
}

// class is the name of one object that e points to, the same for all its names; "" where
// no name is known that is that of one object.
func (o *objects) class(e ir.Expr) string {
	return o.singular(o.nameOf(e), map[string]bool{})
}

// singular is the last name of the one object that a name is of: of a pointer, that of
// the value which is stored where it is kept. It is "" where the name may be of several.
func (o *objects) singular(n string, seen map[string]bool) string {
	if n == "" || seen[n] {
		return ""
	}
	seen[n] = true
	p, ok := o.places[n]
	if !ok {
		if s, ok := o.made[n]; !ok || o.runsAgain(s) {
			return ""
		}
		return n
	}
	if _, ok := o.one(p); !ok {
		return ""
	}
	if !p.loaded {
		return n
	}
	vs := o.values[n]
	if len(vs) > 1 || slices.ContainsFunc(o.unknown, func(at ir.Expr) bool { return o.mayWrite(at, p) }) {
		return ""
	}
	for v := range vs {
		return o.singular(v, seen)
	}
	return n
}

// mayWrite reports whether what is written at an address of which the place is not known
// may be the pointer at p.
func (o *objects) mayWrite(at ir.Expr, p place) bool {
	for {
		switch e := ir.Uncast(at).(type) {
		case ir.FieldAddr: // of one of several objects of its type
			return slices.ContainsFunc(o.sources[e.S], func(s source) bool { return s.root == p.root })
		case ir.GlobalAddr:
			return p.root == "variable "+e.Global.Name
		case ir.IndexAddr:
			at = e.Base
		case ir.Use:
			ds := o.x.cg.defs[e.Reg]
			if len(ds) != 1 {
				return true
			}
			switch d := ds[0].(type) {
			case *ir.Alloc:
				return false
			case *ir.Assign:
				at = d.X
			default:
				return true
			}
		default:
			return true
		}
	}
}

// runsAgain reports whether an instruction may run more than once for one device.
func (o *objects) runsAgain(s site) bool {
	return s.fn == nil || o.x.cg.inLoop(s.fn, s.block) || o.callsAgain(s.fn, map[*ir.Func]bool{})
}

func (o *objects) callsAgain(f *ir.Func, seen map[*ir.Func]bool) bool {
	cs := o.x.cg.calls[f]
	if i := slices.IndexFunc(o.x.p.Entries, func(e *ir.Entry) bool { return e.Func == f }); i >= 0 {
		e := o.x.p.Entries[i]
		return len(cs) > 0 || e.Multi || !e.Init && !e.Exit && e.Kind != "main"
	}
	if seen[f] || o.x.cg.taken[f] || len(cs) != 1 {
		return true
	}
	seen[f] = true
	return o.x.cg.inLoop(cs[0].fn, cs[0].block) || o.callsAgain(cs[0].fn, seen)
}

// different reports whether the objects of two names are surely not the same: two
// variables, or parts of different ones.
func (o *objects) different(a, b string) bool {
	p, ok := o.places[a]
	q, ok2 := o.places[b]
	variable := func(p place) bool { return strings.HasPrefix(p.root, "variable ") && !p.loaded }
	return ok && ok2 && variable(p) && variable(q) && !p.same(q)
}

// short is a name of an object for people.
func (o *objects) short(c string) string {
	if o.numbers[c] == 0 {
		o.numbers[c] = len(o.numbers) + 1
	}
	if severalObjects(c) {
		return fmt.Sprintf("%s %d", ir.SeveralObjects, o.numbers[c])
	}
	return fmt.Sprintf("object %d", o.numbers[c])
}

// hasPointers reports whether a value of type t has pointers in it.
func hasPointers(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Ptr:
		return true
	case ir.Array:
		return hasPointers(t.Elem)
	case *ir.Struct:
		return slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return hasPointers(f.Type) })
	}
	return false
}
