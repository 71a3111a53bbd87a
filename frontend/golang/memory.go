package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// length is an arbitrary length of at most max (nil: any).
func (x *fn) length(max ir.Expr) ir.Expr {
	n := x.havoc(intT)
	x.emit(&ir.Assume{Base: x.base(), Cond: bin("ge", n, ir.IntConst(intT, 0))})
	if max != nil {
		x.emit(&ir.Assume{Base: x.base(), Cond: bin("le", n, max)})
	}
	return n
}

// freshSlice is a slice of n elements with a backing array of its own, whose contents are
// arbitrary.
func (x *fn) freshSlice(t types.Type, n ir.Expr) value {
	return x.newSlice(t, n, n, false)
}

func (x *fn) newSlice(t types.Type, n, cap ir.Expr, zero bool) value {
	elem := x.lay.of(t.Underlying().(*types.Slice).Elem()).mem
	if elem.Size() == 0 {
		elem = ir.U8
	}
	r := x.temp(ir.Ptr{Elem: elem})
	cap = x.hold(cap)
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: elem, Count: typed(cap, ir.U64), Kind: "heap", Zero: zero})
	return value{ir.Use{Reg: r}, x.hold(n), cap}
}

func (x *fn) makeSlice(v *ssa.MakeSlice) value {
	n, c := typed(x.one(v.Len), intT), typed(x.one(v.Cap), intT)
	x.ordered("makeslice: len out of range", ir.IntConst(intT, 0), n, c)
	return x.newSlice(v.Type(), n, c, true)
}

// slice is s[low:high:max] of a slice, a string or a pointer to an array.
func (x *fn) slice(v *ssa.Slice) value {
	in := x.followed(v.X)
	low := ir.Expr(ir.IntConst(intT, 0))
	if v.Low != nil {
		low = typed(x.one(v.Low), intT)
	}
	var ptr, length, capacity ir.Expr
	var elem types.Type
	switch u := v.X.Type().Underlying().(type) {
	case *types.Slice:
		ptr, length, capacity, elem = in[0], in[1], in[2], u.Elem()
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		length = ir.IntConst(intT, a.Len())
		ptr, capacity, elem = in[0], length, a.Elem()
	default: // a string
		if x.Exact {
			return x.sliceText(v)
		}
		return x.arbitrary(v.Type())
	}
	if v.High != nil {
		length = typed(x.one(v.High), intT)
	}
	room := capacity
	if v.Max != nil {
		capacity = typed(x.one(v.Max), intT)
	}
	if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
		x.nonNil(v.X)
	}
	x.ordered("slice bounds out of range", ir.IntConst(intT, 0), low, length, capacity, room)
	pt := x.layoutOf(v).leaves[0].t
	if c, ok := low.(ir.Const); ok && c.Val.Sign() == 0 {
		return value{typed(ptr, pt), length, capacity}
	}
	return value{typed(x.element(ptr, elem, low), pt), x.hold(bin("sub", length, low)), x.hold(bin("sub", capacity, low))}
}

// appended is append(s, t...): in place where the capacity allows, in a new array
// otherwise.
func (x *fn) appended(t types.Type, s, more value, n ir.Expr) value {
	elem := t.Underlying().(*types.Slice).Elem()
	stride := max(x.lay.of(elem).mem.Size(), 1)
	bytes := func(n ir.Expr) ir.Expr { return bin("mul", n, ir.IntConst(intT, stride)) }
	leaves := x.lay.of(t).leaves
	ptr, capacity := x.temp(leaves[0].t), x.temp(intT)
	length := x.hold(bin("add", s[1], n))
	add := func(array ir.Expr) { // in each case for itself: nobody else has the new array yet
		if _, null := array.(ir.Null); null || x.lay.of(elem).size == 0 {
			return // a nil slice has no room
		}
		x.when(bin("gt", n, ir.IntConst(intT, 0)), func() {
			to := x.element(array, elem, s[1])
			if more == nil {
				x.emit(&ir.Touch{Base: x.base(), Addr: to, Size: bytes(n), Write: true, Why: "append of a string"})
			} else {
				x.copyElements(to, more[0], n, elem)
			}
		})
	}
	x.choose(bin("le", length, s[2]), func() {
		add(s[0])
		x.assign(ptr, s[0])
		x.assign(capacity, s[2])
	}, func() {
		old := x.unused
		x.unused = true // a program does not depend on how much an array grows
		grown := x.havoc(intT)
		x.unused = old
		if x.Exact {
			double := bin("add", s[2], s[2])
			grown = x.hold(ir.Select{C: bin("lt", double, length), X: length, Y: double})
		}
		x.emit(&ir.Assume{Base: x.base(), Cond: bin("ge", grown, length)})
		fresh := x.newSlice(t, length, grown, true)
		x.when(bin("gt", s[1], ir.IntConst(intT, 0)), func() { x.copyElements(fresh[0], s[0], s[1], elem) })
		add(fresh[0])
		x.assign(ptr, fresh[0])
		x.assign(capacity, grown)
	})
	return value{ir.Use{Reg: ptr}, length, ir.Use{Reg: capacity}}
}

