package bmc

import (
	"fmt"

	"whoop/ir"
	"whoop/ir/interp"
)

// confirm runs the last step of a bug and checks that it is one.
func (r *replayer) confirm(g goal) (*Bug, error) {
	b := &Bug{Kind: g.kind, Tag: g.tag, Msg: g.msg, Thread: -1, OtherThread: -1}
	if g.p != nil {
		b.At, b.Instr, b.Thread = g.p.at, g.p.in, r.ids[g.p.thread]
		if g.p.fn != nil {
			b.Func = g.p.fn.Name
		}
	}
	var err error
	switch {
	case r.s.Status() != interp.Running && (r.s.Status() != interp.Deadlock || g.kind != "deadlock" && g.kind != Leak) && g.kind != "memory":
		err = fmt.Errorf("the execution ended before: %s %v", r.s.Status(), r.s.Err())
	case g.kind == "deadlock", g.kind == Leak:
		err = r.deadlock()
	case g.kind == "memory":
		err = r.memory(g, b)
	case g.kind == "race":
		if g.q.fn != nil {
			b.OtherFunc = g.q.fn.Name
		}
		b.Other, b.OtherIn, b.OtherThread = g.q.at, g.q.in, r.ids[g.q.thread]
		b.Perhaps = !g.sure()
		if op, other := ir.OperationOf(b.Instr), ir.OperationOf(b.OtherIn); op != "" && other != "" {
			b.Msg = fmt.Sprintf("%s beside %s", op, other)
		}
		err = r.race(g)
	default:
		// the interpreter knows which lock it is
		if err = r.failure(g); err == nil && b.Kind != kindOf(b.Tag) {
			b.Msg = r.s.Err().Msg
		}
	}
	if err != nil {
		return nil, err
	}
	b.Schedule, b.Inputs = r.steps, r.inputs
	return b, nil
}

// maxOwnSteps bounds the steps of its own that a thread takes before it blocks.
const maxOwnSteps = 10_000

// deadlock lets every thread go on to where it blocks: what is left is its own business.
func (r *replayer) deadlock() error {
	for id := range interp.ThreadID(r.s.NumThreads()) {
		for n := 0; r.s.Status() == interp.Running && r.s.CanStep(id); n++ {
			if r.of[id] == nil || n > maxOwnSteps {
				return fmt.Errorf("thread %d can step at %s", id, r.s.Next(id).Pos)
			}
			if err := r.macro(r.of[id], id); err != nil {
				return err
			}
			r.count(id, 1)
		}
	}
	if r.s.Status() != interp.Deadlock {
		return fmt.Errorf("no deadlock: %s", r.s.Status())
	}
	return nil
}

// failure lets the thread take the step that fails.
func (r *replayer) failure(g goal) error {
	id, ok := r.ids[g.p.thread]
	if !ok {
		return fmt.Errorf("thread %s was not created", g.p.thread.name)
	}
	want := interp.ErrorKind(g.kind)
	if g.kind == kindOf(g.tag) {
		want = interp.ErrAssert
	}
	for r.s.Status() == interp.Running {
		if !r.s.CanStep(id) {
			return fmt.Errorf("thread %d cannot step at %s", id, r.s.Next(id).Pos)
		}
		n := r.cursor[g.p.thread]
		if err := r.macro(g.p.thread, id); err != nil {
			return err
		}
		r.count(id, 1)
		if path := r.x.path[g.p.thread]; r.s.Status() == interp.Running && n < len(path) && r.cursor[g.p.thread] > 0 &&
			r.x.index[path[r.cursor[g.p.thread]-1]] > g.p.log+1000 {
			break
		}
	}
	if e := r.s.Err(); e == nil || e.Kind != want || e.Instr != g.p.in {
		return fmt.Errorf("want %s at %s, the execution ends with: %s %v", want, g.p.at, r.s.Status(), e)
	}
	return nil
}

