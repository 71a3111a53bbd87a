package interp

import (
	"fmt"

	"whoop/ir"
)

// Races detects data races by happens-before, with vector clocks: two accesses of which
// one is a write, not both atomic, by threads of which neither had learned of the other's
// access. Feed it every event of an execution, from its first step. Unlike FastTrack
// (Flanagan, Freund 2009) it keeps the last access of each thread, kind and set of bytes
// in a word of eight, so that accesses of different sizes are told apart and both
// accesses of a race can be named.
//
// An access orders what follows it after what it reads from only as its order says;
// atomic sections are ordered like the regions of one lock, since none runs while another
// does.
type Races struct {
	clocks  []clock
	words   map[ObjID]map[uint32][]record
	locks   map[Addr]*lockClock
	values  map[Addr]clock // of atomic locations: what an acquiring read learns
	fenced  []clock        // of each thread at its last release fence
	pending []clock        // what an acquire fence will learn
	section clock
	found   map[[2]ir.Instr]bool
}

// RaceAccess is one of the two accesses of a race.
type RaceAccess struct {
	Thread ThreadID
	Access
	Func  *ir.Func
	Instr ir.Instr
}

// Race is two accesses that are not ordered.
type Race struct{ First, Second RaceAccess }

// String describes the race in a line.
func (r *Race) String() string {
	text := func(a *RaceAccess) string {
		kind := "read"
		if a.Write {
			kind = "write"
		}
		return fmt.Sprintf("%s of %d bytes at %s (thread %d)", kind, a.Size, a.Instr.At(), a.Thread)
	}
	return "race: " + text(&r.First) + ", " + text(&r.Second)
}

type clock []uint32

func (c clock) get(t ThreadID) uint32 {
	if int(t) < len(c) {
		return c[t]
	}
	return 0
}

// join returns the least upper bound; c may be changed.
func (c clock) join(d clock) clock {
	for len(c) < len(d) {
		c = append(c, 0)
	}
	for i, v := range d {
		c[i] = max(c[i], v)
	}
	return c
}

func (c clock) clone() clock { return append(clock(nil), c...) }

type record struct {
	thread        ThreadID
	time          uint32
	mask          uint8
	write, atomic bool
	acc           Access
	fn            *ir.Func
	in            ir.Instr
}

// lockClock is what a lock passes on: exclusive holds to all that follow, shared ones to
// exclusive ones.
type lockClock struct {
	excl, shared clock
	passing      bool // of a barrier: threads leave
}

// NewRaces returns a detector for one execution.
func NewRaces() *Races {
	return &Races{words: map[ObjID]map[uint32][]record{}, locks: map[Addr]*lockClock{}, values: map[Addr]clock{},
		found: map[[2]ir.Instr]bool{}}
}

// Clone returns a copy that goes on independently, for snapshots.
func (d *Races) Clone() *Races {
	c := NewRaces()
	clones := func(cs []clock) []clock {
		out := make([]clock, len(cs))
		for i := range cs {
			out[i] = cs[i].clone()
		}
		return out
	}
	c.clocks, c.fenced, c.pending, c.section = clones(d.clocks), clones(d.fenced), clones(d.pending), d.section.clone()
	for id, ws := range d.words {
		m := make(map[uint32][]record, len(ws))
		for k, rs := range ws {
			m[k] = append([]record(nil), rs...)
		}
		c.words[id] = m
	}
	for a, l := range d.locks {
		c.locks[a] = &lockClock{l.excl.clone(), l.shared.clone(), l.passing}
	}
	for a, v := range d.values {
		c.values[a] = v.clone()
	}
	for k := range d.found {
		c.found[k] = true
	}
	return c
}

// grow makes room for a thread; its time begins at 1.
func (d *Races) grow(t ThreadID) {
	for len(d.clocks) <= int(t) {
		c := make(clock, len(d.clocks)+1)
		c[len(d.clocks)] = 1
		d.clocks = append(d.clocks, c)
		d.fenced = append(d.fenced, nil)
		d.pending = append(d.pending, nil)
	}
}

// tick lets a thread's time pass after it told others of it.
func (d *Races) tick(t ThreadID) { d.clocks[t][t]++ }

// Observe takes the next event. It returns the races of its accesses with earlier ones,
// each pair of instructions once.
func (d *Races) Observe(e *Event) []Race {
	t := e.Thread
	d.grow(t)
	for _, id := range e.New {
		d.forget(id)
	}
	for i := range e.Sync {
		d.sync(t, &e.Sync[i])
	}
	var out []Race
	for i := range e.Accesses {
		a := &e.Accesses[i]
		rmw := a.Write && i > 0 && e.Accesses[i-1].Addr == a.Addr && !e.Accesses[i-1].Write
		out = d.access(t, e, a, out)
		d.ordered(t, a, rmw)
	}
	return out
}

// forget drops what is known about the memory of an object number that is used again.
func (d *Races) forget(id ObjID) {
	if _, ok := d.words[id]; ok {
		delete(d.words, id)
		for a := range d.values {
			if a.Object() == id {
				delete(d.values, a)
			}
		}
		for a := range d.locks {
			if a.Object() == id {
				delete(d.locks, a)
			}
		}
	}
}

