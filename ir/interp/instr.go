package interp

import (
	"fmt"

	"whoop/ir"
	"whoop/ir/irutil"
)

// dst is a destination register; n is 0 for none.
func (c *fc) dst(r *ir.Reg) slotType {
	if r == nil {
		return slotType{}
	}
	return c.slots[r]
}

func exec(f func(s *State)) (op, error) { return op{exec: f}, nil }

// instr compiles an instruction.
func (c *fc) instr(in ir.Instr) (op, error) {
	switch i := in.(type) {
	case *ir.Assign:
		return exec(c.assign(i))
	case *ir.Load:
		return exec(c.load(i))
	case *ir.Store:
		return exec(c.binding(i, c.store(i)))
	case *ir.RMW:
		return exec(c.rmw(i))
	case *ir.CmpXchg:
		return exec(c.cmpXchg(i))
	case *ir.Alloc:
		return exec(c.alloc(i))
	case *ir.Free:
		a := c.expr(i.Addr).one
		return exec(func(s *State) {
			p := a(s)
			// whoever uses it at the same time races
			if o := s.object(ObjID(p >> 32)); p != 0 && o != nil && !o.dead {
				s.access(mkAddr(o.id, o.low), int64(len(o.data)), true, ir.Plain, 0)
			}
			if i.Scope {
				s.endOfScope(p)
				return
			}
			s.free(p)
		})
	case *ir.MemCopy:
		d, src, n := c.expr(i.Dst).one, c.expr(i.Src).one, c.size(i.Size)
		return exec(func(s *State) {
			d, src, n := d(s), src(s), n(s)
			if i.Fit {
				n = max(0, min(n, s.room(d), s.room(src)))
			}
			if s.copyBytes(d, src, n) && n > 0 {
				s.access(src, n, false, i.Order, 0)
				s.access(d, n, true, i.Order, 0)
			}
		})
	case *ir.MemSet:
		d, v, n := c.expr(i.Dst).one, c.low(i.Val), c.size(i.Size)
		return exec(func(s *State) {
			d, n := d(s), n(s)
			if s.setBytes(d, byte(v(s)), n) && n > 0 {
				s.access(d, n, true, i.Order, 0)
			}
		})
	case *ir.Touch:
		return exec(c.touch(i))
	case *ir.Havoc:
		return exec(c.havoc(i))
	case *ir.Assume:
		return exec(c.assume(i))
	case *ir.Assert:
		f := c.expr(i.Cond).one
		return exec(func(s *State) {
			if f(s) == 0 && !s.trap {
				msg := i.Msg
				if msg == "" {
					msg = ir.ExprString(i.Cond) + " is false"
				}
				s.fail(ErrAssert, "%s", msg)
				s.err.Tag = i.Tag
			}
		})
	case *ir.Call:
		return exec(c.call(i))
	}
	return c.syncInstr(in)
}

// assume compiles Assume. Where the condition is about a register that the same block has
// made arbitrary and nothing has read since (a call's result that shows whether it
// worked), a value that fits is looked for: few random answers would fit by chance.
func (c *fc) assume(i *ir.Assume) func(*State) {
	f := c.expr(i.Cond).one
	r, values := irutil.Unread(c.prior, i.Cond, func(r *ir.Reg) bool { return words(r.Type) == 1 })
	if r == nil {
		return func(s *State) {
			if f(s) == 0 {
				s.infeasible()
			}
		}
	}
	for k, v := range values {
		values[k] = normalise(r.Type, v)
	}
	d := c.slots[r]
	return func(s *State) {
		if f(s) != 0 {
			return
		}
		for _, v := range values {
			if s.set(d, v); f(s) != 0 {
				return
			}
		}
		s.infeasible()
	}
}

func (s *State) infeasible() {
	if s.status == Running {
		s.status = Infeasible
	}
}

