package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// Tests as programs: package testing runs the sequential tests of a package one after the
// other, and then the parallel ones at the same time. What it does is added to the
// package as a function in Go, which is the program's main function:
//
//	func runTests() {
//		TestOne(&testing.T{})
//		BenchmarkTwo(&testing.B{})
//		go TestThree(&testing.T{}) // which calls t.Parallel
//	}
//
// With a TestMain, that is called instead, and its m.Run() calls this function. A subtest
// that calls t.Parallel is started where it is made, but does not run beside the function
// that started it: it waits until that returns.

// laterTest is the model of a call that starts a function of a test which runs when its
// caller has returned, or while that waits; nil for others. Those are b.RunParallel, and
// t.Run of a subtest that calls t.Parallel, or is not known here.
func (x *fn) laterTest(p *irgen.Call) *library.Func {
	if x.Exact {
		return nil
	}
	m := &library.Func{Op: library.OpGo, Fn: 1, Kind: program.ParallelKind}
	switch library.Name(p.Fn) {
	case "(*testing.common).Cleanup":
		x.p.Assume("callback", x.Pos, "a function that ends a test runs where it is registered: goroutines that outlive the test do not access what it does")
	case "(*testing.B).RunParallel":
		m.Many = true
		return m
	case "(*testing.T).Run":
		m.Fn = 2
		if f := form.StaticFunc(p.CC.Args[2]); f == nil || parallel(f, 3) {
			return m
		}
	}
	return nil
}

// parallel reports whether a function calls Parallel of a test, by itself or in functions
// that it calls with one.
func parallel(f *ssa.Function, depth int) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok || c.Common().StaticCallee() == nil {
				continue
			}
			g := c.Common().StaticCallee()
			if library.Name(g) == "(*testing.T).Parallel" {
				return true
			}
			takes := slices.ContainsFunc(c.Common().Args, func(a ssa.Value) bool { return types.TypeString(a.Type(), nil) == "*testing.T" })
			if takes && depth > 0 && parallel(g, depth-1) {
				return true
			}
		}
	}
	return false
}

// waitingTests excludes pairs of what starts a function of a test and that function,
// where it runs once: parallel tests wait until who started them has returned; a
// benchmark waits for what it runs in parallel.
func (l *lowering) waitingTests() {
	starts := map[*ir.Func][]spawned{}
	for _, s := range l.spawns {
		if s.fn != nil {
			starts[s.fn] = append(starts[s.fn], s)
		}
	}
	waits := func(s spawned) bool {
		return s.kind == program.ParallelKind || s.site != nil && s.site.Parent() == program.TestRoot(s.site.Parent().Pkg) || s.site != nil && s.site.Parent().Name() == program.TestsFunc
	}
	for _, e := range l.p.Entries {
		for _, o := range l.p.Entries {
			by := starts[o.Func]
			if e == o || e.Multi || len(by) == 0 || slices.ContainsFunc(by, func(s spawned) bool { return !waits(s) }) {
				continue
			}
			own := e.Kind == "main" && e.Name == program.TestsName // in which all sequential tests run
			if own || !slices.ContainsFunc(by, func(s spawned) bool { return !l.startedBy(s, e) }) {
				l.p.Exclusions = append(l.p.Exclusions, ir.Exclusion{A: e.Name, B: o.Name, Reason: "a parallel test waits until the function that started it has returned"})
			}
		}
	}
}

// startedBy reports whether an entry point's own function contains the call that starts
// something.
func (l *lowering) startedBy(s spawned, e *ir.Entry) bool {
	if s.site == nil || e.Func == nil {
		return false
	}
	f := l.funcs[s.site.Parent()]
	return f != nil && ir.PlainName(f.Name) == ir.PlainName(e.Func.Name)
}
