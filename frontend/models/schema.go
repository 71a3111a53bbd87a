package models

// A Func says what calls of some external functions do. Every Names entry is modelled
// alike.
type Func struct {
	Names []string `yaml:"names" json:",omitzero"`
	// Op is what the call does; see the Op constants.
	Op Op `yaml:"op" json:",omitzero"`
	// Arg gives the argument index of each role the Op needs: lock, cond, mutex, handle,
	// fn, data, addr, val, size, count, dst, src, expected, new, obj, sem, barrier, ctl,
	// mask, result, attr (lockinit: the attribute object, which may make the lock
	// recursive). An optional role that neither Arg nor Const gives is arbitrary (an
	// allocation of unknown size, an RMW that stores any value). Arguments a call does
	// not have are ignored (variadic functions). Role size of op effects bounds the bytes
	// read and written at each place; without it, the whole object is. Role mask of lock
	// and unlock: the lock is that bit of the word at lock (two bits are two locks).
	Arg map[string]int `yaml:"arg,omitempty" json:",omitzero"`
	// Deref lists roles whose argument points to the value instead of being it (C11
	// compare-exchange's "expected").
	Deref []string `yaml:"deref,omitempty" json:",omitzero"`
	// Const gives constant values for roles that are not arguments (atomic_inc: val = 1).
	Const map[string]int64 `yaml:"const,omitempty" json:",omitzero"`
	// Field is a member path applied to an address role ("lock: wait_lock"); rarely
	// needed.
	Field map[string]string `yaml:"field,omitempty" json:",omitzero"`
	// Global names a pseudo-lock ("rtnl", "rcu", "bkl") instead of a lock argument.
	Global string `yaml:"global,omitempty" json:",omitzero"`
	// exclusive (default) or shared; unlock without a mode releases what was taken
	Mode string `yaml:"mode,omitempty" json:",omitzero"`
	// of locks one of words("class"); what it means elsewhere, the operation says
	Class string `yaml:"class,omitempty" json:",omitzero"`
	// Recursive: the lock may be taken again by its holder.
	Recursive bool `yaml:"recursive,omitempty" json:",omitzero"`
	// Success tells how the result shows that it worked (trylock, spawn, timed wait):
	// "zero", "nonzero", "nonneg", "positive"; "" means it always works.
	Success string `yaml:"success,omitempty" json:",omitzero"`
	// Worked and Failure are the result where the call worked and where it did not; 0 is
	// any value that Success allows.
	Worked  int64 `yaml:"worked,omitempty" json:",omitzero"`
	Failure int64 `yaml:"failure,omitempty" json:",omitzero"`
	// Interrupted is the result where the handler of a signal ends the wait before it
	// got anything; 0: none does.
	Interrupted int64 `yaml:"interrupted,omitempty" json:",omitzero"`
	// Ret is what the call returns where Op leaves it open: "zero", "arg:N", "old",
	// "new", "test-zero" (new value == 0), "bool", "any" (default), "success" (derived
	// from Success), "nonnull", "maybe-null", "handle" (op spawn: the new thread),
	// "in-arg:N" (a pointer into the object of argument N, or null: strchr), "static" (a
	// pointer into memory that all calls share, or null: getenv), "static-nonnull" (never
	// null: strerror), "own" (a pointer to memory of the library that each thread has for
	// itself: errno), "in-through" (see Through). Inputs of the program, each of which
	// may be: "input" (any value of the type), "input-nonneg" (0 to 2^31-1: rand),
	// "input-char" (-1 to 255: getchar). "any" are values of which some may never be.
	// "length" (strlen), "compare-text" (strcmp) and "compare-bytes" (memcmp) are
	// computed for short arrays, and "any" for others.
	Ret string `yaml:"ret,omitempty" json:",omitzero"`
	// RMWOp is the operator for op rmw: add sub and or xor nand xchg; for bit operations,
	// set clear change test.
	RMWOp string `yaml:"rmw,omitempty" json:",omitzero"`
	// Order is the atomicity of the access (default seq_cst); "plain" for non-atomic
	// variants (__set_bit).
	Order string `yaml:"order,omitempty" json:",omitzero"`
	// Irq lists what the call also disables (lock, irqdisable) or enables (unlock): irq,
	// bh, preempt. IrqRestore: back to the state before the matching disable.
	Irq        []string `yaml:"irq,omitempty" json:",omitzero"`
	IrqRestore bool     `yaml:"irq_restore,omitempty" json:",omitzero"`
	// Zero: the allocation is zeroed. Elem: sizeof of the object comes from role size
	// (default) or count*size.
	Zero bool `yaml:"zero,omitempty" json:",omitzero"`
	// Reads and Writes list argument indices whose pointees are read or written (op
	// effects; with another op, in addition to it). Arguments that are no pointers are
	// ignored. Strings: pointers to characters among the arguments, from the format
	// before index Strings on, are read as strings (printf's %s); 0 means none. With %n
	// in the format numbers are written.
	Reads   []int `yaml:"reads,omitempty" json:",omitzero"`
	Writes  []int `yaml:"writes,omitempty" json:",omitzero"`
	Strings int   `yaml:"strings,omitempty" json:",omitzero"`
	// ReadsAll and WritesAll are as Reads and Writes, for pointees that role size does
	// not bound (sendto's address).
	ReadsAll  []int `yaml:"reads_all,omitempty" json:",omitzero"`
	WritesAll []int `yaml:"writes_all,omitempty" json:",omitzero"`
	// Many lists arguments among these that point to an unknown number of things, or to
	// one of a size that the prototype does not tell (struct sockaddr). Others that point
	// to neither characters nor void point to one thing of the prototype's type. It
	// matters in programs that do not include the kernel's headers.
	Many []int `yaml:"many,omitempty" json:",omitzero"`
	// Alone lists kinds that an unregister ends as well, where one call in the program
	// registers them: attributes that were registered with the device.
	Alone []string `yaml:"alone,omitempty" json:",omitzero"`
	// ForGood: what starts the handler that an unregister ends has no effect until the
	// handler is set up anew (timer_shutdown_sync). Anew lists kinds of handlers for which a
	// call may do that without naming the function (usb_unpoison_urb).
	ForGood bool     `yaml:"for_good,omitempty" json:",omitzero"`
	Anew    []string `yaml:"anew,omitempty" json:",omitzero"`
	// One lists arguments of kernel functions that lead to one thing of the type that the
	// prototype says, or to as many as role count says.
	One []int `yaml:"one,omitempty" json:",omitzero"`
	// Points gives arguments through which a pointer into what another one points to is
	// stored (strtol: 1: 0), Renews those where the memory that a pointer leads to may be
	// replaced by new memory (getline).
	Points map[int]int `yaml:"points,omitempty" json:",omitzero"`
	Renews []int       `yaml:"renews,omitempty" json:",omitzero"`
	// Hidden names a pointer of the library's own, whose address counts as one more
	// argument (strtok).
	Hidden string `yaml:"hidden,omitempty" json:",omitzero"`
	// State names what the library keeps between calls and this one changes, StateReads
	// what it looks at: calls that do so at the same time race.
	State      []string `yaml:"state,omitempty" json:",omitzero"`
	StateReads []string `yaml:"state_reads,omitempty" json:",omitzero"`
	// Buffers gives, for arguments that point to structs, as many as role count says, a
	// member that points to what is read and written (i2c_transfer: 1: buf).
	Buffers map[int]string `yaml:"buffers,omitempty" json:",omitzero"`
	// MayWrite lists arguments whose pointees are written by some calls (fcntl): a
	// violation that needs it is none for sure.
	MayWrite []int `yaml:"may_write,omitempty" json:",omitzero"`
	// Through lists arguments that point to a pointer to characters, which are read and
	// may be written (strsep). With Ret "in-through" the result points to them, or to
	// what argument 0 points to where that is another.
	Through []int `yaml:"through,omitempty" json:",omitzero"`
	// VaList is the argument, counted from 1, that stands for the caller's variadic
	// arguments: strings among them are read, and what they point to is written where the
	// program has a format with %n, or where Scans is set.
	VaList int  `yaml:"va_list,omitempty" json:",omitzero"`
	Scans  bool `yaml:"scans,omitempty" json:",omitzero"`
	// Globals are variables of the library that the call writes (getopt's optind).
	Globals []string `yaml:"globals,omitempty" json:",omitzero"`
	// Leads gives variables of the library that are pointers, into one of the texts that
	// an argument points to an array of, or null (getopt: optarg: 1).
	Leads map[string]int `yaml:"leads,omitempty" json:",omitzero"`
	// Inputs lists argument indices whose pointees, where they are numbers, become inputs
	// of the program, one after the other until the input does not fit; the result counts
	// them, -1 is its end (scanf). Other pointees are written.
	Inputs []int `yaml:"inputs,omitempty" json:",omitzero"`
	// Text: what the call does depends on the text that this argument points to, counted
	// from 1; only where it is an argument of main, which may be any text, is what it
	// yields an input (atoi).
	Text int `yaml:"text,omitempty" json:",omitzero"`
	// Calls are functions among the arguments that the call itself calls, any number of
	// times (qsort's). Members are members of the struct that role fn of op callback
	// points to, which hold the functions that become entry points (sigaction).
	Calls   []CalledBack `yaml:"calls,omitempty" json:",omitzero"`
	Members []string     `yaml:"members,omitempty" json:",omitzero"`
	// Kinds of entries a register/unregister call starts or stops ("irq",
	// "file_operations", …); empty: all.
	Kinds []string `yaml:"kinds,omitempty" json:",omitzero"`
	// EntryKind is the kind of the entry point that role fn becomes (op callback:
	// request_irq, timer_setup, INIT_WORK).
	EntryKind string `yaml:"entry_kind,omitempty" json:",omitzero"`
	// ThreadKind is the kind of the entry point that role thread becomes, a second
	// function with the same parameters (request_threaded_irq).
	ThreadKind string `yaml:"thread_kind,omitempty" json:",omitzero"`
	// Params gives, for op callback and spawn, the role passed as each parameter of the
	// function ("" arbitrary): request_irq has ["", "data"].
	Params []string `yaml:"params,omitempty" json:",omitzero"`
	// After, of op register, names a call that comes first: what is registered before it is
	// made known by it (snd_ctl_add: snd_card_register).
	After string `yaml:"after,omitempty" json:",omitzero"`
	// Shows, of op register, is a member of a struct that entries get (inode.i_cdev): in
	// those that the environment makes, it holds role obj from then on.
	Shows string `yaml:"shows,omitempty" json:",omitzero"`
	// Keeping lists arguments that the kernel keeps and may hand out later (llist_add).
	Keeping []int `yaml:"keeping,omitempty" json:",omitzero"`
	// Borrows: the call keeps nothing of what it gets (spi_sync).
	Borrows bool `yaml:"borrows,omitempty" json:",omitzero"`
	// Flag restricts LeavesOut to calls whose argument Flag.Arg is not known to lack the
	// bits Flag.Mask (mmap's MAP_SHARED).
	Flag *Flag `yaml:"flag,omitempty" json:",omitzero"`
	// LeavesOut says what the call does that the model leaves out, and that changes what
	// programs with a main function may do.
	LeavesOut string `yaml:"leaves_out,omitempty" json:",omitzero"`
	// ReadsLater and WritesLater list arguments whose pointees other calls of the library
	// read, or read and write, later: at any time, where the program has several threads
	// (setvbuf).
	ReadsLater  []int `yaml:"reads_later,omitempty" json:",omitzero"`
	WritesLater []int `yaml:"writes_later,omitempty" json:",omitzero"`
	// LeadTo lists members of the object that an alloc with role handle makes which lead
	// to further new objects, perhaps.
	LeadTo []string `yaml:"lead_to,omitempty" json:",omitzero"`
	// Unfollowed says what the call does beside the program later: what the thread does
	// from there on is undecided.
	Unfollowed string `yaml:"unfollowed,omitempty" json:",omitzero"`
	// Processes is "makes" for a call that makes another process, and "shares" for one
	// that makes memory which processes share, where Flag allows. In a program with both,
	// what the thread does after the first is undecided.
	Processes string `yaml:"processes,omitempty" json:",omitzero"`
	// Keeps restricts LeavesOut to calls whose argument Keeps, counted from 1, is not the
	// constant null (setvbuf).
	Keeps int `yaml:"keeps,omitempty" json:",omitzero"`
	// Instead: the model is preferred to the body of an inline function, in programs
	// without a main function.
	Instead bool `yaml:"instead,omitempty" json:",omitzero"`
	// NoReturn: the call does not come back.
	NoReturn bool `yaml:"noreturn,omitempty" json:",omitzero"`
}

