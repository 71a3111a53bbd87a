package ir

// An Instr is one step of a basic block. Instructions are pointers: side tables are keyed
// by them, and a pass that keeps an instruction keeps its identity. Every instruction has
// the position of the source construct it came from.
type Instr interface {
	At() Pos
	isInstr()
}

// Base carries the position; every instruction embeds it.
type Base struct{ Pos Pos }

// At returns the source position.
func (b *Base) At() Pos { return b.Pos }
func (*Base) isInstr()  {}

// Order is the atomicity of a memory access.
type Order string

// Orders: Plain accesses can race; the others are atomic. Volatile is a plain access that
// compilers keep; kernel READ_ONCE/WRITE_ONCE are Marked: not a data race with another
// Marked or atomic access.
const (
	Plain    Order = "plain"
	Volatile Order = "volatile"
	Marked   Order = "marked"
	Relaxed  Order = "relaxed"
	Acquire  Order = "acquire"
	Release  Order = "release"
	AcqRel   Order = "acq_rel"
	SeqCst   Order = "seq_cst"
)

// Atomic reports whether accesses of this order never race with each other.
func (o Order) Atomic() bool { return o != Plain && o != Volatile && o != "" }

// Operation is what an access of a cell that a front end makes up stands for: something
// that must be ordered with others like accesses of memory. "" for accesses of the
// program's own memory.
type Operation string

// Operations on channels and on groups of goroutines. A close must be ordered with sends
// and with other closes, an add to a group that counts nothing with waits. A reuse is an
// add that comes after a wait for the same group.
const (
	OpSend  Operation = "send"
	OpClose Operation = "close"
	OpAdd   Operation = "add"
	OpReuse Operation = "add again"
	OpWait  Operation = "wait"
)

// OperationOf is what the access of an instruction stands for, "" where it is one of the
// program's memory.
func OperationOf(in Instr) Operation {
	switch i := in.(type) {
	case *Load:
		return i.As
	case *Store:
		return i.As
	}
	return ""
}

// Mode is how a lock is taken.
type Mode string

// Lock modes.
const (
	Exclusive Mode = "exclusive"
	Shared    Mode = "shared"
)

// GhostOrder is the class of locks that a front end makes up to say in which order
// threads run: nobody waits for them.
const GhostOrder = "order"

// GhostOwned is the class of locks that a front end makes up to say who has an object for
// itself: it has it who holds the lock at its address. Nobody waits for them. That who
// gives one back holds it is to be proved: otherwise they say nothing.
const GhostOwned = "owned"

// MadeUp reports whether locks of a class are made up by a front end: nobody waits for
// them.
func MadeUp(class string) bool { return class == GhostOrder || class == GhostOwned }

// ClassCond is the class of condition variables, where one is destroyed: they have no
// state of their own.
const ClassCond = "cond"

// ClassOnce is the class of what runs a function once: it is held exclusively while the
// function runs, and shared by who knows that it has run.
const ClassOnce = "once"

// ClassLibrary is the class of locks that objects of libraries have for themselves.
const ClassLibrary = "library"

