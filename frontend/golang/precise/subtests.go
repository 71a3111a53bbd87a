package precise

import (
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Tests with subtests, exactly: what the methods of a testing.T do is said in package
// stdgo.

// EndsTest reports whether a call of f ends the test.
func EndsTest(f *ssa.Function) bool {
	switch library.Name(f) {
	case "runtime.Goexit", "(*testing.common).FailNow", "(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).Skip", "(*testing.common).SkipNow", "(*testing.common).Skipf":
		return true
	}
	return false
}

// InPlace reports whether a subtest, the argument of Run, surely neither ends itself, nor
// goes on beside others, nor leaves anything to be done at its end: it is called then,
// and needs no goroutine.
func (x *Fn) InPlace(p *irgen.Call) bool {
	var f *ssa.Function
	switch v := x.Argument(p, 2).(type) {
	case *ssa.MakeClosure:
		f = v.Fn.(*ssa.Function)
	case *ssa.Function:
		f = v
	default:
		return false
	}
	seen := map[*ssa.Function]bool{}
	var plain func(f *ssa.Function) bool
	plain = func(f *ssa.Function) bool {
		if seen[f] {
			return true
		}
		seen[f] = true
		for _, b := range form.Body(f).Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				g := c.Common().StaticCallee()
				switch _, builtin := c.Common().Value.(*ssa.Builtin); {
				case builtin:
				case g == nil, EndsTest(g), x.Bodies.GoesOn(g), !plain(g):
					return false
				}
			}
		}
		return true
	}
	return plain(f)
}

// endTest ends the test: what it has deferred runs.
func (x *Fn) endTest(elsewhere string) {
	if x.Unwinds != nil {
		x.Raise(irgen.Exits)
		return
	}
	if !x.isRoot() {
		x.Cut(elsewhere)
	}
	x.RunDefers()
	x.Stop("abort")
	x.Start(x.Block("dead"))
}

// IsSubtests reports whether there is more to the test that is run than its function.
func (l *Program) IsSubtests() bool {
	return l.Bodies != nil && l.Bodies.Pkg.Func("endTest") != nil && l.Expected[l.Bodies.Pkg.Func("endTest")]
}

// afterTest is what comes after the function of the test that is run.
func (x *Fn) afterTest(t irgen.Value) {
	if !x.IsSubtests() {
		return
	}
	if u := x.Unwinds; u != nil {
		x.WriteNum(u.State, irgen.Running)
	}
	x.CallFunc(x.Bodies.Pkg.Func("endTest"), t, nil)
	if u := x.Unwinds; u != nil {
		x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: u.Uncaught}})
	}
}
