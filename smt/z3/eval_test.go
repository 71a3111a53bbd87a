package z3

import (
	"math/rand/v2"
	"testing"

	"whoop/smt/bv"
)

// TestEval holds bv.Eval against Z3's values of random terms in a model, and a solver
// that was reset against a new one.
func TestEval(t *testing.T) {
	s, err := NewBits(BitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 5))
		b := bv.NewBuilder()
		w := []int{1, 7, 8, 32, 64}[r.IntN(5)]
		vars := map[*bv.Term]uint64{}
		var nums []*bv.Term
		if err := s.Reset(); err != nil {
			t.Fatal(err)
		}
		s.cache = nil // of another builder's terms
		for i := range 3 {
			v := b.Var(string(rune('a'+i)), w)
			n := r.Uint64N(5) - 2
			if r.IntN(2) == 0 {
				n = r.Uint64()
			}
			n &= ^uint64(0) >> (64 - w)
			vars[v] = n
			nums = append(nums, v)
			if err := s.Assert(b.Eq(v, b.Num(w, n))); err != nil {
				t.Fatal(err)
			}
		}
		if sat, err := s.Check(); !sat || err != nil {
			t.Fatalf("seed %d: %v, %v", seed, sat, err)
		}
		pick := func() *bv.Term { return nums[r.IntN(len(nums))] }
		for range 40 {
			x, y := pick(), pick()
			var n *bv.Term
			switch ops := []func(x, y *bv.Term) *bv.Term{b.Add, b.Sub, b.Mul, b.UDiv, b.URem, b.SDiv, b.SRem, b.BAnd, b.BOr, b.BXor, b.Shl, b.LShr, b.AShr}; r.IntN(6) {
			case 0:
				n = b.Ite(b.And(b.SLe(x, y), b.Not(b.Eq(pick(), y))), pick(), y)
			case 1:
				n = b.Ite(b.Or(b.ULt(x, y), b.SLt(pick(), x), b.ULe(y, pick())), b.Neg(x), b.BNot(y))
			case 2:
				lo := r.IntN(w)
				if p := w - lo; r.IntN(2) == 0 {
					n = b.ZExt(b.Extract(x, w-1, lo), w)
				} else if n = b.SExt(b.Extract(x, w-1, lo), w); lo > 0 && r.IntN(2) == 0 {
					n = b.Concat(b.Extract(x, lo-1, 0), b.Extract(y, p-1, 0))
				}
			default:
				n = ops[r.IntN(len(ops))](x, y)
			}
			nums = append(nums, n)
			want, err := s.Value(n)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := bv.Eval(n, func(v *bv.Term) uint64 { return vars[v] }, nil); !ok || got != want {
				t.Fatalf("seed %d: operator %d of width %d: %d, %v; want %d", seed, n.Op, n.Width, got, ok, want)
			}
		}
	}
}
