package alias

import (
	"slices"
	"strings"

	"whoop/ir"
)

// Threads that are over when the function which starts them returns: it has waited for
// them, as for the goroutines of a WaitGroup of its own. What it made, gave to them and
// hands out afterwards is then known to nobody else before it is handed out, and they do
// not touch it afterwards. So the objects of unfinished runs (publication.go) may be
// reached by such threads as well as by the thread of the run. An access by an address of
// such an object comes before the object is handed out, and one by an address of an object
// that was handed out comes after that; so the two do not race.
//
// A front end says with locks of class order that a thread is waited for: it holds the
// lock from its start until it is counted as done, and who has waited holds it in a mode
// that excludes that. A thread is over when the function returns if
//
//   - its function takes the lock before it calls anything or writes, and touches nothing
//     once it has released it (sections);
//   - on each path from the start to a return the function takes the same lock, in a mode
//     that excludes the other one, and has it still (waitsFor). The lock is the same if the
//     thread's path to it leads, from what it is given, to the register by which the
//     function names it, which is set once in a run of the function. Until then it calls
//     no code that is not seen: that might panic, and a function above recover.
//
// That the lock does say so is the front end's claim: the thread is counted before it
// starts. In the program in hand, a thread that has not begun when the function returns
// never gets the lock.

// waits finds the threads of a program that are waited for.
type waits struct {
	defs map[*ir.Func]map[*ir.Reg]ir.Instr
	// frees are the functions that may release a lock of class order which they have not
	// taken, by the mode.
	frees map[ir.Mode]map[*ir.Func]bool
	// foreign are the functions that may call code which is not seen.
	foreign map[*ir.Func]bool
	// held are the sections of threads' functions.
	held map[*ir.Func][]section
}

// waitedFor returns the spawns whose threads are over when the function returns that
// executes them.
func waitedFor(p *ir.Program) map[*ir.Spawn]bool {
	out := map[*ir.Spawn]bool{}
	var w *waits
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				sp, ok := in.(*ir.Spawn)
				if !ok || ir.FuncOf(sp.Fn) == nil {
					continue
				}
				if w == nil {
					w = &waits{map[*ir.Func]map[*ir.Reg]ir.Instr{}, map[ir.Mode]map[*ir.Func]bool{}, map[*ir.Func]bool{}, map[*ir.Func][]section{}}
					w.findCalled(p)
				}
				if w.over(f, b, sp) {
					out[sp] = true
				}
			}
		}
	}
	return out
}

// way is an address: what it starts from, and members from there on. A member that was
// loaded from is written *T.m.
type way struct {
	root  any // a register or a global variable
	steps []string
}

func (x way) equal(y way) bool { return x.root == y.root && slices.Equal(x.steps, y.steps) }

// only is the instruction that alone sets a register; nil for parameters.
func (w *waits) only(f *ir.Func, r *ir.Reg) ir.Instr {
	if w.defs[f] == nil {
		w.defs[f] = onlyDefs(f)
	}
	return w.defs[f][r]
}

// fixed reports whether a register has one value in a run of a function, or one for each
// time that one instruction sets it.
func (w *waits) fixed(f *ir.Func, r *ir.Reg) bool {
	return slices.Contains(f.Params, r) && !assigned(f, r) || w.only(f, r) != nil
}

// way follows an address to where it comes from.
func (w *waits) way(f *ir.Func, e ir.Expr) (way, bool) {
	switch x := e.(type) {
	case ir.GlobalAddr:
		return way{root: x.Global}, true
	case ir.FieldAddr:
		at, ok := w.way(f, x.Base)
		return way{at.root, append(slices.Clip(at.steps), member(x))}, ok
	case ir.Cast:
		if ir.IsPtr(x.T) && ir.IsPtr(x.X.Type()) {
			return w.way(f, x.X)
		}
	case ir.Use:
		if !w.fixed(f, x.Reg) {
			return way{}, false
		}
		switch d := w.only(f, x.Reg).(type) {
		case *ir.Assign:
			return w.way(f, d.X)
		case *ir.Load:
			if a, ok := d.Addr.(ir.FieldAddr); ok && a.S.Fields[a.Index].Const {
				at, ok := w.way(f, a.Base)
				return way{at.root, append(slices.Clip(at.steps), "*"+member(a))}, ok
			}
		}
		return way{root: x.Reg}, true
	}
	return way{}, false
}

