package vm

// Op is a cell that an event touches: eight bytes of memory, or a lock or another
// synchronisation object.
type Op struct {
	// Cell names the cell, the same in all equivalent executions.
	Cell uint64
	// Mask tells which bytes of memory; of a synchronisation object it is 255.
	Mask uint8
	Kind OpKind
	// Src is the number of the instruction; see Program.Source.
	Src int32
}

// OpKind tells how a cell is touched: a set of bits.
type OpKind uint16

// The bits of OpKind.
const (
	// it may change it; without, it commutes with others that do not write
	Write  OpKind = 1 << iota
	Atomic        // the access never races with another atomic one
	// the cell is a synchronisation object: there are no data races on it
	Sync
	Section // inside an atomic section
	// of a lock, or a condition that is waited for: others may keep it from happening
	Acquire
	Release  // of a lock: it is not possible before the acquisition
	Quiet    // only the order counts: it is no access that could race
	MayWrite // it reads, and would write if it had read something else
	// an Acquire of one of several: it may have been possible before any that came before
	Counted
	// Blind: a Write of a plain store, which reads nothing.
	Blind
)

const syncCells = 1 << 63 // of Cell

// Conflict reports whether the order of two accesses matters.
func Conflict(a, b Op) bool {
	return a.Cell == b.Cell && a.Mask&b.Mask != 0 && (a.Kind|b.Kind)&Write != 0
}

// Conflicts reports whether the order of two events matters that touch these cells.
func Conflicts(a, b []Op) bool {
	for _, x := range a {
		for _, y := range b {
			if Conflict(x, y) {
				return true
			}
		}
	}
	return false
}

// Races reports whether two accesses are a data race when they are made at the same time.
func Races(a, b Op) bool {
	return Conflict(a, b) && (a.Kind|b.Kind)&(Sync|Quiet) == 0 && a.Kind&b.Kind&Atomic == 0 && a.Kind&b.Kind&Section == 0
}

// op records that the event touches a cell.
func (m *Machine) op(cell uint64, mask uint8, k OpKind) {
	if m.depth > 0 {
		k |= Section
		if m.cfg.Attempts && len(m.ops) > 0 && m.ops[0].Src != m.src {
			k &^= Acquire | Release | Counted // where it is not possible, the section is parked
		}
	}
	if len(m.ops) < 16 {
		for i := range m.ops {
			if o := &m.ops[i]; o.Cell == cell && o.Kind == k && o.Src == m.src {
				o.Mask |= mask
				return
			}
		}
	}
	m.ops = append(m.ops, Op{cell, mask, k, m.src})
}

// memOp records an access to n bytes of a region.
func (m *Machine) memOp(p place, n int64, k OpKind) {
	if m.hush {
		if k&Write == 0 || !m.p.awaits {
			return
		}
		k |= Quiet
	}
	if len(m.queues) > 0 && m.ofQueue(p) {
		return
	}
	m.message = false
	m.bytesOp(p, n, k)
}

// bytesOp is memOp, of any memory.
func (m *Machine) bytesOp(p place, n int64, k OpKind) {
	if n <= 8 && int64(p.off&7)+n <= 8 {
		m.op(uint64(p.r)<<32|uint64(p.off>>3), uint8(1<<n-1)<<(p.off&7), k)
		return
	}
	for w, end := int64(p.off)&^7, int64(p.off)+n; w < end; w += 8 {
		lo, hi := max(w, int64(p.off))-w, min(w+8, end)-w
		m.op(uint64(p.r)<<32|uint64(w>>3), uint8(0xff<<lo)&uint8(0xff>>(8-hi)), k)
	}
}

// syncOp records an operation on a synchronisation object.
func (m *Machine) syncOp(p place, k OpKind) {
	m.message = false
	m.op(syncCells|uint64(p.r)<<32|uint64(p.off>>2), 0xff, k|Sync)
}

// accessKind is the kind of an access of an instruction.
func accessKind(in *ins, write bool) OpKind {
	var k OpKind
	if write {
		k = Write
	}
	if in.flags&flagAtomic != 0 {
		k |= Atomic
	}
	return k
}
