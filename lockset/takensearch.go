package lockset

import (
	"cmp"
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Which structures there are, for taken.go: cells from which some code takes an object
// out, with the links by which it goes on. A guess decides: what is no structure has
// obligations that are not met.

// maxStructures bounds the structures of a program. Precision only.
const maxStructures = 4

// cellSearch looks for structures.
type cellSearch struct {
	l         *locks
	writers   map[*alias.Region][]ir.Instr
	candidate map[*alias.Region]bool
	// unlinked are the heads that an object is taken from, with the links that it is
	// taken by; places are where locks are held then.
	unlinked map[*alias.Region]map[*alias.Region]bool
	// extended are the pointers by which an object is put behind another one.
	extended map[*alias.Region]map[*alias.Region]bool
	places   map[*alias.Region]map[lockPlace]int
	// emptied are the heads that the present function sets to null.
	emptied []*alias.Region
}

// structures are the structures from which some code takes objects out.
func (d *cellSearch) structures() []*structure {
	all := &structure{heads: map[*alias.Region]lockPlace{}, links: map[*alias.Region]bool{}, offsets: map[int64]bool{}}
	for r := range d.writers {
		if d.possible(r) {
			d.candidate[r] = true
			all.links[r] = true
			all.offsets[r.Offset] = true
		}
	}
	if len(all.links) == 0 {
		return nil
	}
	seen := map[*ir.Func]bool{}
	for _, e := range d.l.f.p.Entries {
		for _, fn := range d.l.f.reach[e] {
			if seen[fn] || !d.mayTake(fn) {
				continue
			}
			seen[fn] = true
			w := &takenFlow{s: all, f: d.l.f, source: func(in ir.Instr) ir.Instr { return in }}
			w.search, w.alone = d, func(ir.Instr) bool { return false }
			w.steady = func(ir.Instr) bool { return true }
			d.emptied = nil
			w.run(fn)
		}
	}
	return d.group()
}

// mayTake reports whether a function stores to cells that may be those of structures.
func (d *cellSearch) mayTake(fn *ir.Func) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if _, ok := in.(*ir.Store); ok && len(d.regionsOf(in)) > 0 {
				return true
			}
		}
	}
	return false
}

// regionsOf are the regions that an instruction accesses, where all may be of cells.
func (d *cellSearch) regionsOf(in ir.Instr) []*alias.Region {
	var out []*alias.Region
	for _, a := range d.l.f.acc[in] {
		if a.Unknown || slices.ContainsFunc(a.Regions, func(r *alias.Region) bool { return !d.candidate[r] }) {
			return nil
		}
		out = append(out, a.Regions...)
	}
	return out
}

// possible reports whether all that is in the cells of a region is null, or was stored
// there by the program with pointers.
func (d *cellSearch) possible(r *alias.Region) bool {
	size := ir.VPtr.Size()
	if !r.Exact || r.Size != size || d.l.f.writtenOutside(r) || d.l.f.synced(r) || !d.watchedObject(r) {
		return false
	}
	for _, o := range r.Objects {
		if o.Kind == alias.KindExtern || o.Global != nil && (o.Global.ThreadLocal || o.Global.Extern || startsWithPointer(o.Global, r)) {
			return false
		}
	}
	for _, in := range d.writers[r] {
		if ends(in) {
			continue
		}
		acc := d.l.f.acc[in]
		if m, ok := in.(*ir.MemSet); ok && isZeroConst(m.Val) && d.l.f.fresh[in] {
			continue
		}
		st, ok := in.(*ir.Store)
		if !ok || !ir.IsPtr(st.Val.Type()) || slices.ContainsFunc(acc, func(a alias.Access) bool { return a.Unknown || a.Unseen }) {
			return false
		}
	}
	return true
}

// watchedObject reports whether a region may be accessed by two threads at a time.
func (d *cellSearch) watchedObject(r *alias.Region) bool { return r.Shared }

// note notes what a store to a cell takes out of it; link is the cell that leads to what
// comes after that, null where nothing does.
func (d *cellSearch) note(st *ir.Store, cell pointed, s *inside, link pointed) {
	rs := d.regionsOf(st)
	v, ok := s.valueOf(st.Val)
	if !ok {
		return
	}
	for _, r := range rs {
		d.extends(r, cell, v, s)
	}
	if old, was := s.what[cell]; !was || old.null() || link.null() && !v.null() {
		return
	}
	for _, r := range rs {
		d.takes(r, cell, s)
		for _, q := range d.regionsOf(s.loaded[link]) {
			d.unlinked[r][q] = true
		}
	}
	if v.null() {
		d.emptied = append(d.emptied, rs...)
	}
}

// takes notes that something is taken out of a cell, and where locks are held then.
func (d *cellSearch) takes(r *alias.Region, cell pointed, s *inside) {
	if d.unlinked[r] == nil {
		d.unlinked[r], d.places[r] = map[*alias.Region]bool{}, map[lockPlace]int{}
	}
	for k := range s.held {
		switch {
		case k.global != nil && k.global == cell.global, k.reg != nil && k.reg == cell.reg:
			d.places[r][lockPlace{nil, k.off - cell.off}]++
		case k.global != nil:
			d.places[r][lockPlace{k.global, k.off}]++
		}
	}
}

// drains notes the links by which all that was taken out at once is gone through.
func (d *cellSearch) drains(in *ir.Load, at pointed, s *inside) {
	for _, link := range d.regionsOf(in) {
		for _, r := range d.emptied {
			if s.chain[at.plus(-link.Offset)] && r != link {
				d.unlinked[r][link] = true
			}
		}
	}
}

