package golang

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// For bmc a program is lowered exactly: it does what the Go program does, and nothing
// else. Where that is not known, the execution ends at a call of a function that is
// unknown (see cut), so that nothing is said about what comes after.

// unknownText stands for every string or number whose contents are not known; what
// depends on them is cut.
const unknownText = 1 << 31

// cut ends executions at a place where it is not known what the Go program does.
func (x *fn) cut(reason string) {
	f := x.cuts[reason]
	if f == nil {
		f = &ir.Func{Name: x.unique("not followed"), Result: ir.Void{}, Unknown: reason, Pos: x.pos}
		x.cuts[reason] = f
		x.p.Funcs = append(x.p.Funcs, f)
	}
	x.emit(&ir.Call{Base: x.base(), Callee: ir.FuncAddr{Func: f}})
}

// panicUnless is a panic of the Go program where c does not hold.
func (x *fn) panicUnless(c ir.Expr, msg string) {
	if b, ok := c.(ir.BoolConst); ok && bool(b) {
		return
	}
	if x.unwinding != nil {
		x.when(not(c), func() { x.throw(x.newError(), msg) })
		return
	}
	x.emit(&ir.Assert{Base: x.base(), Cond: c, Tag: "panic", Msg: msg})
}

// notExact says what is not known of what is being lowered.
func (x *fn) notExact() string {
	const known = " is not known exactly"
	switch in := x.site.(type) {
	case ssa.CallInstruction:
		if f := in.Common().StaticCallee(); f != nil {
			return "what " + x.FuncName(f) + " returns" + known
		}
		if b, ok := in.Common().Value.(*ssa.Builtin); ok {
			return "what the builtin " + b.Name() + " does" + known
		}
		if in.Common().IsInvoke() {
			return "what the method " + in.Common().Method.Name() + " of a type that is not the program's returns" + known
		}
	case *ssa.Convert:
		return "a conversion from " + x.TypeName(in.X.Type()) + " to " + x.TypeName(in.Type()) + known
	case *ssa.BinOp:
		return "the operator " + in.Op.String() + " of " + x.TypeName(in.X.Type()) + known
	case *ssa.Next:
		return "a loop over a string" + known
	case *ssa.Slice:
		return "a part of a " + x.TypeName(in.X.Type()) + known
	}
	return "what the Go program does here" + known
}

// fatalUnless is an error that ends the Go program, whatever is deferred, where c does
// not hold.
func (x *fn) fatalUnless(c ir.Expr, msg string) {
	x.emit(&ir.Assert{Base: x.base(), Cond: c, Tag: "panic", Msg: msg})
}

// panicInside is a panic out of a section that no other thread interleaves.
func (x *fn) panicInside(c ir.Expr, msg string) {
	saved := x.inside
	x.inside = true
	x.panicUnless(c, msg)
	x.inside = saved
}

// unknownValue is a value of which nothing is known. Texts and floating-point numbers may
// be handed on; all else is cut.
func (x *fn) unknownValue(t types.Type) value {
	if tup, ok := t.(*types.Tuple); ok {
		var out value
		for i := range tup.Len() {
			out = append(out, x.unknownValue(tup.At(i).Type())...)
		}
		return out
	}
	lay := x.lay.of(t)
	_, _, special := x.special(types.Unalias(t))
	b, _ := t.Underlying().(*types.Basic)
	if special && len(lay.leaves) == 1 || b != nil && b.Info()&(types.IsString|types.IsFloat|types.IsComplex) != 0 {
		if lt, ok := lay.leaves[0].t.(ir.Int); ok {
			return value{ir.IntConst(lt, unknownText)}
		}
	}
	if st, ok := t.Underlying().(*types.Struct); ok && !special {
		var out value
		for i := range st.NumFields() {
			out = append(out, x.unknownValue(st.Field(i).Type())...)
		}
		return out
	}
	if len(lay.leaves) > 0 && !x.unused {
		x.inexact()
	}
	return x.zero(t)
}

// knownText cuts executions in which the contents of a string or number are not known.
func (x *fn) knownText(es ...ir.Expr) {
	for _, e := range es {
		if c, ok := e.(ir.Const); ok && c.Val.IsInt64() && c.Val.Int64() < unknownText {
			continue
		}
		x.when(bin("ge", e, ir.IntConst(e.Type().(ir.Int), unknownText)), func() { x.cut("the contents of a string or number are not known") })
	}
}

