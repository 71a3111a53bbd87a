package alias

import (
	"slices"
	"strings"

	"whoop/ir"
)

// calls handles the instructions that make functions run.
func (g *generator) calls(in ir.Instr) {
	s := g.s
	if s.callees[in] == nil {
		s.callees[in] = &calleeSet{}
	}
	switch in := in.(type) {
	case *ir.Call:
		c := callCon{in: in, ctx: g.ctx, args: g.evalAll(in.Args)}
		f := ir.FuncOf(in.Callee)
		if in.Dst != nil {
			c.typ = in.Dst.Type
			if f != nil && len(f.Blocks) > 0 && s.setOnce(g.fn, in.Dst, in) {
				c.reg = in.Dst
			} else {
				c.dst = s.def(in.Dst, g.ctx)
			}
		}
		c.direct = f != nil
		c.known = c.direct
		if f == nil || len(f.Blocks) == 0 && !f.Relays {
			for i, a := range in.Args {
				g.touch(in, i, rec{addr: a, mode: deep, write: true, order: ir.Plain})
			}
		}
		s.on(g.eval(in.Callee), c)
	case *ir.Once:
		g.touch(in, 0, rec{addr: in.Ctl, size: 1, mode: target})
		s.on(g.eval(in.Fn), callCon{in: in, ctx: g.ctx})
	case *ir.Spawn:
		g.spawn(in)
	case *ir.Register:
		args := g.evalAll(in.Args)
		for _, a := range args {
			s.edge(a, s.shareRoot)
		}
		if in.Obj != nil {
			s.edge(g.eval(in.Obj), s.leak)
		}
		if in.Fn != nil {
			s.on(g.eval(in.Fn), callCon{in: in, ctx: g.ctx, args: args, known: ir.FuncOf(in.Fn) != nil, callback: true})
		}
	}
}

func (g *generator) spawn(in *ir.Spawn) {
	s := g.s
	args := g.evalAll(in.Args)
	for _, a := range args {
		if !(s.waited[in] && s.inRun(g.ctx)) {
			s.edge(a, s.shareRoot)
		}
	}
	if in.HandleAddr != nil {
		size := int64(8)
		if p, ok := in.HandleAddr.Type().(ir.Ptr); ok && p.Elem.Size() > 0 {
			size = p.Elem.Size()
		}
		g.touch(in, 0, rec{addr: in.HandleAddr, size: size, write: true, order: ir.Plain})
	}
	s.on(g.eval(in.Fn), callCon{in: in, ctx: g.ctx, args: args, dst: s.threadRet, known: ir.FuncOf(in.Fn) != nil, spawn: true})
}

func (g *generator) evalAll(es []ir.Expr) []int32 {
	out := make([]int32, len(es))
	for i, e := range es {
		out[i] = g.eval(e)
	}
	return out
}

// callCon sits at the node of a callee: every function that arrives is called.
type callCon struct {
	in       ir.Instr
	ctx      int32
	args     []int32
	dst      int32
	reg      *ir.Reg // in place of dst: the register, which nothing else sets
	typ      ir.Type
	direct   bool // a call of a function that is named
	known    bool // what runs is named
	spawn    bool
	callback bool // registered: missing arguments come from outside
}

func (l callCon) fire(s *solver, c int32) {
	cs := s.callees[l.in]
	if c < numSpecial {
		if anything(c) {
			cs.any = !s.prog.TypeSafe
			l.outside(s, cs)
		}
		return
	}
	o := s.cells[c].obj
	if o.Kind != KindFunc {
		if o.Kind == KindExtern {
			l.outside(s, cs)
		}
		return
	}
	f := o.Func
	if s.prog.TypeSafe && l.otherType(f) {
		return
	}
	k := bindKey{l.in, l.ctx, f}
	if s.bound[k] {
		return
	}
	s.bound[k] = true
	if !containsFunc(cs.fns, f) {
		cs.fns = append(cs.fns, f)
	}
	if len(f.Blocks) == 0 {
		l.extern(s)
		return
	}
	if strings.HasPrefix(f.Title(), ir.OutsideFunc) {
		for _, a := range l.args {
			s.showOthers(a, l.ctx)
		}
	}
	ctx := s.worldOf(l.ctx)
	switch {
	case l.spawn || l.callback: // it is run by another thread
		if w := s.worlds[f]; w != 0 {
			s.reach(f, w)
			l.bind(s, f, w)
		}
		ctx = s.others[f]
	case l.direct:
		ctx = s.cloneFor(l.in, l.ctx, f)
		l.nameParams(s, f, ctx)
	}
	s.reach(f, ctx)
	l.bind(s, f, ctx)
}

