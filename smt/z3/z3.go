// Package z3 decides smt terms with Z3, through the C interface of libz3. It is the only
// package that knows Z3: contexts, timeouts and errors end here. The solvers for one
// entry point share a context: it takes some milliseconds to make. A solver and its terms
// hold megabytes, so that procedures of which there are hundreds give theirs up (Forget)
// and make them again. Contexts are used in parallel,
// the solvers of one are not.
//
//	x := z3.NewContext(z3.Options{Timeout: 10 * time.Second})
//	defer x.Close()
//	s, err := x.New()
//	defer s.Close()
package z3

/*
#cgo LDFLAGS: -lz3
#include "context.h"

static Z3_solver whoop_general(Z3_context c, unsigned ms, unsigned seed) {
	Z3_solver s = Z3_mk_simple_solver(c);
	if (!s) return s;
	Z3_solver_inc_ref(c, s);
	Z3_params p = whoop_params(c);
	if (ms) Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "timeout"), ms);
	Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "random_seed"), seed);
	Z3_solver_set_params(c, s, p);
	Z3_params_dec_ref(c, p);
	return s;
}

static Z3_ast whoop_const(Z3_context c, const char *name, int bool_sort) {
	return Z3_mk_const(c, Z3_mk_string_symbol(c, name), bool_sort ? Z3_mk_bool_sort(c) : Z3_mk_int_sort(c));
}

static Z3_func_decl whoop_func(Z3_context c, const char *name, unsigned n) {
	Z3_sort i = Z3_mk_int_sort(c);
	Z3_sort *dom = malloc((n ? n : 1) * sizeof *dom);
	for (unsigned k = 0; k < n; k++) dom[k] = i;
	Z3_func_decl f = Z3_mk_func_decl(c, Z3_mk_string_symbol(c, name), n, dom, i);
	free(dom);
	if (f) Z3_inc_ref(c, Z3_func_decl_to_ast(c, f));
	return f;
}

static Z3_ast whoop_int(Z3_context c, const char *digits) {
	return Z3_mk_numeral(c, digits, Z3_mk_int_sort(c));
}

static Z3_ast whoop_int64(Z3_context c, long long v) {
	return Z3_mk_int64(c, v, Z3_mk_int_sort(c));
}

// whoop_term applies operator op (the numbers of package smt) to n arguments.
static Z3_ast whoop_term(Z3_context c, int op, unsigned n, Z3_ast *a) {
	switch (op) {
	case 1: return Z3_mk_true(c);
	case 2: return Z3_mk_false(c);
	case 4: return Z3_mk_not(c, a[0]);
	case 5: return Z3_mk_and(c, n, a);
	case 6: return Z3_mk_or(c, n, a);
	case 7: return Z3_mk_ite(c, a[0], a[1], a[2]);
	case 8: return Z3_mk_eq(c, a[0], a[1]);
	case 9: return Z3_mk_lt(c, a[0], a[1]);
	case 10: return Z3_mk_le(c, a[0], a[1]);
	case 11: return Z3_mk_add(c, n, a);
	case 12: return Z3_mk_mul(c, n, a);
	case 13: return Z3_mk_div(c, a[0], a[1]);
	}
	return 0;
}

// whoop_drop gives up references; some are null.
static void whoop_drop(Z3_context c, unsigned n, Z3_ast *a) {
	for (unsigned k = 0; k < n; k++)
		if (a[k]) Z3_dec_ref(c, a[k]);
}

// whoop_holds evaluates a Bool: 0 or 1, -1 where the model does not say.
static int whoop_holds(Z3_context c, Z3_model m, Z3_ast t) {
	Z3_ast r = 0;
	if (!Z3_model_eval(c, m, t, 1, &r) || !r) return -1;
	switch (Z3_get_bool_value(c, r)) {
	case Z3_L_TRUE: return 1;
	case Z3_L_FALSE: return 0;
	default: return -1;
	}
}
*/
import "C"

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unsafe"

	"whoop/smt"
)

// Options configure a solver.
type Options struct {
	// Timeout bounds one Check; 0 means none.
	Timeout time.Duration
	// Seed is Z3's random seed.
	Seed uint
}

// Context makes solvers that share Z3's terms.
type Context struct {
	opt   Options
	c     C.Z3_context
	funcs map[string]C.Z3_func_decl
}

var _ smt.Solvers = (*Context)(nil)

// NewContext makes a context.
func NewContext(opt Options) *Context {
	return &Context{opt: opt, c: C.whoop_context(1), funcs: map[string]C.Z3_func_decl{}}
}

// New makes a solver.
func (x *Context) New() (smt.Solver, error) {
	s := &Solver{context: x}
	if err := s.init(x.c, x.general(), false); err != nil {
		return nil, err
	}
	return s, nil
}

func (x *Context) general() C.Z3_solver {
	return C.whoop_general(x.c, C.uint(x.opt.Timeout/time.Millisecond), C.uint(x.opt.Seed))
}

// Close frees the context and all in it.
func (x *Context) Close() { C.Z3_del_context(x.c) }

// Solver is a Z3 solver.
type Solver struct {
	solver
	context *Context
	cache   []C.Z3_ast // by term ID
	args    []C.Z3_ast // for build: arguments of one term
}

var _ smt.Solver = (*Solver)(nil)

// Forget gives up Z3's solver, and the terms that only this one knows, for a new one.
func (s *Solver) Forget() error {
	s.dropModel()
	z := s.context.general()
	if z == nil {
		return cmp.Or(s.fault(), errors.New("z3: no solver could be made"))
	}
	C.Z3_solver_dec_ref(s.c, s.s)
	s.s = z
	s.dropTerms()
	return nil
}

