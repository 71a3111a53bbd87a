package bmc

import (
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

func hexKey(k uint64) string { return fmt.Sprintf("%016x", k) }

// touchAll is what code not seen does to an object: its cells are read, or become
// arbitrary. What is reachable from it is not followed.
func (x *exec) touchAll(i *ir.Touch, st *state) {
	if i.Inner {
		return
	}
	if i.Write {
		n := int64(-1)
		if k, ok := i.Size.(ir.Const); ok && k.Val.IsInt64() {
			n = k.Val.Int64()
		}
		x.overwritten(st, i.Pos, i.Addr, n, nil)
	}
	o := x.begin(st, i, ir.Plain)
	n, size := int64(1), (*bv.Term)(nil)
	if i.Size != nil {
		v := x.eval(i.Size, st)
		k, ok := v.IsNum()
		if !ok || k > 1<<20 {
			x.note("size", i.Pos, "an access of unknown size by code without a body is taken to be one of a byte")
			k, size = 1, v
		}
		n = int64(k)
	}
	if n == 0 {
		o.end(nil)
		return
	}
	addr := x.eval(i.Addr, st)
	if vs := x.valuesOf(addr); vs.any {
		x.note("extern-call", i.Pos, "an access by code without a body through a pointer that may lead anywhere is left out")
		o.end(nil)
		return
	}
	at, sized := n, i.Size != nil
	// of what is not there, nothing is accessed; but there must be room for what may be
	// written
	if i.Perhaps && !(i.Write && sized) {
		at, sized = 1, false
	}
	ps, ok := x.places(addr, at, st, i.Pos)
	if i.Perhaps {
		ok = x.b.Or(ok, x.b.Eq(addr, x.b.Num(64, 0)))
	} else {
		o.alive(ps)
	}
	if sized {
		o.need = append(o.need, ok)
	}
	if size != nil {
		ps = x.some(o, ps, size, i.Write)
	}
	o.ac.core = i.Core && !slices.ContainsFunc(ps, func(p place) bool { return !p.obj.extern })
	if i.Deep {
		x.unfollowed(i, o.ac.core)
	}
	for _, p := range ps {
		// whether it writes there, the model does not say for sure
		if i.Write && !i.Perhaps && p.obj.constant() {
			x.valid(st, x.b.Not(p.match), nil, i.Pos, false)
		}
	}
	var guesses []*bv.Term
	x.begins(i, ps)
	for _, p := range ps {
		m := n
		if i.Size == nil {
			m = 1 << 30
		}
		within := func(off int64) *bv.Term {
			if off < p.off || off >= p.off+m {
				return x.b.False
			}
			return p.match
		}
		if i.Read {
			o.aside(p.obj, within, false)
		}
		if i.Write && !p.obj.constant() {
			o.aside(p.obj, within, true)
		}
		for _, pc := range x.pieces(p.obj, p.off, m) {
			ts := x.targets([]place{{p.obj, p.off + pc[0], p.match}}, pc[1], nil)
			if ts[0].c.wide {
				if ts = x.alike(ts, pc[1], true, st); ts == nil {
					return
				}
			}
			if i.Read {
				o.read(ts, pc[1])
			}
			if i.Write && !p.obj.constant() {
				v := x.touched(ts[0].c, pc[1])
				guesses = append(guesses, v)
				o.write(ts, v)
			}
		}
	}
	o.end(nil)
	x.t.log[len(x.t.log)-1].guesses = guesses
}

// unfollowed notes that what code not seen reaches from what it gets is not followed.
// What the kernel made it accesses under its own locks.
func (x *exec) unfollowed(i *ir.Touch, core bool) {
	kind := "extern-call"
	if core {
		kind = "kernel-call"
	}
	x.note(kind, i.Pos, "what code without a body does through pointers in its arguments is left out (%s)", i.Why)
}

// some are the places of an access of a size that is not known: it is one only where the
// size is not 0, and one that writes stays within its object.
func (x *exec) some(o *op, ps []place, size *bv.Term, write bool) []place {
	out := make([]place, len(ps))
	zero := x.b.Eq(size, x.b.Num(size.Width, 0))
	for k, p := range ps {
		out[k] = place{p.obj, p.off, x.b.And(p.match, x.b.Not(zero))}
		if write && p.obj.size >= p.off {
			o.need = append(o.need, x.b.Or(x.b.Not(p.match), x.b.ULe(size, x.b.Num(size.Width, uint64(p.obj.size-p.off)))))
		}
		if room := x.sizes[p.obj]; write && room != nil && size.Width <= 64 && p.off >= 0 {
			o.need = append(o.need, x.b.Or(x.b.Not(p.match), x.b.ULe(x.b.Add(x.b.ZExt(size, 64), x.b.Num(64, uint64(p.off))), room)))
		}
	}
	return out
}

// touched is an arbitrary value for a part of a cell.
func (x *exec) touched(c *cell, n int64) *bv.Term {
	if pt, ok := c.typ.(ir.Ptr); ok && n == pt.Size() && c.width == 64 {
		return x.inputPointers(fmt.Sprintf("touch:%s@%d", c.obj.name, c.lo), pt, c.obj.depth+1, false, false, x.freshOf)
	}
	return x.fresh("touch", int(8*n))
}

// free ends heap objects: who uses them from then on ends the execution (see alive).
func (x *exec) free(i *ir.Free, st *state) {
	addr := x.eval(i.Addr, st)
	o := x.begin(st, i, ir.Plain)
	vs := x.valuesOf(addr)
	if vs.any {
		x.limit(st, "pointer", i.Pos, "memory is freed through a pointer that may lead anywhere")
		return
	}
	valid := []*bv.Term{x.equal(addr, x.b.Num(64, 0))}
	for _, a := range vs.sorted() {
		id := objectOf(a)
		if id <= 0 || id >= len(x.w.objs) || offsetOf(a) != 0 || !(x.w.objs[id].heap || x.w.objs[id].extern || i.Scope && x.w.objs[id].site != nil) {
			continue
		}
		obj := x.w.objs[id]
		if obj.freed == nil {
			obj.freed = x.w.state(obj, 0, "freed", 1)
			x.w.change(obj.name + " may be freed")
		}
		t := []target{{c: obj.freed, match: x.b.True}}
		is := x.b.Eq(addr, x.b.Num(64, a))
		dead := o.getCells(t, 1)
		valid = append(valid, x.b.And(is, x.b.Eq(dead, x.b.Num(1, 0))))
		o.putCells(t, x.b.Num(1, 1), is)
		// whoever uses it at the same time races; in a driver the module would not be
		// unloaded then
		for _, c := range obj.cells {
			if !x.main || i.Scope {
				break
			}
			if c.name != "" {
				continue
			}
			x.touch(c, st, true)
			if x.conc(target{c: c}, st) {
				o.ac.touches = append(o.ac.touches, touched{write: true, width: c.width, targets: []target{{c: c, match: is}}})
			}
		}
	}
	o.need = append(o.need, x.b.Or(valid...))
	o.end(nil)
}
