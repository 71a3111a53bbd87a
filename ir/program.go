package ir

import (
	"cmp"
	"fmt"
	"strconv"
)

// Pos is a place in a source file; Line and Col count from 1, 0 means unknown.
type Pos struct {
	File      string
	Line, Col int
}

// String formats the position as file:line:col, leaving out what is unknown.
func (p Pos) String() string {
	switch {
	case p.File == "" && p.Line == 0:
		return "-"
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Less orders positions by file, line, column.
func (p Pos) Less(q Pos) bool { return p.Compare(q) < 0 }

// Compare is negative where p comes before q, 0 where they are equal, and else positive.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Quote quotes a name the way the printer does.
func Quote(s string) string { return strconv.Quote(s) }

// Program is a whole program: what a front end yields, what a pass maps to another
// Program, what engines read.
type Program struct {
	Name string
	// TypeSafe: code not seen has no other pointers to the program's objects than those
	// it was given.
	TypeSafe bool
	// NarrowPointers: the pointers in memory are Narrow.
	NarrowPointers bool
	Structs        []*Struct
	// Handed are the structs to which functions that are modelled get pointers. Who looks
	// for entry points needs it; it is not printed.
	Handed  []*Struct
	Globals []*Global
	Funcs   []*Func
	// Ghosts are thread-local registers that live across calls; passes add them as
	// specification state (the current lockset, say). A front end yields none.
	Ghosts []*Reg
	// Entries are the thread templates and driver entry points; see Entry.
	Entries []*Entry
	// Exclusions lists pairs of entries that never run at the same time, with the reason.
	Exclusions []Exclusion
	// Assumptions lists everything the lowering took for granted; it only ever grows.
	Assumptions []Assumption
	// Seen is what the front end looked at. It is not printed.
	Seen Seen
}

// Seen says what a front end looked at: of Packages, as far as the language has them,
// Functions with bodies, and what is not part of any entry point.
type Seen struct {
	Packages, Functions int
	// Left are types and functions that users of a library know, and that no entry point
	// is about.
	Left []Left
	// Unknown are calls of code that is not seen, and that may start threads, beside
	// those that the assumptions "extern-call" are about.
	Unknown []Assumption
}

// Left is a type or function that no entry point is about, and why.
type Left struct {
	Kind, Name, Why string // Kind is "type" or "function"
	Pos             Pos
}

// LockPrefix begins the names of globals that stand for locks which models name: the
// entries of Entry.Holds have these names without it.
const LockPrefix = "$lock."

// Global is a variable with static storage. Its address is a constant (see GlobalAddr).
type Global struct {
	Name string
	Type Type
	Pos  Pos
	// ThreadLocal: every thread has its own copy.
	ThreadLocal bool
	// Const: declared const; nothing writes it.
	Const bool
	// Extern: only declared here. Its initial value is unknown and code not seen may
	// access it.
	Extern bool
	// Static: internal linkage (Name is then unique in the program all the same).
	Static bool
	// Init holds the non-zero initial cells; all others are zero. Empty for Extern.
	Init []InitCell
}

// Unwound is the name of a thread-local variable that is other than zero while functions
// return because something has panicked, or the goroutine ends. Frontends store there, on
// the way up, what they have found there, or a constant.
const Unwound = "__unwound"

// IsUnwound reports whether g is that variable.
func (g *Global) IsUnwound() bool { return g.ThreadLocal && g.Name == Unwound }

// Self is the name of a thread-local variable that is declared only. Where executions are
// followed it holds the thread's own handle, for others its value is unknown.
const Self = "$self"

// IsSelf reports whether g is that variable.
func (g *Global) IsSelf() bool { return g.ThreadLocal && g.Name == Self }

// InitCell is one initialised cell of a global: Value is a Const, GlobalAddr-based
// address, FuncAddr or Null.
type InitCell struct {
	Offset int64
	Type   Type
	Value  Expr
	Pos    Pos
}

// Captured is the name of the last parameter of functions that lie in function values: in
// type-safe programs it is the address of the object that the function's address was read
// from.
const Captured = "$captured"

// Results is the name of the parameter, in type-safe programs, by which a function with
// several results gets where to put them: a local variable of its caller.
const Results = "$results"

// KeptKind is the kind of no entry: a Register of it says that code not seen keeps Obj
// and may hand it out from there on.
const KeptKind = "(kept)"

// IdleKind is the second kind of a Register that binds a function which does not run
// before another Register, without a function, names its first kind: timer_setup sets a
// timer up, mod_timer starts it.
const IdleKind = "(idle)"

// OutsideFunc starts the names of the functions of a type-safe program that stand for all
// functions of a signature that code not seen may hand over.
const OutsideFunc = "function from outside"

// VariadicSlot is the struct that a C function gets each of its variadic arguments in.
const VariadicSlot = "$variadic argument"

// Func is a function; Extern where it has no body.
type Func struct {
	Name     string
	Params   []*Reg
	Result   Type
	Variadic bool
	// Regs are the local registers, parameters not included.
	Regs []*Reg
	// Blocks is the body; Blocks[0] is the entry. Empty for Extern functions.
	Blocks []*Block
	Pos    Pos
	Extern bool
	// Relays, of Extern ones: calls access nothing (the accesses are said otherwise). What
	// it returns is an argument, what that leads to, or what it was given before.
	Relays bool
	// Unknown gives the reason why the body could not be lowered ("" normally). Such a
	// function has no blocks; engines must treat reaching it as "unknown".
	Unknown string
	// Alone: all threads that the program started before have ended when it is called.
	// Its body begins with a Fence, from where on that is known.
	Alone bool
	// Copy names the function that this is a copy of, made to tell its calls apart; ""
	// for most.
	Copy string
}

// Title is the function's name for people: that of the function it is a copy of, where it
// is one.
func (f *Func) Title() string {
	if f.Copy != "" {
		return f.Copy
	}
	return f.Name
}

// Type returns the function's type.
func (f *Func) Type() FuncType {
	t := FuncType{Result: f.Result, Variadic: f.Variadic}
	for _, p := range f.Params {
		t.Params = append(t.Params, p.Type)
	}
	return t
}

// Reg is a typed mutable register, local to its function (or a ghost of the program): it
// has no address.
type Reg struct {
	Name  string
	Type  Type
	Ghost bool
	Pos   Pos
}

// Block is a basic block: straight-line instructions and one terminator.
type Block struct {
	Name   string
	Instrs []Instr
	Term   Term
}

// Entry is a thread template or a driver entry point: a function that threads execute.
type Entry struct {
	Name string
	Func *Func
	Pos  Pos
	// Kind says where it came from: "main", "thread", "file_operations.read", "irq",
	// "timer", "work", "init", "exit", …
	Kind string
	// Multi: several instances may run at once (a self-pair).
	Multi bool
	// Spawned: it runs only after a Spawn instruction that names it (pthreads); otherwise
	// it may run at any time, but after Init entries' first Register instruction.
	Spawned bool
	// Init: runs before every entry that is neither Init nor Spawned, up to its first
	// Register instruction.
	Init bool
	// Exit: runs after an Unregister instruction alone; concurrent with the others before
	// it.
	Exit bool
	// Holds names global pseudo-locks the environment holds around every run of the entry
	// ("rtnl"), exclusive.
	Holds []string
	// Private lists the indices of pointer parameters whose pointee belongs to this call
	// alone.
	Private []int
	// ArgSource and SameArgument say what the caller passes, as far as that is known.
	// Other parameters, and these where nothing that is said about has happened, are
	// arbitrary.
	Given []ArgSource
	Same  []SameArgument
	// NonNull lists the indices of pointer parameters that are never null.
	NonNull []int
	// Serial lists the indices of pointer parameters of which two runs that overlap never
	// get the same address: a work item's handler does not run twice at a time for one
	// item.
	Serial []int
	// Always: it may run at any time from when the program is there, before what sets up
	// has run, and after what ends.
	Always bool
	// Stop is the function that stops what the entry handles, for reports.
	Stop string
}

// ParameterKind is the kind of the entry points that write the parameters of a module.
const ParameterKind = "kernel_param"

// ModuleCode is the variable that stands for the code of a module: its end writes it.
const ModuleCode = "code of the module"

// Exclusion says that two entries (by name; the same name twice for one that never
// overlaps itself) do not overlap.
type Exclusion struct {
	A, B   string
	Reason string
}

// Assumption is something taken for granted at a place; the report lists all of them.
type Assumption struct {
	Kind string // short and stable: "inline-asm", "extern-call", "unknown-function", "cast", …
	Pos  Pos
	Text string
}

// FuncByName returns the function or nil.
func (p *Program) FuncByName(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// GlobalByName returns the global or nil.
func (p *Program) GlobalByName(name string) *Global {
	for _, g := range p.Globals {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// EntryByName returns the entry or nil.
func (p *Program) EntryByName(name string) *Entry {
	for _, e := range p.Entries {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Assume records an assumption once.
func (p *Program) Assume(kind string, pos Pos, format string, args ...any) {
	a := Assumption{kind, pos, fmt.Sprintf(format, args...)}
	for _, b := range p.Assumptions {
		if a == b {
			return
		}
	}
	p.Assumptions = append(p.Assumptions, a)
}
