package vm

import (
	"fmt"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
)

// MaxThreads is how many threads an execution may have, in all.
const MaxThreads = 64

// Config bounds and varies executions; zero values are the defaults.
type Config struct {
	// MaxDepth is how many calls may nest (1000), MaxObject the largest object in bytes
	// (1<<20), and MaxLocal how many local instructions a thread may execute in one step
	// (1<<20).
	MaxDepth  int
	MaxObject int64
	MaxLocal  int
	// Failures: what may fail without need does so, too.
	Failures bool
	// Attempts: an atomic section that turns out to block is an event, too, if it has
	// done anything before; see Machine.Parked.
	Attempts bool
	// Draw chooses one of n alternatives where the script of a step does not say; nil:
	// the first one.
	Draw func(n int) int
	// Names are the numbers of threads, shared with other machines; nil: its own.
	Names *Names
	// Stays: what is looked for are threads that wait for ever when main has returned; see
	// Machine.Deadlocked.
	Stays bool
	// Values are the answers to queries for numbers of more than one bit; nil: 0 and 1.
	Values []uint64
}

// State is what a thread is doing.
type State uint8

// The states of a thread.
const (
	Absent  State = iota // it does not exist yet
	Ready                // it stands before a visible operation
	Waiting              // at a condition or barrier
	Joining              // for the end of another thread
	Stuck                // an assumption is false, or it did something wrong
	Aborted              // it has ended the program
	Ended
)

// frame is an active call.
type frame struct {
	fn    int32 // index of the function
	base  int32 // of its registers in the stack
	pc    int32
	dst   operand // of the caller, gets the result
	bits  uint8   // of the result's type in the caller
	sign  bool
	once  uint64 // the control of the Once that called it
	alloc int32  // how many stack objects the callers have
}

// thread is a thread of the machine.
type thread struct {
	state  State
	frames []frame
	stack  []uint64
	locals []uint32 // its stack objects that are alive, innermost last
	// wait: the condition or barrier, the mutex to take again, how deep, and where the
	// answer goes.
	cond, mutex uint64
	depth       int32
	dst         operand
	reacquire   bool // signalled: takes the mutex again
	timed       bool
	signalled   bool
	order       int32 // of the waiters
	joins       int32 // the thread that it waits for
	joined      bool  // or detached
	waits       bool  // the operation that it stands before may block
	// main, before its first event, which is what it does before its first visible
	// operation
	fresh  bool
	result uint64
	kids   int32 // threads that it has started, in all
	saved  int32 // frames from here on are saved for the event under way; -1: nothing is
}

// Failure is what a thread did wrong. The place is that of the instruction.
type Failure struct {
	Thread int
	Kind   interp.ErrorKind
	Src    any // ir.Instr or ir.Term
	Func   *ir.Func
}

// Answer is an input that was taken.
type Answer struct {
	Thread int
	Src    any // ir.Instr or ir.Term
	Value  uint64
}

// Own says how often a thread has executed an instruction that accesses memory, outside
// of atomic sections, where nobody else could notice it.
type Own struct {
	Thread int
	Src    any // ir.Instr
	N      int
}

// Edge says that what From has done comes before what To does from now on.
type Edge struct{ From, To int }

// Cell is what a single access of memory found, outside of atomic sections: the bytes
// that were there before, and, of an exchange, those that it wants there.
type Cell struct {
	Before, Want uint64
	// Known: the bytes had values, and all this is so.
	Known bool
}

// Forgone is the timeout of a thread that a signal has woken before. Cell is the
// condition.
type Forgone struct {
	Thread int
	Cell   Op
}

// Machine is a state of an execution. It is used by one goroutine.
type Machine struct {
	p   *Program
	cfg Config

	regions []region // of the globals, then one a thread
	threads []thread
	cells   []syncCell
	names   map[Name]int // of the threads that there have been here
	journal []uint64

	// What the last step did.
	ops      []Op
	edges    []Edge
	cell1    Cell
	forgone  []Forgone
	failures []Failure
	answers  []Answer
	own      []Own
	script   []int // alternatives to take in this step, then 0
	asked    []int // numbers of alternatives
	sampled  bool
	reason   string // why the machine does not go on

	// Record makes Accesses tell what the last event accessed, with values.
	Record   bool
	accesses []Access

	// For HashAlike: how each thread was started, what it finds of a state, and what it
	// has found out about threads that wait for others.
	starts  []start
	owned   []owner
	subs    []Hash
	joiners map[Hash]bool

	joining uint64  // no other threads wait for the end of one; never taken back
	reads   []bool  // which parameters of main are read
	depth   int     // of atomic sections
	queues  []queue // of the section under way
	message bool    // the event sends or receives a message, and is nothing else
	// an operation on a queue would wait for a message or room, were the queue not closed
	forClose bool
	touched  []int32 // threads that were saved for the step under way
	tried    []Op    // see Tried
	born     []int32 // threads whose local operations are to be executed
	late     []int32 // and those after the atomic section
	scratch  []uint64
	fuzzy    bool
	hush     bool // the access is quiet
	parked   bool
	broke    bool
	assumed  bool  // an assumption was made in an atomic section
	src, at  int32 // of the operation that is executed, and of the event; see Op.Src
	args     []uint64
}

