package vm

import (
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/ir/irutil"
)

// Compile prepares p for execution. p must be valid (ir.Validate) and must not change
// afterwards. What the machine does not take is compiled to an instruction that says so
// when it is reached.
func Compile(p *ir.Program) (*Program, error) { return CompileQuiet(p, nil) }

// CompileQuiet is Compile where quiet accesses to memory are known not to race: in no
// execution is another thread about to make a conflicting one at the same time. Outside
// of atomic sections they are no events, but made with the event before.
//
// That leaves out no behaviour. Between an event of a thread and a quiet access behind
// it, the thread only does what depends on nobody else. So where another thread made a
// conflicting access in between, both would be about to make theirs right before that
// one. There is none, and the access can be made at once. In an atomic section it is part
// of what orders sections, and counts. A write may be what an await waits for, which is
// no race: it is no event, but part of the one before.
func CompileQuiet(p *ir.Program, quiet func(ir.Instr) bool) (*Program, error) {
	if err := ir.Validate(p); err != nil {
		return nil, fmt.Errorf("vm: %w", err)
	}
	if slices.ContainsFunc(p.Globals, (*ir.Global).IsSelf) {
		return nil, fmt.Errorf("vm: a thread that uses its own handle")
	}
	m := &Program{IR: p, quiet: quiet, fnOf: map[*ir.Func]*fn{}, globals: map[*ir.Global]uint32{},
		tls: map[*ir.Global]int{}, own: irutil.OwnOf(p, irutil.Rules{Handles: true, Scopes: true})}
	for _, f := range p.Funcs {
		x := &fn{f: f, result: f.Result}
		m.funcs = append(m.funcs, x)
		m.fnOf[f] = x
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			m.awaits = m.awaits || slices.ContainsFunc(b.Instrs,
				func(in ir.Instr) bool { _, is := in.(*ir.Await); return is })
		}
	}
	m.unused = unusedResults(p)
	m.layGlobals()
	for _, x := range m.funcs {
		(&fc{m: m, x: x}).compile()
		x.first = int32(len(m.sources))
		m.sources = append(m.sources, x.src...)
	}
	return m, nil
}

// fc compiles one function.
type fc struct {
	m     *Program
	x     *fn
	slots map[*ir.Reg]operand
	start map[*ir.Block]int32
	mine  *irutil.OwnIn // variables that nobody else knows
	live  map[ir.Instr]bool
	// registers that are asked for where they are used, and whether they were
	lazy map[*ir.Reg]operand
	// registers that are a result which nothing uses
	unused map[*ir.Reg]bool
	consts map[uint64]operand
	temp   int // next free temporary
	at     any // the instruction or terminator that is compiled
	fixups []fixup
	prior  []ir.Instr // of the block
}

// fixup is an instruction whose targets are blocks that have no place yet.
type fixup struct {
	pc     int
	c, d   *ir.Block
	target []*ir.Block
}

func (c *fc) compile() {
	f := c.x.f
	c.slots, c.start, c.consts = map[*ir.Reg]operand{}, map[*ir.Block]int32{}, map[uint64]operand{}
	for _, r := range f.Params {
		c.x.params = append(c.x.params, r.Type)
		c.register(r)
	}
	for _, r := range f.Regs {
		c.register(r)
	}
	if len(f.Blocks) == 0 {
		return
	}
	c.mine, c.live, c.lazy = c.m.own.In(f), irutil.LiveDefs(f), map[*ir.Reg]operand{}
	if c.m.unused[f] {
		c.unused = onlyReturned(f)
	}
	for _, r := range lazyRegs(f) {
		c.lazy[r] = operand(c.x.slots)
		c.x.slots++
	}
	base := c.x.slots
	for _, b := range f.Blocks {
		c.start[b] = int32(len(c.x.code))
		for k, in := range b.Instrs {
			c.at, c.temp, c.prior = in, base, b.Instrs[:k]
			c.instr(in)
		}
		c.at, c.temp = b.Term, base
		c.term(b.Term)
	}
	for _, x := range c.fixups {
		in := &c.x.code[x.pc]
		if x.c != nil {
			in.c = c.start[x.c]
		}
		if x.d != nil {
			in.d = operand(c.start[x.d])
		}
		if x.target != nil {
			var ts []int32
			for _, b := range x.target {
				ts = append(ts, c.start[b])
			}
			in.aux = int32(len(c.x.targets))
			c.x.targets = append(c.x.targets, ts)
		}
	}
	c.x.uninit = irutil.Uninitialised(f)
	c.liveness(base)
}

