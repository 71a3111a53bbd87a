package golang

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// What users have two of. Rule: methods that may get at what two values of a type share
// run on a second value as well, beside the receiver that all methods of the type are
// compared on. Argument: the lock in one value does not protect what both share: a
// variable of the package, what a constructor takes from another value, the argument of
// a.Merge(b), what With gave to the value that it derived. On one value alone, all of it
// would be locked.
//
// The methods on the second value are copies of the same code, with another receiver in
// its place: twins.

// twins makes the copies for one second value of each type.
type twins struct {
	l *lowering
	// instead are the variables that stand for others in the copies.
	instead map[*ir.Global]*ir.Global
	// made are allocations that are the second value in the copies.
	made map[ir.Instr]*ir.Global
	// name says in reports what the second values are.
	name string
	// touched are functions that use any of these, or lead to one that does.
	touched map[*ir.Func]bool
	copies  map[*ir.Func]*ir.Func
}

// twinPlan is what is to be done for second values, found while entry points are
// declared.
type twinPlan struct {
	// again and derive are functions that make second values: by constructors, and by
	// methods of the first.
	again, derive *ir.Func
	// derived are the allocations of the second value in functions that derive one.
	derived map[*ssa.Alloc]*types.Named
	// given are types of which entry points are given values besides the receiver.
	given map[*types.Named]bool
	// shared are types of which two values may share memory by what an entry point does.
	shared  map[*types.Named]bool
	entries []twinEntry
}

// twinEntry is an entry point, with what it is compared on.
type twinEntry struct {
	r root
	e *ir.Entry
}

// planTwins lists the functions that derive values of types whose methods are entry
// points from one that is there.
func (l *lowering) planTwins(roots []root) {
	l.twins.derived, l.twins.given, l.twins.shared = map[*ssa.Alloc]*types.Named{}, map[*types.Named]bool{}, map[*types.Named]bool{}
	for _, r := range roots {
		if n := l.on(r); n != nil {
			l.noteArguments(r.fn.Params[1:])
			l.noteShared(r)
			if r.fn.Pkg != nil && l.usesState(r.fn) && l.storesPointers(r.fn, map[*ssa.Function]bool{}) {
				l.twins.shared[n] = true
			}
		} else if r.kind == "function" {
			l.noteLinked(r)
		}
		if r.kind != "method" && r.kind != "function" || len(r.fn.Params) == 0 {
			continue
		}
		for _, n := range receiverTypes(roots) {
			if l.fixedReceiver(n) == nil || !l.takes(r.fn, n) || !returnsOne(r.fn, n) {
				continue
			}
			w := &walk{n: n, in: map[*ssa.Function]bool{}}
			w.visit(r.fn)
			if !w.bad && len(w.found) == 1 {
				l.twins.derived[w.found[0]] = n
			}
		}
	}
}

// noteArguments notes the types of receivers that parameters lead to.
func (l *lowering) noteArguments(ps []*ssa.Parameter) {
	for _, p := range ps {
		givesPointer(p.Type(), func(t types.Type) bool {
			if n, ok := types.Unalias(deref(t)).(*types.Named); ok && l.receiver[l.lay.of(n).mem] != nil {
				l.twins.given[n.Origin()] = true
			}
			return false
		}, 0)
	}
}

// givenOther reports whether a pointer may be to another value of its type than the
// receiver, which an entry point was given. What members of that one lead to is its own.
func (l *lowering) givenOther(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	return ok && l.twins.given[n.Origin()]
}

// mayShare reports whether members of two values that a pointer may lead to may come to lead
// to one object.
func (l *lowering) mayShare(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	return ok && l.twins.shared[n.Origin()]
}

// hasDerived reports whether an address is in a value of which others are derived. A
// member of these that leads there (the root of a tree) does so in the copies, too.
func (l *lowering) hasDerived(addr ir.Expr) bool {
	found := false
	if addr == nil || len(l.twins.derived) == 0 {
		return false
	}
	ir.WalkExpr(addr, func(e ir.Expr) bool {
		if g, ok := e.(ir.GlobalAddr); ok {
			for _, n := range l.twins.derived {
				found = found || g.Global == l.receiver[l.lay.of(n).mem]
			}
		}
		return !found
	})
	return found
}

