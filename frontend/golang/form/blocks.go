package form

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Reaches reports whether what is looked for may come after an instruction, on a way on
// which nothing stops it.
func Reaches(after ssa.Instruction, look func(ssa.Instruction) (stop, found bool)) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var follow func(ins []ssa.Instruction, b *ssa.BasicBlock) bool
	follow = func(ins []ssa.Instruction, b *ssa.BasicBlock) bool {
		for _, in := range ins {
			stop, found := look(in)
			if found {
				return true
			}
			if stop {
				return false
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if follow(s.Instrs, s) {
					return true
				}
			}
		}
		return false
	}
	b := after.Block()
	for i, in := range b.Instrs {
		if in == after {
			return follow(b.Instrs[i+1:], b)
		}
	}
	return true
}

// ComesBefore reports whether an instruction is executed before another one, whenever
// that is.
func ComesBefore(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, in := range a.Block().Instrs {
		if in == a || in == b {
			return in == a
		}
	}
	return false
}

// EveryTime is the block behind the loop around b, if it is got to only when b has been
// executed n times: each way around the loop passes b, the only way out is the test of
// the counter, and the block has no other predecessor than that, but for the test before
// the first iteration. Otherwise it is nil.
func EveryTime(b *ssa.BasicBlock, n ssa.Value) *ssa.BasicBlock {
	in := func(x *ssa.BasicBlock) bool { return x == b || LeadsTo(x, b) && LeadsTo(b, x) }
	var test *ssa.BasicBlock
	for _, x := range b.Parent().Blocks {
		if !in(x) {
			continue
		}
		if x != b && ReachesAvoiding(x, x, b) {
			return nil
		}
		for _, s := range x.Succs {
			if !in(s) && !endsInPanic(s) {
				if test != nil {
					return nil
				}
				test = x
			}
		}
	}
	if test == nil || !countsTo(test, n) {
		return nil
	}
	exit := test.Succs[1]
	for _, p := range exit.Preds {
		if p == test {
			continue
		}
		cmp := lessThan(p, n)
		if cmp == nil || !isConst(cmp.X, 0) || p.Succs[1] != exit || in(p) {
			return nil
		}
	}
	return exit
}

// endsInPanic reports whether a block ends in a panic statement: what is deferred runs
// without the token.
func endsInPanic(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok
}

// ReachesAvoiding reports whether a non-empty path leads from a to b that does not pass
// through avoid.
func ReachesAvoiding(a, b, avoid *ssa.BasicBlock) bool {
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

// LeadsTo reports whether a non-empty path leads from one block to another.
func LeadsTo(a, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock{}, a.Succs...)
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if s == b {
			return true
		}
		if !seen[s] {
			seen[s] = true
			work = append(work, s.Succs...)
		}
	}
	return false
}

// OnCycle reports whether a non-empty path leads from b to itself.
func OnCycle(b *ssa.BasicBlock) bool { return LeadsTo(b, b) }

// Before reports whether x is executed before y, whenever y is.
func Before(x, y ssa.Instruction) bool {
	if x.Block() != y.Block() {
		return x.Block().Dominates(y.Block())
	}
	for _, in := range x.Block().Instrs {
		switch in {
		case x:
			return true
		case y:
			return false
		}
	}
	return false
}

// MayFollow reports whether b may be executed after a, in one run of their function.
func MayFollow(a, b ssa.Instruction) bool {
	return a.Block() == b.Block() && ComesBefore(a, b) || ReachesAvoiding(a.Block(), b.Block(), nil)
}

// InCase reports whether a block is executed only where a select statement has chosen a
// case.
func InCase(b *ssa.BasicBlock, sel *ssa.Select, s *ssa.SelectState) bool {
	for d := b; d.Idom() != nil; d = d.Idom() {
		p := d.Idom()
		br, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok || p.Succs[0] != d || len(d.Preds) != 1 {
			continue
		}
		cmp, ok := br.Cond.(*ssa.BinOp)
		if !ok || cmp.Op != token.EQL {
			continue
		}
		if index, ok := cmp.X.(*ssa.Extract); ok && index.Tuple == ssa.Value(sel) && index.Index == 0 && isConst(cmp.Y, int64(slices.Index(sel.States, s))) {
			return true
		}
	}
	return false
}

// MayReach reports whether b may be executed after a in one run of their function,
// without one of the others in between.
func MayReach(a, b ssa.Instruction, others ...ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var from func(x *ssa.BasicBlock, i int) bool
	from = func(x *ssa.BasicBlock, i int) bool {
		for _, in := range x.Instrs[i:] {
			if in == b {
				return true
			}
			if slices.Contains(others, in) {
				return false
			}
		}
		for _, s := range x.Succs {
			if !seen[s] {
				seen[s] = true
				if from(s, 0) {
					return true
				}
			}
		}
		return false
	}
	return from(a.Block(), slices.Index(a.Block().Instrs, a)+1)
}

// NeverAfter reports whether a is never executed after b, in one run of the function that
// both are in.
func NeverAfter(a, b ssa.Instruction) bool {
	_, late := a.(*ssa.Defer)
	_, last := b.(*ssa.Defer)
	switch {
	case late && last: // what is deferred last runs first
		return ComesBefore(b, a)
	case late:
		return false
	case last:
		return true
	}
	return !MayReach(b, a)
}

// Initial reports whether an access is to an object of the function's own that nobody
// else knows yet: all that hands out its address comes after the access.
func Initial(in ssa.Instruction, addr ssa.Value) bool {
	for {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
			continue
		case *ssa.IndexAddr:
			addr = v.X
			continue
		case *ssa.Alloc:
			return !v.Heap || (in.Block() == v.Block() || !OnCycle(in.Block())) && precedes(in, v)
		}
		return false
	}
}

// precedes reports whether an instruction comes before all uses of an address but plain
// accesses to what lies there.
func precedes(in ssa.Instruction, addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Store:
			if r.Val != addr {
				continue
			}
		case *ssa.UnOp:
			continue
		case *ssa.FieldAddr:
			if !precedes(in, r) {
				return false
			}
			continue
		case *ssa.IndexAddr:
			if !precedes(in, r) {
				return false
			}
			continue
		}
		if !Before(in, r) {
			return false
		}
	}
	return true
}

// Follows reports whether b may come after a.
func Follows(a, b ssa.Instruction) bool {
	return Reaches(a, func(in ssa.Instruction) (stop, found bool) { return false, in == b })
}
