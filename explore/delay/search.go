package delay

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"whoop/explore"
	"whoop/ir/vm"
)

// Options bound a search; zero values are the defaults.
type Options struct {
	// Make makes the explorer.
	Make func() Explorer
	// Bound is the greatest number of delays; -1: none.
	Bound int
	// Cache is how many states are remembered (1<<22); further ones are visited again
	// wherever they are reached. -1: none is.
	Cache int
	// Alike: threads that were started alike may change places in states that are told
	// apart; only irutil.JoinsAtOnce allows it. Where it turns out that such threads are
	// told apart, Result.Apart says so, and the search ends.
	Alike bool
	// MaxEvents is how many events an execution has at most (10000).
	MaxEvents int
	// MaxExecutions and MaxStates end the search; 0: never.
	MaxExecutions, MaxStates int64
	// Context ends the search early; nil: never.
	Context context.Context
	// Found is told of each failure, race and deadlock where it occurs; false ends the
	// search. nil: nobody is.
	Found func(Found) bool
	// Progress is told now and then that the search goes on; nil: nobody is.
	Progress func(*Result)
}

// Found is something that went wrong.
type Found struct {
	Path explore.Path
	// Place is where it is, in a form that tells things that go wrong apart.
	Place Place
}

// Place is what goes wrong, and at which instructions. Of a deadlock, Text says where the
// threads are.
type Place struct {
	Kind    string
	At, At2 any
	Text    string
}

// Result is what a search has done.
type Result struct {
	// States were visited, Events executed, and Strata counts the executions that came to
	// an end by their delays.
	States, Events int64
	Strata         []int64
	// Stuck executions ended with a thread that stands still, Deadlocks with threads that
	// wait for each other.
	Stuck, Deadlocks int64
	Longest          int
	Apart            bool // see Options.Alike
	// BoundHit: executions with more delays than Options.Bound were left out.
	BoundHit bool
	// Incomplete tells why not everything within the bound was explored, "" where it was.
	Incomplete string
}

// Executions is how many executions came to an end.
func (r *Result) Executions() (n int64) {
	for _, k := range r.Strata {
		n += k
	}
	return n
}

// node is a state on a path: the one that a thread's event leads to from another.
type node struct {
	up     *node
	thread int
	delays int // of the explorer at up before the event
	script []int
	depth  int
}

// work is what is left to explore from a state: the threads that are not seen, with all
// delays spent so far; or the event of the next thread with certain answers.
type work struct {
	at     *node
	delays int // of the explorer at the state
	seen   uint64
	asked  []int // the answers; nil: it is about threads
	spent  int
}

// search is a search under way.
type search struct {
	Result
	m        *vm.Machine
	opt      Options
	start    int // the machine's first state
	cache    map[vm.Hash]struct{}
	frontier []work
	bound    int
	history  // of the path to the current state
	steps    []explore.Step
	asked    []int // of the last event: how many answers each question has
	ended    bool
	races    raceFinder
}

