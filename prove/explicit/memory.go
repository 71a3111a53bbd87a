package explicit

import (
	"math"
	"slices"

	"whoop/ir"
)

// place is where an access goes: off is -1 where it may be anywhere in the object.
func (x *exec) place(in ir.Instr, v val, size int64) (id int32, off int64) {
	switch v.kind {
	case pointer, inside:
	case number:
		x.giveUp(in.At(), "an access at the address %d", v.n)
	default:
		x.giveUp(in.At(), "an access through a pointer that is not followed")
	}
	o := x.object(v.o)
	switch {
	case o.ended:
		x.giveUp(in.At(), "an access to something that has ended")
	case v.kind == inside:
		return v.o, -1
	case size <= 0 || size > math.MaxInt32 || v.n < 0 || v.n+size > o.size:
		x.giveUp(in.At(), "an access may leave its object")
	}
	return v.o, v.n
}

// read is the contents of a place.
func (x *exec) read(id int32, off int64, t ir.Type) val {
	o := x.object(id)
	size := int32(t.Size())
	if x.loads(id, off) {
		return x.arbitrary(t)
	}
	if r, ok := x.p.summarised(id); ok {
		if !ir.Equal(t, x.p.sums.elem[id]) {
			return x.arbitrary(t)
		}
		return x.symbol(r)
	}
	if off < 0 || o.any || o.mixed(off, size) {
		return x.arbitrary(t)
	}
	if i, ok := o.find(off, size); ok {
		return x.loaded(o.cells[i].val, t)
	}
	if !o.zero {
		return x.arbitrary(t)
	}
	switch t.(type) {
	case ir.Int, ir.Bool, ir.Ptr:
		return num(0)
	}
	return val{}
}

// loaded is what is read where a value was written.
func (x *exec) loaded(v val, t ir.Type) val {
	if p, ok := t.(ir.Ptr); ok {
		v = x.fixed(v)
		switch {
		case p.Narrow && v.kind == number && v.n != int64(uint32(v.n)), v.kind == symbol:
			return val{}
		}
		return v
	}
	return x.fit(v, t)
}

// write changes a place.
func (x *exec) write(id int32, off int64, size int32, v val) {
	o := x.object(id)
	switch {
	case x.p.forgotten(id, off):
		x.effect = true
		return
	case x.p.isSummarised(id):
		x.writeSummary(id, int64(size), v)
		return
	case off < 0 || o.mixed(off, size):
		x.spoil(id)
		return
	case o.any:
		x.effect = x.effect || id >= 0
		return
	}
	for _, c := range o.cells {
		if c.size <= 0 && c.off >= off && c.off < off+int64(size) {
			x.giveUp(x.at(), "memory is written that may be a lock in use")
		}
	}
	o = x.change(id)
	o.put(off, size, v)
	if o.zero && v == num(0) {
		if i, ok := o.find(off, size); ok {
			o.cells = append(o.cells[:i:i], o.cells[i+1:]...)
		}
	}
}

// spoil makes the contents of an object unknown.
func (x *exec) spoil(id int32) {
	if x.p.isSummarised(id) {
		x.writeSummary(id, 0, val{})
		return
	}
	o := x.change(id)
	for _, c := range o.cells {
		if c.size <= 0 {
			x.giveUp(x.at(), "memory is written that may be a lock in use")
		}
	}
	o.any, o.cells = true, nil
}

