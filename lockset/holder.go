package lockset

import (
	"fmt"
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/seqz"
)

// Holders. An object that has no lock of its own is often protected by that of its owner:
// box.mu for the array behind box.items, for the nodes of box.list, and for the ring
// behind box.queue.ring. Placings say who owns what.
//
// The watched object is one more unconstrained constant, as a range of addresses: with the
// gap behind it, so that the address behind its end is in it. Its owner is another one,
// the owner of that a third, and so on. Where the owner of what is accessed, loaded or
// stored is named by a register, what ties it to these constants is a fact: if the pointer
// leads to the watched object, then that is its owner. It holds for every object that the
// range stands for, in every execution. The locks in the owners are guards of the watched
// object.

// maxHolders is how many holders are looked at, one holding the other; maxHolderLocks
// bounds the guards. Precision only.
const (
	maxHolders     = 3
	maxHolderLocks = 48
)

// holders are the holders of the watched object.
type holders struct {
	// levels are the nearest holder, its holder, and so on; none where nothing has one.
	levels []*holder
	// guards are the locks in them, by the allocations of the objects that they may
	// protect.
	guards map[*ir.Alloc][]*guard
	list   []*guard
	// of is the level of the holder that a guard lies in.
	of map[*guard]int
	// types are those of the objects that have holders, of arrays those of the elements.
	types    []ir.Type
	placings *placings
}

// holder is the holder of one level.
type holder struct {
	// base is the address of the object, or of the array element, that the cell lies in;
	// object is the whole.
	base   *ir.Reg
	object *extent
	// inArray: some may be an element of an array.
	inArray bool
	// types are those of the holders that base may be the address of.
	types []ir.Type
	// owns are the allocations of the objects, watched ones or holders of the level below,
	// that they own.
	owns map[*ir.Alloc]bool
}

// extent is an object as a range of addresses: [low, low+size).
type extent struct{ low, size *ir.Reg }

func newExtent(name string) *extent {
	return &extent{&ir.Reg{Name: name, Type: ir.VPtr, Ghost: true}, &ir.Reg{Name: name + ".size", Type: ir.I64, Ghost: true}}
}

// has says that an address is in the object.
func (o *extent) has(addr ir.Expr) ir.Expr {
	end := ir.IndexAddr{Base: ir.Use{Reg: o.low}, Idx: ir.Use{Reg: o.size}, Stride: 1, T: ir.VPtr}
	return ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: ir.Use{Reg: o.low}, Y: addr}, Y: ir.Binary{Op: "lt", X: addr, Y: end}}
}

// heldFrame is the key of the frame of objects that have holders.
const heldFrame = "held"

// findHolders finds the holders and the locks in them.
func (l *locks) findHolders(late func() error) {
	h := &l.holders
	h.guards, h.of = map[*ir.Alloc][]*guard{}, map[*guard]int{}
	if len(l.regions) == 0 {
		return
	}
	p := l.f.placings(l.regions, late)
	l.cut = p.cut
	h.placings = p
	inner := map[*ir.Alloc][]*alias.Region{}
	for _, r := range p.good(true) {
		for _, o := range r.Objects {
			inner[o.Alloc] = append(inner[o.Alloc], r)
		}
	}
	outer := p.good(false)
	// of are the objects of interest that holders of a level own, from the watched ones
	// on: by allocation those that they are in the end about.
	type about map[*ir.Alloc]map[*ir.Alloc]bool
	of, owned := about{}, map[*alias.Region][]*ir.Alloc{}
	for _, r := range outer {
		owned[r] = p.owned(r, inner)
		for _, a := range owned[r] {
			if of[a] == nil {
				of[a] = map[*ir.Alloc]bool{a: true}
				h.types = withType(h.types, a.Elem)
			}
		}
	}
	for n := 0; n < maxHolders && len(of) > 0; n++ {
		level := &holder{base: &ir.Reg{Name: fmt.Sprintf("$holder.%d", n+1), Type: ir.VPtr, Ghost: true}, object: newExtent(fmt.Sprintf("$holder.%d.object", n+1)),
			owns: map[*ir.Alloc]bool{}}
		h.levels = append(h.levels, level)
		next := about{}
		for _, r := range outer {
			protects := map[*ir.Alloc]bool{}
			for _, a := range owned[r] {
				for w := range of[a] {
					protects[w], level.owns[a] = true, true
				}
			}
			if len(protects) == 0 {
				continue
			}
			level.inArray = level.inArray || r.Elem != 0 && !p.wholeHolder(r)
			level.add(r)
			l.locksBeside(r, n, protects)
			for _, o := range r.Objects {
				if o.Alloc == nil {
					continue
				}
				if next[o.Alloc] == nil {
					next[o.Alloc] = map[*ir.Alloc]bool{}
				}
				for w := range protects {
					next[o.Alloc][w] = true
				}
			}
		}
		of = next
	}
}

