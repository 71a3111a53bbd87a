package absint

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"whoop/ir"
)

// some returns a random set of numbers of a type, and what is in it.
func some(r *rand.Rand, t ir.Int) (Value, []int64) {
	lo, hi := limits(t)
	in := func() int64 { return lo.Int64() + r.Int64N(hi.Int64()-lo.Int64()+1) }
	v := nothing
	switch r.IntN(3) {
	case 0:
		for range 1 + r.IntN(5) {
			v = v.join(listed(in()))
		}
	case 1:
		a, b := in(), in()
		v = between(min(a, b), max(a, b))
	default:
		a, b := in(), in()
		v = between(min(a, b), max(a, b)).without(in(), 0)
	}
	var all []int64
	for x := lo.Int64(); x <= hi.Int64(); x++ {
		if v.has(x) {
			all = append(all, x)
		}
	}
	return v, all
}

var types = []ir.Int{{Bits: 6, Signed: true}, {Bits: 6}, {Bits: 5, Signed: true}, {Bits: 5}}

// TestOperators holds the operators against the numbers, one by one.
func TestOperators(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		typ := types[r.IntN(len(types))]
		x, xs := some(r, typ)
		y, ys := some(r, typ)
		op := []string{"add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr"}[r.IntN(10)]
		v, exact := binary(op, typ, x, y)
		for _, a := range xs {
			for _, b := range ys {
				z, _ := concrete(op, typ, big.NewInt(a), big.NewInt(b))
				if z == nil {
					continue
				}
				w := ir.Wrap(typ, z)
				if !v.Contains(w) {
					t.Fatalf("%s of %v and %v in %v: %v lacks %v", op, x, y, typ, v, w)
				}
				if exact && w.Cmp(z) != 0 {
					t.Fatalf("%s of %v and %v in %v wraps around", op, x, y, typ)
				}
			}
		}
		if to := types[r.IntN(len(types))]; true {
			c := x.as(typ, to)
			for _, a := range xs {
				if w := ir.Wrap(to, big.NewInt(a)); !c.Contains(w) {
					t.Fatalf("%v of %v as %v: %v lacks %v", x, typ, to, c, w)
				}
			}
		}
	}
}

// TestLattice holds joins, meets, widening and comparisons against the numbers.
func TestLattice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	typ := ir.Int{Bits: 6, Signed: true}
	for range 4000 {
		x, xs := some(r, typ)
		y, ys := some(r, typ)
		join, meet, wide := x.join(y), x.meet(y), x.widen(y, []int64{-8, 0, 5})
		if !x.within(join) || !y.within(join) {
			t.Fatalf("%v and %v: not within the join %v", x, y, join)
		}
		for _, a := range xs {
			if !join.has(a) || !wide.has(a) || y.has(a) && !meet.has(a) {
				t.Fatalf("%v and %v: join %v, widened %v, meet %v: %d", x, y, join, wide, meet, a)
			}
			for _, b := range ys {
				for op, is := range map[string]bool{"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b} {
					want := int64(0)
					if is {
						want = 1
					}
					if c := compare(op, x, y); !c.has(want) {
						t.Fatalf("%v %s %v is %v: %d, %d", x, op, y, c, a, b)
					}
				}
			}
		}
		for _, b := range ys {
			if !join.has(b) || !wide.has(b) {
				t.Fatalf("%v and %v: join %v, widened %v: %d", x, y, join, wide, b)
			}
		}
	}
}

// TestLimits: numbers at the ends of 64 bits.
func TestLimits(t *testing.T) {
	most := new(big.Int).SetUint64(1<<64 - 1)
	v := evaluator{s: &state{}}.eval(ir.Const{T: ir.U64, Val: most})
	if !v.Contains(most) || v.Contains(big.NewInt(5)) {
		t.Errorf("the greatest number is %v", v)
	}
	sum, exact := binary("add", ir.U64, v, listed(1))
	if exact || !sum.Contains(new(big.Int)) {
		t.Errorf("and one more is %v", sum)
	}
	least, _ := limits(ir.I64)
	v = evaluator{s: &state{}}.eval(ir.Const{T: ir.I64, Val: least})
	if neg, exact := binary("sub", ir.I64, listed(0), v); exact || !neg.Contains(least) {
		t.Errorf("minus the least number is %v", neg)
	}
}
