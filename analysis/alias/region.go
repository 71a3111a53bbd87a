package alias

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"whoop/ir"
)

// Regions are built in three steps. First every address operand (rec) is reduced to a
// class: recs with the same address node and size touch the same cells. Then each object
// is cut into pieces: overlapping scalar accesses make one piece, and what is only
// touched by block operations is cut where those begin and end. Last, objects whose
// pieces and accesses are the same are merged: a region is the same piece of all of them.

// A class is a set of byte ranges that address operands touch.
type class struct {
	id      int
	narrow  bool
	live    bool      // some rec of it is not fresh
	mixed   []objSpan // what of it only the running thread knows, where others may know the rest
	unknown bool
	nothing bool // code not seen has the address, but may not do that with what is there
	spans   []objSpan
	regions []*Region
}

type objSpan struct {
	obj *object
	span
}

type classKey struct {
	node  int32
	size  int64
	mode  byte
	write bool   // of deep ones
	look  look   // of deep ones
	flat  bool   // deep, but what is there has no pointers
	inner bool   // of deep ones: without what is at the addresses
	elem  string // of deep ones in type-safe programs, and of pointees: what the address is of
}

// touch is what one class touches of one object.
type touch struct {
	*class
	spans []span
}

// piece is a range of an object with the classes that touch it.
type piece struct {
	span
	exact   bool
	rest    bool // all that no other piece names
	in      level
	classes []int // live ones, ascending
	region  *Region
}

type regionBuilder struct {
	s       *solver
	classes []*class
	byKey   map[classKey]classes
	byStart map[startKey]classes // deep ones in type-safe programs
	byHub   map[hubClass]classes // of what a hub leads to
	hubs    map[hubKey][]*hub
	bySpans map[string]*class
	perObj  map[*object][]touch
	pieces  map[*object][]*piece
	succ    map[*object]*set
	steps   map[stepKey]*writeStep // see stepFrom
	head    map[*object]int32      // see heads
	seen    [2]marks               // see deepSafe and deepCore
	leads   map[string]*targets    // see leadsTo
	regions []*Region
	said    map[string]bool     // assumptions made
	locks   map[*ir.Struct]bool // types of locks and the like: opaque in names
}

// startKey is a classKey, without its node, with the cells that this leads to.
type startKey struct {
	classKey
	start string
}

// hubClass is a classKey, without its node, of what a hub leads to.
type hubClass struct {
	*hub
	classKey
}

func newRegionBuilder(s *solver) *regionBuilder {
	return &regionBuilder{s: s, byKey: map[classKey]classes{}, byStart: map[startKey]classes{}, byHub: map[hubClass]classes{}, hubs: map[hubKey][]*hub{}, bySpans: map[string]*class{},
		perObj: map[*object][]touch{}, pieces: map[*object][]*piece{}, succ: map[*object]*set{}, steps: map[stepKey]*writeStep{}, head: map[*object]int32{}, leads: map[string]*targets{}, locks: map[*ir.Struct]bool{}, said: map[string]bool{}}
}

func lookIf(r *rec) look {
	if r.mode == deep {
		return r.look
	}
	return everything
}

// classOf returns the class of a rec's address in one context, and apart from it that of
// what only the running thread knows of what is touched (publication.go); each may be
// nil.
func (b *regionBuilder) classOf(r *rec, node int32, pos ir.Pos) classes {
	k := classKey{b.s.find(node), r.size, r.mode, r.mode == deep &&
		r.write, lookIf(r), r.mode == deep && b.s.leadsNowhere(r.addr), r.inner, ""}
	var to *targets
	if p, ok := r.addr.Type().(ir.Ptr); ok && b.s.prog.TypeSafe && r.mode == deep && p.Elem != nil && p.Elem.Size() > 0 {
		to, k.elem = b.leadsTo(p.Elem)
	}
	if r.pointee != nil {
		k.elem = typeKey(r.pointee)
	}
	if cs, ok := b.byKey[k]; ok {
		return cs
	}
	c := &class{narrow: r.mode == narrow || r.mode == target}
	if k.look == core {
		b.deepCore(c, node)
	} else if k.write || r.mode == deep && b.s.prog.TypeSafe {
		start := b.heads(b.s.pts(node))
		if k.inner {
			start = b.behind(start, k)
		}
		same := k
		same.node = 0
		if to != nil && to.of == nil && r.pointee == nil { // of anything
			to, same.elem = nil, ""
		}
		from := startKey{same, start.text()}
		if cs, ok := b.byStart[from]; ok {
			b.byKey[k] = cs
			return cs
		}
		defer func() { b.byStart[from] = b.byKey[k] }()
		if h := b.deepSafe(c, start, k, to); h != nil { // nearly all of these are one
			all := hubClass{h, same}
			if cs, ok := b.byHub[all]; ok {
				b.byKey[k] = cs
				return cs
			}
			defer func() { b.byHub[all] = b.byKey[k] }()
		}
	} else if r.mode == deep {
		b.deep(c, node)
	} else {
		b.shallow(c, node, r, pos)
	}
	if p, ok := r.addr.Type().(ir.Ptr); ok && r.mode == target {
		if st, ok := p.Elem.(*ir.Struct); ok {
			b.locks[st] = true
		}
	}
	cs := b.split(c, r.mode)
	b.byKey[k] = cs
	return cs
}

