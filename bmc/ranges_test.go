package bmc

import (
	"math/rand/v2"
	"testing"

	"whoop/smt/bv"
)

// TestAnyOf: the disjunction means the same as its equations one by one, for every value
// of the terms.
func TestAnyOf(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := bv.NewBuilder()
		terms := []*bv.Term{b.Var("x", 6), b.Var("y", 6)}
		var conds []*bv.Term
		in := []map[uint64]bool{{}, {}}
		for range rnd.IntN(4) {
			k, from := rnd.IntN(2), rnd.Uint64N(64)
			for n := from; n < min(64, from+rnd.Uint64N(20)); n++ {
				in[k][n] = true
				conds = append(conds, b.Eq(terms[k], b.Num(6, n)))
			}
		}
		rnd.Shuffle(len(conds), func(i, j int) { conds[i], conds[j] = conds[j], conds[i] })
		got := anyOf(b, conds)
		for range 100 {
			x, y := rnd.Uint64N(64), rnd.Uint64N(64)
			v := b.Substitute(got, map[*bv.Term]*bv.Term{terms[0]: b.Num(6, x), terms[1]: b.Num(6, y)})
			if want := b.Bool(in[0][x] || in[1][y]); v != want {
				t.Fatalf("x = %d, y = %d: %v, want %v", x, y, v == b.True, want == b.True)
			}
		}
	}
}

// TestAnyOfRun: an index of a large array is one comparison.
func TestAnyOfRun(t *testing.T) {
	b := bv.NewBuilder()
	x := b.Var("x", 64)
	var conds []*bv.Term
	for n := range uint64(512) {
		conds = append(conds, b.Eq(x, b.Num(64, n)))
	}
	if got := anyOf(b, conds); got != b.ULe(x, b.Num(64, 511)) {
		t.Error("not one comparison")
	}
}
