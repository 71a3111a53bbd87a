package bmc

import (
	"whoop/ir"
	"whoop/smt/bv"
)

// A pointer of 4 bytes (ir.Ptr.Narrow) is in a wide cell: one of 4 bytes that holds all 64 bits. Only accesses to the whole pointer are followed there;
// where its bytes are taken for something else, or an address becomes an integer, is a limit.

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

// alike limits the path where some targets are wide and some are not, or not as wanted. Cells of which nothing is known yet become as wanted.
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

// narrowInit is the initial value of a wide cell of a global; parts of other types than pointers make the cell one that is not followed.
func (u *unfolding) narrowInit(c *cell) *bv.Term {
	x := &exec{unfolding: u, t: u.threads[0], spawned: map[*ir.Spawn]int{}}
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

func (u *unfolding) poisoned(c *cell) {
	if !c.poison {
		c.poison = true
		u.w.change("a part of a pointer in " + c.obj.name)
	}
}

// addressAsInt limits the path where an address may become an integer of 4 bytes: such integers have no place in 32 bits.
func (x *exec) addressAsInt(v *bv.Term, st *state) {
	if st == nil || v.Width != 64 {
		return
	}
	if (v.Op == bv.OpSExt || v.Op == bv.OpZExt) && v.Args[0].Width <= 32 {
		return
	}
	vs := x.valuesOf(v)
	known := !vs.any && len(vs.arrays) == 0
	for n := range vs.nums {
		known = known && (n < 1<<32 || n >= 1<<64-1<<32)
	}
	if !known && !x.integral(v, 0) {
		x.limit(st, "int-pointer", x.at, "a pointer is taken as an integer of its 32 bits")
	}
}

// integral reports whether a term is made of integers of at most 32 bits alone.
func (x *exec) integral(t *bv.Term, depth int) bool {
	switch {
	case depth > 40:
		return false
	case t.Op == bv.OpNum:
		return t.Val < 1<<32 || t.Val >= 1<<64-1<<32
	case t.Op == bv.OpSExt || t.Op == bv.OpZExt:
		return t.Args[0].Width <= 32
	case t.Op == bv.OpIte:
		return x.integral(t.Args[1], depth+1) && x.integral(t.Args[2], depth+1)
	}
	return false
}
