package bmc

import (
	"whoop/ir"
	"whoop/smt/bv"
)

// A pointer of 4 bytes (ir.Ptr.Narrow) is in a wide cell: one of 4 bytes that holds all
// 64 bits. Only accesses to the whole pointer are followed there; where its bytes are
// taken for something else, or an address becomes an integer, is a limit.

// holdsNarrow reports whether the accesses of n bytes with type t are of wide cells.
func holdsNarrow(n int64, t ir.Type) bool { return n == 4 && ir.IsNarrow(t) }

// memoryWidth is the number of bits that a cell for n bytes of type t has.
func memoryWidth(n int64, t ir.Type) int {
	if holdsNarrow(n, t) {
		return 64
	}
	return int(8 * n)
}

// accessBits is how many bits an access of n bytes to the targets has.
func accessBits(ts []target, n int64) int {
	if len(ts) > 0 && ts[0].c.wide {
		return 64
	}
	return int(8 * n)
}

// alike limits the path where some targets are wide and some are not, or not as wanted.
// Cells of which nothing is known yet become as wanted.
func (x *exec) alike(ts []target, n int64, wide bool, st *state) []target {
	for i := range ts {
		c := ts[i].c
		if wide && !c.wide && c.typ == nil && c.lo+n == c.hi && ts[i].lo == 0 && len(c.acc) == 0 {
			c = x.w.widen(c)
			ts[i].c = c
		}
		if c.wide != wide || wide && c.hi-c.lo != n || c.poison {
			x.limit(st, "int-pointer", x.at, "memory that holds a pointer is used as something else, too")
			return nil
		}
	}
	return ts
}

// widen makes a wide cell of one that has no type.
func (w *world) widen(old *cell) *cell {
	c := w.newCell(&cell{obj: old.obj, lo: old.lo, hi: old.hi, width: 64, wide: true, conc: old.conc, typ: ir.Ptr{Elem: ir.Void{}, Narrow: true}})
	for i, o := range old.obj.cells {
		if o == old {
			old.obj.cells[i] = c
		}
	}
	w.change("a pointer in " + old.obj.name)
	return c
}

// narrowInit is the initial value of a wide cell of a global; parts of other types than
// pointers make the cell one that is not followed.
func (u *unrolling) narrowInit(c *cell) *bv.Term {
	x := &exec{unrolling: u, t: u.threads[0], spawned: map[*ir.Spawn]int{}}
	v := u.b.Num(64, 0)
	for _, ic := range c.obj.global.Init {
		n := ic.Type.Size()
		if ic.Offset+n <= c.lo || ic.Offset >= c.hi {
			continue
		}
		if val := x.eval(ic.Value, nil); ic.Offset == c.lo && n == 4 && val.Width == 64 {
			v = val
		} else if k, ok := val.IsNum(); !ok || k != 0 {
			u.poisoned(c)
		}
	}
	return v
}

func (u *unrolling) poisoned(c *cell) {
	if !c.poison {
		c.poison = true
		u.w.change("a part of a pointer in " + c.obj.name)
	}
}

// The integer of 4 bytes that an address becomes has 12 bits for the object and 18 for
// the offset, as in package interp.
const (
	narrowOffset = 18
	narrowBias   = 1 << (narrowOffset - 1)
	narrowIDs    = 1 << 12
	fewPointers  = 32 // so many possible pointers are converted one by one
)

// pointerToInt is what a pointer of 4 bytes is as an integer of 32 bits.
func (x *exec) pointerToInt(v *bv.Term, st *state) *bv.Term {
	if n := x.fromInt[v]; n != nil {
		return n
	}
	b := x.b
	lo, id := b.Extract(v, 31, 0), b.Extract(v, 63, 32)
	pack := func(lo, id *bv.Term) *bv.Term {
		return b.Concat(b.Num(2, 2), b.Concat(b.Extract(id, 11, 0), b.Add(b.Extract(lo, narrowOffset-1, 0), b.Num(narrowOffset, narrowBias))))
	}
	if vs := x.valuesOf(v); !vs.any && len(vs.arrays) == 0 && len(vs.nums) <= fewPointers {
		var out *bv.Term
		for _, n := range vs.sorted() {
			k := b.Num(32, n)
			if o := objectOf(n); o != 0 && o != 1<<32-1 {
				if k = pack(b.Num(32, n), b.Num(32, n>>32)); o >= narrowIDs && st != nil {
					x.limit(st, "int-pointer", x.at, "a pointer is taken as an integer of its 32 bits")
				}
			}
			if out == nil {
				out = k
			} else {
				out = b.Ite(b.Eq(v, b.Num(64, n)), k, out)
			}
		}
		return out
	}
	integer := b.Or(b.Eq(id, b.Num(32, 0)), b.Eq(id, b.Num(32, 1<<32-1)))
	return b.Ite(integer, lo, pack(lo, id))
}

// intToPointer is the reverse.
func (x *exec) intToPointer(n *bv.Term) *bv.Term {
	b := x.b
	unpack := func(n *bv.Term) *bv.Term {
		id := b.Extract(n, 29, narrowOffset)
		off := b.Add(b.ZExt(b.Extract(n, narrowOffset-1, 0), 32), b.Num(32, (bias-narrowBias)&(1<<32-1)))
		address := b.And(b.Eq(b.Extract(n, 31, 30), b.Num(2, 2)), b.Not(b.Eq(id, b.Num(12, 0))))
		return b.Ite(address, b.Concat(b.ZExt(id, 32), off), b.SExt(n, 64))
	}
	var v *bv.Term
	if vs := x.valuesOf(n); !vs.any && len(vs.arrays) == 0 && len(vs.nums) <= fewPointers {
		for _, k := range vs.sorted() {
			if p := unpack(b.Num(32, k)); v == nil {
				v = p
			} else {
				v = b.Ite(b.Eq(n, b.Num(32, k)), p, v)
			}
		}
	} else {
		v = unpack(n)
	}
	if v.Op != bv.OpNum {
		x.fromInt[v] = n
	}
	return v
}
