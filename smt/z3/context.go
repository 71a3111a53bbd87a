package z3

/*
#cgo LDFLAGS: -lz3
#include "context.h"
*/
import "C"

import (
	"cmp"
	"errors"
	"sync"
)

// solver is a solver of Z3, with the model of its last check.
type solver struct {
	c    C.Z3_context
	own  bool // the context is its own
	s    C.Z3_solver
	m    C.Z3_model
	mu   sync.Mutex // of open: an interruption may come while the solver is closed
	open bool
}

// init takes a context, and the solver that was made in it; nil: none could be made. own:
// the context is freed with the solver.
func (s *solver) init(c C.Z3_context, z C.Z3_solver, own bool) error {
	s.c, s.s, s.open, s.own = c, z, z != nil, own
	if z != nil {
		return nil
	}
	if own {
		defer C.Z3_del_context(c)
	}
	return cmp.Or(s.fault(), errors.New("z3: no solver could be made"))
}

var errNoModel = errors.New("z3: no model")

// fault is Z3's error, if there is one.
func (s *solver) fault() error {
	if e := C.Z3_get_error_code(s.c); e != C.Z3_OK {
		return errors.New("z3: " + C.GoString(C.Z3_get_error_msg(s.c, e)))
	}
	return nil
}

// takeModel keeps the model of a check that was satisfiable.
func (s *solver) takeModel() error {
	s.m = C.Z3_solver_get_model(s.c, s.s)
	if s.m == nil {
		return cmp.Or(s.fault(), errNoModel)
	}
	C.Z3_model_inc_ref(s.c, s.m)
	return nil
}

func (s *solver) dropModel() {
	if s.m != nil {
		C.Z3_model_dec_ref(s.c, s.m)
		s.m = nil
	}
}

// Interrupt ends a running check.
func (s *solver) Interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open {
		C.Z3_interrupt(s.c)
	}
}

// Close frees the solver, and its context where it has one of its own.
func (s *solver) Close() {
	s.mu.Lock()
	s.open = false
	s.mu.Unlock()
	s.dropModel()
	C.Z3_solver_dec_ref(s.c, s.s)
	if s.own {
		C.Z3_del_context(s.c)
	}
	s.c, s.s = nil, nil
}
