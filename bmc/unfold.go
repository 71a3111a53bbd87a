package bmc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
	"whoop/smt/bv"
)

// features are what a program uses, so that nothing is modelled for programs that do
// without.
type features struct {
	shared, recursive, try bool
	destroys               bool // locks, semaphores, condition variables or barriers are destroyed
	kinds                  ir.Kinds
	// ends: some handler is started, or stopped, for one object.
	ends bool
	// over are the kinds that some Unregister names.
	over  []string
	binds *ir.Bindings
	shows []ir.ArgSource
	// unsized are the allocations of memory of which nobody knows the size.
	unsized map[*ir.Alloc]bool
}

// Prepared is what all checks of a program have in common: with a driver's headers,
// finding it takes longer than most pairs do. It is not changed once it is made.
type Prepared struct {
	m       *interp.Program
	feat    features
	callees map[string][]*ir.Func
}

// Prepare finds it. The error is the interpreter's, which does not take every program.
func Prepare(p *ir.Program) (*Prepared, error) {
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return nil, err
	}
	return &Prepared{m: m, feat: featuresOf(p), callees: byType(p)}, nil
}

// Compiled is the program for the interpreter.
func (p *Prepared) Compiled() *interp.Program { return p.m }

func featuresOf(p *ir.Program) (ft features) {
	ft.binds, ft.kinds, ft.unsized = ir.BindingsOf(p), ir.KindsOf(p), map[*ir.Alloc]bool{}
	for _, e := range p.Entries {
		ft.ends = ft.ends || e.Func != nil && ft.binds.Started(e.Func)
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for k, in := range b.Instrs {
				switch i := in.(type) {
				case *ir.Alloc:
					if irutil.Unsized(b.Instrs[:k], i) {
						ft.unsized[i] = true
					}
				case *ir.Lock:
					ft.shared = ft.shared || i.Mode == ir.Shared
					ft.recursive = ft.recursive || i.Recursive
					ft.try = ft.try || i.Try
				case *ir.LockInit:
					ft.recursive = ft.recursive || i.Recursive
					ft.destroys = ft.destroys || i.Destroy
				case *ir.Unregister:
					ft.ends = ft.ends || i.Obj != nil && len(i.Ends) > 0
					stops, _ := i.Stops(true)
					ft.over = append(ft.over, stops...)
				case *ir.Register:
					for _, g := range i.Shows {
						if !slices.Contains(ft.shows, g) {
							ft.shows = append(ft.shows, g)
						}
					}
				}
			}
		}
	}
	return ft
}

// byType are the functions with a body whose addresses are taken, by their types:
// pointers that the environment hands in may lead to those.
func byType(p *ir.Program) map[string][]*ir.Func {
	out := map[string][]*ir.Func{}
	for _, f := range ir.AddressTaken(p) {
		// not those that stand for the kernel's, which are not followed
		if len(f.Blocks) > 0 && (p.TypeSafe || !strings.HasPrefix(f.Name, ir.OutsideFunc)) {
			k := f.Type().String()
			out[k] = append(out[k], f)
		}
	}
	return out
}

// maxPasses bounds how often the program is unfolded until what is known about shared
// cells no longer changes.
const maxPasses = 60

