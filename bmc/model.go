package bmc

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/trace"
)

// turn is a run of one thread in an execution: up to and with log entry upto.
type turn struct {
	t    *thread
	upto int
	next int  // what belongs to the thread alone is done before this log entry, too; -1: nothing
	end  bool // and to the thread's end
}

// execution is what a model says: the turns, and each thread's path.
type execution struct {
	turns []turn
	path  map[*thread][]*logEntry
	index map[*logEntry]int
	value func(t *bv.Term) uint64
	order []*thread // in the order of their creation
}

// turns are the turns of a model, round by round.
func (e *encoding) turns(x *execution, holds func(*bv.Term) bool) {
	for r := range e.k {
		for ti, t := range e.u.threads {
			last := -1
			for _, p := range t.pos {
				g := e.ge[ti]
				if holds(g[r][p.num]) && !holds(g[r+1][p.num]) && holds(p.guard) {
					last = p.num
				}
			}
			e.turn(x, t, r, last, holds)
		}
	}
}

// turn adds a thread's turn that ends with a position.
func (e *encoding) turn(x *execution, t *thread, r, last int, holds func(*bv.Term) bool) {
	if last = e.beforeSection(t, r, last, holds); last < 0 {
		return
	}
	tn := turn{t: t, upto: -1, next: -1}
	for _, p := range t.pos[last+1:] {
		if holds(p.guard) {
			tn.next = p.log
			break
		}
	}
	for k := last; k >= 0; k-- { // the last one that the interpreter knows
		if p := t.pos[k]; p.log >= 0 && holds(p.guard) {
			tn.upto = p.log
			break
		}
	}
	tn.end = last == t.end
	x.turns = append(x.turns, tn)
}

// extract reads an execution off a model; turns lists its turns.
func (e *encoding) extract(s bv.Solver, turns func(x *execution, holds func(*bv.Term) bool)) (*execution, error) {
	var err error
	x := &execution{path: map[*thread][]*logEntry{}, index: map[*logEntry]int{}}
	x.value = func(t *bv.Term) uint64 {
		v, er := s.Value(t)
		if er != nil && err == nil {
			err = er
		}
		return v
	}
	guards := map[*bv.Term]bool{}
	holds := func(t *bv.Term) bool {
		v, ok := guards[t]
		if !ok {
			v = x.value(t) == 1
			guards[t] = v
		}
		return v
	}
	for _, t := range e.u.threads {
		for i, l := range t.log {
			if holds(l.guard) {
				x.index[l] = i
				x.path[t] = append(x.path[t], l)
			}
		}
	}
	turns(x, holds)
	if e.u.main {
		x.order = append(x.order, e.u.threads[0])
	} else {
		for _, t := range e.u.threads {
			if t.root {
				x.order = append(x.order, t)
			}
		}
	}
	return x, err
}

// beforeSection is the last position of a turn that ends inside an atomic section: the
// one before the section, since a section is one step of a schedule. Where the turn does
// not end so, it is last itself.
func (e *encoding) beforeSection(t *thread, r, last int, holds func(*bv.Term) bool) int {
	if last < 0 {
		return last
	}
	g := e.ge[t.idx]
	inside := false
	for _, p := range t.pos[last+1:] {
		if holds(p.guard) {
			inside = p.atomic && holds(g[e.k][p.num])
			break
		}
	}
	for inside && last >= 0 {
		p := t.pos[last]
		if holds(g[r][p.num]) && holds(p.guard) && p.cut {
			inside = false
		}
		last--
	}
	for last >= 0 && !(holds(g[r][last]) && holds(t.pos[last].guard)) {
		last--
	}
	return last
}

// replayer runs an execution in the interpreter.
type replayer struct {
	x       *execution
	s       *interp.State
	ids     map[*thread]interp.ThreadID
	of      map[interp.ThreadID]*thread
	cursor  map[*thread]int
	cur     *logEntry
	objs    map[uint32]interp.ObjID // of our objects, by number
	args    map[interp.ThreadID]int
	steps   trace.Schedule
	peeking bool
	inputs  []uint64
	static  int // initialisers that have been asked about
	u       *unrolling
	strayed bool // the interpreter has asked for what the model does not say
	off     int  // steps since the last one that the model's path has
	err     error
}

