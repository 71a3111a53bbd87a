package c

import (
	"maps"
	"slices"
	"strings"

	"whoop/ir"
)

// Pointers that library functions store in memory of the program: to where the program
// gave them an address, or to memory of their own.

// ifGiven lowers what is done where a pointer is not null.
func (l *lowerer) ifGiven(a *apiCall, v ir.Expr, do func()) {
	if isNull(v) {
		return
	}
	switch b := base(v).(type) {
	case ir.GlobalAddr, ir.FuncAddr:
		do()
		return
	case ir.Use:
		if strings.HasPrefix(b.Reg.Name, "&") { // the address of a variable
			do()
			return
		}
	}
	p, yes, after := pos(a.x.Position()), l.block("given"), l.block("given.done")
	l.branch(p, l.truth(a.x, v), yes, after)
	l.start(yes)
	do()
	l.jump(p, after)
	l.start(after)
}

// storePointer stores a pointer through v.
func (a *apiCall) storePointer(v, p ir.Expr) {
	if pp, ok := v.Type().(ir.Ptr); ok && ir.IsPtr(pp.Elem) {
		p = ir.Cast{X: p, T: pp.Elem}
	} else {
		v, p = ir.Cast{X: v, T: ir.Ptr{Elem: ir.VPtr}}, ir.Cast{X: p, T: ir.VPtr}
	}
	a.emit(&ir.Store{Base: at(a.x), Addr: v, Val: p, Order: ir.Plain})
}

// storeNew stores the address of new memory of the library through v.
func (a *apiCall) storeNew(v ir.Expr) {
	a.ifGiven(a, v, func() {
		r, n := a.temp(ir.Ptr{Elem: ir.U8}), a.havoc(a.x, ir.U64)
		a.emit(&ir.Alloc{Base: at(a.x), Dst: r, Elem: ir.U8, Count: n, Kind: "heap", MayFail: true, Name: a.name})
		a.storePointer(v, ir.Use{Reg: r})
	})
}

// storeUnknown stores a pointer that may lead anywhere through v.
func (a *apiCall) storeUnknown(v ir.Expr) {
	a.ifGiven(a, v, func() {
		r := a.temp(ir.VPtr)
		a.emit(&ir.Havoc{Base: at(a.x), Dst: r})
		a.storePointer(v, ir.Use{Reg: r})
	})
}

// points stores, through the arguments that the model's Points names, pointers into what
// others point to.
func (a *apiCall) points() {
	for _, i := range slices.Sorted(maps.Keys(a.m.Points)) {
		k := a.m.Points[i]
		if i >= len(a.vs) || k >= len(a.vs) || !ir.IsPtr(a.vs[i].Type()) {
			continue
		}
		pt, ok := a.vs[k].Type().(ir.Ptr)
		if !ok {
			continue
		}
		a.ifGiven(a, a.vs[i], func() {
			in := ir.IndexAddr{Base: a.vs[k], Idx: a.further(), Stride: 1, T: pt}
			a.storePointer(a.vs[i], a.hold(a.x, in))
		})
	}
}

// leads sets the pointers of the library that the model's Leads names.
func (a *apiCall) leads() {
	for _, name := range slices.Sorted(maps.Keys(a.m.Leads)) {
		i, g := a.m.Leads[name], a.program.globals[name]
		if g == nil || i >= len(a.vs) {
			continue
		}
		pt, ok := g.Type.(ir.Ptr)
		array, isPtr := a.vs[i].Type().(ir.Ptr)
		if !ok || !isPtr || !ir.IsPtr(array.Elem) {
			continue
		}
		k := ir.Binary{Op: "and", X: a.havoc(a.x, ir.I64), Y: ir.IntConst(ir.I64, 1<<16-1)}
		r := a.temp(array.Elem)
		a.maybe(func() {
			a.emit(&ir.Load{Base: at(a.x), Dst: r, Addr: ir.IndexAddr{Base: a.vs[i], Idx: k, Stride: array.Elem.Size(), T: array}, Order: ir.Plain})
			a.emit(&ir.Store{Base: at(a.x), Addr: ir.GlobalAddr{Global: g}, Val: a.conv(a.x, a.into(ir.Use{Reg: r}, array.Elem.(ir.Ptr)), pt), Order: ir.Plain})
		})
	}
}

