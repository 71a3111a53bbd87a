package lockset

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Handles that lie in the object that the thread is started with: pthread_create(&w->id,
// …, w). Where nothing else is written to w->id, a join of what is read there waits for
// the thread that was started with w last: the earlier ones have ended, for each of them
// had the token of w.

// findHandles finds the places of such handles.
func (l *locks) findHandles() {
	l.handles = map[*alias.Region]int64{}
	places := l.handlePlaces()
	if len(places) == 0 || l.f.wild {
		return
	}
	other := map[*alias.Region]bool{} // something else is written there, or at another offset
	for _, f := range l.f.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				off, handle := int64(0), false
				switch in := in.(type) {
				case *ir.Spawn:
					off, handle = places[in]
				case *ir.Free: // nobody reads it then
					continue
				case *ir.Store:
					if noHandle(in.Val) { // no handle
						continue
					}
				case *ir.MemSet:
					if noHandle(in.Val) {
						continue
					}
				}
				for _, a := range l.f.acc[in] {
					if !a.Write {
						continue
					}
					for _, r := range a.Regions {
						if at, known := l.handles[r]; handle && (!known || at == off) {
							l.handles[r] = off
						} else {
							other[r] = true
						}
					}
				}
			}
		}
	}
	for r := range other {
		delete(l.handles, r)
	}
}

// handlePlaces are the offsets of the handles that spawns store, from the object that
// they hand over: those of threads that own what they get, and keep it.
func (l *locks) handlePlaces() map[*ir.Spawn]int64 {
	out := map[*ir.Spawn]int64{}
	for _, f := range l.f.p.Funcs {
		res := (*resolver)(nil)
		for _, b := range f.Blocks {
			for i, in := range b.Instrs {
				sp, ok := in.(*ir.Spawn)
				if !ok || sp.HandleAddr == nil || len(sp.Args) == 0 || !l.ownedAndKept(sp) {
					continue
				}
				if res == nil {
					res = newResolver(f)
				}
				base, off := split(res.expand(sp.HandleAddr, b, i))
				arg, start := split(res.expand(sp.Args[0], b, i))
				if ir.Equal(asPtr(base).Type(), asPtr(arg).Type()) && ir.ExprString(base) == ir.ExprString(arg) {
					out[sp] = off - start
				}
			}
		}
	}
	return out
}

// noHandle reports whether a value is that of a handle that nobody has.
func noHandle(e ir.Expr) bool {
	switch x := ir.Uncast(e).(type) {
	case ir.Const:
		return x.Val.Sign() == 0
	case ir.Null:
		return true
	}
	return false
}

// ownedAndKept reports whether all threads that a spawn may start own the object that
// they get, and hand it on to nobody.
func (l *locks) ownedAndKept(sp *ir.Spawn) bool {
	fa, ok := sp.Fn.(ir.FuncAddr)
	if !ok {
		return false
	}
	found := false
	for _, e := range l.f.p.Entries {
		if e.Spawned && e.Func == fa.Func {
			found = true
			if !l.owner(e) || !l.f.mh.Keeps(e) {
				return false
			}
		}
	}
	return found
}

// split is an address as another one and a constant offset from it.
func split(e ir.Expr) (ir.Expr, int64) {
	off := int64(0)
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			off += x.S.Fields[x.Index].Offset
			e = x.Base
			continue
		case ir.IndexAddr:
			if c, ok := x.Idx.(ir.Const); ok && c.Val.IsInt64() {
				off += c.Val.Int64() * x.Stride
				e = x.Base
				continue
			}
		case ir.Cast:
			if ir.IsPtr(x.T) && ir.IsPtr(x.X.Type()) {
				e = x.X
				continue
			}
		}
		return e, off
	}
}

// findStartedWith finds the joins of handles that lie in the objects of their threads.
func (x *instrumenter) findStartedWith() {
	x.startedWith = map[*ir.Join]ir.Expr{}
	if len(x.l.handles) == 0 {
		return
	}
	for _, p := range x.seq.Procs {
		for _, b := range p.Body.Blocks {
			for i, in := range b.Instrs {
				if j, ok := in.(*ir.Join); ok {
					if ld := handleLoad(j, b.Instrs[:i]); ld != nil {
						if off, ok := x.handleOffset(ld); ok {
							x.startedWith[j] = asPtr(offsetFrom(asPtr(ld.Addr), -off))
						}
					}
				}
			}
		}
	}
}

// handleLoad is the load of a join's handle before it in the same block, where the
// address that it reads is still that; nil where there is none.
func handleLoad(j *ir.Join, before []ir.Instr) *ir.Load {
	u, ok := ir.Uncast(j.Handle).(ir.Use)
	if !ok {
		return nil
	}
	changed := map[*ir.Reg]bool{}
	for _, in := range slices.Backward(before) {
		defs := ir.Defs(in)
		if slices.Contains(defs, u.Reg) {
			ld, ok := in.(*ir.Load)
			if !ok || reads(ld.Addr, changed) || ir.UsesReg(ld.Addr, u.Reg) {
				return nil
			}
			return ld
		}
		for _, r := range defs {
			changed[r] = true
		}
	}
	return nil
}

// handleOffset is where in the object the handle lies that a load reads.
func (x *instrumenter) handleOffset(ld *ir.Load) (int64, bool) {
	acc := x.f.acc[x.seq.Origin[ld].Instr]
	if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 {
		return 0, false
	}
	off, known := x.l.handles[acc[0].Regions[0]]
	for _, r := range acc[0].Regions {
		o, ok := x.l.handles[r]
		known = known && ok && o == off
	}
	return off, known
}
