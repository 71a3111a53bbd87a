package c

import (
	"slices"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// weakExchange reports whether a compare_exchange, whose arguments are given, may fail
// though the values are equal: its fourth argument is not 0.
func weakExchange(as []cc.ExpressionNode) bool {
	if len(as) < 4 {
		return false
	}
	n, ok := intValue(as[3])
	return !ok || n.Sign() != 0
}

// compares notes that an exchange compares with what is at addr, and stores there what it
// found.
func (l *lowerer) compares(addr ir.Expr) {
	u, ok := addr.(ir.Use)
	if !ok || l.ends.owner[u.Reg] != l.f {
		return
	}
	if l.compared == nil {
		l.compared = map[*ir.Reg]bool{}
	}
	l.compared[u.Reg] = true
}

// promote puts variables that exchanges compare with in registers, where their addresses
// serve for nothing else. An iteration of a loop in which the exchange fails is seen to
// change nothing then, also where the variable is set anew in each.
func (l *lowerer) promote() {
	if len(l.compared) == 0 {
		return
	}
	cells := l.promotable()
	regs := map[*ir.Reg]*ir.Reg{}
	for _, r := range slices.Clone(l.f.Regs) {
		if a := cells[r]; a != nil {
			regs[r] = l.reg(a.Name, a.Elem)
			l.ends.of[regs[r]], l.ends.owner[regs[r]] = l.ends.of[r], l.f
		}
	}
	for _, b := range l.f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool {
			switch i := in.(type) {
			case *ir.Alloc:
				return regs[i.Dst] != nil
			case *ir.Free:
				return regs[addressed(i.Addr)] != nil
			}
			return false
		})
		for k, in := range b.Instrs {
			switch i := in.(type) {
			case *ir.Load:
				if r := regs[addressed(i.Addr)]; r != nil {
					b.Instrs[k] = &ir.Assign{Base: i.Base, Dst: i.Dst, X: ir.Use{Reg: r}}
				}
			case *ir.Store:
				if r := regs[addressed(i.Addr)]; r != nil {
					b.Instrs[k] = &ir.Assign{Base: i.Base, Dst: r, X: i.Val}
				}
			}
		}
	}
	for r := range regs {
		delete(l.ends.of, r)
		delete(l.ends.owner, r)
	}
	l.f.Regs = slices.DeleteFunc(l.f.Regs, func(r *ir.Reg) bool { return regs[r] != nil })
}

// addressed is the register that an address is; nil where it is something else.
func addressed(addr ir.Expr) *ir.Reg {
	if u, ok := addr.(ir.Use); ok {
		return u.Reg
	}
	return nil
}

// promotable are the compared variables that are loaded and stored as what they are
// alone, by the registers of their addresses.
func (l *lowerer) promotable() map[*ir.Reg]*ir.Alloc {
	out, uses, good := map[*ir.Reg]*ir.Alloc{}, map[*ir.Reg]int{}, map[*ir.Reg]int{}
	count := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok && l.compared[u.Reg] {
				uses[u.Reg]++
			}
			return true
		})
	}
	for _, b := range l.f.Blocks {
		for _, in := range b.Instrs {
			for _, e := range ir.Operands(in) {
				count(e)
			}
			switch i := in.(type) {
			case *ir.Alloc:
				if l.compared[i.Dst] {
					out[i.Dst] = i
				}
			case *ir.Free:
				good[addressed(i.Addr)]++
			case *ir.Load:
				if r := addressed(i.Addr); l.holds(r, i.Dst.Type, i.Order) {
					good[r]++
				}
			case *ir.Store:
				if r := addressed(i.Addr); l.holds(r, i.Val.Type(), i.Order) {
					good[r]++
				}
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			count(e)
		}
	}
	for r := range out {
		if uses[r] != good[r] {
			delete(out, r)
		}
	}
	return out
}

// holds reports whether an access of type t is one of the whole variable at r, which
// nothing asks to be in memory.
func (l *lowerer) holds(r *ir.Reg, t ir.Type, o ir.Order) bool {
	if r == nil || o != ir.Plain {
		return false
	}
	pt, ok := r.Type.(ir.Ptr)
	return ok && ir.Equal(pt.Elem, t)
}