func (c *fc) assign(i *ir.Assign) func(*State) {
	d, v := c.dst(i.Dst), c.expr(i.X)
	switch {
	case d.n > 1:
		return func(s *State) {
			w := make([]uint64, d.n)
			v.many(s, w)
			s.setWords(d, w)
		}
	case d.slot < 0:
		f := v.one
		return func(s *State) { s.set(d, f(s)) }
	case v.isConst:
		k, slot := v.k, d.slot
		return func(s *State) { s.r[slot] = k }
	case v.slot >= 0:
		from, slot := v.slot, d.slot
		return func(s *State) { s.r[slot] = s.r[from] }
	}
	f, slot := v.one, d.slot
	return func(s *State) { s.r[slot] = f(s) }
}

func (c *fc) load(i *ir.Load) func(*State) {
	d, a, order, t, size := c.dst(i.Dst), c.expr(i.Addr).one, i.Order, i.Dst.Type, i.Dst.Type.Size()
	if d.n > 1 {
		return func(s *State) {
			w, p := make([]uint64, d.n), a(s)
			if s.loadWords(p, t, w) {
				s.access(p, size, false, order, w[0])
				s.setWords(d, w)
			}
		}
	}
	norm, narrow := t, ir.IsNarrow(t)
	if it, ok := t.(ir.Int); !ok || it.Bits == 64 || !it.Signed && it.Bits == int(8*size) {
		norm = nil
	}
	return func(s *State) {
		p := a(s)
		v, ok := s.load(p, size, t)
		if !ok {
			return
		}
		if norm != nil {
			v = normalise(norm, v)
		}
		if narrow {
			v = unpack(uint32(v))
		}
		s.access(p, size, false, order, v)
		s.set(d, v)
	}
}

func (c *fc) store(i *ir.Store) func(*State) {
	a, v, order, t := c.expr(i.Addr).one, c.expr(i.Val), i.Order, i.Val.Type()
	size := t.Size()
	if n := words(t); n > 1 {
		return func(s *State) {
			w, p := make([]uint64, n), a(s)
			v.many(s, w)
			if s.storeWords(p, t, w) {
				s.access(p, size, true, order, w[0])
			}
		}
	}
	f := v.one
	return func(s *State) {
		p, x := a(s), f(s)
		if s.store(p, size, s.toCell(x, t)) {
			s.access(p, size, true, order, x)
		}
	}
}

// cellOp is a load, and a store of what f makes of it; f may decline to write.
func (c *fc) cellOp(addr, t ir.Expr, order ir.Order, f func(s *State, old, out []uint64) bool) func(*State) {
	a, typ := c.expr(addr).one, t.Type()
	n, size := words(typ), typ.Size()
	return func(s *State) {
		var buf [4]uint64
		w := buf[:]
		if 2*n > len(w) {
			w = make([]uint64, 2*n)
		}
		old, out, p := w[:n], w[n:2*n], a(s)
		if !s.loadWords(p, typ, old) {
			return
		}
		before := old[0]
		write := f(s, old, out)
		s.access(p, size, false, order, before)
		if write && s.storeWords(p, typ, out) {
			s.access(p, size, true, order, out[0])
		}
	}
}

func (c *fc) rmw(i *ir.RMW) func(*State) {
	d, v, t := c.dst(i.Dst), c.expr(i.Val), i.Val.Type()
	n := words(t)
	it, _ := t.(ir.Int)
	return c.cellOp(i.Addr, i.Val, i.Order, func(s *State, old, out []uint64) bool {
		v.words(s, out)
		switch {
		case i.Op == "xchg":
		case n > 1:
			x, y := join(t, old), join(t, out)
			if i.Op == "nand" {
				x = x.Not(x.And(x, y))
			} else {
				x = wideOp(s, i.Op, it, x, y)
			}
			setWide(t, x, out)
		case i.Op == "nand":
			out[0] = normalise(t, ^(old[0] & out[0]))
		default:
			bits := max(1, min(64, int(8*t.Size())))
			if ir.IsPtr(t) {
				bits = 64
			}
			out[0] = binop(i.Op, ir.Int{Bits: bits, Signed: it.Signed})(s, old[0], out[0])
			out[0] = normalise(t, out[0])
		}
		if d.n > 0 {
			s.setWords(d, old)
		}
		return true
	})
}

