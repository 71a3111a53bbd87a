package mhp

import "whoop/ir"

// Sometimes is a site of main's whose thread is joined on some ways only, as where the
// thread is started and joined under one condition. What is alive in between is a fact
// about ways, and not about places.
type Sometimes struct {
	Spawn *ir.Spawn
	// Entry is what the site starts; nothing else starts it.
	Entry *ir.Entry
	// Joins are those behind which no thread of the site is alive.
	Joins map[*ir.Join]bool
}

// Sometimes lists these sites of main, which the entry is.
func (r *Result) Sometimes(e *ir.Entry) []Sometimes { return r.sometimes[e] }

// findSometimes finds the sites that some join ends, with threads that may be alive at the
// end all the same.
func (r *Result) findSometimes(w *world) {
	r.sometimes = map[*ir.Entry][]Sometimes{}
	starts := map[*ir.Entry]int{}
	for _, s := range w.sites {
		for _, t := range s.targets {
			starts[t]++
		}
	}
	for _, e := range w.p.Entries {
		if !isMain(e) || r.spawners[e].opaque {
			continue
		}
		for _, s := range r.spawners[e].sites {
			if s.cell == nil || s.array != nil || len(s.targets) != 1 || starts[s.targets[0]] != 1 || s.vals.end < mid || w.tainted(s.site) {
				continue
			}
			x := Sometimes{Spawn: s.spawn, Entry: s.targets[0], Joins: map[*ir.Join]bool{}}
			for _, j := range w.joins {
				if j.array == nil && *j.cell == *s.cell && s.vals.at(j.in) == mid {
					x.Joins[j.in] = true
				}
			}
			if len(x.Joins) > 0 {
				r.sometimes[e] = append(r.sometimes[e], x)
			}
		}
	}
}
