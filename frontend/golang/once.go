package golang

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// onceInfo knows which functions run at most once: main, initialisation, and what has one
// call or go statement, outside loops, in a function that runs at most once. Variables of
// theirs are like globals.
type onceInfo struct {
	sites map[*ssa.Function][]ssa.CallInstruction
	taken map[*ssa.Function]bool
	roots map[*ssa.Function]bool
	// entry points that may run any number of times, whoever else calls them
	many map[*ssa.Function]bool
	memo map[*ssa.Function]bool
	// methods are those that may be called through interfaces, or by reflection.
	methods map[*types.Func]bool
	// exclusive functions are constructors of a type, of which only one runs, once.
	exclusive map[*ssa.Function]*types.Named
}

func findOnce(l *lowering, fs []*ssa.Function, roots []root) *onceInfo {
	o := &onceInfo{sites: map[*ssa.Function][]ssa.CallInstruction{}, taken: map[*ssa.Function]bool{}, roots: map[*ssa.Function]bool{}, many: map[*ssa.Function]bool{}, memo: map[*ssa.Function]bool{}, methods: map[*types.Func]bool{}, exclusive: map[*ssa.Function]*types.Named{}}
	for _, f := range fs {
		o.scan(l, f)
	}
	for f := range l.reached.more { // by no instruction of the program
		o.taken[f] = true
	}
	if !l.exact {
		o.visitedMethods(l, fs)
	}
	for _, r := range roots {
		if r.kind == "main" {
			o.roots[r.fn] = true
		} else {
			o.many[r.fn] = true
		}
	}
	l.constructors(roots, o)
	// known to be constructors only now
	l.settings = slices.DeleteFunc(l.settings, func(f *ssa.Function) bool { return o.exclusive[f] != nil })
	for _, f := range l.settings {
		o.many[f] = true
	}
	l.fixedParams = l.receivers(roots, o, fs)
	for _, f := range fs {
		l.findVariables(o, f)
	}
	return o
}

// dynamic reports whether a function is a method that may be called by no name.
func (o *onceInfo) dynamic(f *ssa.Function) bool {
	if f.Signature.Recv() == nil {
		return false
	}
	m, ok := f.Object().(*types.Func)
	return !ok || o.methods[m.Origin()]
}

// visitedMethods counts the methods that library functions call by reflection among those
// that are called through interfaces: of what the values in interfaces lead to, and of a
// library's types, which its users may put there.
func (o *onceInfo) visitedMethods(l *lowering, fs []*ssa.Function) {
	kinds := []library.Visit{library.Printing, library.Encoding, library.Scanning, library.Storing}
	for p := range l.own {
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
		if ok && (l.libraryMode || !named || in[recv.Origin()]) {
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
		if seen[t] || depth > maxBoxedDepth {
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

// maxBoxedDepth ends the walk through instances of generic types that nest without end.
const maxBoxedDepth = 100

// scan notes what a function calls and whose address it takes.
func (o *onceInfo) scan(l *lowering, f *ssa.Function) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			var callee ssa.Value
			if c, ok := in.(ssa.CallInstruction); ok {
				callee = c.Common().Value
				if g := form.CalleeOf(c); g != nil {
					o.sites[g] = append(o.sites[g], c)
				}
				if g := runsOnce(l, c); g != nil {
					o.sites[g] = append(o.sites[g], c)
					continue
				}
			}
			if _, ok := in.(*ssa.DebugRef); ok {
				continue
			}
			if m, ok := in.(*ssa.MakeInterface); ok {
				ms := l.prog.MethodSets.MethodSet(m.X.Type())
				for i := range ms.Len() {
					o.methods[ms.At(i).Obj().(*types.Func).Origin()] = true
				}
			}
			if m, ok := in.(*ssa.MakeClosure); ok {
				if refs := m.Referrers(); refs == nil || !onlyCalled(l, m, *refs) {
					o.taken[m.Fn.(*ssa.Function)] = true
				}
				continue
			}
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Function); ok && *op != callee {
					o.taken[form.Body(g)] = true
				}
			}
		}
	}
}

