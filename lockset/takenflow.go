package lockset

import (
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/analysis/dataflow"
	"whoop/ir"
)

// The flow of pointers between the cells of a structure, for taken.go. It follows one
// procedure, with the calls in it inlined, and says of each store to a cell what that
// takes out of the structure and what it puts in.
//
// What is known of cells of the structure lasts until the thread may give back a lock:
// only who holds the lock changes them. What is known of links of objects that are out
// lasts until something is put in: only who has the object changes them.

// cellOp is what an instruction does to cells of the structure.
type cellOp struct {
	// bad: it is not known what it does.
	bad bool
	// takes are the pointers to what the thread has behind it; puts is what it puts in, nil
	// for nothing.
	takes []pointed
	puts  *pointed
	// of is the object whose link it sets, which must be out.
	of *pointed
	// found are the pointers to what it has found in the structure.
	found []pointed
	// ends: what is in the structure may be somebody else's behind it.
	ends bool
}

// takenFlow follows one body.
type takenFlow struct {
	s *structure
	f *facts
	// source is the instruction of the program that one of the body is a copy of.
	source func(ir.Instr) ir.Instr
	ops    map[ir.Instr]*cellOp
	// heads are the pointers to objects in the structure, or in a chain, at the starts of
	// blocks.
	heads map[*ir.Block][]pointed
	// steady: only this thread writes what an instruction accesses.
	steady func(ir.Instr) bool
	// alone: no other thread runs.
	alone func(ir.Instr) bool
	// unsettled are stores after which a pointer to the end of a list may lead elsewhere.
	unsettled map[ir.Instr]bool
	// search is set where it is looked for structures: then all cells may be theirs.
	search *cellSearch
}

// takenRounds is how often all is found out: what is a copy of what changes the names by
// which the rest is known, so the next round begins with what the one before has found.
const takenRounds = 3

// noLocks are classes of locks that need not exclude each other where their addresses are
// equal, or that a front end made up.
var noLocks = []string{"bitspin", "semaphore", "rcu", ir.GhostOrder, ir.GhostOwned}

func (w *takenFlow) run(body *ir.Func) {
	if len(body.Blocks) == 0 {
		return
	}
	w.ops, w.heads, w.unsettled = map[ir.Instr]*cellOp{}, map[*ir.Block][]pointed{}, map[ir.Instr]bool{}
	var at, known map[*ir.Block]*inside
	for range takenRounds {
		known = at
		at = dataflow.Forward(ir.RPO(body), insideLattice{}, body.Blocks[0], newInside(), func(b *ir.Block, s *inside, emit func(*ir.Block, *inside)) {
			s = s.from(known[b])
			for _, in := range b.Instrs {
				w.instr(in, s)
			}
			s.branches(b.Term, emit)
		})
	}
	clear(w.ops)
	clear(w.unsettled)
	for b, s := range at {
		if s == nil {
			continue
		}
		s = s.from(known[b])
		w.heads[b] = s.objects(w.s)
		defer func() { w.heads[b] = append(w.heads[b], w.carriers(body)...) }()
		for _, in := range b.Instrs {
			w.instr(in, s)
		}
		if len(b.Succs()) == 0 {
			w.settle(s)
		}
	}
	for in := range w.unsettled {
		w.ops[in] = &cellOp{bad: true}
	}
}

// maxCarriers bounds the registers that are tried at loops. Precision only.
const maxCarriers = 8

// carriers are the registers with several assignments that may lead to what was taken out.
func (w *takenFlow) carriers(body *ir.Func) []pointed {
	types, set := []ir.Type{}, map[*ir.Reg]int{}
	for _, op := range w.ops {
		for _, v := range op.takes {
			if v.reg != nil {
				types = withType(types, v.reg.Type)
			}
		}
	}
	var out []pointed
	for _, b := range body.Blocks {
		for _, in := range b.Instrs {
			for _, r := range ir.Defs(in) {
				set[r]++
				if set[r] == 2 && len(out) < maxCarriers && slices.ContainsFunc(types, func(t ir.Type) bool { return ir.Equal(t, r.Type) }) {
					out = append(out, pointed{reg: r})
				}
			}
		}
	}
	return out
}

// settle ends a use of the structure: what still does not lead to the end of its list
// stays so.
func (w *takenFlow) settle(s *inside) {
	for in := range s.owing {
		w.unsettled[in] = true
	}
	clear(s.owing)
	clear(s.end)
}

