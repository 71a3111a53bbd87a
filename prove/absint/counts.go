package absint

import (
	"math"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

// Where numbers of threads matter, they are counted: a counter is a variable that the
// program does not have, of how many threads of a kind were started, or have left a
// point. They are exact: a step that leaves the point counts, and a point that no thread
// comes to twice is left by each thread once at most. So what follows from that needs no
// proof: a thread that has left one point and not another, which all threads that leave
// it have left the first before, is in the difference of their numbers. (Farzan, Kincaid,
// Podelski, "Proofs that count", POPL 2014, count in the same way.) There are fewer than
// 2^62 threads.

// A counter counts threads of a kind.
type counter struct {
	id     int
	thread *thread
	at     *point // nil: those that were started; else those that have left the point
}

// Bounds of what is counted.
const (
	maxCounted  = 4 // points of a kind of threads
	maxCounters = 12
	countBits   = 64
	maxThreads  = 1 << 62
)

func countSlotOf(c *counter) slot {
	return slot{kind: countSlot, count: c, width: countBits, signed: true}
}

// countable reports whether numbers of threads may matter: there are kinds with several
// threads, and shared variables that hold more than a few values.
func (iv *invariants) countable() bool {
	return slices.ContainsFunc(iv.a.threads, func(t *thread) bool { return t.multi && !t.main }) &&
		slices.ContainsFunc(iv.sharedSlots, func(s slot) bool { return s.kind == sharedSlot && !iv.small[s] })
}

// countStarts makes the counters of threads that are started, where there may be several.
func (iv *invariants) countStarts() {
	for _, t := range iv.a.threads {
		if !t.main && t.multi && len(iv.counters) < maxCounters {
			iv.counters = append(iv.counters, &counter{id: len(iv.counters), thread: t})
		}
	}
}

// started counts a thread.
func (x *path) started(t *thread) {
	for _, c := range x.iv.counters {
		if c.thread == t && c.at == nil {
			s := countSlotOf(c)
			x.put(s, x.iv.b.Add(x.get(s), x.iv.b.Num(countBits, 1)))
		}
	}
}

// countPoints makes the counters of points, once all steps are known: of points that no
// thread comes to twice, those first that others notice.
func (iv *invariants) countPoints() {
	iv.ways = map[*point]map[*counter]position{}
	for _, start := range slices.Clone(iv.counters) {
		var noticed, others []*point
		for _, p := range iv.points {
			if p.thread != start.thread || p.block == nil || len(p.steps) == 0 || reaches(p, nil)[p] {
				continue
			}
			if slices.ContainsFunc(p.steps, func(t *transition) bool { return len(t.shared) > 0 }) {
				noticed = append(noticed, p)
			} else {
				others = append(others, p)
			}
		}
		all := append(noticed, others...)
		for _, p := range all[:min(len(all), maxCounted)] {
			if len(iv.counters) == maxCounters {
				break
			}
			c := &counter{id: len(iv.counters), thread: p.thread, at: p}
			iv.counters = append(iv.counters, c)
			s := countSlotOf(c)
			for _, t := range p.steps {
				t.shared[s] = iv.b.Add(iv.b.Var(s.name("k"), countBits), iv.b.Num(countBits, 1))
			}
		}
	}
	for _, p := range iv.points {
		iv.ways[p] = iv.positions(p)
	}
}

// A position says of a thread whether it has left a point for sure, or has not for sure.
type position struct{ left, not bool }

// positions are those of a thread at a point.
func (iv *invariants) positions(p *point) map[*counter]position {
	out := map[*counter]position{}
	notYet := p.block == nil && p.index == 0
	first := iv.byKey[pointKey{p.thread, nil, 0, 0}]
	for _, c := range iv.counters {
		switch {
		case c.thread != p.thread || notYet:
		case c.at == nil:
			out[c] = position{left: true}
		default:
			out[c] = position{left: p != c.at && !reaches(first, c.at)[p], not: !reaches(c.at, nil)[p]}
		}
	}
	return out
}

// reaches are the points that steps lead to from a point, by way of others than one.
func reaches(from, without *point) map[*point]bool {
	seen := map[*point]bool{}
	for work := []*point{from}; len(work) > 0; {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p == without {
			continue
		}
		for _, t := range p.steps {
			if !seen[t.to] {
				seen[t.to] = true
				work = append(work, t.to)
			}
		}
	}
	return seen
}

// before reports whether whoever has left the second has left the first.
func (iv *invariants) before(a, b *counter) bool {
	return a != b && a.thread == b.thread && b.at != nil && (a.at == nil || iv.ways[b.at][a].left)
}

// counted is what numbers of threads tell by themselves, of some threads at points.
func (iv *invariants) counted(at ...*point) []*bv.Term {
	b := iv.b
	v := func(c *counter) *bv.Term { return b.Var(countSlotOf(c).name("k"), countBits) }
	n := func(k int) *bv.Term { return b.Num(countBits, uint64(k)) }
	var out []*bv.Term
	for _, c := range iv.counters {
		out = append(out, b.SLe(n(0), v(c)), b.SLt(v(c), b.Num(countBits, maxThreads)))
		k := 0 // those that have left c
		for _, p := range at {
			if iv.ways[p][c].left {
				k++
			}
		}
		if k > 0 {
			out = append(out, b.SLe(n(k), v(c)))
		}
		for _, d := range iv.counters {
			if !iv.before(c, d) {
				continue
			}
			k := 0 // those that have left c and not d
			for _, p := range at {
				if iv.ways[p][c].left && iv.ways[p][d].not {
					k++
				}
			}
			switch k {
			case 0:
				out = append(out, b.SLe(v(d), v(c)))
			case 1:
				out = append(out, b.SLt(v(d), v(c)))
			default:
				out = append(out, b.SLe(b.Add(v(d), n(k)), v(c)))
			}
		}
	}
	return out
}

// guessCounts makes the candidates about numbers of threads.
func (iv *invariants) guessCounts(p *point) {
	vars := slices.Concat(p.slots, iv.sharedSlots)
	for _, c := range iv.counters {
		s := countSlotOf(c)
		for _, n := range slices.Concat(iv.nums, []uint64{math.MaxInt32, math.MaxUint32}) {
			if int64(n) > 1 {
				p.inv = append(p.inv, candidate{op: "le", x: s, num: n, isNum: true})
			}
		}
		for _, x := range vars {
			if x.width < 2 || x.kind == regSlot && ir.IsPtr(x.reg.Type) {
				continue
			}
			for _, op := range []string{"eq", "le", "ge"} {
				if !iv.small[x] {
					p.inv = append(p.inv, candidate{op: op, x: s, y: x})
				}
			}
			if x.kind == sharedSlot {
				p.inv = append(p.inv, candidate{op: "eq", x: x, isNum: true, unless: &s})
			}
		}
	}
}
