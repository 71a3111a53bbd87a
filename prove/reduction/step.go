package reduction

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// Bounds of the steps of a place.
const (
	maxSteps  = 400  // paths
	maxInstrs = 4000 // in all
)

var errTooLarge = errors.New("the program is too large")

// A place is where a thread is: before an instruction. ended: it has ended, or ended the
// program.
type place struct {
	block *ir.Block
	index int
	depth int // of atomic sections: nobody else runs
	ended bool
}

// A step leads a thread from one place to the next. Its terms are over the slots'
// variables, inputs, and what its reads of arrays yield.
type step struct {
	from, to place
	fails    bool // what is asked about is violated; to is of no account
	why      ir.Instr
	guard    *bv.Term
	set      map[slot]*bv.Term
	mem      []access
	inputs   []*bv.Term
	round    bool // an iteration of a loop ends
	start    int  // the thread that it starts; 0: none
	join     int  // that it waits for
	reads    map[slot]bool
	regions  map[int]bool // of arrays; true: written
}

// An access is one to an array; val is what is read or written.
type access struct {
	region int
	write  bool
	addr   *bv.Term
	val    *bv.Term
}

// machine makes the steps of threads. Those of others that are not followed may write at
// any time: what they write is not known.
type machine struct {
	*program
	b *bv.Builder
	// the thread whose accesses and releases are looked at; -1: assertions are
	solo     int
	followed map[int]bool // threads
	steps    map[stepKey][]*step
	vars     map[*bv.Term]slot
	axioms   []*bv.Term
	known    map[*bv.Term]bool
}

type stepKey struct {
	thread int
	at     place
}

func (p *program) machine(solo int) *machine {
	m := &machine{program: p, b: bv.NewBuilder(), solo: solo, followed: map[int]bool{}, steps: map[stepKey][]*step{}, vars: map[*bv.Term]slot{}, known: map[*bv.Term]bool{}}
	for _, t := range p.threads {
		m.followed[t.id] = solo < 0 || t.id == 0 || t.id == solo
	}
	return m
}

// lost reports whether others than the threads that are followed may write a region.
func (m *machine) lost(region int) bool {
	for t := range m.writers[region] {
		if !m.followed[t] {
			return true
		}
	}
	return false
}

// lost reports whether others may write a region now: in an atomic section they do not
// write to places that are followed.
func (x *run) lost(region int) bool {
	return x.m.lost(region) && (x.depth == 0 || x.m.cells[region].kind != single)
}

// enter forgets what others may have written before an atomic section.
func (x *run) enter() {
	for _, r := range x.m.alias.Regions() {
		if c := x.m.cells[r.ID]; c.kind == single && x.m.lost(r.ID) && x.m.users[r.ID][x.t.id] {
			x.vals[x.m.cellSlotOf(x.t.id, c)] = x.fresh(c.width)
		}
	}
}

// run is an execution from a place on.
type run struct {
	m     *machine
	t     *thread
	from  place
	vals  map[slot]*bv.Term
	guard []*bv.Term
	mem   []access
	in    []*bv.Term
	depth int
	acted bool // others may have noticed something
	start int
	join  int
	out   *[]*step
	work  *int
	next  *queue
}

// queue holds the runs that have come to blocks, of which the first in reverse postorder
// goes on: all that may come there before a loop's end has come then.
type queue map[*ir.Block][]*run

func (x *run) clone() *run {
	y := *x
	y.vals, y.guard, y.mem, y.in = maps.Clone(x.vals), slices.Clone(x.guard), slices.Clone(x.mem), slices.Clone(x.in)
	return &y
}

