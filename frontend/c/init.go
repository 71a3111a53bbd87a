package c

import (
	"modernc.org/cc/v4"

	"whoop/ir"
)

// leaf is one scalar initialiser with its offset by our layout.
type leaf struct {
	off int64
	ct  cc.Type
	e   cc.ExpressionNode
	bit *cc.Field
}

// leaves flattens an initialiser of an object of type ct.
func (u *unit) leaves(ct cc.Type, in *cc.Initializer) []leaf {
	var out []leaf
	if in.Case == cc.InitializerExpr {
		return []leaf{{0, ct, in.AssignmentExpression, nil}}
	}
	u.listLeaves(ct, in.InitializerList, &out)
	return out
}

func (u *unit) listLeaves(ct cc.Type, list *cc.InitializerList, out *[]leaf) {
	for ; list != nil; list = list.InitializerList {
		in := list.Initializer
		if in.Case == cc.InitializerInitList {
			u.listLeaves(ct, in.InitializerList, out)
			continue
		}
		f := in.Field()
		lf := leaf{off: u.types.ourOffset(ct, in.Offset(), f), ct: in.Type(), e: in.AssignmentExpression}
		if f != nil && f.IsBitfield() {
			lf.bit = f
		}
		*out = append(*out, lf)
	}
}

// initGlobal fills g.Init with what can be expressed as constants; other cells hold an arbitrary value, as an assumption.
func (u *unit) initGlobal(g *ir.Global, ct cc.Type, in *cc.Initializer) {
	l := &lowerer{unit: u, f: &ir.Func{Name: g.Name}, name: g.Name, locals: map[*cc.Declarator]local{}, byName: map[string]local{},
		labels: map[string]*ir.Block{}, used: map[string]int{}}
	l.start(l.block("init"))
	for _, lf := range u.leaves(ct, in) {
		v, t, ok := l.constInit(lf)
		if !ok {
			u.p.Assume("initialiser", pos(lf.e.Position()), "the initialiser of %s is not a constant that is understood: its value is arbitrary", g.Name)
			continue
		}
		if c, isConst := v.(ir.Const); (isConst && c.Val.Sign() == 0) || v == nil {
			continue
		}
		if _, isNull := v.(ir.Null); isNull {
			continue
		}
		g.Init = append(g.Init, ir.InitCell{Offset: lf.off, Type: t, Value: v, Pos: pos(lf.e.Position())})
	}
	if a, ok := g.Type.(ir.Array); ok && a.Len == 0 {
		if d, ok := in.Type().(*cc.ArrayType); ok && d.Len() > 0 {
			g.Type = ir.Array{Elem: a.Elem, Len: d.Len()}
		}
	}
}

// constInit evaluates one constant initialiser; a nil value is zero or not worth keeping (characters of strings).
func (l *lowerer) constInit(lf leaf) (v ir.Expr, t ir.Type, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			v, ok = nil, false
		}
	}()
	if lf.ct.Kind() == cc.Array || isStruct(lf.ct) {
		return nil, nil, true // a string initialises an array of characters
	}
	t = l.types.Type(lf.ct)
	if lf.bit != nil {
		return nil, nil, true
	}
	before := len(l.cur.Instrs)
	v = l.conv(lf.e, l.expr(lf.e), t)
	if len(l.cur.Instrs) != before || l.cur.Name != "init1" {
		l.cur.Instrs = nil
		return nil, nil, false
	}
	return v, t, true
}

// initMemory initialises a local object: zero first where the initialiser is a list, then member by member.
func (l *lowerer) initMemory(addr ir.Expr, ct cc.Type, in *cc.Initializer) {
	if in.Case == cc.InitializerInitList {
		l.initList(addr, ct, in.InitializerList, 0, true)
		return
	}
	l.initLeaf(addr, leaf{0, ct, in.AssignmentExpression, nil})
}

func (l *lowerer) initList(addr ir.Expr, ct cc.Type, list *cc.InitializerList, _ int64, zero bool) {
	var ls []leaf
	l.listLeaves(ct, list, &ls)
	if zero && list != nil {
		l.emit(&ir.MemSet{Base: at(list), Dst: addr, Val: ir.IntConst(ir.U8, 0), Size: ir.IntConst(ir.U64, l.types.SizeOf(ct)), Order: ir.Plain})
	}
	for _, lf := range ls {
		l.initLeaf(addr, lf)
	}
}

func (l *lowerer) initLeaf(addr ir.Expr, lf leaf) {
	if lf.ct.Kind() == cc.Array {
		return // a string literal's characters
	}
	to := l.place(addr, lf.off, l.types.Type(lf.ct))
	if isStruct(lf.ct) {
		l.copyStruct(lf.e, to, l.expr(lf.e), lf.ct)
		return
	}
	v, ok := l.alloc(lf.e, lf.ct)
	if !ok {
		v = l.expr(lf.e)
	}
	v = l.conv(lf.e, v, l.types.Type(lf.ct))
	if lf.bit != nil {
		v = l.havoc(lf.e, v.Type())
	}
	l.emit(&ir.Store{Base: at(lf.e), Addr: to, Val: v, Order: ir.Plain})
}

// place is the address of the cell of type t at an offset, by field path where there is one.
func (l *lowerer) place(addr ir.Expr, off int64, t ir.Type) ir.Expr {
	p, _ := addr.Type().(ir.Ptr)
	for {
		switch e := p.Elem.(type) {
		case *ir.Struct:
			found := false
			for i, f := range e.Fields {
				n := f.Type.Size()
				if !e.Union && off >= f.Offset && off < f.Offset+max(n, 1) {
					addr, off, found = ir.FieldAddr{Base: addr, S: e, Index: i}, off-f.Offset, true
					p = ir.Ptr{Elem: f.Type}
					break
				}
			}
			if found {
				continue
			}
		case ir.Array:
			if n := e.Elem.Size(); n > 0 {
				addr = ir.IndexAddr{Base: addr, Idx: ir.IntConst(ir.I64, off/n), Stride: n, T: ir.Ptr{Elem: e.Elem}}
				off, p = off%n, ir.Ptr{Elem: e.Elem}
				continue
			}
		}
		break
	}
	if off == 0 {
		return addr
	}
	return ir.IndexAddr{Base: addr, Idx: ir.IntConst(ir.I64, off), Stride: 1, T: ir.Ptr{Elem: t}}
}
