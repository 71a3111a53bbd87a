package bmc

import (
	"container/heap"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"

	"whoop/ir"
	"whoop/smt/bv"
)

// unrolling is the result of a pass: the threads, unrolled and inlined, as terms.
type unrolling struct {
	w       *world
	b       *bv.Builder
	threads []*thread
	roots   []*thread // of a driver
	// initArgs are the arguments of the init entries; asked are those of them that the
	// interpreter asks for.
	initArgs, asked [][]*bv.Term
	// passed is what they get from others before them (Harness.passed), setUp when what
	// they open is open.
	passed   [][]ir.From
	setUp    []*bv.Term
	handlers []*ir.Func       // see handlersOf
	skips    map[int]*bv.Term // 1: the entry that runs before the roots is left out
	limits   []limit          // why "no bug" would not be the whole truth
	shallow  bool             // MaxVisible or MaxSpawns left something out
	spun     bool             // waiting in a loop was left out (see spin.go)
	invalid  []invalidity
	ranges   ranges // nil: not looked for
	// unwritten: a variable may be read that was not written on all paths. Its value is
	// arbitrary then, and the interpreter's is 0.
	unwritten *Limit
	main      bool // thread 0 runs main, whose end is that of the program
	stays     bool // unless this is set
	size      int  // instructions executed symbolically
	ctx       context.Context
	opt       *Options
	vals      map[*bv.Term]*values // what is known about variables read from memory
	memo      map[*bv.Term]values
	strides   map[*bv.Term]int64
	// sizes are the bytes of objects that this pass has seen made, where they are no
	// literals.
	sizes   map[*object]*bv.Term
	fromInt map[*bv.Term]*bv.Term // of pointers that were made of integers of 32 bits, these
	funcs   map[*ir.Func]*funcInfo
	fnNum   map[*ir.Func]int
	fnList  []*ir.Func
	init    map[*cell]*bv.Term
	err     error
	envs    map[string][]*object // input objects by the type of pointers to them
	feat    features
	// kinds of entry points that are registered when the roots start
	before  []string
	early   bool                    // before the roots: an initialiser, or an init entry
	static  map[*ir.Func][]*bv.Term // which initialisers that register a handler are passed over
	callees map[string][]*ir.Func   // whose address is taken and which have a body, by their types
}

// limit is a reason why the unrolling does not cover everything.
type limit struct {
	kind string // "unroll", "recursion", "unknown", …
	at   ir.Pos
	text string
	// ends: executions end at it, so that it matters only where one gets there.
	ends bool
}

// bound reports whether it is a bound that the user gave: executions beyond it were not
// asked about.
func (l *limit) bound() bool { return l.kind == "unroll" || l.kind == "recursion" }

// invalidity is undefined behaviour of the time before there are threads: executions with
// it end there.
type invalidity struct {
	cond *bv.Term
	at   ir.Pos
	// memory: an access or a release of memory that is invalid.
	memory bool
	// torn: of a copy of several cells that others access meanwhile.
	torn bool
}

type funcInfo struct {
	order *order
	reg   map[*ir.Reg]int
	regs  []*ir.Reg // by their numbers
	n     int
	live  map[*ir.Block][]int // see liveness; made where it is wanted
}

func (u *unrolling) info(f *ir.Func) *funcInfo {
	fi := u.funcs[f]
	if fi == nil {
		fi = &funcInfo{order: orderOf(f), reg: map[*ir.Reg]int{}}
		for _, r := range append(append([]*ir.Reg(nil), f.Params...), f.Regs...) {
			fi.reg[r] = fi.n
			fi.regs = append(fi.regs, r)
			fi.n++
		}
		u.funcs[f] = fi
	}
	return fi
}

// exec runs one thread.
type exec struct {
	*unrolling
	t *thread
	// that have reached the thread's end by another way than a return: pthread_exit
	ends  []returned
	stack []frame
	// ncuts counts the positions with a cut among the first counted ones.
	ncuts, counted int
	at             ir.Pos // of the instruction that is executed
	spawned        map[*ir.Spawn]int
}

// frame is a call on the symbolic stack; ctx tells calls apart, the same way in every
// pass.
type frame struct {
	f    *ir.Func
	info *funcInfo
	ctx  uint64
	args []*bv.Term
}

func hashOf(parts ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, parts...)
	return h.Sum64()
}

// visit is a block to execute, in an iteration of each loop around it.
type visit struct {
	block *ir.Block
	key   []int // order numbers of the loops' heads, each with its iteration, then of the block
	st    *state
}

