package precise

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// For bmc a program is lowered exactly: it does what the Go program does, and nothing
// else. Where that is not known, the execution ends at a call of a function that is
// unknown (see cut), so that nothing is said about what comes after.

// unknownText stands for every string or number whose contents are not known; what
// depends on them is cut.
const unknownText = 1 << 31

// Cut ends executions at a place where it is not known what the Go program does.
func (x *Fn) Cut(reason string) {
	f := x.cuts[reason]
	if f == nil {
		f = &ir.Func{Name: x.Unique("not followed"), Result: ir.Void{}, Unknown: reason, Pos: x.Pos}
		x.cuts[reason] = f
		x.p.Funcs = append(x.p.Funcs, f)
	}
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}})
}

// PanicUnless is a panic of the Go program where c does not hold.
func (x *Fn) PanicUnless(c ir.Expr, msg string) {
	if b, ok := c.(ir.BoolConst); ok && bool(b) {
		return
	}
	if x.Unwinds != nil {
		x.When(irgen.Not(c), func() { x.Throw(x.NewError(), msg) })
		return
	}
	x.Emit(&ir.Assert{Base: x.Base(), Cond: c, Tag: "panic", Msg: msg})
}

// NotExact says what is not known of what is being lowered.
func (x *Fn) NotExact() string {
	const known = " is not known exactly"
	switch in := x.Site.(type) {
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
func (x *Fn) fatalUnless(c ir.Expr, msg string) {
	x.Emit(&ir.Assert{Base: x.Base(), Cond: c, Tag: "panic", Msg: msg})
}

// PanicInside is a panic out of a section that no other thread interleaves.
func (x *Fn) PanicInside(c ir.Expr, msg string) {
	saved := x.Inside
	x.Inside = true
	x.PanicUnless(c, msg)
	x.Inside = saved
}

// UnknownValue is a value of which nothing is known. Texts and floating-point numbers may
// be handed on; all else is cut.
func (x *Fn) UnknownValue(t types.Type) irgen.Value {
	if tup, ok := t.(*types.Tuple); ok {
		var out irgen.Value
		for i := range tup.Len() {
			out = append(out, x.UnknownValue(tup.At(i).Type())...)
		}
		return out
	}
	lay := x.lay.Of(t)
	_, _, special := x.Special(types.Unalias(t))
	b, _ := t.Underlying().(*types.Basic)
	if special && len(lay.Leaves) == 1 || b != nil && b.Info()&(types.IsString|types.IsFloat|types.IsComplex) != 0 {
		if lt, ok := lay.Leaves[0].T.(ir.Int); ok {
			return irgen.Value{ir.IntConst(lt, unknownText)}
		}
	}
	if st, ok := t.Underlying().(*types.Struct); ok && !special {
		var out irgen.Value
		for i := range st.NumFields() {
			out = append(out, x.UnknownValue(st.Field(i).Type())...)
		}
		return out
	}
	if len(lay.Leaves) > 0 && !x.Unused {
		x.Inexact()
	}
	return x.Zero(t)
}

// knownText cuts executions in which the contents of a string or number are not known.
func (x *Fn) knownText(es ...ir.Expr) {
	for _, e := range es {
		if c, ok := e.(ir.Const); ok && c.Val.IsInt64() && c.Val.Int64() < unknownText {
			continue
		}
		x.When(irgen.Bin("ge", e, ir.IntConst(e.Type().(ir.Int), unknownText)), func() { x.Cut("the contents of a string or number are not known") })
	}
}

// comparable cuts executions in which it is not known whether two strings are equal.
func (x *Fn) comparable(a, b ir.Expr) {
	if _, ok := b.(ir.Const); ok {
		a, b = b, a
	}
	unknown := func(e ir.Expr) ir.Expr { return irgen.Bin("ge", e, ir.IntConst(irgen.OpaqueT, unknownText)) }
	apart := func(a, b ir.Expr) ir.Expr {
		return irgen.Bin("land", irgen.Bin("eq", a, ir.IntConst(irgen.OpaqueT, otherText)), x.isKnown(b))
	}
	if c, ok := a.(ir.Const); ok && c.Val.Int64() < unknownText {
		if _, ok := b.(ir.Const); ok {
			x.knownText(b)
			return
		}
		x.When(irgen.Bin("land", unknown(b), irgen.Bin("ne", b, ir.IntConst(irgen.OpaqueT, otherText))), func() { x.Cut("the contents of a string or number are not known") })
		return
	}
	x.When(irgen.Bin("lor", unknown(a), unknown(b)), func() {
		x.When(irgen.Not(irgen.Bin("lor", apart(a, b), apart(b, a))), func() { x.Cut("the contents of a string or number are not known") })
	})
}

// ShiftExact shifts by any count: what is shifted out is gone, and a negative count
// panics.
func (x *Fn) ShiftExact(op string, a, n ir.Expr) ir.Expr {
	t, count := a.Type().(ir.Int), n.Type().(ir.Int)
	if count.Signed {
		x.PanicUnless(irgen.Bin("ge", n, ir.IntConst(count, 0)), "negative shift amount")
	}
	all := x.Hold(irgen.Truth(irgen.Bin("ge", n, ir.IntConst(count, int64(t.Bits)))))
	by := ir.Select{C: irgen.Cond(all), X: ir.IntConst(t, int64(t.Bits-1)), Y: irgen.Typed(n, t)}
	if op == "shr" && t.Signed {
		return x.Hold(irgen.Bin(op, a, by))
	}
	return x.Hold(ir.Select{C: irgen.Cond(all), X: ir.IntConst(t, 0), Y: irgen.Bin(op, a, by)})
}

// EqualExact compares values of types whose contents may not be known.
func (x *Fn) EqualExact(t types.Type, a, b irgen.Value, other types.Type) ir.Expr {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsFloat|types.IsComplex) == 0 {
			if u.Info()&types.IsString != 0 {
				x.comparable(a[0], b[0])
			}
			return irgen.Bin("eq", a[0], irgen.Typed(b[0], a[0].Type()))
		}
	case *types.Interface:
		if _, ok := other.Underlying().(*types.Interface); !ok {
			break
		}
		return x.Hold(x.sameInterfaces(a, b))
	case *types.Array:
		return x.equalArrays(u, a, b)
	case *types.Struct:
		all := ir.Expr(ir.BoolConst(true))
		i := 0
		for f := range u.NumFields() {
			ft := u.Field(f).Type()
			n := len(x.lay.Of(ft).Leaves)
			if u.Field(f).Name() != "_" {
				all = irgen.Bin("land", all, x.EqualExact(ft, a[i:i+n], b[i:i+n], ft))
			}
			i += n
		}
		return x.Hold(all)
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return irgen.Bin("eq", a[0], irgen.Typed(b[0], a[0].Type()))
	}
	x.Inexact()
	return ir.BoolConst(true)
}