// PassedResult is the parameter of a CalledBack that is the call's result.
const PassedResult = "result"

// CalledBack is a function that a call calls before it returns.
type CalledBack struct {
	// Arg is the argument that it is.
	Arg int `yaml:"arg" json:",omitzero"`
	// Member is the member of the structs in the array there that holds the function, where
	// it is not the argument itself (dmi_check_system): the function gets its struct where
	// Params says "element:N".
	Member string `yaml:"member,omitempty" json:",omitzero"`
	// Params gives what is passed as each of its parameters: "arg:N" that argument,
	// "element:N" the address of an element of the array there, of which role size tells
	// how large they are and role count how many there are; "" is arbitrary. "result" is
	// what the call returns (op alloc): the function is called once then, where that is
	// not null.
	Params []string `yaml:"params" json:",omitzero"`
	// Least, where it is not 0, is a number of elements (role count) from which on it is
	// called once at least.
	Least int64 `yaml:"least,omitempty" json:",omitzero"`
}

// Flag names bits of an argument.
type Flag struct {
	Arg  int   `yaml:"arg" json:",omitzero"`
	Mask int64 `yaml:"mask" json:",omitzero"`
}

// Op is the kind of effect a modelled call has.
type Op string

// Operations. The front end lowers each to the IR instruction named.
const (
	OpLock   Op = "lock"   // ir.Lock (Try where Success is set)
	OpUnlock Op = "unlock" // ir.Unlock
	// ir.Unlock of the exclusive lock and ir.Lock of the shared one, in an atomic section
	OpDowngrade Op = "downgrade"
	OpLockInit  Op = "lockinit" // ir.LockInit
	// roles attr, kind: kind 1 makes the locks initialised with attr recursive
	OpLockAttr    Op = "lockattr"
	OpLockDestroy Op = "lockdestroy" // ir.LockInit{Destroy}
	OpCondWait    Op = "condwait"    // ir.CondWait (Timed where Success is set)
	OpCondSignal  Op = "condsignal"  // ir.CondSignal
	OpCondBcast   Op = "condbroadcast"
	OpSemInit     Op = "seminit"
	OpSemWait     Op = "semwait"
	OpSemPost     Op = "sempost"
	OpSemPostAll  Op = "sempostall"
	OpBarrierInit Op = "barrierinit"
	OpBarrierWait Op = "barrierwait"
	OpOnce        Op = "once"
	// roles handle (address the id is stored at) or ret "handle"; fn; data
	OpSpawn Op = "spawn"
	// roles handle; result (address where the thread's result is stored)
	OpJoin       Op = "join"
	OpDetach     Op = "detach" // role handle
	OpThreadExit Op = "threadexit"
	OpCancel     Op = "cancel" // role handle: the thread ends at its next cancellation point
	OpSelf       Op = "self"   // the handle of the thread
	// roles val, old: whether this thread may be cancelled (0: yes); class type: whether
	// anywhere (1)
	OpCancelState Op = "cancelstate"
	OpAbort       Op = "abort" // ends the program at once
	// ends it after what was registered for that; class quick: by at_quick_exit
	OpExit Op = "exit"
	// role fn runs when the program ends, with the status and role data where there is
	// one; class quick: see OpExit
	OpAtExit Op = "atexit"
	// roles size, count; handle: address the pointer is stored at (posix_memalign)
	OpAlloc   Op = "alloc"
	OpFree    Op = "free"    // role addr
	OpRealloc Op = "realloc" // roles addr, size
	// roles dst, src, size; Ret "arg:0" for memcpy, "any" for copy_to_user
	OpMemCopy Op = "memcopy"
	OpStrCopy Op = "strcopy" // roles dst, src: a string with its end
	OpMemSet  Op = "memset"  // roles dst, val, size
	OpAssume  Op = "assume"  // role val: condition ≠ 0
	OpAssert  Op = "assert"  // role val
	// reach_error, __assert_fail: Assert false, then stop; Class bug: the kernel's BUG()
	OpError  Op = "error"
	OpNondet Op = "nondet" // arbitrary result: ir.Havoc{Input}
	// roles addr, op (0 waits, 1 wakes), val: what the word is compared with, or how many
	// are woken; timeout
	OpFutex       Op = "futex"
	OpKeySet      Op = "keyset"    // roles key, val: a value of this thread alone
	OpKeyDelete   Op = "keydelete" // role key: its destructor is not called any more
	OpKeyGet      Op = "keyget"    // role key; the result is what this thread set, or null
	OpPure        Op = "pure"      // no effect on memory; Ret tells the result
	OpEffects     Op = "effects"   // reads Reads, writes Writes; nothing else
	OpIdentity    Op = "identity"
	OpAtomicBegin Op = "atomicbegin"
	OpAtomicEnd   Op = "atomicend"
	OpIrqDisable  Op = "irqdisable"
	OpIrqEnable   Op = "irqenable"
	OpAtomicLoad  Op = "atomicload"  // role addr
	OpAtomicStore Op = "atomicstore" // roles addr, val
	OpRMW         Op = "rmw"         // roles addr, val (or Const val); RMWOp; Ret old/new/test-zero
	OpBitOp       Op = "bitop"       // roles addr (base), mask (bit number); RMWOp; Ret old/any
	OpCmpXchg     Op = "cmpxchg"     // roles addr, expected, new; Ret old or success
	OpFence       Op = "fence"
	OpRegister    Op = "register"
	OpUnregister  Op = "unregister"
	// role fn becomes an entry point of EntryKind; also a Register of that kind; role
	// thread: of ThreadKind; role key: where a new key is stored
	OpCallback Op = "callback"
)

