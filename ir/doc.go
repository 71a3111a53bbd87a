// Package ir is the language everybody speaks: a small, typed control-flow graph. Front
// ends make a Program, passes map a Program to another or to facts in side tables keyed
// by instruction, engines read it.
//
//	p, err := ir.Parse("demo.wir", src)  // or a front end's result
//	if err := ir.Validate(p); err != nil { … }
//	for _, l := range ir.Loops(p.FuncByName("main")) { fmt.Println(l.Head.Name) }
//	err = ir.Print(os.Stdout, p)         // Parse(Print(p)) prints identically
//
// Registers (Reg) are mutable, typed, and have no address; memory is read and written by
// instructions alone, so expressions are pure. Every instruction and terminator carries
// the position of the source construct it came from ("@file:line:col" at the end of its
// line in the textual form). Files of the textual form end in .wir; docs/reference/ir.md
// is its reference.
//
// # Instructions
//
//	kind          printed form                                             meaning
//	Assign        x := E                                                   set a register
//	Load          x := load ORDER ADDR [as OPERATION]                      read a cell of x's type
//	Store         store ORDER ADDR, E [as OPERATION]                       write a cell of E's type
//	RMW           [x :=] rmw OP ORDER ADDR, E                              atomic read-modify-write
//	CmpXchg       [x, ok :=] cmpxchg ORDER ADDR, OLD, NEW [weak]           atomic compare and exchange
//	Alloc         x := alloc KIND T, COUNT [bytes B] [zero] [mayfail] [name N]  a fresh object on "stack" or "heap"
//	Free          free [scope [kept]] ADDR                                 end a heap object, or a local variable
//	MemCopy       memcopy ORDER DST, SRC, SIZE [elem T] [fit]              copy bytes
//	MemSet        memset ORDER DST, BYTE, SIZE                             fill bytes
//	Touch         touch ADDR [read] [write] [deep] [borrow] [named] [typed] [core] [perhaps] [makes] [pointee] [inner] [size E] [why "…"] unseen code may access the object
//	Havoc         x := havoc [input] [outside]                             an arbitrary value
//	Assume        assume COND                                              other executions are not considered
//	Assert        assert COND tag TAG [msg "…"]                            must hold
//	Call          [x :=] call F(E, …), [x :=] call *E(E, …)                call a function, or through a pointer
//	Lock          [ok :=] lock MODE CLASS ADDR [try] [recursive]           acquire; ok only with try
//	Unlock        unlock MODE CLASS ADDR                                   release; MODE "any" where not known
//	LockInit      lockinit CLASS ADDR [recursive], lockdestroy CLASS ADDR  make or end a lock
//	CondWait      [ok :=] condwait COND, MUTEX [timed]                     release, wait, re-acquire
//	CondSignal    condsignal COND [all]                                    wake one waiter, or all
//	SemInit       seminit SEM, N                                           set a semaphore
//	SemWait       [ok :=] semwait SEM [try]                                decrement when positive
//	SemPost       sempost SEM [all]                                        increment; all: complete_all
//	BarrierInit   barrierinit BARRIER, N                                   for N threads
//	BarrierWait   [ok :=] barrierwait BARRIER                              wait for N threads
//	Once          once CTL, FN                                             call FN the first time
//	Spawn         [x, ok :=] spawn F(E, …) [handle ADDR]                   start a thread (*E as in call)
//	Join          [x :=] join HANDLE                                       wait for a thread to end
//	Detach        detach HANDLE                                            it will not be joined
//	AtomicBegin   atomic_begin                                             no other thread interleaves …
//	AtomicEnd     atomic_end                                               … up to here
//	Await         await [x := ADDR, …] until COND [what "…"] [queues send|receive K SIZE, …]  wait; then x is set and an atomic section begins
//	Send          send CH [slot s ADDR := E, …] [capacity N] [selected] [closed x]  put a message into a queue
//	Receive       receive CH [slot s x := ADDR, …] [capacity N] [selected] [ok y]  take one out
//	Close         close CH [capacity N] [closed x]                         no more messages
//	IrqDisable    irq_disable KIND                                         mask "irq", "bh" or "preempt" on this CPU
//	IrqEnable     irq_enable KIND [restore]                                end that
//	Register      register API [obj E] [calls FN] [args(E, …)] [kinds K, …] [shows S at N, …] entries can run from here on
//	Unregister    unregister API [obj E] [kinds K, …] [ends K, …] [forgood] and no longer; "ends": only their runs for E
//	Fence         fence ORDER                                              order memory accesses
//	Yield         yield                                                    another thread may be scheduled
//
// Terminators: "goto B, …" (an arbitrary choice), "if COND then B else B", "return [E]",
// "stop exit [E]", "stop abort|unreachable", "select send CH [capacity N] then B, receive
// CH [late] then B, … [else B]" (see Selection). Of two destinations "_" stands for the one
// that is not wanted.
package ir
