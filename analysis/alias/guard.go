package alias

import (
	"cmp"
	"slices"
	"strings"

	"whoop/ir"
)

// Members that code not seen keeps away from (ir.Field.Hidden, ir.Field.Const): what it
// may write in an object, and what it may find there, is less than the whole object.
// Extern objects are made by such code, which knows all of them and may copy them; but
// members that are the program's alone (hides) it neither writes by themselves nor
// follows there either.

// A reach is what code not seen may do that has the address of one place in an object.
type reach struct {
	write, follow []span
}

// guarded tells whether a type has hidden or constant members.
func (s *solver) guarded(o *object) bool {
	if o.Kind == KindExtern || o.raw || o.Type == nil {
		return false
	}
	if o.guard == 0 {
		o.guard = 1
		if hasGuards(o.Type) {
			o.guard = 2
		}
	}
	return o.guard == 2
}

// hides tells whether code not seen made an object of a type with members that it cannot
// name: those are zero, or what the program stores there, or copied from objects that
// such code knows.
func (s *solver) hides(o *object) bool {
	if o.Kind != KindExtern || !s.prog.TypeSafe || o.raw {
		return false
	}
	st, ok := o.Type.(*ir.Struct)
	return ok && !st.Union && hasOwn(st)
}

// ZeroAtFirst reports whether a region of an object that code not seen has made is zero
// until the program stores something there, or such code copies another object of the
// type: all of it lies in members that are Own.
func (r *Result) ZeroAtFirst(reg *Region, o *Object) bool {
	x := r.s.objs[o.ID]
	at := span{lo: reg.Offset + reg.ArrayStart, hi: reg.Offset + reg.ArrayStart + reg.Size}
	return r.s.hides(x) && reg.Elem == 0 && reg.Size > 0 &&
		!slices.ContainsFunc(visible(nil, x.Type, 0), func(p span) bool {
			return p.lo < at.hi && at.lo < p.hi
		})
}

func hasOwn(t ir.Type) bool {
	switch x := t.(type) {
	case ir.Array:
		return hasOwn(x.Elem)
	case *ir.Struct:
		return slices.ContainsFunc(x.Fields, func(f ir.Field) bool { return f.Own || hasOwn(f.Type) })
	}
	return false
}

// visible appends where the scalars of a value lie that code not seen may write.
func visible(to []span, t ir.Type, base int64) []span {
	switch x := t.(type) {
	case ir.Array:
		if x.Elem.Size() > 0 {
			return visible(to, x.Elem, base)
		}
	case *ir.Struct:
		if x.Union {
			break
		}
		for i := range x.Fields {
			if f := &x.Fields[i]; !f.Own {
				to = visible(to, f.Type, base+f.Offset)
			}
		}
		return to
	}
	return append(to, span{lo: base, hi: base + max(t.Size(), 1)})
}

// copiedCon sits at the node of the pointers of a struct type from outside: code not seen
// may copy what lies there, hidden members and all, to the extern object.
type copiedCon struct {
	to *object
	st *ir.Struct
}

func (l copiedCon) fire(s *solver, c int32) {
	if c < numSpecial || s.cells[c].obj == l.to || s.cells[c].any {
		return
	}
	if l.st.Sum && s.sums(c) {
		s.copySum(s.cells[c].obj, l.to)
		return
	}
	l.copy(s, c, 0, l.st)
}

// copy copies the pointers of a t that lies at an offset of both.
func (l copiedCon) copy(s *solver, c int32, off int64, t ir.Type) {
	from := s.cells[c]
	for _, at := range leaves(t, 1024) {
		if s.holdsPointer(t, at.lo) {
			s.edge(s.content(s.cellAt(from.obj, from.off+off+at.lo)), s.content(s.cellAt(l.to, off+at.lo)))
		}
	}
}

// holdsPointer reports whether a type has a pointer at an offset.
func (s *solver) holdsPointer(t ir.Type, off int64) bool {
	return slices.ContainsFunc(scalarsAt(t, off), s.carries)
}

func hasGuards(t ir.Type) bool {
	switch x := t.(type) {
	case ir.Array:
		return hasGuards(x.Elem)
	case *ir.Struct:
		for i := range x.Fields {
			if f := &x.Fields[i]; f.Hidden || f.Const || hasGuards(f.Type) {
				return true
			}
		}
	}
	return false
}

