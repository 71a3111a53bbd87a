package golang

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// waiting looks at what a function does until it has found a channel closed: whether that
// only waits.
type waiting struct {
	l *lowering
	// ch tells the values that are the channel.
	ch       func(ssa.Value) bool
	uses     *chanUses
	from     ssa.Instruction
	returned bool // it returns the channel without waiting

	blocks map[*ssa.BasicBlock]bool
	ok     bool
	panics bool // some path does
}

// waits reports whether all that comes after an instruction waits, or ends the program:
// where nobody recovers, a panic does.
func (w *waiting) waits(in ssa.Instruction) bool {
	w.blocks, w.ok = map[*ssa.BasicBlock]bool{}, true
	b := in.Block()
	for i, x := range b.Instrs {
		if x == in {
			w.run(b, i+1)
			return w.ok && !w.returned
		}
	}
	return false
}

// run follows a block from an instruction on.
func (w *waiting) run(b *ssa.BasicBlock, i int) {
	w.blocks[b] = true
	for _, in := range b.Instrs[i:] {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in.Op == token.ARROW && w.ch(in.X) && !in.CommaOk && len(w.uses.sent) == 0 {
				return // it is closed
			}
		case *ssa.If:
			if w.isOpen(in.Cond) { // the other way it is closed
				w.enter(b.Succs[0])
				return
			}
			w.enter(b.Succs[0])
			w.enter(b.Succs[1])
			return
		case *ssa.Jump:
			w.enter(b.Succs[0])
			return
		case *ssa.Panic: // the goroutine goes on where somebody recovers
			w.ok = w.ok && !(w.l.recovering && w.l.above(in.Parent(), true, defersRecover))
			w.panics = true
			return
		case *ssa.Return:
			w.returned = len(in.Results) == 1 && w.ch(in.Results[0])
			w.ok = w.ok && w.returned
			return
		}
		if !w.harmless(in) {
			w.ok = false
		}
		if !w.ok {
			return
		}
	}
}

func (w *waiting) enter(b *ssa.BasicBlock) {
	if !w.blocks[b] && w.ok {
		w.run(b, 0)
	}
}

// isOpen reports whether a condition is that something was received from the channel.
func (w *waiting) isOpen(v ssa.Value) bool {
	e, ok := v.(*ssa.Extract)
	return ok && e.Index == 1 && w.received(e.Tuple)
}

func (w *waiting) received(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	return ok && u.Op == token.ARROW && w.ch(u.X)
}

// harmless reports whether an instruction touches nothing that the goroutine may touch at
// the same time.
func (w *waiting) harmless(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Phi, *ssa.Extract, *ssa.BinOp, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Alloc,
		*ssa.IndexAddr, *ssa.FieldAddr:
		return true
	case *ssa.UnOp:
		switch in.Op {
		case token.ARROW:
			return w.ch(in.X)
		case token.MUL:
			return w.ch(in) || w.own(in.X)
		}
		return true
	case *ssa.Store:
		return w.own(in.Addr) && w.plain(in.Val)
	case *ssa.Slice:
		return w.own(in.X)
	case *ssa.Call:
		return w.call(in)
	}
	return false
}

// own reports whether an address is in a variable that is made while waiting.
func (w *waiting) own(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Block() != nil && w.blocks[v.Block()] && v.Block() != w.from.Block()
	case *ssa.IndexAddr:
		return w.own(v.X)
	case *ssa.FieldAddr:
		return w.own(v.X)
	}
	return false
}

// plain reports whether one may read what a value leads to while the goroutine runs.
func (w *waiting) plain(v ssa.Value) bool { return w.plainIn(v, map[ssa.Value]bool{}) }

func (w *waiting) plainIn(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Kind() != types.UnsafePointer {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeInterface:
		return w.plainIn(v.X, seen)
	case *ssa.ChangeInterface:
		return w.plainIn(v.X, seen)
	case *ssa.Extract:
		return w.received(v.Tuple) && !w.uses.mutable()
	case *ssa.UnOp:
		return w.received(v) && !w.uses.mutable()
	case *ssa.Slice:
		return w.own(v.X)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !w.plainIn(e, seen) {
				return false
			}
		}
		return true
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && w.plainIn(v.Call.Args[0], seen)
	}
	return false
}

// call reports whether a call is one that reads plain values only: append to a slice of
// its own, printing, Error.
func (w *waiting) call(c *ssa.Call) bool {
	args := c.Call.Args
	if c.Call.IsInvoke() {
		return c.Call.Method.Name() == "Error" && len(args) == 0 && w.plain(c.Call.Value)
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() != "append" && b.Name() != "len" && b.Name() != "cap" {
		return false
	} else if f := c.Call.StaticCallee(); !ok {
		if f == nil || len(form.Body(f).Blocks) > 0 || f.Object() == nil {
			return false
		}
		if e := w.l.Models.EffectOf(f.Object().(*types.Func)); e != library.OpPure && e != library.OpReads {
			return false
		}
	}
	for _, a := range args {
		if !w.plain(a) {
			return false
		}
	}
	return true
}
