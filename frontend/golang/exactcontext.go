package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Contexts, exactly: a context is an interface that holds a pointer to its channel and its error. What cancels it, or its
// timer, closes the channel, the first time. A context in one that can be cancelled is cut.

// Errors of contexts, as their objects have them.
const (
	cancelled = 1
	expired   = 2
)

// contextType is the dynamic type of contexts.
func (l *lowering) contextType() *types.Pointer {
	if l.ctxType == nil {
		done := types.NewChan(types.SendRecv, types.NewStruct(nil, nil))
		st := types.NewStruct([]*types.Var{types.NewField(0, nil, "done", done, false), types.NewField(0, nil, "err", types.Typ[types.Uint8], false)}, nil)
		l.ctxType = types.NewPointer(types.NewNamed(types.NewTypeName(0, nil, "context", nil), st, nil))
	}
	return l.ctxType
}

func (l *lowering) contextChan() *types.Chan {
	return l.contextType().Elem().Underlying().(*types.Struct).Field(0).Type().(*types.Chan)
}

// contextField is the address of a field of a context.
func (x *fn) contextField(p ir.Expr, i int) ir.Expr { return x.member(p, x.contextType().Elem(), i) }

// contextExact lowers the functions of package context that it knows.
func (x *fn) contextExact(p *prepared, name string) (value, bool) {
	switch name {
	case "context.Background", "context.TODO":
		return x.boxed(x.contextType(), value{x.newContext()}), true
	case "context.WithCancel", "context.WithTimeout", "context.WithDeadline":
	default:
		return nil, false
	}
	t := x.contextType()
	parent := p.args[0]
	x.when(bin("ne", parent[0], x.tag(t)), func() { x.cut("a context that is not made here") })
	up := x.unboxed(t, parent[1])[0]
	ct := x.lay.of(x.contextChan()).leaves[0].t
	x.when(not(isNil(x.get(x.contextField(up, 0), ct))), func() { x.cut("a context in one that can be cancelled") })
	c := x.newContext()
	x.set(x.contextField(c, 0), x.makeObject(x.contextChan(), "done"))
	if name != "context.WithCancel" {
		x.p.Assume("timer", ir.Pos{}, "the time of a context may be over at any time")
		f := x.canceller("context timer", expired, false)
		x.spawn(x.site, ir.FuncAddr{Func: f}, types.NewSignatureType(nil, nil, nil, nil, nil, false), value{c}, nil)
	}
	return append(x.boxed(t, value{c}), x.cancelFunc(c)), true
}

func (x *fn) newContext() ir.Expr {
	pt := x.lay.of(x.contextType()).leaves[0].t.(ir.Ptr)
	r := x.temp(pt)
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: pt.Elem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: "context"})
	return ir.Use{Reg: r}
}

// cancelFunc is the function value that cancels a context.
func (x *fn) cancelFunc(c ir.Expr) ir.Expr {
	f := x.canceller("cancel", cancelled, true)
	s := x.cancelStruct()
	r := x.temp(ir.Ptr{Elem: s})
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	at := func(i int) ir.Expr { return ir.FieldAddr{Base: ir.Use{Reg: r}, S: s, Index: i} }
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	x.emit(&ir.Store{Base: x.base(), Addr: ir.FieldAddr{Base: at(0), S: x.header, Index: x.slot(sig)}, Val: typed(ir.FuncAddr{Func: f}, codePtr), Order: ir.Plain})
	x.emit(&ir.Store{Base: x.base(), Addr: at(1), Val: c, Order: ir.Plain})
	return ir.Cast{X: ir.Use{Reg: r}, T: funcT}
}

// cancelStruct is the function value of what cancels a context.
func (l *lowering) cancelStruct() *ir.Struct {
	return l.lay.sharedStruct("cancel function", "cancel function", l.header.Bytes+8, ir.Field{Name: "__func", Type: l.header},
		ir.Field{Name: "__context", Type: l.lay.of(l.contextType()).leaves[0].t, Offset: l.header.Bytes})
}

