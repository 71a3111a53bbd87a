package bmc

import (
	"fmt"

	"whoop/ir"
	"whoop/smt/bv"
)

// What there may be of memory in one object, in bytes: as much as the interpreter makes,
// and as much as is followed where the size is no literal.
const (
	maxObject  = 1 << 28
	maxUnknown = 1 << 20
)

// amount is what an allocation asks for.
type amount struct {
	bytes *bv.Term // 64 bits
	most  int64    // bytes is at most that, where the object is made
	// over: there is no memory for so much; left: that is not known of so much, and not
	// followed.
	over, left *bv.Term
}

// alloc makes an object. A size that is no literal is a term: accesses are within it. Of
// memory of which nobody knows the size there is enough for all accesses, as in the
// interpreter.
func (x *exec) alloc(i *ir.Alloc, st *state, ctx uint64) {
	b := x.b
	a, unsized := x.amount(i, st), x.feat.unsized[i]
	if unsized {
		a = amount{b.Num(64, maxUnknown), maxUnknown, b.False, b.False}
		x.note("unsized", i.Pos, "memory of unknown size is taken to be as large as the accesses to it")
	}
	if rest := st.clone(); true {
		rest.guard = b.And(st.guard, a.left)
		x.limit(rest, "size", i.Pos, fmt.Sprintf("an object of more than %d bytes", a.most))
		st.guard = b.And(st.guard, b.Not(a.left))
	}
	name := i.Name
	if name == "" {
		name = "object"
	}
	o := x.w.object("a:"+hexKey(hashOf(x.t.key, ctx)), func() *object {
		return &object{name: name, size: a.most, site: i, zero: i.Zero,
			heap: i.Kind == "heap", unsized: unsized}
	})
	o.size = max(o.size, a.most)
	if n, ok := a.bytes.IsNum(); !ok || int64(n) != o.size {
		x.sizes[o] = a.bytes
	}
	v := b.Num(64, makeAddr(o.id, 0))
	var fail *bv.Term
	if i.MayFail && x.opt.Failures {
		fail = x.fresh("fail", 1)
		v = b.Ite(b.Eq(fail, b.Num(1, 1)), b.Num(64, 0), v)
	}
	e := x.logged(st, i, fail, nil)
	e.obj = o
	x.setReg(i.Dst, b.Ite(a.over, b.Num(64, 0), v), st)
}

// amount evaluates the size of an allocation.
func (x *exec) amount(i *ir.Alloc, st *state) amount {
	b := x.b
	if i.Count == nil {
		return amount{b.Num(64, uint64(max(i.Elem.Size(), 0))), max(i.Elem.Size(), 0), b.False, b.False}
	}
	e, unit := i.Amount()
	n := x.eval(e, st)
	if n.Width < 64 {
		n = b.ZExt(n, 64)
	} else if n.Width > 64 {
		n = b.Ite(b.Eq(b.Extract(n, n.Width-1, 64), b.Num(n.Width-64, 0)), b.Extract(n, 63, 0), b.Num(64, 1<<64-1))
	}
	a := amount{bytes: b.Mul(n, b.Num(64, uint64(unit)))}
	a.most = x.largest(n, unit)
	over := b.ULt(b.Num(64, uint64(maxObject/max(unit, 1))), n)
	above := b.ULt(b.Num(64, uint64(a.most/max(unit, 1))), n)
	if i.MayFail {
		a.over, a.left = over, b.And(above, b.Not(over))
	} else {
		a.over, a.left = b.False, above
	}
	return a
}

// largest is how many bytes n units may be that are followed.
func (x *exec) largest(n *bv.Term, unit int64) int64 {
	most := int64(maxObject) / max(unit, 1)
	if k, ok := n.IsNum(); ok {
		if k > uint64(most) {
			return 0
		}
		return int64(k) * unit
	}
	vs := x.valuesOf(n)
	if vs.any || len(vs.arrays) > 0 {
		return max(maxUnknown/max(unit, 1), 1) * unit
	}
	top := int64(0)
	for k := range vs.nums {
		if k <= uint64(most) {
			top = max(top, int64(k))
		}
	}
	return top * unit
}
