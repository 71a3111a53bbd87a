package ir

import "slices"

// CFG holds what is computed once about a function's control flow: predecessors, an
// order, dominators. Blocks that cannot be reached from the entry are in Preds alone.
type CFG struct {
	Func *Func
	// RPO lists the reachable blocks in reverse post-order: a block comes before its
	// successors, back edges aside.
	RPO []*Block
	// Preds lists the distinct predecessors of each block, in block order.
	Preds map[*Block][]*Block
	index map[*Block]int // position in RPO
	idom  []int          // immediate dominator as an index into RPO; the entry's is itself
}

// Loop is a natural loop: the blocks that reach a back edge's source without passing the
// head.
type Loop struct {
	Head *Block
	// Blocks are the loop's blocks in reverse post-order, the head first; inner loops'
	// blocks belong to it too.
	Blocks []*Block
	// Back are the sources of the back edges, in reverse post-order.
	Back []*Block
	// Parent is the innermost loop around this one, or nil.
	Parent *Loop
	in     map[*Block]bool
}

// Contains reports whether b belongs to the loop.
func (l *Loop) Contains(b *Block) bool { return l.in[b] }

// Succs returns b's successors; none where the terminator is missing.
func (b *Block) Succs() []*Block {
	if b.Term == nil {
		return nil
	}
	return b.Term.Succs()
}

// Preds returns the distinct predecessors of every block of f, in block order.
func Preds(f *Func) map[*Block][]*Block {
	preds := make(map[*Block][]*Block, len(f.Blocks))
	for _, b := range f.Blocks {
		for _, s := range b.Succs() {
			if !slices.Contains(preds[s], b) {
				preds[s] = append(preds[s], b)
			}
		}
	}
	return preds
}

// RPO returns the blocks reachable from f's entry in reverse post-order.
func RPO(f *Func) []*Block {
	if len(f.Blocks) == 0 {
		return nil
	}
	type frame struct {
		b    *Block
		next int
	}
	seen := map[*Block]bool{f.Blocks[0]: true}
	stack := []frame{{f.Blocks[0], 0}}
	var post []*Block
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		succs := top.b.Succs()
		if top.next == len(succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		// Later successors first, so that the order follows the source: then-branches
		// before else-branches.
		s := succs[len(succs)-1-top.next]
		top.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
	}
	slices.Reverse(post)
	return post
}

// NewCFG computes the control-flow facts of f. It must be computed anew when f's blocks
// or edges change.
func NewCFG(f *Func) *CFG {
	c := &CFG{Func: f, RPO: RPO(f), Preds: Preds(f), index: map[*Block]int{}}
	for i, b := range c.RPO {
		c.index[b] = i
	}
	c.dominators()
	return c
}

// dominators computes immediate dominators (Cooper, Harvey, Kennedy: A Simple, Fast
// Dominance Algorithm).
func (c *CFG) dominators() {
	c.idom = make([]int, len(c.RPO))
	for i := range c.idom {
		c.idom[i] = -1
	}
	if len(c.idom) > 0 {
		c.idom[0] = 0
	}
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(c.RPO); i++ {
			d := -1
			for _, p := range c.Preds[c.RPO[i]] {
				pi, ok := c.index[p]
				if !ok || c.idom[pi] < 0 {
					continue
				}
				if d < 0 {
					d = pi
				} else {
					d = c.meet(d, pi)
				}
			}
			if d != c.idom[i] {
				c.idom[i], changed = d, true
			}
		}
	}
}

// meet returns the nearest common dominator of two blocks.
func (c *CFG) meet(a, b int) int {
	for a != b {
		for a > b {
			a = c.idom[a]
		}
		for b > a {
			b = c.idom[b]
		}
	}
	return a
}

// Reachable reports whether b can be reached from the function's entry.
func (c *CFG) Reachable(b *Block) bool {
	_, ok := c.index[b]
	return ok
}

// Idom returns b's immediate dominator, nil for the entry and for unreachable blocks.
func (c *CFG) Idom(b *Block) *Block {
	i, ok := c.index[b]
	if !ok || i == 0 {
		return nil
	}
	return c.RPO[c.idom[i]]
}

// Dominates reports whether every path from the entry to b passes a (a block dominates
// itself). Unreachable blocks neither dominate nor are dominated.
func (c *CFG) Dominates(a, b *Block) bool {
	ai, oka := c.index[a]
	bi, okb := c.index[b]
	if !oka || !okb {
		return false
	}
	for bi > ai {
		bi = c.idom[bi]
	}
	return ai == bi
}

// Loops returns the natural loops, in reverse post-order of their heads: outer loops come
// before inner ones. Loops with the same head are one. Cycles without a dominating head
// are not loops: see Irreducible.
func (c *CFG) Loops() []*Loop {
	var loops []*Loop
	back := map[*Block][]*Block{} // by head
	for _, b := range c.RPO {
		for i, h := range b.Succs() {
			if !slices.Contains(b.Succs()[:i], h) && c.Dominates(h, b) {
				back[h] = append(back[h], b)
			}
		}
	}
	for _, h := range c.RPO {
		l := &Loop{Head: h, in: map[*Block]bool{h: true}, Back: back[h]}
		work := slices.Clone(l.Back)
		if len(l.Back) == 0 {
			continue
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if l.in[b] {
				continue
			}
			l.in[b] = true
			for _, p := range c.Preds[b] {
				if c.Reachable(p) {
					work = append(work, p)
				}
			}
		}
		for b := range l.in {
			l.Blocks = append(l.Blocks, b)
		}
		slices.SortFunc(l.Blocks, func(a, b *Block) int { return c.index[a] - c.index[b] })
		loops = append(loops, l)
	}
	nest(loops)
	return loops
}

// nest sets the parents: the smallest other loop that contains the head.
func nest(loops []*Loop) {
	for _, l := range loops {
		for _, m := range loops {
			if m != l && m.in[l.Head] && (l.Parent == nil || len(m.Blocks) < len(l.Parent.Blocks)) {
				l.Parent = m
			}
		}
	}
}

// Edge is a control-flow edge.
type Edge struct{ From, To *Block }

// Irreducible returns the retreating edges whose target does not dominate their source:
// entries into the middle of a cycle. It is empty for functions whose every cycle is a
// natural loop.
func (c *CFG) Irreducible() []Edge {
	var out []Edge
	for i, b := range c.RPO {
		for _, s := range b.Succs() {
			if c.index[s] <= i && !c.Dominates(s, b) {
				out = append(out, Edge{b, s})
			}
		}
	}
	return out
}
