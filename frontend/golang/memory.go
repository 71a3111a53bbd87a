package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// length is an arbitrary length of at most max (nil: any).
func (x *fn) length(max ir.Expr) ir.Expr {
	n := x.havoc(irgen.IntT)
	x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.Bin("ge", n, ir.IntConst(irgen.IntT, 0))})
	if max != nil {
		x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.Bin("le", n, max)})
	}
	return n
}

// freshSlice is a slice of n elements with a backing array of its own, whose contents are
// arbitrary.
func (x *fn) freshSlice(t types.Type, n ir.Expr) irgen.Value {
	return x.newSlice(t, n, n, false)
}

func (x *fn) newSlice(t types.Type, n, cap ir.Expr, zero bool) irgen.Value {
	elem := irgen.Sized(x.lay.Of(t.Underlying().(*types.Slice).Elem()).Mem)
	r := x.Temp(ir.Ptr{Elem: elem})
	cap = x.Hold(cap)
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: elem, Count: irgen.Typed(cap, ir.U64), Kind: "heap", Zero: zero})
	return irgen.Value{ir.Use{Reg: r}, x.Hold(n), cap}
}

func (x *fn) makeSlice(v *ssa.MakeSlice) irgen.Value {
	n, c := irgen.Typed(x.One(v.Len), irgen.IntT), irgen.Typed(x.One(v.Cap), irgen.IntT)
	x.Ordered("makeslice: len out of range", ir.IntConst(irgen.IntT, 0), n, c)
	return x.newSlice(v.Type(), n, c, true)
}

// slice is s[low:high:max] of a slice, a string or a pointer to an array.
func (x *fn) slice(v *ssa.Slice) irgen.Value {
	in := x.followed(v.X)
	low := ir.Expr(ir.IntConst(irgen.IntT, 0))
	if v.Low != nil {
		low = irgen.Typed(x.One(v.Low), irgen.IntT)
	}
	var ptr, length, capacity ir.Expr
	var elem types.Type
	switch u := v.X.Type().Underlying().(type) {
	case *types.Slice:
		ptr, length, capacity, elem = in[0], in[1], in[2], u.Elem()
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		length = ir.IntConst(irgen.IntT, a.Len())
		ptr, capacity, elem = in[0], length, a.Elem()
	default: // a string
		if x.Exact {
			return x.SliceText(v)
		}
		return x.arbitrary(v.Type())
	}
	if v.High != nil {
		length = irgen.Typed(x.One(v.High), irgen.IntT)
	}
	room := capacity
	if v.Max != nil {
		capacity = irgen.Typed(x.One(v.Max), irgen.IntT)
	}
	if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
		x.NonNil(v.X)
	}
	x.Ordered("slice bounds out of range", ir.IntConst(irgen.IntT, 0), low, length, capacity, room)
	pt := x.layoutOf(v).Leaves[0].T
	if c, ok := low.(ir.Const); ok && c.Val.Sign() == 0 {
		return irgen.Value{irgen.Typed(ptr, pt), length, capacity}
	}
	return irgen.Value{irgen.Typed(x.Element(ptr, elem, low), pt), x.Hold(irgen.Bin("sub", length, low)), x.Hold(irgen.Bin("sub", capacity, low))}
}

