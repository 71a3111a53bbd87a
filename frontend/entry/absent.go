package entry

import (
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
)

// What is taken back under a condition:
//
//	if (priv->led)
//		led_unregister(priv->led);
//
// Where the condition does not hold, the object is not known to the kernel, so that the
// edge around the call ends the same runs as the call. It gets a copy of the Unregister.
// That is so for two conditions, of places that are one for the device (several.go):
//
//   - The pointer that is kept at a place is null, or an error, and the object is the one
//     that it leads to. One value is stored there. Each call that makes such objects
//     known gets the pointer from there, or comes after the store in its function, or
//     returns the value, which is stored next. So the pointer was neither null nor an
//     error then. Null is stored where the pointer was null or an error already, or right
//     after the object was taken back, and nowhere else.
//   - Each such call has the same condition around it, and what the condition reads is
//     not written once it has been evaluated there: the two go together.
//
// What other entry points make known meanwhile takes the effect away, as it does for the
// call itself (analysis/mhp/restart.go).

// edge is one of the two edges of a block's branch.
type edge struct {
	from *ir.Block
	then bool
}

func (e edge) to() *ir.Block {
	b := e.from.Term.(*ir.Branch)
	if e.then {
		return b.Then
	}
	return b.Else
}

func (e edge) other() edge { return edge{e.from, !e.then} }

// absent puts copies of Unregisters where the text says that the object is not there.
func (o *objects) absent() {
	for _, s := range slices.Clone(o.x.cg.sites) {
		u, ok := s.in.(*ir.Unregister)
		if !ok || len(u.Kinds) == 0 || u.Kinds[0] == noKind || len(u.Ends) > 0 || u.Object == unknownObject {
			continue
		}
		for e, ok := entered(s.fn, s.block); ok; e, ok = entered(s.fn, e.from) {
			around := e.other()
			if o.nullAround(u, s, around) || o.sameAround(u, s, e) {
				o.copyTo(u, s.fn, around)
			}
		}
	}
}

// copyTo puts a copy of an Unregister on an edge.
func (o *objects) copyTo(u *ir.Unregister, f *ir.Func, e edge) {
	c := *u
	c.Obj, c.Of = nil, nil // they may be loaded where the condition holds
	b := &ir.Block{Name: fmt.Sprintf("absent%d", len(f.Blocks)), Instrs: []ir.Instr{&c}, Term: &ir.Goto{TermBase: ir.TermBase{Pos: u.Pos}, Targets: []*ir.Block{e.to()}}}
	f.Blocks = append(f.Blocks, b)
	br := e.from.Term.(*ir.Branch)
	if e.then {
		br.Then = b
	} else {
		br.Else = b
	}
}

// entered is the edge by which alone a block is entered, other blocks without a choice
// between; false where there is none.
func entered(f *ir.Func, b *ir.Block) (edge, bool) {
	for range f.Blocks {
		var from []*ir.Block
		for _, p := range f.Blocks {
			if slices.Contains(p.Succs(), b) {
				from = append(from, p)
			}
		}
		if len(from) != 1 || b == f.Blocks[0] {
			return edge{}, false
		}
		switch t := from[0].Term.(type) {
		case *ir.Goto:
			if len(t.Targets) != 1 {
				return edge{}, false
			}
			b = from[0]
		case *ir.Branch:
			return edge{from[0], t.Then == b}, t.Then != t.Else
		default:
			return edge{}, false
		}
	}
	return edge{}, false
}

// nullAround reports whether, on an edge, the pointer to the object that u takes back is
// null or an error, and the object was not made known then.
func (o *objects) nullAround(u *ir.Unregister, s site, e edge) bool {
	obj := u.Of
	if obj == nil {
		obj = u.Obj
	}
	p, ok := o.emptyOn(e)
	if !ok || obj == nil || o.nameOf(obj) != o.noted(p) || o.singular(o.noted(p), map[string]bool{}) == "" {
		return false
	}
	var stores []site
	for _, w := range o.x.cg.sites {
		at := written(w.in)
		if at == nil || o.unused(w.fn) || !o.covers(at, p.address(), ir.Ptr{Elem: o.leads[o.noted(p)]}) {
			continue
		}
		in, isStore := w.in.(*ir.Store)
		q, known := o.x.placeOf(at)
		switch {
		case !isStore || !known || q.loaded || !o.canonical(q).same(p.address()):
			return false
		case !ir.IsNull(in.Val):
			stores = append(stores, w)
		case !o.emptied(w, p):
			return false
		}
	}
	return len(stores) > 0 && !slices.ContainsFunc(o.registering(u), func(r site) bool { return !o.hadPointer(r, p, stores) })
}

