package c

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// leaf is one scalar initialiser with its offset by our layout.
type leaf struct {
	off int64
	ct  cc.Type
	e   cc.ExpressionNode
	bit *cc.Field
	// kind: it is the member __kind of a mutex, at kindOff in it.
	kind    bool
	kindOff int64
}

// leaves flattens an initialiser of an object of type ct.
func (u *unit) leaves(ct cc.Type, in *cc.Initializer) []leaf {
	var out []leaf
	if in.Case == cc.InitializerExpr {
		return []leaf{{ct: ct, e: in.AssignmentExpression}}
	}
	u.listLeaves(ct, in.InitializerList, &out)
	return out
}

func (u *unit) listLeaves(ct cc.Type, list *cc.InitializerList, out *[]leaf) {
	for ; list != nil; list = list.InitializerList {
		in := list.Initializer
		first := len(*out)
		if in.Case == cc.InitializerInitList {
			u.listLeaves(ct, in.InitializerList, out)
			u.repeat(list, first, out)
			continue
		}
		f := in.Field()
		lf := leaf{off: u.types.ourOffset(ct, in.Offset(), f), ct: in.Type(), e: in.AssignmentExpression}
		if f != nil && f.IsBitfield() {
			lf.bit = f
		}
		if f != nil && f.Name() == "__kind" {
			lf.kind, lf.kindOff = true, f.Offset()
		}
		*out = append(*out, lf)
		u.repeat(list, first, out)
	}
}

// maxRepeated bounds the cells that a range of elements stands for.
const maxRepeated = 1 << 16

// repeat repeats the leaves from first on for the elements of a range, [1 ... 3] = x.
// What is evaluated must have no effects.
func (u *unit) repeat(list *cc.InitializerList, first int, out *[]leaf) {
	n := list.Initializer.Len()
	if n <= 1 || list.Designation == nil {
		return
	}
	size := u.types.SizeOf(list.Designation.DesignatorList.Designator.Type())
	one := (*out)[first:len(*out):len(*out)]
	if size <= 0 || n*int64(len(one)) > maxRepeated || slices.ContainsFunc(one, func(lf leaf) bool { return effects.MatchString(cc.NodeSource(lf.e)) }) {
		u.p.Assume("unmodelled", pos(list.Position()), "the range of elements %s is initialised by something that is too large, or may have effects", cc.NodeSource(list.Designation))
		return
	}
	for k := int64(1); k < n; k++ {
		for _, lf := range one {
			lf.off += k * size
			*out = append(*out, lf)
		}
	}
}

// effects finds what may be a call, or change something, in an expression's text.
var effects = regexp.MustCompile(`\w\s*\(|\)\s*\(|\+\+|--|[^=!<>]=([^=]|$)|<<=|>>=`)

// initGlobal fills g.Init with what can be expressed as constants; other cells hold an
// arbitrary value, as an assumption.
func (u *unit) initGlobal(g *ir.Global, ct cc.Type, in *cc.Initializer) {
	if a, ok := g.Type.(ir.Array); ok && a.Len == 0 {
		if d, ok := in.Type().(*cc.ArrayType); ok && d.Len() > 0 {
			g.Type = ir.Array{Elem: a.Elem, Len: d.Len()}
		}
	}
	u.initLeaves(g, u.leaves(ct, in))
}

