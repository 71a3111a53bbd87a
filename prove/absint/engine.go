package absint

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Bounds of the iteration.
const (
	joinsBeforeWidening  = 3  // at the head of a loop
	roundsBeforeWidening = 3  // of all threads
	maxRounds            = 60 //
	narrowings           = 2  // sweeps, and rounds, that only make things smaller
	maxKeys              = 64 // states of one place that are kept apart
	maxDepth             = 8  // of atomic sections
)

// analysis is one run over a program.
type analysis struct {
	ctx        context.Context
	flat       *flat
	alias      *alias.Result
	cells      []*cell
	allocated  map[*ir.Alloc][]int
	spawned    map[*ir.Spawn][]*thread
	threads    []*thread
	guarded    map[lockID][]int // the shared cells that a lock protects
	thresholds []int64
	locks      map[int]bool // the regions of locks that may protect cells
	found      *invariants  // of one and of two threads; nil: none were looked for to the end
	races      func(first, second string, in ir.Instr) bool

	// pub and start are what threads may see of each other, and start with.
	facts
	next facts
}

// facts are what a round finds out about all threads.
type facts struct {
	pub   map[published]Value
	start map[*thread]*state
	// writes are the locks held at all writes of a cell.
	writes map[int][]lockID
	// failing are assertions that may fail.
	failing map[ir.Instr]bool
	// outside are accesses that may lie outside of their arrays.
	outside map[ir.Instr]bool
	// misused are instructions that may misuse a lock.
	misused map[ir.Instr]bool
	// heads are the states at the heads of loops.
	heads map[*ir.Block]*state
	// loads are what loads may read.
	loads map[ir.Instr]Value
	// params are what observed parameters may hold.
	params map[param]Value
}

func newFacts() facts {
	return facts{pub: map[published]Value{}, start: map[*thread]*state{},
		writes: map[int][]lockID{}, failing: map[ir.Instr]bool{},
		outside: map[ir.Instr]bool{}, misused: map[ir.Instr]bool{},
		heads: map[*ir.Block]*state{}, loads: map[ir.Instr]Value{}, params: map[param]Value{}}
}

// noteWrite records the locks of a write.
func (a *analysis) noteWrite(s *state, c int) {
	locks := []lockID{}
	for _, h := range s.held {
		if !h.shared {
			locks = append(locks, h.lock)
		}
	}
	if old, ok := a.next.writes[c]; ok {
		locks = slices.DeleteFunc(locks, func(l lockID) bool { return !slices.Contains(old, l) })
	}
	a.next.writes[c] = locks
}

// prepare finds threads, cells and thresholds.
func (a *analysis) prepare() error {
	p := a.flat.prog
	byFunc := map[*ir.Func]*thread{}
	for _, e := range p.Entries {
		if e.Func == nil || e.Kind != "main" && !e.Spawned {
			return fmt.Errorf("calls of %s (%s) are not followed", e.Name, e.Kind)
		}
		if byFunc[e.Func] != nil {
			return fmt.Errorf("%s is the function of two entries", e.Func.Name)
		}
		t := &thread{a: a, entry: e, main: e.Kind == "main", multi: true, cfg: ir.NewCFG(e.Func), live: ir.Liveness(e.Func), index: map[*ir.Block]int{}, heads: map[*ir.Block]bool{}, allocs: allocations(e.Func)}
		for i, b := range t.cfg.RPO {
			t.index[b] = i
		}
		for i, b := range t.cfg.RPO {
			for _, s := range b.Succs() {
				if t.index[s] <= i {
					t.heads[s] = true
				}
			}
		}
		byFunc[e.Func] = t
		a.threads = append(a.threads, t)
	}
	if !slices.ContainsFunc(a.threads, func(t *thread) bool { return t.main }) {
		return errors.New("there is no main function")
	}
	a.makeCells()
	a.findLocks()
	a.allocated = map[*ir.Alloc][]int{}
	for id, c := range a.cells {
		if c == nil || !c.known {
			continue
		}
		for _, o := range c.region.Objects {
			if o.Alloc != nil && !slices.Contains(a.allocated[o.Alloc], id) {
				a.allocated[o.Alloc] = append(a.allocated[o.Alloc], id)
			}
		}
	}
	if err := a.findSpawns(byFunc); err != nil {
		return err
	}
	a.findThresholds()
	return nil
}

