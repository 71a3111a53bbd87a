package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// maxText bounds the arrays whose characters are looked at one by one.
const maxText = 32

// maxPointed is how many characters are looked at behind a pointer to characters.
const maxPointed = 16

// text is a string or a piece of memory in an array of known length.
type text struct {
	array ir.Expr // address of the array
	first int64   // index that the text begins at
	len   int64   // how many elements there are from there on, or are looked at
	elem  ir.Type
}

// textOf is the array that an argument leads into by a constant index; ok is false where
// that is not seen, or the array is long.
func (a *apiCall) textOf(i int) (text, bool) {
	if i >= len(a.vs) {
		return text{}, false
	}
	e, first := a.vs[i], int64(0)
	for {
		switch x := e.(type) {
		case ir.Cast:
			if !ir.IsPtr(x.X.Type()) {
				return text{}, false
			}
			e = x.X
			continue
		case ir.IndexAddr:
			c, ok := x.Idx.(ir.Const)
			if !ok || x.Stride != 1 || !c.Val.IsInt64() || c.Val.Int64() < 0 || c.Val.Int64() > maxText {
				return text{}, false
			}
			e, first = x.Base, first+c.Val.Int64()
			continue
		}
		break
	}
	if it, ok := pointee(e).(ir.Int); ok && it.Size() == 1 && a.hasMain() {
		return text{e, first, maxPointed - first, it}, first < maxPointed
	}
	arr, ok := pointee(e).(ir.Array)
	if !ok || !ir.IsInt(arr.Elem) || arr.Elem.Size() != 1 {
		return text{}, false
	}
	t := text{e, first, arr.Len - first, arr.Elem}
	return t, t.len > 0 && t.len <= maxText
}

// at loads a character, as an unsigned one.
func (a *apiCall) at(t text, i int64) ir.Expr {
	r := a.temp(t.elem)
	p := ir.IndexAddr{Base: t.array, Idx: ir.IntConst(ir.I64, t.first+i), Stride: 1, T: ir.Ptr{Elem: t.elem}}
	a.emit(&ir.Load{Base: at(a.x), Dst: r, Addr: p, Order: ir.Plain})
	return a.conv(a.x, ir.Use{Reg: r}, ir.U8)
}

// aboutText is what the model says of a text's length, or of two texts' order; ok is
// false where they are not seen.
func (a *apiCall) aboutText(t ir.Type) (ir.Expr, bool) {
	it, ok := t.(ir.Int)
	if !ok {
		return nil, false
	}
	if p, lit := unparen(a.es[0]).(*cc.PrimaryExpression); lit && a.m.Ret == "length" {
		if text, known := stringValue(p); known {
			text, _, _ = strings.Cut(text, "\x00")
			return ir.IntConst(it, int64(len(text))), true
		}
	}
	if a.static {
		return nil, false
	}
	if a.m.Ret == "length" {
		return a.length(it)
	}
	return a.compared(it, a.m.Ret == "compare-text")
}

// length is the result of strlen for a text in an array of known length; a text without
// an end has any.
func (a *apiCall) length(t ir.Int) (ir.Expr, bool) {
	s, ok := a.textOf(0)
	if !ok {
		return nil, false
	}
	p, r, done := pos(a.x.Position()), a.temp(t), a.block("length")
	for i := range s.len {
		a.emit(&ir.Assign{Base: at(a.x), Dst: r, X: ir.IntConst(t, i)})
		next := a.block("character")
		a.branch(p, ir.Binary{Op: "eq", X: a.at(s, i), Y: ir.IntConst(ir.U8, 0)}, done, next)
		a.start(next)
	}
	a.emit(&ir.Havoc{Base: at(a.x), Dst: r})
	a.jump(p, done)
	a.start(done)
	return ir.Use{Reg: r}, true
}

// compared is the result of strcmp, strncmp and memcmp for texts in arrays of known
// length: 0, or any number with the sign of the difference between the first characters
// that differ. They end with a zero where ends is set.
func (a *apiCall) compared(t ir.Int, ends bool) (ir.Expr, bool) {
	s, ok := a.textOf(0)
	u, ok2 := a.textOf(1)
	if !ok || !ok2 {
		return nil, false
	}
	// whole: equal texts are equal as a whole after n characters
	n, whole := min(s.len, u.len), false
	if size, sized := a.role("size"); sized {
		c, isConst := size.(ir.Const)
		if !isConst || !c.Val.IsInt64() || c.Val.Sign() < 0 {
			return nil, false
		}
		if c.Val.Int64() <= n {
			n, whole = c.Val.Int64(), true
		}
	}
	if !ends && !whole {
		return nil, false
	}
	p, r, done := pos(a.x.Position()), a.temp(t), a.block("compared")
	zero := ir.IntConst(t, 0)
	v := a.temp(t)
	a.emit(&ir.Havoc{Base: at(a.x), Dst: v, Input: true})
	sign := func(op string, other int64) ir.Expr {
		return ir.Select{C: ir.Binary{Op: op, X: ir.Use{Reg: v}, Y: zero}, X: ir.Use{Reg: v}, Y: ir.IntConst(t, other)}
	}
	for i := range n {
		x, y := a.at(s, i), a.at(u, i)
		d := ir.Select{C: ir.Binary{Op: "lt", X: x, Y: y}, X: sign("lt", -1), Y: sign("gt", 1)}
		same := ir.Binary{Op: "eq", X: x, Y: y}
		a.emit(&ir.Assign{Base: at(a.x), Dst: r, X: ir.Select{C: same, X: zero, Y: d}})
		var end ir.Expr = ir.Unary{Op: "lnot", X: same}
		if ends {
			end = ir.Binary{Op: "lor", X: end, Y: ir.Binary{Op: "eq", X: x, Y: ir.IntConst(ir.U8, 0)}}
		}
		next := a.block("character")
		a.branch(p, end, done, next)
		a.start(next)
	}
	if whole {
		a.emit(&ir.Assign{Base: at(a.x), Dst: r, X: zero})
	} else {
		a.emit(&ir.Havoc{Base: at(a.x), Dst: r})
	}
	a.jump(p, done)
	a.start(done)
	return ir.Use{Reg: r}, true
}
