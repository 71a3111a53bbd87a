package absint

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
)

// An oracle holds the invariants that were found against executions: what is believed of
// threads at points must be true whenever they are there. That shows unsound steps of the
// search long before they prove an assertion that fails.
type oracle struct {
	iv    *invariants
	r     *Result
	m     *interp.Program
	where map[any][2]any // instruction or terminator: block, index
	by    map[*ir.Func]*thread
	// made are the functions that threads have been made of, fn and depth each thread's
	// function and atomic sections.
	made    map[*ir.Func]bool
	counts  map[int]uint64 // of iv.counters
	fn      map[interp.ThreadID]*ir.Func
	depth   map[interp.ThreadID]int
	checked int
}

// violated runs a program at random, and tells what is believed and not true; checked
// counts the candidates that were looked at.
func violated(iv *invariants, r *Result, seed uint64, walks, steps int) (text string, checked int) {
	m, err := interp.Compile(iv.a.flat.prog, interp.Config{MaxThreads: 12})
	if err != nil {
		return "", 0
	}
	o := &oracle{iv: iv, r: r, m: m, where: map[any][2]any{}, by: map[*ir.Func]*thread{}}
	for _, t := range iv.a.threads {
		o.by[t.entry.Func] = t
		for _, b := range t.entry.Func.Blocks {
			for i, in := range b.Instrs {
				o.where[in] = [2]any{b, i}
			}
			o.where[b.Term] = [2]any{b, len(b.Instrs)}
		}
	}
	for k := range uint64(walks) {
		if text = o.walk(seed, k, steps); text != "" {
			break
		}
	}
	return text, o.checked
}

func (o *oracle) walk(seed, k uint64, steps int) string {
	rnd := rand.New(rand.NewPCG(seed, k))
	prog := o.iv.a.flat.prog
	main := prog.FuncByName("main")
	s := o.m.Start(interp.MainOf(main), interp.Random(seed*100+k))
	o.counts = map[int]uint64{}
	o.made, o.fn, o.depth = map[*ir.Func]bool{main: true}, map[interp.ThreadID]*ir.Func{0: main}, map[interp.ThreadID]int{}
	id := interp.ThreadID(0)
	for n := 0; s.Status() == interp.Running && n < steps; n++ {
		if ts := s.Enabled(); !s.CanStep(id) || rnd.IntN(3) == 0 {
			id = ts[rnd.IntN(len(ts))]
			if k%2 == 0 && rnd.IntN(4) > 0 && s.CanStep(0) { // main runs ahead
				id = 0
			}
		}
		if p := o.at(s, id); p != nil {
			o.count(func(c *counter) bool { return c.at == p })
		}
		e := s.Step(id)
		for _, y := range e.Sync {
			if y.Kind == interp.SyncSpawn {
				f := s.Next(y.Other).Func
				o.count(func(c *counter) bool { return c.at == nil && c.thread == o.by[f] })
				o.made[f], o.fn[y.Other] = true, f
			}
		}
		switch e.Instr.(type) { // the events are of outermost sections
		case *ir.AtomicBegin:
			o.depth[id]++
		case *ir.AtomicEnd:
			o.depth[id] = max(o.depth[id]-1, 0)
		}
		if err := s.Err(); err != nil && err.Kind == interp.ErrAssert && !o.r.MayFail[o.iv.a.flat.orig[err.Instr]] {
			return fmt.Sprintf("execution %d: the assertion at %s fails", k, err.Instr.At())
		}
		if s.Status() != interp.Running {
			break
		}
		if text := o.look(s); text != "" {
			return fmt.Sprintf("execution %d, step %d: %s", k, n, text)
		}
	}
	return ""
}

// count lets some counters count a thread.
func (o *oracle) count(which func(*counter) bool) {
	for _, c := range o.iv.counters {
		if which(c) {
			o.counts[c.id]++
		}
	}
}

// at is the point where a thread is; nil: none.
func (o *oracle) at(s *interp.State, id interp.ThreadID) *point {
	if s.Ended(id) || o.by[o.fn[id]] == nil {
		return nil
	}
	next := s.Next(id)
	if next.Instr == nil && next.Term == nil {
		return o.iv.byKey[pointKey{o.by[o.fn[id]], nil, 0, 0}]
	}
	var w [2]any
	if next.Instr != nil {
		w = o.where[next.Instr]
	} else {
		w = o.where[next.Term]
	}
	if w[0] == nil {
		return nil
	}
	return o.iv.byKey[pointKey{o.by[o.fn[id]], w[0].(*ir.Block), w[1].(int), o.depth[id]}]
}

