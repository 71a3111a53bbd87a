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
	leads  map[string]ir.Type // what pointers at these places lead to
	made   map[string]site    // where the values of names of their own come from
	// values are the stores of each value, by the name of the place.
	values  map[string]map[string][]site
	sources map[*ir.Struct][]source
	// unknown are addresses that pointers are stored at of which the places are not known,
	// untyped says that memory is allocated of which the type is not.
	unknown []ir.Expr
	untyped bool
	// bytes are the struct types that bytes are taken for.
	bytes   map[*ir.Struct]bool
	numbers map[string]int
}

// source is where objects of a struct type come from: the root of a place and the offset
// in it; many: more than one lies there.
type source struct {
	root string
	off  int64
	many bool
}

// objectNames are the names of objects, once the entry points are known.
func (x *inferrer) objectNames() *objects {
	if x.naming == nil {
		x.naming = x.newObjects()
	}
	return x.naming
}

func (x *inferrer) newObjects() *objects {
	o := &objects{x: x, places: map[string]place{}, leads: map[string]ir.Type{}, bytes: map[*ir.Struct]bool{}, made: map[string]site{},
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
	if t := o.structOf(p); t != nil && len(o.sources[t]) == 1 && !o.sources[t][0].many && !o.untyped && !o.bytes[t] {
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
		for t := range o.bytes {
			if t.Name == p.root {
				return p, false
			}
		}
		return p, true // one a device
	case len(o.sources[t]) > 1 || o.sources[t][0].many || o.bytes[t]:
		return p, false
	}
	return o.canonical(p), true
}

// class is the name of one object that e points to, the same for all its names; "" where
// no name is known that is that of one object.
func (o *objects) class(e ir.Expr) string {
	n := o.nameOf(e)
	return o.singular(n, map[string]bool{})
}

// changes reports whether e is a pointer that is kept where the program stores more than
// one value, so that it may lead to another object later.
func (o *objects) changes(e ir.Expr) bool {
	n := o.nameOf(e)
	return len(o.values[n]) > 1
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
	if len(vs) > 1 || slices.ContainsFunc(o.unknown, func(at ir.Expr) bool { return o.mayWrite(at, p, o.leads[n]) }) {
		return ""
	}
	for v := range vs {
		return o.singular(v, seen)
	}
	return n
}

// mayWrite reports whether what is written at an address of which the place is not known
// may be the pointer at p, which leads to a t.
func (o *objects) mayWrite(at ir.Expr, p place, t ir.Type) bool {
	off := int64(0)
	for {
		switch e := ir.Uncast(at).(type) {
		case ir.FieldAddr: // of one of several objects of its type
			off += e.S.Fields[e.Index].Offset
			if base, ok := ir.Uncast(e.Base).(ir.FieldAddr); ok {
				at = base
				continue
			}
			return slices.ContainsFunc(o.sources[e.S], func(s source) bool {
				return s.root == p.root && (s.many || s.off+off == p.off)
			})
		case ir.GlobalAddr:
			return p.root == "variable "+e.Global.Name
		case ir.IndexAddr:
			at = e.Base
		case ir.Use:
			ds := o.x.cg.defs[e.Reg]
			if len(ds) == 1 {
				switch d := ds[0].(type) {
				case *ir.Alloc:
					return false
				case *ir.Assign:
					at = d.X
					continue
				}
			}
			return mayPoint(at, t)
		default:
			return true
		}
	}
}

// mayPoint reports whether what is stored at an address may point to a t: not where it
// points to another struct.
func mayPoint(at ir.Expr, t ir.Type) bool {
	p, ok := at.Type().(ir.Ptr)
	if !ok {
		return true
	}
	q, ok := p.Elem.(ir.Ptr)
	if !ok {
		return true
	}
	a, ok := q.Elem.(*ir.Struct)
	b, ok2 := t.(*ir.Struct)
	return !ok || !ok2 || a == b
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
