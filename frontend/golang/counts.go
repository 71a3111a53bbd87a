package golang

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/world"
)

// counts checks that every go statement of a WaitGroup was counted by an Add before it.
type counts struct {
	g     *group
	fixed *world.FixedFields
	left  map[ssa.Instruction]bool // go statements not yet accounted for
}

func newCounts(g *group, fixed *world.FixedFields) *counts {
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
	return !slices.ContainsFunc(slices.Concat(c.g.adds, c.g.gos), func(b ssa.CallInstruction) bool { return b != a && !form.ComesBefore(a, b) })
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
		if !c.left[s] || s.Parent() != a.Parent() || !a.Block().Dominates(s.Block()) || form.OnCycle(a.Block()) {
			continue
		}
		n := form.Iterations(s.Block())
		if n == nil {
			n = c.fixed.Bound(s.Block())
		}
		if n != nil && (form.SameNumber(n, a.Common().Args[1]) || c.fixed.Same(n, a.Common().Args[1])) {
			delete(c.left, s)
			return true
		}
	}
	return false
}
