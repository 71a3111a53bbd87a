package ir

// statement reads an instruction or a terminator into b.
func (p *parser) statement(b *Block) {
	var dst [2]*Reg
	n := 0
	if p.assignment() {
		p.list(func() {
			if n == 2 {
				p.fail("too many destinations")
				return
			}
			if !p.accept("_") {
				dst[n] = p.reg()
			}
			n++
		})
		p.expect(":=")
	}
	t := p.tok()
	if n == 0 && t.kind == tokIdent {
		if term := p.term(); term != nil {
			b.Term = term
			return
		}
	}
	var in Instr
	if t.kind == tokIdent && (n == 0 || rightWord(t.text)) {
		p.take()
		in = p.instr(t, n, dst)
	} else if n == 1 {
		in = &Assign{Dst: dst[0], X: p.expr()}
	}
	if p.err == nil && in == nil {
		p.failAt(t, "expected an instruction, found %s", t)
	}
	if p.err != nil {
		return
	}
	setPos(in, p.pos())
	b.Instrs = append(b.Instrs, in)
}

// assignment reports whether the line begins with destinations: "a :=" or "a, b :=".
func (p *parser) assignment() bool {
	return p.tok().isName() && (p.peek(1).is(":=") || p.peek(1).is(",") && p.peek(2).isName() && p.peek(3).is(":="))
}

// rightWord reports whether an instruction of this name yields a value (the others are
// expressions).
func rightWord(s string) bool {
	switch s {
	case "load", "rmw", "cmpxchg", "alloc", "havoc", "call", "lock", "condwait", "semwait", "barrierwait", "spawn", "join":
		return true
	}
	return false
}

// setPos sets the position of an instruction just made.
func setPos(in Instr, pos Pos) { in.(interface{ setPos(Pos) }).setPos(pos) }

func (b *Base) setPos(pos Pos)     { b.Pos = pos }
func (b *TermBase) setPos(pos Pos) { b.Pos = pos }

// term reads a terminator, or nothing if there is none.
func (p *parser) term() Term {
	var t Term
	switch {
	case p.accept("goto"):
		g := &Goto{}
		p.list(func() { g.Targets = append(g.Targets, p.block()) })
		t = g
	case p.accept("if"):
		b := &Branch{Cond: p.expr()}
		p.expect("then")
		b.Then = p.block()
		p.expect("else")
		b.Else = p.block()
		t = b
	case p.accept("return"):
		t = &Return{Val: p.result()}
	case p.accept("stop"):
		t = &Stop{Kind: p.name("a kind"), Val: p.result()}
	case p.accept("select"):
		t = p.selects()
	default:
		return nil
	}
	t.(interface{ setPos(Pos) }).setPos(p.pos())
	return t
}

// result reads the expression at the end of a terminator, nil where there is none.
func (p *parser) result() Expr {
	if k := p.tok(); k.kind == tokNewline || k.kind == tokEOF || k.is("@") || k.is("}") {
		return nil
	}
	return p.expr()
}

// instr reads the instruction that begins with the word t; n destinations came before it.
func (p *parser) instr(t token, n int, dst [2]*Reg) Instr {
	want := map[string]int{"load": 1, "alloc": 1, "havoc": 1}
	switch t.text {
	case "rmw", "call", "lock", "condwait", "semwait", "barrierwait", "join":
		want[t.text] = n & 1
	case "cmpxchg", "spawn":
		want[t.text] = n & 2
	}
	if n != want[t.text] || n > 0 && want[t.text] == 1 && dst[0] == nil {
		p.failAt(t, "%s has %d destinations here", t.text, n)
		return nil
	}
	if in := p.memInstr(t.text, dst); in != nil {
		return in
	}
	if in := p.syncInstr(t.text, dst); in != nil {
		return in
	}
	return p.envInstr(t.text)
}

func (p *parser) order() Order { return Order(p.name("an order")) }

// as is what an access stands for, after the word "as"; "" where that is missing.
func (p *parser) as() Operation {
	if !p.accept("as") {
		return ""
	}
	return Operation(p.name("an operation"))
}

func (p *parser) commaExpr() Expr {
	p.expect(",")
	return p.expr()
}

