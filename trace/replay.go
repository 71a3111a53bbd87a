package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
)

// Execution is a trace that was run.
type Execution struct {
	Trace   *Trace
	Threads []string // names, by number
	// Before are the calls that were made before the threads start, one after the other,
	// beside those that initialise.
	Before []string
	Steps  []Step
	// Switches and Preemptions count where the thread changes, and where the one that is
	// left could have gone on.
	Switches, Preemptions int
	// Waits says of each thread in a deadlock what it waits for.
	Waits []Wait
	// Guesses are where the execution takes values that the program's text does not show
	// to be possible: contents of memory that code not seen writes, results of such code,
	// conversions of values that are not followed.
	Guesses []Guess
	// Lost are heap objects that nothing leads to at the end, of an execution that leaves
	// memory behind; see interp.State.Lost.
	Lost []string
}

// Guess is a value that may never be: where it is used first, and the call or havoc that
// yields it; nil of contents of memory and conversions.
type Guess struct {
	Pos ir.Pos
	By  ir.Instr
}

// Step is an instruction that others may notice.
type Step struct {
	Thread interp.ThreadID
	Func   string
	Pos    ir.Pos
	Text   string // what happened
	Locks  []string
	// Switch: the thread changes before it, from From; Preempted: which could have gone
	// on.
	Switch, Preempted bool
	From              interp.ThreadID
	// Last marks the step, or the two accesses, that the bug consists in.
	Last bool
	// Again marks the first step of the cycle that a livelock consists in.
	Again bool
}

// player runs a schedule.
type player struct {
	h     interp.Harness
	s     *interp.State
	x     *Execution
	last  interp.ThreadID
	funcs map[interp.ThreadID]string
	taken map[interp.ThreadID]map[interp.Addr]ir.Pos // where locks were taken
	// sections are the named sections that threads are in, with their steps; locked the
	// locks they hold without the interpreter's knowing.
	sections map[interp.ThreadID]int
	locked   []locked
	races    *interp.Races
	raced    []interp.Race
	quiet    bool             // no texts: for shortening
	turn     int              // the step with which the last thread's turn begins
	idle     string           // what to say of that turn where there is nothing to say
	within   inside           // of a race
	other    bool             // the accesses of a race are made in the other order
	used     map[*ir.Reg]bool // registers that are read; nil: not known yet
	// Of a livelock: the state in which its cycle begins, and the first step of it (-1:
	// it has not begun).
	again interp.Hash
	cycle int
	// objects are those that no variable names, by where they were allocated, in the order
	// in which they were met; see describe.
	objects map[string][]interp.ObjID
}

func newPlayer(m *interp.Program, h interp.Harness, t *Trace, quiet bool) *player {
	p := &player{h: h, x: &Execution{Trace: t}, last: -1, quiet: quiet, funcs: map[interp.ThreadID]string{}, taken: map[interp.ThreadID]map[interp.Addr]ir.Pos{}, races: interp.NewRaces(), sections: map[interp.ThreadID]int{}, cycle: -1}
	p.s = m.Start(h, interp.InputFunc(p.input))
	return p
}

// input answers as the trace says, and notes what is a guess.
func (p *player) input(q *interp.Query) uint64 {
	if g := (Guess{Pos: q.Pos}); !p.quiet && guess(q) && p.matters(q) {
		if q.Kind == interp.InHavoc {
			g.By = q.Instr
		}
		if !slices.Contains(p.x.Guesses, g) {
			p.x.Guesses = append(p.x.Guesses, g)
		}
	}
	return interp.List(p.x.Trace.Inputs).Input(q)
}

// matters reports whether what a query is for is read at all.
func (p *player) matters(q *interp.Query) bool {
	var dst *ir.Reg
	switch i := q.Instr.(type) {
	case *ir.Havoc:
		dst = i.Dst
	case *ir.Load:
		dst = i.Dst
	}
	if dst == nil || p.s == nil {
		return true
	}
	if p.used == nil {
		p.used = map[*ir.Reg]bool{}
		note := func(e ir.Expr) {
			ir.WalkExpr(e, func(e ir.Expr) bool {
				if u, ok := e.(ir.Use); ok {
					p.used[u.Reg] = true
				}
				return true
			})
		}
		for _, f := range p.s.Program().IR.Funcs {
			for e := range f.Exprs() {
				note(e)
			}
		}
	}
	return p.used[dst]
}

