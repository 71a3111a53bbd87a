package boogie

import (
	"fmt"

	"whoop/ir"
)

// into lets f set the variable of a register; a ghost is set by way of a temporary.
func (p *proc) into(r *ir.Reg, f func(v string)) {
	if _, ghost := p.ghosts[r]; !ghost {
		f(p.reg(r))
		return
	}
	v := p.temp(r.Type)
	f(v)
	p.line("%s := %s;", p.reg(r), v)
}

// atomic puts what f writes into an atomic section.
func (p *proc) atomic(f func()) {
	p.line("%s", p.enter())
	f()
	p.line("%s", p.leave())
}

// enter and leave begin and end an atomic section. Corral's do not nest, so where the
// program has some of its own, they are counted.
func (t *program) enter() string {
	if t.feat.atomics {
		return "call $atomic_begin($tid);"
	}
	return "call corral_atomic_begin();"
}

func (t *program) leave() string {
	if t.feat.atomics {
		return "call $atomic_end($tid);"
	}
	return "call corral_atomic_end();"
}

// instr translates an instruction.
func (p *proc) instr(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Assign:
		p.line("%s := %s;", p.reg(i.Dst), bare(p.value(i.X)))
	case *ir.Load:
		a := p.value(i.Addr)
		p.into(i.Dst, func(v string) { p.load(p.cellClass(i), v, a, i.Dst.Type) })
	case *ir.Store:
		a := p.value(i.Addr)
		p.store(p.cellClass(i), a, p.expr(i.Val), i.Val.Type())
	case *ir.RMW:
		p.rmw(i)
	case *ir.CmpXchg:
		p.cmpXchg(i)
	case *ir.Alloc:
		p.alloc(i)
	case *ir.Free:
		p.line("// free %s", comment(ir.ExprString(i.Addr)))
	case *ir.MemCopy:
		p.memCopy(i)
	case *ir.MemSet:
		p.memSet(i)
	case *ir.Touch:
		p.touch(i)
	case *ir.Havoc:
		p.into(i.Dst, func(v string) {
			p.line("havoc %s;", v)
			p.inRange(v, i.Dst.Type)
		})
	case *ir.Assume:
		p.line("assume %s;", bare(p.value(i.Cond)))
	case *ir.Assert:
		p.assert(i)
	case *ir.Call:
		p.call(i)
	default:
		p.syncInstr(in)
	}
}

func (p *proc) assert(i *ir.Assert) {
	c, attrs := p.value(i.Cond), ""
	if i.Pos.Line != 0 {
		attrs = fmt.Sprintf("{:sourcefile %s} {:sourceline %d} ", attribute(i.Pos.File), i.Pos.Line)
	}
	if i.Tag != "" {
		attrs += fmt.Sprintf("{:tag %s} ", attribute(i.Tag))
	}
	if i.Msg != "" {
		attrs += fmt.Sprintf("{:msg %s} ", attribute(i.Msg))
	}
	p.line("assert %s%s;", attrs, bare(c))
}

// syncInstr translates the synchronisation instructions.
func (p *proc) syncInstr(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Lock:
		p.lock(i)
	case *ir.Unlock:
		p.line("call %s($tid, %s);", p.use(unlockName(i.Mode)), p.value(i.Lock))
	case *ir.LockInit:
		p.lockInit(i)
	case *ir.CondWait:
		c, m := p.value(i.Cond), p.value(i.Mutex)
		p.result(i.Dst, ir.Bool{}, "%s($tid, %s, %s, %t)", p.use("$cond_wait"), c, m, i.Timed)
	case *ir.CondSignal:
		name := "$cond_signal"
		if i.Broadcast {
			name = "$cond_broadcast"
		}
		p.line("call %s($tid, %s);", p.use(name), p.value(i.Cond))
	case *ir.SemInit:
		a, v := p.value(i.Sem), p.value(i.Val)
		p.line("%s[%s] := %s;", p.use("$count"), a, v)
	case *ir.BarrierInit:
		a, v := p.value(i.Barrier), p.value(i.Count)
		p.line("%s[%s] := %s;", p.use("$count"), a, v)
		p.line("%s[%s] := 0;", p.use("$arrived"), a)
	case *ir.SemWait:
		if i.Try {
			p.result(i.Dst, ir.Bool{}, "%s($tid, %s)", p.use("$sem_trywait"), p.value(i.Sem))
			return
		}
		p.line("call %s($tid, %s);", p.use("$sem_wait"), p.value(i.Sem))
		p.set(i.Dst, "true")
	case *ir.SemPost:
		name := "$sem_post"
		if i.All {
			name = "$sem_post_all"
		}
		p.line("call %s($tid, %s);", p.use(name), p.value(i.Sem))
	case *ir.BarrierWait:
		p.result(i.Dst, ir.Bool{}, "%s($tid, %s)", p.use("$barrier_wait"), p.value(i.Barrier))
	default:
		p.threadInstr(in)
	}
}

