package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Misuse of channels and WaitGroups that Go's race detector reports. A close must be ordered with the sends to the
// channel and with other closes of it: a close writes a cell of the channel that sends read. An Add that finds the
// counter at zero must be ordered with Wait: it reads a cell of the WaitGroup that Wait writes, atomically, since two
// calls of Wait are no conflict. What orders accesses of memory orders these accesses, too.

// chanUse and groupUse are the members that stand for these cells, where the lowering is not exact.
const (
	chanUse  = 0
	groupUse = 3
)

// sends emits that something is about to be sent to a channel.
func (x *fn) sends(ch ssa.Value) {
	if x.localChans.isOrdered(ch) {
		return
	}
	x.emit(&ir.Load{Base: x.base(), Dst: x.temp(ir.U32), Addr: x.chanCell(ch), Order: ir.Plain, As: ir.OpSend})
}

// closes emits that a channel is about to be closed.
func (x *fn) closes(ch ssa.Value) {
	if x.localChans.isOrdered(ch) {
		return
	}
	x.emit(&ir.Store{Base: x.base(), Addr: x.chanCell(ch), Val: zero32(), Order: ir.Plain, As: ir.OpClose})
}

func (x *fn) chanCell(ch ssa.Value) ir.Expr {
	s := x.lay.chanObject(ch.Type().Underlying().(*types.Chan))
	return ir.FieldAddr{Base: typed(x.followed(ch)[0], ir.Ptr{Elem: s}), S: s, Index: chanUse}
}

// addsTo emits that a group may be added to that counts nothing.
func (x *fn) addsTo(group ir.Expr, t types.Type) {
	if x.exact || x.tokens.counted(x.site) {
		return
	}
	x.emit(&ir.Load{Base: x.base(), Dst: x.temp(ir.U32), Addr: x.member(group, t, groupUse), Order: ir.Plain, As: ir.OpAdd})
}

// waitsFor emits that a group may be waited for by the first who does.
func (x *fn) waitsFor(group ir.Expr, t types.Type) {
	x.emit(&ir.Store{Base: x.base(), Addr: x.member(group, t, groupUse), Val: zero32(), Order: ir.SeqCst, As: ir.OpWait})
}

// counted reports whether a call surely adds to a group that counts something already, or that nobody waits for yet.
func (t *tokens) counted(in ssa.Instruction) bool { return t.group(in) != nil || t.own[in] != nil }
