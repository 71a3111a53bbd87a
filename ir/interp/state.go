package interp

import (
	"slices"
	"sync/atomic"

	"whoop/ir"
)

// ThreadID numbers the threads of an execution in the order of their creation, from 0.
type ThreadID int

// Status says whether an execution can go on.
type Status uint8

// The statuses.
const (
	Running    Status = iota
	Done              // ended regularly
	Failed            // see State.Err
	Deadlock          // no thread can go on, and not all have ended
	Infeasible        // an assumption is false: no execution
)

func (s Status) String() string {
	return [...]string{"running", "done", "failed", "deadlock", "infeasible"}[s]
}

// State is a state of an execution. It is used by one goroutine at a time; snapshots are
// States of their own.
type State struct {
	p     *Program
	epoch uint64 // owner of what this state may write
	in    Inputs

	pages       []*page
	pagesShared bool
	nextObj     ObjID
	freed       []ObjID
	freedShared bool
	env         []envPtr
	memos       map[string][]uint64
	memosShared bool

	threads       []*thread
	threadsShared bool     // the list is another state's, too
	main          ThreadID // its return ends the program; -1: none
	atomic        ThreadID
	depth         int      // of atomic sections of thread atomic
	regs          []string // those of Program.kinds that are registered; see over, too
	shown         []shown  // what members of objects that entries get hold
	bound         []bound  // handlers that were registered with arguments
	ninput        int
	param         *ir.Reg // whose argument is chosen; nil: of none
	nwait         int
	status        Status
	err           *Error
	harness       *Harness

	// The thread that steps, and what it does.
	th   *thread
	fr   *frame
	r    []uint64
	cur  *op
	trap bool
	ev   Event
}

var epochs atomic.Uint64

func newEpoch() uint64 { return epochs.Add(1) }

// thread is a thread; like objects, threads are shared between snapshots.
type thread struct {
	owner  uint64
	id     ThreadID
	root   *Root
	frames []frame
	stack  []uint64
	allocs []ObjID
	ghosts []uint64
	tls    ObjID
	wait   wait
	start  *pending // not started yet
	held   []uint64 // locks of the entry's environment
	done   bool
	// serves are the arguments at Root.Serial that it runs with.
	serves []uint64
	// skipped: it was to run an entry before the roots, and is left out.
	skipped bool
	joined  bool // or detached
	result  []uint64
	handle  ObjID // what its handle points to, where that is a pointer
	masks   []string

	callback *callback // of threads that Register made
	init     bool      // it runs an init entry
	args     []uint64  // of init entries
}

// frame is an active call.
type frame struct {
	fn     *fn
	base   int // of its registers in the stack
	pc     int
	dst    slotType // of the caller, gets the result; n 0: none
	allocs int      // the stack objects of the caller and up
	once   uint64   // the control of the Once that called it
}

// pending is a call that a new thread will make.
type pending struct {
	fn   *fn
	args []uint64
}

// Root is a thread of a Harness.
type Root struct {
	// Func is the function the thread runs. Its arguments are inputs: pointers among them
	// may be shared with other roots' arguments of the same type, but for those at
	// Private.
	Func    *ir.Func
	Private []int
	// NonNull are the pointers among them that are never null.
	NonNull []int
	// Name and Kind are an entry's: the name is matched against Program.Exclusions; with
	// Config.Uniprocessor, kinds of interrupt handlers and bottom halves run to their
	// end, and not while they are masked.
	Name, Kind string
	// Holds names locks the environment holds around the run.
	Holds []string
	// Serial are the parameters that runs which overlap never have in common
	// (ir.Entry.Serial).
	Serial []int
}

// RootOf is the root that runs an entry.
func RootOf(e *ir.Entry) Root {
	return Root{Func: e.Func, Name: e.Name, Kind: e.Kind, Private: e.Private, NonNull: e.NonNull, Holds: e.Holds, Serial: e.Serial}
}

// Harness says what an execution starts with.
type Harness struct {
	// Init functions run to their ends, one after the other, before the threads.
	Init  []Root
	Roots []Root
	// Main: the return from the first root ends the program, as that of main does.
	Main bool
	// Stays: other threads go on when Main has returned, so that those that block for good
	// then are a deadlock.
	Stays bool
	// Registrations: a root starts only after a Register instruction for its kind, where
	// the program has one, and not after an Unregister. Roots that never can are left
	// out.
	Registrations bool
	// Registered are kinds that are registered when the threads start, whatever Init has
	// done (ir.Registrations).
	Registered []string
}

// HarnessOf is the harness of a driver: its init entries, then a thread for each of the
// given entries.
func HarnessOf(p *ir.Program, entries ...*ir.Entry) Harness {
	var h Harness
	for _, e := range p.Entries {
		if e.Init {
			h.Init = append(h.Init, RootOf(e))
		}
	}
	for _, e := range entries {
		h.Roots = append(h.Roots, RootOf(e))
	}
	return h
}

// MainOf is the harness of a program with a main function, which starts its threads
// itself.
func MainOf(f *ir.Func) Harness {
	return Harness{Roots: []Root{{Func: f, Name: f.Name, Kind: "main"}}, Main: true}
}

