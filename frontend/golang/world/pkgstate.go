package world

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// The state of a program's packages: variables that functions change. A function that
// returns a value of the package and uses such a variable, as a registry or a pool, is
// no mere constructor: users call it from several goroutines, as they do the others of a
// package with a lock. Methods that use one share memory, whatever their receivers are.
//
// What a run may enter is overestimated: all functions that are named there, all methods
// that a call through an interface may mean, and all function values of a signature.

// usesState reports whether a run of a function may use a variable of the program's
// packages that is changed after the initialisation.
func (w *World) usesState(f *ssa.Function) bool {
	if w.stateful == nil {
		w.findStateful()
	}
	return w.stateful[form.Body(f)]
}

// findStateful finds the functions that use state themselves, then all that may enter one
// of these.
func (w *World) findStateful() {
	state := w.state()
	callers := map[*ssa.Function][]*ssa.Function{}
	w.stateful = map[*ssa.Function]bool{}
	var work []*ssa.Function
	found := func(f *ssa.Function) {
		if !w.stateful[f] {
			w.stateful[f] = true
			work = append(work, f)
		}
	}
	for _, f := range w.Sources {
		entered := func(gs ...*ssa.Function) {
			for _, g := range gs {
				callers[form.Body(g)] = append(callers[form.Body(g)], f)
			}
		}
		eachInstruction(f, func(in ssa.Instruction) {
			for _, op := range in.Operands(nil) {
				switch v := (*op).(type) {
				case *ssa.Global:
					if state[v] {
						found(f)
					}
				case *ssa.Function:
					entered(v)
				}
			}
			c, ok := in.(ssa.CallInstruction)
			switch {
			case !ok || c.Common().StaticCallee() != nil:
			case c.Common().IsInvoke():
				entered(w.methodsLike(c.Common().Method)...)
			case !form.BuiltinValue(c.Common().Value):
				entered(w.valuesLike(c.Common().Signature())...)
			}
		})
	}
	spread := func() {
		for len(work) > 0 {
			f := work[len(work)-1]
			work = work[:len(work)-1]
			for _, g := range callers[f] {
				found(g)
			}
		}
	}
	spread()
	kept := w.keptByLibraries()
	if w.librariesMayRun(kept) {
		for _, f := range w.Sources {
			if givesMethods(f, kept) {
				found(f)
			}
		}
		spread()
	}
}

// keptByLibraries reports whether a function that uses state is put into an object of a
// library, as the New of a sync.Pool: what is called with such an object may run it.
func (w *World) keptByLibraries() bool {
	keeps := func(f *ssa.Function) bool {
		kept := false
		eachInstruction(f, func(in ssa.Instruction) {
			st, ok := in.(*ssa.Store)
			if !ok {
				return
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok {
				return
			}
			n, ok := types.Unalias(form.Deref(fa.X.Type())).(*types.Named)
			if !ok || w.Own[n.Obj().Pkg()] {
				return
			}
			v := st.Val
			if c, is := v.(*ssa.ChangeType); is {
				v = c.X
			}
			if m, is := v.(*ssa.MakeClosure); is {
				v = m.Fn
			}
			g, known := v.(*ssa.Function)
			_, code := v.Type().Underlying().(*types.Signature)
			kept = kept || code && (!known || w.stateful[form.Body(g)])
		})
		return kept
	}
	return slices.ContainsFunc(w.Sources, keeps)
}

// librariesMayRun reports whether a library may run a function that uses state: it is a
// value, or a method of a type of which values are in interfaces. kept: it was given one.
func (w *World) librariesMayRun(kept bool) bool {
	if kept {
		return true
	}
	for f := range w.stateful {
		if f.Signature.Recv() == nil {
			continue
		}
		if n, ok := types.Unalias(form.Deref(f.Signature.Recv().Type())).(*types.Named); ok && ast.IsExported(f.Name()) && w.isBoxed(n) {
			return true
		}
	}
	return false
}

// givesMethods reports whether a function calls one of a library that may call methods of
// values that it is given, or was given before. kept: or functions in its objects.
func givesMethods(f *ssa.Function, kept bool) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				return false
			}
			g := c.Common().StaticCallee()
			return g != nil && len(form.Body(g).Blocks) == 0 && slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool {
				return carriesCode(v.Type(), 0) || form.IsPointer(v.Type()) &&
					(!form.IsSyncType(form.Deref(v.Type())) || kept && form.Key(form.Deref(v.Type())) == "sync.Pool")
			})
		})
	})
}

