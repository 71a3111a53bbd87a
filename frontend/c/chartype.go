package c

import (
	"whoop/frontend/models"
	"whoop/ir"
)

// charClasses are the characters that the functions of <ctype.h> accept, in the locale
// that programs start in (C11 7.4.1).
var charClasses = map[string][][2]int64{
	"isdigit": {{'0', '9'}}, "isupper": {{'A', 'Z'}}, "islower": {{'a', 'z'}}, "isalpha": {{'A', 'Z'}, {'a', 'z'}},
	"isalnum": {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, "isxdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}, "isspace": {{9, 13}, {' ', ' '}},
	"isblank": {{9, 9}, {' ', ' '}}, "iscntrl": {{0, 31}, {127, 127}}, "isprint": {{32, 126}}, "isgraph": {{33, 126}},
	"ispunct": {{33, 47}, {58, 64}, {91, 96}, {123, 126}},
}

// arithmetic computes the functions of the library that depend on a number alone.
func (a *apiCall) arithmetic() (ir.Expr, bool) {
	if a.m.Op != models.OpPure || len(a.vs) != 1 || a.program.funcs["setlocale"] != nil {
		return nil, false
	}
	if t, ok := a.vs[0].Type().(ir.Int); ok && (a.name == "ffs" || a.name == "ffsl" || a.name == "ffsll") {
		return a.countBits(a.x, "ffs", ir.Int{Bits: t.Bits}, a.vs[0])
	}
	t, ok := a.typ().(ir.Int)
	if !ok || !ir.Equal(a.vs[0].Type(), t) {
		return nil, false
	}
	v, zero := a.hold(a.x, a.vs[0]), ir.IntConst(t, 0)
	in := func(lo, hi int64) ir.Expr {
		return ir.Binary{Op: "land", X: ir.Binary{Op: "ge", X: v, Y: ir.IntConst(t, lo)}, Y: ir.Binary{Op: "le", X: v, Y: ir.IntConst(t, hi)}}
	}
	moved := func(lo, hi, d int64) ir.Expr {
		return ir.Select{C: in(lo, hi), X: ir.Binary{Op: "add", X: v, Y: ir.IntConst(t, d)}, Y: v}
	}
	switch a.name {
	case "abs", "labs", "llabs":
		// of the least number the result is undefined, and that of greater ones fits
		a.fits(a.x, "sub", t, zero, v)
		return a.hold(a.x, ir.Select{C: ir.Binary{Op: "lt", X: v, Y: zero}, X: ir.Unary{Op: "neg", X: v}, Y: v}), true
	case "htons", "ntohs", "htonl", "ntohl", "bswap_32": // all machines that are modelled begin with the lowest byte
		r := ir.Expr(zero)
		for low := 0; low < t.Bits; low += 8 {
			b := ir.Binary{Op: "and", X: ir.Binary{Op: "shr", X: v, Y: ir.IntConst(t, int64(low))}, Y: ir.IntConst(t, 255)}
			r = ir.Binary{Op: "or", X: r, Y: ir.Binary{Op: "shl", X: b, Y: ir.IntConst(t, int64(t.Bits-8-low))}}
		}
		return a.hold(a.x, r), true
	case "toupper":
		return a.hold(a.x, moved('a', 'z', 'A'-'a')), true
	case "tolower":
		return a.hold(a.x, moved('A', 'Z', 'a'-'A')), true
	}
	var is ir.Expr
	for _, r := range charClasses[a.name] {
		if c := in(r[0], r[1]); is == nil {
			is = c
		} else {
			is = ir.Binary{Op: "lor", X: is, Y: c}
		}
	}
	if is == nil {
		return nil, false
	}
	yes := a.havoc(a.x, t) // some number but zero
	return a.hold(a.x, ir.Select{C: is, X: ir.Select{C: ir.Binary{Op: "ne", X: yes, Y: zero}, X: yes, Y: ir.IntConst(t, 1)}, Y: zero}), true
}
