package bmc

import (
	"whoop/ir"
	"whoop/smt/bv"
)

// clean is the condition that no thread's path uses a value that code not seen yields: a
// bug of such an execution depends on nothing that may never be. Values that decide
// nothing do not count (see slice).
func (e *encoding) clean() *bv.Term {
	if e.cleanly != nil {
		return e.cleanly
	}
	var guessed []*bv.Term
	for _, t := range e.u.threads {
		for _, l := range t.log {
			for _, g := range l.guesses {
				if e.slice.matters(g) {
					guessed = append(guessed, l.guard)
					break
				}
			}
		}
	}
	e.cleanly = e.b.Not(e.b.Or(guessed...))
	return e.cleanly
}

// idle are the instructions whose guesses never matter.
func (e *encoding) idle() map[ir.Instr]bool {
	out := map[ir.Instr]bool{}
	for _, t := range e.u.threads {
		for _, l := range t.log {
			for _, g := range l.guesses {
				before, seen := out[l.in]
				out[l.in] = !e.slice.matters(g) && (before || !seen)
			}
		}
	}
	return out
}

// matters reports whether a variable in t decides something.
func (s *slice) matters(t *bv.Term) bool {
	if t.Op == bv.OpVar {
		return s.seen[t]
	}
	for _, a := range t.Args {
		if s.matters(a) {
			return true
		}
	}
	return false
}
