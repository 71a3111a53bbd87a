package alias

import "whoop/ir"

// Place is an address that is known: so many bytes into an object that there is once.
type Place struct {
	Object *Object
	Offset int64
	// Null: it may be null instead.
	Null bool
}

// PlaceOf returns the one address that a register of a function may have, in all contexts
// of the function; ok is false where there may be others, or none is known.
func (r *Result) PlaceOf(reg *ir.Reg, f *ir.Func) (p Place, ok bool) {
	ok = true
	for ctx := range r.s.ctxs {
		if ctx != 0 && r.s.ctxs[ctx].fn != f {
			continue
		}
		n := r.s.use(reg, int32(ctx))
		r.s.solve()
		r.s.pts(n).each(func(c int32) {
			switch {
			case c == cellNull:
				p.Null = true
			case c < numSpecial:
				ok = false
			default:
				ok = ok && p.join(r.s.cells[c])
			}
		})
		if !ok {
			return Place{}, false
		}
	}
	return p, p.Object != nil
}

// join adds a cell; it is false where that is another place, or not a place of its own.
func (p *Place) join(c cell) bool {
	o := c.obj
	if c.any || !o.Single || o.Kind != KindGlobal && o.Kind != KindHeap || o.raw || o.tail || o.Type == nil {
		return false
	}
	if _, levels := locate(o.Type, c.off); len(levels) > 0 { // one of the elements of an array
		return false
	}
	if p.Object != nil && (p.Object != &o.Object || p.Offset != c.off) {
		return false
	}
	p.Object, p.Offset = &o.Object, c.off
	return true
}
