package absint

import (
	"slices"

	"whoop/ir"
)

// What a lock protects rests on what is done with locks: it is released by who holds it,
// and nobody makes it anew, or writes over it, while others may hold it. Instructions of
// which that is not seen are noted.

// findLocks finds the locks that may protect cells.
func (a *analysis) findLocks() {
	a.locks = map[int]bool{}
	for _, t := range a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				if lock, ok := in.(*ir.Lock); ok && slices.Contains(exclusive, lock.Class) {
					if l, ok := t.lockOf(in); ok {
						a.locks[int(l)] = true
					}
				}
			}
		}
	}
}

// discipline notes an instruction that may misuse a lock.
func (t *thread) discipline(s *state, in ir.Instr) {
	switch in := in.(type) {
	case *ir.Unlock:
		rs, unknown := t.a.alias.Target(in)
		if l, ok := t.lockOf(in); ok && s.holds(l) || !unknown && !t.anyLock(rs, s, false) {
			return
		}
	case *ir.LockInit:
		rs, unknown := t.a.alias.Target(in)
		if t.a.alias.Fresh(in) || !unknown && !t.anyLock(rs, s, s.alone) {
			return
		}
	default:
		if !t.overwrites(s, in) {
			return
		}
	}
	t.a.next.misused[in] = true
}

// anyLock reports whether one of the regions is that of a lock; held: of one that this
// thread may hold, as far as no other can.
func (t *thread) anyLock(rs []region, s *state, held bool) bool {
	return slices.ContainsFunc(rs, func(r region) bool { return t.a.locks[r.ID] && (!held || s.holds(lockID(r.ID))) })
}

// overwrites reports whether an instruction may write a lock as memory while somebody may
// hold it.
func (t *thread) overwrites(s *state, in ir.Instr) bool {
	if len(t.a.locks) == 0 || t.a.alias.Fresh(in) {
		return false
	}
	for _, x := range t.a.alias.Accesses(in) {
		if x.Write && t.anyLock(x.Regions, s, s.alone) {
			return true
		}
	}
	return false
}

// onceOnly are those of the locks that a thread which holds them cannot take again: none
// is made, or taken, as a recursive one.
func (a *analysis) onceOnly(locks []lockID) []lockID {
	locks = slices.Clone(locks)
	for _, t := range a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Lock:
					if !in.Recursive {
						continue
					}
				case *ir.LockInit:
					if !in.Recursive {
						continue
					}
				default:
					continue
				}
				rs, unknown := a.alias.Target(in)
				locks = slices.DeleteFunc(locks, func(l lockID) bool {
					return unknown || slices.ContainsFunc(rs, func(r region) bool { return lockID(r.ID) == l })
				})
			}
		}
	}
	return locks
}
