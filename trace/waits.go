package trace

import (
	"fmt"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
)

// Wait is a thread that cannot go on.
type Wait struct {
	Thread interp.ThreadID
	Func   string
	Pos    ir.Pos
	// For is what it waits for, in words; Blocked: For is what it is about to do.
	For     string
	Blocked bool
	// Held are the locks that it holds.
	Held []Held
	// Gone are threads that have ended and hold the lock it waits for.
	Gone []Gone
}

// Held is a lock, and where it was taken.
type Held struct {
	Lock string
	Pos  ir.Pos
}

// Gone is a thread that has ended with a lock, which it took at Pos.
type Gone struct {
	Thread string
	Pos    ir.Pos
}

// String says what a thread waits for: "waits for the lock m, held by T1 f, which has
// ended (taken at a.c:3:2)".
func (w *Wait) String() string {
	s := "waits for " + w.For
	if w.Blocked {
		s = "is blocked where it " + w.For
	}
	for _, g := range w.Gone {
		s += fmt.Sprintf(", held by %s, which has ended (taken at %s)", g.Thread, g.Pos)
	}
	return s
}

// Deadlock says in a sentence who waits for what; "" where the execution does not end in
// a deadlock.
func (x *Execution) Deadlock() string {
	var out []string
	for i := range x.Waits {
		w := &x.Waits[i]
		out = append(out, x.Threads[w.Thread]+" "+w.String())
	}
	return strings.Join(out, "; ")
}

// waits describes a deadlock.
func (p *player) waits() {
	names := p.threadNames()
	for i := range p.s.NumThreads() {
		id := interp.ThreadID(i)
		if p.s.Ended(id) {
			continue
		}
		kind, a, t := p.s.Wants(id)
		next := p.s.Next(id)
		w := Wait{Thread: id, Pos: next.Pos, For: p.wants(kind, a, t, names), Held: p.holds(id)}
		if next.Func != nil {
			w.Func = next.Func.Name
		}
		if aw, ok := next.Instr.(*ir.Await); ok && aw.What != "" {
			w.For = p.about(aw, a)
			w.Blocked = true
		}
		if kind == interp.WantsLock || w.Blocked {
			w.Gone = p.gone(p.object(a), names)
		}
		p.x.Waits = append(p.x.Waits, w)
	}
}

// holds lists the locks of a thread.
func (p *player) holds(id interp.ThreadID) []Held {
	var out []Held
	for _, l := range p.locked {
		if l.thread == id {
			out = append(out, Held{l.name, l.pos})
		}
	}
	for _, h := range p.s.Held(id) {
		out = append(out, Held{p.object(h.Addr), p.taken[id][h.Addr]})
	}
	return out
}

// gone lists the threads that have ended with a lock.
func (p *player) gone(lock string, names []string) []Gone {
	var out []Gone
	for i := range p.s.NumThreads() {
		id := interp.ThreadID(i)
		if !p.s.Ended(id) {
			continue
		}
		for _, h := range p.holds(id) {
			if h.Lock == lock {
				out = append(out, Gone{names[i], h.Pos})
			}
		}
	}
	return out
}

func (p *player) wants(k interp.WantKind, a interp.Addr, t interp.ThreadID, names []string) string {
	what := p.object(a)
	switch k {
	case interp.WantsLock:
		return "the lock " + what
	case interp.WantsSignal:
		return "a signal at " + what
	case interp.WantsBarrier:
		return "others at the barrier " + what
	case interp.WantsSemaphore:
		if p.completion(a) {
			return "the completion " + what
		}
		return "the semaphore " + what
	case interp.WantsOnce:
		return "the function of " + what
	case interp.WantsCondition:
		return "a condition on " + what
	case interp.WantsThread:
		if t >= 0 && int(t) < len(names) {
			return "the end of " + names[t]
		}
		return "the end of a thread"
	}
	return "its turn"
}

// completion reports whether a semaphore is a completion of the Linux kernel, by its
// type.
func (p *player) completion(a interp.Addr) bool {
	for _, s := range p.s.Within(a) {
		if s.Name == "completion" {
			return true
		}
	}
	return false
}
