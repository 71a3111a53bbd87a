package dpor

import (
	"context"
	"slices"
	"time"

	"whoop/ir/vm"
)

// Algorithm is how executions are chosen.
type Algorithm int

// The algorithms.
const (
	// DFS explores all interleavings of events.
	DFS Algorithm = iota
	// Source explores by source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas:
	// Optimal dynamic partial order reduction, POPL 2014, algorithm 1). Some executions
	// turn out to be redundant, and are cut off.
	Source
	// Optimal explores by wakeup trees (the same, algorithm 2): each trace once.
	Optimal
	// Sampled makes one execution after the other, as Options.Next chooses, until an
	// option ends it.
	Sampled
)

// Options bound a search; zero values are the defaults.
type Options struct {
	Algorithm Algorithm
	// MaxEvents is how many events an execution has at most (10000); one that has more is
	// left there, and the search is not complete.
	MaxEvents int
	// Probed, of DFS, is an estimate of the executions by Probe; 0: there is none.
	Probed float64
	// MaxExecutions ends the search; 0: never.
	MaxExecutions int64
	// Observers, of Source and Optimal: two writes of one cell are exchanged only where
	// something can tell which was the last (see observers.go). A Pool does not have it.
	Observers bool
	// MaxWork ends the search after so many steps of the machine, those that only tell
	// what an exchanged event would touch included; 0: never. A Pool does not have it.
	MaxWork int64
	// Context ends the search early; nil: never.
	Context context.Context
	// Found is told of each failure, race and deadlock where it occurs; false ends the
	// search. nil: nobody is.
	Found func(*Search, Found) bool
	// Far, of a Pool, is Found for workers in other processes.
	Far func(Far) bool
	// Next chooses the thread that goes on, of those that can, for Sampled.
	Next func(s *Search, enabled []int) int
	// Progress is told now and then that the search goes on; nil: nobody is.
	Progress func(*Search)
	// Save, of a Pool, is told of what is explored and what is left, every so often and
	// when the work ends early. Every is how often (0: only then).
	Save  func(*Snapshot) error
	Every time.Duration
	// Ended is told when an execution has come to its end; nil: nobody is.
	Ended func(*Search)
}

// Found is something that went wrong.
type Found struct {
	// Failure is what a thread did wrong in the last event; nil for races and deadlocks.
	Failure *vm.Failure
	// First and Second are the events of a race, by their number in the execution: both
	// could be made next after the events before Second that do not come after First.
	// First is -1 where it is no race. Second may be behind the execution's end: an
	// atomic section that blocks there in its middle.
	First, Second int
	// FirstAt and SecondAt are the instructions of a race's accesses.
	FirstAt, SecondAt any
	Deadlock          bool
}

// race reports whether it is a race.
func (f *Found) race() bool { return f.Failure == nil && !f.Deadlock }

// Counts are what a search has done.
type Counts struct {
	// Complete executions have come to their end; of Blocked ones it was known before
	// that they are redundant; in Stuck ones a thread stands still, at an error, a false
	// assumption or in front of an atomic section that would block in its middle, and
	// Deadlocks ended with threads that wait for each other.
	Complete, Blocked, Stuck, Deadlocks int64
	// Unread are those of the Blocked ones that Observers cut off: a write was overwritten
	// before anything read it.
	Unread int64
	// Alike, with Observers, are executions that are counted, and differ from another one
	// only in what is in memory in the end.
	Alike int64
	// Long executions were left after Options.MaxEvents.
	Long int64
	// Events that were executed; those of the longest execution.
	Events  int64
	Longest int
}

// Executions is how many executions were explored, redundant ones left out.
func (c *Counts) Executions() int64 { return c.Complete + c.Stuck + c.Deadlocks + c.Long }

// Search explores the executions of a machine. The events of the current one are numbered
// from 0.
type Search struct {
	m   *vm.Machine
	opt Options

	Counts
	// Incomplete tells why not everything was explored, "" where it was.
	Incomplete string

	events      []event
	ops         []chainOp // of the events
	raw         []vm.Op   // the same, as the machine tells them
	heads       []headTable
	nodes       []node
	tree        wakeupPool
	sleep       []sleeper
	slept       []vm.Op // of sleepers
	races       []race
	pend        []pending // events that block at the end
	pendingFrom int       // their first race
	forgone     []forgone

	clocks  clocks
	answers []vm.Answer
	own     []vm.Own // of the events
	buf     []int
	v       []int32 // events of a wakeup sequence
	inV     uint64  // no other threads have events in it
	cand    []int32
	pairs   []pair
	queries bool // some event has had queries
	message bool // the event that cand is of sends or receives one message
	probed  []vm.Op
	buffer  []vm.Op
	done    bool
	whole   bool // all threads have ended: the execution is whole, and nobody waits

	// undone: the machine is before the event reached, as probe has left it.
	undone   bool
	reversed reversed // see reverse
	reached  int32
	looked   int64 // steps that only probe has made, for MaxWork
	tried    int   // combinations of answers for the present event

	// For Estimate: the executions of branches that another one came after, and of those
	// that came after another one.
	before, after int64
	// The branches of nodes that are left, and those that were known of them at the end
	// of their first executions, each node as often as it has executions.
	branches, atFirst int64

	share   sharing
	pool    *Pool
	tallied int64 // executions that the pool knows of
}

