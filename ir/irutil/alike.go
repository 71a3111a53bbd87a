package irutil

import "whoop/ir"

// JoinsAtOnce reports whether threads of a program that were started alike, with equal
// arguments by one thread, can be told apart by nothing but their own states, so that a
// state in which two of them have changed places has the same future.
//
// What tells threads apart are their handles. So these may be used for nothing but joins:
// spawns store them in local arrays of which nothing else is read, joins yield no
// results, nothing is detached. And all joins are in main, one behind the other: from one
// to the next main only computes with what is its own, so that nobody notices whose end
// it waits for first. That each comes to the end of all threads that are alike is left to
// who runs the program (vm.Machine.JoinsAlike).
func JoinsAtOnce(p *ir.Program, main *ir.Func) bool {
	joins := 0
	for _, f := range p.Funcs {
		handles, ok := handlesOf(f)
		if !ok {
			return false
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch i := in.(type) {
				case *ir.Detach:
					return false
				case *ir.Join:
					joins++
					if f != main || i.Dst != nil {
						return false
					}
				case *ir.Call:
					if calls(i.Callee, main) {
						return false
					}
				case *ir.Spawn:
					if calls(i.Fn, main) {
						return false
					}
				}
			}
		}
		if f == main && !onlyBetween(f, handles) {
			return false
		}
	}
	return joins > 0
}

// calls reports whether a callee may be a function: that it is another one is known.
func calls(callee ir.Expr, f *ir.Func) bool {
	a, ok := callee.(ir.FuncAddr)
	return !ok || a.Func == f
}

// handlesOf are the registers with addresses of local objects that handles are stored in,
// and those with handles; false where a handle may get anywhere else.
func handlesOf(f *ir.Func) (handles map[*ir.Reg]bool, ok bool) {
	handles = map[*ir.Reg]bool{}
	objects := map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			s, is := in.(*ir.Spawn)
			if !is {
				continue
			}
			if s.Dst != nil {
				handles[s.Dst] = true
			}
			if s.HandleAddr == nil {
				continue
			}
			r := rootOf(s.HandleAddr)
			if r == nil {
				return nil, false
			}
			a, is := ir.Definition(f, r).(*ir.Alloc)
			if !is || a.Kind != "stack" {
				return nil, false
			}
			objects[r] = true
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if l, is := in.(*ir.Load); is && objects[rootOf(l.Addr)] {
				handles[l.Dst] = true
			}
		}
	}
	for r := range handles {
		if objects[r] {
			return nil, false
		}
	}
	for r := range objects {
		handles[r] = true
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if !keeps(in, handles, objects) {
				return nil, false
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			if usesAny(e, handles) {
				return nil, false
			}
		}
	}
	return handles, true
}

// rootOf is the register that an address is computed from, without others that have
// addresses; nil where there is none.
func rootOf(e ir.Expr) *ir.Reg {
	switch e := e.(type) {
	case ir.Use:
		return e.Reg
	case ir.IndexAddr:
		return rootOf(e.Base)
	case ir.FieldAddr:
		return rootOf(e.Base)
	case ir.Cast:
		if ir.IsPtr(e.T) {
			return rootOf(e.X)
		}
	}
	return nil
}

// keeps reports whether an instruction uses handles for joins alone.
func keeps(in ir.Instr, handles, objects map[*ir.Reg]bool) bool {
	switch i := in.(type) {
	case *ir.Join:
		u, ok := i.Handle.(ir.Use)
		return ok && handles[u.Reg] && !objects[u.Reg]
	case *ir.Load:
		return !usesAny(i.Addr, handles) || objects[rootOf(i.Addr)] && oneUse(i.Addr, handles)
	case *ir.Free:
		return !usesAny(i.Addr, handles) || i.Scope
	case *ir.Spawn:
		for _, a := range append([]ir.Expr{i.Fn}, i.Args...) {
			if a != nil && usesAny(a, handles) {
				return false
			}
		}
		return i.HandleAddr == nil || oneUse(i.HandleAddr, handles)
	case *ir.Await:
		if usesAny(i.Cond, handles) {
			return false
		}
	}
	for _, e := range ir.Operands(in) {
		if e != nil && usesAny(e, handles) {
			return false
		}
	}
	return true
}

// oneUse reports whether an expression uses such registers once.
func oneUse(e ir.Expr, regs map[*ir.Reg]bool) bool {
	n := 0
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if u, ok := e.(ir.Use); ok && regs[u.Reg] {
			n++
		}
		return true
	})
	return n == 1
}

func usesAny(e ir.Expr, regs map[*ir.Reg]bool) bool {
	found := false
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if u, ok := e.(ir.Use); ok && regs[u.Reg] {
			found = true
		}
		return true
	})
	return found
}

// onlyBetween reports whether what lies between joins, on any path from one to another,
// is computed from registers and handles alone.
func onlyBetween(f *ir.Func, handles map[*ir.Reg]bool) bool {
	var from, to []*ir.Block // that are reached from a join, or from which one is reached
	for _, b := range f.Blocks {
		if last, _ := joinsIn(b); last >= 0 {
			from = append(from, b.Succs()...)
			to = append(to, b)
		}
	}
	behind, before := map[*ir.Block]bool{}, map[*ir.Block]bool{}
	for len(from) > 0 {
		b := from[len(from)-1]
		from = from[:len(from)-1]
		if !behind[b] {
			behind[b] = true
			from = append(from, b.Succs()...)
		}
	}
	for _, b := range to {
		before[b] = true
	}
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, s := range b.Succs() {
				if before[s] && !before[b] {
					before[b], changed = true, true
				}
			}
		}
	}
	for _, b := range f.Blocks {
		last, first := joinsIn(b)
		for k, in := range b.Instrs {
			after := behind[b] || first >= 0 && k > first
			// a join comes behind it: in the block, or in one behind that
			ahead := k < last
			for _, s := range b.Succs() {
				ahead = ahead || before[s]
			}
			if after && ahead && !computes(in, handles) {
				return false
			}
		}
		if behind[b] && before[b] {
			switch b.Term.(type) {
			case *ir.Branch:
			case *ir.Goto:
				if len(b.Succs()) > 1 {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// joinsIn are the places of the last and the first join of a block; -1 where there is
// none.
func joinsIn(b *ir.Block) (last, first int) {
	last, first = -1, -1
	for k, in := range b.Instrs {
		if _, ok := in.(*ir.Join); ok {
			if last = k; first < 0 {
				first = k
			}
		}
	}
	return last, first
}

// computes reports whether an instruction only computes.
func computes(in ir.Instr, handles map[*ir.Reg]bool) bool {
	switch i := in.(type) {
	case *ir.Assign, *ir.Join:
		return true
	case *ir.Load:
		return handles[rootOf(i.Addr)]
	}
	return false
}
