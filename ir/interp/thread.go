package interp

import "whoop/ir"

// focus makes t the thread whose registers expressions read.
func (s *State) focus(th *thread) {
	s.th = th
	if len(th.frames) == 0 {
		s.fr, s.r = nil, nil
		return
	}
	s.fr = &th.frames[len(th.frames)-1]
	s.r = th.stack[s.fr.base : s.fr.base+s.fr.fn.slots]
}

// Enabled returns the threads that can step.
func (s *State) Enabled() []ThreadID { return s.AppendEnabled(nil) }

// AppendEnabled appends the threads that can step to buf.
func (s *State) AppendEnabled(buf []ThreadID) []ThreadID {
	for _, th := range s.threads {
		if !th.done && s.CanStep(th.id) {
			buf = append(buf, th.id)
		}
	}
	return buf
}

// CanStep reports whether t can step: it has not ended, does not block, and no other
// thread is in an atomic section.
func (s *State) CanStep(t ThreadID) bool {
	th := s.threads[t]
	if s.status != Running || th.done || s.depth > 0 && s.atomic != t {
		return false
	}
	if s.p.cfg.Uniprocessor && s.maskedOut(th) {
		return false
	}
	if th.start != nil {
		return s.mayStart(th)
	}
	if th.wait.kind != notWaiting {
		return s.waitOver(th)
	}
	s.focus(th)
	op := &s.fr.fn.code[s.fr.pc]
	return op.ready == nil || op.ready(s)
}

// Step executes one instruction of thread t, which must be able to step; otherwise
// nothing happens and the event says Blocked. The event is valid until the next step.
func (s *State) Step(t ThreadID) *Event {
	s.ev.reset(t)
	if !s.CanStep(t) {
		s.ev.Kind = Blocked
		return &s.ev
	}
	s.focus(s.ownThread(t))
	s.step()
	s.settleStatus()
	return &s.ev
}

// StepVisible executes instructions of thread t until after the next one that other
// threads may notice, or until t blocks or ends, at most Config.Quiet.
func (s *State) StepVisible(t ThreadID) *Event {
	s.ev.reset(t)
	if !s.CanStep(t) {
		s.ev.Kind = Blocked
		return &s.ev
	}
	s.focus(s.ownThread(t))
	for n := 0; ; n++ {
		visible := s.atVisible()
		if n > 0 {
			if visible && !s.ready() {
				break
			}
			s.ev.Kind, s.ev.Accesses = Local, s.ev.Accesses[:0]
		}
		s.step()
		if visible || s.status != Running || s.th.done || n == s.p.cfg.Quiet {
			break
		}
	}
	s.settleStatus()
	return &s.ev
}

// Settle executes instructions of thread t up to before the next visible one.
func (s *State) Settle(t ThreadID) *Event {
	s.ev.reset(t)
	if !s.CanStep(t) {
		s.ev.Kind = Blocked
		return &s.ev
	}
	s.focus(s.ownThread(t))
	for n := 0; n < s.p.cfg.Quiet && s.status == Running && !s.th.done && !s.atVisible(); n++ {
		s.step()
	}
	s.settleStatus()
	return &s.ev
}

// MaxInvisible is how many invisible instructions StepVisible executes at most, where
// Config.Quiet does not say otherwise.
const MaxInvisible = 1 << 20

// Visible reports whether the next step of thread t is one that others may notice, or it
// has ended; see StepVisible.
func (s *State) Visible(t ThreadID) bool {
	if int(t) >= len(s.threads) {
		return true
	}
	s.focus(s.threads[t])
	return s.th.done || s.atVisible()
}

// atVisible reports whether the focussed thread's next step is visible.
func (s *State) atVisible() bool {
	th := s.th
	if th.start != nil {
		return th.root != nil && (s.p.cfg.Uniprocessor || s.harness.Registrations || len(th.root.Holds) > 0 || len(s.p.IR.Exclusions) > 0)
	}
	if th.wait.kind != notWaiting {
		return true
	}
	op := &s.fr.fn.code[s.fr.pc]
	return op.visible || op.term != nil && (len(th.frames) == 1 && !isJump(op.term) || s.fr.once != 0 && isReturn(op.term))
}

// isReturn reports whether a function returns. That of a once control's function is what
// others wait for.
func isReturn(t ir.Term) bool {
	_, ok := t.(*ir.Return)
	return ok
}

func isJump(t ir.Term) bool {
	switch t.(type) {
	case *ir.Return, *ir.Stop:
		return false
	}
	return true
}

// ready reports whether the focussed thread's next instruction does not block.
func (s *State) ready() bool {
	op := &s.fr.fn.code[s.fr.pc]
	return op.ready == nil || op.ready(s)
}

// step executes one instruction of the focussed thread.
func (s *State) step() {
	th := s.th
	switch {
	case th.start != nil:
		s.begin(th)
		return
	case th.wait.kind != notWaiting:
		s.resume(th)
		return
	}
	fr := s.fr
	op := &fr.fn.code[fr.pc]
	fr.pc++
	s.cur = op
	s.trap = false
	s.ev.Func, s.ev.Instr, s.ev.Term = fr.fn.f, op.in, op.term
	op.exec(s)
	if s.trap {
		s.fail(ErrDivZero, "division by zero")
	}
}

// busy reports whether another run has the object that a thread would start with, of
// which there is one at a time.
func (s *State) busy(th *thread) bool {
	if len(th.root.Serial) == 0 {
		return false
	}
	args := s.boundArgs(th, th.start)
	for _, o := range s.threads {
		if o == th || o.done || o.start != nil || o.root == nil || o.root.Func != th.root.Func {
			continue
		}
		for i, v := range o.serves {
			if w := args[th.start.fn.params[th.root.Serial[i]].slot]; w != 0 && w == v {
				return true
			}
		}
	}
	return false
}

