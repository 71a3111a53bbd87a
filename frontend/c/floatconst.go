package c

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"whoop/ir"
)

// floatOf is the number that a constant of type float or double is.
func floatOf(e ir.Expr) (float64, bool) {
	c, ok := e.(ir.OpaqueConst)
	if !ok {
		return 0, false
	}
	t, ok := c.T.(ir.Opaque)
	if !ok || t.Name != "float" || t.Bytes != 4 && t.Bytes != 8 {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.TrimRight(c.Text, "fFlL"), 64)
	if strings.HasPrefix(strings.ToLower(c.Text), "0x") { // whose digits may be f
		f, err = strconv.ParseFloat(strings.TrimRight(c.Text, "lL"), 64)
	}
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, false
	}
	if t.Bytes == 4 {
		f = float64(float32(f))
	}
	return f, true
}

// floatConst is the constant of a number; ok is false where the type does not hold it
// exactly.
func floatConst(f float64, t ir.Type) (ir.Expr, bool) {
	o, ok := t.(ir.Opaque)
	if !ok || o.Name != "float" || o.Bytes != 4 && o.Bytes != 8 || math.IsInf(f, 0) || math.IsNaN(f) || o.Bytes == 4 && float64(float32(f)) != f {
		return nil, false
	}
	return ir.OpaqueConst{T: t, Text: strconv.FormatFloat(f, 'g', -1, 64)}, true
}

// floatToInt is a floating constant as an integer: its integral part (C11 6.3.1.4), where
// the type holds it.
func floatToInt(e ir.Expr, t ir.Int) (ir.Expr, bool) {
	f, ok := floatOf(e)
	if !ok {
		return nil, false
	}
	n, _ := big.NewFloat(math.Trunc(f)).Int(nil)
	if ir.Wrap(t, n).Cmp(n) != 0 {
		return nil, false
	}
	return ir.Const{T: t, Val: n}, true
}

// wholeFloat is an integer as a constant of a floating type, or itself.
func wholeFloat(c ir.Const, t ir.Type) ir.Expr {
	if c.Val.IsInt64() && c.Val.Int64() < 1<<53 && c.Val.Int64() > -1<<53 {
		if f, ok := floatConst(float64(c.Val.Int64()), t); ok {
			return f
		}
	}
	return c
}

// compareFloats compares two constants.
func compareFloats(op string, x, y ir.Expr) (ir.Expr, bool) {
	if c, ok := x.(ir.Const); ok {
		x = wholeFloat(c, y.Type())
	}
	if c, ok := y.(ir.Const); ok {
		y = wholeFloat(c, x.Type())
	}
	a, ok := floatOf(x)
	b, ok2 := floatOf(y)
	if !ok || !ok2 {
		return nil, false
	}
	return ir.BoolConst(map[string]bool{"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[op]), true
}