// replay runs the turns; the state it ends in shows the bug, which the caller checks.
func (x *execution) replay(u *unrolling, m *interp.Program, h interp.Harness) (*replayer, error) {
	r := &replayer{x: x, u: u, ids: map[*thread]interp.ThreadID{}, of: map[interp.ThreadID]*thread{}, cursor: map[*thread]int{},
		objs: map[uint32]interp.ObjID{}, args: map[interp.ThreadID]int{}}
	// the interpreter's init entries are threads of their own, before the roots
	for i, t := range x.order {
		id := interp.ThreadID(len(h.Init) + i)
		r.ids[t], r.of[id] = id, t
	}
	for _, o := range u.w.objs {
		if o != nil && o.global != nil && !o.global.ThreadLocal {
			r.objs[uint32(o.id)] = m.ObjectOf(o.global)
		}
	}
	r.s = m.Start(h, interp.InputFunc(r.input))
	if r.s.Status() != interp.Running {
		return r, fmt.Errorf("the init entries end otherwise: %s %v", r.s.Status(), r.s.Err())
	}
	for _, tn := range x.turns {
		if tn.t.fn == nil { // the init entries have run already
			continue
		}
		if err := r.turn(tn); err != nil {
			return r, err
		}
		if r.s.Status() != interp.Running {
			break
		}
	}
	return r, r.err
}

// turn runs a thread until it has done its part.
func (r *replayer) turn(tn turn) error {
	id, ok := r.ids[tn.t]
	if !ok {
		return fmt.Errorf("thread %s runs before it is created", tn.t.name)
	}
	n := 0
	for r.s.Status() == interp.Running && !r.reached(tn, id) {
		if !r.s.CanStep(id) {
			return fmt.Errorf("thread %s cannot step at %s: %s %v", tn.t.name, r.s.Next(id).Pos, r.s.Status(), r.s.Err())
		}
		if err := r.macro(tn.t, id); err != nil {
			return err
		}
		n++
	}
	for !tn.end && tn.next >= 0 {
		// A step that others may notice comes next, and it is the thread's own.
		in, at, err := r.ahead(tn.t, id)
		if err != nil || in == nil || at < 0 || at >= tn.next {
			break
		}
		if err := r.macro(tn.t, id); err != nil {
			return err
		}
		n++
	}
	if r.blocks(tn.t, id) { // which is seen once what nobody notices is done
		if err := r.macro(tn.t, id); err != nil {
			return err
		}
		n++
	}
	r.count(id, n)
	return nil
}

// blocks reports whether a thread can take steps, but only such that nobody notices,
// before it blocks.
func (r *replayer) blocks(t *thread, id interp.ThreadID) bool {
	if r.s.Status() != interp.Running || !r.s.CanStep(id) || r.s.Visible(id) {
		return false
	}
	defer r.look(t)()
	if err := r.unnoticed(t, id); err != nil {
		return false
	}
	return r.s.Status() == interp.Running && !r.s.Ended(id) && !r.s.CanStep(id)
}

// look goes on with a copy of the execution; the function that it returns comes back from
// there.
func (r *replayer) look(t *thread) (back func()) {
	s, objs, cursor, cur, peeking := r.s, r.objs, r.cursor[t], r.cur, r.peeking
	r.s, r.objs, r.peeking = s.Snapshot(), maps.Clone(objs), true
	return func() { r.s, r.objs, r.cursor[t], r.cur, r.peeking = s, objs, cursor, cur, peeking }
}

// unnoticed takes a thread's steps up to the next that others may notice.
func (r *replayer) unnoticed(t *thread, id interp.ThreadID) error {
	for n := 0; r.s.Status() == interp.Running && r.s.CanStep(id) && !r.s.Visible(id) && n < interp.MaxInvisible; n++ {
		if _, err := r.step(t, id); err != nil {
			return err
		}
	}
	return nil
}

// ahead is the next step of a thread that others may notice, with its log entry (-1:
// none): a look, without going there.
func (r *replayer) ahead(t *thread, id interp.ThreadID) (in ir.Instr, at int, err error) {
	defer r.look(t)()
	if err := r.unnoticed(t, id); err != nil {
		return nil, -1, err
	}
	if r.s.Status() != interp.Running || !r.s.CanStep(id) {
		return nil, -1, nil
	}
	at = -1
	path := r.x.path[t]
	c := r.cursor[t]
	for c < len(path) && path[c].in == nil && path[c].term == nil {
		c++
	}
	next := r.s.Next(id).Instr
	if c < len(path) && next != nil && path[c].in == next {
		at = r.x.index[path[c]]
	}
	return next, at, nil
}

// count adds steps to the schedule.
func (r *replayer) count(id interp.ThreadID, n int) {
	r.steps.Add(id, n)
}

func (r *replayer) reached(tn turn, id interp.ThreadID) bool {
	if tn.end {
		return r.s.Ended(id)
	}
	path := r.x.path[tn.t]
	c := r.cursor[tn.t]
	return tn.upto < 0 || c > 0 && r.x.index[path[c-1]] >= tn.upto
}

