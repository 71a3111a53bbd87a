package z3

import (
	"math/rand/v2"
	"testing"

	"whoop/smt/bv"
)

// TestBitsSimplified holds the builder's simplifications against Z3: a random term built
// with literals for its variables must be the literal that Z3 computes from the same term
// over variables with these values.
func TestBitsSimplified(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 7))
		b := bv.NewBuilder()
		s, err := NewBits(BitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		w := []int{1, 7, 8, 32, 64}[r.IntN(5)]
		vals := make([]uint64, 3)
		vars := make([]*bv.Term, 3)
		lits := make([]*bv.Term, 3)
		for i := range vals {
			vals[i] = r.Uint64() >> r.IntN(64)
			lits[i] = b.Num(w, vals[i])
			vars[i] = b.Var(string(rune('a'+i)), w)
			if err := s.Assert(b.Eq(vars[i], lits[i])); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 {
			n := r.Uint64()
			sym := random(b, rand.New(rand.NewPCG(n, 1)), vars, w, 4)
			con := random(b, rand.New(rand.NewPCG(n, 1)), lits, w, 4)
			if ok, err := s.Check(); !ok || err != nil {
				t.Fatal(ok, err)
			}
			got, err := s.Value(sym)
			if err != nil {
				t.Fatal(err)
			}
			want, lit := con.IsNum()
			if !lit {
				if want, err = s.Value(con); err != nil { // a division by zero
					t.Fatal(err)
				}
			}
			if got != want {
				t.Fatalf("seed %d, width %d, values %v, term %d: %d, Z3 says %d", seed, w, lits, n, want, got)
			}
		}
		s.Close()
	}
}

func random(b *bv.Builder, r *rand.Rand, leaves []*bv.Term, w, depth int) *bv.Term {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(2) == 0 {
			return b.Num(w, r.Uint64()>>r.IntN(64))
		}
		return leaves[r.IntN(len(leaves))]
	}
	sub := func() *bv.Term { return random(b, r, leaves, w, depth-1) }
	cond := func() *bv.Term {
		switch r.IntN(6) {
		case 0:
			return b.Eq(sub(), sub())
		case 1:
			return b.ULt(sub(), sub())
		case 2:
			return b.SLt(sub(), sub())
		case 3:
			return b.And(b.ULe(sub(), sub()), b.Not(b.Eq(sub(), sub())))
		case 4:
			return b.Or(b.SLe(sub(), sub()), b.Eq(sub(), sub()))
		}
		return b.Or(b.And(b.Eq(sub(), sub()), b.ULt(sub(), sub())), b.And(b.SLt(sub(), sub()), b.Eq(sub(), sub())))
	}
	ops := []func(x, y *bv.Term) *bv.Term{b.Add, b.Sub, b.Mul, b.UDiv, b.URem, b.SDiv, b.SRem, b.BAnd, b.BOr, b.BXor, b.Shl, b.LShr, b.AShr}
	switch k := r.IntN(len(ops) + 6); {
	case k < len(ops):
		return ops[k](sub(), sub())
	case k == len(ops):
		return b.Neg(sub())
	case k == len(ops)+1:
		return b.BNot(sub())
	case k == len(ops)+2:
		x := sub()
		hi := r.IntN(w)
		lo := r.IntN(hi + 1)
		if r.IntN(2) == 0 {
			return b.ZExt(b.Extract(x, hi, lo), w)
		}
		return b.SExt(b.Extract(x, hi, lo), w)
	case k == len(ops)+3 && w > 1:
		x, y := sub(), sub()
		n := 1 + r.IntN(w-1)
		return b.Concat(b.Extract(x, n-1, 0), b.Extract(y, w-n-1, 0))
	}
	return b.Ite(cond(), sub(), sub())
}
