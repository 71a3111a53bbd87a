package alias

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
)

// A set is a sparse bit set of cell numbers, in 64-bit blocks sorted by index. The zero
// value is empty.
type set struct{ blk []block }

type block struct {
	idx  int32
	bits uint64
}

func (s *set) find(idx int32) int {
	if n := len(s.blk); n == 0 || s.blk[n-1].idx < idx {
		return n
	}
	return sort.Search(len(s.blk), func(i int) bool { return s.blk[i].idx >= idx })
}

// add inserts x and tells whether it is new.
func (s *set) add(x int32) bool {
	idx, bit := x>>6, uint64(1)<<(x&63)
	i := s.find(idx)
	if i < len(s.blk) && s.blk[i].idx == idx {
		if s.blk[i].bits&bit != 0 {
			return false
		}
		s.blk[i].bits |= bit
		return true
	}
	s.blk = append(s.blk, block{})
	copy(s.blk[i+1:], s.blk[i:])
	s.blk[i] = block{idx, bit}
	return true
}

func (s *set) remove(x int32) {
	i := s.find(x >> 6)
	if i == len(s.blk) || s.blk[i].idx != x>>6 {
		return
	}
	if s.blk[i].bits &^= 1 << (x & 63); s.blk[i].bits == 0 {
		s.blk = slices.Delete(s.blk, i, i+1)
	}
}

func (s *set) has(x int32) bool {
	i := s.find(x >> 6)
	return i < len(s.blk) && s.blk[i].idx == x>>6 && s.blk[i].bits&(1<<(x&63)) != 0
}

func (s *set) empty() bool { return len(s.blk) == 0 }

func (s *set) len() int {
	n := 0
	for _, b := range s.blk {
		n += bits.OnesCount64(b.bits)
	}
	return n
}

// each calls f on the members in ascending order.
func (s *set) each(f func(int32)) {
	for _, b := range s.blk {
		for w := b.bits; w != 0; w &= w - 1 {
			f(b.idx<<6 | int32(bits.TrailingZeros64(w)))
		}
	}
}

// missing tells whether t has a member that s lacks.
func (s *set) missing(t *set) bool {
	i := 0
	for _, b := range t.blk {
		for i < len(s.blk) && s.blk[i].idx < b.idx {
			i++
		}
		if i == len(s.blk) || s.blk[i].idx != b.idx || b.bits&^s.blk[i].bits != 0 {
			return true
		}
	}
	return false
}

// union adds t to s and what was new to diff (which may be nil); it tells whether
// anything was.
func (s *set) union(t, diff *set) bool {
	more, fresh := s.lacks(t.blk)
	if more+fresh == 0 {
		return false
	}
	switch {
	case diff == nil:
	case diff.empty():
		diff.blk = s.news(make([]block, 0, more+fresh), t.blk)
	default:
		var few [32]block
		news := s.news(few[:0], t.blk)
		more, _ := diff.lacks(news)
		diff.merge(news, more)
	}
	s.merge(t.blk, more)
	return true
}

// lacks counts the blocks of which s has nothing, and those of which it has a part.
func (s *set) lacks(t []block) (more, fresh int) {
	i := 0
	for _, b := range t {
		for i < len(s.blk) && s.blk[i].idx < b.idx {
			i++
		}
		if i == len(s.blk) || s.blk[i].idx != b.idx {
			more++
		} else if b.bits&^s.blk[i].bits != 0 {
			fresh++
		}
	}
	return more, fresh
}

// news appends to out what t has and s has not.
func (s *set) news(out, t []block) []block {
	i := 0
	for _, b := range t {
		for i < len(s.blk) && s.blk[i].idx < b.idx {
			i++
		}
		if i < len(s.blk) && s.blk[i].idx == b.idx {
			b.bits &^= s.blk[i].bits
		}
		if b.bits != 0 {
			out = append(out, b)
		}
	}
	return out
}

// merge adds t, of whose blocks s has nothing of more, from the last to the first, so
// that each block moves once and in place.
func (s *set) merge(t []block, more int) {
	i := len(s.blk) - 1
	s.blk = slices.Grow(s.blk, more)[:len(s.blk)+more]
	k := len(s.blk) - 1
	for j := len(t) - 1; j >= 0; k-- {
		switch {
		case i >= 0 && s.blk[i].idx > t[j].idx:
			s.blk[k] = s.blk[i]
			i--
		case i >= 0 && s.blk[i].idx == t[j].idx:
			s.blk[k] = block{t[j].idx, s.blk[i].bits | t[j].bits}
			i--
			j--
		default:
			s.blk[k] = t[j]
			j--
		}
	}
}

// and returns the members that both sets have.
func (s *set) and(t *set) (out set) {
	i := 0
	for _, b := range s.blk {
		for i < len(t.blk) && t.blk[i].idx < b.idx {
			i++
		}
		if i == len(t.blk) {
			break
		}
		if w := b.bits & t.blk[i].bits; t.blk[i].idx == b.idx && w != 0 {
			out.blk = append(out.blk, block{b.idx, w})
		}
	}
	return out
}

// equal tells whether the sets have the same members.
func (s *set) equal(t *set) bool { return slices.Equal(s.blk, t.blk) }

// minus returns the members of s that t lacks.
func (s *set) minus(t *set) (out set) {
	i := 0
	for _, b := range s.blk {
		for i < len(t.blk) && t.blk[i].idx < b.idx {
			i++
		}
		if i < len(t.blk) && t.blk[i].idx == b.idx {
			b.bits &^= t.blk[i].bits
		}
		if b.bits != 0 {
			out.blk = append(out.blk, b)
		}
	}
	return out
}

// text writes the set so that equal sets are written alike.
func (s *set) text() string {
	var out []byte
	for _, b := range s.blk {
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(b.idx)), b.bits)
	}
	return string(out)
}

// marks is a set of cell numbers for one walk at a time: a bit for each, and where the
// bits are.
type marks struct {
	bits []uint64
	at   []int32
}

// add inserts x and tells whether it is new.
func (m *marks) add(x int32) bool {
	idx, bit := x>>6, uint64(1)<<(x&63)
	if int(idx) >= len(m.bits) {
		m.bits = append(m.bits, make([]uint64, int(idx)+256-len(m.bits))...)
	}
	switch old := m.bits[idx]; {
	case old&bit != 0:
		return false
	case old == 0:
		m.at = append(m.at, idx)
	}
	m.bits[idx] |= bit
	return true
}

// has reports whether x is in the set.
func (m *marks) has(x int32) bool {
	return int(x>>6) < len(m.bits) && m.bits[x>>6]&(1<<(x&63)) != 0
}

// rest calls f on the members of s that are not in m.
func (m *marks) rest(s *set, f func(int32)) {
	for _, b := range s.blk {
		w := b.bits
		if int(b.idx) < len(m.bits) {
			w &^= m.bits[b.idx]
		}
		for ; w != 0; w &= w - 1 {
			f(b.idx<<6 | int32(bits.TrailingZeros64(w)))
		}
	}
}

// clear empties the set.
func (m *marks) clear() {
	for _, i := range m.at {
		m.bits[i] = 0
	}
	m.at = m.at[:0]
}
