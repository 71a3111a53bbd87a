package strategy

import (
	"fmt"
	"strings"

	"whoop/explore"
	"whoop/explore/delay"
	"whoop/ir/interp"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// explorer makes the delaying explorers that a strategy's name ends with.
func explorer(opt Options) func() delay.Explorer {
	_, name, _ := strings.Cut(opt.Strategy, ":")
	switch name {
	case "rtc":
		return delay.RunToCompletion
	case "prr":
		return delay.ProbabilisticRoundRobin(opt.Seed)
	}
	return delay.RoundRobin
}

// delayed explores the strata of a delaying explorer.
func (r *run) delayed() error {
	return r.strata(r.opt.Alike && r.opt.Bound < 0 && irutil.JoinsAtOnce(r.p, r.main.Func))
}

// strata is delayed; alike: threads that were started alike may change places.
func (r *run) strata(alike bool) error {
	c, err := vm.CompileQuiet(r.p, r.opt.Quiet)
	if err != nil {
		return err
	}
	m, err := vm.New(c, r.main.Func, vm.Config{Failures: r.opt.Failures})
	if err != nil {
		return err
	}
	o := delay.Options{Make: explorer(r.opt), Bound: r.opt.Bound, MaxEvents: r.opt.MaxEvents, MaxExecutions: r.opt.Executions, MaxStates: r.opt.MaxStates,
		Context: r.opt.Context, Found: r.stratum, Alike: alike}
	if r.opt.Progress != nil {
		o.Progress = func(x *delay.Result) { r.opt.Progress(Progress{Executions: x.Executions()}) }
	}
	s := delay.Search(m, o)
	if s.Apart && r.res.Reason == "" {
		return r.strata(false)
	}
	if why := m.Unsupported(); why != "" && len(r.res.Traces) == 0 {
		return r.instead(why)
	}
	x := r.res
	x.Executions, x.States, x.Events, x.Longest, x.BoundHit = s.Executions(), s.States, s.Events, s.Longest, s.BoundHit
	x.Stuck, x.Deadlocks, x.Strata = s.Stuck, s.Deadlocks, s.Strata
	switch {
	case s.Incomplete != "":
		r.incomplete("%s", s.Incomplete)
	case m.Sampled():
		r.incomplete(NumbersTried)
	}
	x.Complete, x.Doubts = x.Reason == "", r.doubts()
	return nil
}

// stratum confirms what a search has come upon.
func (r *run) stratum(f delay.Found) bool {
	if f.Path.Kind != "" && r.unfollowed(interp.ErrorKind(f.Place.Kind), pos(f.Place.At)) {
		return true
	}
	return r.confirm(f.Place, f.Place.Kind != explore.KindRace, func() explore.Path { return f.Path })
}

// instead explores in the interpreter what package vm does not take.
func (r *run) instead(why string) error {
	if r.opt.FastOnly {
		r.incomplete("the fast machine does not take %s", why)
		return nil
	}
	r.res.Notes = append(r.res.Notes, fmt.Sprintf("explored in the interpreter, by states: the fast machine does not take %s", why))
	return r.exhaustive(-1)
}
