package absint

import (
	"math/big"

	"whoop/ir"
)

// An evaluator computes expressions in a state.
type evaluator struct {
	s     *state
	cells []*cell
}

// eval is what an expression may be.
func (e evaluator) eval(x ir.Expr) Value {
	switch x := x.(type) {
	case ir.Const:
		if x.Val.IsInt64() {
			return listed(x.Val.Int64())
		}
		return between(clip(x.Val), clip(x.Val))
	case ir.BoolConst:
		if x {
			return truth
		}
		return falsity
	case ir.Null:
		return listed(0)
	case ir.Use:
		return e.s.get(x.Reg)
	case ir.GlobalAddr, ir.FuncAddr:
		return nonNull
	case ir.FieldAddr:
		if b := e.eval(x.Base); !b.has(0) {
			return nonNull // memory safety: it stays within an object
		}
		return full(ir.VPtr)
	case ir.IndexAddr:
		e.eval(x.Base)
		e.eval(x.Idx)
		return full(ir.VPtr)
	case ir.Unary:
		return e.unary(x)
	case ir.Binary:
		return e.binary(x)
	case ir.Cast:
		return cast(e.eval(x.X), x.X.Type(), x.T)
	case ir.Select:
		return e.under(x.C, true, x.X).join(e.under(x.C, false, x.Y))
	}
	return full(x.Type())
}

// under is what x may be where c is as wanted.
func (e evaluator) under(c ir.Expr, want bool, x ir.Expr) Value {
	if v := e.eval(c); want && !v.has(1) || !want && !v.has(0) {
		return nothing
	}
	switch x.(type) {
	case ir.Const, ir.BoolConst, ir.Null:
		return e.eval(x)
	}
	t := e
	t.s = e.s.clone()
	if !t.assume(c, want, func(int) bool { return false }) {
		return nothing
	}
	return t.eval(x)
}

func (e evaluator) unary(x ir.Unary) Value {
	v := e.eval(x.X)
	if x.Op == "lnot" {
		return negated(v)
	}
	t, ok := x.X.Type().(ir.Int)
	if !ok {
		return full(x.Type())
	}
	if x.Op == "not" {
		r, _ := binary("xor", t, v, listed(-1).as(ir.I64, t))
		if t.Signed {
			r, _ = binary("sub", t, listed(-1), v)
		}
		return r
	}
	r, _ := binary("sub", t, listed(0), v)
	return r
}

func (e evaluator) binary(x ir.Binary) Value {
	a, b := e.eval(x.X), e.eval(x.Y)
	switch x.Op {
	case "eq", "ne", "lt", "le", "gt", "ge":
		if _, ok := intType(x.X.Type()); !ok {
			return boolean
		}
		if x.Op != "ne" && x.Op != "eq" && ir.IsPtr(x.X.Type()) {
			return boolean
		}
		if alike(x.X, x.Y, e.s.defs) && !a.empty() {
			if x.Op == "eq" || x.Op == "le" || x.Op == "ge" {
				return truth
			}
			return falsity
		}
		return compare(x.Op, a, b)
	case "land":
		switch {
		case a.equal(falsity) || b.equal(falsity):
			return falsity
		case a.equal(truth) && b.equal(truth):
			return truth
		}
		return boolean
	case "lor":
		switch {
		case a.equal(truth) || b.equal(truth):
			return truth
		case a.equal(falsity) && b.equal(falsity):
			return falsity
		}
		return boolean
	}
	t, ok := x.Type().(ir.Int)
	if !ok {
		return full(x.Type())
	}
	v, _ := binary(x.Op, t, a, b)
	if alike(x.X, x.Y, e.s.defs) && (x.Op == "sub" || x.Op == "xor") {
		return listed(0)
	}
	return v
}

// cast converts a value.
func cast(v Value, from, to ir.Type) Value {
	if v.empty() {
		return v
	}
	f, ok1 := intType(from)
	t, ok2 := intType(to)
	if !ok1 || !ok2 {
		return full(to)
	}
	if _, ok := to.(ir.Bool); ok {
		return compare("ne", v, listed(0))
	}
	return v.as(f, t)
}

// assume keeps the part of the state in which a condition is true (or false); it reports
// whether there may be one. The state is changed. stable says of cells that they do not
// change while the thread does nothing.
func (e evaluator) assume(c ir.Expr, want bool, stable func(int) bool) bool {
	switch c := c.(type) {
	case ir.BoolConst:
		return bool(c) == want
	case ir.Unary:
		if c.Op == "lnot" {
			return e.assume(c.X, !want, stable)
		}
	case ir.Cast:
		if _, ok := c.X.Type().(ir.Bool); ok {
			return e.assume(c.X, want, stable)
		}
		if _, ok := intType(c.X.Type()); ok {
			v := e.eval(c.X)
			if want {
				return e.narrow(c.X, v.without(0), stable)
			}
			return e.narrow(c.X, v.meet(listed(0)), stable)
		}
	case ir.Use:
		v := falsity
		if want {
			v = truth
		}
		return e.narrow(c, v, stable)
	case ir.Binary:
		switch {
		case c.Op == "land" && want || c.Op == "lor" && !want:
			return e.assume(c.X, want, stable) && e.assume(c.Y, want, stable)
		case c.Op == "land" || c.Op == "lor": // one of them is as wanted
			u := falsity
			if c.Op == "land" {
				u = truth
			}
			if e.eval(c.X).equal(u) {
				return e.assume(c.Y, want, stable)
			}
			if e.eval(c.Y).equal(u) {
				return e.assume(c.X, want, stable)
			}
		default:
			return e.compared(c, want, stable)
		}
	}
	v := e.eval(c)
	if want {
		return v.has(1)
	}
	return v.has(0)
}

