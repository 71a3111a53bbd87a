package ir

import "slices"

// CloneMap tells, for every part of a program, its copy in the clone.
type CloneMap struct {
	Globals map[*Global]*Global
	Funcs   map[*Func]*Func
	Regs    map[*Reg]*Reg
	Blocks  map[*Block]*Block
	Instrs  map[Instr]Instr
}

// Clone returns a deep copy of p. Types are shared: structs are never changed once a
// program is built, and keeping them lets types of the two programs be compared.
func Clone(p *Program) *Program {
	q, _ := CloneWithMap(p)
	return q
}

// CloneWithMap is Clone that also returns the correspondence, to carry side tables over.
func CloneWithMap(p *Program) (*Program, *CloneMap) {
	m := &CloneMap{
		map[*Global]*Global{}, map[*Func]*Func{}, map[*Reg]*Reg{}, map[*Block]*Block{}, map[Instr]Instr{},
	}
	q := &Program{Name: p.Name, TypeSafe: p.TypeSafe, NarrowPointers: p.NarrowPointers, Structs: slices.Clone(p.Structs), Handed: slices.Clone(p.Handed), Assumptions: slices.Clone(p.Assumptions),
		Exclusions: slices.Clone(p.Exclusions), Ghosts: m.cloneRegs(p.Ghosts)}
	for _, g := range p.Globals {
		c := *g
		m.Globals[g] = &c
		q.Globals = append(q.Globals, &c)
	}
	for _, f := range p.Funcs {
		c := *f
		c.Params, c.Regs = m.cloneRegs(f.Params), m.cloneRegs(f.Regs)
		m.Funcs[f] = &c
		q.Funcs = append(q.Funcs, &c)
	}
	for _, g := range q.Globals {
		g.Init = slices.Clone(g.Init)
		for i := range g.Init {
			g.Init[i].Value = m.Expr(g.Init[i].Value)
		}
	}
	for _, f := range q.Funcs {
		f.Blocks = m.cloneBlocks(f.Blocks)
	}
	for _, e := range p.Entries {
		c := *e
		c.Holds, c.Private = slices.Clone(e.Holds), slices.Clone(e.Private)
		c.Given, c.Same = slices.Clone(e.Given), slices.Clone(e.Same)
		c.NonNull, c.Serial = slices.Clone(e.NonNull), slices.Clone(e.Serial)
		if f, ok := m.Funcs[e.Func]; ok {
			c.Func = f
		}
		q.Entries = append(q.Entries, &c)
	}
	return q, m
}

// CloneFunc returns a copy of f with registers and blocks of its own. What it mentions
// outside of itself stays.
func CloneFunc(f *Func) *Func {
	m := &CloneMap{Regs: map[*Reg]*Reg{}, Blocks: map[*Block]*Block{}, Instrs: map[Instr]Instr{}}
	c := *f
	c.Params, c.Regs = m.cloneRegs(f.Params), m.cloneRegs(f.Regs)
	c.Blocks = m.cloneBlocks(f.Blocks)
	return &c
}

// Expr returns e over the clone's registers, globals and functions. Parts that the
// program does not own stay.
func (m *CloneMap) Expr(e Expr) Expr {
	if e == nil {
		return nil
	}
	return MapExpr(e, func(x Expr) Expr {
		switch x := x.(type) {
		case Use:
			return Use{m.Reg(x.Reg)}
		case GlobalAddr:
			if g, ok := m.Globals[x.Global]; ok {
				return GlobalAddr{g}
			}
		case FuncAddr:
			if f, ok := m.Funcs[x.Func]; ok {
				return FuncAddr{f}
			}
		}
		return x
	})
}

// Reg returns the copy of r, or r itself where it is not the program's.
func (m *CloneMap) Reg(r *Reg) *Reg {
	if c, ok := m.Regs[r]; ok {
		return c
	}
	return r
}