func (p *parser) memInstr(word string, dst [2]*Reg) Instr {
	switch word {
	case "load":
		return &Load{Dst: dst[0], Order: p.order(), Addr: p.expr(), As: p.as()}
	case "store":
		return &Store{Order: p.order(), Addr: p.expr(), Val: p.commaExpr(), As: p.as()}
	case "rmw":
		return &RMW{Dst: dst[0], Op: p.name("an operator"), Order: p.order(), Addr: p.expr(), Val: p.commaExpr()}
	case "cmpxchg":
		return &CmpXchg{Dst: dst[0], OK: dst[1], Order: p.order(), Addr: p.expr(), Expected: p.commaExpr(),
			New: p.commaExpr(), Weak: p.accept("weak")}
	case "alloc":
		i := &Alloc{Dst: dst[0], Kind: p.name("'stack' or 'heap'"), Elem: p.typ(), Count: p.commaExpr()}
		if p.accept("bytes") {
			i.Bytes = p.expr()
		}
		i.Zero, i.MayFail = p.accept("zero"), p.accept("mayfail")
		if p.accept("name") {
			i.Name = p.name("a name")
		}
		return i
	case "free":
		i := &Free{}
		if i.Scope = p.accept("scope"); i.Scope {
			i.Kept = p.accept("kept")
		}
		i.Addr = p.expr()
		return i
	case "memcopy":
		i := &MemCopy{Order: p.order(), Dst: p.expr(), Src: p.commaExpr(), Size: p.commaExpr()}
		if p.accept("elem") {
			i.Elem = p.typ()
		}
		i.Fit = p.accept("fit")
		return i
	case "memset":
		return &MemSet{Order: p.order(), Dst: p.expr(), Val: p.commaExpr(), Size: p.commaExpr()}
	case "touch":
		return p.touch()
	case "havoc":
		return &Havoc{Dst: dst[0], Input: p.accept("input"), Outside: p.accept("outside")}
	case "assume":
		return &Assume{Cond: p.expr()}
	case "assert":
		i := &Assert{Cond: p.expr()}
		p.expect("tag")
		i.Tag = p.name("a tag")
		if p.accept("msg") {
			i.Msg = p.str("a message")
		}
		return i
	case "call":
		return &Call{Dst: dst[0], Callee: p.callee(), Args: p.args()}
	}
	return nil
}

func (p *parser) touch() Instr {
	i := &Touch{Addr: p.expr(), Read: p.accept("read"), Write: p.accept("write"), Deep: p.accept("deep"), Borrow: p.accept("borrow"), Named: p.accept("named"), Typed: p.accept("typed"), Printed: p.accept("printed"), Core: p.accept("core"),
		Perhaps: p.accept("perhaps"), Makes: p.accept("makes"), Pointee: p.accept("pointee"),
		Inner: p.accept("inner")}
	if p.accept("size") {
		i.Size = p.expr()
	}
	if p.accept("why") {
		i.Why = p.str("the reason")
	}
	return i
}

func (p *parser) callee() Expr {
	if p.accept("*") {
		return p.expr()
	}
	return FuncAddr{p.funcRef()}
}

// args reads arguments in parentheses; "_" is nil.
func (p *parser) args() []Expr {
	var out []Expr
	p.expect("(")
	if p.accept(")") {
		return nil
	}
	p.list(func() {
		if p.accept("_") {
			out = append(out, nil)
		} else {
			out = append(out, p.expr())
		}
	})
	p.expect(")")
	return out
}

func (p *parser) mode() Mode {
	if p.accept("any") {
		return ""
	}
	return Mode(p.name("a lock mode"))
}