func (w *takenFlow) instr(in ir.Instr, s *inside) {
	w.forget(in, s)
	switch in := in.(type) {
	case *ir.Assign:
		w.assign(in, s)
		return
	case *ir.Load:
		w.load(in, s)
		return
	case *ir.Store:
		w.store(in, s)
		return
	case *ir.Alloc:
		s.defined(in.Dst)
		for off := range w.s.offsets {
			if in.Zero && w.s.makes(w.source(in)) {
				s.links[pointed{reg: in.Dst, off: off}] = pointed{}
			}
		}
		return
	case *ir.Lock:
		if in.Dst != nil {
			s.defined(in.Dst)
		}
		if v, ok := s.valueOf(in.Lock); ok && in.Mode == ir.Exclusive && !in.Try && !slices.Contains(noLocks, in.Class) {
			s.held[v] = true
		}
		return
	case *ir.Unlock:
		w.settle(s)
		s.leave()
		v, ok := s.valueOf(in.Lock)
		maps.DeleteFunc(s.held, func(k pointed, _ bool) bool { return !ok || !otherPlace(k, v) })
		w.ops[in] = &cellOp{ends: true}
		return
	case *ir.CondWait:
		w.settle(s)
		s.leave()
		w.ops[in] = &cellOp{ends: true}
	case *ir.Assume, *ir.Assert, *ir.Havoc, *ir.MemSet, *ir.MemCopy, *ir.Touch, *ir.RMW, *ir.CmpXchg, *ir.CondSignal, *ir.Fence:
	case *ir.Free:
		s.leave()
		clear(s.links)
	default:
		w.settle(s)
		s.leave()
		clear(s.held)
		clear(s.links)
		clear(s.chain)
		w.ops[in] = &cellOp{ends: true}
	}
	for _, r := range ir.Defs(in) {
		s.defined(r)
	}
}

// assign follows an assignment: what is known of a pointer is known of its copy, also
// where both get other values later.
func (w *takenFlow) assign(in *ir.Assign, s *inside) {
	v, ok := pointed{}, false
	if ir.IsPtr(in.Dst.Type) {
		v, ok = s.valueOf(in.X)
	}
	in1, cell, chain := ok && s.in[v], ok && w.isCell(v, s), ok && s.chain[v]
	null, known := s.null[v]
	s.defined(in.Dst)
	if !ok || v.reg == in.Dst {
		return
	}
	to := pointed{reg: in.Dst}
	s.same[in.Dst] = v
	set := func(m map[pointed]bool, is bool) {
		if is {
			m[to] = true
		}
	}
	set(s.in, in1)
	set(s.cells, cell)
	if cell && v.global != nil {
		// A variable is no object, and the same claim is made of where it would be one.
		op := &cellOp{}
		for off := range w.s.offsets {
			op.found = append(op.found, v.plus(-off))
		}
		w.ops[in] = op
	}
	set(s.chain, chain)
	if known {
		s.null[to] = null
	}
}

// isCell reports whether an address is that of a cell of the structure.
func (w *takenFlow) isCell(v pointed, s *inside) bool {
	if s.cells[v] || w.s.isHead(v, s) {
		return true
	}
	for off := range w.s.offsets {
		if s.in[v.plus(-off)] {
			return true
		}
	}
	return false
}

// cellPlace is what an instruction accesses.
type cellPlace struct {
	at pointed
	// head and link: it may be such a cell. known: the address is.
	head, link, known bool
}

// placeOf is the cell that an instruction accesses; false where it is none.
func (w *takenFlow) placeOf(in ir.Instr, addr ir.Expr, s *inside) (cellPlace, bool) {
	heads, links, others := w.s.kind(w.f.acc[w.source(in)])
	if !heads && !links {
		return cellPlace{}, false
	}
	at, known := s.valueOf(addr)
	return cellPlace{at, heads, links, known && !others && !at.null()}, true
}

// within reports whether a cell is known to be in the structure, under the lock that
// protects it.
func (w *takenFlow) within(in ir.Instr, c cellPlace, s *inside) bool {
	switch {
	case !c.known:
		return false
	case w.search != nil || w.isCell(c.at, s):
		return true
	}
	return c.head && !c.link && (w.alone(in) || w.s.locked(w.f.acc[w.source(in)], c.at, s))
}

