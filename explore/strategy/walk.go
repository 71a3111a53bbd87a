package strategy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"whoop/explore"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// walk draws executions in the interpreter. They may have thousands of threads, which
// package vm does not take. What is drawn is how often a run leaves a thread that could
// go on, and whether main goes first as long as it can, so that all threads that it
// starts wait for their first step. Bugs need few preemptions (Musuvathi, Qadeer:
// Iterative context bounding for systematic testing of multithreaded programs, PLDI
// 2007), and a random choice of the few finds them (see pct). Unlike pct, preemptions are
// drawn at a rate, which needs no count of the steps to come.
//
// Races are found by happens-before in any run, and brought side by side (sidebyside.go).
func (r *run) walk() error {
	opt := r.opt
	w := &walks{m: r.m, h: r.h, steps: opt.MaxEvents, draw: rand.New(rand.NewPCG(opt.Seed, 0))}
	if !opt.NoRaces {
		w.tried = map[[2]ir.Instr]int{}
	}
	if !r.h.Main {
		w.values = func(q *interp.Query) []uint64 {
			return explore.Values(q,
				opt.Prepared.tested, driverValues)
		}
	}
	for opt.Context.Err() == nil && r.res.Executions < opt.Executions && (opt.Work == 0 || r.res.Events < opt.Work) {
		x := w.next(opt.Context)
		e := x.run(opt.Context)
		r.res.Executions++
		r.res.Events, r.res.Longest = int64(sum(w.spent[0])+sum(w.spent[1])), max(r.res.Longest, x.done)
		if opt.Progress != nil && r.res.Executions%100 == 0 {
			opt.Progress(Progress{Executions: r.res.Executions, Total: float64(opt.Executions)})
		}
		if t := r.walked(w, x, e); t != nil && !r.keepTrace(bugKey(&t.Bug), t) {
			break
		}
	}
	r.incomplete("executions were drawn")
	return nil
}

// bugKey tells what a run shows from other things; which of two accesses that race comes
// first makes no difference.
func bugKey(b *trace.Bug) string {
	at, too := b.At, b.AtToo
	if b.Kind == explore.KindRace && too.Pos().Compare(at.Pos()) < 0 {
		at, too = too, at
	}
	return fmt.Sprint(b.Kind, at, too)
}

// walked is what a run shows, if it is looked for and replays; nil else.
func (r *run) walked(w *walks, x *walkRun, e *interp.Error) *trace.Trace {
	t := x.t
	switch {
	case r.h.Stays && (x.raced != nil || e != nil):
		return nil
	case x.raced != nil:
		t = w.sideBySide(r.opt.Context, x)
	case e != nil:
		r.res.Stuck++
		if r.unfollowed(e.Kind, e.Pos) || r.opt.Wanted != nil && !r.opt.Wanted(e) {
			return nil
		}
		t.Bug = bugOf(&explore.Finding{Kind: string(e.Kind), Err: e})
	case x.s.Status() == interp.Deadlock:
		r.res.Deadlocks++
		if dead, _ := explore.Deadlocked(&r.h, x.s); !dead || r.opt.Wanted != nil {
			return nil
		}
		f := &explore.Finding{Kind: explore.KindDeadlock, Blocked: explore.BlockedIn(x.s)}
		if t.Bug = bugOf(f); r.h.Stays {
			t.Bug.Kind, t.Stays = Leak, true
			if !leaks(f) {
				return nil
			}
		}
	default:
		return nil
	}
	if t == nil {
		return nil
	}
	t.Schema, t.Tool, t.Main, t.Init, t.Options = trace.Schema, "whoop", r.h.Main, []string{},
		[]string{}
	if _, err := trace.Replay(r.m, r.h, t); err != nil {
		return nil
	}
	return t
}