// Search explores the executions of a machine in its first state. Events that
// Options.Bound allows are explored in the order of their delays.
func Search(m *vm.Machine, opt Options) *Result {
	if opt.MaxEvents == 0 {
		opt.MaxEvents = 10000
	}
	if opt.Cache == 0 {
		opt.Cache = 1 << 22
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	x := &search{m: m, opt: opt, start: m.Mark(), cache: map[vm.Hash]struct{}{}}
	x.make = opt.Make
	d := x.begin(m)
	x.failures()
	x.visit(&node{}, d, 0)
	for len(x.frontier) > 0 && !x.ended {
		if opt.Bound >= 0 && x.bound >= opt.Bound {
			x.BoundHit = true
			break
		}
		x.bound++
		todo := x.frontier
		x.frontier = nil
		for _, w := range todo {
			switch {
			case x.ended:
			case w.spent > x.bound: // answers may cost several delays
				x.frontier = append(x.frontier, w)
			default:
				x.resume(w)
			}
		}
	}
	m.Undo(x.start)
	return &x.Result
}

// stop ends the search before everything was explored.
func (x *search) stop(reason string) {
	x.ended = true
	if x.Incomplete == "" {
		x.Incomplete = reason
	}
}

// resume executes the path to a state again, and goes on with what is left there.
func (x *search) resume(w work) {
	if err := x.opt.Context.Err(); err != nil { // the way there may be long
		x.stop(err.Error())
		return
	}
	x.m.Undo(x.start)
	x.steps = x.steps[:0]
	d := x.begin(x.m)
	var path []*node
	for n := w.at; n.up != nil; n = n.up {
		path = append(path, n)
	}
	for _, n := range slices.Backward(path) {
		for range n.delays {
			x.delay(d)
		}
		x.m.Step(n.thread, n.script)
		x.note(n.thread)
		x.tell(d, x.m, n.thread)
	}
	for range w.delays {
		x.delay(d)
	}
	if w.asked != nil {
		x.take(w.at, d, w.delays, w.asked, w.spent)
		return
	}
	x.threads(w.at, d, w.delays, w.seen, w.spent)
}

// note remembers the event that the machine has just made.
func (x *search) note(t int) {
	st := explore.Step{Thread: t}
	if at := x.m.At(); at >= 0 {
		st.At = x.m.Program().Source(at)
	}
	for _, a := range x.m.Answers() {
		st.Answers = append(st.Answers, explore.StepAnswer{Thread: a.Thread, At: a.Src, Value: a.Value})
	}
	for _, o := range x.m.Own() {
		st.Own = append(st.Own, explore.StepOwn{Thread: o.Thread, At: o.Src, N: o.N})
	}
	x.steps = append(x.steps, st)
}

// visit explores everything from a state that was not visited before, with so many delays
// spent.
func (x *search) visit(n *node, d Explorer, spent int) {
	x.States++
	x.Longest = max(x.Longest, n.depth)
	switch {
	case n.depth >= x.opt.MaxEvents:
		if x.Incomplete == "" {
			x.Incomplete = fmt.Sprintf("an execution has more than %d events", x.opt.MaxEvents)
		}
		return
	case x.opt.MaxStates > 0 && x.States > x.opt.MaxStates:
		x.stop(fmt.Sprintf("more than %d states", x.opt.MaxStates))
		return
	case x.States&0x3ff == 0:
		if err := x.opt.Context.Err(); err != nil {
			x.stop(err.Error())
			return
		}
		if x.opt.Progress != nil {
			x.opt.Progress(&x.Result)
		}
	}
	if x.opt.Found != nil {
		x.races.find(x)
	}
	x.threads(n, d, 0, 0, spent)
}

// threads explores a state's threads from the explorer's next one on; those in seen were
// explored.
func (x *search) threads(n *node, d Explorer, delays int, seen uint64, spent int) {
	if x.last.Enabled == 0 {
		x.end(spent)
		return
	}
	for !x.ended {
		t := d.Next()
		if t < 0 || t >= 64 || !x.last.Can(t) || seen>>t&1 != 0 {
			x.stop(fmt.Sprintf("the explorer is unsound: of %d threads that can go on, it chooses thread %d after %d delays",
				bits.OnesCount64(x.last.Enabled), t, delays))
			return
		}
		seen |= 1 << t
		x.take(n, d, delays, nil, spent)
		if seen == x.last.Enabled {
			return
		}
		if spent++; spent > x.bound {
			x.frontier = append(x.frontier, work{at: n, delays: delays + 1, seen: seen, spent: spent})
			return
		}
		x.delay(d)
		delays++
	}
}

// take explores the event of the explorer's next thread with certain answers, and, with
// further delays, with those that differ behind them.
func (x *search) take(n *node, d Explorer, delays int, script []int, spent int) {
	if !x.event(n, d, delays, script, spent) {
		return
	}
	asked := slices.Clone(x.asked)
	for p := len(script); p < len(asked); p++ {
		for k := 1; k < asked[p] && !x.ended; k++ {
			other := make([]int, p+1)
			copy(other, script)
			other[p] = k
			if spent+k > x.bound {
				x.frontier = append(x.frontier, work{at: n, delays: delays, asked: other, spent: spent + k})
				continue
			}
			x.take(n, d, delays, other, spent+k)
		}
	}
}

// event explores the event of the explorer's next thread with certain answers, and notes
// what it asked. With other answers an atomic section may go through that blocks with
// these. It is false where the search ends.
func (x *search) event(n *node, d Explorer, delays int, script []int, spent int) bool {
	t, mark := d.Next(), x.m.Mark()
	done := x.m.Step(t, script)
	if r := x.m.Unsupported(); r != "" {
		x.stop(r)
		return false
	}
	asked := slices.Clone(x.m.Asked())
	if done {
		x.Events++
		x.note(t)
		x.failures()
		switch {
		case x.ended:
		case x.failed(t): // what comes afterwards does not count
			x.Stuck++
			x.count(spent)
		case x.opt.Alike && !x.m.JoinsAlike():
			x.Apart = true
			x.stop("threads that were started alike are told apart")
		case x.fresh():
			before := x.save()
			d2 := x.copy(d)
			x.tell(d2, x.m, t)
			x.visit(&node{n, t, delays, slices.Clone(script), n.depth + 1}, d2, spent)
			x.restore(before)
		}
		x.steps = x.steps[:len(x.steps)-1]
		x.m.Undo(mark)
	}
	x.asked = asked
	return true
}

// failed reports whether the event of a thread went wrong itself, not only what follows
// it and others do not notice.
func (x *search) failed(t int) bool {
	at := x.m.At()
	return x.m.Broke() || at >= 0 && slices.ContainsFunc(x.m.Failures(), func(f vm.Failure) bool {
		return f.Thread == t && f.Src == x.m.Program().Source(at)
	})
}

// fresh reports whether the machine's state was not visited before, and remembers it.
func (x *search) fresh() bool {
	if x.opt.Cache < 0 {
		return true
	}
	h := vm.Hash{}
	if x.opt.Alike {
		h = x.m.HashAlike()
	} else {
		h = x.m.Hash()
	}
	if _, ok := x.cache[h]; ok {
		return false
	}
	if len(x.cache) < x.opt.Cache {
		x.cache[h] = struct{}{}
	}
	return true
}

// end is the end of an execution with so many delays.
func (x *search) end(spent int) {
	switch {
	case x.m.Deadlocked():
		x.Deadlocks++
		x.found(explore.Path{Deadlock: true}, Place{Kind: explore.KindDeadlock, Text: x.places()})
	case x.anyStuck():
		x.Stuck++
	}
	x.count(spent)
}

// count counts an execution with so many delays.
func (x *search) count(spent int) {
	for len(x.Strata) <= spent {
		x.Strata = append(x.Strata, 0)
	}
	x.Strata[spent]++
	if x.opt.MaxExecutions > 0 && x.Executions() >= x.opt.MaxExecutions {
		x.stop(fmt.Sprintf("%d executions were made, and no more were asked for", x.Executions()))
	}
}

func (x *search) anyStuck() bool {
	for t := range x.m.Threads() {
		if x.m.ThreadState(t) == vm.Stuck {
			return true
		}
	}
	return false
}

// places says where the threads are.
func (x *search) places() string {
	var at []byte
	for t := range x.m.Threads() {
		src, _ := x.m.Place(t)
		at = fmt.Appendf(at, "%p ", src)
	}
	return string(at)
}

// failures tells what went wrong in the last event.
func (x *search) failures() {
	if x.opt.Found == nil {
		return
	}
	for _, f := range slices.Clone(x.m.Failures()) {
		x.found(explore.Path{Kind: f.Kind, Thread: f.Thread, At: f.Src}, Place{Kind: string(f.Kind), At: f.Src})
	}
}

// found tells of something that went wrong, behind the events of the current path.
func (x *search) found(p explore.Path, at Place) {
	if x.opt.Found == nil || x.ended {
		return
	}
	for t := range x.m.Threads() {
		parent, k := x.m.Parent(t)
		p.Parents = append(p.Parents, [2]int{parent, k})
	}
	p.Steps = slices.Clone(x.steps)
	if !x.opt.Found(Found{p, at}) {
		x.stop("ended at the first finding")
	}
}
