package mhp

import (
	"context"
	"slices"

	"whoop/ir"
)

// spawner is what one entry's own spawns mean for it: which threads may be alive at which
// of its instructions.
type spawner struct {
	// opaque: code not seen may run; nothing is known.
	opaque bool
	sites  []*spawnerSite
	// below are the entries that may be started by the entry or by threads below it.
	below map[*ir.Entry]bool
}

// spawnerSite is a site as one spawner executes it.
type spawnerSite struct {
	*site
	vals *values
	// tree are the targets and what is below them: the same for all spawners.
	tree map[*ir.Entry]bool
}

// buildSpawners makes the spawner of every entry.
func (r *Result) buildSpawners(ctx context.Context, w *world) error {
	for _, e := range r.prog.Entries {
		r.spawners[e] = &spawner{below: map[*ir.Entry]bool{}}
	}
	if len(w.sites) == 0 {
		return nil
	}
	trees := map[*site]map[*ir.Entry]bool{}
	for _, s := range w.sites {
		trees[s] = map[*ir.Entry]bool{}
	}
	for _, e := range r.prog.Entries {
		sp := r.spawners[e]
		sp.opaque = w.cg.opaque(e.Func)
		reach := w.cg.reachable(e.Func)
		for _, s := range w.sites {
			if !reach[s.fn] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			v := w.values(s, e)
			if v.at(s.spawn) != none {
				sp.sites = append(sp.sites, &spawnerSite{site: s, vals: v, tree: trees[s]})
			}
		}
	}
	r.buildTrees(trees)
	return nil
}

// values are those of a site in an entry.
func (w *world) values(s *site, e *ir.Entry) *values {
	if s.cell == nil {
		return &values{plain: w.plainRun(e), site: w.plain.bit[s.spawn]}
	}
	return s.ch.run(e.Func, low)
}

// plainRun follows an entry, once.
func (w *world) plainRun(e *ir.Entry) *plainRun {
	r := w.plainRuns[e.Func]
	if r == nil {
		r = w.plain.run(e.Func)
		w.plainRuns[e.Func] = r
	}
	return r
}

// buildTrees computes what is below entries and sites, to the fixpoint.
func (r *Result) buildTrees(trees map[*site]map[*ir.Entry]bool) {
	for changed := true; changed; {
		changed = false
		add := func(to map[*ir.Entry]bool, e *ir.Entry) {
			if !to[e] {
				to[e], changed = true, true
			}
		}
		for s, tree := range trees {
			for _, t := range s.targets {
				add(tree, t)
				for u := range r.spawners[t].below {
					add(tree, u)
				}
			}
		}
		for _, e := range r.prog.Entries {
			sp := r.spawners[e]
			if sp.opaque {
				for _, t := range r.prog.Entries {
					if t.Spawned {
						add(sp.below, t)
					}
				}
			}
			for _, s := range sp.sites {
				for t := range s.tree {
					add(sp.below, t)
				}
			}
		}
	}
}

// alive reports whether a thread of e may be alive when the spawner, in its own code,
// executes in (nil: anything).
func (sp *spawner) alive(e *ir.Entry, in ir.Instr) bool {
	if sp.opaque {
		return true
	}
	for _, s := range sp.sites {
		if !s.tree[e] {
			continue
		}
		if in == nil || s.alive(in) {
			return true
		}
	}
	return false
}

// alive reports whether a thread that the site has started may be alive when the spawner
// executes in.
func (s *spawnerSite) alive(in ir.Instr) bool {
	return s.vals.at(in) >= mid || in == ir.Instr(s.spawn) || in == s.stored
}

// crossing reports whether a thread of a may be alive when the spawner starts one of b,
// or one that may lead to b.
func (sp *spawner) crossing(a, b *ir.Entry) bool {
	for _, s := range sp.sites {
		if !s.tree[b] {
			continue
		}
		for _, t := range sp.sites {
			if t.tree[a] && t.vals.at(s.spawn) >= mid {
				return true
			}
		}
	}
	return false
}

// within reports whether, inside one run of root and of all threads below it, a (at x)
// and another thread or root itself running b (at y) may overlap.
func (r *Result) within(root, a *ir.Entry, x ir.Instr, b *ir.Entry, y ir.Instr, around []*ir.Entry) bool {
	sp := r.spawners[root]
	if sp.opaque {
		return true
	}
	if slices.Contains(around, root) { // threads that start each other
		return true
	}
	if a == root && sp.below[b] && sp.alive(b, x) || b == root && sp.below[a] && sp.alive(a, y) {
		return true
	}
	if sp.crossing(a, b) || sp.crossing(b, a) {
		return true
	}
	around = append(slices.Clip(around), root)
	done := map[*ir.Entry]bool{}
	for _, s := range sp.sites {
		for _, t := range s.targets {
			if !done[t] && (t == a || r.spawners[t].below[a]) && (t == b || r.spawners[t].below[b]) {
				done[t] = true
				if r.within(t, a, x, b, y, around) {
					return true
				}
			}
		}
	}
	return false
}

// threads is the answer for pairs of which at least one is a thread.
func (r *Result) threads(a *ir.Entry, x ir.Instr, b *ir.Entry, y ir.Instr) (bool, string) {
	for _, e := range []*ir.Entry{a, b} {
		if e.Spawned && !r.started(e) {
			return false, "nothing starts " + e.Name
		}
	}
	for _, r1 := range r.roots {
		if r1 != a && !r.spawners[r1].below[a] {
			continue
		}
		for _, r2 := range r.roots {
			if r2 != b && !r.spawners[r2].below[b] {
				continue
			}
			if r1 != r2 && (r1 == a && r.notYet(a, x, r2) || r2 == b && r.notYet(b, y, r1)) {
				continue
			}
			if r1 != r2 || repeated(r1) || r.within(r1, a, x, b, y, nil) {
				return true, ""
			}
		}
	}
	return false, r.whyNot(a, b)
}

// notYet reports whether a, an initialisation entry, is at x before root can run, and so
// before threads that root starts.
func (r *Result) notYet(a *ir.Entry, x ir.Instr, root *ir.Entry) bool {
	return !a.Spawned && !root.Spawned && r.registry.initFirst(a, x, root)
}

func (r *Result) whyNot(a, b *ir.Entry) string {
	switch {
	case a == b:
		return "no two threads of " + a.Name + " are alive at the same time"
	case a.Spawned && b.Spawned:
		return "one of " + a.Name + " and " + b.Name + " has ended before the other starts"
	case a.Spawned:
		return a.Name + " has not been started yet or has been joined"
	}
	return b.Name + " has not been started yet or has been joined"
}

// started reports whether some root leads to e.
func (r *Result) started(e *ir.Entry) bool {
	for _, root := range r.roots {
		if root == e || r.spawners[root].below[e] {
			return true
		}
	}
	return false
}

// repeated reports whether an entry may run several times, so that threads of an earlier
// run may meet a later one.
func repeated(e *ir.Entry) bool { return e.Multi || e.Kind != "main" && !e.Init && !e.Spawned }

// findRoots lists the entries that nothing in the program starts: all but threads, and
// threads without any spawn site.
func (r *Result) findRoots(w *world) {
	spawned := map[*ir.Entry]bool{}
	for _, s := range w.sites {
		for _, t := range s.targets {
			spawned[t] = true
		}
	}
	for _, e := range r.prog.Entries {
		if !e.Spawned || !spawned[e] {
			r.roots = append(r.roots, e)
		}
	}
}
