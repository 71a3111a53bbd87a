package c

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// touches lowers what a model says the call reads and writes besides its operation.
func (a *apiCall) touches() {
	for _, i := range a.m.Through {
		a.through(i)
	}
	n := a.touchSize()
	for _, i := range a.m.Reads {
		a.touchArg(i, n, false)
	}
	for _, i := range a.m.ReadsAll {
		a.touchArg(i, nil, false)
	}
	for _, i := range a.m.Writes {
		a.touchArg(i, n, true)
	}
	for _, i := range a.m.WritesAll {
		a.touchArg(i, nil, true)
	}
	for _, i := range a.m.MayWrite {
		if i < len(a.vs) && ir.IsPtr(a.vs[i].Type()) {
			a.maybe(func() { a.touchArg(i, n, true) })
		}
	}
	for _, i := range slices.Sorted(maps.Keys(a.m.Buffers)) {
		a.buffers(i, a.m.Buffers[i])
	}
	if len(a.m.Inputs) > 0 {
		a.inputs(a.scannedInto())
	}
	a.points()
	a.renews()
	a.state()
	if a.m.Strings > 0 {
		a.printed()
	}
	if a.m.VaList > 0 {
		a.vaList()
	}
	a.leads()
	for _, name := range a.m.Globals {
		if g := a.program.globals[name]; g != nil {
			a.emit(&ir.Touch{Base: at(a.x), Addr: ir.GlobalAddr{Global: g}, Write: true, Why: a.name})
		}
	}
}

// fewBuffers is how many structs are gone through one by one; of more, any one is
// accessed.
const fewBuffers = 4

// state accesses what the library keeps between calls for itself. Some calls do, so that
// a violation that rests on it is none for sure.
func (a *apiCall) state() {
	touch := func(name string, write bool) {
		g := a.libraryState(name, ir.U64)
		a.touchPerhaps(ir.GlobalAddr{Global: g}, ir.IntConst(ir.U64, 8), write)
	}
	for _, name := range a.m.StateReads {
		touch(name, false)
	}
	for _, name := range a.m.State {
		touch(name, true)
	}
}

// libraryState is the variable that stands for what the library keeps between calls under
// a name.
func (pr *program) libraryState(name string, t ir.Type) *ir.Global {
	name = "$state." + name
	g := pr.globals[name]
	if g == nil {
		g = &ir.Global{Name: name, Type: t}
		pr.globals[name] = g
		pr.p.Globals = append(pr.p.Globals, g)
	}
	return g
}

// buffers reads and writes what the member of the structs that argument i points to leads
// to.
func (a *apiCall) buffers(i int, member string) {
	if i >= len(a.vs) || !ir.IsPtr(a.vs[i].Type()) {
		return
	}
	n, ok := a.role("count")
	if !ok {
		n = ir.IntConst(ir.I64, 1)
	}
	if c, isConst := ir.IntOf(n); isConst && c <= fewBuffers {
		for k := range c {
			a.buffer(i, ir.IntConst(ir.I64, k), member)
		}
		return
	}
	k := a.havoc(a.x, ir.I64)
	a.maybe(func() {
		n := a.conv(a.x, n, ir.I64)
		a.emit(&ir.Assume{Base: at(a.x), Cond: ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: ir.IntConst(ir.I64, 0), Y: k}, Y: ir.Binary{Op: "lt", X: k, Y: n}}})
		a.buffer(i, k, member)
	})
}

// buffer reads and writes what the member of the k-th struct leads to.
func (a *apiCall) buffer(i int, k ir.Expr, member string) {
	p, _ := a.vs[i].Type().(ir.Ptr)
	s, ok := p.Elem.(*ir.Struct)
	if !ok || len(search(s, member)) == 0 {
		return
	}
	cell := a.memberPath(ir.IndexAddr{Base: a.vs[i], Idx: k, Stride: max(s.Size(), 1), T: p}, member)
	pp, ok := cell.Type().(ir.Ptr)
	if !ok || !ir.IsPtr(pp.Elem) {
		return
	}
	r := a.temp(pp.Elem)
	a.emit(&ir.Load{Base: at(a.x), Dst: r, Addr: cell, Order: ir.Plain})
	a.emit(&ir.Touch{Base: at(a.x), Addr: ir.Use{Reg: r}, Read: true, Write: true, Why: a.name})
}

