package irutil

import "whoop/ir"

// Rules say which uses of an address keep it a thread's own, besides loads and stores.
type Rules struct {
	// Handles: a new thread's handle may be stored there. Scopes: the variable may end
	// with its block.
	Handles, Scopes bool
}

// Own tells which memory of a program no other thread can know.
type Own struct {
	rules  Rules
	shared map[*ir.Global]bool
}

// OwnOf looks at all functions of a program.
func OwnOf(p *ir.Program, rules Rules) *Own {
	o := &Own{rules, map[*ir.Global]bool{}}
	for _, f := range p.Funcs {
		o.leaks(f, func(e ir.Expr) {
			if g, ok := e.(ir.GlobalAddr); ok && g.Global.ThreadLocal {
				o.shared[g.Global] = true
			}
		})
	}
	return o
}

// Shared reports whether the address of a thread-local variable is used for anything but
// to access the variable: other threads may have it.
func (o *Own) Shared(g *ir.Global) bool { return o.shared[g] }

// In looks at the registers of a function.
func (o *Own) In(f *ir.Func) *OwnIn {
	x := &OwnIn{o, map[*ir.Reg]bool{}}
	for in := range f.Instrs() {
		if a, ok := in.(*ir.Alloc); ok && a.Kind == "stack" {
			x.local[a.Dst] = true
		}
	}
	o.leaks(f, func(e ir.Expr) {
		if u, ok := e.(ir.Use); ok {
			delete(x.local, u.Reg)
		}
	})
	return x
}

// OwnIn is Own in a function.
type OwnIn struct {
	o     *Own
	local map[*ir.Reg]bool
}

// Local reports whether a register only ever holds addresses of the function's own
// variables, and is used for nothing but to access them.
func (x *OwnIn) Local(r *ir.Reg) bool { return x.local[r] }

// Address reports whether an address is of a local variable that no one else knows, or of
// a constant.
func (x *OwnIn) Address(e ir.Expr) bool {
	for {
		switch y := e.(type) {
		case ir.FieldAddr:
			e = y.Base
		case ir.IndexAddr:
			e = y.Base
		case ir.Cast:
			e = y.X
		case ir.Use:
			return x.local[y.Reg]
		case ir.GlobalAddr:
			return y.Global.ThreadLocal && !x.o.shared[y.Global] || y.Global.Const && !y.Global.Extern
		default:
			return false
		}
	}
}

// leaks calls leaf for each leaf of the function's expressions whose value is used for
// anything but as the root of an address that is accessed, and for each register that is
// set by something else than an allocation.
func (o *Own) leaks(f *ir.Func, leaf func(ir.Expr)) {
	leak := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			leaf(e)
			return true
		})
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			addrs, values := o.addresses(in)
			for _, a := range addrs {
				root(a, leak)
			}
			for _, v := range values {
				leak(v)
			}
			if _, ok := in.(*ir.Alloc); !ok {
				for _, r := range ir.Defs(in) {
					leaf(ir.Use{Reg: r})
				}
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			leak(e)
		}
	}
}

// addresses splits the operands of an instruction into the addresses that it accesses,
// and the rest.
func (o *Own) addresses(in ir.Instr) (addrs, values []ir.Expr) {
	switch i := in.(type) {
	case *ir.Load:
		return []ir.Expr{i.Addr}, nil
	case *ir.Store:
		return []ir.Expr{i.Addr}, []ir.Expr{i.Val}
	case *ir.MemCopy:
		return []ir.Expr{i.Dst, i.Src}, []ir.Expr{i.Size}
	case *ir.MemSet:
		return []ir.Expr{i.Dst}, []ir.Expr{i.Val, i.Size}
	case *ir.Free:
		if i.Scope && o.rules.Scopes {
			return []ir.Expr{i.Addr}, nil
		}
	case *ir.Spawn:
		if i.HandleAddr != nil && o.rules.Handles {
			return []ir.Expr{i.HandleAddr}, append([]ir.Expr{i.Fn}, i.Args...)
		}
	case *ir.Touch:
		return []ir.Expr{i.Addr}, []ir.Expr{i.Size}
	}
	return nil, ir.Operands(in)
}

// root calls leak for all of an address but its root.
func root(e ir.Expr, leak func(ir.Expr)) {
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			e = x.Base
			continue
		case ir.IndexAddr:
			leak(x.Idx)
			e = x.Base
			continue
		case ir.Cast:
			if ir.IsPtr(x.T) && ir.IsPtr(x.X.Type()) {
				e = x.X
				continue
			}
		case ir.Use, ir.GlobalAddr:
			return
		}
		leak(e)
		return
	}
}
