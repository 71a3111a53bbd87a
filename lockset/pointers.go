package lockset

import (
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
)

// throughPointer notes that a lock's address was read from memory: the register it is
// based on has one definition, a load.
func (l *locks) throughPointer(fn *ir.Func, addr ir.Expr) {
	off := int64(0)
	for {
		switch x := addr.(type) {
		case ir.FieldAddr:
			off += x.S.Fields[x.Index].Offset
			addr = x.Base
			continue
		case ir.IndexAddr:
			c, ok := x.Idx.(ir.Const)
			if !ok || !c.Val.IsInt64() {
				return
			}
			off += c.Val.Int64() * x.Stride
			addr = x.Base
			continue
		case ir.Cast:
			addr = x.X
			continue
		case ir.Use:
			l.loadedFrom(fn, x.Reg, off, 8)
		}
		return
	}
}

// loadedFrom finds the load that defines a register, through copies.
func (l *locks) loadedFrom(fn *ir.Func, r *ir.Reg, off int64, depth int) {
	var def ir.Instr
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, d := range ir.Defs(in) {
				if d == r {
					if def != nil {
						return
					}
					def = in
				}
			}
		}
	}
	switch d := def.(type) {
	case *ir.Assign:
		if depth > 0 {
			if u, ok := ir.Uncast(d.X).(ir.Use); ok {
				l.loadedFrom(fn, u.Reg, off, depth-1)
			}
		}
	case *ir.Load:
		for _, a := range l.f.acc[d] {
			for _, p := range a.Regions {
				l.addPointer(pointerUse{p, off})
			}
		}
	}
}

func (l *locks) addPointer(u pointerUse) {
	for _, v := range l.pointers {
		if v == u {
			return
		}
	}
	if u.region.Exact {
		l.pointers = append(l.pointers, u)
	}
}

// pointerIn is a ghost for a pointer as wide as the cell that it is read from.
func pointerIn(r *alias.Region, name string) *ir.Reg {
	return &ir.Reg{Name: name, Type: ir.Ptr{Elem: ir.Void{}, Narrow: r.Size == 4}, Ghost: true}
}

// pointerFn is the lock function for a pointer cell at addr.
func (l *locks) pointerFn(key, name string, fr *frame, addr ir.Expr, u pointerUse) *guard {
	if fn := l.fns[key]; fn != nil {
		return fn
	}
	v := pointerIn(u.region, "$pointer."+key)
	fn := l.lock(key, name, fr, offsetFrom(ir.Use{Reg: v}, u.off), nil)
	fn.theory.(*lock).pointer = &pointerCell{u.region, addr, v}
	return fn
}

// globalPointers adds the locks that global pointers lead to.
func (l *locks) globalPointers() {
	for _, u := range l.pointers {
		if g := single(u.region); g != nil && u.region.Elem == 0 {
			addr := offsetFrom(asPtr(ir.GlobalAddr{Global: g}), u.region.Offset)
			key := fmt.Sprintf("p:%s+%d:%d", g.Name, u.region.Offset, u.off)
			l.global = append(l.global, l.pointerFn(key, pointeeName(g, u), nil, addr, u))
		}
	}
}

// pointeeName names the lock that a global pointer leads to, with its field where types
// tell which that is.
func pointeeName(g *ir.Global, u pointerUse) string {
	if p, ok := g.Type.(ir.Ptr); ok && u.region.Offset == 0 {
		if s, ok := p.Elem.(*ir.Struct); ok && s.Name != "" {
			return place(s.Name, s, u.off)
		}
	}
	return "*" + place(g.Name, g.Type, u.region.Offset)
}

// pointerLock relates data to a lock pointer in the same object.
func (l *locks) pointerLock(r *alias.Region, u pointerUse) (regionLock, bool) {
	p := u.region
	if p.Elem != r.Elem || (p.Elem != 0 && p.ArrayStart != r.ArrayStart) || !shareObject(p, r) {
		return regionLock{}, false
	}
	fr := l.frame(fmt.Sprintf("x:%d", r.Group))
	key := fmt.Sprintf("p:%d+%d:%d", r.Group, p.Offset, u.off)
	fn := l.pointerFn(key, "*"+plainName(p.Name), fr, offsetFrom(ir.Use{Reg: fr.watch}, p.Offset), u)
	return inObject(fn, fr, r), true
}

// readPointers is the ghost code at the start of a procedure that reads the lock
// pointers. It is only made for cells that nobody writes while the entry runs;
// activeLocks sees to that.
func (x *instrumenter) readPointers() []ir.Instr {
	var out []ir.Instr
	done := map[*ir.Reg]bool{}
	for _, fn := range x.active {
		c := fn.cell()
		if c != nil && x.knows(fn) && !done[c.value] {
			done[c.value] = true
			ld := &ir.Load{Dst: c.value, Addr: c.addr, Order: ir.Plain}
			x.pointerLoads[ld] = c
			out = append(out, ld)
		}
	}
	return out
}
