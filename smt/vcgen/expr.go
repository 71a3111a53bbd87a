package vcgen

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"whoop/ir"
	"whoop/smt"
)

// Address space: functions below the globals, globals below the heap. That is one layout
// of many: where a program may tell them apart (Options.Layouts), globals and functions
// lie anywhere, none in another one.
const (
	funcBase   = int64(1) << 12
	globalBase = int64(1) << 28
	heapBase   = int64(1) << 44
	topAddress = int64(1) << 62
)

// placed is something that lies anywhere.
type placed struct {
	at   *smt.Term
	size int64
}

// translator turns expressions into terms. Definitions it needs go to axiom.
type translator struct {
	b       *smt.Builder
	axiom   func(subject, fact *smt.Term)
	globals map[*ir.Global]*smt.Term
	next    int64
	funcs   map[*ir.Func]*smt.Term
	// layouts: addresses are not known. anywhere are the places of globals and functions
	// so far, objects those that were made.
	layouts           bool
	anywhere, objects []placed
	ranged            map[string]bool
	open              map[*smt.Term]bool      // arbitrary values: results of fresh and memo
	wrapped           map[*smt.Term]*smt.Term // what inType makes of a value, with that value
	// wrapType is the type that it was made of.
	wrapType map[*smt.Term]ir.Type
}

func newTranslator(b *smt.Builder, axiom func(subject, fact *smt.Term)) *translator {
	return &translator{b: b, axiom: axiom, globals: map[*ir.Global]*smt.Term{}, next: globalBase,
		funcs: map[*ir.Func]*smt.Term{}, ranged: map[string]bool{}, open: map[*smt.Term]bool{}, wrapped: map[*smt.Term]*smt.Term{}, wrapType: map[*smt.Term]ir.Type{}}
}

func sortOf(t ir.Type) smt.Sort {
	if _, ok := t.(ir.Bool); ok {
		return smt.Bool
	}
	return smt.Int
}

// limits returns the least and greatest value of an integer or pointer type.
func limits(t ir.Type) (lo, hi *big.Int, ok bool) {
	switch t := t.(type) {
	case ir.Int:
		n := uint(t.Bits)
		if t.Signed {
			n--
		}
		hi = new(big.Int).Lsh(big.NewInt(1), n)
		lo = big.NewInt(0)
		if t.Signed {
			lo = new(big.Int).Neg(hi)
		}
		return lo, hi.Sub(hi, big.NewInt(1)), true
	case ir.Ptr:
		return limits(ir.U64)
	}
	return nil, nil, false
}

// fresh is an arbitrary value of type t.
func (x *translator) fresh(name string, t ir.Type) *smt.Term {
	v := x.b.Fresh(name, sortOf(t))
	x.open[v] = true
	x.bound(v, t)
	return v
}

func (x *translator) bound(v *smt.Term, t ir.Type) {
	if lo, hi, ok := limits(t); ok {
		x.axiom(v, x.b.And(x.b.Le(x.b.Big(lo), v), x.b.Le(v, x.b.Big(hi))))
	}
}

// memo is an arbitrary value of type t that depends on args alone: the same operation on
// the same operands is the same value.
func (x *translator) memo(op string, t ir.Type, args ...*smt.Term) *smt.Term {
	ints := make([]*smt.Term, len(args))
	for i, a := range args {
		ints[i] = x.toInt(a)
	}
	app := x.b.App(op+":"+typeKey(t), ints...)
	if !strings.HasPrefix(op, "mem") {
		// Only reads of memory need congruence up to equality of the operands. For the
		// rest a constant for each application, the same for the same operands by name,
		// spares the solver a theory.
		app = x.b.Var(fmt.Sprintf("%s!app%d", op, app.ID()), smt.Int)
	}
	x.open[app] = true
	if sortOf(t) == smt.Bool {
		return x.b.Not(x.b.Eq(app, x.b.Num(0)))
	}
	key := fmt.Sprint(app.ID())
	if !x.ranged[key] {
		x.ranged[key] = true
		x.bound(app, t)
	}
	return app
}

func typeKey(t ir.Type) string {
	switch t := t.(type) {
	case ir.Int, ir.Bool:
		return t.String()
	}
	return "ptr"
}

func (x *translator) toInt(t *smt.Term) *smt.Term {
	if t.Sort == smt.Bool {
		return x.b.Ite(t, x.b.Num(1), x.b.Num(0))
	}
	return t
}

func (x *translator) toBool(t *smt.Term) *smt.Term {
	if t.Sort == smt.Int {
		return x.b.Not(x.b.Eq(t, x.b.Num(0)))
	}
	return t
}

