package c

import "whoop/ir"

// fit makes operands of an instruction pointers, or numbers, where it wants them: a
// program may give a function a number for an address, or the other way round, which
// compilers convert with a warning.
func (l *lowerer) fit(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Load:
		l.pointers(&i.Addr)
	case *ir.Store:
		l.pointers(&i.Addr)
	case *ir.RMW:
		l.pointers(&i.Addr)
	case *ir.CmpXchg:
		l.pointers(&i.Addr)
	case *ir.Alloc:
		l.numbers(&i.Count)
	case *ir.Free:
		l.pointers(&i.Addr)
	case *ir.MemCopy:
		l.pointers(&i.Dst, &i.Src)
		l.numbers(&i.Size)
	case *ir.MemSet:
		l.pointers(&i.Dst)
		l.numbers(&i.Val, &i.Size)
	case *ir.Touch:
		l.pointers(&i.Addr)
		l.numbers(&i.Size)
	case *ir.Spawn:
		l.pointers(&i.Fn, &i.HandleAddr)
	case *ir.Once:
		l.pointers(&i.Ctl, &i.Fn)
	default:
		l.fitLocks(in)
	}
}

// fitLocks is fit for locks and what else threads wait for.
func (l *lowerer) fitLocks(in ir.Instr) {
	switch i := in.(type) {
	case *ir.Lock:
		l.pointers(&i.Lock)
	case *ir.Unlock:
		l.pointers(&i.Lock)
	case *ir.LockInit:
		l.pointers(&i.Lock)
	case *ir.CondWait:
		l.pointers(&i.Cond, &i.Mutex)
	case *ir.CondSignal:
		l.pointers(&i.Cond)
	case *ir.SemInit:
		l.pointers(&i.Sem)
		l.numbers(&i.Val)
	case *ir.SemWait:
		l.pointers(&i.Sem)
	case *ir.SemPost:
		l.pointers(&i.Sem)
	case *ir.BarrierInit:
		l.pointers(&i.Barrier)
		l.numbers(&i.Count)
	case *ir.BarrierWait:
		l.pointers(&i.Barrier)
	}
}

// pointers converts operands that are none; nil stays.
func (l *lowerer) pointers(es ...*ir.Expr) {
	for _, e := range es {
		if *e != nil && !ir.IsPtr((*e).Type()) {
			*e = l.conv(nil, l.number(*e), l.types.ptr(ir.Void{}))
		}
	}
}

// numbers converts operands that are none; nil stays.
func (l *lowerer) numbers(es ...*ir.Expr) {
	for _, e := range es {
		if *e != nil {
			*e = l.number(*e)
		}
	}
}

// number is a value as an integer.
func (l *lowerer) number(v ir.Expr) ir.Expr {
	if ir.IsInt(v.Type()) {
		return v
	}
	return l.conv(nil, v, l.types.word())
}
