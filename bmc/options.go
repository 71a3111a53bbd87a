package bmc

import (
	"whoop/ir"
)

// Options bound the search.
type Options struct {
	// CSB is how many preemptions are explored: switches away from a thread that could go
	// on (see docs/explanation/csb.md).
	CSB int
	// Rounds is how many rounds an execution may take at most; 0: as many as the context
	// switches need.
	Rounds int
	// Unroll is how often a loop's back edge is followed whose exit is not decided by
	// literals; Recursion the same for calls.
	Unroll, Recursion int
	// Loops that are decided by literals are unrolled further than Unroll: to MaxVisible
	// where other threads may run in them, or something else may end them, and to
	// MaxTurns where not.
	MaxTurns, MaxVisible int
	// OneDepth: loops are unrolled to these bounds at once, and not first to smaller
	// ones.
	OneDepth bool
	// MaxSize bounds the instructions of the unfolded program.
	MaxSize int
	// MaxCells bounds the elements of an array that an unknown index is followed to,
	// MaxThreads the threads. Of an array that has more, only FewCells elements are
	// followed (negative: none): those from the one on to which the index is added.
	MaxCells, FewCells, MaxThreads int
	// MaxSpawns bounds the threads created by one instruction of a thread that get to
	// run.
	MaxSpawns int
	// MaxConflicts, where not 0, bounds the conflicts that the solver may run into for
	// one query; what takes more ends the check, with a Reason.
	MaxConflicts uint
	// Unbounded: look for bugs in all executions at once, whatever their preemptions.
	// Where the formula of that is too large, CSB and Rounds bound the search after all.
	Unbounded bool
	// Clean leaves out executions that use values of code not seen, which may never be.
	Clean bool
	// RoundsOnly: nothing is asked but the formulas of Lal and Reps, round by round: the
	// baseline that other ways are measured against.
	LalRepsOnly bool
	// FirstBug ends the search with the first bug, which need not have the least number
	// of preemptions.
	FirstBug bool
	// Failures: allocations and thread creation may fail where they may. Weak exchanges
	// always may.
	Failures bool
	// Yield says before which accesses to shared memory other threads may run; nil:
	// before all. Synchronisation is always such a point.
	Yield func(ir.Instr) bool
	// Reduced is what Yield is where as much as possible is left out, to count what that
	// saves (Stats.MRYields); nil: not known.
	Reduced func(ir.Instr) bool
	// Properties are what is looked for: assert, reach_error, race, deadlock, panic,
	// double-lock, unlock-not-held; nil: all of these. goroutine-leak is looked for alone,
	// with Harness.Stays.
	Properties map[string]bool
	// Waits says of operations on a mutex that they make up a wait: it is released and
	// taken again. nil: none.
	Waits func(ir.Instr) bool
	// Prepared is what checks of the program share, where the caller has it already (many
	// harnesses of one program); nil: it is made.
	Prepared *Prepared
	// Rival is told now and then how much work the solvers have had so far
	// (bv.Solver.Work); true: the answer is known from elsewhere, and the check ends.
	// nil: there is none.
	Rival func(work uint64) bool
	// Known says of two accesses that a race between them has been shown: it is not
	// looked for. nil: none.
	Known func(a, b ir.Instr) bool
	// NoRace says of accesses that they were proved not to race; nil: none.
	NoRace func(ir.Instr) bool
}

// withDefaults fills in what is 0.
func (o Options) withDefaults() Options {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&o.Unroll, 2)
	set(&o.Recursion, o.Unroll)
	set(&o.MaxTurns, 10_000)
	set(&o.MaxVisible, 20)
	set(&o.MaxSize, 400_000)
	set(&o.MaxCells, 1024)
	set(&o.FewCells, 64)
	set(&o.MaxThreads, 60)
	set(&o.MaxSpawns, o.MaxVisible)
	return o
}

// Harness says which threads there are at first.
type Harness struct {
	Init, Roots []Root
	// Main: the first root is the program's main function, whose end ends the program.
	Main bool
	// Stays: see interp.Harness; for the property goroutine-leak, and no others.
	Stays bool
	// Registered are the kinds of entry points that are registered when the roots start,
	// whatever Init has done (ir.Registrations).
	Registered []string
}

// Root is a thread of the harness.
type Root struct {
	Func    *ir.Func
	Entry   *ir.Entry // nil for main functions that are none
	Name    string
	Private []int
}