// extends notes the pointers by which the object was found whose link is set.
func (d *cellSearch) extends(link *alias.Region, cell, v pointed, s *inside) {
	if v.null() {
		return
	}
	for at, x := range s.what {
		if x.null() || x.plus(link.Offset) != cell {
			continue
		}
		for _, r := range d.regionsOf(s.loaded[at]) {
			if d.extended[r] == nil {
				d.extended[r] = map[*alias.Region]bool{}
			}
			d.extended[r][link] = true
		}
	}
}

// group makes structures of the heads that share links.
func (d *cellSearch) group() []*structure {
	links := map[*alias.Region]bool{}
	for _, ls := range d.unlinked {
		maps.Copy(links, ls)
	}
	byID := func(a, b *alias.Region) int { return a.ID - b.ID }
	var out []*structure
	for _, h := range slices.SortedFunc(maps.Keys(d.unlinked), byID) {
		k, ok := d.lockOf(h)
		if links[h] || !ok || len(d.unlinked[h]) == 0 && len(d.extended[h]) > 0 {
			continue
		}
		var s *structure
		for _, t := range out {
			if slices.ContainsFunc(slices.Collect(maps.Keys(d.unlinked[h])), func(r *alias.Region) bool { return t.links[r] }) {
				s = t
			}
		}
		if s == nil {
			s = &structure{heads: map[*alias.Region]lockPlace{}, links: map[*alias.Region]bool{}, offsets: map[int64]bool{}}
			out = append(out, s)
		}
		s.heads[h] = k
		for r := range d.unlinked[h] {
			s.links[r], s.offsets[r.Offset] = true, true
		}
	}
	for _, s := range out {
		d.findLasts(s)
	}
	out = slices.DeleteFunc(out, func(s *structure) bool { return !d.closed(s) })
	return out[:min(len(out), maxStructures)]
}

// findLasts finds the pointers to the ends of the structure's lists.
func (d *cellSearch) findLasts(s *structure) {
	s.lasts = map[*alias.Region]lastPlace{}
	for r, links := range d.extended {
		if _, head := s.heads[r]; head || s.links[r] || !d.candidate[r] || !slices.ContainsFunc(slices.Collect(maps.Keys(links)), func(l *alias.Region) bool { return s.links[l] }) {
			continue
		}
		var of []*alias.Region
		for h := range s.heads {
			if slices.Equal(h.Objects, r.Objects) && h.Elem == r.Elem && h.ArrayStart == r.ArrayStart {
				of = append(of, h)
			}
		}
		if len(of) == 0 && len(s.heads) == 1 {
			of = slices.Collect(maps.Keys(s.heads))
		}
		if len(of) != 1 {
			continue
		}
		g, h := single(r), single(of[0])
		switch {
		case g == nil && h == nil, g == h:
			s.lasts[r] = lastPlace{lockPlace{nil, of[0].Offset - r.Offset}, of[0]}
		case g != nil && h != nil:
			s.lasts[r] = lastPlace{lockPlace{h, of[0].Offset}, of[0]}
		}
	}
}

// closed reports whether what is stored to a cell of the structure is stored to nothing
// else, and links lie in objects on the heap.
func (d *cellSearch) closed(s *structure) bool {
	for r := range s.links {
		if !d.candidate[r] || !allHeap(r) || r.Elem != 0 {
			return false
		}
	}
	cells, lasts := keysOf(s.heads), keysOf(s.lasts)
	maps.Copy(cells, s.links)
	for _, rs := range []map[*alias.Region]bool{cells, lasts} {
		for r := range rs {
			for _, in := range d.writers[r] {
				for _, a := range d.l.f.acc[in] {
					if _, store := in.(*ir.Store); store && slices.ContainsFunc(a.Regions, func(q *alias.Region) bool { return !rs[q] }) {
						return false
					}
				}
			}
		}
	}
	return d.lockless(s)
}

// lockless reports whether the locks of the heads lie in one place beside them, where they
// lie there, and none in the objects of the structure.
func (d *cellSearch) lockless(s *structure) bool {
	var beside []int64
	for _, k := range s.heads {
		if k.global == nil {
			beside = append(beside, k.off)
		}
	}
	slices.Sort(beside)
	if len(slices.Compact(beside)) > 1 {
		return false
	}
	return len(beside) == 0 || !slices.ContainsFunc(d.l.regions, func(k *alias.Region) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(s.links)), func(r *alias.Region) bool { return shareObject(k, r) })
	})
}

func keysOf[V any](m map[*alias.Region]V) map[*alias.Region]bool {
	out := map[*alias.Region]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// lockOf is where the lock is that is held most often where something is taken from a
// head.
func (d *cellSearch) lockOf(h *alias.Region) (lockPlace, bool) {
	var best lockPlace
	n := 0
	for _, k := range slices.SortedFunc(maps.Keys(d.places[h]), lockPlace.compare) {
		if d.places[h][k] > n {
			best, n = k, d.places[h][k]
		}
	}
	return best, n > 0
}

func (k lockPlace) compare(o lockPlace) int {
	name := func(p lockPlace) string {
		if p.global == nil {
			return ""
		}
		return p.global.Name
	}
	return cmp.Or(cmp.Compare(name(k), name(o)), cmp.Compare(k.off, o.off))
}
