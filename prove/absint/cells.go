package absint

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// A cell is a region of memory, of which the contents are followed: one place, or several
// that are not told apart.
type cell struct {
	region *alias.Region
	// typ is the type the contents are written down in: an integer of the size of the
	// cell.
	typ ir.Int
	// known: whole values are written and read, so that the contents are followed at all.
	known bool
	// shared: several threads may access it.
	shared bool
	// strong: the cell is one place for a thread, and what is written is what is there.
	strong bool
	// own: every thread has a cell of its own.
	own bool
	// start is what it holds when the program starts (own: when a thread starts).
	start Value
	// guards are the locks that are held at every write while several threads run.
	guards []lockID
}

// makeCells makes the cells of a flat program.
func (a *analysis) makeCells() {
	types := map[int]ir.Int{}
	blocked := map[int]bool{}
	for _, in := range a.flat.prog.Instrs() {
		a.cellTypes(in, types, blocked)
	}
	for _, r := range a.alias.Regions() {
		for len(a.cells) <= r.ID {
			a.cells = append(a.cells, nil)
		}
		a.cells[r.ID] = a.makeCell(r, types, blocked)
	}
}

// cellTypes finds the types in which regions are accessed, and those that code not seen
// may write at any time.
func (a *analysis) cellTypes(in ir.Instr, types map[int]ir.Int, blocked map[int]bool) {
	t := ir.CellType(in)
	for _, x := range a.alias.Accesses(in) {
		for _, r := range x.Regions {
			if x.Unseen && x.Write {
				if touch, ok := in.(*ir.Touch); !ok || !touch.Borrow {
					blocked[r.ID] = true
				}
			}
			if touch, ok := in.(*ir.Touch); ok && x.Write && !touch.Borrow {
				blocked[r.ID] = true
			}
			if i, ok := intType(t); ok && t != nil {
				if _, ok := types[r.ID]; !ok {
					types[r.ID] = i
				}
			}
		}
	}
}

func (a *analysis) makeCell(r *alias.Region, types map[int]ir.Int, blocked map[int]bool) *cell {
	c := &cell{region: r, shared: r.Shared, start: nothing}
	t, ok := types[r.ID]
	c.known = ok && r.Exact && r.Size > 0 && (int64(t.Bits) == r.Size*8 || a.flat.prog.NarrowPointers && t == ir.U64 && r.Size == 4) && !blocked[r.ID]
	if ok {
		c.typ = t
	}
	single := len(r.Objects) == 1 && r.Elem == 0
	for _, o := range r.Objects {
		switch {
		case o.Kind == alias.KindExtern || o.Kind == alias.KindFunc:
			c.known = false
		case o.Global != nil && o.Global.Extern:
			c.known = false
		case o.Global != nil:
			c.own = c.own || o.Global.ThreadLocal
			if c.known {
				c.start = c.start.join(a.initial(o.Global, r, t))
			}
		}
	}
	if c.own && len(r.Objects) > 1 || c.own && c.shared {
		c.known = false
	}
	if !c.known {
		return c
	}
	o := r.Objects[0]
	c.strong = single && (o.Single || c.own || !c.shared && o.Alloc != nil && a.flat.once[o.Alloc] && o.Kind == alias.KindStack && one(o.Alloc.Count))
	return c
}

// one reports whether a count is the constant 1.
func one(e ir.Expr) bool {
	c, ok := e.(ir.Const)
	return ok && c.Val.IsInt64() && c.Val.Int64() == 1
}

// initial is what a global's places of a region hold at first.
func (a *analysis) initial(g *ir.Global, r *alias.Region, t ir.Int) Value {
	v := listed(0)
	if r.Elem == 0 && slices.ContainsFunc(g.Init, func(i ir.InitCell) bool { return i.Offset == r.Offset+r.ArrayStart && i.Type.Size() == r.Size }) {
		v = nothing
	}
	for _, i := range g.Init {
		size := max(i.Type.Size(), 1)
		off := r.Offset + r.ArrayStart
		switch {
		case r.Elem == 0 && (i.Offset+size <= off || i.Offset >= off+r.Size):
		case r.Elem == 0 && i.Offset != off, size != r.Size:
			if r.Elem != 0 && !overlaps(i.Offset, size, r) {
				continue
			}
			return full(t)
		default:
			if r.Elem != 0 && !overlaps(i.Offset, size, r) {
				continue
			}
			f, ok := intType(i.Type)
			if !ok {
				return full(t)
			}
			v = v.join(evaluator{s: &state{}}.eval(i.Value).as(f, t))
		}
	}
	return v
}

// overlaps reports whether an initialised place may be one of an array's places. What is
// not known to lie elsewhere may.
func overlaps(off, size int64, r *alias.Region) bool {
	if off < r.ArrayStart {
		return off+size > r.ArrayStart
	}
	in := (off - r.ArrayStart) % r.Elem
	return in < r.Offset+r.Size && in+size > r.Offset || in+size > r.Elem
}
