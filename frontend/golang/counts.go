package golang

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

func itoa(n int) string { return strconv.Itoa(n) }

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// counts checks that every go statement of a WaitGroup was counted by an Add before it.
type counts struct {
	g     *group
	fixed *fixedFields
	left  map[ssa.Instruction]bool // go statements not yet accounted for
}

func newCounts(g *group, fixed *fixedFields) *counts {
	c := &counts{g: g, fixed: fixed, left: map[ssa.Instruction]bool{}}
	for _, s := range g.sites {
		c.left[s] = true
	}
	return c
}

// covered matches Adds with go statements: Add(n) with the next n in its block, or with
// one in a loop of at most n iterations that comes after it.
func (c *counts) covered() bool {
	for _, a := range c.g.adds {
		if k, ok := a.Common().Args[1].(*ssa.Const); ok && k.Value != nil && constant.Sign(k.Value) <= 0 {
			return false
		}
		// it may take off what others have counted
		if !c.inBlock(a) && !(c.beforeLoop(a) && (positive(a) || c.first(a))) && !positive(a) {
			return false
		}
	}
	return len(c.left) == 0
}

// first reports whether nothing has been counted when an Add is executed: where it takes
// something off, the program panics.
func (c *counts) first(a ssa.CallInstruction) bool {
	return !slices.ContainsFunc(slices.Concat(c.g.adds, c.g.gos), func(b ssa.CallInstruction) bool { return b != a && !comesBefore(a, b) })
}

// inBlock takes off the go statements after an Add of a constant in the same block.
func (c *counts) inBlock(a ssa.CallInstruction) bool {
	k, ok := a.Common().Args[1].(*ssa.Const)
	if !ok {
		return false
	}
	n, found, after := k.Int64(), false, false
	for _, in := range a.Block().Instrs {
		switch {
		case in == ssa.Instruction(a):
			after = true
		case after && slices.ContainsFunc(c.g.adds, func(b ssa.CallInstruction) bool { return in == ssa.Instruction(b) }):
			return found
		case after && n > 0 && c.left[in]:
			delete(c.left, in)
			n, found = n-1, true
		}
	}
	return found
}

// beforeLoop takes off a go statement in a counted loop after an Add of the number of
// iterations.
func (c *counts) beforeLoop(a ssa.CallInstruction) bool {
	var order []ssa.Instruction
	for _, s := range c.g.sites {
		order = append(order, s)
	}
	for _, s := range order {
		if !c.left[s] || s.Parent() != a.Parent() || !a.Block().Dominates(s.Block()) || onCycle(a.Block()) {
			continue
		}
		n := iterations(s.Block())
		if n == nil {
			n = c.fixed.bound(s.Block())
		}
		if n != nil && (sameNumber(n, a.Common().Args[1]) || c.fixed.same(n, a.Common().Args[1])) {
			delete(c.left, s)
			return true
		}
	}
	return false
}

// iterations returns the bound of the only loop around b, "for i := 0; i < bound; i++" or
// a range loop, or nil. The block runs at most that often: the bound is one number for as
// long as the loop lasts.
func iterations(b *ssa.BasicBlock) ssa.Value {
	n := overInteger(b)
	if n == nil {
		n = belowBound(b)
	}
	of := n
	if x := lengthArg(n); x != nil {
		of = x
	}
	if in, ok := of.(ssa.Instruction); ok && leadsTo(in.Block(), b) && leadsTo(b, in.Block()) {
		return nil
	}
	return n
}

// belowBound is iterations for loops with the test at the beginning, whatever the bound.
func belowBound(b *ssa.BasicBlock) ssa.Value {
	var head *ssa.BasicBlock
	for h := b.Idom(); h != nil; h = h.Idom() {
		if onCycle(h) && (head == nil || reachesAvoiding(b, h, nil)) {
			head = h
		}
	}
	if b == head || head == nil || reachesAvoiding(b, b, head) {
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

// overInteger returns the bound of the only loop around b where that is "for i := range
// bound", or nil: its test comes at the end of an iteration, and before the first one.
func overInteger(b *ssa.BasicBlock) ssa.Value {
	for head := b; head != nil; head = head.Idom() {
		if !slices.ContainsFunc(head.Preds, head.Dominates) || !reachesAvoiding(b, head, nil) {
			continue
		}
		var bound ssa.Value
		for _, p := range head.Preds {
			br, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
			if !ok || p.Succs[0] != head || p.Succs[1] == head {
				return nil
			}
			cmp, ok := br.Cond.(*ssa.BinOp)
			if !ok || cmp.Op != token.LSS || bound != nil && !sameNumber(bound, cmp.Y) {
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
		outer := head.Idom() != nil && reachesAvoiding(head.Idom(), head.Idom(), nil)
		if outer || b != head && reachesAvoiding(b, b, head) {
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
	g := capturedVar(phi)
	if g == nil || len(g.members) != 3 {
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

// sameNumber reports whether two values are surely equal: the same value, equal
// constants, or lengths of one value.
func sameNumber(a, b ssa.Value) bool {
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

// reachesAvoiding reports whether a non-empty path leads from a to b that does not pass
// through avoid.
func reachesAvoiding(a, b, avoid *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock{}, a.Succs...)
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if s == avoid || seen[s] {
			continue
		}
		if s == b {
			return true
		}
		seen[s] = true
		work = append(work, s.Succs...)
	}
	return false
}
