package alias

import "whoop/ir"

// operands calls f on every expression an instruction evaluates.
func operands(in ir.Instr, f func(ir.Expr)) {
	all := func(es ...ir.Expr) {
		for _, e := range es {
			if e != nil {
				f(e)
			}
		}
	}
	switch in := in.(type) {
	case *ir.Assign:
		all(in.X)
	case *ir.Load:
		all(in.Addr)
	case *ir.Store:
		all(in.Addr, in.Val)
	case *ir.RMW:
		all(in.Addr, in.Val)
	case *ir.CmpXchg:
		all(in.Addr, in.Expected, in.New)
	case *ir.Alloc:
		all(in.Count)
	case *ir.Free:
		all(in.Addr)
	case *ir.MemCopy:
		all(in.Dst, in.Src, in.Size)
	case *ir.MemSet:
		all(in.Dst, in.Val, in.Size)
	case *ir.Touch:
		all(in.Addr, in.Size)
	case *ir.Assume:
		all(in.Cond)
	case *ir.Assert:
		all(in.Cond)
	case *ir.Call:
		all(in.Callee)
		all(in.Args...)
	default:
		syncOperands(in, all)
	}
}

func syncOperands(in ir.Instr, all func(...ir.Expr)) {
	switch in := in.(type) {
	case *ir.Lock:
		all(in.Lock)
	case *ir.Unlock:
		all(in.Lock)
	case *ir.LockInit:
		all(in.Lock)
	case *ir.CondWait:
		all(in.Cond, in.Mutex)
	case *ir.CondSignal:
		all(in.Cond)
	case *ir.SemInit:
		all(in.Sem, in.Val)
	case *ir.SemWait:
		all(in.Sem)
	case *ir.SemPost:
		all(in.Sem)
	case *ir.BarrierInit:
		all(in.Barrier, in.Count)
	case *ir.BarrierWait:
		all(in.Barrier)
	case *ir.Once:
		all(in.Ctl, in.Fn)
	case *ir.Spawn:
		all(in.Fn, in.HandleAddr)
		all(in.Args...)
	case *ir.Join:
		all(in.Handle)
	case *ir.Detach:
		all(in.Handle)
	case *ir.Register:
		all(in.Obj, in.Fn)
		all(in.Args...)
	case *ir.Unregister:
		all(in.Obj)
	}
}

func exprUses(e ir.Expr, r *ir.Reg) bool {
	found := false
	ir.WalkExpr(e, func(x ir.Expr) bool {
		if u, ok := x.(ir.Use); ok && u.Reg == r {
			found = true
		}
		return !found
	})
	return found
}

func usesReg(in ir.Instr, r *ir.Reg) bool {
	found := false
	operands(in, func(e ir.Expr) { found = found || exprUses(e, r) })
	return found
}

func termUses(t ir.Term, r *ir.Reg) bool {
	switch t := t.(type) {
	case *ir.Branch:
		return exprUses(t.Cond, r)
	case *ir.Return:
		return t.Val != nil && exprUses(t.Val, r)
	}
	return false
}

// defs returns the registers an instruction assigns.
func defs(in ir.Instr) []*ir.Reg {
	var out []*ir.Reg
	add := func(rs ...*ir.Reg) {
		for _, r := range rs {
			if r != nil {
				out = append(out, r)
			}
		}
	}
	switch in := in.(type) {
	case *ir.Assign:
		add(in.Dst)
	case *ir.Load:
		add(in.Dst)
	case *ir.RMW:
		add(in.Dst)
	case *ir.CmpXchg:
		add(in.Dst, in.OK)
	case *ir.Alloc:
		add(in.Dst)
	case *ir.Havoc:
		add(in.Dst)
	case *ir.Call:
		add(in.Dst)
	case *ir.Lock:
		add(in.Dst)
	case *ir.CondWait:
		add(in.Dst)
	case *ir.SemWait:
		add(in.Dst)
	case *ir.BarrierWait:
		add(in.Dst)
	case *ir.Spawn:
		add(in.Dst, in.OK)
	case *ir.Join:
		add(in.Dst)
	}
	return out
}

func definesReg(in ir.Instr, r *ir.Reg) bool {
	for _, d := range defs(in) {
		if d == r {
			return true
		}
	}
	return false
}
