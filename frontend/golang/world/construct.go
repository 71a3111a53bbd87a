package world

import (
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// constructors finds, for each receiver type, the package's functions that return a new
// value of it, and the allocation in each of them.
func (w *World) constructors(roots []Root, o *Once) {
	for _, n := range ReceiverTypes(roots) {
		if w.Sharing != nil && w.Sharing.Shared[n] != "" {
			continue // see addMakers
		}
		for _, r := range roots {
			if r.Pkg.Pkg == n.Obj().Pkg() {
				w.constructorsOf(r.Pkg, n, o)
				break
			}
		}
	}
}

// ReceiverTypes lists the types whose methods are entry points.
func ReceiverTypes(roots []Root) []*types.Named {
	var out []*types.Named
	seen := map[*types.Named]bool{}
	for _, r := range roots {
		if r.Kind != MethodRoot || len(r.Fn.Params) == 0 {
			continue
		}
		n, ok := types.Unalias(form.Deref(r.Fn.Params[0].Type())).(*types.Named)
		if ok && !seen[n.Origin()] {
			seen[n.Origin()] = true
			out = append(out, n.Origin())
		}
	}
	return out
}

func (w *World) constructorsOf(p *ssa.Package, n *types.Named, o *Once) {
	var cands []*ssa.Function
	for _, m := range p.Members {
		if f, ok := m.(*ssa.Function); ok && len(f.Blocks) > 0 && form.ReturnsNew(f, n) && !o.Taken[f] && !o.many[f] {
			cands = append(cands, f)
		}
	}
	sort.Slice(cands, func(i, j int) bool { return cands[i].Pos() < cands[j].Pos() })
	within := map[*ssa.Function]bool{} // what constructors call
	var ok []*ssa.Function
	allocs := map[*ssa.Function]*ssa.Alloc{}
	for _, f := range cands {
		v := &walk{n: n, in: map[*ssa.Function]bool{}}
		v.visit(f)
		if v.bad || len(v.found) != 1 {
			continue
		}
		ok, allocs[f] = append(ok, f), v.found[0]
		for g := range v.in {
			within[g] = true
		}
	}
	// The functions that allocate must be run by constructors alone, and be no values.
	for _, f := range ok {
		for g := allocs[f].Parent(); ; {
			if g != f && !o.Known(g) {
				return
			}
			for _, s := range o.Sites[g] {
				if !within[s.Parent()] {
					return
				}
			}
			if g == f || len(o.Sites[g]) == 0 {
				break
			}
			g = o.Sites[g][0].Parent()
		}
	}
	for _, f := range ok {
		w.Ctors[n] = append(w.Ctors[n], f)
		w.CtorAllocs[allocs[f]] = n
		o.exclusive[f] = n
	}
}

// walk counts the allocations of a type in one run of a function.
type walk struct {
	n     *types.Named
	in    map[*ssa.Function]bool
	found []*ssa.Alloc
	bad   bool
}

func (w *walk) visit(f *ssa.Function) {
	if w.in[f] {
		w.bad = w.bad || w.allocates(f)
		return
	}
	w.in[f] = true
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Alloc:
				if t, ok := types.Unalias(form.Deref(in.Type())).(*types.Named); ok && t.Origin() == w.n && in.Heap {
					w.found = append(w.found, in)
					w.bad = w.bad || form.OnCycle(b)
				}
			case ssa.CallInstruction:
				if g := in.Common().StaticCallee(); g != nil && len(form.Body(g).Blocks) > 0 {
					w.bad = w.bad || form.OnCycle(b) && w.allocates(form.Body(g))
					w.visit(form.Body(g))
				}
			}
		}
	}
}

func (w *walk) allocates(f *ssa.Function) bool {
	for _, a := range w.found {
		if a.Parent() == f {
			return true
		}
	}
	return false
}
