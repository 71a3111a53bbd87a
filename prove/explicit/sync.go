package explicit

import (
	"slices"

	"whoop/ir"
)

// step executes an instruction, and goes on to the next one.
func (x *exec) step(in ir.Instr) {
	x.unfollowed(in)
	switch in := in.(type) {
	case *ir.Assign:
		x.set(in.Dst, x.fit(x.eval(in.X), in.Dst.Type))
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.MemSet, *ir.MemCopy:
		x.memory(in)
	case *ir.Alloc:
		x.alloc(in)
	case *ir.Free:
		x.free(in)
	case *ir.Touch:
		x.touch(in)
	case *ir.Havoc:
		x.set(in.Dst, x.arbitrary(in.Dst.Type))
		x.note(in, nil, x.top().regs[x.top().fn.regs[in.Dst]])
	case *ir.Assume:
		if !x.truth(x.eval(in.Cond)) {
			x.drop()
		}
	case *ir.Assert:
		if !x.truth(x.eval(in.Cond)) {
			if x.p.opt.Wanted(in) {
				panic(failure{in})
			}
			x.drop()
		}
	case *ir.Call:
		x.call(in)
		return
	case *ir.AtomicBegin:
		x.l.depth++
	case *ir.AtomicEnd:
		if x.l.depth == 0 {
			x.giveUp(in.At(), "the end of an atomic section that has not begun")
		}
		x.l.depth--
	case *ir.Lock:
		x.lock(in)
	case *ir.Unlock:
		x.unlock(in, in.Lock)
	case *ir.LockInit:
		x.lockInit(in)
	case *ir.CondWait:
		if !x.wait(in) {
			return
		}
	case *ir.SemInit:
		x.semInit(in)
	case *ir.SemWait:
		x.semWait(in)
	case *ir.SemPost:
		x.semPost(in)
	case *ir.Spawn:
		x.spawn(in)
	case *ir.Join:
		x.join(in)
	case *ir.CondSignal, *ir.Detach, *ir.Fence, *ir.Yield: // waits may end at any time
	default:
		x.giveUp(in.At(), "an operation that is not followed")
	}
	x.top().index++
}

func (x *exec) call(in *ir.Call) {
	v := x.eval(in.Callee)
	if v.kind != function {
		x.giveUp(in.At(), "a call of a function that is not known")
	}
	g := x.p.fns[v.o]
	if g.f.Unknown != "" {
		x.giveUp(in.At(), "%s is not understood: %s", g.f.Name, g.f.Unknown)
	}
	if len(g.f.Blocks) == 0 { // its effects are instructions of their own
		if _, direct := in.Callee.(ir.FuncAddr); !direct || x.p.blind[in] {
			x.giveUp(in.At(), "a call of %s, which has no body", g.f.Name)
		}
		if in.Dst != nil {
			x.set(in.Dst, x.arbitrary(in.Dst.Type))
		}
		x.top().index++
		return
	}
	if len(g.f.Params) > len(in.Args) || len(x.l.frames) > maxFrames {
		x.giveUp(in.At(), "a call of %s with too few arguments, or too deep", g.f.Name)
	}
	f := frame{fn: g, regs: make([]val, len(g.list))}
	for i, r := range g.f.Params {
		f.regs[i] = x.fit(x.eval(in.Args[i]), r.Type)
	}
	x.l.frames = append(x.l.frames, f)
}

// maxFrames bounds the calls under way in a thread.
const maxFrames = 100

// lockAt is where a lock is.
func (x *exec) lockAt(in ir.Instr, e ir.Expr) (int32, int64) {
	id, off := x.place(in, x.eval(e), 1)
	if off < 0 {
		x.giveUp(in.At(), "which lock it is, is not known")
	}
	return id, off
}

func (x *exec) lock(in *ir.Lock) {
	if in.Recursive || !slices.Contains([]string{"mutex", "spin", "rwlock", "rwsem"}, in.Class) {
		x.giveUp(in.At(), "a lock of a kind that is not followed")
	}
	if in.Try { // it may fail also where the lock is free: others may have had it for a moment
		taken := x.choose(2) == 0 && x.take(in, in.Lock, in.Mode != ir.Shared)
		if in.Dst != nil {
			x.set(in.Dst, boolVal(taken))
		}
		return
	}
	if !x.take(in, in.Lock, in.Mode != ir.Shared) {
		x.drop()
	}
}

// take takes a lock, if it is free.
func (x *exec) take(in ir.Instr, e ir.Expr, write bool) bool {
	id, off := x.lockAt(in, e)
	if x.p.forgotten(id, off) {
		x.effect = true
	} else {
		n := x.object(id).get(off, lockCell)
		if n < 0 || write && n > 0 {
			return false
		}
		if n++; write {
			n = -1
		}
		x.change(id).put(off, lockCell, num(n))
	}
	x.l.held = append(x.l.held, held{id, off, write})
	slices.SortFunc(x.l.held, func(a, b held) int {
		switch {
		case a.o != b.o:
			return int(a.o) - int(b.o)
		case a.off != b.off && a.off < b.off:
			return -1
		case a.off != b.off:
			return 1
		}
		return 0
	})
	return true
}

