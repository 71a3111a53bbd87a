package explicit

import (
	"math"

	"whoop/ir"
)

func (x *exec) set(r *ir.Reg, v val) {
	f := x.top()
	f.regs[f.fn.regs[r]] = v
}

// arbitrary is any value of a type.
func (x *exec) arbitrary(t ir.Type) val {
	switch t := t.(type) {
	case ir.Bool:
		return x.symbol(span{lo: 0, hi: 1})
	case ir.Int:
		if r, ok := limits(t); ok {
			return x.symbol(r)
		}
	}
	return val{}
}

func (x *exec) symbol(r span) val {
	x.spans = append(x.spans, r)
	return val{kind: symbol, o: int32(len(x.spans) - 1)}
}

// span is what a number may be; ok is false for what is none.
func (x *exec) span(v val) (span, bool) {
	switch v.kind {
	case number:
		return one(v.n), true
	case symbol:
		return x.spans[v.o].shifted(v.n)
	}
	return span{}, false
}

// fixed is a value whose symbol stands for one number alone, as that.
func (x *exec) fixed(v val) val {
	if v.kind == symbol {
		if n, ok := x.spans[v.o].single(); ok {
			return num(n + v.n)
		}
	}
	return v
}

// fit is a value as one of a type, after its bits.
func (x *exec) fit(v val, t ir.Type) val {
	v = x.fixed(v)
	switch t := t.(type) {
	case ir.Int:
		r, ok := limits(t)
		switch {
		case !ok:
			return val{}
		case v.kind == number:
			return num(wrap(t, v.n))
		case v.kind == symbol:
			if s, ok := x.span(v); ok && s.within(r) && (s.hi != math.MaxInt64 || t.Bits == 64) {
				return v
			}
		case t.Bits == 64, t.Bits == 32 && x.p.prog.NarrowPointers:
			return x.known(v, t)
		}
		return x.arbitrary(t)
	case ir.Bool:
		switch v.kind {
		case number:
			return num(v.n & 1)
		case symbol:
			if s, ok := x.span(v); ok && s.within(span{lo: 0, hi: 1}) {
				return v
			}
		}
		return x.arbitrary(t)
	case ir.Ptr:
		if v.kind == number && x.p.prog.NarrowPointers {
			return num(int64(uint32(v.n)))
		}
	case ir.Opaque:
		return val{}
	}
	return v
}

// known is a value that is no number, kept in an integer.
func (x *exec) known(v val, t ir.Int) val {
	if v.kind == unknown {
		return x.arbitrary(t)
	}
	return v
}

// eval computes an expression.
func (x *exec) eval(e ir.Expr) val {
	switch e := e.(type) {
	case ir.Const:
		return number64(e)
	case ir.BoolConst:
		return boolVal(bool(e))
	case ir.Null:
		return num(0)
	case ir.Use:
		f := x.top()
		v := x.fixed(f.regs[f.fn.regs[e.Reg]])
		if v.kind == unknown {
			if i, ok := e.Reg.Type.(ir.Int); ok && i.Bits <= 64 || ir.Equal(e.Reg.Type, ir.Bool{}) {
				v = x.arbitrary(e.Reg.Type)
				x.set(e.Reg, v)
			}
		}
		return v
	case ir.GlobalAddr:
		if e.Global.ThreadLocal {
			return val{kind: pointer, o: x.ownGlobal(x.p.globs[e.Global])}
		}
		return val{kind: pointer, o: x.p.globs[e.Global]}
	case ir.FuncAddr:
		return val{kind: function, o: int32(x.p.addFn(e.Func).id)}
	case ir.FieldAddr:
		v := x.eval(e.Base)
		switch v.kind {
		case pointer, number:
			v.n += e.S.Fields[e.Index].Offset
			return v
		case inside:
			return v
		}
		return val{}
	case ir.IndexAddr:
		return x.index(e)
	case ir.Unary:
		return x.unary(e)
	case ir.Binary:
		return x.binary(e)
	case ir.Cast:
		return x.cast(e)
	case ir.Select:
		if x.truth(x.eval(e.C)) {
			return x.eval(e.X)
		}
		return x.eval(e.Y)
	}
	return val{}
}