// appended is append(s, t...): in place where the capacity allows, in a new array
// otherwise.
func (x *fn) appended(t types.Type, s, more irgen.Value, n ir.Expr) irgen.Value {
	elem := t.Underlying().(*types.Slice).Elem()
	stride := max(x.lay.Of(elem).Mem.Size(), 1)
	bytes := func(n ir.Expr) ir.Expr { return irgen.Bin("mul", n, ir.IntConst(irgen.IntT, stride)) }
	leaves := x.lay.Of(t).Leaves
	ptr, capacity := x.Temp(leaves[0].T), x.Temp(irgen.IntT)
	length := x.Hold(irgen.Bin("add", s[1], n))
	add := func(array ir.Expr) { // in each case for itself: nobody else has the new array yet
		if _, null := array.(ir.Null); null || x.lay.Of(elem).Size == 0 {
			return // a nil slice has no room
		}
		x.When(irgen.Bin("gt", n, ir.IntConst(irgen.IntT, 0)), func() {
			to := x.Element(array, elem, s[1])
			if more == nil {
				x.Emit(&ir.Touch{Base: x.Base(), Addr: to, Size: bytes(n), Write: true, Why: "append of a string"})
			} else {
				x.copyElements(to, more[0], n, elem)
			}
		})
	}
	x.Choose(irgen.Bin("le", length, s[2]), func() {
		add(s[0])
		x.Assign(ptr, s[0])
		x.Assign(capacity, s[2])
	}, func() {
		old := x.Unused
		x.Unused = true // a program does not depend on how much an array grows
		grown := x.havoc(irgen.IntT)
		x.Unused = old
		if x.Exact {
			double := irgen.Bin("add", s[2], s[2])
			grown = x.Hold(ir.Select{C: irgen.Bin("lt", double, length), X: length, Y: double})
		}
		x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.Bin("ge", grown, length)})
		fresh := x.newSlice(t, length, grown, true)
		x.When(irgen.Bin("gt", s[1], ir.IntConst(irgen.IntT, 0)), func() { x.copyElements(fresh[0], s[0], s[1], elem) })
		add(fresh[0])
		x.Assign(ptr, fresh[0])
		x.Assign(capacity, grown)
	})
	return irgen.Value{ir.Use{Reg: ptr}, length, ir.Use{Reg: capacity}}
}

// maxCopied is up to which number of elements copies are told apart where the number is
// not a constant: bmc follows no copies of a size that it does not know.
const maxCopied = 4

// copyElements copies n elements.
func (x *fn) copyElements(dst, src, n ir.Expr, elem types.Type) {
	stride := max(x.lay.Of(elem).Mem.Size(), 1)
	if _, constant := n.(ir.Const); x.Exact && !constant {
		done := x.Block("copied")
		for k := int64(1); k <= maxCopied; k++ {
			then, els := x.Block("copies"), x.Block("else")
			x.Branch(irgen.Bin("eq", n, ir.IntConst(irgen.IntT, k)), then, els)
			x.Start(then)
			x.copyBytes(dst, src, ir.IntConst(irgen.IntT, k*stride), elem)
			x.Jump(done)
			x.Start(els)
		}
		x.copyBytes(dst, src, irgen.Bin("mul", n, ir.IntConst(irgen.IntT, stride)), elem)
		x.Jump(done)
		x.Start(done)
		return
	}
	x.copyBytes(dst, src, irgen.Bin("mul", n, ir.IntConst(irgen.IntT, stride)), elem)
}

func (x *fn) copyBytes(dst, src, size ir.Expr, elem types.Type) {
	x.Emit(&ir.MemCopy{Base: x.Base(), Dst: dst, Src: src, Size: size, Elem: x.lay.Of(elem).Mem, Order: ir.Plain})
}

// Made is a map or a channel that an instruction makes.
func (x *fn) Made(v ssa.Value, name string) ir.Expr {
	if g := x.lifted[v]; g != nil {
		return ir.GlobalAddr{Global: g}
	}
	return x.MakeObject(v.Type(), name)
}

