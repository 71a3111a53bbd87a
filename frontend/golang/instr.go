package golang

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// val is the value of an SSA value.
func (x *fn) val(v ssa.Value) value {
	if e := x.known(v); e != nil && !x.mayBeNil(v) {
		return value{typed(e, x.layoutOf(v).leaves[0].t)}
	}
	switch v := v.(type) {
	case *ssa.Const:
		return x.constant(v)
	case *ssa.Global:
		if x.Exact && !x.Own[v.Pkg.Pkg] {
			x.cut("a variable of another module")
		}
		return value{ir.GlobalAddr{Global: x.global(v)}}
	case *ssa.Function:
		return value{x.funcValue(v)}
	case *ssa.FreeVar:
		return x.vals[v]
	case *ssa.Builtin:
		x.fail("the builtin %s as a value", v.Name())
	}
	out, ok := x.vals[v]
	if !ok {
		x.fail("the value %s (%s) is used before it is made", v.Name(), v)
	}
	return out
}

// available reports whether a value is there already.
func (x *fn) available(v ssa.Value) bool {
	_, isInstr := v.(ssa.Instruction)
	_, ok := x.vals[v]
	return ok || !isInstr
}

// one is the value of a scalar.
func (x *fn) one(v ssa.Value) ir.Expr { return x.val(v)[0] }

// followed is the value of a pointer, map or channel that is followed here, where nil
// would panic, block, or stand for nothing.
func (x *fn) followed(v ssa.Value) value {
	if e := x.known(v); e != nil {
		return value{typed(e, x.layoutOf(v).leaves[0].t)}
	}
	return x.val(v)
}

// maxExpr is how large an expression may get before it is put into a register.
const maxExpr = 12

// define sets the value of an instruction: address and comparison expressions stay
// expressions, so that what reads them sees their structure; others go into registers.
func (x *fn) define(v ssa.Value, out value) {
	for i, e := range out {
		if size(e) > maxExpr {
			out[i] = x.hold(e)
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
				x.assign(x.variable(g, form.Deref(in.Addr.Type())), x.val(in.Val)[0])
				return
			}
		}
		x.nonNil(in.Addr)
		x.store(form.Deref(in.Addr.Type()), x.followed(in.Addr)[0], x.val(in.Val), ir.Plain)
		x.intoModule(in)
	case *ssa.MapUpdate:
		x.mapUpdate(in)
		x.intoModuleMap(in)
	case *ssa.Send:
		if x.Exact {
			x.sendExact(in.Chan, x.val(in.X))
			return
		}
		x.sends(in.Chan)
		x.tokens.releasing(x, in.Chan)
		x.passing.sending(x, in.Chan, x.val(in.X))
		x.send(x.followed(in.Chan)[0], in.Chan.Type(), x.val(in.X))
	case *ssa.Go:
		x.goStmt(in)
	case *ssa.Defer:
		if in.DeferStack != nil { // it runs at the end of the function around the loop
			x.fail("a defer statement in a loop over a function")
		}
		x.deferStmt(in)
	case *ssa.RunDefers:
		x.runDefers()
	case ssa.Value:
		x.define(in, x.compute(in))
	default:
		x.fail("the instruction %T", in)
	}
}

