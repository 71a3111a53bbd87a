package lockset

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"whoop/analysis/alias"
	"whoop/analysis/mhp"
	"whoop/ir"
	"whoop/smt/vcgen"
)

// use is one access of one entry's code to shared memory.
type use struct {
	entry *ir.Entry
	in    ir.Instr
	acc   *alias.Access // nobody changes it
}

// cluster is the uses that touch the same set of regions. Where points-to sets are
// coarse, thousands of instructions touch the same thousand regions: what they have in
// common is computed once.
type cluster struct {
	id      int
	regions []*alias.Region // shared ones, by ID
	watched []*alias.Region // those of them that are watched
	uses    []use
	writes  []use
	groups  []useGroup // see grouped
}

// useGroup is uses by one entry that conflict with the same other uses, as far as what
// they do goes.
type useGroup struct {
	kind useKind
	uses []use
}

// useKind is what alias.Access.Conflict looks at, with the entry.
type useKind struct {
	entry                     *ir.Entry
	write, atomic, sync, ends bool
}

// grouped returns the uses of a cluster by kind. Clusters have tens of thousands of uses
// of few kinds.
func (c *cluster) grouped() []useGroup {
	if c.groups != nil {
		return c.groups
	}
	at := map[useKind]int{}
	for _, u := range c.uses {
		k := useKind{u.entry, u.acc.Write, u.acc.Order.Atomic(), u.acc.Use, u.acc.Ends}
		i, ok := at[k]
		if !ok {
			i = len(c.groups)
			at[k] = i
			c.groups = append(c.groups, useGroup{kind: k})
		}
		c.groups[i].uses = append(c.groups[i].uses, u)
	}
	return c.groups
}

// target is what a synchronisation instruction may operate on.
type target struct {
	regions []*alias.Region
	unknown bool
}

// facts are gathered once, before entries are analysed in parallel; read-only afterwards.
type facts struct {
	p     *ir.Program
	al    *alias.Result
	apart *alias.Disjoint
	mh    *mhp.Result
	// wild: something is written through a pointer that may lead anywhere.
	wild bool
	// wildWrites are these, by the entries that they are in.
	wildWrites []use
	acc        map[ir.Instr][]alias.Access
	fresh      map[ir.Instr]bool
	targets    map[ir.Instr]target
	reach      map[*ir.Entry][]*ir.Func
	cluster    map[string]*cluster
	clusters   map[list]*cluster // the same by lists, as far as these came up
	ids        map[list][]int    // see idsOf
	// writeIDs are the IDs of the regions an instruction may write, nil for none.
	writeIDs map[ir.Instr][]int
	touches  map[*alias.Region][]*cluster
	watched  map[*alias.Region]bool
	inOrder  []*alias.Region // the same by ID; see watchedRegions
	shared   int             // regions that are accessed and shared
	reads    map[*ir.Entry]map[ir.Instr]readFact
	places   map[*ir.Entry][]ir.Instr // see findPlaces
	latches  latches
	// zeros and everWritten: see findZeros.
	zeros, everWritten map[*alias.Region]bool
	// zeroMembers are members that are zero in some objects, zeroIn those by the
	// allocations.
	zeroMembers []zeroMember
	zeroIn      map[*ir.Alloc][]vcgen.ZeroMember
	values      values
	// syncAt are the regions that synchronisation operations may work on; syncAnywhere:
	// one may be on any.
	syncAt       map[*alias.Region]bool
	syncAnywhere bool
	// newCells are the cells that are zero when an object is made.
	newCells map[*ir.Alloc][]vcgen.NewCell
	lazyUnlocked
}