// begin is a thread's first step: the environment's locks, and the call of its function.
func (s *State) begin(th *thread) {
	s.cur = nil
	s.ev.Kind = Start
	p := th.start
	th.start = nil
	args := s.boundArgs(th, p)
	if th.root != nil {
		for _, k := range th.root.Serial {
			th.serves = append(th.serves, args[p.fn.params[k].slot])
		}
		for _, h := range th.root.Holds {
			if a := s.p.holds[h]; a != 0 {
				s.takeLock(a, ir.Exclusive, false)
				th.held = append(th.held, a)
			}
		}
	}
	s.push(p.fn, slotType{}, 0)
	if s.fr != nil {
		copy(s.r, args)
	}
}

// push calls f: a new frame, whose parameters the caller sets.
func (s *State) push(f *fn, dst slotType, once uint64) bool {
	th := s.th
	if len(f.code) == 0 {
		return s.external(f, dst)
	}
	if len(th.frames) >= s.p.cfg.MaxDepth {
		s.fail(ErrLimit, "%d calls deep", len(th.frames))
		return false
	}
	base := len(th.stack)
	if n := base + f.slots; n <= cap(th.stack) {
		th.stack = th.stack[:n]
		clear(th.stack[base:])
	} else {
		c := make([]uint64, n, 2*n+64)
		copy(c, th.stack)
		th.stack = c
	}
	th.frames = append(th.frames, frame{fn: f, base: base, dst: dst, allocs: len(th.allocs), once: once})
	s.fr = &th.frames[len(th.frames)-1]
	s.r = th.stack[base : base+f.slots]
	for _, st := range f.arbitrary {
		s.arbitrary(InUninit, st.typ, s.r[st.slot:st.slot+st.n])
	}
	return true
}

// external is a call of a function without a body: an arbitrary result.
func (s *State) external(f *fn, dst slotType) bool {
	if f.f.Unknown != "" {
		s.fail(ErrUnknown, "%s could not be lowered: %s", f.f.Name, f.f.Unknown)
		return false
	}
	if s.fr == nil { // a thread of it
		s.finish(nil)
		return false
	}
	if dst.n > 0 {
		w := make([]uint64, dst.n)
		s.arbitrary(InHavoc, dst.typ, w)
		s.setWords(dst, w)
	}
	return false
}

// set writes a register of one word.
func (s *State) set(st slotType, v uint64) {
	if st.slot >= 0 {
		s.r[st.slot] = v
		return
	}
	s.th.ghosts[^st.slot] = v
}

func (s *State) setWords(st slotType, v []uint64) {
	if st.slot >= 0 {
		copy(s.r[st.slot:st.slot+st.n], v)
		return
	}
	copy(s.th.ghosts[^st.slot:^st.slot+st.n], v)
}

// pop returns from the current function with the words of its result.
func (s *State) pop(v []uint64) {
	th := s.th
	fr := *s.fr
	for _, id := range th.allocs[fr.allocs:] {
		if o := s.object(id); o != nil && !o.dead {
			s.kill(o)
		}
	}
	th.allocs = th.allocs[:fr.allocs]
	th.frames = th.frames[:len(th.frames)-1]
	th.stack = th.stack[:fr.base]
	if len(th.frames) == 0 {
		s.finish(v)
		if th.id == s.main {
			s.status = Done
		}
		return
	}
	s.focus(th)
	if fr.once != 0 {
		s.onceDone(fr.once)
	}
	if fr.dst.n > 0 { // whose type may be another than v's, in calls through pointers
		w := make([]uint64, fr.dst.n)
		copy(w, v)
		normWords(fr.dst.typ, w)
		s.setWords(fr.dst, w)
	}
}

// finish ends the thread.
func (s *State) finish(result []uint64) {
	th := s.th
	for _, id := range th.allocs {
		if o := s.object(id); o != nil && !o.dead {
			s.kill(o)
		}
	}
	th.frames, th.stack, th.allocs = nil, nil, nil
	th.result = append([]uint64(nil), result...)
	for _, a := range th.held {
		s.release(a, ir.Exclusive)
	}
	th.held = nil
	th.done = true
	s.fr, s.r = nil, nil
	s.ev.Kind = End
	if s.depth > 0 && s.atomic == th.id {
		s.depth = 0
	}
}

// settleStatus finds out whether the execution has ended after a step.
func (s *State) settleStatus() {
	if s.status != Running {
		if s.err != nil {
			s.ev.Kind = Failure
		}
		return
	}
	if t := s.ev.Thread; int(t) < len(s.threads) && s.CanStep(t) {
		return
	}
	left := false
	for _, th := range s.threads {
		if !th.done && !s.unregistered(th) {
			if s.CanStep(th.id) {
				return
			}
			left = true
		}
	}
	switch {
	case !left:
		s.status = Done
	case s.depth > 0:
		s.status = Infeasible
	default:
		s.status = Deadlock
	}
}

// pop1 is pop for a result of one word.
func (s *State) pop1(v uint64) {
	fr := s.fr
	th := s.th
	if len(th.frames) > 1 && len(th.allocs) == fr.allocs && fr.once == 0 && fr.dst.n <= 1 {
		dst := fr.dst
		th.stack = th.stack[:fr.base]
		th.frames = th.frames[:len(th.frames)-1]
		s.focus(th)
		if dst.n > 0 {
			s.set(dst, normalise(dst.typ, v))
		}
		return
	}
	w := [1]uint64{v}
	s.pop(w[:])
}
