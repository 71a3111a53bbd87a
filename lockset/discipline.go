package lockset

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// That a lock keeps others out rests on what the program does with it: who releases it
// holds it, and nobody makes it anew, or writes over it, while another may hold it. With
// Options.Discipline these are obligations. A lock of which one is not proved protects
// nothing. Without, releases are obligations in C programs with a main function: a pair
// that only a lock keeps apart which is not shown to be released by its holder is
// undecided, and not proved.

// handling is an operation that ends what a lock keeps out, at one place of the unfolded
// code.
type handling struct {
	// any are candidates each of which says that it is all right, whichever lock is
	// meant; by says it of one lock function: -1 where that is not said.
	any []int
	by  map[*guard]int
	in  ir.Instr
}

// lose notes the lock functions for which a handling is not proved to be all right, and
// reports whether there are any.
func (h *handling) lose(holds map[int]bool, lost map[*guard]bool) bool {
	if slices.ContainsFunc(h.any, func(id int) bool { return holds[id] }) {
		return false
	}
	some := false
	for fn, id := range h.by {
		if id < 0 || !holds[id] {
			lost[fn], some = true, true
		}
	}
	return some
}

// handled makes the obligations of an instruction.
func (x *instrumenter) handled(in ir.Instr) []check {
	if !x.discipline && !x.asksRelease(in) {
		return nil
	}
	switch in := in.(type) {
	case *ir.Unlock:
		mode := 1
		if in.Mode == ir.Exclusive {
			mode = 0
		}
		return x.releases(in, in.Lock, mode)
	case *ir.CondWait:
		return x.releases(in, in.Mutex, 0)
	case *ir.LockInit:
		return x.unheld(in, func(fn *guard) ir.Expr { return x.meant(in, in.Lock, fn) })
	case *ir.SemInit:
		return x.unheld(in, func(fn *guard) ir.Expr { return x.meant(in, in.Sem, fn) })
	case *ir.Store:
		return x.overwrites(in, in.Addr, ir.IntConst(ir.U64, in.Val.Type().Size()))
	case *ir.MemCopy:
		return x.overwrites(in, in.Dst, in.Size)
	case *ir.MemSet:
		return x.overwrites(in, in.Dst, in.Size)
	case *ir.Touch:
		if in.Write {
			return x.overwrites(in, nil, nil)
		}
	}
	return nil
}

// asksRelease reports whether it is asked of an instruction that it releases what its
// thread holds.
func (x *instrumenter) asksRelease(in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Unlock:
		return x.f.hasMain() || in.Class == ir.GhostOwned
	case *ir.CondWait:
		return x.f.hasMain()
	}
	return false
}

// hasMain reports whether the program is one in C that starts its threads itself.
func (f *facts) hasMain() bool {
	if f.p.TypeSafe {
		return false
	}
	m := f.p.FuncByName("main")
	return m != nil && !m.Extern
}

// meant is the condition under which an operation on an address is one on the lock; nil:
// never.
func (x *instrumenter) meant(in ir.Instr, addr ir.Expr, fn *guard) ir.Expr {
	k, ok := theoryOf[*lock](fn)
	if !ok || k.bits != 0 || !x.affects(in, addr, fn) {
		return nil
	}
	return k.is(addr)
}

// releases: a lock that is released, for a while or not, is held.
func (x *instrumenter) releases(in ir.Instr, addr ir.Expr, mode int) []check {
	h := &handling{by: map[*guard]int{}, in: in}
	x.handlings = append(x.handlings, h)
	var out []check
	for _, fn := range x.l.list {
		same := x.meant(in, addr, fn)
		if same == nil {
			continue
		}
		held := ir.Expr(ir.BoolConst(false))
		if x.isActive(fn) {
			held = ir.Use{Reg: fn.Held[mode]}
		} else if fn.cell() != nil {
			h.by[fn] = -1
			continue
		}
		c := x.obligation(in, ir.Binary{Op: "lor", X: ir.Unary{Op: "lnot", X: same}, Y: held})
		h.by[fn] = c.id
		if x.isActive(fn) && x.names(in, addr, fn) {
			h.any = append(h.any, c.id)
		}
		out = append(out, c)
	}
	return out
}

