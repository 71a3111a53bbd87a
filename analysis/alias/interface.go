package alias

import (
	"math"
	"slices"
	"strings"

	"whoop/ir"
)

// What code not seen knows: the struct types that occur in the program's interface to it.
// Such code does not look into other structs, it hands them back as they are
// (private_data, container_of around an embedded work_struct). So there are no extern
// objects of a private type as long as the program itself has objects of it, and what
// code not seen may change in them are the members of interface types whose address it
// was given.

// interfaceTypes finds the struct types of the interface: in parameters of entries, in
// declarations without bodies, in what is handed to unseen code as such, and all that
// these mention.
func interfaceTypes(p *ir.Program, extra []*ir.Struct) map[*ir.Struct]bool {
	k := &knowledge{known: map[*ir.Struct]bool{}, seen: map[string]bool{}, whole: map[*ir.Struct]bool{}, safe: p.TypeSafe}
	for _, s := range extra {
		k.add(s)
	}
	given := registeredArgs(p)
	for _, e := range p.Entries {
		if e.Func == nil || e.Spawned {
			continue
		}
		for i, r := range e.Func.Params {
			if as, ok := given[e.Func]; !ok || i >= len(as) || as[i] == nil {
				k.add(r.Type)
			}
		}
	}
	for _, f := range p.Funcs {
		// it stands for functions of the program, too
		if !p.TypeSafe && strings.HasPrefix(f.Title(), ir.OutsideFunc) {
			continue
		}
		if len(f.Blocks) == 0 || len(p.Entries) == 0 {
			k.add(f.Type())
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				k.instr(in)
			}
		}
	}
	for _, g := range p.Globals {
		if g.Extern {
			k.add(g.Type)
		}
	}
	return k.known
}

// registeredArgs returns the arguments with which functions are registered.
func registeredArgs(p *ir.Program) map[*ir.Func][]ir.Expr {
	out := map[*ir.Func][]ir.Expr{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if r, ok := in.(*ir.Register); ok && r.Fn != nil {
					if g := ir.FuncOf(r.Fn); g != nil {
						out[g] = r.Args
					}
				}
			}
		}
	}
	return out
}

type knowledge struct {
	known map[*ir.Struct]bool
	seen  map[string]bool
	// whole are the known types of which all members have been looked at.
	whole map[*ir.Struct]bool
	// safe: the program is type-safe; named: hidden members do not count.
	safe, named bool
}

// instr adds the types of what an instruction hands to code not seen. What is registered
// does not count: that is often a cookie, and callbacks that get the object show its
// type.
func (k *knowledge) instr(in ir.Instr) {
	switch in := in.(type) {
	case *ir.Store: // in type-safe programs what code not seen may name there
		if g, ok := in.Addr.(ir.GlobalAddr); ok && g.Global.Extern && k.safe {
			k.named = true
			k.given(in.Val)
			k.named = false
		}
	case *ir.Havoc:
		if in.Outside {
			k.add(in.Dst.Type)
		}
	case *ir.Touch:
		if in.Deep && (in.Write || !k.safe) {
			k.given(in.Addr)
		}
	case *ir.Call:
		if f := ir.FuncOf(in.Callee); f != nil && len(f.Blocks) == 0 {
			for _, a := range in.Args {
				k.given(a)
			}
		}
	}
}

// given adds the type of a pointer, casts to void * left out.
func (k *knowledge) given(e ir.Expr) {
	for e != nil {
		k.add(e.Type())
		c, ok := e.(ir.Cast)
		if !ok {
			return
		}
		e = c.X
	}
}

func (k *knowledge) add(t ir.Type) {
	switch x := t.(type) {
	case ir.Ptr:
		k.add(x.Elem)
	case ir.Array:
		k.add(x.Elem)
	case ir.FuncType:
		key := x.String()
		if k.seen[key] {
			return
		}
		k.seen[key] = true
		k.add(x.Result)
		for _, p := range x.Params {
			k.add(p)
		}
	case *ir.Struct:
		if k.whole[x] || k.named && k.known[x] {
			return
		}
		k.known[x], k.whole[x] = true, !k.named
		for i := range x.Fields {
			if !k.named || !x.Fields[i].Hidden {
				k.add(x.Fields[i].Type)
			}
		}
	}
}

// exposed returns the bytes of an object that code not seen may use when it has the
// address of a cell: the outermost value of an interface type around it, or the scalar
// that is there.
func (s *solver) exposed(c cell) span {
	o := c.obj
	if c.any || o.raw || o.Type == nil || o.Kind == KindExtern {
		return everywhere
	}
	t, base, off := o.Type, int64(0), c.off
	if inTail(c) {
		if o.behind.s == nil || o.mixedTail || c.off < o.behind.off {
			return everywhere
		}
		t, base, off = o.behind.s, o.behind.off, c.off-o.behind.off
	}
	for {
		switch x := t.(type) {
		case ir.Array:
			st := x.Elem.Size()
			if st <= 0 {
				return everywhere
			}
			off, t = floorMod(off, st), x.Elem
			continue
		case *ir.Struct:
			if s.known[x] || x.Union {
				hi := base + x.Bytes
				if flexible(x) {
					hi = math.MaxInt32
				}
				return span{lo: base, hi: hi}
			}
			f := fieldAround(x, off)
			if f == nil {
				return span{lo: c.off, hi: c.off + 1}
			}
			base, off, t = base+f.Offset, off-f.Offset, f.Type
			continue
		}
		return span{lo: base, hi: base + max(t.Size(), 1)}
	}
}

