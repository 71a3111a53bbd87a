package golang

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// What users may do before they use a library from several goroutines: switch something on, register something, set a member by a function. Exported functions and methods that are no entry
// points are called at the end of the initialisation, any number of times.

// setup lists the exported functions, and methods of types that users may have, that are not run otherwise and do something that lasts: users may call them before they use the
// package from several goroutines.
func (l *lowering) setup(pkgs []Package, roots []root) []*ssa.Function {
	run := map[*ssa.Function]bool{}
	for _, r := range roots {
		run[r.fn] = true
	}
	for _, fs := range l.ctors {
		for _, f := range fs {
			run[f] = true
		}
	}
	for _, f := range l.makerFuncs(roots) {
		run[f] = true
	}
	lasts := &lasting{l: l, of: map[*ssa.Function]bool{}, byName: map[string][]*ssa.Function{}}
	for _, f := range l.sources {
		if f.Signature.Recv() != nil {
			lasts.byName[f.Name()] = append(lasts.byName[f.Name()], f)
		}
	}
	for f := range run { // it is run with all that users may have
		lasts.of[f] = false
	}
	var out []*ssa.Function
	add := func(f *ssa.Function) {
		if f != nil && len(f.Blocks) > 0 && !run[f] && lasts.does(f) {
			run[f] = true
			out = append(out, f)
		}
	}
	for _, pkg := range pkgs {
		p := pkg.SSA
		if p.Pkg.Name() == "main" || internalPath.MatchString(p.Pkg.Path()) || l.bodies != nil && p == l.bodies.pkg { // users cannot call these
			continue
		}
		for _, n := range sortedKeys(p.Members) {
			switch m := p.Members[n].(type) {
			case *ssa.Function:
				if ast.IsExported(n) {
					add(m)
				}
			case *ssa.Type:
				named, ok := types.Unalias(m.Type()).(*types.Named)
				if !ok || types.IsInterface(named) || !ast.IsExported(n) && !l.handedOut(p, named).surely {
					continue
				}
				for _, r := range declaredMethods(p, named) {
					add(r.fn)
				}
			}
		}
	}
	return out
}

// internalPath matches the paths of packages that only the module itself can import.
var internalPath = regexp.MustCompile(`(^|/)internal(/|$)`)

// lasting tells which functions may leave something behind: they write what they have not made themselves, start goroutines, send, or give something to a library.
type lasting struct {
	l  *lowering
	of map[*ssa.Function]bool
	// byName are the methods of the program.
	byName map[string][]*ssa.Function
}

func (t *lasting) does(f *ssa.Function) bool {
	if yes, known := t.of[f]; known {
		return yes
	}
	t.of[f] = false // while it is looked for: recursion
	t.of[f] = t.looks(f)
	return t.of[f]
}

func (t *lasting) looks(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if a, ok := in.Addr.(*ssa.FieldAddr); !madeHere(in.Addr) && !(ok && exportedField(a)) {
					return true
				}
			case *ssa.MapUpdate:
				if !madeHere(in.Map) {
					return true
				}
			case *ssa.Go, *ssa.Send, *ssa.Select:
				return true
			case ssa.CallInstruction:
				if t.call(in.Common()) {
					return true
				}
			}
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Function); ok && len(g.Blocks) > 0 && t.does(g) {
					return true
				}
			}
		}
	}
	return false
}