// walks makes runs of two kinds, so that both have as many steps: those in which the next
// thread is drawn from the beginning on, and those that begin where main has gone on
// first as far as it could, which is done once for several of them.
type walks struct {
	m     *interp.Program
	h     interp.Harness
	steps int
	draw  *rand.Rand
	n     int           // runs of the second kind that were made
	spent [2][3]int     // the steps of either kind, in runs of each length
	ready *walkRun      // where main cannot go on
	at    *interp.State // the state of that
	// how often the races of two instructions were looked at; nil: none is looked for
	tried map[[2]ir.Instr]int
	// values are those of a number that are worth a try; nil: that is not known
	values func(*interp.Query) []uint64
}

// sharedStart is how many runs begin where main was once.
const sharedStart = 100

// next is a run to be made.
func (w *walks) next(ctx context.Context) *walkRun {
	if sum(w.spent[0]) < sum(w.spent[1]) {
		r := w.drawn(0, shortest(w.spent[0]))
		w.start(r)
		return r
	}
	if w.n%sharedStart == 0 || w.at.Status() != interp.Running {
		w.ready = w.drawn(1, len(lengths)-1)
		w.start(w.ready)
		w.ready.main(ctx)
		w.at = w.ready.s.Snapshot()
		if w.ready.raced != nil {
			return w.ready
		}
	}
	w.n++
	r := w.drawn(1, shortest(w.spent[1]))
	r.mainFirst, r.done, r.steps = true, w.ready.done, min(r.steps+w.ready.done, w.steps)
	r.t = &trace.Trace{Schedule: slices.Clone(w.ready.t.Schedule), Inputs: slices.Clone(w.ready.t.Inputs)}
	w.ready.to = r // who answers
	r.s = w.at.Snapshot()
	if w.tried != nil {
		r.races = w.ready.races.Clone()
	}
	return r
}

// lengths are how many steps runs have at most, 0: as many as any may have. Most bugs
// need few, and a program that waits for ever in a loop would spend all time on that;
// each length gets as many steps as the others.
var lengths = [3]int{500, 10_000, 0}

// shortest is the length of which the runs had the fewest steps so far.
func shortest(spent [3]int) int {
	return slices.Index(spent[:], slices.Min(spent[:]))
}

func sum(spent [3]int) int { return spent[0] + spent[1] + spent[2] }

// drawn is a run of a kind and length of which all is drawn that does not change.
func (w *walks) drawn(kind, length int) *walkRun {
	steps := w.steps
	if n := lengths[length]; n > 0 {
		steps = min(steps, n)
	}
	r := &walkRun{t: &trace.Trace{}, draw: w.draw, steps: steps,
		spent: &w.spent[kind][length], rate: rates[w.draw.IntN(len(rates))],
		turns: turns[w.draw.IntN(len(turns))], small: 2 + w.draw.IntN(4)*w.draw.IntN(4),
		tried: w.tried, values: w.values}
	if w.tried != nil {
		r.races = interp.NewRaces()
	}
	return r
}

// start makes the state in which a run begins.
func (w *walks) start(r *walkRun) {
	r.to = r
	r.s = w.m.Start(w.h, interp.InputFunc(func(q *interp.Query) uint64 { return r.to.input(q) }))
}

// rates are of how many steps one is followed by a preemption, 0: none is.
var rates = []int{0, 2, 8, 40, 300}

// turns are how many turns the threads get at most that main has started before, 0: any
// number. Of a thousand threads a few suffice for most bugs.
var turns = []int{16, 128, 1024, 0}

// walkRun is one execution.
type walkRun struct {
	s *interp.State
	t *trace.Trace
	// who answers what the state asks: this one, or one that goes on from a copy of it
	to        *walkRun
	draw      *rand.Rand
	steps     int // how many it may have, and has had
	done      int
	look      int  // the time is looked at when it has had so many
	spent     *int // counts the steps of its kind
	rate      int
	mainFirst bool
	turns     int               // that are left, where main goes first; 0: any number
	small     int               // inputs are mostly below it
	live      []interp.ThreadID // the threads that have not ended, as far as is known
	known     int               // how many threads were taken into live
	races     *interp.Races     // nil: none are looked for
	raced     *interp.Race      // ends the run
	tried     map[[2]ir.Instr]int
	values    func(*interp.Query) []uint64
}

