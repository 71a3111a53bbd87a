package boogie

import (
	"fmt"
	"math/big"
	"strings"

	"whoop/ir"
)

// val is an expression of Boogie; for integers with bounds that its value is known to
// have (nil: none).
type val struct {
	s      string
	lo, hi *big.Int
}

var (
	one = big.NewInt(1)
	// addresses are kept as signed numbers, so that small offsets from null and error
	// codes have one form
	addrT = ir.I64
)

// bounds are the least and the greatest value of an integer type.
func bounds(t ir.Int) (lo, hi *big.Int) {
	lo, hi = new(big.Int), new(big.Int).Lsh(one, uint(t.Bits))
	if t.Signed {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	return lo, hi.Sub(hi, one)
}

func constant(v *big.Int) val { return val{v.String(), v, v} }

// typed is a value of which only the type is known.
func typed(s string, t ir.Type) val {
	if t, ok := t.(ir.Int); ok {
		lo, hi := bounds(t)
		return val{s, lo, hi}
	}
	return val{s: s}
}

// isConst reports whether a value is one number.
func (v val) isConst() bool { return v.lo != nil && v.lo.Cmp(v.hi) == 0 }

// wrap reduces v into the range of t, where it is not there already.
func (t *program) wrap(typ ir.Int, v val) val {
	lo, hi := bounds(typ)
	if v.lo != nil && v.lo.Cmp(lo) >= 0 && v.hi.Cmp(hi) <= 0 {
		return v
	}
	if v.isConst() {
		return constant(ir.Wrap(typ, v.lo))
	}
	m := new(big.Int).Lsh(one, uint(typ.Bits)).String()
	if !typ.Signed {
		return val{"(" + v.s + " mod " + m + ")", lo, hi}
	}
	h := new(big.Int).Neg(lo).String()
	return val{"((" + v.s + " + " + h + ") mod " + m + " - " + h + ")", lo, hi}
}

// expr translates an expression. Casts to and from opaque values put a havoc before the
// instruction.
func (p *proc) expr(e ir.Expr) val {
	switch e := e.(type) {
	case ir.Const:
		return constant(e.Val)
	case ir.BoolConst:
		return val{s: fmt.Sprint(bool(e))}
	case ir.Null:
		return constant(new(big.Int))
	case ir.Use:
		return typed(p.reg(e.Reg), e.Reg.Type)
	case ir.GlobalAddr:
		if i, ok := p.tls[e.Global]; ok {
			return typed(p.tlsAddr(i), e.Type())
		}
		return typed(p.address(e.Global), e.Type())
	case ir.FuncAddr:
		return typed(p.address(e.Func), e.Type())
	case ir.FieldAddr:
		return plus(p.expr(e.Base), constant(big.NewInt(e.S.Fields[e.Index].Offset)))
	case ir.IndexAddr:
		return plus(p.expr(e.Base), times(p.expr(e.Idx), constant(big.NewInt(e.Stride))))
	case ir.Unary:
		return p.unary(e)
	case ir.Binary:
		return p.binary(e.Op, e.X.Type(), p.expr(e.X), p.expr(e.Y))
	case ir.Cast:
		return p.cast(p.expr(e.X), e.X.Type(), e.T)
	case ir.Select:
		c, x, y := p.expr(e.C), p.expr(e.X), p.expr(e.Y)
		return typed(fmt.Sprintf("(if %s then %s else %s)", c.s, x.s, y.s), e.Type())
	case ir.OpaqueConst:
		return val{s: p.text(e)}
	}
	panic(fmt.Sprintf("boogie: unknown expression %T", e)) // ir.Validate knows them all
}

// tlsAddr is the address of the running thread's copy of a thread-local variable.
func (p *proc) tlsAddr(i int) string {
	each := times(val{s: "$tid"}, number64(int64(len(p.tls))*window))
	return plus(each, number64((1<<30+int64(i))*window)).s
}

// text is the constant for an opaque constant.
func (t *program) text(e ir.OpaqueConst) string {
	key := e.T.String() + " " + e.Text
	if t.texts[key] == "" {
		t.texts[key] = fmt.Sprintf("$const.%d", len(t.texts)+1)
	}
	return t.texts[key]
}

func plus(x, y val) val {
	switch {
	case y.s == "0":
		return x
	case x.s == "0":
		return y
	case x.isConst() && y.isConst():
		return constant(sum(x.lo, y.lo))
	case y.isConst() && y.hi.Sign() < 0:
		return val{"(" + x.s + " - " + new(big.Int).Neg(y.hi).String() + ")", sum(x.lo, y.lo), sum(x.hi, y.hi)}
	}
	return val{"(" + x.s + " + " + y.s + ")", sum(x.lo, y.lo), sum(x.hi, y.hi)}
}

func sum(x, y *big.Int) *big.Int {
	if x == nil || y == nil {
		return nil
	}
	return new(big.Int).Add(x, y)
}

func minus(x, y val) val {
	if x.isConst() && y.isConst() {
		return constant(new(big.Int).Sub(x.lo, y.lo))
	}
	v := val{s: "(" + x.s + " - " + y.s + ")"}
	if x.lo != nil && y.lo != nil {
		v.lo, v.hi = new(big.Int).Sub(x.lo, y.hi), new(big.Int).Sub(x.hi, y.lo)
	}
	return v
}

func times(x, y val) val {
	if y.s == "1" {
		return x
	}
	if x.lo == nil || y.lo == nil {
		return val{s: "(" + x.s + " * " + y.s + ")"}
	}
	if x.isConst() && y.isConst() {
		return constant(new(big.Int).Mul(x.lo, y.lo))
	}
	v := val{s: "(" + x.s + " * " + y.s + ")"}
	for _, a := range []*big.Int{x.lo, x.hi} {
		for _, b := range []*big.Int{y.lo, y.hi} {
			m := new(big.Int).Mul(a, b)
			if v.lo == nil || m.Cmp(v.lo) < 0 {
				v.lo = m
			}
			if v.hi == nil || m.Cmp(v.hi) > 0 {
				v.hi = m
			}
		}
	}
	return v
}

func (p *proc) unary(e ir.Unary) val {
	x := p.expr(e.X)
	t, _ := e.X.Type().(ir.Int)
	zero := constant(new(big.Int))
	switch {
	case e.Op == "lnot":
		return val{s: "!" + atom(x.s)}
	case e.Op == "neg":
		return p.wrap(t, minus(zero, x))
	case t.Signed:
		return p.wrap(t, minus(constant(big.NewInt(-1)), x))
	}
	_, hi := bounds(t)
	return p.wrap(t, minus(constant(hi), x))
}

// atom puts parentheses around an expression that has none.
func atom(s string) string {
	if strings.HasPrefix(s, "(") || !strings.ContainsAny(s, " ") {
		return s
	}
	return "(" + s + ")"
}

var comparisons = map[string]string{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "land": "&&", "lor": "||"}

// binary translates an operator on operands of type t.
func (p *proc) binary(op string, t ir.Type, x, y val) val {
	if c, ok := comparisons[op]; ok {
		if ir.IsPtr(t) && op != "eq" && op != "ne" {
			x, y = p.wrap(ir.U64, x), p.wrap(ir.U64, y)
		}
		return val{s: "(" + x.s + " " + c + " " + y.s + ")"}
	}
	it := t.(ir.Int)
	switch op {
	case "add":
		return p.wrap(it, plus(x, y))
	case "sub":
		return p.wrap(it, minus(x, y))
	case "mul":
		return p.wrap(it, times(x, y))
	case "div", "rem":
		return p.wrap(it, p.divide(op, x, y))
	case "shl", "shr":
		return p.shift(op, it, x, y)
	}
	return p.bitwise(op, it, x, y)
}

// divide truncates towards zero, where Boogie rounds down; of a divisor zero the result
// is arbitrary.
func (p *proc) divide(op string, x, y val) val {
	if x.lo != nil && x.lo.Sign() >= 0 && y.lo != nil && y.lo.Sign() >= 0 {
		op = map[string]string{"div": " div ", "rem": " mod "}[op]
		v := val{s: "(" + x.s + op + y.s + ")"}
		if y.lo.Sign() > 0 {
			v.lo, v.hi = new(big.Int), x.hi
		}
		return v
	}
	return val{s: fmt.Sprintf("%s(%s, %s)", p.use("$"+op), x.s, y.s)}
}

// shift multiplies and divides by constants; other amounts go by bit vectors.
func (p *proc) shift(op string, t ir.Int, x, y val) val {
	if !y.isConst() {
		name := map[bool]string{true: "ashr", false: "lshr"}[t.Signed]
		if op == "shl" {
			name = "shl"
		}
		return p.bits(name, t, x, y)
	}
	k := y.lo
	if k.Sign() < 0 || k.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
		if op == "shl" || !t.Signed {
			return constant(new(big.Int))
		}
		k = big.NewInt(int64(t.Bits - 1))
	}
	m := constant(new(big.Int).Lsh(one, uint(k.Int64())))
	if op == "shl" {
		return p.wrap(t, times(x, m))
	}
	v := typed("("+x.s+" div "+m.s+")", t)
	v.lo, v.hi = new(big.Int).Rsh(x.lo, uint(k.Int64())), new(big.Int).Rsh(x.hi, uint(k.Int64()))
	return v
}

