package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
)

// Step is an event of an execution that another machine has run: the thread's operation
// that others may notice.
type Step struct {
	Thread int // see Path.Parents
	// At is the ir.Instr or ir.Term of the operation; nil for what main does before its
	// first one.
	At any
	// Answers are the inputs that the thread took in this event and in the local
	// instructions behind it.
	Answers []StepAnswer
	// Own are the accesses in these local instructions that nobody else could notice, of
	// instructions that may be operations of events elsewhere.
	Own []StepOwn
}

// StepOwn says how often a thread has executed an ir.Instr.
type StepOwn struct {
	Thread int
	At     any
	N      int
}

// StepAnswer is an input, and the thread and the ir.Instr or ir.Term that took it: a
// thread that an event starts goes on to its first operation that others may notice.
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
	f, err := startFollower(m, h, &p)
	switch {
	case err != nil:
		return nil, err
	case p.Deadlock:
		return f.deadlock()
	case p.Kind != "":
		return f.failure()
	}
	return f.race()
}

// startFollower makes the steps of a path.
func startFollower(m *interp.Program, h interp.Harness, p *Path) (*follower, error) {
	f := &follower{path: p, ids: map[int]interp.ThreadID{0: 0}, kids: map[interp.ThreadID][]interp.ThreadID{},
		made: map[interp.ThreadID][]any{}, own: map[StepOwn]int{}, last: -1}
	for _, st := range p.Steps {
		f.answers = append(f.answers, st.Answers...)
	}
	f.s = m.Start(h, interp.InputFunc(f.answer))
	for i, st := range p.Steps {
		if err := f.step(st); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
		f.behind(st)
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
	// made are the operations that a thread has made since the last event of its own that
	// the path has. Some are of later events, which was made before their turn.
	made map[interp.ThreadID][]any
	// own is how often, since its last event, the other machine's thread has executed an
	// instruction where nobody could notice it: here, it is an operation. N is 0 in keys.
	own map[StepOwn]int
}

// behind notes what the other machine did behind an event.
func (f *follower) behind(st Step) {
	if st.At != nil {
		maps.DeleteFunc(f.own, func(o StepOwn, _ int) bool { return o.Thread == st.Thread })
	}
	for _, o := range st.Own {
		f.own[StepOwn{Thread: o.Thread, At: o.At}] += o.N
	}
}

// skips is how often a thread of the path executes an instruction, from where it is now
// in the interpreter, before that is an operation of the path; less than 0: it has made
// that.
func (f *follower) skips(thread int, t interp.ThreadID, at any) int {
	n := f.own[StepOwn{Thread: thread, At: at}]
	for _, op := range f.made[t] {
		if op == at {
			n--
		}
	}
	return n
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

// macro makes a macro step of a thread, and notes the first visible operation in it.
func (f *follower) macro(t interp.ThreadID) {
	if t != f.last && f.last >= 0 && f.s.CanStep(f.last) {
		f.cost++
	}
	f.last = t
	f.schedule = append(f.schedule, t)
	if !started(f.s, t) {
		f.s.Settle(t)
		return
	}
	inside := false
	for n := 0; n < maxSection; n++ {
		e := f.s.StepVisible(t)
		if n == 0 {
			f.made[t] = append(f.made[t], source(e))
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
		if kind != interp.WantsThread || u == t {
			if !f.owed(t) {
				return false
			}
			continue
		}
		if !f.can(u) {
			return false
		}
		f.macro(u)
	}
	return f.s.Status() == interp.Running
}

// owed lets a thread other than t go on that has not made all accesses yet that it has
// made behind its last event: t may wait for what they write. It is false where there is
// none.
func (f *follower) owed(t interp.ThreadID) bool {
	for thread := range f.path.Parents {
		u, err := f.id(thread)
		if err != nil || u == t || !f.s.CanStep(u) {
			continue
		}
		for o := range f.own {
			if o.Thread == thread && f.skips(thread, u, o.At) > 0 {
				f.macro(u)
				return true
			}
		}
	}
	return false
}

// step makes the macro steps of an event.
func (f *follower) step(st Step) error {
	if st.At == nil {
		return nil
	}
	t, err := f.spawned(st.Thread)
	if err != nil {
		return err
	}
	if r, ok := st.At.(*ir.Return); ok && f.returns(t, r) {
		return nil
	}
	for n := f.skips(st.Thread, t, st.At); n >= 0; n = f.skips(st.Thread, t, st.At) {
		if !f.can(t) {
			if f.s.Status() == interp.Failed && f.s.Err().Thread == t {
				return nil // the operation is an error
			}
			return fmt.Errorf("thread %d does not come to %v", st.Thread, position(st.At))
		}
		f.macro(t)
	}
	f.taken(t, st.At, f.own[StepOwn{Thread: st.Thread, At: st.At}])
	return nil
}

// taken forgets what a thread has made up to an operation; so many of the same are before
// it.
func (f *follower) taken(t interp.ThreadID, at any, before int) {
	for i, op := range f.made[t] {
		if op == at {
			if before == 0 {
				f.made[t] = f.made[t][i+1:]
				return
			}
			before--
		}
	}
}

// returns lets a thread go on until a call has ended that is under way, and reports
// whether it has: what no others notice here is no operation.
func (f *follower) returns(t interp.ThreadID, r *ir.Return) bool {
	call := func() int { // how many calls there are up to it
		stack := f.s.Stack(t)
		i := slices.IndexFunc(stack, func(p interp.Place) bool {
			return slices.ContainsFunc(p.Func.Blocks, func(b *ir.Block) bool { return b.Term == ir.Term(r) })
		})
		if i < 0 {
			return 0
		}
		return len(stack) - i
	}
	depth := call()
	switch {
	case depth == 0: // it has ended already
		return !slices.Contains(f.made[t], any(r))
	case depth == 1: // that of the thread's function is an operation
		return false
	}
	for call() >= depth {
		if !f.can(t) {
			return false
		}
		f.made[t] = nil
		f.macro(t)
	}
	// it tells that a once control is done
	if made := f.made[t]; len(made) > 0 && made[0] == any(r) {
		f.made[t] = made[1:]
	} // else what follows was made with it
	return true
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

// failure lets the thread go on until it fails. Of two threads that wait for the end of
// the same one, the other machine takes the one that came later to be wrong, and the
// interpreter the one that goes on later: so then the others go on, too.
func (f *follower) failure() (*Finding, error) {
	t, err := f.spawned(f.path.Thread)
	for n := 0; err == nil && n < maxSection && f.can(t); n++ {
		f.macro(t)
	}
	if err == nil && f.path.Kind == interp.ErrHandle {
		f.finish()
	}
	e := f.s.Err()
	if e == nil || e.Kind != f.path.Kind {
		return nil, fmt.Errorf("no error %s: the execution is %s", f.path.Kind, f.s.Status())
	}
	return f.finding(&Finding{Kind: string(e.Kind), Err: e}), nil
}

// finish lets all threads go on until none can.
func (f *follower) finish() {
	for n := 0; f.s.Status() == interp.Running && n < maxSection; n++ {
		ts := f.s.Enabled()
		if len(ts) == 0 {
			break
		}
		f.macro(ts[0])
	}
}

// deadlock lets all threads go on until none can.
func (f *follower) deadlock() (*Finding, error) {
	f.finish()
	if f.s.Status() != interp.Deadlock {
		return nil, fmt.Errorf("no deadlock: the execution is %s", f.s.Status())
	}
	return f.finding(&Finding{Kind: KindDeadlock, Blocked: BlockedIn(f.s)}), nil
}

// race brings both threads in front of their accesses, and looks whether these conflict.
func (f *follower) race() (*Finding, error) {
	t, err := f.before(f.path.Thread, f.path.At)
	if err != nil {
		return nil, err
	}
	u, err := f.before(f.path.Other, f.path.OtherAt)
	if err != nil {
		return nil, err
	}
	if x := f.racing(t, u); x != nil {
		return x, nil
	}
	return nil, fmt.Errorf("the accesses do not conflict")
}

// racing is the finding of a race between two threads that are about to make their
// accesses.
func (f *follower) racing(t, u interp.ThreadID) *Finding {
	opt := Options{Values: []uint64{0, 1}, Context: context.Background()}
	for _, a := range f.answers { // on the way to the accesses
		opt.Failures = opt.Failures || a.Value != 0
		if !slices.Contains(opt.Values, a.Value) {
			opt.Values = append(opt.Values, a.Value)
		}
	}
	x := &search{opt: opt, res: &Result{Complete: true}}
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

// inSection is the race of an access inside an atomic section with one that is about to
// be made.
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
				if next == at && f.skips(thread, t, at) == 0 {
					return t, nil
				}
			}
		}
		f.macro(t)
	}
	return 0, fmt.Errorf("thread %d does not come to %v", thread, position(at))
}