// runsOnce is the function that a library call runs once, as a goroutine or at once:
// wg.Go(f), once.Do(f); or nil.
func runsOnce(l *lowering, c ssa.CallInstruction) *ssa.Function {
	g := c.Common().StaticCallee()
	if g == nil {
		return nil
	}
	m := l.m.Model(g)
	if m == nil || m.Op != "go" && m.Op != "once" || m.Many || m.Kind == "timer" || m.Fn >= len(c.Common().Args) {
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
func onlyCalled(l *lowering, m *ssa.MakeClosure, refs []ssa.Instruction) bool {
	n := 0
	for _, r := range refs {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if r.Common().Value != ssa.Value(m) && runsOnce(l, r) != m.Fn {
				return false
			}
			n++
		default:
			return false
		}
	}
	return n == 1
}

// known reports whether all calls of f, and go statements that start it, are in its
// sites: users of a library, code that is not seen, and calls of function values and
// through interfaces have no others.
func (o *onceInfo) known(f *ssa.Function) bool {
	return f != nil && !o.taken[f] && !o.many[f] && !o.roots[f] &&
		!o.dynamic(f)
}

// runs reports whether f runs at most once.
func (o *onceInfo) runs(f *ssa.Function) bool {
	if v, ok := o.memo[f]; ok {
		return v
	}
	o.memo[f] = false // recursion
	v := false
	switch sites := o.sites[f]; {
	case o.taken[f], o.many[f], o.dynamic(f):
	case o.roots[f]:
		v = len(sites) == 0
	case o.exclusive[f] != nil || len(sites) > 1:
		v = o.constructing(f, sites)
	case len(sites) == 1:
		v = !form.OnCycle(sites[0].Block()) && o.runs(sites[0].Parent())
	}
	o.memo[f] = v
	return v
}

// constructing reports whether all calls of f are in different constructors of one type.
func (o *onceInfo) constructing(f *ssa.Function, sites []ssa.CallInstruction) bool {
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

// findVariables decides where the escaping variables of f lie.
func (l *lowering) findVariables(o *onceInfo, f *ssa.Function) {
	var group []*ssa.Alloc
	lock := false
	for _, b := range f.DomPreorder() {
		for _, in := range b.Instrs {
			if o.runs(f) && !form.OnCycle(b) {
				l.lift(f, in)
				continue
			}
			a, ok := in.(*ssa.Alloc)
			if !ok || !a.Heap || form.OnCycle(b) || !form.IsVariable(a) || form.Unframed(a) && form.CapturedVar(a) != nil {
				continue
			}
			t := form.Deref(a.Type())
			if len(group) == 0 || group[0].Block().Dominates(b) {
				group = append(group, a)
				lock = lock || l.holdsLock(t, 0)
			}
		}
	}
	if !lock || len(group) < 2 {
		return
	}
	fi := &frameInfo{s: l.lay.newStruct(l.funcName(f) + " variables"), index: map[*ssa.Alloc]int{}, leader: group[0]}
	off := int64(0)
	used := map[string]int{}
	for i, a := range group {
		lay := l.lay.of(form.Deref(a.Type()))
		off = roundUp(off, 8)
		name := a.Comment
		if used[name]++; used[name] > 1 {
			name += "#" + string(rune('0'+used[name]%10))
		}
		fi.s.Fields = append(fi.s.Fields, ir.Field{Name: name, Type: lay.mem, Offset: off})
		fi.index[a] = i
		off += max(lay.size, 1)
	}
	fi.s.Bytes = roundUp(off, 8)
	l.frames[f] = fi
}

// lift makes a global of what an instruction allocates that is executed at most once.
func (l *lowering) lift(f *ssa.Function, in ssa.Instruction) {
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	at := l.pos(v.Pos())
	switch v := v.(type) {
	case *ssa.Alloc:
		t := form.Deref(v.Type())
		if n := l.ctorAllocs[v]; n != nil {
			if g := l.receiver[l.lay.of(n).mem]; g != nil {
				l.lifted[v] = g
				return
			}
		}
		if !v.Heap || l.lay.of(t).mem.Size() == 0 {
			return
		}
		switch {
		case form.IsVariable(v):
			l.lifted[v] = l.newGlobal(l.funcName(f)+"."+v.Comment, l.lay.of(t).mem, at)
		case !l.exact && handedOver(v): // its maker has it alone until then: tokens tell that of allocations
		case v.Comment == "complit" || v.Comment == "new":
			l.lifted[v] = l.newGlobal(fmt.Sprintf("%s(line %d)", l.typeName(t), at.Line), l.lay.of(t).mem, at)
		}
	case *ssa.MakeMap, *ssa.MakeChan:
		pt := l.lay.of(v.Type()).leaves[0].t.(ir.Ptr)
		name := fmt.Sprintf("%s(line %d)", l.typeName(v.Type()), at.Line)
		if s := form.Variable(v); l.exact && s != "" {
			name = s
		}
		l.lifted[v] = l.newGlobal(name, pt.Elem, at)
		if m, ok := v.(*ssa.MakeChan); ok {
			l.capOf[l.lifted[v]] = m
		}
	}
}

// handedOver reports whether a new object is stored once, where others may find it, and
// not used any more by who has made it: that of p.Store(&T{…}), s.t = &T{…}. One in which
// there is anything but data is none: its locks are known by the variable that it is.
func handedOver(a *ssa.Alloc) bool {
	st, ok := form.Deref(a.Type()).Underlying().(*types.Struct)
	if !ok || !onlyData(st) {
		return false
	}
	n := 0
	for _, r := range form.Uses(a) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			for _, w := range form.Uses(r) {
				if s, ok := w.(*ssa.Store); !ok || s.Addr != ssa.Value(r) || s.Block() != a.Block() {
					return false
				}
			}
			continue
		case *ssa.Store:
			if s, is := r.Addr.(*ssa.Alloc); r.Addr == ssa.Value(a) || is && form.IsVariable(s) {
				return false
			}
		case *ssa.Call:
			if g := r.Call.StaticCallee(); g == nil || !strings.HasPrefix(library.Name(g), "(*sync/atomic.") {
				return false
			}
		default:
			return false
		}
		if n++; r.Block() != a.Block() {
			return false
		}
	}
	return n == 1
}

// onlyData reports whether a struct has fields of basic types, and fields that lead to
// other objects, only.
func onlyData(st *types.Struct) bool {
	for i := range st.NumFields() {
		switch st.Field(i).Type().Underlying().(type) {
		case *types.Basic, *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		default:
			return false
		}
	}
	return true
}

// holdsLock reports whether a type contains something that orders threads.
func (l *lowering) holdsLock(t types.Type, depth int) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
		return true
	}
	if s, ok := t.Underlying().(*types.Struct); ok && depth < 4 {
		for i := range s.NumFields() {
			if l.holdsLock(s.Field(i).Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
