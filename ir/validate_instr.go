package ir

import "slices"

func (v *validator) instr(in Instr) {
	if in == nil {
		v.errorf("it is missing")
		return
	}
	if v.seen[in] {
		v.errorf("%s occurs twice: every instruction must be its own", InstrString(in))
	}
	v.seen[in] = true
	for _, r := range Defs(in) {
		if !v.regs[r] {
			v.errorf("the register %s is not of this function", regText(r))
		}
	}
	switch i := in.(type) {
	case *Assign:
		v.required(i.Dst)
		if v.expr(i.X) && i.Dst != nil && !compatible(i.Dst.Type, i.X.Type()) {
			v.errorf("%s of type %s gets %s of type %s", i.Dst.Name, typeText(i.Dst.Type), ExprString(i.X), typeText(i.X.Type()))
		}
	case *Load:
		v.required(i.Dst)
		v.ptr(i.Addr)
		v.order(i.Order)
		if i.Dst != nil {
			v.scalar("a loaded cell", i.Dst.Type, false)
		}
	case *Store:
		v.ptr(i.Addr)
		v.cell(i.Val)
		v.order(i.Order)
	case *RMW:
		v.ptr(i.Addr)
		v.cell(i.Val)
		v.order(i.Order)
		v.oneOf("operator", i.Op, "add", "sub", "and", "or", "xor", "nand", "xchg")
		v.dstType(i.Dst, i.Val)
	case *CmpXchg:
		v.ptr(i.Addr)
		v.cell(i.Expected)
		v.cell(i.New)
		v.order(i.Order)
		v.dstType(i.Dst, i.New)
		v.dstBool(i.OK)
	case *Alloc:
		v.required(i.Dst)
		v.typ("what is allocated", i.Elem)
		v.integer(i.Count)
		if i.Bytes != nil {
			v.integer(i.Bytes)
		}
		v.oneOf("kind", i.Kind, "stack", "heap")
		v.dstPtr(i.Dst)
	case *Free:
		v.ptr(i.Addr)
	case *MemCopy:
		v.ptr(i.Dst)
		v.ptr(i.Src)
		v.integer(i.Size)
		v.order(i.Order)
		if i.Elem != nil {
			v.typ("what is copied", i.Elem)
		}
	case *MemSet:
		v.ptr(i.Dst)
		v.integer(i.Val)
		v.integer(i.Size)
		v.order(i.Order)
	case *Touch:
		v.ptr(i.Addr)
		if i.Size != nil {
			v.integer(i.Size)
		}
	case *Havoc:
		v.required(i.Dst)
	case *Assume:
		v.cond(i.Cond)
	case *Assert:
		v.cond(i.Cond)
	case *Call:
		v.call(i)
	default:
		v.syncInstr(in)
	}
}

func (v *validator) syncInstr(in Instr) {
	switch i := in.(type) {
	case *Lock:
		v.ptr(i.Lock)
		v.oneOf("mode", string(i.Mode), string(Exclusive), string(Shared))
		v.dstBool(i.Dst)
		if i.Dst != nil && !i.Try {
			v.errorf("a lock that is not tried has no result")
		}
	case *Unlock:
		v.ptr(i.Lock)
		v.oneOf("mode", string(i.Mode), string(Exclusive), string(Shared), "")
	case *LockInit:
		v.ptr(i.Lock)
	case *CondWait:
		v.ptr(i.Cond)
		v.ptr(i.Mutex)
		v.dstBool(i.Dst)
	case *CondSignal:
		v.ptr(i.Cond)
	case *SemInit:
		v.ptr(i.Sem)
		v.integer(i.Val)
	case *SemWait:
		v.ptr(i.Sem)
		v.dstBool(i.Dst)
	case *SemPost:
		v.ptr(i.Sem)
	case *BarrierInit:
		v.ptr(i.Barrier)
		v.integer(i.Count)
	case *BarrierWait:
		v.ptr(i.Barrier)
		v.dstBool(i.Dst)
	case *Once:
		v.ptr(i.Ctl)
		v.ptr(i.Fn)
	case *Spawn:
		v.ptr(i.Fn)
		v.exprs(i.Args, false)
		if i.HandleAddr != nil {
			v.ptr(i.HandleAddr)
		}
		v.dstBool(i.OK)
	case *Join:
		v.expr(i.Handle)
	case *Detach:
		v.expr(i.Handle)
	case *Register:
		v.exprs([]Expr{i.Obj, i.Fn}, true)
		v.exprs(i.Args, true)
		if i.Fn != nil && len(i.Kinds) == 0 {
			v.errorf("a registered function needs a kind")
		}
	case *Unregister:
		v.exprs([]Expr{i.Obj}, true)
	case *Fence:
		v.order(i.Order)
	case *IrqDisable:
		v.oneOf("kind", i.Kind, "irq", "bh", "preempt")
	case *IrqEnable:
		v.oneOf("kind", i.Kind, "irq", "bh", "preempt")
	case *AtomicBegin, *AtomicEnd, *Yield:
	case *Await:
		v.await(i)
	case *Send:
		v.message(&i.Message, true)
		v.dstBool(i.Closed)
	case *Receive:
		v.message(&i.Message, false)
		v.dstBool(i.OK)
	case *Close:
		v.ptr(i.Chan)
		v.dstBool(i.Closed)
	default:
		v.errorf("an unknown instruction %T", in)
	}
}