func (c *fc) register(r *ir.Reg) {
	c.slots[r] = operand(c.x.slots)
	c.x.slots++
}

// emit appends an instruction and returns its place.
func (c *fc) emit(in ins) int {
	switch in.op {
	case opLoad, opStore, opCopy, opSet:
		if i, ok := c.at.(ir.Instr); ok && c.m.quiet != nil && in.flags&flagAtomic == 0 && c.m.quiet(i) {
			in.flags |= flagQuiet
		}
	}
	c.x.code = append(c.x.code, in)
	c.x.src = append(c.x.src, c.at)
	c.x.temps = append(c.x.temps, int32(c.temp))
	return len(c.x.code) - 1
}

// here is the place of the next instruction.
func (c *fc) here() int32 { return int32(len(c.x.code)) }

// scratch is a fresh temporary.
func (c *fc) scratch() operand {
	c.temp++
	c.x.slots = max(c.x.slots, c.temp)
	return operand(c.temp - 1)
}

// constant is the operand of a number.
func (c *fc) constant(v uint64) operand {
	k, ok := c.consts[v]
	if !ok {
		k = ^operand(len(c.x.consts))
		c.x.consts = append(c.x.consts, v)
		c.consts[v] = k
	}
	return k
}

// unsupported is an instruction that stops the machine.
func (c *fc) unsupported(format string, args ...any) operand {
	c.emit(ins{op: opUnsupported, aux: int32(len(c.x.reasons))})
	c.x.reasons = append(c.x.reasons, fmt.Sprintf(format, args...))
	return c.constant(0)
}

// dst is the destination of a register that is set; none where nothing reads it.
func (c *fc) dst(r *ir.Reg) operand {
	if r == nil {
		return none
	}
	if r.Ghost {
		c.unsupported("the ghost register %s", r.Name)
		return none
	}
	if !narrowEnough(r.Type) {
		c.unsupported("the register %s of type %s", r.Name, r.Type)
		return none
	}
	return c.slots[r]
}

// narrowEnough reports whether a value of the type is one word that the machine knows.
func narrowEnough(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Int:
		return t.Bits <= 64
	case ir.Bool, ir.Void:
		return true
	case ir.Ptr:
		return !t.Narrow
	case ir.Opaque:
		return t.Bytes == 4 || t.Bytes == 8
	}
	return false
}

// norm tells how results of a type are normalised.
func norm(t ir.Type) (bits uint8, signed bool) {
	switch t := t.(type) {
	case ir.Int:
		return uint8(min(t.Bits, 64)), t.Signed
	case ir.Bool:
		return 1, false
	case ir.Opaque:
		return uint8(min(8*t.Bytes, 64)), false
	}
	return 64, false
}

// isSigned reports whether comparisons of a type are of signed numbers.
func isSigned(t ir.Type) bool {
	it, ok := t.(ir.Int)
	return ok && it.Signed
}

func orderFlags(o ir.Order) uint8 {
	if o.Atomic() {
		return flagAtomic
	}
	return 0
}

// typed is an instruction whose result is of a type.
func typed(op opcode, t ir.Type) ins {
	b, s := norm(t)
	return ins{op: op, bits: b, signed: s}
}

// cell is an instruction on a memory cell of a type.
func cell(op opcode, t ir.Type, o ir.Order) ins {
	in := typed(op, t)
	in.size, in.flags = uint8(t.Size()), orderFlags(o)
	return in
}

func (c *fc) own(in ins, addr ir.Expr) ins {
	if c.mine.Address(addr) {
		in.flags |= flagOwn
	}
	return in
}