// look holds a state against what is believed.
func (o *oracle) look(s *interp.State) string {
	iv := o.iv
	at := map[interp.ThreadID]*point{}
	for id := range interp.ThreadID(s.NumThreads()) {
		if p := o.at(s, id); p != nil {
			at[id] = p
		} else if o.depth[id] > 0 { // the others see nothing before the section ends, or gets to a point
			return ""
		}
	}
	for id := range interp.ThreadID(s.NumThreads()) {
		p := at[id]
		if p == nil {
			continue
		}
		for _, t := range iv.counted(p) {
			if o.numbers(s, t) {
				return fmt.Sprintf("thread %d is at %s: %v, with %v", id, o.place(p), t, o.counts)
			}
		}
		for _, c := range p.inv {
			if o.false(iv.term(c, o.slots(s, id), false)) {
				return fmt.Sprintf("thread %d is at %s: not %s", id, o.place(p), o.show(c))
			}
		}
	}
	for id, p := range at {
		for other, q := range at {
			if id == other || p.id > q.id || p.block == nil || q.block == nil {
				continue
			}
			for _, t := range iv.counted(p, q) {
				if o.numbers(s, t) {
					return fmt.Sprintf("threads %d and %d are at %s and %s: %v, with %v", id, other, o.place(p), o.place(q), t, o.counts)
				}
			}
			x := iv.pairs[key(p.id, q.id)]
			if x == nil || x.fixed {
				continue
			}
			if x.never {
				return fmt.Sprintf("threads %d and %d are at %s and %s at once", id, other, o.place(p), o.place(q))
			}
			k, j := o.slots(s, id), o.slots(s, other)
			for _, c := range x.inv {
				val := iv.roles(p, q, func(v slot) *bv.Term { return k(v, false) }, func(v slot) *bv.Term { return j(v, false) })
				if o.false(iv.term(c, val, true)) {
					return fmt.Sprintf("threads %d and %d are at %s and %s: not %s", id, other, o.place(p), o.place(q), o.show(c))
				}
			}
		}
	}
	return ""
}

// numbers reports whether a fact about numbers of threads is false.
func (o *oracle) numbers(s *interp.State, t *bv.Term) bool {
	now := map[*bv.Term]*bv.Term{}
	for _, c := range o.iv.counters {
		now[o.iv.b.Var(countSlotOf(c).name("k"), countBits)] = o.iv.b.Num(countBits, o.counts[c.id])
	}
	return o.false(o.iv.b.Substitute(t, now))
}

func (o *oracle) false(t *bv.Term) bool {
	o.checked++
	return t == o.iv.b.False
}

func (o *oracle) place(p *point) string {
	if p.block == nil {
		return p.thread.entry.Func.Name + " (not started)"
	}
	pos := p.block.Term.At()
	if p.index < len(p.block.Instrs) {
		pos = p.block.Instrs[p.index].At()
	}
	return fmt.Sprintf("%s %s:%d (%s, depth %d)", p.thread.entry.Func.Name, p.block.Name, p.index, pos, p.depth)
}

func (o *oracle) show(c candidate) string {
	name := func(s slot) string {
		switch s.kind {
		case regSlot:
			return s.reg.Name
		case cellSlot, sharedSlot:
			return o.iv.a.cells[s.cell].region.Name
		case heldSlot:
			return "held"
		case takenSlot:
			return "taken"
		case countSlot:
			return fmt.Sprint("number ", s.count.id)
		}
		return "started " + s.flag.entry.Func.Name
	}
	text := name(c.x) + " " + c.op
	switch {
	case c.isNum:
		text += fmt.Sprint(" ", c.num)
	case c.op != "true" && c.op != "false":
		text += " " + name(c.y)
	}
	if c.unless != nil {
		text += " unless " + name(*c.unless)
	}
	if c.given != nil {
		text += " once " + name(*c.given)
	}
	return text
}

// slots gives the values of variables for a thread; those that are not known are
// variables.
func (o *oracle) slots(s *interp.State, id interp.ThreadID) func(slot, bool) *bv.Term {
	b := o.iv.b
	return func(v slot, _ bool) *bv.Term {
		unknown := b.Var("unknown "+v.name("o"), v.width)
		switch v.kind {
		case regSlot:
			w, err := s.Register(id, v.reg)
			if err != nil || len(w) != 1 {
				return unknown
			}
			if v.width == 0 {
				return b.Bool(w[0] != 0)
			}
			return b.Num(v.width, w[0]&(^uint64(0)>>(64-v.width)))
		case cellSlot, sharedSlot:
			g, off := o.global(o.iv.a.cells[v.cell].region)
			if g == nil {
				return unknown
			}
			w, ok := s.Global(g, off, ir.Int{Bits: v.width})
			if !ok {
				return unknown
			}
			return b.Num(v.width, w[0])
		case heldSlot, takenSlot:
			g, off := o.global(o.iv.a.cells[int(v.lock)].region)
			if g == nil {
				return unknown
			}
			a := interp.MakeAddr(o.m.ObjectOf(g), off)
			held := false
			for t := range interp.ThreadID(s.NumThreads()) {
				held = held || (v.kind == takenSlot || t == id) && slices.ContainsFunc(s.Held(t), func(h interp.HeldLock) bool { return h.Addr == a })
			}
			return b.Bool(held)
		case countSlot:
			return b.Num(countBits, o.counts[v.count.id])
		}
		return b.Bool(o.made[v.flag.entry.Func])
	}
}

// global is the global, and the offset in it, that a region is; nil where it is not one
// place.
func (o *oracle) global(r region) (*ir.Global, int64) {
	if r == nil || len(r.Objects) != 1 || r.Objects[0].Global == nil || r.Objects[0].Global.ThreadLocal || r.Elem != 0 {
		return nil, 0
	}
	return r.Objects[0].Global, r.Offset
}
