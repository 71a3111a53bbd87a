package z3

/*
#cgo LDFLAGS: -lz3
#include "context.h"
#include <string.h>

// whoop_solver makes a solver for bit vectors that keeps what it learned from check to check.
static Z3_solver whoop_solver(Z3_context c, unsigned ms, unsigned mb, unsigned seed) {
	Z3_solver s = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_BV"));
	if (!s) return s;
	Z3_solver_inc_ref(c, s);
	Z3_params p = whoop_params(c);
	if (ms) Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "timeout"), ms);
	if (mb) Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "max_memory"), mb);
	Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "random_seed"), seed);
	Z3_solver_set_params(c, s, p);
	Z3_params_dec_ref(c, p);
	return s;
}

// whoop_conflicts bounds the search of each check; UINT_MAX: no bound.
static void whoop_conflicts(Z3_context c, Z3_solver s, unsigned n) {
	Z3_params p = whoop_params(c);
	Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "max_conflicts"), n);
	Z3_solver_set_params(c, s, p);
	Z3_params_dec_ref(c, p);
}

// whoop_work is the work that a context has done so far, in units of Z3's own (modulo 2^32).
static unsigned whoop_work(Z3_context c, Z3_solver s) {
	unsigned v = 0;
	Z3_stats st = Z3_solver_get_statistics(c, s);
	if (!st) return 0;
	Z3_stats_inc_ref(c, st);
	for (unsigned i = 0, n = Z3_stats_size(c, st); i < n; i++) {
		const char *key = Z3_stats_get_key(c, st, i);
		if (key && !strcmp(key, "rlimit count"))
			v = Z3_stats_is_uint(c, st, i) ? Z3_stats_get_uint_value(c, st, i) : (unsigned)Z3_stats_get_double_value(c, st, i);
	}
	Z3_stats_dec_ref(c, st);
	return v;
}

static Z3_ast whoop_var(Z3_context c, const char *name, unsigned width) {
	Z3_sort s = width ? Z3_mk_bv_sort(c, width) : Z3_mk_bool_sort(c);
	return Z3_mk_const(c, Z3_mk_string_symbol(c, name), s);
}

static Z3_ast whoop_num(Z3_context c, unsigned width, unsigned long long v) {
	return Z3_mk_unsigned_int64(c, v, Z3_mk_bv_sort(c, width));
}

// whoop_app applies operator op (the numbers of package bv) to n arguments; v and width are the term's.
static Z3_ast whoop_app(Z3_context c, int op, unsigned width, unsigned long long v, unsigned n, Z3_ast *a, unsigned w0) {
	switch (op) {
	case 1: return Z3_mk_true(c);
	case 2: return Z3_mk_false(c);
	case 4: return Z3_mk_not(c, a[0]);
	case 5: return Z3_mk_and(c, n, a);
	case 6: return Z3_mk_or(c, n, a);
	case 7: return Z3_mk_ite(c, a[0], a[1], a[2]);
	case 8: return Z3_mk_eq(c, a[0], a[1]);
	case 9: return Z3_mk_bvadd(c, a[0], a[1]);
	case 10: return Z3_mk_bvmul(c, a[0], a[1]);
	case 11: return Z3_mk_bvudiv(c, a[0], a[1]);
	case 12: return Z3_mk_bvurem(c, a[0], a[1]);
	case 13: return Z3_mk_bvsdiv(c, a[0], a[1]);
	case 14: return Z3_mk_bvsrem(c, a[0], a[1]);
	case 15: return Z3_mk_bvand(c, a[0], a[1]);
	case 16: return Z3_mk_bvor(c, a[0], a[1]);
	case 17: return Z3_mk_bvxor(c, a[0], a[1]);
	case 18: return Z3_mk_bvnot(c, a[0]);
	case 19: return Z3_mk_bvneg(c, a[0]);
	case 20: return Z3_mk_bvshl(c, a[0], a[1]);
	case 21: return Z3_mk_bvlshr(c, a[0], a[1]);
	case 22: return Z3_mk_bvashr(c, a[0], a[1]);
	case 23: return Z3_mk_concat(c, a[0], a[1]);
	case 24: return Z3_mk_extract(c, (unsigned)(v >> 16), (unsigned)(v & 0xffff), a[0]);
	case 25: return Z3_mk_zero_ext(c, width - w0, a[0]);
	case 26: return Z3_mk_sign_ext(c, width - w0, a[0]);
	case 27: return Z3_mk_bvult(c, a[0], a[1]);
	case 28: return Z3_mk_bvule(c, a[0], a[1]);
	case 29: return Z3_mk_bvslt(c, a[0], a[1]);
	case 30: return Z3_mk_bvsle(c, a[0], a[1]);
	}
	return 0;
}

// whoop_value evaluates: 0 or 1 for a Bool, the number for a bit vector; returns 0 on failure.
static int whoop_value(Z3_context c, Z3_model m, Z3_ast t, unsigned width, unsigned long long *v) {
	Z3_ast r = 0;
	if (!Z3_model_eval(c, m, t, 1, &r) || !r) return 0;
	if (!width) {
		Z3_lbool b = Z3_get_bool_value(c, r);
		*v = b == Z3_L_TRUE;
		return b != Z3_L_UNDEF;
	}
	uint64_t x;
	if (!Z3_get_numeral_uint64(c, r, &x)) return 0;
	*v = x;
	return 1;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unsafe"

	"whoop/smt/bv"
)

// BitSolver decides bit vector terms (package bv) with Z3's incremental SAT solver.
type BitSolver struct {
	solver
	cache []C.Z3_ast // by term ID
	// work is what Work has returned, counted Z3's number then.
	work    uint64
	counted uint32
}

var _ bv.Solver = (*BitSolver)(nil)

// BitOptions configure a BitSolver.
type BitOptions struct {
	// Timeout bounds one Check; 0 means none.
	Timeout time.Duration
	// Memory bounds Z3's memory in MiB; 0 means none.
	Memory uint
	Seed   uint
}

// NewBits makes a solver in a context of its own.
func NewBits(opt BitOptions) (*BitSolver, error) {
	c := C.whoop_context(0)
	s := C.whoop_solver(c, C.uint(opt.Timeout/time.Millisecond), C.uint(opt.Memory), C.uint(opt.Seed))
	out := &BitSolver{}
	if err := out.init(c, s, true); err != nil {
		return nil, err
	}
	return out, nil
}

// Assert adds a conjunct.
func (s *BitSolver) Assert(t *bv.Term) error {
	if t.Width != 0 {
		return errors.New("z3: asserted term is not Bool")
	}
	a, err := s.term(t)
	if err != nil {
		return err
	}
	C.Z3_solver_assert(s.c, s.s, a)
	return s.fault()
}

// Check decides.
func (s *BitSolver) Check(assumptions ...*bv.Term) (bool, error) {
	s.dropModel()
	var as []C.Z3_ast
	for _, t := range assumptions {
		switch t.Op {
		case bv.OpTrue:
			continue
		case bv.OpFalse:
			return false, nil
		}
		if v := t; v.Op != bv.OpVar && !(v.Op == bv.OpNot && v.Args[0].Op == bv.OpVar) {
			return false, errors.New("z3: an assumption is not a literal")
		}
		a, err := s.term(t)
		if err != nil {
			return false, err
		}
		as = append(as, a)
	}
	var p *C.Z3_ast
	if len(as) > 0 {
		p = &as[0]
	}
	switch C.Z3_solver_check_assumptions(s.c, s.s, C.uint(len(as)), p) {
	case C.Z3_L_TRUE:
		if err := s.takeModel(); err != nil {
			return false, err
		}
		return true, nil
	case C.Z3_L_FALSE:
		return false, s.fault()
	}
	if err := s.fault(); err != nil {
		return false, err
	}
	why := C.GoString(C.Z3_solver_get_reason_unknown(s.c, s.s))
	if strings.Contains(why, "conflicts") {
		return false, bv.ErrLimit
	}
	return false, fmt.Errorf("z3: %s", why)
}

// Reset forgets what was asserted. Terms stay translated.
func (s *BitSolver) Reset() error {
	s.dropModel()
	C.Z3_solver_reset(s.c, s.s)
	return s.fault()
}

// Limit bounds the conflicts that each Check from now on may run into, 0: not at all.
func (s *BitSolver) Limit(conflicts uint) {
	if conflicts == 0 {
		conflicts = math.MaxUint32
	}
	C.whoop_conflicts(s.c, s.s, C.uint(conflicts))
}

// Work is the work that the solver has done so far, in units of Z3's own ("rlimit
// count").
func (s *BitSolver) Work() uint64 {
	now := uint32(C.whoop_work(s.c, s.s))
	s.work += uint64(now - s.counted) // Z3 counts modulo 2^32
	s.counted = now
	return s.work
}

// Value evaluates in the model.
func (s *BitSolver) Value(t *bv.Term) (uint64, error) {
	switch {
	case t.Op == bv.OpNum:
		return t.Val, nil
	case t.Op == bv.OpTrue:
		return 1, nil
	case t.Op == bv.OpFalse:
		return 0, nil
	case s.m == nil:
		return 0, errNoModel
	}
	a, err := s.term(t)
	if err != nil {
		return 0, err
	}
	var v C.ulonglong
	if C.whoop_value(s.c, s.m, a, C.uint(t.Width), &v) == 0 {
		return 0, fmt.Errorf("z3: the model has no value for a term of %d bits", t.Width)
	}
	return uint64(v), nil
}

// term translates, sharing what was translated before.
func (s *BitSolver) term(t *bv.Term) (C.Z3_ast, error) {
	if t.ID() < len(s.cache) && s.cache[t.ID()] != nil {
		return s.cache[t.ID()], nil
	}
	err := translate(t, func(t *bv.Term) []*bv.Term { return t.Args }, s.known, func(t *bv.Term) error {
		a := s.build(t)
		if a == nil {
			return s.fault()
		}
		s.cache[t.ID()] = a
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.cache[t.ID()], nil
}

func (s *BitSolver) known(t *bv.Term) bool {
	for t.ID() >= len(s.cache) {
		s.cache = append(s.cache, make([]C.Z3_ast, t.ID()+1024)...)
	}
	return s.cache[t.ID()] != nil
}

func (s *BitSolver) build(t *bv.Term) C.Z3_ast {
	switch t.Op {
	case bv.OpVar:
		n := C.CString(t.Name)
		defer C.free(unsafe.Pointer(n))
		return C.whoop_var(s.c, n, C.uint(t.Width))
	case bv.OpNum:
		return C.whoop_num(s.c, C.uint(t.Width), C.ulonglong(t.Val))
	}
	var buf [8]C.Z3_ast
	args := buf[:0]
	for _, a := range t.Args {
		args = append(args, s.cache[a.ID()])
	}
	var p *C.Z3_ast
	w0 := 0
	if len(args) > 0 {
		p, w0 = &args[0], t.Args[0].Width
	}
	return C.whoop_app(s.c, C.int(t.Op), C.uint(t.Width), C.ulonglong(t.Val), C.uint(len(args)), p, C.uint(w0))
}