// returnsOne reports whether users may get a value of a type from a function.
func returnsOne(f *ssa.Function, n *types.Named) bool {
	return slices.ContainsFunc(componentTypes(f.Signature.Results()), func(t types.Type) bool {
		it, ok := t.Underlying().(*types.Interface)
		return makesType(t, n) || ok && it.NumMethods() > 0 && types.Implements(types.NewPointer(n), it)
	})
}

// secondOf is the receiver that a parameter is. A function that gets two pointers of one
// type, and accesses both itself, or may make them lead to one object, gets two values; a
// third is any that users have (nil).
func (l *lowering) secondOf(p *ssa.Parameter, g *ir.Global, have map[*ir.Global]bool) *ir.Global {
	n, ok := types.Unalias(deref(p.Type())).(*types.Named)
	passed := slices.ContainsFunc(uses(p), func(in ssa.Instruction) bool {
		_, call := in.(ssa.CallInstruction)
		return call
	})
	if !have[g] || !ok || passed && !l.links(p.Parent()) || l.fixedReceiver(n.Origin()) == nil {
		have[g] = true
		return g
	}
	if l.second[g] == nil {
		if l.second == nil {
			l.second = map[*ir.Global]*ir.Global{}
		}
		l.second[g] = l.newGlobal("another "+g.Name, g.Type, g.Pos)
		l.second[g].Extern = g.Extern
	}
	s := l.second[g]
	if have[s] {
		return nil
	}
	have[s] = true
	return s
}

// takes reports whether a function gets pointers to values of a type.
func (l *lowering) takes(f *ssa.Function, n *types.Named) bool {
	return slices.ContainsFunc(f.Params, func(p *ssa.Parameter) bool { return isPointer(p.Type()) && ofType(p.Type(), n) })
}

// fixedReceiver is the receiver of a type, of which users can make further values; nil
// where there is none.
func (l *lowering) fixedReceiver(n *types.Named) *ir.Global {
	exported := func(f *ssa.Function) bool { return f.Object() != nil && f.Object().Exported() }
	if cs := l.ctors[n]; len(cs) > 0 && !slices.ContainsFunc(cs, exported) || len(cs) == 0 && !n.Obj().Exported() {
		return nil
	}
	return l.receiver[l.lay.of(n).mem]
}

// on is the type that an entry point is compared on, nil where that is no fixed value.
func (l *lowering) on(r root) *types.Named {
	if len(r.fn.Params) == 0 {
		return nil
	}
	n, ok := types.Unalias(deref(r.fn.Params[0].Type())).(*types.Named)
	if _, fixed := l.fixedParams[r.fn.Params[0]].(ir.GlobalAddr); !ok || !fixed || l.fixedReceiver(n.Origin()) == nil {
		return nil
	}
	return n.Origin()
}

// crosses reports whether what an entry point does on one value may conflict with what
// others do on a second one that was made by itself.
func (l *lowering) crosses(r root, n *types.Named) bool {
	state := func(f *ssa.Function) bool { return f.Pkg != nil && l.usesState(f) }
	return l.twins.shared[n] || state(r.fn) || slices.ContainsFunc(l.ctors[n], state) || slices.ContainsFunc(r.fn.Params[1:], func(p *ssa.Parameter) bool {
		return givesPointer(p.Type(), func(t types.Type) bool { return l.receiverOf(types.NewPointer(deref(t))) != nil }, 0)
	})
}

// noteShared notes the types of which two values may share memory after a call of an entry
// point that gets both: it may store a pointer. All that is done to one of them may then
// conflict with what is done to the other.
func (l *lowering) noteShared(r root) {
	n := l.on(r)
	for _, p := range r.fn.Params[1:] {
		givesPointer(p.Type(), func(u types.Type) bool {
			m, ok := types.Unalias(deref(u)).(*types.Named)
			if ok && l.receiverOf(types.NewPointer(deref(u))) != nil && l.storesPointers(r.fn, map[*ssa.Function]bool{}) {
				l.twins.shared[n], l.twins.shared[m.Origin()] = true, true
			}
			return false
		}, 0)
	}
}

