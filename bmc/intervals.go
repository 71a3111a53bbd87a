package bmc

import (
	"whoop/internal/graph"
	"whoop/smt/bv"
)

// What a cell may hold is bounded by counting: a write is taken at most once in an
// execution of the unrolling, so that what a cell holds after all writes is found by
// applying each of them as often as there are writes. A counter that ten steps increment
// is at most ten, and two numbers that are added to each other ten times are below 2048.
// Of such numbers the upper bits are known, and the solver need not reason about their
// carries.

// ranges are intervals of what reads yield, by their variables.
type ranges map[*bv.Term]bv.Interval

// rangeWork bounds the work on cells that depend on each other, in terms that are looked
// at; what still grows then may hold anything.
const rangeWork = 400_000

// counting is the search for ranges.
type counting struct {
	u      *unrolling
	find   *bv.Ranges
	reads  map[*bv.Term]*read // by variable
	writes map[*cell][]ranged
	now    map[*cell]bv.Interval
	vars   map[*bv.Term][]*bv.Term // of stored values, the variables that reads bind
}

// ranged is a write to a cell: what is stored, and whether that is all of the cell.
type ranged struct {
	val   *bv.Term
	whole bool
}

// rangesOf bounds what reads of shared cells yield in any execution of an unrolling.
func rangesOf(u *unrolling) ranges {
	n := &counting{u: u, reads: map[*bv.Term]*read{}, writes: map[*cell][]ranged{}, now: map[*cell]bv.Interval{}, vars: map[*bv.Term][]*bv.Term{}, find: &bv.Ranges{}}
	n.find.Of = n.variable
	for _, t := range u.threads {
		for _, p := range t.pos {
			for _, r := range p.reads {
				if r.v.Op == bv.OpVar && r.v.Width <= 64 {
					n.reads[r.v] = r
				}
			}
			for _, w := range p.writes {
				for _, t := range w.targets {
					if t.c.width <= 64 {
						n.writes[t.c] = append(n.writes[t.c], ranged{w.val, t.lo == 0 && w.val.Width == t.c.width})
					}
				}
			}
		}
	}
	for _, group := range n.groups() {
		n.settle(group)
	}
	out := ranges{}
	n.find.Reset()
	for v := range n.reads {
		out[v] = n.variable(v)
	}
	return out
}

// cell is what a cell holds as far as is known: at first, what it holds at the start.
func (n *counting) cell(c *cell) bv.Interval {
	if c.width > 64 {
		return bv.Whole(64)
	}
	i, ok := n.now[c]
	if !ok {
		i = (&bv.Ranges{Of: n.input}).Find(n.u.initial(c))
		n.now[c] = i
	}
	return i
}

// input bounds a variable that no read binds.
func (n *counting) input(v *bv.Term) bv.Interval {
	vs := n.u.vals[v]
	if vs == nil || vs.any || len(vs.arrays) > 0 || len(vs.nums) == 0 {
		return bv.Whole(v.Width)
	}
	var out bv.Interval
	for i, x := range vs.sorted() {
		is := n.find.Find(n.u.b.Num(v.Width, x))
		if i == 0 {
			out = is
		} else {
			out = out.Join(is)
		}
	}
	return out
}

// variable bounds a variable: what it reads, and what it may be as a pointer.
func (n *counting) variable(v *bv.Term) bv.Interval {
	in := n.input(v)
	r := n.reads[v]
	if r == nil || len(r.targets) == 0 {
		return in
	}
	var out bv.Interval
	for k, t := range r.targets {
		i := bv.Whole(v.Width)
		if t.lo == 0 && t.c.width <= 64 {
			if c := n.cell(t.c); c.Bits() <= v.Width {
				i = c
			}
		}
		if k == 0 {
			out = i
		} else {
			out = out.Join(i)
		}
	}
	return out.Meet(in)
}

// settle finds the ranges of cells whose contents depend on each other, where those of
// all others they depend on are known.
func (n *counting) settle(group []*cell) {
	writes := 0
	for _, c := range group {
		n.cell(c)
		writes += len(n.writes[c])
	}
	n.find.Reset()
	n.find.Work = 0
	for k := 0; ; k++ {
		grown := n.step(group, n.find.Work > rangeWork)
		if !grown || k+1 >= writes && n.find.Work <= rangeWork {
			return
		}
		n.find.Reset()
	}
}

// step applies every write once, and tells whether a range has grown; what grows is
// unbounded from then on where that is wanted.
func (n *counting) step(group []*cell, widen bool) (grown bool) {
	next := make([]bv.Interval, len(group))
	for k, c := range group {
		i := n.now[c]
		for _, w := range n.writes[c] {
			if w.whole {
				i = i.Join(n.find.Find(w.val))
			} else {
				i = bv.Whole(c.width)
			}
		}
		if i != n.now[c] {
			grown = true
			if widen {
				i = bv.Whole(c.width)
			}
		}
		next[k] = i
	}
	for k, c := range group {
		n.now[c] = next[k]
	}
	return grown
}

// groups are the cells that are written, those that depend on each other together, and
// after those they depend on.
func (n *counting) groups() [][]*cell {
	var roots []*cell
	for _, c := range n.u.w.cells {
		if n.writes[c] != nil {
			roots = append(roots, c)
		}
	}
	return graph.Components(roots, n.sources)
}

// sources are the written cells on which the contents of a cell depend.
func (n *counting) sources(c *cell) []*cell {
	var out []*cell
	seen := map[*cell]bool{}
	for _, w := range n.writes[c] {
		if !w.whole {
			continue
		}
		for _, v := range n.variables(w.val) {
			for _, t := range n.reads[v].targets {
				if t.c.width <= 64 && n.writes[t.c] != nil && !seen[t.c] {
					seen[t.c] = true
					out = append(out, t.c)
				}
			}
		}
	}
	return out
}

// variables are those of a stored value that reads bind.
func (n *counting) variables(t *bv.Term) []*bv.Term {
	if vs, ok := n.vars[t]; ok {
		return vs
	}
	var out []*bv.Term
	seen := map[*bv.Term]bool{}
	var walk func(t *bv.Term)
	walk = func(t *bv.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if n.reads[t] != nil {
			out = append(out, t)
		}
		for i, a := range t.Args {
			if t.Op != bv.OpIte || i > 0 { // which of two values it is does not matter
				walk(a)
			}
		}
	}
	walk(t)
	n.vars[t] = out
	return out
}

// fact is what is known of a read's value, in any execution; True: nothing.
func (u *unrolling) fact(r *read) *bv.Term {
	i, ok := u.ranges[r.v]
	if !ok {
		return u.b.True
	}
	return u.b.Within(r.v, i)
}