// Start makes the initial state of an execution. Init functions have been run; where they
// do not end, or fail, the state says so.
func (m *Program) Start(h Harness, in Inputs) *State {
	s := m.first.clone()
	s.in, s.harness, s.atomic, s.main = in, &h, -1, -1
	before, passed := s.passed(&h)
	if h.Registrations {
		s.bindStatic()
	}
	optional := s.optional(&h)
	for i := range h.Init {
		t := s.addThread(&h.Init[i], before[i])
		s.threads[t].init, s.threads[t].args = true, s.threads[t].start.args
		if optional[i] && s.skip(t) {
			continue
		}
		if s.notSetUp(before[i]) {
			s.status = Deadlock
			return s
		}
		if s.status == Done { // the entries before have ended, this one has not
			s.status = Running
		}
		for s.status == Running && !s.threads[t].done {
			if !s.CanStep(t) {
				s.status = Deadlock
				return s
			}
			s.Step(t)
		}
		if !optional[i] && s.refused(&h, i, t) {
			s.status = Deadlock
			return s
		}
	}
	if s.status == Done {
		s.status = Running
	}
	if s.status != Running {
		return s
	}
	if len(h.Registered) > 0 {
		s.regs = append(s.regs[:len(s.regs):len(s.regs)], s.p.kinds.In(h.Registered)...)
	}
	for i := range h.Roots {
		t := s.addThread(&h.Roots[i], passed[i])
		if h.Main && !h.Stays && i == 0 {
			s.main = t
		}
	}
	s.settleStatus()
	return s
}

// addThread adds a root thread with input arguments, but for those that init entries had.
func (s *State) addThread(r *Root, from []ir.From) ThreadID {
	t := s.newThread(s.p.fnOf[r.Func])
	th := s.threads[t]
	th.root = r
	s.th, s.cur, s.fr = th, nil, nil
	for i, p := range th.start.fn.params {
		v := make([]uint64, p.n)
		if a, ok := s.handed(from, i); ok {
			v[0] = a
			th.start.args = append(th.start.args, v...)
			continue
		}
		s.param = r.Func.Params[i]
		private := false
		for _, k := range r.Private {
			private = private || k == i
		}
		if pt, ok := p.typ.(ir.Ptr); ok {
			if ps := s.places(r, i); len(ps) > 0 {
				v[0] = s.registeredPointer(ps)
			} else {
				v[0] = s.pointer(InArg, pt, private, slices.Contains(r.NonNull, i))
			}
		} else {
			s.arbitrary(InArg, p.typ, v)
		}
		th.start.args = append(th.start.args, v...)
	}
	s.param = nil
	return t
}

// newThread makes a thread that has not started.
func (s *State) newThread(f *fn) ThreadID {
	t := ThreadID(len(s.threads))
	th := &thread{owner: s.epoch, id: t, start: &pending{fn: f}, ghosts: make([]uint64, s.p.nghost)}
	s.ownThreads()
	s.threads = append(s.threads, th)
	caller := s.th
	s.th = th
	th.tls = s.nextObj
	s.nextObj += ObjID(len(s.p.locals))
	for i, g := range s.p.locals {
		o := s.global(th.tls+ObjID(i), g)
		o.thread = t
		if g.IsSelf() {
			s.storeWords(mkAddr(o.id, 0), g.Type, []uint64{uint64(t) + 1})
			o = s.object(o.id)
			fill(o.mark, written)
			o.elastic = false
		}
	}
	s.th = caller
	return t
}

// ownThreads makes the list of threads one that other states do not share.
func (s *State) ownThreads() {
	if s.threadsShared {
		s.threads = append(make([]*thread, 0, len(s.threads)+len(s.threads)/4+4), s.threads...)
		s.threadsShared = false
	}
}

// Program returns the compiled program.
func (s *State) Program() *Program { return s.p }

// Status returns whether the execution can go on.
func (s *State) Status() Status { return s.status }

// Err returns the error of a Failed execution.
func (s *State) Err() *Error { return s.err }

// NumThreads returns how many threads there have been.
func (s *State) NumThreads() int { return len(s.threads) }

// Ended reports whether a thread has ended.
func (s *State) Ended(t ThreadID) bool { return s.threads[t].done }

// Result returns the words of the value a thread's function returned.
func (s *State) Result(t ThreadID) []uint64 { return s.threads[t].result }

// Inputs returns how many inputs were taken.
func (s *State) Inputs() int { return s.ninput }

// SetInputs changes where further inputs come from.
func (s *State) SetInputs(in Inputs) { s.in = in }

// ownThread returns the thread, or a copy of it that this state may write.
func (s *State) ownThread(t ThreadID) *thread {
	th := s.threads[t]
	if th.owner == s.epoch {
		return th
	}
	c := *th
	c.owner = s.epoch
	c.frames = append([]frame(nil), th.frames...)
	c.stack = append(make([]uint64, 0, len(th.stack)+16), th.stack...)
	c.allocs = append([]ObjID(nil), th.allocs...)
	c.ghosts = append([]uint64(nil), th.ghosts...)
	c.held = append([]uint64(nil), th.held...)
	c.masks = append([]string(nil), th.masks...)
	s.ownThreads()
	s.threads[t] = &c
	return &c
}