var opposite = map[string]string{"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}

// compared is assume of a comparison.
func (e evaluator) compared(c ir.Binary, want bool, stable func(int) bool) bool {
	op := c.Op
	if !want {
		op = opposite[op]
	}
	x, y := e.eval(c.X), e.eval(c.Y)
	if _, ok := intType(c.X.Type()); !ok {
		return true
	}
	if alike(c.X, c.Y, e.s.defs) {
		return op == "eq" || op == "le" || op == "ge"
	}
	if ir.IsPtr(c.X.Type()) && op != "eq" && op != "ne" {
		return true
	}
	if compare(op, x, y).equal(falsity) || x.empty() || y.empty() {
		return false
	}
	nx, ny := x, y
	switch op {
	case "eq":
		nx = x.meet(y)
		ny = nx
	case "ne":
		if v, ok := y.single(); ok {
			nx = x.without(v)
		}
		if v, ok := x.single(); ok {
			ny = y.without(v)
		}
	case "lt", "le":
		nx, ny = below(x, y, op == "lt"), above(y, x, op == "lt")
	case "gt", "ge":
		nx, ny = above(x, y, op == "gt"), below(y, x, op == "gt")
	}
	return e.narrow(c.X, nx, stable) && e.narrow(c.Y, ny, stable)
}

// narrow is assume that an expression's value is in v.
func (e evaluator) narrow(x ir.Expr, v Value, stable func(int) bool) bool {
	if v.empty() {
		return false
	}
	switch x := x.(type) {
	case ir.Use:
		return e.narrowReg(x.Reg, v, stable)
	case ir.Cast:
		f, ok1 := intType(x.X.Type())
		t, ok2 := intType(x.T)
		if !ok1 || !ok2 {
			return true
		}
		if _, ok := x.T.(ir.Bool); ok {
			if b, ok := v.single(); ok {
				return e.assume(x, b == 1, stable)
			}
			return true
		}
		old := e.eval(x.X)
		if _, fits := wrapped(t, first(old.bounds(f)), second(old.bounds(f))); !fits {
			return true
		}
		if _, ok := x.X.Type().(ir.Bool); ok {
			switch {
			case !v.has(0):
				return e.assume(x.X, true, stable)
			case !v.has(1):
				return e.assume(x.X, false, stable)
			}
			return true
		}
		return e.narrow(x.X, old.meet(v), stable)
	case ir.Binary:
		return e.narrowBinary(x, v, stable)
	case ir.Select:
		switch a, b := e.under(x.C, true, x.X), e.under(x.C, false, x.Y); {
		case a.meet(v).empty():
			return e.assume(x.C, false, stable) && e.narrow(x.Y, b.meet(v), stable)
		case b.meet(v).empty():
			return e.assume(x.C, true, stable) && e.narrow(x.X, a.meet(v), stable)
		}
	case ir.Unary:
		if b, ok := v.single(); ok && x.Op == "lnot" {
			return e.assume(x, b == 1, stable)
		}
	}
	return !e.eval(x).meet(v).empty()
}

func first(a, _ *big.Int) *big.Int { return a }

// narrowBinary goes back through the sum with, or the difference from, a constant where
// that does not wrap, and through conditions.
func (e evaluator) narrowBinary(x ir.Binary, v Value, stable func(int) bool) bool {
	if _, ok := x.Type().(ir.Bool); ok {
		if b, ok := v.single(); ok {
			return e.assume(x, b == 1, stable)
		}
		return true
	}
	t, ok := x.Type().(ir.Int)
	c, isConst := x.Y.(ir.Const)
	if ok && isConst && (x.Op == "add" || x.Op == "sub") && c.Val.IsInt64() {
		old := e.eval(x.X)
		if _, exact := binary(x.Op, t, old, e.eval(x.Y)); exact {
			w, _ := binary(map[string]string{"add": "sub", "sub": "add"}[x.Op], t, v, e.eval(x.Y))
			return e.narrow(x.X, old.meet(w), stable)
		}
	}
	return !e.eval(x).meet(v).empty()
}

// narrowReg is narrow of a register, and of what its value comes from.
func (e evaluator) narrowReg(r *ir.Reg, v Value, stable func(int) bool) bool {
	old := e.s.get(r)
	v = old.meet(v)
	if v.empty() {
		return false
	}
	if v.equal(old) {
		return true
	}
	e.s.regs[r] = v
	if cell, ok := e.s.links[r]; ok && stable(cell) {
		if t, ok := intType(r.Type); ok {
			if m, known := e.s.mem[cell]; known {
				m = m.meet(v.as(t, e.cells[cell].typ))
				if m.empty() {
					return false
				}
				e.s.mem[cell] = m
			}
		}
	}
	if d := e.s.defs[r]; d != nil {
		return e.narrow(d.X, v, stable)
	}
	return true
}