// guess reports whether the answer to a query is made up.
func guess(q *interp.Query) bool {
	switch q.Kind {
	case interp.InHavoc:
		switch q.Instr.(type) {
		case *ir.Havoc, *ir.Call:
			return true
		}
	case interp.InMemory, interp.InOpaque:
		return true
	case interp.InPointer:
		if q.Given {
			return false
		}
		h, ok := q.Instr.(*ir.Havoc)
		return !ok || !h.Input
	}
	return false
}

// Replay runs a trace and checks that the bug shows; the error says where the execution
// takes another way.
func Replay(m *interp.Program, h interp.Harness, t *Trace) (*Execution, error) {
	p, err := play(m, h, t, false)
	if err != nil {
		return nil, err
	}
	p.x.Threads, p.x.Before = p.threadNames(), p.before()
	return p.x, nil
}

// before are the entries that ran before the threads start and do not initialise
// anything, with those of their arguments that are numbers.
func (p *player) before() []string {
	var out []string
	for i := range p.h.Init {
		r := &p.h.Init[i]
		e := p.s.Program().IR.EntryByName(r.Name)
		args, ran := p.s.Before(i)
		if e == nil || e.Init || !ran {
			continue
		}
		var nums []string
		for k, q := range r.Func.Params {
			if t, ok := q.Type.(ir.Int); ok {
				nums = append(nums, fmt.Sprintf("%s=%s", q.Name, number(args[k], t)))
			}
		}
		call := e.Name
		if len(nums) > 0 {
			call += "(" + strings.Join(nums, ", ") + ")"
		}
		out = append(out, call)
	}
	return out
}

// errUnseen: the detector by happens-before does not see a race, whose accesses are made
// in some order.
var errUnseen = errors.New("the race detector does not see it")

