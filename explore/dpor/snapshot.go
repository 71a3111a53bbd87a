package dpor

import "whoop/ir/vm"

// Snapshot is what a Pool has explored, and what is left: a Pool that it is given to goes
// on from there. It holds values alone, for package encoding/gob. It belongs to a
// program, an algorithm, and the options of the machines and the search; that these are
// the same is up to the caller.
type Snapshot struct {
	Counts     Counts
	Stops      Stops
	Incomplete string // why not everything will have been explored
	Names      []vm.Name
	Root       *SavedNode
}

// SavedNode is a shared node of a Snapshot.
type SavedNode struct {
	Sleep, Begun []sleeping
	Done         []answered
	Backtrack    uint64
	Heads        []SavedHead
}

// SavedHead is a head of a SavedNode; Child is nil where it was not begun.
type SavedHead struct {
	Branch branch
	Sleep  []sleeping
	Child  *SavedNode
}

// snap saves what is explored and what is left. No worker has a head.
func (p *Pool) snap() {
	if p.opt.Save != nil {
		top := p.frontier[0]
		for top.node != nil {
			top = top.node.by
		}
		s := &Snapshot{Counts: p.total(), Stops: p.Stops, Incomplete: p.lacking(),
			Names: p.searches[0].m.Names().Given(), Root: saved(top.child)}
		if err := p.opt.Save(s); err != nil && p.reason == "" {
			p.reason = err.Error()
			p.quit.Store(true)
		}
	}
	p.due.Store(false)
	if p.quit.Load() {
		p.halt.Store(true)
	}
	p.changed.Broadcast()
}

func saved(x *shared) *SavedNode {
	n := &SavedNode{Sleep: x.sleep, Begun: x.begun, Done: x.done, Backtrack: x.backtrack}
	for _, h := range x.heads {
		y := SavedHead{Branch: h.branch, Sleep: h.sleep}
		if h.child != nil {
			y.Child = saved(h.child)
		}
		n.Heads = append(n.Heads, y)
	}
	return n
}

// Resume makes a pool go on from a snapshot. The names of its machines must be those of
// the snapshot.
func (p *Pool) Resume(s *Snapshot) {
	p.kept, p.Stops = *s, s.Stops
	p.made.Store(s.Counts.Executions())
	top := &head{state: split}
	top.child = p.restored(s.Root, top, 0)
	p.count()
}

func (p *Pool) restored(n *SavedNode, by *head, depth int) *shared {
	x := &shared{by: by, sleep: n.Sleep, begun: n.Begun, done: n.Done, backtrack: n.Backtrack, depth: depth,
		ordered: p.opt.Algorithm == Optimal}
	for _, y := range n.Heads {
		h := &head{branch: y.Branch, sleep: y.Sleep, node: x}
		x.heads = append(x.heads, h)
		if y.Child == nil {
			p.frontier = append(p.frontier, h)
			continue
		}
		h.state, h.child = split, p.restored(y.Child, h, depth+1)
	}
	return x
}