func member(a ir.FieldAddr) string { return a.S.Name + "." + a.S.Fields[a.Index].Name }

// section is what a thread's function does with the lock that says when it is done: at is
// the way to it from a parameter.
type section struct {
	param int
	steps []string
	mode  ir.Mode
}

// sections finds those of a thread's function.
func (w *waits) sections(f *ir.Func) []section {
	out, known := w.held[f]
	if known {
		return out
	}
	w.held[f] = nil // while they are looked for
	out = w.passedOn(f)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			lock, ok := in.(*ir.Lock)
			if !ok || lock.Class != ir.GhostOrder || lock.Try {
				continue
			}
			at, ok := w.way(f, lock.Lock)
			if !ok {
				continue
			}
			r, _ := at.root.(*ir.Reg)
			if i := slices.Index(f.Params, r); i >= 0 && w.holdsAll(f, at, lock.Mode) {
				out = append(out, section{i, at.steps, lock.Mode})
			}
		}
	}
	w.held[f] = out
	return out
}

// passedOn are the sections of a function that a thread's function calls, and does
// nothing else.
func (w *waits) passedOn(f *ir.Func) []section {
	var call *ir.Call
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ir.Call)
			switch {
			case ok && call == nil:
				call = c
			case call != nil || !quiet(in):
				return nil
			}
		}
	}
	if len(f.Blocks) != 1 || call == nil || ir.FuncOf(call.Callee) == nil {
		return nil
	}
	var out []section
	for _, s := range w.sections(ir.FuncOf(call.Callee)) {
		if s.param >= len(call.Args) {
			continue
		}
		at, ok := w.way(f, call.Args[s.param])
		r, _ := at.root.(*ir.Reg)
		if i := slices.Index(f.Params, r); ok && i >= 0 {
			out = append(out, section{i, slices.Concat(at.steps, s.steps), s.mode})
		}
	}
	return out
}

// quiet reports whether an instruction writes nothing that others may see, and calls
// nothing.
func quiet(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Assign, *ir.Load, *ir.Alloc, *ir.Assume, *ir.Havoc:
		return true
	}
	return false
}

// The states of a thread, or of one that is waited for, as bits: at a place it may be in
// several.
const (
	before = 1 << iota // the lock was not taken; nothing was started
	during             // the thread has the lock; one that was started is not waited for
	behind             // it has released it; the thread is over
	bad
)

// holdsAll reports whether a thread's function does all that others may see while it has
// a lock, but for counting.
func (w *waits) holdsAll(f *ir.Func, at way, mode ir.Mode) bool {
	ok := true
	follow(f, before, func(in ir.Instr, st int) int {
		is := func(e ir.Expr) bool { x, known := w.way(f, e); return known && x.equal(at) }
		switch in := in.(type) {
		case *ir.Lock:
			if in.Class == ir.GhostOrder && !in.Try && in.Mode == mode && is(in.Lock) {
				if st&^before != 0 {
					ok = false
				}
				return during
			}
			if in.Class == ir.GhostOrder && !is(in.Lock) {
				return st // another one
			}
		case *ir.Unlock:
			if in.Class == ir.GhostOrder && is(in.Lock) {
				if st&^during != 0 {
					ok = false
				}
				return behind
			}
			if in.Class == ir.GhostOrder {
				return st // another one
			}
		case *ir.RMW:
			x, known := w.way(f, in.Addr)
			if n := len(at.steps) - 1; n >= 0 && known && len(x.steps) > n && x.root == at.root && slices.Equal(x.steps[:n], at.steps[:n]) {
				return st // it counts
			}
		case *ir.Call:
			if st&during != 0 && w.mayFree(in, mode) {
				ok = false
			}
		}
		if st&behind != 0 && !isAssign(in) || st&before != 0 && !quiet(in) && !w.toOwn(f, in) {
			ok = false
		}
		return st
	})
	return ok
}

func isAssign(in ir.Instr) bool { _, ok := in.(*ir.Assign); return ok }