func (c *fc) cmpXchg(i *ir.CmpXchg) func(*State) {
	d, ok, exp, nv := c.dst(i.Dst), c.dst(i.OK), c.expr(i.Expected), c.expr(i.New)
	n := words(i.New.Type())
	return c.cellOp(i.Addr, i.New, i.Order, func(s *State, old, out []uint64) bool {
		e := make([]uint64, n)
		exp.words(s, e)
		nv.words(s, out)
		same := true
		for k := range e {
			same = same && e[k] == old[k]
		}
		if same && i.Weak {
			same = s.ask(Query{Kind: InSpurious, N: 2}) == 0
		}
		if d.n > 0 {
			s.setWords(d, old)
		}
		if ok.n > 0 {
			s.set(ok, bit(same))
		}
		return same
	})
}

// size compiles a number of bytes; huge and negative ones are beyond every object.
func (c *fc) size(e ir.Expr) func(s *State) int64 {
	v := c.expr(e)
	if v.one == nil {
		return func(s *State) int64 {
			var w [2]uint64
			v.many(s, w[:])
			if w[1] != 0 || int64(w[0]) < 0 {
				return 1 << 62
			}
			return int64(w[0])
		}
	}
	f := v.one
	return func(s *State) int64 {
		if n := int64(f(s)); n >= 0 {
			return n
		}
		return 1 << 62
	}
}

func (c *fc) alloc(i *ir.Alloc) func(*State) {
	d, amount, size := c.dst(i.Dst), i.Count, max(1, i.Elem.Size())
	if i.Elem.Size() == 0 && !ir.Equal(i.Elem, ir.Void{}) {
		size = 0
	}
	least := int64(1)
	if i.Bytes != nil {
		amount, least, size = i.Bytes, size, 1
	}
	count := c.size(amount)
	kind := HeapObj
	if i.Kind == "stack" {
		kind = StackObj
	}
	unknown := irutil.Unsized(c.prior, i) // the object grows
	return func(s *State) {
		n := count(s)
		if unknown {
			n = min(n, least)
		}
		if n > s.p.cfg.MaxObject || n*size > s.p.cfg.MaxObject {
			if i.MayFail {
				s.set(d, 0)
				return
			}
			s.fail(ErrLimit, "an object of %d elements of %d bytes", n, size)
			return
		}
		if i.MayFail && s.fails() {
			s.set(d, 0)
			return
		}
		o := s.newObject(kind, n*size)
		o.site, o.elastic, o.zero = i, unknown, unknown && i.Zero
		if i.Zero {
			fill(o.mark, written)
		}
		if kind == StackObj {
			s.th.allocs = append(s.th.allocs, o.id)
		}
		s.set(d, mkAddr(o.id, 0))
	}
}

// touch makes what unseen code may write arbitrary.
func (c *fc) touch(i *ir.Touch) func(*State) {
	a := c.expr(i.Addr).one
	var size func(*State) int64
	if i.Size != nil {
		size = c.size(i.Size)
	}
	return func(s *State) {
		p := a(s)
		if p == 0 && (size == nil || i.Perhaps || size(s) <= 0) {
			return // code not seen checks for null
		}
		o := s.object(ObjID(p >> 32))
		if o == nil && p>>32 < uint64(firstFunc+len(s.p.funcs)) && p>>32 != 0 {
			return // a function
		}
		off := Addr(p).Offset()
		if size == nil {
			if i.Perhaps && (o == nil || o.dead) {
				return
			}
			if o == nil || o.dead {
				s.badAddress(p, o, "an access")
				return
			}
			off = o.low
			if !i.Inner {
				s.touched(o, off, int64(len(o.data)), i)
			}
		} else if n := size(s); n > 0 {
			if i.Perhaps && (o == nil || o.dead) {
				return
			}
			// it reads at most that much
			if o != nil && !o.dead && !i.Write && i.Perhaps && !o.elastic {
				n = max(1, min(n, int64(len(o.data))-off))
			}
			if o, _, ok := s.at(p, n, "an access"); ok {
				s.touched(o, off, n, i)
			}
		}
		if !i.Deep || o == nil {
			return
		}
		for _, id := range s.reachable(o.id) {
			if q := s.object(id); q != nil && !q.dead && id != o.id {
				s.touched(q, q.low, int64(len(q.data)), i)
			}
		}
	}
}