// An OpTable says which struct type is a table of entry points.
type OpTable struct {
	Struct string `yaml:"struct" json:",omitzero"` // C tag: file_operations
	// Kind is the kind of the entries, for structs that hold one callback (work_struct:
	// "work"); "" stands for STRUCT.MEMBER ("file_operations.read").
	Kind string `yaml:"kind,omitempty" json:",omitzero"`
	// Entry lists the members that are entry points; empty means every function-pointer
	// member.
	Entry []string `yaml:"entry,omitempty" json:",omitzero"`
	// Ignore lists members that are not.
	Ignore []string `yaml:"ignore,omitempty" json:",omitzero"`
	// Init and Exit list members that run before registration / after unregistration
	// (probe, remove).
	Init []string `yaml:"init,omitempty" json:",omitzero"`
	Exit []string `yaml:"exit,omitempty" json:",omitzero"`
	// Holds: pseudo-locks held by the kernel around these members ("*" for all): rtnl:
	// [ndo_open, ndo_stop].
	Holds map[string][]string `yaml:"holds,omitempty" json:",omitzero"`
	// NotSelf lists members that never overlap themselves ("*" for all).
	NotSelf []string `yaml:"not_self,omitempty" json:",omitzero"`
	// Always: the members may run from when the program is there, before what sets it up.
	Always bool `yaml:"always,omitempty" json:",omitzero"`
	// Serial lists groups of members that never overlap one another.
	Serial [][]string `yaml:"serial,omitempty" json:",omitzero"`
	// Private: pointer parameters whose pointee belongs to the call: {read: [1,3]}.
	Private map[string][]int `yaml:"private,omitempty" json:",omitzero"`
	// Self: the pointer parameter (from 0) in which a member gets the address of the
	// struct that it is in: {func: 0}.
	Self map[string]int `yaml:"self,omitempty" json:",omitzero"`
	// First is the member that the objects which the others get went through before, and
	// which returned 0 where it returns an integer: a file that is read was opened.
	// Objects are told by the struct types of parameters.
	First string `yaml:"first,omitempty" json:",omitzero"`
	// FirstOf are the members of which that is so; empty: all others.
	FirstOf []string `yaml:"first_of,omitempty" json:",omitzero"`
	// NonNull: struct types of parameters that are never null: [file, inode].
	NonNull []string `yaml:"nonnull,omitempty" json:",omitzero"`
	// Inner: struct types of parameters of these members that lie inside of what the
	// first member of another table (the one that sets devices up) got: device attributes
	// get the struct device of the platform device that was probed.
	Inner []string `yaml:"inner,omitempty" json:",omitzero"`
}

