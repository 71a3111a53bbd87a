package z3

/*
#cgo LDFLAGS: -lz3
#include <stdlib.h>
#include <z3.h>

// whoop_no_ctrl_c keeps a solver from installing a handler of its own for SIGINT.
static void whoop_no_ctrl_c(void *ctx, void *solver) {
	Z3_context c = ctx;
	Z3_params p = Z3_mk_params(c);
	Z3_params_inc_ref(c, p);
	Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "ctrl_c"), 0);
	Z3_solver_set_params(c, solver, p);
	Z3_params_dec_ref(c, p);
}
*/
import "C"

import (
	"errors"
	"reflect"

	z "github.com/aclements/go-z3/z3"
)

// keepSignals leaves SIGINT to Go. During a check Z3 replaces the process's handler by one that does not know Go's threads and
// crashes on them; the solver parameter ctrl_c turns that off. go-z3 has no call for solver parameters, so the two
// pointers it hides are read by reflection, and an error is returned where its structures are not as expected.
func keepSignals(ctx *z.Context, s *z.Solver) error {
	c, ok := hidden(ctx)
	sv, ok2 := hidden(s)
	if !ok || !ok2 {
		return errors.New("z3: this version of go-z3 hides its solver elsewhere: SIGINT would crash the solver")
	}
	C.whoop_no_ctrl_c(c.UnsafePointer(), sv.UnsafePointer())
	return nil
}

// hidden returns the C pointer in the field c of the structure that v's first field points to.
func hidden(v any) (reflect.Value, bool) {
	x := reflect.ValueOf(v).Elem()
	if x.Kind() != reflect.Struct || x.NumField() == 0 || x.Field(0).Kind() != reflect.Pointer {
		return reflect.Value{}, false
	}
	f := x.Field(0).Elem()
	if f.Kind() != reflect.Struct {
		return reflect.Value{}, false
	}
	f = f.FieldByName("c")
	return f, f.IsValid() && f.Kind() == reflect.Pointer && !f.IsNil()
}