// bitwise translates and, or, xor, nand. With a constant, "and" is a sum of the bits that
// remain; the others follow from it: x|y = x + y - (x&y), x^y = x + y - 2·(x&y), which
// hold in two's complement.
func (p *proc) bitwise(op string, t ir.Int, x, y val) val {
	if op == "nand" {
		_, all := bounds(ir.Int{Bits: t.Bits})
		return p.wrap(t, minus(constant(all), p.wrap(ir.Int{Bits: t.Bits}, p.bitwise("and", t, x, y))))
	}
	if x.isConst() {
		x, y = y, x
	}
	if !y.isConst() {
		return p.bits(op, t, x, y)
	}
	and := p.wrap(t, mask(x, ir.Wrap(ir.Int{Bits: t.Bits}, y.lo)))
	switch op {
	case "and":
		return and
	case "or":
		return p.wrap(t, minus(plus(x, y), and))
	}
	return p.wrap(t, minus(plus(x, y), times(constant(big.NewInt(2)), and)))
}

// mask is x & m for m ≥ 0: for each run of ones of m, the bits of x there.
func mask(x val, m *big.Int) val {
	out := constant(new(big.Int))
	for i := 0; i < m.BitLen(); i++ {
		if m.Bit(i) == 0 {
			continue
		}
		from := i
		for i < m.BitLen() && m.Bit(i) == 1 {
			i++
		}
		s, low := x.s, new(big.Int).Lsh(one, uint(from))
		run := new(big.Int).Lsh(one, uint(i-from))
		if from > 0 {
			s = "(" + s + " div " + low.String() + ")"
		}
		part := val{"(" + s + " mod " + run.String() + ")", new(big.Int), new(big.Int).Sub(run, one)}
		out = plus(out, times(part, constant(low)))
	}
	return out
}

