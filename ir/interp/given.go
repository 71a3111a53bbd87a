package interp

import (
	"slices"

	"whoop/ir"
)

// What callers of a driver's entries pass to them, where that is known: what a handler
// was registered with (ir.Binding), and objects that went through another entry before
// (ir.Same).

// bound is a handler that was registered, with the words of the parameters that are known
// from it.
type bound struct {
	fn *fn
	// slot tells the roots of a harness apart that run fn and never overlap with one
	// object: each may be called with a registration of its own.
	slot int
	// stopped: the handler has been stopped for the object that it was registered with,
	// or has not been started yet.
	stopped bool
	params  []int
	args    []uint64
}

// bind notes that f may be called with some arguments from now on; where it was
// registered with others before, those may stay.
func (s *State) bind(f *fn, args []arg, kind InputKind) {
	for slot := range s.slots(f) {
		s.bindSlot(f, slot, args, kind)
	}
}

// slots is how many roots of the harness choose their registrations of f each for itself.
func (s *State) slots(f *fn) int {
	n := 0
	for i := range s.harness.Roots {
		if r := &s.harness.Roots[i]; r.Func == f.f && len(r.Serial) > 0 {
			n++
		}
	}
	return max(n, 1)
}

// slotOf is the one of those that a thread is.
func (s *State) slotOf(th *thread) int {
	n := 0
	for _, o := range s.threads[:th.id] {
		if o.root != nil && !o.init && o.callback == nil && o.root.Func == th.root.Func {
			n++
		}
	}
	if th.init || n >= s.slots(s.p.fnOf[th.root.Func]) {
		return 0
	}
	return n
}

// bindSlot is bind for one of them.
func (s *State) bindSlot(f *fn, slot int, args []arg, kind InputKind) {
	b := bound{fn: f, slot: slot, stopped: s.p.binds.Started(f.f) && !s.startedBefore(f)}
	for k, a := range args {
		if a.n == 1 && k < len(f.params) && f.params[k].n == 1 {
			var w [1]uint64
			a.words(s, w[:])
			normWords(f.params[k].typ, w[:])
			b.params, b.args = append(b.params, k), append(b.args, w[0])
		}
	}
	for i, o := range s.bound {
		if o.fn != f || o.slot != slot {
			continue
		}
		same := slices.Equal(o.params, b.params) && slices.Equal(o.args, b.args)
		if same || s.ask(Query{Kind: kind, N: 2, Slot: slot}) == 0 {
			s.bound = slices.Clone(s.bound)
			s.bound[i] = b
		}
		return
	}
	s.bound = append(s.bound[:len(s.bound):len(s.bound)], b)
}

// startedBefore reports whether an object with which f is registered now may have been
// started when the roots start, by an entry that is not run: where an initialiser or an
// init entry registers it.
func (s *State) startedBefore(f *fn) bool {
	early := s.th == nil
	if !early && s.th.init {
		e := s.p.IR.EntryByName(s.th.root.Name)
		early = e == nil || e.Init
	}
	return early && slices.Contains(s.harness.Registered, ir.Starting(f.f))
}

// binding compiles an instruction that may register a handler: do is what it does
// besides.
func (c *fc) binding(in ir.Instr, do func(*State)) func(*State) {
	b := c.m.binds.At(in)
	if b == nil {
		return do
	}
	if b.Fn == nil {
		return c.object(b, do)
	}
	fn, args := c.low(b.Fn), c.args(b.Args)
	return func(s *State) {
		do(s)
		if p := fn(s); s.status == Running && s.harness != nil && s.harness.Registrations && p>>32 >= firstFunc {
			if f := s.function(p); f != nil && b.Binds(f.f) {
				s.bind(f, args, InKept)
			}
		}
	}
}

