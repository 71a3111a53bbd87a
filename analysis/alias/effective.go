package alias

import (
	"slices"
	"strings"

	"whoop/ir"
)

// # Sets by type in C
//
// C has casts, so what typed.go says of type-safe programs does not hold. What does hold
// is the rule of effective types (C11 6.5, paragraphs 6 and 7): the memory of an object
// that is declared as a U, or was allocated for just one, is accessed as a U or as
// something that lies in it. So where an address becomes a pointer to a struct T, or a
// member of it is named, the sets keep the places of typed objects at which a T lies. The
// report says so (assumption "effective-type").
//
// It is used for drivers and libraries, of which most callers are not seen. Of a program
// with a main function all is seen, but for a C library that gives back what it was
// given.
//
// Programs that break the rule say so in their text, and the rule is not used there:
//
//   - A cast from a pointer to an S to one to a T, also through void pointers in one
//     expression, makes S and T one kind: each may lie where the other does.
//   - Where an address has lost its type on the way, puns.go says what it may be taken
//     for.
//   - A union has all its members anywhere in it; an array of numbers may hold anything.
//   - Memory from an allocator is typed where its size is that of its type; there is none
//     for other allocations, and none for what is cast to several types.
//
//   - What a library puts behind an object for its user (alloc_netdev) is of the user's
//     own types.
//
// Objects of code not seen are what the program takes them for (retype).
//
// So it is for the two kinds of scalars that may hold addresses: where a pointer is
// declared none is loaded or stored as an integer, and the other way round. Numbers that
// are too small for an address keep none (numbersAt), nor does memory at an offset that
// is no multiple of its size, unless a scalar is declared there (crooked).
//
// container_of of something that is no member of a T computes an address where no T lies:
// the head of a list is taken for an entry at its end. Such an address stays in the sets
// as a ghost, since the member that leads back to the head may be named
// (list_add_tail(new, &pos->list) after a loop). Other members are not there: reading
// them is an access to what was never a T. A ghost is no place in the object that it was
// computed from, though something else may lie there (an array of bytes, which may hold
// anything): nothing is loaded, stored or copied by it, and code not seen has no use for
// it. Where it loses its type it is left out (lettingGo). There are ghosts of links only,
// such as list_head. Where the text says that another struct is a member (a work item
// which begins with a link), it is one.

// typedC reports whether the memory of an object, in C, is accessed by its own types
// alone.
func (s *solver) typedC(o *object) bool {
	switch o.Kind {
	case KindExtern:
		return false
	case KindHeap:
		return o.exact && !storage(o.Type)
	}
	return !storage(o.Type)
}

// storage reports whether a type is that of memory that may hold anything: an array of
// numbers.
func storage(t ir.Type) bool {
	_, array := t.(ir.Array)
	return array && ir.IsInt(bare(t))
}

// placesOf are the cells of an object at which a struct lies; ok is false where that is
// not known.
func (s *solver) placesOf(o *object, t ir.Type) (out []int32, ok bool) {
	if !s.typed(o) && o.Kind != KindExtern || o.raw || o.Type == nil {
		return nil, false
	}
	ps := partsOf(o.Type, 0, nil)
	if len(ps) >= maxParts {
		return nil, false
	}
	for _, p := range ps {
		if s.kinds.match(p.t, t) {
			out = append(out, s.cellAt(o, p.off))
		}
	}
	for _, off := range storages(o.Type, 0, nil) {
		out = append(out, s.cellAt(o, off))
	}
	return out, true
}

// maxParts bounds how many parts of a type are listed.
const maxParts = 4096

// An inner is a value that lies in another, at an offset.
type inner struct {
	t   ir.Type
	off int64
}

// partsOf appends the values that lie in one of type t at base.
func partsOf(t ir.Type, base int64, out []inner) []inner {
	if len(out) >= maxParts {
		return out
	}
	switch x := t.(type) {
	case ir.Array:
		return partsOf(x.Elem, base, out)
	case *ir.Struct:
		out = append(out, inner{x, base})
		for _, f := range x.Fields {
			out = partsOf(f.Type, base+f.Offset, out)
		}
		return out
	}
	return append(out, inner{t, base})
}

// storages appends the offsets in a type at which there are arrays of numbers.
func storages(t ir.Type, base int64, out []int64) []int64 {
	switch x := t.(type) {
	case ir.Array:
		if storage(x) {
			return append(out, base)
		}
		return storages(x.Elem, base, out)
	case *ir.Struct:
		for _, f := range x.Fields {
			out = storages(f.Type, base+f.Offset, out)
		}
	}
	return out
}

