package check

import "whoop/ir"

// dangles reports whether the program may use variables of blocks that have ended, of
// which abstract interpretation takes no notice: their places may be those of other
// variables then. Variables that only threads may still use are fine where verify has
// proved that none does at the end.
func (r *run) dangles() bool {
	for _, in := range r.p.Instrs() {
		if i, ok := in.(*ir.Free); ok && i.Scope && (i.Kept || r.facts == nil || !r.facts.Proved()) {
			return true
		}
	}
	return false
}
