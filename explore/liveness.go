package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	scc "whoop/internal/graph"
	"whoop/ir"
	"whoop/ir/interp"
)

// KindLivelock is the kind of a finding that goes on for ever: its schedule ends with a
// cycle.
const KindLivelock = "livelock"

// Fairness says which threads go on again and again in an execution that goes on for
// ever.
type Fairness int

// The kinds of fairness.
const (
	// Strong: a thread goes on that can again and again. Locks are fair, too.
	Strong Fairness = iota
	// Weak: a thread goes on that always can, from some point on. Who waits for a lock
	// that others take again and again may wait for ever.
	Weak
)

// LivenessOptions bound Liveness; zero values are the defaults.
type LivenessOptions struct {
	// Hot are variables that should not be other than zero for ever. None: executions
	// should not go on for ever at all.
	Hot []*ir.Global
	Fairness
	// Failures: what may fail without need does so, too.
	Failures bool
	// MaxStates ends the exploration after so many (0: never).
	MaxStates int
	// Context ends the exploration early; nil: never.
	Context context.Context
	// Progress is told now and then how many states were visited; nil: nobody is.
	Progress func(states int)
}

// Liveness looks for fair executions of a program that go on for ever although they
// should not: a cycle among its states, one for each hot variable. What goes wrong
// otherwise ends an execution, and is not told.
//
// The states are all visited first. In an execution that goes on for ever those that come
// again and again are connected, each with each other, so that they lie in one component.
// A component in which some thread is not treated fairly has a fair cycle only without
// the states in which that thread could go on; what is left of it is looked at in the
// same way.
func Liveness(m *interp.Program, h interp.Harness, opt LivenessOptions) (*Result, error) {
	if len(h.Roots) == 0 {
		return nil, errors.New("explore: the harness has no thread")
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	x := &search{opt: Options{Values: []uint64{0, 1}, Failures: opt.Failures, Context: opt.Context, MaxStates: opt.MaxStates},
		res: &Result{Complete: true}, unread: unread(m.IR)}
	g := &graph{x: x, opt: &opt, index: map[interp.Hash]int32{}}
	for in := (&asker{opt: &x.opt, unread: x.unread}); in != nil; in = in.next() {
		s := m.Start(h, in)
		x.res.Sampled = x.res.Sampled || in.sampled
		g.reach(s, edge{from: -1, thread: -1, answers: in.answers()})
	}
	g.explore()
	hot := []int{-1}
	if len(opt.Hot) > 0 {
		hot = hot[:0]
		for k := range opt.Hot {
			hot = append(hot, k)
		}
	}
	for _, k := range hot {
		if f := g.find(m, h, k); f != nil {
			x.res.Findings = append(x.res.Findings, f)
		}
	}
	return x.res, nil
}

// graph has the states of a program.
type graph struct {
	x     *search
	opt   *LivenessOptions
	index map[interp.Hash]int32
	nodes []vertex
	queue []*interp.State // of the nodes that are not looked at yet: the last ones
}

// vertex is a state.
type vertex struct {
	enabled uint64 // the threads that can go on
	hot     uint64 // the hot variables that are not zero
	by      edge   // how it was reached first
	out     []edge
}

// edge is a macro step.
type edge struct {
	from, to int32
	thread   interp.ThreadID
	answers  []uint64
}

// reach adds a state that an edge leads to, unless it is known, and where it does not end
// an execution.
func (g *graph) reach(s *interp.State, e edge) {
	if s.Status() != interp.Running {
		if s.Status() != interp.Infeasible {
			g.x.res.Executions++
		}
		return
	}
	k := s.Hash()
	to, known := g.index[k]
	if !known {
		to = int32(len(g.nodes))
		g.index[k] = to
		e.to = to
		v := vertex{by: e}
		for _, t := range s.Enabled() {
			if t >= 64 {
				g.x.incomplete("more than 64 threads")
				continue
			}
			v.enabled |= 1 << t
		}
		for i, hot := range g.opt.Hot {
			if isHot(s, hot) {
				v.hot |= 1 << i
			}
		}
		g.nodes, g.queue = append(g.nodes, v), append(g.queue, s)
	}
	if e.to = to; e.from >= 0 {
		g.nodes[e.from].out = append(g.nodes[e.from].out, e)
	}
}

// isHot reports whether a variable is not zero.
func isHot(s *interp.State, v *ir.Global) bool {
	w, ok := s.Global(v, 0, v.Type)
	return ok && slices.ContainsFunc(w, func(u uint64) bool { return u != 0 })
}

// explore visits all states, those first that few macro steps lead to.
func (g *graph) explore() {
	for len(g.queue) > 0 {
		i := int32(len(g.nodes) - len(g.queue))
		s := g.queue[0]
		g.queue = g.queue[1:]
		if !g.x.mayVisit() {
			return
		}
		g.x.res.States++
		if g.opt.Progress != nil {
			g.opt.Progress(g.x.res.States)
		}
		for _, t := range s.Enabled() {
			for _, st := range g.x.steps(s, t) {
				if st.endless {
					g.x.incomplete(fmt.Sprintf("an atomic section of more than %d visible instructions", maxSection))
					continue
				}
				g.reach(st.after, edge{from: i, thread: t, answers: st.answers})
			}
		}
	}
}

// find is a finding where some fair execution stays hot by variable k for ever, or, if
// that is -1, goes on for ever; nil where none does.
func (g *graph) find(m *interp.Program, h interp.Harness, k int) *Finding {
	var in []int32
	for i := range g.nodes {
		if k < 0 || g.nodes[i].hot>>k&1 != 0 {
			in = append(in, int32(i))
		}
	}
	c := g.fair(in)
	if c == nil {
		return nil
	}
	f := &Finding{Kind: KindLivelock, Fairness: g.opt.Fairness}
	if k >= 0 {
		f.Hot = g.opt.Hot[k]
	}
	start := slices.Min(c)
	take := func(e edge) {
		if e.thread >= 0 {
			f.Schedule = append(f.Schedule, e.thread)
		}
		f.Inputs = append(f.Inputs, e.answers...)
	}
	for _, e := range g.way(start) {
		take(e)
	}
	f.Loop = len(f.Schedule)
	for _, e := range g.cycle(c, start) {
		take(e)
	}
	f.measure(m, h)
	return f
}

// way is how a node was reached first.
func (g *graph) way(i int32) (out []edge) {
	for i >= 0 {
		e := g.nodes[i].by
		out = append(out, e)
		i = e.from
	}
	slices.Reverse(out)
	return out
}

// fair is a component of some of the nodes in which all threads are treated fairly; nil
// where there is none.
func (g *graph) fair(in []int32) []int32 {
	work := [][]int32{in}
	for len(work) > 0 {
		part := work[0]
		work = work[1:]
		for _, c := range g.components(part) {
			unfair := g.unfair(c)
			if unfair == 0 {
				return c
			}
			if g.opt.Fairness == Weak {
				continue // it could go on in all of them
			}
			c = slices.DeleteFunc(c, func(i int32) bool { return g.nodes[i].enabled&unfair != 0 })
			if len(c) > 0 {
				work = append(work, c)
			}
		}
	}
	return nil
}

// unfair are the threads that do not go on inside a component although they should.
func (g *graph) unfair(c []int32) uint64 {
	some, all, moves := uint64(0), ^uint64(0), uint64(0)
	g.inside(c, func(e edge) { moves |= 1 << e.thread })
	for _, i := range c {
		some |= g.nodes[i].enabled
		all &= g.nodes[i].enabled
	}
	if g.opt.Fairness == Weak {
		return all &^ moves
	}
	return some &^ moves
}

// inside visits the edges between nodes of a component, which is sorted.
func (g *graph) inside(c []int32, visit func(edge)) {
	for _, i := range c {
		for _, e := range g.nodes[i].out {
			if _, ok := slices.BinarySearch(c, e.to); ok {
				visit(e)
			}
		}
	}
}

// components are the strongly connected components of some nodes that have an edge
// inside, each sorted.
func (g *graph) components(in []int32) (out [][]int32) {
	in = slices.Sorted(slices.Values(in))
	for _, c := range scc.Components(in, func(i int32) (next []int32) {
		for _, e := range g.nodes[i].out {
			if _, ok := slices.BinarySearch(in, e.to); ok {
				next = append(next, e.to)
			}
		}
		return next
	}) {
		slices.Sort(c)
		inner := false
		g.inside(c, func(edge) { inner = true })
		if inner {
			out = append(out, c)
		}
	}
	return out
}

// cycle is a way from a node back to it, inside a fair component, in which all threads
// are treated fairly.
func (g *graph) cycle(c []int32, start int32) (out []edge) {
	i := start
	on := func(done func(edge) bool) {
		w := g.walk(c, i, done)
		out = append(out, w...)
		i = w[len(w)-1].to
	}
	moves := uint64(0)
	g.inside(c, func(e edge) { moves |= 1 << e.thread })
	for t := range interp.ThreadID(64) {
		did := slices.ContainsFunc(out, func(e edge) bool { return e.thread == t })
		blocked := func(k int32) bool { return g.nodes[k].enabled>>t&1 == 0 }
		switch {
		case did || g.opt.Fairness == Weak && slices.ContainsFunc(out, func(e edge) bool { return blocked(e.to) }):
		case moves>>t&1 != 0:
			on(func(e edge) bool { return e.thread == t })
		case g.opt.Fairness == Weak && slices.ContainsFunc(c, blocked):
			on(func(e edge) bool { return blocked(e.to) })
		}
	}
	if i != start || len(out) == 0 {
		on(func(e edge) bool { return e.to == start })
	}
	return out
}

// walk is the shortest way from a node inside a component that ends with a certain edge.
func (g *graph) walk(c []int32, from int32, last func(edge) bool) []edge {
	by := map[int32]edge{from: {from: -1}}
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.nodes[queue[0]].out {
			if _, ok := slices.BinarySearch(c, e.to); !ok {
				continue
			}
			if last(e) {
				out := []edge{e}
				for p := by[e.from]; p.from >= 0; p = by[p.from] {
					out = append(out, p)
				}
				slices.Reverse(out)
				return out
			}
			if _, ok := by[e.to]; !ok {
				by[e.to] = e
				queue = append(queue, e.to)
			}
		}
	}
	panic("explore: a component is not connected")
}