// memory executes the instructions that access memory.
func (x *exec) memory(in ir.Instr) {
	switch in.(type) {
	case *ir.MemSet, *ir.MemCopy:
		if x.noticed(in) {
			x.giveUp(in.At(), "others may see half of what is copied")
		}
	}
	switch in := in.(type) {
	case *ir.Load:
		id, off := x.place(in, x.eval(in.Addr), in.Dst.Type.Size())
		x.approaches(in, id, off, in.Dst.Type.Size(), false, in.Order)
		v := x.read(id, off, in.Dst.Type)
		x.set(in.Dst, v)
		if v.kind == symbol {
			x.note(in, nil, v)
		}
	case *ir.Store:
		if x.p.dead[in] {
			x.vague = true
			x.place(in, x.eval(in.Addr), in.Val.Type().Size())
			x.vague = false
			return
		}
		a := x.eval(in.Addr)
		id, off := x.place(in, a, in.Val.Type().Size())
		x.approaches(in, id, off, in.Val.Type().Size(), true, in.Order)
		x.p.note(x.key(id, off), in.Val.Type())
		v := x.given(id, x.eval(in.Val))
		if id >= 0 {
			v = x.split(x.key(id, off), v)
		}
		x.write(id, off, int32(in.Val.Type().Size()), v)
	case *ir.RMW:
		x.rmw(in)
	case *ir.CmpXchg:
		x.cmpxchg(in)
	case *ir.MemSet:
		x.memset(in)
	case *ir.MemCopy:
		x.memcopy(in)
	}
}

// given is a value that is written to an object.
func (x *exec) given(id int32, v val) val {
	if id < 0 {
		return v
	}
	return x.escape(v)
}

// split is a value that is written to a place of all threads: one of few numbers is
// fixed, since which it is, is not known of both the place and the thread otherwise.
func (x *exec) split(k spot, v val) val {
	if _, rough := x.p.rough[k]; v.kind != symbol || rough {
		return v
	}
	r, ok := x.span(v)
	n, fits := plus(r.hi, -r.lo)
	step := max(r.m, 1)
	if r = r.tight(); !ok || !fits || r.hi == math.MaxInt64 || n/step >= maxFew {
		return v
	}
	i := r.lo + step*int64(x.choose(int((r.hi-r.lo)/step)+1))
	x.narrow(v, one(i))
	return x.fixed(v)
}

// maxFew bounds the numbers that are split up when they are written.
const maxFew = 40

func (x *exec) rmw(in *ir.RMW) {
	t := in.Val.Type()
	id, off := x.place(in, x.eval(in.Addr), t.Size())
	x.approaches(in, id, off, t.Size(), true, ir.SeqCst)
	old := x.read(id, off, t)
	v := x.eval(in.Val)
	if i, ok := t.(ir.Int); ok && in.Op != "xchg" {
		a, b := x.fixed(old), x.fixed(v)
		switch {
		case i.Bits > 64 || in.Op == "nand":
			v = x.arbitrary(t)
		case a.kind == number && b.kind == number:
			n, ok := arith(in.Op, i, a.n, b.n)
			if v = num(n); !ok {
				v = x.arbitrary(t)
			}
		default:
			v = x.approximate(in.Op, i, a, b)
		}
	} else if in.Op != "xchg" {
		v = val{}
	}
	x.write(id, off, int32(t.Size()), x.given(id, v))
	if in.Dst != nil {
		x.set(in.Dst, old)
	}
}

func (x *exec) cmpxchg(in *ir.CmpXchg) {
	t := in.New.Type()
	id, off := x.place(in, x.eval(in.Addr), t.Size())
	x.approaches(in, id, off, t.Size(), true, ir.SeqCst)
	old := x.read(id, off, t)
	ok := x.compare("eq", t, old, x.eval(in.Expected))
	if ok && in.Weak {
		ok = x.choose(2) == 0
	}
	if ok {
		x.write(id, off, int32(t.Size()), x.given(id, x.eval(in.New)))
	}
	if in.Dst != nil {
		x.set(in.Dst, x.fixed(old))
	}
	if in.OK != nil {
		x.set(in.OK, boolVal(ok))
	}
}

func (x *exec) memset(in *ir.MemSet) {
	a, v, n := x.eval(in.Dst), x.fixed(x.eval(in.Val)), x.fixed(x.eval(in.Size))
	if n == num(0) {
		return
	}
	if n.kind != number {
		x.giveUp(in.At(), "a length that is not known")
	}
	id, off := x.place(in, a, n.n)
	o := x.object(id)
	if off != 0 || n.n != o.size || v != num(0) || o.wild {
		x.spoil(id)
		return
	}
	for _, c := range o.cells {
		if c.size <= 0 {
			x.giveUp(in.At(), "memory is written that may be a lock in use")
		}
	}
	if x.p.isSummarised(id) {
		x.effect = true // 0 is among what it holds
		return
	}
	o = x.change(id)
	o.zero, o.any, o.cells = true, false, nil
}