// object is binding where an object is registered.
func (c *fc) object(b *ir.Binding, do func(*State)) func(*State) {
	obj := c.optional(b.Obj)
	args := make([][]arg, len(b.To))
	for i, t := range b.To {
		args[i] = c.args(t.Args)
	}
	return func(s *State) {
		do(s)
		for i, t := range b.To {
			if s.status == Running && s.harness != nil && s.harness.Registrations {
				s.bind(s.p.fnOf[t.Func], args[i], InKept)
			}
		}
		for _, g := range b.Shows {
			if s.status == Running && s.harness != nil && s.harness.Registrations {
				s.show(g, obj(s))
			}
		}
	}
}

// bindStatic notes what initialisers bind the entries' functions to.
func (s *State) bindStatic() {
	done := map[*ir.Func]bool{}
	for _, e := range s.p.IR.Entries {
		if e.Func == nil || done[e.Func] {
			continue
		}
		done[e.Func] = true
		for _, es := range s.p.binds.Static(e.Func) {
			s.bind(s.p.fnOf[e.Func], (&fc{m: s.p}).args(es), InStatic)
		}
	}
}

// boundArgs are the arguments with which a thread starts: those it was registered with,
// where it is a handler that was.
func (s *State) boundArgs(th *thread, p *pending) []uint64 {
	if th.root == nil || th.callback != nil || s.harness == nil || !s.harness.Registrations {
		return p.args
	}
	if e := s.p.IR.EntryByName(th.root.Name); th.init && (e == nil || e.Init) {
		return p.args
	}
	slot := s.slotOf(th)
	i := slices.IndexFunc(s.bound, func(b bound) bool { return b.fn == p.fn && b.slot == slot })
	if i < 0 {
		return p.args
	}
	args := slices.Clone(p.args)
	for k, q := range s.bound[i].params {
		args[p.fn.params[q].slot] = s.bound[i].args[k]
	}
	if th.init {
		th.args = args
	}
	return args
}

// unbound reports whether a handler cannot be called, since nothing has registered it.
func (s *State) unbound(th *thread) bool {
	if e := s.p.IR.EntryByName(th.root.Name); th.init && (e == nil || e.Init) {
		return false
	}
	f := th.start.fn
	return s.p.binds.Closed(f.f) && !slices.Contains(s.harness.Registered, ir.Bound(f.f)) &&
		!slices.ContainsFunc(s.bound, func(b bound) bool { return b.fn == f })
}

// passed says what the init entries and the roots of a harness get that init entries
// before them got.
func (s *State) passed(h *Harness) (before, at [][]ir.From) {
	if h.Main {
		return make([][]ir.From, len(h.Init)), make([][]ir.From, len(h.Roots))
	}
	return ir.Passed(s.entries(h.Init), s.entries(h.Roots))
}

// optional tells which init entries of a harness may be left out.
func (s *State) optional(h *Harness) []bool {
	if h.Main {
		return make([]bool, len(h.Init))
	}
	return ir.Optional(s.entries(h.Init), s.entries(h.Roots))
}

// skip asks whether a thread that runs an init entry is left out, and ends it then.
func (s *State) skip(t ThreadID) bool {
	th := s.ownThread(t)
	s.th, s.cur = th, nil
	if s.ask(Query{Kind: InSkip, N: 2}) == 0 {
		return false
	}
	th.start, th.done, th.skipped = nil, true, true
	return true
}

// Before tells of init entry i of the harness whether it has run, with the first word of
// each of its arguments, or was left out.
func (s *State) Before(i int) (args []uint64, ran bool) {
	th := s.threads[i]
	for _, q := range s.p.fnOf[th.root.Func].params {
		args = append(args, th.args[q.slot])
	}
	return args, !th.skipped
}

// entries are the entries that roots run, nil for those that run none.
func (s *State) entries(rs []Root) []*ir.Entry {
	out := make([]*ir.Entry, len(rs))
	for i, r := range rs {
		if e := s.p.IR.EntryByName(r.Name); e != nil && e.Func == r.Func {
			out[i] = e
		}
	}
	return out
}