// comparable cuts executions in which it is not known whether two strings are equal.
func (x *fn) comparable(a, b ir.Expr) {
	if _, ok := b.(ir.Const); ok {
		a, b = b, a
	}
	unknown := func(e ir.Expr) ir.Expr { return bin("ge", e, ir.IntConst(opaqueT, unknownText)) }
	apart := func(a, b ir.Expr) ir.Expr {
		return bin("land", bin("eq", a, ir.IntConst(opaqueT, otherText)), x.isKnown(b))
	}
	if c, ok := a.(ir.Const); ok && c.Val.Int64() < unknownText {
		if _, ok := b.(ir.Const); ok {
			x.knownText(b)
			return
		}
		x.when(bin("land", unknown(b), bin("ne", b, ir.IntConst(opaqueT, otherText))), func() { x.cut("the contents of a string or number are not known") })
		return
	}
	x.when(bin("lor", unknown(a), unknown(b)), func() {
		x.when(not(bin("lor", apart(a, b), apart(b, a))), func() { x.cut("the contents of a string or number are not known") })
	})
}

// shiftExact shifts by any count: what is shifted out is gone, and a negative count
// panics.
func (x *fn) shiftExact(op string, a, n ir.Expr) ir.Expr {
	t, count := a.Type().(ir.Int), n.Type().(ir.Int)
	if count.Signed {
		x.panicUnless(bin("ge", n, ir.IntConst(count, 0)), "negative shift amount")
	}
	all := x.hold(truth(bin("ge", n, ir.IntConst(count, int64(t.Bits)))))
	by := ir.Select{C: cond(all), X: ir.IntConst(t, int64(t.Bits-1)), Y: typed(n, t)}
	if op == "shr" && t.Signed {
		return x.hold(bin(op, a, by))
	}
	return x.hold(ir.Select{C: cond(all), X: ir.IntConst(t, 0), Y: bin(op, a, by)})
}

// equalExact compares values of types whose contents may not be known.
func (x *fn) equalExact(t types.Type, a, b value, other types.Type) ir.Expr {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsFloat|types.IsComplex) == 0 {
			if u.Info()&types.IsString != 0 {
				x.comparable(a[0], b[0])
			}
			return bin("eq", a[0], typed(b[0], a[0].Type()))
		}
	case *types.Interface:
		if _, ok := other.Underlying().(*types.Interface); !ok {
			break
		}
		return x.hold(x.sameInterfaces(a, b))
	case *types.Array:
		return x.equalArrays(u, a, b)
	case *types.Struct:
		all := ir.Expr(ir.BoolConst(true))
		i := 0
		for f := range u.NumFields() {
			ft := u.Field(f).Type()
			n := len(x.lay.of(ft).leaves)
			if u.Field(f).Name() != "_" {
				all = bin("land", all, x.equalExact(ft, a[i:i+n], b[i:i+n], ft))
			}
			i += n
		}
		return x.hold(all)
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return bin("eq", a[0], typed(b[0], a[0].Type()))
	}
	x.inexact()
	return ir.BoolConst(true)
}

// equalArrays compares arrays element by element.
func (x *fn) equalArrays(t *types.Array, a, b value) ir.Expr {
	const most = 64
	if t.Len() > most {
		x.cut("whether two large arrays are equal")
		return ir.BoolConst(true)
	}
	n, all := len(x.lay.of(t.Elem()).leaves), ir.Expr(ir.BoolConst(true))
	blob := len(a) == 1 && x.lay.of(t).leaves[0].blob != nil
	for i := range int(t.Len()) {
		at := func(v value) value {
			if blob {
				return x.load(t.Elem(), x.element(v[0], t.Elem(), ir.IntConst(intT, int64(i))), ir.Plain)
			}
			return v[i*n : (i+1)*n]
		}
		all = x.hold(bin("land", all, x.equalExact(t.Elem(), at(a), at(b), t.Elem())))
	}
	return all
}

// nonNil is a panic where a pointer that is followed is nil.
func (x *fn) nonNil(v ssa.Value) {
	if !x.Exact || x.known(v) != nil {
		return
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.FreeVar, *ssa.SliceToArrayPointer:
		return
	case *ssa.Parameter:
		if v.Parent().Signature.Recv() == nil && v.Parent().Synthetic != "" {
			return
		}
	}
	at := x.site.Block()
	if b := x.checked[v]; b != nil && at != nil && b.Dominates(at) {
		return
	}
	x.checked[v] = at
	x.panicUnless(not(isNil(x.one(v))), "nil pointer dereference")
}