// unfold unrolls and inlines the threads of a harness. It is done again until it is known
// which cells are shared and what pointers in them may be: every pass assumes what the
// one before found, and what it finds is only ever more, so that the last pass, which
// finds nothing new, has assumed the truth.
func unfold(ctx context.Context, p *ir.Program, h Harness, opt *Options) (*unrolling, error) {
	w := newWorld(p)
	pre := opt.Prepared
	if pre == nil {
		pre = &Prepared{feat: featuresOf(p), callees: byType(p)}
	}
	for range maxPasses {
		w.changed = false
		u := &unrolling{w: w, b: bv.NewBuilder(), ctx: ctx, opt: opt, main: h.Main, stays: h.Stays, vals: map[*bv.Term]*values{}, memo: map[*bv.Term]values{}, fromInt: map[*bv.Term]*bv.Term{}, strides: map[*bv.Term]int64{}, sizes: map[*object]*bv.Term{},
			funcs: map[*ir.Func]*funcInfo{}, fnNum: map[*ir.Func]int{}, init: map[*cell]*bv.Term{}, envs: map[string][]*object{}, feat: pre.feat, static: map[*ir.Func][]*bv.Term{}, skips: map[int]*bv.Term{}, callees: pre.callees, before: h.Registered}
		for _, f := range p.Funcs {
			u.number(f)
		}
		u.run(h)
		if u.err != nil {
			return nil, u.err
		}
		u.findShared()
		if !w.changed {
			return u, nil
		}
	}
	return nil, fmt.Errorf("what threads share was not found in %d passes (%s)", maxPasses, w.why)
}

// errNoInit: a pair of which nothing ran is not free of bugs.
var errNoInit = errors.New("no execution gets past the init entries: the entry points were not run")

// run unfolds the harness: the program's main function, or its init entries and then a
// thread for each root.
func (u *unrolling) run(h Harness) {
	if h.Main {
		t := u.newThread("main", h.Roots[0].Func.Name, h.Roots[0].Func, nil)
		t.entry = h.Roots[0].Entry
		t.args = u.arguments(t, h.Roots[0], nil, nil)
		u.runThread(t, t.args, pmap{})
		return
	}
	t := u.newThread("init", "init", nil, nil)
	for i, r := range h.Roots {
		k := u.newThread(fmt.Sprint("root", i), r.Name, r.Func, t)
		k.entry, k.root = r.Entry, true
		k.ran = u.shared(u.w.object("t:"+k.key, nil), "ran", 1)
		u.roots = append(u.roots, k)
	}
	x := &exec{unrolling: u, t: t, spawned: map[*ir.Spawn]int{}}
	st := x.runInit(h)
	if u.err != nil {
		return
	}
	if st == nil || st.guard == u.b.False {
		u.err = errNoInit
		return
	}
	x.runRoots(h, st)
}

// runInit unfolds what runs before the roots, one after the other.
func (x *exec) runInit(h Harness) *state {
	st := &state{guard: x.b.True}
	x.handlers = handlersOf(h)
	x.early = true
	x.bindStatic(st)
	optional := ir.Optional(entriesOf(h.Init), entriesOf(h.Roots))
	x.passed, _ = h.passed()
	for i, r := range h.Init {
		if st == nil || x.err != nil {
			break
		}
		x.stack, st.regs = nil, nil
		x.setUp = append(x.setUp, x.b.True)
		if !optional[i] {
			var val *bv.Term
			val, st = x.initRun(i, r, h, st)
			x.accepted(r.Entry, h, val, st)
			continue
		}
		without := x.leftOut(i, st)
		var val *bv.Term
		val, st = x.initRun(i, r, h, st)
		x.setUp[i] = x.b.Eq(x.skips[i], x.b.Num(1, 0))
		if val != nil && ir.IsInt(r.Func.Result) {
			x.setUp[i] = x.b.And(x.setUp[i], x.b.Eq(val, x.b.Num(val.Width, 0)))
		}
		st = x.joined(st, without)
	}
	return st
}

// initRun unfolds init entry i.
func (x *exec) initRun(i int, r Root, h Harness, st *state) (*bv.Term, *state) {
	x.registered(r.Entry, st)
	for _, from := range x.passed[i] { // who gets a file that was not opened does not run
		x.assume(st, x.setUp[from.Init], nil, r.Func.Pos)
	}
	x.early = r.Entry == nil || r.Entry.Init
	self := &thread{key: fmt.Sprint("init", i)}
	args := x.arguments(self, r, x.passed[i], x.opens(h, i))
	x.fill(argKeys(self, r), r, st)
	x.asked = append(x.asked, args)
	if r.Entry != nil && !r.Entry.Init {
		args = x.boundArgs(r.Func, nil, st, args)
	}
	x.initArgs = append(x.initArgs, args)
	if st.guard == x.b.False {
		return nil, nil
	}
	return x.call(r.Func, args, st, hashOf("init", i))
}

