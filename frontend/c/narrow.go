package c

import "whoop/ir"

// narrowStores makes what a 32-bit program stores pointers of 4 bytes: those computed
// from addresses of variables, and those that models add, are not.
func narrowStores(p *ir.Program) {
	p.NarrowPointers = true
	narrow := func(e ir.Expr) ir.Expr {
		if t, ok := typeOf(e).(ir.Ptr); ok && !t.Narrow {
			return ir.Cast{X: e, T: ir.Ptr{Elem: t.Elem, Narrow: true}}
		}
		return e
	}
	reg := func(r *ir.Reg) {
		if r == nil {
			return
		}
		if t, ok := r.Type.(ir.Ptr); ok {
			r.Type = ir.Ptr{Elem: t.Elem, Narrow: true}
		}
	}
	for _, g := range p.Globals {
		for i, c := range g.Init {
			if t, ok := c.Type.(ir.Ptr); ok {
				g.Init[i].Type, g.Init[i].Value = ir.Ptr{Elem: t.Elem, Narrow: true}, narrow(c.Value)
			}
		}
	}
	for _, in := range p.Instrs() {
		switch in := in.(type) {
		case *ir.Load:
			reg(in.Dst)
		case *ir.Store:
			in.Val = narrow(in.Val)
		case *ir.RMW:
			in.Val = narrow(in.Val)
			reg(in.Dst)
		case *ir.CmpXchg:
			in.Expected, in.New = narrow(in.Expected), narrow(in.New)
			reg(in.Dst)
		}
	}
}

// typeOf is the type of an expression, nil where there is none.
func typeOf(e ir.Expr) ir.Type {
	if e == nil {
		return nil
	}
	return e.Type()
}
