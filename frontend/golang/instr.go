package golang

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// Val is the value of an SSA value.
func (x *fn) Val(v ssa.Value) irgen.Value {
	if e := x.Known(v); e != nil && !x.mayBeNil(v) {
		return irgen.Value{irgen.Typed(e, x.layoutOf(v).Leaves[0].T)}
	}
	switch v := v.(type) {
	case *ssa.Const:
		return x.constant(v)
	case *ssa.Global:
		if x.Exact && !x.Own[v.Pkg.Pkg] {
			x.Cut("a variable of another module")
		}
		return irgen.Value{ir.GlobalAddr{Global: x.global(v)}}
	case *ssa.Function:
		return irgen.Value{x.funcValue(v)}
	case *ssa.FreeVar:
		return x.vals[v]
	case *ssa.Builtin:
		x.Fail("the builtin %s as a value", v.Name())
	}
	out, ok := x.vals[v]
	if !ok {
		x.Fail("the value %s (%s) is used before it is made", v.Name(), v)
	}
	return out
}

// available reports whether a value is there already.
func (x *fn) available(v ssa.Value) bool {
	_, isInstr := v.(ssa.Instruction)
	_, ok := x.vals[v]
	return ok || !isInstr
}

// One is the value of a scalar.
func (x *fn) One(v ssa.Value) ir.Expr { return x.Val(v)[0] }

// followed is the value of a pointer, map or channel that is followed here, where nil
// would panic, block, or stand for nothing.
func (x *fn) followed(v ssa.Value) irgen.Value {
	if e := x.Known(v); e != nil {
		return irgen.Value{irgen.Typed(e, x.layoutOf(v).Leaves[0].T)}
	}
	return x.Val(v)
}

// maxExpr is how large an expression may get before it is put into a register.
const maxExpr = 12

// define sets the value of an instruction: address and comparison expressions stay
// expressions, so that what reads them sees their structure; others go into registers.
func (x *fn) define(v ssa.Value, out irgen.Value) {
	for i, e := range out {
		if irgen.Size(e) > maxExpr {
			out[i] = x.Hold(e)
		}
	}
	x.vals[v] = out
}

// instr lowers one SSA instruction.
func (x *fn) instr(in ssa.Instruction) {
	if x.skip[in] {
		return
	}
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Phi:
	case *ssa.If, *ssa.Jump, *ssa.Return, *ssa.Panic:
		x.terminator(in)
	case *ssa.Store:
		x.intoLibrary(in)
		if _, outer := in.Addr.(*ssa.FreeVar); !outer {
			if g := x.copied(in.Addr); g != nil {
				x.Assign(x.variable(g, form.Deref(in.Addr.Type())), x.Val(in.Val)[0])
				return
			}
		}
		x.NonNil(in.Addr)
		x.Store(form.Deref(in.Addr.Type()), x.followed(in.Addr)[0], x.Val(in.Val), ir.Plain)
		if g := x.keptInFrame(in.Addr); g != nil {
			x.Assign(x.variable(g, form.Deref(in.Addr.Type())), x.Val(in.Val)[0])
		}
		x.intoModule(in)
	case *ssa.MapUpdate:
		x.mapUpdate(in)
		x.intoModuleMap(in)
	case *ssa.Send:
		x.sendStmt(in)
	case *ssa.Go:
		x.goStmt(in)
	case *ssa.Defer:
		if in.DeferStack != nil { // it runs at the end of the function around the loop
			x.Fail("a defer statement in a loop over a function")
		}
		x.deferStmt(in)
	case *ssa.RunDefers:
		x.RunDefers()
	case ssa.Value:
		x.define(in, x.compute(in))
	default:
		x.Fail("the instruction %T", in)
	}
}

func (x *fn) deferStmt(in *ssa.Defer) {
	for _, d := range x.defers {
		if d.site == in {
			d.call = x.prepare(&in.Call)
			if d.flag != nil {
				x.Assign(d.flag, irgen.BoolConst(true))
			}
			if d.list != nil {
				x.push(d)
			}
			if u := x.unwinding; u != nil && x.mayCatch(d) {
				x.Write(u.catchers, irgen.Bin("add", x.Read(u.catchers), ir.IntConst(ir.I32, 1)))
			}
		}
	}
}