// call reports whether a call of a method that is not known, or of a function without a body, may leave something behind.
func (t *lasting) call(c *ssa.CallCommon) bool {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy" || b.Name() == "close" // what append returns is stored somewhere
	}
	given := func() bool {
		return slices.ContainsFunc(c.Args, func(v ssa.Value) bool { return t.l.hasPointers(v.Type()) && !madeHere(v) })
	}
	f := c.StaticCallee()
	switch {
	case c.IsInvoke():
		return given() || slices.ContainsFunc(t.byName[c.Method.Name()], t.does)
	case f == nil: // a function of the program is looked at where it is mentioned; one of users gets what it is given
		_, param := c.Value.(*ssa.Parameter)
		return param && c.Value.Parent().Object() != nil && c.Value.Parent().Object().Exported() && given()
	}
	if len(body(f).Blocks) > 0 {
		return t.does(body(f))
	}
	o, ok := f.Object().(*types.Func)
	if !ok {
		return true
	}
	op := t.l.effectOf(o)
	if m := t.l.m.funcs[typeArgs.ReplaceAllString(o.FullName(), "")]; m != nil {
		op = m.Op
	}
	switch op {
	case "pure", "reads", "lock", "unlock", "load":
		return false
	}
	return given()
}

// exportedField reports whether users can write a member themselves.
func exportedField(a *ssa.FieldAddr) bool {
	st, ok := deref(a.X.Type()).Underlying().(*types.Struct)
	return ok && st.Field(a.Field).Exported()
}

// madeHere reports whether what a value leads to is a variable or object of the function that no other has yet.
func madeHere(v ssa.Value) bool {
	for range 20 {
		switch x := v.(type) {
		case *ssa.Const, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
			return true
		case *ssa.Alloc:
			return true
		case *ssa.FreeVar: // of a function that made this one
			b := binding(x)
			if b == nil {
				return false
			}
			v = b
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			if a, ok := x.X.(*ssa.Alloc); ok && slices.ContainsFunc(elementsOf(a), func(e ssa.Value) bool { return !madeHere(e) && !leadsNowhere(e) }) {
				return false
			}
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		default:
			return false
		}
	}
	return false
}

// elementsOf are the values that a function stores into the elements of an array of its own, as the arguments of a variadic call.
func elementsOf(a *ssa.Alloc) []ssa.Value {
	var out []ssa.Value
	for _, u := range uses(a) {
		if i, ok := u.(*ssa.IndexAddr); ok {
			for _, w := range uses(i) {
				if st, ok := w.(*ssa.Store); ok && st.Addr == ssa.Value(i) {
					out = append(out, st.Val)
				}
			}
		}
	}
	return out
}

// leadsNowhere reports whether a value, or what is in it if it is an interface, leads nowhere.
func leadsNowhere(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	_, ok := v.Type().Underlying().(*types.Basic)
	return ok
}

// setUp calls these functions, any number of times, with what users may have.
func (x *fn) setUp(fs []*ssa.Function) {
	if len(fs) == 0 {
		return
	}
	x.repeat(func() {
		after := x.block("set up")
		targets := []*ir.Block{after}
		for range fs {
			targets = append(targets, x.block("setting"))
		}
		x.jump(targets...)
		for i, f := range fs {
			x.start(targets[i+1])
			x.pos = x.lowering.pos(f.Pos())
			var args value
			for _, p := range f.Params {
				args = append(args, x.fromUser(p.Type())...)
			}
			x.handOut(x.callFunc(f, args, nil))
			x.jump(after)
		}
		x.start(after)
	})
}

// fromUser is a value that users of a library may have: of the types of receivers that is the receiver, of others what they made or got.
func (x *fn) fromUser(t types.Type) value {
	if g := x.receiverOf(t); g != nil {
		return value{ir.GlobalAddr{Global: g}}
	}
	user := x.external("user", nil)
	v := x.fromOutside(t, user)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && x.own[n.Obj().Pkg()] && n.TypeParams().Len() == 0 {
		if mem := x.lay.of(t).mem; mem.Size() > 0 && len(v) > 0 { // a copy of one that they have
			p := user(ir.Ptr{Elem: mem})
			dst := x.zeroed(t)
			x.assignAll(dst, v)
			x.when(not(isNil(p)), func() { x.assignAll(dst, x.load(t, p, ir.Plain)) })
			return useAll(dst)
		}
	}
	return v
}