// Access is a read or write of the last event, where Machine.Record is set.
type Access struct {
	Thread int
	Addr   uint64
	Size   int64
	Write  bool
	Atomic bool
	Value  uint64
	Src    any
}

// New makes the machine of a program that starts with a function. Its first event is what
// that function does before its first visible operation; its parameters are arbitrary.
func New(p *Program, main *ir.Func, cfg Config) (*Machine, error) {
	if cfg.MaxDepth == 0 {
		cfg.MaxDepth = 1000
	}
	if cfg.MaxObject == 0 {
		cfg.MaxObject = 1 << 20
	}
	if cfg.MaxLocal == 0 {
		cfg.MaxLocal = 1 << 20
	}
	if cfg.Values == nil {
		cfg.Values = []uint64{0, 1}
	}
	if cfg.Names == nil {
		cfg.Names = NewNames(nil)
	}
	i := p.index(main)
	if main == nil || i < 0 || len(p.funcs[i].code) == 0 {
		return nil, fmt.Errorf("vm: the program has no such function with a body")
	}
	m := &Machine{p: p, cfg: cfg, names: map[Name]int{}, threads: make([]thread, 0, MaxThreads),
		regions: make([]region, 0, MaxThreads+1)} // they never move
	m.regions = append(m.regions, p.first.clone())
	m.begin(0, i, nil)
	m.threads[0].fresh = true
	m.reads = irutil.ReadParams(main)
	m.endStep()
	return m, nil
}

// Parent tells which thread has started a thread, and how many that one had started
// before; -1 for main.
func (m *Machine) Parent(t int) (parent, k int) {
	for name, u := range m.names {
		if u == t {
			return int(name.Parent), int(name.K)
		}
	}
	return -1, 0
}

// At is the number of the visible operation of the last event, -1 for main's first event;
// see Program.Source.
func (m *Machine) At() int32 { return m.at }

// Names are the numbers of threads.
func (m *Machine) Names() *Names { return m.cfg.Names }

// Program is what the machine runs.
func (m *Machine) Program() *Program { return m.p }

// Threads is how many threads there have been in any execution of the machine; some may
// be Absent now.
func (m *Machine) Threads() int { return len(m.threads) }

// ThreadState tells what a thread does.
func (m *Machine) ThreadState(t int) State { return m.threads[t].state }

// AllEnded reports whether no thread is left.
func (m *Machine) AllEnded() bool {
	for t := range m.threads {
		if s := m.threads[t].state; s != Ended && s != Absent {
			return false
		}
	}
	return true
}

// Unsupported tells why the machine cannot go on; "" where it can.
func (m *Machine) Unsupported() string { return m.reason }

// Sampled reports whether an arbitrary number was answered by Config.Values alone.
func (m *Machine) Sampled() bool { return m.sampled }

// Ops are the cells that the last event touched, each with the strongest access. It is
// valid until the next step.
func (m *Machine) Ops() []Op { return m.ops }

// Edges are the orders that the last step made besides those of its cells, in their
// order.
func (m *Machine) Edges() []Edge { return m.edges }

// Cell is what the last event found, where it was a single access of memory.
func (m *Machine) Cell() Cell { return m.cell1 }

// Forgone are the timeouts that the last step has made impossible.
func (m *Machine) Forgone() []Forgone { return m.forgone }

// Failures are what went wrong in the last step.
func (m *Machine) Failures() []Failure { return m.failures }

// Answers are the inputs of the last step.
func (m *Machine) Answers() []Answer { return m.answers }

// Own tells of the accesses behind the last event that nobody else could notice, of
// instructions that others may notice elsewhere. An instruction may be there several
// times.
func (m *Machine) Own() []Own { return m.own }

// Asked are how many alternatives each query of the last step had, those with one
// alternative left out.
func (m *Machine) Asked() []int { return m.asked }

// Accesses tells what the last event accessed, where Record is set.
func (m *Machine) Accesses() []Access { return m.accesses }

// Enabled appends the threads that can make an event to buf.
func (m *Machine) Enabled(buf []int) []int {
	for t := range m.threads {
		if m.CanStep(t) {
			buf = append(buf, t)
		}
	}
	return buf
}