type (
	// Assign: Dst := X.
	Assign struct {
		Base
		Dst *Reg
		X   Expr
	}
	// Load: Dst := *Addr, a cell of type Dst.Type. As: see Operation.
	Load struct {
		Base
		Dst   *Reg
		Addr  Expr
		Order Order
		As    Operation
	}
	// Store: *Addr := Val, a cell of type Val.Type(). As: see Operation.
	Store struct {
		Base
		Addr, Val Expr
		Order     Order
		As        Operation
	}
	// RMW: atomically Dst := *Addr; *Addr := Dst Op Val. Op: add sub and or xor nand
	// xchg. Dst may be nil.
	RMW struct {
		Base
		Dst   *Reg
		Op    string
		Addr  Expr
		Val   Expr
		Order Order
	}
	// CmpXchg: atomically Dst := *Addr; if Dst == Expected then *Addr := New. Dst (old
	// value) and OK (Bool: exchanged) may be nil. Weak: may fail though equal.
	CmpXchg struct {
		Base
		Dst, OK             *Reg
		Addr, Expected, New Expr
		Weak                bool
		Order               Order
	}
	// Alloc: Dst := address of a fresh object of Count elements of Elem. Kind "stack"
	// (freed on return) or "heap". Bytes, where not nil, is its size, which need not be
	// that of whole elements (a struct with a tail); Count is how many fit. Zero:
	// initialised to 0, otherwise arbitrary. MayFail: Dst may be null instead, and is for
	// more than there can be.
	Alloc struct {
		Base
		Dst     *Reg
		Elem    Type
		Count   Expr
		Bytes   Expr
		Kind    string
		Zero    bool
		MayFail bool
		// the local variable's name; of heap objects "", or what a library keeps there
		// for itself ("stream")
		Name string
	}
	// Free: the heap object at Addr (or null) ceases to exist; with Scope, the stack
	// object there does, as its block has ended. Kept: its address may be in a variable
	// or in memory then, and not only known to threads.
	Free struct {
		Base
		Addr        Expr
		Scope, Kept bool
	}
	// MemCopy copies Size bytes from Src to Dst. Elem is the type copied where known (a
	// struct assignment), else nil. Fit: no more than both objects have from there on
	// (realloc).
	MemCopy struct {
		Base
		Dst, Src, Size Expr
		Elem           Type
		Fit            bool
		Order          Order
	}
	// MemSet sets Size bytes at Dst to Val (an 8-bit value).
	MemSet struct {
		Base
		Dst, Val, Size Expr
		Order          Order
	}
	// Touch: code not seen reads and/or writes arbitrary values in the object at Addr
	// (Size bytes; nil: the whole object; Deep: everything reachable from it through
	// pointers too). Extern calls and user copies become these. Borrow: once it is
	// executed, that code has forgotten the address and what it found. Named: it keeps to
	// members that are not Hidden, also where it only reads. Typed: so, and to what has a
	// type that it knows: it does not look into Const members (what is in an interface or
	// captured by a function). Printed: it follows pointers to structs in Hidden members
	// only where these are maps, slices or interfaces: of others, printing shows the
	// address. Structs that print themselves are looked into. Perhaps: it is not known
	// that every byte is accessed, or any; a violation that rests on it is none for sure.
	// Core: objects that it made itself (those of entries' arguments, and what leads from
	// them) it accesses under its own locks: they do not count, and what they lead to
	// does not either. Makes: pointers that it writes lead to objects that it has made;
	// what follows stores them. Pointee: it takes the address for what its type says: the
	// struct there is accessed, or those of the array that it is in, and nothing beside.
	// Inner, of deep ones: only what the object leads to is accessed, and not the object
	// itself, where nothing leads back to it.
	Touch struct {
		Base
		Addr        Expr
		Size        Expr
		Read, Write bool
		Deep        bool
		Borrow      bool
		Named       bool
		Typed       bool
		Core        bool
		Printed     bool
		Perhaps     bool
		Makes       bool
		Pointee     bool
		Inner       bool
		Why         string
	}
	// Havoc: Dst := an arbitrary value of its type. Input marks a program input (an
	// external choice), Outside what a function that is not seen has returned: a pointer
	// to a struct then leads to where that code may know one.
	Havoc struct {
		Base
		Dst     *Reg
		Input   bool
		Outside bool
	}
	// Assume: executions in which Cond is false are not considered.
	Assume struct {
		Base
		Cond Expr
	}
	// Assert: Cond must hold. Tag is the property ("assert", "reach_error", "overflow",
	// "memcleanup", or a pass's own), Msg explains a failure.
	Assert struct {
		Base
		Cond Expr
		Tag  string
		Msg  string
	}
	// Call: Dst := Callee(Args…). Callee is a FuncAddr, or an expression of
	// function-pointer type. Dst may be nil.
	Call struct {
		Base
		Dst    *Reg
		Callee Expr
		Args   []Expr
	}
	// Lock acquires the lock at address Lock. Try (try, timed, interruptible): Dst, a
	// Bool, tells whether it was acquired; otherwise Dst is nil and the thread blocks.
	// Class: mutex, spin, bitspin, rwlock, rwsem, semaphore, seq, rcu (frontend/models
	// checks it), or one of those that the lowering makes. Recursive: the same thread may
	// take it again.
	Lock struct {
		Base
		Lock      Expr
		Mode      Mode
		Class     string
		Try       bool
		Recursive bool
		Dst       *Reg
	}
	// Unlock releases the lock at Lock. Mode "" where the API does not say which
	// (pthread_rwlock_unlock).
	Unlock struct {
		Base
		Lock  Expr
		Mode  Mode
		Class string
	}
	// LockInit makes the memory at Lock an unlocked lock; Destroy ends it.
	LockInit struct {
		Base
		Lock      Expr
		Class     string
		Recursive bool
		Destroy   bool
	}
	// CondWait atomically releases Mutex and waits for Cond, then re-acquires Mutex.
	// Timed: may end without a signal; Dst (Bool or nil): whether it was signalled.
	// Spurious wake-ups are possible.
	CondWait struct {
		Base
		Cond, Mutex Expr
		Timed       bool
		Dst         *Reg
	}
	// CondSignal wakes one waiter (all, where Broadcast).
	CondSignal struct {
		Base
		Cond      Expr
		Broadcast bool
	}
	// SemInit sets a counting semaphore. SemWait decrements it when positive (Try: Dst
	// tells). SemPost increments it. Completions are semaphores (All: complete_all).
	SemInit struct {
		Base
		Sem, Val Expr
	}
	// SemWait: see SemInit.
	SemWait struct {
		Base
		Sem Expr
		Try bool
		Dst *Reg
	}
	// SemPost: see SemInit.
	SemPost struct {
		Base
		Sem Expr
		All bool
	}
	// BarrierInit sets the number of threads a barrier waits for.
	BarrierInit struct {
		Base
		Barrier, Count Expr
	}
	// BarrierWait blocks until Count threads wait; Dst (Bool or nil) is true in one of
	// them.
	BarrierWait struct {
		Base
		Barrier Expr
		Dst     *Reg
	}
	// Once calls Fn if no Once on Ctl has run before; others wait for it to end.
	Once struct {
		Base
		Ctl, Fn Expr
	}
	// Spawn starts a thread that runs Fn(Args…). HandleAddr (or nil) is where its handle
	// is stored, Dst (or nil) the register that receives it. May fail where OK (Bool) is
	// not nil and false: then no thread exists.
	Spawn struct {
		Base
		Fn         Expr
		Args       []Expr
		HandleAddr Expr
		Dst        *Reg
		OK         *Reg
	}
	// Join waits for the thread of Handle (a value) to end; Dst (or nil) receives its
	// result.
	Join struct {
		Base
		Handle Expr
		Dst    *Reg
	}
	// Detach: the thread of Handle will not be joined.
	Detach struct {
		Base
		Handle Expr
	}
	// AtomicBegin/AtomicEnd bracket a section that no other thread interleaves.
	AtomicBegin struct{ Base }
	// AtomicEnd: see AtomicBegin.
	AtomicEnd struct{ Base }
	// Await blocks until Cond holds of the contents of the cells at Addrs, and of other
	// registers. Then it sets the registers Dsts to those contents and begins an atomic
	// section, all in one step: the section may change what others wait for. Inside an
	// atomic section it is an assumption: executions in which Cond is false there are not
	// considered. The reads are SeqCst; a thread that is blocked makes none. Addrs do not
	// read Dsts. What names the operation in traces, with the first address: "receives
	// from". Queues say what the section is to queues of messages; it does the same
	// without.
	Await struct {
		Base
		Dsts   []*Reg
		Addrs  []Expr
		Cond   Expr
		What   string
		Queues []Queue
	}
	// IrqDisable masks a kind of asynchronous execution on this CPU: "irq", "bh" or
	// "preempt". IrqEnable ends it; Restore: back to what it was before the matching
	// IrqDisable.
	IrqDisable struct {
		Base
		Kind string
	}
	// IrqEnable: see IrqDisable.
	IrqEnable struct {
		Base
		Kind    string
		Restore bool
	}
	// Register makes entry points able to run from here on (device registration,
	// request_irq, …). API names the call. Kinds limits it to entries of those kinds
	// (prefix match); empty means all. Where Fn is not nil, the call makes the function
	// Fn (a FuncAddr or a function-pointer value) an entry of kind Kinds[0], later called
	// with Args (nil elements, and parameters beyond, are arbitrary).
	Register struct {
		Base
		API   string
		Obj   Expr
		Fn    Expr
		Args  []Expr
		Kinds []string
		// Shows are members (their structs and offsets) of objects that the environment
		// passes to entries from here on: they hold Obj (the i_cdev of an inode that is
		// opened is the cdev that was added).
		Shows []ArgSource
		// Of is the object that is made known, until the entry points are known. Object is a
		// name for it, where several of a kind are.
		Of     Expr
		Object string
	}
	// Unregister: from here on those entry points no longer run (it waits for running
	// ones). Ends are kinds of which only the runs for Obj are over (del_timer_sync,
	// where several timers have handlers). ForGood: what starts them has no effect until
	// they are set up anew, by a Register with a function (timer_shutdown_sync).
	Unregister struct {
		Base
		API     string
		Obj     Expr
		Kinds   []string
		Ends    []string
		ForGood bool
		// Of and Object: see Register. Entries of the kinds run until all objects are taken
		// back that they were made known with.
		Of     Expr
		Object string
	}
	// Fence orders memory accesses.
	Fence struct {
		Base
		Order Order
	}
	// Yield is a point where another thread may be scheduled (instrumentation; no effect
	// otherwise).
	Yield struct{ Base }
)

