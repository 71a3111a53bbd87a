package diag

import (
	"slices"
	"time"

	"whoop/ir"
)

// Verdict is the answer for a pair or for the whole input.
type Verdict string

// Verdicts. Accepted: there are races, but all are accepted (see Report.Accept); it is no
// proof. Nothing: no two entry points may run at the same time, so that nothing was
// compared.
const (
	RaceFree Verdict = "race-free"
	Racy     Verdict = "racy"
	Unknown  Verdict = "unknown"
	Accepted Verdict = "accepted"
	Nothing  Verdict = "nothing concurrent"
)

// Access is one side of a race.
type Access struct {
	// Kind is "read", "write", "update" or "free", with "atomic " before it where the
	// access is atomic; of what synchronises, "lock", "wait", "wake" or "destroy"; or an
	// ir.Operation.
	Kind     string
	Entry    string
	Function string
	Pos      ir.Pos
	Order    ir.Order
	// Locks are the locks held, sorted.
	Locks []string
	// Unrelated is where a lock was taken that is held, where Locks is empty: it is not
	// known to guard what is accessed. No place where none is held.
	Unrelated ir.Pos
	// Calls is the call chain from the entry point, outermost first, the entry function
	// not included.
	Calls []Frame
	// Steps are places on the way to the access and back, as far as they are known.
	Steps []Step
}

// Step is a place on the way to an access: where its thread is started, or a lock that is
// held at the access is taken, or given back after it. Depth is how many of the calls have
// been made.
type Step struct {
	Does  string // "start", "lock" or "unlock"
	Lock  string
	Pos   ir.Pos
	Depth int
}

// Frame is one call of a chain: Function is called at Pos.
type Frame struct {
	Function string
	Pos      ir.Pos
}

// Kinds of races: two accesses of memory; two operations that Go wants ordered, on a
// channel or on a WaitGroup.
const (
	DataRace   = "data-race"
	SendClose  = "send-close"
	CloseClose = "close-close"
	AddWait    = "add-wait"
	WaitReuse  = "wait-reuse"
)

// RaceKind is the kind of a race between two accesses that stand for operations; of
// others it is DataRace.
func RaceKind(a, b ir.Operation) string {
	switch [2]ir.Operation{min(a, b), max(a, b)} {
	case [2]ir.Operation{ir.OpClose, ir.OpSend}:
		return SendClose
	case [2]ir.Operation{ir.OpClose, ir.OpClose}:
		return CloseClose
	case [2]ir.Operation{ir.OpAdd, ir.OpWait}:
		return AddWait
	case [2]ir.Operation{ir.OpReuse, ir.OpWait}:
		return WaitReuse
	}
	return DataRace
}

// Race is two accesses to one region that nothing keeps apart.
type Race struct {
	// Kind is DataRace, SendClose, CloseClose, AddWait or WaitReuse; "" is DataRace.
	Kind   string
	Region string
	// Field is what regions of different objects have in common, such as a member of a
	// struct type: races on one field are one thing to look at.
	Field         string
	First, Second Access
	// Same: there is one object only that both may access: a variable, or what is
	// allocated once.
	Same bool
	// Why says why the tool thinks that both may run at the same time.
	Why string
	// Pairs lists further pairs of entry points ("a,b") that have the race at the same
	// two places. Among are more of them: each of the one side with each of the other.
	Pairs []string
	Among []Among
	// Confirmed has an execution that shows the race; nil where none is known.
	Confirmed *Bug
}

// Among is pairs of entry points: each of First with each of Second.
type Among struct{ First, Second []string }

// Pair is the verdict of one pair of entry points. Seconds is the time spent on its two
// entries.
type Pair struct {
	First, Second string
	Verdict       Verdict
	Reason        string
	Seconds       float64
	// Doubt says what is not decided about a pair besides the races that it has; "" where
	// all else is proved.
	Doubt string
	// Cut: one of the entries was not analysed to the end, or they were not compared.
	Cut bool
	// Firm: it has a race where no lock can be held at one of the accesses, whatever more
	// time would prove.
	Firm bool
	// MayRace are the accesses that were not proved not to race in this pair. AllMayRace:
	// nothing was proved.
	MayRace    map[ir.Instr]bool
	AllMayRace bool
}

