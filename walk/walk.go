package walk

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// Options say what is looked for, and how.
type Options struct {
	// Seed makes runs what they are: the same seed, the same runs.
	Seed uint64
	// Runs is how many there are at most; 0: until the context ends.
	Runs int
	// Steps is how many steps a run has at most; it ends there.
	Steps int
	// Wanted reports whether an execution that ends so is one that is looked for; nil: none is.
	Wanted func(*interp.Error) bool
	// Races: data races are looked for.
	Races bool
}

// Search runs the program until an execution ends as wanted; its trace is nil where none did. runs is how many there were.
func Search(ctx context.Context, p *ir.Program, opt Options) (found *trace.Trace, runs int, err error) {
	main := slices.IndexFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
	if main < 0 {
		return nil, 0, errors.New("there is no main function")
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return nil, 0, err
	}
	w := &walker{m: m, h: interp.MainOf(p.Entries[main].Func), steps: opt.Steps, draw: rand.New(rand.NewPCG(opt.Seed, 0))}
	if opt.Races {
		w.tried = map[[2]ir.Instr]int{}
	}
	head := func(t *trace.Trace) *trace.Trace {
		t.Schema, t.Tool, t.Input, t.Program, t.Main = trace.Schema, "whoop", p.Name, trace.Hash(p), true
		t.Init, t.Roots, t.Options = []string{}, []string{p.Entries[main].Name}, []string{}
		return t
	}
	for ctx.Err() == nil && (opt.Runs == 0 || runs < opt.Runs) {
		r := w.next(ctx)
		runs++
		e := r.run(ctx)
		if r.raced != nil {
			if t := w.sideBySide(ctx, r); t != nil {
				if _, err := trace.Replay(m, w.h, head(t)); err == nil {
					return t, runs, nil
				}
			}
			continue
		}
		if e != nil && opt.Wanted != nil && opt.Wanted(e) {
			return head(r.t), runs, nil
		}
	}
	return nil, runs, nil
}

// walker makes runs of two kinds, so that both have as many steps: those in which the next thread is drawn from the beginning on, and those that begin where main has gone on first
// as far as it could, which is done once for several of them.
type walker struct {
	m     *interp.Program
	h     interp.Harness
	steps int
	draw  *rand.Rand
	n     int                 // runs of the second kind that were made
	spent [2][3]int           // the steps of either kind, in runs of each length
	ready *run                // where main cannot go on
	at    *interp.State       // the state of that
	tried map[[2]ir.Instr]int // how often the races of two instructions were looked at; nil: none is looked for
}

// again is how many runs begin where main was once.
const again = 100

// next is a run to be made.
func (w *walker) next(ctx context.Context) *run {
	if sum(w.spent[0]) < sum(w.spent[1]) {
		r := w.drawn(0, shortest(w.spent[0]))
		w.start(r)
		return r
	}
	if w.n%again == 0 || w.at.Status() != interp.Running {
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

// lengths are how many steps runs have at most, 0: as many as any may have. Most bugs need few, and a program that waits for ever in a loop would spend all time on that; each length gets
// as many steps as the others.
var lengths = [3]int{500, 10_000, 0}

// shortest is the length of which the runs had the fewest steps so far.
func shortest(spent [3]int) int {
	return slices.Index(spent[:], slices.Min(spent[:]))
}

func sum(spent [3]int) int { return spent[0] + spent[1] + spent[2] }

// drawn is a run of a kind and length of which all is drawn that does not change.
func (w *walker) drawn(kind, length int) *run {
	steps := w.steps
	if n := lengths[length]; n > 0 {
		steps = min(steps, n)
	}
	r := &run{t: &trace.Trace{}, draw: w.draw, steps: steps, spent: &w.spent[kind][length], rate: rates[w.draw.IntN(len(rates))], turns: turns[w.draw.IntN(len(turns))], small: 2 + w.draw.IntN(4)*w.draw.IntN(4), tried: w.tried}
	if w.tried != nil {
		r.races = interp.NewRaces()
	}
	return r
}

// start makes the state in which a run begins.
func (w *walker) start(r *run) {
	r.to = r
	r.s = w.m.Start(w.h, interp.InputFunc(func(q *interp.Query) uint64 { return r.to.input(q) }))
}

// rates are of how many steps one is followed by a preemption, 0: none is.
var rates = []int{0, 2, 8, 40, 300}

// turns are how many turns the threads get at most that main has started before, 0: any number. Of a thousand threads a few suffice for most bugs.
var turns = []int{16, 128, 1024, 0}

// run is one execution.
type run struct {
	s         *interp.State
	t         *trace.Trace
	to        *run // who answers what the state asks: this one, or one that goes on from a copy of it
	draw      *rand.Rand
	steps     int // how many it may have, and has had
	done      int
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
}

// input draws an answer, and notes it. Nothing fails that need not, and what was never written is 0.
func (r *run) input(q *interp.Query) uint64 {
	v := uint64(0)
	switch {
	case q.Kind == interp.InFailure || q.Kind == interp.InUninit:
	case q.N > 0:
		v = r.draw.Uint64N(uint64(q.N))
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
func (r *run) main(ctx context.Context) {
	for r.goes() && r.s.CanStep(0) && !r.late(ctx) {
		r.step(0)
	}
}

// goes reports whether the run goes on.
func (r *run) goes() bool {
	return r.done < r.steps && r.raced == nil && r.s.Status() == interp.Running && (r.races == nil || r.s.NumThreads() <= maxClocks)
}

// late reports whether the time is up, which is looked at now and then.
func (r *run) late(ctx context.Context) bool { return r.done%1024 == 0 && ctx.Err() != nil }

// step takes a step of a thread.
func (r *run) step(id interp.ThreadID) {
	if r.races == nil {
		trace.Unit(r.s, id)
	} else {
		trace.Observed(r.s, id, r.observe)
	}
	r.done++
	*r.spent++
	addUnit(r.t, id)
}

// run goes on until the execution ends, which returns its error, or is too long.
func (r *run) run(ctx context.Context) *interp.Error {
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
	e := r.s.Err()
	if e != nil {
		r.t.Bug = trace.Bug{Kind: e.Tag, Message: e.Msg, Thread: e.Thread, Other: -1, At: trace.PlaceOf(e.Pos)}
	}
	return e
}

// goesOn reports whether the thread that has taken a step takes another one.
func (r *run) goesOn(id interp.ThreadID) bool {
	if !r.goes() || !r.s.CanStep(id) {
		return false
	}
	return r.rate == 0 || id == 0 && r.mainFirst || r.draw.IntN(r.rate) != 0
}

// next draws the thread whose turn it is.
func (r *run) next() (interp.ThreadID, bool) {
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