// otherType reports whether a call through a function value has another number of
// arguments than a function has parameters: in type-safe programs values of a function's
// type have parameters of one kind, so that the function is not what is called there,
// though points-to sets of other types have it.
func (l callCon) otherType(f *ir.Func) bool {
	in, ok := l.in.(*ir.Call)
	return ok && !l.direct && !l.known && !l.callback && len(in.Args) != len(f.Params)
}

// bind passes the arguments and the result.
func (l callCon) bind(s *solver, f *ir.Func, ctx int32) {
	for i, p := range f.Params {
		n := s.reg(p, ctx, 0)
		switch {
		case !s.keeps(p.Type):
		case i < len(l.args) && l.args[i] != 0 && !l.known && p == s.captured(f):
			s.on(l.args[i], envCon{f: f, param: n})
		case i < len(l.args) && l.args[i] != 0:
			s.edge(l.args[i], n)
		case l.callback:
			s.edge(s.externValue(p.Type), n)
		case i < len(l.args) && s.isFlag(p.Type): // it is false
		default:
			s.put(n, s.number())
		}
	}
	for i := len(f.Params); i < len(l.args); i++ {
		s.edge(l.args[i], s.leak) // variadic: found again through va_arg, from anywhere
	}
	result := s.ret(f, ctx)
	if i, known := s.same[f]; known && i >= 0 && i < len(l.args) && !l.spawn {
		result = l.args[i]
	}
	switch {
	case l.reg == nil:
		s.edge(result, l.dst)
	case !s.name(l.reg, l.ctx, result):
		s.edge(result, s.reg(l.reg, l.ctx, 0))
	}
	if l.spawn {
		s.edge(s.ret(f, ctx), s.shareRoot)
	}
}

// argIs reports whether what a call of a type-safe program returns, of type t, may be an
// argument, or an object of a library that keeps it.
func (l callCon) argIs(i int, t ir.Type) bool {
	c, ok := l.in.(*ir.Call)
	if p, isPtr := t.(ir.Ptr); isPtr && opaqueObject(p.Elem) {
		return true
	}
	return !ok || i >= len(c.Args) || ir.Equal(c.Args[i].Type(), t)
}

// outside: something not seen is called, with the arguments of this context.
func (l callCon) outside(s *solver, cs *calleeSet) {
	k := bindKey{l.in, l.ctx, nil}
	if s.bound[k] {
		return
	}
	s.bound[k], cs.incomplete = true, true
	for _, a := range l.args {
		s.showOthers(a, l.ctx)
	}
	if !s.standsIn(l) {
		l.extern(s)
	}
}

// showOthers: what a thread of a run gives to code not seen, that may give to entry points
// while the run goes on. The run that is singled out waits for what it calls itself.
func (s *solver) showOthers(n, ctx int32) {
	if n != 0 && s.worlds != nil && s.ofOthers[s.worldOf(ctx)] {
		s.edge(n, s.shareRoot)
		s.edge(n, s.leak)
	}
}

// standsIn reports whether the program has functions that stand for all of code not seen
// that a call may be of, and calls these.
func (s *solver) standsIn(l callCon) bool {
	c, ok := l.in.(*ir.Call)
	if !ok {
		return false
	}
	for _, same := range []func(t, u ir.Type) bool{ir.Equal, like} {
		found := false
		for _, f := range s.prog.Funcs {
			if strings.HasPrefix(f.Title(), ir.OutsideFunc) && len(f.Blocks) > 0 && (c.Dst == nil || same(f.Result, c.Dst.Type)) &&
				slices.EqualFunc(f.Params, c.Args, func(p *ir.Reg, a ir.Expr) bool { return same(p.Type, a.Type()) }) {
				l.fire(s, s.cellAt(s.funcObject(f), 0))
				found = true
			}
		}
		if found {
			return true
		}
	}
	return false
}

func (l callCon) extern(s *solver) {
	for i, a := range l.args {
		s.edge(a, s.leak)
		if l.typ != nil && ir.IsPtr(l.typ) && (!s.prog.TypeSafe || l.argIs(i, l.typ)) {
			s.edge(a, l.dst)
		}
	}
	if l.typ != nil {
		s.edge(s.externValue(l.typ), l.dst)
	}
}