// inRange is a panic where an index is not below a length.
func (x *fn) inRange(i, n ir.Expr) {
	if !x.Exact {
		return
	}
	i, n = typed(i, intT), typed(n, intT)
	if c, ok := i.(ir.Cast); ok {
		if k, ok := c.X.(ir.Const); ok {
			i = ir.Const{T: intT, Val: k.Val}
		}
	}
	if a, ok := i.(ir.Const); ok {
		if b, ok := n.(ir.Const); ok && a.Val.Sign() >= 0 && a.Val.Cmp(b.Val) < 0 {
			return
		}
	}
	x.panicUnless(bin("land", bin("ge", i, ir.IntConst(intT, 0)), bin("lt", i, n)), "index out of range")
}

// ordered is a panic where one of the numbers is larger than the next.
func (x *fn) ordered(msg string, ns ...ir.Expr) {
	if !x.Exact {
		return
	}
	for i := range ns[1:] {
		a, b := ns[i], ns[i+1]
		ca, aConst := a.(ir.Const)
		cb, bConst := b.(ir.Const)
		if a == b || aConst && bConst && ca.Val.Cmp(cb.Val) <= 0 {
			continue
		}
		x.panicUnless(bin("le", a, b), msg)
	}
}

// weak notes that the execution goes on by what it saw of an operation of another
// goroutine that orders nothing.
func (x *fn) weak(what string) {
	x.p.Assume("weak-order", x.pos, "%s orders nothing by the memory model; races that rest on that alone are not looked for", what)
}

// partly loads the fields of a struct that are used, where the source selects a field of
// it: go/ssa loads the whole struct to call a method that is promoted through an embedded
// pointer. ok is false where the whole struct is read.
func (x *fn) partly(v *ssa.UnOp, addr ir.Expr) (out value, ok bool) {
	st, isStruct := v.Type().Underlying().(*types.Struct)
	s, known := x.lay.of(v.Type()).mem.(*ir.Struct)
	if !isStruct || !known || len(s.Fields) != st.NumFields() || len(form.Uses(v)) == 0 {
		return nil, false
	}
	used, names := map[int]bool{}, map[string]bool{}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Field:
			used[r.Field] = true
		case *ssa.DebugRef:
			id, isIdent := ast.Unparen(r.Expr).(*ast.Ident)
			if !isIdent {
				return nil, false
			}
			names[id.Name] = true
		default:
			return nil, false
		}
	}
	if len(names) != 1 {
		return nil, false
	}
	base := typed(addr, ir.Ptr{Elem: s})
	for i := range st.NumFields() {
		if used[i] {
			out = append(out, x.load(st.Field(i).Type(), ir.FieldAddr{Base: base, S: s, Index: i}, ir.Plain)...)
		} else {
			out = append(out, x.zero(st.Field(i).Type())...)
		}
	}
	return out, true
}

// section runs code that no other thread interleaves, once c holds of the cells.
func (x *fn) section(what string, dsts []*ir.Reg, addrs []ir.Expr, c ir.Expr, body func()) {
	x.sectionOf(&ir.Await{Dsts: dsts, Addrs: addrs, Cond: c, What: what}, body)
}

// sectionOf is section, with the instruction that begins it.
func (x *fn) sectionOf(in *ir.Await, body func()) {
	in.Base = x.base()
	x.emit(in)
	saved := x.inside
	x.inside = true
	body()
	x.inside = saved
	x.emit(&ir.AtomicEnd{Base: x.base()})
}

// never blocks for ever.
func (x *fn) never(what string) {
	x.emit(&ir.Await{Base: x.base(), Cond: ir.BoolConst(false), What: what})
	x.stop("unreachable")
	x.start(x.block("dead"))
}

func (x *fn) set(addr, v ir.Expr) {
	x.emit(&ir.Store{Base: x.base(), Addr: addr, Val: v, Order: ir.SeqCst})
}

func (x *fn) get(addr ir.Expr, t ir.Type) ir.Expr {
	r := x.temp(t)
	x.emit(&ir.Load{Base: x.base(), Dst: r, Addr: addr, Order: ir.SeqCst})
	return ir.Use{Reg: r}
}
