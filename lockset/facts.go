package lockset

import (
	"sort"

	"whoop/alias"
	"whoop/ir"
	"whoop/lockset/mhp"
)

// use is one access of one entry's code to shared memory.
type use struct {
	entry *ir.Entry
	in    ir.Instr
	acc   alias.Access
}

// target is what a synchronisation instruction may operate on.
type target struct {
	regions []*alias.Region
	unknown bool
}

// facts are gathered once, before entries are analysed in parallel; read-only afterwards.
type facts struct {
	p       *ir.Program
	al      *alias.Result
	mh      *mhp.Result
	acc     map[ir.Instr][]alias.Access
	fresh   map[ir.Instr]bool
	targets map[ir.Instr]target
	reach   map[*ir.Entry][]*ir.Func
	uses    map[*alias.Region][]use
	writes  map[*alias.Region][]use
	watched map[*alias.Region]bool
	shared  int // regions that are accessed and shared
	reads   map[*ir.Entry]map[ir.Instr]readFact
}

func gather(p *ir.Program, al *alias.Result, mh *mhp.Result) *facts {
	f := &facts{p: p, al: al, mh: mh, acc: map[ir.Instr][]alias.Access{}, fresh: map[ir.Instr]bool{},
		targets: map[ir.Instr]target{}, reach: map[*ir.Entry][]*ir.Func{}, uses: map[*alias.Region][]use{},
		writes: map[*alias.Region][]use{}, watched: map[*alias.Region]bool{}, reads: map[*ir.Entry]map[ir.Instr]readFact{}}
	for _, e := range p.Entries {
		f.reach[e] = al.Reachable(e)
		for _, fn := range f.reach[e] {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					f.instr(e, in)
				}
			}
		}
	}
	f.chooseWatched()
	for _, e := range p.Entries {
		f.classifyReads(e)
	}
	return f
}

// instr records the accesses and lock targets of one instruction, which several entries may share.
func (f *facts) instr(e *ir.Entry, in ir.Instr) {
	acc, seen := f.acc[in]
	if !seen {
		acc = f.al.Accesses(in)
		f.acc[in] = acc
		f.fresh[in] = len(acc) > 0 && f.al.Fresh(in)
	}
	switch in.(type) {
	case *ir.Lock, *ir.Unlock, *ir.LockInit, *ir.Once:
		if _, ok := f.targets[in]; !ok {
			rs, unknown := f.al.Target(in)
			f.targets[in] = target{rs, unknown}
		}
	}
	if f.fresh[in] {
		return
	}
	for _, a := range acc {
		for _, r := range a.Regions {
			if !r.Shared {
				continue
			}
			u := use{e, in, a}
			f.uses[r] = append(f.uses[r], u)
			if a.Write {
				f.writes[r] = append(f.writes[r], u)
			}
		}
	}
}

// conflict reports whether two accesses are a race if nothing orders them: one writes and one is not atomic.
func conflict(a, b alias.Access) bool {
	return (a.Write || b.Write) && !(a.Order.Atomic() && b.Order.Atomic())
}

// chooseWatched finds the regions on which two uses can conflict at the same time.
func (f *facts) chooseWatched() {
	f.shared = len(f.uses)
	for r, ws := range f.writes {
		f.watched[r] = f.conflicted(ws, f.uses[r])
	}
}

func (f *facts) conflicted(ws, us []use) bool {
	overlap := map[[2]*ir.Entry]bool{}
	for _, w := range ws {
		for _, u := range us {
			if !conflict(w.acc, u.acc) {
				continue
			}
			k := [2]*ir.Entry{w.entry, u.entry}
			ok, known := overlap[k]
			if !known {
				ok, _ = f.mh.Entries(w.entry, u.entry)
				overlap[k] = ok
			}
			if ok {
				if ok, _ := f.mh.Parallel(w.entry, w.in, u.entry, u.in); ok {
					return true
				}
			}
		}
	}
	return false
}

// regionsOf returns the watched regions in order of ID.
func (f *facts) watchedRegions() []*alias.Region {
	var rs []*alias.Region
	for r, ok := range f.watched {
		if ok {
			rs = append(rs, r)
		}
	}
	sort.Slice(rs, func(i, j int) bool { return rs[i].ID < rs[j].ID })
	return rs
}
