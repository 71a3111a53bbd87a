package bmc

import (
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

// copying is a copy of bytes: of each place it may read and each it may write.
type copying struct {
	*op
	in       *ir.MemCopy
	n        extent
	src, dst []place
	parts    []copied
}

// copied is a part of memory that was read, with where it goes to.
type copied struct {
	to []target
	v  *bv.Term
}

// memCopy copies piece by piece, as the cells of both sides divide it; all pieces are one
// step.
func (x *exec) memCopy(i *ir.MemCopy, st *state) {
	n := x.extent(i.Size, st)
	x.overwritten(st, i.Pos, i.Dst, n.most, i.Src)
	c := &copying{op: x.begin(st, i, i.Order), in: i, n: n}
	if n.most == 0 {
		c.end(nil)
		return
	}
	src, okS := x.extentAt(i.Src, n, i.Fit, st, i.Pos)
	dst, okD := x.extentAt(i.Dst, n, i.Fit, st, i.Pos)
	c.src, c.dst = src, dst
	c.need = append(c.need, okS, okD)
	c.alive(src)
	c.alive(dst)
	c.writable(dst, x.b.True)
	x.begins(i, src)
	x.begins(i, dst)
	from, to := x.stretches(src, x.eval(i.Src, st)), x.stretches(dst, x.eval(i.Dst, st))
	if c.tooMany(to) || slices.ContainsFunc(to, func(d *stretch) bool { return !c.settle(d) }) {
		c.sweep(n, from, false)
		c.sweep(n, to, true)
		c.unfollowed()
		return
	}
	if c.besides(from, to); !c.few() {
		c.sweep(n, from, false)
	}
	for _, d := range to {
		if !c.target(d) {
			return
		}
	}
	for _, p := range c.parts {
		c.write(p.to, p.v)
	}
	c.end(nil)
}

// target copies to an object; false where the path ends. What nobody looks at need not be
// written.
func (c *copying) target(d *stretch) bool {
	for _, pc := range c.pieces(d) {
		off := d.from + pc[0]
		if !c.piece(d, off, pc[1], d.obj.looked(off, pc[1])) {
			return false
		}
	}
	return true
}

// besides are the bytes of both sides that are accessed, and that nobody looks at.
func (c *copying) besides(from, to []*stretch) {
	b := c.x.b
	if c.few() {
		for _, s := range from {
			c.aside(s.obj, func(off int64) *bv.Term { return c.within(s.places, c.dst, off) }, false)
		}
	}
	for _, d := range to {
		c.aside(d.obj, func(off int64) *bv.Term {
			if c.few() {
				return c.within(d.places, c.src, off)
			}
			return b.And(d.match, c.x.covered(c.n, d, off))
		}, true)
	}
}

// within is the condition that the byte at an offset is copied from or to one of the
// places, where the other side is one of others.
func (c *copying) within(places, others []place, off int64) *bv.Term {
	b := c.x.b
	in := b.False
	for _, p := range places {
		for _, o := range others {
			in = b.Or(in, b.And(p.match, o.match, c.covers(p, o, off-p.off)))
		}
	}
	return in
}

// few reports whether the pieces of a copy are those of both sides.
func (c *copying) few() bool { return c.in.Fit || len(c.src)*len(c.dst) <= fewPairs }

// pieces are the pieces of memory that may be written of an object, each as its offset
// from d.from and its size.
func (c *copying) pieces(d *stretch) [][2]int64 {
	if !c.few() {
		return c.x.spread(c.n, d, false)
	}
	var out [][2]int64
	for _, p := range d.places {
		for _, s := range c.src {
			most := c.most(s, p)
			if most <= 0 {
				continue
			}
			own := cutPieces(c.x.pieces(s.obj, s.off, most), c.x.pieces(p.obj, p.off, most))
			for k := range own {
				own[k][0] += p.off - d.from
			}
			if out = cutPieces(out, own); len(c.src) == 1 && len(d.places) == 1 {
				return own
			}
		}
	}
	return out
}

// mostSettled is how often a copy within one object may ask for further cells.
const mostSettled = 256

// settle makes the cells that a copy within one object reads for those that it writes,
// which may be among those that it reads. In an object of unknown size that has no end:
// it is false then, and the object is marked so that further passes do not try again.
func (c *copying) settle(d *stretch) bool {
	if !slices.ContainsFunc(c.src, func(s place) bool { return s.obj == d.obj }) {
		return true
	}
	for before, rounds := -1, 0; before != len(d.obj.cells); rounds++ {
		if d.obj.endless = d.obj.endless || rounds > mostSettled; d.obj.endless || c.x.ctx.Err() != nil {
			return false
		}
		before = len(d.obj.cells)
		for _, pc := range c.pieces(d) {
			if !d.obj.looked(d.from+pc[0], pc[1]) {
				continue
			}
			for _, p := range d.places {
				for _, s := range c.src {
					if k := d.from + pc[0] - p.off; s.obj == d.obj && k >= 0 && k+pc[1] <= c.most(s, p) {
						c.x.w.cell(s.obj, s.off+k, pc[1], nil)
					}
				}
			}
		}
	}
	return true
}

// looked reports whether an access to some bytes was met that is no copy to them.
func (o *object) looked(off, n int64) bool {
	return slices.ContainsFunc(o.cells, func(c *cell) bool { return !c.standIn && c.lo < off+n && off < c.hi })
}

// most is how many bytes may be copied from a place to another one.
func (c *copying) most(s, d place) int64 { return min(c.n.at(s, c.in.Fit), c.n.at(d, c.in.Fit)) }

// tooMany reports whether a copy has too many parts to be followed.
func (c *copying) tooMany(to []*stretch) bool {
	if c.n.most >= 0 && len(c.src)*len(c.dst) <= fewPairs {
		return false
	}
	parts := 0
	for _, d := range to {
		for _, pc := range c.pieces(d) {
			parts += int(pc[1]) * len(c.src) * len(d.places)
		}
	}
	return parts > manyParts
}

// covers is the condition that a copy from one place to another one covers its byte of
// that number.
func (c *copying) covers(s, d place, k int64) *bv.Term {
	b := c.x.b
	if k < 0 || k >= c.most(s, d) {
		return b.False
	}
	in := b.ULt(b.Num(64, uint64(k)), c.n.n)
	// what the object that is copied has more, and what the new one has, stays as it is
	if c.in.Fit {
		in = b.And(in, c.x.holds(s, b.Num(64, uint64(k+1))), c.x.holds(d, b.Num(64, uint64(k+1))))
	}
	return in
}

// piece reads what goes to a piece at an offset of an object, or to parts of it, and has
// it written if that matters; false where the path ends.
func (c *copying) piece(d *stretch, off, size int64, write bool) bool {
	x, b := c.x, c.x.b
	var from []place
	some := make([][]place, size) // of each byte, where the piece may be copied in part
	for _, p := range d.places {
		for _, s := range c.src {
			k, both := off-p.off, b.And(s.match, p.match)
			all := b.And(c.covers(s, p, k), c.covers(s, p, k+size-1))
			if all != b.False {
				from = append(from, place{s.obj, s.off + k, b.And(both, all)})
			}
			if all == b.True || size == 1 || !c.in.Fit && !x.partial(c.n, []place{p}, off, off+size) {
				continue
			}
			for i := range some {
				if is := b.And(both, c.covers(s, p, k+int64(i)), b.Not(all)); is != b.False {
					some[i] = append(some[i], place{s.obj, s.off + k + int64(i), is})
				}
			}
		}
	}
	if len(from) > 0 && !c.part(from, d.obj, off, size, write) {
		return false
	}
	return c.bytes(some, d.obj, off, size, write)
}

// part reads what goes to n bytes of an object from one of several places, and has it
// written if that matters.
func (c *copying) part(from []place, obj *object, off, n int64, write bool) bool {
	x := c.x
	sources := x.targets(from, n, nil)
	if !write {
		c.read(sources, n)
		return true
	}
	to := x.targets([]place{{obj, off, matches(x.b, from)}}, n, sources[0].c.typ)
	wide := to[0].c.wide
	for _, t := range sources {
		wide = wide || t.c.wide
	}
	if sources, to = x.alike(sources, n, wide, c.st), x.alike(to, n, wide, c.st); sources == nil || to == nil {
		return false
	}
	for _, t := range sources {
		if t.c.typ == nil {
			t.c.typ = to[0].c.typ
		}
	}
	c.parts = append(c.parts, copied{to, c.read(sources, n)})
	return true
}

// bytes reads the bytes of a piece that is copied in part; a part of a pointer is not
// followed.
func (c *copying) bytes(some [][]place, obj *object, off, size int64, write bool) bool {
	x := c.x
	conds := make([]*bv.Term, size)
	pointer := write && x.w.cell(obj, off, size, nil).holdsPointer()
	for i, ps := range some {
		conds[i] = matches(x.b, ps)
		for _, t := range x.targets(ps, 1, nil) {
			pointer = pointer || t.c.holdsPointer()
		}
	}
	for i, ps := range some {
		if len(ps) == 0 {
			continue
		}
		if !pointer {
			if !c.part(ps, obj, off+int64(i), 1, write) {
				return false
			}
			continue
		}
		c.beyond = append(c.beyond, conds[i])
		for _, p := range ps {
			c.reaches(x.w.cell(p.obj, p.off, 1, nil), p.off, []*bv.Term{p.match}, false)
		}
	}
	if pointer && write {
		c.reaches(x.w.cell(obj, off, size, nil), off, conds, true)
	}
	return true
}

// matches is the condition that one of the places is meant.
func matches(b *bv.Builder, ps []place) *bv.Term {
	any := b.False
	for _, p := range ps {
		any = b.Or(any, p.match)
	}
	return any
}
