package lockset

import (
	"slices"

	"whoop/diag"
	"whoop/ir"
	"whoop/seqz"
)

// Where a thread that makes an access was started, and where the locks that it holds were
// taken and are given back: for people, who look for these places first. Nothing is proved
// of them. A lock that a function takes on all paths to the access, or to the call that
// leads there, was taken at the last such place; it is given back at the first place after
// the access, in the order of the text.

// whereabouts finds such places.
type whereabouts struct {
	f    *facts
	cfgs map[*ir.Func]*ir.CFG
	// spawns are the places where threads that run a function are started; nil: not known
	// yet.
	spawns map[*ir.Func][]ir.Pos
}

// steps are the places of one access: those before it, outermost first, then those after.
func (w *whereabouts) steps(s *site, runs *ir.Entry, calls []seqz.Frame, held []*guard) []diag.Step {
	var out []diag.Step
	if runs.Spawned {
		if at := w.started(runs.Func); len(at) > 0 { // one is as good as another
			out = append(out, diag.Step{Does: "start", Pos: at[0]})
		}
	}
	found := map[*guard]bool{}
	var after []diag.Step
	eachCall(s, calls, func(depth int, in *ir.Func, place func(ir.Instr) bool) {
		before, release := w.inFunc(in, place, held)
		for _, x := range before {
			found[x.fn] = true
			out = once(out, diag.Step{Does: "lock", Lock: w.f.shown(x.fn), Pos: x.pos, Depth: depth})
		}
		for _, x := range release {
			if found[x.fn] {
				after = once(after, diag.Step{Does: "unlock", Lock: w.f.shown(x.fn), Pos: x.pos, Depth: depth})
			}
		}
	})
	slices.SortStableFunc(after, func(a, b diag.Step) int { return b.Depth - a.Depth })
	return append(out, after...)
}

// eachCall visits the functions on the way to an access, outermost first, each with what
// tells the place in it that leads on.
func eachCall(s *site, calls []seqz.Frame,
	visit func(depth int, in *ir.Func, place func(ir.Instr) bool)) {
	in := s.entry.Func
	if len(calls) < len(s.origin.Calls) { // it stands for others
		in = s.origin.Calls[0].Func
	}
	for depth := 0; depth <= len(calls) && in != nil; depth++ {
		last := depth == len(calls)
		place := func(i ir.Instr) bool { return i == s.origin.Instr }
		if !last {
			at := calls[depth].Call
			place = func(i ir.Instr) bool { c, ok := i.(*ir.Call); return ok && c.Pos == at }
		}
		visit(depth, in, place)
		if !last {
			in = calls[depth].Func
		}
	}
}

// otherLock is where the lock of the program was taken last that is held at an access,
// whichever it is; no place where none is.
func (w *whereabouts) otherLock(s *site, calls []seqz.Frame) (at ir.Pos) {
	eachCall(s, calls, func(_ int, in *ir.Func, place func(ir.Instr) bool) {
		if p := w.lastHeld(in, place); p.Line > 0 {
			at = p
		}
	})
	return at
}

// lastHeld is otherLock for what a function takes itself: on all paths to the place, and no
// path gives one back. Who does so on all paths gives back the one taken last.
func (w *whereabouts) lastHeld(fn *ir.Func, place func(ir.Instr) bool) ir.Pos {
	block, index := find(fn, place)
	if block == nil {
		return ir.Pos{}
	}
	g := w.cfg(fn)
	type taken struct {
		at ir.Pos
		in *ir.Block
	}
	var held []taken
	for _, b := range g.RPO {
		for i, x := range b.Instrs {
			ahead := func() bool { return b == block && i < index || b != block && g.Dominates(b, block) }
			switch x := x.(type) {
			case *ir.Lock:
				if !x.Try && ofProgram(x.Class) && ahead() {
					held = append(held, taken{x.Pos, b})
				}
			case *ir.Unlock:
				switch n := len(held) - 1; {
				case n < 0 || !ofProgram(x.Class):
				case ahead(), leadsTo(b, block, held[n].in):
					held = held[:n]
				}
			}
		}
	}
	if len(held) == 0 {
		return ir.Pos{}
	}
	return held[len(held)-1].at
}

// ofProgram reports whether locks of a class are those that people take.
func ofProgram(class string) bool {
	return !ir.MadeUp(class) && class != ir.ClassOnce && class != ir.ClassLibrary
}

// leadsTo reports whether a path goes from the end of one block to another one, and not
// through a third one.
func leadsTo(from, to, around *ir.Block) bool {
	seen := map[*ir.Block]bool{around: true}
	work := slices.Clone(from.Succs())
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to && !seen[b] {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs()...)
		}
	}
	return false
}

// once adds a step that is not there yet. One lock may have two guards, as a global
// variable and as a member of the object that is watched.
func once(steps []diag.Step, s diag.Step) []diag.Step {
	if slices.Contains(steps, s) {
		return steps
	}
	return append(steps, s)
}

// lockTurn is an operation on a lock.
type lockTurn struct {
	fn  *guard
	pos ir.Pos
}

// inFunc is where a function takes locks on all paths to a place, the last operation for
// each, and where it gives them back first after it.
func (w *whereabouts) inFunc(fn *ir.Func, place func(ir.Instr) bool, held []*guard) (before, after []lockTurn) {
	block, index := find(fn, place)
	if block == nil {
		return nil, nil
	}
	g := w.cfg(fn)
	for _, k := range held {
		var took, gave *lockTurn
		var in *ir.Block
		at := -1
		for _, b := range g.RPO {
			for i, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ir.Lock:
					ahead := b == block && i < index || b != block && g.Dominates(b, block)
					later := in == nil || b == in && i > at || b != in && g.Dominates(in, b)
					if ahead && later && w.f.affects(instr, instr.Lock, k) {
						took, in, at = &lockTurn{k, instr.Pos}, b, i
					}
				case *ir.Unlock:
					at := block.Instrs[index].At()
					if at.File == instr.Pos.File && at.Less(instr.Pos) && w.f.affects(instr, instr.Lock, k) && (gave == nil || instr.Pos.Less(gave.pos)) {
						gave = &lockTurn{k, instr.Pos}
					}
				}
			}
		}
		if took != nil {
			before = append(before, *took)
			if gave != nil {
				after = append(after, *gave)
			}
		}
	}
	return before, after
}

// find is the first place in a function.
func find(fn *ir.Func, place func(ir.Instr) bool) (*ir.Block, int) {
	for _, b := range fn.Blocks {
		for i, in := range b.Instrs {
			if place(in) {
				return b, i
			}
		}
	}
	return nil, 0
}

func (w *whereabouts) cfg(fn *ir.Func) *ir.CFG {
	g := w.cfgs[fn]
	if g == nil {
		g = ir.NewCFG(fn)
		w.cfgs[fn] = g
	}
	return g
}

// started are the places where threads that run a function are started.
func (w *whereabouts) started(fn *ir.Func) []ir.Pos {
	if w.spawns == nil {
		w.spawns = map[*ir.Func][]ir.Pos{}
		for _, f := range w.f.p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					sp, ok := in.(*ir.Spawn)
					if !ok {
						continue
					}
					if g := ir.FuncOf(sp.Fn); g != nil {
						w.spawns[g] = append(w.spawns[g], sp.Pos)
					}
				}
			}
		}
	}
	return w.spawns[fn]
}
