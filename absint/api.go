package absint

import (
	"context"
	"fmt"

	"whoop/alias"
	"whoop/ir"
)

// Result is what is known of all executions of a program.
type Result struct {
	// MayFail are the assertions that were not proved; all others hold, or are not reached.
	MayFail map[ir.Instr]bool
	// MayOverflow are the instructions with signed arithmetic of which it was not proved that the result fits its type; nil is for
	// conditions of branches.
	MayOverflow map[ir.Instr]bool
	// MayLeave are the accesses that may lie outside of the arrays they index: in an execution in which one does, anything may happen.
	MayLeave map[ir.Instr]bool
	// Assumptions are what the result rests on, besides the program's own.
	Assumptions []ir.Assumption

	loads map[ir.Instr]Value
}

// Analyze analyses a program with a main function. It is an error where something in it cannot be followed: then nothing is known.
func Analyze(ctx context.Context, p *ir.Program) (*Result, error) {
	before, err := alias.AnalyzeContext(ctx, p, alias.Options{})
	if err != nil {
		return nil, err
	}
	for _, a := range p.Assumptions {
		if a.Kind == "unmodelled" {
			return nil, fmt.Errorf("%s: %s", a.Pos, a.Text)
		}
	}
	fl, err := flatten(p, before)
	if err != nil {
		return nil, err
	}
	a := &analysis{ctx: ctx, flat: fl}
	if a.alias, err = alias.AnalyzeContext(ctx, fl.prog, alias.Options{}); err != nil {
		return nil, err
	}
	if err := a.prepare(); err != nil {
		return nil, err
	}
	if err := a.solveGuarded(); err != nil {
		return nil, err
	}
	return &Result{loads: a.loads, MayFail: a.failing, MayOverflow: a.wraps, MayLeave: a.outside, Assumptions: append(before.Assumptions(), a.alias.Assumptions()...)}, nil
}
