// Package accept takes out of a report what people have decided to live with: races and
// warnings with a comment //whoop:ignore REASON at one of their places, and those that a
// baseline file knows.
//
//	cs, err := accept.Comments(accept.Files(program))
//	cs.Apply(rep)                             // what is ignored goes to rep.Accepted
//	base, err := accept.ReadBaseline("known.json")
//	base.Apply(rep)
//	accept.WriteBaseline(w, rep)              // all that is known now, for the next run
//
// In goes a finished diag.Report; it is changed in place and its verdicts are decided
// again (diag.Report.Accept). Nothing is accepted silently: a report lists what was,
// comments without a reason are not followed, and comments and baseline entries that
// nothing matches are noted where the run was complete.
package accept