// classes are what an address operand touches: rest is what others may know, own what
// only the running thread does.
type classes struct{ rest, own *class }

// split takes what only the running thread knows out of a class. Scalar accesses that may
// be to either stay one class: they are mixed.
func (b *regionBuilder) split(c *class, mode byte) classes {
	own := &class{narrow: c.narrow}
	var rest []objSpan
	for _, x := range c.spans {
		o := x.obj
		if b.s.worlds == nil {
			o = o.same()
		}
		if b.s.own(x.obj) && mode != target {
			own.spans = append(own.spans, objSpan{o, x.span})
		} else {
			rest = append(rest, objSpan{o, x.span})
		}
	}
	other := len(rest) > 0 || c.unknown
	switch {
	case len(own.spans) == 0:
		c.spans = rest
		return classes{rest: b.unique(c)}
	case !other:
		return classes{own: b.unique(own)}
	case mode == deep:
		c.spans = rest
		return classes{b.unique(c), b.unique(own)}
	}
	c.spans, c.mixed = append(rest, own.spans...), own.spans
	return classes{rest: b.unique(c)}
}

// unique returns the class with the ranges of c, which may be c itself.
func (b *regionBuilder) unique(c *class) *class {
	c.spans = sortSpans(c.spans)
	key := []byte{0, 0}
	if c.narrow {
		key[0] = 1
	}
	if c.unknown {
		key[1] = 1
	} else if c.nothing {
		key[1] = 2
	}
	if len(c.mixed) > 0 {
		key[1] |= 4
	}
	for _, x := range c.spans {
		key = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(key, int64(x.obj.ID)), x.lo), x.hi)
		if x.folded {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	if old := b.bySpans[string(key)]; old != nil {
		return old
	}
	c.id = len(b.classes)
	b.classes = append(b.classes, c)
	b.bySpans[string(key)] = c
	for i := 0; i < len(c.spans); {
		o, t := c.spans[i].obj, touch{class: c}
		for ; i < len(c.spans) && c.spans[i].obj == o; i++ {
			t.spans = append(t.spans, c.spans[i].span)
		}
		b.perObj[o] = append(b.perObj[o], t)
	}
	return c
}

func (b *regionBuilder) shallow(c *class, node int32, r *rec, pos ir.Pos) {
	null, weak := false, false
	var constant []objSpan
	var dropped *object
	b.s.pts(node).each(func(x int32) {
		switch x {
		case cellNull:
			null = true
			return
		case cellInt:
			weak = true
			return
		case cellTrue: // no pointer is stored there
			return
		case cellUnknown, cellResult:
			c.unknown = true
			return
		}
		cl := b.s.cells[x]
		switch {
		case cl.ghost: // nothing is there
			null = true
		case cl.obj.Kind == KindFunc:
		case r.write && cl.obj.readOnly && (b.s.byEffective || b.s.prog.TypeSafe): // nothing writes there
			constant = append(constant, objSpan{cl.obj, footprint(cl.obj, cl.off, r.size)})
		case cl.any:
			c.spans = append(c.spans, objSpan{cl.obj, everywhere})
		case !inBounds(cl.obj, cl.off, scalarSize(r)):
			dropped = cl.obj
		case r.pointee != nil:
			c.spans = append(c.spans, objSpan{cl.obj, memberAt(cl, r.pointee)})
		default:
			c.spans = append(c.spans, objSpan{cl.obj, footprint(cl.obj, cl.off, r.size)})
		}
	})
	if len(c.spans) == 0 { // it is not known where else
		c.spans = constant
	}
	switch {
	case len(c.spans) == 0:
		c.unknown = c.unknown || weak || dropped != nil || !null
	case dropped != nil:
		b.once("out-of-bounds "+dropped.Name, "out-of-bounds", pos, "an access that would lie outside of "+dropped.Name+
			" is left out: bounds are taken to be kept")
	case weak:
		b.once("int-pointer", "int-pointer", pos, "integers made into pointers (error codes) are taken not to be "+
			"dereferenced where the pointer may also be the address of an object; first place")
	}
}