// touched is a touch of the bytes [off, off+n) of an object.
func (s *State) touched(o *object, off, n int64, i *ir.Touch) {
	if i.Read {
		s.access(mkAddr(o.id, off), n, false, ir.Plain, 0)
	}
	if i.Write && !(o.global != nil && o.global.Const) {
		o = s.own(o)
		fill(o.mark[off-o.low:off-o.low+n], anything)
		s.access(mkAddr(o.id, off), n, true, ir.Plain, 0)
	}
}

// reachable lists the objects that pointers lead to from one.
func (s *State) reachable(from ObjID) []ObjID {
	seen := map[ObjID]bool{from: true}
	list := []ObjID{from}
	for k := 0; k < len(list); k++ {
		o := s.object(list[k])
		if o == nil {
			continue
		}
		o.pointers(s.p.IR.NarrowPointers, func(v uint64) {
			if id := ObjID(v >> 32); !seen[id] && s.object(id) != nil {
				seen[id] = true
				list = append(list, id)
			}
		})
	}
	return list
}

// pointers calls f with the written words of an object that may be pointers.
func (o *object) pointers(narrow bool, f func(v uint64)) {
	if narrow {
		o.narrowWords(f)
		return
	}
	for i := -o.low & 7; i+8 <= int64(len(o.data)); i += 8 {
		if v := loadBytes(o.data[i : i+8]); v>>32 != 0 && o.mark[i] == written && o.mark[i+7] == written {
			f(v)
		}
	}
}

func (c *fc) havoc(i *ir.Havoc) func(*State) {
	d, kind := c.dst(i.Dst), InHavoc
	if i.Input {
		kind = InExternal
	}
	return func(s *State) {
		var buf [2]uint64
		w := buf[:]
		if d.n > 2 {
			w = make([]uint64, d.n)
		}
		w = w[:d.n]
		s.arbitrary(kind, d.typ, w)
		s.setWords(d, w)
	}
}

// arg evaluates the k-th argument into the callee's parameter.
type arg struct {
	value
	n int
}

func (c *fc) args(es []ir.Expr) []arg {
	var out []arg
	for _, e := range es {
		if e == nil {
			out = append(out, arg{})
			continue
		}
		out = append(out, arg{c.expr(e), words(e.Type())})
	}
	return out
}

// fit makes the words of f's parameters from arguments: missing ones are arbitrary,
// others converted where the types differ.
func (s *State) fit(f *fn, args []arg, out []uint64) {
	for k, p := range f.params {
		w := out[p.slot : p.slot+p.n]
		switch {
		case k >= len(args) || args[k].n == 0:
			s.arbitrary(InHavoc, p.typ, w)
		case args[k].n == p.n:
			args[k].words(s, w)
			normWords(p.typ, w)
		default:
			v := make([]uint64, args[k].n)
			args[k].words(s, v)
			copy(w, v)
			normWords(p.typ, w)
		}
	}
}

// paramWords is how many slots f's parameters take; they are the first.
func (f *fn) paramWords() int {
	if n := len(f.params); n > 0 {
		return f.params[n-1].slot + f.params[n-1].n
	}
	return 0
}

