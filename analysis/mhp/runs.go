package mhp

import (
	"slices"

	"whoop/ir"
)

// runsOnce reports whether one thread at most executes f in a run of the program, so that
// what f keeps in shared memory is not changed by another thread in f: f is reached from
// one entry alone, which is main or is started at one place of main, outside loops.
func (w *world) runsOnce(f *ir.Func) bool {
	var only *ir.Entry
	for _, e := range w.p.Entries {
		if !w.cg.reachable(e.Func)[f] && !w.cg.opaque(e.Func) {
			continue
		}
		if only != nil {
			return false
		}
		only = e
	}
	return only != nil && (isMain(only) || only.Spawned && w.startedOnce(only))
}

func isMain(e *ir.Entry) bool { return e.Kind == "main" && !e.Spawned && !e.Multi }

// startedOnce reports whether e has one spawn site, which main itself executes once at
// most.
func (w *world) startedOnce(e *ir.Entry) bool {
	var site *ir.Func
	for _, f := range w.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*ir.Spawn)
				if !ok || !slices.Contains(w.targets(s, f), e) {
					continue
				}
				if site != nil || w.innermost(f, b) != nil || len(w.cg.cfg(f).Irreducible()) > 0 {
					return false
				}
				site = f
			}
		}
	}
	if site == nil {
		return false
	}
	for _, m := range w.p.Entries {
		if m.Func == site && !isMain(m) {
			return false
		}
	}
	for _, f := range w.p.Funcs {
		for _, in := range w.cg.sites[f] {
			for _, g := range w.cg.callees[in] {
				if g == site {
					return false
				}
			}
		}
	}
	return true
}

// local reports whether every invocation of the function has its own memory for the
// handle.
func (w *world) local(c *cell) bool {
	if c.global != nil || c.via != nil {
		return false
	}
	if c.direct {
		return true
	}
	for _, d := range w.defs[c.reg] {
		if _, ok := d.(*ir.Alloc); !ok {
			return false
		}
	}
	return len(w.defs[c.reg]) > 0
}