// from finds the steps of a thread at a place.
func (m *machine) stepsAt(t *thread, at place) ([]*step, error) {
	k := stepKey{t.id, at}
	if s, ok := m.steps[k]; ok {
		return s, nil
	}
	var out []*step
	if !at.ended {
		work := 0
		next := queue{}
		x := &run{m: m, t: t, from: at, vals: map[slot]*bv.Term{}, depth: at.depth, acted: at.depth > 0, out: &out, work: &work, next: &next}
		if err := x.run(at.block, at.index, true); err != nil {
			return nil, err
		}
		for len(next) > 0 {
			var b *ir.Block
			for c := range next {
				if b == nil || t.index[c] < t.index[b] {
					b = c
				}
			}
			rs := next[b]
			delete(next, b)
			for _, r := range rs {
				if err := r.run(b, 0, false); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, s := range out {
		m.note(s)
	}
	m.steps[k] = out
	return out, nil
}

// note finds out what a step reads.
func (m *machine) note(s *step) {
	s.reads, s.regions = map[slot]bool{}, map[int]bool{}
	seen := map[*bv.Term]bool{}
	var visit func(t *bv.Term)
	visit = func(t *bv.Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if v, ok := m.vars[t]; ok {
			s.reads[v] = true
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	visit(s.guard)
	for _, v := range s.set {
		visit(v)
	}
	for _, a := range s.mem {
		visit(a.addr)
		visit(a.val)
		s.regions[a.region] = s.regions[a.region] || a.write
	}
}

func (m *machine) get(vals map[slot]*bv.Term, s slot) *bv.Term {
	if v := vals[s]; v != nil {
		return v
	}
	v := s.v(m.b)
	m.vars[v] = s
	return v
}

func (x *run) fresh(w int) *bv.Term {
	v := x.m.b.Fresh("in", w)
	x.in = append(x.in, v)
	return v
}

func (x *run) reg(r *ir.Reg) slot { return x.t.slotOf(r) }

// slotOf is a register's slot.
func (t *thread) slotOf(r *ir.Reg) slot {
	w, _ := irterm.Width(r.Type)
	i, _ := irterm.Int(r.Type)
	return slot{kind: regSlot, thread: t.id, reg: r, id: t.regs[r], width: w, signed: i.Signed}
}

func (x *run) set(r *ir.Reg, v *bv.Term) {
	if r == nil {
		return
	}
	if w, ok := irterm.Width(r.Type); ok {
		if v == nil {
			v = x.fresh(w)
		}
		x.vals[x.reg(r)] = v
	}
}

func (x *run) eval(e ir.Expr) *bv.Term {
	v := irterm.Evaluator{B: x.m.b, Any: x.fresh, Address: x.m.address, Reg: func(r *ir.Reg) *bv.Term {
		if _, ok := irterm.Width(r.Type); !ok {
			return nil
		}
		return x.m.get(x.vals, x.reg(r))
	}}
	return v.Eval(e)
}

// address is the address of a global or a function: not null.
func (m *machine) address(name string) *bv.Term {
	v := m.b.Var(name, 64)
	if !m.known[v] {
		m.known[v] = true
		m.axioms = append(m.axioms, m.b.Not(m.b.Eq(v, m.b.Num(64, 0))))
	}
	return v
}

// end makes the run a step.
func (x *run) end(to place, round bool) error {
	live := x.t.liveAt(to)
	for s := range x.vals {
		if s.kind == regSlot && s.thread == x.t.id && !live[s.reg] {
			delete(x.vals, s)
		}
	}
	return x.add(&step{from: x.from, to: to, guard: x.m.b.And(x.guard...), set: x.vals, mem: x.mem, inputs: x.in, round: round, start: x.start, join: x.join})
}

// liveAt are the registers that may be read from a place on.
func (t *thread) liveAt(at place) map[*ir.Reg]bool {
	if at.ended || at.block == nil || at.block == stopped {
		return nil
	}
	now := map[*ir.Reg]bool{}
	for _, s := range at.block.Succs() {
		maps.Copy(now, t.live[s])
	}
	ir.Reads(now, ir.TermOperands(at.block.Term))
	for k := len(at.block.Instrs) - 1; k >= at.index; k-- {
		for _, d := range ir.Defs(at.block.Instrs[k]) {
			delete(now, d)
		}
		ir.Reads(now, ir.Operands(at.block.Instrs[k]))
	}
	return now
}

func (x *run) add(s *step) error {
	if s.guard == x.m.b.False {
		return nil
	}
	for _, t := range *x.out {
		if t.to == s.to && t.fails == s.fails && t.why == s.why && t.round == s.round && t.start == s.start && t.join == s.join {
			if mem, ok := mergeMem(t.mem, s.mem); ok {
				if !s.fails {
					t.set = x.m.either(t.guard, t.set, s.set)
				}
				t.guard, t.mem, t.inputs = x.m.b.Or(t.guard, s.guard), mem, union(t.inputs, s.inputs)
				return nil
			}
		}
	}
	if len(*x.out) >= maxSteps {
		return errTooLarge
	}
	*x.out = append(*x.out, s)
	return nil
}

// fail is a step that violates what is asked about, where a condition holds besides.
func (x *run) fail(in ir.Instr, c *bv.Term) error {
	g := x.m.b.And(append(slices.Clone(x.guard), c)...)
	return x.add(&step{from: x.from, fails: true, why: x.m.in.Orig[in], guard: g, mem: slices.Clone(x.mem), inputs: slices.Clone(x.in)})
}

// arrive goes on at a block, or ends the step there.
func (x *run) arrive(from, b *ir.Block) error {
	if x.t.heads[b] {
		return x.end(place{block: b, depth: x.depth}, x.t.index[b] <= x.t.index[from])
	}
	for _, y := range (*x.next)[b] {
		if y.merge(x) {
			return nil
		}
	}
	(*x.next)[b] = append((*x.next)[b], x)
	return nil
}

// merge takes another run in that has come to the same block: it is one or the other
// then. Their guards exclude each other. It is not done where they write different
// arrays.
func (x *run) merge(y *run) bool {
	if x.depth != y.depth || x.acted != y.acted || x.start != y.start || x.join != y.join {
		return false
	}
	mem, ok := mergeMem(x.mem, y.mem)
	if !ok {
		return false
	}
	b := x.m.b
	k := 0
	for k < len(x.guard) && k < len(y.guard) && x.guard[k] == y.guard[k] {
		k++
	}
	mine, other := b.And(x.guard[k:]...), b.And(y.guard[k:]...)
	x.vals = x.m.either(mine, x.vals, y.vals)
	x.guard = append(slices.Clone(x.guard[:k]), b.Or(mine, other))
	x.mem, x.in = mem, union(x.in, y.in)
	return true
}

// either are the values where a condition holds, or the others.
func (m *machine) either(c *bv.Term, x, y map[slot]*bv.Term) map[slot]*bv.Term {
	out := make(map[slot]*bv.Term, len(x))
	for k := range x {
		out[k] = nil
	}
	for k := range y {
		out[k] = nil
	}
	for _, k := range inOrder(out) {
		out[k] = m.b.Ite(c, m.get(x, k), m.get(y, k))
	}
	return out
}

// mergeMem are the accesses of two runs, where what they do not have in common are reads:
// of what is not followed the values do not matter.
func mergeMem(x, y []access) ([]access, bool) {
	k := 0
	for k < len(x) && k < len(y) && x[k] == y[k] {
		k++
	}
	writes := func(a access) bool { return a.write }
	if slices.ContainsFunc(x[k:], writes) || slices.ContainsFunc(y[k:], writes) {
		return nil, false
	}
	return slices.Concat(x, y[k:]), true
}

func union(x, y []*bv.Term) []*bv.Term {
	out := slices.Clone(x)
	for _, v := range y {
		if !slices.Contains(x, v) {
			out = append(out, v)
		}
	}
	return out
}

// run executes from an instruction to the next place. first: what others may notice is
// executed.
func (x *run) run(b *ir.Block, index int, first bool) error {
	for i := index; i < len(b.Instrs); i++ {
		if *x.work++; *x.work > maxInstrs || *x.work%64 == 0 && x.m.ctx.Err() != nil {
			return errTooLarge
		}
		in := b.Instrs[i]
		if x.depth == 0 && !first && (x.m.visible(x.t, in) || x.acted && ends(in)) {
			return x.end(place{block: b, index: i}, false)
		}
		if x.depth == 0 && x.m.visible(x.t, in) {
			x.acted = true
		}
		first = false
		if ok, err := x.instr(in); err != nil || !ok {
			return err
		}
	}
	switch t := b.Term.(type) {
	case *ir.Goto:
		rest := x.m.b.True // that none of the targets before is chosen
		for i, to := range t.Targets {
			y, g := x.clone(), rest
			if i < len(t.Targets)-1 {
				c := y.fresh(0)
				g, rest = x.m.b.And(rest, c), x.m.b.And(rest, x.m.b.Not(c))
				x.in = append(x.in, c)
			}
			if g != x.m.b.True {
				y.guard = append(y.guard, g)
			}
			if err := y.arrive(b, to); err != nil {
				return err
			}
		}
	case *ir.Branch:
		c := x.eval(t.Cond)
		for _, want := range []bool{true, false} {
			y, to, g := x.clone(), t.Else, x.m.b.Not(c)
			if want {
				to, g = t.Then, c
			}
			if g == x.m.b.False {
				continue
			}
			y.guard = append(y.guard, g)
			if err := y.arrive(b, to); err != nil {
				return err
			}
		}
	case *ir.Return:
		return x.end(place{ended: true}, false)
	case *ir.Stop:
		switch {
		case t.Kind == "exit":
			return x.end(place{ended: true}, false)
		case x.depth == 0 && x.noticed(): // the end of the program, but others may go on before it, with what was done. That they go on after it, too, is more than what may be.
			return x.end(place{block: stopped}, false)
		}
	}
	return nil
}

// noticed reports whether others may have noticed something by now.
func (x *run) noticed() bool {
	if x.start > 0 || slices.ContainsFunc(x.mem, func(a access) bool { return a.write }) {
		return true
	}
	for k := range x.vals {
		if k.kind == takenSlot || k.kind == cellSlot && k.thread == 0 {
			return true
		}
	}
	return false
}

// stopped is where threads are that have ended the program: nobody waits for them any
// more.
var stopped = &ir.Block{Name: "stopped", Term: &ir.Stop{Kind: "abort"}}

// ends reports whether an instruction may end the thread's execution.
func ends(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Assume, *ir.Assert:
		return true
	}
	return false
}

// instr is the effect of an instruction; false: the run is over.
func (x *run) instr(in ir.Instr) (bool, error) {
	m, b := x.m, x.m.b
	switch in := in.(type) {
	case *ir.Assign:
		x.set(in.Dst, x.eval(in.X))
	case *ir.Load:
		v, err := x.load(in, in.Addr, in.Dst.Type)
		if err != nil {
			return false, err
		}
		x.set(in.Dst, v)
	case *ir.Store:
		return true, x.store(in, in.Addr, in.Val.Type(), x.eval(in.Val))
	case *ir.RMW:
		old, err := x.load(in, in.Addr, in.Val.Type())
		if err != nil {
			return false, err
		}
		v := x.eval(in.Val)
		x.set(in.Dst, old)
		return true, x.store(in, in.Addr, in.Val.Type(), irterm.Update(b, in.Op, old, v))
	case *ir.CmpXchg:
		old, err := x.load(in, in.Addr, in.New.Type())
		if err != nil {
			return false, err
		}
		want, now := x.eval(in.Expected), x.eval(in.New)
		w, _ := irterm.Width(in.New.Type())
		if old == nil {
			old = x.fresh(w)
		}
		if want == nil || now == nil {
			want, now = x.fresh(w), x.fresh(w)
		}
		ok := b.Eq(old, want)
		if in.Weak {
			ok = b.And(ok, x.fresh(0))
		}
		x.set(in.Dst, old)
		x.set(in.OK, ok)
		return true, x.store(in, in.Addr, in.New.Type(), b.Ite(ok, now, old))
	case *ir.Alloc:
		x.alloc(in)
	case *ir.Assume:
		x.guard = append(x.guard, x.eval(in.Cond))
	case *ir.Assert:
		c := x.eval(in.Cond)
		if m.solo < 0 && (m.opt.Wanted == nil || m.opt.Wanted(m.in.Orig[in].(*ir.Assert))) {
			if err := x.fail(in, b.Not(c)); err != nil {
				return false, err
			}
		}
		x.guard = append(x.guard, c)
	case *ir.Lock:
		l, ok := m.lockOf(in)
		if !ok {
			return false, fmt.Errorf("%s: it is not known which lock is taken", in.Pos)
		}
		taken := slot{kind: takenSlot, id: l}
		if m.solo < 0 {
			x.guard = append(x.guard, b.Not(m.get(x.vals, taken)))
			x.vals[taken] = b.True
		}
		x.vals[slot{kind: heldSlot, thread: x.t.id + 1, id: l}] = b.True
	case *ir.Unlock:
		l, ok := m.lockOf(in)
		if !ok {
			return false, fmt.Errorf("%s: it is not known which lock is released", in.Pos)
		}
		held := slot{kind: heldSlot, thread: x.t.id + 1, id: l}
		if m.solo == x.t.id {
			if err := x.fail(in, b.Not(m.get(x.vals, held))); err != nil {
				return false, err
			}
		}
		x.vals[held] = b.False
		if m.solo < 0 {
			x.vals[slot{kind: takenSlot, id: l}] = b.False
		}
	case *ir.LockInit:
		if x.t.id != 0 || x.acted || x.from.block != x.t.fn.Blocks[0] || x.from.index > 0 {
			return false, fmt.Errorf("%s: a lock is made while several threads may run", in.Pos)
		}
	case *ir.AtomicBegin:
		if x.depth++; x.depth == 1 {
			x.enter()
		}
	case *ir.AtomicEnd:
		x.depth = max(x.depth-1, 0)
	case *ir.Spawn:
		u := m.spawns[spawnKey{x.t.id, in}]
		if x.start > 0 {
			return false, fmt.Errorf("%s: two threads are started in one section", in.Pos)
		}
		x.start = u
		x.set(in.OK, b.True)
		x.set(in.Dst, nil)
		fn := m.threads[u].fn
		for i, a := range in.Args {
			if i < len(fn.Params) {
				if w, ok := irterm.Width(fn.Params[i].Type); ok {
					v := x.eval(a)
					if v == nil || v.Width != w {
						v = x.fresh(w)
					}
					x.vals[m.threads[u].slotOf(fn.Params[i])] = v
				}
			}
		}
		for _, l := range m.locks() {
			x.vals[slot{kind: heldSlot, thread: u + 1, id: l}] = b.False
		}
		x.forget(in)
	case *ir.Join:
		if x.depth > 0 {
			return false, fmt.Errorf("%s: a section waits for a thread", in.Pos)
		}
		x.join = m.joins[in]
		x.set(in.Dst, nil)
		x.forget(in)
	case *ir.Free, *ir.Fence, *ir.Yield, *ir.Detach, *ir.CondSignal:
	default:
		for _, d := range ir.Defs(in) {
			x.set(d, nil)
		}
		x.forget(in)
	}
	return !slices.Contains(x.guard, b.False), nil
}

// locks are the regions that are locks.
func (m *machine) locks() (out []int) {
	for _, t := range m.threads {
		t.instrs(func(_ *ir.Block, in ir.Instr) {
			if _, ok := in.(*ir.Lock); ok {
				if l, ok := m.lockOf(in); ok && !slices.Contains(out, l) {
					out = append(out, l)
				}
			}
		})
	}
	slices.Sort(out)
	return out
}

// alloc makes an object.
func (x *run) alloc(in *ir.Alloc) {
	m, b := x.m, x.m.b
	p := x.fresh(64)
	x.guard = append(x.guard, b.Not(b.Eq(p, b.Num(64, 0))))
	x.set(in.Dst, p)
	for _, r := range m.alias.Regions() {
		c := m.cells[r.ID]
		if o := c.region.Objects; (c.kind == single || c.kind == own) && len(o) == 1 && o[0].Alloc == in && !m.lost(c.region.ID) {
			v := x.fresh(c.width)
			if in.Zero {
				v = b.Num(c.width, 0)
			}
			x.vals[m.cellSlotOf(x.t.id, c)] = v
		}
	}
	amount, unit := in.Amount()
	if n := x.eval(amount); m.in.Once[in] && n != nil && n.Width > 0 && n.Width <= 64 {
		x.vals[m.baseOf(x.t.id, in)] = p
		// A count that does not fit would have no meaning: allocations succeed.
		size := b.Mul(b.ZExt(n, 64), b.Num(64, uint64(unit)))
		if s := uint64(max(unit, 1)); n.Width == 64 {
			x.guard = append(x.guard, b.ULe(n, b.Num(64, (1<<47)/s)))
		}
		x.vals[m.sizeOf(x.t.id, in)] = size
	}
}

func (p *program) baseOf(t int, in *ir.Alloc) slot {
	return slot{kind: baseSlot, thread: t + 1, alloc: in, id: p.allocs[in], width: 64}
}

func (p *program) sizeOf(t int, in *ir.Alloc) slot {
	return slot{kind: sizeSlot, thread: t + 1, alloc: in, id: p.allocs[in], width: 64}
}

// forget is an instruction of which only is known what it may write.
func (x *run) forget(in ir.Instr) {
	for _, a := range x.m.alias.Accesses(in) {
		if a.Write {
			x.clobber(a.Regions)
		}
	}
}

// clobber writes something, perhaps, to regions.
func (x *run) clobber(rs []*alias.Region) {
	for _, r := range rs {
		if c := x.m.cells[r.ID]; c.kind == single || c.kind == own {
			if s := x.m.cellSlotOf(x.t.id, c); !x.lost(r.ID) {
				x.vals[s] = x.fresh(c.width)
			}
		}
	}
}
