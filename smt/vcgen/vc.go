package vcgen

import (
	"fmt"

	"whoop/ir"
	"whoop/smt"
)

// Candidate is a fact that may or may not hold at a program point. ID is unique in a
// Houdini run; the constant Guard(ID) says that the candidate is (still) believed. Cond
// is a Bool expression over the registers of the point.
type Candidate struct {
	ID   int
	Cond ir.Expr
	// Unless, where not nil, is a cell of a latch: where it is known to hold the latch's
	// value, Cond need not be true.
	Unless *LatchCell
	// Zero, where not nil, is a cell of constant memory (ReadClass Constant): where it is
	// zero, Cond need not be true.
	Zero *ConstCell
}

// ConstCell is a cell of memory that nothing writes: a value of type T at Addr.
type ConstCell struct {
	Addr ir.Expr
	T    ir.Type
}

// NewCell is a cell of a class of memory, at an offset of an object, that is zero when
// the object is made.
type NewCell struct {
	Class        int
	Offset, Size int64
}

// ZeroMember is a member, at an offset of an object, that is zero from when the object is
// made on.
type ZeroMember struct {
	Offset int64
	T      ir.Type
}

// Guard returns the Boolean constant that switches a candidate on.
func Guard(b *smt.Builder, id int) *smt.Term { return b.Var(GuardName(id), smt.Bool) }

// GuardName is the name of the constant Guard(id).
func GuardName(id int) string { return fmt.Sprintf("candidate_%d", id) }

// Summary stands for the body of a procedure that is called and not inlined.
type Summary struct {
	// Pre must hold at each call, Post may be assumed after it. Their conditions are over
	// ghosts and over registers of the caller: the arguments, and in Post the result.
	Pre, Post []Candidate
	// Modifies lists the ghosts the procedure may change.
	Modifies []*ir.Reg
	// Keeps are about ghosts in Modifies.
	Keeps []Keep
	// Writes are the classes of memory that the procedure may write (for Private reads).
	Writes Classes
}

// Keep is the candidate that a Bool ghost which is true at the start of a procedure, or
// where a loop is entered, is true at the end of the procedure, or whenever the loop
// starts anew.
type Keep struct {
	ID  int
	Reg *ir.Reg
}

// ReadClass says what a read of memory may yield.
type ReadClass int

// Read classes.
const (
	// Arbitrary: another thread may have written; two reads may differ.
	Arbitrary ReadClass = iota
	// Constant: nothing writes it while this procedure runs: the value is a function of
	// the address.
	Constant
	// Private: only this thread writes it: the value last stored, where that is known.
	Private
)

// Options are the inputs of Generate besides the procedure. All maps may be nil.
type Options struct {
	// Init gives the initial value of ghosts, and of parameters for which all calls pass
	// the same; the others are arbitrary.
	Init map[*ir.Reg]ir.Expr
	// Pre is assumed at the start, Post must hold at every return.
	Pre, Post []Candidate
	// Keeps must hold at every return. Result, where not nil, stands for the value
	// returned in Post.
	Keeps  []Keep
	Result *ir.Reg
	// LoopKeep makes the candidate that a loop keeps a ghost; ok is false where there is
	// none.
	LoopKeep func(head *ir.Block, r *ir.Reg) (k Keep, ok bool)
	// Tested are registers whose values decide about ghosts.
	Tested map[*ir.Reg]bool
	// Invariants are assumed at the loop head they are given for, and must hold on every
	// edge to it.
	Invariants map[*ir.Block][]Candidate
	// Asserts gives the candidate that an Assert instruction states; Asserts not listed
	// state nothing.
	Asserts map[*ir.Assert]int
	// Calls gives the summary of every Call in the body.
	Calls map[*ir.Call]*Summary
	// Read classifies a load and names the classes of memory it may read; nil means
	// Arbitrary.
	Read func(*ir.Load) (ReadClass, []int)
	// Value gives the constant expression that a load yields, or nil.
	Value func(*ir.Load) ir.Expr
	// Writes names the classes of memory an instruction may write (for Private reads).
	Writes func(ir.Instr) []int
	// Latch gives the latch that a load or a store is of; Breaks the classes of latches
	// into whose cells an instruction may put another value than the latch's, before
	// others know them.
	Latch  func(ir.Instr) *Latch
	Breaks func(ir.Instr) []int
	// New lists the cells, for Private reads, that are zero in what an allocation makes.
	New func(*ir.Alloc) []NewCell
	// Zeros lists members of constant memory that are zero in what an allocation makes.
	Zeros func(*ir.Alloc) []ZeroMember
	// Layouts: where globals and functions lie is not known. Else it is one place for
	// each, for programs that cannot tell.
	Layouts bool
}

// Obligation says that candidate ID is refuted in executions where Violated is true.
type Obligation struct {
	ID       int
	Violated *smt.Term
	At       ir.Pos
}

// VC is the verification condition of one procedure.
type VC struct {
	Axioms      []*smt.Term
	Obligations []Obligation
	// Refuted lists candidates that need no solver: they are false where no condition
	// keeps executions from.
	Refuted []int
	// Assumed lists the candidates that occur as assumptions.
	Assumed []int
}

// HeadsOf returns the blocks where Generate cuts loops: the targets of retreating edges,
// in block order. Every cycle goes through one of them, in irreducible graphs too.
func HeadsOf(f *ir.Func) []*ir.Block {
	g := newGraph(f)
	var hs []*ir.Block
	for _, b := range g.order {
		if g.heads[b] != nil {
			hs = append(hs, b)
		}
	}
	return hs
}