// recurs reports whether a function may run again within its own run.
func (w *World) recurs(f *ssa.Function) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	r, known := w.recursive[f]
	if !known {
		if w.recursive == nil {
			w.recursive = map[*ssa.Function]bool{}
		}
		w.recursive[f] = false
		var callees []*ssa.Function
		work := []*ssa.Function{f}
		for i := 0; i < len(work); i++ {
			work = append(work, work[i].AnonFuncs...)
			eachInstruction(work[i], func(in ssa.Instruction) {
				for _, op := range in.Operands(nil) {
					if h, ok := (*op).(*ssa.Function); ok && h.Parent() == nil {
						callees = append(callees, h)
					}
				}
				if c, ok := in.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
					callees = append(callees, w.methodsLike(c.Common().Method)...)
				}
			})
		}
		r = slices.Contains(w.mayRun(callees...), f)
		w.recursive[f] = r
	}
	return r
}

// methodsLike lists the program's methods that a call of a method of an interface may run:
// those of its name.
func (w *World) methodsLike(m *types.Func) []*ssa.Function {
	if w.methodsNamed == nil {
		w.methodsNamed = map[string][]*ssa.Function{}
		for _, f := range w.Sources {
			if f.Signature.Recv() != nil {
				w.methodsNamed[f.Name()] = append(w.methodsNamed[f.Name()], f)
			}
		}
	}
	return w.methodsNamed[m.Name()]
}

// valuesLike lists the functions that are values of a signature.
func (w *World) valuesLike(sig *types.Signature) []*ssa.Function {
	w.findValues()
	return w.functionValues[form.Key(form.PlainSignature(sig))]
}

// isValue reports whether a function is a value, or bound to a receiver is one.
func (w *World) isValue(f *ssa.Function) bool {
	w.findValues()
	return w.valueObjects[f.Object()]
}

// findValues finds the functions that are values: by signature, and what they are of.
func (w *World) findValues() {
	if w.functionValues == nil {
		w.valueObjects = map[types.Object]bool{}
		w.functionValues = map[string][]*ssa.Function{}
		seen := map[*ssa.Function]bool{}
		for _, f := range w.Sources {
			eachInstruction(f, func(in ssa.Instruction) {
				c, call := in.(ssa.CallInstruction)
				for _, op := range in.Operands(nil) {
					g, ok := (*op).(*ssa.Function)
					if m, is := in.(*ssa.MakeClosure); is && op == &m.Fn {
						ok = ok && !calledHere(m)
					}
					if !ok || seen[g] || call && op == &c.Common().Value {
						continue
					}
					seen[g] = true
					k := form.Key(form.PlainSignature(g.Signature))
					w.functionValues[k] = append(w.functionValues[k], g)
					w.valueObjects[g.Object()] = true
				}
			})
		}
	}
}

// state lists the variables of the program's packages that are changed by its functions,
// or may be: those that are only read are left out.
func (w *World) state() map[*ssa.Global]bool {
	if w.changing != nil {
		return w.changing
	}
	w.changing = map[*ssa.Global]bool{}
	for _, f := range w.Sources {
		if f.Name() == "init" && f.Parent() == nil && f.Signature.Recv() == nil {
			continue
		}
		eachInstruction(f, func(in ssa.Instruction) {
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Global); ok && w.changes(g, in) {
					w.changing[g] = true
				}
			}
		})
	}
	return w.changing
}

