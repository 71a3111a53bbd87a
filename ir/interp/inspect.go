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
	// Instr or Term is executed next (in callers: the call); both are nil where a thread
	// has not started.
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
		pc = min(pc, len(fr.fn.code)-1) // after what ends the program
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

// Register returns the words of a register in a thread's innermost call (a ghost: of the
// thread).
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

// Global reads a global's cell of type t at an offset, without taking inputs: ok is false
// where it was never written.
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
	v[0] = fromCell(v[0], t)
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
	// it could go on, but for an atomic section, masked interrupts or an entry that
	// excludes it
	WantsTurn
)

// Wants says what a thread that cannot step waits for, and where that is; for
// WantsThread, Thread is whose end.
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

// Describe names an address as far as it can: the variable or allocation, and the member
// or element.
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
	name := s.describe(o)
	switch {
	case o.global != nil:
		name = o.global.Name
	case o.site != nil && o.site.Name != "":
		name = o.site.Name
	}
	p, _ := path(o.layout(), a.Offset())
	return name + p
}

// layout is the type of what is in an object; nil where it is not known.
func (o *object) layout() ir.Type {
	switch {
	case o.global != nil:
		return o.global.Type
	case o.site != nil && o.site.Name != "":
		return o.site.Elem
	case o.site != nil:
		return ir.Array{Elem: o.site.Elem, Len: 1 << 30}
	}
	return o.elem
}

// Within returns the structs that an address lies in, the innermost last, as far as types
// tell.
func (s *State) Within(a Addr) []*ir.Struct {
	o := s.object(a.Object())
	if a == 0 || o == nil {
		return nil
	}
	_, in := path(o.layout(), a.Offset())
	return in
}

// describeLock names a lock for messages: what is inside one is nobody's business.
func (s *State) describeLock(a uint64) string {
	o := s.object(Addr(a).Object())
	if o == nil {
		return s.Describe(Addr(a))
	}
	p, _ := path(o.layout(), Addr(a).Offset())
	for _, inner := range []string{".__", "._Prv"} {
		p, _, _ = strings.Cut(p, inner)
	}
	name := s.describe(o)
	if p == "" || o.global != nil || o.site != nil && o.site.Name != "" {
		return name + p
	}
	return "member " + strings.TrimPrefix(p, ".") + " of " + name
}

// path names the smallest part of a type at an offset, and lists the structs around it,
// the innermost last.
func path(t ir.Type, off int64) (name string, in []*ir.Struct) {
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
			in = append(in, x)
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
	return strings.TrimPrefix(b.String(), "[0]"), in
}

// FuncAt returns the function at an address, or nil.
func (s *State) FuncAt(a Addr) *ir.Func {
	if k := int(a.Object()) - firstFunc; k >= 0 && k < len(s.p.funcs) && a.Offset() == 0 {
		return s.p.funcs[k].f
	}
	return nil
}