// instr compiles an instruction.
func (c *fc) instr(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Assign:
		if c.live[in] {
			if d := c.dst(i.Dst); d != none {
				c.into(d, i.X)
			}
		}
	case *ir.Load:
		d := c.dst(i.Dst)
		if d == none {
			return
		}
		op := c.own(cell(opLoad, i.Dst.Type, i.Order), i.Addr)
		op.x, op.d, op.aux = c.expr(i.Addr), d, c.typ(i.Dst.Type)
		c.emit(op)
	case *ir.Store:
		t := i.Val.Type()
		if !narrowEnough(t) {
			c.unsupported("a store of type %s", t)
			return
		}
		op := c.own(cell(opStore, t, i.Order), i.Addr)
		op.x, op.y = c.expr(i.Addr), c.expr(i.Val)
		c.emit(op)
	case *ir.RMW:
		c.rmw(i)
	case *ir.CmpXchg:
		c.cmpXchg(i)
	case *ir.Alloc:
		c.alloc(i)
	case *ir.Free:
		op := ins{op: opFree, x: c.expr(i.Addr)}
		if i.Scope {
			op.flags |= flagAny
		}
		c.emit(c.own(op, i.Addr))
	case *ir.MemCopy:
		op := ins{op: opCopy, flags: orderFlags(i.Order), d: c.expr(i.Dst), x: c.expr(i.Src), y: c.expr(i.Size)}
		if i.Fit {
			op.flags |= flagAny
		}
		if c.mine.Address(i.Dst) && c.mine.Address(i.Src) {
			op.flags |= flagOwn
		}
		c.emit(op)
	case *ir.MemSet:
		c.emit(c.own(ins{op: opSet, flags: orderFlags(i.Order), d: c.expr(i.Dst), x: c.expr(i.Val), y: c.expr(i.Size)}, i.Dst))
	case *ir.Touch:
		c.touch(i)
	case *ir.Havoc:
		c.havoc(i)
	case *ir.Assume:
		c.assume(i)
	case *ir.Assert:
		c.emit(ins{op: opAssert, x: c.expr(i.Cond)})
	case *ir.Call:
		c.call(i)
	default:
		c.syncInstr(in)
	}
}

// typ is the index of a type in the function's table.
func (c *fc) typ(t ir.Type) int32 {
	c.x.types = append(c.x.types, t)
	return int32(len(c.x.types) - 1)
}

// rmwOps are the operators of a read-modify-write; "xchg" and "nand" are said with an
// opcode of their own.
var rmwOps = map[string]opcode{"add": opAdd, "sub": opSub, "and": opAnd, "or": opOr, "xor": opXor, "nand": opNot, "xchg": opMov}

func (c *fc) rmw(i *ir.RMW) {
	t := i.Val.Type()
	op, ok := rmwOps[i.Op]
	if !ok || !narrowEnough(t) {
		c.unsupported("the read-modify-write %s of type %s", i.Op, t)
		return
	}
	in := c.own(cell(opRMW, t, i.Order), i.Addr)
	in.x, in.y, in.d, in.c, in.aux = c.expr(i.Addr), c.expr(i.Val), c.dst(i.Dst), int32(op), c.typ(t)
	c.emit(in)
}

// cmpXchg compiles an exchange: x address, y expected, c new value, d old value, and aux
// the register that tells.
func (c *fc) cmpXchg(i *ir.CmpXchg) {
	t := i.New.Type()
	if !narrowEnough(t) {
		c.unsupported("an exchange of type %s", t)
		return
	}
	in := c.own(cell(opCmpXchg, t, i.Order), i.Addr)
	in.x, in.y, in.c = c.expr(i.Addr), c.expr(i.Expected), int32(c.expr(i.New))
	in.d, in.aux = c.dst(i.Dst), int32(c.dst(i.OK))
	if i.Weak {
		in.flags |= flagWeak
	}
	c.emit(in)
}

func (c *fc) alloc(i *ir.Alloc) {
	for k := len(c.prior) - 1; k >= 0; k-- {
		if h, ok := c.prior[k].(*ir.Havoc); ok && ir.UsesReg(i.Count, h.Dst) {
			c.unsupported("an object of arbitrary size")
			return
		}
	}
	in := ins{op: opAlloc, d: c.dst(i.Dst), x: c.expr(i.Count), aux: int32(len(c.x.alloc))}
	c.x.alloc = append(c.x.alloc, i)
	if c.mine.Local(i.Dst) {
		in.flags |= flagOwn
	}
	c.emit(in)
}

func (c *fc) touch(i *ir.Touch) {
	if i.Deep {
		c.unsupported("an access of code not seen to all that is reached from an object")
		return
	}
	in := ins{op: opTouch, x: c.expr(i.Addr), y: none}
	if i.Size != nil {
		in.y = c.expr(i.Size)
	}
	in.aux = int32(len(c.x.reasons))
	c.x.reasons = append(c.x.reasons, i.Why)
	c.emit(c.own(in, i.Addr))
}