func gather(ctx context.Context, p *ir.Program, al *alias.Result, apart *alias.Disjoint, mh *mhp.Result) (*facts, error) {
	f := &facts{p: p, al: al, apart: apart, mh: mh, acc: map[ir.Instr][]alias.Access{}, fresh: map[ir.Instr]bool{},
		targets: map[ir.Instr]target{}, reach: map[*ir.Entry][]*ir.Func{}, cluster: map[string]*cluster{},
		clusters: map[list]*cluster{}, ids: map[list][]int{}, writeIDs: map[ir.Instr][]int{},
		touches: map[*alias.Region][]*cluster{}, watched: map[*alias.Region]bool{}, reads: map[*ir.Entry]map[ir.Instr]readFact{},
		places: map[*ir.Entry][]ir.Instr{}, syncAt: map[*alias.Region]bool{}}
	for _, e := range p.Entries {
		f.reach[e] = al.Reachable(e)
		for _, fn := range f.reach[e] {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					f.instr(e, in)
				}
			}
		}
	}
	if err := f.chooseWatched(ctx); err != nil {
		return nil, err
	}
	f.inOrder = f.watchedRegions()
	for _, c := range f.cluster {
		for _, r := range c.regions {
			if f.watched[r] {
				c.watched = append(c.watched, r)
			}
		}
	}
	f.findLatches()
	f.findZeros()
	f.findNewCells()
	if err := f.findValues(ctx); err != nil {
		return nil, err
	}
	for _, e := range p.Entries {
		if err := f.findPlaces(ctx, e); err != nil {
			return nil, err
		}
	}
	for _, e := range p.Entries {
		if err := f.classifyReads(ctx, e); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// instr records the accesses and lock targets of one instruction, which several entries
// may share.
func (f *facts) instr(e *ir.Entry, in ir.Instr) {
	acc, seen := f.acc[in]
	if !seen {
		acc = f.al.Accesses(in)
		if f.hasMain() {
			acc = slices.Concat(acc, f.al.Uses(in))
		}
		f.acc[in] = acc
		f.fresh[in] = len(acc) > 0 && f.al.Fresh(in)
		f.noteWrites(in, acc)
		f.wild = f.wild || slices.ContainsFunc(acc, func(a alias.Access) bool { return a.Write && a.Unknown })
	}
	switch in.(type) {
	case *ir.Lock, *ir.Unlock, *ir.LockInit, *ir.Once, *ir.SemInit, *ir.SemWait, *ir.SemPost,
		*ir.CondWait, *ir.CondSignal, *ir.BarrierInit, *ir.BarrierWait:
		f.noteSync(in)
		if _, ok := f.targets[in]; !ok {
			rs, unknown := f.al.Target(in)
			f.targets[in] = target{rs, unknown}
		}
	}
	if t, ok := wordTarget(in, acc); ok {
		f.targets[in] = t
	}
	for i, a := range acc {
		if a.Write && a.Unknown {
			f.wildWrites = append(f.wildWrites, use{e, in, &acc[i]})
		}
	}
	if f.fresh[in] {
		return
	}
	for i, a := range acc {
		if a.Fresh {
			continue // the new half of a copy
		}
		c := f.clusterOf(a.Regions)
		u := use{e, in, &acc[i]}
		c.uses = append(c.uses, u)
		if a.Write {
			c.writes = append(c.writes, u)
		}
	}
}

// noteSync notes the regions of what a synchronisation operation may work on.
func (f *facts) noteSync(in ir.Instr) {
	rs, unknown := f.al.Target(in)
	if w, ok := in.(*ir.CondWait); ok {
		cs, more := f.al.CondTarget(w)
		rs, unknown = slices.Concat(rs, cs), unknown || more
	}
	f.syncAnywhere = f.syncAnywhere || unknown
	for _, r := range rs {
		f.syncAt[r] = true
	}
}

// synced reports whether some operation on a lock, a semaphore, a condition variable or a
// barrier may work on a region: it may change what is there.
func (f *facts) synced(r *alias.Region) bool { return f.syncAnywhere || f.syncAt[r] }

func (f *facts) noteWrites(in ir.Instr, acc []alias.Access) {
	var ids []int
	for _, a := range acc {
		if !a.Write || len(a.Regions) == 0 {
			continue
		}
		if more := f.idsOf(a.Regions); ids == nil {
			ids = more
		} else {
			ids = slices.Concat(ids, more)
		}
	}
	if ids != nil {
		f.writeIDs[in] = ids
	}
}

// list names a list of regions. Accesses of one class have the same one, and coarse ones
// have thousands of regions, so what is asked of a list is found out once.
type list struct {
	first **alias.Region
	n     int
}

func listOf(rs []*alias.Region) list {
	if len(rs) == 0 {
		return list{}
	}
	return list{&rs[0], len(rs)}
}

// idsOf are the IDs of the regions of a list, which nobody changes.
func (f *facts) idsOf(rs []*alias.Region) []int {
	k := listOf(rs)
	ids, known := f.ids[k]
	if !known {
		ids = make([]int, 0, len(rs))
		for _, r := range rs {
			ids = append(ids, r.ID)
		}
		ids = slices.Clip(ids)
		f.ids[k] = ids
	}
	return ids
}

// clusterOf returns the cluster of a set of regions, of which the shared ones count.
func (f *facts) clusterOf(rs []*alias.Region) *cluster {
	if c := f.clusters[listOf(rs)]; c != nil {
		return c
	}
	key := clusterKey(rs)
	c := f.cluster[key]
	defer func() { f.clusters[listOf(rs)] = c }()
	if c == nil {
		c = &cluster{id: len(f.cluster)}
		for _, r := range rs {
			if counts(r) {
				c.regions = append(c.regions, r)
				f.touches[r] = append(f.touches[r], c)
			}
		}
		f.cluster[key] = c
	}
	return c
}

// watchedOf returns the watched ones of an access's regions, which entries that run in
// parallel share.
func (f *facts) watchedOf(rs []*alias.Region) []*alias.Region {
	c := f.clusters[listOf(rs)]
	if c == nil {
		c = f.cluster[clusterKey(rs)]
	}
	if c == nil {
		return nil
	}
	return c.watched
}

func clusterKey(rs []*alias.Region) string {
	var key []byte
	for _, r := range rs {
		if counts(r) {
			key = binary.AppendUvarint(key, uint64(r.ID))
		}
	}
	return string(key)
}

// counts reports whether accesses to a region may race: it is shared, and written at
// other times than where its objects are made.
func counts(r *alias.Region) bool { return r.Shared && !r.Const }

// written reports whether some instruction writes a region.
func (f *facts) written(r *alias.Region) bool {
	for _, c := range f.touches[r] {
		if len(c.writes) > 0 {
			return true
		}
	}
	return false
}

// chooseWatched finds the regions on which two uses can conflict at the same time.
func (f *facts) chooseWatched(ctx context.Context) error {
	for _, cs := range f.touches {
		if slices.ContainsFunc(cs, func(c *cluster) bool { return slices.ContainsFunc(c.uses, func(u use) bool { return !u.acc.Use }) }) {
			f.shared++
		}
	}
	known := map[[2]int]bool{}
	overlap := map[[2]*ir.Entry]bool{}
	for r, cs := range f.touches {
		for _, w := range cs {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, u := range cs {
				if len(w.writes) == 0 || f.watched[r] {
					continue
				}
				k := [2]int{w.id, u.id}
				yes, ok := known[k]
				if !ok {
					yes = f.conflicted(w, u, overlap)
					known[k] = yes
				}
				if yes {
					f.watched[r] = true
				}
			}
		}
	}
	return nil
}

// conflicted reports whether a write of one cluster and a use of another can conflict at
// the same time.
func (f *facts) conflicted(c, d *cluster, overlap map[[2]*ir.Entry]bool) bool {
	for _, ws := range c.grouped() {
		if !ws.kind.write {
			continue
		}
		for _, us := range d.grouped() {
			if !ws.uses[0].acc.Conflict(*us.uses[0].acc) {
				continue
			}
			k := [2]*ir.Entry{ws.kind.entry, us.kind.entry}
			ok, known := overlap[k]
			if !known {
				ok, _ = f.mh.Entries(k[0], k[1])
				overlap[k] = ok
			}
			if ok && f.meet(ws.uses, us.uses) {
				return true
			}
		}
	}
	return false
}

// meet reports whether one of some uses and one of others can be to the same place at the
// same time.
func (f *facts) meet(ws, us []use) bool {
	for _, w := range ws {
		for _, u := range us {
			if ok, _ := f.mh.Parallel(w.entry, w.in, u.entry, u.in); ok && !f.apart.Never(w.entry, w.in, *w.acc, u.entry, u.in, *u.acc) {
				return true
			}
		}
	}
	return false
}

// watchedRegions returns the watched regions in order of ID. The list is that of all who
// ask, once they are chosen.
func (f *facts) watchedRegions() []*alias.Region {
	if f.inOrder != nil {
		return f.inOrder
	}
	var rs []*alias.Region
	for r, ok := range f.watched {
		if ok {
			rs = append(rs, r)
		}
	}
	sort.Slice(rs, func(i, j int) bool { return rs[i].ID < rs[j].ID })
	return rs
}
