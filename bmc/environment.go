package bmc

import (
	"fmt"
	"slices"
	"sort"

	"whoop/ir"
	"whoop/smt/bv"
)

// What the environment of a driver does to its entry points, as package interp has it: a
// root starts only when its kind is registered, the locks that the environment holds
// around it are free, and no root runs that never overlaps it.

// registration is the cell that says whether a kind of entry points is registered.
func (u *unrolling) registration(kind string) *cell {
	return u.shared(u.environmentObject(), "registered "+kind, 1)
}

func (u *unrolling) environmentObject() *object {
	return u.w.object("environment", func() *object { return &object{name: "environment", zero: true} })
}

// holdCell is the owner of a lock that the environment holds.
func (u *unrolling) holdCell(name string) *cell {
	return u.shared(u.environmentObject(), "hold "+name, ownerBits)
}

// servesCell is what a root has been called with as parameter k, of its entry's Serial; 0
// where it does not run.
func (u *unrolling) servesCell(t *thread, k int) *cell {
	return u.shared(u.environmentObject(), fmt.Sprint("serves ", t.key, " ", k), 64)
}

// set makes a position write v to a cell where c holds.
func (x *exec) set(p *event, cl *cell, v, c *bv.Term) {
	x.store(cl, v)
	p.writes = append(p.writes, &write{val: v, targets: []target{{c: cl, match: c}}})
}

// environment adds what a root's start waits for to its first position, and returns the
// condition.
func (x *exec) environment(p *event, st *state, args []*bv.Term) *bv.Term {
	b, e := x.b, x.t.entry
	see := func(c *cell) *bv.Term {
		v := b.Fresh("env", c.width)
		p.reads = append(p.reads, &read{v: v, targets: []target{{c: c, match: b.True}}})
		return v
	}
	set := func(c *cell, v uint64) { x.set(p, c, b.Num(c.width, v), b.True) }
	set(x.t.ran, 1)
	may := x.mayBeBound(p, st)
	if e == nil {
		return may
	}
	if k, ok := x.feat.kinds.Of(e.Kind); ok {
		may = b.And(may, b.Eq(see(x.registration(k)), b.Num(1, 1)))
	} else if x.unregisters(e) {
		may = b.And(may, b.Eq(x.look(p, st, x.overCell(e.Kind)), b.Num(1, 0)))
	}
	holds := append([]string(nil), e.Holds...)
	sort.Strings(holds)
	for _, h := range holds {
		c := x.holdCell(h)
		may = b.And(may, b.Eq(see(c), b.Num(ownerBits, 0)))
		set(c, uint64(x.t.num+1))
	}
	for _, k := range e.Serial { // no other run has the object
		for _, o := range x.roots {
			if o != x.t && o.fn == x.t.fn {
				may = b.And(may, b.Or(b.Eq(args[k], b.Num(64, 0)), b.Not(b.Eq(see(x.servesCell(o, k)), args[k]))))
			}
		}
		x.set(p, x.servesCell(x.t, k), args[k], b.True)
	}
	for _, o := range x.roots {
		if o == x.t || o.entry == nil || !x.excluded(e, o.entry) {
			continue
		}
		idle := b.Or(b.Eq(see(o.ran), b.Num(1, 0)), b.Eq(see(o.ended), b.Num(1, 1)))
		may = b.And(may, idle)
	}
	return may
}

func (u *unrolling) excluded(a, o *ir.Entry) bool {
	for _, x := range u.p().Exclusions {
		if x.A == a.Name && x.B == o.Name || x.B == a.Name && x.A == o.Name {
			return true
		}
	}
	return false
}

// release gives back the environment's locks at a root's end.
func (x *exec) release(p *event) {
	if x.t.entry == nil || !x.t.root {
		return
	}
	for _, k := range x.t.entry.Serial {
		x.set(p, x.servesCell(x.t, k), x.b.Num(64, 0), x.b.True)
	}
	for _, h := range x.t.entry.Holds {
		x.set(p, x.holdCell(h), x.b.Num(ownerBits, 0), x.b.True)
	}
}

// registered leaves out executions in which an init entry runs before its kind is
// registered.
func (x *exec) registered(e *ir.Entry, st *state) {
	if e == nil || e.Kind == "init" { // what the system calls when the module is loaded
		return
	}
	o := &op{x: x, st: st, in: &ir.Yield{}}
	if k, ok := x.feat.kinds.Of(e.Kind); ok {
		x.assume(st, x.b.Eq(o.getCells([]target{{c: x.registration(k), match: x.b.True}}, 1), x.b.Num(1, 1)), nil, e.Pos)
	} else if x.unregisters(e) {
		x.assume(st, x.b.Eq(x.look(nil, st, x.overCell(e.Kind)), x.b.Num(1, 0)), nil, e.Pos)
	}
	if !e.Init && x.feat.ends && len(e.Serial) > 0 {
		x.assume(st, x.b.Eq(x.look(nil, st, x.stoppedCell(e.Func, 0)), x.b.Num(1, 0)), nil, e.Pos)
	}
	if !e.Init && x.feat.binds.Closed(e.Func) && !slices.Contains(x.before, ir.Bound(e.Func)) {
		x.assume(st, x.b.Eq(x.look(nil, st, x.boundCell(e.Func)), x.b.Num(1, 1)), nil, e.Pos)
	}
}

// overCell is the cell that says of a kind of roots that no Register of a whole kind is
// about, such as a handler of its own, whether it is unregistered.
func (u *unrolling) overCell(kind string) *cell {
	return u.shared(u.environmentObject(), "over "+kind, 1)
}