// reachOf returns what code not seen may do with a cell's address. The value at the
// address may be what it is of, guarded or not; what lies around that is out of reach.
func (s *solver) reachOf(c cell) reach {
	if c.any || !s.inside(c.obj) {
		return reach{[]span{everywhere}, []span{everywhere}}
	}
	t, base := component(c.obj.Type, 0, c.off)
	var r reach
	r.add(t, base, c.off-base, true)
	return r
}

// inside tells whether an address in an object gives no more than the value that is
// there.
func (s *solver) inside(o *object) bool {
	if !s.prog.TypeSafe || o.Kind == KindExtern || o.raw {
		return false
	}
	_, ok := o.Type.(*ir.Struct)
	return ok
}

// component returns the largest value inside t, which lies at base, that starts at off.
func component(t ir.Type, base, off int64) (ir.Type, int64) {
	if off == base {
		return t, base
	}
	switch x := t.(type) {
	case ir.Array:
		if x.Elem.Size() > 0 {
			return component(x.Elem, base, off)
		}
	case *ir.Struct:
		if f := fieldAround(x, off-base); f != nil {
			return component(f.Type, base+f.Offset, off)
		}
	}
	return t, base
}

// add collects the scalars of a value of type t at base; off is the cell's offset from
// there, negative where it lies elsewhere.
func (r *reach) add(t ir.Type, base, off int64, write bool) {
	switch x := t.(type) {
	case ir.Array:
		if x.Elem.Size() > 0 {
			r.add(x.Elem, base, off, write)
			return
		}
	case *ir.Struct:
		if x.Union {
			break
		}
		for i := range x.Fields {
			f := &x.Fields[i]
			in := int64(-1)
			if d := off - f.Offset; off >= 0 && d >= 0 && (d < f.Type.Size() || flexible(f.Type)) {
				in = d
			}
			if !f.Hidden || in >= 0 {
				r.add(f.Type, base+f.Offset, in, write && !f.Const)
			}
		}
		return
	}
	at := span{lo: base, hi: base + max(t.Size(), 1)}
	r.follow = append(r.follow, at)
	if write {
		r.write = append(r.write, at)
	}
}

func (s *solver) within(c cell, spans []span) bool {
	for _, p := range spans {
		if p == everywhere || c.any || p.lo < c.off+s.word && c.off < p.hi {
			return true
		}
	}
	return false
}

// deepSafe finds what code not seen may write that has the addresses in start, or may
// read: that is everything in the values it finds, but for addresses of what has no
// pointers (flat), and of other types than to.
//
// It reports whether that is just what a hub leads to, and which (hub.go).
func (b *regionBuilder) deepSafe(c *class, start *set, k classKey, to *targets) *hub {
	seen, seenAll := &b.seen[0], &b.seen[1]
	defer seen.clear()
	defer seenAll.clear()
	var hubs []*hub
	by := hubKey{k.write, k.look, to}
	if !k.flat {
		hubs = b.hubs[by]
	}
	met, more := b.walk(c, start, k, to, seen, seenAll, hubs)
	c.nothing = len(c.spans) == 0 && !c.unknown && !start.empty()
	if met != nil && !more {
		return met
	}
	if met == nil && !k.flat && len(seen.at) > largeWalk/64 && len(hubs) < maxHubs {
		b.makeHub(seen, by, to)
	}
	return nil
}

// walk is deepSafe, with the cells that were found. Where it meets a hub it takes over
// what that leads to; more: it has found something else, too.
func (b *regionBuilder) walk(c *class, start *set, k classKey, to *targets, seen, seenAll *marks,
	hubs []*hub) (met *hub, more bool) {
	var work, workAll []int32
	visit := func(x int32) {
		if anything(x) {
			c.unknown = true
		} else if x >= numSpecial && to.has(b.s, b.s.cells[x]) && seen.add(x) {
			work = append(work, x)
		}
	}
	visitAll := func(x int32) {
		if x == cellUnknown {
			c.unknown = true
		} else if x >= numSpecial && to.has(b.s, b.s.cells[x]) && seenAll.add(x) {
			workAll = append(workAll, x)
		}
	}
	var rest []int32 // what the walk has gone over by itself
	start.each(visit)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if met != nil && met.seen.has(x) {
			continue
		}
		if met == nil {
			if i := slices.IndexFunc(hubs, func(h *hub) bool { return h.core.has(x) }); i >= 0 {
				met = hubs[i]
				seen.addAll(&met.seen)
				seenAll.addAll(&met.all)
				continue
			}
		}
		rest = append(rest, x)
		b.s.tick()
		st := b.stepFrom(x, k.write, k.look)
		if !k.flat {
			seen.rest(&st.next, visit)
		}
		if !k.flat {
			st.all.each(visitAll)
		}
	}
	for _, x := range rest {
		if met != nil && met.seen.has(x) {
			continue
		}
		more = true
		for _, p := range b.stepFrom(x, k.write, k.look).write {
			c.spans = append(c.spans, objSpan{b.s.cells[x].obj, p})
		}
	}
	for len(workAll) > 0 {
		x := workAll[len(workAll)-1]
		workAll = workAll[:len(workAll)-1]
		if met != nil && met.all.has(x) {
			continue
		}
		more = true
		b.s.tick()
		st := b.stepFrom(x, k.write, everything)
		for _, p := range st.write {
			c.spans = append(c.spans, objSpan{b.s.cells[x].obj, p})
		}
		seenAll.rest(&st.next, visitAll)
	}
	if met != nil {
		more = more || c.unknown && !met.unknown
		c.unknown = c.unknown || met.unknown
		c.spans = append(c.spans, met.spans...)
	}
	return met, more
}