// bits applies an operation on bit vectors to integers.
func (p *proc) bits(op string, t ir.Int, x, y val) val {
	p.bv[bvOp{op, t.Bits}] = true
	u := typed(fmt.Sprintf("$%s.%d(%s, %s)", op, t.Bits, x.s, y.s), ir.Int{Bits: t.Bits})
	return p.wrap(t, u)
}

// cast converts a value between types.
func (p *proc) cast(x val, from, to ir.Type) val {
	_, fo := from.(ir.Opaque)
	_, too := to.(ir.Opaque)
	if (fo || too) && !ir.Equal(from, to) {
		p.line("// %s to %s: an arbitrary value", from, to)
		p.note("values of opaque types (floating point) are arbitrary when converted to integers and back")
		return p.arbitrary(to)
	}
	switch to := to.(type) {
	case ir.Bool:
		if boogieType(from) == "bool" {
			return x
		}
		return val{s: "(" + x.s + " != 0)"}
	case ir.Int:
		if boogieType(from) == "bool" {
			return val{"(if " + x.s + " then 1 else 0)", new(big.Int), one}
		}
		return p.wrap(to, x)
	case ir.Ptr:
		if boogieType(from) == "bool" {
			return val{"(if " + x.s + " then 1 else 0)", new(big.Int), one}
		}
		if !ir.IsPtr(from) {
			return p.wrap(addrT, x)
		}
	}
	return x
}
