package lockset

import (
	"slices"

	"whoop/ir"
)

// Where something panics, a function returns with what it had locked and not deferred to
// unlock. Nearly always that ends the program, and what is above deals with the panic and
// not with locks. So the candidates for deadlocks come from paths on which nothing goes
// up: a block that says so to its caller ends there, and what comes after a call is what
// comes where nothing has panicked in it. They are candidates: no proof rests on them.

// goesUp reports whether a block leaves the variable of unwinding set.
func goesUp(b *ir.Block) bool {
	up := false
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ir.Store:
			if isUnwound(in.Addr) {
				c, known := in.Val.(ir.Const)
				up = !known || c.Val.Sign() != 0
			}
		case *ir.Call:
			up = false
		}
	}
	return up
}

// withoutPanic are the blocks that come next if the variable was not set where it was
// read in this block.
func withoutPanic(b *ir.Block) []*ir.Block {
	br, ok := b.Term.(*ir.Branch)
	if !ok {
		return b.Term.Succs()
	}
	cond, ok := br.Cond.(ir.Binary)
	if !ok || cond.Op != "ne" && cond.Op != "eq" {
		return b.Term.Succs()
	}
	if c, ok := cond.Y.(ir.Const); !ok || c.Val.Sign() != 0 || !readsUnwound(b, cond.X) {
		return b.Term.Succs()
	}
	if cond.Op == "ne" {
		return []*ir.Block{br.Else}
	}
	return []*ir.Block{br.Then}
}

// readsUnwound reports whether an expression is a register that a block has last loaded
// the variable to.
func readsUnwound(b *ir.Block, x ir.Expr) bool {
	u, ok := x.(ir.Use)
	if !ok {
		return false
	}
	out := false
	for _, in := range b.Instrs {
		if slices.Contains(ir.Defs(in), u.Reg) {
			l, load := in.(*ir.Load)
			out = load && isUnwound(l.Addr)
		}
	}
	return out
}

func isUnwound(addr ir.Expr) bool {
	g, ok := addr.(ir.GlobalAddr)
	return ok && g.Global.IsUnwound()
}