// add notes the types of the objects that cells of a region lie in.
func (h *holder) add(r *alias.Region) {
	for _, o := range r.Objects {
		if t := elementOf(o, r); t != nil {
			h.types = withType(h.types, t)
		}
	}
}

func withType(ts []ir.Type, t ir.Type) []ir.Type {
	if slices.ContainsFunc(ts, func(u ir.Type) bool { return u == t || ir.Equal(u, t) }) {
		return ts
	}
	return append(ts, t)
}

// locksBeside makes guards of the locks that lie in one object, or array element, with a
// cell of level n.
func (l *locks) locksBeside(r *alias.Region, n int, protects map[*ir.Alloc]bool) {
	h := &l.holders
	elem := r.Elem
	if h.placings.wholeHolder(r) {
		elem = 0
	}
	for _, k := range l.regions {
		if !k.Exact || k.Elem != elem || elem != 0 && k.ArrayStart != r.ArrayStart || !shareObject(k, r) {
			continue
		}
		name := plainName(k.Field)
		if s, ok := elementOf(k.Objects[0], k).(*ir.Struct); ok {
			name = place(s.Name, s, k.Offset) // one guard for all objects of the type
		}
		key := fmt.Sprintf("h%d:%s+%d", n, name, k.Offset)
		known := l.fns[key] != nil
		if !known && len(h.list) == maxHolderLocks {
			continue
		}
		fr := l.frame(heldFrame)
		if fr.extent == nil {
			fr.extent = &extent{fr.watch, &ir.Reg{Name: fr.watch.Name + ".size", Type: ir.I64, Ghost: true}}
		}
		g := l.lock(key, name, fr, offsetFrom(ir.Use{Reg: h.levels[n].base}, k.Offset), k)
		if !known {
			h.list, h.of[g] = append(h.list, g), n
		}
		for a := range protects {
			if !slices.Contains(h.guards[a], g) {
				h.guards[a] = append(h.guards[a], g)
			}
		}
	}
}

// owned are the assumptions after a load from a good cell, or a store to one, with the
// origins behind it; none for other instructions.
func (x *instrumenter) owned(in ir.Instr) []ir.Instr {
	var value ir.Expr
	switch in := in.(type) {
	case *ir.Load:
		value = ir.Use{Reg: in.Dst}
	case *ir.Store:
		value = in.Val
	default:
		return nil
	}
	if x.flow == nil || !ir.IsPtr(value.Type()) {
		return nil
	}
	base, cells := x.ownerOf(value)
	if base == nil {
		return nil
	}
	h := &x.l.holders
	var out []ir.Instr
	for n, level := range h.levels {
		if !level.leadTo(cells, h.placings) {
			continue
		}
		other := ir.Unary{Op: "lnot", X: x.l.leadsTo(asPtr(value), n)}
		out = append(out, &ir.Assume{Base: ir.Base{Pos: in.At()}, Cond: ir.Binary{Op: "lor", X: other, Y: level.is(base)}})
	}
	return out
}

// leadTo reports whether cells may lead to objects that matter to the level.
func (h *holder) leadTo(cells ids, p *placings) bool {
	return slices.ContainsFunc(cells, func(c int) bool {
		return slices.ContainsFunc(p.contents[c], func(a int) bool { return h.owns[p.allocs[a]] })
	})
}

// is says that a holder is that of the level.
func (h *holder) is(base ir.Expr) ir.Expr {
	out := ir.Expr(ir.Binary{Op: "eq", X: base, Y: ir.Use{Reg: h.base}})
	if h.inArray {
		out = ir.Binary{Op: "land", X: out, Y: h.object.has(asPtr(rootOf(base)))}
	}
	return out
}

// ownerOf is the address of the owner of what a pointer leads to, by the origins at the
// present place, with the cells that this rests on; nil where it is not known.
func (x *instrumenter) ownerOf(ptr ir.Expr) (base ir.Expr, cells ids) {
	v, ok := x.flow.value(ptr, x.origins)
	o := x.flow.owners[v.from]
	if !ok || v.token() || o == nil || o.root == nil || slices.ContainsFunc(v.cells, func(c int) bool { return x.flow.spoilt[c] }) {
		return nil, nil
	}
	return offsetFrom(asPtr(o.root), o.off), v.cells
}

// leadsTo says that a pointer leads to the watched object (n is 0), or to the nth holder.
func (l *locks) leadsTo(ptr ir.Expr, n int) ir.Expr {
	if n == 0 {
		return l.frame(heldFrame).extent.has(ptr)
	}
	h := l.holders.levels[n-1]
	is := ir.Expr(ir.Binary{Op: "eq", X: ptr, Y: ir.Use{Reg: h.base}})
	if h.inArray {
		is = ir.Binary{Op: "lor", X: is, Y: h.object.has(ptr)}
	}
	return is
}