func (u *unit) initLeaves(g *ir.Global, ls []leaf) {
	l := &lowerer{unit: u, f: &ir.Func{Name: g.Name}, name: g.Name, locals: map[*cc.Declarator]local{}, byName: map[string]local{},
		labels: map[string]*ir.Block{}, used: map[string]int{}, dead: map[*ir.Block]bool{}, static: true}
	l.start(l.block("init"))
	for _, lf := range ls {
		lf = castOff(lf)
		if l.initString(g, lf) {
			continue
		}
		v, t, ok := l.constInit(lf)
		if !ok {
			u.p.Assume("initialiser", pos(lf.e.Position()), "the initialiser of %s is not a constant that is understood: its value is arbitrary", g.Name)
			v, t = l.arbitrary(lf)
		}
		u.staticKind(g, lf, v)
		if lf.bit != nil {
			if unitOf(g.Type, lf.off, lf.bit.Name()) == nil {
				u.p.Assume("initialiser", pos(lf.e.Position()), "the place of the bit-field %s is not found: its value is taken as zero", lf.bit.Name())
			}
			initBits(g, lf, v)
			continue
		}
		// initialised again
		g.Init = slices.DeleteFunc(g.Init, func(c ir.InitCell) bool { return c.Offset >= lf.off && c.Offset < lf.off+max(t.Size(), 1) })
		if c, isConst := v.(ir.Const); (isConst && c.Val.Sign() == 0) || v == nil {
			continue
		}
		if _, isNull := v.(ir.Null); isNull {
			continue
		}
		g.Init = append(g.Init, ir.InitCell{Offset: lf.off, Type: t, Value: v, Pos: pos(lf.e.Position())})
	}
}

// arbitrary is an unknown initial value; nil for aggregates.
func (l *lowerer) arbitrary(lf leaf) (ir.Expr, ir.Type) {
	t := l.types.Type(lf.ct)
	switch t.(type) {
	case ir.Int, ir.Ptr:
		return ir.Cast{X: ir.OpaqueConst{T: ir.Opaque{Name: "initialiser", Bytes: t.Size()}, Text: pos(lf.e.Position()).String()}, T: t}, t
	case ir.Opaque:
		return ir.OpaqueConst{T: t, Text: pos(lf.e.Position()).String()}, t
	}
	return nil, t
}

// initString writes the characters of a string that initialises an array.
func (l *lowerer) initString(g *ir.Global, lf leaf) bool {
	a, ok := lf.ct.(*cc.ArrayType)
	if !ok {
		return false
	}
	text, ok := stringValue(lf.e)
	if !ok {
		l.otherString(lf.e)
	}
	if n := a.Len(); ok && n >= 0 && int64(len(text)) > n {
		text = text[:n]
	}
	g.Init = append(g.Init, stringCells(text, lf.off, pos(lf.e.Position()))...)
	return true
}

// otherString says that the characters of a string literal are not known.
func (u *unit) otherString(n cc.Node) {
	u.p.Assume("unmodelled", pos(n.Position()), "%s: its characters are not those of a plain string", cc.NodeSource(n))
}

// stringValue is the text of a string literal without its final zero; ok is false of wide
// characters, and of u8"…", which cc gets wrong.
func stringValue(e cc.ExpressionNode) (text string, ok bool) {
	if p, ok := unparen(e).(*cc.PrimaryExpression); ok && strings.HasPrefix(p.Token.SrcStr(), "u8") {
		return "", false
	}
	v, ok := e.Value().(cc.StringValue)
	return strings.TrimSuffix(string(v), "\x00"), ok
}

func stringCells(text string, off int64, at ir.Pos) []ir.InitCell {
	var out []ir.InitCell
	for i, c := range []byte(text) {
		if c != 0 {
			out = append(out, ir.InitCell{Offset: off + int64(i), Type: ir.I8, Value: ir.IntConst(ir.I8, int64(c)), Pos: at})
		}
	}
	return out
}

// initBits merges an initialised bit-field into the cell of its storage unit.
func initBits(g *ir.Global, lf leaf, v ir.Expr) {
	f := unitOf(g.Type, lf.off, lf.bit.Name())
	if f == nil {
		return
	}
	t, ok := f.Type.(ir.Int)
	if !ok {
		return
	}
	i := slices.IndexFunc(g.Init, func(c ir.InitCell) bool { return c.Offset == lf.off })
	if i < 0 {
		i = len(g.Init)
		g.Init = append(g.Init, ir.InitCell{Offset: lf.off, Type: t, Value: ir.IntConst(t, 0), Pos: pos(lf.e.Position())})
	}
	t = g.Init[i].Type.(ir.Int) // that of the first of the unit's bit-fields
	c, ok := v.(ir.Const)
	old, ok2 := g.Init[i].Value.(ir.Const)
	if !ok || !ok2 {
		g.Init[i].Value = ir.Cast{X: ir.OpaqueConst{T: ir.Opaque{Name: "initialiser", Bytes: t.Size()}, Text: lf.bit.Name()}, T: t}
		return
	}
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(f.BitWidth)), big.NewInt(1))
	n := new(big.Int).And(c.Val, mask)
	// it may be initialised again
	rest := new(big.Int).AndNot(ir.Wrap(ir.Int{Bits: t.Bits}, old.Val), mask.Lsh(mask, uint(f.BitOffset)))
	n.Or(n.Lsh(n, uint(f.BitOffset)), rest)
	g.Init[i].Value = ir.Const{T: t, Val: ir.Wrap(t, n)}
}