// changes reports whether an instruction may change what a variable is or leads to.
func (w *World) changes(g *ssa.Global, in ssa.Instruction) bool {
	if !w.Own[g.Pkg.Pkg] { // that it is used says nothing, that it is set does
		fa, member := in.(*ssa.FieldAddr)
		st, stored := in.(*ssa.Store)
		load, loaded := in.(*ssa.UnOp)
		switch {
		case stored:
			return st.Addr == g
		case member:
			return !form.OnlyReadAt(fa)
		case loaded:
			return slices.ContainsFunc(form.Uses(load), func(r ssa.Instruction) bool {
				switch r := r.(type) {
				case *ssa.FieldAddr:
					return !form.OnlyReadAt(r)
				case *ssa.IndexAddr:
					return !form.OnlyReadAt(r)
				case *ssa.MapUpdate:
					return r.Map == load
				}
				return false
			})
		}
		return false
	}
	t := form.Deref(g.Type())
	return !w.onlyLooks(in, g, 0) && (!form.IsSyncType(t) || holdsObjects(t))
}

// holdsObjects reports whether a type of package sync or atomic keeps objects for others.
func holdsObjects(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && (n.TypeArgs().Len() > 0 || slices.Contains([]string{"Value", "Map", "Pool"}, n.Obj().Name()))
}

// onlyLooks reports whether an instruction only reads what is at an address, or in a map
// or slice.
func (w *World) onlyLooks(in ssa.Instruction, v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	follow := func(x ssa.Value) bool {
		for _, r := range form.Uses(x) {
			if !w.onlyLooks(r, x, depth+1) {
				return false
			}
		}
		return true
	}
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return true
	case *ssa.UnOp:
		if isCopied(in.Type()) {
			return true
		}
		return in.Op == token.MUL && follow(in)
	case *ssa.FieldAddr:
		return follow(in)
	case *ssa.IndexAddr:
		return in.X == v && follow(in)
	case *ssa.Field:
		return follow(in)
	case *ssa.Lookup:
		return in.X != v || isCopied(in.Type()) || follow(in)
	case *ssa.Extract:
		return isCopied(in.Type()) || follow(in)
	case *ssa.Range:
		return follow(in)
	case *ssa.Next:
		return follow(in)
	case *ssa.MakeInterface, *ssa.TypeAssert:
		return w.isError(in.(ssa.Value))
	case *ssa.Return, *ssa.Phi:
		return w.isError(v)
	case *ssa.Store:
		return in.Addr != v && w.isError(v)
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap") || w.isError(v)
	}
	return false
}

// isError reports whether a value is an error, and what is behind errors never changes.
func (w *World) isError(v ssa.Value) bool { return form.IsErrorValue(v) && !w.errorsChange() }

// errorsChange reports whether the program sets members of its errors after they were made.
func (w *World) errorsChange() bool {
	if w.errorChanges == nil {
		is := func(t types.Type) bool {
			it := form.ErrorType.Underlying().(*types.Interface)
			return types.Implements(t, it) || types.Implements(types.NewPointer(t), it)
		}
		found := slices.ContainsFunc(w.Sources, func(f *ssa.Function) bool {
			return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
				return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
					switch in := in.(type) {
					case *ssa.FieldAddr:
						return is(form.Deref(in.X.Type())) && !form.OnlyReadAt(in) && !form.JustMade(in.X)
					case *ssa.Store:
						return is(in.Val.Type()) && !types.IsInterface(in.Val.Type()) &&
							!form.IsPointer(in.Val.Type()) && !form.JustMade(in.Addr)
					}
					return false
				})
			})
		})
		w.errorChanges = &found
	}
	return *w.errorChanges
}

// isCopied reports whether a value of a type is a copy that leads nowhere.
func isCopied(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}
