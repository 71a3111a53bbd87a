package bmc

import (
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

// What callers of a driver's entries pass to them, as package interp has it: a handler
// gets what it was registered with (ir.Binding), and what went through another entry
// before is what that entry got (ir.Same).

// boundCell says whether a handler is registered; knownCell whether parameter k is known
// from that, and argCell what it is.
func (u *unrolling) boundCell(f *ir.Func) *cell { return u.handler(f, "bound", 1) }

// Roots that run one handler and never overlap with one object may each be called with a
// registration of their own: slot tells them apart.
func (u *unrolling) knownCell(f *ir.Func, k, slot int) *cell {
	return u.handler(f, fmt.Sprint("known ", k, " ", slot), 1)
}

func (u *unrolling) argCell(f *ir.Func, k, slot int) *cell {
	return u.handler(f, fmt.Sprint("argument ", k, " ", slot), 64)
}

// slots is how many roots choose their registrations of f each for itself, slot which of
// them this thread is.
func (u *unrolling) slots(f *ir.Func) int {
	n := 0
	for _, t := range u.roots {
		if t.fn == f && t.entry != nil && len(t.entry.Serial) > 0 {
			n++
		}
	}
	return max(n, 1)
}

func (x *exec) slot(f *ir.Func) int {
	n := 0
	for _, t := range x.roots {
		if t == x.t {
			if n < x.slots(f) {
				return n
			}
			break
		}
		if t.fn == f {
			n++
		}
	}
	return 0
}

func (u *unrolling) handler(f *ir.Func, what string, width int) *cell {
	o := u.w.object("handler:"+f.Name, func() *object { return &object{name: "registration of " + f.Name, zero: true} })
	return u.w.state(o, 0, what, width)
}

// handlersOf are the functions of a harness that are called with what they were
// registered with: those that the roots run, and what runs before them but is no init
// entry.
func handlersOf(h Harness) []*ir.Func {
	var out []*ir.Func
	add := func(r Root) {
		if !slices.Contains(out, r.Func) {
			out = append(out, r.Func)
		}
	}
	for _, r := range h.Roots {
		add(r)
	}
	for _, r := range h.Init {
		if r.Entry != nil && !r.Entry.Init {
			add(r)
		}
	}
	return out
}

// choices are what an instruction chooses that registers handlers: by slots, 1 where an
// earlier registration stays; nil where there is nothing to choose.
type choices []*bv.Term

// of is the choice of a slot, which is made where it is not there yet.
func (c *choices) of(x *exec, slot int) *bv.Term {
	for len(*c) <= slot {
		*c = append(*c, nil)
	}
	if (*c)[slot] == nil {
		(*c)[slot] = x.fresh("stays", 1)
	}
	return (*c)[slot]
}

// word has the choice of each slot as a bit.
func (c choices) word(x *exec) *bv.Term {
	var out *bv.Term
	for _, t := range c {
		if t == nil {
			t = x.b.Num(1, 0)
		}
		if out == nil {
			out = t
		} else {
			out = x.b.Concat(t, out)
		}
	}
	return out
}

// bind registers handlers where an instruction does; the result is what it chooses.
func (o *op) bind() *bv.Term {
	x := o.x
	b := x.feat.binds.At(o.in)
	if b == nil || len(x.roots) == 0 {
		return nil
	}
	var stays choices
	for _, t := range b.To {
		if slices.Contains(x.handlers, t.Func) {
			o.bindTo(t.Func, x.b.True, t.Args, &stays)
		}
	}
	if b.Fn == nil {
		o.show(b, &stays)
		return stays.word(x)
	}
	fn := x.eval(b.Fn, o.st)
	for _, f := range x.handlers {
		if !b.Binds(f) {
			continue
		}
		if is := x.equals(fn, makeAddr(fnBase+x.number(f), 0)); is != x.b.False {
			o.bindTo(f, is, b.Args, &stays)
		}
	}
	return stays.word(x)
}

// bindTo registers f where is holds.
func (o *op) bindTo(f *ir.Func, is *bv.Term, args []ir.Expr, stays *choices) {
	x, b := o.x, o.x.b
	one := func(c *cell) []target { return []target{{c: c, match: b.True}} }
	bit := func(n uint64) *bv.Term { return b.Num(1, n) }
	had := b.Eq(o.getCells(one(x.boundCell(f)), 1), bit(1))
	for slot := range x.slots(f) {
		vals := map[int]*bv.Term{}
		same := b.True // as what it is registered with
		for _, k := range x.feat.binds.Params(f) {
			known := func() *bv.Term { return b.Eq(o.getCells(one(x.knownCell(f, k, slot)), 1), bit(1)) }
			if k < len(args) && args[k] != nil {
				vals[k] = x.extend(x.eval(args[k], o.st), args[k].Type(), 64)
				if x.feat.ends && had != b.False {
					same = b.And(same, b.And(known(), b.Eq(o.getCells(one(x.argCell(f, k, slot)), 64), vals[k])))
				}
			} else if x.feat.ends && had != b.False {
				same = b.And(same, b.Not(known()))
			}
		}
		take := is
		if had != b.False {
			take = b.And(is, b.Or(b.Not(had), b.Eq(stays.of(x, slot), bit(0))))
		}
		if x.feat.ends {
			stopped := bit(0)
			if x.feat.binds.Started(f) && !x.startedBefore(f) {
				stopped = bit(1)
			}
			o.putCells(one(x.stoppedCell(f, slot)), stopped, b.Or(take, b.And(is, b.And(had, same))))
		}
		for _, k := range x.feat.binds.Params(f) {
			if vals[k] == nil {
				o.putCells(one(x.knownCell(f, k, slot)), bit(0), take)
				continue
			}
			o.putCells(one(x.argCell(f, k, slot)), vals[k], take)
			o.putCells(one(x.knownCell(f, k, slot)), bit(1), take)
		}
	}
	o.putCells(one(x.boundCell(f)), bit(1), is)
}

// startedBefore reports whether an object with which f is registered now may have been
// started when the roots start, by an entry that is not run: where an initialiser or an
// init entry registers it.
func (x *exec) startedBefore(f *ir.Func) bool {
	return x.early && slices.Contains(x.before, ir.Starting(f))
}

// bindStatic registers the handlers that initialisers register.
func (x *exec) bindStatic(st *state) {
	o := &op{x: x, st: st, in: &ir.Yield{}}
	for _, e := range x.p().Entries { // in the interpreter's order
		if e.Func == nil || !slices.Contains(x.handlers, e.Func) || x.static[e.Func] != nil {
			continue
		}
		x.static[e.Func] = []*bv.Term{}
		for _, args := range x.feat.binds.Static(e.Func) {
			var stays choices
			o.bindTo(e.Func, x.b.True, args, &stays)
			x.static[e.Func] = append(x.static[e.Func], stays...)
		}
	}
}

// look reads a cell at a position; p is nil before the roots start.
func (x *exec) look(p *event, st *state, c *cell) *bv.Term {
	x.touch(c, st, false)
	if !st.split || !c.conc {
		if v := st.mem.get(c.idx); v != nil {
			return v
		}
		return x.initial(c)
	}
	if p == nil {
		p = x.step(st, nil, ir.Pos{})
		p.cut = false
	}
	v := x.b.Fresh("env", c.width)
	known := values{nums: map[uint64]bool{0: true}}
	known.add(c.vals, maxTargets)
	x.vals[v] = &known
	p.reads = append(p.reads, &read{v: v, targets: []target{{c: c, match: x.b.True}}})
	return v
}

// mayBeBound is when a root can be called: where it is a handler that somebody must
// register, once it is.
func (x *exec) mayBeBound(p *event, st *state) *bv.Term {
	f := x.t.fn
	if x.feat.ends && x.t.entry != nil && len(x.t.entry.Serial) > 0 {
		return x.b.And(x.registeredOnce(p, st), x.b.Eq(x.look(p, st, x.stoppedCell(f, x.slot(f))), x.b.Num(1, 0)))
	}
	return x.registeredOnce(p, st)
}

// registeredOnce is that without what has stopped it since.
func (x *exec) registeredOnce(p *event, st *state) *bv.Term {
	f := x.t.fn
	if !x.feat.binds.Closed(f) || slices.Contains(x.before, ir.Bound(f)) {
		return x.b.True
	}
	return x.b.Eq(x.look(p, st, x.boundCell(f)), x.b.Num(1, 1))
}

// boundArgs are the arguments of a run of f: those it was registered with, where it was.
func (x *exec) boundArgs(f *ir.Func, p *event, st *state, args []*bv.Term) []*bv.Term {
	out, slot := slices.Clone(args), x.slot(f)
	must := x.feat.binds.Closed(f) && !slices.Contains(x.before, ir.Bound(f))
	for k, q := range f.Params {
		known := x.b.False
		if slices.Contains(x.feat.binds.Params(f), k) {
			known = x.b.Eq(x.look(p, st, x.knownCell(f, k, slot)), x.b.Num(1, 1))
		}
		if known != x.b.False {
			v := x.fit([]*bv.Term{x.look(p, st, x.argCell(f, k, slot))}, 0, q.Type)
			out[k] = x.b.Ite(known, v, out[k])
		}
		if known != x.b.True && !must && ir.IsPtr(q.Type) && x.feat.binds.Passed(f, k) && !x.allGlobals(f, k) {
			x.note("registered", f.Pos, "%s may have been registered otherwise than is seen here, with an object of the program's own: not followed", f.Name)
		}
	}
	return out
}

// allGlobals reports whether a handler is registered with globals alone: these are tried
// where nothing more is known.
func (x *exec) allGlobals(f *ir.Func, k int) bool {
	ps := x.feat.binds.Places(f, k)
	return len(ps) > 0 && !slices.ContainsFunc(ps, func(p ir.Place) bool { return p.Global == nil })
}

// passed are what the init entries and the roots get that init entries before them got.
func (h Harness) passed() (before, at [][]ir.From) {
	if h.Main {
		return make([][]ir.From, len(h.Init)), make([][]ir.From, len(h.Roots))
	}
	return ir.Passed(entriesOf(h.Init), entriesOf(h.Roots))
}

func entriesOf(rs []Root) []*ir.Entry {
	var out []*ir.Entry
	for _, r := range rs {
		out = append(out, r.Entry)
	}
	return out
}

// handed is parameter i, where it is what an init entry got; nil where it is not known.
func (u *unrolling) handed(from []ir.From, i int) *bv.Term {
	for _, x := range from {
		if x.Param == i {
			a := u.initArgs[x.Init][x.OfParam]
			return u.b.Ite(u.b.Eq(a, u.b.Num(64, 0)), a, u.b.Add(a, u.b.Num(64, uint64(x.Off))))
		}
	}
	return nil
}

// accepted leaves out executions in which an entry fails that is run to set up what the
// roots get.
func (x *exec) accepted(e *ir.Entry, h Harness, val *bv.Term, st *state) {
	if e == nil || e.Init || val == nil || st == nil || !ir.IsInt(e.Func.Result) {
		return
	}
	if slices.ContainsFunc(ir.Openers(entriesOf(h.Roots)), func(o ir.Opener) bool { return o.Name == e.Name }) {
		x.assume(st, x.b.Eq(val, x.b.Num(val.Width, 0)), nil, e.Pos)
	}
}

// opens are the parameters of init entry i that roots get as theirs; they are not null.
func (u *unrolling) opens(h Harness, i int) []int {
	var out []int
	before, at := h.passed()
	for _, from := range append(before, at...) {
		for _, x := range from {
			if x.Init == i {
				out = append(out, x.OfParam)
			}
		}
	}
	return out
}

// places are where parameter i of a driver's root may point to, as far as its
// registrations say.
func (u *unrolling) places(r Root, i int) []ir.Place {
	if u.main {
		return nil
	}
	return u.feat.binds.Places(r.Func, i)
}

// registeredPointer is an arbitrary pointer of those that a handler may have been
// registered with.
func (u *unrolling) registeredPointer(key string, ps []ir.Place) *bv.Term {
	var alts []uint64
	for _, p := range ps {
		if p.Global != nil {
			alts = append(alts, makeAddr(u.w.global(p.Global, "").id, p.Off))
			continue
		}
		typ := p.S.String()
		for _, o := range u.envs[typ] {
			alts = append(alts, makeAddr(o.id, p.Off))
		}
		o := u.w.object("env:"+key, func() *object {
			return &object{name: key, size: -1, extern: true}
		})
		u.envs[typ] = append(u.envs[typ], o)
		alts = append(alts, makeAddr(o.id, p.Off))
	}
	return u.oneOf(key, alts)
}

// leftOut takes the executions in which init entry i is left out from those of st.
func (x *exec) leftOut(i int, st *state) *state {
	c := x.fresh("skip", 1)
	x.skips[i] = c
	without := st.clone()
	without.guard = x.b.And(st.guard, x.b.Eq(c, x.b.Num(1, 1)))
	st.guard = x.b.And(st.guard, x.b.Eq(c, x.b.Num(1, 0)))
	return without
}

// joined are the executions of both, of which there may be none.
func (x *exec) joined(st, without *state) *state {
	if st == nil {
		return without
	}
	st.regs, without.regs = nil, nil
	return x.merge(st, without)
}

// shownCells say whether a member of objects that entries get holds something that was
// registered, and what.
func (u *unrolling) shownCells(g ir.ArgSource) (known, value *cell) {
	o := u.w.object(fmt.Sprintf("shown:%s@%d", g.S.Name, g.Off), func() *object { return &object{name: "registrations", zero: true} })
	return u.w.state(o, 0, "known", 1), u.w.state(o, 0, "value", 64)
}

// show notes that members hold an object from now on; where they held another one, that
// may stay.
func (o *op) show(d *ir.Binding, stays *choices) {
	x, b := o.x, o.x.b
	one := func(c *cell) []target { return []target{{c: c, match: b.True}} }
	for _, g := range d.Shows {
		known, value := x.shownCells(g)
		take := b.True
		if had := b.Eq(o.getCells(one(known), 1), b.Num(1, 1)); had != b.False {
			take = b.Or(b.Not(had), b.Eq(stays.of(x, 0), b.Num(1, 0)))
		}
		o.putCells(one(value), x.eval(d.Obj, o.st), take)
		o.putCells(one(known), b.Num(1, 1), b.True)
	}
}

// fill writes what the objects hold that are made as arguments of a run; keys are those
// of the arguments.
func (x *exec) fill(keys []string, r Root, st *state) {
	for i, p := range r.Func.Params {
		pt, _ := p.Type.(ir.Ptr)
		o := x.w.byKey["env:"+keys[i]]
		if o == nil || pt.Elem == nil {
			continue
		}
		for _, g := range x.feat.shows {
			if pt.Elem != ir.Type(g.S) {
				continue
			}
			known, value := x.shownCells(g)
			has := x.b.Eq(x.look(nil, st, known), x.b.Num(1, 1))
			if has == x.b.False {
				continue
			}
			c := x.w.cell(o, g.Off, 8, ir.VPtr)
			if c.lo == g.Off && c.width == 64 {
				x.touch(c, st, true)
				st.mem = st.mem.set(c.idx, x.b.Ite(has, x.look(nil, st, value), x.initial(c)))
			}
		}
	}
}

// argKeys name the arguments of a thread.
func argKeys(t *thread, r Root) []string {
	out := make([]string, len(r.Func.Params))
	for i := range out {
		out[i] = fmt.Sprintf("arg:%s:%d", t.key, i)
	}
	return out
}
