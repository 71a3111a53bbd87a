package interp

import (
	"fmt"

	"whoop/ir"
)

// ErrorKind says what went wrong.
type ErrorKind string

// The kinds of errors.
const (
	ErrAssert ErrorKind = "assert"           // an assertion is false; see Error.Tag
	ErrNull   ErrorKind = "null-dereference" // an access through null, or close to it
	// an access through an address that belongs to no object
	ErrBadPointer ErrorKind = "invalid-pointer"
	ErrBounds     ErrorKind = "out-of-bounds" // an access outside its object
	// a write to an object declared const, or a literal
	ErrReadOnly     ErrorKind = "constant"
	ErrUseAfterFree ErrorKind = "use-after-free" // an access to an object that has ended
	// free of something that is not the start of a heap object
	ErrFree       ErrorKind = "invalid-free"
	ErrDoubleFree ErrorKind = "double-free"
	ErrDivZero    ErrorKind = "division-by-zero"
	// a lock, condition, semaphore or barrier never initialised, or destroyed
	ErrLockInit   ErrorKind = "uninitialised-lock"
	ErrLockHeld   ErrorKind = "destroyed-held-lock"
	ErrDoubleLock ErrorKind = "double-lock"     // a thread takes a lock that it holds
	ErrUnlock     ErrorKind = "unlock-not-held" // a thread releases a lock that it does not hold
	// join or detach of something that is no thread, or was joined already
	ErrHandle ErrorKind = "invalid-handle"
	ErrCall   ErrorKind = "invalid-call" // a call through a pointer that is no function
	// a function that could not be lowered, or what another unit initialises
	ErrUnknown ErrorKind = "unknown"
	// the end of an atomic section without a beginning
	ErrAtomic ErrorKind = "atomic-section"
	// call depth, object size, number of threads: see Config
	ErrLimit ErrorKind = "limit"
)

// Error is what ended an execution: undefined behaviour or a failed assertion, and where.
type Error struct {
	Kind   ErrorKind
	Tag    string // the property of a failed assertion
	Msg    string
	Pos    ir.Pos
	Thread ThreadID
	Func   *ir.Func
	// Instr or Term is what failed.
	Instr ir.Instr
	Term  ir.Term
}

// Error formats the error with its place.
func (e *Error) Error() string {
	kind := string(e.Kind)
	if e.Tag != "" {
		kind += " " + e.Tag
	}
	return fmt.Sprintf("%s: %s: %s (thread %d)", e.Pos, kind, e.Msg, e.Thread)
}

// fail ends the execution with an error; the first one counts.
func (s *State) fail(kind ErrorKind, format string, args ...any) {
	if s.err != nil {
		return
	}
	e := &Error{Kind: kind, Msg: fmt.Sprintf(format, args...), Thread: s.th.id}
	if s.fr != nil {
		e.Func = s.fr.fn.f
	}
	if s.cur != nil {
		e.Instr, e.Term, e.Pos = s.cur.in, s.cur.term, s.cur.pos()
	}
	s.err, s.status = e, Failed
}
