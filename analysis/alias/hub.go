package alias

import (
	"cmp"
	"slices"
)

// Hubs. What code not seen gets to that is given a value of any type is a large part of a
// program, and nearly always the same: most cells of it lead to each other. So for each
// way of looking the walk from one such cell, the hub, is kept, with the cells that lead
// there (the core). A later walk that comes to a cell of the core has found all that the
// hub leads to, and what it has walked over before is a small rest.
//
// The result is that of the plain walk: a cell of the core leads to the hub and is found
// from it, so both lead to the same cells.

// hubKey is a way of looking: see deepSafe. to is nil for what may lead to anything.
type hubKey struct {
	write bool
	look  look
	to    *targets
}

// hub is what the walk from one cell has found: in the first phase, in the second, and the
// ranges there, in order. core are the cells of the first phase that lead to it.
type hub struct {
	core, seen, all marks
	spans           []objSpan
	unknown         bool
}

// A walk over at least largeWalk cells is worth a hub; each way of looking has maxHubs at
// most.
const (
	largeWalk = 2000
	maxHubs   = 3
)

// makeHub keeps the walk from the cell among those of a walk that has the most successors.
func (b *regionBuilder) makeHub(walked *marks, k hubKey, to *targets) {
	best, most := int32(-1), 0
	walked.each(func(x int32) {
		if n := len(b.stepFrom(x, k.write, k.look).next.blk); n > most {
			best, most = x, n
		}
	})
	if best < 0 {
		return
	}
	h, c, start := &hub{}, &class{}, set{}
	start.add(best)
	b.walk(c, &start, classKey{write: k.write, look: k.look}, to, &h.seen, &h.all, nil)
	h.spans, h.unknown = sortSpans(c.spans), c.unknown
	h.core.add(best)
	for grown := true; grown; {
		grown = false
		h.seen.each(func(x int32) {
			if !h.core.has(x) && h.core.meets(&b.stepFrom(x, k.write, k.look).next) {
				h.core.add(x)
				grown = true
			}
		})
	}
	b.hubs[k] = append(b.hubs[k], h)
}

func sortSpans(xs []objSpan) []objSpan {
	slices.SortFunc(xs, func(x, y objSpan) int {
		return cmp.Or(x.obj.ID-y.obj.ID, cmp.Compare(x.lo, y.lo), cmp.Compare(x.hi, y.hi))
	})
	return slices.Compact(xs)
}

// each calls f on the members of m. f may add some.
func (m *marks) each(f func(int32)) {
	for _, idx := range m.at {
		for bit := range int32(64) {
			if m.bits[idx]&(1<<bit) != 0 {
				f(idx<<6 | bit)
			}
		}
	}
}

// addAll inserts the members of another set.
func (m *marks) addAll(of *marks) {
	if n := len(of.bits); n > len(m.bits) {
		m.bits = append(m.bits, make([]uint64, n-len(m.bits))...)
	}
	for _, idx := range of.at {
		if m.bits[idx] == 0 {
			m.at = append(m.at, idx)
		}
		m.bits[idx] |= of.bits[idx]
	}
}

// meets reports whether s has a member of m.
func (m *marks) meets(s *set) bool {
	return slices.ContainsFunc(s.blk, func(x block) bool {
		return int(x.idx) < len(m.bits) && m.bits[x.idx]&x.bits != 0
	})
}
