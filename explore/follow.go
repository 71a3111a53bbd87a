package explore

import (
	"context"
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
)

// Step is an event of an execution that another machine has run: the thread's operation
// that others may notice.
type Step struct {
	Thread int // see Path.Parents
	// At is the ir.Instr or ir.Term of the operation; nil for what main does before its first one.
	At any
	// Answers are the inputs that the thread took in this event and in the local
	// instructions behind it.
	Answers []StepAnswer
}

// StepAnswer is an input, and the thread and the ir.Instr or ir.Term that took it: a thread
// that an event starts goes on to its first operation that others may notice.
type StepAnswer struct {
	Thread int
	At     any
	Value  uint64
}

// Path is an execution of another machine that goes wrong, for Follow.
type Path struct {
	Steps []Step
	// Parents tells of each thread which one has started it, and how many that one had
	// started before; -1 for main.
	Parents [][2]int
	// What goes wrong behind the steps: an error at an instruction, a deadlock, or two
	// accesses that race.
	Kind     interp.ErrorKind
	Deadlock bool
	// Thread and At are where the error is, or the first access of a race; Other and
	// OtherAt where its second one is.
	Thread, Other int
	At, OtherAt   any
}

// Follow runs an execution of another machine in the interpreter, and makes a Finding of
// what goes wrong there. An error says where the interpreter went another way, or that
// nothing goes wrong: then it is no finding.
func Follow(m *interp.Program, h interp.Harness, p Path) (*Finding, error) {
	if p.Deadlock || p.Kind != "" {
		f, err := startFollower(m, h, &p)
		if err != nil {
			return nil, err
		}
		if p.Deadlock {
			return f.deadlock()
		}
		return f.failure()
	}
	for skip := 0; ; skip++ {
		f, err := startFollower(m, h, &p)
		if err != nil {
			return nil, err
		}
		x, again, err := f.race(skip)
		if err == nil || !again || skip == maxSkip {
			return x, err
		}
	}
}

// maxSkip is how often the instruction of a race may access what its thread has for itself,
// where the other machine notices nothing, before it makes the access of the race.
const maxSkip = 8

// startFollower makes the steps of a path.
func startFollower(m *interp.Program, h interp.Harness, p *Path) (*follower, error) {
	f := &follower{path: p, ids: map[int]interp.ThreadID{0: 0}, kids: map[interp.ThreadID][]interp.ThreadID{},
		last: -1}
	for _, st := range p.Steps {
		f.answers = append(f.answers, st.Answers...)
	}
	f.s = m.Start(h, interp.InputFunc(f.answer))
	for i, st := range p.Steps {
		if err := f.step(st); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
	}
	return f, nil
}

// follower is an execution of the interpreter along a path.
type follower struct {
	path     *Path
	s        *interp.State
	ids      map[int]interp.ThreadID // of the path's threads
	kids     map[interp.ThreadID][]interp.ThreadID
	answers  []StepAnswer // that are left
	given    []uint64
	schedule []interp.ThreadID
	last     interp.ThreadID
	cost     int
	ahead    map[int][]any // operations that were made before their turn
}

// answer answers a query as the path has it; what the other machine did not ask is 0.
func (f *follower) answer(q *interp.Query) uint64 {
	v := uint64(0)
	for i, a := range f.answers {
		if id, err := f.id(a.Thread); err == nil && id == q.Thread && (a.At == any(q.Instr) || a.At == any(q.Term)) {
			v, f.answers = a.Value, slices.Delete(f.answers, i, i+1)
			break
		}
	}
	f.given = append(f.given, v)
	return v
}

// id is the interpreter's number of a thread of the path.
func (f *follower) id(t int) (interp.ThreadID, error) {
	if id, ok := f.ids[t]; ok {
		return id, nil
	}
	parent := f.path.Parents[t]
	up, err := f.id(parent[0])
	if err != nil {
		return 0, err
	}
	if parent[1] >= len(f.kids[up]) {
		return 0, fmt.Errorf("thread %d does not exist yet", t)
	}
	f.ids[t] = f.kids[up][parent[1]]
	return f.ids[t], nil
}

