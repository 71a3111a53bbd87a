package world

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// What starts goroutines before users call anything. Rule: a package is a program of its
// own, with its initialisation as an entry, where the initialisation may start something:
// it may execute a go statement, or give a function, or a value with methods, to a library
// that may run it later. Argument: what may run is overestimated. It is all functions with
// bodies that are named there or in what is named there, and, at a call through an
// interface, all methods of that name. A call of a function value calls one that is named
// somewhere, or one that users gave; these come later than the initialisation.
//
// Users run beside such goroutines. One of them alone may read what they write. So the
// exported functions and methods that name a variable which goroutines may change, or
// which they may read and others change, are called at the end of the initialisation, as
// those are that leave something behind (setup.go): the goroutines run then.

// initStarts reports whether the initialisation of a package, with that of those which it
// imports, may start something.
func (w *World) initStarts(p *ssa.Package) bool {
	return p.Func("init") != nil && slices.ContainsFunc(w.mayRun(p.Func("init")), w.starts)
}

// mayRun lists the functions with bodies that a run of some may enter, themselves
// included, also in other goroutines.
func (w *World) mayRun(fs ...*ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	seen := map[*ssa.Function]bool{}
	add := func(f *ssa.Function) {
		if f = form.Body(f); len(f.Blocks) > 0 && !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	for _, f := range fs {
		add(f)
	}
	for i := 0; i < len(out); i++ {
		for _, f := range w.named(out[i]) {
			add(f)
		}
	}
	return out
}

// named lists the functions that one names, and the methods that it may call through
// interfaces, each once.
func (w *World) named(f *ssa.Function) []*ssa.Function {
	if out, known := w.names[f]; known {
		return out
	}
	var out []*ssa.Function
	seen := map[*ssa.Function]bool{}
	add := func(g *ssa.Function) {
		if !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	invoked := map[string]bool{} // methodsLike goes by name
	var buf [8]*ssa.Value
	eachInstruction(f, func(in ssa.Instruction) {
		for _, op := range in.Operands(buf[:0]) {
			if g, ok := (*op).(*ssa.Function); ok {
				add(g)
			}
		}
		if c, ok := in.(ssa.CallInstruction); ok && c.Common().IsInvoke() && !invoked[c.Common().Method.Name()] {
			invoked[c.Common().Method.Name()] = true
			for _, m := range w.methodsLike(c.Common().Method) {
				add(m)
			}
		}
	})
	if w.names == nil {
		w.names = map[*ssa.Function][]*ssa.Function{}
	}
	w.names[f] = out
	return out
}

func eachInstruction(f *ssa.Function, do func(ssa.Instruction)) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			do(in)
		}
	}
}

// starts reports whether a function by itself starts something, or may have a library do
// so.
func (w *World) starts(f *ssa.Function) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, w.startsAt) })
}

// startsAt is starts for an instruction.
func (w *World) startsAt(in ssa.Instruction) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if _, is := in.(*ssa.Go); is {
		return true
	}
	f := c.Common().StaticCallee()
	var o *types.Func
	switch {
	case c.Common().IsInvoke():
		o = c.Common().Method
	case f == nil || len(form.Body(f).Blocks) > 0:
		return false
	default:
		o, _ = f.Object().(*types.Func)
	}
	if o == nil || w.Own[o.Pkg()] {
		return false
	}
	var op library.Op
	if m := w.Models.ByName(library.MethodName(o)); m != nil {
		op = m.Op
	} else {
		op = w.Models.EffectOf(o)
	}
	switch op {
	case library.OpGo, library.OpUnknown:
		return true
	case library.OpTouch, library.OpOthers:
		return slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool { return carriesCode(v.Type(), 0) })
	}
	return false
}

// carriesCode reports whether values of a type are functions, or have methods that a
// library may call, or consist of such.
func carriesCode(t types.Type, depth int) bool {
	if depth > MaxStarted {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() && carriesCode(f.Type(), depth+1) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return carriesCode(u.Elem(), depth+1)
	}
	return false
}

