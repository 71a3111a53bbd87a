package seqz

import "whoop/ir"

// findCycles numbers the strongly connected components of the calls below root (Tarjan, Depth-first search and linear graph
// algorithms, 1972).
func (u *unfolder) findCycles(root *ir.Func) {
	u.cycle = map[*ir.Func]int{}
	t := &tarjan{unfolder: u, index: map[*ir.Func]int{}, low: map[*ir.Func]int{}}
	t.visit(root)
}

// tarjan is the state of the search: the numbers in which functions were found, the least number that each leads back to, and the
// functions whose components are not complete.
type tarjan struct {
	*unfolder
	index, low map[*ir.Func]int
	stack      []*ir.Func
	components int
}

func (t *tarjan) visit(f *ir.Func) {
	t.index[f] = len(t.index) + 1
	t.low[f] = t.index[f]
	at := len(t.stack)
	t.stack = append(t.stack, f)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, g := range t.called(in, f) {
				if t.index[g] == 0 {
					t.visit(g)
					t.low[f] = min(t.low[f], t.low[g])
				} else if t.cycle[g] == 0 {
					t.low[f] = min(t.low[f], t.index[g])
				}
			}
		}
	}
	if t.low[f] < t.index[f] {
		return
	}
	t.components++
	for _, g := range t.stack[at:] {
		t.cycle[g] = t.components
	}
	t.stack = t.stack[:at]
}
