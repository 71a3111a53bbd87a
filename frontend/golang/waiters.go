package golang

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// Where a WaitGroup is waited for: in the function that counts and starts, in one that it
// calls or defers, or in a goroutine in its place (see fanin.go).
//
//	defer func() { cancel(); wg.Wait(); fmt.Println(n) }()
//
// Functions that run in the thread of home alone, called or deferred by it, wait as home
// itself does: while one runs, home starts nothing. Such a function holds the group's token
// from its wait to its end. If it has waited on all ways to its end, home takes the token
// when it comes back.

// waitsFor looks where a group is waited for, and reports whether that is known.
func (t *tokens) waitsFor(g *group) bool {
	if slices.ContainsFunc(g.waits, func(c ssa.CallInstruction) bool {
		switch c.(type) {
		case *ssa.Call:
			return false
		case *ssa.Defer:
			return form.OnCycle(c.Block())
		}
		return true
	}) {
		return false
	}
	g.waiters = map[*ssa.Function]bool{}
	if !slices.ContainsFunc(g.waits, func(c ssa.CallInstruction) bool { return !t.waitsIn(g, c.Parent(), 0) }) {
		return true
	}
	if !form.OnlyCalls(g.waits) {
		return false
	}
	g.waiters = nil
	g.closer = t.waitedIn(g, g.home)
	return g.closer != nil
}

// maxWaiterDepth is how deep the calls are by which a group is waited for.
const maxWaiterDepth = 5

// waitsIn reports whether a function runs in the thread of a group's home alone, while
// that calls it, and notes it, and those between, as ones that wait.
func (t *tokens) waitsIn(g *group, f *ssa.Function, depth int) bool {
	if f == g.home {
		return true
	}
	_, has := g.is[f]
	sites := t.l.once.Sites[f]
	if depth == maxWaiterDepth || !t.l.once.Known(f) || len(sites) == 0 || g.local && !has {
		return false
	}
	for _, s := range sites {
		d, deferred := s.(*ssa.Defer)
		if _, other := s.(*ssa.Go); other || form.CalleeOf(s) != f || deferred && form.OnCycle(d.Block()) || !t.waitsIn(g, s.Parent(), depth+1) {
			return false
		}
	}
	g.waiters[f] = true
	return true
}

// surelyWaits reports whether a function has waited for a group when it ends.
func (g *group) surelyWaits(f *ssa.Function) bool {
	if f.Recover != nil {
		return false
	}
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		waits := slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(*ssa.Call)
			if !ok {
				return false
			}
			w := form.CalleeOf(c)
			return slices.Contains(g.waits, ssa.CallInstruction(c)) || w != nil && w != f && g.waiters[w] && g.surelyWaits(w)
		})
		return waits && !slices.ContainsFunc(f.Blocks, func(end *ssa.BasicBlock) bool {
			_, ret := end.Instrs[len(end.Instrs)-1].(*ssa.Return)
			return ret && !b.Dominates(end)
		})
	})
}

// leaving gives back what a function holds that has waited in the place of its caller.
func (t *tokens) leaving(x *fn) {
	for _, g := range t.waiting[x.Sf] {
		t.giveBack(x, g, g.key(t), g.objectOf(x))
	}
}

// comesBack takes the tokens of what a call has waited for.
func (t *tokens) comesBack(x *fn, c ssa.CallInstruction) {
	if f := form.CalleeOf(c); f != nil {
		for _, g := range t.waiting[f] {
			if g.surelyWaits(f) {
				t.take(x, g, g.key(t), g.objectOf(x))
			}
		}
	}
}

// waitElsewhere notes the functions that wait for a group in the place of its home.
func (t *tokens) waitElsewhere(g *group) {
	for f := range g.waiters {
		t.waiting[f] = append(t.waiting[f], g)
	}
}

// key is what the operations of a group have in common.
func (g *group) key(t *tokens) string { return t.keys[g.waits[0]] }