// memory lets the thread go on until an access to memory fails.
func (r *replayer) memory(g goal, b *Bug) error {
	t := r.u.threads[0]
	if g.p != nil {
		t = g.p.thread
	}
	id, ok := r.ids[t]
	if !ok {
		return fmt.Errorf("thread %s was not created", t.name)
	}
	for n := 0; r.s.Status() == interp.Running && n < maxOwnSteps; n++ {
		if !r.s.CanStep(id) {
			return fmt.Errorf("thread %d cannot step at %s", id, r.s.Next(id).Pos)
		}
		if err := r.macro(t, id); err != nil {
			return err
		}
		r.count(id, 1)
	}
	e := r.s.Err()
	if e == nil {
		return fmt.Errorf("no access fails: %s", r.s.Status())
	}
	switch e.Kind {
	case interp.ErrNull, interp.ErrBadPointer, interp.ErrBounds, interp.ErrReadOnly, interp.ErrUseAfterFree, interp.ErrFree, interp.ErrDoubleFree:
	default:
		return fmt.Errorf("another error: %v", e)
	}
	b.Kind, b.Msg = string(e.Kind), e.Msg
	b.At, b.Instr, b.Thread = e.Pos, e.Instr, e.Thread
	if e.Func != nil {
		b.Func = e.Func.Name
	}
	return nil
}

// race checks that both threads are about to access the same bytes; a thread that is to
// race from inside an atomic section is before it.
func (r *replayer) race(g goal) error {
	p, q := g.p, g.q
	if p.atomic {
		p, q = q, p
	}
	pid, ok := r.ids[p.thread]
	qid, ok2 := r.ids[q.thread]
	if !ok || !ok2 {
		return fmt.Errorf("a thread was not created")
	}
	if err := r.approach(pid, p); err != nil {
		return err
	}
	if !q.atomic {
		if err := r.approach(qid, q); err != nil {
			return err
		}
	}
	x, err := r.peek(pid, p)
	if err != nil {
		return err
	}
	if !q.atomic {
		y, err := r.peek(qid, q)
		if err == nil && !interp.Conflict(x, y) {
			err = fmt.Errorf("%s and %s do not access the same memory", p.at, q.at)
		}
		return err
	}
	return r.section(x, qid, p, q)
}

// section lets a thread go through its atomic section, until it accesses what the other
// thread is about to access.
func (r *replayer) section(x []interp.Access, id interp.ThreadID, p, q *event) error {
	for r.s.Status() == interp.Running && r.s.CanStep(id) {
		ev, err := r.step(q.thread, id)
		if err != nil {
			return err
		}
		if interp.Conflict(x, ev.Accesses) {
			return nil
		}
		for _, o := range ev.Sync {
			if o.Kind == interp.SyncAtomicEnd {
				return fmt.Errorf("the atomic section before %s does not access the memory of %s", q.at, p.at)
			}
		}
	}
	return fmt.Errorf("%s does not access the memory of %s", q.at, p.at)
}

// approach takes steps that nobody else notices, until the thread is before p.
func (r *replayer) approach(id interp.ThreadID, p *event) error {
	for n := 0; n < 1000; n++ {
		in, at, err := r.ahead(p.thread, id)
		// in a loop, an instruction has several positions
		if err != nil || in == p.in && (at < 0 || at >= p.log) {
			return err
		}
		if !r.s.CanStep(id) || r.s.Status() != interp.Running {
			break
		}
		if err := r.macro(p.thread, id); err != nil {
			return err
		}
		r.count(id, 1)
	}
	return fmt.Errorf("thread %d is at %s, not before %s: %s", id, r.s.Next(id).Pos, p.at, r.s.Status())
}

// peek is what the thread's next step accesses.
func (r *replayer) peek(id interp.ThreadID, p *event) ([]interp.Access, error) {
	if err := r.unnoticed(p.thread, id); err != nil {
		return nil, err
	}
	if r.s.Status() != interp.Running || !r.s.CanStep(id) {
		return nil, fmt.Errorf("the execution ends before %s: %s %v", p.at, r.s.Status(), r.s.Err())
	}
	r.peeking = true
	ev := r.s.Peek(id)
	r.peeking = false
	return append([]interp.Access(nil), ev.Accesses...), nil
}
