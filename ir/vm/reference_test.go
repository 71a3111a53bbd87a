package vm_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"whoop/internal/randprog"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/vm"
)

var (
	programs = flag.Int("programs", testscope.Count(300, 3000), "random programs to run")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "seed of the first random program")
)

// TestReference runs random programs step by step in the machine and in the interpreter,
// under the same random schedules and with the same inputs: both access the same memory,
// with the same values, wait at the same places, and go wrong in the same way.
func TestReference(t *testing.T) {
	ends := map[string]int{}
	events := 0
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: 6 + int(n%20), Workers: int(n % 5)})
		for k := range uint64(4) {
			r := newPaired(t, p, rand.New(rand.NewPCG(n, k)), n%2 == 0)
			end, err := r.run()
			if err != nil {
				t.Fatalf("seed %d, schedule %d, after %d events: %v\n%s", n, k, r.events, err, ir.String(p))
			}
			ends[end]++
			events += r.events
		}
	}
	t.Logf("seeds %d to %d: %d events; executions by how they ended: %v", *seed, *seed+uint64(*programs)-1, events, ends)
}

// paired is an execution in both.
type paired struct {
	draw    *rand.Rand
	m       *vm.Machine
	s       *interp.State
	ids     map[int]interp.ThreadID // of the machine's threads
	kids    map[interp.ThreadID][]interp.ThreadID
	objs    map[uint32]interp.ObjID
	back    map[interp.ObjID]uint32
	answers []vm.Answer // of the event, that the interpreter has not asked for
	left    map[int][]vm.Access
	inside  bool // an atomic section of the interpreter
	events  int
}

func newPaired(t testing.TB, p *ir.Program, draw *rand.Rand, failures bool) *paired {
	t.Helper()
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	main := p.FuncByName("main")
	m, err := vm.New(c, main, vm.Config{Failures: failures})
	if err != nil {
		t.Fatal(err)
	}
	m.Record = true
	ref, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r := &paired{draw: draw, m: m, ids: map[int]interp.ThreadID{0: 0}, kids: map[interp.ThreadID][]interp.ThreadID{},
		objs: map[uint32]interp.ObjID{}, back: map[interp.ObjID]uint32{}, left: map[int][]vm.Access{}}
	r.s = ref.Start(interp.MainOf(main), interp.InputFunc(r.answer))
	return r
}

// answer answers a query as the machine did; what that did not ask, nobody needs.
func (r *paired) answer(q *interp.Query) uint64 {
	for i, a := range r.answers {
		if id, ok := r.id(a.Thread); ok && id == q.Thread && (a.Src == any(q.Instr) || a.Src == any(q.Term)) {
			r.answers = slices.Delete(r.answers, i, i+1)
			return a.Value
		}
	}
	return 0
}

func (r *paired) id(t int) (interp.ThreadID, bool) {
	if id, ok := r.ids[t]; ok {
		return id, true
	}
	parent, k := r.m.Parent(t)
	up, ok := r.id(parent)
	if !ok || k >= len(r.kids[up]) {
		return 0, false
	}
	r.ids[t] = r.kids[up][k]
	return r.ids[t], true
}

// run makes random events until the execution ends, and tells how.
func (r *paired) run() (string, error) {
	for r.events < 300 {
		if end, err := r.agree(); end != "" || err != nil {
			return end, err
		}
		ts := r.m.Enabled(nil)
		for len(ts) > 0 && !r.event(&ts) {
		}
		if len(ts) == 0 {
			return "all block in sections", nil
		}
		if reason := r.m.Unsupported(); reason != "" {
			return "unsupported", nil
		}
		if err := r.catchUp(ts[0]); err != nil {
			return "", fmt.Errorf("thread %d: %w", ts[0], err)
		}
	}
	return "too long", nil
}

// event makes the machine's next event, of a random thread that comes first in ts then,
// or takes that thread away.
func (r *paired) event(ts *[]int) bool {
	k := r.draw.IntN(len(*ts))
	(*ts)[0], (*ts)[k] = (*ts)[k], (*ts)[0]
	var script []int
	for range r.draw.IntN(6) {
		script = append(script, r.draw.IntN(3))
	}
	if !r.m.Step((*ts)[0], script) {
		*ts = (*ts)[1:]
		return false
	}
	r.events++
	r.answers = append(r.answers[:0], r.m.Answers()...)
	for _, a := range r.m.Accesses() {
		r.left[a.Thread] = append(r.left[a.Thread], a)
	}
	return true
}

// agree compares the states, and tells how the execution has ended.
func (r *paired) agree() (string, error) {
	status := r.s.Status()
	if len(r.m.Failures()) > 0 {
		return r.failed()
	}
	for t := range r.m.Threads() {
		if st := r.m.ThreadState(t); st == vm.Stuck || st == vm.Aborted {
			if status != interp.Infeasible && status != interp.Done {
				return "", fmt.Errorf("thread %d stands still, but the interpreter's execution is %s", t, status)
			}
			return status.String(), nil
		}
	}
	if r.m.ThreadState(0) == vm.Ended || status == interp.Done {
		if status != interp.Done || r.m.ThreadState(0) != vm.Ended {
			return "", fmt.Errorf("main is in state %d, but the interpreter's execution is %s", r.m.ThreadState(0), status)
		}
		return "done", nil
	}
	if r.m.Deadlocked() || status == interp.Deadlock {
		if status != interp.Deadlock || !r.m.Deadlocked() {
			return "", fmt.Errorf("the interpreter's execution is %s; deadlock: %t", status, r.m.Deadlocked())
		}
		return "deadlock", nil
	}
	for t := range r.m.Threads() {
		if r.m.ThreadState(t) == vm.Absent {
			continue
		}
		id, ok := r.id(t)
		if !ok {
			return "", fmt.Errorf("the interpreter has not started thread %d", t)
		}
		if can := r.s.CanStep(id); can != r.m.CanStep(t) {
			return "", fmt.Errorf("thread %d can step: %t; in the interpreter: %t", t, !can, can)
		}
	}
	return "", nil
}