// Queue is what an atomic section that an Await begins is to a queue of messages: it may
// send one, or receive one. The queue is memory, laid out as QueueCapacity says, and of
// that the section accesses what lies behind the number of messages, as a first-in,
// first-out queue: a message that is sent is put behind those that are there, one that is
// received is the first. What is not in use is zero, so that memory is the same whenever
// the same messages are in it. So a send and a receive of different messages can be
// exchanged.
type Queue struct {
	Op QueueOp
	// At is the index in Addrs of the address that the queue begins at, a cell that is
	// not zero where it is closed; a message may then be sent no more, and a receive does
	// not wait. The next one is that of the number of messages, an i32.
	At int
	// Size of the memory, in bytes.
	Size int64
}

// QueueOp is what is done to a queue.
type QueueOp string

// The operations on queues: they wait for room, or for a message.
const (
	QueueSend    QueueOp = "send"
	QueueReceive QueueOp = "receive"
)

// QueueCapacity is how many bytes the capacity of a queue, an i32, lies in front of the
// number of its messages. It is written before others know the queue. Queues of capacity
// 0 are none: they may be anything.
const QueueCapacity = 4

// A Term ends a block.
type Term interface {
	At() Pos
	// Succs returns the successor blocks, in order.
	Succs() []*Block
	isTerm()
}

// TermBase carries a terminator's position.
type TermBase struct{ Pos Pos }

// At returns the source position.
func (b *TermBase) At() Pos { return b.Pos }
func (*TermBase) isTerm()   {}

type (
	// Goto jumps to one of Targets, chosen arbitrarily.
	Goto struct {
		TermBase
		Targets []*Block
	}
	// Branch goes to Then if Cond (a Bool) holds, to Else otherwise.
	Branch struct {
		TermBase
		Cond       Expr
		Then, Else *Block
	}
	// Return ends the function; Val is nil for void functions.
	Return struct {
		TermBase
		Val Expr
	}
	// Stop ends the execution of the thread ("exit": pthread_exit), or of the whole
	// program ("abort": exit, abort, a failed assertion), or cannot be reached
	// ("unreachable"). Val is the result of a thread that exits, which a Join yields; nil
	// where it has none.
	Stop struct {
		TermBase
		Kind string
		Val  Expr
	}
)

// Succs implementations.
func (t *Goto) Succs() []*Block   { return t.Targets }
func (t *Branch) Succs() []*Block { return []*Block{t.Then, t.Else} }
func (t *Return) Succs() []*Block { return nil }
func (t *Stop) Succs() []*Block   { return nil }