// Deadlocked reports whether no thread can make an event, some wait for each other, and
// main has not ended; with Config.Stays, whether it has ended and others wait. As in
// package interp, a thread in front of an atomic section that would block in its middle is
// none that waits.
func (m *Machine) Deadlocked() bool {
	if (m.threads[0].state == Ended) != m.cfg.Stays {
		return false
	}
	waits := false
	for t := range m.threads {
		s := m.threads[t].state
		if s == Stuck || s == Aborted || m.CanStep(t) {
			return false
		}
		waits = waits || s != Ended && s != Absent
	}
	return waits
}

// thread makes the thread with a parent and a number there; its name is the same in all
// executions.
func (m *Machine) name(parent, k int32) (int, bool) {
	key := Name{parent, k}
	if t, ok := m.names[key]; ok {
		return t, true
	}
	t := m.cfg.Names.number(key)
	if t >= MaxThreads {
		return 0, false
	}
	m.names[key] = t
	m.grow(t)
	return t, true
}

func (m *Machine) grow(t int) {
	for len(m.threads) <= t {
		m.threads = append(m.threads, thread{saved: -1})
		m.regions = append(m.regions, region{})
	}
}

// begin makes thread t, which will call a function.
func (m *Machine) begin(t, f int, args []uint64) {
	m.grow(t)
	th := &m.threads[t]
	m.saveThread(t)
	*th = thread{state: Ready, frames: th.frames[:0], stack: th.stack[:0], locals: th.locals[:0], dst: none, joins: -1,
		saved: th.saved}
	for _, g := range m.p.locals {
		m.addGlobal(t+1, g)
	}
	if len(m.p.funcs[f].code) == 0 {
		th.state = Ended
		return
	}
	m.push(t, f, none, args)
}

// CanStep reports whether a thread can make an event now, as far as that is known before
// it is tried: one whose atomic section turns out to block cannot (see Step).
func (m *Machine) CanStep(t int) bool {
	th := &m.threads[t]
	switch th.state {
	case Ready:
		if !th.waits && !th.reacquire {
			return true
		}
		return th.fresh || th.reacquire && m.canReacquire(t) || !th.reacquire && m.ready(t)
	case Waiting:
		return th.timed
	}
	return false
}

// pending is the instruction that a thread stands before.
func (m *Machine) pending(t int) (*fn, *ins, []uint64) {
	th := &m.threads[t]
	fr := &th.frames[len(th.frames)-1]
	f := m.p.funcs[fr.fn]
	return f, &f.code[fr.pc], th.stack[fr.base : int(fr.base)+f.slots]
}

// Place is the instruction or terminator that a thread stands before or in, and its
// function; nil for one that has ended.
func (m *Machine) Place(t int) (any, *ir.Func) {
	th := &m.threads[t]
	if len(th.frames) == 0 {
		return nil, nil
	}
	fr := &th.frames[len(th.frames)-1]
	f := m.p.funcs[fr.fn]
	pc := fr.pc
	if th.state == Waiting || th.state == Joining || th.reacquire {
		pc--
	}
	return f.src[min(int(pc), len(f.src)-1)], f.f
}

// current is the instruction or terminator that a thread is executing, whose pc is behind
// it.
func (m *Machine) current(t int) (any, *ir.Func) {
	th := &m.threads[t]
	if len(th.frames) == 0 {
		return nil, nil
	}
	fr := &th.frames[len(th.frames)-1]
	f := m.p.funcs[fr.fn]
	return f.src[max(0, fr.pc-1)], f.f
}

// Digest identifies the state of memory and of what the threads have returned, the same
// for equal states of equivalent executions.
func (m *Machine) Digest() uint64 {
	h := uint64(14695981039346656037)
	add := func(v uint64) { h = (h ^ v) * 1099511628211; h ^= h >> 29 }
	for i := range m.regions {
		r := &m.regions[i]
		for _, o := range r.objs {
			if o.dead || o.konst {
				continue
			}
			add(uint64(o.off))
			for k := o.off; k < o.off+o.size; k++ {
				if r.mark[k] == written {
					add(uint64(r.mem[k]))
				} else {
					add(1 << 8)
				}
			}
		}
	}
	for i := range m.threads {
		if m.threads[i].state != Absent {
			add(uint64(i)<<8 | uint64(m.threads[i].state))
			add(m.threads[i].result)
		}
	}
	return h
}

// MayRace reports whether the operation that a thread stands before may be an access that
// races, or begins an atomic section.
func (m *Machine) MayRace(t int) bool {
	if th := &m.threads[t]; th.state != Ready || th.reacquire || th.fresh {
		return false
	}
	_, in, _ := m.pending(t)
	return in.op == opAtomicBegin || in.op == opAwait || in.op >= opLoad && in.op <= opFree || in.op == opSpawn || in.op == opReturn
}
