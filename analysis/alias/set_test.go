package alias

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// Sets behave as maps do, whatever the order and the density of what is put in; what a
// union found new is just that.
func TestSetUnion(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, seed))
	members := func(s *set) map[int32]bool {
		m := map[int32]bool{}
		last := int32(-1)
		s.each(func(x int32) {
			if x <= last {
				t.Fatalf("seed %d: %d after %d", seed, x, last)
			}
			m[x], last = true, x
		})
		return m
	}
	for range 500 {
		span := 1 + rng.Int32N(6000)
		draw := func() (s set, m map[int32]bool) {
			m = map[int32]bool{}
			for range rng.IntN(80) {
				x := rng.Int32N(span)
				if s.add(x) == m[x] {
					t.Fatalf("seed %d: add(%d) does not say whether it is new", seed, x)
				}
				m[x] = true
			}
			return s, m
		}
		s, want := draw()
		diff, news := draw()
		for range 4 {
			u, um := draw()
			grew := false
			for x := range um {
				if !want[x] {
					want[x], news[x], grew = true, true, true
				}
			}
			if got := s.union(&u, &diff); got != grew {
				t.Fatalf("seed %d: union says %v", seed, got)
			}
			if s.missing(&u) || !maps.Equal(members(&s), want) || !maps.Equal(members(&diff), news) || !maps.Equal(members(&u), um) {
				t.Fatalf("seed %d: a union is not what it should be", seed)
			}
		}
	}
}
