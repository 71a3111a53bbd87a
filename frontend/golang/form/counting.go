package form

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// lessThan is the comparison with n at the end of a block that goes to its first
// successor where something is less; nil where there is none.
func lessThan(x *ssa.BasicBlock, n ssa.Value) *ssa.BinOp {
	br, ok := x.Instrs[len(x.Instrs)-1].(*ssa.If)
	if !ok || x.Succs[0] == x.Succs[1] {
		return nil
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS || !SameNumber(cmp.Y, n) {
		return nil
	}
	return cmp
}

// countsTo reports whether a block ends with the test of a loop that leaves it after n
// iterations: at their beginning, as "i < n" of a counter from 0 on or "i+1 < n" of one
// from -1 on, or at their end, as "i+1 < n" of a counter from 0 on.
func countsTo(x *ssa.BasicBlock, n ssa.Value) bool {
	cmp := lessThan(x, n)
	if cmp == nil {
		return false
	}
	if phi, ok := cmp.X.(*ssa.Phi); ok {
		return phi.Block() == x && counter(phi, 0)
	}
	if countsInMemory(cmp.X, x) {
		return true
	}
	next, ok := cmp.X.(*ssa.BinOp)
	if !ok || next.Op != token.ADD || !isConst(next.Y, 1) {
		return false
	}
	phi, ok := next.X.(*ssa.Phi)
	if !ok {
		return false
	}
	return phi.Block() == x && counter(phi, -1) && next.Block() == x || phi.Block() == x.Succs[0] && counter(phi, 0)
}

// Iterations returns the bound of the only loop around b, "for i := 0; i < bound; i++" or
// a range loop, or nil. The block runs at most that often: the bound is one number for as
// long as the loop lasts.
func Iterations(b *ssa.BasicBlock) ssa.Value {
	n := OverInteger(b)
	if n == nil {
		n = BelowBound(b)
	}
	of := n
	if x := lengthArg(n); x != nil {
		of = x
	}
	if in, ok := of.(ssa.Instruction); ok && LeadsTo(in.Block(), b) && LeadsTo(b, in.Block()) {
		return nil
	}
	return n
}

// BelowBound is iterations for loops with the test at the beginning, whatever the bound.
func BelowBound(b *ssa.BasicBlock) ssa.Value {
	var head *ssa.BasicBlock
	for h := b.Idom(); h != nil; h = h.Idom() {
		if OnCycle(h) && (head == nil || ReachesAvoiding(b, h, nil)) {
			head = h
		}
	}
	if b == head || head == nil || ReachesAvoiding(b, b, head) {
		return nil
	}
	br, ok := head.Instrs[len(head.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS || !head.Succs[0].Dominates(b) {
		return nil
	}
	if phi, ok := cmp.X.(*ssa.Phi); ok && phi.Block() == head && counter(phi, 0) || countsInMemory(cmp.X, head) {
		return cmp.Y
	}
	if next, ok := cmp.X.(*ssa.BinOp); ok && next.Op == token.ADD && next.Block() == head {
		if phi, ok := next.X.(*ssa.Phi); ok && phi.Block() == head && isConst(next.Y, 1) && counter(phi, -1) {
			return cmp.Y
		}
	}
	return nil
}

// OverInteger returns the bound of the only loop around b where that is "for i := range
// bound", or nil: its test comes at the end of an iteration, and before the first one.
func OverInteger(b *ssa.BasicBlock) ssa.Value {
	for head := b; head != nil; head = head.Idom() {
		if !slices.ContainsFunc(head.Preds, head.Dominates) || !ReachesAvoiding(b, head, nil) {
			continue
		}
		var bound ssa.Value
		for _, p := range head.Preds {
			br, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
			if !ok || p.Succs[0] != head || p.Succs[1] == head {
				return nil
			}
			cmp, ok := br.Cond.(*ssa.BinOp)
			if !ok || cmp.Op != token.LSS || bound != nil && !SameNumber(bound, cmp.Y) {
				return nil
			}
			bound = cmp.Y
			if head.Dominates(p) { // once more
				next, ok := cmp.X.(*ssa.BinOp)
				if !ok || next.Op != token.ADD || !isConst(next.Y, 1) {
					return nil
				}
				if phi, ok := next.X.(*ssa.Phi); !ok || phi.Block() != head || !counter(phi, 0) {
					return nil
				}
			} else if !isConst(cmp.X, 0) {
				return nil
			}
		}
		outer := head.Idom() != nil && ReachesAvoiding(head.Idom(), head.Idom(), nil)
		if outer || b != head && ReachesAvoiding(b, b, head) {
			return nil
		}
		return bound
	}
	return nil
}

// counter reports whether a phi begins at start and otherwise is one more than itself.
func counter(phi *ssa.Phi, start int64) bool {
	begins := 0
	for _, e := range phi.Edges {
		if isConst(e, start) {
			begins++
			continue
		}
		next, ok := e.(*ssa.BinOp)
		if !ok || next.Op != token.ADD || next.X != ssa.Value(phi) || !isConst(next.Y, 1) {
			return false
		}
	}
	return begins == 1
}

// countsInMemory reports whether a value is that of a loop's variable at its head, which
// is captured and so has a place of its own in each iteration: it begins with 0, the next
// place gets what the last one has, and then one more; nobody else writes it.
func countsInMemory(v ssa.Value, head *ssa.BasicBlock) bool {
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL || ld.Block() != head {
		return false
	}
	phi, ok := ld.X.(*ssa.Phi)
	if !ok || phi.Block() != head || len(phi.Edges) != 2 {
		return false
	}
	g := CapturedVar(phi)
	if g == nil || len(g.Members) != 3 {
		return false
	}
	stores := map[ssa.Value][]ssa.Value{}
	for _, e := range phi.Edges {
		a, ok := e.(*ssa.Alloc)
		if !ok {
			return false
		}
		for _, in := range a.Block().Instrs {
			if st, ok := in.(*ssa.Store); ok && st.Addr == ssa.Value(a) {
				stores[a] = append(stores[a], st.Val)
			}
		}
	}
	if len(stores) != 2 || len(g.stores) != 3 { // others than these
		return false
	}
	first, next := phi.Edges[0], phi.Edges[1]
	if len(stores[first]) != 1 {
		first, next = next, first
	}
	if len(stores[first]) != 1 || len(stores[next]) != 2 || !isConst(stores[first][0], 0) || readOf(stores[next][0]) != ssa.Value(phi) {
		return false
	}
	more, ok := stores[next][1].(*ssa.BinOp)
	return ok && more.Op == token.ADD && isConst(more.Y, 1) && readOf(more.X) == next
}

// readOf is the address that a value is read from; nil for other values.
func readOf(v ssa.Value) ssa.Value {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		return u.X
	}
	return nil
}

func isConst(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == n
}

// SameNumber reports whether two values are surely equal: the same value, equal
// constants, or lengths of one value.
func SameNumber(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok := a.(*ssa.Const)
	y, ok2 := b.(*ssa.Const)
	if ok && ok2 {
		return x.Value != nil && y.Value != nil && constant.Compare(x.Value, token.EQL, y.Value)
	}
	u, v := lengthArg(a), lengthArg(b)
	return u != nil && u == v
}

// lengthArg is the slice, array or string that a value is the length of, or nil: the
// length of a map or channel changes.
func lengthArg(v ssa.Value) ssa.Value {
	c, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
		return nil
	}
	switch c.Call.Args[0].Type().Underlying().(type) {
	case *types.Map, *types.Chan:
		return nil
	}
	return c.Call.Args[0]
}