// once records an assumption at the first place only.
func (b *regionBuilder) once(key, kind string, pos ir.Pos, text string) {
	if !b.said[key] {
		b.said[key] = true
		b.s.assume(kind, pos, text)
	}
}

// scalarSize is the size of a scalar access; block operations may be cut short.
func scalarSize(r *rec) int64 {
	if r.mode == narrow {
		return r.size
	}
	return 1
}

// deep finds everything reachable from the node.
func (b *regionBuilder) deep(c *class, node int32) {
	var seen set
	var work []*object
	visit := func(x int32) {
		if seen.add(x) {
			if x == 0 {
				c.unknown = true
				return
			}
			work = append(work, b.s.objs[x-1])
		}
	}
	start := b.s.objectsOf(b.s.pts(node))
	start.each(visit)
	for len(work) > 0 {
		b.s.tick()
		o := work[len(work)-1]
		work = work[:len(work)-1]
		c.spans = append(c.spans, objSpan{o, everywhere})
		next := b.successors(o)
		if seen.missing(next) {
			next.each(visit)
		}
	}
}

// deepCore finds what the kernel may access on its own that has the addresses in the
// node: what it knows of the program's objects there, and of those that lead from there.
func (b *regionBuilder) deepCore(c *class, node int32) {
	var work []int32
	cells, nodes := &b.seen[0], &b.seen[1]
	defer cells.clear()
	defer nodes.clear()
	visit := func(x int32) {
		cells.add(x)
		switch {
		case anything(x):
			c.unknown = true
		case x < numSpecial || b.s.isGhost(x) || b.s.cells[x].obj.Kind == KindExtern ||
			b.s.cells[x].obj.Kind == KindFunc:
		default:
			work = append(work, x)
		}
	}
	through := func(n int32) { // the sets of a node are looked at once
		if n = b.s.find(n); nodes.add(n) {
			cells.rest(&b.s.nodes[n].pts, visit)
		}
	}
	through(node)
	for len(work) > 0 {
		x := b.s.cells[work[len(work)-1]]
		work = work[:len(work)-1]
		b.s.tick()
		at := []span{b.s.exposed(x)}
		c.spans = append(c.spans, objSpan{x.obj, at[0]})
		for _, d := range x.obj.content {
			if n := b.s.find(b.s.cells[d].node); !nodes.has(n) && b.s.within(b.s.cells[d], at) {
				through(n)
			}
		}
		if x.obj.storeAny != 0 {
			through(x.obj.storeAny)
		}
	}
	c.nothing = len(c.spans) == 0 && !c.unknown && !b.s.pts(node).empty()
}

// behind returns what the objects at some cells lead to.
func (b *regionBuilder) behind(cells *set, k classKey) *set {
	var out set
	cells.each(func(x int32) {
		if anything(x) {
			out.add(x)
		} else if x >= numSpecial {
			out.union(&b.stepFrom(x, k.write, k.look).next, nil)
		}
	})
	return &out
}

// objectsOf returns the numbers of the objects of a set of cells, plus one; 0 stands for
// an unknown one.
func (s *solver) objectsOf(cells *set) *set {
	var out set
	cells.each(func(x int32) {
		switch {
		case anything(x):
			out.add(0)
		case x >= numSpecial && s.cells[x].obj.Kind != KindFunc:
			out.add(int32(s.cells[x].obj.ID) + 1)
		}
	})
	return &out
}

// successors returns what the cells of o may point to, in the numbering of objectsOf.
func (b *regionBuilder) successors(o *object) *set {
	if x := b.succ[o]; x != nil {
		return x
	}
	var cells set
	b.s.eachContentSet(o, func(t *set) { cells.union(t, nil) })
	x := b.s.objectsOf(&cells)
	b.succ[o] = x
	return x
}