// toOwn reports whether an instruction stores in a variable that the function has just
// made.
func (w *waits) toOwn(f *ir.Func, in ir.Instr) bool {
	st, ok := in.(*ir.Store)
	if !ok {
		return false
	}
	at, ok := w.way(f, st.Addr)
	r, _ := at.root.(*ir.Reg)
	if !ok || r == nil || slices.ContainsFunc(at.steps, func(s string) bool { return strings.HasPrefix(s, "*") }) {
		return false
	}
	a, ok := w.only(f, r).(*ir.Alloc)
	return ok && a.Kind == "stack"
}

// follow propagates sets of states through a function. It returns those at its returns.
func follow(f *ir.Func, start int, step func(in ir.Instr, st int) int) (end int) {
	if len(f.Blocks) == 0 {
		return bad
	}
	at := map[*ir.Block]int{f.Blocks[0]: start}
	work := []*ir.Block{f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		st := at[b]
		for _, in := range b.Instrs {
			st = step(in, st)
		}
		if _, ok := b.Term.(*ir.Return); ok {
			end |= st
		}
		if b.Term == nil {
			return bad
		}
		for _, n := range b.Term.Succs() {
			if at[n]|st != at[n] {
				at[n] |= st
				work = append(work, n)
			}
		}
	}
	return end
}

// over reports whether the thread of a spawn in a block of a function is over when the
// function returns.
func (w *waits) over(f *ir.Func, b *ir.Block, sp *ir.Spawn) bool {
	return slices.ContainsFunc(w.sections(ir.FuncOf(sp.Fn)), func(s section) bool {
		if s.param >= len(sp.Args) {
			return false
		}
		at, ok := w.given(f, b, sp, sp.Args[s.param], s.steps)
		return ok && w.waitsFor(f, sp, at, s.mode)
	})
}

// given is the way to the lock in the function that starts the thread: what the thread
// loads from a new object that it is given was stored there before.
func (w *waits) given(f *ir.Func, b *ir.Block, sp *ir.Spawn, arg ir.Expr, steps []string) (way, bool) {
	at, ok := w.way(f, arg)
	for _, s := range steps {
		m, loaded := strings.CutPrefix(s, "*")
		at.steps = append(slices.Clip(at.steps), m)
		if !ok || !loaded {
			continue
		}
		if u, direct := rootOf(arg).(ir.Use); !direct || at.root != any(u.Reg) {
			return way{}, false
		}
		var val ir.Expr
		made := false
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ir.Alloc:
				if x.Dst == at.root {
					made, val = true, nil
				}
			case *ir.Store:
				if to, known := w.way(f, x.Addr); made && known && to.equal(at) {
					val = x.Val
				}
			}
			if in == ir.Instr(sp) {
				break
			}
		}
		if val == nil {
			return way{}, false
		}
		arg = val
		at, ok = w.way(f, val)
	}
	if r, isReg := at.root.(*ir.Reg); isReg && !slices.Contains(f.Params, r) && inLoop(f, w.only(f, r)) {
		return way{}, false // there may be several
	}
	return at, ok && !slices.ContainsFunc(at.steps, func(s string) bool { return strings.HasPrefix(s, "*") })
}

// rootOf is what an address is of, without casts and members.
func rootOf(e ir.Expr) ir.Expr {
	for {
		switch x := e.(type) {
		case ir.Cast:
			e = x.X
		case ir.FieldAddr:
			e = x.Base
		default:
			return e
		}
	}
}

// waitsFor reports whether a function has waited for the thread of a spawn wherever it
// returns.
func (w *waits) waitsFor(f *ir.Func, sp *ir.Spawn, at way, mode ir.Mode) bool {
	end := follow(f, before, func(in ir.Instr, st int) int {
		switch in := in.(type) {
		case *ir.Spawn:
			if in == sp {
				return st&bad | during
			}
		case *ir.Lock:
			if x, ok := w.way(f, in.Lock); in.Class == ir.GhostOrder && !in.Try && ok && x.equal(at) &&
				(in.Mode == ir.Exclusive || mode == ir.Exclusive) && st&during != 0 {
				return st&^during | behind
			}
		case *ir.Once:
			if st&during != 0 {
				return bad
			}
		case *ir.Unlock:
			if x, ok := w.way(f, in.Lock); in.Class == ir.GhostOrder && (!ok || x.equal(at) || !w.other(f, x, at)) && st&behind != 0 {
				return st&^behind | during
			}
		case *ir.Touch:
			if in.Deep && st&during != 0 {
				return bad
			}
		case *ir.Call:
			if st&during != 0 && w.foreign[ir.FuncOf(in.Callee)] {
				return bad
			}
			other := ir.Exclusive
			if mode == ir.Exclusive {
				other = ir.Shared
			}
			if st&behind != 0 && (w.mayFree(in, other) || w.mayFree(in, ir.Exclusive)) {
				return st&^behind | during
			}
		}
		return st
	})
	return end&(during|bad) == 0
}

