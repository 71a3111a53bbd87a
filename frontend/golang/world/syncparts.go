package world

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// What has synchronisation in it is meant for several goroutines. It is found in the
// types of members, and in the operations on them that the functions of the package
// perform.

// syncKind says how surely a type with some synchronisation is meant for several
// goroutines.
type syncKind int

// loosely: channels, cancel functions, goroutines. What one goroutine has for itself may
// have these, too. counting: atomics. A value that has a struct with counters is not for
// several goroutines for that alone: it counts as loosely. firmly: all else, such as
// locks.
const (
	notAtAll syncKind = iota
	loosely
	counting
	firmly
)

// primitive is the kind of a type that synchronises by itself.
func primitive(t types.Type) syncKind {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch path, name := n.Obj().Pkg().Path(), n.Obj().Name(); {
		case path == "context" && (name == "CancelFunc" || name == "CancelCauseFunc"):
			return loosely
		case n.Obj().Pkg().Name() == "atomic":
			return counting
		case path == "sync" || strings.HasPrefix(path, "golang.org/x/sync/"):
			return firmly
		}
	}
	if isLocker(t) {
		return firmly
	}
	return notAtAll
}

// isLocker reports whether values of a type, or pointers to them, have the methods of a
// lock.
func isLocker(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	ms := types.NewMethodSet(t)
	for _, name := range []string{"Lock", "Unlock"} {
		m := ms.Lookup(nil, name)
		if m == nil {
			return false
		}
		if sig, ok := m.Type().(*types.Signature); !ok || sig.Params().Len() != 0 || sig.Results().Len() != 0 {
			return false
		}
	}
	return true
}

// maxPartDepth is how deep in the types of members synchronisation is looked for.
const maxPartDepth = 6

// syncIn is the kind of what lies in values of a type: in members, elements of arrays,
// slices and maps, and behind pointers to what synchronises by itself.
func (w *World) syncIn(t types.Type, depth int) syncKind {
	if k := primitive(t); k != notAtAll || depth > maxPartDepth {
		return k
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if _, named := types.Unalias(u.Elem()).(*types.Named); named {
			return primitive(u.Elem())
		}
		return w.syncIn(u.Elem(), depth+1)
	case *types.Slice:
		return w.syncIn(u.Elem(), depth+1)
	case *types.Array:
		return w.syncIn(u.Elem(), depth+1)
	case *types.Map:
		return max(w.syncIn(u.Key(), depth+1), w.syncIn(u.Elem(), depth+1))
	case *types.Chan:
		return loosely
	case *types.Struct:
		return w.syncOfMembers(t, u, depth)
	}
	return notAtAll
}

// syncOfMembers is syncIn for a struct. Channels in exported members, and in structs of
// libraries, are for others to use.
func (w *World) syncOfMembers(t types.Type, st *types.Struct, depth int) syncKind {
	n, named := types.Unalias(t).(*types.Named)
	foreign := named && !w.Own[n.Obj().Pkg()]
	k := notAtAll
	if named {
		k = w.syncOps(n.Obj().Pkg()).on[n.Origin()]
	}
	for f := range st.Fields() {
		m := w.syncIn(f.Type(), depth+1)
		if _, ch := f.Type().Underlying().(*types.Chan); m == loosely && (foreign || ch && f.Exported()) {
			continue
		}
		if n, ok := types.Unalias(f.Type()).(*types.Named); ok && m == counting && w.Own[n.Obj().Pkg()] {
			m = loosely
		}
		k = max(k, m)
	}
	return k
}

// syncOps are the operations that the functions of a package perform on what has no such
// type.
type syncOps struct {
	// on has the types with members that they are performed on, and those whose methods
	// start goroutines, or perform them on variables of the package.
	on map[*types.Named]syncKind
	// global: some are performed on variables of the package.
	global bool
	// starts: what is called may start functions that it is given; see helps.
	starts map[*ssa.Function]bool
}

// syncOps finds the operations of a package, once.
func (w *World) syncOps(p *types.Package) *syncOps {
	if o := w.operations[p]; o != nil {
		return o
	}
	o := &syncOps{on: map[*types.Named]syncKind{}, starts: map[*ssa.Function]bool{}}
	w.operations[p] = o
	sp := w.Prog.Package(p)
	if !w.Own[p] || sp == nil {
		return o
	}
	for _, f := range form.AllFunctions([]*ssa.Package{sp}) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				w.noteSync(o, f, in)
			}
		}
	}
	return o
}

// noteSync notes what one instruction does.
func (w *World) noteSync(o *syncOps, f *ssa.Function, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Send:
		o.note(f, in.Chan, loosely)
	case *ssa.Store:
		if w.functionSynchronises(in.Val) {
			o.note(f, in.Addr, loosely)
		}
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			o.note(f, in.X, loosely)
		}
	case *ssa.Select:
		for _, s := range in.States {
			o.note(f, s.Chan, loosely)
		}
	case *ssa.Go:
		o.noteMethod(f)
		o.noteGiven(f, in.Common().Value, in.Common().Args)
	case ssa.CallInstruction:
		c := in.Common()
		if b, ok := c.Value.(*ssa.Builtin); ok && b.Name() == "close" {
			o.note(f, c.Args[0], loosely)
		}
		if g := c.StaticCallee(); g != nil {
			w.noteSyncCall(o, f, g, c.Args)
		}
	}
}