// storesPointers reports whether a function, or one that it calls, may put a pointer where
// it stays.
func (l *lowering) storesPointers(f *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.Store:
				local, ok := in.Addr.(*ssa.Alloc)
				return (!ok || local.Heap) && leadsSomewhere(in.Val.Type(), 0)
			case *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.MakeClosure:
				return true
			case ssa.CallInstruction:
				return l.callStoresPointers(in.Common(), seen)
			}
			return false
		})
	})
}

func (l *lowering) callStoresPointers(cc *ssa.CallCommon, seen map[*ssa.Function]bool) bool {
	leads := slices.ContainsFunc(cc.Args, func(v ssa.Value) bool { return leadsSomewhere(v.Type(), 0) })
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" || b.Name() == "copy"
	}
	g := cc.StaticCallee()
	switch {
	case g == nil:
		return true
	case len(body(g).Blocks) > 0:
		return l.storesPointers(body(g), seen)
	case g.Signature.Recv() != nil && orders(deref(g.Signature.Recv().Type())) != "":
		return false // locks and their like
	}
	return leads
}

// leadsSomewhere reports whether a value of a type may lead to memory.
func leadsSomewhere(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return leadsSomewhere(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if depth > 10 || leadsSomewhere(f.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// makeTwins makes, in the initialisation, the functions that make second values.
func (l *lowering) makeTwins(x *fn, roots []root) {
	if len(l.twins.entries) == 0 {
		return
	}
	l.twins.again = x.madeApart("another value", func(y *fn) {
		l.construct(y, roots)
		for _, n := range receiverTypes(roots) { // users give them to entry points
			if g := l.fixedReceiver(n); g != nil && l.twins.shared[n] {
				y.handOut(value{ir.GlobalAddr{Global: g}})
			}
		}
	})
	if len(l.twins.derived) > 0 {
		l.twins.derive = x.madeApart("a derived value", func(y *fn) { y.deriveValues(roots) })
	}
}

// madeApart emits a call of a new function that has what body emits.
func (x *fn) madeApart(name string, body func(y *fn)) *ir.Func {
	f := &ir.Func{Name: x.unique("go " + name), Pos: x.pos, Result: ir.Void{}}
	y := newFn(x.lowering, nil, f)
	y.pos = x.pos
	y.start(y.block("entry"))
	y.jump(y.block("begin"))
	y.start(f.Blocks[0].Term.Succs()[0])
	body(y)
	y.handAll()
	y.giveBack(nil)
	y.prune()
	x.p.Funcs = append(x.p.Funcs, f)
	x.emit(&ir.Call{Base: x.base(), Callee: ir.FuncAddr{Func: f}})
	return f
}

// deriveValues calls one of the functions that derive values from the receivers.
func (x *fn) deriveValues(roots []root) {
	var fs []*ssa.Function
	for _, r := range roots {
		for a := range x.twins.derived {
			w := &walk{n: x.twins.derived[a], in: map[*ssa.Function]bool{}}
			w.visit(r.fn)
			if len(w.found) == 1 && w.found[0] == a && !slices.Contains(fs, r.fn) {
				fs = append(fs, r.fn)
			}
		}
	}
	if len(fs) == 0 {
		return
	}
	x.anyOf(len(fs), func(i int) {
		x.pos = x.lowering.pos(fs[i].Pos())
		var args value
		for _, p := range fs[i].Params {
			args = append(args, x.fromUser(p.Type())...)
		}
		x.calledByUser(fs[i], args)
	})
}

// finishTwins makes the copies and their entry points, once all is lowered.
func (l *lowering) finishTwins() {
	if l.twins.again == nil {
		return
	}
	again, derive := l.newTwins("another"), l.newTwins("a derived")
	for _, g := range l.receiver {
		again.instead[g] = l.second[g]
		if s := l.second[g]; s != nil { // and the other way round
			again.instead[s] = g
		}
	}
	run := mentionedBy(l.twins.again)
	for v, g := range l.lifted {
		if in, ok := v.(ssa.Instruction); ok && run[l.funcs[in.Parent()]] &&
			in.Parent().Name() != "init" && again.instead[g] == nil {
			again.instead[g] = nil
		}
	}
	for _, n := range l.twins.derived {
		derive.instead[l.receiver[l.lay.of(n).mem]] = nil
	}
	again.begin()
	derive.begin()
	l.replaceCall(l.twins.again, again.copy(l.twins.again))
	if l.twins.derive != nil {
		l.replaceCall(l.twins.derive, derive.deriving(l.twins.derive))
	}
	for _, t := range l.twins.entries {
		n := l.on(t.r)
		if l.crosses(t.r, n) {
			again.entry(t.e)
		}
		if derive.instead[l.receiver[l.lay.of(n).mem]] != nil {
			derive.entry(t.e)
		}
	}
	l.p.Funcs = slices.DeleteFunc(l.p.Funcs, func(f *ir.Func) bool {
		return f == l.twins.again && again.copies[f] != nil || f == l.twins.derive
	})
}

func (l *lowering) newTwins(name string) *twins {
	return &twins{l: l, name: name, instead: map[*ir.Global]*ir.Global{}, copies: map[*ir.Func]*ir.Func{}}
}

// begin makes the variables that stand for others, and finds the functions that use
// these.
func (t *twins) begin() {
	for _, g := range slices.Clone(t.l.p.Globals) {
		if by, ok := t.instead[g]; ok && by == nil {
			c := *g
			c.Name = t.l.newGlobal(t.name+" "+g.Name, g.Type, g.Pos).Name
			*t.l.p.Globals[len(t.l.p.Globals)-1] = c
			t.instead[g] = t.l.p.Globals[len(t.l.p.Globals)-1]
		}
	}
	t.touched = map[*ir.Func]bool{}
	for again := true; again; {
		again = false
		for _, f := range t.l.p.Funcs {
			if !t.touched[f] && t.touches(f) {
				t.touched[f], again = true, true
			}
		}
	}
}

// touches reports whether a function has something to replace, or leads to one that has.
func (t *twins) touches(f *ir.Func) bool {
	return mentionsAny(f, func(e ir.Expr) bool {
		switch e := e.(type) {
		case ir.GlobalAddr:
			return t.instead[e.Global] != nil
		case ir.FuncAddr:
			return t.touched[e.Func]
		}
		return false
	}) || len(t.made) > 0 && slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in ir.Instr) bool { return t.made[in] != nil })
	})
}

