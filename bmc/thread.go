package bmc

import (
	"whoop/ir"
	"whoop/smt/bv"
)

// thread is an unfolded thread: what it does in the order of its positions. Every path
// through it takes positions in increasing order; a position is on the path where its
// guard holds.
type thread struct {
	num   int    // the same in every pass
	idx   int    // in unrolling.threads
	key   string // stable from pass to pass
	name  string
	fn    *ir.Func
	entry *ir.Entry
	root  bool // started by the harness
	pos   []*event
	log   []*logEntry
	// parent spawned it; live0 are the threads that may run when it starts, live those it
	// may have left running.
	parent *thread
	live0  threadSet
	below  threadSet // its descendants
	final  *state    // at its end; nil where it never ends
	start  *cell     // 1 once it is spawned
	ended  *cell     // 1 once it has ended
	result *cell
	ran    *cell // of roots: 1 once it has taken its first step
	waits  *cell // the condition or barrier it waits at, 0: none
	args   []*bv.Term
	passed []ir.From // of roots: what init entries got
	end    int       // position of its end, -1: none
	// omitted counts the reads that are no positions, as the thread knows what it reads:
	// others never run before them.
	omitted int
}

// event is a visible step of a thread: everything in ops happens at once.
type event struct {
	thread *thread
	num    int
	guard  *bv.Term
	// cut: another thread may run before it. poise: a thread that stops for good may stop
	// before it even where cut is false.
	cut, poise bool
	// spare: a switch before it is one that Options.Reduced leaves out, whether it was
	// left out (cut is false) or not.
	spare  bool
	maybe  bool // whether it writes depends on what it reads there
	atomic bool // inside an atomic section, not its beginning
	reads  []*read
	writes []*write
	// enabled, where not nil, says whether the step can be taken, given the values of its
	// reads.
	enabled func(v func(i int) *bv.Term) *bv.Term
	// require must hold where the step is taken: assumptions, valid addresses, no error.
	require []*bv.Term
	checks  []*check
	memory  bool // what is invalid is an access to memory
	// nil, or when the step is undefined behaviour: an access outside of its object, …
	invalid *bv.Term
	kind    posKind
	in      ir.Instr
	fn      *ir.Func
	at      ir.Pos
	limit   *limit // of posLimit, and of beyond
	// beyond, where not nil, is when what the step does is not followed.
	beyond *bv.Term
	ac     *accessInfo
	log    int // the log entry it belongs to, -1: none
}

type posKind uint8

const (
	posStep  posKind = iota
	posStart         // the thread starts
	posEnd           // it has ended
	posAbort         // the program ends
	posLimit         // a bound is reached: nothing is known about what follows
)

// read binds v to the contents of a cell, bits lo up to lo+width, where match holds.
type read struct {
	v       *bv.Term
	targets []target
}

// write stores val.
type write struct {
	val     *bv.Term
	targets []target
}

// target is a place an access may go to.
type target struct {
	c     *cell
	lo    int // the first bit
	match *bv.Term
}

// check is an error that taking a step would be, a condition over registers and the reads
// of its position.
type check struct {
	kind, tag, msg string
	bad            *bv.Term
}

// accessInfo is what race checks need to know about the accesses of a position.
type accessInfo struct {
	atomic  bool
	core    bool // the kernel's own, under its locks
	touches []touched
}

// touched is a place that is read or written: width bits from the targets' first one on.
type touched struct {
	write   bool
	width   int
	targets []target
}

// logEntry is an instruction that the interpreter is expected to meet on the path, with
// the value it yields.
type logEntry struct {
	in    ir.Instr
	term  ir.Term
	guard *bv.Term
	// of loads, havocs, choices, …: what to answer where the interpreter asks for an
	// input
	result   *bv.Term
	pos      int      // the position it is a part of, -1: none
	spurious *bv.Term // whether a weak exchange fails without cause; nil where it cannot
	spawn    *thread
	obj      *object // that it makes
	over     bool    // the return of a once control's function
	// guesses are values that code not seen yields here, and which may never be.
	guesses []*bv.Term
}

// state is where an execution of a thread is, on all paths that meet here.
type state struct {
	guard *bv.Term
	mem   pmap // cells that belong to one thread at a time
	// known are shared cells whose contents the thread knows: it has read or written
	// them, and since then nobody else can have run.
	known  pmap
	regs   []*bv.Term
	live   threadSet // descendants that may be running
	split  bool      // other threads may exist
	atomic int
}

func (s *state) clone() *state {
	c := *s
	c.regs = append([]*bv.Term(nil), s.regs...)
	return &c
}