// terminator lowers what ends a block.
func (x *fn) terminator(in ssa.Instruction) {
	b := in.Block()
	switch in := in.(type) {
	case *ssa.Jump:
		x.copyPhis(b.Succs[0], predIndex(b, b.Succs[0], 0))
		x.Jump(x.blocks[b.Succs[0]])
	case *ssa.If:
		if x.initCalls.isGuard(in) {
			x.Jump(x.blocks[b.Succs[1]])
			return
		}
		c := irgen.Cond(x.One(in.Cond))
		n := 0
		if b.Succs[0] == b.Succs[1] {
			n = 1
		}
		then := x.edge(b, b.Succs[0], predIndex(b, b.Succs[0], 0))
		els := x.edge(b, b.Succs[1], predIndex(b, b.Succs[1], n))
		x.Branch(c, then, els)
	case *ssa.Return:
		var out irgen.Value
		for _, r := range in.Results {
			out = append(out, x.Val(r)...)
		}
		x.GiveBack(out)
	case *ssa.Panic:
		if x.Exact {
			if x.unwinding != nil {
				x.Throw(x.panicValue(in.X), "panic")
			} else {
				x.PanicUnless(ir.BoolConst(false), "panic")
			}
			x.Stop("abort")
			return
		}
		x.panicsWith(in.X)
		x.unwind(ir.IntConst(ir.U8, irgen.Panics))
	}
}

// GiveBack returns from the function.
func (x *fn) GiveBack(out irgen.Value) {
	x.tokens.leaving(x)
	if len(out) == 0 {
		x.End(&ir.Return{TermBase: x.Term()})
		return
	}
	for i, e := range out[1:] {
		s := x.ret.Type.(ir.Ptr).Elem.(*ir.Struct)
		x.Emit(&ir.Store{Base: x.Base(), Addr: ir.FieldAddr{Base: ir.Use{Reg: x.ret}, S: s, Index: i}, Val: irgen.Typed(e, s.Fields[i].Type), Order: ir.Plain})
	}
	x.End(&ir.Return{TermBase: x.Term(), Val: irgen.Typed(out[0], x.F.Result)})
}

// compute lowers an instruction that yields a value.
func (x *fn) compute(v ssa.Value) irgen.Value {
	switch v := v.(type) {
	case *ssa.Alloc:
		at := x.alloc(v)
		x.passing.made(x, v, at)
		return irgen.Value{at}
	case *ssa.BinOp:
		if out, ok := x.MadeText(v); ok {
			return out
		}
		return irgen.Value{x.binop(v)}
	case *ssa.UnOp:
		return x.unop(v)
	case *ssa.Call:
		out := x.HoldAll(x.perform(x.prepare(&v.Call)))
		if x.mayUnwind(v) {
			x.afterCall(v)
		}
		x.tokens.comesBack(x, v)
		x.passing.madeOutside(x, v, out)
		return out
	case *ssa.ChangeInterface, *ssa.ChangeType:
		return x.changeType(v)
	case *ssa.Convert:
		if out, ok := x.MadeText(v); ok {
			return out
		}
		return x.convert(v.X, v.Type())
	case *ssa.MultiConvert:
		return x.convert(v.X, v.Type())
	case *ssa.Extract:
		return x.extract(v)
	case *ssa.Field:
		return x.field(v)
	case *ssa.FieldAddr:
		return irgen.Value{x.fieldAddr(v)}
	case *ssa.Index:
		return x.index(v)
	case *ssa.IndexAddr:
		return irgen.Value{x.indexAddr(v)}
	case *ssa.Lookup:
		return x.lookup(v)
	case *ssa.MakeChan:
		if x.Exact {
			return irgen.Value{x.MakeChan(v)}
		}
		out := x.Made(v, "chan")
		x.tokens.making(x, v)
		return irgen.Value{out}
	case *ssa.MakeMap:
		return irgen.Value{x.Made(v, "map")}
	case *ssa.MakeClosure:
		return irgen.Value{x.makeClosure(v)}
	case *ssa.MakeInterface:
		return x.makeInterface(v)
	case *ssa.MakeSlice:
		return x.makeSlice(v)
	case *ssa.Next:
		return x.next(v)
	case *ssa.Range:
		if _, ok := v.X.Type().Underlying().(*types.Map); ok && x.Exact {
			x.RangeExact(v)
		} else if x.Exact {
			x.RangeText(v)
		}
		return x.Val(v.X)
	case *ssa.Select:
		return x.selects(v)
	case *ssa.Slice:
		return x.slice(v)
	case *ssa.SliceToArrayPointer:
		x.Ordered("cannot convert the slice to an array: it is too short", ir.IntConst(irgen.IntT, form.Deref(v.Type()).Underlying().(*types.Array).Len()), x.Val(v.X)[1])
		return irgen.Value{irgen.Typed(x.Val(v.X)[0], x.layoutOf(v).Leaves[0].T)}
	case *ssa.TypeAssert:
		return x.typeAssert(v)
	}
	x.Fail("the instruction %T", v)
	return nil
}

