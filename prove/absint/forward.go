package absint

import "whoop/ir"

// What a thread has written, or read, is what it reads again in the same block, where
// neither access races and nothing that synchronises is between the two: another thread's
// write in between would race with one of them. For a proof of race-freedom by locks that
// is plain: the lock that the writer would need is held all the time.

// remembered is what memory holds at an address.
type remembered struct{ addr, val ir.Expr }

// forward replaces loads by what is known to be there, and returns how many. safe says of
// accesses that they do not race.
func (fl *flat) forward(safe func(ir.Instr) bool) int {
	n := 0
	unraced := func(in ir.Instr) bool { o := fl.orig[in]; return o != nil && safe(o) }
	for _, f := range fl.prog.Funcs {
		for _, b := range f.Blocks {
			var known []remembered
			for i, in := range b.Instrs {
				switch x := in.(type) {
				case *ir.Load:
					if x.Order != ir.Plain || !unraced(in) {
						known = nil
						break
					}
					if v := recall(known, x); v != nil {
						b.Instrs[i] = &ir.Assign{Base: x.Base, Dst: x.Dst, X: v}
						n++
					}
					known = without(known, x.Dst)
					if !ir.UsesReg(x.Addr, x.Dst) {
						known = append(known, remembered{x.Addr, ir.Use{Reg: x.Dst}})
					}
				case *ir.Store:
					known = nil // it may be the same memory by another address
					if x.Order == ir.Plain && unraced(in) && simple(x.Val) {
						known = []remembered{{x.Addr, x.Val}}
					}
				case *ir.Assign:
					known = without(known, x.Dst)
				case *ir.Havoc:
					known = without(known, x.Dst)
				case *ir.Assume, *ir.Assert:
				default:
					known = nil
				}
			}
		}
	}
	return n
}

// recall is what a load finds; nil: that is not known.
func recall(known []remembered, x *ir.Load) ir.Expr {
	for _, k := range known {
		if ir.Equal(k.val.Type(), x.Dst.Type) && alike(k.addr, x.Addr, nil) {
			return k.val
		}
	}
	return nil
}

// without is what is known where a register gets another value.
func without(known []remembered, r *ir.Reg) []remembered {
	var out []remembered
	for _, k := range known {
		if !ir.UsesReg(k.addr, r) && !ir.UsesReg(k.val, r) {
			out = append(out, k)
		}
	}
	return out
}

// simple expressions can be evaluated twice without doing arithmetic twice.
func simple(e ir.Expr) bool {
	switch e.(type) {
	case ir.Use, ir.Const, ir.BoolConst, ir.Null:
		return true
	}
	return false
}

// maxAlike bounds how deep expressions are compared.
const maxAlike = 12

// alike reports whether two expressions have the same value: they are the same, where
// registers stand for what they were assigned (defs).
func alike(x, y ir.Expr, defs map[*ir.Reg]*ir.Assign) bool { return alikeTo(x, y, defs, maxAlike) }

func alikeTo(x, y ir.Expr, defs map[*ir.Reg]*ir.Assign, depth int) bool {
	if depth == 0 {
		return false
	}
	x, y = assigned(x, defs), assigned(y, defs)
	both := func(a, b ir.Expr) bool { return alikeTo(a, b, defs, depth-1) }
	if a, ok := x.(ir.Cast); ok {
		b, ok := y.(ir.Cast)
		return ok && ir.Equal(a.T, b.T) && ir.Equal(a.X.Type(), b.X.Type()) && numeric(a) && both(a.X, b.X)
	}
	return ir.SameNode(x, y, both)
}

// numeric reports whether a cast has one result for each value: casts to and from opaque
// types are arbitrary.
func numeric(c ir.Cast) bool {
	for _, t := range []ir.Type{c.T, c.X.Type()} {
		switch t.(type) {
		case ir.Int, ir.Bool, ir.Ptr:
		default:
			return false
		}
	}
	return true
}

// assigned is what a register was assigned, through others.
func assigned(e ir.Expr, defs map[*ir.Reg]*ir.Assign) ir.Expr {
	for range maxAlike {
		u, ok := e.(ir.Use)
		if !ok || defs[u.Reg] == nil {
			break
		}
		e = defs[u.Reg].X
	}
	return e
}
