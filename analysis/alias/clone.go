package alias

import "whoop/ir"

// Bounds on wrappers, and on how many of them that call each other are told apart by
// their calls. Precision only: memory from a wrapper beyond them has no type of its own
// and is one object for all calls. Wrappers that return memory of no type are followed
// further, since only their callers say what it is, and untyped memory in sets of structs
// mixes their members: without the type of one kzalloc a driver of 20,000 lines had 85
// million members in place of 40,000.
const (
	maxWrapperInstrs  = 120
	maxCloneDepth     = 2
	maxUntypedCloning = 6
)

// cloneFor returns the context in which f is analysed for a call: its own one where f is
// an allocation wrapper.
func (s *solver) cloneFor(call ir.Instr, ctx int32, f *ir.Func) int32 {
	if s.opt.NoHeapCloning || !s.wrappers[f] || s.ctxs[ctx].depth >= cloneDepth(f) {
		return s.worldOf(ctx)
	}
	for c := ctx; c != 0; c = s.ctxs[c].parent {
		if s.ctxs[c].fn == f {
			return s.worldOf(ctx)
		}
	}
	k := ctxKey{f, call, ctx}
	if c, ok := s.ctxOf[k]; ok {
		return c
	}
	s.ctxs = append(s.ctxs, callContext{f, call, ctx, s.ctxs[ctx].depth + 1, s.ctxs[ctx].world})
	s.ctxOf[k] = int32(len(s.ctxs) - 1)
	return s.ctxOf[k]
}

// cloneDepth is how many contexts may lie around one of a wrapper.
func cloneDepth(f *ir.Func) int {
	if p, ok := f.Result.(ir.Ptr); ok && untyped(p.Elem) {
		return maxUntypedCloning
	}
	return maxCloneDepth
}

// findWrappers finds the functions that return a fresh allocation, directly or from
// another wrapper.
func findWrappers(p *ir.Program) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			if !out[f] && isWrapper(f, out) {
				out[f], changed = true, true
			}
		}
	}
	return out
}

func isWrapper(f *ir.Func, known map[*ir.Func]bool) bool {
	if f.Result == nil || !ir.IsPtr(f.Result) {
		return false
	}
	n := 0
	fresh := map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		n += len(b.Instrs)
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ir.Alloc:
				if in.Kind != "stack" {
					fresh[in.Dst] = true
				}
			case *ir.Call:
				if g := ir.FuncOf(in.Callee); g == f {
					return false
				} else if g != nil && in.Dst != nil && known[g] {
					fresh[in.Dst] = true
				}
			}
		}
	}
	if n > maxWrapperInstrs || len(fresh) == 0 {
		return false
	}
	for n := -1; n != len(fresh); {
		n = len(fresh)
		spread(f, fresh)
		passOn(f, fresh)
	}
	for _, b := range f.Blocks {
		if t, ok := b.Term.(*ir.Return); ok && t.Val != nil {
			for r := range fresh {
				if ir.UsesReg(t.Val, r) {
					return true
				}
			}
		}
	}
	return false
}

// passOn adds what callees return that return an argument in set.
func passOn(f *ir.Func, set map[*ir.Reg]bool) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ir.Call)
			if !ok || c.Dst == nil {
				continue
			}
			if g := ir.FuncOf(c.Callee); g != nil && len(g.Blocks) > 0 {
				if i := sameAs(g); i >= 0 && i < len(c.Args) && copies(c.Args[i], set) {
					set[c.Dst] = true
				}
			}
		}
	}
}

// spread adds the registers that are copies (casts, selections) of those in set.
func spread(f *ir.Func, set map[*ir.Reg]bool) {
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assign); ok && !set[a.Dst] && copies(a.X, set) {
					set[a.Dst], changed = true, true
				}
			}
		}
	}
}

// copies tells whether the value of e is that of a register in set, or may be.
func copies(e ir.Expr, set map[*ir.Reg]bool) bool {
	switch e := e.(type) {
	case ir.Use:
		return set[e.Reg]
	case ir.Cast:
		return copies(e.X, set)
	case ir.Select:
		return copies(e.X, set) || copies(e.Y, set)
	}
	return false
}

// allocType returns the type of an allocated object; raw where it has no known layout.
// Untyped allocations get the type their address is cast to, if it is only one.
func (s *solver) allocType(a *ir.Alloc, fn *ir.Func, ctx int32) (ir.Type, bool) {
	n, known := s.sizeIn(a.Count, fn, ctx)
	if a.Count == nil {
		n, known = 1, true
	}
	if !untyped(a.Elem) || a.Kind == "stack" || s.prog.TypeSafe {
		if a.Elem.Size() == 0 {
			return a.Elem, true
		}
		if known && n == 1 || s.tailed(a, fn, ctx, a.Elem) {
			return a.Elem, false
		}
		return ir.Array{Elem: a.Elem, Len: max(n, 0)}, false
	}
	t := s.castType(a.Dst, fn, ctx)
	switch {
	case t == nil:
		return ir.Array{Elem: ir.U8, Len: max(n, 0)}, true
	case t.Size() > 1 && known && n < 2*t.Size() || s.tailed(a, fn, ctx, t):
		return t, false
	}
	return ir.Array{Elem: t}, false
}

// castType finds what a pointer to void in register r is used as: the one type its copies
// are cast to.
func (s *solver) castType(r *ir.Reg, fn *ir.Func, ctx int32) ir.Type {
	var found ir.Type
	many := false
	note := func(t ir.Type) {
		p, ok := t.(ir.Ptr)
		if !ok || ir.Equal(p.Elem, ir.Void{}) || p.Elem.Size() == 0 {
			return
		}
		if found != nil && !ir.Equal(found, p.Elem) {
			many = true
		}
		found = p.Elem
	}
	for depth := 0; ; depth++ {
		if returned := castsOf(fn, r, note); !returned || ctx == 0 || depth > maxUntypedCloning {
			break
		}
		call, ok := s.ctxs[ctx].call.(*ir.Call)
		if !ok || call.Dst == nil {
			break
		}
		note(call.Dst.Type)
		ctx = s.ctxs[ctx].parent
		r, fn = call.Dst, s.fnOf[call]
		if fn == nil {
			break
		}
	}
	if many {
		return nil
	}
	return found
}

// ofBytes reports whether t is a pointer to bytes.
func ofBytes(t ir.Type) bool {
	p, ok := t.(ir.Ptr)
	return ok && untyped(p.Elem)
}

// castsOf reports the types the copies of r are cast to in f, and whether one of them is
// returned.
func castsOf(f *ir.Func, r *ir.Reg, note func(ir.Type)) (returned bool) {
	set := map[*ir.Reg]bool{r: true}
	spread(f, set)
	look := func(e ir.Expr) {
		ir.WalkExpr(e, func(x ir.Expr) bool {
			if c, ok := x.(ir.Cast); ok {
				if u, ok := c.X.(ir.Use); ok && set[u.Reg] {
					note(c.T)
				}
			}
			return true
		})
	}
	for q := range set {
		if q != r || !ofBytes(q.Type) { // an allocation of bytes says nothing by itself
			note(q.Type)
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, e := range ir.Operands(in) {
				look(e)
			}
		}
		if t, ok := b.Term.(*ir.Return); ok && t.Val != nil {
			look(t.Val)
			for q := range set {
				returned = returned || ir.UsesReg(t.Val, q)
			}
		}
	}
	return returned
}