// ownGlobal is the thread's copy of a thread-local global.
func (x *exec) ownGlobal(g int32) int32 {
	for i := 0; i < len(x.l.tls); i += 2 {
		if x.l.tls[i] == g {
			return x.l.tls[i+1]
		}
	}
	x.l.objs = append(x.l.objs, x.p.start.objs[g])
	id := -int32(len(x.l.objs))
	x.l.tls = append(x.l.tls, g, id)
	return id
}

// index is an address in an array. An index that may be several numbers is split up, if
// they are few.
func (x *exec) index(e ir.IndexAddr) val {
	b := x.eval(e.Base)
	i := x.eval(e.Idx)
	r, ok := x.span(i)
	if !ok || b.kind != pointer && b.kind != number {
		if n, single := r.single(); ok && single && n == 0 || b.kind == inside && ok && r == (span{}) {
			return b
		}
		return val{}
	}
	if !x.vague && i.kind == symbol && r.lo >= -maxSplit && r.hi <= 1<<20 && r.hi-r.lo < maxSplit {
		n := r.lo + int64(x.choose(int(r.hi-r.lo+1)))
		if !r.has(n) {
			x.drop()
		}
		x.spans[i.o] = one(n - i.n)
		i, r = num(n), one(n)
	}
	if i.kind == number {
		n, ok := times(i.n, e.Stride)
		if b.n, ok = plus(b.n, n); !ok {
			return val{}
		}
		return b
	}
	if b.kind != pointer {
		return val{}
	}
	lo, ok1 := times(r.lo, e.Stride)
	hi, ok2 := times(r.hi, e.Stride)
	if size := x.object(b.o).size; !ok1 || !ok2 || r.hi == math.MaxInt64 || e.Stride <= 0 || b.n+lo < 0 || hi > size || b.n+hi+e.Stride > size {
		return val{} // it may lie outside
	}
	return val{kind: inside, o: b.o}
}

func (x *exec) unary(e ir.Unary) val {
	v := x.eval(e.X)
	if e.Op == "lnot" {
		return boolVal(!x.truth(v))
	}
	t, ok := e.X.Type().(ir.Int)
	if !ok || v.kind != number || t.Bits > 64 {
		return x.arbitrary(e.X.Type())
	}
	if e.Op == "not" {
		return num(wrap(t, ^v.n))
	}
	return num(wrap(t, -v.n))
}

func (x *exec) binary(e ir.Binary) val {
	switch e.Op {
	case "land":
		return boolVal(x.truth(x.eval(e.X)) && x.truth(x.eval(e.Y)))
	case "lor":
		return boolVal(x.truth(x.eval(e.X)) || x.truth(x.eval(e.Y)))
	}
	a, b := x.eval(e.X), x.eval(e.Y)
	switch e.Op {
	case "eq", "ne", "lt", "le", "gt", "ge":
		return boolVal(x.compare(e.Op, e.X.Type(), a, b))
	}
	a, b = x.fixed(a), x.fixed(b)
	t, ok := e.Type().(ir.Int)
	if !ok || t.Bits > 64 {
		return val{}
	}
	if a.kind == number && b.kind == number {
		n, ok := arith(e.Op, t, a.n, b.n)
		if !ok && (e.Op == "div" || e.Op == "rem") {
			x.giveUp(x.at(), "a division without a result")
		}
		if ok {
			return num(n)
		}
		return x.arbitrary(t)
	}
	return x.approximate(e.Op, t, a, b)
}

