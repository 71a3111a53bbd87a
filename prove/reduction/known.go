package reduction

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"whoop/smt/bv"
)

// knowledge is what is known at a node of the places that threads share: a set of
// relations. Whether two steps commute, or one is possible, may depend on it: a
// consumer's step and a producer's do where a queue is not empty.
type knowledge uint64

// A relation is one of the numbers of two places, or of one and a constant.
type relation struct {
	term  *bv.Term
	left  *bv.Term // of an equation: a place's number, and what it is equal to
	right *bv.Term
	slots map[slot]bool
}

// maxRelations bounds the relations that are looked at.
const maxRelations = 60

// relations answers what is known after steps, and remembers it.
type relations struct {
	m       *machine
	all     []relation
	solver  bv.Solver
	after   map[stepFrom]stepTo
	swaps   map[swap]bool
	touches map[*step]touched
	equal   map[knowledge]map[*bv.Term]*bv.Term
}

type stepFrom struct {
	step  *step
	known knowledge
}

type stepTo struct {
	known    knowledge
	possible bool
}

// relations are those of the shared numbers that the program compares. In the machines of
// one thread there are none: others write at any time.
func (m *machine) relations() (*relations, error) {
	r := &relations{m: m, after: map[stepFrom]stepTo{}, swaps: map[swap]bool{}, touches: map[*step]touched{}, equal: map[knowledge]map[*bv.Term]*bv.Term{}}
	if m.solo >= 0 {
		return r, nil
	}
	if err := m.allSteps(); err != nil {
		return nil, err
	}
	c, choices := m.comparisons(everywhere), m.comparisons(inChoices)
	// What one thread writes and another uses may decide whether their steps commute.
	passed := func(s slot) bool {
		for t := range m.writers[s.id] {
			for u := range m.users[s.id] {
				if t > 0 && u > 0 && t != u {
					return true
				}
			}
		}
		return false
	}
	written := func(s slot) bool {
		for t := range m.writers[s.id] {
			if t > 0 {
				return true
			}
		}
		return false
	}
	shared := func(s slot) bool {
		return s.kind == cellSlot && s.thread == 0 && s.width > 0 && s.width <= 32
	}
	add := func(t *bv.Term, ss ...slot) {
		if t == m.b.True || t == m.b.False || slices.ContainsFunc(r.all, func(o relation) bool { return o.term == t }) {
			return
		}
		in := map[slot]bool{}
		for _, s := range ss {
			in[s] = true
		}
		r.all = append(r.all, relation{term: t, slots: in})
	}
	equal := func(x, y *bv.Term, ss ...slot) {
		n := len(r.all)
		if add(r.m.b.Eq(x, y), ss...); len(r.all) > n {
			r.all[n].left, r.all[n].right = x, y
		}
	}
	b := m.b
	pairs := slices.SortedFunc(maps.Keys(c.pairs), func(p, q [2]slot) int {
		return cmp.Or(cmp.Compare(p[0].id, q[0].id), cmp.Compare(p[1].id, q[1].id))
	})
	pair := func(x, y slot, both bool) {
		u, v := m.get(nil, x), m.get(nil, y)
		less := b.ULt
		if x.signed && y.signed {
			less = b.SLt
		}
		add(less(u, v), x, y)
		add(b.Not(less(v, u)), x, y)
		if both {
			equal(v, u, x, y)
			equal(v, b.Add(u, b.Num(x.width, 1)), x, y)
		}
	}
	// First those of two numbers that change, as of the ends of a queue; then those of
	// one and a bound, where it decides something.
	for _, both := range []bool{true, false} {
		for _, p := range pairs {
			if x, y := p[0], p[1]; shared(x) && shared(y) && (passed(x) || passed(y)) && both == (written(x) && written(y)) && (both || choices.pairs[p]) {
				pair(x, y, both)
			}
		}
	}
	for _, s := range slices.SortedFunc(maps.Keys(c.nums), func(p, q slot) int { return cmp.Compare(p.id, q.id) }) {
		if !shared(s) || !passed(s) || s.width > 8 { // flags
			continue
		}
		for i, n := range slices.Sorted(maps.Keys(c.nums[s])) {
			if i < 3 {
				v, c := m.get(nil, s), b.Num(s.width, n&(^uint64(0)>>(64-s.width)))
				equal(v, c, s)
				add(b.Not(b.Eq(v, c)), s)
			}
		}
	}
	r.all = r.all[:min(len(r.all), maxRelations)]
	return r, nil
}

// first is what is known when the program starts.
func (r *relations) first() (k knowledge) {
	by := map[*bv.Term]*bv.Term{}
	initial := r.m.initial()
	for _, x := range inOrder(initial) {
		by[r.m.get(nil, x)] = initial[x]
	}
	for i, x := range r.all {
		if r.m.b.Substitute(x.term, by) == r.m.b.True {
			k |= 1 << i
		}
	}
	return k
}

// allSteps finds all steps of all threads.
func (m *machine) allSteps() error {
	for _, t := range m.threads {
		seen := map[place]bool{}
		work := []place{{block: t.fn.Blocks[0]}}
		for len(work) > 0 {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[at] || at.block == nil {
				continue
			}
			seen[at] = true
			steps, err := m.stepsAt(t, at)
			if err != nil {
				return err
			}
			for _, s := range steps {
				if !s.fails && !s.to.ended {
					work = append(work, s.to)
				}
			}
		}
	}
	return nil
}

