package diag

import (
	"time"

	"whoop/ir"
	"whoop/trace"
)

// Answer is what a bounded check says of a property.
type Answer string

// Answers: a bug that was replayed; one that happens only if code that is not seen does
// something; not known, because the check ended early; none was found, but some
// executions were not followed to their ends; none within the bounds that were asked for;
// none at all.
const (
	HasBug    Answer = "bug"
	Possible  Answer = "possible bug"
	Undecided Answer = "unknown"
	Partial   Answer = "no bug found"
	Bounded   Answer = "no bug within bounds"
	NoBug     Answer = "no bug"
)

// Bug is something bad that an execution does, confirmed by running it.
type Bug struct {
	// Kind is assert, reach_error, race, deadlock, panic (of a Go program), double-lock,
	// unlock-not-held; Message explains it.
	Kind, Message string
	// Place and Other (of a race) are where.
	Place, Other BugPlace
	// CSB is the least number of preemptions with which it was found.
	CSB int
	// Execution is what was run, with the trace that replays it; Trace the file that the
	// trace was written to, "" for none.
	Execution *trace.Execution
	Trace     string
	// Waits are the threads of a deadlock, with what they wait for and hold.
	Waits []BugWait
	// Guesses are where the execution takes values of code that is not seen, which may
	// never be (in a program that has a main function; a driver's environment is all
	// guesses).
	Guesses []ir.Pos
	// Lost are heap objects that nothing leads to at the end, of a bug of kind
	// memcleanup, where that is sure.
	Lost []string
	// Preemptions are those of the execution, which was shortened.
	Preemptions int
}

// OnlyIf reports whether the bug happens only if code that is not seen yields what it
// does in the execution shown.
func (b *Bug) OnlyIf() bool { return len(b.Guesses) > 0 }

// BugPlace is a place in a bug.
type BugPlace struct {
	Thread, Function string
	Pos              ir.Pos
}

// BugWait is a thread of a deadlock: where it is, in words what it does there ("waits for
// the lock m"), and the locks it holds.
type BugWait struct {
	BugPlace
	Does string
	Held []trace.Held
}

// Run is the check of one harness: a program, or a pair of entry points.
type Run struct {
	Threads []string
	// Answer is that of all properties together, set by BoundedReport.Settle.
	Answer Answer
	Bugs   []Bug
	// CSB is the bound that was checked to the end (-1: none), Rounds the rounds that
	// took. AllRounds, Exhaustive, Unrolled: no execution within the bound needs more
	// rounds; more switches; more iterations.
	CSB, Rounds                     int
	AllRounds, Exhaustive, Unrolled bool
	// Skipped: the pair was not looked at; the assumptions say why.
	Skipped bool
	// Spun: loops that only wait for other threads were left out.
	Spun bool
	// Shallow: the bounds of loops that end by constants, or of threads that one
	// instruction creates, left something out.
	Shallow bool
	// Proved: verify proved that the pair does not race. Reason says why the answer is
	// not known. Assumptions are what is not covered, with its places (see NotFollowed).
	Proved      bool
	Reason      string
	Assumptions []ir.Assumption
	Seconds     float64
	// Yields is how many points there are at which threads may be switched; YieldsBy is
	// how many there would be in each mode (all, epp, mr) in the same unfolding, of modes
	// that need proofs where they were made. Counters are other measures of work.
	Yields   int
	YieldsBy map[string]int
	Counters map[string]int
	Phases   map[string]time.Duration
}

// BoundedReport is the outcome of bmc.
type BoundedReport struct {
	Tool, Version, Command, Input string
	Yields                        string // all, epp or mr
	CSB, Unroll                   int
	Properties                    []string
	Runs                          []Run
	Assumptions                   []ir.Assumption
	VerifySeconds, Seconds        float64
	Notes                         []string
}

// Answer is the answer for all properties and runs: a bug in one is one; no bug only
// where no run has one at all.
func (r *BoundedReport) Answer() Answer {
	a := NoBug
	for i := range r.Runs {
		a = worse(a, r.all(&r.Runs[i]))
	}
	return a
}

// all is what a run says of all properties together; where none was named, of any.
func (r *BoundedReport) all(x *Run) Answer {
	if len(r.Properties) == 0 {
		return r.Of(x, "")
	}
	a := NoBug
	for _, p := range r.Properties {
		a = worse(a, r.Of(x, p))
	}
	return a
}

// Settle sets the answer of each run.
func (r *BoundedReport) Settle() {
	for i := range r.Runs {
		r.Runs[i].Answer = r.all(&r.Runs[i])
	}
}

// ExitStatus is 1 where a bug was found, 3 where something is not decided or was not
// followed, or a bug is only a possible one, else 0; a bound reached is what was asked
// for.
func (r *BoundedReport) ExitStatus() int {
	switch r.Answer() {
	case HasBug:
		return 1
	case Possible, Undecided, Partial:
		return 3
	}
	return 0
}
