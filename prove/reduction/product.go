package reduction

import (
	"encoding/binary"
	"fmt"
	"slices"

	"whoop/ir"
)

// Bounds of the product.
const (
	maxNodes = 30_000
	maxPaths = 4_000 // between cuts
)

// A node is where all threads are, which of them sleep, whose turn it is, and what is
// known of what they share.
type node struct {
	id    int
	at    []place // block nil: not started
	sleep uint
	turn  []int
	known knowledge
	edges []*edge
	leads bool // to a violation
	isCut bool
	seen  bool
}

type edge struct {
	thread int
	step   *step
	to     *node // nil: what is asked about is violated
}

// product is the part of the threads' product that is left in an order.
type product struct {
	m      *machine
	order  order
	nodes  []*node
	byKey  map[string]*node
	places map[stepKey]int
	*relations
}

func (m *machine) product(o order, rel *relations) (*product, error) {
	g := &product{m: m, order: o, byKey: map[string]*node{}, places: map[stepKey]int{}, relations: rel}
	first := &node{at: make([]place, len(m.threads)), turn: make([]int, len(o)), known: rel.first()}
	for i := range first.turn {
		first.turn[i] = i
	}
	first.at[0] = place{block: m.threads[0].fn.Blocks[0]}
	g.node(first)
	for i := 0; i < len(g.nodes); i++ {
		if len(g.nodes) > maxNodes || i%64 == 0 && m.ctx.Err() != nil {
			return nil, errTooLarge
		}
		if err := g.expand(g.nodes[i]); err != nil {
			return nil, err
		}
	}
	g.prune()
	return g, nil
}

// node is the node that is like n.
func (g *product) node(n *node) *node {
	var key []byte
	for t, at := range n.at {
		k := stepKey{t, at}
		if _, ok := g.places[k]; !ok {
			g.places[k] = len(g.places)
		}
		key = binary.AppendUvarint(key, uint64(g.places[k]))
	}
	key = binary.AppendUvarint(key, uint64(n.sleep))
	key = binary.AppendUvarint(key, uint64(n.known))
	for _, t := range n.turn {
		key = append(key, byte(t))
	}
	if old := g.byKey[string(key)]; old != nil {
		return old
	}
	n.id = len(g.nodes)
	g.byKey[string(key)] = n
	g.nodes = append(g.nodes, n)
	return n
}

// enabled reports whether a thread may make a step at a node, as far as places tell.
func (g *product) enabled(n *node, t int) (bool, error) {
	at := n.at[t]
	if at.block == nil || at.ended {
		return false, nil
	}
	for u, other := range n.at {
		if u != t && other.depth > 0 {
			return false, nil
		}
	}
	if at.depth > 0 || at.index >= len(at.block.Instrs) {
		return true, nil
	}
	j, ok := at.block.Instrs[at.index].(*ir.Join)
	if !ok {
		return true, nil
	}
	u := g.m.joins[j]
	switch {
	case !g.m.followed[u]:
		return true, nil
	case n.at[u].block == nil && !n.at[u].ended:
		return false, fmt.Errorf("%s: a thread is waited for that may not have been started", j.Pos)
	}
	return n.at[u].ended, nil
}

func (g *product) expand(n *node) error {
	before := n.sleep
	for _, t := range g.order.threads(n.turn) {
		if !g.m.followed[t] {
			continue
		}
		ok, err := g.enabled(n, t)
		if err != nil {
			return err
		}
		if !ok || n.sleep>>t&1 == 1 {
			continue
		}
		steps, err := g.m.stepsAt(g.m.threads[t], n.at[t])
		if err != nil {
			return err
		}
		for _, s := range steps {
			known, possible, err := g.step(s, n.known)
			if err != nil {
				return err
			}
			if !possible {
				continue
			}
			if s.fails {
				n.edges = append(n.edges, &edge{thread: t, step: s})
				continue
			}
			next := &node{at: slices.Clone(n.at), turn: n.turn, known: known}
			next.at[t] = s.to
			if s.start > 0 && g.m.followed[s.start] {
				next.at[s.start] = place{block: g.m.threads[s.start].fn.Blocks[0]}
			}
			if s.round || s.to.ended && g.order.last(t) {
				next.turn = g.order.next(n.turn, t)
			}
			for u := range g.m.threads {
				if u == t || before>>u&1 == 0 {
					continue
				}
				ok, err := g.commutes(s, u, n.at[u], n.known)
				if err != nil {
					return err
				}
				if ok {
					next.sleep |= 1 << u
				}
			}
			n.edges = append(n.edges, &edge{thread: t, step: s, to: g.node(next)})
		}
		before |= 1 << t
	}
	return nil
}