// approximate is arithmetic on numbers that are not known.
func (x *exec) approximate(op string, t ir.Int, a, b val) val {
	all, _ := limits(t)
	if op == "add" && a.kind == number {
		a, b = b, a
	}
	ra, ok1 := x.span(a)
	rb, ok2 := x.span(b)
	if (op == "div" || op == "rem") && (!ok2 || rb.has(0) || rb.has(-1)) {
		x.giveUp(x.at(), "a division that may have no result")
	}
	if !ok1 || !ok2 {
		return x.arbitrary(t)
	}
	if n := b.n; a.kind == symbol && b.kind == number && (op == "add" || op == "sub") && n != math.MinInt64 {
		if op == "sub" {
			n = -n
		}
		if !t.Signed && t.Bits == 64 && b.n < 0 {
			return x.arbitrary(t)
		}
		if r, ok := ra.shifted(n); ok && r.within(all) {
			if a.n, ok = plus(a.n, n); ok {
				return a
			}
		}
		return x.arbitrary(t)
	}
	if a.kind == symbol && b.kind == symbol && a.o == b.o && op == "sub" {
		return num(wrap(t, a.n-b.n))
	}
	if op == "rem" && a.kind == symbol && b.kind == number && b.n > 1 && b.n <= maxModulus && ra.hi != math.MaxInt64 {
		return x.remainder(a, b.n)
	}
	if op == "rem" && rb.lo > 0 && rb.lo == rb.hi && rb.hi != math.MaxInt64 {
		r := span{lo: 0, hi: rb.hi - 1}
		if ra.lo < 0 {
			r.lo = -r.hi
		}
		return x.symbol(r)
	}
	return x.arbitrary(t)
}

// maxModulus bounds the divisors whose remainders are tried one by one.
const maxModulus = 8

// remainder is what a symbol leaves when divided by m.
func (x *exec) remainder(a val, m int64) val {
	s := x.spans[a.o]
	k, ok := s.leaves(m)
	if !ok {
		if s.m != 0 {
			r := span{lo: -m + 1, hi: m - 1}
			if now, ok := x.span(a); ok && now.lo >= 0 {
				r.lo = 0
			}
			return x.symbol(r)
		}
		k = int64(x.choose(int(m)))
		if s.m, s.r = m, k; s.tight().lo > s.tight().hi {
			x.drop()
		}
		x.spans[a.o] = s.tight()
	}
	k = residue(k+residue(a.n, m), m)
	if r, ok := x.span(a); ok && k > 0 && r.lo < 0 {
		if r.hi < 0 || x.choose(2) == 1 {
			x.narrow(a, span{lo: math.MinInt64, hi: -1})
			return num(k - m)
		}
		x.narrow(a, span{lo: 0, hi: math.MaxInt64})
	}
	return num(k)
}

func (x *exec) cast(e ir.Cast) val {
	v := x.eval(e.X)
	from, to := e.X.Type(), e.T
	if _, ok := to.(ir.Bool); ok {
		if _, ok := from.(ir.Bool); ok {
			return v
		}
		if _, ok := from.(ir.Opaque); ok {
			return x.arbitrary(to)
		}
		return boolVal(x.truth(v))
	}
	if _, ok := from.(ir.Opaque); ok {
		return x.arbitrary(to)
	}
	if _, ok := to.(ir.Ptr); ok && v.kind == symbol {
		if r, ok := x.span(v); !ok || r.lo < 0 {
			return val{}
		}
	}
	return x.fit(v, to)
}

// truth decides a condition, or whether a value is not zero.
func (x *exec) truth(v val) bool {
	v = x.fixed(v)
	switch v.kind {
	case number:
		return v.n != 0
	case symbol:
		return x.compare("ne", ir.I64, v, num(0))
	case pointer, inside, function:
		return true
	}
	return x.choose(2) == 1
}

// compare decides a comparison of values of a type. Where both answers are possible, both
// are tried, and what that tells of symbols is kept.
func (x *exec) compare(op string, typ ir.Type, a, b val) bool {
	a, b = x.fixed(a), x.fixed(b)
	t, ok := intOf(typ)
	if !ok {
		return x.choose(2) == 1
	}
	if a.kind == number && b.kind == number {
		return ordered(op, t, a.n, b.n)
	}
	if a.kind == symbol && b.kind == symbol && a.o == b.o {
		return ordered(op, ir.I64, a.n, b.n)
	}
	ra, ok1 := x.span(a)
	rb, ok2 := x.span(b)
	if !ok1 || !ok2 {
		return x.compareAddresses(op, a, b)
	}
	if !t.Signed && (ra.lo < 0 || rb.lo < 0) { // numbers beyond those of spans
		return x.choose(2) == 1
	}
	switch op {
	case "ne":
		return !x.compare("eq", typ, a, b)
	case "gt":
		return x.compare("lt", typ, b, a)
	case "ge":
		return !x.compare("lt", typ, a, b)
	case "le":
		return !x.compare("lt", typ, b, a)
	case "lt":
		switch {
		case ra.hi < rb.lo:
			return true
		case ra.lo >= rb.hi && rb.hi != math.MaxInt64:
			return false
		}
		if x.choose(2) == 1 {
			x.narrow(a, span{lo: math.MinInt64, hi: below(rb.hi)})
			x.narrow(b, span{lo: above(ra.lo), hi: math.MaxInt64})
			return true
		}
		x.narrow(a, span{lo: rb.lo, hi: math.MaxInt64})
		x.narrow(b, span{lo: math.MinInt64, hi: ra.hi})
		return false
	}
	return x.equal(a, b, ra, rb)
}

