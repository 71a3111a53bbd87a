package golang

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/world"
)

// The initialisations of packages run once each, one after the other: a package's begins
// with those of what it imports, unless they have run already. Where one thread begins,
// which call is the first of each initialisation is the same in all executions, since
// these calls are no part of loops or branches. So the first ones are made without a
// test, and the others left out. A branch on the guard would have a way around the
// initialisation, on which nobody has waited for the goroutines that it waits for.

// initCalls knows the calls of initialisations.
type initCalls struct {
	// begins are the initialisations that the thread calls itself.
	begins []*ssa.Function
	// first are the initialisations that run without a test.
	first map[*ssa.Function]bool
	// again are the calls of those that have run by then.
	again map[ssa.Instruction]bool
}

// findInitCalls follows the calls from where the only thread of an initialisation begins.
// Several programs in one have initialisations in orders of their own: these keep their
// tests.
func (l *lowering) findInitCalls(roots []world.Root) *initCalls {
	c := &initCalls{first: map[*ssa.Function]bool{}, again: map[ssa.Instruction]bool{}}
	main := slices.ContainsFunc(roots, func(r world.Root) bool { return r.Kind == world.MainRoot })
	tests := l.Exact || main && (len(roots) > 1 || len(l.once.Sites[roots[0].Fn]) > 0)
	if main && !tests {
		c.follow(l.InitOf(roots[0].Fn))
	}
	for _, r := range roots {
		f := r.Pkg.Func("init")
		if r.Kind == world.MainRoot || c.first[f] || slices.Contains(c.begins, f) {
			continue
		}
		c.begins = append(c.begins, f)
		if !tests {
			c.follow(f)
		}
	}
	return c
}

// follow notes the calls of a run of an initialisation that is the first one.
func (c *initCalls) follow(f *ssa.Function) {
	if f == nil {
		return
	}
	c.first[f] = true
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil || !isInitialisation(call.Call.StaticCallee()) {
				continue
			}
			if g := call.Call.StaticCallee(); c.first[g] {
				c.again[in] = true
			} else {
				c.follow(g)
			}
		}
	}
}

// isGuard reports whether a branch is on whether an initialisation has run that has not.
func (c *initCalls) isGuard(in *ssa.If) bool {
	return c.first[in.Parent()] && in.Block().Index == 0
}

func isInitialisation(f *ssa.Function) bool { return f.Synthetic == "package initializer" }