func (p *parser) syncInstr(word string, dst [2]*Reg) Instr {
	switch word {
	case "lock":
		return &Lock{Dst: dst[0], Mode: p.mode(), Class: p.name("a class"), Lock: p.expr(), Try: p.accept("try"),
			Recursive: p.accept("recursive")}
	case "unlock":
		return &Unlock{Mode: p.mode(), Class: p.name("a class"), Lock: p.expr()}
	case "lockinit", "lockdestroy":
		return &LockInit{Destroy: word == "lockdestroy", Class: p.name("a class"), Lock: p.expr(),
			Recursive: p.accept("recursive")}
	case "condwait":
		return &CondWait{Dst: dst[0], Cond: p.expr(), Mutex: p.commaExpr(), Timed: p.accept("timed")}
	case "condsignal":
		return &CondSignal{Cond: p.expr(), Broadcast: p.accept("all")}
	case "seminit":
		return &SemInit{Sem: p.expr(), Val: p.commaExpr()}
	case "semwait":
		return &SemWait{Dst: dst[0], Sem: p.expr(), Try: p.accept("try")}
	case "sempost":
		return &SemPost{Sem: p.expr(), All: p.accept("all")}
	case "barrierinit":
		return &BarrierInit{Barrier: p.expr(), Count: p.commaExpr()}
	case "barrierwait":
		return &BarrierWait{Dst: dst[0], Barrier: p.expr()}
	case "once":
		return &Once{Ctl: p.expr(), Fn: p.commaExpr()}
	case "spawn":
		i := &Spawn{Dst: dst[0], OK: dst[1], Fn: p.callee(), Args: p.args()}
		if p.accept("handle") {
			i.HandleAddr = p.expr()
		}
		return i
	case "join":
		return &Join{Dst: dst[0], Handle: p.expr()}
	case "detach":
		return &Detach{Handle: p.expr()}
	}
	return nil
}

func (p *parser) envInstr(word string) Instr {
	switch word {
	case "atomic_begin":
		return &AtomicBegin{}
	case "atomic_end":
		return &AtomicEnd{}
	case "await":
		return p.await()
	case "send":
		return &Send{Message: p.message(true), Closed: p.resultReg("closed")}
	case "receive":
		return &Receive{Message: p.message(false), OK: p.resultReg("ok")}
	case "close":
		return &Close{Chan: p.expr(), Capacity: p.capacity(), Closed: p.resultReg("closed")}
	case "irq_disable":
		return &IrqDisable{Kind: p.name("a kind")}
	case "irq_enable":
		return &IrqEnable{Kind: p.name("a kind"), Restore: p.accept("restore")}
	case "register":
		i := &Register{API: p.name("an API")}
		if p.accept("obj") {
			i.Obj = p.expr()
		}
		if p.accept("calls") {
			i.Fn = p.expr()
		}
		if p.accept("args") {
			i.Args = p.args()
		}
		i.Kinds = p.kinds()
		if p.accept("shows") {
			p.list(func() {
				g := ArgSource{S: p.structRef()}
				p.expect("at")
				g.Off = p.number("an offset")
				i.Shows = append(i.Shows, g)
			})
		}
		if p.accept("object") {
			i.Object = p.name("an object")
		}
		return i
	case "unregister":
		i := &Unregister{API: p.name("an API")}
		if p.accept("obj") {
			i.Obj = p.expr()
		}
		i.Kinds = p.kinds()
		if p.accept("ends") {
			p.list(func() { i.Ends = append(i.Ends, p.name("a kind")) })
		}
		i.ForGood = p.accept("forgood")
		if p.accept("object") {
			i.Object = p.name("an object")
		}
		return i
	case "fence":
		return &Fence{Order: p.order()}
	case "yield":
		return &Yield{}
	}
	return nil
}

// await reads the rest of Await; a register called "until" is not taken for the word,
// since it is followed by ":=".
func (p *parser) await() Instr {
	i := &Await{}
	if !p.tok().is("until") || p.peek(1).is(":=") {
		p.list(func() {
			var dst *Reg
			if !p.accept("_") {
				dst = p.reg()
			}
			i.Dsts = append(i.Dsts, dst)
			p.expect(":=")
			i.Addrs = append(i.Addrs, p.expr())
		})
	}
	p.expect("until")
	i.Cond = p.expr()
	if p.accept("what") {
		i.What = p.str("what it does")
	}
	if p.accept("queues") {
		p.list(func() {
			q := Queue{Op: QueueOp(p.name("what is done"))}
			q.At, q.Size = int(p.number("an index")), p.number("a size")
			i.Queues = append(i.Queues, q)
		})
	}
	return i
}

func (p *parser) kinds() []string {
	var out []string
	if p.accept("kinds") {
		p.list(func() { out = append(out, p.name("a kind")) })
	}
	return out
}
