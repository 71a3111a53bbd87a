package alias

import "whoop/ir"

// sameAs returns the number of the parameter that f returns, whatever it does besides; -1
// where it may return anything else. Its callers get what they passed, and not what
// others did.
func sameAs(f *ir.Func) int {
	found := -1
	for _, b := range f.Blocks {
		t, ok := b.Term.(*ir.Return)
		if !ok {
			continue
		}
		i := paramOf(f, t.Val)
		if i < 0 || found >= 0 && found != i {
			return -1
		}
		found = i
	}
	return found
}

// paramOf returns which parameter's value an expression always has, or -1.
func paramOf(f *ir.Func, e ir.Expr) int {
	u, ok := stripCasts(e).(ir.Use)
	if !ok {
		return -1
	}
	for i, p := range f.Params {
		if p == u.Reg && !assigned(f, p) {
			return i
		}
	}
	return -1
}

func stripCasts(e ir.Expr) ir.Expr {
	for {
		c, ok := e.(ir.Cast)
		if !ok || !carries(c.T) {
			return e
		}
		e = c.X
	}
}

func assigned(f *ir.Func, r *ir.Reg) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, d := range ir.Defs(in) {
				if d == r {
					return true
				}
			}
		}
	}
	return false
}
