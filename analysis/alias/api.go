package alias

import "whoop/ir"

// Options select variants of the analysis.
type Options struct {
	// NoHeapCloning turns off the cloning of allocation wrappers per call site.
	NoHeapCloning bool
	// Note, where not nil, is told what each stage took, also of stages that were given
	// up.
	Note func(Stage)
	// worlds tells each entry's run from those of others: see instances.go.
	worlds bool
	// first is the analysis proper, where this is with worlds: what its rounds found out
	// holds here, too.
	first *solver
	// copyPairs is maxCopyPairs, where not 0.
	copyPairs int
	// work is maxWork, where not 0.
	work int
}

// Kinds of abstract objects.
const (
	KindGlobal = "global"
	KindStack  = "stack"
	KindHeap   = "heap"
	KindExtern = "extern"
	KindFunc   = "func"
)

// Object is an abstract object: it stands for one or more concrete ones.
type Object struct {
	ID   int
	Name string
	// Kind is one of the Kind constants.
	Kind string
	// Type is what the object holds; an array for allocations of several elements.
	Type   ir.Type
	Global *ir.Global
	Alloc  *ir.Alloc
	Func   *ir.Func
	// Single: it stands for exactly one concrete object (globals that are not
	// thread-local; main's stack objects outside loops).
	Single bool
	// Shared: two threads may reach it.
	Shared bool
	Pos    ir.Pos
}

// Region is a class of memory cells that accesses may touch. Two accesses that may touch
// the same byte have a region in common.
type Region struct {
	ID int
	// Name is stable and readable: "struct file.f_pos", "counter",
	// "heap(file.c:12).next".
	Name string
	// Field names what regions of different objects have in common: the member of the
	// struct type, or the variable, or where the memory is allocated.
	Field string
	// Objects are the objects the cells lie in.
	Objects []*Object
	// Group is shared by the regions with the same Objects, Elem and ArrayStart: their
	// base addresses correspond. Objects that are always accessed together, in the same
	// pieces, are merged: their regions list all of them.
	Group int
	// Offset is the byte offset of the cell from the start of the object (of the
	// innermost array element when Elem is not 0). Exact: every scalar access to the
	// region starts there (block operations aside); then the address of another cell of
	// the same Group in the same object or element is the address of this one - Offset +
	// the other's Offset.
	Offset int64
	Exact  bool
	// Size in bytes; 0 when unknown.
	Size int64
	// Elem is the element stride when the cell lies inside an array, and ArrayStart the
	// offset of that array from the object's start.
	Elem       int64
	ArrayStart int64
	// Shared: two threads may reach it.
	Shared bool
	// Const: all of it lies in members that are only written where the object is made
	// (ir.Field.Const).
	Const bool
}

// Access is one memory access of an instruction.
type Access struct {
	Addr ir.Expr
	// Size in bytes; 0 when unknown.
	Size  int64
	Write bool
	// Unseen: it is what code not seen may do with what it is given.
	Unseen bool
	// Fresh: no other thread can know the memory yet. Result.Fresh says it of all
	// accesses of an instruction.
	Fresh bool
	// Mixed: it may be to memory that the running thread alone knows, and writes, or to
	// other.
	Mixed bool
	Order ir.Order
	// Use: it is the use of what synchronises, see Result.Uses. It conflicts with what
	// ends that alone: Ends says that an access frees or destroys.
	Use, Ends bool
	// Regions lists what it may touch, ordered by ID.
	Regions []*Region
	// Null: the address is always null, so nothing is touched.
	Null bool
	// Unknown: it may also touch memory the analysis has no object for.
	Unknown bool
	// operand is the number of the address operand.
	operand int
}

// Result holds the facts about one program.
type Result struct {
	prog *ir.Program
	opt  Options

	s           *solver
	accesses    map[ir.Instr][]Access
	fresh       map[ir.Instr]bool
	regions     []*Region
	assumptions []ir.Assumption
	// written are the places of objects, by their IDs, that some instruction may write.
	written map[int][]span
}
