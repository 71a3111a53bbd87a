package world

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/library"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// World is a program, and what is around it: what libraries do, and what users may.
type World struct {
	// given
	Prog   *ssa.Program
	Models *library.Models
	Bodies *program.Bodies // nil: none
	Moved  map[*ast.FuncLit]program.Literal
	// Modules is what other modules do with what they are given; nil: not known.
	Modules *modules
	Open    Open
	// Exact: the program does what the Go program does and nothing else. LibraryMode: code
	// outside the program makes objects of its types.
	Exact, LibraryMode bool
	// HasPointers reports whether values of a type lead to memory, as they are laid out.
	HasPointers func(types.Type) bool
	// Report is where assumptions, and what was seen, are noted.
	Report *ir.Program

	// found when the packages are looked at
	// Own are the packages with bodies, First the one whose names need no qualifier.
	Own   map[*types.Package]bool
	First *types.Package
	// Sources are the functions of the program, Boxes the types of values in interfaces,
	// each once.
	Sources []*ssa.Function
	Boxes   []types.Type
	cwd     string
	// Places are the positions that Pos was asked for.
	Places map[ir.Pos]token.Pos

	// found with the entry points
	Sessions      map[*types.Named]*Session
	ReceiverTypes map[*types.Named]bool // whose methods are entry points
	// Ctors are the constructors of receiver types, CtorAllocs where they allocate the
	// value.
	Ctors      map[*types.Named][]*ssa.Function
	CtorAllocs map[*ssa.Alloc]*types.Named
	// BoxedByUsers are the types of a library that its users may put into interfaces, and
	// choose as type arguments.
	BoxedByUsers []types.Type
	// Settings are what users call before they use a library from several goroutines.
	Settings []*ssa.Function
	// Sharing tells of which receiver types two values may share memory.
	Sharing *sharing
	// instances are those of generic types that users may have values of.
	instances *instances
	// GivenTypes are receiver types of which entry points are given other values.
	GivenTypes map[*types.Named]bool

	// remembered
	methodsNamed   map[string][]*ssa.Function // see methodsLike
	functionValues map[string][]*ssa.Function // by their signatures: see valuesLike
	allValues      []*ssa.Function            // see valuesOfAll
	valueObjects   map[types.Object]bool      // of function values: see isValue
	recursive      map[*ssa.Function]bool     // see recurs
	names          map[*ssa.Function][]*ssa.Function
	boxed          map[*types.Named]bool  // see isBoxed
	boxedOf        int                    // of how many boxes
	changing       map[*ssa.Global]bool   // see state
	stateful       map[*ssa.Function]bool // see usesState
	errorChanges   *bool                  // see errorsChange
	libraries      map[*ssa.Package]*libraryTypes
	operations     map[*types.Package]*syncOps
	behind         map[*types.Interface][]types.Type // see boxedBehind
	sealing        map[string]bool                   // by the IDs of methods: see sealed
	inPlace        map[*ssa.Package]*inPlace         // see WrittenInPlace
}

// New is a program of which nothing is known yet.
func New(prog *ssa.Program, m *library.Models, report *ir.Program) *World {
	w := &World{Prog: prog, Models: m, Report: report, Own: map[*types.Package]bool{}, Places: map[ir.Pos]token.Pos{},
		libraries: map[*ssa.Package]*libraryTypes{}, operations: map[*types.Package]*syncOps{},
		behind: map[*types.Interface][]types.Type{}, Sessions: map[*types.Named]*Session{}, sealing: map[string]bool{},
		Ctors: map[*types.Named][]*ssa.Function{}, CtorAllocs: map[*ssa.Alloc]*types.Named{}}
	w.cwd, _ = os.Getwd()
	return w
}
