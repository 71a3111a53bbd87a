package diag

import (
	"slices"

	"whoop/ir"
)

// Looked is what a report is about besides its entry points: how much was looked at, and
// what was not.
type Looked struct {
	// Packages is 0 where the language has none.
	Packages, Functions int
	// Callbacks counts the places at which code that is not seen gets functions of the
	// program.
	Callbacks int
	// Left are exported types and functions that no entry point is about.
	Left []ir.Left
	// Unseen says what may start threads and is not seen, each once.
	Unseen []string
	// Unread: the time was up before the input was read, so that nothing was looked at.
	Unread bool
}

// Look enters what was looked at, and decides the verdict again.
func (r *Report) Look(at Looked) {
	r.Looked = at
	r.decide()
}

// join adds what another report is about.
func (l *Looked) join(o Looked) {
	l.Packages += o.Packages
	l.Functions += o.Functions
	l.Callbacks += o.Callbacks
	l.Left = append(l.Left, o.Left...)
	for _, u := range o.Unseen {
		if !slices.Contains(l.Unseen, u) {
			l.Unseen = append(l.Unseen, u)
		}
	}
}

// Proved reports whether each pair that was compared is proved. There may be none, unless
// something that is not seen may start threads.
func (r *Report) Proved() bool {
	return (len(r.Pairs) > 0 || len(r.Looked.Unseen) == 0) && !slices.ContainsFunc(r.Pairs, func(p Pair) bool { return p.Verdict != RaceFree })
}

// LeftTypes are the types among what was left out.
func (r *Report) LeftTypes() []ir.Left {
	return slices.DeleteFunc(slices.Clone(r.Looked.Left), func(l ir.Left) bool { return l.Kind != "type" })
}
