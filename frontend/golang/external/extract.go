package external

import (
	"go/types"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// Library says what functions of the standard library start.
type Library interface {
	// Starts returns the parameter, from 0, the receiver included, that a function starts
	// as a goroutine, or the field of the receiver ("*": all), or false. The name is as
	// (*net/http.Server).Serve.
	Starts(name string) (param int, field string, ok bool)
	// Reflects reports whether functions of a package look into values of any type: they
	// print or encode them.
	Reflects(path string) bool
}

// extract finds the facts of a package that is built.
func extract(pkg *ssa.Package, lib Library, standard func(string) bool) *Package {
	x := &extraction{pkg: pkg, lib: lib, standard: standard, boxed: map[types.Type]bool{},
		out: &Package{Path: pkg.Pkg.Path(), Funcs: map[string]*Func{}, Boxes: map[Key][]Ref{}}}
	for _, m := range pkg.Members {
		switch m := m.(type) {
		case *ssa.Function:
			x.function(m)
		case *ssa.Type:
			if n, ok := types.Unalias(m.Type()).(*types.Named); ok && !types.IsInterface(n) {
				for i := range n.NumMethods() {
					x.function(pkg.Prog.FuncValue(n.Method(i)))
				}
			}
		}
	}
	for _, rs := range x.out.Boxes {
		slices.Sort(rs)
	}
	return x.out
}

type extraction struct {
	pkg      *ssa.Package
	lib      Library
	standard func(path string) bool
	boxed    map[types.Type]bool
	out      *Package
}

var typeArgs = regexp.MustCompile(`\[[^\[\]]*\]`)

// FuncName is the name of a function in facts.
func FuncName(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	name := f.RelString(nil)
	for typeArgs.MatchString(name) {
		name = typeArgs.ReplaceAllString(name, "")
	}
	return name
}

// RefOf is the reference to a function, and false where it belongs to no package.
func RefOf(f *ssa.Function) (Ref, bool) {
	if o := f.Origin(); o != nil {
		f = o
	}
	if p := packageOf(f); p != nil {
		return ref(p.Path(), FuncName(f)), true
	}
	return "", false
}

func packageOf(f *ssa.Function) *types.Package {
	switch {
	case f.Pkg != nil:
		return f.Pkg.Pkg
	case f.Object() != nil && f.Object().Pkg() != nil:
		return f.Object().Pkg()
	case f.Parent() != nil:
		return packageOf(f.Parent())
	}
	return nil
}

// declared is the function for which a wrapper or a method value stands: it has the body.
func (x *extraction) declared(f *ssa.Function) *ssa.Function {
	if o := f.Origin(); o != nil {
		f = o
	}
	if f.Synthetic == "" || f.Object() == nil {
		return f
	}
	if m, ok := f.Object().(*types.Func); ok {
		if g := x.pkg.Prog.FuncValue(m.Origin()); g != nil {
			return g
		}
	}
	return f
}

// function finds the facts of a function, and of the closures in it.
func (x *extraction) function(f *ssa.Function) {
	if f == nil {
		return
	}
	out := &Func{Nodes: map[string]*Node{}}
	x.out.Funcs[FuncName(f)] = out
	t := &tracer{x: x, f: f, out: out, closures: map[ssa.Value]string{}, funcs: map[*ssa.Function]string{}}
	if len(f.Blocks) == 0 { // assembly, say: it may do anything to what it is given
		for i, p := range paramTypes(f.Signature) {
			if carries(p) {
				out.Nodes[param(i)] = &Node{Bits: All, Keys: FuncKeys(p)}
			}
		}
		return
	}
	t.values()
	for i, p := range f.Params {
		if carries(p.Type()) {
			t.node(param(i), FuncKeys(p.Type()), p)
		}
	}
	for i, v := range f.FreeVars {
		if carries(v.Type()) {
			t.node("f"+strconv.Itoa(i), FuncKeys(v.Type()), v)
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			t.instr(in)
		}
	}
	out.Dyn, out.GoDyn = sorted(out.Dyn), sorted(out.GoDyn)
	out.Calls, out.Starts = sorted(out.Calls), sorted(out.Starts)
	for _, a := range f.AnonFuncs {
		x.function(a)
	}
}

func param(i int) string { return "p" + strconv.Itoa(i) }

func sorted[T ~string](s []T) []T {
	slices.Sort(s)
	return slices.Compact(s)
}

func paramTypes(sig *types.Signature) []types.Type {
	var out []types.Type
	if r := sig.Recv(); r != nil {
		out = append(out, r.Type())
	}
	for i := range sig.Params().Len() {
		out = append(out, sig.Params().At(i).Type())
	}
	return out
}

// box notes that values of a type are put into interfaces.
func (x *extraction) box(t types.Type) {
	if x.boxed[t] {
		return
	}
	x.boxed[t] = true
	for _, m := range Methods(t) {
		if !slices.Contains(x.out.Boxes[m.Key], m.Ref) {
			x.out.Boxes[m.Key] = append(x.out.Boxes[m.Key], m.Ref)
		}
	}
}

// Method is a function that a call of a key may be of.
type Method struct {
	Key Key
	Ref Ref
}

// Methods lists the methods of a type. Those of a function type, such as
// http.HandlerFunc, also call the function: then the name of Ref is a key, without a
// package.
func Methods(t types.Type) []Method {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok || types.IsInterface(t) {
		return nil
	}
	var out []Method
	sig, isFunc := t.Underlying().(*types.Signature)
	ms := types.NewMethodSet(t)
	for i := range ms.Len() {
		m, ok := ms.At(i).Obj().(*types.Func)
		if !ok || m.Pkg() == nil {
			continue
		}
		if isFunc {
			out = append(out, Method{MethodKey(m), ref("", string(FuncKey(sig)))})
		}
		// calls of those are seen as such
		if recv := m.Origin().Type().(*types.Signature).Recv().Type(); !types.IsInterface(recv) {
			out = append(out, Method{MethodKey(m), ref(m.Pkg().Path(), methodName(m))})
		}
	}
	return out
}

// methodName is the name that package ssa gives to the function of a method.
func methodName(m *types.Func) string {
	name := "(" + types.TypeString(m.Origin().Type().(*types.Signature).Recv().Type(), nil) + ")." + m.Name()
	for typeArgs.MatchString(name) {
		name = typeArgs.ReplaceAllString(name, "")
	}
	return name
}