// literal is the global of a compound literal at file scope.
func (l *lowerer) literal(x *cc.PostfixExpression, ct cc.Type) ir.Expr {
	l.program.strings++
	g := &ir.Global{Name: fmt.Sprintf("literal.%d", l.program.strings), Type: l.types.Type(ct), Pos: pos(x.Position()), Static: true}
	l.p.Globals = append(l.p.Globals, g)
	var ls []leaf
	l.listLeaves(ct, x.InitializerList, &ls)
	l.initLeaves(g, ls)
	return ir.GlobalAddr{Global: g}
}

// constInit evaluates one constant initialiser; a nil value is zero.
func (l *lowerer) constInit(lf leaf) (v ir.Expr, t ir.Type, ok bool) {
	first := l.f.Blocks[0]
	defer func() {
		if r := recover(); r != nil {
			v, ok = nil, false
		}
		first.Instrs, first.Term, l.cur = nil, nil, first
	}()
	if isStruct(lf.ct) {
		return nil, nil, false
	}
	t = l.types.Type(lf.ct)
	v = l.convTo(lf.e, l.expr(lf.e), lf.ct)
	if len(first.Instrs) != 0 || l.cur != first {
		return nil, nil, false
	}
	return v, t, true
}

// initMemory initialises a local object: zero first where the initialiser is a list, then
// member by member.
func (l *lowerer) initMemory(addr ir.Expr, ct cc.Type, in *cc.Initializer) {
	if in.Case == cc.InitializerInitList {
		l.initList(addr, ct, in.InitializerList, 0, true)
		return
	}
	l.initLeaf(addr, leaf{ct: ct, e: in.AssignmentExpression})
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
	if a, ok := lf.ct.(*cc.ArrayType); ok {
		l.copyString(addr, lf, a)
		return
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
	v = l.convTo(lf.e, v, lf.ct)
	if lf.bit != nil {
		p, _ := addr.Type().(ir.Ptr)
		if f := unitOf(p.Elem, lf.off, lf.bit.Name()); f != nil {
			l.store(lf.e, lvalue{addr: to, ct: lf.ct, bit: f, order: ir.Plain, at: pos(lf.e.Position())}, v)
			return
		}
		v = l.havoc(lf.e, v.Type())
	}
	l.emit(&ir.Store{Base: at(lf.e), Addr: to, Val: v, Order: ir.Plain})
}

// copyString copies a string literal into the array it initialises.
func (l *lowerer) copyString(addr ir.Expr, lf leaf, a *cc.ArrayType) {
	text, ok := stringValue(lf.e)
	if !ok {
		l.otherString(lf.e)
		return
	}
	n := int64(len(text)) + 1
	if a.Len() > 0 && a.Len() < n {
		n = a.Len()
	}
	if a.Len() > n {
		l.emit(&ir.MemSet{Base: at(lf.e), Dst: l.place(addr, lf.off, ir.I8), Val: ir.IntConst(ir.U8, 0), Size: ir.IntConst(ir.U64, a.Len()), Order: ir.Plain})
	}
	l.emit(&ir.MemCopy{Base: at(lf.e), Dst: l.place(addr, lf.off, ir.I8), Src: decay(l.stringGlobal(text, lf.e)), Size: ir.IntConst(ir.U64, n), Order: ir.Plain})
}

// place is the address of the cell of type t at an offset, by field path where there is
// one.
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