// leadsNowhere reports whether, in a type-safe program, an address is of something
// without pointers.
func (s *solver) leadsNowhere(addr ir.Expr) bool {
	p, ok := addr.Type().(ir.Ptr)
	return ok && s.prog.TypeSafe && p.Elem.Size() > 0 && !hasPointers(p.Elem)
}

// hasPointers reports whether values of a type have pointers in them.
func hasPointers(t ir.Type) bool {
	switch x := t.(type) {
	case ir.Int, ir.Bool:
		return false
	case ir.Array:
		return hasPointers(x.Elem)
	case *ir.Struct:
		return opaqueObject(x) || slices.ContainsFunc(x.Fields, func(f ir.Field) bool { return hasPointers(f.Type) })
	}
	return true
}

// opaqueObject reports whether a type of a type-safe program is one of a library that is
// not looked into: an object of it may keep what the library was given. Points in time
// are values; a channel, a map or a closure with the name of such a type in its own is
// the program's.
func opaqueObject(t ir.Type) bool {
	s, ok := t.(*ir.Struct)
	return ok && strings.Contains(s.Name, ".") && !strings.HasPrefix(s.Name, "time.") && len(s.Fields) > 0 && s.Fields[0].Name == "__value"
}

// readable is what code not seen may read that has the address of a cell.
func (s *solver) readable(c cell) reach {
	at := everywhere
	if !c.any && s.inside(c.obj) {
		if t, base := component(c.obj.Type, 0, c.off); t.Size() > 0 && !flexible(t) {
			at = span{lo: base, hi: base + t.Size()}
		}
	}
	return reach{[]span{at}, []span{at}}
}

// namable is what code not seen may use without looking into hidden members, and, if
// typed, into constant ones. Extern objects have such members as well.
func (s *solver) namable(c cell, typed bool) reach {
	st, ok := c.obj.Type.(*ir.Struct)
	if c.any || c.obj.raw || !ok || st.Union {
		return s.reachOf(c)
	}
	t, base := component(st, 0, c.off)
	var r reach
	r.add(t, base, c.off-base, true)
	if typed {
		r.follow = r.write // constant ones are left out there
	}
	return r
}

type stepKey struct {
	cell  int32
	write bool
	look  look
}

// writeStep is what code not seen may write that has the address of one cell, and the
// addresses it finds there.
type writeStep struct {
	write []span
	next  set
	all   set // addresses from where on it looks everywhere
}

func (b *regionBuilder) stepFrom(x int32, write bool, how look) *writeStep {
	k := stepKey{x, write, how}
	if st := b.steps[k]; st != nil {
		return st
	}
	c := b.s.cells[x]
	r := b.s.reachOf(c)
	if b.s.hides(c.obj) && !c.any {
		r = reach{}
		r.add(c.obj.Type, 0, c.off, true)
	}
	switch {
	case how == named || how == typed:
		if r = b.s.namable(c, how == typed); !write {
			r.write = r.follow
		}
	case !write:
		r = b.s.readable(c)
	}
	st := &writeStep{write: joined(r.write)}
	b.steps[k] = st
	var found, all set
	for _, d := range c.obj.content {
		if !b.s.within(b.s.cells[d], r.follow) {
			continue
		}
		to := &found
		if how == asPrinted {
			switch shows(b.s.cells[d]) {
			case address:
				continue
			case byMethod:
				to = &all
			}
		}
		to.union(b.s.pts(b.s.cells[d].node), nil)
	}
	if c.obj.storeAny != 0 {
		found.union(b.s.pts(c.obj.storeAny), nil)
	}
	st.next, st.all = *b.heads(&found), *b.heads(&all)
	return st
}

