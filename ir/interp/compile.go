package interp

import (
	"fmt"

	"whoop/ir"
)

// Config bounds and varies executions; zero values are the defaults.
type Config struct {
	// MaxDepth is how many calls may nest (10000), MaxObject the largest object in bytes (1<<28), Reach how far from the
	// address they were made for input objects extend (1<<20).
	MaxDepth         int
	MaxObject, Reach int64
	// MaxThreads bounds the threads of an execution (1000).
	MaxThreads int
	// Callbacks is how often a function that is registered (ir.Register with Fn: a timer, an interrupt handler) runs: so
	// many threads are made that run it once, unless it is unregistered before. 0: not at all, as where the harness has
	// roots for these entries.
	Callbacks int
	// Spurious: condition waits may wake up without a signal.
	Spurious bool
	// Uniprocessor: threads are parts of one CPU, so that disabling interrupts, bottom halves or preemption excludes
	// what it masks, and handlers run to their end (see Root.Kind).
	Uniprocessor bool
	// Visible, if not nil, says which instructions end a StepVisible; by default accesses to memory that is not
	// obviously the thread's own, synchronisation, thread ends, assertions and yields do.
	Visible func(ir.Instr) bool
}

// Program is a compiled program; it is immutable and may be run from several goroutines.
type Program struct {
	IR      *ir.Program
	cfg     Config
	funcs   []*fn
	fnOf    map[*ir.Func]*fn
	globals map[*ir.Global]ObjID
	tls     map[*ir.Global]int
	locals  []*ir.Global // thread-local ones
	ghosts  map[*ir.Reg]int
	nghost  int
	first   *State            // the state before anything ran, shared by all starts
	sums    []Hash            // of its objects
	holds   map[string]uint64 // addresses of the locks of Entry.Holds
}

// fn is a compiled function.
type fn struct {
	f         *ir.Func
	id        ObjID
	typ       string
	addrTaken bool
	code      []op
	slots     int
	params    []slotType
	result    ir.Type
	resWords  int
	arbitrary []slotType // registers that may be read before they are written
	live      [][]uint64 // live slots before each op, as bit sets; computed for hashing
}

func (f *fn) addr() uint64 { return mkAddr(f.id, 0) }

// slotType is a register: its first slot and its type. Ghosts have negative slots.
type slotType struct {
	slot int
	typ  ir.Type
	n    int
}

// op is one compiled instruction or terminator.
type op struct {
	exec func(s *State)
	// ready reports whether the op would not block; nil: never blocks.
	ready   func(s *State) bool
	addr    eval // of what it may wait for: a lock, semaphore, once control, thread handle
	in      ir.Instr
	term    ir.Term
	visible bool
}

func (o *op) pos() ir.Pos {
	if o.in != nil {
		return o.in.At()
	}
	return o.term.At()
}

// Compile prepares p for execution. p must be valid (ir.Validate) and must not change afterwards.
func Compile(p *ir.Program, cfg Config) (*Program, error) {
	if err := ir.Validate(p); err != nil {
		return nil, fmt.Errorf("interp: %w", err)
	}
	set := func(v *int64, d int64) {
		if *v == 0 {
			*v = d
		}
	}
	set(&cfg.MaxObject, 1<<28)
	set(&cfg.Reach, 1<<20)
	if cfg.MaxDepth == 0 {
		cfg.MaxDepth = 10000
	}
	if cfg.MaxThreads == 0 {
		cfg.MaxThreads = 1000
	}
	m := &Program{IR: p, cfg: cfg, fnOf: map[*ir.Func]*fn{}, globals: map[*ir.Global]ObjID{}, tls: map[*ir.Global]int{},
		ghosts: map[*ir.Reg]int{}, holds: map[string]uint64{}}
	for i, f := range p.Funcs {
		x := &fn{f: f, id: ObjID(firstFunc + i), typ: f.Type().String(), result: f.Result, resWords: words(f.Result)}
		m.funcs = append(m.funcs, x)
		m.fnOf[f] = x
	}
	for _, g := range p.Ghosts {
		m.ghosts[g] = m.nghost
		m.nghost += words(g.Type)
	}
	next := ObjID(firstFunc + len(p.Funcs))
	for _, g := range p.Globals {
		if g.ThreadLocal {
			m.tls[g] = len(m.locals)
			m.locals = append(m.locals, g)
			continue
		}
		m.globals[g] = next
		next++
	}
	for _, x := range m.funcs {
		if err := m.compileFunc(x); err != nil {
			return nil, fmt.Errorf("interp: function %s: %w", x.f.Name, err)
		}
	}
	return m, m.initial(next)
}

// words is how many slots a value of type t takes.
func words(t ir.Type) int {
	switch t := t.(type) {
	case ir.Int:
		if t.Bits > 64 {
			return 2
		}
	case ir.Opaque:
		return int(max(1, (t.Bytes+7)/8))
	case ir.Void:
		return 0
	}
	return 1
}

