package reduction

import (
	"cmp"
	"slices"

	"whoop/smt/bv"
)

// A start is a solver that knows what is believed at a cut, in a version.
type start struct {
	from    *invariant
	version int
	solver  bv.Solver
	by      map[*bv.Term]*bv.Term // variables that equations give, where that is simple
	sums    map[*bv.Term]*bv.Term // others that are sums of several
	paths   map[*path]*segment
	memo    map[*bv.Term]*bv.Term
	facts   map[*bv.Term]bool // that hold there
	claims  []claim
	loaded  *segment
	inside  map[*bv.Term][]*bv.Term // variables of terms
}

// A claim is a term that is assumed where its literal is.
type claim struct {
	lit  *bv.Term
	term *bv.Term
	vars []*bv.Term
}

// claim makes claims of a term.
func (s *start) claim(e *engine, t *bv.Term, out *[]claim) {
	if t.Op == bv.OpAnd {
		for _, a := range t.Args {
			s.claim(e, a, out)
		}
		return
	}
	if t != e.m.b.True {
		*out = append(*out, claim{lit: e.m.b.Fresh("claim", 0), term: t, vars: s.vars(t)})
	}
}

// load makes the solver know a segment, and no other: formulas that do not matter cost it
// much.
func (s *start) load(e *engine, l *segment) error {
	if s.loaded == l {
		return nil
	}
	if s.loaded != nil {
		if err := s.solver.Reset(); err != nil {
			return err
		}
	}
	s.loaded = l
	for _, x := range e.m.axioms {
		if err := s.solver.Assert(x); err != nil {
			return err
		}
	}
	for _, cs := range [][]claim{s.claims, l.claims} {
		for _, c := range cs {
			if err := s.solver.Assert(e.m.b.Implies(c.lit, c.term)); err != nil {
				return err
			}
		}
	}
	return s.solver.Assert(e.m.b.Implies(l.small, e.m.b.And(l.sizes...)))
}