// A Rule says that entries of two kinds never overlap. Kinds match by prefix ("pm",
// "file_operations", "file_operations.open").
type Rule struct {
	A      string `yaml:"a" json:",omitzero"`
	B      string `yaml:"b" json:",omitzero"`
	Reason string `yaml:"reason" json:",omitzero"`
	// Unless are functions that make them overlap where the program calls one.
	Unless []string `yaml:"unless,omitempty" json:",omitzero"`
}

// File is one YAML file of models.
type File struct {
	Version int       `yaml:"version" json:",omitzero"` // 1
	Funcs   []Func    `yaml:"funcs,omitempty" json:",omitzero"`
	Tables  []OpTable `yaml:"tables,omitempty" json:",omitzero"`
	Rules   []Rule    `yaml:"rules,omitempty" json:",omitzero"`
	// CallerStructs are structs that the kernel makes for one call of an operation, often on
	// its stack, to pass arguments and take results: where a parameter of a function in an
	// operation table points to one, it belongs to the call.
	CallerStructs []string `yaml:"caller_structs,omitempty" json:",omitzero"`
	// CallbackKinds gives properties of entries made by callback functions, by kind:
	// {irq: {not_self: true}}.
	CallbackKinds map[string]CallbackKind `yaml:"callback_kinds,omitempty" json:",omitzero"`
	// Changes gives, by struct and member, the bits that the environment may change at
	// any time, under locks of its own or by single stores: what is read of them is
	// arbitrary ({net_device: {flags: 0x300}}: promiscuous and all-multicast mode, which
	// the user sets).
	Changes map[string]map[string]uint64 `yaml:"changes,omitempty" json:",omitzero"`
	// InitcallPrefix names variables whose initialiser is an init or exit entry
	// (module_init leaves one behind).
	Initcalls map[string]string `yaml:"initcalls,omitempty" json:",omitzero"` // prefix -> "init" or "exit"
	// CancellationPoints names functions in which a thread may end that is cancelled.
	CancellationPoints []string `yaml:"cancellation_points,omitempty" json:",omitzero"`
}

