package boogie

import (
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
)

// accessTo is the access of an instruction that reads (or writes) memory.
func (t *program) accessTo(in ir.Instr, write bool) (alias.Access, bool) {
	for _, a := range t.res.Accesses(in) {
		if a.Write == write {
			return a, true
		}
	}
	return alias.Access{}, false
}

// cellClass is the class of the cell an instruction accesses; nil where the address
// points to nothing known.
func (p *proc) cellClass(in ir.Instr) *class {
	for _, a := range p.res.Accesses(in) {
		if c := p.mem.classOf(a); c != nil {
			return c
		}
	}
	return nil
}

// load reads a cell of type t at addr into the variable dst.
func (p *proc) load(c *class, dst, addr string, t ir.Type) {
	it, isInt := t.(ir.Int)
	switch {
	case c == nil:
		p.line("havoc %s; // the address points to nothing known", dst)
		p.inRange(dst, t)
	case !c.cell:
		n := t.Size()
		v := val{s: fmt.Sprintf("%s(%s, %s)", p.loadBytes(n), c.name, addr)}
		if n == 0 || n > 16 {
			p.line("havoc %s; // a value of %d bytes", dst, n)
			return
		}
		p.line("assume %s(%s, %s);", p.bytesIn(n), c.name, addr)
		u := typed(v.s, ir.Int{Bits: int(8 * n)})
		if isInt {
			u = p.wrap(it, u)
		} else if ir.IsPtr(t) {
			u = p.wrap(addrT, u)
		}
		p.line("%s := %s;", dst, bare(u.s))
	case c.typ != nil || !isInt:
		p.line("%s := %s[%s];", dst, c.name, bare(addr))
		p.inRange(dst, t)
	default:
		p.line("%s := %s;", dst, p.wrap(it, val{s: c.name + "[" + addr + "]"}).s)
	}
}

// store writes a value of type t to a cell.
func (p *proc) store(c *class, addr string, v val, t ir.Type) {
	n := t.Size()
	switch {
	case c == nil:
		p.line("// a store to nothing known is left out")
	case c.cell:
		p.line("%s[%s] := %s;", c.name, bare(addr), bare(v.s))
	case n == 0 || n > 16:
		p.scramble(c, addr, fmt.Sprint(n))
	default:
		p.line("%s := %s(%s, %s, %s);", c.name, p.storeBytes(n), c.name, addr, v.s)
	}
}

func (t *program) loadBytes(n int64) string  { return t.sizedHelper("$load", n) }
func (t *program) storeBytes(n int64) string { return t.sizedHelper("$store", n) }
func (t *program) bytesIn(n int64) string    { return t.sizedHelper("$bytes", n) }

func (t *program) sizedHelper(name string, n int64) string {
	if n > 0 && n <= 16 {
		t.sizes[name+fmt.Sprint(n)] = true
	}
	return name + fmt.Sprint(n)
}

// inRange says that a variable holds a value of its type. It holds for all that the
// program computes; it restricts what is arbitrary.
func (p *proc) inRange(v string, t ir.Type) {
	if it, ok := t.(ir.Int); ok {
		lo, hi := bounds(it)
		p.line("assume %s <= %s && %s <= %s;", lo, v, v, hi)
	}
}

// scramble makes n bytes at addr arbitrary.
func (p *proc) scramble(c *class, addr, n string) {
	p.line("call %s := %s(%s, %s, %s, %d);", c.name, p.use("$scramble"), c.name, addr, n, c.size)
}

// scrambleObject makes the object at addr arbitrary.
func (p *proc) scrambleObject(c *class, addr string) {
	p.line("call %s := %s(%s, %s, %d, 1);", c.name, p.use("$scramble"), c.name, objectOf(addr), window)
}

// objectOf is the start of the object that an address lies in.
func objectOf(addr string) string { return fmt.Sprintf("(%s - %s mod %d)", addr, addr, window) }

func (p *proc) memSet(i *ir.MemSet) {
	a, _ := p.accessTo(i, true)
	d, n := p.value(i.Dst), p.value(i.Size)
	v := p.expr(i.Val)
	for _, c := range p.mem.classesOf(a) {
		p.line("call %s := %s(%s, %s, %s, %d, %s);", c.name, p.use("$fill"), c.name, d, n, c.size, p.pattern(c, v).s)
	}
}

