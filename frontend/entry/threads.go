package entry

import "whoop/ir"

// threads finds main and the functions that spawns start.
func (x *inferrer) threads() {
	main := x.p.FuncByName("main")
	if main != nil && !main.Extern {
		x.add(main, role{kind: "main", notSelf: len(x.cg.calls[main]) == 0 && !x.cg.taken[main]})
	}
	sites := map[*ir.Func]int{}
	unsure := map[*ir.Func]bool{}
	var order []*ir.Func
	note := func(f *ir.Func, sure bool) {
		if sites[f] == 0 {
			order = append(order, f)
		}
		sites[f]++
		unsure[f] = unsure[f] || !sure
	}
	for _, s := range x.cg.sites {
		in, ok := s.in.(*ir.Spawn)
		if !ok {
			continue
		}
		fs, all := x.cg.values(in.Fn)
		if !all {
			fs = x.cg.candidates(in.Fn.Type())
			x.p.Assume("spawn-target", in.Pos, "which function the new thread runs is not known here: every function whose "+
				"address is taken and whose parameters fit is taken to be one (%d of them)", len(fs))
		}
		for _, f := range fs {
			note(f, all && len(fs) == 1)
		}
	}
	for _, f := range order {
		if f.Extern {
			f.Extern, f.Unknown = false, "a thread runs a function that is not seen"
		}
		x.add(f, role{kind: "thread", spawned: true, notSelf: !unsure[f] && sites[f] == 1 && x.spawnedOnce(f, main)})
	}
}

// spawnedOnce reports whether the one spawn of f runs at most once. Direct calls of f do
// not start a thread.
func (x *inferrer) spawnedOnce(f, main *ir.Func) bool {
	if main == nil {
		return false
	}
	for _, s := range x.cg.sites {
		if in, ok := s.in.(*ir.Spawn); ok {
			fs, _ := x.cg.values(in.Fn)
			for _, g := range fs {
				if g == f {
					return !x.cg.inLoop(s.fn, s.block) && x.cg.once(s.fn, main, map[*ir.Func]bool{})
				}
			}
		}
	}
	return false
}