func (v *validator) await(i *Await) {
	if len(i.Dsts) != len(i.Addrs) {
		v.errorf("%d registers for %d addresses", len(i.Dsts), len(i.Addrs))
		return
	}
	for k, r := range i.Dsts {
		v.required(r)
		v.ptr(i.Addrs[k])
		if r == nil {
			continue
		}
		v.scalar("a cell that is waited for", r.Type, false)
		if slices.Contains(i.Dsts[:k], r) {
			v.errorf("the register %s is set twice", regText(r))
		}
		for _, a := range i.Addrs {
			if a != nil && UsesReg(a, r) {
				v.errorf("the address %s depends on what is read", ExprString(a))
			}
		}
	}
	v.cond(i.Cond)
	for _, q := range i.Queues {
		v.oneOf("operation on a queue", string(q.Op), string(QueueSend), string(QueueReceive))
		if q.At < 0 || q.At+1 >= len(i.Addrs) || i.Dsts[q.At] == nil || i.Dsts[q.At+1] == nil {
			v.errorf("a queue at %d of %d addresses", q.At, len(i.Addrs))
		} else if !Equal(i.Dsts[q.At+1].Type, I32) {
			v.errorf("a queue with a number of messages that is no i32")
		}
	}
}

func (v *validator) exprs(es []Expr, nilOK bool) {
	for _, e := range es {
		if e != nil || !nilOK {
			v.expr(e)
		}
	}
}

func (v *validator) required(r *Reg) {
	if r == nil {
		v.errorf("the destination is missing")
	}
}

// cell checks that e can be stored.
func (v *validator) cell(e Expr) {
	if v.expr(e) {
		v.scalar("a stored cell", e.Type(), false)
	}
}

func (v *validator) dstType(r *Reg, e Expr) {
	if r != nil && e != nil && !compatible(r.Type, e.Type()) {
		v.errorf("%s of type %s gets a cell of type %s", r.Name, typeText(r.Type), typeText(e.Type()))
	}
}

func (v *validator) dstBool(r *Reg) {
	if r != nil && !Equal(r.Type, Bool{}) {
		v.errorf("the result %s is no bool", r.Name)
	}
}

func (v *validator) dstPtr(r *Reg) {
	if r != nil && !IsPtr(r.Type) {
		v.errorf("%s, which gets an address, is no pointer", r.Name)
	}
}

func (v *validator) order(o Order) {
	v.oneOf("order", string(o), string(Plain), string(Volatile), string(Marked), string(Relaxed), string(Acquire),
		string(Release), string(AcqRel), string(SeqCst))
}

func (v *validator) oneOf(what, s string, allowed ...string) {
	if !slices.Contains(allowed, s) {
		v.errorf("the %s %q is none of %q", what, s, allowed)
	}
}

func (v *validator) call(c *Call) {
	v.ptr(c.Callee)
	n := len(v.errs)
	v.exprs(c.Args, false)
	fa, direct := c.Callee.(FuncAddr)
	if !direct || fa.Func == nil || len(v.errs) > n {
		return
	}
	f := fa.Func
	if len(c.Args) < len(f.Params) || len(c.Args) > len(f.Params) && !f.Variadic {
		v.errorf("%d arguments for %q, which takes %d", len(c.Args), f.Name, len(f.Params))
		return
	}
	for i, p := range f.Params {
		if isScalar(p.Type) && !compatible(p.Type, c.Args[i].Type()) {
			v.errorf("argument %d of %q is %s, not %s", i, f.Name, typeText(c.Args[i].Type()), typeText(p.Type))
		}
	}
	if c.Dst != nil && isScalar(f.Result) && !compatible(c.Dst.Type, f.Result) || c.Dst != nil && Equal(f.Result, Void{}) {
		v.errorf("%s of type %s gets the result of %q, %s", c.Dst.Name, typeText(c.Dst.Type), f.Name, typeText(f.Result))
	}
}

func (v *validator) term(t Term) {
	switch t := t.(type) {
	case nil:
		v.errorf("no terminator")
		return
	case *Goto:
		if len(t.Targets) == 0 {
			v.errorf("goto without targets")
		}
	case *Branch:
		v.cond(t.Cond)
	case *Return:
		v.result(t.Val)
	case *Stop:
		v.oneOf("kind of stop", t.Kind, "exit", "abort", "unreachable")
		if t.Val != nil && t.Kind != "exit" {
			v.errorf("only the end of a thread has a result, and not %s", t.Kind)
		}
	case *Selection:
		v.selects(t)
	}
	for _, b := range t.Succs() {
		if b == nil || !v.blocks[b] {
			v.errorf("it goes to the block %s, which is not of this function", blockText(b))
		}
	}
}

func (v *validator) result(e Expr) {
	void := Equal(v.fnow.Result, Void{})
	switch {
	case e == nil && !void:
		v.errorf("return without a value")
	case e == nil:
	case void:
		v.errorf("return with a value from a void function")
	case v.expr(e) && !compatible(v.fnow.Result, e.Type()):
		v.errorf("return of %s, not %s", typeText(e.Type()), typeText(v.fnow.Result))
	}
}
