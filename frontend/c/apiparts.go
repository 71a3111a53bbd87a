package c

import (
	"slices"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// What a library function accesses of the memory that it is given: some of it for sure,
// and the rest perhaps. A text is accessed up to its end, which is not known; of other
// things, the prototype says how large one is. A violation that rests on what is accessed
// perhaps is none for sure.

// touchPart reads or writes what argument i points to: n bytes at most, where n is not
// nil.
func (a *apiCall) touchPart(i int, n ir.Expr, write bool) {
	v := a.vs[i]
	text, size := a.pointsTo(i)
	switch {
	case text && n == nil:
		a.touchText(v, memberSize(v), write)
	case text:
		a.touchText(v, n, write)
	case n != nil:
		a.touchBytes(v, n, write)
	case size == 0 || slices.Contains(a.m.Many, i):
		a.ifGiven(a, v, func() { a.touchSome(v, max(size, 1), memberSize(v), write) })
	default: // null is often allowed
		a.ifGiven(a, v, func() { a.touchBytes(v, ir.IntConst(ir.U64, size), write) })
	}
}

// pointsTo says what the function takes argument i to point to: a text, or something of a
// size; 0 where that is not known.
func (a *apiCall) pointsTo(i int) (text bool, size int64) {
	if ps := parameters(a.x); i < len(ps) {
		if p, ok := ps[i].Type().Decay().(*cc.PointerType); ok {
			e := p.Elem()
			switch {
			case e.Kind() == cc.Void || e.Kind() == cc.Function || e.IsIncomplete():
				return false, 0
			case e.Size() == 1:
				return true, 1
			}
			return false, e.Size()
		}
	}
	e := pointee(a.vs[i])
	if e == nil || ir.Equal(e, ir.Void{}) {
		return false, 0
	}
	return ir.IsInt(e) && e.Size() == 1, e.Size()
}

// touchBytes accesses n bytes.
func (a *apiCall) touchBytes(v, n ir.Expr, write bool) {
	a.emit(&ir.Touch{Base: at(a.x), Addr: v, Size: n, Read: !write, Write: write, Why: a.name})
}

// touchText accesses a text of at most n bytes: its first character, and perhaps others.
func (a *apiCall) touchText(v, n ir.Expr, write bool) {
	if c, ok := n.(ir.Const); n != nil && (!ok || c.Val.Sign() <= 0) { // there may be room for none
		a.touchPerhaps(v, n, write)
		return
	}
	a.touchSome(v, 1, n, write)
}

// touchSome accesses so many bytes, and perhaps up to n, or all of the object where n is
// nil.
func (a *apiCall) touchSome(v ir.Expr, sure int64, n ir.Expr, write bool) {
	a.touchBytes(v, ir.IntConst(ir.U64, sure), write)
	a.touchPerhaps(v, n, write)
}

// touchPerhaps accesses n bytes, or all of the object, or fewer.
func (a *apiCall) touchPerhaps(v, n ir.Expr, write bool) {
	a.emit(&ir.Touch{Base: at(a.x), Addr: v, Size: n, Read: !write, Write: write, Perhaps: true, Why: a.name})
}
