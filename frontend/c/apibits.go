package c

import (
	"math/big"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// bitOp is set_bit and the like: an update of the word that the bit is in, atomic or not;
// its old value is the result.
func (a *apiCall) bitOp() ir.Expr {
	b, w := at(a.x), a.word()
	addr, mask := a.bit(w)
	old := a.temp(w)
	op, v := "or", mask
	switch a.m.RMWOp {
	case "clear":
		op, v = "and", a.others(mask, w)
	case "change":
		op = "xor"
	}
	switch {
	case a.m.RMWOp == "test":
		a.emit(&ir.Load{Base: b, Dst: old, Addr: addr, Order: a.order()})
	case a.order().Atomic():
		a.emit(&ir.RMW{Base: b, Dst: old, Op: op, Addr: addr, Val: v, Order: a.order()})
	default:
		a.emit(&ir.Load{Base: b, Dst: old, Addr: addr, Order: a.order()})
		a.emit(&ir.Store{Base: b, Addr: addr, Val: ir.Binary{Op: op, X: ir.Use{Reg: old}, Y: v}, Order: a.order()})
	}
	if a.x.Type().Kind() == cc.Void {
		return ir.IntConst(ir.I32, 0)
	}
	is := ir.Binary{Op: "ne", X: ir.Binary{Op: "and", X: ir.Use{Reg: old}, Y: mask}, Y: ir.IntConst(w, 0)}
	return a.hold(a.x, a.conv(a.x, ir.Cast{X: is, T: ir.I32}, a.typ()))
}

// others is the word of all bits but those of a mask.
func (a *apiCall) others(mask ir.Expr, w ir.Int) ir.Expr {
	if c, ok := mask.(ir.Const); ok {
		return ir.Const{T: w, Val: ir.Wrap(w, new(big.Int).Not(c.Val))}
	}
	return a.hold(a.x, ir.Binary{Op: "xor", X: mask, Y: ir.Const{T: w, Val: ir.Wrap(w, big.NewInt(-1))}})
}

// word is the type of the words that bits are numbered in.
func (a *apiCall) word() ir.Int {
	if p, ok := a.addr("addr").Type().(ir.Ptr); ok {
		if t, ok := p.Elem.(ir.Int); ok && t.Bits == 32 {
			return ir.U32
		}
	}
	return ir.U64
}

// bit is the address of the word that the bit is in, and the bit in it. Where the address
// is that of a variable or member that is one word, the bit is in it.
func (a *apiCall) bit(w ir.Int) (addr, mask ir.Expr) {
	p, bits := a.addr("addr"), int64(w.Bits)
	element := func(k ir.Expr) ir.Expr { return ir.IndexAddr{Base: p, Idx: k, Stride: bits / 8, T: ir.Ptr{Elem: w}} }
	n, ok := a.role("mask")
	if !ok {
		return a.conv(a.x, p, ir.Ptr{Elem: w}), a.havoc(a.x, w)
	}
	if k, known := ir.IntOf(n); known && k >= 0 {
		if k >= bits {
			p = element(ir.IntConst(ir.I64, k/bits))
		}
		return a.conv(a.x, p, ir.Ptr{Elem: w}), ir.Const{T: w, Val: new(big.Int).Lsh(big.NewInt(1), uint(k%bits))}
	}
	n = a.hold(a.x, a.conv(a.x, n, w))
	mask = a.hold(a.x, ir.Binary{Op: "shl", X: ir.IntConst(w, 1), Y: ir.Binary{Op: "and", X: n, Y: ir.IntConst(w, bits-1)}})
	if !oneWord(p) {
		p = element(ir.Binary{Op: "div", X: n, Y: ir.IntConst(w, bits)})
	}
	return a.conv(a.x, p, ir.Ptr{Elem: w}), mask
}

// oneWord reports whether an address is that of a variable or member that is no array.
func oneWord(p ir.Expr) bool {
	for {
		c, ok := p.(ir.Cast)
		if !ok {
			break
		}
		p = c.X
	}
	switch p := p.(type) {
	case ir.FieldAddr:
		return ir.IsInt(p.S.Fields[p.Index].Type)
	case ir.GlobalAddr:
		return ir.IsInt(p.Global.Type)
	}
	return false
}
