package lockstep

import (
	"slices"

	"whoop/smt/bv"
)

// A pred is a comparison of a slot with another, or with a number.
type pred struct {
	op   predOp
	x, y int // of slots; y < 0: num
	num  uint64
	neg  bool // signed
}

type predOp uint8

const (
	le predOp = iota
	lt
	eq
	ne
	ge
	times // y is num times x, which is narrower and not negative
)

// compared are slots that steps compare with each other, or with numbers.
type compared struct {
	pairs map[[2]slot]bool
	nums  map[slot]map[uint64]bool
}

// comparisons finds what guards compare.
func (e *engine) comparisons() *compared {
	out := &compared{pairs: map[[2]slot]bool{}, nums: map[slot]map[uint64]bool{}}
	slotsOf := map[*bv.Term][]slot{}
	var inside func(t *bv.Term) []slot
	inside = func(t *bv.Term) []slot {
		if s, ok := slotsOf[t]; ok {
			return s
		}
		var all []slot
		if s, ok := e.m.vars[t]; ok {
			all = append(all, s)
		}
		for _, a := range t.Args {
			for _, s := range inside(a) {
				if !slices.Contains(all, s) {
					all = append(all, s)
				}
			}
		}
		slotsOf[t] = all
		return all
	}
	seen := map[*bv.Term]bool{}
	var visit func(t *bv.Term)
	visit = func(t *bv.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.Args {
			visit(a)
		}
		switch t.Op {
		case bv.OpEq, bv.OpULt, bv.OpULe, bv.OpSLt, bv.OpSLe:
		default:
			return
		}
		for i, x := range t.Args {
			y := t.Args[1-i]
			for _, s := range inside(x) {
				for _, u := range inside(y) {
					if s != u && s.width == u.width && (t.Op != bv.OpEq || len(inside(x))+len(inside(y)) == 2) {
						out.pairs[[2]slot{s, u}] = true
					}
				}
				if n, ok := y.IsNum(); ok {
					if out.nums[s] == nil {
						out.nums[s] = map[uint64]bool{}
					}
					out.nums[s][n] = true
				}
			}
		}
	}
	for _, steps := range e.m.steps {
		for _, s := range steps {
			visit(s.guard)
		}
	}
	return out
}

// predicates are the comparisons that are guessed: of what the program compares.
func (e *engine) predicates(slots []slot) (out []pred) {
	for i, s := range slots {
		if s.width == 0 {
			out = append(out, pred{op: eq, x: i, y: -1, num: 0}, pred{op: eq, x: i, y: -1, num: 1})
			continue
		}
		if s.kind == cellSlot && s.width == 64 || s.kind == baseSlot {
			out = append(out, pred{op: ne, x: i, y: -1})
		}
		if s.width < 64 {
			nums := []uint64{0}
			for n := range e.compared.nums[s.whole()] {
				if n &= ^uint64(0) >> (64 - s.width); n != 0 {
					nums = append(nums, n)
				}
			}
			slices.Sort(nums)
			for _, c := range nums[:min(len(nums), maxConstants)] {
				if c == 0 && !s.signed {
					out = append(out, pred{op: ne, x: i, y: -1})
					continue
				}
				out = append(out, pred{op: le, x: i, y: -1, num: c, neg: s.signed}, pred{op: ge, x: i, y: -1, num: c, neg: s.signed}, pred{op: ne, x: i, y: -1, num: c})
			}
		}
		for j, t := range slots {
			switch {
			case i == j:
			case t.width == s.width && s.width < 64 && e.compared.pairs[[2]slot{s.whole(), t.whole()}]:
				neg := s.signed && t.signed
				out = append(out, pred{op: le, x: i, y: j, neg: neg}, pred{op: lt, x: i, y: j, neg: neg})
				if i < j {
					out = append(out, pred{op: ne, x: i, y: j})
				}
			case t.kind == sizeSlot && s.width < 64:
				out = append(out, pred{op: times, x: i, y: j, num: uint64(max(t.alloc.Elem.Size(), 1))})
			}
		}
	}
	return out
}

// holds reports whether it does of values.
func (p pred) holds(slots []slot, v []uint64) bool {
	w := slots[p.x].width
	y := p.num
	if p.y >= 0 {
		y = v[p.y]
	}
	x := v[p.x]
	switch p.op {
	case eq:
		return x == y
	case ne:
		return x != y
	case times:
		return x>>(w-1) == 0 && y == p.num*x
	}
	if p.neg {
		x, y = x^1<<(w-1), y^1<<(w-1)
	}
	switch p.op {
	case le:
		return x <= y
	case lt:
		return x < y
	}
	return x >= y
}

// term is what it says of terms.
func (p pred) term(b *bv.Builder, slots []slot, v func(int) *bv.Term) *bv.Term {
	w := slots[p.x].width
	x := v(p.x)
	if w == 0 {
		if p.num == 0 {
			return b.Not(x)
		}
		return x
	}
	if p.op == times {
		return b.And(b.SLe(b.Num(w, 0), x), b.Eq(v(p.y), b.Mul(b.ZExt(x, 64), b.Num(64, p.num))))
	}
	y := b.Num(w, p.num)
	if p.y >= 0 {
		y = v(p.y)
	}
	less, most := b.ULt, b.ULe
	if p.neg {
		less, most = b.SLt, b.SLe
	}
	switch p.op {
	case eq:
		return b.Eq(x, y)
	case ne:
		return b.Not(b.Eq(x, y))
	case le:
		return most(x, y)
	case lt:
		return less(x, y)
	}
	return most(y, x)
}
