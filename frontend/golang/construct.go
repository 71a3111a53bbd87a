package golang

import (
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// Constructors of a library type are run once before its methods: one of them, with
// arbitrary arguments, makes the value that the methods are compared on. So what they
// store in it, and the goroutines they start, are known.

// constructors finds, for each receiver type, the package's functions that return a new
// value of it, and the allocation in each of them.
func (l *lowering) constructors(roots []root, o *onceInfo) {
	for _, n := range receiverTypes(roots) {
		if l.sharing != nil && l.sharing.shared[n] != "" {
			continue // see addMakers
		}
		for _, r := range roots {
			if r.pkg.Pkg == n.Obj().Pkg() {
				l.constructorsOf(r.pkg, n, o)
				break
			}
		}
	}
}

// receiverTypes lists the types whose methods are entry points.
func receiverTypes(roots []root) []*types.Named {
	var out []*types.Named
	seen := map[*types.Named]bool{}
	for _, r := range roots {
		if r.kind != "method" || len(r.fn.Params) == 0 {
			continue
		}
		n, ok := types.Unalias(form.Deref(r.fn.Params[0].Type())).(*types.Named)
		if ok && !seen[n.Origin()] {
			seen[n.Origin()] = true
			out = append(out, n.Origin())
		}
	}
	return out
}

func (l *lowering) constructorsOf(p *ssa.Package, n *types.Named, o *onceInfo) {
	var cands []*ssa.Function
	for _, m := range p.Members {
		if f, ok := m.(*ssa.Function); ok && len(f.Blocks) > 0 && form.ReturnsNew(f, n) && !o.taken[f] && !o.many[f] {
			cands = append(cands, f)
		}
	}
	sort.Slice(cands, func(i, j int) bool { return cands[i].Pos() < cands[j].Pos() })
	within := map[*ssa.Function]bool{} // what constructors call
	var ok []*ssa.Function
	allocs := map[*ssa.Function]*ssa.Alloc{}
	for _, f := range cands {
		w := &walk{n: n, in: map[*ssa.Function]bool{}}
		w.visit(f)
		if w.bad || len(w.found) != 1 {
			continue
		}
		ok, allocs[f] = append(ok, f), w.found[0]
		for g := range w.in {
			within[g] = true
		}
	}
	// The functions that allocate must be run by constructors alone, and be no values.
	for _, f := range ok {
		for g := allocs[f].Parent(); ; {
			if g != f && !o.known(g) {
				return
			}
			for _, s := range o.sites[g] {
				if !within[s.Parent()] {
					return
				}
			}
			if g == f || len(o.sites[g]) == 0 {
				break
			}
			g = o.sites[g][0].Parent()
		}
	}
	for _, f := range ok {
		l.ctors[n] = append(l.ctors[n], f)
		l.ctorAllocs[allocs[f]] = n
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

// construct runs one of the constructors of every receiver type.
func (l *lowering) construct(x *fn, roots []root) {
	done := map[*types.Named]bool{}
	for _, r := range roots {
		if r.kind != "method" || len(r.fn.Params) == 0 {
			continue
		}
		n, ok := types.Unalias(form.Deref(r.fn.Params[0].Type())).(*types.Named)
		if !ok || done[n.Origin()] || len(l.ctors[n.Origin()]) == 0 {
			continue
		}
		n = n.Origin()
		done[n] = true
		after := x.block("constructed")
		var targets []*ir.Block
		for range l.ctors[n] {
			targets = append(targets, x.block("constructor"))
		}
		x.jump(targets...)
		for i, f := range l.ctors[n] {
			x.start(targets[i])
			x.pos = l.pos(f.Pos())
			made := x.calledByUser(f, x.outside(f.Signature.Params()))
			if x.receiver[x.lay.of(n).mem] == nil {
				x.handLater(made)
			}
			x.startLater(f, made)
			x.jump(after)
		}
		x.start(after)
		x.exported(n)
		l.p.Assume("constructor", l.pos(n.Obj().Pos()), "values of %s are made by its constructors (%d found), of which one runs, once; exported fields are set before its methods are called", l.typeName(n), len(targets))
	}
}

// exported gives the exported fields of a receiver arbitrary values, as a user may.
func (x *fn) exported(n *types.Named) {
	mem := x.lay.of(n).mem
	st, ok := n.Underlying().(*types.Struct)
	if !ok || !n.Obj().Exported() {
		return
	}
	x.usersOwn(n, func(p ir.Expr) {
		for i := range st.NumFields() {
			f := st.Field(i)
			if !f.Exported() || f.Embedded() || x.holdsLock(f.Type(), 0) {
				continue
			}
			v := x.outside(f.Type())
			if x.receiver[mem] == nil {
				v = x.fromUser(f.Type())
			}
			x.when(cond(x.havoc(boolT)), func() {
				x.store(f.Type(), ir.FieldAddr{Base: p, S: mem.(*ir.Struct), Index: i}, v, ir.Plain)
			})
		}
	})
}
