package lockset

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"whoop/ir"
)

// What is known of the cells of a structure at a place (takenflow.go).

// pointed is a pointer's value: the value of a register, or the address of a variable,
// and an offset from it. The zero value is the null pointer.
type pointed struct {
	reg    *ir.Reg
	global *ir.Global
	off    int64
}

func (v pointed) null() bool { return v == pointed{} }

// expr is the value as an expression.
func (v pointed) expr() ir.Expr {
	switch {
	case v.reg != nil:
		return offsetFrom(asPtr(ir.Use{Reg: v.reg}), v.off)
	case v.global != nil:
		return offsetFrom(asPtr(ir.GlobalAddr{Global: v.global}), v.off)
	}
	return ir.Null{T: ir.VPtr}
}

// plus is the address that is off bytes behind.
func (v pointed) plus(off int64) pointed {
	v.off += off
	return v
}

// inside is what is known at a place. nil: it cannot be reached.
type inside struct {
	// same are the values of registers that are copies of others.
	same map[*ir.Reg]pointed
	// null says of pointers whether they are null.
	null map[pointed]bool
	// held are the addresses of locks that the thread holds alone.
	held map[pointed]bool
	// in are pointers to objects in the structure, or null; cells those to its cells; what
	// is in its cells, and loaded by which loads that was read.
	in, cells map[pointed]bool
	what      map[pointed]pointed
	loaded    map[pointed]ir.Instr
	// read is what is in cells of other memory, of which the regions are in readAt: only
	// the thread itself writes there.
	read   map[pointed]pointed
	readAt map[pointed]ir.Instr
	// links are what the links of objects lead to that are out of the structure.
	links map[pointed]pointed
	// chain are pointers to an object that was taken out with all that it leads to, or
	// null. They are equal: there is one chain at a time.
	chain map[pointed]bool
	// last is what the pointer to the end of a list must lead to, by the list's head, end
	// what it leads to; owing are the stores since which it does not.
	last, end map[pointed]pointed
	owing     map[ir.Instr]pointed
}

func newInside() *inside {
	return &inside{same: map[*ir.Reg]pointed{}, null: map[pointed]bool{}, held: map[pointed]bool{},
		in: map[pointed]bool{}, cells: map[pointed]bool{}, what: map[pointed]pointed{},
		read: map[pointed]pointed{}, readAt: map[pointed]ir.Instr{},
		loaded: map[pointed]ir.Instr{}, links: map[pointed]pointed{}, chain: map[pointed]bool{},
		last: map[pointed]pointed{}, end: map[pointed]pointed{}, owing: map[ir.Instr]pointed{}}
}

func (s *inside) clone() *inside {
	return &inside{maps.Clone(s.same), maps.Clone(s.null), maps.Clone(s.held), maps.Clone(s.in),
		maps.Clone(s.cells), maps.Clone(s.what), maps.Clone(s.loaded), maps.Clone(s.read), maps.Clone(s.readAt), maps.Clone(s.links),
		maps.Clone(s.chain), maps.Clone(s.last), maps.Clone(s.end), maps.Clone(s.owing)}
}

// insideLattice orders them: less is known of more.
type insideLattice struct{}

func (insideLattice) Bottom() *inside { return nil }

func (insideLattice) Join(a, b *inside) *inside {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	owing := maps.Clone(a.owing)
	for in, head := range b.owing {
		if old, ok := owing[in]; ok && old != head {
			head = pointed{}
		}
		owing[in] = head
	}
	return &inside{common(a.same, b.same), common(a.null, b.null), common(a.held, b.held),
		common(a.in, b.in), common(a.cells, b.cells), common(a.what, b.what),
		common(a.loaded, b.loaded), common(a.read, b.read), common(a.readAt, b.readAt), common(a.links, b.links), common(a.chain, b.chain),
		common(a.last, b.last), common(a.end, b.end), owing}
}

func (insideLattice) Equal(a, b *inside) bool {
	return (a == nil) == (b == nil) && (a == nil || maps.Equal(a.same, b.same) &&
		maps.Equal(a.null, b.null) && maps.Equal(a.held, b.held) && maps.Equal(a.in, b.in) &&
		maps.Equal(a.cells, b.cells) && maps.Equal(a.what, b.what) &&
		maps.Equal(a.loaded, b.loaded) && maps.Equal(a.read, b.read) &&
		maps.Equal(a.readAt, b.readAt) && maps.Equal(a.links, b.links) &&
		maps.Equal(a.chain, b.chain) && maps.Equal(a.last, b.last) &&
		maps.Equal(a.end, b.end) && maps.Equal(a.owing, b.owing))
}

func common[K, V comparable](a, b map[K]V) map[K]V {
	out := map[K]V{}
	for k, v := range a {
		if w, ok := b[k]; ok && v == w {
			out[k] = v
		}
	}
	return out
}

// from is a copy of what is known, with the copies that were found before.
func (s *inside) from(before *inside) *inside {
	s = s.clone()
	if before != nil {
		s.same = maps.Clone(before.same)
	}
	return s
}

