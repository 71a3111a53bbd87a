package diag

import (
	"slices"

	"whoop/ir"
)

// Exploration is the outcome of explore: what goes wrong in the executions of a program,
// and which were covered.
type Exploration struct {
	Tool, Version, Command, Input string
	// Strategy is how executions were chosen, Bound what bounds it (-1: nothing), Seed
	// what was drawn by.
	Strategy string
	Bound    int
	Seed     uint64
	Bugs     []Bug
	// Complete: all executions within the bound were covered, but for those that Open
	// says are not followed. Reason says why not.
	Complete bool
	Reason   string
	Open     []ir.Assumption
	// Exact: no instruction stands for code that is not seen, so that what was covered is
	// what the program does.
	Exact bool
	// Weak is where the program first asks for an atomic access that is weaker than
	// sequentially consistent, as executions are; nil where it does nowhere.
	Weak *ir.Pos
	// BoundHit: executions were left out since they have more preemptions than Bound.
	BoundHit bool
	// Executions have come to an end, Redundant ones were cut off since others are
	// equivalent, in Stuck ones a thread stands still, at an error or a false assumption,
	// and Deadlocks ended with threads that wait for each other.
	Executions, Redundant, Stuck, Deadlocks int64
	// Events were executed, Longest in one execution. States were visited, where they are
	// told apart.
	Events  int64
	States  int64
	Longest int
	Classes int64   // executions that differ in which write something reads, where they are counted
	Strata  []int64 // executions by their delays, of delaying explorers
	// Workers explored at a time; Stops counts why they stopped, where there were
	// several.
	Workers     int
	Stops       Stops
	Assumptions []ir.Assumption
	Notes       []string
	Seconds     float64
	// Pairs, of a driver, are the entry points that were explored beside each other; the
	// figures above are those of all together.
	Pairs []ExploredPair
}

// ExploredPair is what was covered of entry points that run beside each other.
type ExploredPair struct {
	Threads []string
	// Proved: verify proved that they do not race. Skipped: they were not explored; Open
	// says why.
	Proved, Skipped    bool
	Complete, BoundHit bool
	Reason             string
	Executions, States int64
	Bugs               []int // in Exploration.Bugs
	Open               []ir.Assumption
	Seconds            float64
}

// Stops counts why workers have stopped: a number of executions was explored, something
// was found that may be explored by another one, others had nothing to do, or all was
// explored that a worker had. Heads are the parts that were given to others.
type Stops struct{ Budget, Disputed, Asked, Done, Heads int64 }

// Has reports whether there is a bug that does not rest on what code not seen yields.
func (x *Exploration) Has() bool {
	return slices.ContainsFunc(x.Bugs, func(b Bug) bool { return !b.OnlyIf() })
}

// ExitStatus is 1 where a bug was found, 3 where not everything was covered or a bug is
// only a possible one, else 0.
func (x *Exploration) ExitStatus() int {
	switch {
	case x.Has():
		return 1
	case !x.Complete || len(x.Open) > 0 || len(x.Bugs) > 0:
		return 3
	}
	return 0
}