// eachContentSet calls f on the sets of what the cells of o may hold.
func (s *solver) eachContentSet(o *object, f func(*set)) {
	for _, c := range o.content {
		f(s.pts(s.cells[c].node))
	}
	if o.storeAny != 0 {
		f(s.pts(o.storeAny))
	}
}

// cut makes the pieces of an object.
func (b *regionBuilder) cut(o *object) {
	ps := scalarPieces(o, b.perObj[o])
	ps = append(ps, b.blockPieces(o, ps)...)
	for _, p := range ps {
		for _, c := range b.perObj[o] {
			if c.live && c.touches(p) {
				p.classes = append(p.classes, c.id)
			}
		}
	}
	sort.SliceStable(ps, func(i, j int) bool { return !ps[i].rest && (ps[j].rest || ps[i].lo < ps[j].lo) })
	b.pieces[o] = ps
}

// touches tells whether the class may touch the piece.
func (c touch) touches(p *piece) bool {
	for _, x := range c.spans {
		if x == everywhere || x.lo < p.hi && p.lo < x.hi || p.rest && !c.narrow {
			return true
		}
	}
	return false
}

// scalarPieces joins the overlapping scalar accesses.
func scalarPieces(o *object, cs []touch) []*piece {
	var xs []span
	smashed := false
	for _, c := range cs {
		for _, x := range c.spans {
			switch {
			case c.narrow && x != everywhere:
				xs = append(xs, x)
			case c.narrow:
				smashed = true
			}
		}
	}
	sort.Slice(xs, func(i, j int) bool { return xs[i].lo < xs[j].lo || xs[i].lo == xs[j].lo && xs[i].hi < xs[j].hi })
	var out []*piece
	for _, x := range xs {
		if n := len(out); n > 0 && x.lo < out[n-1].hi {
			p := out[n-1]
			p.exact = p.exact && x.lo == p.lo && !x.folded
			p.hi = max(p.hi, x.hi)
			continue
		}
		p := &piece{span: span{lo: x.lo, hi: x.hi}, exact: !x.folded && !smashed}
		if _, lv := o.canon(x.lo); len(lv) > 0 {
			p.in = lv[len(lv)-1]
		}
		out = append(out, p)
	}
	for _, p := range out {
		if p.in.stride != 0 && p.hi > p.in.start+p.in.stride {
			p.exact = false
		}
	}
	return out
}

const maxLeaves = 4096