// macro makes a macro step of a thread, and returns the first visible operation in it.
func (f *follower) macro(t interp.ThreadID) any {
	if t != f.last && f.last >= 0 && f.s.CanStep(f.last) {
		f.cost++
	}
	f.last = t
	f.schedule = append(f.schedule, t)
	if !started(f.s, t) {
		f.s.Settle(t)
		return nil
	}
	var first any
	inside := false
	for n := 0; n < maxSection; n++ {
		e := f.s.StepVisible(t)
		if n == 0 {
			first = source(e)
		}
		for _, op := range e.Sync {
			if op.Kind == interp.SyncSpawn {
				f.kids[t] = append(f.kids[t], op.Other)
			}
		}
		if inside = stillInside(inside, e); !inside || f.s.Status() != interp.Running || f.s.Ended(t) {
			break
		}
	}
	return first
}

// source is what an event executed.
func source(e *interp.Event) any {
	if e.Instr != nil {
		return e.Instr
	}
	if e.Term != nil {
		return e.Term
	}
	return nil
}

// can reports whether a thread can go on, after those have ended whose end it waits for:
// that is no event of the path.
func (f *follower) can(t interp.ThreadID) bool {
	for f.s.Status() == interp.Running && !f.s.CanStep(t) {
		kind, _, u := f.s.Wants(t)
		if kind != interp.WantsThread || u == t || !f.can(u) {
			return false
		}
		f.macro(u)
	}
	return f.s.Status() == interp.Running
}

// step makes the macro steps of an event.
func (f *follower) step(st Step) error {
	if st.At == nil {
		return nil
	}
	if i := slices.Index(f.ahead[st.Thread], st.At); i >= 0 {
		f.ahead[st.Thread] = slices.Delete(f.ahead[st.Thread], i, i+1)
		return nil
	}
	t, err := f.spawned(st.Thread)
	if err != nil {
		return err
	}
	_, ret := st.At.(*ir.Return)
	depth := len(f.s.Stack(t))
	for f.can(t) {
		at := f.macro(t)
		if at == st.At {
			return nil
		}
		if ret && len(f.s.Stack(t)) < depth { // what follows was made with it
			if f.ahead == nil {
				f.ahead = map[int][]any{}
			}
			f.ahead[st.Thread] = append(f.ahead[st.Thread], at)
			return nil
		}
	}
	if f.s.Status() == interp.Failed && f.s.Err().Thread == t {
		return nil // the operation is an error
	}
	return fmt.Errorf("thread %d does not come to %v", st.Thread, position(st.At))
}

// spawned is id; where the thread does not exist yet, its parent goes on until it does.
func (f *follower) spawned(t int) (interp.ThreadID, error) {
	for {
		id, err := f.id(t)
		if err == nil {
			return id, nil
		}
		up, err2 := f.spawned(f.path.Parents[t][0])
		if err2 != nil || !f.can(up) {
			return 0, err
		}
		f.macro(up)
	}
}

func position(at any) ir.Pos {
	switch x := at.(type) {
	case ir.Instr:
		return x.At()
	case ir.Term:
		return x.At()
	}
	return ir.Pos{}
}

// finding is a finding about the state that was reached.
func (f *follower) finding(x *Finding) *Finding {
	x.Schedule, x.Inputs, x.Preemptions = slices.Clone(f.schedule), slices.Clone(f.given[:f.s.Inputs()]), f.cost
	return x
}

// failure lets the thread go on until it fails.
func (f *follower) failure() (*Finding, error) {
	t, err := f.spawned(f.path.Thread)
	for err == nil && f.can(t) {
		f.macro(t)
	}
	e := f.s.Err()
	if e == nil || e.Kind != f.path.Kind {
		return nil, fmt.Errorf("no error %s: the execution is %s", f.path.Kind, f.s.Status())
	}
	return f.finding(&Finding{Kind: string(e.Kind), Err: e}), nil
}

// deadlock lets all threads go on until none can.
func (f *follower) deadlock() (*Finding, error) {
	for n := 0; f.s.Status() == interp.Running && n < maxSection; n++ {
		ts := f.s.Enabled()
		if len(ts) == 0 {
			break
		}
		f.macro(ts[0])
	}
	if f.s.Status() != interp.Deadlock {
		return nil, fmt.Errorf("no deadlock: the execution is %s", f.s.Status())
	}
	return f.finding(&Finding{Kind: KindDeadlock, Blocked: blocked(f.s)}), nil
}