// runRoots unfolds the roots, which start when the init entries have ended.
func (x *exec) runRoots(h Harness, st *state) {
	u, t := x.unrolling, x.t
	x.stack, x.early = nil, false
	_, passed := h.passed()
	for i, from := range passed {
		k := u.roots[i]
		k.passed = from
		k.args = u.arguments(k, h.Roots[i], from, nil)
		x.fill(argKeys(k, h.Roots[i]), h.Roots[i], st)
	}
	x.flush(st)
	for _, k := range u.roots {
		k.live0 = st.live
		st.live.put(k.num)
		u.runThread(k, k.args, st.mem)
		st.live = st.live.or(k.below)
	}
	p := x.step(st, nil, ir.Pos{})
	p.kind, p.cut = posEnd, false
	x.set(p, t.ended, u.b.Num(1, 1), u.b.True)
	for _, k := range u.threads[1:] {
		if k.root {
			x.set(p, k.start, u.b.Num(1, 1), u.b.True)
		}
	}
	if len(u.before) > 0 {
		for _, k := range u.feat.kinds.In(u.before) {
			x.set(p, u.registration(k), u.b.Num(1, 1), u.b.True)
		}
	}
	t.end = p.num
	t.final = st
}

// arguments are the arguments of a root: arbitrary, but for what init entries got (from).
// Those of opened are not null.
func (u *unrolling) arguments(t *thread, r Root, from []ir.From, opened []int) []*bv.Term {
	var out []*bv.Term
	for i, p := range r.Func.Params {
		if a := u.handed(from, i); a != nil {
			out = append(out, a)
			continue
		}
		private := false
		for _, k := range r.Private {
			private = private || k == i
		}
		key := fmt.Sprintf("arg:%s:%d", t.key, i)
		if pt, ok := p.Type.(ir.Ptr); ok {
			if ps := u.places(r, i); len(ps) > 0 {
				out = append(out, u.registeredPointer(key, ps))
				continue
			}
			nonnull := r.Entry != nil && slices.Contains(r.Entry.NonNull, i) || slices.Contains(opened, i)
			v := u.inputPointer(key, pt, 0, private, nonnull)
			out = append(out, v)
			continue
		}
		v := u.b.Var(key, width(p.Type))
		u.vals[v] = &values{any: true}
		out = append(out, v)
	}
	return out
}

// findShared marks the cells that two threads access at the same time, one of them
// writing.
func (u *unrolling) findShared() {
	for _, c := range u.w.cells {
		if !c.conc && u.isShared(c) {
			c.conc = true
			u.w.change("a shared cell of " + c.obj.name)
		}
	}
}

func (u *unrolling) isShared(c *cell) bool {
	for i, t := range u.threads {
		a := c.acc[t.num]
		if a == nil {
			continue
		}
		for _, v := range u.threads[i+1:] {
			if o := c.acc[v.num]; o != nil && u.overlap(t, v, a, o) {
				return true
			}
		}
	}
	return false
}

// overlap reports whether conflicting ones of two threads' accesses may happen at the
// same time.
func (u *unrolling) overlap(t, v *thread, a, o *access) bool {
	if !a.write && !o.write {
		return false
	}
	switch {
	case t.below.has(v.num):
		return a.writeBy.has(v.num) || o.write && a.readBy.has(v.num)
	case v.below.has(t.num):
		return o.writeBy.has(t.num) || a.write && o.readBy.has(t.num)
	}
	p, q := t, v // the ancestors that have the same parent
	for p.parent != nil && !p.parent.below.has(v.num) {
		p = p.parent
	}
	for q.parent != nil && !q.parent.below.has(t.num) {
		q = q.parent
	}
	return p.live0.has(v.num) || q.live0.has(t.num)
}