func (w *takenFlow) load(in *ir.Load, s *inside) {
	c, ok := w.placeOf(in, in.Addr, s)
	if !ok || !ir.IsPtr(in.Dst.Type) {
		if !w.loadLast(in, s) {
			w.loadOther(in, s)
		}
		return
	}
	at, to := c.at, pointed{reg: in.Dst}
	if w.search != nil && c.known {
		w.search.drains(in, at, s)
	}
	if !w.within(in, c, s) {
		off := w.s.offsetOf(w.f.acc[w.source(in)])
		next := c.known && !c.head && off >= 0 && s.chain[at.plus(-off)]
		if s.defined(in.Dst); next {
			clear(s.chain)
			s.chain[to] = true
			w.ops[in] = &cellOp{takes: []pointed{to}}
		}
		return
	}
	v, known := s.what[at]
	if s.defined(in.Dst); at.reg != in.Dst {
		if known && v.reg != in.Dst {
			s.same[in.Dst] = v
			if null, tested := s.null[v]; tested {
				s.null[to] = null
			}
		} else {
			s.what[at], s.loaded[at] = to, w.source(in)
		}
	}
	s.in[to] = true
	w.ops[in] = &cellOp{found: []pointed{to}}
}

// forget drops what was read of memory that an instruction may write.
func (w *takenFlow) forget(in ir.Instr, s *inside) {
	if _, call := in.(*ir.Call); call {
		clear(s.read)
	}
	ids := w.f.writeIDs[w.source(in)]
	if len(ids) == 0 || len(s.read) == 0 {
		return
	}
	for at, by := range s.readAt {
		if slices.ContainsFunc(w.f.acc[by], func(a alias.Access) bool {
			return slices.ContainsFunc(a.Regions, func(r *alias.Region) bool { return slices.Contains(ids, r.ID) })
		}) {
			delete(s.read, at)
		}
	}
}

// loadOther follows a load of other memory. Where only the thread itself may write, what
// was read there before is there still.
func (w *takenFlow) loadOther(in *ir.Load, s *inside) {
	at, known := s.valueOf(in.Addr)
	known = known && ir.IsPtr(in.Dst.Type) && at.reg != in.Dst && !at.null() && w.steady(in)
	v, again := s.read[at]
	s.defined(in.Dst)
	switch {
	case !known:
	case again && v.reg != in.Dst:
		s.same[in.Dst] = v
	default:
		s.read[at], s.readAt[at] = pointed{reg: in.Dst}, w.source(in)
	}
}

// storeOther follows a store to other memory.
func (w *takenFlow) storeOther(in *ir.Store, s *inside) {
	at, known := s.valueOf(in.Addr)
	v, also := s.valueOf(in.Val)
	if known && also && !at.null() && ir.IsPtr(in.Val.Type()) && w.steady(in) {
		s.read[at], s.readAt[at] = v, w.source(in)
	}
}

// loadLast follows a load of a pointer to the end of a list that is not empty.
func (w *takenFlow) loadLast(in *ir.Load, s *inside) bool {
	if w.search != nil || !ir.IsPtr(in.Dst.Type) {
		return false
	}
	at, ok := s.valueOf(in.Addr)
	head, isLast := w.s.headOf(w.f.acc[w.source(in)], at)
	if !ok || !isLast || at.reg == in.Dst || len(s.owing) > 0 || !w.s.holds(w.f.acc[w.source(in)], at, s) && !w.alone(in) {
		return false
	}
	first, known := s.what[head]
	if !known || !s.notNull(first) || first.reg == in.Dst {
		return false
	}
	to := pointed{reg: in.Dst}
	s.defined(in.Dst)
	s.in[to] = true
	for off := range w.s.offsets {
		s.what[to.plus(off)] = pointed{}
	}
	s.last[head] = to
	w.ops[in] = &cellOp{found: []pointed{to}}
	return true
}

