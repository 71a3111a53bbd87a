package witness

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// moment is something in an execution that a waypoint can tell: a step that others may
// notice, or a value that was read from outside.
type moment struct {
	thread interp.ThreadID
	pos    ir.Pos
	fn     string
	instr  any
	// visible: a step; otherwise a value.
	visible bool
	value   string // of a value: the constraint
	call    bool   // the value is the result of the call at pos
	created []interp.ThreadID
	// more: the step is the last one of its thread before another thread runs, in the
	// middle of a statement.
	more bool
}

// recorder runs a trace and notes its moments.
type recorder struct {
	src   *sources
	t     *trace.Trace
	s     *interp.State
	asked []interp.Query
	out   []moment
	// spawned is where each thread has made another one last
	spawned map[interp.ThreadID]ir.Pos
}

func newRecorder(m *interp.Program, h interp.Harness, t *trace.Trace, src *sources) *recorder {
	r := &recorder{src: src, t: t, spawned: map[interp.ThreadID]ir.Pos{}}
	r.s = m.Start(h, interp.InputFunc(func(q *interp.Query) uint64 {
		if q.Index == len(r.asked) {
			r.asked = append(r.asked, *q)
		}
		return interp.List(t.Inputs).Input(q)
	}))
	return r
}

// run runs the schedule.
func (r *recorder) run() error {
	for i, x := range r.t.Schedule {
		for range x.Steps {
			if int(x.Thread) >= r.s.NumThreads() || !r.s.CanStep(x.Thread) {
				return fmt.Errorf("run %d: thread %d cannot step", i, x.Thread)
			}
			Macro(r.s, x.Thread, r.step)
		}
		if n := len(r.out) - 1; n >= 0 && r.s.Status() == interp.Running {
			r.out[n].more = r.within(x.Thread, n)
		}
	}
	return nil
}

// Macro takes a step of a schedule as package trace does: up to and with one that others
// may notice, or a whole atomic section.
func Macro(s *interp.State, id interp.ThreadID, step func(interp.ThreadID) *interp.Event) {
	depth := 0
	for {
		for n := 0; ; n++ {
			vis := s.Visible(id)
			if n > 0 && vis && !s.CanStep(id) {
				return
			}
			depth += nesting(step(id))
			if vis || s.Status() != interp.Running || s.Ended(id) || n > interp.MaxInvisible {
				break
			}
		}
		if depth <= 0 || s.Status() != interp.Running || s.Ended(id) || !s.CanStep(id) {
			return
		}
	}
}

// nesting is by how much a step changes the nesting of atomic sections.
func nesting(ev *interp.Event) int {
	depth := 0
	for _, o := range ev.Sync {
		switch o.Kind {
		case interp.SyncAtomicBegin:
			depth++
		case interp.SyncAtomicEnd:
			depth--
		}
	}
	return depth
}

// step takes an instruction and notes what it shows.
func (r *recorder) step(id interp.ThreadID) *interp.Event {
	vis, first := r.s.Visible(id), r.s.Inputs()
	ev := r.s.Step(id)
	m := moment{thread: id, pos: ev.Pos()}
	if ev.Func != nil {
		m.fn = ev.Func.Name
	}
	if ev.Instr != nil {
		m.instr = ev.Instr
	} else {
		m.instr = ev.Term
	}
	if _, ok := ev.Instr.(*ir.Spawn); ok {
		r.spawned[id] = m.pos
	}
	for k, v := range ev.Inputs {
		if q := first + k; q < len(r.asked) {
			r.value(m, &r.asked[q], v, ev)
		}
	}
	if vis && m.pos.Line > 0 && (ev.Kind != interp.Start || ev.Instr != nil) {
		m.visible = true
		for _, o := range ev.Sync {
			if o.Kind == interp.SyncSpawn {
				m.created = append(m.created, o.Other)
			}
		}
		r.out = append(r.out, m)
	}
	return ev
}

// value notes an input, if a waypoint can tell it.
func (r *recorder) value(m moment, q *interp.Query, v uint64, ev *interp.Event) {
	if m.pos.Line == 0 || q.Word > 0 {
		return
	}
	_, m.call = r.src.closing(m.pos)
	if _, ok := m.instr.(*ir.Havoc); ok && m.call && r.spawned[m.thread] == m.pos {
		return // the number of an error, which is returned only where no thread was made
	}
	switch {
	case q.Kind == interp.InExternal && m.call, q.Kind == interp.InHavoc && m.call && v != 0:
		m.value = `\result == ` + number(q.Type, v)
	case q.Kind == interp.InFailure && m.call && v != 0:
		m.value = `\result == 0`
		if _, ok := ev.Instr.(*ir.Spawn); ok {
			m.value = `\result != 0`
		}
	case q.N == 0 && v != 0 && len(ev.Accesses) == 1:
		name := r.s.Describe(ev.Accesses[0].Addr)
		if !r.inScope(name, ev.Func) {
			name = r.src.expression(m.pos)
		}
		if name == "" {
			return
		}
		m.call, m.value = false, name+" == "+number(q.Type, v)
	default:
		return
	}
	r.out = append(r.out, m)
}