// maxCopied is up to which number of elements copies are told apart where the number is
// not a constant: bmc follows no copies of a size that it does not know.
const maxCopied = 4

// copyElements copies n elements.
func (x *fn) copyElements(dst, src, n ir.Expr, elem types.Type) {
	stride := max(x.lay.of(elem).mem.Size(), 1)
	if _, constant := n.(ir.Const); x.Exact && !constant {
		done := x.block("copied")
		for k := int64(1); k <= maxCopied; k++ {
			then, els := x.block("copies"), x.block("else")
			x.branch(bin("eq", n, ir.IntConst(intT, k)), then, els)
			x.start(then)
			x.copyBytes(dst, src, ir.IntConst(intT, k*stride), elem)
			x.jump(done)
			x.start(els)
		}
		x.copyBytes(dst, src, bin("mul", n, ir.IntConst(intT, stride)), elem)
		x.jump(done)
		x.start(done)
		return
	}
	x.copyBytes(dst, src, bin("mul", n, ir.IntConst(intT, stride)), elem)
}

func (x *fn) copyBytes(dst, src, size ir.Expr, elem types.Type) {
	x.emit(&ir.MemCopy{Base: x.base(), Dst: dst, Src: src, Size: size, Elem: x.lay.of(elem).mem, Order: ir.Plain})
}

// made is a map or a channel that an instruction makes.
func (x *fn) made(v ssa.Value, name string) ir.Expr {
	if g := x.lifted[v]; g != nil {
		return ir.GlobalAddr{Global: g}
	}
	return x.makeObject(v.Type(), name)
}

// makeObject makes a map or a channel.
func (x *fn) makeObject(t types.Type, name string) ir.Expr {
	pt := x.lay.of(t).leaves[0].t.(ir.Ptr)
	r := x.reg("&"+name, pt)
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: pt.Elem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	return ir.Use{Reg: r}
}

