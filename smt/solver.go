package smt

import "context"

// Result is a solver's answer.
type Result int

// Answers.
const (
	Unknown Result = iota
	Sat
	Unsat
)

// Solver decides conjunctions of asserted terms. The terms of all calls on one solver
// come from one Builder. A Solver is used by one goroutine at a time.
type Solver interface {
	// Push opens a scope, Pop drops what was asserted since the matching Push.
	Push() error
	Pop() error
	// Assert adds a conjunct.
	Assert(t *Term) error
	// Check decides the conjunction. Unknown comes with an error that gives the solver's
	// reason (timeout, incompleteness, or the context's cancellation).
	Check(ctx context.Context) (Result, error)
	// Holds reports whether a Bool term is true in the model of the last Check, which
	// must have answered Sat.
	Holds(t *Term) (bool, error)
	// SMTLIB returns what is asserted now as an SMT-LIB 2 script.
	SMTLIB() string
	// Forget drops all that was asserted and learnt, scopes included, which frees most of
	// the solver's memory. What it knows of terms stays, so that asserting them again
	// costs little.
	Forget() error
	// Close frees the solver.
	Close()
}

// Solvers makes solvers that share an environment, so that one more costs little. No two
// of them may be used at the same time.
type Solvers interface {
	New() (Solver, error)
	// Close frees all that the solvers shared; they must have been closed before.
	Close()
}
