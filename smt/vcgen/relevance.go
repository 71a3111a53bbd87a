package vcgen

import "whoop/ir"

// irrelevant finds the branches whose condition cannot matter to the obligations' ghosts:
// on no path from the branch to the point where its two sides meet again (its immediate
// post-dominator) is a ghost written, a procedure called, or the procedure left. Such a
// condition is made arbitrary, which over-approximates, and spares the solver the
// program's arithmetic.
func (g *graph) irrelevant(matters func(*ir.Block) bool) map[*ir.Block]bool {
	out := map[*ir.Block]bool{}
	join := g.postDominators()
	for _, b := range g.order {
		if _, ok := b.Term.(*ir.Branch); !ok || join[b] == nil {
			continue
		}
		if g.plain(b, join[b], matters) {
			out[b] = true
		}
	}
	return out
}

// plain reports whether no block strictly between b and its join matters.
func (g *graph) plain(b, join *ir.Block, matters func(*ir.Block) bool) bool {
	seen := map[*ir.Block]bool{join: true}
	work := append([]*ir.Block{}, b.Term.Succs()...)
	for n := 0; len(work) > 0; n++ {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		if n > 400 || matters(x) {
			return false
		}
		work = append(work, x.Term.Succs()...)
	}
	return true
}

// postDominators computes immediate post-dominators (Cooper, Harvey, Kennedy 2001, on the
// reversed graph). Blocks that leave the procedure, and those only the virtual exit
// post-dominates, have none.
func (g *graph) postDominators() map[*ir.Block]*ir.Block {
	n := len(g.order)
	exit := n
	ipdom := make([]int, n+1)
	for i := range ipdom {
		ipdom[i] = -1
	}
	ipdom[exit] = exit
	// Numbers: a higher index is closer to the exit along the reverse post-order.
	meet := func(a, b int) int {
		for a != b {
			for a < b {
				a = ipdom[a]
			}
			for b < a {
				b = ipdom[b]
			}
		}
		return a
	}
	for changed, rounds := true, 0; changed && rounds < 50; rounds++ {
		changed = false
		for i := n - 1; i >= 0; i-- {
			d := -1
			succs := g.order[i].Term.Succs()
			if len(succs) == 0 {
				d = exit
			}
			for _, s := range succs {
				j := g.index[s]
				// a back edge says nothing: the loop is left through another edge
				if j <= i || ipdom[j] < 0 {
					continue
				}
				if d < 0 {
					d = j
				} else {
					d = meet(d, j)
				}
			}
			if d < 0 {
				d = exit
			}
			if d != ipdom[i] {
				ipdom[i], changed = d, true
			}
		}
	}
	out := map[*ir.Block]*ir.Block{}
	for i, b := range g.order {
		if d := ipdom[i]; d != exit && d >= 0 {
			out[b] = g.order[d]
		}
	}
	return out
}

// matters reports whether a block writes ghosts, calls, stops, or assumes something about
// the path.
func (g *gen) matters(b *ir.Block) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ir.Assign:
			if in.Dst.Ghost {
				return true
			}
		case *ir.Call, *ir.Assume:
			return true
		}
	}
	switch b.Term.(type) {
	case *ir.Return, *ir.Stop:
		return true
	}
	return g.g.heads[b] != nil && (len(g.o.Invariants[b]) > 0 || g.o.LoopKeep != nil) && g.loopMatters(b)
}

// loopMatters reports whether the loop of a head writes ghosts.
func (g *gen) loopMatters(h *ir.Block) bool {
	for b := range g.g.heads[h] {
		for _, in := range b.Instrs {
			if a, ok := in.(*ir.Assign); ok && a.Dst.Ghost {
				return true
			}
			if _, ok := in.(*ir.Call); ok {
				return true
			}
		}
	}
	return false
}

// keepCorrelated takes back the branches that test what decides about ghosts elsewhere:
// "if (err)" after the call that took a lock or failed. Their condition shares a register
// with an assumption, a result of a lock operation, what is given as Options.Tested, or
// the condition of a branch that is kept, directly or through assignments.
func (g *gen) keepCorrelated() {
	if len(g.any) == 0 {
		return
	}
	deps := map[*ir.Reg][]*ir.Reg{}
	key := map[*ir.Reg]bool{}
	for r := range g.o.Tested {
		key[r] = true
	}
	for _, b := range g.g.order {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ir.Assign:
				deps[in.Dst] = append(deps[in.Dst], ir.RegsOf(in.X)...)
			case *ir.Assume:
				mark(key, deps, ir.RegsOf(in.Cond))
			case *ir.Lock:
				if in.Dst != nil {
					key[in.Dst] = true
				}
			}
		}
	}
	for _, b := range g.g.order {
		if br, ok := b.Term.(*ir.Branch); ok && !g.any[b] {
			mark(key, deps, ir.RegsOf(br.Cond))
		}
		for _, in := range b.Instrs {
			if as, ok := in.(*ir.Assume); ok {
				mark(key, deps, ir.RegsOf(as.Cond)) // again: deps is complete now
			}
		}
	}
	for b := range g.any {
		used := map[*ir.Reg]bool{}
		mark(used, deps, ir.RegsOf(b.Term.(*ir.Branch).Cond))
		for r := range used {
			if key[r] {
				delete(g.any, b)
				break
			}
		}
	}
}

// mark adds registers and, through assignments, those they are computed from.
func mark(set map[*ir.Reg]bool, deps map[*ir.Reg][]*ir.Reg, rs []*ir.Reg) {
	for len(rs) > 0 {
		r := rs[len(rs)-1]
		rs = rs[:len(rs)-1]
		if !set[r] {
			set[r] = true
			rs = append(rs, deps[r]...)
		}
	}
}
