package delay

import (
	"slices"

	"whoop/explore"
	"whoop/ir/vm"
)

// raceFinder finds the data races of a state: what each thread would touch next is known
// by making its event.
type raceFinder struct {
	ops  []vm.Op
	from []int // where the operations of the threads begin
	who  []int
}

// find tells of the races of the machine's state.
func (f *raceFinder) find(x *search) {
	f.ops, f.from, f.who = f.ops[:0], f.from[:0], f.who[:0]
	for t := range x.m.Threads() {
		if !x.m.CanStep(t) || !x.m.MayRace(t) {
			continue
		}
		f.from, f.who = append(f.from, len(f.ops)), append(f.who, t)
		f.touched(x, t, nil)
	}
	f.from = append(f.from, len(f.ops))
	for j := range f.who {
		for i := range j {
			f.pair(x, i, j)
		}
	}
}

// touched collects what a thread would touch next with certain answers to its queries,
// and with those that differ behind them.
func (f *raceFinder) touched(x *search, t int, script []int) {
	mark := x.m.Mark()
	done := x.m.Step(t, script)
	asked := slices.Clone(x.m.Asked())
	if done {
		f.ops = append(f.ops, x.m.Ops()...)
		x.m.Undo(mark)
	} else { // an atomic section that blocks in its middle
		f.ops = append(f.ops, x.m.Tried()...)
	}
	for p := len(script); p < len(asked); p++ {
		for k := 1; k < asked[p]; k++ {
			other := make([]int, p+1)
			copy(other, script)
			other[p] = k
			f.touched(x, t, other)
		}
	}
}

// pair tells of the races of two threads.
func (f *raceFinder) pair(x *search, i, j int) {
	for _, a := range f.ops[f.from[i]:f.from[i+1]] {
		for _, b := range f.ops[f.from[j]:f.from[j+1]] {
			if vm.Races(a, b) {
				src := x.m.Program().Source
				p := explore.Path{Thread: f.who[i], At: src(a.Src), Other: f.who[j], OtherAt: src(b.Src)}
				x.found(p, Place{Kind: explore.KindRace, At: p.At, At2: p.OtherAt})
			}
		}
	}
}
