// Package mhp says what may happen in parallel: which entries overlap, and at which instructions.
package mhp

import (
	"whoop/alias"
	"whoop/ir"
)

// Result holds the facts about one program.
type Result struct {
	excluded map[[2]string]string
}

// Analyze computes which entries may overlap.
func Analyze(p *ir.Program, al *alias.Result) *Result {
	r := &Result{excluded: map[[2]string]string{}}
	for _, x := range p.Exclusions {
		r.excluded[[2]string{x.A, x.B}] = x.Reason
		r.excluded[[2]string{x.B, x.A}] = x.Reason
	}
	return r
}

// Entries reports whether any parts of the two entries may overlap; if not, why.
func (r *Result) Entries(a, b *ir.Entry) (bool, string) {
	if a == b && !a.Multi {
		return false, "only one instance of " + a.Name + " runs at a time"
	}
	if why, ok := r.excluded[[2]string{a.Name, b.Name}]; ok {
		return false, why
	}
	return true, ""
}

// Parallel reports whether instruction x, executed by a, may happen in parallel with y, executed by b; if not, why.
func (r *Result) Parallel(a *ir.Entry, x ir.Instr, b *ir.Entry, y ir.Instr) (bool, string) {
	return r.Entries(a, b)
}