// normalise extends the low bits of v to the representation of t (one word).
func normalise(t ir.Type, v uint64) uint64 {
	switch t := t.(type) {
	case ir.Bool:
		return v & 1
	case ir.Int:
		if t.Bits >= 64 {
			return v
		}
		sh := 64 - t.Bits
		if t.Signed {
			return uint64(int64(v<<sh) >> sh)
		}
		return v << sh >> sh
	case ir.Opaque:
		if t.Bytes < 8 {
			return v & (1<<(8*t.Bytes) - 1)
		}
	}
	return v
}

// normWords is normalise for values of any number of words.
func normWords(t ir.Type, v []uint64) {
	if len(v) == 1 {
		v[0] = normalise(t, v[0])
		return
	}
	switch t := t.(type) {
	case ir.Int:
		v[1] = normalise(ir.Int{Bits: t.Bits - 64, Signed: t.Signed}, v[1])
	case ir.Opaque:
		if r := t.Bytes % 8; r != 0 {
			v[len(v)-1] &= 1<<(8*r) - 1
		}
	}
}

// fc compiles one function.
type fc struct {
	m     *Program
	x     *fn
	slots map[*ir.Reg]slotType
	start map[*ir.Block]int
	local map[*ir.Reg]bool // pointers to locals that no one else knows
	prior []ir.Instr       // of the block that is compiled
}

func (m *Program) compileFunc(x *fn) error {
	c := &fc{m: m, x: x, slots: map[*ir.Reg]slotType{}, start: map[*ir.Block]int{}}
	add := func(r *ir.Reg) slotType {
		st := slotType{x.slots, r.Type, max(1, words(r.Type))}
		c.slots[r] = st
		x.slots += st.n
		return st
	}
	for _, r := range x.f.Params {
		x.params = append(x.params, add(r))
	}
	for _, r := range x.f.Regs {
		add(r)
	}
	for g, i := range m.ghosts {
		c.slots[g] = slotType{^i, g.Type, words(g.Type)}
	}
	n := 0
	for _, b := range x.f.Blocks {
		c.start[b] = n
		n += len(b.Instrs) + 1
	}
	c.local = localPointers(x.f)
	c.markFuncs()
	x.code = make([]op, 0, n)
	for _, b := range x.f.Blocks {
		for k, in := range b.Instrs {
			c.prior = b.Instrs[:k]
			o, err := c.instr(in)
			if err != nil {
				return err
			}
			o.in = in
			o.visible = c.visible(in)
			x.code = append(x.code, o)
		}
		o := c.term(b.Term)
		o.term = b.Term
		x.code = append(x.code, o)
	}
	c.liveness()
	return nil
}

// markFuncs notes the functions whose address is a value somewhere: candidates for arbitrary function pointers.
func (c *fc) markFuncs() {
	mark := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if fa, ok := e.(ir.FuncAddr); ok {
				c.m.fnOf[fa.Func].addrTaken = true
			}
			return true
		})
	}
	for _, b := range c.x.f.Blocks {
		for _, in := range b.Instrs {
			ops := ir.Operands(in)
			if call, ok := in.(*ir.Call); ok {
				if _, direct := call.Callee.(ir.FuncAddr); direct {
					ops = call.Args
				}
			}
			for _, e := range ops {
				mark(e)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			mark(e)
		}
	}
}

// localPointers finds registers that only ever hold the address of the function's own locals and are used for nothing
// but to access them: no other thread can reach those objects.
func localPointers(f *ir.Func) map[*ir.Reg]bool {
	local := map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ir.Alloc); ok && a.Kind == "stack" {
				local[a.Dst] = true
			}
		}
	}
	leak := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok {
				delete(local, u.Reg)
			}
			return true
		})
	}
	address := func(e ir.Expr) { // the root may be local, indices may not leak it
		for {
			switch x := e.(type) {
			case ir.FieldAddr:
				e = x.Base
				continue
			case ir.IndexAddr:
				leak(x.Idx)
				e = x.Base
				continue
			case ir.Cast:
				if ir.IsPtr(x.T) && ir.IsPtr(x.X.Type()) {
					e = x.X
					continue
				}
			case ir.Use:
				return
			}
			leak(e)
			return
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch i := in.(type) {
			case *ir.Alloc:
				leak(i.Count)
				continue
			case *ir.Load:
				address(i.Addr)
			case *ir.Store:
				address(i.Addr)
				leak(i.Val)
			case *ir.MemCopy:
				address(i.Dst)
				address(i.Src)
				leak(i.Size)
			case *ir.MemSet:
				address(i.Dst)
				leak(i.Val)
				leak(i.Size)
			case *ir.Touch:
				address(i.Addr)
			default:
				for _, e := range ir.Operands(in) {
					leak(e)
				}
			}
			for _, r := range ir.Defs(in) { // set by something else too
				delete(local, r)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			leak(e)
		}
	}
	return local
}