// leadsBack reports whether, in what container_of has made where no T lies, a member
// leads to something that is of the member's type. Members that are no structs are not
// looked for.
func (s *solver) leadsBack(x xform, c int32) bool {
	f := x.s.Fields[x.index].Type
	if _, isStruct := bare(f).(*ir.Struct); !isStruct {
		return false
	}
	cl := s.cells[c]
	return !cl.any && cl.obj.Type != nil && s.kinds.holds(cl.obj.Type, cl.off+x.s.Fields[x.index].Offset, f)
}

// inC does for programs in C what fireAll does with the filter of a type: it returns the
// cells that stay, and adds to out the places that others stand for.
func (l xformCon) inC(s *solver, f *filter, cs *set, out *set) *set {
	ok := s.pass(f, cs)
	wrong := cs.minus(&ok)
	dropped := false
	wrong.each(func(c int32) {
		if l.x.op == opField && s.leadsBack(l.x, c) {
			ok.add(c)
		} else {
			dropped = true
		}
	})
	if dropped {
		out.add(cellNull)
		s.effective = true
	}
	var anys []int32
	ok.each(func(c int32) {
		switch {
		case c < numSpecial:
		case s.cells[c].any:
			anys = append(anys, c)
		case l.x.op == opRetype && inTail(s.cells[c]):
			s.takeTail(c, f.t)
		}
	})
	for _, c := range anys {
		if ds, known := s.placesOf(s.cells[c].obj, f.t); known && len(ds) > 0 {
			ok.remove(c)
			for _, d := range ds {
				ok.add(d)
			}
		}
	}
	return &ok
}

// fills reports whether a number of bytes, in a context of a function, is a multiple of a
// size.
func (s *solver) fills(n ir.Expr, fn *ir.Func, ctx int32, size int64) bool {
	n, fn, ctx = s.valueIn(n, fn, ctx)
	if v, ok := constOf(n); ok {
		return v > 0 && size > 0 && v%size == 0
	}
	x, ok := n.(ir.Binary)
	return ok && x.Op == "mul" && (s.fills(x.X, fn, ctx, size) || s.fills(x.Y, fn, ctx, size))
}

// sizeIn is a number of bytes in a context of a function, where it is known.
func (s *solver) sizeIn(n ir.Expr, fn *ir.Func, ctx int32) (int64, bool) {
	if n == nil {
		return 0, false
	}
	n, _, _ = s.valueIn(n, fn, ctx)
	return constOf(n)
}

// valueIn follows what a number is through registers, local variables that are stored
// once, and parameters of the calls of a context.
func (s *solver) valueIn(n ir.Expr, fn *ir.Func, ctx int32) (ir.Expr, *ir.Func, int32) {
	for range maxSizeSteps {
		var next ir.Expr
		switch x := n.(type) {
		case ir.Cast:
			if ir.IsInt(x.X.Type()) && x.X.Type().Size() <= x.T.Size() || x.T.Size() >= 8 {
				next = x.X
			}
		case ir.Use:
			if i := slices.Index(fn.Params, x.Reg); i < 0 {
				next = s.onlyValue(fn, x.Reg)
			} else if call, ok := s.ctxs[ctx].call.(*ir.Call); ok && i < len(call.Args) && !assigned(fn, x.Reg) && s.fnOf[call] != nil {
				next, ctx, fn = call.Args[i], s.ctxs[ctx].parent, s.fnOf[call]
			}
		}
		if next == nil {
			break
		}
		n = next
	}
	return n, fn, ctx
}

// tailed reports whether an allocation is of one T, and of what is to lie behind it: its
// size is that of a T and something that is no multiple of that, or code not seen
// allocates that says nothing of the size (alloc_netdev).
func (s *solver) tailed(a *ir.Alloc, fn *ir.Func, ctx int32, t ir.Type) bool {
	if _, isStruct := t.(*ir.Struct); !isStruct || s.prog.TypeSafe || a.Kind == "stack" || a.Count == nil {
		return false
	}
	n := a.Count
	if x, ok := n.(ir.Binary); ok && x.Op == "div" {
		n = x.X
	}
	if x, in, at := s.valueIn(n, fn, ctx); s.addsTo(x, in, at, t.Size()) {
		return true
	}
	u, ok := n.(ir.Use)
	if !ok {
		return false
	}
	only := true
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if slices.Contains(ir.Defs(in), u.Reg) {
				h, ok := in.(*ir.Havoc)
				only = only && ok && h.Pos == a.Pos
			}
		}
	}
	return only && !slices.Contains(fn.Params, u.Reg)
}

