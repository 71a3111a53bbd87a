package reduction

import (
	"context"
	"errors"
	"fmt"

	"whoop/ir"
	"whoop/smt/bv"
)

// Options say what is asked.
type Options struct {
	// Solver makes a solver.
	Solver func() (bv.Solver, error)
	// Safe says of accesses that are not atomic that they were proved not to race; nil:
	// that is not known.
	Safe func(ir.Instr) bool
	// Wanted are the assertions that matter; nil: all.
	Wanted func(*ir.Assert) bool
}

// Result is what was found out.
type Result struct {
	// Proved: no execution violates an assertion that matters, leaves an array or
	// releases a lock that it does not hold.
	Proved bool
	// Order is the one in which the threads were run, for the proof; Nodes is the size of
	// what was left then.
	Order string
	Nodes int
	// Why says what was not proved.
	Why string
	// Assumptions are what the result rests on, besides the program's own.
	Assumptions []ir.Assumption
}

// efforts bound the solver's work for one order: all are tried with little of it before
// one is with more.
var efforts = []effort{{5_000_000, 200}, {30_000_000, 1000}, {0, 3000}}

// Prove looks for a proof in one order of the threads after the other. It is an error
// where something in the program cannot be followed.
func Prove(ctx context.Context, p *ir.Program, opt Options) (*Result, error) {
	pr, as, err := newProgram(ctx, p, opt)
	if err != nil {
		return nil, err
	}
	r := &Result{Assumptions: as, Why: "no order of the threads has a proof"}
	m := pr.machine(-1)
	rel, err := m.relations()
	if err != nil {
		return nil, err
	}
	defer rel.close()
	os := orders(len(pr.threads) - 1)
	done := make([]bool, len(os))
	found := false
search:
	for _, budget := range efforts {
		for i, o := range os {
			if done[i] {
				continue
			}
			g, err := m.product(o, rel)
			if err == nil {
				found, err = g.holds(budget)
			}
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case errors.Is(err, errTooLarge):
				done[i] = true
			case err == nil: // more guesses may be kept where the solver may do more
			case !errors.Is(err, errBudget):
				return nil, err
			}
			if found {
				r.Order, r.Nodes = o.String(), len(g.nodes)
				break search
			}
		}
	}
	if !found {
		return r, nil
	}
	for _, t := range pr.threads {
		ok, err := pr.keeps(t)
		if err != nil {
			return nil, err
		}
		if !ok {
			r.Why = fmt.Sprintf("%s may leave an array, or release a lock that it does not hold", t.fn.Name)
			return r, nil
		}
	}
	r.Proved, r.Why = true, ""
	return r, nil
}

// keeps reports whether a thread's accesses stay within their arrays, and it releases the
// locks that it holds: whatever others write, but main, which is followed.
func (p *program) keeps(t *thread) (bool, error) {
	m := p.machine(t.id)
	var one []int
	for _, u := range p.threads[1:] {
		one = append(one, u.id)
	}
	rel, err := m.relations()
	if err != nil {
		return false, err
	}
	defer rel.close()
	g, err := m.product(order{one}, rel)
	if err != nil {
		return false, err
	}
	return g.holds(effort{0, 1000})
}