// mapEntry is the address of an arbitrary element of a map, for its key and its value.
func (x *fn) mapEntry(m ir.Expr) (key, val ir.Expr) {
	s := m.Type().(ir.Ptr).Elem.(*ir.Struct)
	arr := s.Fields[1].Type.(ir.Array)
	i := x.hold(ir.Cast{X: x.havoc(ir.U8), T: intT})
	e := ir.IndexAddr{Base: ir.FieldAddr{Base: m, S: s, Index: 1}, Idx: i, Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
	es := arr.Elem.(*ir.Struct)
	return ir.FieldAddr{Base: e, S: es, Index: 0}, ir.FieldAddr{Base: e, S: es, Index: 1}
}

// mapCount is the address of the part of a map that every operation accesses.
func mapCount(m ir.Expr) ir.Expr {
	return ir.FieldAddr{Base: m, S: m.Type().(ir.Ptr).Elem.(*ir.Struct), Index: 0}
}

// readMap is the access of an operation that only reads the map; it returns the number of
// elements.
func (x *fn) readMap(m ir.Expr) ir.Expr {
	r := x.temp(intT)
	x.emit(&ir.Load{Base: x.base(), Dst: r, Addr: mapCount(m), Order: ir.Plain})
	return ir.Use{Reg: r}
}

// writeMap is the access of an operation that changes the map.
func (x *fn) writeMap(m ir.Expr) {
	x.inexact()
	x.emit(&ir.Store{Base: x.base(), Addr: mapCount(m), Val: x.length(nil), Order: ir.Plain})
}

func (x *fn) mapUpdate(in *ssa.MapUpdate) {
	if x.Exact {
		x.updateExact(in)
		return
	}
	m, t := x.followed(in.Map)[0], in.Map.Type().Underlying().(*types.Map)
	k, v := x.val(in.Key), x.val(in.Value)
	x.writeMap(m)
	ka, va := x.mapEntry(m)
	x.store(t.Key(), ka, k, ir.Relaxed)
	x.store(t.Elem(), va, v, ir.Relaxed)
}

// lookup is m[k] or s[i]. The elements are accessed as if atomically: a race shows at the
// map's header already.
func (x *fn) lookup(v *ssa.Lookup) value {
	t, ok := v.X.Type().Underlying().(*types.Map)
	if !ok {
		return x.arbitrary(v.Type())
	}
	if x.Exact {
		return x.lookupExact(v, t)
	}
	m := x.followed(v.X)[0]
	found := x.temp(boolT)
	var dst []*ir.Reg
	for _, lf := range x.lay.of(t.Elem()).leaves {
		dst = append(dst, x.temp(lf.t))
	}
	set := func(val value) {
		for i, r := range dst {
			x.assign(r, val[i])
		}
	}
	x.assign(found, boolConst(false))
	set(x.zero(t.Elem()))
	x.when(not(isNil(m)), func() {
		x.readMap(m)
		x.assign(found, x.havoc(boolT))
		x.when(cond(ir.Use{Reg: found}), func() {
			_, va := x.mapEntry(m)
			set(x.load(t.Elem(), va, ir.Relaxed))
		})
	})
	var out value
	for _, r := range dst {
		out = append(out, ir.Use{Reg: r})
	}
	if v.CommaOk {
		out = append(out, truth(cond(ir.Use{Reg: found})))
	}
	return out
}

// next is one step of a range loop over a map or a string.
func (x *fn) next(v *ssa.Next) value {
	if r := v.Iter.(*ssa.Range); x.Exact && x.visited[r].seen != nil {
		return x.nextExact(v, r, r.X.Type().Underlying().(*types.Map))
	}
	rng := v.Iter.(*ssa.Range)
	if x.Exact && x.visited[rng].at != nil {
		return x.nextText(rng)
	}
	ok := x.havoc(boolT)
	tup := v.Type().(*types.Tuple)
	out := value{truth(cond(ok))}
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
		for _, lf := range x.lay.of(et).leaves {
			dst = append(dst, x.temp(lf.t))
		}
	}
	for _, r := range dst {
		x.assign(r, x.zeroLeaf(leaf{t: r.Type}))
	}
	x.when(not(isNil(m)), func() {
		x.readMap(m)
		x.when(cond(ok), func() { x.loadEntry(m, t, tup, dst) })
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
		for _, e := range x.load(et, addr, ir.Relaxed) {
			x.assign(dst[0], e)
			dst = dst[1:]
		}
	}
}

// buffer is the address of an arbitrary place in a channel's buffer.
func (x *fn) buffer(ch ir.Expr) ir.Expr {
	s := ch.Type().(ir.Ptr).Elem.(*ir.Struct)
	arr := s.Fields[2].Type.(ir.Array)
	i := x.hold(ir.Cast{X: x.havoc(ir.U8), T: intT})
	return ir.IndexAddr{Base: ir.FieldAddr{Base: ch, S: s, Index: 2}, Idx: i, Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
}

// send puts a value into a channel: somewhere into its buffer, atomically. Blocking is
// not modelled.
func (x *fn) send(ch ir.Expr, t types.Type, v value) {
	x.inexact()
	elem := t.Underlying().(*types.Chan).Elem()
	if len(v) > 0 && x.lay.of(elem).size > 0 {
		x.store(elem, x.buffer(ch), v, ir.SeqCst)
	}
}

// receive takes some value out of a channel, or the zero value where it is closed.
func (x *fn) receive(ch ir.Expr, t types.Type, commaOk bool) value {
	x.inexact()
	elem := t.Underlying().(*types.Chan).Elem()
	lay := x.lay.of(elem)
	open := x.havoc(boolT)
	var dst []*ir.Reg
	for i, z := range x.zero(elem) {
		dst = append(dst, x.temp(lay.leaves[i].t))
		x.assign(dst[i], z)
	}
	if lay.size > 0 && len(dst) > 0 {
		x.when(cond(open), func() {
			for i, e := range x.load(elem, x.buffer(ch), ir.SeqCst) {
				x.assign(dst[i], e)
			}
		})
	}
	var out value
	for _, r := range dst {
		out = append(out, ir.Use{Reg: r})
	}
	if commaOk {
		out = append(out, truth(cond(open)))
	}
	return out
}

// selects chooses any of the cases, whether it is ready or not.
func (x *fn) selects(v *ssa.Select) value {
	x.inexact()
	tup := v.Type().(*types.Tuple)
	var dst []*ir.Reg
	for _, lf := range x.lay.of(tup).leaves {
		dst = append(dst, x.temp(lf.t))
	}
	var rest value
	for i := 2; i < tup.Len(); i++ {
		rest = append(rest, x.zero(tup.At(i).Type())...)
	}
	first := value{ir.IntConst(intT, -1), boolConst(false)}
	for i, e := range append(first, rest...) {
		x.assign(dst[i], e)
	}
	after := x.block("selected")
	var targets []*ir.Block
	for range v.States {
		targets = append(targets, x.block("case"))
	}
	for _, s := range v.States {
		if s.Dir == types.SendOnly {
			x.atCase(s, func() { x.sends(s.Chan) })
			x.tokens.releasing(x, s.Chan)
		}
	}
	if !v.Blocking {
		x.jump(append(targets, after)...)
	} else if len(targets) == 0 {
		x.stop("exit") // select {} blocks for ever
	} else {
		x.jump(targets...)
	}
	at := 2
	for i, s := range v.States {
		x.start(targets[i])
		x.assign(dst[0], ir.IntConst(intT, int64(i)))
		if s.Dir == types.SendOnly {
			x.passing.sending(x, s.Chan, x.val(s.Send))
			x.send(x.followed(s.Chan)[0], s.Chan.Type(), x.val(s.Send))
		} else {
			in := x.receive(x.followed(s.Chan)[0], s.Chan.Type(), true)
			x.tokens.received(x, s.Chan)
			x.numbers.received(x, s.Chan, in, true)
			x.passing.received(x, s.Chan, in)
			x.assign(dst[1], in[len(in)-1])
			for j, e := range in[:len(in)-1] {
				x.assign(dst[at+j], e)
			}
			at += len(in) - 1
		}
		x.jump(after)
	}
	x.start(after)
	var out value
	for _, r := range dst {
		out = append(out, ir.Use{Reg: r})
	}
	return out
}