// addsTo reports whether a number of bytes is a size, or more, and something that is no
// multiple of it.
func (s *solver) addsTo(n ir.Expr, fn *ir.Func, ctx int32, size int64) bool {
	x, ok := n.(ir.Binary)
	if !ok || x.Op != "add" {
		return false
	}
	for _, e := range [][2]ir.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		if v, known := s.sizeIn(e[0], fn, ctx); known && v >= size && v < 2*size {
			return !s.fills(e[1], fn, ctx, size)
		}
	}
	return s.addsTo(x.X, fn, ctx, size) || s.addsTo(x.Y, fn, ctx, size)
}

// inTail reports whether a cell lies behind what the type of its object says.
func inTail(c cell) bool { return c.obj.tail && !c.any && c.off >= c.obj.Type.Size() }

// fitsTail reports whether what lies at a cell behind an object may be of a type: a
// struct is one of the program's own, or lies in one.
func (s *solver) fitsTail(t ir.Type, c int32) bool {
	st, ok := t.(*ir.Struct)
	return !ok || !s.known[st] || s.tails[placeKey{st, c}]
}

// takeTail makes the structs known that lie where the memory behind an object is taken
// for one.
func (s *solver) takeTail(c int32, t ir.Type) {
	st, ok := t.(*ir.Struct)
	if !ok || s.tails[placeKey{st, c}] {
		return
	}
	x := s.cells[c]
	if o := x.obj; o.behind.s == nil {
		o.behind = place{st, x.off}
	} else if o.behind != (place{st, x.off}) {
		o.mixedTail = true // code not seen may look at all of it
		for _, d := range slices.Clone(o.list) {
			if s.pts(s.leak).has(d) {
				s.leakCell(d)
			}
			if s.pts(s.lend).has(d) {
				s.lendCell(d)
			}
			if s.pts(s.shown).has(d) {
				s.hand(d, false)
			}
		}
	}
	for _, p := range places(t, 0, nil, 1024) {
		at := s.cellAt(x.obj, x.off+p.off)
		s.tails[placeKey{p.s, at}] = true
		for _, f := range s.filters { // it fits now
			if i := int(at >> 6); i < len(f.known) {
				f.known[i] &^= 1 << (at & 63)
			}
		}
		s.addPlace(p.s, at)
	}
}

// maxSizeSteps bounds how far fills looks. Precision only.
const maxSizeSteps = 16

// onlyValue returns what a register is assigned where that is done once; else nil. What
// it is loaded from may be a local variable that is stored once.
func (s *solver) onlyValue(f *ir.Func, r *ir.Reg) ir.Expr {
	switch d := s.onlyDef(f, r).(type) {
	case *ir.Assign:
		return d.X
	case *ir.Load:
		if u, ok := d.Addr.(ir.Use); ok {
			return s.onlyStored(f, u.Reg)
		}
	}
	return nil
}

// onlyDef returns the one instruction that sets a register, or nil.
func (s *solver) onlyDef(f *ir.Func, r *ir.Reg) ir.Instr {
	ds, ok := s.defs[f]
	if !ok {
		ds = onlyDefs(f)
		s.defs[f] = ds
	}
	return ds[r]
}

// onlyDefs maps the registers of a function that are set once to where that is done.
func onlyDefs(f *ir.Func) map[*ir.Reg]ir.Instr {
	only := map[*ir.Reg]ir.Instr{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range ir.Defs(in) {
				if _, again := only[r]; again {
					only[r] = nil
				} else {
					only[r] = in
				}
			}
		}
	}
	return only
}

// onlyStored returns the one value that is stored in a local variable whose address, in
// r, is used for nothing else than loads and stores; else nil.
func (s *solver) onlyStored(f *ir.Func, r *ir.Reg) (only ir.Expr) {
	if a, ok := s.onlyDef(f, r).(*ir.Alloc); !ok || a.Kind != "stack" {
		return nil
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if !slices.ContainsFunc(ir.Operands(in), func(e ir.Expr) bool { return ir.UsesReg(e, r) }) {
				continue
			}
			switch x := in.(type) {
			case *ir.Load:
			case *ir.Store:
				if only != nil || ir.UsesReg(x.Val, r) {
					return nil
				}
				only = x.Val
			default:
				return nil
			}
		}
	}
	return only
}

