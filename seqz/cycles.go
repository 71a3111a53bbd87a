package seqz

import (
	"whoop/internal/graph"
	"whoop/ir"
)

// findCycles numbers the strongly connected components of the calls below roots.
func (u *unfolder) findCycles(roots []*ir.Func) {
	u.cycle = map[*ir.Func]int{}
	for n, c := range graph.Components(roots, u.calls) {
		for _, f := range c {
			u.cycle[f] = n
		}
	}
}

// calls are the functions that f may call.
func (u *unfolder) calls(f *ir.Func) []*ir.Func {
	var out []*ir.Func
	for in := range f.Instrs() {
		out = append(out, u.called(in, f)...)
	}
	return out
}
