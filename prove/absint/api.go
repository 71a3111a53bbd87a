package absint

import (
	"context"
	"errors"
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/smt/bv"
)

// Result is what is known of all executions of a program.
type Result struct {
	// MayFail are the assertions that were not proved; all others hold, or are not
	// reached.
	MayFail map[ir.Instr]bool
	// MayLeave are the accesses that may lie outside of the arrays they index: in an
	// execution in which one does, anything may happen.
	MayLeave map[ir.Instr]bool
	// MayMisuse are the instructions of which it was not seen that they release locks
	// that are held, and make anew or write over locks that are not: where one does
	// otherwise, anything may happen.
	MayMisuse map[ir.Instr]bool
	// Assumptions are what the result rests on, besides the program's own.
	Assumptions []ir.Assumption

	// Forwarded: the result rests on what Options.Safe says.
	Forwarded bool
	// RaceFree: invariants exclude all races that Options.Races says may be; else Race is
	// one that they do not, nil where they were not looked for to the end.
	RaceFree bool
	Race     *Race
	// Incomplete says why invariants of threads were not found.
	Incomplete string
	// Params are what the parameters of the observed functions may hold, in all calls;
	// functions that are not called are missing.
	Params map[*ir.Func][]Value

	loads map[ir.Instr]Value
}

// Options say what is used.
type Options struct {
	// Solver makes a solver, with which invariants of threads are looked for where
	// intervals do not prove all; nil: they are not.
	Solver func() (bv.Solver, error)
	// Wanted are the assertions that matter; nil: all.
	Wanted func(*ir.Assert) bool
	// Safe says of accesses that they were proved not to race; what a thread reads there
	// is what it wrote, or read, just before. nil: that is not known. Where no access
	// reads such, the error is ErrUnchanged.
	Safe func(ir.Instr) bool
	// Races says of an access that it was not proved not to race where threads of two
	// entries, of these names in any order, meet; nil: races are not asked about. With a
	// solver only.
	Races func(first, second string, in ir.Instr) bool
	// Observe are functions with bodies whose parameters are of interest; nil: none.
	Observe func(*ir.Func) bool
}

// ErrUnchanged is the error where Options.Safe changes nothing.
var ErrUnchanged = errors.New("no access reads what was written or read just before")

// Analyze analyses a program with a main function. It is an error where something in it
// cannot be followed: then nothing is known.
func Analyze(ctx context.Context, p *ir.Program, opt Options) (*Result, error) {
	_, r, err := analyze(ctx, p, opt)
	return r, err
}

func analyze(ctx context.Context, p *ir.Program, opt Options) (*analysis, *Result, error) {
	before, err := alias.AnalyzeContext(ctx, p, alias.Options{})
	if err != nil {
		return nil, nil, err
	}
	for _, a := range p.Assumptions {
		if a.Kind == "unmodelled" {
			return nil, nil, fmt.Errorf("%s: %s", a.Pos, a.Text)
		}
	}
	fl, err := flatten(p, before, opt.Observe)
	if err != nil {
		return nil, nil, err
	}
	if opt.Safe != nil && fl.forward(opt.Safe) == 0 {
		return nil, nil, ErrUnchanged
	}
	a := &analysis{ctx: ctx, flat: fl, races: opt.Races}
	if a.alias, err = alias.AnalyzeContext(ctx, fl.prog, alias.Options{}); err != nil {
		return nil, nil, err
	}
	if err := a.prepare(); err != nil {
		return nil, nil, err
	}
	if err := a.solveGuarded(); err != nil {
		return nil, nil, err
	}
	r := &Result{Forwarded: opt.Safe != nil, loads: a.loads, MayFail: a.failing,
		MayLeave: a.outside, MayMisuse: a.misused,
		Assumptions: append(before.Assumptions(), a.alias.Assumptions()...)}
	r.Params = a.params()
	if opt.Solver != nil && (r.Fails(opt.Wanted) || opt.Races != nil) {
		if err := a.refine(ctx, r, &opt); err != nil {
			r.Incomplete = err.Error()
		}
	}
	return a, r, nil
}

// params sorts what was found out about parameters by their functions.
func (a *analysis) params() map[*ir.Func][]Value {
	out := map[*ir.Func][]Value{}
	for p, v := range a.facts.params {
		vs := out[p.fn]
		if vs == nil {
			vs = make([]Value, len(p.fn.Params))
			for i := range vs {
				vs[i] = nothing
			}
			out[p.fn] = vs
		}
		vs[p.i] = v
	}
	return out
}

// Fails reports whether an assertion that matters (nil: any) is not proved.
func (r *Result) Fails(wanted func(*ir.Assert) bool) bool {
	for in := range r.MayFail {
		if as, ok := in.(*ir.Assert); ok && (wanted == nil || wanted(as)) {
			return true
		}
	}
	return false
}

// refine takes the assertions that invariants of threads prove out of the result.
func (a *analysis) refine(ctx context.Context, r *Result, opt *Options) error {
	for _, counting := range []bool{false, true} {
		if counting && (opt.Races != nil || !r.Fails(opt.Wanted) || !a.found.countable()) {
			break
		}
		open, err := a.prove(ctx, opt.Solver, counting)
		if err != nil {
			return err
		}
		for in := range r.MayFail {
			if !open[in] {
				delete(r.MayFail, in)
			}
		}
		r.Race = a.found.race
		r.RaceFree = r.RaceFree || opt.Races != nil && r.Race == nil
	}
	return nil
}