func (x *exec) unlock(in ir.Instr, e ir.Expr) {
	id, off := x.lockAt(in, e)
	i := slices.IndexFunc(x.l.held, func(h held) bool { return h.o == id && h.off == off })
	if i < 0 {
		x.giveUp(in.At(), "a lock is released that is not held")
	}
	n := x.object(id).get(off, lockCell)
	if x.l.held[i].write {
		n = 0
	} else {
		n--
	}
	x.l.held = slices.Delete(x.l.held, i, i+1)
	if x.effect = true; !x.p.forgotten(id, off) {
		x.change(id).put(off, lockCell, num(n))
	}
}

func (x *exec) lockInit(in *ir.LockInit) {
	id, off := x.lockAt(in, in.Lock)
	if in.Recursive {
		x.giveUp(in.At(), "a lock of a kind that is not followed")
	}
	if x.object(id).get(off, lockCell) != 0 {
		x.giveUp(in.At(), "a lock that is held is made anew")
	}
	x.effect = x.effect || id >= 0
}

// wait is a wait on a condition variable: it releases the mutex, and takes it again at
// any time. It reports whether it is over.
func (x *exec) wait(in *ir.CondWait) bool {
	if x.l.depth > 0 {
		x.giveUp(in.At(), "a wait inside an atomic section")
	}
	if !x.l.waits {
		x.unlock(in, in.Mutex)
		x.l.waits = true
		return false
	}
	if !x.take(in, in.Mutex, true) {
		x.drop()
	}
	x.l.waits = false
	if in.Dst != nil {
		x.set(in.Dst, x.arbitrary(in.Dst.Type))
	}
	return true
}

func (x *exec) semInit(in *ir.SemInit) {
	id, off := x.lockAt(in, in.Sem)
	v := x.fixed(x.eval(in.Val))
	if v.kind != number || v.n < 0 {
		x.giveUp(in.At(), "a semaphore whose value is not known")
	}
	x.change(id).put(off, semCell, v)
}

func (x *exec) semWait(in *ir.SemWait) {
	id, off := x.lockAt(in, in.Sem)
	n := x.count(in, id, off)
	ok := n > 0 && (!in.Try || x.choose(2) == 0)
	if !ok && !in.Try {
		x.drop()
	}
	if ok {
		x.change(id).put(off, semCell, num(n-1))
	}
	if in.Dst != nil {
		x.set(in.Dst, boolVal(ok))
	}
}

func (x *exec) semPost(in *ir.SemPost) {
	if in.All {
		x.giveUp(in.At(), "a completion for all")
	}
	id, off := x.lockAt(in, in.Sem)
	n := x.count(in, id, off)
	x.change(id).put(off, semCell, num(n+1))
}

// count is the count of a semaphore. It begins with 0: one of a global that begins with
// another count is not followed.
func (x *exec) count(in ir.Instr, id int32, off int64) int64 {
	if id >= 0 && int(id) < len(x.p.prog.Globals) {
		if n, known := ir.InitialCount(x.p.prog.Globals[id], off); !known || n != 0 {
			x.giveUp(in.At(), "a semaphore that begins with a count of its own")
		}
	}
	return x.object(id).get(off, semCell)
}

// spawn starts a thread, which gets a number where the search is for that.
func (x *exec) spawn(in *ir.Spawn) {
	v := x.eval(in.Fn)
	if v.kind != function {
		x.giveUp(in.At(), "a thread of a function that is not known")
	}
	g := x.p.fns[v.o]
	if len(g.f.Blocks) == 0 || g.f.Unknown != "" {
		x.giveUp(in.At(), "a thread of %s, which is not known", g.f.Name)
	}
	l := &local{thread: -1, frames: []frame{{fn: g, regs: make([]val, len(g.list))}}}
	for i, r := range g.f.Params {
		if i < len(in.Args) {
			l.frames[0].regs[i] = x.fit(x.escape(x.eval(in.Args[i])), r.Type)
		}
	}
	h := val{}
	if x.p.numbered(in) {
		l.thread = x.number()
		h = x.handleOf(l.thread)
		if len(x.s.ended) > maxThreads {
			x.giveUp(in.At(), "more than %d threads", maxThreads)
		}
	}
	if x.p.opt.Counted && l.thread < 0 {
		if x.s.made++; x.s.made > maxThreads {
			x.giveUp(in.At(), "more than %d threads", maxThreads)
		}
	}
	if in.HandleAddr != nil {
		size := int64(8)
		if p, ok := in.HandleAddr.Type().(ir.Ptr); ok {
			switch t := p.Elem.(type) {
			case ir.Int:
				size = t.Size()
			case ir.Ptr:
				size = t.Size()
			}
		}
		x.vague = h.kind != handle
		a := x.eval(in.HandleAddr)
		x.vague = false
		id, off := x.place(in, a, size)
		x.write(id, off, int32(size), h)
	}
	if in.Dst != nil {
		x.set(in.Dst, h)
	}
	if in.OK != nil {
		x.set(in.OK, boolVal(true))
	}
	x.spawned = append(x.spawned, l)
	if x.p.opt.Threads > 0 {
		x.s.threads++
	}
	x.effect = true
}

// join waits for a thread. What thread it is may not be known: then it may go on at any
// time.
func (x *exec) join(in *ir.Join) {
	v := x.eval(in.Handle)
	r := val{}
	if v.kind == handle {
		if v != x.handleOf(v.o) {
			x.giveUp(in.At(), "a thread is waited for that was waited for before")
		}
		if !x.s.ended[v.o] {
			x.drop()
		}
		r = x.s.results[v.o]
		x.s.uses[v.o] |= waited
		x.effect = true
	}
	if in.Dst != nil {
		x.set(in.Dst, x.fit(r, in.Dst.Type))
	}
}
