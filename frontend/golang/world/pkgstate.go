package world

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// The state of a program's packages: variables that functions change. A function that
// returns a value of the package and uses such a variable, as the Get of a registry, is
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
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, g := range callers[f] {
			found(g)
		}
	}
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
				if g, ok := (*op).(*ssa.Global); ok && w.Own[g.Pkg.Pkg] && !onlyLooks(in, g, 0) && !form.IsSyncType(form.Deref(g.Type())) {
					w.changing[g] = true
				}
			}
		})
	}
	return w.changing
}

// onlyLooks reports whether an instruction only reads what is at an address, or in a map
// or slice.
func onlyLooks(in ssa.Instruction, v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	follow := func(w ssa.Value) bool {
		for _, r := range form.Uses(w) {
			if !onlyLooks(r, w, depth+1) {
				return false
			}
		}
		return true
	}
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return true
	case *ssa.UnOp:
		if _, basic := in.Type().Underlying().(*types.Basic); basic {
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
		return form.IsErrorValue(in.(ssa.Value))
	case *ssa.Return, *ssa.Phi:
		return form.IsErrorValue(v)
	case *ssa.Store:
		return in.Addr != v && form.IsErrorValue(v)
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap") || form.IsErrorValue(v)
	}
	return false
}

// isCopied reports whether a value of a type is a copy that leads nowhere.
func isCopied(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}
