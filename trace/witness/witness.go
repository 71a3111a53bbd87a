package witness

import (
	"time"
)

// Witness is what a file holds: one of the two.
type Witness struct {
	Violation   *Violation
	Correctness *Correctness
}

// Meta says where a witness comes from and what it is about.
type Meta struct {
	// Version of the format: "2.0", "2.1" or "2.2" (YAML), "1.0" (GraphML). Empty: the
	// lowest that can say it.
	Version string
	// UUID identifies a YAML witness; empty: made of its content.
	UUID     string
	Created  time.Time
	Producer Producer
	// Specification is the property in SV-COMP's notation; empty: that of the bug.
	Specification string
	// Files are the program's files as given to the tool, Hashes their SHA-256 in
	// hexadecimal; nil: computed.
	Files  []string
	Hashes map[string]string
	// DataModel is LP64 (default) or ILP32.
	DataModel string
}

// Producer is a tool.
type Producer struct{ Name, Version string }

// Violation leads to a bug: its segments are passed one after the other, the last one
// ends in the bug.
type Violation struct {
	Meta     Meta
	Segments []Segment
	// After says that assumptions hold after their statements, as in GraphML, and not
	// before them, as in YAML.
	After bool

	early string // see targets
}

// Segment is waypoints: those to avoid until the one to follow is passed. A last segment
// has the targets: one, or the two accesses of a race, or the threads of a deadlock.
type Segment []Waypoint

// Type is what a waypoint says about its place.
type Type string

// The types of waypoints.
const (
	// the thread is before this statement, and the constraint holds
	Assumption Type = "assumption"
	// the condition is as the constraint says: true, false, or a case
	Branching Type = "branching"
	// the call whose closing parenthesis is there enters its function
	FunctionEnter  Type = "function_enter"
	FunctionReturn Type = "function_return" // it returns a value that the constraint describes
	Target         Type = "target"          // the bug shows when this is executed
)

// Waypoint is a place in the source that an execution passes, or must not pass.
type Waypoint struct {
	Type  Type
	Avoid bool
	At    Location
	// Constraint is a C expression, or over \result; or the way a branching goes. Empty:
	// none.
	Constraint string
	// Thread says who passes: numbers in the order of creation from 0 in our witnesses,
	// any label in others'; empty: anyone.
	Thread string
	// Creates is the label of the thread that this step creates (GraphML), Enters the
	// function that it enters there, or that returns.
	Creates, Enters string
}

// Location is a place in the source; numbers count from 1, 0 and empty are unknown.
type Location struct {
	File         string
	Line, Column int
	// Offset is the character's, from 0, in GraphML files, which have no columns; 0: not
	// given.
	Offset   int
	Function string
}

// Correctness hints at a proof that the specification holds.
type Correctness struct {
	Meta       Meta
	Invariants []Invariant
	// Other says what else the file holds, which is not read: ghost variables, contracts,
	// invariants about two states.
	Other []string
}

// Invariant holds whenever an execution is at its place.
type Invariant struct {
	// Loop: the place is a loop's head; otherwise it is the start of a statement.
	Loop  bool
	At    Location
	Value string
}

// targets are the waypoints to follow of the last segment.
func (v *Violation) targets() []Waypoint {
	if len(v.Segments) == 0 {
		return nil
	}
	return v.Segments[len(v.Segments)-1].follow()
}

// follow are the waypoints that are not to be avoided.
func (s Segment) follow() []Waypoint {
	var out []Waypoint
	for _, w := range s {
		if !w.Avoid {
			out = append(out, w)
		}
	}
	return out
}

// threads reports whether waypoints name more than one thread.
func (v *Violation) threads() bool {
	first := ""
	for _, s := range v.Segments {
		for _, w := range s {
			if first == "" {
				first = w.Thread
			}
			if w.Thread != first || w.Creates != "" {
				return true
			}
		}
	}
	return len(v.targets()) > 1
}