// havoc compiles Havoc. A value that is used in one place only is asked for there, if at
// all.
func (c *fc) havoc(i *ir.Havoc) {
	d := c.dst(i.Dst)
	switch {
	case d == none:
	case !c.live[i] || c.unused[i.Dst]:
		c.emit(ins{op: opLazy, d: none})
	case ir.IsPtr(i.Dst.Type):
		c.unsupported("an arbitrary pointer")
	case c.isLazy(i.Dst):
		c.emit(ins{op: opLazy, d: c.lazy[i.Dst]})
	default:
		in := typed(opChoose, i.Dst.Type)
		in.d, in.aux = d, c.typ(i.Dst.Type)
		c.emit(in)
	}
}

func (c *fc) isLazy(r *ir.Reg) bool {
	_, ok := c.lazy[r]
	return ok
}

// assume compiles Assume. As in package interp, a value that was just made arbitrary is
// replaced by one that makes the condition true, where one is found among the constants
// of the condition and their neighbours.
func (c *fc) assume(i *ir.Assume) {
	r, values := irutil.Unread(c.prior, i.Cond, func(r *ir.Reg) bool { return narrowEnough(r.Type) })
	in := ins{op: opAssume, d: none, y: none}
	if r != nil && !c.isLazy(r) {
		b, s := norm(r.Type)
		for k, v := range values {
			values[k] = normalise(v, b, s)
		}
		in.d, in.y = c.slots[r], c.scratch()
		c.emit(ins{op: opMov, bits: 64, d: in.y, x: c.constant(0)})
		in.aux = int32(len(c.x.lists))
		c.x.lists = append(c.x.lists, values)
	}
	in.c = c.here()
	in.x = c.expr(i.Cond)
	c.emit(in)
}

func (c *fc) call(i *ir.Call) {
	var args []operand
	for _, a := range i.Args {
		if a == nil || !narrowEnough(a.Type()) {
			c.unsupported("an argument that is not one word")
			return
		}
		args = append(args, c.expr(a))
	}
	in := ins{op: opCallPtr, d: none, aux: int32(len(c.x.calls)), bits: 64}
	c.x.calls = append(c.x.calls, args)
	if i.Dst != nil {
		in.d = c.dst(i.Dst)
		in.bits, in.signed = norm(i.Dst.Type)
		if !c.live[i] {
			in.flags |= flagAny // the result is not read
		}
	}
	if fa, ok := i.Callee.(ir.FuncAddr); ok {
		in.op, in.c = opCall, int32(c.m.index(fa.Func))
		c.emit(in)
		return
	}
	in.x = c.expr(i.Callee)
	c.emit(in)
}

func (m *Program) index(f *ir.Func) int {
	for i, x := range m.funcs {
		if x.f == f {
			return i
		}
	}
	return -1
}

// term compiles a terminator.
func (c *fc) term(t ir.Term) {
	switch t := t.(type) {
	case *ir.Goto:
		if len(t.Targets) == 1 {
			c.fixups = append(c.fixups, fixup{pc: c.emit(ins{op: opJump}), c: t.Targets[0]})
			return
		}
		c.fixups = append(c.fixups, fixup{pc: c.emit(ins{op: opBranchN}), target: t.Targets})
	case *ir.Branch:
		x := c.expr(t.Cond)
		c.fixups = append(c.fixups, fixup{pc: c.emit(ins{op: opIf, x: x}), c: t.Then, d: t.Else})
	case *ir.Return:
		in := ins{op: opReturn, x: none}
		if t.Val != nil && narrowEnough(t.Val.Type()) {
			in.x = c.expr(t.Val)
		} else if t.Val != nil {
			c.unsupported("a result of type %s", t.Val.Type())
		}
		c.emit(in)
	case *ir.Stop:
		switch t.Kind {
		case "exit":
			in := ins{op: opExit, x: none}
			if t.Val != nil {
				in.x = c.expr(t.Val)
			}
			c.emit(in)
		case "abort":
			c.emit(ins{op: opAbort})
		default:
			c.emit(ins{op: opStuck})
		}
	}
}
