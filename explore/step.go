package explore

import (
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
)

// maxSection is how many visible instructions a macro step may have; one that has more is
// not known to end.
const maxSection = 1 << 16

// step is a macro step that a thread can make in a state, with certain answers.
type step struct {
	thread  interp.ThreadID
	after   *interp.State // the state it leads to
	answers []uint64      // to its queries
	// pending are the accesses of its first visible instruction, which takes the first
	// npending answers.
	pending  []access
	npending int
	section  []access // those it makes inside atomic sections, each once
	length   int      // how many visible instructions it has
	// it has more than maxSection visible instructions: after is in the middle of it
	endless bool
}

// access is an access to memory that others may know, and the instruction that makes it.
type access struct {
	interp.Access
	instr ir.Instr
}

// makeStep makes a macro step of t in s itself; its queries are answered by s's inputs.
func makeStep(s *interp.State, t interp.ThreadID) *step {
	st := &step{thread: t, after: s}
	switch {
	case started(s, t):
	case s.Visible(t): // an entry point of a driver, which others may keep from starting
		s.StepVisible(t)
		return st
	default:
		s.Settle(t)
		return st
	}
	var made []interp.ObjID
	first, inside := s.Inputs(), false
	known := map[access]bool{}
	for n := 0; ; n++ {
		e := s.StepVisible(t)
		st.length++
		made = append(made, e.New...)
		as := accesses(e, made)
		if n == 0 {
			st.pending, st.npending = as, s.Inputs()-first
		}
		if inside {
			for _, a := range as {
				k := a
				if k.Value = 0; !known[k] {
					known[k] = true
					st.section = append(st.section, a)
				}
			}
		}
		if inside = stillInside(inside, e); !inside || s.Status() != interp.Running || s.Ended(t) {
			return st
		}
		if n == maxSection {
			st.endless = true
			return st
		}
	}
}

// Macro makes a macro step of a thread, and reports whether it is more than a start of
// the thread that nobody notices.
func Macro(s *interp.State, t interp.ThreadID) bool {
	begun := started(s, t) || s.Visible(t)
	makeStep(s, t)
	return begun
}

// started reports whether a thread has made its first macro step.
func started(s *interp.State, t interp.ThreadID) bool {
	next := s.Next(t)
	return s.Ended(t) || next.Instr != nil || next.Term != nil
}

// accesses copies the accesses of an event, but for those to objects made in the same
// macro step: others do not know them, and their numbers mean other objects elsewhere.
func accesses(e *interp.Event, made []interp.ObjID) []access {
	var out []access
	for _, a := range e.Accesses {
		if !slices.Contains(made, a.Addr.Object()) {
			out = append(out, access{a, e.Instr})
		}
	}
	return out
}

// stillInside reports whether the thread is inside an atomic section after an event. Only
// outermost sections show.
func stillInside(inside bool, e *interp.Event) bool {
	for _, op := range e.Sync {
		switch op.Kind {
		case interp.SyncAtomicBegin:
			inside = true
		case interp.SyncAtomicEnd:
			inside = false
		}
	}
	return inside
}

// asker answers the queries of one run: the first ones by the alternatives that script
// tells, all others by their first one. It notes what was asked.
type asker struct {
	opt     *Options
	unread  map[ir.Instr]bool // what needs no alternatives
	base    int               // the index of its first query
	script  []int
	asked   []question
	sampled bool // a query had more alternatives than were considered
}

// question is a query with its alternatives, of which the one with number k was the
// answer.
type question struct {
	alternatives []uint64
	k            int
}

// Input answers a query.
func (a *asker) Input(q *interp.Query) uint64 {
	i := q.Index - a.base
	if i == len(a.asked) {
		x := question{alternatives: a.alternatives(q)}
		if i < len(a.script) {
			x.k = a.script[i]
		}
		a.asked = append(a.asked, x)
	}
	return a.asked[i].alternatives[a.asked[i].k]
}

// alternatives lists the answers to a query that are considered, at least one.
func (a *asker) alternatives(q *interp.Query) []uint64 {
	n := uint64(q.N)
	switch {
	case q.Instr != nil && a.unread[q.Instr]:
		n = 1
	case q.Kind == interp.InFailure && !a.opt.Failures:
		n = 1
	case q.Kind == interp.InFailure:
		n = 2
	case q.N > 0:
	case a.opt.Tested != nil:
		a.sampled = true
		return Values(q, a.opt.Tested, a.opt.Values)
	case oneBit(q.Type):
		n = 2
	default:
		a.sampled = true
		return a.opt.Values
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i)
	}
	return out
}

// Values lists the answers to a query for a number that are worth a try, as
// Options.Tested says: at least one.
func Values(q *interp.Query, of *irutil.Tested, values []uint64) []uint64 {
	var with irutil.Against
	tests := true
	switch i := q.Instr.(type) {
	case *ir.Load:
		with, tests = of.Loaded(i)
	case *ir.Havoc:
		with, tests = of.Reg(i.Dst)
	case *ir.Call:
		if tests = i.Dst != nil; tests {
			with, tests = of.Reg(i.Dst)
		}
	case nil:
		if q.Param != nil {
			with, tests = of.Reg(q.Param)
		}
	}
	switch {
	case !tests:
		return values[:1]
	case oneBit(q.Type):
		return []uint64{0, 1}
	case with.Ordered: // no loop has as many iterations as that
		values = slices.DeleteFunc(slices.Clone(values), func(v uint64) bool { return v == ^uint64(0) })
	}
	return distinct(q.Type, slices.Concat(values, with.Consts))
}

// distinct leaves out values that are others of a type.
func distinct(t ir.Type, values []uint64) []uint64 {
	mask := ^uint64(0)
	if i, ok := t.(ir.Int); ok && i.Bits < 64 {
		mask = 1<<i.Bits - 1
	}
	var out []uint64
	for _, v := range values {
		if v &= mask; !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func oneBit(t ir.Type) bool {
	i, ok := t.(ir.Int)
	return ok && i.Bits == 1 || ir.Equal(t, ir.Bool{})
}

// answers returns the answers of the run.
func (a *asker) answers() []uint64 {
	var out []uint64
	for _, x := range a.asked {
		out = append(out, x.alternatives[x.k])
	}
	return out
}

// next returns the asker of the next run, which takes the next alternative at the last
// query that has one left; nil if there is none. From an empty script on, these runs give
// every list of answers once.
func (a *asker) next() *asker {
	for i := len(a.asked) - 1; i >= 0; i-- {
		if a.asked[i].k+1 == len(a.asked[i].alternatives) {
			continue
		}
		b := &asker{opt: a.opt, unread: a.unread, base: a.base}
		for _, x := range a.asked[:i] {
			b.script = append(b.script, x.k)
		}
		b.script = append(b.script, a.asked[i].k+1)
		return b
	}
	return nil
}
