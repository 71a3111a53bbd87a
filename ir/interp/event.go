package interp

import "whoop/ir"

// EventKind classifies steps.
type EventKind uint8

// The kinds of events.
const (
	// nothing that others notice, but perhaps accesses to the thread's own memory
	Local   EventKind = iota
	Memory            // accesses
	Syncs             // synchronisation: see Event.Sync
	Start             // the thread has started
	End               // the thread has ended
	Failure           // the execution has failed: see State.Err
	Blocked           // the thread could not step: nothing happened
)

// Event says what a step did. It is overwritten by the next step of the same State.
type Event struct {
	Thread   ThreadID
	Kind     EventKind
	Func     *ir.Func
	Instr    ir.Instr
	Term     ir.Term
	Accesses []Access
	Sync     []SyncOp
	// Inputs are the answers taken from Inputs in this step.
	Inputs []uint64
	// New are the objects made in this step; their numbers may have been those of others
	// before.
	New []ObjID
}

// Pos is where the instruction came from.
func (e *Event) Pos() ir.Pos {
	switch {
	case e.Instr != nil:
		return e.Instr.At()
	case e.Term != nil:
		return e.Term.At()
	case e.Func != nil:
		return e.Func.Pos
	}
	return ir.Pos{}
}

// Access is a read or write of memory.
type Access struct {
	Addr   Addr
	Size   int64
	Write  bool
	Order  ir.Order
	Atomic bool   // as a whole one that never races with others of its kind
	Value  uint64 // the low word of what was read or written; 0 for blocks
}

// Conflicts reports whether two accesses of different threads race when they are made at
// the same time: to a common byte, one of them a write, and not both atomic. This is what
// a data race is for all engines; those that know regions or cells in place of addresses
// refine it.
func (a Access) Conflicts(b Access) bool {
	return (a.Write || b.Write) && !(a.Atomic && b.Atomic) && a.Addr.Object() == b.Addr.Object() &&
		a.Addr.Offset() < b.Addr.Offset()+b.Size && b.Addr.Offset() < a.Addr.Offset()+a.Size
}

// Conflict reports whether some access of the first thread conflicts with one of the
// second.
func Conflict(xs, ys []Access) bool {
	for _, x := range xs {
		for _, y := range ys {
			if x.Conflicts(y) {
				return true
			}
		}
	}
	return false
}

// SyncKind says what a synchronisation did.
type SyncKind uint8

// The kinds of synchronisation.
const (
	SyncAcquire   SyncKind = iota // of the lock at Addr, in Mode
	SyncRelease                   // of the lock at Addr, in Mode
	SyncTryFailed                 // the lock or semaphore at Addr was not available
	SyncInit                      // a lock, semaphore or barrier is made
	SyncDestroy                   // or ended
	SyncWait                      // the thread begins to wait at the condition Addr
	SyncWake                      // thread Other is woken from the condition Addr
	SyncTimeout                   // the thread gave up waiting
	SyncPost                      // the semaphore at Addr
	SyncTake                      // the semaphore at Addr
	SyncArrive                    // the thread arrives at a barrier
	SyncPass                      // thread Other (perhaps itself) leaves the barrier
	SyncOnceBegin                 // the thread runs the function of a once control
	SyncOnceEnd                   // that has ended
	SyncOnceSeen                  // the control was done already
	SyncSpawn                     // thread Other is made
	SyncJoin                      // thread Other has ended
	SyncDetach                    // thread Other will not be joined
	// an outermost atomic section; Addr is the first cell of the Await that begins it
	SyncAtomicBegin
	SyncAtomicEnd //
	SyncFence     // of Order
	SyncMask      // interrupts of Class
	SyncUnmask
	SyncRegister // of entry points
	SyncUnregister
)

// SyncOp is one synchronisation operation of a step.
type SyncOp struct {
	Kind  SyncKind
	Addr  Addr
	Mode  ir.Mode
	Order ir.Order
	Class string
	Other ThreadID
}

func (e *Event) reset(t ThreadID) {
	e.Thread, e.Kind, e.Func, e.Instr, e.Term = t, Local, nil, nil, nil
	e.Accesses, e.Sync, e.Inputs = e.Accesses[:0], e.Sync[:0], e.Inputs[:0]
	e.New = e.New[:0]
}

// access records an access of the step.
func (s *State) access(a uint64, n int64, write bool, order ir.Order, v uint64) {
	s.ev.Kind = Memory
	s.ev.Accesses = append(s.ev.Accesses, Access{Addr(a), n, write, order, order.Atomic(), v})
}

func (s *State) synced(op SyncOp) {
	s.ev.Kind = Syncs
	s.ev.Sync = append(s.ev.Sync, op)
}