func (x *instrumenter) obligation(in ir.Instr, cond ir.Expr) check {
	return check{x.candidate(), &ir.Assert{Base: ir.Base{Pos: in.At()}, Cond: cond, Tag: "lockset"}}
}

// names reports whether there is a value of the lock function's constant for which it is
// the lock at the address.
func (x *instrumenter) names(in ir.Instr, addr ir.Expr, fn *guard) bool {
	k, ok := theoryOf[*lock](fn)
	if !ok || k.pointer != nil {
		return false
	}
	if fn.frame == nil {
		g, off, ok := constAddr(addr)
		h, foff, _ := constAddr(k.addr)
		return ok && g == h && off == foff
	}
	for _, tb := range typedBases(addr) {
		if tb.exact && slices.Contains(x.l.typed[tb.s], fn) && fn == x.l.fns[typedKey(tb.s, tb.off)] {
			return true
		}
	}
	return false
}

// unheld: a lock that is made anew is not held by this thread.
func (x *instrumenter) unheld(in ir.Instr, meant func(*guard) ir.Expr) []check {
	h := &handling{by: map[*guard]int{}, in: in}
	var out []check
	for _, fn := range x.active {
		same := meant(fn)
		if same == nil {
			continue
		}
		free := ir.Unary{Op: "lnot", X: ir.Binary{Op: "land", X: same, Y: ir.Use{Reg: fn.Held[1]}}}
		c := x.obligation(in, free)
		h.by[fn] = c.id
		out = append(out, c)
	}
	x.handlings = append(x.handlings, h)
	return out
}

// overwrites: a lock that is written over, as memory, is not held by this thread. Where
// addr is nil, all that the instruction may write counts.
func (x *instrumenter) overwrites(in ir.Instr, addr, size ir.Expr) []check {
	fns := x.l.writtenBy(x.seq.Origin[in].Instr)
	if len(fns) == 0 {
		return nil
	}
	return x.unheld(in, func(fn *guard) ir.Expr {
		if !fns[fn] {
			return nil
		}
		if addr == nil || size == nil {
			return ir.BoolConst(true)
		}
		first, lock := asPtr(addr), fn.theory.(*lock).addr
		end := ir.IndexAddr{Base: first, Idx: size, Stride: 1, T: ir.VPtr}
		return ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: first, Y: lock}, Y: ir.Binary{Op: "lt", X: lock, Y: end}}
	})
}

// releaseCandidates guesses, for the loop heads of a body, that the locks which it
// releases are held, in terms of their addresses.
func (x *instrumenter) releaseCandidates(f *ir.Func, res *resolver) []ir.Expr {
	var out []ir.Expr
	seen := map[string]bool{}
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			u, ok := in.(*ir.Unlock)
			if !ok || !x.discipline && !x.asksRelease(u) {
				continue
			}
			for _, fn := range x.active {
				if fn.frame == nil || !x.names(u, u.Lock, fn) {
					continue
				}
				for _, addr := range []ir.Expr{u.Lock, res.expand(u.Lock, b, i)} {
					for _, h := range fn.Held {
						c := ir.Binary{Op: "lor", X: ir.Unary{Op: "lnot", X: fn.theory.(*lock).is(addr)}, Y: ir.Use{Reg: h}}
						if k := ir.ExprString(c); !seen[k] {
							seen[k] = true
							out = append(out, c)
						}
					}
				}
			}
		}
	}
	return out
}

// syncOp is an operation of an entry on locks.
type syncOp struct {
	entry *ir.Entry
	in    ir.Instr
}

// operations lists, for each lock function, the operations that may be on it, and the
// regions that it may lie in.
func (l *locks) operations() {
	l.ops, l.at = map[*guard][]syncOp{}, map[int]map[*guard]bool{}
	for _, e := range l.f.p.Entries {
		for _, f := range l.f.reach[e] {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if addr := usedLock(in); addr != nil {
						l.operation(syncOp{e, in}, addr)
					}
				}
			}
		}
	}
}

// usedLock is the address of the lock, semaphore or once control that an operation uses;
// nil for others.
func usedLock(in ir.Instr) ir.Expr {
	switch in := in.(type) {
	case *ir.Lock:
		return in.Lock
	case *ir.Unlock:
		return in.Lock
	case *ir.CondWait:
		return in.Mutex
	case *ir.SemWait:
		return in.Sem
	case *ir.SemPost:
		return in.Sem
	case *ir.Once:
		return in.Ctl
	}
	return nil
}