// findSpawns finds what each spawn may start, and which threads are at most one.
func (a *analysis) findSpawns(byFunc map[*ir.Func]*thread) error {
	a.spawned = map[*ir.Spawn][]*thread{}
	sites := map[*thread]int{}
	for _, t := range a.threads {
		once := acyclic(t.entry.Func)
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				for _, x := range a.alias.Accesses(in) {
					if x.Unknown && x.Write {
						return fmt.Errorf("%s: a write through a pointer that may lead anywhere", in.At())
					}
				}
				switch in := in.(type) {
				case *ir.Spawn:
					for _, f := range a.alias.Funcs(in.Fn, t.entry.Func) {
						u := byFunc[f]
						if u == nil || u.main {
							return fmt.Errorf("%s: a thread of %s is not followed", in.Pos, f.Name)
						}
						a.spawned[in] = append(a.spawned[in], u)
						if sites[u]++; !t.main || !once[b] {
							sites[u]++
						}
					}
					if _, ok := in.Fn.(ir.FuncAddr); !ok && len(a.spawned[in]) == 0 {
						return fmt.Errorf("%s: a thread of a function that is not known", in.Pos)
					}
				case *ir.Register, *ir.Unregister:
					return fmt.Errorf("%s: callbacks are not followed", in.At())
				}
			}
		}
	}
	for _, t := range a.threads {
		t.multi = sites[t] > 1
		if t.main {
			t.multi = false
		}
	}
	return nil
}

// findThresholds collects the constants of the program: loops often end there.
func (a *analysis) findThresholds() {
	add := func(x *big.Int) {
		if x.IsInt64() {
			if v := x.Int64(); v > negInf+1 && v < posInf-1 {
				a.thresholds = append(a.thresholds, v-1, v, v+1)
			}
		}
	}
	expr := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if c, ok := e.(ir.Const); ok {
				add(c.Val)
			}
			return true
		})
	}
	for _, t := range a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				for _, e := range ir.Operands(in) {
					expr(e)
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				expr(e)
			}
		}
	}
	for _, t := range []ir.Int{ir.I8, ir.U8, {Bits: 16, Signed: true}, {Bits: 16}, ir.I32, ir.U32} {
		lo, hi := limits(t)
		add(lo)
		add(hi)
	}
	slices.Sort(a.thresholds)
	a.thresholds = slices.Compact(a.thresholds)
}

// solveGuarded solves with more and more modest beliefs about which locks protect which
// cells: at first, that all locks protect all. The beliefs are true when no write that is
// found is without the locks: the first write of an execution that is would have been
// found.
func (a *analysis) solveGuarded() error {
	locks := a.allLocks()
	for _, c := range a.cells {
		if c != nil && c.known && c.shared {
			c.guards = locks
		}
	}
	for {
		a.guard()
		if err := a.solve(); err != nil {
			return err
		}
		modest := true
		for id, held := range a.writes {
			c := a.cells[id]
			kept := slices.DeleteFunc(slices.Clone(c.guards), func(l lockID) bool { return !slices.Contains(held, l) })
			if len(kept) < len(c.guards) {
				c.guards, modest = kept, false
			}
		}
		if modest {
			return nil
		}
	}
}

