package bmc

import (
	"slices"
	"sort"
	"strings"

	"whoop/ir"
	"whoop/smt/bv"
)

// What the environment of a driver does to its entry points, as package interp has it: a root starts only when its kind is
// registered, the locks that the environment holds around it are free, and no root runs that never overlaps it.

// registration is the cell that says whether a kind of entry points is registered.
func (u *unfolding) registration(kind string) *cell {
	return u.shared(u.environmentObject(), "registered "+kind, 1)
}

func (u *unfolding) environmentObject() *object {
	return u.w.object("environment", func() *object { return &object{name: "environment", zero: true} })
}

// holdCell is the owner of a lock that the environment holds.
func (u *unfolding) holdCell(name string) *cell {
	return u.shared(u.environmentObject(), "hold "+name, ownerBits)
}

// environment adds what a root's start waits for to its first position, and returns the condition.
func (x *exec) environment(p *position, st *state) *bv.Term {
	b, e := x.b, x.t.entry
	see := func(c *cell) *bv.Term {
		v := b.Fresh("env", c.width)
		p.reads = append(p.reads, &read{v: v, targets: []target{{c: c, match: b.True}}})
		return v
	}
	set := func(c *cell, v uint64) {
		p.writes = append(p.writes, &write{val: b.Num(c.width, v), targets: []target{{c: c, match: b.True}}})
	}
	set(x.t.ran, 1)
	may := x.mayBeBound(p, st)
	if e == nil {
		return may
	}
	var needed, there []*bv.Term
	for _, k := range x.feat.kinds {
		if strings.HasPrefix(e.Kind, k) {
			needed = append(needed, b.True)
			there = append(there, b.Eq(see(x.registration(k)), b.Num(1, 1)))
		}
	}
	if len(needed) > 0 {
		may = b.And(may, b.Or(there...))
	}
	holds := append([]string(nil), e.Holds...)
	sort.Strings(holds)
	for _, h := range holds {
		c := x.holdCell(h)
		may = b.And(may, b.Eq(see(c), b.Num(ownerBits, 0)))
		set(c, uint64(x.t.num+1))
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

func (u *unfolding) excluded(a, o *ir.Entry) bool {
	for _, x := range u.p().Exclusions {
		if x.A == a.Name && x.B == o.Name || x.B == a.Name && x.A == o.Name {
			return true
		}
	}
	return false
}

// release gives back the environment's locks at a root's end.
func (x *exec) release(p *position) {
	if x.t.entry == nil || !x.t.root {
		return
	}
	for _, h := range x.t.entry.Holds {
		p.writes = append(p.writes, &write{val: x.b.Num(ownerBits, 0), targets: []target{{c: x.holdCell(h), match: x.b.True}}})
	}
}

// registered leaves out executions in which an init entry runs before its kind is registered.
func (x *exec) registered(e *ir.Entry, st *state) {
	if e == nil || e.Kind == "init" { // what the system calls when the module is loaded
		return
	}
	o := &op{x: x, st: st, in: &ir.Yield{}}
	var there []*bv.Term
	for _, k := range x.feat.kinds {
		if strings.HasPrefix(e.Kind, k) {
			there = append(there, x.b.Eq(o.getCells([]target{{c: x.registration(k), match: x.b.True}}, 1), x.b.Num(1, 1)))
		}
	}
	if len(there) > 0 {
		x.assume(st, x.b.Or(there...), nil, e.Pos)
	}
	if !e.Init && x.feat.binds.Closed(e.Func) && !slices.Contains(x.before, ir.Bound(e.Func)) {
		x.assume(st, x.b.Eq(x.look(nil, st, x.boundCell(e.Func)), x.b.Num(1, 1)), nil, e.Pos)
	}
}

// register makes kinds of entry points able to start.
func (x *exec) register(i *ir.Register, st *state) {
	o := x.begin(st, i, ir.SeqCst)
	if i.Fn == nil && len(x.roots) > 0 {
		kinds := i.Kinds
		if len(kinds) == 0 {
			kinds = []string{""}
		}
		for _, k := range kinds {
			o.putCells([]target{{c: x.registration(k), match: x.b.True}}, x.b.Num(1, 1), x.b.True)
		}
	}
	o.end(o.bind())
}

// unregister waits for the roots of its kinds that run, and lets none start any more.
func (x *exec) unregister(i *ir.Unregister, st *state) {
	b := x.b
	o := x.begin(st, i, ir.SeqCst)
	of := func(kind string) bool {
		for _, k := range i.Kinds {
			if strings.HasPrefix(kind, k) {
				return true
			}
		}
		return len(i.Kinds) == 0
	}
	known := func(kind string) bool {
		for _, k := range x.feat.kinds {
			if strings.HasPrefix(kind, k) {
				return true
			}
		}
		return false
	}
	idle := b.True
	for _, r := range x.roots {
		if r == x.t || r.entry == nil || !of(r.entry.Kind) || !known(r.entry.Kind) {
			continue
		}
		ran := o.getCells([]target{{c: r.ran, match: b.True}}, 1)
		ended := o.getCells([]target{{c: r.ended, match: b.True}}, 1)
		idle = b.And(idle, b.Or(b.Eq(ran, b.Num(1, 0)), b.Eq(ended, b.Num(1, 1))))
	}
	o.block(idle)
	for _, k := range x.feat.kinds {
		if of(k) && len(x.roots) > 0 {
			o.putCells([]target{{c: x.registration(k), match: b.True}}, b.Num(1, 0), b.True)
		}
	}
	o.end(nil)
}