func (x *fn) deferStmt(in *ssa.Defer) {
	for _, d := range x.defers {
		if d.site == in {
			d.call = x.prepare(&in.Call)
			if d.flag != nil {
				x.assign(d.flag, boolConst(true))
			}
			if d.list != nil {
				x.push(d)
			}
			if u := x.unwinding; u != nil && x.mayCatch(d) {
				x.write(u.catchers, bin("add", x.read(u.catchers), ir.IntConst(ir.I32, 1)))
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
		x.jump(x.blocks[b.Succs[0]])
	case *ssa.If:
		c := cond(x.one(in.Cond))
		n := 0
		if b.Succs[0] == b.Succs[1] {
			n = 1
		}
		then := x.edge(b, b.Succs[0], predIndex(b, b.Succs[0], 0))
		els := x.edge(b, b.Succs[1], predIndex(b, b.Succs[1], n))
		x.branch(c, then, els)
	case *ssa.Return:
		var out value
		for _, r := range in.Results {
			out = append(out, x.val(r)...)
		}
		x.giveBack(out)
	case *ssa.Panic:
		if x.Exact {
			if x.unwinding != nil {
				x.throw(x.panicValue(in.X), "panic")
			} else {
				x.panicUnless(ir.BoolConst(false), "panic")
			}
			x.stop("abort")
			return
		}
		x.panicsWith(in.X)
		x.unwind(ir.IntConst(ir.U8, panics))
	}
}

// giveBack returns from the function.
func (x *fn) giveBack(out value) {
	if len(out) == 0 {
		x.end(&ir.Return{TermBase: x.term()})
		return
	}
	for i, e := range out[1:] {
		s := x.ret.Type.(ir.Ptr).Elem.(*ir.Struct)
		x.emit(&ir.Store{Base: x.base(), Addr: ir.FieldAddr{Base: ir.Use{Reg: x.ret}, S: s, Index: i}, Val: typed(e, s.Fields[i].Type), Order: ir.Plain})
	}
	x.end(&ir.Return{TermBase: x.term(), Val: typed(out[0], x.f.Result)})
}

// compute lowers an instruction that yields a value.
func (x *fn) compute(v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Alloc:
		at := x.alloc(v)
		x.passing.made(x, v, at)
		return value{at}
	case *ssa.BinOp:
		if out, ok := x.madeText(v); ok {
			return out
		}
		return value{x.binop(v)}
	case *ssa.UnOp:
		return x.unop(v)
	case *ssa.Call:
		out := x.holdAll(x.perform(x.prepare(&v.Call)))
		if x.mayUnwind(v) {
			x.afterCall(v)
		}
		return out
	case *ssa.ChangeInterface, *ssa.ChangeType:
		return x.changeType(v)
	case *ssa.Convert:
		if out, ok := x.madeText(v); ok {
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
		return value{x.fieldAddr(v)}
	case *ssa.Index:
		return x.index(v)
	case *ssa.IndexAddr:
		return value{x.indexAddr(v)}
	case *ssa.Lookup:
		return x.lookup(v)
	case *ssa.MakeChan:
		if x.Exact {
			return value{x.makeChan(v)}
		}
		out := x.made(v, "chan")
		x.tokens.making(x, v)
		return value{out}
	case *ssa.MakeMap:
		return value{x.made(v, "map")}
	case *ssa.MakeClosure:
		return value{x.makeClosure(v)}
	case *ssa.MakeInterface:
		return x.makeInterface(v)
	case *ssa.MakeSlice:
		return x.makeSlice(v)
	case *ssa.Next:
		return x.next(v)
	case *ssa.Range:
		if _, ok := v.X.Type().Underlying().(*types.Map); ok && x.Exact {
			x.rangeExact(v)
		} else if x.Exact {
			x.rangeText(v)
		}
		return x.val(v.X)
	case *ssa.Select:
		if x.Exact {
			return x.selectExact(v)
		}
		return x.selects(v)
	case *ssa.Slice:
		return x.slice(v)
	case *ssa.SliceToArrayPointer:
		x.ordered("cannot convert the slice to an array: it is too short", ir.IntConst(intT, form.Deref(v.Type()).Underlying().(*types.Array).Len()), x.val(v.X)[1])
		return value{typed(x.val(v.X)[0], x.layoutOf(v).leaves[0].t)}
	case *ssa.TypeAssert:
		return x.typeAssert(v)
	}
	x.fail("the instruction %T", v)
	return nil
}

// alloc makes a variable or object, or finds where it lies in its function's frame or
// among the globals.
func (x *fn) alloc(v *ssa.Alloc) ir.Expr {
	t := form.Deref(v.Type())
	if g := x.copied(v); g != nil {
		r := x.variable(g, t)
		x.assign(r, x.zero(t)[0])
		return ir.Null{T: ir.Ptr{Elem: r.Type}}
	}
	if g := x.lifted[v]; g != nil {
		return ir.GlobalAddr{Global: g}
	}
	if fi := x.frames[x.sf]; fi != nil {
		if i, ok := fi.index[v]; ok {
			return ir.FieldAddr{Base: x.frameAddr(fi, v), S: fi.s, Index: i}
		}
	}
	mem := x.lay.of(t).mem
	if mem.Size() == 0 {
		mem = ir.U8
	}
	r := x.reg("&"+v.Comment, ir.Ptr{Elem: mem})
	kind := "stack"
	if v.Heap {
		kind = "heap"
	}
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: kind, Zero: true, Name: v.Comment})
	return ir.Use{Reg: r}
}