// Regions counts the shared memory regions that are accessed, and those with a race.
type Regions struct{ Total, Racy int }

// Guard says at how many of the places that access a field a lock is held: of its locks,
// the one that is held at most.
type Guard struct {
	Field, Lock  string
	Held, Places int
}

// Counters are measures of work. All but Queries are the same in each run: entries that are
// analysed at the same time may ask the same question, which the first one answers.
type Counters struct {
	Queries     int // solver calls
	Candidates  int // candidate facts guessed
	Dropped     int // candidates refuted
	Obligations int // proof obligations
	Inlined     int // calls inlined
}

// Add adds another entry's counters.
func (c *Counters) Add(d Counters) {
	c.Queries += d.Queries
	c.Candidates += d.Candidates
	c.Dropped += d.Dropped
	c.Obligations += d.Obligations
	c.Inlined += d.Inlined
}

// Stage says what one stage of the points-to analysis took: how often it was done, the
// nodes and edges of the graph, how many members its sets have and how many different
// sets there are.
type Stage struct {
	Name                                string
	Rounds, Nodes, Edges, Members, Sets int
	Time                                time.Duration
	// Ended: it was not given up.
	Ended bool
}

// Took adds what a stage took to what stages of its name have taken.
func (r *Report) Took(x Stage) {
	i := slices.IndexFunc(r.Stages, func(y Stage) bool { return y.Name == x.Name })
	if i < 0 {
		r.Stages = append(r.Stages, x)
		return
	}
	y := &r.Stages[i]
	y.Rounds, y.Nodes, y.Edges = y.Rounds+x.Rounds, y.Nodes+x.Nodes, y.Edges+x.Edges
	y.Members, y.Sets, y.Time = y.Members+x.Members, y.Sets+x.Sets, y.Time+x.Time
	y.Ended = y.Ended && x.Ended
}

// Report is the outcome of one run.
type Report struct {
	Tool, Version, Command, Input string
	Verdict                       Verdict
	Entries                       []*ir.Entry
	Pairs                         []Pair
	// Excluded lists the pairs that cannot overlap, with the reason.
	Excluded []ir.Exclusion
	// Chosen: only some pairs were asked for.
	Chosen bool
	// Programs are the programs that the report is about, where there are several.
	Programs []Program
	// Looked is what was looked at.
	Looked  Looked
	Regions Regions
	Races   []Race
	// Guards are the locks of fields with races.
	Guards []Guard
	// Orders are locks that are taken in different orders: candidates for deadlocks,
	// which bmc confirms or not.
	Orders []LockOrder
	// Cut is how many races at least are not in Races, because there were too many.
	Cut int
	// Findings are what was noticed besides races; StrictWarnings makes the warnings
	// among them count.
	Findings       []Finding
	StrictWarnings bool
	// Accepted are the races and findings that are known.
	Accepted    []Acceptance
	Assumptions []ir.Assumption
	// Disciplined: it was proved that locks, semaphores aside, are released by their
	// holders, and not made anew or written over while they are used.
	Disciplined bool
	Counters    Counters
	// Stages are what the points-to analysis took, stage by stage, of all programs
	// together.
	Stages  []Stage
	Notes   []string
	Seconds float64
}

// Program is one of several programs that a report is about: its entry points.
type Program struct {
	Name    string
	Entries []string
}

// ExitStatus is 1 when something was found that counts, 3 when nothing was found but
// something is undecided, else 0.
func (r *Report) ExitStatus() int {
	switch {
	case r.Verdict == Racy, r.StrictWarnings && r.Warnings() > 0:
		return 1
	case r.Verdict == Unknown:
		return 3
	}
	return 0
}

// LockOrder is two locks that two entry points take in different orders.
type LockOrder struct{ First, Second OrderSide }

// OrderSide is one of the orders: Wanted is taken at WantedAt while Held, taken at
// HeldAt, may be held.
type OrderSide struct {
	EntryPoint, Function, Held, Wanted string
	HeldAt, WantedAt                   ir.Pos
}