// like reports whether types are equal, or both of pointers.
func like(t, u ir.Type) bool { return ir.IsPtr(t) && ir.IsPtr(u) || ir.Equal(t, u) }

func containsFunc(fs []*ir.Func, f *ir.Func) bool {
	for _, g := range fs {
		if f == g {
			return true
		}
	}
	return false
}

// enterAll starts from the entries (from all functions where there are none).
func (s *solver) enterAll() {
	for _, e := range s.prog.Entries {
		if e.Func != nil {
			s.entryFns[e.Func] = true
		}
	}
	registered := s.registered()
	for _, e := range s.prog.Entries {
		if e.Func == nil {
			continue
		}
		s.reach(e.Func, s.others[e.Func])
		if !e.Spawned && !registered[e.Func] {
			s.enter(e, s.others[e.Func])
			if w := s.worlds[e.Func]; w != s.others[e.Func] {
				s.reach(e.Func, w)
				s.enter(e, w)
			}
		}
	}
	if len(s.prog.Entries) == 0 {
		for _, f := range s.prog.Funcs {
			s.reach(f, 0)
			for _, p := range f.Params {
				s.edge(s.externValue(p.Type), s.reg(p, 0, 0))
			}
		}
	}
	s.solve()
	// A callback whose registration is never reached is called with whatever its type
	// says.
	for _, e := range s.prog.Entries {
		if e.Func != nil && !e.Spawned && registered[e.Func] && !s.isBound(e.Func) {
			s.enter(e, s.others[e.Func])
			if w := s.worlds[e.Func]; w != s.others[e.Func] {
				s.reach(e.Func, w)
				s.enter(e, w)
			}
		}
	}
	s.solve()
}

// registered returns the functions that a Register instruction names: their arguments are
// known from there.
func (s *solver) registered() map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	for _, f := range s.prog.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if r, ok := in.(*ir.Register); ok && r.Fn != nil {
					if f := ir.FuncOf(r.Fn); f != nil {
						out[f] = true
					}
				}
			}
		}
	}
	for _, e := range s.prog.Entries {
		// a callback of an operation table, or in a work item, as well
		if len(e.Private)+len(e.Given) > 0 {
			delete(out, e.Func)
		}
	}
	for _, g := range s.prog.Globals { // and what initialisers name
		for _, c := range g.Init {
			if f := ir.FuncOf(c.Value); f != nil {
				delete(out, f)
			}
		}
	}
	return out
}

func (s *solver) isBound(f *ir.Func) bool {
	for k := range s.bound {
		if _, ok := k.in.(*ir.Register); ok && k.fn == f {
			return true
		}
	}
	return false
}

// enter gives the parameters of an entry, in a context, what code not seen may pass.
func (s *solver) enter(e *ir.Entry, ctx int32) {
	private := map[int]bool{}
	for _, i := range e.Private {
		private[i] = true
	}
	for i, p := range e.Func.Params {
		t, ok := p.Type.(ir.Ptr)
		if !ok || !private[i] || s.kept[t.Elem.String()] {
			n := s.externValue(p.Type)
			s.edge(n, s.reg(p, ctx, 0))
			if _, isStruct := t.Elem.(*ir.Struct); ok && isStruct && !s.prog.TypeSafe {
				// who passes an object knows it, however it got there: by a call that is
				// modelled, say
				s.edge(n, s.leak)
			}
			continue
		}
		o := s.newExtern(e.Name+"."+p.Name, t.Elem)
		o.private = true
		s.lends = append(s.lends, o)
		s.leakCell(s.cellAt(o, 0))
		s.put(s.reg(p, ctx, 0), s.cellAt(o, 0))
	}
}

// borrowed are the types of what calls have for themselves, by ir.Entry.Private, and the
// program stores where other calls find it: what one of them gets another one may have,
// then.
func (s *solver) borrowed() []string {
	in := map[*object]bool{}
	for _, o := range s.objs {
		if o.Kind != KindGlobal && o.Kind != KindHeap {
			continue
		}
		s.eachContentSet(o, func(t *set) {
			t.each(func(c int32) {
				if c >= numSpecial {
					in[s.cells[c].obj] = true
				}
			})
		})
	}
	var out []string
	for _, o := range s.lends {
		if t := o.Type.String(); in[o] && !s.kept[t] && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
