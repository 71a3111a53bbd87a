package absint

import (
	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// eval is an expression as a term; what is not known of it is a new variable. It is nil
// for types that are not followed.
func (x *path) eval(e ir.Expr) *bv.Term {
	v := irterm.Evaluator{B: x.iv.b, Reg: x.reg, Address: x.iv.address, Any: func(w int) *bv.Term { return x.iv.b.Fresh("any", w) }}
	return v.Eval(e)
}

// address is the address of a global or a function: not null.
func (iv *invariants) address(name string) *bv.Term {
	v := iv.b.Var(name, 64)
	if !iv.known[v] {
		iv.known[v] = true
		iv.axioms = append(iv.axioms, iv.b.Not(iv.b.Eq(v, iv.b.Num(64, 0))))
	}
	return v
}
