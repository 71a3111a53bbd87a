package absint

import (
	"context"
	"errors"
	"slices"
	"sync"

	"whoop/ir"
	"whoop/smt/bv"
)

// Bounds of the search for invariants.
const (
	maxNums       = 8
	maxCandidates = 1200 // of a point
	maxConflicts  = 3000 // of one question to a solver
)

// invariants is a search for invariants of one thread at each point and of two threads at
// each two points, which hold for any number of threads: of many guesses, those are
// dropped that a step of the thread itself, or of another, does not keep (Houdini). A
// step of another thread is looked at together with all that is believed of the two: that
// is thread-modular reasoning of level two (Hoenicke, Majumdar, Podelski: Thread
// Modularity at Many Levels, POPL 2017).
type invariants struct {
	a           *analysis
	b           *bv.Builder
	open        func() (bv.Solver, error)
	provers     []*prover
	points      []*point
	byKey       map[pointKey]*point
	own         map[*thread][]int
	locks       []lockID
	sharedSlots []slot
	flags       []slot
	nums        []uint64
	obligations []obligation
	counting    bool // of threads
	counters    []*counter
	ways        map[*point]map[*counter]position // of threads at points
	axioms      []*bv.Term
	known       map[*bv.Term]bool
	small       map[slot]bool // those that hold few values
	cuts        map[*thread]map[*ir.Block]bool
	paths, work int
	pairs       map[[2]int]*pair
	racy        map[ir.Instr]bool // nil: races are not asked about
	relevant    *relevance        // nil: all matters
	touched     []touch
	common      map[*bv.Term]bool // variables that mean the same for all threads
	race        *Race             // that is not excluded
	tops        []uint64          // that these may be at most
	strides     []uint64          // by which numbers that threads draw may differ
	mu          *sync.Mutex       // of provers: they are interrupted from elsewhere
}

// interrupt ends what the solvers do.
func (iv *invariants) interrupt() {
	iv.mu.Lock()
	defer iv.mu.Unlock()
	for _, p := range iv.provers {
		p.Interrupt()
	}
}

// A prover is a solver with what it was told: one for each step, so that it sees no more
// than matters.
type prover struct {
	iv *invariants
	bv.Solver
	nots     map[*bv.Term]*bv.Term
	believed map[invariant]*bv.Term
}

// prover makes a solver.
func (iv *invariants) prover() (*prover, error) {
	s, err := iv.open()
	if err != nil {
		return nil, err
	}
	s.Limit(maxConflicts)
	p := &prover{iv: iv, Solver: s, nots: map[*bv.Term]*bv.Term{}, believed: map[invariant]*bv.Term{}}
	iv.mu.Lock()
	iv.provers = append(iv.provers, p)
	iv.mu.Unlock()
	for _, x := range iv.axioms {
		if err := s.Assert(x); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// A pair is what is believed of two threads at two points (the first at the one with the
// smaller number).
type pair struct {
	never   bool // they are never there at once
	inv     []candidate
	version int
	fixed   bool // nothing is dropped: they cannot be
}

// prove looks for invariants, also (counting) of numbers of threads, and returns the
// assertions that may fail all the same.
func (a *analysis) prove(ctx context.Context, open func() (bv.Solver, error), counting bool) (map[ir.Instr]bool, error) {
	iv := &invariants{a: a, b: bv.NewBuilder(), open: open, byKey: map[pointKey]*point{}, own: map[*thread][]int{}, known: map[*bv.Term]bool{},
		pairs: map[[2]int]*pair{}, cuts: map[*thread]map[*ir.Block]bool{}, small: map[slot]bool{}, counting: counting}
	iv.mu = &sync.Mutex{}
	stop := context.AfterFunc(ctx, iv.interrupt)
	defer stop()
	defer func() {
		iv.mu.Lock()
		defer iv.mu.Unlock()
		for _, p := range iv.provers {
			p.Close()
		}
		iv.provers = nil
	}()
	if a.races != nil {
		iv.findRacy()
		iv.findRelevant()
		iv.findStrides()
	}
	iv.locks = a.onceOnly(a.allLocks())
	iv.variables()
	iv.constants()
	if a.races != nil {
		iv.findTops()
	}
	if counting {
		iv.countStarts()
	}
	for _, t := range a.threads {
		iv.pointAt(t, nil, 0, 0)
	}
	for i := 0; i < len(iv.points); i++ {
		if iv.points[i].index < 0 {
			continue
		}
		if err := iv.explore(iv.points[i]); err != nil {
			return nil, err
		}
	}
	if counting {
		iv.countPoints()
	}
	if err := iv.begin(); err != nil {
		return nil, err
	}
	if err := iv.houdini(ctx); err != nil {
		return nil, err
	}
	a.found = iv
	if a.races != nil {
		var err error
		if iv.race, err = iv.racing(); err != nil {
			return nil, err
		}
	}
	return iv.unproved()
}

// variables finds the cells that matter: those that hold one place each and are accessed.
func (iv *invariants) variables() {
	seen := map[int]bool{}
	stores := map[int]int{} // 0: only 0 and 1 are stored; 1: something else
	for _, t := range iv.a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				for _, x := range iv.a.alias.Accesses(in) {
					for _, r := range x.Regions {
						c := iv.a.cells[r.ID]
						if !c.known || !c.strong || c.typ.Bits > 64 || c.typ.Bits < 2 || !iv.matters(r.ID) {
							continue
						}
						if x.Write {
							if st, ok := in.(*ir.Store); !ok || !isBit(st.Val) {
								stores[r.ID] = 1
							}
						}
						if !c.shared && !slices.Contains(iv.own[t], r.ID) {
							iv.own[t] = append(iv.own[t], r.ID)
						}
						if c.shared && !seen[r.ID] {
							seen[r.ID] = true
							iv.sharedSlots = append(iv.sharedSlots, iv.slotOf(r.ID))
						}
					}
				}
			}
		}
		slices.Sort(iv.own[t])
	}
	slices.SortFunc(iv.sharedSlots, func(x, y slot) int { return x.cell - y.cell })
	for _, s := range iv.sharedSlots {
		iv.small[s] = iv.few(s)
		if stores[s.cell] == 0 && len(iv.flags) < 3 {
			iv.flags = append(iv.flags, s)
		}
	}
	for _, l := range iv.locks {
		iv.sharedSlots = append(iv.sharedSlots, slot{kind: takenSlot, lock: l})
	}
	for _, t := range iv.a.threads {
		iv.sharedSlots = append(iv.sharedSlots, slot{kind: startedSlot, flag: t})
	}
}