// pattern is the value of a cell whose bytes are all v.
func (p *proc) pattern(c *class, v val) val {
	v = p.wrap(ir.U8, v)
	if c.size == 1 && !c.cell {
		return v
	}
	k := int64(0)
	for i := int64(0); i < min(c.size, 7); i++ {
		k = k<<8 | 1
	}
	if c.size > 7 {
		if !v.isConst() || v.lo.Sign() != 0 {
			return p.arbitrary(ir.Opaque{Name: "bytes", Bytes: c.size})
		}
		return v
	}
	v = times(v, number64(k))
	if it, ok := c.typ.(ir.Int); ok {
		return p.wrap(it, v)
	}
	return v
}

func (p *proc) memCopy(i *ir.MemCopy) {
	a, ok := p.accessTo(i, true)
	from, _ := p.accessTo(i, false)
	d, s, n := p.value(i.Dst), p.value(i.Src), p.value(i.Size)
	cs := p.mem.classesOf(a)
	if !ok || len(cs) == 0 {
		p.line("// a copy to nothing known is left out")
	}
	for _, c := range cs {
		if len(from.Regions) == 0 && !from.Unknown || i.Fit {
			p.line("// a copy from nothing known, or of as many bytes as there are")
			p.scramble(c, d, n)
			continue
		}
		p.line("call %s := %s(%s, %s, %s, %s, %d);", c.name, p.use("$copy"), c.name, d, s, n, c.size)
	}
}

// touch makes what unseen code may write arbitrary.
func (p *proc) touch(i *ir.Touch) {
	p.line("// unseen code: %s", comment(i.Why))
	if !i.Write {
		return
	}
	for _, a := range p.res.Accesses(i) {
		if !a.Write {
			continue
		}
		for _, c := range p.mem.classesOf(a) {
			switch {
			case i.Deep:
				p.line("havoc %s;", c.name)
			case i.Size == nil:
				p.scrambleObject(c, p.value(i.Addr))
			default:
				p.scramble(c, p.value(i.Addr), p.value(i.Size))
			}
		}
	}
}

func (p *proc) alloc(i *ir.Alloc) {
	d := p.reg(i.Dst)
	if i.MayFail {
		p.open("if (*) {")
		p.line("%s := 0;", d)
		p.reopen("} else {")
	}
	p.line("call %s := %s();", d, p.use("$alloc"))
	if i.Zero {
		for _, c := range p.mem.holding(func(o *alias.Object) bool { return o.Alloc == i }) {
			p.zeroObject(c, d)
		}
	}
	if i.MayFail {
		p.close()
	}
}

// zeroObject fills the object at addr with zeros.
func (p *proc) zeroObject(c *class, addr string) {
	p.line("call %s := %s(%s, %s, %d, 1, 0);", c.name, p.use("$fill"), c.name, addr, window)
}

func (p *proc) rmw(i *ir.RMW) {
	t := i.Val.Type()
	c, a, v, old := p.cellClass(i), p.value(i.Addr), p.expr(i.Val), p.temp(t)
	p.atomic(func() {
		p.load(c, old, a, t)
		w := v
		if i.Op != "xchg" {
			if it, ok := t.(ir.Int); ok {
				w = p.binary(i.Op, it, typed(old, t), v)
			} else if ir.IsPtr(t) {
				w = p.cast(p.binary(i.Op, ir.I64, p.cast(typed(old, t), t, ir.I64), p.cast(v, t, ir.I64)), ir.I64, t)
			}
		}
		p.store(c, a, w, t)
		if i.Dst != nil {
			p.line("%s := %s;", p.reg(i.Dst), old)
		}
	})
}

func (p *proc) cmpXchg(i *ir.CmpXchg) {
	t := i.New.Type()
	c, a, e, n, old, ok := p.cellClass(i), p.value(i.Addr), p.value(i.Expected), p.value(i.New), p.temp(t), p.temp(ir.Bool{})
	p.atomic(func() {
		p.load(c, old, a, t)
		p.line("%s := %s == %s;", ok, old, e)
		if i.Weak {
			p.line("if (*) { %s := false; }", ok)
		}
		p.open("if (%s) {", ok)
		p.store(c, a, typed(n, t), t)
		p.close()
		if i.Dst != nil {
			p.line("%s := %s;", p.reg(i.Dst), old)
		}
		if i.OK != nil {
			p.line("%s := %s;", p.reg(i.OK), ok)
		}
	})
}