func (w *takenFlow) store(in *ir.Store, s *inside) {
	c, ok := w.placeOf(in, in.Addr, s)
	if !ok {
		w.storeLast(in, s)
		w.storeOther(in, s)
		return
	}
	v, known := s.valueOf(in.Val)
	if !w.within(in, c, s) {
		w.storeOutside(in, c, v, known, s)
		return
	}
	at := c.at
	old, was := s.what[at]
	empty := was && s.isNull(old)
	op := &cellOp{bad: !known}
	w.ops[in] = op
	if was && !old.null() {
		op.takes = s.copies(old)
	}
	next, isLink := pointed{}, false
	for off := range w.s.offsets {
		if x, ok := s.what[old.plus(off)]; was && !old.null() && ok && known && x == v && !v.null() {
			next, isLink = old.plus(off), true
		}
	}
	if w.search != nil && known {
		w.search.note(in, at, s, next)
	}
	before, more, cell := s.headOf(w, c), s.notNull(old), s.cells[at]
	ends := false
	clear(s.chain)
	switch {
	case !known, v.null(), isLink:
		more = false
		s.leave()
		if known && v.null() && was && !old.null() {
			s.chains(old)
		}
	default:
		op.puts = &v
		var kept bool
		if kept, ends = w.puts(op, v, old, was, s); kept {
			op.takes = nil
		} else {
			more = false
			if was && !old.null() {
				s.chains(old)
			}
			if !empty {
				s.leave()
			}
		}
	}
	clear(s.links)
	if len(w.s.lasts) > 0 {
		s.owe(in, c, before, v, isLink, more, ends)
	}
	maps.DeleteFunc(s.what, func(c, _ pointed) bool { return !otherPlace(c, at) })
	if known {
		s.what[at] = v
		if !v.null() {
			s.in[v] = true
		}
		if cell {
			s.cells[at] = true
		}
	}
}

// puts follows a store of what was out: its links are null (ends), or one of them is what
// was in the cell before (kept).
func (w *takenFlow) puts(op *cellOp, v, old pointed, was bool, s *inside) (kept, ends bool) {
	for off := range w.s.offsets {
		x, ok := s.links[v.plus(off)]
		switch {
		case !ok:
			op.bad = true
		case s.isNull(x):
		case was && x == old && !kept:
			kept = true
		default:
			op.bad = true
		}
	}
	return kept, !kept && !op.bad
}

// headOf is the head of the list whose last object a cell is the link of, or the head
// itself; the zero value where it is not known.
func (s *inside) headOf(w *takenFlow, c cellPlace) pointed {
	if c.head && !c.link {
		return c.at
	}
	for head, last := range s.last {
		for off := range w.s.offsets {
			if last.plus(off) == c.at {
				return head
			}
		}
	}
	return pointed{}
}

// owe notes what a store to a cell means for the pointer to the end of the list: head is
// that of the list, if it is known to be one. more: v was put before what is there. ends:
// v is the last.
func (s *inside) owe(in *ir.Store, c cellPlace, head, v pointed, isLink, more, ends bool) {
	first := c.head && !c.link
	clear(s.last)
	switch {
	case v.null() && first: // the list is empty
		maps.DeleteFunc(s.owing, func(_ ir.Instr, h pointed) bool { return h == head })
	case isLink && first, more: // the last one is the same, or the list is empty
	case isLink || v.null() || head.null():
		s.owing[in] = pointed{}
	default:
		if ends {
			s.last[head] = v
		}
		if end, ok := s.end[head]; !ends || !ok || end != v {
			s.owing[in] = head
		}
	}
}

// storeLast follows a store to a pointer to the end of a list.
func (w *takenFlow) storeLast(in *ir.Store, s *inside) {
	at, ok := s.valueOf(in.Addr)
	head, isLast := w.s.headOf(w.f.acc[w.source(in)], at)
	if !isLast {
		return
	}
	v, known := s.valueOf(in.Val)
	if known && v.null() && w.f.fresh[w.source(in)] {
		return
	}
	first, read := s.what[head]
	switch {
	case !ok || !w.s.holds(w.f.acc[w.source(in)], at, s) && !w.alone(in):
		w.ops[in] = &cellOp{bad: true}
	case known && !v.null() && s.last[head] == v, read && s.isNull(first):
		maps.DeleteFunc(s.owing, func(_ ir.Instr, h pointed) bool { return h == head })
	default:
		s.owing[in] = head
	}
	clear(s.end) // lists that are not told apart
	if known && ok {
		s.end[head] = v
	}
}

// storeOutside follows a store to a cell that is not known to be in the structure: to the
// link of an object that is out, or null to a cell that nobody else can know.
func (w *takenFlow) storeOutside(in *ir.Store, c cellPlace, v pointed, known bool, s *inside) {
	op := &cellOp{}
	w.ops[in] = op
	if known && v.null() && w.f.fresh[w.source(in)] && !c.link {
		return
	}
	clear(s.chain)
	if c.head || !c.known {
		op.bad = true
		s.leave()
		clear(s.links)
		return
	}
	at := c.at
	off := w.s.offsetOf(w.f.acc[w.source(in)])
	of := at.plus(-off)
	op.of = &of
	maps.DeleteFunc(s.links, func(c, _ pointed) bool { return !otherPlace(c, at) })
	if known {
		s.links[at] = v
	}
}