func (x *fn) unop(v *ssa.UnOp) value {
	switch v.Op {
	case token.MUL:
		if of, outer := v.X.(*ssa.FreeVar); outer {
			if val := x.capturedVals[of]; val != nil && form.Leads(v.Type()) {
				return val
			}
		} else {
			if g := x.copied(v.X); g != nil {
				r := x.variable(g, v.Type())
				now := x.temp(r.Type)
				x.emit(&ir.Assign{Base: x.base(), Dst: now, X: ir.Use{Reg: r}})
				return value{ir.Use{Reg: now}}
			}
		}
		if g, ok := v.X.(*ssa.Global); ok {
			if out, ok := x.libraryVariable(g); ok {
				return out
			}
		}
		if g, ok := v.X.(*ssa.Global); ok && x.libraryValue(g) {
			return x.foreignInterface(nil)
		}
		if g, ok := v.X.(*ssa.Global); ok && x.libraryFunction(g) {
			own := x.load(v.Type(), x.followed(v.X)[0], ir.Plain)
			return value{x.hold(ir.Select{C: cond(x.havoc(ir.Bool{})), X: own[0], Y: typed(x.outside(v.Type())[0], own[0].Type())})}
		}
		if x.onlyLength(v) {
			return x.zero(v.Type())
		}
		if to := form.StoredValue(v); to != nil && !x.Exact && x.available(to) {
			return x.val(to)
		}
		x.nonNil(v.X)
		if out, ok := x.partly(v, x.followed(v.X)[0]); ok {
			return out
		}
		return x.load(v.Type(), x.followed(v.X)[0], ir.Plain)
	case token.ARROW:
		if x.Exact {
			return x.receiveExact(v.X, v.CommaOk)
		}
		out := x.receive(x.followed(v.X)[0], v.X.Type(), v.CommaOk)
		x.tokens.received(x, v.X)
		x.numbers.received(x, v.X, out, v.CommaOk)
		x.passing.received(x, v.X, out)
		return out
	case token.NOT:
		return value{truth(not(cond(x.one(v.X))))}
	case token.SUB, token.XOR:
		if form.IsInt(v.Type()) {
			return value{x.hold(ir.Unary{Op: map[token.Token]string{token.SUB: "neg", token.XOR: "not"}[v.Op], X: x.one(v.X)})}
		}
		return x.arbitrary(v.Type())
	}
	x.fail("the operator %s", v.Op)
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

var binOps = map[token.Token]string{token.ADD: "add", token.SUB: "sub", token.MUL: "mul", token.QUO: "div", token.REM: "rem",
	token.AND: "and", token.OR: "or", token.XOR: "xor", token.EQL: "eq", token.NEQ: "ne", token.LSS: "lt", token.LEQ: "le",
	token.GTR: "gt", token.GEQ: "ge"}

func (x *fn) binop(v *ssa.BinOp) ir.Expr {
	switch v.Op {
	case token.EQL:
		return truth(x.equal(v.X, v.Y))
	case token.NEQ:
		c := x.equal(v.X, v.Y)
		if b, ok := c.(ir.Binary); ok && b.Op == "eq" {
			b.Op = "ne"
			return truth(b)
		}
		return truth(not(c))
	}
	if b, ok := v.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && x.Exact {
		if v.Op == token.ADD {
			return x.hold(x.joined(x.one(v.X), x.one(v.Y)))
		}
		return truth(x.textOrder(v.Op, x.one(v.X), x.one(v.Y)))
	}
	if !form.IsInt(v.X.Type()) {
		return x.arbitrary(v.Type())[0]
	}
	a, b := x.one(v.X), x.one(v.Y)
	switch v.Op {
	case token.QUO, token.REM:
		if c, constant := b.(ir.Const); x.Exact && (!constant || c.Val.Sign() == 0) {
			x.panicUnless(not(isNil(b)), "integer divide by zero")
		}
	case token.SHL, token.SHR:
		return x.shift(v, a)
	case token.AND_NOT:
		return x.hold(bin("and", a, ir.Unary{Op: "not", X: b}))
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return truth(bin(binOps[v.Op], a, b))
	}
	if refs := v.Referrers(); refs != nil && len(*refs) <= 1 && size(a)+size(b) < maxExpr {
		return bin(binOps[v.Op], a, b)
	}
	return x.hold(bin(binOps[v.Op], a, b))
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
			return x.hold(bin(op, a, ir.IntConst(t, n.Val.Int64())))
		}
	}
	if x.Exact {
		return x.shiftExact(op, a, x.one(v.Y))
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
	va := x.val(a)
	if c, ok := b.(*ssa.Const); ok && c.Value == nil && len(va) > 0 {
		if _, ok := t.Underlying().(*types.Struct); !ok {
			return isNil(va[0]) // nil slices, maps, interfaces, …
		}
	}
	if x.Exact && len(va) > 0 && !form.IsInt(t) && !form.IsBool(t) {
		return x.equalExact(t, va, x.val(b), b.Type())
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsFloat|types.IsComplex) != 0 {
			break
		}
		return bin("eq", va[0], typed(x.one(b), va[0].Type()))
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return bin("eq", va[0], typed(x.one(b), va[0].Type()))
	case *types.Interface:
		if _, ok := b.Type().Underlying().(*types.Interface); ok {
			return bin("land", bin("eq", va[0], x.val(b)[0]), cond(x.havoc(boolT)))
		}
	}
	return cond(x.havoc(boolT))
}

