package lockset

import (
	"whoop/ir"
)

// What a free container leads to may be taken out of it member by member, as where a
// constructor makes a value and its caller copies that: box.ring = *newRing(). A pointer
// that was found in a free container leads to an object of the container's token. Who
// stores it in a cell of somebody else places all that the token is of, the container
// itself, too; what was found there before has the cell's owner from then on.

// partOf is what is known of a pointer that was found in a free container, while the
// container's register has the token.
func (w *placing) partOf(e ir.Expr, at origins) (origin, bool) {
	u, ok := ir.Uncast(e).(ir.Use)
	if !ok {
		return origin{}, false
	}
	r, off := w.original(u.Reg)
	o := at[r]
	if o.part == nil || off != 0 {
		return origin{}, false
	}
	of := at[o.part]
	return o, of.token() && of.params == 0 && of.from == ""
}

// forgetParts drops what is known by a register that gets another value.
func (w *placing) forgetParts(r *ir.Reg, at origins) {
	for d, o := range at {
		if o.part == r {
			delete(at, d)
		}
	}
}

// storePart follows a store of what was found in a free container.
func (w *placing) storePart(in *ir.Store, p origin, at origins) {
	var to spot
	var rs ids
	for _, a := range w.f.acc[w.source(in)] {
		if !a.Write {
			continue
		}
		to = w.spotOf(a, in.Addr, at)
		rs = w.touch(a, ir.IsPtr(in.Val.Type()))
		switch {
		case to.owned():
			w.place(rs, origin{from: to.key, cells: p.cells}, true, to)
		case to.known && to.free && to.reg == p.part:
			w.place(rs, p, true, to)
		default:
			w.place(rs, origin{}, false, spot{})
		}
	}
	if !to.owned() {
		return
	}
	after := map[*ir.Reg]origin{p.part: {from: to.key, cells: rs.with(to.cells).with(p.cells)}}
	for r, o := range at {
		if o.part == p.part {
			after[r] = origin{from: to.key, cells: rs.with(to.cells).with(o.cells)}
		}
	}
	for r, o := range after {
		delete(at, r)
		w.set(r, o, true, at)
	}
}
