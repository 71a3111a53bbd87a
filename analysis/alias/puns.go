package alias

import (
	"slices"

	"whoop/ir"
)

// # Structs that are taken for others
//
// C as it is written breaks the rule of effective types (effective.go), and compilers are
// told to bear it. So an address that loses its type on the way, in a void pointer, is
// one of a T where it is taken for that, though the program says that an S lies there,
//
//   - where S and T look alike: they begin with members of one type. Such a T is a
//     header, or another version of S, of which the common members are used;
//   - where T is an integer type: numbers and pointers are read word by word (hashes,
//     copies);
//   - where the program contradicts the rule: nothing that comes to a cast is of the
//     type.
//
// What gets to code not seen without its type (private data) may come back as a T by the
// first rule, too, or where T is a scalar that lies there. If the program has no T at
// all, it comes back as one if nothing takes it for what it is.
//
// From then on a T lies there, too, with all that is in it (take). Other types remain
// filtered. An S that does not begin like T, and comes to a cast with places where a T
// does lie, is left out: sets that are mixed in one register or member are not kept apart
// by what the program does, but types keep them apart.

// tookKey names a place that is taken for a type, by typeKey.
type tookKey struct {
	typ  string
	cell int32
}

// untypedAt reports whether a cell is declared to hold addresses of anything.
func (s *solver) untypedAt(x cell) bool {
	if !s.byEffective || x.any || x.obj.raw || x.obj.Type == nil {
		return false
	}
	return slices.ContainsFunc(scalarsAt(x.obj.Type, x.off), s.forgets)
}

// forgets reports whether a type is that of addresses of anything.
func (s *solver) forgets(t ir.Type) bool {
	p, ok := t.(ir.Ptr)
	if !ok {
		return false
	}
	_, void := p.Elem.(ir.Void)
	return void
}

// comesBack reports whether code not seen may hand over as a pointer to t what it was
// given as something else: it has objects of its own types.
func (s *solver) comesBack(t ir.Type) bool {
	st, ok := t.(*ir.Struct)
	return s.byEffective && ok && (!s.known[st] || slices.Contains(s.extra, st))
}

// backAs is the node with what code not seen has without a type, and gives back as a
// scalar t.
func (s *solver) backAs(t ir.Type) int32 {
	k := typeKey(t)
	n, ok := s.backs[k]
	if !ok {
		n = s.newNode()
		s.backs[k] = n
		s.on(s.back, backCon{n, t})
	}
	return n
}

// backCon sits at what code not seen has without a type, and finds there what it may hand
// over as pointers to t.
type backCon struct {
	to int32
	t  ir.Type
}

func (b backCon) fire(s *solver, c int32) {
	x := s.cells[c]
	if c < numSpecial || x.any || x.ghost || x.obj.raw || x.obj.Type == nil {
		return
	}
	if k := x.obj.Kind; k == KindFunc || k == KindExtern {
		return
	}
	_, isStruct := b.t.(*ir.Struct)
	switch f := s.filterFor(b.t); {
	case isStruct && f != nil && !s.kinds.holds(x.obj.Type, x.off, b.t) && s.taken(f, c):
		s.put(b.to, c)
	case !isStruct && s.kinds.match(x.obj.Type, b.t):
		s.put(b.to, c)
	}
}

// strangers takes what code not seen has without a type, and nothing takes for what it
// is, for a struct that comes from there although the program has none.
func (s *solver) strangers() {
	for _, st := range s.prog.Structs {
		x := s.externs[typeKey(st)]
		if x == nil || x.obj != nil || len(s.memory(x.node)) > 0 {
			continue
		}
		for _, c := range s.memory(s.back) {
			if o := s.cells[c].obj; o.Kind != KindExtern && o.Type != nil && !s.asked(s.cells[c]) {
				s.take(st, c)
				s.put(x.node, c)
			}
		}
	}
}

// asked reports whether pointers to a struct that lies at a cell come from code not seen.
func (s *solver) asked(x cell) bool {
	return slices.ContainsFunc(places(x.obj.Type, 0, nil, maxParts), func(p place) bool {
		return p.off == x.off && s.externs[typeKey(p.s)] != nil
	})
}

