package alias

import (
	"slices"

	"whoop/ir"
)

// In type-safe programs, what can be reached from an address is of the types that its
// type leads to: a library function that is given a map of strings does not find a
// connection there, whatever else the points-to sets have.

// pointees is what pointers may point to that are found from a value of some type on; nil
// where that may be anything.
type pointees map[string]bool

// leadsTo returns the types of what is found from an address of a type on.
func leadsTo(elem ir.Type) pointees {
	out := pointees{typeKey(elem): true}
	if !out.add(elem, map[string]bool{}) {
		return nil
	}
	return out
}

// add adds what the pointers in a value of type t point to; false where that may be
// anything.
func (ps pointees) add(t ir.Type, seen map[string]bool) bool {
	switch x := t.(type) {
	case ir.Int, ir.Bool:
		return true
	case ir.Opaque:
		return false
	case ir.Ptr:
		if x.Elem == nil || x.Elem.Size() == 0 {
			return false
		}
		if k := typeKey(x.Elem); !ps[k] || !seen[k] {
			ps[k], seen[k] = true, true
			return ps.add(x.Elem, seen)
		}
		return true
	case ir.Array:
		ps[typeKey(x.Elem)] = true
		return ps.add(x.Elem, seen)
	case *ir.Struct:
		if opaqueObject(x) {
			return false
		}
		if k := "in " + x.Name; !seen[k] {
			seen[k] = true
			return !x.Union && !slices.ContainsFunc(x.Fields, func(f ir.Field) bool { return !ps.add(f.Type, seen) })
		}
		return true
	}
	return false
}

// targets are pointees that remember which places in which structures are some.
type targets struct {
	of    pointees
	known map[structPlace]bool
}

// structPlace is a place in an object of a type; anywhere: in all of it.
type structPlace struct {
	in       *ir.Struct
	off      int64
	anywhere bool
}

// has is that of the pointees; nil has all.
func (t *targets) has(s *solver, c cell) bool {
	if t == nil || t.of == nil {
		return true
	}
	st, ok := c.obj.Type.(*ir.Struct)
	if !ok || c.any || c.obj.raw {
		return t.of.has(s, c)
	}
	at := structPlace{st, c.off, false}
	if !s.inside(c.obj) && c.obj.Kind != KindExtern {
		at = structPlace{st, 0, true}
	}
	yes, known := t.known[at]
	if !known {
		yes = t.of.has(s, c)
		t.known[at] = yes
	}
	return yes
}

// leadsTo is that of a type, whose walk is done once.
func (b *regionBuilder) leadsTo(elem ir.Type) (to *targets, key string) {
	key = typeKey(elem)
	to, known := b.leads[key]
	if !known {
		to = &targets{leadsTo(elem), map[structPlace]bool{}}
		b.leads[key] = to
	}
	return to, key
}

// has reports whether a pointer of one of the types may point to a cell.
func (ps pointees) has(s *solver, c cell) bool {
	o := c.obj
	if ps == nil || c.any || o.raw || o.Type == nil {
		return true
	}
	if !s.inside(o) && o.Kind != KindExtern {
		return ps.within(o.Type, map[*ir.Struct]bool{})
	}
	t, off := o.Type, c.off
	for {
		if off == 0 && ps[typeKey(t)] {
			return true
		}
		switch x := t.(type) {
		case ir.Array:
			if x.Elem.Size() <= 0 {
				return true
			}
			off, t = floorMod(off, x.Elem.Size()), x.Elem
			continue
		case *ir.Struct:
			f := fieldAround(x, off)
			if x.Union || f == nil {
				return x.Union
			}
			off, t = off-f.Offset, f.Type
			continue
		}
		return false
	}
}

// within reports whether a value of type t has one of the types in it.
func (ps pointees) within(t ir.Type, seen map[*ir.Struct]bool) bool {
	if ps[typeKey(t)] {
		return true
	}
	switch x := t.(type) {
	case ir.Array:
		return ps.within(x.Elem, seen)
	case *ir.Struct:
		if seen[x] {
			return false
		}
		seen[x] = true
		return x.Union || slices.ContainsFunc(x.Fields, func(f ir.Field) bool { return ps.within(f.Type, seen) })
	}
	return false
}