// input draws an answer, and notes it. Nothing fails that need not, and what was never
// written is 0.
func (r *walkRun) input(q *interp.Query) uint64 {
	v := uint64(0)
	switch {
	case q.Kind == interp.InFailure || q.Kind == interp.InUninit:
	case q.N > 0:
		v = r.draw.Uint64N(uint64(q.N))
	case r.values != nil && r.draw.IntN(4) != 0:
		vs := r.values(q)
		v = vs[r.draw.IntN(len(vs))]
	default:
		switch r.draw.IntN(16) {
		case 0:
			v = r.draw.Uint64()
		case 1:
			v = -uint64(r.draw.IntN(r.small))
		default:
			v = uint64(r.draw.IntN(r.small))
		}
	}
	for len(r.t.Inputs) <= q.Index {
		r.t.Inputs = append(r.t.Inputs, 0)
	}
	r.t.Inputs[q.Index] = v
	return v
}

// main lets main go on as far as it can.
func (r *walkRun) main(ctx context.Context) {
	for r.goes() && r.s.CanStep(0) && !r.late(ctx) {
		r.step(0)
	}
}

// goes reports whether the run goes on.
func (r *walkRun) goes() bool {
	return r.done < r.steps && r.raced == nil && r.s.Status() == interp.Running && (r.races == nil || r.s.NumThreads() <= maxClocks)
}

// late reports whether the time is up, which is looked at now and then.
func (r *walkRun) late(ctx context.Context) bool {
	if r.done < r.look {
		return false
	}
	r.look = r.done + 1024
	return ctx.Err() != nil
}

// quiet is how many instructions of one step count as a further step: a thread that counts
// to a million unnoticed takes one step, and as long as a run of thousands.
const quiet = 64

// step takes a step of a thread.
func (r *walkRun) step(id interp.ThreadID) {
	n := 0
	if r.races == nil {
		n = trace.Unit(r.s, id)
	} else {
		n = trace.Observed(r.s, id, r.observe)
	}
	n = 1 + n/quiet
	r.done += n
	*r.spent += n
	r.t.Schedule.Add(id, 1)
}

// run goes on until the execution ends, which returns its error, or is too long.
func (r *walkRun) run(ctx context.Context) *interp.Error {
	for r.goes() {
		id, ok := r.next()
		if !ok {
			return nil // a deadlock, or the end
		}
		if r.mainFirst && id != 0 && r.turns > 0 {
			if r.turns--; r.turns == 0 {
				return nil
			}
		}
		for first := true; r.done < r.steps && (first || r.goesOn(id)); first = false {
			if r.late(ctx) {
				return nil
			}
			r.step(id)
		}
	}
	return r.s.Err()
}

// goesOn reports whether the thread that has taken a step takes another one.
func (r *walkRun) goesOn(id interp.ThreadID) bool {
	if !r.goes() || !r.s.CanStep(id) {
		return false
	}
	return r.rate == 0 || id == 0 && r.mainFirst || r.draw.IntN(r.rate) != 0
}

// next draws the thread whose turn it is.
func (r *walkRun) next() (interp.ThreadID, bool) {
	for ; r.known < r.s.NumThreads(); r.known++ {
		r.live = append(r.live, interp.ThreadID(r.known))
	}
	if r.mainFirst && r.s.CanStep(0) {
		return 0, true
	}
	for tries := len(r.live); tries > 0; {
		i := r.draw.IntN(tries)
		id := r.live[i]
		if r.s.CanStep(id) {
			return id, true
		}
		tries-- // those behind were tried
		last := len(r.live) - 1
		if r.live[i] = r.live[tries]; r.s.Ended(id) {
			r.live[tries] = r.live[last]
			r.live = r.live[:last]
		} else {
			r.live[tries] = id
		}
	}
	return 0, false
}
