package absint

import (
	"whoop/analysis/alias"
	"whoop/ir"
)

type region = *alias.Region

// eval computes an expression.
func (t *thread) eval(s *state, e ir.Expr) Value { return t.on(s).eval(e) }

func (t *thread) on(s *state) evaluator {
	ev := evaluator{s: s, cells: t.a.cells}
	return ev
}

// step is the effect of an instruction on the state, which is changed; false: the thread
// does not get past it.
func (t *thread) step(s *state, in ir.Instr) bool {
	t.note(s, in)
	if t.recording {
		t.discipline(s, in)
	}
	switch in := in.(type) {
	case *ir.Assign:
		t.assign(s, in)
		return !t.empty(s, in.Dst)
	case *ir.Load:
		t.load(s, in)
		return !t.empty(s, in.Dst)
	case *ir.Store:
		t.store(s, in, t.eval(s, in.Val), in.Val.Type())
	case *ir.RMW:
		return t.rmw(s, in)
	case *ir.CmpXchg:
		return t.cmpxchg(s, in)
	case *ir.Alloc:
		t.alloc(s, in)
	case *ir.Havoc:
		s.set(in.Dst, full(in.Dst.Type))
	case *ir.Assume:
		return t.assume(s, in.Cond, true)
	case *ir.Assert:
		if t.recording {
			c := s.clone()
			if t.assume(c, in.Cond, false) {
				t.a.next.failing[t.a.flat.orig[in]] = true
			}
		}
		return t.assume(s, in.Cond, true)
	case *ir.Lock:
		t.lock(s, in)
	case *ir.Unlock:
		t.unlock(s, in)
	case *ir.AtomicBegin:
		t.acquire(s, section, false)
	case *ir.AtomicEnd:
		t.release(s, section)
	case *ir.Spawn:
		t.spawn(s, in)
		t.forget(s, in)
	case *ir.Free: // what is freed is not used again: memory safety
	case *ir.MemSet:
		if !t.zeroed(s, in) {
			t.forget(s, in)
		}
	default:
		t.forget(s, in)
	}
	return true
}

// zeroed is a MemSet that fills a whole object with zeros.
func (t *thread) zeroed(s *state, in *ir.MemSet) bool {
	if v, ok := t.eval(s, in.Val).single(); !ok || v != 0 {
		return false
	}
	accs := t.a.alias.Accesses(in)
	if len(accs) != 1 || accs[0].Size <= 0 || accs[0].Unknown {
		return false
	}
	for _, r := range accs[0].Regions {
		if len(r.Objects) != 1 || r.Objects[0] != accs[0].Regions[0].Objects[0] || r.Objects[0].Type == nil || r.Objects[0].Type.Size() != accs[0].Size {
			return false
		}
	}
	for _, r := range accs[0].Regions {
		if t.a.cells[r.ID].known {
			t.write(s, r.ID, listed(0), r.Elem == 0, t.a.alias.Fresh(in))
		}
	}
	return true
}

func (t *thread) empty(s *state, r *ir.Reg) bool {
	v, ok := s.regs[r]
	return ok && v.empty()
}

// forget is an instruction of which only is known which memory it may write, and which
// registers.
func (t *thread) forget(s *state, in ir.Instr) {
	for _, d := range ir.Defs(in) {
		s.set(d, full(d.Type))
	}
	for _, x := range t.a.alias.Accesses(in) {
		if !x.Write {
			continue
		}
		for _, r := range x.Regions {
			if t.a.cells[r.ID].known {
				t.write(s, r.ID, full(t.a.cells[r.ID].typ), false, t.a.alias.Fresh(in))
			}
		}
	}
}

func (t *thread) assume(s *state, c ir.Expr, want bool) bool {
	return t.on(s).assume(c, want, func(cell int) bool { return t.protects(s, cell) && t.a.cells[cell].strong })
}

func (t *thread) assign(s *state, in *ir.Assign) {
	v := t.eval(s, in.X)
	if p, ok := t.a.flat.params[in]; ok && t.recording {
		if old, ok := t.a.next.params[p]; ok {
			t.a.next.params[p] = v.join(old)
		} else {
			t.a.next.params[p] = v
		}
	}
	link, linked := 0, false
	if u, ok := in.X.(ir.Use); ok {
		link, linked = s.links[u.Reg]
	}
	s.set(in.Dst, v)
	if !ir.UsesReg(in.X, in.Dst) {
		s.defs[in.Dst] = in
		if linked {
			s.links[in.Dst] = link
		}
	}
}

// cellsOf are the cells that an access touches; ok is false where the access does not fit
// them.
func (t *thread) cellsOf(in ir.Instr, size int64) (cells []int, ok bool) {
	accs := t.a.alias.Accesses(in)
	ok = len(accs) == 1 && !accs[0].Unknown
	for _, x := range accs {
		for _, r := range x.Regions {
			cells = append(cells, r.ID)
			c := t.a.cells[r.ID]
			if !c.known || r.Size != size || !r.Exact {
				ok = false
			}
		}
	}
	if len(cells) > 1 && t.a.alias.Fresh(in) {
		ok = false
	}
	return cells, ok && len(cells) > 0
}

