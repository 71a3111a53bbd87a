package vcgen

import (
	"whoop/ir"
	"whoop/smt"
)

// What a candidate claims false of is refuted without the solver where one path leads
// that no condition blocks (state.free). Which conditions block is guessed: to take too
// few for blocking refutes too much, and loses precision, nothing else.

// tests are the arbitrary values that the conditions of the path have looked at, the last
// one first.
type tests struct {
	v *smt.Term
	// fixed: more is known than that it differs from some numbers.
	fixed bool
	next  *tests
}

func (t *tests) find(v *smt.Term) *tests {
	for ; t != nil; t = t.next {
		if t.v == v {
			return t
		}
	}
	return nil
}

// branch returns what the path is like (the maps are those of st) where a condition, with
// the term c, is true, and where it is false.
func (g *gen) branch(st *state, e ir.Expr, c *smt.Term) (then, els *state) {
	a, b := *st, *st
	then, els = &a, &b
	if !st.free || c == g.b.True || c == g.b.False {
		return then, els
	}
	if vs, number := g.tested(st, c); vs != nil {
		for _, v := range vs {
			then.tests = &tests{v, true, then.tests}
			els.tests = &tests{v, true, els.tests}
		}
		if number {
			unequal := els
			if c.Op == smt.OpNot {
				unequal = then
			}
			unequal.tests.fixed = false
		}
		return then, els
	}
	noThen, noElse := decides(e)
	then.free, els.free = !noThen, !noElse
	return then, els
}

// tested lists the variables of a condition where all of them are arbitrary and no
// condition has looked at one before; number: the condition compares one, of which only
// unequal numbers are known, with a number.
func (g *gen) tested(st *state, c *smt.Term) (vs []*smt.Term, number bool) {
	if c.Op == smt.OpNot {
		c = c.Args[0]
	}
	if c.Op == smt.OpEq {
		x, y := c.Args[0], c.Args[1]
		if x.Op == smt.OpNum {
			x, y = y, x
		}
		if t := st.tests.find(x); y.Op == smt.OpNum && g.tr.open[x] && (t == nil || !t.fixed) {
			return []*smt.Term{x}, true
		}
	}
	seen := map[*smt.Term]bool{}
	work := []*smt.Term{c}
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		leaf := t.Op == smt.OpVar || t.Op == smt.OpApp
		switch {
		case seen[t] || t.Op == smt.OpNum:
		case len(seen) > 60 || leaf && (!g.tr.open[t] || st.tests.find(t) != nil):
			return nil, false
		case leaf:
			vs = append(vs, t)
		default:
			work = append(work, t.Args...)
		}
		seen[t] = true
	}
	return vs, false
}

// decides reports whether the truth (or falsity) of a condition may keep executions from
// a place for good. Comparisons of numbers, unknown truth values, and that a pointer is
// not null are taken not to.
func decides(e ir.Expr) (then, els bool) {
	switch x := e.(type) {
	case ir.Unary:
		if x.Op == "lnot" {
			then, els = decides(x.X)
			return els, then
		}
	case ir.Cast:
		if _, use := x.X.(ir.Use); use {
			return false, false
		}
	case ir.Binary:
		switch x.Op {
		case "lt", "le", "gt", "ge":
			return false, false
		case "eq", "ne":
			if _, null := x.Y.(ir.Null); null {
				return x.Op == "eq", x.Op == "ne"
			}
		}
	}
	return true, true
}
