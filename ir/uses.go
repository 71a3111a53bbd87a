package ir

import "slices"

// slots calls e with the address of every operand expression of in that is not nil, and d
// with the address of every destination register that is not nil, in the order of the
// printed form. It is the one place that knows which fields of an instruction are
// operands.
func slots(in Instr, e func(*Expr), d func(**Reg)) {
	ex := func(xs ...*Expr) {
		for _, x := range xs {
			if *x != nil {
				e(x)
			}
		}
	}
	de := func(rs ...**Reg) {
		for _, r := range rs {
			if *r != nil {
				d(r)
			}
		}
	}
	args := func(as []Expr) {
		for i := range as {
			ex(&as[i])
		}
	}
	switch i := in.(type) {
	case *Assign:
		de(&i.Dst)
		ex(&i.X)
	case *Load:
		de(&i.Dst)
		ex(&i.Addr)
	case *Store:
		ex(&i.Addr, &i.Val)
	case *RMW:
		de(&i.Dst)
		ex(&i.Addr, &i.Val)
	case *CmpXchg:
		de(&i.Dst, &i.OK)
		ex(&i.Addr, &i.Expected, &i.New)
	case *Alloc:
		de(&i.Dst)
		ex(&i.Count, &i.Bytes)
	case *Free:
		ex(&i.Addr)
	case *MemCopy:
		ex(&i.Dst, &i.Src, &i.Size)
	case *MemSet:
		ex(&i.Dst, &i.Val, &i.Size)
	case *Touch:
		ex(&i.Addr, &i.Size)
	case *Havoc:
		de(&i.Dst)
	case *Assume:
		ex(&i.Cond)
	case *Assert:
		ex(&i.Cond)
	case *Call:
		de(&i.Dst)
		ex(&i.Callee)
		args(i.Args)
	case *Spawn:
		de(&i.Dst, &i.OK)
		ex(&i.Fn)
		args(i.Args)
		ex(&i.HandleAddr)
	case *Register:
		ex(&i.Obj, &i.Fn, &i.Of)
		args(i.Args)
	case *Unregister:
		ex(&i.Obj, &i.Of)
	default:
		syncSlots(in, ex, de)
	}
}

// syncSlots is slots for the synchronisation instructions.
func syncSlots(in Instr, ex func(...*Expr), de func(...**Reg)) {
	switch i := in.(type) {
	case *Lock:
		de(&i.Dst)
		ex(&i.Lock)
	case *Unlock:
		ex(&i.Lock)
	case *LockInit:
		ex(&i.Lock)
	case *CondWait:
		de(&i.Dst)
		ex(&i.Cond, &i.Mutex)
	case *CondSignal:
		ex(&i.Cond)
	case *SemInit:
		ex(&i.Sem, &i.Val)
	case *SemWait:
		de(&i.Dst)
		ex(&i.Sem)
	case *SemPost:
		ex(&i.Sem)
	case *BarrierInit:
		ex(&i.Barrier, &i.Count)
	case *BarrierWait:
		de(&i.Dst)
		ex(&i.Barrier)
	case *Once:
		ex(&i.Ctl, &i.Fn)
	case *Join:
		de(&i.Dst)
		ex(&i.Handle)
	case *Detach:
		ex(&i.Handle)
	case *Await:
		for k := range i.Addrs {
			if k < len(i.Dsts) {
				de(&i.Dsts[k])
			}
			ex(&i.Addrs[k])
		}
		ex(&i.Cond)
	default:
		messageSlots(in, ex, de)
	}
}

// Defs returns the registers in writes, without nils.
func Defs(in Instr) []*Reg {
	var out []*Reg
	slots(in, func(*Expr) {}, func(r **Reg) { out = append(out, *r) })
	return out
}

// Operands returns the expressions in evaluates, without nils, in the order of the
// printed form.
func Operands(in Instr) []Expr {
	var out []Expr
	slots(in, func(e *Expr) { out = append(out, *e) }, func(**Reg) {})
	return out
}

// MapOperands returns a copy of in whose operand expressions are replaced by f's results;
// nil operands stay nil. f gets whole operands; combine it with MapExpr to reach the
// nodes inside.
func MapOperands(in Instr, f func(Expr) Expr) Instr {
	out := CloneInstr(in)
	slots(out, func(e *Expr) { *e = f(*e) }, func(**Reg) {})
	return out
}

// MapDefs returns a copy of in whose destination registers are replaced by f's results; f
// may return nil only for destinations that may be nil.
func MapDefs(in Instr, f func(*Reg) *Reg) Instr {
	out := CloneInstr(in)
	slots(out, func(*Expr) {}, func(r **Reg) { *r = f(*r) })
	return out
}

// TermOperands returns the expressions t evaluates: a branch's condition, a return's or a
// thread's result, the queues of a Selection.
func TermOperands(t Term) []Expr {
	switch t := t.(type) {
	case *Branch:
		if t.Cond != nil {
			return []Expr{t.Cond}
		}
	case *Return:
		if t.Val != nil {
			return []Expr{t.Val}
		}
	case *Stop:
		if t.Val != nil {
			return []Expr{t.Val}
		}
	case *Selection:
		var out []Expr
		for _, c := range t.Cases {
			out = append(out, c.Chan)
		}
		return out
	}
	return nil
}

// MapTerm returns a copy of t with f applied to its operand and b to its targets (nil
// functions change nothing).
func MapTerm(t Term, f func(Expr) Expr, b func(*Block) *Block) Term {
	if f == nil {
		f = func(e Expr) Expr { return e }
	}
	if b == nil {
		b = func(b *Block) *Block { return b }
	}
	switch t := t.(type) {
	case *Goto:
		c := *t
		c.Targets = make([]*Block, len(t.Targets))
		for i, x := range t.Targets {
			c.Targets[i] = b(x)
		}
		return &c
	case *Branch:
		c := *t
		c.Cond, c.Then, c.Else = f(t.Cond), b(t.Then), b(t.Else)
		return &c
	case *Return:
		c := *t
		if t.Val != nil {
			c.Val = f(t.Val)
		}
		return &c
	case *Stop:
		c := *t
		if t.Val != nil {
			c.Val = f(t.Val)
		}
		return &c
	case *Selection:
		c := *t
		c.Cases = slices.Clone(t.Cases)
		for i := range c.Cases {
			c.Cases[i].Chan, c.Cases[i].To = f(t.Cases[i].Chan), b(t.Cases[i].To)
		}
		if t.Default != nil {
			c.Default = b(t.Default)
		}
		return &c
	}
	return t
}

// UsesReg reports whether e reads r.
func UsesReg(e Expr, r *Reg) bool {
	found := false
	WalkExpr(e, func(x Expr) bool {
		if u, ok := x.(Use); ok && u.Reg == r {
			found = true
		}
		return !found
	})
	return found
}

// Definition is the one instruction of f that assigns a register; nil where there are
// several, or none, or it is a parameter.
func Definition(f *Func, r *Reg) Instr {
	in, n := definitions(f, r)
	if n != 1 || slices.Contains(f.Params, r) {
		return nil
	}
	return in
}

// Unchanged reports whether a register is a parameter of f that nothing assigns.
func Unchanged(f *Func, r *Reg) bool {
	_, n := definitions(f, r)
	return n == 0 && slices.Contains(f.Params, r)
}

// definitions counts the instructions that assign a register, and gives the last one.
func definitions(f *Func, r *Reg) (last Instr, n int) {
	for in := range f.Instrs() {
		if slices.Contains(Defs(in), r) {
			last, n = in, n+1
		}
	}
	return last, n
}
