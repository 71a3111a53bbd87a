// Package z3 decides smt terms with Z3 (libz3 through github.com/aclements/go-z3). It is the only package that knows Z3:
// contexts, timeouts and errors end here. go-z3 panics on Z3's errors; every call is guarded and returns an error.
//
//	s, err := z3.New(z3.Options{Timeout: 10 * time.Second})
//	defer s.Close()
package z3

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	z "github.com/aclements/go-z3/z3"

	"whoop/smt"
)

// Options configure a solver.
type Options struct {
	// Timeout bounds one Check; 0 means none.
	Timeout time.Duration
	// Seed is Z3's random seed.
	Seed uint
}

// Solver is a Z3 solver in a context of its own, so that solvers run in parallel.
type Solver struct {
	ctx   *z.Context
	s     *z.Solver
	cache map[*smt.Term]z.Value
	funcs map[string]z.FuncDecl
	model *z.Model
	opt   Options
}

var _ smt.Solver = (*Solver)(nil)

// New makes a solver.
func New(opt Options) (sv *Solver, err error) {
	defer catch(&err)
	cfg := z.NewContextConfig()
	ctx := z.NewContext(cfg)
	if opt.Timeout > 0 {
		ctx.Config().SetUint("timeout", uint(opt.Timeout/time.Millisecond))
	}
	s := z.NewSolver(ctx)
	if err := keepSignals(ctx, s); err != nil {
		return nil, err
	}
	return &Solver{ctx: ctx, s: s, cache: map[*smt.Term]z.Value{}, funcs: map[string]z.FuncDecl{}, opt: opt}, nil
}

// catch turns go-z3's panics into errors.
func catch(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("z3: %v", r)
	}
}

// Push opens a scope.
func (s *Solver) Push() (err error) {
	defer catch(&err)
	s.s.Push()
	return nil
}

// Pop closes a scope.
func (s *Solver) Pop() (err error) {
	defer catch(&err)
	s.model = nil
	s.s.Pop()
	return nil
}

// Assert adds a conjunct.
func (s *Solver) Assert(t *smt.Term) (err error) {
	defer catch(&err)
	if t.Sort != smt.Bool {
		return errors.New("z3: asserted term is not Bool")
	}
	s.s.Assert(s.term(t).(z.Bool))
	return nil
}

// Check decides what is asserted. Cancelling ctx interrupts Z3.
func (s *Solver) Check(ctx context.Context) (r smt.Result, err error) {
	defer catch(&err)
	if err := ctx.Err(); err != nil {
		return smt.Unknown, err
	}
	stop := context.AfterFunc(ctx, s.ctx.Interrupt)
	defer stop()
	s.model = nil
	sat, err := s.s.Check()
	switch {
	case err != nil:
		if ctx.Err() != nil {
			return smt.Unknown, ctx.Err()
		}
		return smt.Unknown, fmt.Errorf("z3: %w", err)
	case sat:
		s.model = s.s.Model()
		return smt.Sat, nil
	}
	return smt.Unsat, nil
}

// Holds evaluates t in the last model, with completion.
func (s *Solver) Holds(t *smt.Term) (v bool, err error) {
	defer catch(&err)
	if s.model == nil {
		return false, errors.New("z3: no model")
	}
	b, ok := s.model.Eval(s.term(t), true).(z.Bool)
	if !ok {
		return false, errors.New("z3: not a Bool term")
	}
	v, lit := b.AsBool()
	if !lit {
		return false, errors.New("z3: the model leaves a term open")
	}
	return v, nil
}

// SMTLIB returns the asserted formulas. After a Check, Z3 prints behind them how to complete a model, in commands of its
// own; these are left out.
func (s *Solver) SMTLIB() string {
	text := "(set-logic ALL)\n" + s.s.String()
	for _, own := range []string{"\n(model-", "\n(rmodel->"} {
		if i := strings.Index(text, own); i >= 0 {
			text = text[:i+1]
		}
	}
	return text + "(check-sat)\n"
}

// Close drops the references; Z3's memory is freed when the collector runs.
func (s *Solver) Close() { s.cache, s.model, s.s, s.ctx, s.funcs = nil, nil, nil, nil, nil }

// term translates, sharing what was translated before. Terms are deep but their depth is bounded by a stack of ours:
// children are translated in order of creation.
func (s *Solver) term(t *smt.Term) z.Value {
	stack := []*smt.Term{t}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if _, ok := s.cache[top]; ok {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		for _, a := range top.Args {
			if _, ok := s.cache[a]; !ok {
				stack, ready = append(stack, a), false
			}
		}
		if ready {
			s.cache[top] = s.build(top)
			stack = stack[:len(stack)-1]
		}
	}
	return s.cache[t]
}

func (s *Solver) build(t *smt.Term) z.Value {
	arg := func(i int) z.Value { return s.cache[t.Args[i]] }
	num := func(i int) z.Int { return arg(i).(z.Int) }
	switch t.Op {
	case smt.OpTrue, smt.OpFalse:
		return s.ctx.FromBool(t.Op == smt.OpTrue)
	case smt.OpNum:
		return s.ctx.FromBigInt(new(big.Int).Set(t.Val), s.ctx.IntSort())
	case smt.OpVar:
		if t.Sort == smt.Bool {
			return s.ctx.BoolConst(t.Name)
		}
		return s.ctx.IntConst(t.Name)
	case smt.OpNot:
		return arg(0).(z.Bool).Not()
	case smt.OpAnd, smt.OpOr:
		return s.nary(t)
	case smt.OpIte:
		return arg(0).(z.Bool).IfThenElse(arg(1), arg(2))
	case smt.OpEq:
		if t.Args[0].Sort == smt.Bool {
			return arg(0).(z.Bool).Eq(arg(1).(z.Bool))
		}
		return num(0).Eq(num(1))
	case smt.OpLt:
		return num(0).LT(num(1))
	case smt.OpLe:
		return num(0).LE(num(1))
	case smt.OpAdd:
		return num(0).Add(num(1))
	case smt.OpMul:
		return num(0).Mul(num(1))
	case smt.OpDiv:
		return num(0).Div(num(1))
	case smt.OpApp:
		return s.apply(t)
	}
	panic(fmt.Sprintf("unknown operator %d", t.Op))
}

func (s *Solver) nary(t *smt.Term) z.Value {
	xs := make([]z.Bool, len(t.Args))
	for i, a := range t.Args {
		xs[i] = s.cache[a].(z.Bool)
	}
	if t.Op == smt.OpAnd {
		return xs[0].And(xs[1:]...)
	}
	return xs[0].Or(xs[1:]...)
}

func (s *Solver) apply(t *smt.Term) z.Value {
	f, ok := s.funcs[t.Name]
	if !ok {
		dom := make([]z.Sort, len(t.Args))
		for i := range dom {
			dom[i] = s.ctx.IntSort()
		}
		f = s.ctx.FuncDecl(t.Name, dom, s.ctx.IntSort())
		s.funcs[t.Name] = f
	}
	args := make([]z.Value, len(t.Args))
	for i, a := range t.Args {
		args[i] = s.cache[a]
	}
	return f.Apply(args...)
}
