package messages

import (
	"slices"

	"whoop/ir"
	"whoop/ir/build"
)

// has reports whether a function has instructions for messages.
func has(f *ir.Func) bool {
	for _, b := range f.Blocks {
		if _, ok := b.Term.(*ir.Selection); ok || slices.ContainsFunc(b.Instrs, isMessage) {
			return true
		}
	}
	return false
}

func isMessage(in ir.Instr) bool {
	_, closes := in.(*ir.Close)
	return closes || ir.MessageOf(in) != nil
}

// rewrite goes through the function of a writer: instr expands an instruction where it
// reports so, term selections.
func rewrite(x *build.Writer, instr func(ir.Instr) bool, term func(*ir.Selection)) {
	blocks := x.F.Blocks
	x.F.Blocks = nil
	slots := slotsOf(blocks)
	for _, b := range blocks {
		instrs, end := b.Instrs, b.Term
		b.Instrs, b.Term = nil, nil
		x.Start(b)
		for _, in := range instrs {
			if a, ok := in.(*ir.Assign); ok && slots[a.Dst] {
				continue
			}
			if x.Pos = in.At(); !instr(in) {
				x.Emit(in)
			}
		}
		if s, ok := end.(*ir.Selection); ok && x.Cur != nil {
			x.Pos = s.Pos
			term(s)
			continue
		}
		x.End(end)
	}
	reached := map[*ir.Block]bool{}
	for _, b := range ir.RPO(x.F) {
		reached[b] = true
	}
	x.F.Blocks = slices.DeleteFunc(x.F.Blocks, func(b *ir.Block) bool { return !reached[b] })
	x.F.Regs = slices.DeleteFunc(x.F.Regs, func(r *ir.Reg) bool { return slots[r] })
}

// slotsOf are the registers that stand for slots; afterwards there are none.
func slotsOf(blocks []*ir.Block) map[*ir.Reg]bool {
	out := map[*ir.Reg]bool{}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			if m := ir.MessageOf(in); m != nil && m.Slot != nil {
				out[m.Slot] = true
			}
		}
	}
	return out
}

// at is an address in the slot of a message.
func at(e ir.Expr, slot *ir.Reg, addr ir.Expr) ir.Expr {
	return ir.MapExpr(e, func(e ir.Expr) ir.Expr {
		if u, ok := e.(ir.Use); ok && u.Reg == slot {
			return addr
		}
		return e
	})
}

// cellOf is the type of a cell.
func cellOf(c ir.Cell) ir.Type { return c.At.Type().(ir.Ptr).Elem }

// store writes a message into a slot.
func store(x *build.Writer, cells []ir.Cell, slot *ir.Reg, addr ir.Expr) {
	for _, c := range cells {
		to := at(c.At, slot, addr)
		if c.Copy {
			x.Emit(&ir.MemCopy{Base: x.Base(), Dst: to, Src: c.Val, Size: ir.IntConst(ir.U64, cellOf(c).Size()), Elem: cellOf(c), Order: ir.SeqCst})
		} else {
			x.Emit(&ir.Store{Base: x.Base(), Addr: to, Val: c.Val, Order: ir.SeqCst})
		}
	}
}

// load reads a message from a slot.
func load(x *build.Writer, cells []ir.Cell, slot *ir.Reg, addr ir.Expr) {
	for i, v := range values(x, cells, slot, addr) {
		x.Assign(cells[i].Dst, v)
	}
}

// values are the values of the cells in a slot.
func values(x *build.Writer, cells []ir.Cell, slot *ir.Reg, addr ir.Expr) []ir.Expr {
	var out []ir.Expr
	for _, c := range cells {
		from := at(c.At, slot, addr)
		if c.Copy {
			r := x.Temp(ir.Ptr{Elem: cellOf(c)})
			x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: cellOf(c), Count: ir.IntConst(ir.U64, 1), Kind: "heap"})
			x.Emit(&ir.MemCopy{Base: x.Base(), Dst: ir.Use{Reg: r}, Src: from, Size: ir.IntConst(ir.U64, cellOf(c).Size()), Elem: cellOf(c), Order: ir.SeqCst})
			out = append(out, ir.Use{Reg: r})
			continue
		}
		r := x.Temp(cellOf(c))
		x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: from, Order: ir.SeqCst})
		out = append(out, ir.Use{Reg: r})
	}
	return out
}