// measure notes what a schedule costs, and where its threads are at the beginning of the
// cycle.
func (f *Finding) measure(m *interp.Program, h interp.Harness) {
	s := m.Start(h, interp.List(f.Inputs))
	last := interp.ThreadID(-1)
	for i, t := range f.Schedule {
		if i == f.Loop {
			f.Blocked = BlockedIn(s)
		}
		if t != last && last >= 0 && s.CanStep(last) {
			f.Preemptions++
		}
		makeStep(s, t)
		last = t
	}
}

// loops checks that a schedule ends with a fair cycle in which a hot variable is never
// zero.
type loops struct {
	f         *Finding
	start     interp.Hash
	some, all uint64 // the threads that could go on in a state of the cycle, and in each
	did       uint64
}

// see looks at the state before macro step i, which thread t makes.
func (l *loops) see(i int, s *interp.State, t interp.ThreadID) error {
	if i < l.f.Loop {
		return nil
	}
	if i == l.f.Loop {
		l.start, l.all = s.Hash(), ^uint64(0)
	}
	enabled := uint64(0)
	for _, u := range s.Enabled() {
		enabled |= 1 << u
	}
	l.some, l.all, l.did = l.some|enabled, l.all&enabled, l.did|1<<t
	if l.f.Hot != nil && !isHot(s, l.f.Hot) {
		return fmt.Errorf("macro step %d: %s is zero", i, l.f.Hot.Name)
	}
	return nil
}

// over looks at the state at the end.
func (l *loops) over(s *interp.State) error {
	should := l.some
	if l.f.Fairness == Weak {
		should = l.all
	}
	switch {
	case l.f.Loop >= len(l.f.Schedule):
		return errors.New("there is no cycle")
	case s.Status() != interp.Running || s.Hash() != l.start:
		return errors.New("the cycle does not end where it begins")
	case should&^l.did != 0:
		return errors.New("the cycle is not fair")
	}
	return nil
}