// noteSyncCall notes what a call of a library function does.
func (w *World) noteSyncCall(o *syncOps, f, callee *ssa.Function, args []ssa.Value) {
	m := w.Models.Model(callee)
	if m == nil {
		if starts, known := o.starts[callee]; starts || !known && w.helps(o, callee) {
			w.noteHelped(o, f, args)
		}
		return
	}
	switch m.Op {
	case library.OpGo:
		o.noteMethod(f)
		if m.Fn < len(args) {
			o.noteGiven(f, args[m.Fn], nil)
		}
	case library.OpLock, library.OpUnlock, library.OpTryLock, library.OpOnce, library.OpCondWait, library.OpAdd, library.OpDone, library.OpWait:
		if len(args) > 0 {
			o.note(f, args[0], firmly)
		}
	case library.OpLoad, library.OpStore, library.OpSwap, library.OpCAS, library.OpUpdate:
		if len(args) > 0 {
			o.note(f, args[0], counting)
		}
	}
}

// helps reports whether a function may start a goroutine with a function that it is given:
// its caller is then as good as one that has the go statement.
func (w *World) helps(o *syncOps, callee *ssa.Function) bool {
	given := slices.ContainsFunc(form.ComponentTypes(callee.Signature.Params()), carriesFunctions)
	body := form.Body(callee)
	o.starts[callee] = given && len(body.Blocks) > 0 && w.startsGoroutines(body)
	return o.starts[callee]
}

// carriesFunctions reports whether a value is a function, or a slice of them.
func carriesFunctions(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// noteHelped notes that a function has others started as goroutines.
func (w *World) noteHelped(o *syncOps, f *ssa.Function, args []ssa.Value) {
	o.noteMethod(f)
	for _, a := range args {
		if carriesFunctions(a.Type()) {
			o.noteGiven(f, a, nil)
		}
	}
}

// synchronises reports whether an instruction is an operation that synchronises.
func (w *World) synchronises(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select, *ssa.Go:
		return true
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case ssa.CallInstruction:
		if b, ok := in.Common().Value.(*ssa.Builtin); ok {
			return b.Name() == "close"
		}
		g := in.Common().StaticCallee()
		if g == nil || w.Models.Model(g) == nil {
			return false
		}
		switch w.Models.Model(g).Op {
		case library.OpGo, library.OpLock, library.OpUnlock, library.OpTryLock, library.OpOnce, library.OpCondWait, library.OpAdd, library.OpDone, library.OpWait, library.OpLoad, library.OpStore, library.OpSwap, library.OpCAS, library.OpUpdate, library.OpPut, library.OpGet, library.OpRange:
			return true
		}
	}
	return false
}

// functionSynchronises reports whether a value is a function that synchronises: one of
// the package, or what sync.OnceFunc and its like return.
func (w *World) functionSynchronises(v ssa.Value) bool {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	if c, ok := v.(*ssa.ChangeType); ok {
		v = c.X
	}
	if c, ok := v.(*ssa.Call); ok {
		g := c.Call.StaticCallee()
		return g != nil && w.Models.Model(g) != nil && w.Models.Model(g).Op == library.OpOnceFunc
	}
	g := form.StaticFunc(v)
	return g != nil && g.Pkg != nil && form.WithinPackage(g, w.synchronises)
}

// noteGiven notes, in a constructor that starts a goroutine, the type that it makes,
// where the goroutine is given what it returns.
func (o *syncOps) noteGiven(f *ssa.Function, started ssa.Value, args []ssa.Value) {
	given := slices.Clone(args)
	if m, ok := started.(*ssa.MakeClosure); ok {
		given = append(given, m.Bindings...)
	}
	for _, v := range given {
		t := v.Type()
		for form.IsPointer(t) {
			t = form.Deref(t)
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && mentionsResult(f.Signature, n.Origin()) {
			o.on[n.Origin()] = max(o.on[n.Origin()], loosely)
		}
	}
}

// noteMethod notes that a function does something that orders or starts goroutines: its
// receiver has to do with several.
func (o *syncOps) noteMethod(f *ssa.Function) {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if r := f.Signature.Recv(); r != nil {
		if n, ok := types.Unalias(form.Deref(r.Type())).(*types.Named); ok {
			o.on[n.Origin()] = max(o.on[n.Origin()], loosely)
		}
	}
}

// note notes an operation on a value: on a member, by its address or by what it holds, or
// on a variable.
func (o *syncOps) note(f *ssa.Function, v ssa.Value, k syncKind) {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL && k == loosely {
		v = u.X
	}
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if n, ok := types.Unalias(form.Deref(x.X.Type())).(*types.Named); ok {
				o.on[n.Origin()] = max(o.on[n.Origin()], k)
				if k == counting { // what has that struct in it has counters
					k = loosely
				}
			}
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
			if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL { // the slice that a member holds
				v = u.X
			}
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Global:
			o.global = true
			o.noteMethod(f)
			return
		default:
			return
		}
	}
}