// race brings both threads in front of their accesses, and looks whether these conflict. The
// first one makes its instruction skip times before, the second one as often as it takes;
// again: the first one may make it once more.
func (f *follower) race(skip int) (x *Finding, again bool, err error) {
	t, err := f.beforeNext(f.path.Thread, f.path.At, skip)
	if err != nil {
		return nil, false, err
	}
	for n := 0; n <= maxSkip; n++ {
		u, err := f.beforeNext(f.path.Other, f.path.OtherAt, min(n, 1))
		if err != nil {
			return nil, true, err
		}
		if x := f.racing(t, u); x != nil {
			return x, false, nil
		}
	}
	return nil, true, fmt.Errorf("the accesses do not conflict")
}

// beforeNext is before, after a thread has made that operation some times.
func (f *follower) beforeNext(thread int, at any, times int) (interp.ThreadID, error) {
	t, err := f.before(thread, at)
	for ; times > 0 && err == nil; times-- {
		if f.can(t) {
			f.macro(t)
		}
		t, err = f.before(thread, at)
	}
	return t, err
}

// racing is the finding of a race between two threads that are about to make their accesses.
func (f *follower) racing(t, u interp.ThreadID) *Finding {
	x := &search{opt: Options{Values: []uint64{0, 1}, Context: context.Background()}, res: &Result{Complete: true}}
	sts, sus := x.steps(f.s, t), x.steps(f.s, u)
	for _, st := range sts {
		for _, su := range sus {
			if r := f.meet(st, su); r != nil {
				return f.finding(&Finding{Kind: KindRace, Race: r})
			}
			for _, pair := range [][2]*step{{st, su}, {su, st}} {
				if r := f.inSection(pair[0], pair[1]); r != nil {
					return f.afterSection(pair[0], r)
				}
			}
		}
	}
	return nil
}

// wanted reports whether two instructions are those of the race.
func (f *follower) wanted(a, b access) bool {
	p := f.path
	return any(a.instr) == p.At && any(b.instr) == p.OtherAt || any(a.instr) == p.OtherAt && any(b.instr) == p.At
}

// meet is the race of two accesses that are about to be made.
func (f *follower) meet(st, su *step) *Race {
	for _, a := range st.pending {
		for _, b := range su.pending {
			if a.Conflicts(b.Access) && f.wanted(a, b) {
				return &Race{First: RaceAccess{st.thread, a.Access, a.instr, st.answers[:st.npending]},
					Second: RaceAccess{su.thread, b.Access, b.instr, su.answers[:su.npending]}}
			}
		}
	}
	return nil
}

// inSection is the race of an access inside an atomic section with one that is about to be made.
func (f *follower) inSection(st, su *step) *Race {
	for _, a := range st.section {
		for _, b := range su.pending {
			if _, await := b.instr.(*ir.Await); a.Conflicts(b.Access) && !await && f.wanted(a, b) {
				return &Race{First: RaceAccess{st.thread, a.Access, a.instr, nil},
					Second: RaceAccess{su.thread, b.Access, b.instr, su.answers[:su.npending]}, Section: true}
			}
		}
	}
	return nil
}

// afterSection is the finding of inSection: its schedule ends with the section.
func (f *follower) afterSection(st *step, r *Race) *Finding {
	if st.thread != f.last && f.last >= 0 && f.s.CanStep(f.last) {
		f.cost++
	}
	f.schedule = append(f.schedule, st.thread)
	x := f.finding(&Finding{Kind: KindRace, Race: r})
	x.Inputs = append(x.Inputs, st.answers...)
	return x
}

// peek is the visible operation that a thread would make next. What it asks on the way is
// asked again later.
func (f *follower) peek(t interp.ThreadID) any {
	answers, n := slices.Clone(f.answers), len(f.given)
	at := source(f.s.Peek(t))
	f.answers, f.given = answers, f.given[:n]
	return at
}

// before lets a thread go on up to before its next operation that the other machine
// notices: the access of the race, or the atomic section with it.
func (f *follower) before(thread int, at any) (interp.ThreadID, error) {
	t, err := f.spawned(thread)
	if err != nil {
		return 0, err
	}
	for n := 0; n < maxSection && f.can(t); n++ {
		if started(f.s, t) {
			switch next := f.peek(t).(type) {
			case *ir.AtomicBegin, *ir.Await:
				return t, nil
			default:
				if next == at {
					return t, nil
				}
			}
		}
		f.macro(t)
	}
	return 0, fmt.Errorf("thread %d does not come to %v", thread, position(at))
}