// anyStuck reports whether a thread stands still that has not failed in the last event.
func (r *paired) anyStuck() bool {
	for t := range r.m.Threads() {
		failed := slices.ContainsFunc(r.m.Failures(), func(f vm.Failure) bool { return f.Thread == t })
		if r.m.ThreadState(t) == vm.Stuck && !failed {
			return true
		}
	}
	return false
}

// failed compares what went wrong.
func (r *paired) failed() (string, error) {
	e := r.s.Err()
	if e == nil && r.s.Status() == interp.Infeasible && r.anyStuck() {
		return "infeasible", nil
	}
	if e == nil {
		return "", fmt.Errorf("failed with %v, but the interpreter's execution is %s", r.m.Failures(), r.s.Status())
	}
	for _, f := range r.m.Failures() {
		if id, _ := r.id(f.Thread); id == e.Thread && f.Kind == e.Kind && (f.Src == any(e.Instr) || f.Src == any(e.Term)) {
			return string(e.Kind), nil
		}
	}
	return "", fmt.Errorf("failed with %v, but the interpreter with %v", r.m.Failures(), e)
}

// catchUp lets the interpreter make the event of a thread, and the local operations of it
// and of others behind it.
func (r *paired) catchUp(t int) error {
	made := r.m.At() < 0
	for progress, end := true, false; progress || !end; {
		end = !progress // then main may return, which ends the interpreter's execution
		progress = false
		for k := range r.m.Threads() {
			u := (t + k) % r.m.Threads()
			if r.m.ThreadState(u) == vm.Absent {
				continue
			}
			for r.s.Status() == interp.Running && !(r.arrived(u) && (u != t || made)) {
				id, ok := r.id(u)
				if !ok || !r.s.CanStep(id) || !end && u == 0 && r.returns() {
					break
				}
				e := r.s.Step(id)
				progress = true
				made = made || u == t && source(e) == r.m.Program().Source(r.m.At())
				if err := r.compare(u, e); err != nil {
					return err
				}
			}
		}
	}
	if r.s.Status() != interp.Running {
		return nil
	}
	for u := range r.m.Threads() {
		if r.m.ThreadState(u) != vm.Absent && !r.arrived(u) {
			src, _ := r.m.Place(u)
			return fmt.Errorf("thread %d does not come to %v, with %v left", u, src, r.left[u])
		}
	}
	return nil
}

// returns reports whether main returns next.
func (r *paired) returns() bool {
	st := r.s.Stack(0)
	if len(st) != 1 {
		return false
	}
	_, ret := st[0].Term.(*ir.Return)
	return ret
}

func source(e *interp.Event) any {
	if e.Instr != nil {
		return e.Instr
	}
	return e.Term
}

// arrived reports whether a thread is where the machine's is.
func (r *paired) arrived(t int) bool {
	id, ok := r.id(t)
	if !ok || len(r.left[t]) > 0 || r.inside {
		return false
	}
	switch r.m.ThreadState(t) {
	case vm.Ended:
		return r.s.Ended(id)
	case vm.Stuck, vm.Aborted:
		return false // the execution ends
	}
	src, _ := r.m.Place(t)
	next := r.s.Next(id)
	return !r.s.Ended(id) && (src == any(next.Instr) || src == any(next.Term))
}

// compare compares the accesses of a step of the interpreter.
func (r *paired) compare(t int, e *interp.Event) error {
	id := e.Thread
	for _, op := range e.Sync {
		switch op.Kind {
		case interp.SyncSpawn:
			r.kids[id] = append(r.kids[id], op.Other)
		case interp.SyncAtomicBegin:
			r.inside = true
		case interp.SyncAtomicEnd:
			r.inside = false
		}
	}
	if r.s.Err() != nil {
		return nil // what the failing operation accessed does not matter
	}
	for _, b := range e.Accesses {
		if len(r.left[t]) == 0 {
			return fmt.Errorf("only the interpreter accesses memory at %v", source(e))
		}
		a := r.left[t][0]
		r.left[t] = r.left[t][1:]
		if a.Src != source(e) || a.Size != b.Size || a.Write != b.Write || a.Atomic != b.Atomic || !r.same(a.Addr, uint64(b.Addr)) ||
			a.Value != b.Value && !r.same(a.Value, b.Value) {
			return fmt.Errorf("%v: access %+v, in the interpreter %+v", source(e), a, b)
		}
	}
	return nil
}

// same reports whether two addresses are the same place: their objects are those that
// were the same before.
func (r *paired) same(a, b uint64) bool {
	if uint32(a) != uint32(b) || a>>32 == 0 || b>>32 == 0 {
		return false
	}
	k, id := uint32(a>>32), interp.ObjID(b>>32)
	if _, known := r.objs[k]; !known {
		if _, known := r.back[id]; known {
			return false
		}
		r.objs[k], r.back[id] = id, k
	}
	return r.objs[k] == id
}
