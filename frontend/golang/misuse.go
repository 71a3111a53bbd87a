package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/precise"
	"whoop/ir"
	"whoop/ir/messages"
)

// Misuse of channels and WaitGroups that Go's race detector reports. A close must be
// ordered with the sends to the channel and with other closes of it: a close writes a
// cell of the channel that sends read. An Add that finds the counter at zero must be
// ordered with Wait: it reads a cell of the WaitGroup that Wait writes, atomically, since
// two calls of Wait are no conflict. What orders accesses of memory orders these
// accesses, too.

// chanUse and groupUse are the members that stand for these cells, where the lowering is
// not exact.
const (
	chanUse  = 0
	groupUse = 3
)

// sends emits that something is about to be sent to a channel.
func (x *fn) sends(ch ssa.Value) {
	load := func() {
		at := x.chanCell(ch)
		x.Emit(&ir.Load{Base: x.Base(), Dst: x.Temp(cellType(at)), Addr: at, Order: ir.Plain, As: ir.OpSend})
	}
	if !x.Exact {
		if !x.localChans.isOrdered(ch) {
			x.gated(ir.OpSend, load)
		}
		return
	}
	if q := x.queue(ch); x.IsClosed(elemOf(ch)) {
		if _, fixed := q.(ir.GlobalAddr); fixed {
			load()
		} else {
			x.When(irgen.Not(irgen.IsNil(q)), load)
		}
	}
}

// closes emits that a channel is about to be closed.
func (x *fn) closes(ch ssa.Value) {
	if !x.Exact && x.localChans.isOrdered(ch) {
		return
	}
	x.gated(ir.OpClose, func() {
		at := x.chanCell(ch)
		x.Emit(&ir.Store{Base: x.Base(), Addr: at, Val: ir.IntConst(cellType(at), 0), Order: ir.Plain, As: ir.OpClose})
	})
}

func (x *fn) chanCell(ch ssa.Value) ir.Expr {
	s, i := x.lay.ChanObject(ch.Type().Underlying().(*types.Chan)), chanUse
	if x.Exact {
		i = messages.Ends
	}
	return ir.FieldAddr{Base: irgen.Typed(x.queue(ch), ir.Ptr{Elem: s}), S: s, Index: i}
}

func cellType(at ir.Expr) ir.Int { return at.Type().(ir.Ptr).Elem.(ir.Int) }

// addsTo emits that a group may be added to that counts nothing.
func (x *fn) addsTo(group ir.Expr, t types.Type) {
	if x.Exact || x.tokens.counted(x.Site) {
		return
	}
	op := ir.OpAdd
	if x.tokens.isReuse(x.Site) {
		op = ir.OpReuse
	}
	x.gated(op, func() {
		x.Emit(&ir.Load{Base: x.Base(), Dst: x.Temp(ir.U32), Addr: x.Member(group, t, groupUse), Order: ir.Plain, As: op})
	})
}

// isReuse reports whether the function may have waited for a group when it adds to it: it
// begins a further round, which must not begin before every Wait of the last one has
// returned.
func (t *tokens) isReuse(in ssa.Instruction) bool {
	add, ok := in.(*ssa.Call)
	if !ok || len(add.Call.Args) == 0 {
		return false
	}
	at, isCell := cellOf(add.Call.Args[0])
	for _, b := range in.Parent().Blocks {
		for _, x := range b.Instrs {
			w, ok := x.(*ssa.Call)
			if !ok || w.Call.StaticCallee() == nil || len(w.Call.Args) == 0 || !form.MayReach(w, in) {
				continue
			}
			of, _ := cellOf(w.Call.Args[0])
			same := w.Call.Args[0] == add.Call.Args[0] || isCell && of == at || t.keys[w] != "" && t.keys[w] == t.keys[in]
			if m := t.l.Models.Model(w.Call.StaticCallee()); m != nil && m.Op == library.OpWait && same {
				return true
			}
		}
	}
	return false
}

// waitsFor emits that a group may be waited for by the first who does.
func (x *fn) waitsFor(group ir.Expr, t types.Type) {
	x.gated(ir.OpWait, func() {
		x.Emit(&ir.Store{Base: x.Base(), Addr: x.Member(group, t, groupUse), Val: precise.Zero32(), Order: ir.SeqCst, As: ir.OpWait})
	})
}

// counted reports whether a call surely adds to a group that counts something already, or
// that nobody waits for yet.
func (t *tokens) counted(in ssa.Instruction) bool {
	if t.group(in) != nil || t.own[in] != nil {
		return true
	}
	g := t.groups[t.keys[in]]
	return g != nil && t.balanced(g) && t.addsWhileCounted(g, in)
}

// balanced reports whether a group counts at least the goroutines that have been counted
// before they were started, and that have not called Done yet: nothing else counts down,
// and each of them does so once at most.
func (t *tokens) balanced(g *group) bool {
	if g.overwritten || t.stray || !form.OnlyCalls(g.adds, g.gos, g.waits) {
		return false
	}
	all := &group{adds: g.adds, gos: g.gos}
	for i, d := range g.dones {
		f := t.goroutineOf(d)
		if f == nil || slices.ContainsFunc(g.dones[:i], func(e ssa.CallInstruction) bool { return t.goroutineOf(e) == f }) {
			return false
		}
		all.sites = append(all.sites, t.l.once.Sites[f]...)
	}
	return newCounts(all, t.fixed).covered()
}

// addsWhileCounted reports whether a goroutine that a balanced group counts executes an
// instruction, before it calls Done.
func (t *tokens) addsWhileCounted(g *group, in ssa.Instruction) bool {
	add := in
	for range 10 {
		f := in.Parent()
		for _, s := range g.gos {
			if form.StaticFunc(s.Common().Args[1]) == f && len(t.l.once.Sites[f]) == 1 && t.l.once.Known(f) {
				return true
			}
		}
		for _, d := range g.dones {
			if t.goroutineOf(d) != f {
				continue
			}
			return t.l.once.NeverAfter(f, add, d)
		}
		sites := t.l.once.Sites[f]
		if !t.l.once.Known(f) || len(sites) != 1 || form.CalleeOf(sites[0]) != f {
			return false
		}
		if _, isGo := sites[0].(*ssa.Go); isGo {
			return false
		}
		in = sites[0]
	}
	return false
}
