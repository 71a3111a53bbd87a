package lockset

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// What copies of memory do to the owners of objects: see placing.go.

// copy follows a copy of memory between containers: as a store of what the source leads
// to. A free source is used up.
func (w *placing) copy(in *ir.MemCopy, at origins) {
	var sources []*alias.Region
	from := spot{}
	acc := w.f.acc[w.source(in)]
	for _, a := range acc {
		if !a.Write {
			w.regions(a)
			sources = a.Regions
			if from = w.spotOf(a, in.Src, at); !w.allInContainers(a) {
				from = spot{}
			}
		}
	}
	w.noteCopied(in, acc, sources)
	for _, a := range acc {
		if !a.Write {
			continue
		}
		to, rs := w.spotOf(a, in.Dst, at), w.regions(a)
		if w.sum == nil {
			continue
		}
		for _, r := range rs {
			if !from.known || from.mixed || !to.known || !w.allInContainers(a) || from.owned() && !to.free && from.key != to.key {
				w.spoilt[r] = true
				continue
			}
			w.needs[r] = w.needs[r].with(from.cells).with(to.cells)
		}
		good, tells := w.conveyed(in, a.Regions, sources)
		if from.owned() && (to.free || to.mixed) && tells {
			w.set(to.reg, origin{from: from.key, cells: from.cells.with(good).with(to.cells), made: to.made}, true, at)
		}
	}
	if from.free && from.reg != nil {
		delete(at, from.reg)
	}
}

// noteCopied notes what is copied where, once in a run: it does not depend on the place.
// Coarse copies are from thousands of regions to thousands, which have one list.
func (w *placing) noteCopied(in *ir.MemCopy, acc []alias.Access, sources []*alias.Region) {
	if w.sum == nil || w.noted[in] {
		return
	}
	w.noted[in] = true
	var all ids
	for _, c := range sources {
		all = append(all, c.ID)
	}
	slices.Sort(all)
	for _, a := range acc {
		if !a.Write {
			continue
		}
		for _, r := range a.Regions {
			from := all
			if in.Elem != nil {
				from = nil
				for _, c := range sources {
					if !w.apart(in, r, c) {
						from = append(from, c.ID)
					}
				}
				slices.Sort(from)
			}
			if len(from) > 0 {
				w.copied[r.ID] = w.copied[r.ID].with(from)
			}
		}
	}
}

// conveyed are the good cells of a copy's source from which pointers come to good cells;
// false where there are none: the copy says nothing of who owns its target then, as the
// claim is about good cells, and others than those of pointers lead nowhere.
func (w *placing) conveyed(in *ir.MemCopy, rs, sources []*alias.Region) (ids, bool) {
	if len(rs) == 0 || len(sources) == 0 {
		return nil, true
	}
	leads := func(r *alias.Region) bool { return !w.bad[r.ID] && !w.idle[r.ID] }
	var out ids
	for _, c := range sources {
		if leads(c) && slices.ContainsFunc(rs, func(r *alias.Region) bool { return leads(r) && !w.apart(in, r, c) }) {
			out = append(out, c.ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), len(out) > 0
}

// apart reports whether a copy of whole elements leaves alone cells of r with what is in
// cells of c: these are other members of the element.
func (w *placing) apart(in *ir.MemCopy, r, c *alias.Region) bool {
	if in.Elem == nil {
		return false
	}
	ofElements := func(r *alias.Region) bool {
		return r.Exact && (r.Elem == in.Elem.Size() || r.Elem == 0 && !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
			return o.Type == nil || o.Type.Size() != in.Elem.Size()
		}))
	}
	return ofElements(r) && ofElements(c) && r.Offset != c.Offset
}

func (w *placing) allInContainers(a alias.Access) bool {
	return !slices.ContainsFunc(a.Regions, func(r *alias.Region) bool { return !w.inContainers(r) })
}