// address is the place of a pointer that is kept.
func (p place) address() place {
	p.loaded = false
	return p
}

// emptyOn is the place of which the pointer is null or an error on an edge; false where
// the text does not tell one.
func (o *objects) emptyOn(e edge) (place, bool) {
	cond, holds := e.from.Term.(*ir.Branch).Cond, e.then
	for {
		switch c := cond.(type) {
		case ir.Unary:
			if c.Op != "lnot" {
				return place{}, false
			}
			cond, holds = c.X, !holds
			continue
		case ir.Cast:
			if _, isBool := c.T.(ir.Bool); !isBool && !ir.IsPtr(c.T) {
				return place{}, false
			}
			cond = c.X
			continue
		case ir.Binary:
			if (c.Op != "eq" && c.Op != "ne") || !ir.IsNull(c.Y) {
				return place{}, false
			}
			cond = c.X
			if c.Op == "eq" {
				holds = !holds
			}
			continue
		case ir.Use:
			return o.emptyReg(c.Reg, e.from, holds)
		}
		return place{}, false
	}
}

// emptyReg is emptyOn for the value of a register that is null where holds is false.
func (o *objects) emptyReg(r *ir.Reg, b *ir.Block, holds bool) (place, bool) {
	ds := o.x.cg.defs[r]
	if len(ds) != 1 || !slices.Contains(b.Instrs, ds[0]) || !o.untouched(b, ds[0]) {
		return place{}, false
	}
	switch d := ds[0].(type) {
	case *ir.Call:
		f := direct(d.Callee)
		if f == nil || !holds || len(d.Args) != 1 || f.Name != "IS_ERR" && f.Name != "IS_ERR_OR_NULL" {
			return place{}, false
		}
		if u, ok := ir.Uncast(d.Args[0]).(ir.Use); ok && len(o.x.cg.defs[u.Reg]) == 1 {
			if l, ok := o.x.cg.defs[u.Reg][0].(*ir.Load); ok && slices.Contains(b.Instrs, ir.Instr(l)) && o.untouched(b, l) {
				return o.pointerAt(l)
			}
		}
	case *ir.Load:
		if !holds {
			return o.pointerAt(d)
		}
	}
	return place{}, false
}

// pointerAt is the place that a pointer is loaded from, as the name of what it leads to.
func (o *objects) pointerAt(l *ir.Load) (place, bool) {
	if !ir.IsPtr(l.Dst.Type) {
		return place{}, false
	}
	p, ok := o.x.placeOf(l.Addr)
	if !ok || p.loaded {
		return place{}, false
	}
	if p, ok = o.one(p); !ok {
		return place{}, false
	}
	p.loaded = true
	return p, true
}

