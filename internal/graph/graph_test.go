package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestComponents: in random graphs, two nodes are in one component if each leads to the
// other, every node that a root leads to is in one, and components come after those that
// they lead to.
func TestComponents(t *testing.T) {
	for seed := range uint64(300) {
		draw := rand.New(rand.NewPCG(seed, 1))
		n := 1 + draw.IntN(8)
		edges := make([][]int, n)
		for range draw.IntN(2 * n) {
			a, b := draw.IntN(n), draw.IntN(n)
			edges[a] = append(edges[a], b)
		}
		succs := func(v int) []int { return edges[v] }
		roots := []int{draw.IntN(n), draw.IntN(n)}
		of := map[int]int{}
		for k, c := range Components(roots, succs) {
			for _, v := range c {
				if _, twice := of[v]; twice {
					t.Fatalf("seed %d: %d is in two components", seed, v)
				}
				of[v] = k
			}
		}
		for a := range n {
			ka, in := of[a]
			if reached := slices.ContainsFunc(roots, func(r int) bool { return r == a || Leads(r, a, succs) }); in != reached {
				t.Fatalf("seed %d: %d is in a component: %t, a root leads to it: %t", seed, a, in, reached)
			}
			for b := range n {
				kb, too := of[b]
				if !in || !too || a == b {
					continue
				}
				there, back := Leads(a, b, succs), Leads(b, a, succs)
				if (ka == kb) != (there && back) || there && kb > ka {
					t.Fatalf("seed %d: %d in %d, %d in %d of %v", seed, a, ka, b, kb, edges)
				}
			}
		}
	}
}

// TestDeep: a path of many nodes needs no deep stack.
func TestDeep(t *testing.T) {
	const n = 200_000
	cs := Components([]int{0}, func(v int) []int {
		if v == n {
			return nil
		}
		return []int{v + 1}
	})
	if len(cs) != n+1 || fmt.Sprint(cs[0], cs[n]) != "[200000] [0]" {
		t.Errorf("%d components, %v … %v", len(cs), cs[0], cs[len(cs)-1])
	}
}

// TestOnCycle: a node is on a cycle if it leads back to itself.
func TestOnCycle(t *testing.T) {
	edges := map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": {"b"}, "d": {"d"}}
	got := ""
	for _, n := range []string{"a", "b", "c", "d"} {
		if OnCycle(n, func(v string) []string { return edges[v] }) {
			got += n
		}
	}
	if got != "bcd" {
		t.Errorf("on a cycle are %q", got)
	}
}
