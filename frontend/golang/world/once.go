package world

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// Field is a member of a struct type, the same for all instances.
func Field(t types.Type, i int) *types.Var {
	return form.Deref(t).Underlying().(*types.Struct).Field(i).Origin()
}

func fieldOf(n *types.Named, i int) *types.Var { return n.Underlying().(*types.Struct).Field(i) }

// NeverAfter reports whether a is never executed after b in one run of a function, which
// both are in, or in functions that have only one call.
func (o *Once) NeverAfter(f *ssa.Function, a, b ssa.Instruction) bool {
	p, q := o.pathTo(f, a), o.pathTo(f, b)
	for len(p) > 1 && len(q) > 1 && p[0] == q[0] {
		if form.MayReach(p[0], p[0]) {
			return false
		}
		p, q = p[1:], q[1:]
	}
	return p[0] != q[0] && form.NeverAfter(p[0], q[0])
}

// pathTo lists what leads from a function to an instruction: the only calls of functions,
// and at last the instruction.
func (o *Once) pathTo(f *ssa.Function, in ssa.Instruction) []ssa.Instruction {
	out := []ssa.Instruction{in}
	for in.Parent() != f {
		in = o.Sites[in.Parent()][0]
		out = append(out, in)
	}
	slices.Reverse(out)
	return out
}

// Once knows which functions run at most once: main, initialisation, and what has one
// call or go statement, outside loops, in a function that runs at most once. Variables of
// theirs are like globals.
type Once struct {
	Sites map[*ssa.Function][]ssa.CallInstruction
	Taken map[*ssa.Function]bool
	roots map[*ssa.Function]bool
	// entry points that may run any number of times, whoever else calls them
	many map[*ssa.Function]bool
	memo map[*ssa.Function]bool
	// methods are those that may be called through interfaces, or by reflection.
	methods map[*types.Func]bool
	// exclusive functions are constructors of a type, of which only one runs, once.
	exclusive map[*ssa.Function]*types.Named
}

// FindOnce looks at the functions of the program; more are called by something else.
func FindOnce(w *World, fs []*ssa.Function, roots []Root, more map[*ssa.Function]bool) *Once {
	o := &Once{Sites: map[*ssa.Function][]ssa.CallInstruction{}, Taken: map[*ssa.Function]bool{}, roots: map[*ssa.Function]bool{}, many: map[*ssa.Function]bool{}, memo: map[*ssa.Function]bool{}, methods: map[*types.Func]bool{}, exclusive: map[*ssa.Function]*types.Named{}}
	for _, f := range fs {
		o.scan(w, f)
	}
	for f := range more { // by no instruction of the program
		o.Taken[f] = true
	}
	if !w.Exact {
		o.visitedMethods(w, fs)
	}
	for _, r := range roots {
		switch r.Kind {
		case MainRoot, InitRoot:
			o.roots[r.Fn] = true
		default:
			o.many[r.Fn] = true
		}
	}
	w.constructors(roots, o)
	// known to be constructors only now
	w.Settings = slices.DeleteFunc(w.Settings, func(f *ssa.Function) bool { return o.exclusive[f] != nil })
	for _, f := range w.Settings {
		o.many[f] = true
	}
	return o
}

// Dynamic reports whether a function is a method that may be called by no name.
func (o *Once) Dynamic(f *ssa.Function) bool {
	if f.Signature.Recv() == nil {
		return false
	}
	m, ok := f.Object().(*types.Func)
	return !ok || o.methods[m.Origin()]
}

// visitedMethods counts the methods that library functions call by reflection among those
// that are called through interfaces: of what the values in interfaces lead to, and of a
// library's types, which its users may put there.
func (o *Once) visitedMethods(w *World, fs []*ssa.Function) {
	kinds := []library.Visit{library.Printing, library.Encoding, library.Scanning, library.Storing}
	for p := range w.Own {
		if slices.ContainsFunc(p.Imports(), func(q *types.Package) bool { return q.Path() == "text/template" || q.Path() == "html/template" }) {
			kinds = append(kinds, library.Templating)
		}
	}
	in := boxedTypes(fs)
	for _, f := range fs {
		if f.Signature.Recv() == nil || !slices.ContainsFunc(kinds, func(k library.Visit) bool { return k.Visited(f.Name()) }) {
			continue
		}
		m, ok := f.Object().(*types.Func)
		recv, named := types.Unalias(form.Deref(f.Signature.Recv().Type())).(*types.Named)
		if ok && (w.LibraryMode || !named || in[recv.Origin()]) {
			o.methods[m.Origin()] = true
		}
	}
}

