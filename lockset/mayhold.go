package lockset

import (
	"slices"

	"whoop/ir"
	"whoop/lockset/permission"
	"whoop/seqz"
)

// mayHold is a cheap pass over the procedures of an entry that says which locks may be
// held where: claims about others are not worth a query. It decides what is asked, not
// what is answered, so where it leaves a lock out, precision is lost and nothing else.
type mayHold struct {
	x *instrumenter
	// at is what may be held at the start of blocks, entry at the start of procedures.
	at    map[*ir.Block]lockSet
	entry map[*seqz.Proc]lockSet
	// exit is what a procedure may hold at its end that it took itself; changes are the
	// locks that it, or what it calls, may take or give back.
	exit    map[*seqz.Proc]lockSet
	changes map[*seqz.Proc]map[*guard]bool
	callees map[*ir.Call]*seqz.Proc
	// callersOf are the procedures that call each.
	callersOf map[*seqz.Proc][]*seqz.Proc
	// keys are the addresses of lock operations: a lock that is taken at an address is
	// given back at the same one.
	keys map[ir.Instr]int
	// relations are the parameters of procedures that may point to objects with locks or
	// tokens.
	relations map[*seqz.Proc][]relation
	// returned are those of what procedures return.
	returned map[*seqz.Proc][]relation
	// held numbers the locks by their addresses; those of a lock function are in of.
	held map[heldKey]int
	of   map[*guard][]int
	// takes are the locks that an instruction may take; steps are the instructions of a
	// block that may take locks, give them back or call.
	takes map[ir.Instr][]taking
	steps map[*ir.Block][]ir.Instr
}

// taking: the lock with that number may be held, exclusively or shared.
type taking struct {
	number    int
	exclusive bool
}

// heldKey is a lock function with the address that it was taken at; 0: not known.
type heldKey struct {
	fn  *guard
	key int
}

// lockSet is a set of numbers of heldKeys, each in two modes.
type lockSet []uint64

func (s lockSet) has(i, mode int) bool {
	i = 2*i + mode
	return i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0
}