// play runs a trace up to its bug. The accesses of a race are made in the order in which
// the detector sees them: after one of them, the other thread may take another way.
func play(m *interp.Program, h interp.Harness, t *Trace, quiet bool) (*player, error) {
	var first error
	for _, other := range []bool{false, true} {
		p := newPlayer(m, h, t, quiet)
		p.other = other
		if t.Bug.Kind != "race" && quiet {
			p.races = nil
		}
		err := p.schedule(t.Schedule)
		if err == nil {
			p.fill()
			if t.Bug.Kind == "race" {
				p.begin(&t.Bug)
			}
			pre, sw := p.x.Preemptions, p.x.Switches
			err = p.bug()
			// the accesses are side by side: who goes first is not counted
			if t.Bug.Kind == "race" {
				p.x.Preemptions, p.x.Switches = pre, sw
			}
		}
		if err == nil || !errors.Is(err, errUnseen) {
			return p, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// begin counts the starts of threads of a race that have taken no step before their
// access: to get there, they must have been given a turn.
func (p *player) begin(b *Bug) {
	last, could := p.last, p.last >= 0 && p.s.CanStep(p.last)
	for _, id := range []interp.ThreadID{b.Thread, b.Other} {
		if p.funcs[id] != "" || id == last || int(id) >= p.s.NumThreads() {
			continue
		}
		if !p.quiet {
			s := Step{Thread: id, Pos: p.s.Next(id).Pos, Text: "starts", Switch: last >= 0, Preempted: could, From: last}
			if f := p.s.Next(id).Func; f != nil {
				s.Func = f.Name
			}
			p.x.Steps = append(p.x.Steps, s)
		}
		if last >= 0 {
			p.x.Switches++
		}
		if could {
			p.x.Preemptions++
		}
		last, could = id, true
	}
	p.last = last
}

func (p *player) threadNames() []string {
	h := p.h
	out := make([]string, p.s.NumThreads())
	for i := range out {
		out[i] = fmt.Sprintf("T%d", i)
		if f := p.funcs[interp.ThreadID(i)]; f != "" {
			// how the Go front end calls what it starts a function in
			f, _, _ = strings.Cut(f, " (goroutine)")
			out[i] += " " + ir.PlainName(f)
		}
	}
	n := len(h.Init)
	for i, r := range append(append([]interp.Root(nil), h.Init...), h.Roots...) {
		if i < len(out) && r.Name != "" {
			out[i] = r.Name
			if i >= n && len(h.Roots) > 1 {
				out[i] = fmt.Sprintf("%s (T%d)", r.Name, i)
			}
		}
	}
	return out
}

func (p *player) schedule(rs []Run) error {
	taken := 0
	for i, r := range rs {
		if int(r.Thread) >= p.s.NumThreads() {
			return fmt.Errorf("run %d: there is no thread %d yet", i, r.Thread)
		}
		for range r.Steps {
			if p.s.Status() != interp.Running {
				return fmt.Errorf("run %d: the execution has ended: %s", i, p.outcome())
			}
			if !p.s.CanStep(r.Thread) {
				return fmt.Errorf("run %d: thread %d cannot step at %s", i, r.Thread, p.s.Next(r.Thread).Pos)
			}
			if p.x.Trace.Bug.Kind == livelock && taken == p.x.Trace.Bug.Loop {
				p.again, p.cycle = p.s.Hash(), len(p.x.Steps)
			}
			p.macro(r.Thread)
			taken++
		}
	}
	return nil
}

// livelock is the kind of a bug whose schedule ends with a cycle.
const livelock = "livelock"

// repeats checks that the cycle at the end of a schedule leads to where it begins.
func (p *player) repeats() error {
	if p.s.Status() != interp.Running || p.cycle < 0 || p.s.Hash() != p.again {
		return fmt.Errorf("the schedule does not end with a cycle: %s", p.outcome())
	}
	if p.cycle < len(p.x.Steps) {
		p.x.Steps[p.cycle].Again = true
	}
	return nil
}

func (p *player) outcome() string {
	if e := p.s.Err(); e != nil {
		return e.Error()
	}
	return p.s.Status().String()
}

// macro is a step of a schedule.
func (p *player) macro(id interp.ThreadID) { macro(p.s, id, func() int { return p.step(id) }) }

// step is one instruction; it returns by how much the nesting of atomic sections changes.
func (p *player) step(id interp.ThreadID) int {
	could := p.last >= 0 && p.last != id && int(p.last) < p.s.NumThreads() && p.s.CanStep(p.last)
	ev := p.s.Step(id)
	if ev.Kind == interp.Start {
		if st := p.s.Stack(id); len(st) > 0 {
			p.funcs[id] = st[len(st)-1].Func.Name
		}
	}
	if p.races != nil {
		p.raced = append(p.raced, p.races.Observe(ev)...)
	}
	p.within.see(ev)
	depth := 0
	for _, o := range ev.Sync {
		switch o.Kind {
		case interp.SyncAtomicBegin:
			depth++
			if a, ok := ev.Instr.(*ir.Await); ok {
				p.hold(id, a, o.Addr, ev.Pos())
			}
		case interp.SyncAtomicEnd:
			depth--
		case interp.SyncAcquire:
			if p.taken[id] == nil {
				p.taken[id] = map[interp.Addr]ir.Pos{}
			}
			p.taken[id][o.Addr] = ev.Pos()
		}
	}
	sw := p.last >= 0 && p.last != id
	if sw {
		p.x.Switches++
		if could {
			p.x.Preemptions++
		}
	}
	if !p.quiet {
		p.note(id, ev, sw, could)
	}
	p.last = id
	return depth
}

// bug checks that the end of the schedule shows the bug.
func (p *player) bug() error {
	b := &p.x.Trace.Bug
	switch b.Kind {
	case "race":
		return p.race(b)
	case "deadlock", "goroutine-leak":
		if p.s.Status() != interp.Deadlock {
			return fmt.Errorf("no deadlock: %s", p.outcome())
		}
		p.waits()
		return nil
	case livelock:
		return p.repeats()
	}
	want, tag := interp.ErrorKind(b.Kind), ""
	switch b.Kind {
	case "reach_error", "panic", "overflow", "overflow-unclear", "memcleanup", "memcleanup-unclear": // assertions, by their tags
		want, tag = interp.ErrAssert, b.Kind
	}
	e := p.s.Err()
	if e == nil || e.Kind != want || tag != "" && e.Tag != tag || e.Pos != b.At.Pos() || e.Thread != b.Thread {
		return fmt.Errorf("want %s at %s, the execution ends with: %s", b.Kind, b.At.Pos(), p.outcome())
	}
	if n := len(p.x.Steps); n > 0 {
		p.x.Steps[n-1].Last = true
	}
	if b.Kind == "memcleanup" && !p.quiet {
		if lost, sure := p.s.Lost(); sure {
			p.x.Lost = lost
		}
	}
	return nil
}

// race checks that both threads are about to access the same bytes, one to write, not
// both atomically, and then lets both do so: the detector must report them as well. An
// access inside an atomic section comes second.
func (p *player) race(b *Bug) error {
	if p.s.Status() != interp.Running {
		return fmt.Errorf("the execution ends before the race: %s", p.outcome())
	}
	first, second, at, too := b.Thread, b.Other, b.At.Pos(), b.AtToo.Pos()
	for _, id := range []interp.ThreadID{first, second} {
		if int(id) >= p.s.NumThreads() || !p.s.CanStep(id) {
			return fmt.Errorf("thread %d cannot step before its access", id)
		}
		p.settle(id)
	}
	if _, ok := p.peek(first, at); !ok {
		first, second, at, too = second, first, too, at
	}
	x, ok := p.peek(first, at)
	if !ok {
		return fmt.Errorf("thread %d is at %s, not before %s", first, p.s.Next(first).Pos, at)
	}
	if y, ok := p.peek(second, too); ok {
		// unless by what follows in an atomic section, of which one has just the place
		if !interp.Conflict(x, y) {
			switch {
			case section(p.s.Next(second).Instr):
			case section(p.s.Next(first).Instr):
				first, second = second, first
			default:
				return fmt.Errorf("%s and %s do not access the same memory", at, too)
			}
		}
		// the use comes before, or it would be an error
		if frees(p.s.Next(second).Instr) {
			first, second = second, first
		}
	} else if !section(p.s.Next(second).Instr) {
		return fmt.Errorf("thread %d is at %s, not before %s", second, p.s.Next(second).Pos, too)
	}
	if y, _ := p.peek(second, too); section(p.s.Next(first).Instr) && !section(p.s.Next(second).Instr) {
		p.within = inside{thread: first, at: at, with: y}
	} else {
		p.within = inside{thread: second, at: too, with: x}
	}
	if p.other {
		first, second = second, first
	}
	n, twice := len(p.x.Steps), frees(p.s.Next(first).Instr) && frees(p.s.Next(second).Instr)
	p.macro(second)
	p.macro(first)
	for i := n; i < len(p.x.Steps); i++ {
		p.x.Steps[i].Last = true
	}
	for _, r := range p.raced {
		a, b := r.First.Instr.At(), r.Second.Instr.At()
		// Of a thread's accesses of a section, the detector may report another one.
		if pair(a, b, at, too) || p.within.made && p.within.instead(&r, at, too) {
			return nil
		}
	}
	// The second of two frees is an error, and no access that the detector sees.
	if e := p.s.Err(); twice && e != nil && e.Kind == interp.ErrDoubleFree {
		return nil
	}
	return fmt.Errorf("%s and %s: %w", at, too, errUnseen)
}

func frees(in ir.Instr) bool {
	_, ok := in.(*ir.Free)
	return ok
}

// inside is an access that a thread is to make in an atomic section, at a place, which
// conflicts with others.
type inside struct {
	thread interp.ThreadID
	at     ir.Pos
	with   []interp.Access
	made   bool
}

// instead reports whether a race is that of another access of the section with the access
// outside of it.
func (i *inside) instead(r *interp.Race, at, too ir.Pos) bool {
	a, b := &r.First, &r.Second
	if a.Thread == i.thread {
		a, b = b, a
	}
	return b.Thread == i.thread && a.Thread != i.thread && (a.Instr.At() == at || a.Instr.At() == too)
}

// see notes whether an event makes the access.
func (i *inside) see(ev *interp.Event) {
	if i.with != nil && ev.Thread == i.thread && ev.Pos() == i.at && interp.Conflict(ev.Accesses, i.with) {
		i.made = true
	}
}

// section reports whether an instruction begins an atomic section.
func section(in ir.Instr) bool {
	switch in.(type) {
	case *ir.AtomicBegin, *ir.Await:
		return true
	}
	return false
}

func pair(a, b, x, y ir.Pos) bool { return a == x && b == y || a == y && b == x }

// settle runs a thread up to before its next step that others may notice.
func (p *player) settle(id interp.ThreadID) {
	for n := 0; p.s.Status() == interp.Running && p.s.CanStep(id) && !p.s.Visible(id) && n < interp.MaxInvisible; n++ {
		ev := p.s.Step(id)
		if st := p.s.Stack(id); ev.Kind == interp.Start && len(st) > 0 {
			p.funcs[id] = st[len(st)-1].Func.Name
		}
		if p.races != nil {
			p.raced = append(p.raced, p.races.Observe(ev)...)
		}
	}
}

// peek is what the thread's next step accesses, if it is at a place.
func (p *player) peek(id interp.ThreadID, at ir.Pos) ([]interp.Access, bool) {
	if p.s.Next(id).Pos != at {
		return nil, false
	}
	return append([]interp.Access(nil), p.s.Peek(id).Accesses...), true
}
