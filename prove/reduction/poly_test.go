package reduction

import (
	"testing"

	"whoop/smt/bv"
)

// TestVanishes: a sum of choices is 0 where it is in each case of their conditions.
func TestVanishes(t *testing.T) {
	b := bv.NewBuilder()
	c, d := b.Var("c", 0), b.Var("d", 0)
	x, y, one, zero := b.Var("x", 32), b.Var("y", 32), b.Num(32, 1), b.Num(32, 0)
	for _, q := range []struct {
		name string
		term *bv.Term
		want bool
	}{
		{"to and fro", b.Add(b.Sub(b.Ite(c, b.Add(x, one), x), x), b.Ite(c, b.Neg(one), zero)), true},
		{"to alone", b.Sub(b.Ite(c, b.Add(x, one), x), x), false},
		{"but in one case", b.Ite(c, zero, one), false},
		{"but in the other", b.Ite(c, one, zero), false},
		{"two conditions", b.Sub(b.Add(b.Ite(c, x, y), b.Ite(d, x, y)), b.Ite(d, b.Add(b.Ite(c, x, y), x), b.Add(y, b.Ite(c, x, y)))), true},
		{"of different conditions", b.Sub(b.Ite(c, x, y), b.Ite(d, x, y)), false},
		{"a product", b.Sub(b.Mul(b.Ite(c, x, y), x), b.Ite(c, b.Mul(x, x), b.Mul(x, y))), true},
		{"no choice", b.Sub(x, y), false},
	} {
		ps := polys{}
		if got := ps.vanishes(b, ps.of(q.term), 32, maxSplits); got != q.want {
			t.Errorf("%s: %v, want %v", q.name, got, q.want)
		}
	}
}