// CallbackKind holds the concurrency properties of a kind of callback entry.
type CallbackKind struct {
	NotSelf bool     `yaml:"not_self,omitempty" json:",omitzero"`
	Holds   []string `yaml:"holds,omitempty" json:",omitzero"`
	// Armed: what sets the callback up does not start it; calls that register the kind,
	// without a function, do.
	Armed bool `yaml:"armed,omitempty" json:",omitzero"`
	// Numbered: what ends one names it by a number, which the program keeps (free_irq).
	Numbered bool `yaml:"numbered,omitempty" json:",omitzero"`
	// Again: an object may be set up again, what starts it refuses one that is in use.
	Again bool `yaml:"again,omitempty" json:",omitzero"`
}

// Set is the merged models of all files, ready for look-up. See Load.
type Set struct {
	funcs         map[string]*Func
	Tables        map[string]*OpTable
	Rules         []Rule
	CallbackKinds map[string]CallbackKind
	Initcalls     map[string]string
	// CancellationPoints are functions in which a thread may end that is cancelled.
	CancellationPoints map[string]bool
	Changes            map[string]map[string]uint64
	// CallerStructs are those of the files.
	CallerStructs map[string]bool
	// Stops names for each kind of handler the function that stops one.
	Stops map[string]string
}

// Func returns the model of an external function, or nil.
func (s *Set) Func(name string) *Func { return s.funcs[name] }