func (s *lockSet) add(i, mode int) {
	i = 2*i + mode
	for len(*s) <= i/64 {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

func (s lockSet) remove(i int) {
	if 2*i/64 < len(s) {
		s[2*i/64] &^= 3 << (2 * i % 64)
	}
}

// merge adds the members of from, and reports whether one is new.
func (s *lockSet) merge(from lockSet) bool {
	changed := false
	if n := len(from) - len(*s); n > 0 {
		*s = append(*s, make(lockSet, n)...)
	}
	for i, w := range from {
		changed = changed || w&^(*s)[i] != 0
		(*s)[i] |= w
	}
	return changed
}

// newMayHold looks at the procedures as they are before the ghost code is added.
func newMayHold(x *instrumenter, res map[*seqz.Proc]*resolver) *mayHold {
	m := &mayHold{x: x, at: map[*ir.Block]lockSet{}, entry: map[*seqz.Proc]lockSet{}, exit: map[*seqz.Proc]lockSet{},
		changes: map[*seqz.Proc]map[*guard]bool{}, callees: map[*ir.Call]*seqz.Proc{}, keys: map[ir.Instr]int{}, held: map[heldKey]int{}, of: map[*guard][]int{}, relations: map[*seqz.Proc][]relation{},
		returned: map[*seqz.Proc][]relation{}, takes: map[ir.Instr][]taking{}, steps: map[*ir.Block][]ir.Instr{}}
	for _, p := range x.seq.Procs {
		if x.late() != nil {
			return m
		}
		for call, q := range p.Calls {
			m.callees[call] = q
		}
		m.addresses(p, res[p])
		m.relations[p], m.returned[p] = x.relations(p, res[p]), x.returned(p)
	}
	m.findSteps()
	m.findChanges()
	// what procedures hold at their ends, with nothing held at their starts
	m.findCallers()
	m.untilStable(m.callersOf, func(p *seqz.Proc, _ func(*seqz.Proc)) (changed bool) {
		out := m.exit[p]
		m.flow(p, nil, nil, func(s lockSet) { changed = out.merge(s) || changed })
		m.exit[p] = out
		return changed
	})
	for _, p := range x.seq.Procs[:x.seq.Roots] {
		x.begin(p)
		root := lockSet{}
		for _, fn := range x.active {
			if full, some := fn.theory.initial(x, fn); some != nil {
				m.take(&root, fn, 0, full != nil)
			}
		}
		m.entry[p] = root
	}
	x.begin(x.seq.Procs[0])
	always := m.always()
	m.untilStable(nil, func(p *seqz.Proc, again func(*seqz.Proc)) bool {
		m.flow(p, m.entry[p], func(q *seqz.Proc, s lockSet) {
			if always != nil {
				s.keep(always.entry[q])
			}
			in := m.entry[q]
			if in.merge(s) {
				again(q)
			}
			m.entry[q] = in
		}, nil)
		return false
	})
	m.within(always)
	return m
}

// findCallers finds the procedures that call each procedure.
func (m *mayHold) findCallers() {
	m.callersOf = map[*seqz.Proc][]*seqz.Proc{}
	for _, p := range m.x.seq.Procs {
		seen := map[*seqz.Proc]bool{}
		for _, q := range p.Calls {
			if !seen[q] {
				seen[q] = true
				m.callersOf[q] = append(m.callersOf[q], p)
			}
		}
	}
}

// untilStable does something for all procedures, and again for those of which step says
// so; where it reports that something of a procedure changed, for those behind it.
func (m *mayHold) untilStable(behind map[*seqz.Proc][]*seqz.Proc,
	step func(p *seqz.Proc, again func(*seqz.Proc)) (changed bool)) {
	work := slices.Clone(m.x.seq.Procs)
	queued := map[*seqz.Proc]bool{}
	for _, p := range work {
		queued[p] = true
	}
	if behind != nil { // those that are called come after their callers, mostly
		slices.Reverse(work)
	}
	again := func(p *seqz.Proc) {
		if !queued[p] {
			queued[p] = true
			work = append(work, p)
		}
	}
	for len(work) > 0 && m.x.late() == nil {
		p := work[0]
		work, queued[p] = work[1:], false
		if step(p, again) {
			for _, q := range behind[p] {
				again(q)
			}
		}
	}
}

// addresses numbers the addresses of lock operations, in each procedure from one on: no
// set of one procedure with addresses gets to another (see unnamed), and sets stay small.
func (m *mayHold) addresses(p *seqz.Proc, res *resolver) {
	known := map[string]int{}
	for _, b := range p.Body.Blocks {
		for i, in := range b.Instrs {
			var addr ir.Expr
			switch in := in.(type) {
			case *ir.Lock:
				addr = in.Lock
			case *ir.Unlock:
				addr = in.Lock
			default:
				continue
			}
			k := ir.ExprString(res.expand(addr, b, i))
			if known[k] == 0 {
				known[k] = len(known) + 1
			}
			m.keys[in] = known[k]
		}
	}
}

// flow computes what may be held in a procedure from what is at its start.
func (m *mayHold) flow(p *seqz.Proc, entry lockSet, call func(*seqz.Proc, lockSet), end func(lockSet)) {
	if len(p.Body.Blocks) == 0 {
		return
	}
	at := map[*ir.Block]lockSet{p.Body.Blocks[0]: slices.Clone(entry)}
	work := ir.RPO(p.Body)
	queued := map[*ir.Block]bool{}
	for _, b := range work {
		queued[b] = true
	}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		queued[b] = false
		out := slices.Clone(at[b])
		for _, in := range m.steps[b] {
			if c, ok := in.(*ir.Call); ok && call != nil && m.callees[c] != nil {
				call(m.callees[c], m.unnamed(out, m.relations[m.callees[c]]))
			}
			m.transfer(&out, in)
			m.after(&out, in, m.exit)
		}
		if _, ok := b.Term.(*ir.Return); ok && end != nil {
			end(m.unnamed(out, m.returned[p]))
		}
		for _, s := range b.Term.Succs() {
			in := at[s]
			if in.merge(out) && !queued[s] {
				queued[s] = true
				work = append(work, s)
			}
			at[s] = in
		}
	}
	for b, s := range at {
		m.at[b] = s
	}
}

// unnamed is the set as another procedure has it: without the addresses, which say
// nothing there, and without the locks that depend on them, but for those of what its
// parameters may point to.
func (m *mayHold) unnamed(s lockSet, about []relation) lockSet {
	var out lockSet
	for _, fn := range m.x.active {
		if m.x.somewhere(fn) && !slices.ContainsFunc(about, func(r relation) bool { return r.fn == fn }) {
			continue
		}
		for mode := range fn.Held {
			if m.has(s, fn, mode) {
				out.add(m.number(heldKey{fn, 0}), mode)
			}
		}
	}
	return out
}

func (m *mayHold) number(k heldKey) int {
	n, ok := m.held[k]
	if !ok {
		n = len(m.held)
		m.held[k] = n
		m.of[k.fn] = append(m.of[k.fn], n)
	}
	return n
}

// has reports whether a lock may be held in a mode.
func (m *mayHold) has(s lockSet, fn *guard, mode int) bool {
	return slices.ContainsFunc(m.of[fn], func(i int) bool { return s.has(i, mode) })
}

func (m *mayHold) take(s *lockSet, fn *guard, key int, exclusive bool) {
	n := m.number(heldKey{fn, key})
	if exclusive {
		s.add(n, 0)
	}
	s.add(n, 1)
}

// findSteps looks once at what each instruction may take: procedures are gone through
// again and again.
func (m *mayHold) findSteps() {
	for _, p := range m.x.seq.Procs {
		for _, b := range p.Body.Blocks {
			for _, in := range b.Instrs {
				ts := m.mayTake(in)
				if len(ts) > 0 {
					m.takes[in] = ts
				}
				switch in.(type) {
				case *ir.AtomicEnd, *ir.Unlock, *ir.Call:
				default:
					if len(ts) == 0 {
						continue
					}
				}
				m.steps[b] = append(m.steps[b], in)
			}
		}
	}
}

// mayTake are the locks that an instruction may take.
func (m *mayHold) mayTake(in ir.Instr) []taking {
	x := m.x
	var out []taking
	take := func(fn *guard, exclusive bool) {
		out = append(out, taking{m.number(heldKey{fn, m.keys[in]}), exclusive})
	}
	if x.aloneAgain[in] {
		for _, fn := range x.active {
			if x.allBack(fn) {
				take(fn, true)
			}
		}
	}
	for _, mv := range x.moves(in) {
		if mv.t.Kind == permission.Inhale {
			take(mv.g, mv.t.Share == permission.Full)
		}
	}
	return out
}

// transfer adds what an instruction may take, and removes what it surely gives back: a
// lock at the address that it was taken at, or a global one by its name.
func (m *mayHold) transfer(s *lockSet, in ir.Instr) {
	x := m.x
	for _, t := range m.takes[in] {
		if t.exclusive {
			s.add(t.number, 0)
		}
		s.add(t.number, 1)
	}
	for _, mv := range x.moves(in) {
		k, isLock := theoryOf[*lock](mv.g)
		switch {
		case mv.t.Kind != permission.Exhale || mv.g.Depth != nil:
		case mv.t.If == nil:
			m.drop(s, mv.g)
		case isLock && m.keys[in] != 0:
			s.remove(m.number(heldKey{mv.g, m.keys[in]}))
			if u, ok := in.(*ir.Unlock); ok && mv.g.frame == nil && k.pointer == nil {
				g, off, global := constAddr(u.Lock)
				h, foff, ok := constAddr(k.addr)
				if global && ok && h == g && foff == off {
					m.drop(s, mv.g)
				}
			}
		}
	}
}

// after adds what a call may hold at its end that it took itself.
func (m *mayHold) after(s *lockSet, in ir.Instr, exit map[*seqz.Proc]lockSet) {
	if c, ok := in.(*ir.Call); ok && m.callees[c] != nil {
		s.merge(exit[m.callees[c]])
	}
}

// somewhere tells that a lock, or token, belongs to the watched object, whichever that
// is. That it is held, for any object, is true only of the tokens that main has from the
// start; for the others it is no candidate for calls and loops.
func (x *instrumenter) somewhere(fn *guard) bool { return fn.frame != nil && !x.hasAll(fn) }

// hasAll reports whether the entry has all of a guard when it starts, whatever its frame
// stands for.
func (x *instrumenter) hasAll(fn *guard) bool {
	all, known := x.allOwned[fn]
	if !known {
		c, ok := x.initialValueOf(fn, 0).(ir.BoolConst)
		all = ok && bool(c)
		x.allOwned[fn] = all
	}
	return all
}

// drop removes a lock, wherever it was taken.
func (m *mayHold) drop(s *lockSet, fn *guard) {
	for _, i := range m.of[fn] {
		s.remove(i)
	}
}

// changed lists the active locks that a procedure may take or give back.
func (m *mayHold) changed(p *seqz.Proc) []*guard {
	var out []*guard
	for _, fn := range m.x.active {
		if m.changes[p][fn] {
			out = append(out, fn)
		}
	}
	return out
}

// findChanges finds the locks that each procedure, with those that it calls, may take or
// give back.
func (m *mayHold) findChanges() {
	ghost := map[*ir.Reg]*guard{}
	for _, fn := range m.x.active {
		for _, g := range fn.Registers() {
			ghost[g] = fn
		}
	}
	for _, p := range m.x.seq.Procs {
		m.changes[p] = map[*guard]bool{}
		for _, b := range p.Body.Blocks {
			for _, in := range b.Instrs {
				for _, u := range slices.Concat(m.x.regained(in), m.x.updates(in)) {
					for _, g := range ir.Defs(u) {
						m.changes[p][ghost[g]] = true
					}
				}
			}
		}
	}
	for again := true; again; {
		again = false
		for _, p := range m.x.seq.Procs {
			for _, q := range p.Calls {
				for fn := range m.changes[q] {
					again = again || !m.changes[p][fn]
					m.changes[p][fn] = true
				}
			}
		}
	}
}