// alloc makes a variable or object, or finds where it lies in its function's frame or
// among the globals.
func (x *fn) alloc(v *ssa.Alloc) ir.Expr {
	t := form.Deref(v.Type())
	if g := x.copied(v); g != nil {
		r := x.variable(g, t)
		x.Assign(r, x.Zero(t)[0])
		return ir.Null{T: ir.Ptr{Elem: r.Type}}
	}
	if g := x.lifted[v]; g != nil {
		return ir.GlobalAddr{Global: g}
	}
	if fi := x.frames[x.Sf]; fi != nil {
		if i, ok := fi.index[v]; ok {
			if g := x.keptInFrame(v); g != nil {
				x.Assign(x.variable(g, t), x.Zero(t)[0])
			}
			return ir.FieldAddr{Base: x.frameAddr(fi, v), S: fi.s, Index: i}
		}
	}
	mem := irgen.Sized(x.lay.Of(t).Mem)
	r := x.Reg("&"+v.Comment, ir.Ptr{Elem: mem})
	kind := "stack"
	if v.Heap {
		kind = "heap"
	}
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: kind, Zero: true, Name: v.Comment})
	return ir.Use{Reg: r}
}

func (x *fn) unop(v *ssa.UnOp) irgen.Value {
	switch v.Op {
	case token.MUL:
		if of, outer := v.X.(*ssa.FreeVar); outer {
			if val := x.capturedVals[of]; val != nil && form.Leads(v.Type()) {
				if x.keptInFrame(of) != nil {
					return x.readFrame(of, val[0])
				}
				return val
			}
		} else {
			if g := x.keptInFrame(v.X); g != nil {
				return x.readFrame(v.X, ir.Use{Reg: x.variable(g, v.Type())})
			}
			if g := x.copied(v.X); g != nil {
				r := x.variable(g, v.Type())
				now := x.Temp(r.Type)
				x.Emit(&ir.Assign{Base: x.Base(), Dst: now, X: ir.Use{Reg: r}})
				return irgen.Value{ir.Use{Reg: now}}
			}
		}
		if g, ok := v.X.(*ssa.Global); ok {
			if out, ok := x.LibraryVariable(g); ok {
				return out
			}
		}
		if g, ok := v.X.(*ssa.Global); ok && x.libraryValue(g) {
			return x.foreignInterface(nil)
		}
		if g, ok := v.X.(*ssa.Global); ok && x.libraryFunction(g) {
			own := x.Load(v.Type(), x.followed(v.X)[0], ir.Plain)
			return irgen.Value{x.Hold(ir.Select{C: irgen.Cond(x.havoc(ir.Bool{})), X: own[0], Y: irgen.Typed(x.outside(v.Type())[0], own[0].Type())})}
		}
		if x.onlyLength(v) {
			return x.Zero(v.Type())
		}
		if to := form.StoredValue(v); to != nil && !x.Exact && x.available(to) {
			return x.Val(to)
		}
		x.NonNil(v.X)
		if out, ok := x.Partly(v, x.followed(v.X)[0]); ok {
			return out
		}
		return x.Load(v.Type(), x.followed(v.X)[0], ir.Plain)
	case token.ARROW:
		return x.arrow(v)
	case token.NOT:
		return irgen.Value{irgen.Truth(irgen.Not(irgen.Cond(x.One(v.X))))}
	case token.SUB, token.XOR:
		if form.IsInt(v.Type()) {
			return irgen.Value{x.Hold(ir.Unary{Op: map[token.Token]string{token.SUB: "neg", token.XOR: "not"}[v.Op], X: x.One(v.X)})}
		}
		return x.arbitrary(v.Type())
	}
	x.Fail("the operator %s", v.Op)
	return nil
}