// around returns the places of structs T that lie delta bytes from a cell, where the
// members of a T at -delta lie there: container_of.
func (l xformCon) around(s *solver, cs *set, out *set) {
	t := l.elem.(*ir.Struct)
	cs.each(func(c int32) {
		if c < numSpecial {
			l.retypeInto(s, c, out)
			return
		}
		cl := s.cells[c]
		o := cl.obj
		if cl.ghost {
			out.add(cellNull)
			s.effective = true
			return
		}
		if o.Kind == KindFunc || cl.any || o.raw || o.Type == nil || !s.typed(o) && o.Kind != KindExtern {
			for _, d := range s.moveConst(xform{op: opConst, delta: l.x.delta, stride: 1}, c) {
				l.retypeInto(s, d, out)
			}
			return
		}
		offs, _ := shift(o.Type, cl.off, l.x.delta, true)
		there := false
		for _, off := range offs {
			switch {
			case s.kinds.lies(o.Type, off, t) ||
				s.kinds.holds(o.Type, off, t) && sameStorage(o.Type, off, cl.off):
				there = true
				out.add(s.cellAt(o, off))
			case o.tail && off >= o.Type.Size():
				if d := s.cellAt(o, off); s.fitsTail(t, d) {
					there = true
					s.takeTail(d, t)
					out.add(d)
				}
			}
		}
		switch {
		case there:
		case o.Kind == KindExtern:
			s.edge(s.externNode(t), l.dst)
		case s.memberLike(t, nil, -l.x.delta, cl) && l.takes(s, o, offs, out):
		case s.memberLike(t, l.x.s, -l.x.delta, cl):
			out.add(s.ghostAt(o, cl.off+l.x.delta))
		default:
			out.add(cellNull)
			s.effective = true
		}
	})
}

// takes adds the places at some offsets of an object that are taken for a T, by the rules
// of puns.go, and reports whether there are any.
func (l xformCon) takes(s *solver, o *object, offs []int64, out *set) (any bool) {
	f := s.filterFor(l.elem)
	for _, off := range offs {
		if c, known := o.cells[off]; known && s.took[tookKey{f.key, c}] ||
			s.likeAt(cell{obj: o, off: off}, l.elem.(*ir.Struct)) {
			c = s.cellAt(o, off)
			any = s.taken(f, c) || any
			out.add(c)
		}
	}
	return any
}

// numbersAt reports whether no address starts at an offset of a type in C: there is a
// number that is too small for one, or no member. Unions and arrays of numbers may hold
// anything.
func (s *solver) numbersAt(t ir.Type, off int64) bool {
	switch x := t.(type) {
	case ir.Array:
		size := x.Elem.Size()
		return !storage(x) && size > 0 && s.numbersAt(x.Elem, floorMod(off, size))
	case *ir.Struct:
		if x.Union || off < 0 || off >= x.Size() || flexible(x) {
			return false
		}
		f := fieldAround(x, off)
		return f == nil || s.numbersAt(f.Type, off-f.Offset)
	case ir.Int, ir.Bool:
		return !s.holdsAddress(t)
	}
	return off > 0 && ir.IsPtr(t)
}

// crooked reports whether a cell in C is no multiple of the size of an address away from
// the start of its object or its array, and has no scalar there: no address is kept
// there.
func (s *solver) crooked(x cell) bool {
	if !s.byEffective || x.off%s.word == 0 {
		return false
	}
	return x.obj.raw || x.obj.Type == nil || len(scalarsAt(x.obj.Type, x.off)) == 0
}

// lies reports whether a T lies at an offset of a type in C, by more than that an array
// of numbers may hold anything.
func (k *kinds) lies(in ir.Type, off int64, t ir.Type) bool {
	if off == 0 && k.match(in, t) {
		return true
	}
	switch x := in.(type) {
	case ir.Array:
		return !storage(x) && x.Elem.Size() > 0 && k.lies(x.Elem, floorMod(off, x.Elem.Size()), t)
	case *ir.Struct:
		for i := range x.Fields {
			f := &x.Fields[i]
			if d := off - f.Offset; extends(x, i, d) && k.lies(f.Type, d, t) {
				return true
			}
		}
	}
	return false
}

// sameStorage reports whether two offsets of a type lie in one array of numbers, where
// the first lies in one.
func sameStorage(t ir.Type, off, other int64) bool {
	in := storageAt(t, off, 0)
	return in.hi == 0 || in.lo <= other && other < in.hi
}