// event is an event of the current execution.
type event struct {
	thread  int32
	index   int32 // among the thread's events, from 1
	ops     int32 // its first in Search.ops
	races   int32 // its first in Search.races
	forgone int32 // its first in Search.forgone
	mark    int   // of the machine, before it
	clock   int32 // what the clocks' journal had before it
	answers int32
	own     int32 // its first in Search.own
	at      int32 // number of its operation in the program; -1: none
	fuzzy   bool
	blocks  bool
	failed  bool // the operation is an error: nothing else has happened
	parked  bool // a section that blocked: it has changed nothing
	broke   bool // an error in the middle of it, which would end the interpreter's execution
	cell    vm.Cell
	script  []int // the alternatives of its queries that were taken
	varies  bool  // with others, it may touch something else
}

// chainOp is an operation of an event, with the one before on the same cell.
type chainOp struct {
	event int32
	prev  int32 // in Search.ops; -1: none
}

// race is an earlier event that may be exchanged with a later one.
type race struct {
	first, second int32
	seen          bool // see reverse
}

// pair is two accesses that are a data race if their events can be exchanged.
type pair struct{ event, first, second int32 }

// node is a state of the current execution: the one before event i is nodes[i].
type node struct {
	sleep    int32  // its first sleeper
	nsleep   int32  // how many it has
	slept    int32  // what slept has at its beginning
	first    int32  // the first branch of its wakeup tree; 0: none
	disabled uint64 // threads whose step turned out to block
	fresh    bool
	// For Estimate: how many branches were left for good, how many executions there had
	// been at its beginning, and at that of the branch that is explored; of DFS, how many
	// branches there are.
	left, width       int32
	enabled           uint64 // of DFS: the threads that could go on
	start, startChild int64
	size              int64 // of the last branch that was left
	known             int32 // branches that were known at the end of its first execution
	// of a node that others know: threads whose heads others have begun, which have no
	// queries
	begunBy uint64
	// of Source
	backtrack, explored uint64
	asleep              uint64 // threads that sleep
	unheard             uint64 // threads whose writes need not be made unless they are read
	idle                bool   // a write that need not be made was overwritten unread
	expanded            bool   // see expand
	// the branch that is explored
	thread int32
	more   bool // other answers to the queries of its event are left
	*queried
}

// queried is what a node knows of the thread that is explored, where its event has
// queries.
type queried struct {
	asked []int // how many alternatives they have
	// the lists of answers that are explored, and how many alternatives their queries have
	done, doneAsked [][]int
	// what the event touches with any answers, and with those that are explored
	touches []vm.Op
	parts   []branch
}

// unqueried is that of all nodes where there are none.
var unqueried queried

// own makes the node's queried its own, for what is written to it.
func (n *node) own() {
	if n.queried == &unqueried {
		n.queried = &queried{}
	}
}

// asks notes how many alternatives the queries of the event have.
func (n *node) asks(asked []int) {
	if len(asked) > 0 || n.queried != &unqueried {
		n.own()
		n.asked = append(n.asked[:0], asked...)
	}
}