// dropTerms gives up the references to terms.
func (s *Solver) dropTerms() {
	if n := len(s.cache); n > 0 {
		C.whoop_drop(s.c, C.uint(n), &s.cache[0])
	}
	s.cache = nil
}

// Close frees the solver and what only it knows.
func (s *Solver) Close() {
	s.dropTerms()
	s.solver.Close()
}

// Push opens a scope.
func (s *Solver) Push() error {
	C.Z3_solver_push(s.c, s.s)
	return s.fault()
}

// Pop closes a scope.
func (s *Solver) Pop() error {
	s.dropModel()
	C.Z3_solver_pop(s.c, s.s, 1)
	return s.fault()
}

// Assert adds a conjunct.
func (s *Solver) Assert(t *smt.Term) error {
	if t.Sort != smt.Bool {
		return errors.New("z3: asserted term is not Bool")
	}
	a, err := s.term(t)
	if err != nil {
		return err
	}
	C.Z3_solver_assert(s.c, s.s, a)
	return s.fault()
}

// Check decides what is asserted. Cancelling ctx interrupts Z3.
func (s *Solver) Check(ctx context.Context) (smt.Result, error) {
	if err := ctx.Err(); err != nil {
		return smt.Unknown, err
	}
	stop := context.AfterFunc(ctx, s.Interrupt)
	defer stop()
	s.dropModel()
	switch C.Z3_solver_check(s.c, s.s) {
	case C.Z3_L_TRUE:
		if err := s.takeModel(); err != nil {
			return smt.Unknown, err
		}
		return smt.Sat, nil
	case C.Z3_L_FALSE:
		return smt.Unsat, nil
	}
	if err := ctx.Err(); err != nil {
		return smt.Unknown, err
	}
	if err := s.fault(); err != nil {
		return smt.Unknown, err
	}
	return smt.Unknown, fmt.Errorf("z3: %s", C.GoString(C.Z3_solver_get_reason_unknown(s.c, s.s)))
}

// Holds evaluates t in the last model, with completion.
func (s *Solver) Holds(t *smt.Term) (bool, error) {
	switch {
	case s.m == nil:
		return false, errNoModel
	case t.Sort != smt.Bool:
		return false, errors.New("z3: not a Bool term")
	}
	a, err := s.term(t)
	if err != nil {
		return false, err
	}
	switch C.whoop_holds(s.c, s.m, a) {
	case 1:
		return true, nil
	case 0:
		return false, nil
	}
	return false, errors.New("z3: the model leaves a term open")
}

// SMTLIB returns the asserted formulas. After a Check, Z3 prints behind them how to
// complete a model, in commands of its own; these are left out.
func (s *Solver) SMTLIB() string {
	text := "(set-logic ALL)\n" + C.GoString(C.Z3_solver_to_string(s.c, s.s))
	for _, own := range []string{"\n(model-", "\n(rmodel->"} {
		if i := strings.Index(text, own); i >= 0 {
			text = text[:i+1]
		}
	}
	return text + "(check-sat)\n"
}

// translate makes each part of a term that is not known yet, arguments first. Terms are
// deep, so it has a stack of its own.
func translate[T any](t T, args func(T) []T, known func(T) bool, build func(T) error) error {
	stack := []T{t}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if known(top) {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		for _, a := range args(top) {
			if !known(a) {
				stack, ready = append(stack, a), false
			}
		}
		if !ready {
			continue
		}
		if err := build(top); err != nil {
			return err
		}
		stack = stack[:len(stack)-1]
	}
	return nil
}

// term translates, sharing what was translated before.
func (s *Solver) term(t *smt.Term) (C.Z3_ast, error) {
	err := translate(t, func(t *smt.Term) []*smt.Term { return t.Args }, s.known, func(t *smt.Term) error {
		a := s.build(t)
		if a == nil {
			return fmt.Errorf("operator %d: %w", t.Op, s.fault())
		}
		C.Z3_inc_ref(s.c, a)
		s.cache[t.ID()] = a
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.cache[t.ID()], nil
}

func (s *Solver) known(t *smt.Term) bool {
	if t.ID() >= len(s.cache) {
		s.cache = append(s.cache, make([]C.Z3_ast, t.ID()+1024-len(s.cache))...)
	}
	return s.cache[t.ID()] != nil
}

func (s *Solver) build(t *smt.Term) C.Z3_ast {
	switch t.Op {
	case smt.OpVar:
		n := C.CString(t.Name)
		defer C.free(unsafe.Pointer(n))
		isBool := C.int(0)
		if t.Sort == smt.Bool {
			isBool = 1
		}
		return C.whoop_const(s.c, n, isBool)
	case smt.OpNum:
		if t.Val.IsInt64() {
			return C.whoop_int64(s.c, C.longlong(t.Val.Int64()))
		}
		n := C.CString(t.Val.String())
		defer C.free(unsafe.Pointer(n))
		return C.whoop_int(s.c, n)
	}
	s.args = s.args[:0]
	for _, a := range t.Args {
		s.args = append(s.args, s.cache[a.ID()])
	}
	n, p := C.uint(len(s.args)), (*C.Z3_ast)(nil)
	if n > 0 {
		p = &s.args[0]
	}
	if t.Op == smt.OpApp {
		return C.Z3_mk_app(s.c, s.function(t.Name, n), n, p)
	}
	return C.whoop_term(s.c, C.int(t.Op), n, p)
}

// function is the declaration of an uninterpreted function of n integers.
func (s *Solver) function(name string, n C.uint) C.Z3_func_decl {
	k := fmt.Sprintf("%s/%d", name, n)
	f, ok := s.context.funcs[k]
	if !ok {
		cs := C.CString(name)
		defer C.free(unsafe.Pointer(cs))
		f = C.whoop_func(s.c, cs, n)
		s.context.funcs[k] = f
	}
	return f
}
