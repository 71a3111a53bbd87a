package explicit

import (
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// An origin is how a state was found: from which one, by which way to go on of a thread
// in which state.
type origin struct {
	from  int32 // -1: it is the first
	local int32
	way   int32
}

// An asked is a value that was not determined: what was executed, and what the value may
// be.
type asked struct {
	in   ir.Instr
	term ir.Term
	span span
}

// A move is a step of a thread, by the number that it has in order of creation.
type move struct {
	thread interp.ThreadID
	count  int // instructions and ends of blocks
	asked  []*asked
}

// path is the steps that lead to a failing assertion: those to a state, and one more.
func (s *search) path(from []origin, last origin) ([]move, error) {
	var way []origin
	for o := last; ; o = from[o.from] {
		if way = append(way, o); from[o.from].from < 0 {
			break
		}
	}
	slices.Reverse(way)
	var out []move
	sh, lo := s.first()
	threads := map[interp.ThreadID]int32{0: lo} // their states
	made := interp.ThreadID(1)
	known := map[interp.ThreadID]map[int32][]*asked{} // what the symbols of a thread were asked for
	for _, o := range way {
		id := interp.ThreadID(-1)
		for t := range made {
			if l, ok := threads[t]; ok && l == o.local {
				id = t
				break
			}
		}
		if id < 0 {
			return nil, fmt.Errorf("no thread is in state %d", o.local)
		}
		st := s.posts[pair(sh, o.local)][o.way]
		x := s.p.newExec(s.p.shareds.list[sh], s.p.locals.list[o.local], st.script)
		x.log = true
		if _, _, err := x.outcome(); err != nil {
			return nil, err
		}
		m := move{thread: id, count: x.steps}
		now := map[int32][]*asked{}
		for k, as := range known[id] {
			// its value was given up meanwhile
			if k += int32(len(s.p.shareds.list[sh].spans)); int(k) >= len(x.spans) {
				continue
			}
			for _, a := range as {
				a.span = x.spans[k]
			}
			now[k] = as
		}
		for _, v := range x.values {
			r, ok := x.span(v.val)
			if !ok {
				r = span{}
			}
			a := &asked{v.in, v.term, r}
			m.asked = append(m.asked, a)
			if v.val.kind == symbol && v.val.n == 0 {
				now[v.val.o] = append(now[v.val.o], a)
			}
		}
		known[id] = map[int32][]*asked{}
		for k, as := range now {
			if to, ok := x.renamed[k]; ok {
				known[id][to] = as
			}
		}
		out = append(out, m)
		if threads[id] = st.local; st.local < 0 {
			delete(threads, id)
		}
		for _, l := range st.spawned {
			threads[made] = l
			made++
		}
		sh = st.shared
	}
	return out, nil
}

// replay runs a path in the interpreter, and makes a trace of it; nil where it does not
// fail there.
func replay(q *ir.Program, moves []move, at ir.Instr) *trace.Trace {
	m, err := interp.Compile(q, interp.Config{})
	if err != nil {
		return nil
	}
	main := slices.IndexFunc(q.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
	policies := []func(span) int64{ // how numbers are chosen of what they may be
		func(r span) int64 { return min(max(r.lo, 0), r.hi) },
		func(r span) int64 { return min(max(r.lo, 1), r.hi) },
		func(r span) int64 { return r.hi },
	}
	for n := range int64(maxFew) {
		policies = append(policies, func(r span) int64 { return min(r.lo+n, r.hi) })
	}
	for _, choose := range policies {
		if t := run(m, moves, at, choose); t != nil {
			t.Schema, t.Tool, t.Input, t.Program, t.Main = trace.Schema, "whoop", q.Name, trace.Hash(q), true
			t.Init, t.Roots, t.Options = []string{}, []string{q.Entries[main].Name}, []string{}
			return t
		}
	}
	return nil
}

// run is replay with one way to choose.
func run(m *interp.Program, moves []move, at ir.Instr, choose func(span) int64) *trace.Trace {
	todo := map[interp.ThreadID][]*asked{}
	t := &trace.Trace{}
	answer := func(q *interp.Query) uint64 {
		list := todo[q.Thread]
		for i, a := range list {
			if a.in != nil && a.in == q.Instr || a.term != nil && a.term == q.Term {
				todo[q.Thread] = list[i+1:]
				return uint64(choose(a.span))
			}
		}
		return 0
	}
	s := m.Start(interp.MainOf(m.IR.FuncByName("main")), interp.InputFunc(func(q *interp.Query) uint64 {
		for len(t.Inputs) <= q.Index {
			t.Inputs = append(t.Inputs, 0)
		}
		t.Inputs[q.Index] = answer(q)
		return t.Inputs[q.Index]
	}))
	left := map[interp.ThreadID]int{} // instructions that were not executed yet
	for i, mv := range moves {
		left[mv.thread] += mv.count
		todo[mv.thread] = append(todo[mv.thread], mv.asked...)
		if i == len(moves)-1 {
			left[mv.thread] += 2
		}
		for left[mv.thread] > 0 && s.Status() == interp.Running && int(mv.thread) < s.NumThreads() && s.CanStep(mv.thread) {
			before, inputs, list := s.Snapshot(), slices.Clone(t.Inputs), slices.Clone(todo[mv.thread])
			n := trace.Unit(s, mv.thread)
			if n > left[mv.thread] { // it ends behind what others notice next
				s, t.Inputs, todo[mv.thread] = before, inputs, list
				break
			}
			left[mv.thread] -= n
			t.Schedule.Add(mv.thread, 1)
		}
	}
	e := s.Err()
	if e == nil || e.Kind != interp.ErrAssert || e.Instr != at {
		return nil
	}
	t.Bug = trace.Bug{Kind: e.Tag, Message: e.Msg, Thread: e.Thread, Other: -1, At: trace.PlaceOf(e.Pos)}
	return t
}