// few reports whether a slot holds few different values, as far as intervals tell: its
// order does not matter then.
func (iv *invariants) few(s slot) bool {
	if s.kind != sharedSlot {
		return false
	}
	v := iv.a.cells[s.cell].start
	for _, t := range iv.a.threads {
		if p, ok := iv.a.pub[published{t.entry, unpublished{section, s.cell}}]; ok {
			v = v.join(p)
		}
		if st := iv.a.start[t]; st != nil {
			m, ok := st.mem[s.cell]
			if !ok {
				return false
			}
			v = v.join(m)
		}
	}
	return v.set != nil
}

// isBit reports whether an expression is the constant 0 or 1.
func isBit(e ir.Expr) bool {
	c, ok := e.(ir.Const)
	return ok && c.Val.IsInt64() && (c.Val.Int64() == 0 || c.Val.Int64() == 1)
}

func (iv *invariants) slotOf(c int) slot {
	x := iv.a.cells[c]
	s := slot{kind: sharedSlot, cell: c, width: x.typ.Bits, signed: x.typ.Signed}
	if !x.shared {
		s.kind = cellSlot
	}
	return s
}

// tracked reports whether a thread's accesses to a cell are followed.
func (iv *invariants) tracked(t *thread, c int) bool {
	x := iv.a.cells[c]
	if !x.known || !x.strong || x.typ.Bits > 64 || x.typ.Bits < 2 || !iv.matters(c) {
		return false
	}
	return x.shared || slices.Contains(iv.own[t], c)
}

// begin drops the guesses about threads not started that are not true at first.
func (iv *invariants) begin() error {
	first := map[slot]*bv.Term{}
	var init []*bv.Term
	for _, c := range iv.counters {
		first[countSlotOf(c)] = iv.b.Num(countBits, 0)
	}
	for _, s := range iv.sharedSlots {
		switch s.kind {
		case sharedSlot:
			first[s] = iv.b.Var(s.name("k"), s.width)
			if v := iv.a.cells[s.cell].start; v.set != nil {
				var any []*bv.Term
				for _, n := range v.set {
					any = append(any, iv.b.Eq(first[s], iv.b.Num(s.width, uint64(n))))
				}
				init = append(init, iv.b.Or(any...))
			}
		case startedSlot:
			first[s] = iv.b.Bool(s.flag.main)
		default:
			first[s] = iv.b.False
		}
	}
	pr, err := iv.prover()
	if err != nil {
		return err
	}
	if err := pr.Assert(iv.b.And(init...)); err != nil {
		return err
	}
	for _, p := range iv.points {
		if p.index >= 0 {
			iv.guess(p)
			iv.guessCounts(p)
			iv.guessLater(p)
		}
		if len(p.inv) > maxCandidates {
			return errTooLarge
		}
		p.number()
		if p.block != nil || p.index < 0 {
			continue
		}
		var terms []*bv.Term
		for _, c := range p.inv {
			terms = append(terms, iv.term(c, func(s slot, _ bool) *bv.Term { return first[s] }, false))
		}
		keep, err := pr.kept(nil, terms, nil)
		if err != nil {
			return err
		}
		iv.drop(p, keep)
	}
	for i, p := range iv.points {
		for _, q := range iv.points[i:] {
			iv.guessPair(p, q)
		}
	}
	return nil
}