// touchSize is what bounds the accesses of Reads and Writes, nil where nothing does.
func (a *apiCall) touchSize() ir.Expr {
	_, isArg := a.m.Arg["size"]
	_, isConst := a.m.Const["size"]
	// a string may end before
	if !isArg && !isConst || a.m.Op != "effects" || a.m.Ret == "compare-text" {
		return nil
	}
	n := a.size()
	if c, ok := a.role("count"); ok && len(a.m.Buffers) == 0 {
		n = a.binary(a.x, "mul", n, a.conv(a.x, c, ir.U64))
	}
	return n
}

// touchArg reads or writes what argument i points to: n bytes of it, all where n is nil.
func (a *apiCall) touchArg(i int, n ir.Expr, write bool) {
	if i < 0 || i >= len(a.vs) || !ir.IsPtr(a.vs[i].Type()) {
		return
	}
	switch b := base(a.vs[i]).(type) {
	case ir.GlobalAddr:
		if b.Global.Const {
			return
		}
	case ir.Null:
		return
	}
	if p := a.vs[i].Type().(ir.Ptr); write && a.core() && n == nil && pointsToStruct(p.Elem) {
		// A pointer that the kernel hands out is stored there:
		// usb_find_bulk_in_endpoint(alt, &endpoint).
		a.maybe(func() {
			a.emit(&ir.Store{Base: at(a.x), Addr: a.vs[i], Val: a.returned(a.x, p.Elem), Order: ir.Plain})
		})
		return
	}
	if !a.u.core {
		a.touchPart(i, n, write)
		return
	}
	if slices.Contains(a.m.One, i) {
		n = a.things(i)
	}
	if n == nil {
		n = memberSize(a.vs[i])
	}
	a.emit(&ir.Touch{Base: at(a.x), Addr: a.vs[i], Size: n, Read: !write, Write: write,
		Pointee: n == nil && a.takesStruct(i), Why: a.name})
}

// things is the size of what argument i leads to by the prototype: one thing, or as many
// as role count says; nil where the prototype does not tell.
func (a *apiCall) things(i int) ir.Expr {
	_, size := a.pointsTo(i)
	if size == 0 {
		return nil
	}
	n := ir.Expr(ir.IntConst(ir.U64, size))
	if _, counted := a.m.Arg["count"]; counted {
		c, _ := a.role("count")
		n = a.binary(a.x, "mul", n, a.conv(a.x, c, ir.U64))
	}
	return n
}

// takesStruct reports whether the declaration of the function says that argument i leads
// to a struct, and what is given does, too.
func (a *apiCall) takesStruct(i int) bool {
	ps := parameters(a.x)
	if i >= len(ps) {
		return false
	}
	p, ok := ps[i].Type().Decay().(*cc.PointerType)
	if !ok {
		return false
	}
	return ir.Equal(a.vs[i].Type(), a.types.Type(p)) && p.Elem().Kind() == cc.Struct &&
		!p.Elem().IsIncomplete()
}

// pointsToStruct reports whether values of t are pointers to structs.
func pointsToStruct(t ir.Type) bool {
	p, ok := t.(ir.Ptr)
	if !ok {
		return false
	}
	_, ok = p.Elem.(*ir.Struct)
	return ok
}