// reg reads a register; one never written holds an arbitrary value.
func (x *translator) reg(st *state, r *ir.Reg) *smt.Term {
	v := st.regs[r]
	if v == nil {
		v = x.fresh(r.Name, r.Type)
		st.regs[r] = v
	}
	return v
}

// expr translates e in state st.
func (x *translator) expr(st *state, e ir.Expr) *smt.Term {
	switch e := e.(type) {
	case ir.Const:
		return x.b.Big(e.Val)
	case ir.BoolConst:
		return x.b.BoolVal(bool(e))
	case ir.Null:
		return x.b.Num(0)
	case ir.Use:
		return x.reg(st, e.Reg)
	case ir.GlobalAddr:
		return x.global(e.Global)
	case ir.FuncAddr:
		return x.function(e.Func)
	case ir.FieldAddr:
		return x.b.Add(x.toInt(x.expr(st, e.Base)), x.b.Num(e.S.Fields[e.Index].Offset))
	case ir.IndexAddr:
		return x.b.Add(x.toInt(x.expr(st, e.Base)), x.b.Mul(big.NewInt(e.Stride), x.toInt(x.expr(st, e.Idx))))
	case ir.Unary:
		return x.unary(e, x.expr(st, e.X))
	case ir.Binary:
		return x.binary(e, x.expr(st, e.X), x.expr(st, e.Y))
	case ir.Cast:
		return x.cast(x.expr(st, e.X), e.X.Type(), e.T)
	case ir.Select:
		return x.b.Ite(x.toBool(x.expr(st, e.C)), x.expr(st, e.X), x.expr(st, e.Y))
	case ir.OpaqueConst:
		return x.memo("opaque:"+e.Text, e.T)
	}
	panic(fmt.Sprintf("vcgen: unknown expression %T", e))
}

// global places each global at an address of its own, with room around it.
func (x *translator) global(g *ir.Global) *smt.Term {
	if t := x.globals[g]; t != nil {
		return t
	}
	if x.layouts {
		x.globals[g] = x.place("&"+g.Name, g.Type.Size())
		return x.globals[g]
	}
	t := x.b.Num(x.next)
	x.next += (g.Type.Size()/4096 + 2) * 4096
	x.globals[g] = t
	return t
}

func (x *translator) function(f *ir.Func) *smt.Term {
	if t := x.funcs[f]; t != nil {
		return t
	}
	if x.layouts {
		x.funcs[f] = x.place("&"+f.Name+"()", 1)
		return x.funcs[f]
	}
	t := x.b.Num(funcBase + 16*int64(len(x.funcs)))
	x.funcs[f] = t
	return t
}

// place is the address of something that lies anywhere, beside what has a place already.
func (x *translator) place(name string, size int64) *smt.Term {
	t := x.b.Var(name, smt.Int)
	p := placed{t, max(size, 1)}
	x.axiom(t, x.b.And(x.b.Le(x.b.Num(funcBase), t), x.b.Le(p.end(x.b), x.b.Num(topAddress))))
	for _, o := range slices.Concat(x.anywhere, x.objects) {
		x.axiom(t, x.b.Or(x.b.Le(p.end(x.b), o.at), x.b.Le(o.end(x.b), t)))
	}
	x.anywhere = append(x.anywhere, p)
	return t
}

func (p placed) end(b *smt.Builder) *smt.Term { return b.Add(p.at, b.Num(p.size)) }

// made is what is known of the address of an object that is made: it lies above the
// globals, or, where layouts matter, beside those that occur.
func (x *translator) made(a *smt.Term) *smt.Term {
	if !x.layouts {
		return x.b.Le(x.b.Num(heapBase), a)
	}
	x.objects = append(x.objects, placed{a, 1})
	fact := x.b.And(x.b.Le(x.b.Num(funcBase), a), x.b.Le(a, x.b.Num(topAddress)))
	for _, o := range x.anywhere {
		fact = x.b.And(fact, x.b.Or(x.b.Lt(a, o.at), x.b.Le(o.end(x.b), a)))
	}
	return fact
}

// inType restricts a value to t's range: as it is when within, otherwise an arbitrary one
// that depends on it.
func (x *translator) inType(v *smt.Term, t ir.Type) *smt.Term {
	lo, hi, ok := limits(t)
	if !ok || v.Sort == smt.Bool {
		return v
	}
	if v.Op == smt.OpNum {
		if it, isInt := t.(ir.Int); isInt {
			return x.b.Big(ir.Wrap(it, v.Val))
		}
		return v
	}
	r := x.memo("wrap", t, v)
	x.wrapped[r], x.wrapType[r] = v, t
	x.axiom(r, x.b.Implies(x.b.And(x.b.Le(x.b.Big(lo), v), x.b.Le(v, x.b.Big(hi))), x.b.Eq(r, v)))
	return r
}

