package bmc

import (
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

// extent is how many bytes a copy or a fill is of.
type extent struct {
	n    *bv.Term // 64 bits
	most int64    // n, where that is a literal, else -1
}

// extent evaluates a number of bytes.
func (x *exec) extent(e ir.Expr, st *state) extent {
	v := x.fit([]*bv.Term{x.eval(e, st)}, 0, ir.U64)
	if n, ok := v.IsNum(); ok && n < 1<<31 {
		return extent{v, int64(n)}
	}
	return extent{v, -1}
}

// extentAt are the places of an access of so many bytes, and the condition that it is within their objects. Where the number is no literal there need be no room at
// all: of no bytes nothing is accessed.
func (x *exec) extentAt(addr ir.Expr, n extent, fit bool, st *state, at ir.Pos) ([]place, *bv.Term) {
	a := x.eval(addr, st)
	if n.most >= 0 && !fit {
		return x.places(a, n.most, st, at)
	}
	ps, ok := x.places(a, 0, st, at)
	if fit {
		return ps, ok
	}
	for _, p := range ps {
		ok = x.b.And(ok, x.b.Or(x.b.Not(p.match), x.holds(p, n.n)))
	}
	return ps, x.b.Or(ok, x.b.Eq(n.n, x.b.Num(64, 0)))
}

// holds is the condition that there are n bytes (64 bits) at a place.
func (x *exec) holds(p place, n *bv.Term) *bv.Term {
	size := x.sizes[p.obj]
	switch {
	case p.off < 0 && p.obj.size >= 0:
		return x.b.False
	case size != nil:
		off := x.b.Num(64, uint64(p.off))
		return x.b.And(x.b.ULe(off, size), x.b.ULe(n, x.b.Sub(size, off)))
	case p.obj.size < 0:
		return x.b.True
	case p.off > p.obj.size:
		return x.b.False
	}
	return x.b.ULe(n, x.b.Num(64, uint64(p.obj.size-p.off)))
}

// covers are the conditions that n bytes cover a piece, and that they cover a part of it.
func (x *exec) covers(n extent, pc [2]int64) (all, some *bv.Term) {
	if n.most >= 0 {
		return x.b.True, x.b.True
	}
	return x.b.ULe(x.b.Num(64, uint64(pc[0]+pc[1])), n.n), x.b.ULt(x.b.Num(64, uint64(pc[0])), n.n)
}

// partly notes that a step covers a part of a piece, whose contents are then not known: executions are followed up to there. Whoever accesses the piece's
// first byte meanwhile races with it.
func (o *op) partly(n extent, pc [2]int64, p place, write bool) {
	all, some := o.x.covers(n, pc)
	part := o.x.b.And(p.match, some, o.x.b.Not(all))
	if part == o.x.b.False {
		return
	}
	o.beyond = append(o.beyond, part)
	for _, t := range o.x.targets([]place{{p.obj, p.off + pc[0], part}}, pc[1], nil) {
		o.x.touch(t.c, o.st, write)
		if o.x.conc(t, o.st) {
			o.step()
			o.ac.touches = append(o.ac.touches, touched{write: write, width: 8, targets: []target{t}})
		}
	}
}

// first is an access of unknown length of which only the first byte is looked at, for races: executions end there.
func (o *op) first(n extent, ps []place, write bool) {
	some := o.x.b.ULt(o.x.b.Num(64, 0), n.n)
	o.beyond = append(o.beyond, o.x.b.True)
	for _, p := range ps {
		for _, t := range o.x.targets([]place{{p.obj, p.off, o.x.b.And(p.match, some)}}, 1, nil) {
			o.x.touch(t.c, o.st, write)
			if o.x.conc(t, o.st) {
				o.step()
				o.ac.touches = append(o.ac.touches, touched{write: write, width: 8, targets: []target{t}})
			}
		}
	}
}

// What is copied where the length is not known is followed if the places, with the pieces of memory that are known there, are not more than manyParts; where
// there are more than manyPlaces of either side, executions end before.
const manyPlaces, manyParts = 32, 300

// anywhere ends an access of unknown length of which one side may be at many places.
func (x *exec) anywhere(n extent, st *state, at ir.Pos, sides ...[]place) bool {
	if n.most >= 0 || !slices.ContainsFunc(sides, func(ps []place) bool { return len(ps) > manyPlaces }) {
		return false
	}
	x.limit(st, "size", at, partOf)
	return true
}

// tooMany reports whether an access of unknown length has too many parts; each place of one side may come with each of the other.
func (x *exec) tooMany(n extent, sides ...[]place) bool {
	if n.most >= 0 {
		return false
	}
	parts := 0
	for i, ps := range sides {
		others := 1
		for k, os := range sides {
			if k != i {
				others *= len(os)
			}
		}
		for _, p := range ps {
			parts += others * (1 + len(x.pieces(p.obj, p.off, max(n.at(p, false), 0))))
		}
	}
	return parts > manyParts
}

// at is how many bytes of an access can be at a place.
func (n extent) at(p place, fit bool) int64 {
	most := n.most
	if most < 0 {
		most = 1 << 31
	}
	if (fit || n.most < 0) && p.obj.size >= 0 {
		most = min(most, p.obj.size-p.off)
	}
	return most
}

// memCopy copies piece by piece, as the cells of both sides divide it; all pieces are one step.
func (x *exec) memCopy(i *ir.MemCopy, st *state) {
	n := x.extent(i.Size, st)
	x.overwritten(st, i.Pos, i.Dst, n.most, i.Src)
	o := x.begin(st, i, i.Order)
	if n.most == 0 {
		o.end(nil)
		return
	}
	src, okS := x.extentAt(i.Src, n, i.Fit, st, i.Pos)
	dst, okD := x.extentAt(i.Dst, n, i.Fit, st, i.Pos)
	if x.anywhere(n, st, i.Pos, src, dst) {
		return
	}
	o.need = append(o.need, okS, okD)
	o.alive(src)
	o.alive(dst)
	o.writable(dst, x.b.True)
	if x.tooMany(n, src, dst) {
		o.first(n, src, false)
		o.first(n, dst, true)
		o.end(nil)
		st.guard = x.b.False
		return
	}
	type part struct {
		ts []target
		v  *bv.Term
	}
	var parts []part
	for _, d := range dst {
		for _, s := range src {
			both, most := x.b.And(s.match, d.match), min(n.at(s, i.Fit), n.at(d, i.Fit))
			if most <= 0 {
				continue
			}
			for _, pc := range x.seen(cutPieces(x.pieces(s.obj, s.off, most), x.pieces(d.obj, d.off, most)), i) {
				all, _ := x.covers(n, pc)
				if i.Fit {
					end := x.b.Num(64, uint64(pc[0]+pc[1]))
					all = x.b.And(all, x.holds(s, end), x.holds(d, end)) // what is copied in part stays arbitrary: the object is new
				} else {
					o.partly(n, pc, place{s.obj, s.off, s.match}, false)
					o.partly(n, pc, place{d.obj, d.off, both}, true)
				}
				from := x.targets([]place{{s.obj, s.off + pc[0], x.b.And(s.match, all)}}, pc[1], nil)
				to := x.targets([]place{{d.obj, d.off + pc[0], x.b.And(both, all)}}, pc[1], from[0].c.typ)
				wide := from[0].c.wide || to[0].c.wide
				if from, to = x.alike(from, pc[1], wide, st), x.alike(to, pc[1], wide, st); from == nil || to == nil {
					return
				}
				if from[0].c.typ == nil {
					from[0].c.typ = to[0].c.typ
				}
				parts = append(parts, part{to, o.read(from, pc[1])})
			}
		}
	}
	for _, p := range parts {
		o.write(p.ts, p.v)
	}
	o.end(nil)
}

// seen are the pieces of an access, which may race though nobody looks at single bytes: then one stands for all.
func (x *exec) seen(pieces [][2]int64, in ir.Instr) [][2]int64 {
	if len(pieces) == 0 && x.mayRace(in) {
		return [][2]int64{{0, 1}}
	}
	return pieces
}

func (x *exec) memSet(i *ir.MemSet, st *state) {
	n := x.extent(i.Size, st)
	x.overwritten(st, i.Pos, i.Dst, n.most, nil)
	o := x.begin(st, i, i.Order)
	if n.most == 0 {
		o.end(nil)
		return
	}
	v := x.extend(x.eval(i.Val, st), ir.U8, 8)
	dst, okD := x.extentAt(i.Dst, n, false, st, i.Pos)
	if x.anywhere(n, st, i.Pos, dst) {
		return
	}
	o.need = append(o.need, okD)
	o.alive(dst)
	o.writable(dst, x.b.True)
	if x.tooMany(n, dst) {
		o.first(n, dst, true)
		o.end(nil)
		st.guard = x.b.False
		return
	}
	for _, d := range dst {
		most := n.at(d, false)
		if most <= 0 {
			continue
		}
		for _, pc := range x.seen(x.pieces(d.obj, d.off, most), i) {
			all, _ := x.covers(n, pc)
			o.partly(n, pc, d, true)
			ts := x.targets([]place{{d.obj, d.off + pc[0], x.b.And(d.match, all)}}, pc[1], nil)
			val := v
			for range pc[1] - 1 {
				val = x.b.Concat(val, v)
			}
			if ts[0].c.wide {
				if val, ts = x.b.Num(64, 0), x.alike(ts, pc[1], v == x.b.Num(8, 0), st); ts == nil {
					return
				}
			}
			o.write(ts, val)
		}
	}
	o.end(nil)
}
