package vcgen

import (
	"whoop/ir"
)

// graph is the control flow that Generate works on.
type graph struct {
	order []*ir.Block // reverse post-order of the reachable blocks
	index map[*ir.Block]int
	preds map[*ir.Block][]*ir.Block
	// heads maps a cut point to the blocks on paths from it back to itself.
	heads map[*ir.Block]map[*ir.Block]bool
}

func newGraph(f *ir.Func) *graph {
	g := &graph{index: map[*ir.Block]int{}, preds: map[*ir.Block][]*ir.Block{}, heads: map[*ir.Block]map[*ir.Block]bool{}}
	if len(f.Blocks) == 0 {
		return g
	}
	g.postorder(f.Blocks[0])
	for i, j := 0, len(g.order)-1; i < j; i, j = i+1, j-1 {
		g.order[i], g.order[j] = g.order[j], g.order[i]
	}
	for i, b := range g.order {
		g.index[b] = i
	}
	for _, b := range g.order {
		for _, s := range b.Term.Succs() {
			g.preds[s] = append(g.preds[s], b)
		}
	}
	for _, b := range g.order {
		for _, s := range b.Term.Succs() {
			if g.back(b, s) {
				g.addLoop(b, s)
			}
		}
	}
	return g
}

// postorder fills order depth-first without recursion (inlined bodies are deep).
func (g *graph) postorder(root *ir.Block) {
	type frame struct {
		b *ir.Block
		i int
	}
	seen := map[*ir.Block]bool{root: true}
	stack := []frame{{root, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		succs := top.b.Term.Succs()
		if top.i == len(succs) {
			g.order = append(g.order, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := succs[top.i]
		top.i++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
	}
}

// back reports whether from→to retreats in the order.
func (g *graph) back(from, to *ir.Block) bool { return g.index[to] <= g.index[from] }

// addLoop adds to head's loop the blocks that reach tail without passing head. In
// irreducible graphs this may go up to the entry, which only makes more registers
// arbitrary.
func (g *graph) addLoop(tail, head *ir.Block) {
	body := g.heads[head]
	if body == nil {
		body = map[*ir.Block]bool{head: true}
		g.heads[head] = body
	}
	work := []*ir.Block{tail}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if body[b] {
			continue
		}
		body[b] = true
		work = append(work, g.preds[b]...)
	}
}

// liveness computes, for each block, the local registers whose value at its start may
// still be read. Ghosts are always live and not listed. Invariants are read where the
// head of their loop starts.
func (g *graph) liveness(invariants map[*ir.Block][]Candidate) map[*ir.Block]map[*ir.Reg]bool {
	use, def := map[*ir.Block]map[*ir.Reg]bool{}, map[*ir.Block]map[*ir.Reg]bool{}
	for _, b := range g.order {
		use[b], def[b] = blockUses(b)
	}
	live := map[*ir.Block]map[*ir.Reg]bool{}
	for _, b := range g.order {
		live[b] = map[*ir.Reg]bool{}
		for r := range use[b] {
			live[b][r] = true
		}
		for _, c := range invariants[b] {
			ir.WalkExpr(c.Cond, func(e ir.Expr) bool {
				if u, ok := e.(ir.Use); ok && !u.Reg.Ghost {
					live[b][u.Reg] = true
				}
				return true
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.order) - 1; i >= 0; i-- {
			b := g.order[i]
			for _, s := range b.Term.Succs() {
				for r := range live[s] {
					if !def[b][r] && !live[b][r] {
						live[b][r], changed = true, true
					}
				}
			}
		}
	}
	return live
}

// blockUses returns the registers read before they are written in b, and those written.
func blockUses(b *ir.Block) (use, def map[*ir.Reg]bool) {
	use, def = map[*ir.Reg]bool{}, map[*ir.Reg]bool{}
	read := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok && !u.Reg.Ghost && !def[u.Reg] {
				use[u.Reg] = true
			}
			return true
		})
	}
	for _, in := range b.Instrs {
		for _, e := range ir.Operands(in) {
			read(e)
		}
		for _, r := range ir.Defs(in) {
			def[r] = true
		}
	}
	switch t := b.Term.(type) {
	case *ir.Branch:
		read(t.Cond)
	case *ir.Return:
		read(t.Val)
	}
	return use, def
}
