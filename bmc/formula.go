package bmc

import (
	"context"
	"fmt"
	"io"

	"whoop/ir"
	"whoop/smt/bv"
)

// Formula writes the question of a check as an SMT-LIB script (logic QF_BV): it is
// satisfiable where an execution within the bounds has one of the bugs that are looked
// for. With Options.Unbounded it is about all executions, whatever their preemptions;
// else about those of at most Options.CSB preemptions in Options.Rounds rounds (0:
// 2·CSB+2).
func Formula(ctx context.Context, w io.Writer, p *ir.Program, h Harness, opt Options) error {
	opt = opt.withDefaults()
	u, err := unfold(ctx, p, h, &opt)
	if err != nil {
		return err
	}
	var e *encoding
	var bound *bv.Term
	what := "all executions"
	if opt.Unbounded {
		o, err := orders(u, maxTriples)
		if err != nil {
			return err
		}
		if o == nil {
			return fmt.Errorf("the formula of all executions is too large: bound the preemptions")
		}
		e, bound = o.encoding, u.b.True
	} else {
		rounds := opt.Rounds
		if rounds == 0 {
			rounds = 2*opt.CSB + 2
		}
		if e, err = encode(u, rounds); err != nil {
			return err
		}
		bound = e.atMost(opt.CSB)[opt.CSB]
		what = fmt.Sprintf("executions of at most %d preemptions in %d rounds", opt.CSB, rounds)
	}
	var bugs []*bv.Term
	for _, g := range e.goals() {
		bugs = append(bugs, g.cond)
	}
	header := fmt.Sprintf("%s: %s, loops unrolled %d times\nsat: there is a bug", p.Name, what, opt.Unroll)
	terms := append(append([]*bv.Term(nil), e.hard...), bound, u.b.Or(bugs...))
	return bv.Script(w, header, terms...)
}
