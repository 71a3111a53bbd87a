package houdini

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGreatest: what is left is the greatest set of facts that implies itself by the
// checks' rules, whatever their order.
func TestGreatest(t *testing.T) {
	for seed := range uint64(300) {
		draw := rand.New(rand.NewPCG(seed, 1))
		n := 1 + draw.IntN(8)
		// A check keeps its fact where all that it assumes are there, and never where it
		// is false.
		type rule struct {
			assumes []int
			fact    int
			false   bool
		}
		rules := make([]rule, 1+draw.IntN(12))
		for i := range rules {
			for range draw.IntN(3) {
				rules[i].assumes = append(rules[i].assumes, draw.IntN(n))
			}
			rules[i].fact, rules[i].false = draw.IntN(n), draw.IntN(5) == 0
		}
		kept := func(set int, r rule) bool {
			return !r.false && !slices.ContainsFunc(r.assumes, func(f int) bool { return set>>f&1 == 0 })
		}
		want := 0 // the union of all consistent sets is one, too
		for set := range 1 << n {
			if !slices.ContainsFunc(rules, func(r rule) bool {
				return set>>r.fact&1 == 1 &&
					!kept(set, r)
			}) {
				want |= set
			}
		}
		var assumed [][]int
		for _, r := range rules {
			assumed = append(assumed, r.assumes)
		}
		for _, o := range []Order{First, Rounds} {
			got := 1<<n - 1
			err := Run(context.Background(), o, assumed, func(i int) (dropped []int, err error) {
				if r := rules[i]; got>>r.fact&1 == 1 && !kept(got, r) {
					got &^= 1 << r.fact
					dropped = append(dropped, r.fact)
				}
				return dropped, nil
			})
			if err != nil || got != want {
				t.Fatalf("seed %d: got %b, want %b, %v: %+v", seed, got, want, err, rules)
			}
		}
	}
}

// TestErrors: an error of a check ends the run, and so does the end of its time.
func TestErrors(t *testing.T) {
	bad := errors.New("bad")
	if err := Run(context.Background(), First, make([][]int, 3),
		func(i int) ([]int, error) { return nil, bad }); err != bad {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := Run(ctx, Rounds, make([][]int, 3), func(i int) ([]int, error) {
		n++
		cancel()
		return nil, nil
	})
	if err != context.Canceled || n != 1 {
		t.Error(err, n)
	}
}
