package reduction

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// target is the one region of an access that is followed.
func (x *run) target(in ir.Instr, size int64) *cell {
	as := x.m.alias.Accesses(in)
	var r *alias.Region
	for _, a := range as {
		if a.Unknown || len(a.Regions) != 1 || r != nil && a.Regions[0] != r {
			return nil
		}
		r = a.Regions[0]
	}
	if r == nil || r.Size != size || x.lost(r.ID) {
		return nil
	}
	if c := x.m.cells[r.ID]; c.kind != unknown {
		return c
	}
	return nil
}

// load reads; nil: anything.
func (x *run) load(in ir.Instr, addr ir.Expr, typ ir.Type) (*bv.Term, error) {
	if err := x.within(in, addr, typ); err != nil {
		return nil, err
	}
	w, ok := irterm.Width(typ)
	c := x.target(in, typ.Size())
	if !ok || w == 0 || c == nil || c.width != w {
		return nil, nil
	}
	if c.kind != array {
		return x.m.get(x.vals, x.m.cellSlotOf(x.t.id, c)), nil
	}
	a := x.eval(addr)
	if a == nil {
		return nil, nil
	}
	v := x.fresh(w)
	x.mem = append(x.mem, access{region: c.region.ID, addr: a, val: v})
	return v, nil
}

// store writes; v nil: anything.
func (x *run) store(in ir.Instr, addr ir.Expr, typ ir.Type, v *bv.Term) error {
	if err := x.within(in, addr, typ); err != nil {
		return err
	}
	w, ok := irterm.Width(typ)
	c := x.target(in, typ.Size())
	if c == nil || !ok || w == 0 || c.width != w {
		for _, a := range x.m.alias.Accesses(in) {
			if !a.Write {
				continue
			}
			x.clobber(a.Regions)
			for _, r := range a.Regions {
				if k := x.m.cells[r.ID]; k.kind == array && !x.m.lost(r.ID) {
					x.mem = append(x.mem, access{region: r.ID, write: true})
				}
			}
		}
		return nil
	}
	if v == nil {
		v = x.fresh(w)
	}
	if c.kind != array {
		x.vals[x.m.cellSlotOf(x.t.id, c)] = v
		return nil
	}
	x.mem = append(x.mem, access{region: c.region.ID, write: true, addr: x.eval(addr), val: v})
	return nil
}

// within lets the run fail where the address may lie outside of all objects that it may
// be of.
func (x *run) within(in ir.Instr, addr ir.Expr, typ ir.Type) error {
	m, b := x.m, x.m.b
	if m.solo != x.t.id || direct(x.t.fn, addr) || !m.indexed(x.t.fn, in, addr) {
		return nil
	}
	a := x.eval(addr)
	size := uint64(max(typ.Size(), 1))
	var in1 []*bv.Term
	for _, acc := range m.alias.Accesses(in) {
		for _, r := range acc.Regions {
			for _, o := range r.Objects {
				var base, n *bv.Term
				switch {
				case r.Elem == 0 || r.ArrayStart != 0:
					continue
				case o.Global != nil && elements(o.Global.Type) == r.Elem:
					base, n = m.address(irterm.GlobalName(o.Global)), b.Num(64, uint64(o.Global.Type.Size()))
				case o.Alloc != nil && m.in.Once[o.Alloc] && (o.Alloc.Elem.Size() == r.Elem || isOne(o.Alloc.Count) && elements(o.Alloc.Elem) == r.Elem):
					t, ok := m.allocator(o.Alloc)
					if !ok || !m.followed[t] {
						continue
					}
					base, n = m.get(x.vals, m.baseOf(t, o.Alloc)), m.get(x.vals, m.sizeOf(t, o.Alloc))
				default:
					continue
				}
				in1 = append(in1, b.And(b.ULe(b.Num(64, size), n), b.ULe(b.Sub(a, base), b.Sub(n, b.Num(64, size)))))
			}
		}
	}
	return x.fail(in, b.Not(b.Or(in1...)))
}

// elements is the size of the elements of an array type; 0 for other types.
func elements(t ir.Type) int64 {
	if a, ok := t.(ir.Array); ok {
		return a.Elem.Size()
	}
	return 0
}

// indexed reports whether an access may be to an element of an array, or is at an address
// that is computed with an index. Other pointers lead to objects.
func (m *machine) indexed(f *ir.Func, in ir.Instr, addr ir.Expr) bool {
	for _, a := range m.alias.Accesses(in) {
		for _, r := range a.Regions {
			if r.Elem != 0 {
				return true
			}
		}
	}
	for range 20 {
		switch x := addr.(type) {
		case ir.GlobalAddr, ir.FuncAddr, ir.Null:
			return false
		case ir.FieldAddr:
			addr = x.Base
			continue
		case ir.Cast:
			if ir.IsPtr(x.X.Type()) {
				addr = x.X
				continue
			}
		case ir.Use:
			switch d := ir.Definition(f, x.Reg).(type) {
			case *ir.Assign:
				addr = d.X
				continue
			case *ir.Alloc, *ir.Load:
				return false
			}
			return !slices.Contains(f.Params, x.Reg)
		}
		return true
	}
	return true
}

// allocator is the thread that executes an allocation, where it is one.
func (m *machine) allocator(in *ir.Alloc) (int, bool) {
	found := -1
	for _, t := range m.threads {
		n := false
		t.instrs(func(_ *ir.Block, i ir.Instr) { n = n || i == ir.Instr(in) })
		if n && found >= 0 {
			return 0, false
		}
		if n {
			found = t.id
		}
	}
	return found, found >= 0
}

// direct reports whether an address is that of a variable, or of a member of one, made in
// this function: it lies in the object.
func direct(f *ir.Func, e ir.Expr) bool {
	for range 20 {
		switch x := e.(type) {
		case ir.GlobalAddr:
			return true
		case ir.FieldAddr:
			e = x.Base
			continue
		case ir.Cast:
			if !ir.IsPtr(x.X.Type()) {
				return false
			}
			e = x.X
			continue
		case ir.Use:
			switch d := ir.Definition(f, x.Reg).(type) {
			case *ir.Alloc:
				return isOne(d.Count)
			case *ir.Assign:
				e = d.X
				continue
			}
		}
		return false
	}
	return false
}