// canceller is the code that ends a context, which is captured, or the parameter.
func (l *lowering) canceller(name string, code int64, captured bool) *ir.Func {
	if f := l.cancellers[name]; f != nil {
		return f
	}
	pt := l.lay.of(l.contextType()).leaves[0].t
	param := &ir.Reg{Name: "c", Type: pt}
	if captured {
		param = &ir.Reg{Name: "$captured", Type: funcT}
	}
	f := &ir.Func{Name: l.unique(name), Result: ir.Void{}, Params: []*ir.Reg{param}}
	l.cancellers[name] = f
	l.p.Funcs = append(l.p.Funcs, f)
	if captured {
		l.codes = append(l.codes, f)
	}
	x := newFn(l, nil, f)
	x.used[param.Name] = 1
	x.start(x.block("entry"))
	var c ir.Expr = ir.Use{Reg: param}
	if captured {
		s := l.cancelStruct()
		r := x.temp(pt)
		x.emit(&ir.Load{Dst: r, Addr: ir.FieldAddr{Base: ir.Cast{X: c, T: ir.Ptr{Elem: s}}, S: s, Index: 1}, Order: ir.Plain})
		c = ir.Use{Reg: r}
	}
	ct := l.lay.of(l.contextChan()).leaves[0].t.(ir.Ptr)
	ch := x.get(x.contextField(c, 0), ct)
	s := l.lay.chanObject(l.contextChan())
	closed := x.temp(chanCell)
	at := ir.FieldAddr{Base: typed(ch, ir.Ptr{Elem: s}), S: s, Index: chanClosed}
	what := map[int64]string{cancelled: "cancels", expired: "ends the time of"}[code]
	x.section(what, []*ir.Reg{closed}, []ir.Expr{at}, ir.BoolConst(true), func() {
		x.when(isNil(ir.Use{Reg: closed}), func() {
			x.set(at, ir.IntConst(chanCell, 1))
			x.set(x.contextField(c, 1), ir.IntConst(ir.U8, code))
		})
	})
	x.giveBack(nil)
	x.prune()
	return f
}

// contextMethod is a method of a context of the type above; false for those that are not known.
func (x *fn) contextMethod(d *dispatcher, tag, data ir.Expr) bool {
	if n, ok := types.Unalias(d.iface).(*types.Named); !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "context" || x.ctxType == nil {
		return false
	}
	is, els := x.block("context"), x.block("else")
	x.branch(bin("eq", tag, x.tag(x.ctxType)), is, els)
	x.start(is)
	c := x.unboxed(x.ctxType, data)[0]
	switch d.method.Name() {
	case "Done":
		x.giveBack(value{x.get(x.contextField(c, 0), x.lay.of(x.contextChan()).leaves[0].t)})
	case "Err":
		why := x.get(x.contextField(c, 1), ir.U8)
		box := ir.Select{C: bin("eq", why, ir.IntConst(ir.U8, cancelled)), X: x.libraryBox("context.Canceled"), Y: x.libraryBox("context.DeadlineExceeded")}
		none := isNil(why)
		x.giveBack(value{x.hold(ir.Select{C: none, X: ir.IntConst(ir.U32, 0), Y: x.tag(foreign)}), x.hold(ir.Select{C: none, X: ir.Null{T: ir.VPtr}, Y: box})})
	default:
		x.cut("a method of a context")
		x.stop("unreachable")
	}
	x.start(els)
	return true
}

// libraryBox is the contents of a library's variable that holds an error.
func (l *lowering) libraryBox(name string) ir.Expr {
	g := l.errors[name]
	if g == nil {
		g = l.newGlobal(name, l.box, ir.Pos{})
		l.errors[name] = g
	}
	return ir.Cast{X: ir.GlobalAddr{Global: g}, T: ir.VPtr}
}

// libraryVariable is the value of a variable of a library: an error, or a pointer to something that is not looked into.
func (x *fn) libraryVariable(g *ssa.Global) (value, bool) {
	if !x.exact || x.own[g.Pkg.Pkg] {
		return nil, false
	}
	t := deref(g.Type())
	name := g.Pkg.Pkg.Path() + "." + g.Name()
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return value{x.tag(foreign), x.libraryBox(name)}, true
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		o := x.errors["*"+name]
		if o == nil {
			o = x.newGlobal(name, x.lay.of(p.Elem()).mem, ir.Pos{})
			x.errors["*"+name] = o
		}
		return value{typed(ir.GlobalAddr{Global: o}, x.lay.of(t).leaves[0].t)}, true
	}
	return x.unknownValue(t), true
}
