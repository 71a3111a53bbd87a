package report

import (
	"math/rand"
	"slices"
	"strconv"
	"testing"

	"whoop/diag"
)

// TestPairList holds lists of pairs against one that notes each pair by itself.
func TestPairList(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	name := func() string { return "e" + strconv.Itoa(r.Intn(90)) }
	names := func() (out []string) {
		for range r.Intn(12) {
			out = append(out, name())
		}
		return out
	}
	for round := range 200 {
		var races []diag.Race
		var want []string
		seen := map[[2]string]bool{}
		add := func(a, b string) {
			if !seen[[2]string{a, b}] && !seen[[2]string{b, a}] {
				seen[[2]string{a, b}] = true
				want = append(want, a+","+b)
			}
		}
		for range 1 + r.Intn(30) {
			x := diag.Race{First: diag.Access{Entry: name()}, Second: diag.Access{Entry: name()}}
			add(x.First.Entry, x.Second.Entry)
			for range r.Intn(3) {
				a, b := name(), name()
				x.Pairs = append(x.Pairs, a+","+b)
				add(a, b)
			}
			for range r.Intn(3) {
				m := diag.Among{First: names(), Second: names()}
				x.Among = append(x.Among, m)
				for _, a := range m.First {
					for _, b := range m.Second {
						add(a, b)
					}
				}
			}
			races = append(races, x)
		}
		l := listPairs(races)
		if l.count() != len(want) {
			t.Fatalf("round %d: %d pairs, want %d", round, l.count(), len(want))
		}
		if listed := want[:min(len(want), maxPairList)]; !slices.Equal(l.list, listed) {
			t.Fatalf("round %d: listed %v, want %v", round, l.list, listed)
		}
	}
}
