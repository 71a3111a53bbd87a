package lockset

import (
	"fmt"
	"slices"
	"sync"

	"whoop/ir"
	"whoop/seqz"
)

// Sketches. Where there is no time to prove what holds at the accesses of an entry, or it
// is too large, its summary is a sketch: its accesses, with nothing held. That is right,
// as nothing is claimed, so who conflicts with none of them is proved. Other pairs are
// undecided, for want of the proof. Where only locks count (Options.LocksAlone), they are
// so only if a lock may be held at both accesses, as a pass over each function says:
// elsewhere no proof would find one.

// sketch is the summary of an entry that nothing was proved of. why is the reason.
func (f *facts) sketch(e *ir.Entry, with *partners, why error) *summary {
	why = outOfTime{why}
	s := &summary{entry: e, cut: why, whole: true, sketched: true}
	text := why.Error()
	if len(e.Func.Blocks) == 0 {
		s.unknown = append(s.unknown, seqz.NotUnderstood(e.Func, f.al)...)
	}
	chains := newChains(f, e)
	for _, fn := range f.reach[e] {
		if len(fn.Blocks) == 0 || !f.apart.Runs(e, fn) {
			continue
		}
		if with.late != nil && with.late() != nil { // nothing will be compared
			s.sites, s.whole = nil, false
			s.unknown = append(s.unknown, ir.Assumption{Kind: "timeout", Pos: e.Pos,
				Text: fmt.Sprintf("%s is not analysed to the end: %v", e.Name, why)})
			return s
		}
		for _, a := range seqz.NotUnderstood(fn, f.al) {
			if !slices.Contains(s.unknown, a) {
				s.unknown = append(s.unknown, a)
			}
		}
		for in := range fn.Instrs() {
			if c, ok := in.(*ir.Call); ok && !seqz.Outside(c, f.al) || f.fresh[in] {
				continue
			}
			for i := range f.acc[in] {
				acc := &f.acc[in][i]
				if acc.Fresh {
					continue
				}
				rs, class := with.some(use{e, in, acc}, f.watchedOf(acc.Regions))
				if len(rs) == 0 {
					continue
				}
				st := &site{entry: e, origin: seqz.Origin{Instr: in, Func: fn, Calls: chains.to(fn)},
					acc: acc, class: class, regions: rs}
				st.undecided = text
				s.sites = append(s.sites, st)
			}
		}
	}
	return s
}

// chains are calls from an entry to the functions that it reaches, one for each.
type chains struct {
	from map[*ir.Func]callFrom
	of   map[*ir.Func][]seqz.Frame
}

type callFrom struct {
	caller *ir.Func
	frame  seqz.Frame
}

func newChains(f *facts, e *ir.Entry) *chains {
	c := &chains{from: map[*ir.Func]callFrom{}, of: map[*ir.Func][]seqz.Frame{e.Func: {}}}
	work, seen := []*ir.Func{e.Func}, map[*ir.Func]bool{e.Func: true}
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		for in := range fn.Instrs() {
			for _, g := range f.calledAt(fn, in) {
				if !seen[g] {
					seen[g] = true
					c.from[g] = callFrom{fn, seqz.Frame{Func: g, Call: in.At()}}
					work = append(work, g)
				}
			}
		}
	}
	return c
}

// to is the chain of calls that leads to a function.
func (c *chains) to(fn *ir.Func) []seqz.Frame {
	out, known := c.of[fn]
	if !known {
		by := c.from[fn]
		if by.caller != nil {
			out = append(slices.Clone(c.to(by.caller)), by.frame)
		}
		c.of[fn] = out
	}
	return out
}

// calledAt are the functions with bodies that an instruction of a function may run.
func (f *facts) calledAt(fn *ir.Func, in ir.Instr) []*ir.Func {
	switch in := in.(type) {
	case *ir.Call:
		if g := ir.FuncOf(in.Callee); g != nil {
			return []*ir.Func{g}
		}
		fns, _ := f.al.Callees(in)
		return fns
	case *ir.Once:
		return f.al.Funcs(in.Fn, fn)
	}
	return nil
}

// unlocked says where no lock can be held, whatever is proved: a pass over each function,
// which takes each operation for one that works.
type unlocked struct {
	f *facts
	// called are the functions that may be called while some lock is held; leaks those
	// that may return with one that they took.
	called, leaks map[*ir.Func]bool
	// recursive: some lock may be taken again by who has it, so no release is the last one.
	recursive bool
	at        map[*ir.Func]map[ir.Instr]bool // where a lock of the function may be held
}

// unlocked finds out once where no lock is held: entries are analysed at the same time.
func (f *facts) unlocked() *unlocked {
	f.unlockedOnce.Do(func() { f.noLocks = findUnlocked(f) })
	return f.noLocks
}

