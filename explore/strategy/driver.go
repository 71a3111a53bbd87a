package strategy

import (
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
)

// DriverStates is how many states of two entry points are visited where nothing else ends
// that.
const DriverStates = 20_000

// driverDrawn is how many executions of two entry points are drawn before.
const driverDrawn = 1000

// driverValues are the answers to queries for numbers in a driver, which reads many: no
// bit is set, one, or all are.
var driverValues = []uint64{0, 1, ^uint64(0)}

// Prepared is what explorations of a driver's entry points have in common.
type Prepared struct {
	m      *interp.Program
	tested *irutil.Tested
}

// Prepare looks at a program of which several pairs of entry points are explored.
func Prepare(p *ir.Program) (*Prepared, error) {
	m, err := interp.Compile(p, interp.Config{})
	return &Prepared{m, irutil.TestedOf(p)}, err
}

// Driver reports whether a strategy explores a driver's entry points.
func Driver(name string) bool { return name != "liveness" }

// driver explores entry points that run beside each other: in the interpreter, since what
// they are given is arbitrary, by their states, or by executions that are drawn.
func (r *run) driver() error {
	if r.opt.FastOnly {
		r.incomplete("the fast machine does not take entry points of a driver")
		return nil
	}
	if r.opt.Prepared == nil {
		r.opt.Prepared = &Prepared{r.m, irutil.TestedOf(r.p)}
	}
	if r.opt.MaxStates == 0 {
		r.opt.MaxStates = DriverStates
	}
	switch {
	case Samples(r.opt.Strategy):
		return r.walk()
	case r.opt.Strategy == "context-bound":
		return r.exhaustive(r.opt.Bound)
	}
	if r.opt.Strategy == Portfolio {
		if ended, err := r.drawnFirst(); ended || err != nil {
			return err
		}
	}
	return r.exhaustive(-1)
}

// drawnFirst draws executions before the states are visited, where what one input decides
// comes late; ended: a finding ends the exploration.
func (r *run) drawnFirst() (ended bool, err error) {
	sub := *r
	sub.res = &Result{}
	sub.opt.Executions, sub.opt.MaxEvents = driverDrawn, LongDrawn
	err = sub.walk()
	r.res.Traces, r.res.Open = sub.res.Traces, sub.res.Open
	if ended = len(r.res.Traces) > 0 && !r.opt.KeepGoing; ended {
		r.res.Executions = sub.res.Executions
		r.incomplete("ended at the first finding")
	}
	return ended, err
}

// values are the answers to queries for numbers, nil: the usual ones.
func (r *run) values() []uint64 {
	if r.h.Main {
		return nil
	}
	return driverValues
}

// numbersTried is why an exploration is not complete that comes to an input of more than
// one bit.
func (r *run) numbersTried() string {
	if r.h.Main {
		return NumbersTried
	}
	return "of arbitrary numbers, 0, 1, -1 and what they are compared with were tried"
}

// aboutThreads reports whether an error is one also where what an entry point is given,
// and the memory it leads to, is arbitrary.
func aboutThreads(k interp.ErrorKind) bool {
	return k == interp.ErrAssert || k == interp.ErrDoubleLock || k == interp.ErrUnlock
}

// open notes what was not followed, once.
func (r *run) open(kind string, at ir.Pos, text string) {
	a := ir.Assumption{Kind: kind, Pos: at, Text: text}
	if !slices.Contains(r.res.Open, a) {
		r.res.Open = append(r.res.Open, a)
	}
}