// onlyLength reports whether an array is loaded for a loop over its indices, for i :=
// range a: of a the length counts only, which is a constant.
func (x *fn) onlyLength(v *ssa.UnOp) bool {
	if _, array := v.Type().Underlying().(*types.Array); !array || len(form.Uses(v)) > 0 {
		return false
	}
	for _, r := range *v.Referrers() {
		if d, ok := r.(*ssa.DebugRef); ok && x.indexLoops[ast.Unparen(d.Expr)] {
			return true
		}
	}
	return false
}

// findIndexLoops notes what is gone through by loops over indices alone.
func (l *lowering) findIndexLoops(pkgs []program.Package) {
	l.indexLoops = map[ast.Expr]bool{}
	for _, p := range pkgs {
		for _, f := range p.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if r, ok := n.(*ast.RangeStmt); ok && (r.Value == nil || form.IsBlank(r.Value)) {
					l.indexLoops[ast.Unparen(r.X)] = true
				}
				return true
			})
		}
	}
}

func (x *fn) binop(v *ssa.BinOp) ir.Expr {
	switch v.Op {
	case token.EQL:
		return irgen.Truth(x.equal(v.X, v.Y))
	case token.NEQ:
		c := x.equal(v.X, v.Y)
		if b, ok := c.(ir.Binary); ok && b.Op == "eq" {
			b.Op = "ne"
			return irgen.Truth(b)
		}
		return irgen.Truth(irgen.Not(c))
	}
	if b, ok := v.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && x.Exact {
		if v.Op == token.ADD {
			return x.Hold(x.Joined(x.One(v.X), x.One(v.Y)))
		}
		return irgen.Truth(x.TextOrder(v.Op, x.One(v.X), x.One(v.Y)))
	}
	if !form.IsInt(v.X.Type()) {
		return x.arbitrary(v.Type())[0]
	}
	a, b := x.One(v.X), x.One(v.Y)
	switch v.Op {
	case token.QUO, token.REM:
		if c, constant := b.(ir.Const); x.Exact && (!constant || c.Val.Sign() == 0) {
			x.PanicUnless(irgen.Not(irgen.IsNil(b)), "integer divide by zero")
		}
	case token.SHL, token.SHR:
		return x.shift(v, a)
	case token.AND_NOT:
		return x.Hold(irgen.Bin("and", a, ir.Unary{Op: "not", X: b}))
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return irgen.Truth(irgen.Bin(irgen.BinOps[v.Op], a, b))
	}
	if refs := v.Referrers(); refs != nil && len(*refs) <= 1 && irgen.Size(a)+irgen.Size(b) < maxExpr {
		return irgen.Bin(irgen.BinOps[v.Op], a, b)
	}
	return x.Hold(irgen.Bin(irgen.BinOps[v.Op], a, b))
}

// shift is exact for bmc, and for constant counts within the type's width; arbitrary
// otherwise.
func (x *fn) shift(v *ssa.BinOp, a ir.Expr) ir.Expr {
	t := a.Type().(ir.Int)
	op := "shl"
	if v.Op == token.SHR {
		op = "shr"
	}
	if c, ok := v.Y.(*ssa.Const); ok && c.Value != nil {
		if n, ok := x.constant(c)[0].(ir.Const); ok && n.Val.IsInt64() && n.Val.Int64() >= 0 && n.Val.Int64() < int64(t.Bits) {
			return x.Hold(irgen.Bin(op, a, ir.IntConst(t, n.Val.Int64())))
		}
	}
	if x.Exact {
		return x.ShiftExact(op, a, x.One(v.Y))
	}
	return x.havoc(t)
}

// equal compares two values of comparable types, arbitrary where their contents are not
// followed.
func (x *fn) equal(a, b ssa.Value) ir.Expr {
	t := a.Type()
	if c, ok := a.(*ssa.Const); ok && c.Value == nil {
		a, b = b, a
		t = a.Type()
	}
	va := x.Val(a)
	if c, ok := b.(*ssa.Const); ok && c.Value == nil && len(va) > 0 {
		if _, ok := t.Underlying().(*types.Struct); !ok {
			return irgen.IsNil(va[0]) // nil slices, maps, interfaces, …
		}
	}
	if x.Exact && len(va) > 0 && !form.IsInt(t) && !form.IsBool(t) {
		return x.EqualExact(t, va, x.Val(b), b.Type())
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsFloat|types.IsComplex) != 0 {
			break
		}
		return irgen.Bin("eq", va[0], irgen.Typed(x.One(b), va[0].Type()))
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return irgen.Bin("eq", va[0], irgen.Typed(x.One(b), va[0].Type()))
	case *types.Interface:
		if _, ok := b.Type().Underlying().(*types.Interface); ok {
			return irgen.Bin("land", irgen.Bin("eq", va[0], x.Val(b)[0]), irgen.Cond(x.havoc(irgen.BoolT)))
		}
	}
	return irgen.Cond(x.havoc(irgen.BoolT))
}

