package absint

import "whoop/ir"

// maxChase bounds how many assignments a pointer is followed back through.
const maxChase = 20

// bounds records an access that may lie outside of the array that it indexes: then
// nothing can be said of the program.
func (t *thread) bounds(s *state, in ir.Instr) {
	var addr ir.Expr
	switch in := in.(type) {
	case *ir.Load:
		addr = in.Addr
	case *ir.Store:
		addr = in.Addr
	case *ir.RMW:
		addr = in.Addr
	case *ir.CmpXchg:
		addr = in.Addr
	default:
		return
	}
	if !t.within(s, addr, maxChase) {
		t.a.next.outside[t.a.flat.orig[in]] = true
	}
}

// within reports whether all indices of an address are those of elements.
func (t *thread) within(s *state, e ir.Expr, n int) bool {
	if n == 0 {
		return false
	}
	switch e := e.(type) {
	case ir.FieldAddr:
		return t.within(s, e.Base, n-1)
	case ir.Cast:
		return !ir.IsPtr(e.X.Type()) || t.within(s, e.X, n-1)
	case ir.Select:
		return t.within(s, e.X, n-1) && t.within(s, e.Y, n-1)
	case ir.Use:
		if d := s.defs[e.Reg]; d != nil {
			return t.within(s, d.X, n-1)
		}
		return true // where the pointer was made is not known: it points to an object
	case ir.IndexAddr:
		return t.index0(s, e, n)
	}
	return true
}

// index0 is within of an index expression.
func (t *thread) index0(s *state, e ir.IndexAddr, n int) bool {
	idx := t.eval(s, e.Idx)
	if i, ok := idx.single(); ok && i == 0 {
		return t.within(s, e.Base, n-1)
	}
	base := e.Base
	for range maxChase {
		switch b := base.(type) {
		case ir.Use:
			if d := s.defs[b.Reg]; d != nil {
				base = d.X
				continue
			}
			a := t.allocs[b.Reg]
			if a == nil {
				return false
			}
			return t.fits(s, idx, e.Stride, a)
		case ir.Cast:
			if ir.IsPtr(b.X.Type()) {
				base = b.X
				continue
			}
		case ir.IndexAddr: // &array[0]
			arr, ok := pointee(b.Base).(ir.Array)
			i, zero := t.eval(s, b.Idx).single()
			if !ok || !zero || i != 0 || arr.Len == 0 || arr.Elem.Size() != e.Stride {
				return false
			}
			return idx.within(between(0, arr.Len-1)) && t.within(s, b.Base, n-1)
		}
		return false
	}
	return false
}

// pointee is what an address is declared to point to.
func pointee(e ir.Expr) ir.Type {
	if p, ok := e.Type().(ir.Ptr); ok {
		return p.Elem
	}
	return nil
}

// fits reports whether an index is within what an allocation makes.
func (t *thread) fits(s *state, idx Value, stride int64, a *ir.Alloc) bool {
	c, ok := a.Count.(ir.Const)
	size := a.Elem.Size()
	if !ok || a.Bytes != nil || !c.Val.IsInt64() || size <= 0 || stride <= 0 || c.Val.Int64() > 1<<40/size {
		return false
	}
	return idx.within(between(0, c.Val.Int64()*size/stride-1))
}

// allocations are the registers that are set by one allocation alone.
func allocations(f *ir.Func) map[*ir.Reg]*ir.Alloc {
	out, defs := map[*ir.Reg]*ir.Alloc{}, map[*ir.Reg]int{}
	for in := range f.Instrs() {
		for _, d := range ir.Defs(in) {
			defs[d]++
		}
		if a, ok := in.(*ir.Alloc); ok {
			out[a.Dst] = a
		}
	}
	for r := range out {
		if defs[r] > 1 {
			delete(out, r)
		}
	}
	return out
}