// contents is what a load of a type may read.
func (t *thread) contents(s *state, in ir.Instr, typ ir.Type) (v Value, cells []int) {
	cells, ok := t.cellsOf(in, typ.Size())
	i, num := intType(typ)
	if !ok || !num {
		return full(typ), cells
	}
	v = nothing
	for _, c := range cells {
		v = v.join(t.read(s, c).as(t.a.cells[c].typ, i))
	}
	return v, cells
}

func (t *thread) load(s *state, in *ir.Load) {
	v, cells := t.contents(s, in, in.Dst.Type)
	s.set(in.Dst, v)
	if t.recording {
		o := t.a.flat.orig[in]
		if old, ok := t.a.next.loads[o]; ok {
			v = v.join(old)
		}
		t.a.next.loads[o] = v
	}
	if len(cells) == 1 {
		if c := t.a.cells[cells[0]]; c.known && c.strong && t.protects(s, cells[0]) {
			s.links[in.Dst] = cells[0]
		}
	}
}

// store writes a value.
func (t *thread) store(s *state, in ir.Instr, v Value, typ ir.Type) {
	cells, ok := t.cellsOf(in, typ.Size())
	i, num := intType(typ)
	fresh := t.a.alias.Fresh(in)
	for _, c := range cells {
		x := t.a.cells[c]
		if !x.known {
			continue
		}
		if ok && num {
			t.write(s, c, v.as(i, x.typ), len(cells) == 1, fresh)
		} else {
			t.write(s, c, full(x.typ), false, fresh)
		}
	}
}

func (t *thread) rmw(s *state, in *ir.RMW) bool {
	old, _ := t.contents(s, in, in.Val.Type())
	if old.empty() {
		return false
	}
	arg := t.eval(s, in.Val)
	v := full(in.Val.Type())
	if i, ok := in.Val.Type().(ir.Int); ok {
		switch in.Op {
		case "xchg":
			v = arg
		case "nand":
		default:
			v, _ = binary(in.Op, i, old, arg)
		}
	} else if in.Op == "xchg" {
		v = arg
	}
	t.store(s, in, v, in.Val.Type())
	if in.Dst != nil {
		s.set(in.Dst, old)
	}
	return true
}

func (t *thread) cmpxchg(s *state, in *ir.CmpXchg) bool {
	old, cells := t.contents(s, in, in.New.Type())
	if old.empty() {
		return false
	}
	want, repl := t.eval(s, in.Expected), t.eval(s, in.New)
	same := compare("eq", old, want)
	if ir.IsPtr(in.New.Type()) && !same.equal(falsity) {
		same = boolean
	}
	if same.has(1) {
		v := repl
		if same.has(0) || in.Weak {
			v = v.join(old)
		}
		if _, ok := intType(in.New.Type()); !ok || len(cells) != 1 {
			v = full(in.New.Type())
		}
		t.store(s, in, v, in.New.Type())
	}
	if in.Dst != nil {
		s.set(in.Dst, old)
	}
	if in.OK != nil {
		ok := same
		if in.Weak {
			ok = ok.join(falsity)
		}
		s.set(in.OK, ok)
	}
	return true
}

// alloc makes an object: its cells hold 0 or anything.
func (t *thread) alloc(s *state, in *ir.Alloc) {
	v := nonNull
	if in.MayFail {
		v = full(ir.VPtr)
	}
	s.set(in.Dst, v)
	for _, c := range t.a.allocated[in] {
		x := t.a.cells[c]
		init := full(x.typ)
		if in.Zero {
			init = listed(0)
		}
		t.write(s, c, init, true, true)
	}
}

// spawn starts threads. They know what the thread knows: what others do since then is in
// what they publish.
func (t *thread) spawn(s *state, in *ir.Spawn) {
	for _, u := range t.a.spawned[in] {
		if !t.recording {
			continue
		}
		c := &state{regs: map[*ir.Reg]Value{}, defs: map[*ir.Reg]*ir.Assign{}, links: map[*ir.Reg]int{}, mem: map[int]Value{}, base: map[int]Value{}, dirty: map[unpublished]bool{}}
		for i, p := range u.entry.Func.Params {
			if i < len(in.Args) {
				if v := cast(t.eval(s, in.Args[i]), in.Args[i].Type(), p.Type); !v.equal(full(p.Type)) {
					c.regs[p] = v
				}
			}
		}
		for id, x := range t.a.cells {
			if x == nil || !x.known {
				continue
			}
			v, ok := s.mem[id]
			if b, has := s.base[id]; has {
				v = b
				ok = !b.equal(anything)
			}
			if x.own {
				v, ok = x.start, true
			}
			if ok && !v.equal(full(x.typ)) {
				c.mem[id] = v
			}
		}
		if old := t.a.next.start[u]; old != nil {
			c = combine(old, c, nil)
		}
		t.a.next.start[u] = c
	}
	if s.alone {
		s.alone = false
		s.links = map[*ir.Reg]int{}
	}
}

// note records which accesses may leave their arrays.
func (t *thread) note(s *state, in ir.Instr) {
	if t.recording {
		t.bounds(s, in)
	}
}