// untouched reports whether nothing after an instruction in a block writes memory or
// makes anything known.
func (o *objects) untouched(b *ir.Block, in ir.Instr) bool {
	for _, x := range b.Instrs[slices.Index(b.Instrs, in)+1:] {
		switch x := x.(type) {
		case *ir.Assign, *ir.Load:
		case *ir.Call:
			if f := direct(x.Callee); f == nil || f.Name != "IS_ERR" && f.Name != "IS_ERR_OR_NULL" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// emptied reports whether a store of null finds the pointer null or an error already, or
// comes right after its object was taken back.
func (o *objects) emptied(w site, p place) bool {
	for _, in := range w.block.Instrs[:slices.Index(w.block.Instrs, w.in)] {
		if u, ok := in.(*ir.Unregister); ok && u.Of != nil && o.nameOf(u.Of) == o.noted(p) {
			return true
		}
	}
	e, ok := entered(w.fn, w.block)
	if !ok {
		return false
	}
	q, ok := o.emptyOn(e)
	return ok && q.same(p)
}

// covers reports whether what is written from an address on may have a place in it, which
// holds a cell. What is written through a pointer to a number or a pointer is one, or
// several of the same type (effective types, C11 6.5); bytes may be anything.
func (o *objects) covers(at ir.Expr, p place, cell ir.Type) bool {
	ptr, _ := ir.Uncast(at).Type().(ir.Ptr)
	elem := ptr.Elem
	if q, ok := o.x.placeOf(at); ok && !q.loaded {
		if q = o.canonical(q); q.root == p.root {
			size := int64(1)
			if elem != nil {
				size = max(size, elem.Size())
			}
			return q.off <= p.off && p.off < q.off+size
		}
	}
	pointee, _ := cell.(ir.Ptr)
	if o.elsewhere(at, p, map[*ir.Reg]bool{}) {
		return false
	}
	switch e := elem.(type) {
	case *ir.Struct:
		if _, ok := ir.Uncast(at).(ir.Use); ok {
			return e.Name == p.root || slices.ContainsFunc(o.sources[e], func(from source) bool { return from.root == p.root })
		}
	case ir.Int:
		if e.Size() > 1 && (ir.IsPtr(cell) || cell.Size() != e.Size() || !o.addressTaken(p)) {
			return false
		}
	case ir.Ptr:
		if !ir.IsPtr(cell) || !o.addressTaken(p) {
			return false
		}
	}
	return o.mayWrite(at, p, pointee.Elem)
}

// elsewhere reports whether an address is that of a local variable or of another member,
// by what all calls of its function pass.
func (o *objects) elsewhere(at ir.Expr, p place, seen map[*ir.Reg]bool) bool {
	u, ok := ir.Uncast(at).(ir.Use)
	if !ok {
		q, ok := o.x.placeOf(at)
		if !ok || q.loaded {
			return false
		}
		q = o.canonical(q)
		ptr, ok := ir.Uncast(at).Type().(ir.Ptr)
		return ok && ir.IsInt(ptr.Elem) && !(q.root == p.root && q.off <= p.off && p.off < q.off+ptr.Elem.Size())
	}
	if seen[u.Reg] {
		return true
	}
	seen[u.Reg] = true
	ds := o.x.cg.defs[u.Reg]
	for _, d := range ds {
		switch d := d.(type) {
		case *ir.Alloc:
			if d.Kind != "stack" {
				return false
			}
		case *ir.Assign:
			if !o.elsewhere(d.X, p, seen) {
				return false
			}
		default:
			return false
		}
	}
	q := o.x.cg.param[u.Reg]
	if q.fn == nil {
		return len(ds) > 0
	}
	cs := o.x.cg.calls[q.fn]
	if i := slices.IndexFunc(o.x.p.Entries, func(e *ir.Entry) bool { return e.Func == q.fn }); i >= 0 {
		if !slices.Contains(o.x.p.Entries[i].Private, q.index) { // not the caller's own
			return false
		}
	} else if len(cs) == 0 || o.x.cg.taken[q.fn] {
		return false
	}
	return !slices.ContainsFunc(cs, func(c site) bool {
		call, ok := c.in.(*ir.Call)
		return !ok || q.index >= len(call.Args) || !o.elsewhere(call.Args[q.index], p, seen)
	})
}

// addressTaken reports whether the address of a place is a value in the program, so that
// other pointers may lead to it. What it is only loaded from or stored at does not count.
func (o *objects) addressTaken(p place) bool {
	taken := false
	look := func(e ir.Expr) {
		ir.WalkExpr(e, func(x ir.Expr) bool {
			switch x.(type) {
			case ir.FieldAddr, ir.GlobalAddr, ir.IndexAddr:
				q, ok := o.x.placeOf(x)
				taken = taken || ok && !q.loaded && o.canonical(q).same(p)
			}
			return !taken
		})
	}
	for _, s := range o.x.cg.sites {
		at, seen := accessed(s.in), false
		for _, e := range ir.Operands(s.in) {
			if e == nil {
				continue
			}
			if !seen && e == at {
				seen = true
				if fa, ok := ir.Uncast(e).(ir.FieldAddr); ok {
					look(fa.Base)
				}
				continue
			}
			look(e)
		}
	}
	return taken
}

// accessed is the address that an instruction accesses, and does nothing else with.
func accessed(in ir.Instr) ir.Expr {
	switch in := in.(type) {
	case *ir.Load:
		return in.Addr
	case *ir.Store:
		return in.Addr
	case *ir.RMW:
		return in.Addr
	case *ir.CmpXchg:
		return in.Addr
	}
	return nil
}

// registering lists what may make the object known that u takes back.
func (o *objects) registering(u *ir.Unregister) []site {
	var out []site
	for _, s := range o.x.cg.sites {
		r, ok := s.in.(*ir.Register)
		if !ok || slices.Contains(r.Kinds, ir.KeptKind) || u.Object != "" && r.Object != "" && u.Object != r.Object {
			continue
		}
		if slices.ContainsFunc(u.Kinds, func(k string) bool { return overlap(r.Kinds, strings.TrimPrefix(k, "exit:")) }) {
			out = append(out, s)
		}
	}
	return out
}

// hadPointer reports whether the pointer at p was stored before a registration, or is its
// value and is stored next.
func (o *objects) hadPointer(r site, p place, stores []site) bool {
	in := r.in.(*ir.Register)
	of := in.Of
	if of == nil {
		of = in.Obj
	}
	if of == nil {
		return false
	}
	if o.nameOf(of) == o.noted(p) {
		if q, ok := o.x.placeOf(of); ok && q.loaded {
			return true
		}
	}
	return slices.ContainsFunc(stores, func(w site) bool {
		return w.fn == r.fn && (before(w, r) || o.next(r, w, of))
	})
}

// before reports whether every path to b has been at a.
func before(a, b site) bool {
	if a.block == b.block {
		return slices.Index(a.block.Instrs, a.in) < slices.Index(b.block.Instrs, b.in)
	}
	return !passes(a.fn, b.block, func(e edge, from, to *ir.Block) bool { return from == a.block || to == a.block })
}

// passes reports whether a path leads from the start of f to a block that uses no edge
// which is closed.
func passes(f *ir.Func, to *ir.Block, closed func(e edge, from, to *ir.Block) bool) bool {
	seen := map[*ir.Block]bool{f.Blocks[0]: true}
	work := []*ir.Block{f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		for i, s := range b.Succs() {
			if !seen[s] && !closed(edge{b, i == 0}, b, s) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// next reports whether w stores the value that a registration is of, with nothing between
// the two but what makes the same call's other things known.
func (o *objects) next(r, w site, of ir.Expr) bool {
	v, ok := ir.Uncast(w.in.(*ir.Store).Val).(ir.Use)
	if !ok || o.origin(v.Reg) == nil || o.origin(v.Reg) != o.originOf(of) {
		return false
	}
	b, i := r.block, slices.Index(r.block.Instrs, r.in)+1
	for range r.fn.Blocks {
		for _, in := range b.Instrs[i:] {
			switch in.(type) {
			case *ir.Register, *ir.Assign, *ir.Load, *ir.Touch, *ir.Havoc:
			case *ir.Store:
				if in == w.in {
					return true
				}
			default:
				return false
			}
		}
		t, ok := b.Term.(*ir.Goto)
		if !ok || len(t.Targets) != 1 {
			return false
		}
		b, i = t.Targets[0], 0
	}
	return false
}

// origin is the register that a value was copied from first.
func (o *objects) origin(r *ir.Reg) *ir.Reg {
	for range 20 {
		ds := o.x.cg.defs[r]
		if len(ds) != 1 {
			return nil
		}
		a, ok := ds[0].(*ir.Assign)
		if !ok {
			return r
		}
		u, ok := ir.Uncast(a.X).(ir.Use)
		if !ok {
			return r
		}
		r = u.Reg
	}
	return nil
}

func (o *objects) originOf(e ir.Expr) *ir.Reg {
	if u, ok := ir.Uncast(e).(ir.Use); ok {
		return o.origin(u.Reg)
	}
	return nil
}

// written is the address from which on an instruction may write memory.
func written(in ir.Instr) ir.Expr {
	switch in := in.(type) {
	case *ir.Store:
		return in.Addr
	case *ir.RMW:
		return in.Addr
	case *ir.CmpXchg:
		return in.Addr
	case *ir.MemSet:
		return in.Dst
	case *ir.MemCopy:
		return in.Dst
	case *ir.Touch:
		if in.Write {
			return in.Addr
		}
	}
	return nil
}

// unused reports whether nothing runs a function.
func (o *objects) unused(f *ir.Func) bool {
	return len(o.x.cg.calls[f]) == 0 && !o.x.cg.taken[f] && !o.x.entryFuncs()[f] && !released(f)
}

// sameAround reports whether all that makes the object known that u takes back has the
// condition around it of the edge to u, and the condition does not change.
func (o *objects) sameAround(u *ir.Unregister, s site, e edge) bool {
	want, cells, ok := o.condition(e.from)
	if !ok || len(cells) == 0 {
		return false
	}
	regs := o.registering(u)
	return len(regs) > 0 && !slices.ContainsFunc(regs, func(r site) bool { return !o.guarded(r, want, cells, e.then) })
}

// held is a place and the type of what it holds.
type held struct {
	place
	cell ir.Type
}

// condition is the condition of a block's branch with names of places for what it loads
// in this block, and the places; false where it reads something else.
func (o *objects) condition(b *ir.Block) (text string, cells []held, ok bool) {
	br, ok := b.Term.(*ir.Branch)
	if !ok {
		return "", nil, false
	}
	var whole func(e ir.Expr) ir.Expr
	whole = func(e ir.Expr) ir.Expr {
		return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
			u, isUse := x.(ir.Use)
			if !isUse {
				return x
			}
			ds := o.x.cg.defs[u.Reg]
			if len(ds) != 1 || !slices.Contains(b.Instrs, ds[0]) {
				ok = false
				return x
			}
			switch d := ds[0].(type) {
			case *ir.Assign:
				return whole(d.X)
			case *ir.Load:
				p, known := o.x.placeOf(d.Addr)
				if known && !p.loaded && d.Order == ir.Plain {
					if p, known = o.one(p); known {
						cells = append(cells, held{p, u.Reg.Type})
						return ir.OpaqueConst{T: u.Reg.Type, Text: p.text()}
					}
				}
			}
			ok = false
			return x
		})
	}
	text = ir.ExprString(whole(br.Cond))
	return text, cells, ok
}

// guarded reports whether a condition of the form want is around a registration, here or
// in who calls its function, and what it reads is not written from there on.
func (o *objects) guarded(r site, want string, cells []held, then bool) bool {
	for range o.x.p.Funcs {
		for _, b := range r.fn.Blocks {
			text, _, ok := o.condition(b)
			if !ok || text != want || passes(r.fn, r.block, func(e edge, from, _ *ir.Block) bool { return from == b && e.then == then }) {
				continue
			}
			test := site{in: nil, block: b, fn: r.fn}
			if !o.runsAgain(test) && !slices.ContainsFunc(cells, func(c held) bool { return !o.settled(c, test) }) {
				return true
			}
		}
		if cs := o.x.cg.calls[r.fn]; len(cs) == 1 && !o.x.cg.taken[r.fn] && !o.x.entryFuncs()[r.fn] {
			r = cs[0]
			continue
		}
		return false
	}
	return false
}

// settled reports whether nothing writes a place once a test has been made, the only time
// that it is.
func (o *objects) settled(p held, test site) bool {
	chain := []site{test}
	for f := test.fn; !o.x.entryFuncs()[f] && len(o.x.cg.calls[f]) == 1; f = chain[len(chain)-1].fn {
		chain = append(chain, o.x.cg.calls[f][0])
	}
	for _, w := range o.x.cg.sites {
		at := written(w.in)
		if at != nil && !o.unused(w.fn) && o.covers(at, p.place, p.cell) && !o.earlier(w, chain, map[*ir.Func]bool{}) {
			return false
		}
	}
	return true
}

// earlier reports whether what is at w, and where it is called from, comes before a test;
// chain is the test and the calls that lead to it.
func (o *objects) earlier(w site, chain []site, seen map[*ir.Func]bool) bool {
	for i, t := range chain {
		if t.fn != w.fn {
			continue
		}
		if w.block != t.block {
			return !reachable(t.block, w.block)
		}
		if i == 0 { // the test loads what it reads in its block
			return !slices.ContainsFunc(w.block.Instrs[:slices.Index(w.block.Instrs, w.in)], func(in ir.Instr) bool { _, ok := in.(*ir.Load); return ok })
		}
		return slices.Index(w.block.Instrs, w.in) < slices.Index(w.block.Instrs, t.in)
	}
	cs := o.x.cg.calls[w.fn]
	if seen[w.fn] || o.x.cg.taken[w.fn] || o.x.entryFuncs()[w.fn] || len(cs) == 0 {
		return false
	}
	seen[w.fn] = true
	return !slices.ContainsFunc(cs, func(c site) bool { return !o.earlier(c, chain, seen) })
}
