package reduction

import (
	"math/bits"
	"slices"
)

// affine is the least affine space that holds the points it was given, of numbers modulo
// 2^width: the module that the points, with a leading 1, generate.
type affine struct {
	width int
	rows  [][]uint64 // generators
}

// add takes a point in.
func (a *affine) add(point []uint64) {
	a.rows = append(a.rows, append([]uint64{1}, point...))
	a.eliminate()
}

type pivot struct {
	col, shift int // the entry is 2^shift
}

func (a *affine) mask() uint64 { return ^uint64(0) >> (64 - a.width) }

// eliminate brings the generators to echelon form: each row's pivot divides what is left
// of it, and those below have 0 there. Rows are multiplied by odd numbers and subtracted
// from each other alone, so that they generate the same.
func (a *affine) eliminate() (pivots []pivot) {
	rows, m := a.rows, a.mask()
	used := map[int]bool{}
	for k := range rows {
		best := pivot{-1, a.width}
		at := 0
		for i := k; i < len(rows); i++ {
			for c, v := range rows[i] {
				if v != 0 && !used[c] && bits.TrailingZeros64(v) < best.shift {
					best, at = pivot{c, bits.TrailingZeros64(v)}, i
				}
			}
		}
		if best.col < 0 {
			a.rows = rows[:k]
			return pivots
		}
		rows[k], rows[at] = rows[at], slices.Clone(rows[k])
		rows[k] = slices.Clone(rows[k])
		inv := inverse(rows[k][best.col] >> best.shift)
		for c := range rows[k] {
			rows[k][c] = rows[k][c] * inv & m
		}
		for i := k + 1; i < len(rows); i++ {
			if f := rows[i][best.col] >> best.shift; f != 0 {
				rows[i] = slices.Clone(rows[i])
				for c := range rows[i] {
					rows[i][c] = (rows[i][c] - f*rows[k][c]) & m
				}
			}
		}
		used[best.col] = true
		pivots = append(pivots, best)
	}
	return pivots
}

// inverse is that of an odd number modulo 2^64, by Newton's method.
func inverse(x uint64) uint64 {
	y := x
	for range 6 {
		y *= 2 - x*y
	}
	return y
}

// equations are rows e with e[0] + e[1]*x1 + … = 0 for all points: they generate all
// such.
func (a *affine) equations(n int) (out [][]uint64) {
	pivots, m := a.eliminate(), a.mask()
	back := func(x []uint64, from int) []uint64 {
		for k := from; k >= 0; k-- {
			p, row := pivots[k], a.rows[k]
			var sum uint64
			for c, v := range row {
				if c != p.col {
					sum += (v >> p.shift) * x[c]
				}
			}
			x[p.col] = -sum & m
		}
		return x
	}
	isPivot := map[int]bool{}
	for _, p := range pivots {
		isPivot[p.col] = true
	}
	for c := range n + 1 {
		if !isPivot[c] {
			x := make([]uint64, n+1)
			x[c] = 1
			out = append(out, back(x, len(pivots)-1))
		}
	}
	for k, p := range pivots {
		if p.shift > 0 {
			x := make([]uint64, n+1)
			x[p.col] = 1 << (a.width - p.shift)
			out = append(out, back(x, k-1))
		}
	}
	return out
}
