package explore

import (
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
)

// The kinds of findings that are no interp.ErrorKind.
const (
	KindRace     = "race"
	KindDeadlock = "deadlock"
)

// Finding is something that goes wrong in an execution; see the package comment. One of
// Err, Race and Blocked is set.
type Finding struct {
	Kind        string // KindRace, KindDeadlock, KindLivelock, or the interp.ErrorKind of Err
	Preemptions int    // the least number of preemptions that show it
	// Schedule is the threads of the macro steps that lead to it, Answers are those to
	// all queries up to there, in the order of Query.Index. Of several such executions of
	// least cost, it is the first one the search came upon.
	Schedule []interp.ThreadID
	Inputs   []uint64

	Err     *interp.Error
	Race    *Race
	Blocked []Blocked // the threads that have not ended, of a deadlock, or where a cycle begins

	// Of a livelock: Schedule repeats from macro step Loop on; Hot is the variable that
	// is never zero there, nil where there is none.
	Loop     int
	Hot      *ir.Global
	Fairness Fairness
}

// Race is two accesses that are made at the same time. In the state after Schedule, both
// are about to be made; but where Section is set, First was made inside an atomic section
// of the last macro step of Schedule, in front of which Second was about to be made.
type Race struct {
	First, Second RaceAccess
	Section       bool
}

// RaceAccess is one of the accesses of a race.
type RaceAccess struct {
	Thread interp.ThreadID
	interp.Access
	Instr ir.Instr
	// Answers are those to the queries of the thread before the access, of an access that
	// is about to be made.
	Answers []uint64
}

// Blocked is a thread in a deadlock, and where it is.
type Blocked struct {
	Thread interp.ThreadID
	Place  interp.Place
}

// Pos is the place of an error, of a race's first access, of the first thread in a
// deadlock.
func (f *Finding) Pos() ir.Pos { return f.Positions()[0] }

// Positions are the places that tell a finding from others of its kind and tag: that of
// an error, those of a race's accesses, those of the threads in a deadlock; in order.
func (f *Finding) Positions() []ir.Pos {
	var out []ir.Pos
	switch {
	case f.Race != nil:
		out = []ir.Pos{f.Race.First.Instr.At(), f.Race.Second.Instr.At()}
	case f.Err != nil:
		return []ir.Pos{f.Err.Pos}
	}
	for _, b := range f.Blocked {
		out = append(out, b.Place.Pos)
	}
	slices.SortFunc(out, ir.Pos.Compare)
	return out
}

// Tag is the property of a failed assertion, "" for other findings.
func (f *Finding) Tag() string {
	if f.Err == nil {
		return ""
	}
	return f.Err.Tag
}

// Key describes what was found without how: kind, tag and places. It is the same for the
// same finding of other strategies and bounds, where the program's instructions have
// different positions.
func (f *Finding) Key() string {
	var b strings.Builder
	b.WriteString(f.Kind)
	if t := f.Tag(); t != "" {
		b.WriteString(" " + t)
	}
	for i, p := range f.Positions() {
		b.WriteString([]string{": ", " and "}[min(i, 1)] + p.String())
	}
	return b.String()
}

// String is Key with the cost.
func (f *Finding) String() string { return fmt.Sprintf("%s (cost %d)", f.Key(), f.Preemptions) }

// identity is what tells findings apart: kind, tag and instructions, in an order of their
// own.
type identity struct {
	kind, tag, places string
}

// numbers gives every instruction and terminator of a program a number, in the order of
// its text.
type numbers map[any]int

func number(p *ir.Program) numbers {
	n := numbers{}
	for _, f := range p.Funcs {
		n[f] = len(n)
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				n[in] = len(n)
			}
			n[b.Term] = len(n)
		}
	}
	return n
}

// of returns the number of what an error or a thread is at: an instruction, a terminator,
// or a function's start.
func (n numbers) of(in ir.Instr, term ir.Term, f *ir.Func) int {
	switch {
	case in != nil:
		return n[in]
	case term != nil:
		return n[term]
	}
	return n[f]
}

func (n numbers) identity(f *Finding) identity {
	var at []int
	switch {
	case f.Err != nil:
		at = []int{n.of(f.Err.Instr, f.Err.Term, f.Err.Func)}
	case f.Race != nil:
		at = []int{n[f.Race.First.Instr], n[f.Race.Second.Instr]}
	}
	for _, b := range f.Blocked {
		at = append(at, n.of(b.Place.Instr, b.Place.Term, b.Place.Func))
	}
	slices.Sort(at)
	return identity{f.Kind, f.Tag(), fmt.Sprintf("%08d", at)}
}

// compare orders identities: by kind, tag, and the order of the program's text.
func (a identity) compare(b identity) int {
	if c := strings.Compare(a.kind, b.kind); c != 0 {
		return c
	}
	if c := strings.Compare(a.tag, b.tag); c != 0 {
		return c
	}
	return strings.Compare(a.places, b.places)
}

// BlockedIn lists the threads of a deadlock: those that have not ended.
func BlockedIn(s *interp.State) []Blocked {
	var out []Blocked
	for t := range interp.ThreadID(s.NumThreads()) {
		if !s.Ended(t) {
			out = append(out, Blocked{t, s.Next(t)})
		}
	}
	return out
}
