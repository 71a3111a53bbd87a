package precise

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/world"
	"whoop/ir"
	"whoop/ir/build"
)

// ProgramHost is what exact programs need of the lowering of Go.
type ProgramHost interface {
	// NewGlobal makes a variable, Unique a name that no other function has.
	NewGlobal(name string, t ir.Type, at ir.Pos) *ir.Global
	Unique(name string) string
	// Special is how a library type is represented.
	Special(t types.Type) (fields []ir.Field, size int64, ok bool)
	// Tag is the number of a dynamic type.
	Tag(t types.Type) ir.Expr
	// Known is the constant that a value is, or nil.
	Known(v ssa.Value) ir.Expr
}

// Host is what the exact part of a function needs of the rest of its lowering.
type Host interface {
	// Val is the value of an SSA value, One its only scalar. Made is the object that an
	// instruction makes.
	Val(v ssa.Value) irgen.Value
	One(v ssa.Value) ir.Expr
	Made(v ssa.Value, name string) ir.Expr
	// Boxed is a value as an interface, Unboxed what is in one; NewBox is an empty box.
	Boxed(t types.Type, v irgen.Value) irgen.Value
	Unboxed(t types.Type, data ir.Expr) irgen.Value
	NewBox() ir.Expr
	// CallFunc calls a function, CallDynamic a function value, CallArg an argument that is
	// one; Spawn starts a goroutine.
	CallDynamic(sig *types.Signature, self ir.Expr, args irgen.Value) irgen.Value
	CallFunc(f *ssa.Function, args irgen.Value, captured ir.Expr) irgen.Value
	CallArg(p *irgen.Call, i int, args irgen.Value) irgen.Value
	Spawn(site ssa.Instruction, callee ir.Expr, sig *types.Signature, args irgen.Value, captured ir.Expr)
	// PrintsExact calls what a call that prints calls.
	PrintsExact(p *irgen.Call)
	// GiveBack returns, RunDefers runs what is deferred, Prune ends the function.
	GiveBack(v irgen.Value)
	RunDefers()
	Prune()
	// Raise lets the thread unwind, Throw panics with a value; Propagate unwinds after a
	// call that did, unless it is within what Quietly does.
	Raise(state int64)
	Throw(v irgen.Value, msg string)
	Propagate()
	Quietly(do func())
	// Inexact notes that more is done here than the Go program does.
	Inexact()
}

// Program is a program of which executions are exact: it does what the Go program
// does and nothing else, up to places where executions end because that is not possible;
// see cut.
type Program struct {
	*world.World
	ProgramHost
	lay *irgen.Layouts
	p   *ir.Program
	// Root is the function that is run; "": the program is not exact.
	Root string
	// newFn begins a function.
	newFn func(f *ir.Func) *Fn
	box   *ir.Struct // of what interfaces hold
	// Unwinds is nil where the program neither recovers from panics nor ends goroutines.
	Unwinds *Unwinds
	// Expected are the functions that are reached.
	Expected map[*ssa.Function]bool
	// Dynamic are the types of what is put into interfaces.
	Dynamic []types.Type
	// cuts are the functions that end executions, by the reason; caps the capacities of
	// channels by element type, capOf where the channel that is a global is made; closed
	// are the element types of channels that are closed somewhere.
	cuts   map[string]*ir.Func
	caps   map[string]*chanCaps
	CapOf  map[*ir.Global]*ssa.MakeChan
	closed map[string]bool
	errors map[string]*ir.Global // variables of libraries
	// Texts are the numbers of constants that are not integers, bytesOf the bytes of
	// strings, forms those that texts are made by.
	Texts     map[string]int64
	bytesOf   map[string]*ir.Global
	Forms     []textForm
	questions []*question
}

// Unwinds is how threads unwind: their states, and what is called at the end of one.
type Unwinds struct {
	State    *ir.Global
	Uncaught *ir.Func
}

// New is a program in which there is nothing yet.
func New(w *world.World, h ProgramHost, lay *irgen.Layouts, p *ir.Program, box *ir.Struct, newFn func(f *ir.Func) *Fn) *Program {
	return &Program{World: w, ProgramHost: h, lay: lay, p: p, box: box, newFn: newFn,
		cuts: map[string]*ir.Func{}, caps: map[string]*chanCaps{}, CapOf: map[*ir.Global]*ssa.MakeChan{},
		closed: map[string]bool{}, errors: map[string]*ir.Global{},
		Texts: map[string]int64{}, bytesOf: map[string]*ir.Global{}}
}

// Fn is the exact part of the lowering of one function.
type Fn struct {
	*build.Writer
	*irgen.Builder
	*Program
	Host
	Sf   *ssa.Function
	Site ssa.Instruction // what is being lowered
	// Unused: the values that are being made are not used.
	Unused bool
	// Extra are arguments of variadic library calls, which are not put into a slice.
	Extra map[ssa.Instruction][]ssa.Value
	// checked are the pointers that are known not to be nil from a block on.
	checked map[ssa.Value]*ssa.BasicBlock
	Visited map[*ssa.Range]visiting // see rangeExact
	// Inside: a panic here is in an atomic section.
	Inside bool
}

// NewFn is the exact part of a function of which nothing is lowered yet.
func NewFn(b *irgen.Builder, p *Program, h Host, sf *ssa.Function) *Fn {
	return &Fn{Writer: b.Writer, Builder: b, Program: p, Host: h, Sf: sf,
		checked: map[ssa.Value]*ssa.BasicBlock{}, Visited: map[*ssa.Range]visiting{}}
}
