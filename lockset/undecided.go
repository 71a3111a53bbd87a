package lockset

import (
	"whoop/diag"
	"whoop/ir"
)

// Undecided is the report of a run that a phase before the comparison of entries cut
// short: every pair is unknown, for that reason.
func Undecided(p *ir.Program, why string) *diag.Report {
	rep := &diag.Report{Entries: p.Entries}
	for i, a := range p.Entries {
		for _, b := range p.Entries[i:] {
			rep.Pairs = append(rep.Pairs, diag.Pair{First: a.Name, Second: b.Name,
				Verdict: diag.Unknown, AllMayRace: true, Cut: true, Reason: why,
				MayRace: map[ir.Instr]bool{}})
		}
	}
	if len(rep.Pairs) == 0 {
		rep.Looked.Unseen = []string{why}
	}
	rep.Assumptions = append(append(rep.Assumptions, general...), p.Assumptions...)
	rep.Finish()
	return rep
}

// undecidedIn is Undecided of the entries that a report is about: those of the program, or
// those that these stand for.
func undecidedIn(p *ir.Program, opt Options, why string) *diag.Report {
	q := *p
	if len(opt.Members) > 0 {
		q.Entries = opt.Named
	}
	return Undecided(&q, why)
}