// Block returns the copy of b, or b itself where it is not the program's.
func (m *CloneMap) Block(b *Block) *Block {
	if c, ok := m.Blocks[b]; ok {
		return c
	}
	return b
}

func (m *CloneMap) cloneRegs(rs []*Reg) []*Reg {
	var out []*Reg
	for _, r := range rs {
		c := *r
		m.Regs[r] = &c
		out = append(out, &c)
	}
	return out
}

func (m *CloneMap) cloneBlocks(bs []*Block) []*Block {
	var out []*Block
	for _, b := range bs {
		c := &Block{Name: b.Name}
		m.Blocks[b] = c
		out = append(out, c)
	}
	for i, b := range bs {
		out[i].Instrs = make([]Instr, 0, len(b.Instrs))
		for _, in := range b.Instrs {
			c := CloneInstr(in)
			slots(c, func(e *Expr) { *e = m.Expr(*e) }, func(r **Reg) { *r = m.Reg(*r) })
			m.Instrs[in] = c
			out[i].Instrs = append(out[i].Instrs, c)
		}
		if b.Term != nil {
			out[i].Term = MapTerm(b.Term, m.Expr, m.Block)
		}
	}
	return out
}

// CloneInstr returns a copy of in, a new instruction with the same operands and
// registers.
func CloneInstr(in Instr) Instr {
	switch i := in.(type) {
	case *Assign:
		return dup(i)
	case *Load:
		return dup(i)
	case *Store:
		return dup(i)
	case *RMW:
		return dup(i)
	case *CmpXchg:
		return dup(i)
	case *Alloc:
		return dup(i)
	case *Free:
		return dup(i)
	case *MemCopy:
		return dup(i)
	case *MemSet:
		return dup(i)
	case *Touch:
		return dup(i)
	case *Havoc:
		return dup(i)
	case *Assume:
		return dup(i)
	case *Assert:
		return dup(i)
	case *Call:
		c := dup(i)
		c.Args = slices.Clone(i.Args)
		return c
	case *Spawn:
		c := dup(i)
		c.Args = slices.Clone(i.Args)
		return c
	case *Register:
		c := dup(i)
		c.Args, c.Kinds = slices.Clone(i.Args), slices.Clone(i.Kinds)
		c.Shows = slices.Clone(i.Shows)
		return c
	case *Unregister:
		c := dup(i)
		c.Kinds = slices.Clone(i.Kinds)
		return c
	}
	return cloneSync(in)
}

// cloneSync is CloneInstr for the synchronisation instructions.
func cloneSync(in Instr) Instr {
	switch i := in.(type) {
	case *Lock:
		return dup(i)
	case *Unlock:
		return dup(i)
	case *LockInit:
		return dup(i)
	case *CondWait:
		return dup(i)
	case *CondSignal:
		return dup(i)
	case *SemInit:
		return dup(i)
	case *SemWait:
		return dup(i)
	case *SemPost:
		return dup(i)
	case *BarrierInit:
		return dup(i)
	case *BarrierWait:
		return dup(i)
	case *Once:
		return dup(i)
	case *Join:
		return dup(i)
	case *Detach:
		return dup(i)
	case *AtomicBegin:
		return dup(i)
	case *AtomicEnd:
		return dup(i)
	case *Await:
		c := dup(i)
		c.Dsts, c.Addrs, c.Queues = slices.Clone(i.Dsts), slices.Clone(i.Addrs), slices.Clone(i.Queues)
		return c
	case *Send:
		c := dup(i)
		c.Cells = slices.Clone(i.Cells)
		return c
	case *Receive:
		c := dup(i)
		c.Cells = slices.Clone(i.Cells)
		return c
	case *Close:
		return dup(i)
	case *IrqDisable:
		return dup(i)
	case *IrqEnable:
		return dup(i)
	case *Fence:
		return dup(i)
	case *Yield:
		return dup(i)
	}
	return in
}

func dup[T any](p *T) *T {
	c := *p
	return &c
}
