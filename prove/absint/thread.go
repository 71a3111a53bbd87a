package absint

import (
	"slices"

	"whoop/ir"
)

// A thread runs one entry: it computes what is known at each point, given what others
// publish.
type thread struct {
	a     *analysis
	entry *ir.Entry
	main  bool
	// multi: there may be several of them.
	multi bool
	cfg   *ir.CFG
	live  map[*ir.Block]map[*ir.Reg]bool
	index map[*ir.Block]int
	heads map[*ir.Block]bool
	// allocs are the registers that always hold what an allocation made last.
	allocs map[*ir.Reg]*ir.Alloc

	// recording: what the thread does to others is written down.
	recording bool
}

// published names the contents of a cell when a lock is released, or under section, after
// each instruction or section.
type published struct {
	entry *ir.Entry
	unpublished
}

// locked says what the thread protects: nobody else writes the cell.
func (t *thread) protects(s *state, c int) bool {
	x := t.a.cells[c]
	if !x.shared || s.alone || s.depth > 0 {
		return true
	}
	return slices.ContainsFunc(x.guards, s.holds)
}

// others is what other threads published of a cell under a lock.
func (t *thread) others(l lockID, c int) Value {
	v := nothing
	for _, u := range t.a.threads {
		if u != t || t.multi {
			if p, ok := t.a.pub[published{u.entry, unpublished{l, c}}]; ok {
				v = v.join(p)
			}
		}
	}
	return v
}

// read is what the cell may hold now, in the cell's type.
func (t *thread) read(s *state, c int) Value {
	x := t.a.cells[c]
	if !x.known {
		return full(x.typ)
	}
	v, ok := s.mem[c]
	if !ok {
		return full(x.typ)
	}
	if !t.protects(s, c) {
		v = v.join(t.others(section, c))
	}
	return v
}

// write changes the cell. fresh: no other thread can reach it yet.
func (t *thread) write(s *state, c int, v Value, strong, fresh bool) {
	x := t.a.cells[c]
	if !x.known {
		return
	}
	s.unlink(c)
	delete(s.base, c)
	if !strong || !x.strong {
		if old, ok := s.mem[c]; ok {
			v = v.join(old)
		} else {
			v = full(x.typ)
		}
	}
	if v.equal(full(x.typ)) {
		delete(s.mem, c)
	} else {
		s.mem[c] = v
	}
	if !x.shared || s.alone {
		return
	}
	if fresh {
		for _, l := range x.guards {
			t.publish(s, l, c)
		}
		t.publish(s, section, c)
		return
	}
	if t.recording {
		t.a.noteWrite(s, c)
	}
	for _, l := range x.guards {
		s.dirty[unpublished{l, c}] = true
	}
	if s.depth > 0 {
		s.dirty[unpublished{section, c}] = true
	} else {
		t.publish(s, section, c)
	}
}

// publish makes the contents known to others.
func (t *thread) publish(s *state, l lockID, c int) {
	if !t.recording {
		return
	}
	k := published{t.entry, unpublished{l, c}}
	v, ok := s.mem[c]
	if !ok {
		v = full(t.a.cells[c].typ)
	}
	if old, ok := t.a.next.pub[k]; ok {
		v = v.join(old)
	}
	t.a.next.pub[k] = v
}

// acquire takes a lock, or begins a section.
func (t *thread) acquire(s *state, l lockID, shared bool) {
	for _, c := range t.a.guarded[l] {
		t.learn(s, l, c)
	}
	if l == section {
		s.depth++
		return
	}
	s.held = append(slices.DeleteFunc(slices.Clone(s.held), func(h hold) bool { return h.lock == l }), hold{l, shared})
	slices.SortFunc(s.held, func(x, y hold) int { return int(x.lock - y.lock) })
}

// learn is what taking a lock tells of a cell: it holds what the thread knew last, or
// what another published when it released the lock.
func (t *thread) learn(s *state, l lockID, c int) {
	top := full(t.a.cells[c].typ)
	now, ok := s.mem[c]
	if !ok {
		now = top
	}
	base, known := s.base[c]
	if !t.protects(s, c) {
		base, known = now, true
		now = base.join(t.others(section, c))
	}
	if !known {
		return
	}
	s.base[c] = base
	if now = now.meet(base.join(t.others(l, c))); now.equal(top) {
		delete(s.mem, c)
	} else {
		s.mem[c] = now
	}
}

// lose ends the protection of a cell.
func (t *thread) lose(s *state, c int) {
	s.unlink(c)
	base, ok := s.base[c]
	if !ok {
		return
	}
	delete(s.base, c)
	if now, ok := s.mem[c]; ok && now.within(base) {
		return
	}
	if base.equal(anything) || base.equal(full(t.a.cells[c].typ)) {
		delete(s.mem, c)
	} else {
		s.mem[c] = base
	}
}

// release gives a lock back, or ends a section.
func (t *thread) release(s *state, l lockID) {
	if l == section {
		if s.depth = max(s.depth-1, 0); s.depth > 0 {
			return
		}
	} else {
		s.held = slices.DeleteFunc(slices.Clone(s.held), func(h hold) bool { return h.lock == l })
	}
	for _, c := range t.a.guarded[l] {
		if k := (unpublished{l, c}); s.dirty[k] {
			t.publish(s, l, c)
			delete(s.dirty, k)
		}
		if !t.protects(s, c) {
			t.lose(s, c)
		}
	}
}

// lockOf is the one lock that an address means; ok is false where it may be several.
func (t *thread) lockOf(in ir.Instr) (l lockID, ok bool) {
	rs, unknown := t.a.alias.Target(in)
	if unknown || len(rs) != 1 {
		return 0, false
	}
	r := rs[0]
	if len(r.Objects) != 1 || !r.Objects[0].Single || r.Elem != 0 {
		return 0, false
	}
	return lockID(r.ID), true
}

// exclusive are the classes of locks that exclude.
var exclusive = []string{"mutex", "spin", "rwlock", "rwsem"}

// lock is a lock operation.
func (t *thread) lock(s *state, in *ir.Lock) {
	if l, ok := t.lockOf(in); ok && slices.Contains(exclusive, in.Class) {
		t.acquire(s, l, in.Mode == ir.Shared)
	}
}

// unlock is the release of the lock that an instruction means: of all that it may mean.
func (t *thread) unlock(s *state, in ir.Instr) {
	rs, unknown := t.a.alias.Target(in)
	for _, h := range slices.Clone(s.held) {
		if unknown || slices.ContainsFunc(rs, func(r region) bool { return lockID(r.ID) == h.lock }) {
			t.release(s, h.lock)
		}
	}
	if !unknown {
		for _, r := range rs { // what was written while the lock was held on some paths only
			t.flush(s, lockID(r.ID))
		}
		return
	}
	for k := range s.dirty {
		if k.lock != section {
			t.publish(s, k.lock, k.cell)
		}
	}
}

// flush publishes what a lock that may be released protects.
func (t *thread) flush(s *state, l lockID) {
	for _, c := range t.a.guarded[l] {
		if s.dirty[unpublished{l, c}] {
			t.publish(s, l, c)
		}
	}
}