type agenda struct {
	list []*visit
	by   map[string]*visit
	// loops are the loops that have been entered.
	loops map[string]*loopRun
}

func (a *agenda) Len() int           { return len(a.list) }
func (a *agenda) Less(i, j int) bool { return lessKey(a.list[i].key, a.list[j].key) }
func (a *agenda) Swap(i, j int)      { a.list[i], a.list[j] = a.list[j], a.list[i] }
func (a *agenda) Push(x any)         { a.list = append(a.list, x.(*visit)) }
func (a *agenda) Pop() any {
	v := a.list[len(a.list)-1]
	a.list = a.list[:len(a.list)-1]
	return v
}

func lessKey(x, y []int) bool {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

// call executes a function from state st on, and returns where its returns meet, with the
// result; nil where none is reached.
func (x *exec) call(f *ir.Func, args []*bv.Term, st *state, ctx uint64) (*bv.Term, *state) {
	info := x.info(f)
	callerRegs := st.regs
	st.regs = make([]*bv.Term, info.n)
	for i, p := range f.Params {
		st.regs[info.reg[p]] = x.fit(args, i, p.Type)
	}
	x.stack = append(x.stack, frame{f: f, info: info, ctx: ctx, args: args})
	r := x.run(f, info, st)
	x.stack = x.stack[:len(x.stack)-1]
	if r.st == nil {
		return nil, nil
	}
	r.st.regs = callerRegs
	return r.val, r.st
}

// fit makes an argument one of the parameter's type.
func (x *exec) fit(args []*bv.Term, i int, t ir.Type) *bv.Term {
	w := width(t)
	if i >= len(args) {
		return x.b.Num(max(w, 1), 0)
	}
	a := args[i]
	switch {
	case a.Width == w:
		return a
	case a.Width == 0:
		return x.b.Ite(a, x.b.Num(w, 1), x.b.Num(w, 0))
	case w == 0:
		return x.b.Not(x.b.Eq(a, x.b.Num(a.Width, 0)))
	case a.Width < w:
		return x.b.ZExt(a, w)
	}
	return x.b.Extract(a, w-1, 0)
}

// returned collects the returns of a call.
type returned struct {
	val *bv.Term
	st  *state
}

// loopRun is what is known about the iterations of a loop in one call.
type loopRun struct {
	undecided int
	turns     int
	sawExit   bool // a branch out of the loop was decided by literals in this iteration
	regs      []*bv.Term
	mem       pmap
	// turns in which others might have run, or that were not certain to be followed by
	// another
	visible int
	open    bool
	pos     int // of the thread's cuts, when the turn began
	first   int // position that the turn makes
	atomic  int // sections that the thread was in
	// quiet: the iteration before did nothing but wait; nextQuiet: so does this one, see
	// spins.
	quiet, nextQuiet *bv.Term
}

func (x *exec) run(f *ir.Func, info *funcInfo, st *state) returned {
	var ret returned
	loops := map[string]*loopRun{}
	a := &agenda{by: map[string]*visit{}, loops: loops}
	x.arrive(a, info.order, nil, f.Blocks[0], st)
	for a.Len() > 0 && x.err == nil {
		v := heap.Pop(a).(*visit)
		delete(a.by, fmt.Sprint(v.key))
		if v.st.guard == x.b.False {
			continue
		}
		if !x.enter(v, info.order, loops) {
			continue
		}
		if x.ctx.Err() != nil {
			x.err = x.ctx.Err()
			return ret
		}
		x.block(v, a, info, loops, &ret)
	}
	return ret
}

// enter applies the bounds on loops at a head; false where the iteration is beyond them.
func (x *exec) enter(v *visit, o *order, loops map[string]*loopRun) bool {
	path := o.path[v.block]
	if len(path) == 0 || path[len(path)-1].head != v.block {
		return true
	}
	id := loopID(v.key, len(path)-1)
	l := loops[id]
	if l == nil {
		loops[id] = &loopRun{regs: append([]*bv.Term(nil), v.st.regs...), mem: v.st.mem, pos: x.cuts(), first: len(x.t.pos), atomic: v.st.atomic,
			quiet: x.b.False, nextQuiet: x.b.False}
		return true
	}
	progress := l.sawExit && x.progress(l, v.st)
	l.turns++
	if !progress {
		l.undecided++
	}
	if n := x.cuts(); n > l.pos || l.open {
		l.visible++
		l.pos = n
	}
	l.open = false
	l.sawExit = false
	l.regs, l.mem, l.first, l.atomic = append([]*bv.Term(nil), v.st.regs...), v.st.mem, len(x.t.pos), v.st.atomic
	l.quiet, l.nextQuiet = l.nextQuiet, x.b.False
	beyond, visible := l.undecided > x.opt.Unroll || l.turns > x.opt.MaxTurns, l.visible > max(x.opt.Unroll, x.opt.MaxVisible)
	if beyond || visible {
		x.shallow = x.shallow || !beyond
		x.limit(v.st, "unroll", blockPos(v.block), "the loop may run more often than was unrolled")
		return false
	}
	return true
}

// loopID names the i-th loop around a visited block, in one iteration of each loop around
// it.
func loopID(key []int, i int) string { return fmt.Sprint(key[:2*i+1]) }

// cuts counts the thread's positions before which others may run.
func (x *exec) cuts() int {
	for n := x.counted; n < len(x.t.pos); n++ {
		if x.t.pos[n].cut {
			x.ncuts++
		}
	}
	x.counted = len(x.t.pos)
	return x.ncuts
}

// progress reports whether something that is a literal differs from what it was in the
// iteration before.
func (x *exec) progress(l *loopRun, st *state) bool {
	for i, r := range st.regs {
		if r == nil || i >= len(l.regs) || l.regs[i] == nil || r == l.regs[i] {
			continue
		}
		if r.Op == bv.OpNum && l.regs[i].Op == bv.OpNum {
			return true
		}
	}
	found := false
	mergeMaps(l.mem, st.mem, func(_ int, p, q *bv.Term) *bv.Term {
		if p != nil && q != nil && p.Op == bv.OpNum && q.Op == bv.OpNum {
			found = true
		}
		return p
	})
	return found
}

func blockPos(b *ir.Block) ir.Pos {
	if len(b.Instrs) > 0 {
		return b.Instrs[0].At()
	}
	return b.Term.At()
}

// limit ends the paths of a state at a bound.
func (x *exec) limit(st *state, kind string, at ir.Pos, text string) {
	if st.guard == x.b.False {
		return
	}
	l := limit{kind, at, text, true}
	x.limits = append(x.limits, l)
	p := x.step(st, nil, at)
	p.kind, p.limit, p.cut, p.poise = posLimit, &l, false, true
	p.require = append(p.require, x.b.False)
	st.guard = x.b.False
}

// arrive schedules a block; where it is scheduled already, the states meet.
func (x *exec) arrive(a *agenda, o *order, from *visit, to *ir.Block, st *state) {
	if c := x.spins(a, o, from, to, st); c != x.b.False {
		x.spun = true
		x.assume(st, x.b.Not(c), nil, blockPos(to))
	}
	if st.guard == x.b.False {
		return
	}
	var key []int
	path := o.path[to]
	for i, c := range path {
		it := 0
		if from != nil {
			fp := o.path[from.block]
			if i < len(fp) && fp[i] == c && samePrefix(fp, path, i) {
				it = from.key[2*i+1]
				if c.head == to && i == len(path)-1 {
					it++
				}
			}
		}
		key = append(key, c.num, it)
	}
	key = append(key, o.num[to])
	id := fmt.Sprint(key)
	if v := a.by[id]; v != nil {
		x.define(v.st, st, to)
		x.define(st, v.st, to)
		v.st = x.merge(v.st, st)
		return
	}
	v := &visit{block: to, key: key, st: st}
	a.by[id] = v
	heap.Push(a, v)
}

// define gives registers that have a value on the paths of q, and none on those of p, an
// arbitrary one there, where they may be read later.
func (x *exec) define(p, q *state, at *ir.Block) {
	top := x.stack[len(x.stack)-1]
	own := false
	for _, i := range x.liveAt(top.info, at) {
		if p.regs[i] != nil || q.regs[i] == nil {
			continue
		}
		if !own {
			p.regs, own = slices.Clone(p.regs), true
		}
		r := top.info.regs[i]
		v := x.b.Fresh("unwritten:"+r.Name, width(r.Type))
		x.vals[v] = &values{any: true}
		p.regs[i] = v
		if x.unwritten == nil {
			x.unwritten = &Limit{"uninitialised", declared(top.f, r), fmt.Sprintf("what happens depends on the variable %s, which was not written on all paths: not followed where it is not 0", r.Name)}
		}
	}
}

// declared is where a register is declared, or its function.
func declared(f *ir.Func, r *ir.Reg) ir.Pos {
	if r.Pos.Line == 0 {
		return f.Pos
	}
	return r.Pos
}

func samePrefix(p, q []*component, n int) bool {
	for i := range n {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

// merge joins two states of the same place on different paths.
func (x *exec) merge(p, q *state) *state {
	if p.guard == x.b.False {
		return q
	}
	if q.guard == x.b.False {
		return p
	}
	if p.split != q.split {
		x.flush(p)
		x.flush(q)
	}
	c := x.choice(p.guard, q.guard)
	out := &state{guard: x.b.Or(p.guard, q.guard), live: p.live.or(q.live), split: p.split, atomic: max(p.atomic, q.atomic)}
	if p.atomic != q.atomic {
		x.note("atomic-section", ir.Pos{}, "paths meet of which only some are in an atomic section")
	}
	out.regs = make([]*bv.Term, len(p.regs))
	for i := range p.regs {
		switch a, b := p.regs[i], q.regs[i]; {
		case a == b || b == nil:
			out.regs[i] = a
		case a == nil:
			out.regs[i] = b
		default:
			out.regs[i] = x.b.Ite(c, a, b)
		}
	}
	out.mem = mergeMaps(p.mem, q.mem, func(k int, a, b *bv.Term) *bv.Term {
		cl := x.w.cells[k]
		if cl.conc && p.split {
			return nil
		}
		if a == nil {
			a = x.initial(cl)
		}
		if b == nil {
			b = x.initial(cl)
		}
		return x.b.Ite(c, a, b)
	})
	out.known = mergeMaps(p.known, q.known, func(_ int, a, b *bv.Term) *bv.Term {
		if a == nil || b == nil {
			return nil
		}
		return x.b.Ite(c, a, b)
	})
	return out
}

// choice is a condition that holds on the paths of g and not on those of h, knowing that
// one of both holds: what they have in common is left out.
func (x *exec) choice(g, h *bv.Term) *bv.Term {
	if h.Op == bv.OpAnd {
		in := map[*bv.Term]bool{}
		for _, c := range h.Args {
			in[c] = true
		}
		parts := []*bv.Term{g}
		if g.Op == bv.OpAnd {
			parts = g.Args
		}
		var out []*bv.Term
		for _, c := range parts {
			if in[x.b.Not(c)] {
				return c
			}
			if !in[c] {
				out = append(out, c)
			}
		}
		return x.b.And(out...)
	}
	if g.Op == bv.OpAnd {
		for _, c := range g.Args {
			if x.b.Not(c) == h {
				return c
			}
		}
	}
	return g
}

func (x *exec) note(kind string, at ir.Pos, format string, args ...any) {
	l := limit{kind, at, fmt.Sprintf(format, args...), false}
	for _, o := range x.limits {
		if o == l {
			return
		}
	}
	x.limits = append(x.limits, l)
}

// flush turns what the thread has in its own memory into writes, where a cell is shared
// from now on.
func (x *exec) flush(st *state) {
	if st.split || st.guard == x.b.False {
		return
	}
	st.split = true
	var ws []*write
	st.mem.each(func(k int, v *bv.Term) {
		if c := x.w.cells[k]; c.conc {
			ws = append(ws, &write{val: v, targets: []target{{c: c, match: x.b.True}}})
			x.store(c, v)
			st.mem = st.mem.set(k, nil)
		}
	})
	if len(ws) > 0 {
		p := x.step(st, nil, ir.Pos{})
		p.cut, p.writes = false, ws
	}
}

// step appends a position.
func (x *exec) step(st *state, in ir.Instr, at ir.Pos) *event {
	p := &event{thread: x.t, num: len(x.t.pos), guard: st.guard, cut: st.split && st.atomic == 0, atomic: st.atomic > 0, in: in, at: at, log: -1}
	if len(x.stack) > 0 {
		p.fn = x.stack[len(x.stack)-1].f
	}
	if len(x.t.pos) == 0 {
		p.cut = x.t.start != nil
	}
	if p.cut {
		st.known = pmap{}
	}
	x.t.pos = append(x.t.pos, p)
	return p
}

// logged notes an instruction that the interpreter will meet.
func (x *exec) logged(st *state, in ir.Instr, result *bv.Term, p *event) *logEntry {
	e := &logEntry{in: in, guard: st.guard, result: result, pos: -1}
	if p != nil {
		e.pos = p.num
		p.log = len(x.t.log)
		e.guard = p.guard
	}
	x.t.log = append(x.t.log, e)
	return e
}

// sortedLimits are the limits without repetitions.
func (u *unrolling) sortedLimits() []limit {
	seen := map[limit]bool{}
	var out []limit
	for _, l := range u.limits {
		if !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].kind != out[j].kind {
			return out[i].kind < out[j].kind
		}
		return out[i].at.Less(out[j].at)
	})
	return out
}