// objects are the pointers to objects in the structure, or in a chain.
func (s *inside) objects(of *structure) []pointed {
	var out []pointed
	for _, known := range []map[pointed]bool{s.in, s.chain} {
		out = slices.AppendSeq(out, maps.Keys(known))
	}
	for v := range s.cells {
		for off := range of.offsets {
			out = append(out, v.plus(-off))
		}
	}
	out = slices.DeleteFunc(out, func(v pointed) bool { return v.reg == nil })
	slices.SortFunc(out, func(a, b pointed) int {
		return cmp.Or(strings.Compare(a.reg.Name, b.reg.Name), cmp.Compare(a.off, b.off))
	})
	return slices.Compact(out)
}

// branches emits what is known behind a block, with what its branch says of pointers.
func (s *inside) branches(t ir.Term, emit func(*ir.Block, *inside)) {
	br, ok := t.(*ir.Branch)
	if !ok || br.Then == br.Else {
		for _, n := range t.Succs() {
			emit(n, s)
		}
		return
	}
	v, null, ok := s.nullTest(br.Cond)
	for i, n := range []*ir.Block{br.Then, br.Else} {
		now := s
		if ok && !v.null() {
			now = s.clone()
			now.null[v] = null == (i == 0)
		}
		emit(n, now)
	}
}

// nullTest reads a condition as a test of a pointer: whether it holds where that is null.
func (s *inside) nullTest(e ir.Expr) (v pointed, null, ok bool) {
	switch x := e.(type) {
	case ir.Unary:
		if x.Op == "lnot" {
			v, null, ok = s.nullTest(x.X)
			return v, !null, ok
		}
	case ir.Cast:
		if _, isBool := x.T.(ir.Bool); isBool && ir.IsPtr(x.X.Type()) {
			v, ok = s.valueOf(x.X)
			return v, false, ok
		}
	case ir.Binary:
		if x.Op != "eq" && x.Op != "ne" || !ir.IsPtr(x.X.Type()) {
			return pointed{}, false, false
		}
		a, known := s.valueOf(x.X)
		b, also := s.valueOf(x.Y)
		if b.null() && also {
			return a, x.Op == "eq", known
		}
		return b, x.Op == "eq", known && also && a.null()
	}
	return pointed{}, false, false
}

// isNull reports whether a pointer is known to be null, notNull that it is not.
func (s *inside) isNull(v pointed) bool { return v.null() || s.null[v] }

func (s *inside) notNull(v pointed) bool {
	null, known := s.null[v]
	return known && !null
}

// valueOf is what an expression points to; false where it is something else.
func (s *inside) valueOf(e ir.Expr) (pointed, bool) {
	root, off := splitAddr(e)
	switch x := root.(type) {
	case ir.Use:
		if !ir.IsPtr(x.Reg.Type) {
			return pointed{}, false
		}
		if v, ok := s.same[x.Reg]; ok {
			return v.plus(off), !v.null() || off == 0
		}
		return pointed{reg: x.Reg, off: off}, true
	case ir.GlobalAddr:
		return pointed{global: x.Global, off: off}, !x.Global.ThreadLocal
	case ir.Null:
		return pointed{}, off == 0
	case ir.Const:
		return pointed{}, off == 0 && x.Val.Sign() == 0
	}
	return pointed{}, false
}

// copies are the registers that lead to the same place as v.
func (s *inside) copies(v pointed) []pointed {
	out := []pointed{v}
	for r, u := range s.same {
		if u == v {
			out = append(out, pointed{reg: r})
		}
	}
	slices.SortFunc(out[1:], func(a, b pointed) int { return strings.Compare(a.reg.Name, b.reg.Name) })
	return out
}

// chains notes that what an object leads to is out, too.
func (s *inside) chains(v pointed) {
	for _, v := range s.copies(v) {
		s.chain[v] = true
	}
}

// defined drops what is said with a register that gets another value.
func (s *inside) defined(r *ir.Reg) {
	about := func(v pointed) bool { return v.reg == r }
	delete(s.same, r)
	maps.DeleteFunc(s.same, func(_ *ir.Reg, v pointed) bool { return about(v) })
	for _, m := range []map[pointed]bool{s.null, s.held, s.in, s.cells, s.chain} {
		maps.DeleteFunc(m, func(v pointed, _ bool) bool { return about(v) })
	}
	for _, m := range []map[pointed]pointed{s.what, s.read, s.links, s.last, s.end} {
		maps.DeleteFunc(m, func(c, v pointed) bool { return about(c) || about(v) })
	}
	for _, m := range []map[pointed]ir.Instr{s.loaded, s.readAt} {
		maps.DeleteFunc(m, func(c pointed, _ ir.Instr) bool { return about(c) })
	}
	for in, head := range s.owing {
		if about(head) {
			s.owing[in] = pointed{}
		}
	}
}

// leave drops what is known of the structure.
func (s *inside) leave() {
	clear(s.in)
	clear(s.cells)
	clear(s.what)
	clear(s.loaded)
	clear(s.last)
}

// otherPlace reports whether two addresses are different: two variables, or two places
// from one base.
func otherPlace(a, b pointed) bool {
	if a.global != nil && b.global != nil {
		return a != b
	}
	return a.reg == b.reg && a.global == b.global && a.off != b.off
}
