package ir

func (w *printer) instr(in Instr) {
	switch i := in.(type) {
	case nil:
		w.s("<nil>")
	case *Assign:
		w.s(regText(i.Dst), " := ", i.X)
	case *Load:
		w.s(regText(i.Dst), " := load ", nameText(string(i.Order)), " ", i.Addr)
		w.as(i.As)
	case *Store:
		w.s("store ", nameText(string(i.Order)), " ", i.Addr, ", ", i.Val)
		w.as(i.As)
	case *RMW:
		w.dst(i.Dst)
		w.s("rmw ", nameText(i.Op), " ", nameText(string(i.Order)), " ", i.Addr, ", ", i.Val)
	case *CmpXchg:
		w.dst2(i.Dst, i.OK)
		w.s("cmpxchg ", nameText(string(i.Order)), " ", i.Addr, ", ", i.Expected, ", ", i.New)
		w.flag(i.Weak, "weak")
	case *Alloc:
		w.s(regText(i.Dst), " := alloc ", nameText(i.Kind), " ", typeText(i.Elem), ", ", i.Count)
		if i.Bytes != nil {
			w.s(" bytes ", i.Bytes)
		}
		w.flag(i.Zero, "zero")
		w.flag(i.MayFail, "mayfail")
		if i.Name != "" {
			w.s(" name ", nameText(i.Name))
		}
	case *Free:
		w.s("free ")
		if i.Scope {
			w.s("scope ")
			if i.Kept {
				w.s("kept ")
			}
		}
		w.s(i.Addr)
	case *MemCopy:
		w.s("memcopy ", nameText(string(i.Order)), " ", i.Dst, ", ", i.Src, ", ", i.Size)
		if i.Elem != nil {
			w.s(" elem ", i.Elem.String())
		}
		w.flag(i.Fit, "fit")
	case *MemSet:
		w.s("memset ", nameText(string(i.Order)), " ", i.Dst, ", ", i.Val, ", ", i.Size)
	case *Touch:
		w.s("touch ", i.Addr)
		w.flag(i.Read, "read")
		w.flag(i.Write, "write")
		w.flag(i.Deep, "deep")
		w.flag(i.Borrow, "borrow")
		w.flag(i.Named, "named")
		w.flag(i.Typed, "typed")
		w.flag(i.Printed, "printed")
		w.flag(i.Core, "core")
		w.flag(i.Perhaps, "perhaps")
		w.flag(i.Makes, "makes")
		w.flag(i.Pointee, "pointee")
		w.flag(i.Inner, "inner")
		w.opt("size", i.Size)
		if i.Why != "" {
			w.s(" why ", Quote(i.Why))
		}
	case *Havoc:
		w.s(regText(i.Dst), " := havoc")
		w.flag(i.Input, "input")
		w.flag(i.Outside, "outside")
	case *Assume:
		w.s("assume ", i.Cond)
	case *Assert:
		w.s("assert ", i.Cond, " tag ", nameText(i.Tag))
		if i.Msg != "" {
			w.s(" msg ", Quote(i.Msg))
		}
	case *Call:
		w.dst(i.Dst)
		w.s("call ")
		w.callee(i.Callee)
		w.args(i.Args)
	default:
		w.syncInstr(in)
	}
}

func (w *printer) syncInstr(in Instr) {
	switch i := in.(type) {
	case *Lock:
		w.dst(i.Dst)
		w.s("lock ", modeText(i.Mode), " ", nameText(i.Class), " ", i.Lock)
		w.flag(i.Try, "try")
		w.flag(i.Recursive, "recursive")
	case *Unlock:
		w.s("unlock ", modeText(i.Mode), " ", nameText(i.Class), " ", i.Lock)
	case *LockInit:
		w.s(map[bool]string{false: "lockinit ", true: "lockdestroy "}[i.Destroy], nameText(i.Class), " ", i.Lock)
		w.flag(i.Recursive, "recursive")
	case *CondWait:
		w.dst(i.Dst)
		w.s("condwait ", i.Cond, ", ", i.Mutex)
		w.flag(i.Timed, "timed")
	case *CondSignal:
		w.s("condsignal ", i.Cond)
		w.flag(i.Broadcast, "all")
	case *SemInit:
		w.s("seminit ", i.Sem, ", ", i.Val)
	case *SemWait:
		w.dst(i.Dst)
		w.s("semwait ", i.Sem)
		w.flag(i.Try, "try")
	case *SemPost:
		w.s("sempost ", i.Sem)
		w.flag(i.All, "all")
	case *BarrierInit:
		w.s("barrierinit ", i.Barrier, ", ", i.Count)
	case *BarrierWait:
		w.dst(i.Dst)
		w.s("barrierwait ", i.Barrier)
	case *Once:
		w.s("once ", i.Ctl, ", ", i.Fn)
	case *Spawn:
		w.dst2(i.Dst, i.OK)
		w.s("spawn ")
		w.callee(i.Fn)
		w.args(i.Args)
		w.opt("handle", i.HandleAddr)
	case *Join:
		w.dst(i.Dst)
		w.s("join ", i.Handle)
	case *Detach:
		w.s("detach ", i.Handle)
	default:
		w.envInstr(in)
	}
}

