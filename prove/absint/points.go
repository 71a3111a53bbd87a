package absint

import (
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// A point is a place of a thread where others may run, or the head of a loop: all threads
// are at points. Threads that have not been started yet are at a point of their own,
// whose block is nil.
type point struct {
	id     int
	thread *thread
	block  *ir.Block
	index  int // of the instruction that comes next
	depth  int // of atomic sections: no other thread runs while it is not 0
	// slots are what a thread at the point has for itself.
	slots []slot
	steps []*transition
	// inv are what is believed to hold whenever a thread is there.
	inv     []candidate
	by      [][]int // of each candidate, those that imply it
	version int
}

// A slot is a variable: of a thread (a register, a cell of its own, whether it holds a
// lock), or shared (a cell, whether a lock is taken).
type slot struct {
	reg    *ir.Reg
	cell   int
	lock   lockID
	flag   *thread  // whether the thread may have been started
	count  *counter // a number of threads
	kind   slotKind
	width  int // 0: Boolean
	signed bool
}

type slotKind uint8

const (
	regSlot slotKind = iota
	cellSlot
	heldSlot
	sharedSlot
	takenSlot
	startedSlot
	countSlot
)

// local reports whether each thread has one of its own.
func (s slot) local() bool { return s.kind <= heldSlot }

// name is the slot's variable for the thread in a role.
func (s slot) name(role string) string {
	switch s.kind {
	case regSlot:
		return fmt.Sprintf("%s.r%p", role, s.reg)
	case cellSlot:
		return fmt.Sprintf("%s.c%d", role, s.cell)
	case heldSlot:
		return fmt.Sprintf("%s.h%d", role, s.lock)
	case sharedSlot:
		return fmt.Sprintf("g%d", s.cell)
	case takenSlot:
		return fmt.Sprintf("l%d", s.lock)
	case countSlot:
		return fmt.Sprintf("n%d", s.count.id)
	}
	return fmt.Sprintf("s%p", s.flag)
}

// A transition leads from one point to another; its terms are over the variables of its
// first point in role k.
type transition struct {
	from, to *point
	guard    *bv.Term
	locals   map[slot]*bv.Term // of what the thread has at to
	shared   map[slot]*bv.Term // what it changes
}

// An obligation is that no thread at a point fails an assertion in its next step.
type obligation struct {
	at     *point
	assert ir.Instr
	guard  *bv.Term
}

// visible reports whether other threads may notice the instruction.
func (iv *invariants) visible(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Lock, *ir.Unlock, *ir.AtomicBegin, *ir.Spawn:
		return true
	}
	if iv.racy[in] {
		return true
	}
	for _, x := range iv.a.alias.Accesses(in) {
		for _, r := range x.Regions {
			if c := iv.a.cells[r.ID]; c.known && c.shared && c.strong && iv.matters(r.ID) {
				return true
			}
		}
	}
	return false
}

// pointAt is the point of a place.
func (iv *invariants) pointAt(t *thread, b *ir.Block, index, depth int) *point {
	k := pointKey{t, b, index, depth}
	if p := iv.byKey[k]; p != nil {
		return p
	}
	p := &point{id: len(iv.points), thread: t, block: b, index: index, depth: depth}
	iv.byKey[k] = p
	iv.points = append(iv.points, p)
	if b == nil {
		return p
	}
	for _, r := range t.liveAt(b, index) {
		if w, ok := width(r.Type); ok && (iv.relevant == nil || iv.relevant.regs[r]) {
			i, _ := intType(r.Type)
			p.slots = append(p.slots, slot{kind: regSlot, reg: r, width: w, signed: i.Signed})
		}
	}
	for _, c := range iv.own[t] {
		p.slots = append(p.slots, iv.slotOf(c))
	}
	for _, l := range iv.locks {
		p.slots = append(p.slots, slot{kind: heldSlot, lock: l})
	}
	return p
}

type pointKey struct {
	t            *thread
	b            *ir.Block
	index, depth int
}

// width is that of a type's values as bit vectors.
func width(t ir.Type) (int, bool) { return irterm.Width(t) }

// liveAt are the registers that may be read from an instruction on, in the order of the
// function.
func (t *thread) liveAt(b *ir.Block, index int) []*ir.Reg {
	now := ir.LiveAt(t.live, b, index)
	var out []*ir.Reg
	for _, r := range slices.Concat(t.entry.Func.Params, t.entry.Func.Regs) {
		if now[r] {
			out = append(out, r)
		}
	}
	return out
}