// copySuffix is in the names of copies.
const copySuffix = " (copy)"

// copy is the copy of a function, or itself where it has nothing to do with what is
// replaced.
func (t *twins) copy(f *ir.Func) *ir.Func {
	if !t.touched[f] || len(f.Blocks) == 0 {
		return f
	}
	if c := t.copies[f]; c != nil {
		return c
	}
	c := ir.CloneFunc(f)
	c.Copy, c.Name = f.Title(), t.l.unique(f.Name+copySuffix)
	t.copies[f] = c
	t.l.p.Funcs = append(t.l.p.Funcs, c)
	for i, b := range c.Blocks {
		for j, in := range b.Instrs {
			if g := t.made[f.Blocks[i].Instrs[j]]; g != nil {
				a := in.(*ir.Alloc)
				b.Instrs[j] = &ir.Assign{Base: a.Base, Dst: a.Dst, X: ir.Cast{X: ir.GlobalAddr{Global: g}, T: a.Dst.Type}}
				continue
			}
			b.Instrs[j] = ir.MapOperands(in, t.expr)
		}
		b.Term = ir.MapTerm(b.Term, t.expr, nil)
	}
	return c
}

func (t *twins) expr(e ir.Expr) ir.Expr {
	return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		switch x := x.(type) {
		case ir.GlobalAddr:
			if g := t.instead[x.Global]; g != nil {
				return ir.GlobalAddr{Global: g}
			}
		case ir.FuncAddr:
			return ir.FuncAddr{Func: t.copy(x.Func)}
		}
		return x
	})
}