// extract takes one component of a tuple.
func (x *fn) extract(v *ssa.Extract) irgen.Value {
	tup := v.Tuple.Type().(*types.Tuple)
	from := 0
	for i := range v.Index {
		from += len(x.lay.Of(tup.At(i).Type()).Leaves)
	}
	return x.Val(v.Tuple)[from : from+len(x.layoutOf(v).Leaves)]
}

// field takes one field of a struct value.
func (x *fn) field(v *ssa.Field) irgen.Value {
	st := v.X.Type().Underlying().(*types.Struct)
	from := 0
	for i := range v.Field {
		from += len(x.lay.Of(st.Field(i).Type()).Leaves)
	}
	return x.Val(v.X)[from : from+len(x.layoutOf(v).Leaves)]
}

func (x *fn) fieldAddr(v *ssa.FieldAddr) ir.Expr {
	s, ok := x.lay.Of(form.Deref(v.X.Type())).Mem.(*ir.Struct)
	if !ok || v.Field >= len(s.Fields) {
		x.Fail("a field of %s, which is not looked into", v.X.Type())
	}
	x.NonNil(v.X)
	base := x.followed(v.X)[0]
	if p := base.Type().(ir.Ptr); !ir.Equal(p.Elem, s) {
		base = ir.Cast{X: base, T: ir.Ptr{Elem: s}}
	}
	return ir.FieldAddr{Base: base, S: s, Index: v.Field}
}

func (x *fn) indexAddr(v *ssa.IndexAddr) ir.Expr {
	base := x.followed(v.X)[0]
	switch u := v.X.Type().Underlying().(type) {
	case *types.Slice:
		x.InRange(x.One(v.Index), x.Val(v.X)[1])
		return x.Element(base, u.Elem(), x.One(v.Index))
	case *types.Pointer:
		x.NonNil(v.X)
		x.InRange(x.One(v.Index), ir.IntConst(irgen.IntT, u.Elem().Underlying().(*types.Array).Len()))
		return x.Element(base, u.Elem().Underlying().(*types.Array).Elem(), x.One(v.Index))
	}
	x.Fail("an element of %s", v.X.Type())
	return nil
}

// index takes an element of an array value or a byte of a string.
func (x *fn) index(v *ssa.Index) irgen.Value {
	a, ok := v.X.Type().Underlying().(*types.Array)
	if !ok {
		if b, text := v.X.Type().Underlying().(*types.Basic); text && b.Info()&types.IsString != 0 && x.Exact {
			x.InRange(x.One(v.Index), x.TextLen(x.One(v.X)))
			return irgen.Value{x.TextByte(x.One(v.X), x.One(v.Index))}
		}
		return x.arbitrary(v.Type())
	}
	x.InRange(x.One(v.Index), ir.IntConst(irgen.IntT, a.Len()))
	in, n := x.Val(v.X), len(x.layoutOf(v).Leaves)
	if leaves := x.layoutOf(v.X).Leaves; len(leaves) == 1 && leaves[0].Blob != nil {
		return x.Load(a.Elem(), x.Element(in[0], a.Elem(), x.One(v.Index)), ir.Plain)
	}
	if c, ok := x.One(v.Index).(ir.Const); ok && c.Val.Int64() >= 0 && c.Val.Int64() < a.Len() {
		i := int(c.Val.Int64())
		return in[i*n : (i+1)*n]
	}
	out := append(irgen.Value{}, in[:n]...)
	for i := 1; i < int(a.Len()); i++ {
		for j := range out {
			is := irgen.Bin("eq", x.One(v.Index), ir.IntConst(x.One(v.Index).Type().(ir.Int), int64(i)))
			out[j] = x.Hold(ir.Select{C: is, X: in[i*n+j], Y: out[j]})
		}
	}
	return out
}