// equalArrays compares arrays element by element.
func (x *Fn) equalArrays(t *types.Array, a, b irgen.Value) ir.Expr {
	const most = 64
	if t.Len() > most {
		x.Cut("whether two large arrays are equal")
		return ir.BoolConst(true)
	}
	n, all := len(x.lay.Of(t.Elem()).Leaves), ir.Expr(ir.BoolConst(true))
	blob := len(a) == 1 && x.lay.Of(t).Leaves[0].Blob != nil
	for i := range int(t.Len()) {
		at := func(v irgen.Value) irgen.Value {
			if blob {
				return x.Load(t.Elem(), x.Element(v[0], t.Elem(), ir.IntConst(irgen.IntT, int64(i))), ir.Plain)
			}
			return v[i*n : (i+1)*n]
		}
		all = x.Hold(irgen.Bin("land", all, x.EqualExact(t.Elem(), at(a), at(b), t.Elem())))
	}
	return all
}

// NonNil is a panic where a pointer that is followed is nil.
func (x *Fn) NonNil(v ssa.Value) {
	if !x.Exact || x.Known(v) != nil {
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
	at := x.Site.Block()
	if b := x.checked[v]; b != nil && at != nil && b.Dominates(at) {
		return
	}
	x.checked[v] = at
	x.PanicUnless(irgen.Not(irgen.IsNil(x.One(v))), "nil pointer dereference")
}

// InRange is a panic where an index is not below a length.
func (x *Fn) InRange(i, n ir.Expr) {
	if !x.Exact {
		return
	}
	i, n = irgen.Typed(i, irgen.IntT), irgen.Typed(n, irgen.IntT)
	if c, ok := i.(ir.Cast); ok {
		if k, ok := c.X.(ir.Const); ok {
			i = ir.Const{T: irgen.IntT, Val: k.Val}
		}
	}
	if a, ok := i.(ir.Const); ok {
		if b, ok := n.(ir.Const); ok && a.Val.Sign() >= 0 && a.Val.Cmp(b.Val) < 0 {
			return
		}
	}
	x.PanicUnless(irgen.Bin("land", irgen.Bin("ge", i, ir.IntConst(irgen.IntT, 0)), irgen.Bin("lt", i, n)), "index out of range")
}

// Ordered is a panic where one of the numbers is larger than the next.
func (x *Fn) Ordered(msg string, ns ...ir.Expr) {
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
		x.PanicUnless(irgen.Bin("le", a, b), msg)
	}
}

