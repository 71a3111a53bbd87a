package pipeline

import (
	"time"

	"whoop/smt"
	"whoop/smt/goz3"
	"whoop/smt/z3"
)

// Solvers are what decides verify's queries: libz3 by package z3, and by the binding
// go-z3.
var Solvers = [...]string{"z3", "go-z3"}

// solvers makes the environments of the solver of that name, whose queries take at most
// timeout each.
func solvers(name string, timeout time.Duration) func() smt.Solvers {
	if name == Solvers[1] {
		return goz3.NewPool(goz3.Options{Timeout: timeout}).Get
	}
	return func() smt.Solvers { return z3.NewContext(z3.Options{Timeout: timeout}) }
}

// SolverVersion is the version of libz3 that is loaded.
func SolverVersion() string { return z3.Version() }
