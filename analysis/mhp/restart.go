package mhp

import (
	"slices"

	"whoop/internal/graph"
	"whoop/ir"
)

// restarts finds out which Unregisters do not stop an entry for good, because another
// entry that may be running then starts it again: a timer that is deleted while the work
// item that arms it is still queued, a tasklet that is killed before the interrupt that
// schedules it is freed. Each that is found may keep another entry alive, so that it is
// looked for until none is found. (An entry that starts itself is waited for.)
func (g *registry) restarts() {
	for changed := true; changed; {
		changed = false
		for _, a := range g.entries {
			for _, in := range g.unregs[a] {
				for _, b := range g.entries {
					if a == b || !g.endsFor(in, a, b, in.Object) {
						continue
					}
					again := g.startedMeanwhile(in, a, b)
					if again == nil {
						continue
					}
					if g.restarted[in] == nil {
						g.restarted[in] = map[*ir.Entry]*ir.Entry{}
					}
					g.restarted[in][b], changed = again, true
					g.ordered, g.followed = map[ordering]*values{}, map[*ir.Entry][]followed{}
				}
			}
		}
	}
}

// startedMeanwhile is another entry that may be running while a is at in and starts b; nil
// where there is none.
func (g *registry) startedMeanwhile(in *ir.Unregister, a, b *ir.Entry) *ir.Entry {
	for _, c := range g.entries {
		if c == a || c == b || g.ends(in, a, c) {
			continue
		}
		for _, r := range g.regs[c] {
			if g.startsAfter(in, r, b) && !g.precedes(c, r, a) && g.alive(a, in, c) {
				return c
			}
		}
	}
	return nil
}

// precedes reports whether r, which the module's load function c executes once, has been
// executed when a starts, as nothing else makes a able to run: the registration of a
// driver, and its probe.
func (g *registry) precedes(c *ir.Entry, r *ir.Register, a *ir.Entry) bool {
	b := g.cg.blockOf(r)
	return c.Kind == "init" && !c.Multi && (a.Init || a.Exit) && !a.Always &&
		g.enables(r, a) && (r.Fn != nil || len(r.Kinds) > 0) && g.cg.fnOf(r) == c.Func && b != nil && !graph.OnCycle(b, (*ir.Block).Succs) &&
		!slices.ContainsFunc(g.entries, func(e *ir.Entry) bool {
			return slices.ContainsFunc(g.regs[e], func(o *ir.Register) bool { return (o != r || e != c) && g.enables(o, a) })
		})
}

// starts reports whether r names what b is: one that may start anything is taken to be
// code that registers devices.
func (g *registry) starts(r *ir.Register, b *ir.Entry) bool {
	return (r.Fn != nil || len(r.Kinds) > 0) && g.enables(r, b)
}

// startsAfter reports whether r starts b where in has ended it: after one that does so
// for good, a Register without a function has no effect. One that sets b up counts
// whether or not it starts b.
func (g *registry) startsAfter(in *ir.Unregister, r *ir.Register, b *ir.Entry) bool {
	if in.ForGood {
		return r.Fn != nil && (len(g.funcs[r]) == 0 || slices.Contains(g.funcs[r], b.Func))
	}
	return g.starts(r, b)
}

// alive reports whether c may be running while a is at in.
func (g *registry) alive(a *ir.Entry, in ir.Instr, c *ir.Entry) bool {
	if _, apart := g.excluded[[2]string{a.Name, c.Name}]; apart {
		return false
	}
	return c.Spawned || !g.initFirst(a, in, c) && !g.initFirst(c, nil, a) && !g.exitLast(a, in, c)
}

// Restarts reports whether, while a has ended b by in for an object and is not over, b may
// be started again by another entry than a or b: one that is alive then, or that a makes
// able to run later.
func (r *Result) Restarts(in *ir.Unregister, a, b *ir.Entry) bool {
	g := r.registry
	for _, c := range g.entries {
		if c == a || c == b || !slices.ContainsFunc(g.regs[c], func(r *ir.Register) bool { return g.startsAfter(in, r, b) }) {
			continue
		}
		if g.alive(a, in, c) || slices.ContainsFunc(g.regs[a], func(r *ir.Register) bool { return g.leadsTo(r, a, c) }) {
			return true
		}
	}
	return false
}
