package bv

import (
	"math/rand/v2"
	"testing"
)

// TestRanges: whatever the variables are within their intervals, a term is within its
// own.
func TestRanges(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, seed))
	for n := range 20_000 {
		b := NewBuilder()
		widths := []int{1, 8, 13, 32, 63, 64}
		w := widths[rng.IntN(len(widths))]
		of := map[*Term]Interval{}
		x := randomTerm(b, rng, w, 4, of)
		r := &Ranges{Of: func(v *Term) Interval { return of[v] }}
		i := r.Find(x)
		for range 4 {
			sub := map[*Term]*Term{}
			for v, in := range of {
				sub[v] = b.Num(v.Width, uint64(pick(rng, in))&mask(v.Width))
			}
			v, ok := b.Substitute(x, sub).IsNum()
			if !ok {
				continue
			}
			if s := signed(v, w); s < i.Lo || s > i.Hi {
				t.Fatalf("seed %d, term %d: operator %d yields %d, not in %v", seed, n, x.Op, s, i)
			}
			if in := b.Substitute(b.Within(x, i), sub); in != b.True {
				t.Fatalf("seed %d, term %d: operator %d is not within %v by its bits", seed, n, x.Op, i)
			}
		}
	}
}

// pick is a number of an interval, an end of it often.
func pick(rng *rand.Rand, i Interval) int64 {
	switch span := uint64(i.Hi) - uint64(i.Lo); rng.IntN(3) {
	case 0:
		return i.Lo
	case 1:
		return i.Hi
	default:
		if span == ^uint64(0) {
			return int64(rng.Uint64())
		}
		return int64(uint64(i.Lo) + rng.Uint64N(span+1))
	}
}

func randomTerm(b *Builder, rng *rand.Rand, w, depth int, of map[*Term]Interval) *Term {
	if depth == 0 || rng.IntN(6) == 0 {
		if rng.IntN(2) == 0 {
			return b.Num(w, []uint64{0, 1, 2, 7, rng.Uint64(), ^uint64(0), 1 << (w - 1)}[rng.IntN(7)]&mask(w))
		}
		v := b.Fresh("v", w)
		all := Whole(w)
		lo, hi := pick(rng, all), pick(rng, all)
		if rng.IntN(2) == 0 {
			lo, hi = max(all.Lo, lo%16), min(all.Hi, hi%16)
		}
		of[v] = Interval{min(lo, hi), max(lo, hi)}
		return v
	}
	sub := func() *Term { return randomTerm(b, rng, w, depth-1, of) }
	lit := b.Num(w, uint64(rng.IntN(2*w+2))&mask(w))
	switch rng.IntN(18) {
	case 0:
		return b.Ite(b.SLt(sub(), sub()), sub(), sub())
	case 1, 2, 3:
		return b.Add(sub(), sub())
	case 4:
		return b.Mul(sub(), sub())
	case 5:
		return b.Neg(sub())
	case 6:
		return b.BNot(sub())
	case 7:
		return b.BAnd(sub(), sub())
	case 8:
		return b.BOr(sub(), sub())
	case 9:
		return b.BXor(sub(), sub())
	case 10:
		return b.Shl(sub(), lit)
	case 11:
		return b.LShr(sub(), lit)
	case 12:
		return b.AShr(sub(), lit)
	case 13:
		return b.UDiv(sub(), lit)
	case 14:
		return b.SDiv(sub(), lit)
	case 15:
		return b.SRem(sub(), lit)
	case 16:
		if w < 64 {
			return b.Extract(randomTerm(b, rng, 64, depth-1, of), w-1, 0)
		}
		return b.URem(sub(), lit)
	default:
		if w > 1 {
			small := randomTerm(b, rng, w/2, depth-1, of)
			if rng.IntN(2) == 0 {
				return b.ZExt(small, w)
			}
			return b.SExt(small, w)
		}
		return b.Sub(sub(), sub())
	}
}