// holderLocks are the locks in the holders of the objects that an access is to; roots
// are pointers to the object.
func (c *checker) holderLocks(rs []*alias.Region, roots []ir.Expr) []regionLock {
	if len(roots) == 0 || len(c.l.holders.list) == 0 {
		return nil
	}
	var out []regionLock
	seen := map[*guard]bool{}
	for _, r := range rs {
		for _, o := range r.Objects {
			for _, g := range c.l.holders.guards[o.Alloc] {
				if !seen[g] && c.mayHold(g, 1) {
					seen[g] = true
					is := c.isWatched(g, roots)
					out = append(out, regionLock{fn: g, watched: func(ir.Expr) ir.Expr { return is }})
				}
			}
		}
	}
	return out
}

// isWatched says that an access is to the watched object: by its address, and by the
// holders up to that of the guard, as far as they are known here.
func (c *checker) isWatched(g *guard, roots []ir.Expr) ir.Expr {
	out := g.frame.isBase(asPtr(roots[len(roots)-1]))
	if c.flow == nil {
		return out
	}
	for _, ptr := range roots {
		for n := 0; n <= c.l.holders.of[g]; n++ {
			base, _ := c.ownerOf(ptr)
			if base == nil {
				break
			}
			out = ir.Binary{Op: "land", X: out, Y: c.l.holders.levels[n].is(base)}
			ptr = rootOf(base)
		}
	}
	return out
}

// rootOf is the pointer that an address was computed from: it leads to the same object.
func rootOf(e ir.Expr) ir.Expr {
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			e = x.Base
		case ir.IndexAddr:
			e = x.Base
		case ir.Cast:
			if !ir.IsPtr(x.T) || !ir.IsPtr(x.X.Type()) {
				return e
			}
			e = x.X
		default:
			return e
		}
	}
}

// holderRelations are what a parameter that points to a type may have to do with a lock in
// a holder: it points to the watched object, or to a holder up to the lock's.
func (l *locks) holderRelations(g *guard, param int, elem ir.Type) []relation {
	h := &l.holders
	var out []relation
	if slices.ContainsFunc(h.types, func(t ir.Type) bool { return isPartOf(elem, t) }) {
		for n := 0; n <= h.of[g]; n++ {
			out = append(out, relation{fn: g, param: param, holder: h.levels[n].base, owner: true})
		}
		out = append(out, relation{fn: g, param: param})
	}
	s, ok := elem.(*ir.Struct)
	for n := 0; ok && n <= h.of[g]; n++ {
		var offs []int64
		for _, t := range h.levels[n].types {
			for _, off := range placesOf(s, t, 0, 0) {
				if !slices.Contains(offs, off) && len(offs) < 2 {
					offs = append(offs, off)
				}
			}
		}
		for _, off := range offs {
			out = append(out, relation{fn: g, param: param, off: off, holder: h.levels[n].base})
		}
	}
	return out
}

// isPartOf reports whether a t is an e, or has one as a member.
func isPartOf(e, t ir.Type) bool {
	if s, ok := e.(*ir.Struct); ok {
		return len(placesOf(s, t, 0, 0)) > 0
	}
	return ir.Equal(e, t)
}

// flowOf follows the tokens of a procedure, where the entry may have locks of holders. It
// yields the owners of what the arguments of its calls point to.
func (x *instrumenter) flowOf(p *seqz.Proc) map[*ir.Call]map[int]ir.Expr {
	x.flow, x.originsAt = nil, nil
	if len(p.Body.Blocks) == 0 || !x.mayHoldHolders() {
		return nil
	}
	w := x.l.holders.placings.flowOf(p.Body, func(in ir.Instr) ir.Instr { return x.seq.Origin[in].Instr })
	for i, r := range p.Body.Params {
		if ir.IsPtr(r.Type) {
			w.owners[ownerOf(r)] = &owner{root: x.paramOwner(p, i), param: i}
		}
	}
	x.flow, x.originsAt = w, w.flow()
	out := map[*ir.Call]map[int]ir.Expr{}
	for _, b := range p.Body.Blocks {
		x.origins = maps.Clone(x.originsAt[b])
		for _, in := range b.Instrs {
			if x.origins == nil {
				break
			}
			if call, ok := in.(*ir.Call); ok && p.Calls[call] != nil {
				out[call] = map[int]ir.Expr{}
				for i, a := range call.Args {
					if base, _ := x.ownerOf(a); base != nil {
						out[call][i] = base
					}
				}
			}
			if !w.instr(in, x.origins) {
				break
			}
		}
	}
	return out
}

func (x *instrumenter) mayHoldHolders() bool {
	return slices.ContainsFunc(x.l.holders.list, func(g *guard) bool { return x.isOn[g] })
}

// paramOwner is the constant for the owner of what a parameter of a procedure points to.
func (x *instrumenter) paramOwner(p *seqz.Proc, i int) ir.Expr {
	r := p.Body.Params[i]
	if x.paramOwners[r] == nil {
		if x.paramOwners == nil {
			x.paramOwners = map[*ir.Reg]*ir.Reg{}
		}
		x.paramOwners[r] = &ir.Reg{Name: "$owner." + r.Name, Type: ir.VPtr, Ghost: true}
	}
	return ir.Use{Reg: x.paramOwners[r]}
}