// guessPair makes the guesses about two threads.
func (iv *invariants) guessPair(p, q *point) {
	if p.block == nil || q.block == nil || p.thread == q.thread && !p.thread.multi {
		return
	}
	x := &pair{never: true, fixed: p.depth > 0 && q.depth > 0}
	for _, s := range p.slots {
		for _, r := range q.slots {
			if s.kind == r.kind && s.kind != heldSlot && s.width > 1 && s.width == r.width && s.signed == r.signed && s.width < 64 && (s.kind == regSlot || s == r || p.thread != q.thread) {
				x.inv = append(x.inv, candidate{op: "ne", x: s, y: r})
				for _, d := range iv.strides {
					x.inv = append(x.inv, candidate{op: "apart", x: s, y: r, num: d})
				}
			}
		}
	}
	iv.pairs[[2]int{p.id, q.id}] = x
}

// drop keeps only some guesses.
func (iv *invariants) drop(p *point, keep []bool) bool {
	var out []candidate
	for i, c := range p.inv {
		if keep[i] {
			out = append(out, c)
		}
	}
	changed := len(out) < len(p.inv)
	if changed {
		p.inv = out
		p.version++
	}
	return changed
}

// not is a literal that implies that a term is false.
func (p *prover) not(t *bv.Term) (*bv.Term, error) {
	if l := p.nots[t]; l != nil {
		return l, nil
	}
	l := p.iv.b.Fresh("not", 0)
	p.nots[t] = l
	return l, p.Assert(p.iv.b.Implies(l, p.iv.b.Not(t)))
}

// kept tells which terms follow from the assumptions. Those that others imply, as far as
// these are kept, are not asked about.
func (p *prover) kept(assumptions []*bv.Term, terms []*bv.Term, implied func(i int, keep []bool) bool) ([]bool, error) {
	keep := make([]bool, len(terms))
	sure := make([]bool, len(terms))
	for i, t := range terms {
		keep[i], sure[i] = true, t == p.iv.b.True
	}
	for most := len(terms); ; {
		var left []int
		for i := range terms {
			if keep[i] && !sure[i] && (implied == nil || !implied(i, keep)) && len(left) < most {
				left = append(left, i)
			}
		}
		if len(left) == 0 {
			return keep, nil
		}
		answer, err := p.ask(assumptions, terms, left, keep)
		switch {
		case err != nil:
			return keep, err
		case answer == allFollow:
			for _, i := range left {
				sure[i] = true
			}
		case answer == tooHard && len(left) == 1: // guesses may be dropped for any reason
			keep[left[0]] = false
		case answer == tooHard:
			most = (len(left) + 3) / 4
		}
	}
}

// An answer is one about several terms.
type answer uint8

const (
	allFollow answer = iota
	someDropped
	tooHard
)

// ask asks whether some terms follow from the assumptions, and drops terms that are seen
// not to.
func (p *prover) ask(assumptions, terms []*bv.Term, left []int, keep []bool) (answer, error) {
	var lits []*bv.Term
	for _, i := range left {
		l, err := p.not(terms[i])
		if err != nil {
			return tooHard, err
		}
		lits = append(lits, l)
	}
	goal := p.iv.b.Fresh("goal", 0)
	if err := p.Assert(p.iv.b.Implies(goal, p.iv.b.Or(lits...))); err != nil {
		return tooHard, err
	}
	sat, err := p.Check(append(slices.Clone(assumptions), goal)...)
	switch {
	case errors.Is(err, bv.ErrLimit):
		return tooHard, nil
	case err != nil || !sat:
		return allFollow, err
	}
	for i, t := range terms {
		if !keep[i] {
			continue
		}
		v, err := p.Value(t)
		if err != nil {
			return tooHard, err
		}
		keep[i] = v == 1
	}
	return someDropped, nil
}