func below(n int64) int64 {
	if n == math.MaxInt64 {
		return n
	}
	return n - 1
}

func above(n int64) int64 {
	if n == math.MaxInt64 {
		return n
	}
	return n + 1
}

// equal decides whether two numbers, one of them not known, are equal.
func (x *exec) equal(a, b val, ra, rb span) bool {
	if ra.hi < rb.lo || rb.hi < ra.lo {
		return false
	}
	if a.kind == number {
		a, b, ra, rb = b, a, rb, ra
	}
	if b.kind == symbol || b.n == math.MaxInt64 {
		if x.choose(2) == 0 {
			return false
		}
		x.narrow(a, rb)
		x.narrow(b, ra)
		return true
	}
	var ways []span // less, equal, greater
	if !ra.has(b.n) && ra.m != 0 {
		return false
	}
	if ra.lo < b.n {
		ways = append(ways, span{lo: ra.lo, hi: b.n - 1})
	}
	ways = append(ways, rb)
	if ra.hi > b.n {
		ways = append(ways, span{lo: b.n + 1, hi: ra.hi})
	}
	w := ways[0]
	if len(ways) > 1 {
		w = ways[x.choose(len(ways))]
	}
	x.narrow(a, w)
	return w == rb
}

// narrow keeps of what a symbol stands for what makes the value one of the span.
func (x *exec) narrow(v val, r span) {
	if v.kind != symbol {
		return
	}
	s := x.spans[v.o]
	if r.lo != math.MinInt64 {
		if lo, ok := plus(r.lo, -v.n); ok {
			s.lo = max(s.lo, lo)
		}
	}
	if r.hi != math.MaxInt64 {
		if hi, ok := plus(r.hi, -v.n); ok {
			s.hi = min(s.hi, hi)
		}
	}
	if s = s.tight(); s.lo > s.hi {
		x.drop()
	}
	x.spans[v.o] = s
}

// compareAddresses decides a comparison in which one value is no number.
func (x *exec) compareAddresses(op string, a, b val) bool {
	eq := op == "eq"
	if op != "eq" && op != "ne" {
		if a.kind == pointer && b.kind == pointer && a.o == b.o {
			return ordered(op, ir.I64, a.n, b.n)
		}
		return x.choose(2) == 1
	}
	for _, v := range []val{a, b} {
		if (v.kind == pointer || v.kind == inside) && x.object(v.o).ended {
			x.giveUp(x.at(), "the address of something that has ended is compared")
		}
	}
	within := func(v val) bool { return v.n >= 0 && (v.n < x.object(v.o).size || v.n == 0) }
	null := func(v val) bool { return v == num(0) }
	switch {
	case a.kind == unknown, b.kind == unknown, a.kind == handle, b.kind == handle, a.kind == inside && b.kind == inside:
	case null(a) && (b.kind == inside || b.kind == function || b.kind == pointer && within(b)), null(b) && (a.kind == inside || a.kind == function || a.kind == pointer && within(a)):
		return !eq
	case a.kind == pointer && b.kind == pointer && a.o == b.o:
		return (a.n == b.n) == eq
	case a.kind == pointer && b.kind == pointer && within(a) && within(b):
		return !eq
	case a.kind == function && b.kind == function:
		return (a.o == b.o) == eq
	}
	return x.choose(2) == 1
}
