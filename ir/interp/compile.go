package interp

import (
	"fmt"

	"whoop/ir"
	"whoop/ir/irutil"
)

// Config bounds and varies executions; zero values are the defaults.
type Config struct {
	// MaxDepth is how many calls may nest (10000), MaxObject the largest object in bytes
	// (1<<28), Reach how far from the address they were made for input objects extend
	// (1<<20).
	MaxDepth         int
	MaxObject, Reach int64
	// MaxThreads bounds the threads of an execution (100000).
	MaxThreads int
	// Quiet is how many instructions that others do not notice StepVisible executes at
	// most (MaxInvisible).
	Quiet int
	// Callbacks is how often a function that is registered (ir.Register with Fn: a timer,
	// an interrupt handler) runs: so many threads are made that run it once, unless it is
	// unregistered before. 0: not at all, as where the harness has roots for these
	// entries.
	Callbacks int
	// Spurious: condition waits may wake up without a signal.
	Spurious bool
	// Uniprocessor: threads are parts of one CPU, so that disabling interrupts, bottom
	// halves or preemption excludes what it masks, and handlers run to their end (see
	// Root.Kind).
	Uniprocessor bool
	// Visible, if not nil, says which instructions end a StepVisible; by default accesses
	// to memory that is not obviously the thread's own, synchronisation, thread ends,
	// assertions and yields do.
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
	own     *irutil.Own
	ghosts  map[*ir.Reg]int
	nghost  int
	first   *State            // the state before anything ran, shared by all starts
	sums    []Hash            // of its objects
	holds   map[string]uint64 // addresses of the locks of Entry.Holds
	kinds   ir.Kinds
	binds   *ir.Bindings
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
	arbitrary []slotType // registers that may be read before they are written
	live      []bitset   // the live slots before each op, for hashing; nil: all
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

// Compile prepares p for execution. p must be valid (ir.Validate) and must not change
// afterwards.
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
	if cfg.Quiet == 0 {
		cfg.Quiet = MaxInvisible
	}
	if cfg.MaxThreads == 0 {
		cfg.MaxThreads = 100_000
	}
	m := &Program{IR: p, cfg: cfg, fnOf: map[*ir.Func]*fn{}, globals: map[*ir.Global]ObjID{}, tls: map[*ir.Global]int{},
		ghosts: map[*ir.Reg]int{}, holds: map[string]uint64{}, own: irutil.OwnOf(p, irutil.Rules{}), binds: ir.BindingsOf(p), kinds: ir.KindsOf(p)}
	for i, f := range p.Funcs {
		x := &fn{f: f, id: ObjID(firstFunc + i), typ: f.Type().String()}
		m.funcs = append(m.funcs, x)
		m.fnOf[f] = x
	}
	for _, f := range ir.AddressTaken(p) {
		m.fnOf[f].addrTaken = true
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
	own   *irutil.OwnIn
	prior []ir.Instr // of the block that is compiled
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
	c.own = m.own.In(x.f)
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
			g := m.IR.GlobalByName(ir.LockPrefix + h)
			if g == nil {
				g = &ir.Global{Name: ir.LockPrefix + h, Type: ir.U32}
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
