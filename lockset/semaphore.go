package lockset

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// A semaphore that starts at 0 or 1 is a lock as long as only who holds it posts it: then
// at most one thread is between its wait and its post. That every post is by a holder is
// an obligation; where one fails, the semaphore protects nothing.

// findSemaphores marks the lock functions for which waits count as acquisitions.
func (l *locks) findSemaphores() {
	waits, bad := []*ir.SemWait{}, map[*guard]bool{}
	note := func(in ir.Instr, addr ir.Expr) {
		for _, fn := range l.list {
			if _, ok := theoryOf[*lock](fn); ok && l.f.affects(in, addr, fn) {
				bad[fn] = true
			}
		}
	}
	made := l.initialised()
	for _, f := range l.f.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.SemWait:
					waits = append(waits, in)
					if l.countsFromStart(in, made) {
						note(in, in.Sem)
					}
				case *ir.SemInit:
					if v, ok := ir.ConstInt(in.Val); !ok || v < 0 || v > 1 {
						note(in, in.Sem)
					}
				case *ir.SemPost:
					if in.All {
						note(in, in.Sem)
					}
				default:
					l.overwritesCount(in, bad)
				}
			}
		}
	}
	for _, in := range waits {
		for _, fn := range l.list {
			if k, ok := theoryOf[*lock](fn); ok && !bad[fn] && l.f.affects(in, in.Sem, fn) {
				k.sem = true
			}
		}
	}
}

// initialised are the objects with a semaphore that the program sets. In type-safe programs
// each semaphore is set where it is allocated: what is allocated elsewhere stands for one
// that code not seen has made.
func (l *locks) initialised() map[*alias.Object]bool {
	made, news := map[*alias.Object]bool{}, map[ir.Instr]bool{}
	for _, f := range l.f.p.Funcs {
		for _, b := range f.Blocks {
			allocs := map[*ir.Reg]ir.Instr{}
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Alloc:
					allocs[in.Dst] = in
				case *ir.SemInit:
					if at, ok := in.Sem.(ir.FieldAddr); ok {
						if u, ok := ir.Uncast(at.Base).(ir.Use); ok {
							news[allocs[u.Reg]] = true
						}
					}
					l.noteObjects(in, made)
				}
			}
		}
	}
	for o := range made {
		if l.f.p.TypeSafe && (o.Alloc == nil || !news[o.Alloc]) {
			delete(made, o)
		}
	}
	return made
}

// noteObjects notes the objects of an operation's regions.
func (l *locks) noteObjects(in *ir.SemInit, to map[*alias.Object]bool) {
	for _, r := range l.f.targets[in].regions {
		for _, o := range r.Objects {
			to[o] = true
		}
	}
}

// overwritesCount notes the lock functions of semaphores whose counts an instruction may
// write by other means. Zero is no more than a semaphore may have.
func (l *locks) overwritesCount(in ir.Instr, bad map[*guard]bool) {
	switch in := in.(type) {
	case *ir.Store:
		if v, ok := ir.ConstInt(in.Val); ok && v == 0 {
			return
		}
	case *ir.MemSet:
		if v, ok := ir.ConstInt(in.Val); ok && v == 0 {
			return
		}
	case *ir.Free, *ir.Alloc:
		return
	}
	for _, a := range l.f.acc[in] {
		if !a.Write {
			continue
		}
		for _, r := range a.Regions {
			if !l.f.syncAt[r] {
				continue
			}
			for _, fn := range l.list {
				k, ok := theoryOf[*lock](fn)
				at := func(q *alias.Region) bool { return shareObject(q, r) && q.Offset == r.Offset }
				if ok && (len(k.regions) == 0 && l.mayLieIn(fn, k, r) || slices.ContainsFunc(k.regions, at)) {
					bad[fn] = true
				}
			}
		}
	}
}

// countsFromStart reports whether a semaphore that a wait may be on counts beyond 1 by a
// variable's initialiser.
func (l *locks) countsFromStart(in *ir.SemWait, made map[*alias.Object]bool) bool {
	if g, off, ok := constAddr(in.Sem); ok {
		n, known := ir.InitialCount(g, off)
		return !known || n > 1
	}
	for _, r := range l.f.targets[in].regions {
		for _, o := range r.Objects {
			if o.Global == nil && !made[o] && (o.Kind == alias.KindExtern || l.f.p.TypeSafe) {
				return true // made by code that is not seen, with any count
			}
			if o.Global == nil {
				continue
			}
			if beyondOne(o.Global, r) {
				return true
			}
		}
	}
	return false
}

// beyondOne reports whether a semaphore in a region of a global begins with a count
// beyond 1.
func beyondOne(g *ir.Global, r *alias.Region) bool {
	if g.Type.Size() > 1<<12 {
		return g.Extern || len(g.Init) > 0 // too large to look at: precision only
	}
	for off := int64(0); off < g.Type.Size(); off++ {
		if r.Exact && r.Elem == 0 && off != r.Offset {
			continue
		}
		if n, known := ir.InitialCount(g, off); !known || n > 1 {
			return true
		}
	}
	return false
}