// vars are the variables of a term.
func (s *start) vars(t *bv.Term) []*bv.Term {
	if v, ok := s.inside[t]; ok {
		return v
	}
	var out []*bv.Term
	if t.Op == bv.OpVar {
		out = append(out, t)
	}
	for _, a := range t.Args {
		for _, v := range s.vars(a) {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	s.inside[t] = out
	return out
}

// term is a term as it is where the equations hold.
func (s *start) term(e *engine, t *bv.Term) *bv.Term {
	return e.polys.canonical(e.m.b, e.m.b.Substitute(t, s.by), s.memo)
}

// A segment is a path from a start: what is to be assumed, and the slots of the invariant
// at its end.
type segment struct {
	claims []claim
	small  *bv.Term
	sizes  []*bv.Term // what small says
	vals   []*bv.Term
	terms  map[*bv.Term]bool // that hold on it
	equal  [][2]*bv.Term     // a variable and a term that is equal to it: each is at most the other
}

// start is a path as it is from what is believed at its beginning now.
func (e *engine) start(p *path) (*segment, error) {
	b := e.m.b
	from := e.invariants[p.from]
	if e.now == nil || e.now.from != from || e.now.version != from.version {
		if err := e.begin(from); err != nil {
			return nil, err
		}
	}
	if l := e.now.paths[p]; l != nil {
		return l, nil
	}
	l := &segment{small: b.Fresh("small", 0), terms: map[*bv.Term]bool{}}
	var terms []*bv.Term
	for _, t := range p.terms {
		terms = append(terms, e.now.term(e, t))
	}
	for _, t := range terms {
		conjuncts(t, l.terms)
	}
	l.equal = e.equal(l.terms)
	for _, x := range l.equal {
		e.now.claim(e, b.Eq(x[0], x[1]), &l.claims)
	}
	if p.to != nil {
		for _, k := range e.invariants[p.to].slots {
			l.vals = append(l.vals, e.now.term(e, e.value(p.vals, k)))
		}
	}
	e.now.paths[p] = l
	for _, t := range terms {
		e.now.claim(e, t, &l.claims)
	}
	l.sizes = small(b, slices.Concat(terms, l.vals))
	return l, nil
}

// equal are variables that are at most, and at least, what another term is: as at the end
// of a loop.
func (e *engine) equal(terms map[*bv.Term]bool) (out [][2]*bv.Term) {
	type pair struct {
		x, y *bv.Term
		op   bv.Op
	}
	most := map[pair]bool{}
	var order []pair
	note := func(t *bv.Term) {
		not := t.Op == bv.OpNot
		if not {
			t = t.Args[0]
		}
		p := pair{op: bv.OpSLe}
		switch t.Op {
		case bv.OpULe, bv.OpULt:
			p.op = bv.OpULe
		case bv.OpSLe, bv.OpSLt:
		default:
			return
		}
		p.x, p.y = t.Args[0], t.Args[1]
		if not {
			p.x, p.y = p.y, p.x
		}
		if !most[p] {
			most[p] = true
			order = append(order, p)
		}
	}
	for t := range terms {
		note(t)
	}
	for t := range e.now.facts {
		note(t)
	}
	b := e.m.b
	for _, k := range e.now.from.slots { // what is at least x and 0 is at least max(0, x)
		if k.kind != partSlot {
			continue
		}
		x, part := e.now.term(e, e.value(nil, k.whole())), e.now.term(e, e.value(nil, k))
		for _, p := range slices.Clone(order) {
			if q := (pair{part, p.y, bv.OpSLe}); p.op == bv.OpSLe && p.x == x && most[pair{b.Num(k.width, 0), p.y, bv.OpSLe}] && !most[q] {
				most[q] = true
				order = append(order, q)
			}
		}
	}
	slices.SortFunc(order, func(a, b pair) int { return cmp.Or(cmp.Compare(a.x.ID(), b.x.ID()), cmp.Compare(a.y.ID(), b.y.ID())) })
	for _, p := range order {
		if !most[pair{p.y, p.x, p.op}] || p.x == p.y || p.x.Op != bv.OpVar {
			continue
		}
		if !slices.Contains(e.now.vars(p.y), p.x) {
			out = append(out, [2]*bv.Term{p.x, p.y})
		}
	}
	return out
}

// same puts sums, and what variables are equal to, for variables.
func (e *engine) same(t *bv.Term, l *segment) *bv.Term {
	t = e.m.b.Substitute(t, e.now.sums)
	for _, x := range l.equal {
		t = e.m.b.Substitute(t, map[*bv.Term]*bv.Term{x[0]: x[1]})
	}
	return e.m.b.Substitute(t, e.now.sums)
}

// conjuncts notes what a term says.
func conjuncts(t *bv.Term, out map[*bv.Term]bool) {
	out[t] = true
	if t.Op == bv.OpAnd {
		for _, a := range t.Args {
			conjuncts(a, out)
		}
	}
}

// begin makes the start of a cut.
func (e *engine) begin(from *invariant) error {
	b := e.m.b
	if e.now != nil {
		e.spent += e.now.solver.Work()
		e.now.solver.Close()
		e.now = nil
	}
	if e.budget.work > 0 && e.spent > e.budget.work {
		return errBudget
	}
	s, err := e.m.opt.Solver()
	if err != nil {
		return err
	}
	s.Limit(e.budget.conflicts)
	by, sums := e.solved(from)
	e.now = &start{from: from, version: from.version, solver: s, by: by, sums: sums, paths: map[*path]*segment{}, memo: map[*bv.Term]*bv.Term{}, facts: map[*bv.Term]bool{}, inside: map[*bv.Term][]*bv.Term{}}
	for _, p := range from.preds { // max(0, x) is x where x is not negative
		if k := from.slots[p.x]; p.op == ge && p.y < 0 && p.num == 0 && p.neg && k.kind == cellSlot {
			if k.kind = partSlot; slices.Contains(from.slots, k) {
				by[e.value(nil, k)] = e.value(nil, k.whole())
			}
		}
	}
	for i, x := range e.all {
		if from.node.known>>i&1 == 1 {
			t := e.now.term(e, x.term)
			e.now.facts[t] = true
			e.now.claim(e, t, &e.now.claims)
		}
	}
	for _, f := range from.facts(e.polys, b, nil, func(i int) *bv.Term { return e.now.term(e, e.value(nil, from.slots[i])) }) {
		e.now.facts[f.term] = true
		e.now.claim(e, f.term, &e.now.claims)
	}
	return nil
}

// solved are variables as sums of others, as a cut's equations give them: those that can
// be put for the variables, as what is compared stays simple, and others. Variables of
// which parts are slots stay.
func (e *engine) solved(from *invariant) (by, sums map[*bv.Term]*bv.Term) {
	b := e.m.b
	by, sums = map[*bv.Term]*bv.Term{}, map[*bv.Term]*bv.Term{}
	whole := map[slot]bool{}
	for _, k := range from.slots {
		if k.derived() {
			whole[k.whole()] = true
		}
	}
	for _, s := range from.spaces {
		if s.top {
			continue
		}
		var rows [][]uint64
		var cols []int
		for _, q := range s.eqs {
			q = slices.Clone(q)
			reduce := func(x, row []uint64, col int) {
				if f := x[col]; f != 0 {
					for c := range x {
						x[c] = (x[c] - f*row[c]) & s.mask()
					}
				}
			}
			for i, r := range rows {
				reduce(q, r, cols[i])
			}
			col, least := -1, 0
			for c := len(q) - 1; c > 0; c-- {
				k := from.slots[s.slots[c-1]]
				n := e.weight(k)
				// it would be multiplied by the inverse, a large number
				if q[c] != 1 && q[c] != s.mask() {
					n += 100
				}
				if q[c]&1 == 1 && !k.derived() && !whole[k] && (col < 0 || n < least) {
					col, least = c, n
				}
			}
			if col < 0 {
				continue
			}
			inv := inverse(q[col])
			for c := range q {
				q[c] = q[c] * inv & s.mask()
			}
			for _, r := range rows {
				reduce(r, q, col)
			}
			rows, cols = append(rows, q), append(cols, col)
		}
		for i, r := range rows {
			sum, n := b.Num(s.width, -r[0]), 0
			for c := 1; c < len(r); c++ {
				if r[c] != 0 && c != cols[i] {
					n++
					sum = b.Add(sum, b.Mul(b.Num(s.width, -r[c]&s.mask()), e.value(nil, from.slots[s.slots[c-1]])))
				}
			}
			if k := from.slots[s.slots[cols[i]-1]]; n < 2 || e.weight(k) < 2 {
				by[e.m.get(nil, k)] = sum
			} else {
				sums[e.m.get(nil, k)] = sum
			}
		}
	}
	return by, sums
}

// weight is how often a slot is compared: what is compared is better a variable than a
// sum.
func (e *engine) weight(k slot) int {
	n := 2 * len(e.compared.nums[k])
	for p := range e.compared.pairs {
		if p[0] == k {
			n += 4
		}
	}
	if k.kind != regSlot {
		n++
	}
	// a constant
	if w := e.m.writers[k.id]; k.kind == cellSlot && k.thread == 0 && (len(w) == 0 || len(w) == 1 && w[0]) {
		n += 20
	}
	return n
}

// How a question is asked: with small numbers alone, with what has variables in common
// with the goal alone (then only that it is not so is sure), or fully.
type how uint8

const (
	fully how = iota
	ofSmall
	nearby
)

// check asks whether a path can be followed from what is believed at its beginning.
func (e *engine) check(p *path, goal *bv.Term) (bool, error) {
	if sat, err := e.ask(p, goal, ofSmall); err == nil && sat {
		return true, nil
	}
	return e.ask(p, goal, fully)
}

// ask asks whether a path can be followed from what is believed at its beginning, where
// goal (nil: nothing) holds at its end.
func (e *engine) ask(p *path, goal *bv.Term, by how) (bool, error) {
	l, err := e.start(p)
	if err != nil {
		return false, err
	}
	if e.asked++; e.budget.work > 0 && e.asked%16 == 0 && e.spent+e.now.solver.Work() > e.budget.work {
		return false, errBudget
	}
	if err := e.now.load(e, l); err != nil {
		return false, err
	}
	var as []*bv.Term
	if by == ofSmall {
		as = append(as, l.small)
	}
	var near []*bv.Term
	if goal != nil {
		near = e.now.vars(goal)
		lit := e.m.b.Fresh("goal", 0)
		if err := e.now.solver.Assert(e.m.b.Implies(lit, goal)); err != nil {
			return false, err
		}
		as = append(as, lit)
	}
	for _, cs := range [][]claim{e.now.claims, l.claims} {
		for _, c := range cs {
			if by != nearby || slices.ContainsFunc(c.vars, func(v *bv.Term) bool { return slices.Contains(near, v) }) {
				as = append(as, c.lit)
			}
		}
	}
	switch {
	case p.to == nil:
		e.now.solver.Limit(failConflicts)
		defer e.now.solver.Limit(e.budget.conflicts)
	case by == ofSmall && e.budget.conflicts > smallConflicts:
		e.now.solver.Limit(smallConflicts)
		defer e.now.solver.Limit(e.budget.conflicts)
	}
	return e.now.solver.Check(as...)
}

// small says that all numbers in terms are small: of such models equations have small
// numbers.
func small(b *bv.Builder, terms []*bv.Term) (out []*bv.Term) {
	seen := map[*bv.Term]bool{}
	var visit func(t *bv.Term)
	visit = func(t *bv.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if t.Op == bv.OpVar && t.Width > 3 && t.Width <= 32 {
			out = append(out, b.SLe(b.Num(t.Width, ^uint64(2)<<(64-t.Width)>>(64-t.Width)), t), b.SLe(t, b.Num(t.Width, 7)))
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	for _, t := range terms {
		visit(t)
	}
	return out
}
