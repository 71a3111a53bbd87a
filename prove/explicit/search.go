package explicit

import (
	"encoding/binary"
	"slices"

	"whoop/ir"
)

// all goes over all states with all threads. A state is what is shared, and the threads'
// states, sorted.
func (s *search) all() (ir.Instr, error) {
	sh, lo := s.first()
	seen := map[string]bool{}
	var keys []string
	var from []origin
	var work []int32
	add := func(c []int32, o origin) {
		slices.Sort(c[1:])
		k := key(c...)
		if !seen[k] {
			seen[k] = true
			work = append(work, int32(len(keys)))
			keys, from = append(keys, k), append(from, o)
		}
	}
	add([]int32{sh, lo}, origin{from: -1})
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		c := parse(keys[at])
		if err := s.tick(1 + len(c)/8); err != nil {
			return nil, err
		}
		if found, err := s.races(c[0], c[1:]); found || err != nil {
			return nil, err
		}
		for _, i := range s.order(c[1:]) {
			l := c[i+1]
			steps, err := s.post(c[0], l)
			if err != nil {
				return nil, err
			}
			for n, st := range steps {
				o := origin{at, l, int32(n)}
				if st.fails != nil {
					if s.p.opt.rough == nil && !s.p.opt.Forget { // else it need not be an execution
						s.moves, err = s.path(from, o)
					}
					return st.fails, err
				}
				d := make([]int32, 0, len(c)+len(st.spawned))
				d = append(append(append(d, st.shared), c[1:i+1]...), c[i+2:]...)
				if st.local >= 0 {
					d = append(d, st.local)
				}
				add(append(d, st.spawned...), o)
			}
		}
	}
	return nil, nil
}

// order are the places of the threads that take steps, those first that are tried last:
// threads of the function that waits, and main last of all.
func (s *search) order(threads []int32) []int {
	var out []int
	rank := func(i int) int {
		switch f := s.p.locals.list[threads[i]].frames[0].fn; {
		case f.f == s.p.opt.Last:
			return 0
		case f == s.p.main && s.p.opt.Last != nil:
			return 2
		}
		return 1
	}
	for i, l := range threads {
		if i == 0 || threads[i-1] != l { // else it is as its neighbour
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return rank(a) - rank(b) })
	return out
}

func pair(sh, lo int32) uint64 { return uint64(uint32(sh))<<32 | uint64(uint32(lo)) }

// key is a list of numbers as a text.
func key(ids ...int32) string {
	b := make([]byte, 0, 4*len(ids))
	for _, n := range ids {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return string(b)
}

// parse is the list of numbers of a key.
func parse(k string) []int32 {
	b := []byte(k)
	var out []int32
	for len(b) > 0 {
		n, w := binary.Uvarint(b)
		out, b = append(out, int32(n)), b[w:]
	}
	return out
}
