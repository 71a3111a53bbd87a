package vm

import (
	"whoop/ir"
	"whoop/ir/irutil"
)

// opcode is what an instruction of the machine does.
type opcode uint8

// The opcodes. The letters stand for the operands of ins; x, y are values, d is a
// destination.
const (
	opMov opcode = iota // d := x
	opAdd               // d := x + y, and so on, normalised to the type
	opSub
	opMul
	opDiv
	opRem
	opAnd
	opOr
	opXor
	opShl
	opShr
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opNeg
	opNot
	opNorm   // d := x, normalised
	opBool   // d := x != 0
	opSelect // d := x where c, else y
	opOffset // d := x + y*stride, an address
	opTLS    // d := address of the thread's own copy of a variable
	opJump   // to c
	opIf     // if x to c, else to d
	opNop    //

	// Operations that may be visible.
	opLoad
	opStore
	opRMW
	opCmpXchg
	opCopy
	opSet
	opTouch
	opFree
	opLock
	opTryLock
	opUnlock
	opLockInit
	opCondWait
	opSignal
	opSemInit
	opSemWait
	opSemTry
	opSemPost
	opBarrierInit
	opBarrier
	opOnce
	opAtomicBegin
	opAtomicEnd
	opAwait
	opReturn // of a value, or none

	// Local ones that are more than arithmetic.
	opAlloc
	opAssume
	opAssert
	opCall
	opCallPtr
	opChoose  // d := one of the alternatives
	opBranchN // to one of several places, which is chosen
	opLazy    // d is arbitrary, and asked for where it is used
	opForce   // asks
	opSpawn
	opJoin
	opDetach
	opExit
	opAbort
	opStuck
	opUnsupported
)

// blocks reports whether an operation may block.
func (op opcode) blocks() bool {
	return op == opLock || op == opSemWait || op == opOnce || op == opAwait
}

// operand is a register of the frame, or ^k for constant k of the function.
type operand int32

// none stands for no operand.
const none operand = -1 << 31

// ins is one instruction. What d, x, y, c mean is said with its opcode; aux is an index
// into a table of the function.
type ins struct {
	op     opcode
	bits   uint8 // of the type that results are normalised to; 64: not at all
	signed bool
	size   uint8 // of a cell, in bytes
	flags  uint8
	d      operand
	x, y   operand
	c      int32
	aux    int32
}

// Flags of ins.
const (
	flagAtomic  = 1 << iota // the access does not race with others of its kind
	flagOwn                 // the address is of something that nobody else knows
	flagShared              // of a lock: in shared mode; of an unlock: in either mode with flagAny
	flagAny                 // of an unlock: whichever mode there is
	flagRecurse             // of a lock: the thread may take it again
	flagAll                 // of a signal or post: all
	flagSigned              // of a comparison
	flagWeak                // of an exchange: it may fail without cause
)

// flagQuiet, of an access to memory: it does not race (see CompileQuiet).
const flagQuiet = flagRecurse

// fn is a compiled function.
type fn struct {
	f         *ir.Func
	code      []ins
	src       []any // the ir.Instr or ir.Term of each instruction
	first     int32 // number of the first one in the program
	consts    []uint64
	params    []ir.Type
	slots     int // registers and temporaries
	firstTemp int32
	result    ir.Type
	uninit    bool // some register may be read before it is set
	// for each instruction, those of liveSets that may be read from there on; nil: all
	// may
	live     []int32
	liveSets [][]operand // registers
	temps    []int32     // for each instruction, how many slots were in use in front of it
	calls    [][]operand
	targets  [][]int32
	alloc    []*ir.Alloc
	awaits   []await
	lists    [][]uint64 // values that an assumption tries
	reasons  []string   // of opUnsupported
	types    []ir.Type
}

// await is the code that reads cells and evaluates a condition, without effects of its
// own.
type await struct {
	addrs  []operand // where they are read
	dsts   []operand
	types  []ir.Type
	start  int32 // of the code of the condition, up to the opAwait itself
	cond   operand
	queues []ir.Queue
}

// Program is a compiled program. It is immutable and may be run by several machines at
// once.
type Program struct {
	IR      *ir.Program
	quiet   func(ir.Instr) bool // nil: none is
	unused  map[*ir.Func]bool   // whose results nothing uses
	awaits  bool                // there are instructions that wait for what memory holds
	funcs   []*fn
	fnOf    map[*ir.Func]*fn
	globals map[*ir.Global]uint32 // numbers of their objects
	tls     map[*ir.Global]int
	locals  []*ir.Global // those that each thread has a copy of
	first   region       // the globals, before anything runs
	own     *irutil.Own
	sources []any // of all functions' instructions
}

// Source is the ir.Instr or ir.Term with a number; see Op.
func (p *Program) Source(i int32) any { return p.sources[i] }

// Sources are all of them, by their numbers.
func (p *Program) Sources() []any { return p.sources }