// Weak notes that the execution goes on by what it saw of an operation of another
// goroutine that orders nothing.
func (x *Fn) Weak(what string) {
	x.p.Assume("weak-order", x.Pos, "%s orders nothing by the memory model; races that rest on that alone are not looked for", what)
}

// Partly loads the fields of a struct that are used, where the source selects a field of
// it: go/ssa loads the whole struct to call a method that is promoted through an embedded
// pointer. ok is false where the whole struct is read.
func (x *Fn) Partly(v *ssa.UnOp, addr ir.Expr) (out irgen.Value, ok bool) {
	st, isStruct := v.Type().Underlying().(*types.Struct)
	s, known := x.lay.Of(v.Type()).Mem.(*ir.Struct)
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
	base := irgen.Typed(addr, ir.Ptr{Elem: s})
	for i := range st.NumFields() {
		if used[i] {
			out = append(out, x.Load(st.Field(i).Type(), ir.FieldAddr{Base: base, S: s, Index: i}, ir.Plain)...)
		} else {
			out = append(out, x.Zero(st.Field(i).Type())...)
		}
	}
	return out, true
}

// section runs code that no other thread interleaves, once c holds of the cells.
func (x *Fn) section(what string, dsts []*ir.Reg, addrs []ir.Expr, c ir.Expr, body func()) {
	x.sectionOf(&ir.Await{Dsts: dsts, Addrs: addrs, Cond: c, What: what}, body)
}

// sectionOf is section, with the instruction that begins it.
func (x *Fn) sectionOf(in *ir.Await, body func()) {
	in.Base = x.Base()
	x.Emit(in)
	saved := x.Inside
	x.Inside = true
	body()
	x.Inside = saved
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
}

// never blocks for ever.
func (x *Fn) never(what string) {
	x.Emit(&ir.Await{Base: x.Base(), Cond: ir.BoolConst(false), What: what})
	x.Stop("unreachable")
	x.Start(x.Block("dead"))
}

func (x *Fn) Require(c ir.Expr) { x.Emit(&ir.Assume{Base: x.Base(), Cond: c}) }

func (x *Fn) set(addr, v ir.Expr) {
	x.Emit(&ir.Store{Base: x.Base(), Addr: addr, Val: v, Order: ir.SeqCst})
}

func (x *Fn) Get(addr ir.Expr, t ir.Type) ir.Expr {
	r := x.Temp(t)
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: addr, Order: ir.SeqCst})
	return ir.Use{Reg: r}
}