// renews may replace the memory that the pointer at an argument leads to by new memory
// (getline).
func (a *apiCall) renews() {
	for _, i := range a.m.Renews {
		if i < len(a.vs) && ir.IsPtr(a.vs[i].Type()) {
			a.maybe(func() { a.storeNew(a.vs[i]) })
		}
	}
}

// through reads and writes the text that the pointer at argument i points to, and moves
// that pointer within it. Where argument 0 is another one and not null, it is the text
// instead (strtok_r).
func (a *apiCall) through(i int) {
	if i >= len(a.vs) {
		return
	}
	pp, ok := a.vs[i].Type().(ir.Ptr)
	if !ok || !ir.IsPtr(pp.Elem) {
		return
	}
	r := a.temp(pp.Elem)
	load := func() { a.emit(&ir.Load{Base: at(a.x), Dst: r, Addr: a.vs[i], Order: ir.Plain}) }
	if v := a.vs[0]; !slices.Contains(a.m.Through, 0) && ir.IsPtr(v.Type()) && !isNull(v) {
		p, given, kept, after := pos(a.x.Position()), a.block("text"), a.block("kept"), a.block("through")
		a.branch(p, a.truth(a.x, v), given, kept)
		a.start(given)
		a.emit(&ir.Assign{Base: at(a.x), Dst: r, X: ir.Cast{X: v, T: pp.Elem}})
		a.jump(p, after)
		a.start(kept)
		load()
		a.jump(p, after)
		a.start(after)
	} else {
		load()
	}
	a.text = ir.Use{Reg: r}
	a.ifGiven(a, a.text, func() {
		a.touchText(a.text, nil, false)
		a.touchPerhaps(a.text, nil, true)
		if !slices.Contains(a.m.Renews, i) {
			a.storePointer(a.vs[i], a.into(a.text, pp.Elem.(ir.Ptr)))
		}
	})
}

// own is a pointer to memory of the library that each thread has for itself (errno): what
// is in it is its thread's, and the library may have written it before.
func (a *apiCall) own(t ir.Type) (ir.Expr, bool) {
	pt, ok := t.(ir.Ptr)
	if !ok || a.u.core {
		return nil, false
	}
	name := "$own." + a.m.Names[0]
	g := a.program.globals[name]
	if g == nil {
		g = &ir.Global{Name: name, Type: pt.Elem, ThreadLocal: true}
		a.program.globals[name] = g
		a.p.Globals = append(a.p.Globals, g)
	}
	v := ir.GlobalAddr{Global: g}
	a.maybe(func() {
		a.emit(&ir.Store{Base: at(a.x), Addr: v, Val: a.havoc(a.x, pt.Elem), Order: ir.Plain})
	})
	return v, true
}

// leadTo stores, perhaps, the addresses of new objects in members of the one that an
// allocation made, where it worked.
func (a *apiCall) leadTo() {
	h, ok := a.role("handle")
	if len(a.m.LeadTo) == 0 || !ok || a.cur == nil {
		return
	}
	elem, isPtr := pointee(h).(ir.Ptr)
	if !isPtr {
		return
	}
	a.ifGiven(a, h, func() {
		r := a.temp(elem)
		a.emit(&ir.Load{Base: at(a.x), Dst: r, Addr: h, Order: ir.Plain})
		a.ifGiven(a, ir.Use{Reg: r}, func() {
			for _, name := range a.m.LeadTo {
				cell := a.memberPath(ir.Use{Reg: r}, name)
				pt, ok := pointee(cell).(ir.Ptr)
				if !ok {
					continue
				}
				a.maybe(func() {
					n := a.temp(pt)
					a.emit(&ir.Alloc{Base: at(a.x), Dst: n, Elem: pt.Elem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: a.name})
					a.emit(&ir.Store{Base: at(a.x), Addr: cell, Val: ir.Use{Reg: n}, Order: ir.Plain})
				})
			}
		})
	})
}