// deriving is the copy of a function that derives the second values from the first ones:
// the receivers stay, and what is allocated is a second value.
func (t *twins) deriving(f *ir.Func) *ir.Func {
	d := t.l.newTwins(t.name)
	d.made = map[ir.Instr]*ir.Global{}
	for a, n := range t.l.twins.derived {
		for _, in := range t.l.allocsOf(a) {
			d.made[in] = t.instead[t.l.receiver[t.l.lay.of(n).mem]]
		}
	}
	d.begin()
	return d.copy(f)
}

// allocsOf are the instructions by which a value is allocated.
func (l *lowering) allocsOf(a *ssa.Alloc) []ir.Instr {
	f := l.funcs[a.Parent()]
	if f == nil {
		return nil
	}
	var out []ir.Instr
	mem := l.lay.of(deref(a.Type())).mem
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if x, ok := in.(*ir.Alloc); ok && x.Elem == mem && x.Pos == l.pos(a.Pos()) {
				out = append(out, x)
			}
		}
	}
	return out
}

// entry adds the copy of an entry point, and those of the goroutines that it starts.
func (t *twins) entry(e *ir.Entry) {
	c := *e
	c.Func = t.copy(e.Func)
	if c.Func == e.Func {
		return
	}
	c.Name = e.Name + " on " + t.name + " value"
	for n := 2; t.l.p.EntryByName(c.Name) != nil; n++ {
		c.Name = e.Name + " on " + t.name + " value " + itoa(n)
	}
	t.l.p.Entries = append(t.l.p.Entries, &c)
}

// spawned makes entry points of the copies of functions that are started as goroutines.
func (l *lowering) spawnedTwins() {
	byCopy := map[string]*ir.Entry{}
	for _, e := range l.p.Entries {
		if e.Spawned {
			byCopy[e.Func.Name] = e
		}
	}
	for _, f := range slices.Clone(l.p.Funcs) {
		e := byCopy[f.Copy]
		if e == nil || !strings.Contains(f.Name, copySuffix) || l.entryOf(f) != nil {
			continue
		}
		c := *e
		c.Func = f
		c.Name = e.Name + " of another value"
		for n := 2; l.p.EntryByName(c.Name) != nil; n++ {
			c.Name = e.Name + " of another value " + itoa(n)
		}
		l.p.Entries = append(l.p.Entries, &c)
	}
}

// replaceCall makes the initialisation call one function instead of another one.
func (l *lowering) replaceCall(f, by *ir.Func) {
	for _, b := range l.initFunc.Blocks {
		for i, in := range b.Instrs {
			if c, ok := in.(*ir.Call); ok && c.Callee == (ir.FuncAddr{Func: f}) {
				d := *c
				d.Callee = ir.FuncAddr{Func: by}
				b.Instrs[i] = &d
			}
		}
	}
}

// mentionedBy lists the functions that a function mentions, and those that these do.
func mentionedBy(f *ir.Func) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	var visit func(f *ir.Func)
	visit = func(f *ir.Func) {
		if out[f] {
			return
		}
		out[f] = true
		mentionsAny(f, func(e ir.Expr) bool {
			if a, ok := e.(ir.FuncAddr); ok {
				visit(a.Func)
			}
			return false
		})
	}
	visit(f)
	return out
}

// mentionsAny reports whether a function has an expression of some kind.
func mentionsAny(f *ir.Func, is func(ir.Expr) bool) bool {
	found := false
	look := func(e ir.Expr) {
		ir.WalkExpr(e, func(x ir.Expr) bool {
			found = found || is(x)
			return !found
		})
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, e := range ir.Operands(in) {
				look(e)
			}
		}
		if b.Term != nil {
			for _, e := range ir.TermOperands(b.Term) {
				look(e)
			}
		}
		if found {
			return true
		}
	}
	return false
}