// besideGoroutines finds the places that goroutines, or what starts them, may write, and
// the variables of packages that they may use, and that functions change: those of all
// packages where it is not known which functions a goroutine calls.
func (w *World) besideGoroutines() *places {
	out := newPlaces()
	changed := w.state()
	var starters []*ssa.Function
	for _, f := range w.Sources {
		if w.starts(f) {
			starters = append(starters, f)
		}
	}
	run := w.mayRun(starters...)
	anything := slices.ContainsFunc(run, callsAnything)
	if anything {
		run = w.Sources
	}
	for _, f := range run {
		out.addWritten(w, f)
		for g := range globalsOf(f) {
			if changed[g] {
				out.vars[g] = true
			}
		}
	}
	if anything {
		out.vars = changed
	}
	return out
}

// SeenAtStart lists what users may read by themselves while goroutines of the
// initialisation may write it: exported members, by their structs, and exported variables.
func (w *World) SeenAtStart(roots []Root) (members map[*types.Named][]int, vars []*ssa.Global) {
	members = map[*types.Named][]int{}
	for _, r := range roots {
		if r.Kind != InitRoot {
			continue
		}
		written, stored := newPlaces(), map[*ssa.Global]bool{}
		for _, f := range w.mayRun(r.Fn) {
			if f.Synthetic == "package initializer" {
				continue
			}
			written.addWritten(w, f)
			for g := range globalsOf(f) {
				stored[g] = true
			}
		}
		for _, n := range form.SortedKeys(r.Pkg.Members) {
			switch m := r.Pkg.Members[n].(type) {
			case *ssa.Global:
				if ast.IsExported(n) && stored[m] && !form.IsSyncType(form.Deref(m.Type())) {
					vars = append(vars, m)
				}
			case *ssa.Type:
				named, ok := types.Unalias(m.Type()).(*types.Named)
				if !ok {
					continue
				}
				st, ok := named.Underlying().(*types.Struct)
				for i := 0; ok && i < st.NumFields(); i++ {
					if f := st.Field(i); f.Exported() && (written.members[f.Origin()] || written.contents(f.Type())) {
						members[named] = append(members[named], i)
					}
				}
			}
		}
	}
	return members, vars
}

// callsAnything reports whether a function calls function values.
func callsAnything(f *ssa.Function) bool {
	found := false
	eachInstruction(f, func(in ssa.Instruction) {
		c, ok := in.(ssa.CallInstruction)
		found = found || ok && c.Common().StaticCallee() == nil && !c.Common().IsInvoke() && !form.BuiltinValue(c.Common().Value)
	})
	return found
}

// globalsOf visits the variables of packages that a function names.
func globalsOf(f *ssa.Function) iter.Seq[*ssa.Global] {
	return func(yield func(*ssa.Global) bool) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok && !yield(g) {
						return
					}
				}
			}
		}
	}
}

// uses reports whether a run of a function may use one of some places. A function value
// that it calls may be any function that is a value.
func (w *World) uses(f *ssa.Function, p *places) bool {
	if p.none() {
		return false
	}
	run := w.mayRun(f)
	if slices.ContainsFunc(run, callsAnything) {
		run = w.mayRun(append(w.valuesOfAll(), f)...)
	}
	return slices.ContainsFunc(run, func(g *ssa.Function) bool { return p.readBy(w, g) })
}

// valuesOfAll lists the functions of the program that are used as values.
func (w *World) valuesOfAll() []*ssa.Function {
	if w.allValues == nil {
		w.allValues = []*ssa.Function{}
		for _, f := range w.Sources {
			eachInstruction(f, func(in ssa.Instruction) {
				c, call := in.(ssa.CallInstruction)
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Function); ok && !(call && op == &c.Common().Value) {
						w.allValues = append(w.allValues, g)
					}
				}
			})
		}
	}
	return slices.Clone(w.allValues)
}
