package precise

import (
	"slices"
	"strconv"

	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Lengths and bytes of strings, exactly: those of the texts that are constants of the
// program are known.

// knownTexts lists the constants that are strings, in the order of their numbers.
func (l *Program) knownTexts() (texts []string, ids []int64) {
	for s, n := range l.Texts {
		if _, err := strconv.Unquote(s); err == nil {
			ids = append(ids, n)
		}
	}
	slices.Sort(ids)
	byID := map[int64]string{}
	for s, n := range l.Texts {
		if t, err := strconv.Unquote(s); err == nil {
			byID[n] = t
		}
	}
	for _, n := range ids {
		texts = append(texts, byID[n])
	}
	return texts, ids
}

// ofText answers a question about a string: answer says what holds of one.
func (x *Fn) ofText(id ir.Expr, answer func(s string) ir.Expr) {
	texts, ids := x.knownTexts()
	if !slices.Contains(ids, 0) {
		texts, ids = append([]string{""}, texts...), append([]int64{0}, ids...)
	}
	for i, s := range texts {
		is, els := x.Block("is"), x.Block("else")
		x.Branch(irgen.Bin("eq", id, ir.IntConst(irgen.OpaqueT, ids[i])), is, els)
		x.Start(is)
		x.GiveBack(irgen.Value{answer(s)})
		x.Start(els)
	}
	x.Cut("the contents of a string are not known")
	x.Stop("unreachable")
}

// TextLen is the length of a string.
func (x *Fn) TextLen(s ir.Expr) ir.Expr {
	if t, ok := x.constText(s); ok {
		return ir.IntConst(irgen.IntT, int64(len(t)))
	}
	f := x.ask("length of a string", irgen.IntT, []ir.Type{irgen.OpaqueT}, func(x *Fn, p irgen.Value) {
		x.ofText(p[0], func(s string) ir.Expr { return ir.IntConst(irgen.IntT, int64(len(s))) })
	})
	return x.answer(f, irgen.Value{s})
}

// TextByte is a byte of a string; the index is in range.
func (x *Fn) TextByte(s, i ir.Expr) ir.Expr {
	if t, ok := x.constText(s); ok {
		return x.byteOf(t, i)
	}
	f := x.ask("byte of a string", ir.U8, []ir.Type{irgen.OpaqueT, irgen.IntT}, func(x *Fn, p irgen.Value) {
		x.ofText(p[0], func(s string) ir.Expr { return x.byteOf(s, p[1]) })
	})
	return x.answer(f, irgen.Value{s, irgen.Typed(i, irgen.IntT)})
}

// constText is a string that is a constant.
func (x *Fn) constText(s ir.Expr) (string, bool) {
	c, ok := s.(ir.Const)
	if !ok {
		return "", false
	}
	texts, ids := x.knownTexts()
	i := slices.Index(ids, c.Val.Int64())
	if i < 0 {
		return "", c.Val.Sign() == 0
	}
	return texts[i], true
}

// byteOf reads a byte of a constant.
func (x *Fn) byteOf(s string, i ir.Expr) ir.Expr {
	if s == "" { // no index is in range
		return ir.IntConst(ir.U8, 0)
	}
	g := x.bytesOf[s]
	if g == nil {
		g = x.NewGlobal("__text "+strconv.Itoa(len(x.bytesOf)), ir.Array{Elem: ir.U8, Len: int64(len(s))}, ir.Pos{})
		g.Const = true
		for k := range len(s) {
			g.Init = append(g.Init, ir.InitCell{Offset: int64(k), Type: ir.U8, Value: ir.IntConst(ir.U8, int64(s[k]))})
		}
		x.bytesOf[s] = g
	}
	r := x.Temp(ir.U8)
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: ir.IndexAddr{Base: ir.GlobalAddr{Global: g}, Idx: irgen.Typed(i, irgen.IntT), Stride: 1, T: ir.Ptr{Elem: ir.U8}}, Order: ir.Plain})
	return ir.Use{Reg: r}
}