// other reports whether two ways start from different objects, or from different members
// of one.
func (w *waits) other(f *ir.Func, x, y way) bool {
	made := func(v way) bool {
		switch r := v.root.(type) {
		case *ir.Global:
			return true
		case *ir.Reg:
			_, ok := w.only(f, r).(*ir.Alloc)
			return ok && !slices.ContainsFunc(v.steps, func(s string) bool { return strings.HasPrefix(s, "*") })
		}
		return false
	}
	return made(x) && made(y) && !x.equal(y)
}

// findCalled finds the functions that may release a lock of class order that they have
// not taken, and those that may call code which is not seen.
func (w *waits) findCalled(p *ir.Program) {
	calls, taken := map[*ir.Func][]*ir.Func{}, ir.AddressTaken(p)
	for _, m := range []ir.Mode{ir.Exclusive, ir.Shared} {
		w.frees[m] = map[*ir.Func]bool{}
	}
	anything := w.foreign
	for _, f := range p.Funcs {
		for m, set := range w.frees {
			set[f] = w.releases(f, m)
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Call:
					if g := ir.FuncOf(in.Callee); g != nil {
						calls[f] = append(calls[f], g)
					} else {
						anything[f] = true
					}
				case *ir.Once:
					anything[f] = true
				case *ir.Touch:
					anything[f] = anything[f] || in.Deep
				}
			}
		}
		if len(f.Blocks) == 0 {
			anything[f] = true
		}
	}
	anything[nil] = true
	addCallers(p, anything, calls)
	for _, set := range w.frees {
		addCallers(p, set, calls)
		if slices.ContainsFunc(taken, func(f *ir.Func) bool { return set[f] }) {
			for f := range anything { // it may call any of them
				set[f] = set[f] || anything[f]
			}
		}
	}
}

// addCallers adds to a set of functions those that call one of it.
func addCallers(p *ir.Program, set map[*ir.Func]bool, calls map[*ir.Func][]*ir.Func) {
	for again := true; again; {
		again = false
		for _, f := range p.Funcs {
			if !set[f] && slices.ContainsFunc(calls[f], func(g *ir.Func) bool { return set[g] }) {
				set[f], again = true, true
			}
		}
	}
}

// releases reports whether a function may release a lock of class order, in a mode, that
// it has not taken itself.
func (w *waits) releases(f *ir.Func, m ir.Mode) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			u, ok := in.(*ir.Unlock)
			if !ok || u.Class != ir.GhostOrder || u.Mode != m && u.Mode != "" {
				continue
			}
			at, ok := w.way(f, u.Lock)
			if !ok || !w.hasTaken(f, at, m) {
				return true
			}
		}
	}
	return false
}

// hasTaken reports whether a function releases a lock only when it has taken it.
func (w *waits) hasTaken(f *ir.Func, at way, m ir.Mode) bool {
	ok := true
	follow(f, before, func(in ir.Instr, st int) int {
		if slices.ContainsFunc(ir.Defs(in), func(r *ir.Reg) bool { return at.root == r }) {
			return before
		}
		switch in := in.(type) {
		case *ir.Lock:
			if x, known := w.way(f, in.Lock); in.Class == ir.GhostOrder && in.Mode == m && !in.Try && known && x.equal(at) {
				return during
			}
		case *ir.Unlock:
			if x, known := w.way(f, in.Lock); in.Class == ir.GhostOrder && known && x.equal(at) {
				ok = ok && st&^during == 0
				return before
			}
		}
		return st
	})
	return ok
}

// mayFree reports whether a call may run a function that releases a lock of class order
// which it has not taken.
func (w *waits) mayFree(c *ir.Call, m ir.Mode) bool { return w.frees[m][ir.FuncOf(c.Callee)] }