func (x *exec) memcopy(in *ir.MemCopy) {
	to, from, n := x.eval(in.Dst), x.eval(in.Src), x.fixed(x.eval(in.Size))
	if n == num(0) {
		return
	}
	if n.kind != number || in.Fit {
		x.giveUp(in.At(), "a length that is not known")
	}
	id, off := x.place(in, to, n.n)
	src, at := x.place(in, from, n.n)
	a, b := x.object(src), x.object(id)
	if x.p.forgets(src) {
		x.l.last = 0
	}
	if x.p.forgets(src) || x.p.isSummarised(src) || x.p.isSummarised(id) || off < 0 || at < 0 || a.any || b.any || !a.zero || !b.zero || id == src || id >= 0 && src < 0 {
		x.spoil(id)
		return
	}
	end := at + n.n
	var cells []cell
	for _, c := range a.cells {
		switch {
		case c.off+int64(max(c.size, 1)) <= at || c.off >= end:
		case c.size <= 0 || c.off < at || c.off+int64(c.size) > end:
			x.giveUp(in.At(), "a copy of a part of something, or of a lock in use")
		default:
			cells = append(cells, cell{c.off - at + off, c.size, c.val})
		}
	}
	b = x.change(id)
	var kept []cell
	for _, c := range b.cells {
		switch {
		case c.off+int64(max(c.size, 1)) <= off || c.off >= off+n.n:
			kept = append(kept, c)
		case c.size <= 0 || c.off < off || c.off+int64(c.size) > off+n.n:
			x.giveUp(in.At(), "a copy over a part of something, or over a lock in use")
		}
	}
	b.cells = kept
	for _, c := range cells {
		b.put(c.off, c.size, c.val)
	}
}

// alloc makes an object of the thread's own. There is always memory for it.
func (x *exec) alloc(in *ir.Alloc) {
	amount, size := in.Amount()
	n := x.fixed(x.eval(amount))
	if n.kind != number || n.n < 0 || size > 0 && n.n > math.MaxInt32/size {
		x.giveUp(in.At(), "an object of a size that is not known")
	}
	o := &object{site: in, size: n.n * size, zero: in.Zero}
	x.fresh[o] = true
	x.l.objs = append(x.l.objs, o)
	id := -int32(len(x.l.objs))
	if in.Kind == "stack" {
		x.top().stack = append(x.top().stack, id)
	}
	x.set(in.Dst, val{kind: pointer, o: id})
}

func (x *exec) free(in *ir.Free) {
	v := x.fixed(x.eval(in.Addr))
	if v == num(0) {
		return
	}
	if v.kind != pointer || v.n != 0 {
		x.giveUp(in.At(), "what is freed is not known")
	}
	o := x.object(v.o)
	if o.ended || o.site == nil || (o.site.Kind == "stack") != in.Scope {
		x.giveUp(in.At(), "what is freed is no object of that kind")
	}
	if in.Scope && in.Kept {
		x.giveUp(in.At(), "the address of a variable of a block that ends may be kept")
	}
	x.endObjects([]int32{v.o})
}

// touch is what code not seen does with memory.
func (x *exec) touch(in *ir.Touch) {
	if !in.Write {
		return
	}
	v := x.eval(in.Addr)
	if v == num(0) {
		return
	}
	id, _ := x.place(in, v, 1)
	if o := x.object(id); in.Deep && (!o.zero || slices.ContainsFunc(o.cells, func(c cell) bool { return c.val.kind == pointer || c.val.kind == inside })) {
		x.giveUp(in.At(), "code not seen may write memory")
	}
	x.spoil(id)
	o := x.change(id)
	o.wild = o.wild || !in.Borrow
}
