package check

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/internal/crash"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/prove/explicit"
)

// states asks for a proof by going over all states, or an execution that fails.
func (r *run) states() error {
	if r.opt.Brief {
		return r.statesBy(briefEffort)
	}
	return r.statesBy(effort)
}

// statesBy does so in some ways, one after the other.
func (r *run) statesBy(ways []way) error {
	if !r.stateful() {
		return nil
	}
	o := explicit.Options{Wanted: func(a *ir.Assert) bool { return slices.Contains(r.kinds, a.Tag) }, Memory: r.opt.Heap}
	if r.facts != nil {
		o.MayRace = pipeline.MayRace(r.facts)
	}
	if r.opt.Property == DataRace {
		if r.facts == nil {
			return nil
		}
		o.Races = pipeline.Racing(r.facts)
	}
	for _, b := range ways {
		if o.Races != nil && !b.races() {
			continue
		}
		for _, last := range r.lastOnes(b.last) {
			o.Views, o.Values, o.States, o.Threads, o.Last, o.Counted, o.Forget = b.views, b.values, b.states, b.threads, last, b.counted, b.forget
			if err := r.stateSpace(b.name, o, b.ask(), b.share); err != nil || r.res.Answer != "UNKNOWN" {
				return err
			}
		}
	}
	return nil
}

// stateful reports whether states are asked.
func (r *run) stateful() bool {
	return r.wants("states") && (r.opt.Property == Unreach || r.opt.Property == DataRace) && len(r.gaps) == 0
}

// lastOnes are the functions of threads, where wanted, the first few; else no function,
// once.
func (r *run) lastOnes(wanted bool) []*ir.Func {
	if !wanted {
		return []*ir.Func{nil}
	}
	var out []*ir.Func
	for _, e := range r.p.Entries {
		if e.Spawned && e.Func != nil && len(out) < 4 {
			out = append(out, e.Func)
		}
	}
	return out
}

// stateSpace asks reach in one way, within a share of the time.
func (r *run) stateSpace(name string, o explicit.Options, ask asker, share time.Duration) error {
	start := r.begin("states")
	limit := usual / share
	if r.opt.Timeout > 0 {
		limit = r.opt.Timeout / share
	}
	ctx, cancel := r.limited(limit)
	defer cancel()
	if o.Last != nil {
		name += ", " + o.Last.Title() + " last"
	}
	res, err := guarded(func() (*explicit.Result, error) { return ask(ctx, r.p, o) })
	if err != nil {
		r.step(name, oneLine(err.Error()), start)
		return r.ctx.Err()
	}
	if res.Proved {
		r.proved(append(r.p.Assumptions[:len(r.p.Assumptions):len(r.p.Assumptions)], res.Assumptions...))
		what := "no assertion fails"
		if o.Races != nil {
			what = "nothing races"
		}
		r.step(name, fmt.Sprintf("%s in %d states: %s %s", what, res.States, r.res.Answer, r.res.Reason), start)
		return nil
	}
	outcome := fmt.Sprintf("%s (%d states)", oneLine(res.Reason), res.States)
	if res.Trace != nil {
		res.Trace.Options = append(res.Trace.Options, r.opt.Flags...)
		if bug, err := pipeline.Confirmed(r.p, res.Trace); err != nil {
			outcome += ", not confirmed: " + oneLine(err.Error())
		} else if len(bug.Guesses) == 0 {
			r.bug(bug)
		}
	}
	r.step(name, outcome, start)
	return nil
}

// guarded makes an error of a broken invariant: the other engines go on without an
// answer.
func guarded[T any](ask func() (T, error)) (res T, err error) {
	defer func() {
		if x := recover(); x != nil {
			var none T
			res, err = none, crash.Error(x)
		}
	}()
	return ask()
}

// usual is the time of which each way to go over the states has a share where there is no
// timeout.
const usual = time.Minute

// effort is how much is tried, one after the other, each with one of so many shares of
// the time; see explicit.Options.
var effort = []way{
	{name: "states with two further threads", values: exact, states: 20_000, threads: 2, share: 30},
	{name: "states of two threads", views: 2, values: 6, states: 100_000, share: 20},
	{name: "states of two threads, finer", views: 2, values: 40, states: 100_000, share: 30},
	{name: "states of three threads", views: 3, values: 6, states: 100_000, share: 30},
	{name: "states by elements", views: 2, values: 2, states: 400_000, elements: true, share: 3},
	{name: "states", values: exact, states: 100_000, share: 30},
}

// briefEffort is what is tried where verify has not decided about a small program.
var briefEffort = []way{
	{name: "states of two threads", views: 2, values: 6, states: 10_000, share: 6},
}

// lateEffort is what is tried when first looks by others were in vain.
var lateEffort = []way{
	{name: "states, inputs forgotten", values: exact, states: 30_000, forget: true, share: 8},
	{name: "states in some order", values: exact, states: 30_000, last: true, share: 30},
	{name: "states of one thread, counted", views: 1, values: 100, states: 1_000_000, counted: true, share: 8},
	{name: "states, one kind of threads roughly", values: 3, states: 3_000_000, rough: true, share: 4},
	{name: "states", values: exact, states: 2_000_000, share: 5},
}

// exact is more values than a place holds.
const exact = 1_000_000

type way struct {
	name                                   string
	views, values, states, threads         int
	elements, last, counted, rough, forget bool
	share                                  time.Duration
}

// races reports whether a way also sees all pairs of threads that may be about to race,
// and can prove something.
func (w *way) races() bool {
	return w.views != 1 && w.threads == 0 && !w.elements && !w.last && !w.rough
}

type asker func(context.Context, *ir.Program, explicit.Options) (*explicit.Result, error)

func (w *way) ask() asker {
	switch {
	case w.elements:
		return explicit.Elements
	case w.rough:
		return explicit.Roughly
	}
	return explicit.Check
}