// result calls a procedure with one result of type t, which goes to dst, or nowhere.
func (p *proc) result(dst *ir.Reg, t ir.Type, format string, args ...any) {
	if dst == nil {
		p.line("call %s := %s;", p.temp(t), fmt.Sprintf(format, args...))
		return
	}
	p.into(dst, func(v string) { p.line("call %s := %s;", v, fmt.Sprintf(format, args...)) })
}

func (p *proc) set(dst *ir.Reg, v string) {
	if dst != nil {
		p.line("%s := %s;", p.reg(dst), v)
	}
}

func (p *proc) lock(i *ir.Lock) {
	name := "$lock"
	if i.Try {
		name = "$trylock"
	}
	if i.Mode == ir.Shared {
		name += "_shared"
	}
	args := "$tid, " + p.value(i.Lock)
	if p.feat.recursive {
		args += fmt.Sprintf(", %t", i.Recursive)
	}
	if i.Try {
		p.result(i.Dst, ir.Bool{}, "%s(%s)", p.use(name), args)
		return
	}
	p.line("call %s(%s);", p.use(name), args)
	p.set(i.Dst, "true")
}

func unlockName(m ir.Mode) string {
	switch m {
	case ir.Exclusive:
		return "$unlock"
	case ir.Shared:
		return "$unlock_shared"
	}
	return "$unlock_any"
}

func (p *proc) lockInit(i *ir.LockInit) {
	a := p.value(i.Lock)
	if i.Destroy {
		p.line("// the lock at %s ends", a)
		return
	}
	p.line("%s[%s] := 0;", p.use("$owner"), a)
	if p.feat.shared {
		p.line("%s[%s] := 0;", p.use("$readers"), a)
	}
	if p.feat.recursive {
		p.line("%s[%s] := 0;", p.use("$depth"), a)
		p.line("%s[%s] := %t;", p.use("$recursive"), a, i.Recursive)
	}
}

// threadInstr translates the instructions about threads, atomic sections, interrupts and
// entry points.
func (p *proc) threadInstr(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Once:
		p.once(i)
	case *ir.Spawn:
		p.spawn(i)
	case *ir.Join:
		p.join(i)
	case *ir.Detach:
		p.line("// detach %s", comment(ir.ExprString(i.Handle)))
	case *ir.AtomicBegin:
		p.line("%s", p.enter())
	case *ir.AtomicEnd:
		p.line("%s", p.leave())
	case *ir.IrqDisable:
		p.line("// disables %s: other processors go on", comment(i.Kind))
	case *ir.IrqEnable:
		p.line("// enables %s", comment(i.Kind))
	case *ir.Register:
		p.register(i)
	case *ir.Unregister:
		p.line("// %s: unregisters", comment(i.API))
		p.note("unregistering does not end or wait for entry points: executions that it rules out are kept")
	case *ir.Fence:
		p.line("// fence %s: memory is sequentially consistent", i.Order)
	case *ir.Yield:
		p.line("yield;")
	default:
		panic(fmt.Sprintf("boogie: unknown instruction %T", in)) // ir.Validate knows them all
	}
}