// leakCell: code not seen has the address of c.
func (s *solver) leakCell(c int32) { s.hand(c, true) }

// hand gives code not seen the address of c; without write it stores nothing there.
func (s *solver) hand(c int32, write bool) {
	x := s.cells[c]
	if x.ghost {
		return
	}
	o, r := x.obj, s.leaks(x)
	if !write {
		r.write = nil
	}
	if s.prog.TypeSafe {
		s.addPointed(x)
	}
	first := len(o.exposed) == 0
	var more, moreWrite bool
	o.exposed, more = addSpans(o.exposed, r.follow)
	o.writable, moreWrite = addSpans(o.writable, r.write)
	if !more && !moreWrite {
		return
	}
	if slices.Contains(o.exposed, everywhere) {
		s.edge(s.loadAnyNode(o), s.leak)
	}
	s.opened(o)
	switch {
	case s.prog.TypeSafe && o.Kind != KindExtern:
		s.addReached(o)
	case first && (o.Kind == KindStack || o.Kind == KindGlobal && o.Global.ThreadLocal):
		s.addPlaces(o)
	}
}

// lendCell: code not seen has the address of c for the time of a call.
func (s *solver) lendCell(c int32) {
	x := s.cells[c]
	if x.ghost {
		return
	}
	o, r := x.obj, s.leaks(x)
	var more, moreWrite bool
	o.lent, more = addSpans(o.lent, r.follow)
	o.lentWritable, moreWrite = addSpans(o.lentWritable, r.write)
	if !more && !moreWrite {
		return
	}
	if slices.Contains(o.lent, everywhere) {
		s.edge(s.loadAnyNode(o), s.lend)
	}
	s.opened(o)
}

// opened connects the contents of an object of which code not seen may use more than
// before.
func (s *solver) opened(o *object) {
	if o.whole {
		s.materialise(o)
	}
	for _, c := range append([]int32(nil), o.content...) {
		s.expose(c)
	}
	for _, t := range append([]loadedAs(nil), o.typed...) {
		s.outsideTyped(o, t)
	}
}

// leaks returns what code not seen may do with the address of a cell.
func (s *solver) leaks(c cell) reach {
	if s.guarded(c.obj) {
		return s.reachOf(c)
	}
	if s.hides(c.obj) {
		open := visible(nil, c.obj.Type, 0)
		return reach{open, open}
	}
	p := []span{s.exposed(c)}
	return reach{p, p}
}

// addSpans adds spans that are not covered yet and reports whether there were any.
func addSpans(to, more []span) ([]span, bool) {
	grown := false
	for _, p := range more {
		if !slices.ContainsFunc(to, func(q span) bool { return q.lo <= p.lo && p.hi <= q.hi }) {
			to, grown = append(to, p), true
		}
	}
	return to, grown
}

// expose connects the content of a cell that code not seen may use with the outside.
func (s *solver) expose(c int32) {
	x := s.cells[c]
	if s.within(x, x.obj.exposed) {
		s.edge(x.node, s.leak)
		if s.untypedAt(x) {
			s.edge(x.node, s.back)
		}
		if s.prog.TypeSafe {
			s.on(x.node, capturedCon{x.obj})
		}
	}
	if s.within(x, x.obj.lent) {
		s.edge(x.node, s.lend)
	}
	if s.within(x, x.obj.writable) || s.within(x, x.obj.lentWritable) {
		s.outsideWrites(x.obj, c)
	}
}

// publish makes more types known to code not seen, which then has objects of them, and
// looks further into the program's.
func (s *solver) publish(known map[*ir.Struct]bool) {
	s.known = known
	for _, st := range s.prog.Structs {
		x := s.externs[typeKey(st)]
		if x == nil || x.obj != nil || !known[st] {
			continue
		}
		a := privateType(st)
		delete(s.assumed, a)
		s.assumes = slices.DeleteFunc(s.assumes, func(b ir.Assumption) bool { return a == b })
		s.makeExtern(x, st)
	}
	for _, node := range []int32{s.leak, s.lend, s.shown} {
		var cs []int32
		s.pts(node).each(func(c int32) {
			if c >= numSpecial && s.cells[c].obj.Kind != KindFunc {
				cs = append(cs, c)
			}
		})
		for _, c := range cs {
			if node == s.lend {
				s.lendCell(c)
			} else {
				s.hand(c, node == s.leak)
			}
		}
	}
}

// orphans returns the private types that pointers from outside are used at although the
// program has no object of them.
func (s *solver) orphans() []*ir.Struct {
	var out []*ir.Struct
	for _, st := range s.prog.Structs {
		if x := s.externs[typeKey(st)]; x != nil && x.obj == nil && len(s.byType[s.kinds.find(st)]) == 0 {
			out = append(out, st)
		}
	}
	return out
}