// handed is the word of parameter i, where it is known from an init entry.
func (s *State) handed(from []ir.From, i int) (uint64, bool) {
	for _, x := range from {
		if x.Param != i {
			continue
		}
		th := s.threads[x.Init]
		if a := th.args[s.p.fnOf[th.root.Func].params[x.OfParam].slot]; a != 0 {
			return a + uint64(x.Off), true
		}
		return 0, true
	}
	return 0, false
}

// refused reports whether a thread that ran entry i of the init entries, which is there
// to set up what the roots get, has failed.
func (s *State) refused(h *Harness, i int, t ThreadID) bool {
	e := s.entries(h.Init[i : i+1])[0]
	if e == nil || e.Init || s.status != Done && s.status != Running {
		return false
	}
	opens := slices.ContainsFunc(ir.Openers(s.entries(h.Roots)), func(o ir.Opener) bool { return o.Name == e.Name })
	r := s.threads[t].result
	return opens && ir.IsInt(e.Func.Result) && len(r) == 1 && r[0] != 0
}

// notSetUp reports whether an entry that is run before the roots gets something from one
// that was left out or has failed.
func (s *State) notSetUp(from []ir.From) bool {
	return slices.ContainsFunc(from, func(x ir.From) bool {
		th := s.threads[x.Init]
		if e := s.p.IR.EntryByName(th.root.Name); e == nil || e.Init {
			return false
		}
		return th.skipped || ir.IsInt(th.root.Func.Result) && len(th.result) == 1 && th.result[0] != 0
	})
}

// places are where parameter i of a root may point to, as far as its registrations say.
func (s *State) places(r *Root, i int) []ir.Place {
	if !s.harness.Registrations {
		return nil
	}
	return s.p.binds.Places(r.Func, i)
}

// registeredPointer is an arbitrary pointer of those that a handler may have been
// registered with.
func (s *State) registeredPointer(ps []ir.Place) uint64 {
	var alts []Addr
	var object ir.Place
	for _, p := range ps {
		if p.Global != nil {
			alts = append(alts, MakeAddr(s.p.globals[p.Global], p.Off))
			continue
		}
		object = p
		for _, e := range s.env {
			if e.key == p.S.String() && !e.private {
				alts = append(alts, Addr(e.addr+uint64(p.Off)))
			}
		}
		alts = append(alts, FreshPointer)
	}
	k := s.ask(Query{Kind: InPointer, Type: ir.VPtr, N: len(alts), Ptrs: alts, New: s.nextID(), Given: true})
	if alts[k] != FreshPointer {
		return uint64(alts[k])
	}
	o := s.newObject(InputObj, object.S.Size())
	o.elastic, o.elem = true, object.S
	s.env = append(s.env[:len(s.env):len(s.env)], envPtr{object.S.String(), mkAddr(o.id, 0), s.th.id, false})
	return mkAddr(o.id, object.Off)
}

// ObjectOf is the number of a global's object; thread-local ones have none.
func (m *Program) ObjectOf(g *ir.Global) ObjID { return m.globals[g] }

// shown is a member of objects of the environment, and what it holds.
type shown struct {
	s   *ir.Struct
	off int64
	val uint64
}

// show notes that a member holds an object; where it held another one, that may stay.
func (s *State) show(g ir.ArgSource, v uint64) {
	for i, o := range s.shown {
		if o.s != g.S || o.off != g.Off {
			continue
		}
		if o.val != v && s.ask(Query{Kind: InKept, N: 2}) == 0 {
			s.shown = slices.Clone(s.shown)
			s.shown[i].val = v
		}
		return
	}
	s.shown = append(s.shown[:len(s.shown):len(s.shown)], shown{g.S, g.Off, v})
}

// fill writes what an object holds that the environment passes to an entry.
func (s *State) fill(o *object, t ir.Type) {
	for _, x := range s.shown {
		if t == ir.Type(x.s) {
			s.store(mkAddr(o.id, x.off), 8, x.val)
		}
	}
}