// extract takes one component of a tuple.
func (x *fn) extract(v *ssa.Extract) value {
	tup := v.Tuple.Type().(*types.Tuple)
	from := 0
	for i := range v.Index {
		from += len(x.lay.of(tup.At(i).Type()).leaves)
	}
	return x.val(v.Tuple)[from : from+len(x.layoutOf(v).leaves)]
}

// field takes one field of a struct value.
func (x *fn) field(v *ssa.Field) value {
	st := v.X.Type().Underlying().(*types.Struct)
	from := 0
	for i := range v.Field {
		from += len(x.lay.of(st.Field(i).Type()).leaves)
	}
	return x.val(v.X)[from : from+len(x.layoutOf(v).leaves)]
}

func (x *fn) fieldAddr(v *ssa.FieldAddr) ir.Expr {
	s, ok := x.lay.of(form.Deref(v.X.Type())).mem.(*ir.Struct)
	if !ok || v.Field >= len(s.Fields) {
		x.fail("a field of %s, which is not looked into", v.X.Type())
	}
	x.nonNil(v.X)
	base := x.followed(v.X)[0]
	if p := base.Type().(ir.Ptr); !ir.Equal(p.Elem, s) {
		base = ir.Cast{X: base, T: ir.Ptr{Elem: s}}
	}
	return ir.FieldAddr{Base: base, S: s, Index: v.Field}
}

// element is the address of an element.
func (x *fn) element(base ir.Expr, elem types.Type, idx ir.Expr) ir.Expr {
	lay := x.lay.of(elem)
	return ir.IndexAddr{Base: base, Idx: idx, Stride: roundUp(lay.size, lay.align), T: ir.Ptr{Elem: lay.mem}}
}

func (x *fn) indexAddr(v *ssa.IndexAddr) ir.Expr {
	base := x.followed(v.X)[0]
	switch u := v.X.Type().Underlying().(type) {
	case *types.Slice:
		x.inRange(x.one(v.Index), x.val(v.X)[1])
		return x.element(base, u.Elem(), x.one(v.Index))
	case *types.Pointer:
		x.nonNil(v.X)
		x.inRange(x.one(v.Index), ir.IntConst(intT, u.Elem().Underlying().(*types.Array).Len()))
		return x.element(base, u.Elem().Underlying().(*types.Array).Elem(), x.one(v.Index))
	}
	x.fail("an element of %s", v.X.Type())
	return nil
}

// index takes an element of an array value or a byte of a string.
func (x *fn) index(v *ssa.Index) value {
	a, ok := v.X.Type().Underlying().(*types.Array)
	if !ok {
		if b, text := v.X.Type().Underlying().(*types.Basic); text && b.Info()&types.IsString != 0 && x.Exact {
			x.inRange(x.one(v.Index), x.textLen(x.one(v.X)))
			return value{x.textByte(x.one(v.X), x.one(v.Index))}
		}
		return x.arbitrary(v.Type())
	}
	x.inRange(x.one(v.Index), ir.IntConst(intT, a.Len()))
	in, n := x.val(v.X), len(x.layoutOf(v).leaves)
	if leaves := x.layoutOf(v.X).leaves; len(leaves) == 1 && leaves[0].blob != nil {
		return x.load(a.Elem(), x.element(in[0], a.Elem(), x.one(v.Index)), ir.Plain)
	}
	if c, ok := x.one(v.Index).(ir.Const); ok && c.Val.Int64() >= 0 && c.Val.Int64() < a.Len() {
		i := int(c.Val.Int64())
		return in[i*n : (i+1)*n]
	}
	out := append(value{}, in[:n]...)
	for i := 1; i < int(a.Len()); i++ {
		for j := range out {
			is := bin("eq", x.one(v.Index), ir.IntConst(x.one(v.Index).Type().(ir.Int), int64(i)))
			out[j] = x.hold(ir.Select{C: is, X: in[i*n+j], Y: out[j]})
		}
	}
	return out
}