// mapEntry is the address of an arbitrary element of a map, for its key and its value.
func (x *fn) mapEntry(m ir.Expr) (key, val ir.Expr) {
	s := m.Type().(ir.Ptr).Elem.(*ir.Struct)
	arr := s.Fields[1].Type.(ir.Array)
	i := x.Hold(ir.Cast{X: x.havoc(ir.U8), T: irgen.IntT})
	e := ir.IndexAddr{Base: ir.FieldAddr{Base: m, S: s, Index: 1}, Idx: i, Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
	es := arr.Elem.(*ir.Struct)
	return ir.FieldAddr{Base: e, S: es, Index: 0}, ir.FieldAddr{Base: e, S: es, Index: 1}
}

// writeMap is the access of an operation that changes the map.
func (x *fn) writeMap(m ir.Expr) {
	x.Inexact()
	x.Emit(&ir.Store{Base: x.Base(), Addr: irgen.MapCount(m), Val: x.length(nil), Order: ir.Plain})
}

func (x *fn) mapUpdate(in *ssa.MapUpdate) {
	if x.Exact {
		x.UpdateExact(in)
		return
	}
	m, t := x.followed(in.Map)[0], in.Map.Type().Underlying().(*types.Map)
	k, v := x.Val(in.Key), x.Val(in.Value)
	x.writeMap(m)
	ka, va := x.mapEntry(m)
	x.Store(t.Key(), ka, k, ir.Relaxed)
	x.Store(t.Elem(), va, v, ir.Relaxed)
}

// lookup is m[k] or s[i]. The elements are accessed as if atomically: a race shows at the
// map's header already.
func (x *fn) lookup(v *ssa.Lookup) irgen.Value {
	t, ok := v.X.Type().Underlying().(*types.Map)
	if !ok {
		return x.arbitrary(v.Type())
	}
	if x.Exact {
		return x.LookupExact(v, t)
	}
	m := x.followed(v.X)[0]
	found := x.Temp(irgen.BoolT)
	var dst []*ir.Reg
	for _, lf := range x.lay.Of(t.Elem()).Leaves {
		dst = append(dst, x.Temp(lf.T))
	}
	set := func(val irgen.Value) {
		for i, r := range dst {
			x.Assign(r, val[i])
		}
	}
	x.Assign(found, irgen.BoolConst(false))
	set(x.Zero(t.Elem()))
	x.When(irgen.Not(irgen.IsNil(m)), func() {
		x.ReadMap(m)
		x.Assign(found, x.havoc(irgen.BoolT))
		x.When(irgen.Cond(ir.Use{Reg: found}), func() {
			_, va := x.mapEntry(m)
			set(x.Load(t.Elem(), va, ir.Relaxed))
		})
	})
	var out irgen.Value
	for _, r := range dst {
		out = append(out, ir.Use{Reg: r})
	}
	if v.CommaOk {
		out = append(out, irgen.Truth(irgen.Cond(ir.Use{Reg: found})))
	}
	return out
}

// next is one step of a range loop over a map or a string.
func (x *fn) next(v *ssa.Next) irgen.Value {
	if r := v.Iter.(*ssa.Range); x.Exact && x.Visited[r].Seen != nil {
		return x.NextExact(v, r, r.X.Type().Underlying().(*types.Map))
	}
	rng := v.Iter.(*ssa.Range)
	if x.Exact && x.Visited[rng].At != nil {
		return x.NextText(rng)
	}
	ok := x.havoc(irgen.BoolT)
	tup := v.Type().(*types.Tuple)
	out := irgen.Value{irgen.Truth(irgen.Cond(ok))}
	t, isMap := rng.X.Type().Underlying().(*types.Map)
	if !isMap {
		for i := 1; i < 3; i++ {
			out = append(out, x.arbitrary(tup.At(i).Type())...)
		}
		return out
	}
	m := x.followed(rng.X)[0]
	var dst []*ir.Reg
	for i, et := range []types.Type{t.Key(), t.Elem()} {
		want := tup.At(i + 1).Type()
		if b, invalid := want.(*types.Basic); invalid && b.Kind() == types.Invalid {
			continue
		}
		for _, lf := range x.lay.Of(et).Leaves {
			dst = append(dst, x.Temp(lf.T))
		}
	}
	for _, r := range dst {
		x.Assign(r, x.ZeroLeaf(irgen.Leaf{T: r.Type}))
	}
	x.When(irgen.Not(irgen.IsNil(m)), func() {
		x.ReadMap(m)
		x.When(irgen.Cond(ok), func() { x.loadEntry(m, t, tup, dst) })
	})
	for _, r := range dst {
		out = append(out, ir.Use{Reg: r})
	}
	return out
}

// loadEntry reads an arbitrary element of a map into the registers for those of key and
// value that are wanted.
func (x *fn) loadEntry(m ir.Expr, t *types.Map, tup *types.Tuple, dst []*ir.Reg) {
	ka, va := x.mapEntry(m)
	for i, et := range []types.Type{t.Key(), t.Elem()} {
		if b, invalid := tup.At(i + 1).Type().(*types.Basic); invalid && b.Kind() == types.Invalid {
			continue
		}
		addr := ka
		if i == 1 {
			addr = va
		}
		for _, e := range x.Load(et, addr, ir.Relaxed) {
			x.Assign(dst[0], e)
			dst = dst[1:]
		}
	}
}
