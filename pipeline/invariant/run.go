package invariant

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
	"whoop/trace/witness"
)

// runner runs executions of a program with assertions.
type runner struct {
	m     *interp.Program
	h     interp.Harness
	rs    []Result
	steps int
	hash  string
}

// run runs executions until one violates an invariant, and returns which; -1: none does.
func run(ctx context.Context, p *ir.Program, rs []Result, lim Limits) (bad int, err error) {
	if lim.Executions == 0 {
		lim.Executions = 100
	}
	if lim.Steps == 0 {
		lim.Steps = 2_000_000
	}
	main := slices.IndexFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
	if main < 0 {
		return -1, fmt.Errorf("%s has no main function", p.Name)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return -1, err
	}
	r := &runner{m: m, h: interp.Harness{Roots: []interp.Root{interp.RootOf(p.Entries[main])}, Main: true}, rs: rs, hash: trace.Hash(p)}
	each := max(lim.Steps/lim.Executions, 1000)
	for i := range rs {
		if rs[i].Holds() {
			rs[i].Executions = 0
		}
	}
	for k := 0; k < lim.Executions && ctx.Err() == nil && r.steps <= lim.Steps; k++ {
		if i := r.execution(lim.Seed+uint64(k), k, each); i >= 0 {
			return i, nil
		}
		for i := range rs {
			if rs[i].Holds() {
				rs[i].Executions++
			}
		}
	}
	return -1, nil
}

// execution runs one and returns the invariant that it violates, -1 where there is none.
func (r *runner) execution(seed uint64, k, limit int) int {
	rnd := rand.New(rand.NewPCG(seed, 1))
	t := &trace.Trace{Schema: trace.Schema, Tool: "whoop", Input: r.m.IR.Name, Options: []string{}, Program: r.hash, Main: true,
		Init: []string{}, Roots: []string{r.h.Roots[0].Name}}
	inputs := interp.Inputs(interp.Reliable{Inputs: interp.Random(seed)})
	if k == 0 {
		inputs = interp.Zero{}
	}
	s := r.m.Start(r.h, interp.InputFunc(func(q *interp.Query) uint64 {
		v := inputs.Input(q)
		t.Inputs = append(t.Inputs, v)
		return v
	}))
	var last interp.ThreadID
	stick := rnd.IntN(8) // how often the thread goes on that is running, in eighths
	for end := r.steps + limit; s.Status() == interp.Running && r.steps < end; {
		ts := s.Enabled()
		id := ts[rnd.IntN(len(ts))]
		if rnd.IntN(8) < stick && slices.Contains(ts, last) {
			id = last
		}
		last = id
		witness.Macro(s, id, func(id interp.ThreadID) *interp.Event {
			r.steps++
			return s.Step(id)
		})
		t.Schedule.Add(id, 1)
	}
	e := s.Err()
	if e == nil || e.Func == nil || !strings.HasPrefix(e.Func.Name, violated) {
		return -1
	}
	return r.note(e, t, k)
}

// note notes that an invariant does not hold; the execution is run again to be shown.
func (r *runner) note(e *interp.Error, t *trace.Trace, k int) int {
	i, err := strconv.Atoi(strings.TrimPrefix(e.Func.Name, violated))
	if err != nil || i >= len(r.rs) {
		return -1
	}
	x := &r.rs[i]
	t.Bug = trace.Bug{Kind: "reach_error", Message: "the invariant does not hold: " + x.text, Thread: e.Thread, At: trace.PlaceOf(e.Pos)}
	short := t
	if len(t.Schedule) > 1 { // with one thread there is nothing to leave out
		short = trace.Minimise(r.m, r.h, t)
	}
	run, err := trace.Replay(r.m, r.h, short)
	if err != nil {
		run = &trace.Execution{Trace: t}
	}
	x.Violated, x.Executions = run, k+1
	return i
}
