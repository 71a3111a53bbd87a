package reduction

import (
	"slices"

	"whoop/smt/bv"
)

// A pred is a comparison of a slot with another, or with a number.
type pred struct {
	op   predOp
	x, y int // of slots; y < 0: num
	num  uint64
	neg  bool     // signed
	goal *bv.Term // of a goal
}

type predOp uint8

const (
	le predOp = iota
	lt
	eq
	ne
	ge
	goal // that something does not hold that a violation needs
	// of flags: x is not 0, or is where bit 0 of num is set; or y is not, or is where bit
	// 1 is
	either
)

// compared are slots that steps compare with each other, or with numbers.
type compared struct {
	pairs map[[2]slot]bool
	nums  map[slot]map[uint64]bool
}

// everywhere visits the guards of all steps, and their values.
func everywhere(_ []*step, s *step, visit func(*bv.Term)) {
	visit(s.guard)
	for _, v := range s.set {
		visit(v)
	}
}

// inChoices visits what decides how a thread goes on: what is in the guard of a step and
// not in those of all others there, and values.
func inChoices(of []*step, s *step, visit func(*bv.Term)) {
	for c := range conjunctsOf(s.guard) {
		if slices.ContainsFunc(of, func(o *step) bool { return !o.fails && !conjunctsOf(o.guard)[c] }) {
			visit(c)
		}
	}
	for _, v := range s.set {
		visit(v)
	}
}

func conjunctsOf(t *bv.Term) map[*bv.Term]bool {
	out := map[*bv.Term]bool{}
	conjuncts(t, out)
	delete(out, t)
	if t.Op != bv.OpAnd {
		out[t] = true
	}
	return out
}

// comparisons finds what terms of steps compare: those that visits visits.
func (m *machine) comparisons(visits func(of []*step, s *step, visit func(*bv.Term))) *compared {
	out := &compared{pairs: map[[2]slot]bool{}, nums: map[slot]map[uint64]bool{}}
	slotsOf := map[*bv.Term][]slot{}
	var inside func(t *bv.Term) []slot
	inside = func(t *bv.Term) []slot {
		if s, ok := slotsOf[t]; ok {
			return s
		}
		var all []slot
		if s, ok := m.vars[t]; ok {
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
	for _, steps := range m.steps {
		for _, s := range steps {
			visits(steps, s, visit)
		}
	}
	return out
}

// predicates are the comparisons that are guessed: of what the program compares.
func (e *engine) predicates(slots []slot) (out []pred) {
	for i, s := range slots {
		if s.kind == wideSlot { // what it is derived from is compared
			continue
		}
		if s.width == 0 {
			out = append(out, pred{op: eq, x: i, y: -1, num: 0}, pred{op: eq, x: i, y: -1, num: 1})
			continue
		}
		if s.kind == cellSlot && s.width == 64 || s.kind == baseSlot {
			out = append(out, pred{op: ne, x: i, y: -1})
		}
		if s.width < 64 {
			nums := []uint64{0}
			if s.width == 8 {
				nums = append(nums, 1)
			}
			for n := range e.compared.nums[s.whole()] {
				if n &= ^uint64(0) >> (64 - s.width); !slices.Contains(nums, n) {
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
			if s.width == 8 && t.width == 8 && i < j {
				for n := range uint64(4) {
					out = append(out, pred{op: either, x: i, y: j, num: n})
				}
			}
			switch {
			case i == j || t.kind == wideSlot:
			case t.width == s.width && s.width < 64 && e.compared.pairs[[2]slot{s.whole(), t.whole()}]:
				neg := s.signed && t.signed
				out = append(out, pred{op: le, x: i, y: j, neg: neg}, pred{op: lt, x: i, y: j, neg: neg})
				if i < j {
					out = append(out, pred{op: ne, x: i, y: j})
				}
			}
		}
	}
	for _, g := range e.aims {
		if !slices.ContainsFunc(variables(g), func(t *bv.Term) bool { return pred{}.slotOf(slots, t) < 0 }) {
			out = append(out, pred{op: goal, goal: g})
		}
	}
	return out
}

// maxGoals bounds those that are guessed.
const maxGoals = 12

// goals say of shared numbers that what a violation needs does not hold: the steps to it
// of the thread that violates something, back to where that is said of such numbers.
func (e *engine) goals() (out []*bv.Term) {
	add := func(t *bv.Term) bool {
		for _, v := range variables(t) {
			if k, ok := e.m.vars[v]; !ok || k.kind != cellSlot || k.thread > 0 || !e.read[k] {
				return false
			}
		}
		if t = e.m.b.Not(t); len(out) < maxGoals && t.Op != bv.OpTrue && t.Op != bv.OpFalse && !slices.Contains(out, t) {
			out = append(out, t)
		}
		return true
	}
	into := map[*node][]*edge{}
	from := map[*edge]*node{}
	for _, n := range e.nodes {
		for _, x := range n.edges {
			from[x] = n
			if x.to != nil {
				into[x.to] = append(into[x.to], x)
			}
		}
	}
	var back func(n *node, thread int, needs *bv.Term, most int)
	back = func(n *node, thread int, needs *bv.Term, most int) {
		if needs.Op == bv.OpAnd {
			for _, a := range needs.Args {
				add(a)
			}
		}
		if add(needs) && needs != e.m.b.True || most == 0 {
			return
		}
		for _, x := range into[n] {
			if x.thread == thread {
				by := map[*bv.Term]*bv.Term{}
				for _, k := range inOrder(x.step.set) {
					by[e.m.get(nil, k)] = x.step.set[k]
				}
				back(from[x], thread, e.m.b.And(x.step.guard, e.m.b.Substitute(needs, by)), most-1)
			}
		}
	}
	for _, n := range e.nodes {
		for _, x := range n.edges {
			if x.to == nil {
				back(n, x.thread, x.step.guard, 3)
			}
		}
	}
	return out
}

// holds reports whether it does of values.
func (p pred) holds(slots []slot, v []uint64) bool {
	if p.op == goal {
		is, ok := bv.Eval(p.goal, func(t *bv.Term) uint64 { return v[p.slotOf(slots, t)] }, nil)
		return ok && is == 1
	}
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
	case either:
		return (x == 0) == (p.num&1 != 0) || (y == 0) == (p.num&2 != 0)
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

// slotOf is the slot whose variable a term is.
func (p pred) slotOf(slots []slot, t *bv.Term) int {
	return slices.IndexFunc(slots, func(k slot) bool {
		return !k.derived() && k.kind == cellSlot && k.thread == 0 && k.width == t.Width && k.name() == t.Name
	})
}

// term is what it says of terms.
func (p pred) term(b *bv.Builder, slots []slot, v func(int) *bv.Term) *bv.Term {
	if p.op == goal {
		by := map[*bv.Term]*bv.Term{}
		for _, t := range variables(p.goal) {
			by[t] = v(p.slotOf(slots, t))
		}
		return b.Substitute(p.goal, by)
	}
	w := slots[p.x].width
	x := v(p.x)
	if w == 0 {
		if p.num == 0 {
			return b.Not(x)
		}
		return x
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
	case either:
		zero := func(t *bv.Term, want bool) *bv.Term {
			if is := b.Eq(t, b.Num(8, 0)); want {
				return is
			} else {
				return b.Not(is)
			}
		}
		return b.Or(zero(x, p.num&1 != 0), zero(y, p.num&2 != 0))
	case le:
		return most(x, y)
	case lt:
		return less(x, y)
	}
	return most(y, x)
}
