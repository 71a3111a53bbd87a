package ir

import "iter"

// Instrs are all instructions of a function, block by block.
func (f *Func) Instrs() iter.Seq[Instr] {
	return func(yield func(Instr) bool) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// Instrs are all instructions of a program with their functions.
func (p *Program) Instrs() iter.Seq2[*Func, Instr] {
	return func(yield func(*Func, Instr) bool) {
		for _, f := range p.Funcs {
			for in := range f.Instrs() {
				if !yield(f, in) {
					return
				}
			}
		}
	}
}

// Exprs are the operands of all instructions and terminators of a function.
func (f *Func) Exprs() iter.Seq[Expr] {
	return func(yield func(Expr) bool) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, e := range Operands(in) {
					if !yield(e) {
						return
					}
				}
			}
			for _, e := range TermOperands(b.Term) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// RegsOf lists the registers that an expression reads, each as often as it does.
func RegsOf(e Expr) []*Reg {
	var out []*Reg
	WalkExpr(e, func(e Expr) bool {
		if u, ok := e.(Use); ok {
			out = append(out, u.Reg)
		}
		return true
	})
	return out
}

// CellType is the type of what an instruction reads or writes in one cell; nil where it
// does not access just one.
func CellType(in Instr) Type {
	switch in := in.(type) {
	case *Load:
		return in.Dst.Type
	case *Store:
		return in.Val.Type()
	case *RMW:
		return in.Val.Type()
	case *CmpXchg:
		return in.New.Type()
	}
	return nil
}

// SameNode reports whether two expressions have the same outermost operator, and operands
// of which same holds. Types of results do not count.
func SameNode(a, b Expr, same func(a, b Expr) bool) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case FieldAddr:
		y, ok := b.(FieldAddr)
		return ok && x.S == y.S && x.Index == y.Index && same(x.Base, y.Base)
	case IndexAddr:
		y, ok := b.(IndexAddr)
		return ok && x.Stride == y.Stride && same(x.Base, y.Base) && same(x.Idx, y.Idx)
	case Unary:
		y, ok := b.(Unary)
		return ok && x.Op == y.Op && same(x.X, y.X)
	case Binary:
		y, ok := b.(Binary)
		return ok && x.Op == y.Op && same(x.X, y.X) && same(x.Y, y.Y)
	case Cast:
		y, ok := b.(Cast)
		return ok && same(x.X, y.X)
	case Select:
		y, ok := b.(Select)
		return ok && same(x.C, y.C) && same(x.X, y.X) && same(x.Y, y.Y)
	case Const:
		y, ok := b.(Const)
		return ok && x.T == y.T && x.Val.Cmp(y.Val) == 0
	case Null:
		_, ok := b.(Null)
		return ok
	case Use, GlobalAddr, FuncAddr, BoolConst:
		return a == b
	}
	return false
}