// blockPieces cuts what only block operations (and accesses at unknown offsets) touch.
func (b *regionBuilder) blockPieces(o *object, scalars []*piece) []*piece {
	var blocks []touch
	for _, c := range b.perObj[o] {
		if !c.narrow || slices.Contains(c.spans, everywhere) {
			blocks = append(blocks, c)
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	smashed := slices.ContainsFunc(blocks, func(c touch) bool { return c.narrow })
	var ls []leaf
	if !o.raw && o.Type != nil {
		ls = leaves(o.Type, maxLeaves)
	}
	if len(ls) == 0 {
		return []*piece{{rest: true}}
	}
	var out []*piece
	prev := ""
next:
	for _, l := range ls {
		for _, p := range scalars {
			if l.lo < p.hi && p.lo < l.hi {
				if l.lo < p.lo {
					p.lo, p.exact = l.lo, false
				}
				p.hi = max(p.hi, l.hi)
				prev = ""
				continue next
			}
		}
		p := &piece{span: span{lo: l.lo, hi: l.hi}, exact: !smashed, in: l.in}
		key := ""
		for _, c := range blocks {
			if c.touches(p) {
				key += fmt.Sprint(c.id, ",")
			}
		}
		if n := len(out); key != "" && key == prev && out[n-1].in == l.in {
			out[n-1].hi = max(l.hi, out[n-1].hi)
		} else if key != "" {
			out = append(out, p)
		}
		prev = key
	}
	if o.tail {
		out = append(out, &piece{rest: true})
	}
	return out
}

// signature describes pieces and accesses of an object: objects with equal ones are
// merged.
func (b *regionBuilder) signature(o *object) string {
	var sb strings.Builder
	for _, p := range b.pieces[o] {
		fmt.Fprint(&sb, p.lo, p.hi, p.exact, p.rest, p.in.start, p.in.stride, p.classes, ";")
	}
	return sb.String()
}

// buildRegions makes the regions and hands them to the classes.
func (b *regionBuilder) buildRegions() {
	groups := map[string]int{}
	merged := map[string][]*object{}
	var order []string
	for _, o := range b.s.objs {
		if len(b.perObj[o]) == 0 {
			continue
		}
		b.cut(o)
		k := b.signature(o)
		if !b.mergeable(o) {
			k += fmt.Sprint("#", o.ID)
		}
		if merged[k] == nil {
			order = append(order, k)
		}
		merged[k] = append(merged[k], o)
	}
	for _, k := range order {
		b.regionsOf(merged[k], groups)
	}
	for _, o := range b.s.objs {
		for _, c := range b.perObj[o] {
			for _, p := range b.pieces[o] {
				if c.touches(p) {
					c.regions = append(c.regions, p.region)
				}
			}
		}
	}
	for _, c := range b.classes {
		slices.SortFunc(c.regions, func(x, y *Region) int { return x.ID - y.ID })
		c.regions = slices.Compact(c.regions)
	}
}

// mergeable: objects nobody accesses but while they are fresh stay apart.
func (b *regionBuilder) mergeable(o *object) bool {
	for _, p := range b.pieces[o] {
		if len(p.classes) > 0 {
			return true
		}
	}
	return false
}

func (b *regionBuilder) regionsOf(os []*object, groups map[string]int) {
	first := b.pieces[os[0]]
	for i, p := range first {
		r := &Region{ID: len(b.regions), Offset: p.lo, Exact: p.exact && !p.rest, Size: p.hi - p.lo}
		if p.in.stride != 0 {
			r.Elem, r.ArrayStart = p.in.stride, p.in.start
			r.Offset -= p.in.start
		}
		for _, o := range os {
			r.Objects = append(r.Objects, &o.Object)
			r.Shared = r.Shared || o.Shared
			r.Const = (r.Const || len(r.Objects) == 1) && !p.rest && constAt(o, p.span)
			b.pieces[o][i].region = r
		}
		k := fmt.Sprint(os[0].ID, ",", r.Elem, ",", r.ArrayStart)
		if _, ok := groups[k]; !ok {
			groups[k] = len(groups)
		}
		r.Group = groups[k]
		r.Name = regionName(os, p, b.locks)
		r.Field = fieldName(os[0], p, r.Name, b.locks)
		b.regions = append(b.regions, r)
	}
}

// regionName names a piece after its first object, or after the struct type where there
// are several.
func regionName(os []*object, p *piece, locks map[*ir.Struct]bool) string {
	o := os[0]
	name := o.Name
	if st, ok := o.Type.(*ir.Struct); ok && len(os) > 1 {
		name = "struct " + st.Name
	}
	switch {
	case p.rest:
		return name + ".*"
	case o.tail && p.lo >= o.Type.Size():
		if at := o.behind; at.s != nil {
			return name + " " + at.s.Name + pathAt(at.s, p.lo-at.off, locks)
		}
		return fmt.Sprintf("%s+%d", name, p.lo)
	case o.raw && p.lo != 0:
		return fmt.Sprintf("%s+%d", name, p.lo)
	case o.raw || o.Type == nil:
		return name
	}
	path := pathAt(o.Type, p.lo, locks)
	if o.Kind == KindExtern || o.Kind == KindHeap {
		path = strings.TrimPrefix(path, "[]") // an object of that type, one or many
	}
	return name + path
}

// fieldName names the member that a piece of an object is by the object's type; what is
// no member of a struct on the heap is named as it is, without the calls that lead to the
// allocation.
func fieldName(o *object, p *piece, name string, locks map[*ir.Struct]bool) string {
	if o.Kind == KindGlobal {
		return name
	}
	t := o.Type
	if a, ok := t.(ir.Array); ok {
		t = a.Elem
	}
	if at := o.behind; at.s != nil && !p.rest && p.lo >= at.off {
		return at.s.Name + pathAt(at.s, p.lo-at.off, locks)
	}
	if st, ok := t.(*ir.Struct); ok && !o.raw && !p.rest {
		return st.Name + strings.TrimPrefix(pathAt(o.Type, p.lo, locks), "[]")
	}
	if at, rest, ok := strings.Cut(name, "@"); ok && o.Kind == KindHeap {
		if _, path, ok := strings.Cut(rest, ")"); ok {
			return at + ")" + path
		}
	}
	return name
}
