package lockuse

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// quiet are packages whose functions wait for no other goroutine of the program.
var quiet = map[string]bool{"fmt": true, "time": true, "strings": true, "strconv": true, "errors": true, "math": true, "math/rand": true, "sort": true,
	"slices": true, "maps": true, "bytes": true, "log": true, "os": true, "unicode": true, "unicode/utf8": true, "runtime": true}

// silent are functions of package sync that wait for nobody. What Once.Do runs is looked
// at.
var silent = map[string]bool{"(*sync.WaitGroup).Add": true, "(*sync.WaitGroup).Done": true, "(*sync.WaitGroup).Go": true, "(*sync.Mutex).Unlock": true,
	"(*sync.RWMutex).Unlock": true, "(*sync.RWMutex).RUnlock": true, "(*sync.Cond).Signal": true, "(*sync.Cond).Broadcast": true}

// ordersHere reports whether an instruction may make what follows it come after something
// in another goroutine: it waits, takes a lock, reads an atomic, or calls something that
// may.
func (x *explorer) ordersHere(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select:
		return true
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Call:
		return x.callOrders(&in.Call)
	}
	return false
}

func (x *explorer) callOrders(cc *ssa.CallCommon) bool {
	if _, ok := cc.Value.(*ssa.Builtin); ok {
		return false
	}
	f := cc.StaticCallee()
	if f == nil || silent[fullName(f)] {
		return f == nil
	}
	if fullName(f) == "(*sync.Once).Do" {
		if m, ok := cc.Args[1].(*ssa.MakeClosure); ok {
			return x.mayOrder(m.Fn.(*ssa.Function))
		}
		g, ok := cc.Args[1].(*ssa.Function)
		return !ok || x.mayOrder(g)
	}
	if len(f.Blocks) == 0 {
		p := packageOf(f)
		return p == nil || !quiet[p.Pkg.Path()] || strings.HasSuffix(fullName(f), ".Wait")
	}
	return x.mayOrder(f)
}

// mayOrder is ordersHere for a function.
func (x *explorer) mayOrder(f *ssa.Function) bool {
	if v, ok := x.orders[f]; ok {
		return v
	}
	x.orders[f] = false // recursion
	v := len(f.Blocks) == 0
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.Defer); ok {
				v = v || x.callOrders(&d.Call)
			}
			v = v || x.ordersHere(in)
		}
	}
	x.orders[f] = v
	return v
}

// reaches reports whether b may be executed after a, in the same call of their function,
// without executing the instruction of stop in between.
func reaches(a, b ssa.Instruction, stop ssa.Value) bool {
	end, _ := stop.(ssa.Instruction)
	// run looks at the instructions of a block from index i: whether b is found, and
	// whether the end is.
	run := func(blk *ssa.BasicBlock, i int) (found, ended bool) {
		for _, in := range blk.Instrs[i:] {
			if in == b {
				return true, false
			}
			if end != nil && in == end {
				return false, true
			}
		}
		return false, false
	}
	start := 0
	for i, in := range a.Block().Instrs {
		if in == a {
			start = i + 1
		}
	}
	found, ended := run(a.Block(), start)
	if found || ended {
		return found
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock{}, a.Block().Succs...)
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[blk] {
			continue
		}
		seen[blk] = true
		switch found, ended := run(blk, 0); {
		case found:
			return true
		case !ended:
			work = append(work, blk.Succs...)
		}
	}
	return false
}

// always reports whether an instruction is executed on all paths to the function's
// returns.
func always(in ssa.Instruction) bool {
	for _, b := range in.Parent().Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !in.Block().Dominates(b) {
			return false
		}
	}
	return true
}

// recovers reports whether a function may recover from panics: it defers a function that
// calls recover.
func recovers(f *ssa.Function) bool { return f.Recover != nil && defersRecover(f) }

func defersRecover(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.Defer)
			if !ok {
				continue
			}
			if _, builtin := d.Call.Value.(*ssa.Builtin); builtin {
				continue // recover is of use only in a function that is deferred
			}
			g := d.Call.StaticCallee()
			if g == nil || callsRecover(g) {
				return true
			}
		}
	}
	return false
}

func callsRecover(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if cc := callOf(in); cc != nil {
				if bi, ok := cc.Value.(*ssa.Builtin); ok && bi.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}