// storageAt is where the array of numbers lies that an offset of a type is in; empty
// where it is in none.
func storageAt(t ir.Type, off, base int64) span {
	switch x := t.(type) {
	case ir.Array:
		switch size := x.Elem.Size(); {
		case storage(x):
			return span{lo: base, hi: base + max(x.Size(), 1)}
		case size > 0:
			return storageAt(x.Elem, floorMod(off, size), base)
		}
	case *ir.Struct:
		if f := fieldAround(x, off); f != nil {
			return storageAt(f.Type, off-f.Offset, base+f.Offset)
		}
	}
	return span{}
}

// memberLike reports whether a link of a list, say, that lies in t at an offset lies at a
// cell, too; the text says that it is a from, where that is not nil.
func (s *solver) memberLike(t, from *ir.Struct, off int64, c cell) bool {
	if from != nil && !linked(from) {
		return false
	}
	return slices.ContainsFunc(places(t, 0, nil, 1024), func(p place) bool {
		return p.off == off && linked(p.s) && s.kinds.holds(c.obj.Type, c.off, p.s)
	})
}

// linked reports whether a struct leads to others of its type, like the links of a list.
func linked(st *ir.Struct) bool {
	return slices.ContainsFunc(st.Fields, func(f ir.Field) bool {
		p, ok := f.Type.(ir.Ptr)
		return ok && ir.Equal(p.Elem, st)
	})
}

// retypeInto adds what a cell becomes by a cast to a struct.
func (l xformCon) retypeInto(s *solver, c int32, out *set) {
	as := xformCon{l.base, l.dst, xform{op: opRetype, typ: l.x.typ}, l.elem}
	one := set{[]block{{c >> 6, 1 << (c & 63)}}}
	cs := &one
	if f := as.filter(s); f != nil {
		cs = as.inC(s, f, cs, out)
	}
	cs.each(func(d int32) { as.add(s, d, out) })
}

// A form is what puns tell types by: structs by their names, since files may declare one
// of them differently (s#2), others by how they lie in memory.
type form struct {
	name string
	// kind is "struct", or "int" with a size in bytes, or "ptr", "func" or "other".
	kind string
	size int64
}

func formOf(t ir.Type) form {
	switch x := t.(type) {
	case *ir.Struct:
		name, _, _ := strings.Cut(x.Name, "#")
		return form{name: name, kind: "struct"}
	case ir.Int, ir.Bool:
		return form{kind: "int", size: x.Size()}
	case ir.Ptr:
		return form{kind: "ptr"}
	case ir.FuncType:
		return form{kind: "func"}
	}
	return form{kind: "other", size: t.Size()}
}

// notePun notes that a pointer to an x is taken for one to a y, which no rule allows.
func (k *kinds) notePun(x, y ir.Type) {
	if !k.holds(x, 0, y) && !k.holds(y, 0, x) {
		k.puns[[2]form{formOf(y), formOf(x)}] = true
	}
}

// matchC is match in C.
func (k *kinds) matchC(x, t ir.Type) bool {
	a, b := formOf(x), formOf(t)
	switch {
	case a == b && a.kind != "ptr" || a.kind == "struct" && x.Size() == 0:
		return true
	case a.kind == "ptr" && b.kind == "ptr":
		p, q := bare(x.(ir.Ptr).Elem), bare(t.(ir.Ptr).Elem)
		if k.anywhere(p) || k.anywhere(q) {
			return true
		}
		a, b = formOf(p), formOf(q)
		return a == b || k.puns[[2]form{b, a}] || k.puns[[2]form{a, b}]
	}
	return k.puns[[2]form{b, a}]
}

// otherKind reports whether a cell is declared to hold pointers alone where an integer is
// loaded or stored, or integers alone where a pointer is.
func (s *solver) otherKind(c int32, t ir.Type) bool {
	if !s.byEffective || c < numSpecial {
		return false
	}
	x := s.cells[c]
	if x.any || x.obj.taken || x.obj.raw || x.obj.Type == nil || !s.typed(x.obj) && x.obj.Kind != KindExtern {
		return false
	}
	ts := scalarsAt(x.obj.Type, x.off)
	if len(ts) == 0 || slices.ContainsFunc(ts, func(d ir.Type) bool { return s.sameKind(d, t) }) {
		return false
	}
	if _, lv := x.obj.canon(x.off); len(lv) > 0 && ir.IsInt(ts[0]) {
		return false // storage
	}
	s.effective = true
	return true
}

func (s *solver) sameKind(d, t ir.Type) bool {
	if ir.IsPtr(d) == ir.IsPtr(t) || !ir.IsPtr(d) && !ir.IsInt(d) {
		return true
	}
	return s.kinds.puns[[2]form{formOf(t), formOf(d)}] || s.kinds.puns[[2]form{formOf(d), formOf(t)}]
}