// lazyUnlocked is that of a program, once somebody has asked.
type lazyUnlocked struct {
	unlockedOnce sync.Once
	noLocks      *unlocked
}

func (u *unlocked) mayHold(fn *ir.Func, in ir.Instr) bool { return u.called[fn] || u.at[fn][in] }

func findUnlocked(f *facts) *unlocked {
	u := &unlocked{f: f, called: map[*ir.Func]bool{}, leaks: map[*ir.Func]bool{},
		at: map[*ir.Func]map[ir.Instr]bool{}}
	for _, in := range f.p.Instrs() {
		switch in := in.(type) {
		case *ir.LockInit:
			u.recursive = u.recursive || in.Recursive
		case *ir.Lock:
			u.recursive = u.recursive || in.Recursive
		}
	}
	var fns []*ir.Func
	callers := map[*ir.Func][]*ir.Func{}
	seen := map[*ir.Func]bool{}
	for _, e := range f.p.Entries {
		for _, fn := range f.reach[e] {
			if seen[fn] {
				continue
			}
			seen[fn] = true
			fns = append(fns, fn)
			calls := map[*ir.Func]bool{}
			for in := range fn.Instrs() {
				for _, g := range f.calledAt(fn, in) {
					if !calls[g] {
						calls[g] = true
						callers[g] = append(callers[g], fn)
					}
				}
			}
		}
	}
	work := slices.Clone(fns)
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		if !u.leaks[fn] && u.flow(fn) {
			u.leaks[fn] = true
			work = append(work, callers[fn]...)
		}
	}
	for _, e := range f.p.Entries {
		if len(e.Holds) > 0 {
			work = append(work, e.Func)
		}
	}
	for _, fn := range fns {
		if u.leaks[fn] {
			u.flow(fn) // what it calls may leak, too
		}
		for in := range fn.Instrs() {
			if u.at[fn][in] {
				work = append(work, f.calledAt(fn, in)...)
			}
		}
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if u.called[fn] {
			continue
		}
		u.called[fn] = true
		for in := range fn.Instrs() {
			work = append(work, f.calledAt(fn, in)...)
		}
	}
	return u
}

// flow finds where locks may be held that the function took, or what it calls, and
// reports whether some may be at its end.
func (u *unlocked) flow(fn *ir.Func) (leaks bool) {
	if len(fn.Blocks) == 0 || !slices.ContainsFunc(fn.Blocks, func(b *ir.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in ir.Instr) bool { return u.takes(fn, in) })
	}) {
		return false
	}
	res := newResolver(fn)
	at := map[*ir.Block]map[string]bool{fn.Blocks[0]: {}}
	held := map[ir.Instr]bool{}
	work := []*ir.Block{fn.Blocks[0]}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		now := map[string]bool{}
		for k := range at[b] {
			now[k] = true
		}
		for i, in := range b.Instrs {
			if len(now) > 0 {
				held[in] = true
			}
			u.step(fn, in, now, func(e ir.Expr) string { return ir.ExprString(res.expand(e, b, i)) })
			if _, once := in.(*ir.Once); once {
				held[in] = true // what it runs is under its lock
			}
		}
		if _, ok := b.Term.(*ir.Return); ok && len(now) > 0 {
			leaks = true
		}
		for _, s := range b.Succs() {
			old, known := at[s]
			if !known {
				old = map[string]bool{}
				at[s] = old
			}
			n := len(old)
			for k := range now {
				old[k] = true
			}
			if !known || len(old) > n {
				work = append(work, s)
			}
		}
	}
	u.at[fn] = held
	return leaks
}

// takes reports whether an instruction may take a lock, itself or in what it calls.
func (u *unlocked) takes(fn *ir.Func, in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Lock, *ir.SemWait, *ir.AtomicBegin, *ir.Once:
		return true
	case *ir.RMW, *ir.CmpXchg:
		op := wordOpOf(in, allBits)
		return op != nil && op.took != nil
	case *ir.Call:
		return slices.ContainsFunc(u.f.calledAt(fn, in), func(g *ir.Func) bool { return u.leaks[g] })
	}
	return false
}

// unnamedLock stands for locks whose place is not known: they are never given back.
const unnamedLock = "?"

// step follows one instruction: a lock is given back at the address that it was taken at.
func (u *unlocked) step(fn *ir.Func, in ir.Instr, now map[string]bool, name func(ir.Expr) string) {
	switch in := in.(type) {
	case *ir.Lock:
		now[name(in.Lock)] = true
	case *ir.Unlock:
		if !u.recursive {
			delete(now, name(in.Lock))
		}
	case *ir.AtomicBegin:
		now["atomic"] = true
	case *ir.AtomicEnd:
		delete(now, "atomic")
	case *ir.SemWait, *ir.Once:
		now[unnamedLock] = true
	default:
		if u.takes(fn, in) {
			now[unnamedLock] = true
		}
	}
}