// taken reports whether what lies at a cell is, or may be, taken for a type by the rules
// above.
func (s *solver) taken(f *filter, c int32) bool {
	if s.prog.TypeSafe {
		return false
	}
	if s.took[tookKey{f.key, c}] {
		return true
	}
	x := s.cells[c]
	switch t := f.t.(type) {
	case ir.Int:
		if len(scalarsAt(x.obj.Type, x.off)) == 0 {
			return false
		}
	case *ir.Struct:
		if !s.likeAt(x, t) {
			return false
		}
	default:
		return false
	}
	s.take(f.t, c)
	return true
}

// likeAt reports whether a struct lies at a cell that looks like t.
func (s *solver) likeAt(x cell, t *ir.Struct) bool {
	return slices.ContainsFunc(places(x.obj.Type, 0, nil, maxParts), func(p place) bool {
		return p.off == x.off && lookAlike(p.s, t)
	})
}

// lookAlike reports whether two structs begin with members of one type. The start of a T
// alone is no T.
func lookAlike(s, t *ir.Struct) bool {
	ss, ts := starts(s), starts(t)
	if slices.ContainsFunc(ts, func(x ir.Type) bool { return sameStart(x, s) }) {
		return false
	}
	return slices.ContainsFunc(ss, func(x ir.Type) bool {
		return slices.ContainsFunc(ts, func(y ir.Type) bool { return sameStart(x, y) })
	})
}

// starts are a type and what it begins with, from the outside in. What a link of a list
// begins with does not count: it is not used for its own sake.
func starts(t ir.Type) (out []ir.Type) {
	for {
		t = bare(t)
		out = append(out, t)
		st, ok := t.(*ir.Struct)
		if !ok || len(st.Fields) == 0 || linked(st) {
			return out
		}
		t = st.Fields[0].Type
	}
}

func sameStart(x, y ir.Type) bool {
	a, b := formOf(x), formOf(y)
	if a.kind == "ptr" && b.kind == "ptr" {
		return ir.Equal(x, y)
	}
	return a == b && a.kind != "other"
}

// take makes a T lie at a cell, with what is in it.
func (s *solver) take(t ir.Type, c int32) {
	x := s.cells[c]
	if x.obj.readOnly || x.obj.raw || x.obj.Type == nil {
		return
	}
	if !x.obj.taken {
		x.obj.taken = true
		for _, d := range x.obj.list { // numbers may be addresses now
			s.retake.add(d)
		}
	}
	for _, p := range partsOf(t, 0, nil) {
		at := c
		if p.off > 0 {
			if !x.any && x.obj.Type.Size() > 0 && x.off+p.off >= x.obj.Type.Size() {
				break
			}
			at = s.cellAt(x.obj, x.off+p.off)
		}
		k := tookKey{typeKey(p.t), at}
		if !s.took[k] {
			s.took[k] = true
			s.retake.add(at)
		}
	}
}

// contradicted looks for casts from which no address comes, though some get there, and
// takes what they lead to for what it is cast to. It reports whether there is any.
func (s *solver) contradicted() bool {
	if !s.byEffective {
		return false
	}
	for n := 0; n < len(s.nodes); n++ {
		if s.rep[n] != int32(n) {
			continue
		}
		for _, c := range s.nodes[n].cons {
			l, ok := c.(xformCon)
			if !ok || l.x.op != opRetype || l.x.letGo || len(s.memory(l.dst)) > 0 {
				continue
			}
			for _, c := range s.memory(int32(n)) {
				if !s.startOf(l.elem, s.cells[c]) {
					s.take(l.elem, c)
				}
			}
		}
	}
	s.strangers()
	return !s.retake.empty()
}

// startOf reports whether all that lies at a cell is what a t begins with.
func (s *solver) startOf(t ir.Type, x cell) bool {
	return slices.ContainsFunc(starts(t)[1:], func(y ir.Type) bool {
		_, isStruct := y.(*ir.Struct)
		return isStruct && x.obj.Type != nil && holds(x.obj.Type, x.off, y)
	})
}

// memory are the places in memory that the addresses in a node lead to. Objects of code
// not seen do not count whose types it would not know if the program had any of them.
func (s *solver) memory(n int32) (out []int32) {
	s.pts(n).each(func(c int32) {
		if c < numSpecial || s.isGhost(c) || s.cells[c].obj.Kind == KindFunc {
			return
		}
		st, ok := s.cells[c].obj.Type.(*ir.Struct)
		if !ok || s.cells[c].obj.Kind != KindExtern || !slices.Contains(s.extra, st) {
			out = append(out, c)
		}
	})
	return out
}
