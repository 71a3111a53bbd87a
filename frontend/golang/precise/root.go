package precise

import (
	"errors"
	"fmt"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/program"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// SetExact makes the lowering an exact one where a root is named.
func (l *Program) SetExact() { l.Exact, l.lay.Exact = l.Root != "", l.Root != "" }

// ExactRoot finds the function that is to be run.
func (l *Program) ExactRoot(pkgs []program.Package) ([]world.Root, error) {
	var found []world.Root
	var names []string
	for _, pkg := range pkgs {
		if !pkg.Given {
			continue
		}
		for n, m := range pkg.SSA.Members {
			f, ok := m.(*ssa.Function)
			if !ok || f.Synthetic != "" || !runnable(f, pkg.SSA.Pkg.Name()) {
				continue
			}
			if n == l.Root {
				found = append(found, world.Root{Fn: f, Kind: world.MainRoot, Pkg: pkg.SSA})
			}
			names = append(names, n)
		}
	}
	switch len(found) {
	case 1:
		return found, nil
	case 0:
		return nil, rootError(l.Root, names)
	}
	var in []string
	for _, r := range found {
		in = append(in, r.Pkg.Pkg.Path())
	}
	sort.Strings(in)
	return nil, fmt.Errorf("there is a function %s in several packages: %s; name one of them", l.Root, strings.Join(in, ", "))
}

// runnable reports whether a function can be run by itself: main, a test, or one without
// parameters that is not a method.
func runnable(f *ssa.Function, pkg string) bool {
	sig := f.Signature
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || len(f.Blocks) == 0 || strings.HasPrefix(f.Name(), "init#") || f.Name() == "main" && pkg != "main" {
		return false
	}
	return sig.Params().Len() == 0 || isTest(f)
}

// isTest reports whether a function is a test.
func isTest(f *ssa.Function) bool {
	p := f.Signature.Params()
	return strings.HasPrefix(f.Name(), "Test") && p.Len() == 1 && types.TypeString(p.At(0).Type(), nil) == "*testing.T"
}

// ErrRoot: the root is not a function that can be run.
var ErrRoot = errors.New("there is no such function that can be run")

// rootError says which functions can be run; tests first, at most 20.
func rootError(name string, names []string) error {
	sort.Slice(names, func(i, j int) bool {
		a, b := strings.HasPrefix(names[i], "Test"), strings.HasPrefix(names[j], "Test")
		return a && !b || a == b && names[i] < names[j]
	})
	if len(names) == 0 {
		return fmt.Errorf("%s: %w, nor any other: bmc runs main, a test, or a function without parameters", name, ErrRoot)
	}
	rest := ""
	if n := len(names) - 20; n > 0 {
		names, rest = names[:20], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("%s: %w; name one with --root: %s%s", name, ErrRoot, strings.Join(names, ", "), rest)
}

// ExactEntry makes the entry: a function that initialises the packages and runs the root.
func (l *Program) ExactEntry(r world.Root) {
	f := &ir.Func{Name: l.Unique("run " + r.Fn.Name()), Result: ir.Void{}, Pos: l.Pos(r.Fn.Pos())}
	l.p.Funcs = append(l.p.Funcs, f)
	x := l.newFn(f)
	x.Pos = f.Pos
	x.Start(x.Block("entry"))
	if l.Bodies != nil {
		x.CallFunc(l.Bodies.Pkg.Func("init"), nil, nil)
	}
	if init := r.Pkg.Func("init"); init != nil && l.InitOf(r.Fn) == nil {
		x.CallFunc(init, nil, nil)
	}
	var args irgen.Value
	for _, t := range form.ParamTypes(r.Fn.Signature) { // of a test
		pt := l.lay.Of(t).Leaves[0].T.(ir.Ptr)
		mem := irgen.Sized(pt.Elem)
		reg := x.Temp(ir.Ptr{Elem: mem})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: reg, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: "t"})
		args = append(args, irgen.Typed(ir.Use{Reg: reg}, pt))
	}
	x.Quietly(func() { x.CallFunc(r.Fn, args, nil) })
	if u := l.Unwinds; u != nil {
		x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: u.Uncaught}})
		if !isTest(r.Fn) {
			x.When(irgen.Bin("eq", x.Read(u.State), ir.IntConst(ir.U8, irgen.Exits)), func() { x.Cut("the end of the main goroutine by runtime.Goexit") })
		}
	}
	if isTest(r.Fn) {
		x.afterTest(args)
	}
	x.GiveBack(nil)
	x.Prune()
	l.p.Entries = append(l.p.Entries, &ir.Entry{Name: r.Fn.Name(), Func: f, Pos: f.Pos, Kind: "main"})
}