func (w *printer) envInstr(in Instr) {
	switch i := in.(type) {
	case *AtomicBegin:
		w.s("atomic_begin")
	case *AtomicEnd:
		w.s("atomic_end")
	case *Await:
		w.await(i)
	case *Send:
		w.message("send", &i.Message)
		w.result("closed", i.Closed)
	case *Receive:
		w.message("receive", &i.Message)
		w.result("ok", i.OK)
	case *Close:
		w.s("close ", i.Chan)
		w.capacity(i.Capacity)
		w.result("closed", i.Closed)
	case *IrqDisable:
		w.s("irq_disable ", nameText(i.Kind))
	case *IrqEnable:
		w.s("irq_enable ", nameText(i.Kind))
		w.flag(i.Restore, "restore")
	case *Register:
		w.s("register ", nameText(i.API))
		w.opt("obj", i.Obj)
		w.opt("calls", i.Fn)
		if len(i.Args) > 0 {
			w.s(" args")
			w.args(i.Args)
		}
		w.kinds(i.Kinds)
		for k, g := range i.Shows {
			w.s(listSep(k, " shows "), nameText(g.S.Name), " at ", g.Off)
		}
		w.object(i.Object)
	case *Unregister:
		w.s("unregister ", nameText(i.API))
		w.opt("obj", i.Obj)
		w.kinds(i.Kinds)
		for k, n := range i.Ends {
			w.s(listSep(k, " ends "), nameText(n))
		}
		if i.ForGood {
			w.s(" forgood")
		}
		w.object(i.Object)
	case *Fence:
		w.s("fence ", nameText(string(i.Order)))
	case *Yield:
		w.s("yield")
	default:
		w.f("<unknown instruction %T>", in)
	}
}

func (w *printer) await(i *Await) {
	w.s("await")
	for k, a := range i.Addrs {
		var dst *Reg
		if k < len(i.Dsts) {
			dst = i.Dsts[k]
		}
		w.s(listSep(k, " "), regText(dst), " := ", a)
	}
	w.s(" until ", i.Cond)
	if i.What != "" {
		w.s(" what ", Quote(i.What))
	}
	for k, q := range i.Queues {
		w.s(listSep(k, " queues "), nameText(string(q.Op)))
		w.f(" %d %d", q.At, q.Size)
	}
}

func (w *printer) kinds(ks []string) {
	for i, k := range ks {
		w.s(listSep(i, " kinds "), nameText(k))
	}
}

// modeText prints a lock mode; "any" (unquoted) stands for the mode that is not known.
func modeText(m Mode) string {
	if m == "" {
		return "any"
	}
	if m == "any" {
		return Quote(string(m))
	}
	return nameText(string(m))
}

func (w *printer) term(t Term) {
	switch t := t.(type) {
	case *Goto:
		w.s("goto")
		for i, b := range t.Targets {
			w.s(listSep(i, " "), blockText(b))
		}
	case *Branch:
		w.s("if ", t.Cond, " then ", blockText(t.Then), " else ", blockText(t.Else))
	case *Return:
		w.s("return")
		if t.Val != nil {
			w.s(" ", t.Val)
		}
	case *Stop:
		w.s("stop ", nameText(t.Kind))
		if t.Val != nil {
			w.s(" ", t.Val)
		}
	case *Selection:
		w.selects(t)
	}
}

func blockText(b *Block) string {
	if b == nil {
		return "<nil>"
	}
	return nameText(b.Name)
}

// InstrString returns the printed form of an instruction, without its position.
func InstrString(in Instr) string {
	w := &printer{}
	w.instr(in)
	return w.Buffer.String()
}

// TermString returns the printed form of a terminator, without its position.
func TermString(t Term) string {
	w := &printer{}
	w.term(t)
	return w.Buffer.String()
}

func (w *printer) object(name string) {
	if name != "" {
		w.s(" object ", nameText(name))
	}
}