// unwrapped is a value that a constant is added to before it was restricted to the type:
// modulo 2^n it is the same, and (n+1)-1 is n.
func (x *translator) unwrapped(v, other *smt.Term, t ir.Type) *smt.Term {
	if was := x.wrapped[v]; was != nil && other.Op == smt.OpNum && ir.Equal(x.wrapType[v], t) {
		return was
	}
	return v
}

func (x *translator) unary(e ir.Unary, v *smt.Term) *smt.Term {
	switch e.Op {
	case "lnot":
		return x.b.Not(x.toBool(v))
	case "neg":
		if ir.IsInt(e.Type()) {
			return x.inType(x.b.Mul(big.NewInt(-1), x.toInt(v)), e.Type())
		}
	}
	return x.memo(e.Op, e.Type(), v)
}

func (x *translator) binary(e ir.Binary, l, r *smt.Term) *smt.Term {
	b, t := x.b, e.X.Type()
	switch e.Op {
	case "land":
		return b.And(x.toBool(l), x.toBool(r))
	case "lor":
		return b.Or(x.toBool(l), x.toBool(r))
	}
	_, opaque := t.(ir.Opaque)
	if opaque {
		return x.memo(e.Op, e.Type(), l, r)
	}
	if l.Sort != r.Sort {
		l, r = x.toInt(l), x.toInt(r)
	}
	switch e.Op {
	case "eq":
		return b.Eq(l, r)
	case "ne":
		return b.Not(b.Eq(l, r))
	}
	l, r = x.toInt(l), x.toInt(r)
	switch e.Op {
	case "lt":
		return b.Lt(l, r)
	case "le":
		return b.Le(l, r)
	case "gt":
		return b.Lt(r, l)
	case "ge":
		return b.Le(r, l)
	case "add":
		return x.inType(b.Add(x.unwrapped(l, r, t), x.unwrapped(r, l, t)), t)
	case "sub":
		return x.inType(b.Sub(x.unwrapped(l, r, t), r), t)
	case "mul":
		if l.Op == smt.OpNum {
			return x.inType(b.Mul(l.Val, r), t)
		}
		if r.Op == smt.OpNum {
			return x.inType(b.Mul(r.Val, l), t)
		}
	case "and":
		return x.mask(t, l, r)
	}
	return x.memo(e.Op, t, l, r)
}

// mask is bitwise and: arbitrary, but within 0..m for a constant mask m ≥ 0.
func (x *translator) mask(t ir.Type, l, r *smt.Term) *smt.Term {
	v := x.memo("and", t, l, r)
	for _, m := range []*smt.Term{l, r} {
		if m.Op == smt.OpNum && m.Val.Sign() >= 0 {
			x.axiom(v, x.b.And(x.b.Le(x.b.Num(0), v), x.b.Le(v, m)))
		}
	}
	return v
}

// cast converts v from type s to type t; see ir.Cast.
func (x *translator) cast(v *smt.Term, s, t ir.Type) *smt.Term {
	if _, ok := t.(ir.Bool); ok {
		if _, op := s.(ir.Opaque); op {
			return x.memo("cast", t, v)
		}
		return x.toBool(v)
	}
	v = x.toInt(v)
	_, so := s.(ir.Opaque)
	_, to := t.(ir.Opaque)
	if so || to {
		return x.memo("cast", t, v)
	}
	slo, shi, sok := limits(s)
	tlo, thi, tok := limits(t)
	if _, isBool := s.(ir.Bool); isBool || !tok || (sok && slo.Cmp(tlo) >= 0 && shi.Cmp(thi) <= 0) {
		return v
	}
	if ir.IsPtr(s) && ir.IsPtr(t) {
		return v
	}
	return x.wrapCast(v, s, t)
}

// wrapCast is exact between signed and unsigned of one width.
func (x *translator) wrapCast(v *smt.Term, s, t ir.Type) *smt.Term {
	if ir.IsPtr(s) || ir.IsPtr(t) {
		// addresses fit in 63 bits; negative integers become arbitrary addresses
		return x.inType(v, t)
	}
	si, ti := s.(ir.Int), t.(ir.Int)
	if si.Bits != ti.Bits || v.Op == smt.OpNum {
		return x.inType(v, t)
	}
	m := new(big.Int).Lsh(big.NewInt(1), uint(si.Bits))
	if ti.Signed {
		_, hi, _ := limits(t)
		return x.b.Ite(x.b.Le(v, x.b.Big(hi)), v, x.b.Add(v, x.b.Big(new(big.Int).Neg(m))))
	}
	return x.b.Ite(x.b.Le(x.b.Num(0), v), v, x.b.Add(v, x.b.Big(m)))
}