// boxedTypes are the types of what the values lead to that the program puts into
// interfaces: by pointers, members and elements, and by the results of functions and
// methods, which templates call.
func boxedTypes(fs []*ssa.Function) map[*types.Named]bool {
	out, seen := map[*types.Named]bool{}, map[types.Type]bool{}
	var add func(t types.Type, depth int)
	add = func(t types.Type, depth int) {
		t = types.Unalias(t)
		if seen[t] || depth > MaxBoxedDepth {
			return
		}
		seen[t] = true
		results := func(s *types.Signature) {
			for i := range s.Results().Len() {
				add(s.Results().At(i).Type(), depth+1)
			}
		}
		if n, ok := t.(*types.Named); ok {
			out[n.Origin()] = true
			for m := range n.Methods() {
				results(m.Signature())
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Map:
			add(u.Key(), depth+1)
			add(u.Elem(), depth+1)
		case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
			add(u.Elem(), depth+1)
		case *types.Struct:
			for f := range u.Fields() {
				add(f.Type(), depth+1)
			}
		case *types.Signature:
			results(u)
		}
	}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if m, ok := in.(*ssa.MakeInterface); ok {
					add(m.X.Type(), 0)
				}
			}
		}
	}
	return out
}

// MaxBoxedDepth ends the walk through instances of generic types that nest without end.
const MaxBoxedDepth = 100

// scan notes what a function calls and whose address it takes.
func (o *Once) scan(w *World, f *ssa.Function) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			var callee ssa.Value
			if c, ok := in.(ssa.CallInstruction); ok {
				callee = c.Common().Value
				if g := form.CalleeOf(c); g != nil {
					o.Sites[g] = append(o.Sites[g], c)
				}
				if g := RunsOnce(w, c); g != nil {
					o.Sites[g] = append(o.Sites[g], c)
					continue
				}
			}
			if _, ok := in.(*ssa.DebugRef); ok {
				continue
			}
			if m, ok := in.(*ssa.MakeInterface); ok {
				ms := w.Prog.MethodSets.MethodSet(m.X.Type())
				for i := range ms.Len() {
					o.methods[ms.At(i).Obj().(*types.Func).Origin()] = true
				}
			}
			if m, ok := in.(*ssa.MakeClosure); ok {
				if refs := m.Referrers(); refs == nil || !onlyCalled(w, m, *refs) {
					o.Taken[m.Fn.(*ssa.Function)] = true
				}
				continue
			}
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Function); ok && *op != callee {
					o.Taken[form.Body(g)] = true
				}
			}
		}
	}
}

// RunsOnce is the function that a library call runs once, as a goroutine or at once:
// wg.Go(f), once.Do(f); or nil.
func RunsOnce(w *World, c ssa.CallInstruction) *ssa.Function {
	g := c.Common().StaticCallee()
	if g == nil {
		return nil
	}
	m := w.Models.Model(g)
	if m == nil || m.Op != library.OpGo && m.Op != library.OpOnce || m.Many || m.Kind == "timer" || m.Fn >= len(c.Common().Args) {
		return nil
	}
	switch v := c.Common().Args[m.Fn].(type) {
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.Function:
		return v
	}
	return nil
}

// onlyCalled reports whether a function value is used by one call of it only.
func onlyCalled(w *World, m *ssa.MakeClosure, refs []ssa.Instruction) bool {
	n := 0
	for _, r := range refs {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if r.Common().Value != ssa.Value(m) && RunsOnce(w, r) != m.Fn {
				return false
			}
			n++
		default:
			return false
		}
	}
	return n == 1
}

// Known reports whether all calls of f, and go statements that start it, are in its
// sites: users of a library, code that is not seen, and calls of function values and
// through interfaces have no others.
func (o *Once) Known(f *ssa.Function) bool {
	return f != nil && !o.Taken[f] && !o.many[f] && !o.roots[f] &&
		!o.Dynamic(f)
}

// Runs reports whether f runs at most once.
func (o *Once) Runs(f *ssa.Function) bool {
	if v, ok := o.memo[f]; ok {
		return v
	}
	o.memo[f] = false // recursion
	v := false
	switch sites := o.Sites[f]; {
	case o.Taken[f], o.many[f], o.Dynamic(f):
	case o.roots[f]:
		v = len(sites) == 0 || f.Synthetic == "package initializer"
	case o.exclusive[f] != nil || len(sites) > 1:
		v = o.constructing(f, sites)
	case len(sites) == 1:
		v = !form.OnCycle(sites[0].Block()) && o.Runs(sites[0].Parent())
	}
	o.memo[f] = v
	return v
}

// constructing reports whether all calls of f are in different constructors of one type.
func (o *Once) constructing(f *ssa.Function, sites []ssa.CallInstruction) bool {
	of, in := o.exclusive[f], map[*ssa.Function]bool{}
	for _, s := range sites {
		p := s.Parent()
		n := o.exclusive[p]
		if n == nil || of != nil && n != of || in[p] || form.OnCycle(s.Block()) {
			return false
		}
		of, in[p] = n, true
	}
	return of != nil
}

// HoldsLock reports whether a type contains something that orders threads.
func (w *World) HoldsLock(t types.Type, depth int) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
		return true
	}
	if s, ok := t.Underlying().(*types.Struct); ok && depth < 4 {
		for i := range s.NumFields() {
			if w.HoldsLock(s.Field(i).Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