// unregisters reports whether some Unregister names an entry's kind.
func (u *unrolling) unregisters(e *ir.Entry) bool {
	return len(u.feat.over) > 0 && ir.Covers(u.feat.over, e.Kind)
}

// over notes of the roots of some kinds whether they are unregistered: 1 or 0.
func (o *op) over(kinds []string, over uint64) {
	x := o.x
	for _, k := range x.handlerKinds(kinds) {
		o.putCells([]target{{c: x.overCell(k), match: x.b.True}}, x.b.Num(1, over), x.b.True)
	}
}

// handlerKinds are those of roots that over is about.
func (x *exec) handlerKinds(kinds []string) (out []string) {
	for _, r := range x.roots {
		if r.entry == nil || len(kinds) == 0 || !ir.Covers(kinds, r.entry.Kind) ||
			!x.unregisters(r.entry) || slices.Contains(out, r.entry.Kind) {
			continue
		}
		if _, known := x.feat.kinds.Of(r.entry.Kind); !known {
			out = append(out, r.entry.Kind)
		}
	}
	return out
}

// register makes kinds of entry points able to start.
func (x *exec) register(i *ir.Register, st *state) {
	o := x.begin(st, i, ir.SeqCst)
	if len(x.feat.over) > 0 {
		o.over(i.Kinds, 0)
	}
	if i.Fn == nil && len(x.roots) > 0 {
		for _, k := range x.feat.kinds.In(i.Kinds) {
			o.putCells([]target{{c: x.registration(k), match: x.b.True}}, x.b.Num(1, 1), x.b.True)
		}
		if x.feat.ends {
			var obj *bv.Term
			if i.Obj != nil {
				obj = x.eval(i.Obj, st)
			}
			o.startsAgain(i.Kinds, obj)
		}
	}
	o.end(o.bind())
}

// ends lets the handlers of one object start no more, and is the condition that none of
// them runs.
func (o *op) ends(i *ir.Unregister, obj *bv.Term) *bv.Term {
	x, b := o.x, o.x.b
	one := func(c *cell) []target { return []target{{c: c, match: b.True}} }
	idle := b.True
	for _, r := range x.roots {
		if r != x.t && r.entry != nil && ir.Covers(i.Ends, r.entry.Kind) {
			for _, k := range r.entry.Serial {
				idle = b.And(idle, b.Not(b.Eq(o.getCells(one(x.servesCell(r, k)), 64), obj)))
			}
		}
	}
	o.handlersOf(i.Ends, func(f *ir.Func, k, slot int) {
		is := b.And(b.Eq(o.getCells(one(x.knownCell(f, k, slot)), 1), b.Num(1, 1)), b.Eq(o.getCells(one(x.argCell(f, k, slot)), 64), obj))
		o.putCells(one(x.stoppedCell(f, slot)), b.Num(1, 1), is)
	})
	return idle
}

// startsAgain lets the handlers of an object start that was stopped; obj is nil for those
// of any.
func (o *op) startsAgain(kinds []string, obj *bv.Term) {
	x, b := o.x, o.x.b
	one := func(c *cell) []target { return []target{{c: c, match: b.True}} }
	o.handlersOf(kinds, func(f *ir.Func, k, slot int) {
		is := b.True
		if obj != nil {
			is = b.Eq(o.getCells(one(x.argCell(f, k, slot)), 64), obj)
		}
		o.putCells(one(x.stoppedCell(f, slot)), b.Num(1, 0), is)
	})
}

// handlersOf visits the handlers of some kinds that run once at a time for one object,
// with the parameter that is the object and the slots of their registrations.
func (o *op) handlersOf(kinds []string, visit func(f *ir.Func, k, slot int)) {
	x := o.x
	for _, e := range x.p().Entries {
		if len(e.Serial) == 0 || !slices.Contains(x.handlers, e.Func) || !ir.Covers(kinds, e.Kind) {
			continue
		}
		for slot := range x.slots(e.Func) {
			visit(e.Func, e.Serial[0], slot)
		}
	}
}

// stoppedCell says that a handler is stopped for the object that it was registered with.
func (u *unrolling) stoppedCell(f *ir.Func, slot int) *cell {
	return u.handler(f, fmt.Sprint("stopped ", slot), 1)
}

// unregister waits for the roots of its kinds that run, and lets none start any more.
func (x *exec) unregister(i *ir.Unregister, st *state) {
	b := x.b
	o := x.begin(st, i, ir.SeqCst)
	kinds, none := i.Stops(x.t.entry != nil && x.t.entry.Kind == "exit")
	if none {
		o.end(nil)
		return
	}
	idle := b.True
	for _, r := range x.roots {
		if r == x.t || r.entry == nil || !ir.Covers(kinds, r.entry.Kind) {
			continue
		}
		if _, known := x.feat.kinds.Of(r.entry.Kind); !known && len(i.Kinds) == 0 {
			continue
		}
		ran := o.getCells([]target{{c: r.ran, match: b.True}}, 1)
		ended := o.getCells([]target{{c: r.ended, match: b.True}}, 1)
		idle = b.And(idle, b.Or(b.Eq(ran, b.Num(1, 0)), b.Eq(ended, b.Num(1, 1))))
	}
	if i.Obj != nil && len(i.Ends) > 0 {
		idle = b.And(idle, o.ends(i, x.eval(i.Obj, st)))
	}
	o.block(idle)
	if len(x.roots) > 0 {
		for _, k := range x.feat.kinds.In(kinds) {
			o.putCells([]target{{c: x.registration(k), match: b.True}}, b.Num(1, 0), b.True)
		}
		if len(i.Kinds) > 0 {
			o.over(kinds, 1)
		}
	}
	o.end(nil)
}