// own reports whether an address is of a local that no one else knows.
func (c *fc) own(e ir.Expr) bool {
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			e = x.Base
		case ir.IndexAddr:
			e = x.Base
		case ir.Cast:
			e = x.X
		case ir.Use:
			return c.local[x.Reg]
		case ir.GlobalAddr:
			return x.Global.ThreadLocal || x.Global.Const && !x.Global.Extern
		default:
			return false
		}
	}
}

// visible reports whether other threads may notice the instruction, or it others.
func (c *fc) visible(in ir.Instr) bool {
	if c.m.cfg.Visible != nil {
		return c.m.cfg.Visible(in)
	}
	switch i := in.(type) {
	case *ir.Assign, *ir.Havoc, *ir.Assume, *ir.Call, *ir.Alloc:
		return false
	case *ir.Load:
		return !c.own(i.Addr)
	case *ir.Store:
		return !c.own(i.Addr)
	case *ir.MemCopy:
		return !c.own(i.Dst) || !c.own(i.Src)
	case *ir.MemSet:
		return !c.own(i.Dst)
	case *ir.Touch:
		return !c.own(i.Addr)
	}
	return true
}

// liveness finds the registers that may be read before they are written, and those live before each op.
func (c *fc) liveness() {
	x := c.x
	n := (x.slots + 63) / 64
	set := func(b []uint64, st slotType, on bool) {
		if st.slot < 0 {
			return
		}
		for k := st.slot; k < st.slot+st.n; k++ {
			if on {
				b[k/64] |= 1 << (k % 64)
			} else {
				b[k/64] &^= 1 << (k % 64)
			}
		}
	}
	uses := func(b []uint64, es []ir.Expr) {
		for _, e := range es {
			ir.WalkExpr(e, func(e ir.Expr) bool {
				if u, ok := e.(ir.Use); ok {
					set(b, c.slots[u.Reg], true)
				}
				return true
			})
		}
	}
	x.live = make([][]uint64, len(x.code))
	back := make([]uint64, n*len(x.code))
	for i := range x.live {
		x.live[i] = back[i*n : i*n+n]
	}
	cur := make([]uint64, n)
	for changed := true; changed; {
		changed = false
		for bi := len(x.f.Blocks) - 1; bi >= 0; bi-- {
			b := x.f.Blocks[bi]
			clear(cur)
			for _, t := range b.Term.Succs() {
				for k, w := range x.live[c.start[t]] {
					cur[k] |= w
				}
			}
			pc := c.start[b] + len(b.Instrs)
			uses(cur, ir.TermOperands(b.Term))
			copy(x.live[pc], cur)
			for i := len(b.Instrs) - 1; i >= 0; i-- {
				pc--
				for _, r := range ir.Defs(b.Instrs[i]) {
					set(cur, c.slots[r], false)
				}
				uses(cur, ir.Operands(b.Instrs[i]))
				for k, w := range cur {
					if x.live[pc][k] != w {
						x.live[pc][k], changed = w, true
					}
				}
			}
		}
	}
	if len(x.code) == 0 {
		return
	}
	for _, r := range x.f.Regs {
		st := c.slots[r]
		if x.live[0][st.slot/64]>>(st.slot%64)&1 != 0 {
			x.arbitrary = append(x.arbitrary, st)
		}
	}
}

// initial makes the state before anything ran: the globals.
func (m *Program) initial(next ObjID) error {
	s := &State{p: m, epoch: newEpoch(), nextObj: next, in: Zero{}}
	m.first = s
	for _, g := range m.IR.Globals {
		if !g.ThreadLocal {
			s.global(m.globals[g], g)
		}
	}
	for _, e := range m.IR.Entries {
		for _, h := range e.Holds {
			if m.holds[h] != 0 {
				continue
			}
			g := m.IR.GlobalByName("$lock." + h)
			if g == nil {
				g = &ir.Global{Name: "$lock." + h, Type: ir.U32}
				m.globals[g] = s.nextObj
				s.nextObj++
				s.global(m.globals[g], g)
			}
			m.holds[h] = mkAddr(m.globals[g], 0)
		}
	}
	m.sumUp()
	return nil
}

// global makes the object of a global and its initial value.
func (s *State) global(id ObjID, g *ir.Global) *object {
	size := g.Type.Size()
	for _, c := range g.Init {
		size = max(size, c.Offset+c.Type.Size())
	}
	o := s.placeObject(id, GlobalObj, size)
	o.global = g
	fill(o.mark, written)
	if g.Extern {
		fill(o.mark, anything)
		o.elastic = true
	}
	if g.ThreadLocal {
		o.kind = ThreadLocalObj
	}
	for _, c := range g.Init {
		e := (&fc{m: s.p}).expr(c.Value)
		v := make([]uint64, words(c.Type))
		if len(v) == 1 {
			v[0] = e.one(s)
		} else {
			e.many(s, v)
		}
		s.storeWords(mkAddr(id, c.Offset), c.Type, v)
	}
	return s.object(id)
}