func (c *fc) call(i *ir.Call) func(*State) {
	d, args := c.dst(i.Dst), c.args(i.Args)
	invoke := func(s *State, f *fn) {
		var buf [8]uint64
		w := buf[:]
		n := f.paramWords()
		if n > len(w) {
			w = make([]uint64, n)
		}
		if len(f.code) > 0 {
			s.fit(f, args, w)
		}
		if s.push(f, d, 0) {
			copy(s.r, w[:n])
		}
	}
	if fa, ok := i.Callee.(ir.FuncAddr); ok {
		f := c.m.fnOf[fa.Func]
		if len(args) == len(f.params) && simple(args, f) {
			return c.directCall(f, args, d)
		}
		return func(s *State) { invoke(s, f) }
	}
	callee := c.expr(i.Callee).one
	return func(s *State) {
		p := callee(s)
		if p == mkAddr(unknownFunc, 0) {
			if d.n > 0 {
				w := make([]uint64, d.n)
				s.arbitrary(InHavoc, d.typ, w)
				s.setWords(d, w)
			}
			return
		}
		if f := s.function(p); f != nil {
			invoke(s, f)
		}
	}
}

// simple reports whether arguments of one word each fit the parameters as they are.
func simple(args []arg, f *fn) bool {
	for k, a := range args {
		p := f.f.Params[k].Type
		if a.n != 1 || a.one == nil || words(p) != 1 || !ir.Equal(a.t, p) && !(ir.IsPtr(a.t) && ir.IsPtr(p)) {
			return false
		}
	}
	return len(args) <= 8
}

func (c *fc) directCall(f *fn, args []arg, d slotType) func(*State) {
	fs := make([]eval, len(args))
	for k, a := range args {
		fs[k] = a.one
	}
	return func(s *State) {
		var w [8]uint64
		for k, g := range fs {
			w[k] = g(s)
		}
		if s.push(f, d, 0) {
			copy(s.r, w[:len(fs)])
		}
	}
}

// function finds the function at an address; nil sets the error.
func (s *State) function(p uint64) *fn {
	if k := int(p>>32) - firstFunc; k >= 0 && k < len(s.p.funcs) && Addr(p).Offset() == 0 {
		return s.p.funcs[k]
	}
	if p == 0 {
		s.fail(ErrNull, "call through a null pointer")
	} else {
		s.fail(ErrCall, "call of something that is not a function (%#x)", p)
	}
	return nil
}

// term compiles a terminator.
func (c *fc) term(t ir.Term) op {
	switch t := t.(type) {
	case *ir.Goto:
		if len(t.Targets) == 1 {
			pc := c.start[t.Targets[0]]
			return op{exec: func(s *State) { s.fr.pc = pc }}
		}
		var pcs []int
		for _, b := range t.Targets {
			pcs = append(pcs, c.start[b])
		}
		return op{exec: func(s *State) { s.fr.pc = pcs[s.choose(len(pcs))] }}
	case *ir.Branch:
		f, yes, no := c.expr(t.Cond).one, c.start[t.Then], c.start[t.Else]
		return op{exec: func(s *State) {
			if f(s) != 0 {
				s.fr.pc = yes
			} else {
				s.fr.pc = no
			}
		}}
	case *ir.Return:
		return op{exec: c.ret(t)}
	case *ir.Stop:
		switch t.Kind {
		case "exit":
			return op{exec: c.exit(t)}
		case "abort":
			return op{exec: func(s *State) { s.status = Done }}
		}
		return op{exec: (*State).infeasible}
	}
	panic(fmt.Sprintf("interp: unknown terminator %T", t)) // Validate knows them all
}

// exit ends the thread, with its result where there is one.
func (c *fc) exit(t *ir.Stop) func(*State) {
	if t.Val == nil {
		return func(s *State) { s.finish(nil) }
	}
	v := c.expr(t.Val)
	if v.one != nil {
		return func(s *State) { s.finish([]uint64{v.one(s)}) }
	}
	n := words(t.Val.Type())
	return func(s *State) {
		w := make([]uint64, n)
		v.many(s, w)
		s.finish(w)
	}
}

func (c *fc) ret(t *ir.Return) func(*State) {
	if t.Val == nil {
		return func(s *State) { s.pop(nil) }
	}
	v := c.expr(t.Val)
	if v.one == nil {
		n := words(c.x.f.Result)
		return func(s *State) {
			w := make([]uint64, n)
			v.many(s, w)
			s.pop(w)
		}
	}
	f := v.one
	return func(s *State) { s.pop1(f(s)) }
}
