package bmc

import (
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

// extentAt are the places of an access of so many bytes, and the condition that it is
// within their objects. Where the number is no literal there need be no room at all: of
// no bytes nothing is accessed.
func (x *exec) extentAt(addr ir.Expr, n extent, fit bool, st *state, at ir.Pos) ([]place, *bv.Term) {
	a := x.eval(addr, st)
	if n.most >= 0 && !fit {
		return x.places(a, n.most, st, at)
	}
	ps, ok := x.places(a, 0, st, at)
	if fit {
		return ps, ok
	}
	for _, s := range x.stretches(ps, a) {
		ok = x.b.And(ok, x.b.Or(x.b.Not(s.match), x.room(s, n)))
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

// stretch is where an access of several bytes may begin in an object.
type stretch struct {
	obj    *object
	places []place
	from   int64 // the least of the places' offsets
	match  *bv.Term
	// start is the address's lower half, of edgeBits, where there are several places.
	start *bv.Term
}

// edgeBits are enough for the lower half of an address and up to 1<<32 bytes behind it.
const edgeBits = 34

// stretches groups the places of an address by their objects.
func (x *exec) stretches(ps []place, addr *bv.Term) []*stretch {
	var out []*stretch
	by := map[*object]*stretch{}
	for _, p := range ps {
		s := by[p.obj]
		if s == nil {
			s = &stretch{obj: p.obj, from: p.off}
			by[p.obj] = s
			out = append(out, s)
		}
		s.places, s.from = append(s.places, p), min(s.from, p.off)
	}
	for _, s := range out {
		any := make([]*bv.Term, len(s.places))
		for i, p := range s.places {
			any[i] = p.match
		}
		s.match = anyOf(x.b, any)
		if len(s.places) > 1 {
			s.start = x.b.ZExt(x.b.Extract0(addr, 0, 32), edgeBits)
		}
	}
	return out
}

// room is the condition that there are n bytes from where an access begins in a stretch.
func (x *exec) room(s *stretch, n extent) *bv.Term {
	size := x.sizes[s.obj]
	switch {
	case s.start == nil:
		return x.holds(s.places[0], n.n)
	case size == nil && s.obj.size < 0:
		return x.b.True
	case size == nil:
		size = x.b.Num(64, uint64(s.obj.size))
	}
	end := x.b.Add(x.b.Num(edgeBits, bias), x.upTo(size))
	fits := x.b.ULe(n.n, x.b.Num(64, 1<<32))
	return x.b.And(fits, x.b.ULe(x.b.Add(s.start, x.upTo(n.n)), end))
}

// upTo is a number of bytes, 1<<32 where it is more, of edgeBits.
func (x *exec) upTo(n *bv.Term) *bv.Term {
	most := uint64(1 << 32)
	return x.b.Ite(x.b.ULe(n, x.b.Num(64, most)), x.b.Extract0(n, 0, edgeBits), x.b.Num(edgeBits, most))
}

// covered is the condition that an access of so many bytes from a stretch on covers the
// byte of an offset. Where the address is not known it is compared with literals alone: a
// subtraction for each byte makes formulas that solvers take minutes to read.
func (x *exec) covered(n extent, s *stretch, off int64) *bv.Term {
	b := x.b
	if s.start == nil {
		return b.ULt(b.Num(64, uint64(off-s.from)), n.n)
	}
	at := b.Num(edgeBits, uint64(bias+off))
	return b.And(b.ULe(s.start, at), b.ULt(at, b.Add(s.start, x.upTo(n.n))))
}

// partial reports whether an access may cover a part of some bytes: whether one of its
// ends may be within them.
func (x *exec) partial(n extent, ps []place, lo, hi int64) bool {
	for _, p := range ps {
		if lo < p.off && p.off < hi || n.most < 0 && x.mayEnd(n.n, lo-p.off, hi-p.off) {
			return true
		}
	}
	return false
}

// mayEnd reports whether n may be a number between lo and hi, by the power of two that
// divides it: that holds of products that wrap around, too.
func (x *exec) mayEnd(n *bv.Term, lo, hi int64) bool {
	stride := max(x.strideOf(n), 1)
	stride &= -stride
	return max(lo/stride+1, 1)*stride < hi
}

// holdsPointer reports whether a cell may hold a pointer, of which a part is not
// followed.
func (c *cell) holdsPointer() bool {
	_, ok := c.typ.(ir.Ptr)
	return c.wide || ok && c.width == 64 || !c.vals.any && c.vals.pointers()
}

// reaches notes that a step accesses single bytes of a cell, each under a condition,
// without what it does to them.
func (o *op) reaches(c *cell, off int64, conds []*bv.Term, write bool) {
	for k, cond := range conds {
		t := target{c: c, lo: int(8 * (off + int64(k) - c.lo)), match: cond}
		if c.wide {
			t.lo = 0
		}
		o.x.touch(c, o.st, write)
		if cond != o.x.b.False && o.x.conc(t, o.st) {
			o.step()
			o.ac.touches = append(o.ac.touches, touched{write: write, width: 8, targets: []target{t}})
		}
	}
}

// sweep is what an access of which nothing else is followed reads or writes, for races.
func (o *op) sweep(n extent, ss []*stretch, write bool) {
	for _, s := range ss {
		covered := func(off int64) *bv.Term { return o.x.b.And(s.match, o.x.covered(n, s, off)) }
		o.aside(s.obj, covered, write)
		for _, pc := range o.x.spread(n, s, false) {
			off := s.from + pc[0]
			conds := make([]*bv.Term, pc[1])
			for k := range conds {
				conds[k] = covered(off + int64(k))
			}
			o.reaches(o.x.w.cell(s.obj, off, pc[1], nil), off, conds, write)
		}
	}
}

// unfollowed ends executions in a copy or fill of too many parts; what it accesses may
// race.
func (o *op) unfollowed() {
	o.beyond = append(o.beyond, o.x.b.True)
	o.end(nil)
	o.st.guard = o.x.b.False
}

// What is copied or filled where the place or the length is not known is followed if the
// parts of memory, each as often as there are places it may be copied from, are not more
// than manyParts.
const manyParts = 20_000

// fewPairs bounds the pairs of places for which the pieces of a copy are those of both
// sides: where there are more, they are those of the target.
const fewPairs = 8

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

// spread are the pieces of an object that an access may cover, each as its offset from
// s.from and its size.
func (x *exec) spread(n extent, s *stretch, fit bool) [][2]int64 {
	most := int64(0)
	for _, p := range s.places {
		most = max(most, p.off-s.from+n.at(p, fit))
	}
	if most <= 0 {
		return nil
	}
	return x.pieces(s.obj, s.from, most)
}

// whole is the condition that an access covers all of a piece, at an offset of a
// stretch's object; bytes are, where it may cover a part, the conditions that it does and
// that this byte is in it.
func (x *exec) whole(n extent, s *stretch, off, size int64) (all *bv.Term, bytes []*bv.Term) {
	if n.most >= 0 && len(s.places) == 1 {
		return s.match, nil
	}
	all = x.b.And(x.covered(n, s, off), x.covered(n, s, off+size-1))
	if size > 1 && x.partial(n, s.places, off, off+size) {
		for k := range size {
			bytes = append(bytes, x.b.And(s.match, x.covered(n, s, off+k), x.b.Not(all)))
		}
	}
	return x.b.And(s.match, all), bytes
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
	ps, okD := x.extentAt(i.Dst, n, false, st, i.Pos)
	o.need = append(o.need, okD)
	o.alive(ps)
	o.writable(ps, x.b.True)
	x.begins(i, ps)
	ds := x.stretches(ps, x.eval(i.Dst, st))
	if n.most < 0 || len(ps) > len(ds) {
		parts := 0
		for _, d := range ds {
			for _, pc := range x.spread(n, d, false) {
				parts += int(pc[1])
			}
		}
		if parts > manyParts {
			o.sweep(n, ds, true)
			o.unfollowed()
			return
		}
	}
	for _, d := range ds {
		o.aside(d.obj, func(off int64) *bv.Term { return x.b.And(d.match, x.covered(n, d, off)) }, true)
		for _, pc := range x.spread(n, d, false) {
			if !o.fill(n, d, d.from+pc[0], pc[1], v) {
				return
			}
		}
	}
	o.end(nil)
}

// fill writes a byte to all of a piece, or to a part of it; false where the path ends.
func (o *op) fill(n extent, d *stretch, off, size int64, v *bv.Term) bool {
	x := o.x
	all, bytes := x.whole(n, d, off, size)
	ts := x.targets([]place{{d.obj, off, all}}, size, nil)
	c, val := ts[0].c, v
	for range size - 1 {
		val = x.b.Concat(val, v)
	}
	if c.wide {
		if val, ts = x.b.Num(64, 0), x.alike(ts, size, v == x.b.Num(8, 0), o.st); ts == nil {
			return false
		}
	}
	o.write(ts, val)
	if len(bytes) > 0 && c.holdsPointer() {
		o.reaches(c, off, bytes, true)
		o.beyond = append(o.beyond, bytes...)
		return true
	}
	for k, cond := range bytes {
		if cond != x.b.False {
			o.write(x.targets([]place{{d.obj, off + int64(k), cond}}, 1, nil), v)
		}
	}
	return true
}