// prune keeps what leads to a violation.
func (g *product) prune() {
	preds := map[*node][]*node{}
	var work []*node
	for _, n := range g.nodes {
		for _, e := range n.edges {
			if e.to != nil {
				preds[e.to] = append(preds[e.to], n)
			} else if !n.leads {
				n.leads = true
				work = append(work, n)
			}
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range preds[n] {
			if !p.leads {
				p.leads = true
				work = append(work, p)
			}
		}
	}
	for _, n := range g.nodes {
		n.edges = slices.DeleteFunc(n.edges, func(e *edge) bool { return e.to != nil && !e.to.leads })
	}
}

// cut marks nodes so that each cycle goes through one, and the paths between them are
// few. It returns those that are reached, the first among them.
func (g *product) cut() ([]*node, error) {
	if !g.nodes[0].leads {
		return nil, nil
	}
	g.nodes[0].isCut = true
	g.reach()
	for {
		cycle := g.cycle()
		if cycle == nil {
			break
		}
		best := cycle[0]
		for _, n := range cycle {
			if g.round(n) > g.round(best) {
				best = n
			}
		}
		best.isCut = true
	}
	for {
		many, total := g.crowded()
		if total <= maxPaths {
			break
		}
		if many == nil {
			return nil, errTooLarge
		}
		many.isCut = true
	}
	var out []*node
	for _, n := range g.nodes {
		if n.isCut && n.seen {
			out = append(out, n)
		}
	}
	return out, nil
}

// round is how much a node is the end of a round: all have made as many steps then, and
// loops are at their heads.
func (g *product) round(n *node) (score int) {
	if slices.IsSorted(n.turn) {
		score += 100
	}
	for t, at := range n.at {
		if at.block != nil && at.index == 0 && g.m.threads[t].heads[at.block] {
			score++
		}
	}
	return score
}

// reach marks the nodes that are reached.
func (g *product) reach() {
	g.nodes[0].seen = true
	for work := []*node{g.nodes[0]}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range n.edges {
			if e.to != nil && !e.to.seen {
				e.to.seen = true
				work = append(work, e.to)
			}
		}
	}
}

// cycle is one of nodes that are reached and are no cuts, by depth-first search; nil
// where there is none.
func (g *product) cycle() []*node {
	type visit struct {
		n    *node
		next int
	}
	const onPath, done = 1, 2
	state := map[*node]int{}
	for _, root := range g.nodes {
		if !root.seen || root.isCut || state[root] != 0 {
			continue
		}
		state[root] = onPath
		for path := []visit{{n: root}}; len(path) > 0; {
			v := &path[len(path)-1]
			if v.next == len(v.n.edges) {
				state[v.n] = done
				path = path[:len(path)-1]
				continue
			}
			to := v.n.edges[v.next].to
			v.next++
			switch {
			case to == nil || to.isCut:
			case state[to] == onPath:
				var out []*node
				for i := len(path) - 1; ; i-- {
					out = append(out, path[i].n)
					if path[i].n == to {
						return out
					}
				}
			case state[to] == 0:
				state[to] = onPath
				path = append(path, visit{n: to})
			}
		}
	}
	return nil
}

// crowded is the node without a cut that most paths lead to, several edges of which there
// are, and the number of paths between cuts.
func (g *product) crowded() (many *node, total int) {
	paths := map[*node]int{}
	in := map[*node]int{}
	var count func(n *node) int // of paths from n to cuts and violations
	memo := map[*node]int{}
	count = func(n *node) int {
		if c, ok := memo[n]; ok {
			return c
		}
		c := 0
		for _, e := range n.edges {
			if e.to == nil || e.to.isCut {
				c++
			} else {
				c += count(e.to)
			}
			c = min(c, 1<<40)
		}
		memo[n] = c
		return c
	}
	for _, n := range g.nodes {
		if !n.seen {
			continue
		}
		if n.isCut {
			total = min(total+count(n), 1<<40)
		}
		for _, e := range n.edges {
			if e.to != nil {
				in[e.to]++
			}
		}
	}
	best := 0
	for _, n := range g.nodes {
		if n.seen && !n.isCut && in[n] > 1 {
			paths[n] = min(count(n), 1<<20) * in[n]
			if paths[n] > best {
				best, many = paths[n], n
			}
		}
	}
	return many, total
}