// macro is a macro step.
func (r *replayer) macro(t *thread, id interp.ThreadID) error {
	depth := 0
	for {
		seen := false
		for n := 0; ; n++ {
			vis := r.s.Visible(id)
			if n > 0 && vis && !r.s.CanStep(id) {
				return nil
			}
			ev, err := r.step(t, id)
			if err != nil {
				return err
			}
			for _, o := range ev.Sync {
				switch o.Kind {
				case interp.SyncAtomicBegin:
					depth++
				case interp.SyncAtomicEnd:
					depth--
				}
			}
			if vis || r.s.Status() != interp.Running || r.s.Ended(id) {
				seen = true
				break
			}
			if n > interp.MaxInvisible {
				break
			}
		}
		if !seen || depth == 0 || r.s.Status() != interp.Running || r.s.Ended(id) || !r.s.CanStep(id) {
			return nil
		}
	}
}

// errOff: the interpreter does not follow the model.
var errOff = errors.New("the interpreter runs on without the model's path")

// onPath is the error where a thread has run for long without what the model's path has,
// which may be without end, or where the time is up: then the solver has no values any
// more.
func (r *replayer) onPath() error {
	if r.off > interp.MaxInvisible {
		return errOff
	}
	if r.off++; r.off%4096 == 0 {
		return r.u.ctx.Err()
	}
	return nil
}

// step is one instruction. The log says what the instruction yields, wherever the
// interpreter asks.
func (r *replayer) step(t *thread, id interp.ThreadID) (*interp.Event, error) {
	if err := r.onPath(); err != nil {
		return nil, err
	}
	next := r.s.Next(id)
	r.cur = nil
	path := r.x.path[t]
	c := r.cursor[t]
	for c < len(path) && path[c].in == nil && path[c].term == nil {
		c++
	}
	if c < len(path) && (path[c].in != nil && path[c].in == next.Instr || path[c].term != nil && path[c].term == next.Term) {
		r.cur, r.off = path[c], 0
		r.cursor[t] = c + 1
	}
	ev := r.s.Step(id)
	for _, o := range ev.Sync {
		if o.Kind == interp.SyncOnceEnd {
			r.onceOver(t)
		}
	}
	if r.cur != nil {
		if r.cur.spawn != nil {
			for _, o := range ev.Sync {
				if o.Kind == interp.SyncSpawn {
					r.ids[r.cur.spawn], r.of[o.Other] = o.Other, r.cur.spawn
				}
			}
		}
		if r.cur.obj != nil && len(ev.New) > 0 {
			r.objs[uint32(r.cur.obj.id)] = ev.New[0]
		}
	}
	return ev, nil
}

// onceOver goes on behind the entry of the return of a once control's function, which the
// interpreter has done.
func (r *replayer) onceOver(t *thread) {
	path := r.x.path[t]
	for c := r.cursor[t]; c < len(path); c++ {
		if path[c].over {
			r.cursor[t] = c + 1
			return
		}
	}
}

// input answers and takes notes.
func (r *replayer) input(q *interp.Query) uint64 {
	if r.s == nil {
		r.initStep(q)
	}
	v := r.answer(q)
	if !r.peeking {
		r.inputs = append(r.inputs, v)
	}
	return v
}

// initStep finds what an init entry executes: the interpreter runs them to their end
// before we see it. Registers without a value, of which one instruction may read several,
// are no part of the path.
func (r *replayer) initStep(q *interp.Query) {
	if q.Slot > 0 { // the same instruction asks once more
		return
	}
	r.cur = nil
	if unwrittenRegister(q) {
		return
	}
	t := r.u.threads[0]
	if t.fn != nil || q.Instr == nil && q.Term == nil {
		return
	}
	path := r.x.path[t]
	for c := r.cursor[t]; c < len(path); c++ {
		if q.Instr != nil && path[c].in == q.Instr || q.Term != nil && path[c].term == q.Term {
			r.cur = path[c]
			r.cursor[t] = c + 1
			return
		}
	}
}

// unwrittenRegister reports whether the interpreter asks for a register that has no
// value: 0 in the unrolling.
func unwrittenRegister(q *interp.Query) bool {
	switch q.Instr.(type) {
	case *ir.Load, *ir.RMW, *ir.CmpXchg, *ir.MemCopy, *ir.Await: // for memory
		return q.Unwritten
	}
	return q.Unwritten || q.Kind == interp.InUninit
}