// allLocks are the locks that operations take for certain.
func (a *analysis) allLocks() []lockID {
	var out []lockID
	for _, t := range a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				if _, ok := in.(*ir.Lock); !ok {
					continue
				}
				if l, ok := t.lockOf(in); ok && !slices.Contains(out, l) {
					out = append(out, l)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// guard lists the cells of each lock.
func (a *analysis) guard() {
	a.guarded = map[lockID][]int{}
	for id, c := range a.cells {
		if c == nil || !c.known || !c.shared {
			continue
		}
		for _, l := range c.guards {
			a.guarded[l] = append(a.guarded[l], id)
		}
		a.guarded[section] = append(a.guarded[section], id)
	}
}

// solve iterates over the threads until what they publish is stable; then it is made
// smaller again.
func (a *analysis) solve() error {
	a.facts = newFacts()
	for round := 0; ; round++ {
		if round > maxRounds {
			return errors.New("no fixpoint was found")
		}
		if err := a.round(); err != nil {
			return err
		}
		if a.stable() {
			break
		}
		a.grow(round >= roundsBeforeWidening)
	}
	for range narrowings {
		// What is published is at most what a round found, given something that is at
		// least what is published.
		a.facts = a.next
		if err := a.round(); err != nil {
			return err
		}
	}
	a.facts = a.next
	return nil
}

// round analyses each thread that may be started.
func (a *analysis) round() error {
	a.next = newFacts()
	for _, t := range a.threads {
		if err := t.run(); err != nil {
			return err
		}
	}
	return nil
}

// stable reports whether the round found nothing new.
func (a *analysis) stable() bool {
	for k, v := range a.next.pub {
		if old, ok := a.pub[k]; !ok || !v.within(old) {
			return false
		}
	}
	for t, s := range a.next.start {
		if old := a.start[t]; old == nil || !combine(old, s, nil).equal(old) {
			return false
		}
	}
	return true
}

// grow adds what the round found.
func (a *analysis) grow(widen bool) {
	var th []int64
	if widen {
		th = a.thresholds
	}
	for k, v := range a.next.pub {
		old, ok := a.pub[k]
		switch {
		case !ok:
			a.pub[k] = v
		case widen:
			a.pub[k] = old.widen(v, th)
		default:
			a.pub[k] = old.join(v)
		}
	}
	for t, s := range a.next.start {
		if old := a.start[t]; old == nil {
			a.start[t] = s
		} else {
			a.start[t] = combine(old, s, th)
		}
	}
}

// initial is what main starts with.
func (t *thread) initial() *state {
	if !t.main {
		s := t.a.start[t]
		if s == nil {
			return nil
		}
		return s.clone()
	}
	s := (&state{alone: true}).clone()
	for id, c := range t.a.cells {
		if c != nil && c.known && !c.start.equal(full(c.typ)) {
			s.mem[id] = c.start
		}
	}
	return s
}

// states are those of a block, by key.
type states map[string]*state

// edges are the states that a block hands on.
type edge struct {
	to *ir.Block
	s  *state
}

// run analyses the thread: up to a fixpoint, and then down.
func (t *thread) run() error {
	start := t.initial()
	if start == nil {
		return nil
	}
	in := map[*ir.Block]states{t.cfg.RPO[0]: {start.key(): start}}
	visits := map[*ir.Block]map[string]int{}
	work := []*ir.Block{t.cfg.RPO[0]}
	t.recording = false
	for len(work) > 0 {
		if err := t.a.ctx.Err(); err != nil {
			return err
		}
		i := t.earliest(work)
		b := work[i]
		work = slices.Delete(work, i, i+1)
		for _, e := range t.block(b, in[b]) {
			if e.s.depth > maxDepth {
				return errors.New("atomic sections are nested too deeply")
			}
			changed, err := t.enter(in, visits, e)
			if err != nil {
				return err
			}
			if changed && !slices.Contains(work, e.to) {
				work = append(work, e.to)
			}
		}
	}
	return t.descend(in, start)
}

// earliest is the place in the list of the block that comes first.
func (t *thread) earliest(work []*ir.Block) int {
	best := 0
	for i, b := range work {
		if t.index[b] < t.index[work[best]] {
			best = i
		}
	}
	return best
}

// enter adds a state to a block's.
func (t *thread) enter(in map[*ir.Block]states, visits map[*ir.Block]map[string]int, e edge) (changed bool, err error) {
	if in[e.to] == nil {
		in[e.to] = states{}
	}
	if visits[e.to] == nil {
		visits[e.to] = map[string]int{}
	}
	k := e.s.key()
	old := in[e.to][k]
	if old == nil {
		in[e.to][k] = e.s
		if len(in[e.to]) > maxKeys {
			return false, errors.New("too many sets of locks")
		}
		return true, nil
	}
	n := combine(old, e.s, nil)
	if n.equal(old) {
		return false, nil
	}
	if t.heads[e.to] {
		if visits[e.to][k]++; visits[e.to][k] > joinsBeforeWidening {
			n = combine(old, e.s, t.a.thresholds)
		}
	}
	in[e.to][k] = n
	return true, nil
}

// descend goes over the blocks again, without widening: each state is what its
// predecessors hand on. What the thread does to others is recorded at last.
func (t *thread) descend(in map[*ir.Block]states, start *state) error {
	out := map[*ir.Block][]edge{}
	for _, b := range t.cfg.RPO {
		out[b] = t.block(b, in[b])
	}
	for range narrowings {
		for _, b := range t.cfg.RPO {
			if err := t.a.ctx.Err(); err != nil {
				return err
			}
			now := states{}
			if b == t.cfg.RPO[0] {
				now[start.key()] = start
			}
			for _, p := range t.cfg.Preds[b] {
				for _, e := range out[p] {
					if e.to != b {
						continue
					}
					if k := e.s.key(); now[k] == nil {
						now[k] = e.s
					} else {
						now[k] = combine(now[k], e.s, nil)
					}
				}
			}
			in[b] = now
			out[b] = t.block(b, now)
		}
	}
	t.recording = true
	for _, b := range t.cfg.RPO {
		if t.heads[b] {
			t.recordHead(b, in[b])
		}
		t.block(b, in[b])
	}
	t.recording = false
	return nil
}

// recordHead keeps what holds whenever a loop's head is reached.
func (t *thread) recordHead(b *ir.Block, ss states) {
	for _, k := range sortedKeys(ss) {
		if old := t.a.next.heads[b]; old != nil {
			t.a.next.heads[b] = combine(old, ss[k], nil)
		} else {
			t.a.next.heads[b] = ss[k]
		}
	}
}

func sortedKeys(ss states) []string {
	var ks []string
	for k := range ss {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

// block runs through a block from each of its states.
func (t *thread) block(b *ir.Block, ss states) []edge {
	var out []edge
	for _, k := range sortedKeys(ss) {
		s := ss[k].clone()
		alive := true
		for _, in := range b.Instrs {
			if alive = t.step(s, in); !alive {
				break
			}
		}
		if alive {
			out = t.leave(s, b, out)
		}
	}
	return out
}

// leave is the end of a block.
func (t *thread) leave(s *state, b *ir.Block, out []edge) []edge {
	switch term := b.Term.(type) {
	case *ir.Goto:
		for _, to := range term.Targets {
			out = append(out, edge{to, t.prune(s.clone(), to)})
		}
	case *ir.Branch:
		for _, want := range []bool{true, false} {
			to := term.Else
			if want {
				to = term.Then
			}
			if c := s.clone(); t.assume(c, term.Cond, want) {
				out = append(out, edge{to, t.prune(c, to)})
			}
		}
	default:
		for k := range s.dirty {
			t.publish(s, k.lock, k.cell)
		}
	}
	return out
}

// prune forgets the registers that are not read any more.
func (t *thread) prune(s *state, to *ir.Block) *state {
	live := t.live[to]
	for r := range s.regs {
		if !live[r] {
			delete(s.regs, r)
		}
	}
	for r, d := range s.defs { // through copies that are not read any more
		for range maxAlike {
			u, ok := d.X.(ir.Use)
			if !ok || live[u.Reg] || s.defs[u.Reg] == nil || ir.UsesReg(s.defs[u.Reg].X, r) {
				break
			}
			d = s.defs[u.Reg]
		}
		s.defs[r] = d
	}
	for r := range s.defs {
		if !live[r] {
			delete(s.defs, r)
		}
	}
	for r := range s.links {
		if !live[r] {
			delete(s.links, r)
		}
	}
	return s
}
