package goz3

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aclements/go-z3/z3"

	"whoop/smt"
)

// Solver is a solver of a pooled context.
type Solver struct {
	x     *environment
	s     *z3.Solver
	terms []z3.Value // by term ID
	model *z3.Model  // of the last Check, where it was satisfiable
}

var _ smt.Solver = (*Solver)(nil)

// try calls f, and turns the panic by which the binding tells an error of Z3 into an
// error.
func try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case string:
			err = errors.New("z3: " + r)
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// Push opens a scope.
func (s *Solver) Push() error { return try(s.s.Push) }

// Pop closes a scope.
func (s *Solver) Pop() error {
	s.model = nil
	return try(s.s.Pop)
}

// Assert adds a conjunct.
func (s *Solver) Assert(t *smt.Term) error {
	if t.Sort != smt.Bool {
		return errors.New("z3: asserted term is not Bool")
	}
	return try(func() { s.s.Assert(s.term(t).(z3.Bool)) })
}

// Check decides what is asserted. Cancelling ctx interrupts Z3.
func (s *Solver) Check(ctx context.Context) (smt.Result, error) {
	if err := ctx.Err(); err != nil {
		return smt.Unknown, err
	}
	defer s.interruptAfter(ctx)()
	s.model = nil
	var sat bool
	var why error
	err := try(func() {
		if sat, why = s.s.Check(); sat {
			s.model = s.s.Model()
		}
	})
	switch {
	case err == nil && sat:
		return smt.Sat, nil
	case err == nil && why == nil:
		return smt.Unsat, nil
	case ctx.Err() != nil:
		return smt.Unknown, ctx.Err()
	case err != nil:
		return smt.Unknown, err
	}
	return smt.Unknown, fmt.Errorf("z3: %w", why)
}

// interruptAfter interrupts Z3 when ctx ends. The result is called when the check is
// over: an interruption has come by then, since it would hit another worker's check
// later.
func (s *Solver) interruptAfter(ctx context.Context) func() {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		s.x.c.Interrupt()
		close(done)
	})
	return func() {
		if !stop() {
			<-done
		}
	}
}

// Holds evaluates t in the last model, with completion.
func (s *Solver) Holds(t *smt.Term) (bool, error) {
	switch {
	case s.model == nil:
		return false, errors.New("z3: no model")
	case t.Sort != smt.Bool:
		return false, errors.New("z3: not a Bool term")
	}
	var v z3.Value
	if err := try(func() { v = s.model.Eval(s.term(t), true) }); err != nil {
		return false, err
	}
	if b, ok := v.(z3.Bool); ok {
		if value, literal := b.AsBool(); literal {
			return value, nil
		}
	}
	return false, errors.New("z3: the model leaves a term open")
}

// SMTLIB returns the asserted formulas. After a Check, Z3 prints behind them how to
// complete a model, in commands of its own; these are left out.
func (s *Solver) SMTLIB() string {
	text := "(set-logic ALL)\n" + s.s.String()
	for _, own := range []string{"\n(model-", "\n(rmodel->"} {
		if i := strings.Index(text, own); i >= 0 {
			text = text[:i+1]
		}
	}
	return text + "(check-sat)\n"
}

// Forget resets Z3's solver.
func (s *Solver) Forget() error {
	s.model = nil
	return try(s.s.Reset)
}

// Close resets Z3's solver, and keeps it for the next one of the context.
func (s *Solver) Close() {
	if s.s != nil && s.Forget() == nil {
		s.x.free = append(s.x.free, s.s)
	}
	s.s, s.terms = nil, nil
}