func (l *locks) operation(op syncOp, addr ir.Expr) {
	for _, fn := range l.list {
		k, ok := theoryOf[*lock](fn)
		if !ok || k.bits != 0 || !l.f.affects(op.in, addr, fn) {
			continue
		}
		l.ops[fn] = append(l.ops[fn], op)
		for _, r := range l.f.targets[op.in].regions {
			if fn.frame == nil && k.pointer == nil {
				if g, off, ok := constAddr(k.addr); ok && !mayBeAt([]*alias.Region{r}, g, off) {
					continue
				}
			}
			if l.at[r.ID] == nil {
				l.at[r.ID] = map[*guard]bool{}
			}
			l.at[r.ID][fn] = true
		}
	}
}

// writtenBy are the lock functions whose locks an instruction may write as memory.
func (l *locks) writtenBy(in ir.Instr) map[*guard]bool {
	var out map[*guard]bool
	if l.f.fresh[in] {
		return nil
	}
	for _, id := range l.f.writeIDs[in] {
		for fn := range l.at[id] {
			if out == nil {
				out = map[*guard]bool{}
			}
			out[fn] = true
		}
	}
	return out
}

// remade finds the lock functions whose locks may be made anew, or written as memory,
// while another thread uses them. good: all are semaphores.
func (l *locks) remade(late func() error) (lost map[*guard]bool, good bool, err error) {
	lost, good = map[*guard]bool{}, true
	for _, e := range l.f.p.Entries {
		for _, f := range l.f.reach[e] {
			if err := late(); err != nil {
				return nil, false, err
			}
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					for fn := range l.makes(in) {
						if l.used(e, in, fn) {
							_, sem := in.(*ir.SemInit)
							lost[fn], good = true, good && sem
						}
					}
				}
			}
		}
	}
	return lost, good, nil
}

// used reports whether an operation on a lock may run at the same time as an instruction
// of the entry.
func (l *locks) used(e *ir.Entry, in ir.Instr, fn *guard) bool {
	return slices.ContainsFunc(l.ops[fn], func(op syncOp) bool {
		both, _ := l.f.mh.Parallel(e, in, op.entry, op.in)
		return both
	})
}

// makes are the lock functions whose locks an instruction makes anew or writes over;
// those of objects that no other thread knows yet do not count.
func (l *locks) makes(in ir.Instr) map[*guard]bool {
	var addr ir.Expr
	switch in := in.(type) {
	case *ir.LockInit:
		addr = in.Lock
	case *ir.SemInit:
		addr = in.Sem
	default:
		return l.writtenBy(in)
	}
	if l.f.al.Fresh(in) {
		return nil
	}
	out := map[*guard]bool{}
	for _, fn := range l.list {
		if isLock(fn) && l.f.affects(in, addr, fn) {
			out[fn] = true
		}
	}
	return out
}

// findLost notes the lock functions of which an obligation of the entry is not proved;
// misused: one of others than semaphores. Without Options.Discipline, those of which a
// release is not proved to be by the holder are in doubt.
func (x *instrumenter) findLost(sum *summary, holds map[int]bool) {
	sum.lost, sum.doubted = map[*guard]bool{}, map[*guard]ir.Instr{}
	for id, fn := range x.handovers {
		if !holds[id] {
			sum.lost[fn] = true
		}
	}
	if x.locksAlone {
		for _, g := range x.l.list {
			if !isLock(g) {
				sum.lost[g] = true
			}
		}
	}
	for _, h := range x.handlings {
		if u, ok := h.in.(*ir.Unlock); !x.discipline && !(ok && u.Class == ir.GhostOwned) {
			doubted := map[*guard]bool{}
			h.lose(holds, doubted)
			for fn := range doubted {
				if first := sum.doubted[fn]; first == nil || h.in.At().Less(first.At()) {
					sum.doubted[fn] = h.in
				}
			}
			continue
		}
		_, sem := h.in.(*ir.SemInit)
		sum.misused = h.lose(holds, sum.lost) && !sem || sum.misused
	}
}