// answer answers what the interpreter asks with what the model says.
func (r *replayer) answer(q *interp.Query) uint64 {
	switch q.Kind {
	case interp.InArg:
		return r.argument(q)
	case interp.InPointer:
		if q.Unwritten { // such registers are 0 in the unrolling
			return r.pointer(0, q)
		}
		if q.Instr == nil && q.Term == nil {
			return r.argument(q)
		}
	case interp.InSkip:
		return r.x.value(r.u.skips[int(q.Thread)])
	case interp.InStatic:
		return r.passedOver()
	case interp.InSpurious:
		if r.cur != nil && r.cur.spurious != nil {
			return r.x.value(r.cur.spurious)
		}
		return 0
	case interp.InFailure:
		if r.cur != nil && r.cur.result != nil && (r.cur.obj != nil || r.cur.spawn != nil) {
			return r.x.value(r.cur.result)
		}
		return 0
	}
	if r.cur == nil || r.cur.result == nil {
		r.strayed = true
		return 0
	}
	if len(q.Threads) > 0 {
		n := int(r.x.value(r.cur.result))
		for i, id := range q.Threads {
			if t := r.of[id]; t != nil && t.num == n {
				return uint64(i)
			}
		}
		return 0
	}
	if q.Kind == interp.InPointer {
		return r.pointer(r.x.value(r.cur.result), q)
	}
	if q.Kind == interp.InKept {
		return r.x.value(r.cur.result) >> q.Slot & 1
	}
	v := r.cur.result
	if v.Width > 64 {
		lo := 64 * q.Word
		v = r.u.b.Extract(v, min(lo+63, v.Width-1), lo)
	}
	if q.Kind == interp.InChoice { // the last alternative is taken for all larger numbers, see jump
		return min(r.x.value(v), uint64(q.N-1))
	}
	return r.x.value(v)
}

// passedOver answers which initialisers that register a handler are passed over, in the
// order of the entries; of handlers that no root runs any.
func (r *replayer) passedOver() uint64 {
	n := r.static
	r.static++
	seen := map[*ir.Func]bool{}
	for _, e := range r.u.p().Entries {
		if e.Func == nil || seen[e.Func] {
			continue
		}
		seen[e.Func] = true
		asked := r.u.slots(e.Func) * max(len(r.u.feat.binds.Static(e.Func))-1, 0)
		if n >= asked {
			n -= asked
			continue
		}
		if s := r.u.static[e.Func]; n < len(s) {
			return r.x.value(s[n])
		}
		return 0
	}
	return 0
}

// pointer chooses the alternative that is the model's pointer.
func (r *replayer) pointer(v uint64, q *interp.Query) uint64 {
	if id, ok := r.objs[uint32(objectOf(v))]; ok {
		for i, a := range q.Ptrs { // several may be in one object
			if a == interp.MakeAddr(id, offsetOf(v)) {
				return uint64(i)
			}
		}
	}
	for i, a := range q.Ptrs {
		switch {
		case v == 0:
			if a == 0 {
				return uint64(i)
			}
		case objectOf(v) >= fnBase:
			if f := r.u.function(v); f != nil && r.s != nil && r.s.FuncAt(a) == f {
				return uint64(i)
			}
		default:
			if id, ok := r.objs[uint32(objectOf(v))]; ok && a.Object() == id && a != interp.FreshPointer {
				return uint64(i)
			}
		}
	}
	for i, a := range q.Ptrs {
		if a == interp.FreshPointer && v != 0 {
			if q.New != 0 { // else a function
				r.objs[uint32(objectOf(v))] = q.New
			}
			return uint64(i)
		}
	}
	return 0
}

// argument is the next argument of a root thread.
func (r *replayer) argument(q *interp.Query) uint64 {
	var args []*bv.Term
	if k := int(q.Thread); k < len(r.u.asked) {
		args = r.u.asked[k]
	} else if t := r.of[q.Thread]; t != nil {
		args = t.args
	}
	k := r.args[q.Thread]
	var passed []ir.From
	if i := int(q.Thread); i < len(r.u.passed) {
		passed = r.u.passed[i]
	} else if t := r.of[q.Thread]; t != nil {
		passed = t.passed
	}
	// what init entries got is not asked for
	for slices.ContainsFunc(passed, func(x ir.From) bool { return x.Param == k }) {
		k++
	}
	r.args[q.Thread] = k
	if k >= len(args) {
		return 0
	}
	v := args[k]
	if q.Word == 0 {
		r.args[q.Thread]++
	}
	if q.Kind == interp.InPointer {
		return r.pointer(r.x.value(v), q)
	}
	return r.x.value(v)
}