// arguments are what main's arguments must be, where 0 does not do; "" where nothing need
// be said.
func (r *recorder) arguments(f *ir.Func) string {
	var out []string
	for i, q := range r.asked {
		if q.Instr != nil || q.Term != nil || i >= len(r.t.Inputs) {
			break
		}
		if n := argument(f, r.asked[:i+1]); n != "" && r.t.Inputs[i] != 0 {
			out = append(out, n+" == "+number(q.Type, r.t.Inputs[i]))
		}
	}
	return strings.Join(out, " && ")
}

// argument names the parameter of main that the last of the queries at the start is
// about; "" for pointers.
func argument(f *ir.Func, qs []interp.Query) string {
	n := -1
	for _, q := range qs {
		if q.Kind == interp.InArg && integer(q.Type) && q.N == 0 {
			n++
		}
	}
	if q := qs[len(qs)-1]; q.Kind != interp.InArg || !integer(q.Type) || q.N > 0 {
		return ""
	}
	for _, p := range f.Params {
		if !integer(p.Type) {
			continue
		}
		if n == 0 {
			return p.Name
		}
		n--
	}
	return ""
}

// entry is the place of a function's first instruction.
func entry(f *ir.Func) ir.Pos {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.At().Line > 0 {
				return in.At()
			}
		}
		if b.Term != nil && b.Term.At().Line > 0 {
			return b.Term.At()
		}
	}
	return ir.Pos{}
}

// number is a value as C writes it.
func number(t ir.Type, v uint64) string {
	i, ok := t.(ir.Int)
	if !ok || i.Bits >= 64 && !i.Signed {
		return strconv.FormatUint(v, 10)
	}
	if i.Bits < 64 && !i.Signed {
		return strconv.FormatUint(v&(1<<i.Bits-1), 10)
	}
	n := max(64-int(i.Bits), 0)
	return strconv.FormatInt(int64(v<<n)>>n, 10)
}

// variable is a variable, perhaps with members and elements, as C writes it.
var variable = regexp.MustCompile(`^([A-Za-z_]\w*)((\.[A-Za-z_]\w*)|(\[\d+\]))*$`)

// inScope reports whether a description is a C expression that a function may use: it
// begins with a global variable, or with one of the function's own.
func (r *recorder) inScope(s string, f *ir.Func) bool {
	m := variable.FindStringSubmatch(s)
	if m == nil || f == nil {
		return false
	}
	for in := range f.Instrs() {
		if a, ok := in.(*ir.Alloc); ok && a.Name == m[1] {
			return true
		}
	}
	return slices.ContainsFunc(r.s.Program().IR.Globals, func(g *ir.Global) bool { return g.Name == m[1] })
}

// within reports whether a thread that has just taken step n is in the middle of its
// statement: it is about to take another step of it.
func (r *recorder) within(id interp.ThreadID, n int) bool {
	if r.out[n].thread != id || r.s.Ended(id) {
		return false
	}
	s := r.s.Snapshot()
	s.SetInputs(interp.InputFunc(func(q *interp.Query) uint64 { return interp.List(r.t.Inputs).Input(q) }))
	p, ok := ahead(s, id)
	return ok && p.Instr != r.out[n].instr && r.src.statement(p.Pos) == r.src.statement(r.out[n].pos)
}

// ahead runs what a thread does on its own, and returns what it does next that others may
// notice.
func ahead(s *interp.State, id interp.ThreadID) (interp.Place, bool) {
	for n := 0; s.Status() == interp.Running && !s.Visible(id); n++ {
		if !s.CanStep(id) || n > maxOwn {
			return interp.Place{}, false
		}
		s.Step(id)
	}
	if s.Status() != interp.Running || s.Ended(id) {
		return interp.Place{}, false
	}
	return s.Next(id), true
}

// maxOwn bounds what a thread does on its own between two steps.
const maxOwn = 100_000

// calm returns the trace with as many inputs 0 as the bug allows, of those that no
// waypoint tells by itself.
func calm(m *interp.Program, h interp.Harness, t *trace.Trace, src *sources) *trace.Trace {
	r := newRecorder(m, h, t, src)
	if r.run() != nil {
		return t
	}
	try := func(keep func(i int) bool) bool {
		c := *t
		c.Inputs = append([]uint64(nil), t.Inputs...)
		for i := range c.Inputs {
			if i >= len(r.asked) || r.asked[i].Kind != interp.InExternal && !keep(i) {
				c.Inputs[i] = 0
			}
		}
		if _, err := trace.Replay(m, h, &c); err != nil {
			return false
		}
		t = &c
		return true
	}
	if try(func(int) bool { return false }) {
		return t
	}
	for i := range min(len(t.Inputs), maxCalm) {
		if t.Inputs[i] != 0 {
			try(func(k int) bool { return k != i })
		}
	}
	return t
}

// maxCalm bounds how many inputs are tried one by one.
const maxCalm = 200
