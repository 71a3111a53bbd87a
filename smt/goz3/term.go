package goz3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"whoop/smt"
)

// term translates t. Terms are deep, so it has a stack of its own; what was translated
// before is shared.
func (s *Solver) term(t *smt.Term) z3.Value {
	stack := []*smt.Term{t}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		ready := true
		for _, a := range top.Args {
			if s.known(a) == nil {
				stack, ready = append(stack, a), false
			}
		}
		if !ready {
			continue
		}
		if s.known(top) == nil {
			s.terms[top.ID()] = s.build(top)
		}
		stack = stack[:len(stack)-1]
	}
	return s.terms[t.ID()]
}

// known is the translation of t, nil where there is none yet.
func (s *Solver) known(t *smt.Term) z3.Value {
	if n := t.ID() + 1 - len(s.terms); n > 0 {
		s.terms = append(s.terms, make([]z3.Value, n+1024)...)
	}
	return s.terms[t.ID()]
}

// build translates t, whose arguments have been translated.
func (s *Solver) build(t *smt.Term) z3.Value {
	c := s.x.c
	switch t.Op {
	case smt.OpVar:
		if t.Sort == smt.Bool {
			return c.BoolConst(t.Name)
		}
		return c.IntConst(t.Name)
	case smt.OpTrue, smt.OpFalse:
		return c.FromBool(t.Op == smt.OpTrue)
	case smt.OpNum:
		return c.FromBigInt(t.Val, s.x.integer)
	case smt.OpIte:
		return s.bool(t, 0).IfThenElse(s.arg(t, 1), s.arg(t, 2))
	case smt.OpEq:
		if t.Args[0].Sort == smt.Bool {
			return s.bool(t, 0).Eq(s.bool(t, 1))
		}
		return s.int(t, 0).Eq(s.int(t, 1))
	case smt.OpNot:
		return s.bool(t, 0).Not()
	case smt.OpAnd:
		return s.bool(t, 0).And(s.bools(t)...)
	case smt.OpOr:
		return s.bool(t, 0).Or(s.bools(t)...)
	case smt.OpApp:
		return s.apply(t)
	}
	return s.arithmetic(t)
}

// arithmetic translates a term whose arguments are two integers.
func (s *Solver) arithmetic(t *smt.Term) z3.Value {
	x, y := s.int(t, 0), s.int(t, 1)
	switch t.Op {
	case smt.OpLt:
		return x.LT(y)
	case smt.OpLe:
		return x.LE(y)
	case smt.OpAdd:
		return x.Add(y)
	case smt.OpMul:
		return x.Mul(y)
	case smt.OpDiv:
		return x.Div(y)
	}
	panic(fmt.Errorf("goz3: unknown operator %d", t.Op))
}

// apply translates the application of an uninterpreted function, which is declared once.
func (s *Solver) apply(t *smt.Term) z3.Value {
	k := fmt.Sprintf("%s/%d", t.Name, len(t.Args))
	f, ok := s.x.funcs[k]
	if !ok {
		domain := make([]z3.Sort, len(t.Args))
		for i := range domain {
			domain[i] = s.x.integer
		}
		f = s.x.c.FuncDecl(t.Name, domain, s.x.integer)
		s.x.funcs[k] = f
	}
	args := make([]z3.Value, len(t.Args))
	for i := range args {
		args[i] = s.arg(t, i)
	}
	return f.Apply(args...)
}

func (s *Solver) arg(t *smt.Term, i int) z3.Value { return s.terms[t.Args[i].ID()] }
func (s *Solver) bool(t *smt.Term, i int) z3.Bool { return s.arg(t, i).(z3.Bool) }
func (s *Solver) int(t *smt.Term, i int) z3.Int   { return s.arg(t, i).(z3.Int) }

// bools are the arguments of t behind the first one.
func (s *Solver) bools(t *smt.Term) []z3.Bool {
	out := make([]z3.Bool, 0, len(t.Args))
	for i := 1; i < len(t.Args); i++ {
		out = append(out, s.bool(t, i))
	}
	return out
}
