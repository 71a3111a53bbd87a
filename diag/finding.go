package diag

import (
	"slices"
	"sort"

	"whoop/ir"
)

// Level says how much a finding matters.
type Level string

// Levels: a warning is about the program and may be made to count; a note is about the
// run or its comments and never counts.
const (
	Warning Level = "warning"
	Note    Level = "note"
)

// Finding is something worth a look that is no race: it leaves the verdict alone.
type Finding struct {
	// Kind names the rule: lock-copy, lock-held-blocking, waitgroup-add, close-send,
	// double-close, nil-channel, ignore-without-reason, unused-ignore.
	Kind  string
	Level Level
	Pos   ir.Pos
	// Function is where it is, "" outside of functions; Subject what it is about: the
	// lock, or its type.
	Function, Subject string
	Message           string
	// Related are further places, each with what is there.
	Related []Related
}

// Related is a place that belongs to a finding.
type Related struct {
	Pos     ir.Pos
	Message string
}

// Acceptance is a race or a finding that is known and does not count.
type Acceptance struct {
	// By is "comment" or "baseline".
	By string
	// Reason is what the comment says, and Pos where it is; empty for a baseline.
	Reason string
	Pos    ir.Pos
	// Race or Finding is what was accepted; the other is nil.
	Race    *Race
	Finding *Finding
}

// Accept takes out of the report what race and finding say is accepted (they return nil
// for what is not; each of the two may itself be nil), and decides the verdicts again. A
// pair whose races are all accepted is Accepted, or Unknown where something else of it is
// undecided. Races that were left out of the report are never accepted, so neither are
// the pairs of such a report.
func (r *Report) Accept(race func(Race) *Acceptance, finding func(Finding) *Acceptance) {
	var races []Race
	for _, x := range r.Races {
		if a := call(race, x); a != nil {
			a.Race = &x
			r.Accepted = append(r.Accepted, *a)
			continue
		}
		races = append(races, x)
	}
	var findings []Finding
	for _, x := range r.Findings {
		if a := call(finding, x); a != nil {
			a.Finding = &x
			r.Accepted = append(r.Accepted, *a)
			continue
		}
		findings = append(findings, x)
	}
	r.Races, r.Findings = races, findings
	r.acceptPairs()
	r.decide()
}

func call[T any](f func(T) *Acceptance, x T) *Acceptance {
	if f == nil {
		return nil
	}
	return f(x)
}

// acceptPairs decides the racy pairs of which no race is left.
func (r *Report) acceptPairs() {
	if r.Cut > 0 || len(r.Accepted) == 0 { // large reports have millions of pairs
		return
	}
	open, accepted := map[string]bool{}, map[string]bool{}
	for _, x := range r.Races {
		x.pairs(open)
	}
	for _, a := range r.Accepted {
		if a.Race != nil {
			a.Race.pairs(accepted)
		}
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		one, other := p.First+","+p.Second, p.Second+","+p.First
		if p.Verdict != Racy || open[one] || open[other] || !accepted[one] && !accepted[other] {
			continue
		}
		if p.Verdict = Accepted; p.Doubt != "" {
			p.Verdict, p.Reason = Unknown, p.Doubt
		}
	}
}

// pairs adds the pairs of entries that have the race.
func (x Race) pairs(into map[string]bool) {
	into[x.First.Entry+","+x.Second.Entry] = true
	for _, p := range x.Pairs {
		into[p] = true
	}
	for _, a := range x.Among {
		for _, f := range a.First {
			for _, s := range a.Second {
				into[f+","+s] = true
			}
		}
	}
}

func (a Among) equal(b Among) bool {
	return slices.Equal(a.First, b.First) && slices.Equal(a.Second, b.Second)
}

// sortFindings sorts by place, then kind.
func (r *Report) sortFindings() {
	sort.SliceStable(r.Findings, func(i, j int) bool {
		a, b := r.Findings[i], r.Findings[j]
		switch {
		case a.Pos != b.Pos:
			return a.Pos.Less(b.Pos)
		case a.Kind != b.Kind:
			return a.Kind < b.Kind
		}
		return a.Message < b.Message
	})
}

// AddFindings adds findings and keeps the list sorted.
func (r *Report) AddFindings(fs ...Finding) {
	r.Findings = append(r.Findings, fs...)
	r.sortFindings()
}

// Warnings counts the findings that are warnings.
func (r *Report) Warnings() int {
	n := 0
	for _, f := range r.Findings {
		if f.Level == Warning {
			n++
		}
	}
	return n
}