// access compares an access with those before and records it.
func (d *Races) access(t ThreadID, e *Event, a *Access, out []Race) []Race {
	id := a.Addr.Object()
	ws := d.words[id]
	if ws == nil {
		ws = map[uint32][]record{}
		d.words[id] = ws
	}
	first, end := uint64(uint32(a.Addr)), uint64(uint32(a.Addr))+uint64(a.Size)
	for w := first / 8; w*8 < end; w++ {
		lo, hi := max(first, w*8)-w*8, min(end, w*8+8)-w*8
		mask := uint8(0xff<<lo) & uint8(0xff>>(8-hi))
		rs := ws[uint32(w)]
		found := false
		for i := range rs {
			r := &rs[i]
			if r.thread == t {
				if r.mask == mask && r.write == a.Write && r.atomic == a.Atomic {
					r.time, r.acc, r.fn, r.in, found = d.clocks[t][t], *a, e.Func, e.Instr, true
				}
				continue
			}
			if r.mask&mask == 0 || !r.write && !a.Write || r.atomic && a.Atomic || r.time <= d.clocks[t].get(r.thread) {
				continue
			}
			if key := [2]ir.Instr{r.in, e.Instr}; !d.found[key] {
				d.found[key] = true
				out = append(out, Race{RaceAccess{r.thread, r.acc, r.fn, r.in}, RaceAccess{t, *a, e.Func, e.Instr}})
			}
		}
		if !found {
			rs = append(rs, record{t, d.clocks[t][t], mask, a.Write, a.Atomic, *a, e.Func, e.Instr})
			ws[uint32(w)] = rs
		}
	}
	return out
}

// ordered is what an access of an atomic location tells and learns.
func (d *Races) ordered(t ThreadID, a *Access, rmw bool) {
	if !a.Atomic {
		return
	}
	acquires := a.Order == ir.Acquire || a.Order == ir.AcqRel || a.Order == ir.SeqCst
	releases := a.Order == ir.Release || a.Order == ir.AcqRel || a.Order == ir.SeqCst
	v := d.values[a.Addr]
	switch {
	case !a.Write && acquires:
		d.clocks[t] = d.clocks[t].join(v)
		d.pending[t] = d.pending[t].join(v)
	case !a.Write:
		d.pending[t] = d.pending[t].join(v)
	default:
		if !rmw { // a plain write ends the release sequence
			v = nil
		}
		v = v.clone().join(d.fenced[t])
		if releases {
			v = v.join(d.clocks[t])
			d.tick(t)
		}
		d.values[a.Addr] = v
	}
}

func (d *Races) lock(a Addr) *lockClock {
	l := d.locks[a]
	if l == nil {
		l = &lockClock{}
		d.locks[a] = l
	}
	return l
}

// learn orders what t does from now on after what c covers.
func (d *Races) learn(t ThreadID, c clock) { d.clocks[t] = d.clocks[t].join(c) }

// sync is what a synchronisation operation tells and learns.
func (d *Races) sync(t ThreadID, o *SyncOp) {
	switch o.Kind {
	case SyncAcquire:
		l := d.lock(o.Addr)
		d.learn(t, l.excl)
		if o.Mode != ir.Shared {
			d.learn(t, l.shared)
		}
	case SyncRelease:
		l := d.lock(o.Addr)
		if o.Mode == ir.Shared {
			l.shared = l.shared.join(d.clocks[t])
		} else {
			l.excl = l.excl.join(d.clocks[t])
		}
		d.tick(t)
	case SyncPost, SyncOnceEnd:
		l := d.lock(o.Addr)
		l.excl = l.excl.join(d.clocks[t])
		d.tick(t)
	case SyncTake, SyncOnceSeen:
		d.learn(t, d.lock(o.Addr).excl)
	case SyncWake:
		if o.Other >= 0 {
			d.grow(o.Other)
			d.learn(o.Other, d.clocks[t])
			d.tick(t)
		}
	case SyncArrive:
		l := d.lock(o.Addr)
		if l.passing {
			l.excl, l.passing = nil, false
		}
		l.excl = l.excl.join(d.clocks[t])
		d.tick(t)
	case SyncPass:
		l := d.lock(o.Addr)
		l.passing = true
		d.grow(o.Other)
		d.learn(o.Other, l.excl)
	case SyncSpawn:
		d.grow(o.Other)
		d.learn(o.Other, d.clocks[t])
		d.tick(t)
	case SyncJoin:
		d.grow(o.Other)
		d.learn(t, d.clocks[o.Other])
	case SyncAtomicBegin:
		d.learn(t, d.section)
	case SyncAtomicEnd:
		d.section = d.section.join(d.clocks[t])
		d.tick(t)
	case SyncFence:
		if o.Order != ir.Release && o.Order != ir.Relaxed {
			d.learn(t, d.pending[t])
		}
		if o.Order != ir.Acquire && o.Order != ir.Relaxed {
			d.fenced[t] = d.clocks[t].clone()
			d.tick(t)
		}
	}
}