// New prepares a search from the machine's state.
func New(m *vm.Machine, opt Options) *Search {
	if opt.MaxEvents == 0 {
		opt.MaxEvents = 10000
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	s := &Search{m: m, opt: opt}
	s.tree.init()
	return s
}

// Machine is the machine, in the state after the events of the current execution.
func (s *Search) Machine() *vm.Machine { return s.m }

// Len is how many events the current execution has.
func (s *Search) Len() int { return len(s.events) }

// Thread is the thread of an event.
func (s *Search) Thread(i int) int { return int(s.events[i].thread) }

// Ops are the cells that an event touched, until the search goes on.
func (s *Search) Ops(i int) []vm.Op { return s.eventOps(i) }

// Answers are the inputs of an event.
func (s *Search) Answers(i int) []vm.Answer {
	end := int32(len(s.answers))
	if i+1 < len(s.events) {
		end = s.events[i+1].answers
	}
	return s.answers[s.events[i].answers:end]
}

// Trace identifies the current execution up to the order of events that do not conflict.
func (s *Search) Trace() uint64 {
	sum := uint64(0)
	for i := range s.events {
		h := uint64(s.events[i].thread)
		for _, a := range s.Answers(i) {
			h = (h ^ (a.Value + 1)) * 0x9e3779b97f4a7c15
		}
		for u, v := range s.clocks.event(int32(i)) {
			h = (h^uint64(v)<<8^uint64(u))*0x9e3779b97f4a7c15 + 1
			h ^= h >> 31
		}
		sum += h
	}
	return sum
}

// Run explores all executions, or until Options end it.
func (s *Search) Run() {
	s.clocks.init(s.m.Threads())
	s.failures()
	for again := true; again && !s.done; again = s.opt.Algorithm == Sampled {
		s.nodes = append(s.nodes[:0], node{fresh: true, queried: &unqueried})
		for len(s.nodes) > 0 && !s.done {
			if !s.forward() {
				s.backward()
			}
		}
	}
}

// stop ends the search before everything was explored.
func (s *Search) stop(reason string) {
	s.done = true
	if s.Incomplete == "" {
		s.Incomplete = reason
	}
}

// forward takes a branch of the last node; false where there is none left.
func (s *Search) forward() bool {
	n := &s.nodes[len(s.nodes)-1]
	if n.fresh && n.idle {
		s.unread(n)
		return false
	}
	if n.fresh && len(s.events) >= s.opt.MaxEvents {
		s.long(n)
		return false
	}
	if n.more {
		n.more = false
		s.otherAnswers(n)
		return true
	}
	if s.opt.Algorithm == Optimal {
		for n.first != 0 {
			w := s.tree.at(n.first)
			t, script, sub := int(w.thread), w.script(), s.tree.take(&n.first)
			if !n.sleeps(t) {
				s.step(t, script, sub)
				return true
			}
			s.tree.drop(sub) // explored already: it was not as foreseen
		}
	}
	t, ok := s.choose(n)
	if ok {
		s.step(t, nil, 0)
	}
	return ok
}

// otherAnswers explores the thread of a node with answers that were not taken: those of
// the wakeup tree first.
func (s *Search) otherAnswers(n *node) {
	for link := &n.first; *link != 0; link = &s.tree.at(*link).next {
		if w := s.tree.at(*link); w.thread == n.thread {
			script, sub := w.script(), s.tree.take(link)
			s.step(int(n.thread), script, sub)
			return
		}
	}
	s.step(int(n.thread), n.unexplored(), 0)
}

// choose tells the next thread that is explored from a node, without a wakeup tree.
func (s *Search) choose(n *node) (t int, ok bool) {
	switch {
	case n.fresh && s.opt.Algorithm == Sampled:
		return s.sampled(n)
	case n.fresh || s.opt.Algorithm == DFS:
		return s.anyThread(n)
	}
	if s.opt.Algorithm == Source {
		for t := range s.m.Threads() {
			if n.backtrack>>t&1 != 0 && n.explored>>t&1 == 0 && !n.sleeps(t) {
				return t, true
			}
		}
	}
	return 0, false
}

// sleeps reports whether a thread is in the node's sleep set.
func (n *node) sleeps(t int) bool { return n.asleep>>t&1 != 0 }

// sampled lets the options choose the next thread.
func (s *Search) sampled(n *node) (int, bool) {
	s.buf = slices.DeleteFunc(s.m.Enabled(s.buf[:0]), func(t int) bool { return n.disabled>>t&1 != 0 })
	if len(s.buf) == 0 {
		s.end(false)
		return 0, false
	}
	return s.opt.Next(s, s.buf), true
}

// reduces reports whether executions are left out that are equivalent to others.
func (s *Search) reduces() bool { return s.opt.Algorithm == Source || s.opt.Algorithm == Optimal }

// last is the thread of the last event, -1 where there is none.
func (s *Search) last() int {
	if k := len(s.events); k > 0 {
		return int(s.events[k-1].thread)
	}
	return -1
}

// firstThread is anyThread where all threads have made few events.
func (s *Search) firstThread(n *node) (int, bool) {
	slept := false
	can := func(t int) bool {
		if !s.m.CanStep(t) || n.disabled>>t&1 != 0 {
			return false
		}
		asleep := n.sleeps(t)
		slept = slept || asleep
		return !asleep
	}
	unheard := -1
	if t := s.last(); t >= 0 && can(t) {
		if n.unheard>>t&1 == 0 {
			return t, true
		}
		unheard = t
	}
	for t := range s.m.Threads() {
		if can(t) {
			if n.unheard>>t&1 == 0 {
				return t, true
			}
			unheard = t
		}
	}
	if unheard >= 0 {
		return unheard, true
	}
	if n.fresh {
		s.end(slept)
	}
	return 0, false
}

// fair is after how many events of its own a thread is left in favour of others that have
// made fewer: an execution that is left for its length should have shown something of
// each thread.
const fair = 100

// anyThread chooses a thread that can step and does not sleep; the last one if it can,
// and has not made so many events.
func (s *Search) anyThread(n *node) (int, bool) {
	if s.opt.Algorithm != DFS && len(s.events) < fair {
		return s.firstThread(n)
	}
	s.buf = s.m.Enabled(s.buf[:0])
	best, slept := -1, false
	n.width, n.enabled = int32(len(s.buf)), 0
	for _, t := range s.buf {
		n.enabled |= 1 << t
	}
	last := s.last()
	turns := func(t int) int32 { return s.clocks.row(t)[t] / fair }
	for _, t := range s.buf {
		switch {
		case n.disabled>>t&1 != 0, s.opt.Algorithm == DFS && n.explored>>t&1 != 0:
		case n.sleeps(t):
			slept = true
		case best < 0 || turns(t) < turns(best) || t == last && turns(t) == turns(best):
			best = t
		}
	}
	if best < 0 {
		if n.fresh {
			s.end(slept)
		}
		return 0, false
	}
	return best, true
}