// maybe lowers what some calls do.
func (a *apiCall) maybe(do func()) {
	c, yes, after := a.temp(ir.Bool{}), a.block("does"), a.block("done")
	a.emit(&ir.Havoc{Base: at(a.x), Dst: c})
	a.branch(pos(a.x.Position()), ir.Use{Reg: c}, yes, after)
	a.start(yes)
	do()
	a.jump(pos(a.x.Position()), after)
	a.start(after)
}

// passesPointers notes the pointers that a call of a function with variadic arguments
// passes as such; text that nothing writes does not count.
func (pr *program) passesPointers(vs []ir.Expr) {
	for _, v := range vs {
		if g, ok := base(v).(ir.GlobalAddr); ok && g.Global.Const {
			continue
		}
		pr.variadic = pr.variadic || ir.IsPtr(v.Type())
	}
}

// forward completes what vaList made, when all calls and strings of the program are
// known.
func (pr *program) forward() {
	if pr.variadic && len(pr.forwarded) > 0 && pr.mostArguments > maxForwarded {
		pr.p.Assume("unmodelled", pr.forwarded[0].At(), "of variadic arguments that a library function gets in a list, what the first %d point to is accessed", maxForwarded)
	}
	if pr.variadic || len(pr.forwarded) == 0 {
		for _, in := range pr.forwarded {
			if t, ok := in.(*ir.Touch); ok && t.Read && pr.counts() {
				t.Write = true
			}
		}
		return
	}
	for _, f := range pr.p.Funcs {
		for _, b := range f.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool { return slices.Contains(pr.forwarded, in) })
		}
	}
}

// counts reports whether some text of the program looks like a format with %n.
func (pr *program) counts() bool {
	return slices.ContainsFunc(pr.p.Globals, func(g *ir.Global) bool {
		var text []byte
		for _, c := range g.Init {
			if k, ok := c.Value.(ir.Const); ok && c.Type.Size() == 1 && k.Val.IsInt64() {
				text = append(text, byte(k.Val.Int64()))
			}
		}
		return storesCount.Match(text)
	})
}

// shared is a pointer into the memory that all calls of a library function share, or null
// where the function may fail.
func (a *apiCall) shared(t ir.Type, fails bool) (ir.Expr, bool) {
	pt, ok := t.(ir.Ptr)
	if !ok {
		return nil, false
	}
	name := fmt.Sprintf("$static.%s", a.m.Names[0])
	g := a.program.globals[name]
	if g == nil {
		g = &ir.Global{Name: name, Type: ir.Array{Elem: ir.I8, Len: 4096}, Extern: true}
		a.program.globals[name] = g
		a.p.Globals = append(a.p.Globals, g)
	}
	p := ir.Cast{X: ir.GlobalAddr{Global: g}, T: pt}
	if !fails {
		return a.hold(a.x, ir.IndexAddr{Base: p, Idx: a.further(), Stride: 1, T: pt}), true
	}
	return a.into(p, pt), true
}

// into is a pointer somewhere into the object of p, behind p, or null.
func (a *apiCall) into(p ir.Expr, pt ir.Ptr) ir.Expr {
	null := a.temp(ir.Bool{})
	a.emit(&ir.Havoc{Base: at(a.x), Dst: null})
	in := ir.IndexAddr{Base: p, Idx: a.further(), Stride: 1, T: pt}
	return a.hold(a.x, ir.Select{C: ir.Use{Reg: null}, X: ir.Null{T: pt}, Y: in})
}

// further is an offset of something behind a pointer, in the same object.
func (a *apiCall) further() ir.Expr {
	return ir.Binary{Op: "and", X: a.havoc(a.x, ir.I64), Y: ir.IntConst(ir.I64, 1<<31-1)}
}

// inText is a pointer into the text of a call with Through: that of argument 0 where it
// is another one and not null.
func (a *apiCall) inText(t ir.Type) (ir.Expr, bool) {
	pt, ok := t.(ir.Ptr)
	if !ok || a.text == nil {
		return nil, false
	}
	return a.into(ir.Cast{X: a.text, T: pt}, pt), true
}
