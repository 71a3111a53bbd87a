package dpor

import "whoop/ir/vm"

// slabs are memory for the sequences that a search has to tell, which is used again when
// it has told them, and for the branches that are made of them, which is not: they are
// many, and made one by one they take as much time as exploring.
type slabs struct {
	events    []planned
	ops       []vm.Op
	bits      []uint64
	sequences []sequence

	branches  []branch
	branchOps []vm.Op
	subs      []*branch
}

// slab is how much is made at a time, at least.
const slab = 1 << 8

// part takes n elements off a slab; they are not cleared.
func part[T any](s *[]T, n int) []T {
	if cap(*s)-len(*s) < n {
		*s = make([]T, 0, max(n, slab, 2*cap(*s)))
	}
	k := len(*s)
	*s = (*s)[:k+n]
	return (*s)[k : k+n : k+n]
}

// kept is part, of a slab that is not used again.
func kept[T any](s *[]T, n int) []T {
	if cap(*s)-len(*s) < n {
		*s = make([]T, 0, max(n, slab))
	}
	return part(s, n)
}

// sequence is newSequence.
func (s *slabs) sequence(n, ops int) *sequence {
	words := (n + 63) / 64
	bits := part(&s.bits, (n+1)*words)
	clear(bits)
	q := &part(&s.sequences, 1)[0]
	*q = sequence{events: part(&s.events, n)[:0], ops: part(&s.ops, ops)[:0],
		comes: bits[words:], gone: bits[:words], slabs: s}
	return q
}

// told frees the memory of all sequences.
func (s *slabs) told() {
	s.events, s.ops, s.bits, s.sequences = s.events[:0], s.ops[:0], s.bits[:0], s.sequences[:0]
}

// branch makes a branch for an event.
func (s *slabs) branch(e *planned, ops []vm.Op) *branch {
	b := &kept(&s.branches, 1)[0]
	*b = branch{Thread: e.thread, Ops: kept(&s.branchOps, len(ops)), Script: e.script,
		Varies: e.varies, Subs: kept(&s.subs, 1)[:0]}
	copy(b.Ops, ops)
	return b
}
