package vm

import "whoop/ir"

// syncInstr compiles the synchronisation instructions.
func (c *fc) syncInstr(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Lock:
		op := ins{op: opLock, x: c.expr(i.Lock), d: none}
		if i.Try {
			op.op, op.d = opTryLock, c.dst(i.Dst)
		}
		op.flags = lockFlags(i.Mode, i.Recursive)
		c.emit(op)
	case *ir.Unlock:
		op := ins{op: opUnlock, x: c.expr(i.Lock), flags: lockFlags(i.Mode, false)}
		if i.Mode == "" {
			op.flags |= flagAny
		}
		c.emit(op)
	case *ir.LockInit:
		op := ins{op: opLockInit, x: c.expr(i.Lock), flags: lockFlags(ir.Exclusive, i.Recursive)}
		if i.Destroy {
			op.flags |= flagAny
		}
		c.emit(op)
	case *ir.CondWait:
		op := ins{op: opCondWait, x: c.expr(i.Cond), y: c.expr(i.Mutex), d: c.dst(i.Dst)}
		if i.Timed {
			op.flags |= flagAny
		}
		c.emit(op)
	case *ir.CondSignal:
		op := ins{op: opSignal, x: c.expr(i.Cond)}
		if i.Broadcast {
			op.flags |= flagAll
		}
		c.emit(op)
	case *ir.SemInit:
		c.emit(ins{op: opSemInit, x: c.expr(i.Sem), y: c.expr(i.Val)})
	case *ir.BarrierInit:
		c.emit(ins{op: opBarrierInit, x: c.expr(i.Barrier), y: c.expr(i.Count)})
	case *ir.SemWait:
		op := ins{op: opSemWait, x: c.expr(i.Sem), d: c.dst(i.Dst)}
		if i.Try {
			op.op = opSemTry
		}
		c.emit(op)
	case *ir.SemPost:
		op := ins{op: opSemPost, x: c.expr(i.Sem)}
		if i.All {
			op.flags |= flagAll
		}
		c.emit(op)
	case *ir.BarrierWait:
		c.emit(ins{op: opBarrier, x: c.expr(i.Barrier), d: c.dst(i.Dst)})
	case *ir.Once:
		c.emit(ins{op: opOnce, x: c.expr(i.Ctl), y: c.expr(i.Fn)})
	default:
		c.threadInstr(in)
	}
}

func lockFlags(m ir.Mode, recursive bool) uint8 {
	var f uint8
	if m == ir.Shared {
		f |= flagShared
	}
	if recursive {
		f |= flagRecurse
	}
	return f
}

// threadInstr compiles threads and atomic sections.
func (c *fc) threadInstr(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Spawn:
		c.spawn(i)
	case *ir.Join:
		op := ins{op: opJoin, x: c.expr(i.Handle), d: c.dst(i.Dst), bits: 64}
		if i.Dst != nil {
			op.bits, op.signed = norm(i.Dst.Type)
		}
		c.emit(op)
	case *ir.Detach:
		c.emit(ins{op: opDetach, x: c.expr(i.Handle)})
	case *ir.AtomicBegin:
		c.emit(ins{op: opAtomicBegin})
	case *ir.AtomicEnd:
		c.emit(ins{op: opAtomicEnd})
	case *ir.Await:
		c.await(i)
	case *ir.Fence, *ir.Yield:
	default:
		c.unsupported("%T", in)
	}
}

// spawn compiles Spawn: d the register of the handle, y the address where it is stored, c
// the one that tells whether the thread exists.
func (c *fc) spawn(i *ir.Spawn) {
	var args []operand
	for _, a := range i.Args {
		if a == nil || !narrowEnough(a.Type()) {
			c.unsupported("an argument that is not one word")
			return
		}
		args = append(args, c.expr(a))
	}
	in := ins{op: opSpawn, x: c.expr(i.Fn), y: none, d: c.dst(i.Dst), c: int32(c.dst(i.OK)), aux: int32(len(c.x.calls)), size: 8}
	c.x.calls = append(c.x.calls, args)
	if i.Dst != nil && ir.IsPtr(i.Dst.Type) {
		c.unsupported("a thread's handle that is a pointer")
		return
	}
	if i.HandleAddr != nil {
		in.y = c.expr(i.HandleAddr)
		if p, ok := i.HandleAddr.Type().(ir.Ptr); ok {
			switch t := p.Elem.(type) {
			case ir.Int:
				in.size = uint8(t.Size())
			case ir.Ptr:
				c.unsupported("a thread's handle that is a pointer")
				return
			}
		}
		in = c.own(in, i.HandleAddr)
	}
	c.emit(in)
}

// await compiles Await: the addresses, the condition, which is jumped over, and the
// operation itself.
func (c *fc) await(i *ir.Await) {
	w := await{queues: i.Queues}
	for k, a := range i.Addrs {
		w.addrs = append(w.addrs, c.expr(a))
		w.dsts = append(w.dsts, c.dst(i.Dsts[k]))
		w.types = append(w.types, i.Dsts[k].Type)
	}
	jump := c.emit(ins{op: opJump})
	w.start = c.here()
	w.cond = c.expr(i.Cond)
	c.emit(ins{op: opNop})
	c.x.code[jump].c = c.here()
	c.x.awaits = append(c.x.awaits, w)
	c.emit(ins{op: opAwait, aux: int32(len(c.x.awaits) - 1)})
}
