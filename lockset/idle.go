package lockset

import (
	"slices"

	"whoop/ir"
	"whoop/seqz"
)

// Idle procedures. Where only locks count (Options.LocksAlone), nothing is to be proved in
// a procedure in which no lock is held anywhere, as far as mayHold sees, and of which
// nothing is guessed: it gets no ghost code and no verification condition, only the sites
// of its accesses. Most of a large program is of this kind, and what ghost code needs to
// know of it, such as who owns which object, is most of the work.
//
// That is sound: what is proved of a procedure is what its callers assume when it returns,
// what its own accesses claim, and what it owes to those that it calls. An idle procedure
// has none of these (statesNothing, found out before the work is done). That it may give
// locks back is said to its callers all the same (mayHold.changes).

// idle reports whether there is nothing to prove in a procedure.
func (x *instrumenter) idle(p *seqz.Proc) bool {
	if !x.locksAlone || x.discipline || x.askDead || len(x.pre[p])+len(x.post[p]) > 0 ||
		!x.contract[p].idle() || x.isRoot(p) && x.mustOpen() {
		return false
	}
	for _, q := range p.Calls {
		if len(x.pre[q]) > 0 || !x.contract[q].owesNothing() {
			return false
		}
	}
	for _, b := range p.Body.Blocks {
		if !x.may.at[b].empty() || slices.ContainsFunc(x.may.steps[b], x.may.mayTakeHere) ||
			slices.ContainsFunc(b.Instrs, x.owes) {
			return false
		}
	}
	return true
}

// sitesOf lists the accesses of an idle procedure.
func (x *instrumenter) sitesOf(p *seqz.Proc) {
	for _, b := range p.Body.Blocks {
		for i, in := range b.Instrs {
			x.accessChecks(p, in, b, i, nil, nil)
		}
	}
}

// idle reports whether nothing is guessed of a procedure that it would have to prove.
func (c *contract) idle() bool {
	return len(c.keeps)+len(c.outcomes)+len(c.returned)+len(c.after)+len(c.zeroResults) == 0
}

// owesNothing reports whether callers have nothing to prove of what a procedure is given.
func (c *contract) owesNothing() bool {
	return len(c.related)+len(c.before)+len(c.zeros) == 0
}

func (s lockSet) empty() bool {
	return !slices.ContainsFunc(s, func(w uint64) bool { return w != 0 })
}

// mayTakeHere reports whether a step may take a lock, by itself or by what it calls.
func (m *mayHold) mayTakeHere(in ir.Instr) bool {
	if len(m.takes[in]) > 0 {
		return true
	}
	c, ok := in.(*ir.Call)
	return ok && !m.exit[m.callees[c]].empty()
}

// owes reports whether something is to be proved of what an instruction hands on.
func (x *instrumenter) owes(in ir.Instr) bool {
	for g, t := range x.handed(in) {
		if g.Obligation(t, x.isActive(g)) != nil {
			return true
		}
	}
	return false
}
