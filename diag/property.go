package diag

import (
	"slices"
	"strings"

	"whoop/ir"
)

// PropertyAnswer is what a bounded check says of one property, in all its runs.
type PropertyAnswer struct {
	Property string
	Answer   Answer
	// Bugs are the numbers of its bugs in the report, from 1; NotFollowed how many places
	// keep the answer from being that there is none.
	Bugs        []int
	NotFollowed int
}

// Memory is the property that accesses to memory are valid; its bugs have the kinds of
// what went wrong.
const Memory = "memory"

// others are the kinds of bugs that are properties of their own.
var others = []string{"assert", "reach_error", "race", "deadlock", "panic", "double-lock", "unlock-not-held", "overflow", "memcleanup", "goroutine-leak"}

// Violates reports whether a bug is one of a property; "" is any.
func (b *Bug) Violates(property string) bool {
	if property == "" {
		return true
	}
	if property == Memory {
		return !slices.Contains(others, b.Kind) && !strings.HasSuffix(b.Kind, "-unclear")
	}
	return b.Kind == property
}

// wider are the kinds of what is listed as not covered though it leaves no execution out:
// values that are arbitrary here, and need not be in the program.
var wider = []string{"opaque", "join", "spawn"}

// apart is the kind of a run that was not made since no execution within the bounds gets
// there.
const apart = "same-object"

// about are the kinds of what is left out for one property alone.
var about = map[string]string{"waits": "deadlock", "woken": "deadlock", "main-exit": "deadlock", "init": "race", "unsized": Memory}

// ordered are the kinds of what is left out for other properties than races alone: the
// kernel accesses what it made under its own locks.
var ordered = []string{"kernel-call"}

// NotFollowed are the places where executions of a run are left out that a property is
// about. Of a run that was proved to have no race only what no engine follows is left out
// for races.
func (x *Run) NotFollowed(property string) []ir.Assumption {
	var out []ir.Assumption
	for _, a := range x.Assumptions {
		if property == "race" && x.Proved && a.Kind != "unmodelled" {
			continue
		}
		if property == "race" && slices.Contains(ordered, a.Kind) {
			continue
		}
		if p, one := about[a.Kind]; slices.Contains(wider, a.Kind) || x.Skipped && a.Kind == apart || one && p != property {
			continue
		}
		out = append(out, a)
	}
	return out
}

// Whole reports whether the run itself has covered all executions, whatever was proved by
// other means.
func (x *Run) Whole() bool {
	return x.Reason == "" && x.AllRounds && x.Exhaustive && x.Unrolled && len(x.NotFollowed("")) == 0
}

// Of is what a run says of one property. A run that found a bug has looked for the others
// to the end of its bounds, unless it was to end with the first.
func (r *BoundedReport) Of(x *Run, property string) Answer {
	answer := NoBug
	for i := range x.Bugs {
		if b := &x.Bugs[i]; b.Violates(property) && b.OnlyIf() {
			answer = worse(answer, Possible)
		} else if b.Violates(property) {
			answer = HasBug
		}
	}
	switch {
	case answer != NoBug:
		return answer
	case property == "race" && x.Proved && len(x.NotFollowed(property)) == 0:
		return NoBug
	case x.Skipped && slices.ContainsFunc(x.Assumptions, func(a ir.Assumption) bool { return a.Kind == apart }):
		return Bounded
	case x.Skipped && len(x.NotFollowed(property)) == 0:
		return NoBug
	case x.Skipped:
		return Partial
	case x.Reason != "" || x.CSB < r.CSB:
		return Undecided
	case len(x.NotFollowed(property)) > 0:
		return Partial
	case x.AllRounds && x.Exhaustive && x.Unrolled:
		return NoBug
	}
	return Bounded
}

// ByProperty are the answers of all runs together, in the order of the properties.
func (r *BoundedReport) ByProperty() []PropertyAnswer {
	out := make([]PropertyAnswer, len(r.Properties))
	for i, p := range r.Properties {
		out[i] = PropertyAnswer{Property: p, Answer: NoBug}
		n := 0
		for k := range r.Runs {
			x := &r.Runs[k]
			out[i].Answer = worse(out[i].Answer, r.Of(x, p))
			for j := range x.Bugs {
				if n++; x.Bugs[j].Violates(p) {
					out[i].Bugs = append(out[i].Bugs, n)
				}
			}
		}
		out[i].NotFollowed = len(r.NotFollowed(p))
	}
	return out
}

// NotFollowed are the places where executions are left out that one of the properties is
// about, each once.
func (r *BoundedReport) NotFollowed(properties ...string) []ir.Assumption {
	var out []ir.Assumption
	for i := range r.Runs {
		for _, p := range properties {
			for _, a := range r.Runs[i].NotFollowed(p) {
				if !slices.Contains(out, a) {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// worse is the answer for two runs: a bug in one is one, and no bug is only where none
// has one.
func worse(a, b Answer) Answer {
	for _, x := range []Answer{HasBug, Possible, Undecided, Partial, Bounded} {
		if a == x || b == x {
			return x
		}
	}
	return NoBug
}