func (r *relations) close() {
	if r.solver != nil {
		r.solver.Close()
		r.solver = nil
	}
}

// begin makes the solver ready for a question: what is known, and something else, holds.
func (r *relations) begin(k knowledge, t *bv.Term) error {
	if r.solver == nil {
		s, err := r.m.opt.Solver()
		if err != nil {
			return err
		}
		s.Limit(swapConflicts)
		r.solver = s
	} else if err := r.solver.Reset(); err != nil {
		return err
	}
	if err := r.solver.Assert(r.where(k, t)); err != nil {
		return err
	}
	for i, x := range r.all {
		if k>>i&1 == 1 {
			if err := r.solver.Assert(r.where(k, x.term)); err != nil {
				return err
			}
		}
	}
	return nil
}

// touched are the relations that say something of what a step reads, and of what it
// writes.
type touched struct{ reads, writes knowledge }

func (r *relations) touch(s *step) touched {
	if t, ok := r.touches[s]; ok {
		return t
	}
	var t touched
	for i, x := range r.all {
		for v := range x.slots {
			if s.reads[v] {
				t.reads |= 1 << i
			}
			if s.set[v] != nil {
				t.writes |= 1 << i
			}
		}
	}
	r.touches[s] = t
	return t
}

func (t touched) any() knowledge { return t.reads | t.writes }

// step is what is known after a step, and whether it is possible.
func (r *relations) step(s *step, k knowledge) (knowledge, bool, error) {
	if len(r.all) == 0 {
		return 0, true, nil
	}
	t := r.touch(s)
	near := k & t.any()
	keep := k &^ t.writes
	key := stepFrom{s, near}
	to, ok := r.after[key]
	if !ok {
		if t.any() == 0 {
			to = stepTo{possible: true}
		} else {
			var err error
			if to, err = r.ask(s, near, t.any()); err != nil {
				return 0, false, err
			}
		}
		r.after[key] = to
	}
	return keep | to.known, to.possible, nil
}

// ask asks which of the relations hold after a step.
func (r *relations) ask(s *step, k, asked knowledge) (stepTo, error) {
	b := r.m.b
	by := map[*bv.Term]*bv.Term{}
	for _, x := range inOrder(s.set) {
		by[r.m.get(nil, x)] = s.set[x]
	}
	then := map[int]*bv.Term{}
	for i, x := range r.all {
		if asked>>i&1 == 1 {
			then[i] = r.where(k, b.Substitute(x.term, by))
		}
	}
	if err := r.begin(k, s.guard); err != nil {
		return stepTo{}, err
	}
	sat, err := r.check(b.True)
	switch {
	case errors.Is(err, bv.ErrLimit): // nothing more is known
		return stepTo{possible: true}, r.m.ctx.Err()
	case err != nil || !sat:
		return stepTo{}, err
	}
	to := stepTo{possible: true}
	for len(then) > 0 {
		var nots []*bv.Term
		for _, i := range slices.Sorted(maps.Keys(then)) { // what a model refutes does not hold
			v, err := r.solver.Value(then[i])
			if err != nil {
				return stepTo{}, err
			}
			if v == 0 {
				delete(then, i)
			} else {
				nots = append(nots, b.Not(then[i]))
			}
		}
		sat, err := r.check(b.Or(nots...))
		if err != nil && !errors.Is(err, bv.ErrLimit) {
			return stepTo{}, err
		}
		if err == nil && !sat {
			break
		}
		// one after the other, where all are too much
		for _, i := range slices.Sorted(maps.Keys(then)) {
			if sat {
				break
			}
			switch sat, err = r.check(b.Not(then[i])); {
			case errors.Is(err, bv.ErrLimit):
				delete(then, i)
			case err != nil:
				return stepTo{}, err
			case !sat:
				to.known |= 1 << i
				delete(then, i)
			}
		}
	}
	for i := range then {
		to.known |= 1 << i
	}
	return to, r.m.ctx.Err()
}

// check asks whether something may hold besides.
func (r *relations) check(goal *bv.Term) (bool, error) {
	l := r.m.b.Fresh("goal", 0)
	if err := r.solver.Assert(r.m.b.Implies(l, goal)); err != nil {
		return false, err
	}
	return r.solver.Check(l)
}

// where is a term as it is where something is known: what equations give is put for
// numbers, so that the solver has little to do.
func (r *relations) where(k knowledge, t *bv.Term) *bv.Term {
	by, ok := r.equal[k]
	if !ok {
		by = map[*bv.Term]*bv.Term{}
		for i, x := range r.all {
			if k>>i&1 == 0 || x.left == nil {
				continue
			}
			left, right := r.m.b.Substitute(x.left, by), r.m.b.Substitute(x.right, by)
			if left.Op != bv.OpVar || slices.Contains(variables(right), left) {
				continue
			}
			for v, u := range by {
				by[v] = r.m.b.Substitute(u, map[*bv.Term]*bv.Term{left: right})
			}
			by[left] = right
		}
		r.equal[k] = by
	}
	return r.m.b.Substitute(t, by)
}

// variables are those of a term.
func variables(t *bv.Term) (out []*bv.Term) {
	if t.Op == bv.OpVar {
		return []*bv.Term{t}
	}
	for _, a := range t.Args {
		out = append(out, variables(a)...)
	}
	return out
}
