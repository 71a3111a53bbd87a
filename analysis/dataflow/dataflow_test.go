package dataflow

import (
	"math/rand/v2"
	"testing"
)

// bits are sets of up to 32 elements.
type bits struct{}

func (bits) Bottom() uint32          { return 0 }
func (bits) Join(a, b uint32) uint32 { return a | b }
func (bits) Equal(a, b uint32) bool  { return a == b }

// minus is no lattice.
type minus struct{ bits }

func (minus) Join(a, b uint32) uint32 { return a - b }

func TestLaws(t *testing.T) {
	samples := []uint32{0, 1, 2, 3, 8, 0xff}
	if err := CheckLaws(bits{}, samples); err != nil {
		t.Error(err)
	}
	if CheckLaws[uint32](minus{}, samples) == nil {
		t.Error("subtraction passes as a join")
	}
	if err := CheckMonotone(bits{}, samples, func(x uint32) uint32 { return x&^2 | 4 }); err != nil {
		t.Error(err)
	}
	if CheckMonotone(bits{}, samples, func(x uint32) uint32 { return ^x }) == nil {
		t.Error("complement passes as monotone")
	}
}

// TestForward compares with plain iteration over all edges, on random graphs with gen and
// kill sets.
func TestForward(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + rng.IntN(10)
		succ := make([][]int, n)
		gen, kill := make([]uint32, n), make([]uint32, n)
		order := rng.Perm(n)
		for i := range n {
			for range rng.IntN(3) {
				succ[i] = append(succ[i], rng.IntN(n))
			}
			gen[i], kill[i] = uint32(rng.IntN(256)), uint32(rng.IntN(256))
		}
		got := Forward(order, bits{}, 0, 256, func(i int, v uint32, emit func(int, uint32)) {
			for _, s := range succ[i] {
				emit(s, v&^kill[i]|gen[i])
			}
		})
		want := make([]uint32, n)
		want[0] = 256
		for changed := true; changed; {
			changed = false
			for i := range n {
				if want[i] == 0 {
					continue
				}
				for _, s := range succ[i] {
					if v := want[s] | want[i]&^kill[i] | gen[i]; v != want[s] {
						want[s], changed = v, true
					}
				}
			}
		}
		for i := range n {
			if got[i] != want[i] {
				t.Fatalf("node %d: %x, want %x", i, got[i], want[i])
			}
		}
	}
}
