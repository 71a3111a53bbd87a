package interp

import (
	"fmt"
	"sort"
	"strings"

	"whoop/ir"
)

// Place is where a thread is.
type Place struct {
	Func *ir.Func
	// Instr or Term is executed next (in callers: the call); both are nil where a thread has not started.
	Instr ir.Instr
	Term  ir.Term
	Pos   ir.Pos
}

// Stack returns a thread's active calls, the innermost first.
func (s *State) Stack(t ThreadID) []Place {
	th := s.threads[t]
	if th.start != nil {
		return []Place{{Func: th.start.fn.f, Pos: th.start.fn.f.Pos}}
	}
	var out []Place
	for i := len(th.frames) - 1; i >= 0; i-- {
		fr := &th.frames[i]
		pc := fr.pc
		if i < len(th.frames)-1 || th.wait.kind != notWaiting {
			pc--
		}
		op := &fr.fn.code[pc]
		out = append(out, Place{fr.fn.f, op.in, op.term, op.pos()})
	}
	return out
}

// Next returns what a thread executes next; see Place.
func (s *State) Next(t ThreadID) Place {
	if st := s.Stack(t); len(st) > 0 {
		return st[0]
	}
	return Place{}
}

// Register returns the words of a register in a thread's innermost call (a ghost: of the thread).
func (s *State) Register(t ThreadID, r *ir.Reg) ([]uint64, error) {
	th := s.threads[t]
	if i, ok := s.p.ghosts[r]; ok {
		return th.ghosts[i : i+words(r.Type)], nil
	}
	if len(th.frames) == 0 {
		return nil, fmt.Errorf("thread %d has no active call", t)
	}
	fr := &th.frames[len(th.frames)-1]
	slot := fr.base
	for _, rs := range [][]*ir.Reg{fr.fn.f.Params, fr.fn.f.Regs} {
		for _, q := range rs {
			n := max(1, words(q.Type))
			if q == r {
				return th.stack[slot : slot+n], nil
			}
			slot += n
		}
	}
	return nil, fmt.Errorf("%s is not a register of %s", r.Name, fr.fn.f.Name)
}

// Global reads a global's cell of type t at an offset, without taking inputs: ok is false where it was never written.
func (s *State) Global(g *ir.Global, off int64, t ir.Type) (v []uint64, ok bool) {
	o := s.object(s.p.globals[g])
	i := off
	if o == nil || o.dead {
		return nil, false
	}
	i -= o.low
	if i < 0 || i+t.Size() > int64(len(o.data)) {
		return nil, false
	}
	for _, m := range o.mark[i : i+t.Size()] {
		if m != written {
			return nil, false
		}
	}
	v = make([]uint64, words(t))
	for k := range v {
		v[k] = loadBytes(o.data[i+8*int64(k) : i+min(t.Size(), 8*int64(k)+8)])
	}
	normWords(t, v)
	return v, true
}

// HeldLock is a lock that a thread holds.
type HeldLock struct {
	Addr  Addr
	Mode  ir.Mode
	Depth int
}

// Held returns the locks a thread holds, by address.
func (s *State) Held(t ThreadID) []HeldLock {
	var out []HeldLock
	for _, pg := range s.pages {
		for _, o := range pg.objs {
			if o == nil {
				continue
			}
			for i := range o.sync {
				c := &o.sync[i]
				a := MakeAddr(o.id, c.off)
				if c.owner == t {
					out = append(out, HeldLock{a, ir.Exclusive, c.depth})
				}
				n := 0
				for _, r := range c.readers {
					n += int(bit(r == t))
				}
				if n > 0 {
					out = append(out, HeldLock{a, ir.Shared, n})
				}
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Addr < out[j].Addr })
	return out
}

// WantKind says what a thread waits for.
type WantKind uint8

// What a thread may wait for.
const (
	WantsNothing WantKind = iota
	WantsLock
	WantsSignal
	WantsBarrier
	WantsSemaphore
	WantsOnce
	WantsCondition // of an Await: the address is that of the first cell it is about
	WantsThread
	WantsTurn // it could go on, but for an atomic section, masked interrupts or an entry that excludes it
)

// Wants says what a thread that cannot step waits for, and where that is; for WantsThread, Thread is whose end.
func (s *State) Wants(t ThreadID) (kind WantKind, a Addr, thread ThreadID) {
	th := s.threads[t]
	if th.done || s.status != Running && s.status != Deadlock {
		return WantsNothing, 0, -1
	}
	switch th.wait.kind {
	case waitCond:
		return WantsSignal, Addr(th.wait.addr), -1
	case waitMutex:
		return WantsLock, Addr(th.wait.mutex), -1
	case waitBarrier:
		return WantsBarrier, Addr(th.wait.addr), -1
	}
	if th.start != nil {
		return WantsTurn, 0, -1
	}
	s.focus(th)
	op := &s.fr.fn.code[s.fr.pc]
	if op.ready == nil || op.addr == nil || op.ready(s) {
		return WantsTurn, 0, -1
	}
	a = Addr(op.addr(s))
	switch op.in.(type) {
	case *ir.Lock:
		return WantsLock, a, -1
	case *ir.SemWait:
		return WantsSemaphore, a, -1
	case *ir.Once:
		return WantsOnce, a, -1
	case *ir.Await:
		return WantsCondition, a, -1
	}
	u, _ := s.findThread(uint64(a))
	return WantsThread, 0, u
}

// Describe names an address as far as it can: the variable or allocation, and the member or element.
func (s *State) Describe(a Addr) string {
	o := s.object(a.Object())
	switch {
	case a == 0:
		return "null"
	case o == nil:
		if k := int(a.Object()) - firstFunc; k >= 0 && k < len(s.p.funcs) {
			return s.p.funcs[k].f.Name
		}
		return fmt.Sprintf("%#x", uint64(a))
	}
	var t ir.Type
	name := s.describe(o)
	switch {
	case o.global != nil:
		name, t = o.global.Name, o.global.Type
	case o.site != nil:
		t = ir.Array{Elem: o.site.Elem, Len: 1 << 30}
		if o.site.Name != "" {
			name, t = o.site.Name, o.site.Elem
		}
	case o.elem != nil:
		t = o.elem
	}
	return name + path(t, a.Offset())
}

// path names the smallest part of a type at an offset.
func path(t ir.Type, off int64) string {
	var b strings.Builder
	for off >= 0 {
		switch x := t.(type) {
		case ir.Array:
			if n := x.Elem.Size(); n > 0 && off < x.Size() {
				fmt.Fprintf(&b, "[%d]", off/n)
				t, off = x.Elem, off%n
				continue
			}
		case *ir.Struct:
			best := -1
			for i, f := range x.Fields {
				if f.Offset <= off && off < f.Offset+max(1, f.Type.Size()) && f.BitWidth == 0 && (best < 0 || !x.Union) {
					best = i
				}
			}
			if best >= 0 {
				f := x.Fields[best]
				if f.Name != "" {
					b.WriteString("." + f.Name)
				}
				t, off = f.Type, off-f.Offset
				continue
			}
		}
		break
	}
	if off != 0 {
		fmt.Fprintf(&b, "+%d", off)
	}
	return strings.TrimPrefix(b.String(), "[0]")
}

// FuncAt returns the function at an address, or nil.
func (s *State) FuncAt(a Addr) *ir.Func {
	if k := int(a.Object()) - firstFunc; k >= 0 && k < len(s.p.funcs) && a.Offset() == 0 {
		return s.p.funcs[k].f
	}
	return nil
}
