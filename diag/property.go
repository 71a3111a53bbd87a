package diag

// PropertyAnswer is what a bounded check says of one property, in all its runs.
type PropertyAnswer struct {
	Property string
	Answer   Answer
	// Bugs are the numbers of its bugs in the report, from 1.
	Bugs []int
}

// Of is what a run says of one property. A run that found a bug has looked for the others to the end of its bounds, unless it was to end with the first.
func (r *BoundedReport) Of(x *Run, property string) Answer {
	for i := range x.Bugs {
		if x.Bugs[i].Kind == property {
			return HasBug
		}
	}
	switch {
	case property == "race" && x.Proved:
		return NoBug
	case x.Skipped:
		return Bounded
	case x.Reason != "" || x.CSB < r.CSB:
		return Undecided
	case x.AllRounds && x.Exhaustive && x.Unrolled && len(x.Assumptions) == 0:
		return NoBug
	}
	return Bounded
}

// ByProperty are the answers of all runs together, in the order of the properties.
func (r *BoundedReport) ByProperty() []PropertyAnswer {
	out := make([]PropertyAnswer, len(r.Properties))
	for i, p := range r.Properties {
		out[i] = PropertyAnswer{p, NoBug, nil}
		n := 0
		for k := range r.Runs {
			x := &r.Runs[k]
			out[i].Answer = worse(out[i].Answer, r.Of(x, p))
			for _, b := range x.Bugs {
				if n++; b.Kind == p {
					out[i].Bugs = append(out[i].Bugs, n)
				}
			}
		}
	}
	return out
}

// worse is the answer for two runs: a bug in one is one, and no bug is only where none has one.
func worse(a, b Answer) Answer {
	for _, x := range []Answer{HasBug, Undecided, Bounded} {
		if a == x || b == x {
			return x
		}
	}
	return NoBug
}