// heads returns the cells of a set, without those of functions; in objects where all
// addresses are the same, one cell.
func (b *regionBuilder) heads(cells *set) *set {
	var out set
	cells.each(func(x int32) {
		switch {
		case anything(x):
			out.add(x)
		case x < numSpecial || b.s.isGhost(x) || b.s.cells[x].obj.Kind == KindFunc:
		case b.s.inside(b.s.cells[x].obj) || b.s.guarded(b.s.cells[x].obj):
			out.add(x)
		default:
			o := b.s.cells[x].obj
			h, ok := b.head[o]
			if !ok {
				h = b.s.cellAt(o, 0)
				b.head[o] = h
			}
			out.add(h)
		}
	})
	return &out
}

// joined merges spans that touch.
func joined(ps []span) []span {
	slices.SortFunc(ps, func(p, q span) int { return cmp.Compare(p.lo, q.lo) })
	var out []span
	for _, p := range ps {
		if n := len(out); n > 0 && p.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, p.hi)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// constAt reports whether a part of an object lies in members that are written where it
// is made and never again.
func constAt(o *object, at span) bool {
	if o.raw {
		return false
	}
	t, off := o.Type, at.lo
	for {
		s, ok := t.(*ir.Struct)
		if !ok {
			return false
		}
		f := fieldAround(s, off)
		if f == nil || at.hi-at.lo > f.Offset+f.Type.Size()-off {
			return false
		}
		if f.Const {
			return true
		}
		t, off = f.Type, off-f.Offset
	}
}

// WrittenOutside reports whether code not seen may write to a region by itself. Members
// of objects that such code made are written by it where it can name them, or is given
// their address.
func (r *Result) WrittenOutside(reg *Region) bool {
	at := span{lo: reg.Offset + reg.ArrayStart, hi: reg.Offset + reg.ArrayStart + reg.Size}
	if reg.Elem != 0 || reg.Size <= 0 {
		return true
	}
	for _, o := range reg.Objects {
		x := r.s.objs[o.ID]
		writable := slices.Concat(x.writable, x.lentWritable)
		if x.past != nil {
			writable = slices.Concat(writable, x.past.writable, x.past.lentWritable)
		}
		if _, isStruct := x.Type.(*ir.Struct); isStruct && x.Kind == KindExtern && r.s.prog.TypeSafe && !x.raw {
			if r.s.given(x, at) {
				return true
			}
			var named reach
			named.add(x.Type, 0, -1, true)
			writable = named.write
		}
		if slices.ContainsFunc(writable, func(p span) bool { return p == everywhere || p.lo < at.hi && at.lo < p.hi }) {
			return true
		}
	}
	return false
}

// noteWritten notes what a class of addresses that are written touches.
func (r *Result) noteWritten(x *rec, c *class) {
	if !x.write {
		return
	}
	for _, p := range c.spans {
		if !slices.Contains(r.written[p.obj.ID], p.span) {
			r.written[p.obj.ID] = append(r.written[p.obj.ID], p.span)
		}
	}
}

// StaysZero reports whether the cell of a region in one of its objects is zero for good:
// the object is allocated as zeros, and neither the program nor, by itself, code not seen
// writes there.
func (r *Result) StaysZero(reg *Region, o *Object) bool {
	if o.Alloc == nil || !o.Alloc.Zero || !reg.Exact || r.WrittenOutside(&Region{Objects: []*Object{o}, Offset: reg.Offset, Size: reg.Size, Elem: reg.Elem}) {
		return false
	}
	at := span{lo: reg.Offset, hi: reg.Offset + reg.Size}
	return !slices.ContainsFunc(r.written[o.ID], func(p span) bool { return p == everywhere || p.folded || p.lo < at.hi && at.lo < p.hi })
}

// given reports whether code not seen has, or is lent, an address within a span of an
// object, or anywhere in it. That of its start is not that of a member it cannot name.
func (s *solver) given(o *object, at span) bool {
	found := false
	for _, node := range []int32{s.leak, s.lend} {
		s.pts(node).each(func(c int32) {
			if x := s.cells[c]; c >= numSpecial && x.obj == o {
				found = found || x.any || at.lo <= x.off && x.off < at.hi
			}
		})
	}
	return found
}
