package delay

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Explorer is a delaying explorer. Its methods are called in the order of an execution:
// Start of main; then, for each event, Start and Finish of the threads that the event has
// started and ended, and Step. Threads are numbered from 0. It must do the same whenever
// it is told the same.
type Explorer interface {
	// Start tells that a thread was started by another one (-1: by nobody).
	Start(t, parent int)
	// Finish tells that a thread has ended, or stands still for good.
	Finish(t int)
	// Step tells what has happened.
	Step(e Event)
	// Next is the thread that goes on, of those that the last event says can.
	Next() int
	// Delay puts off the next thread, so that another one is next.
	Delay()
}

// Copier is an explorer that can be copied. Others are made again, and told again what
// has happened.
type Copier interface {
	Explorer
	Copy() Explorer
}

// Event is what explorers are told of an event.
type Event struct {
	// Thread has made it; -1: nothing has happened so far.
	Thread int
	// At is the ir.Instr or ir.Term of its operation; nil for main's beginning.
	At any
	// Enabled are the threads that can go on now, and Woken those of them that could not
	// before, as sets of bits.
	Enabled, Woken uint64
}

// Can reports whether a thread can go on now.
func (e *Event) Can(t int) bool { return e.Enabled>>t&1 != 0 }

// Queue is what many explorers consist of: the threads in an order. The first one that
// can go on is next, and a delay moves it to the end. Explorers that change the order in
// Start and Step alone are sound.
type Queue struct {
	Order []int
	Last  Event
}

// Start adds a thread at the end.
func (q *Queue) Start(t, _ int) { q.Order = append(q.Order, t) }

// Finish takes a thread away.
func (q *Queue) Finish(t int) {
	if i := slices.Index(q.Order, t); i >= 0 {
		q.Order = slices.Delete(q.Order, i, i+1)
	}
}

// Step notes which threads can go on.
func (q *Queue) Step(e Event) { q.Last = e }

// Next is the first thread that can go on, -1 where there is none.
func (q *Queue) Next() int {
	for _, t := range q.Order {
		if q.Last.Can(t) {
			return t
		}
	}
	return -1
}

// Delay moves the next thread to the end.
func (q *Queue) Delay() { q.Move(q.Next(), len(q.Order)-1) }

// Move moves a thread to a place in the order.
func (q *Queue) Move(t, to int) {
	i := slices.Index(q.Order, t)
	if i < 0 {
		return
	}
	q.Order = slices.Insert(slices.Delete(q.Order, i, i+1), to, t)
}

// clone is a copy that shares nothing.
func (q *Queue) clone() Queue { return Queue{slices.Clone(q.Order), q.Last} }

// roundRobin is the explorer of RoundRobin.
type roundRobin struct{ Queue }

// RoundRobin makes an explorer that goes on with a thread until it blocks, ends or is
// delayed, and then with the one behind it, in the order of creation.
func RoundRobin() Explorer { return &roundRobin{} }

// Copy copies the explorer.
func (r *roundRobin) Copy() Explorer { return &roundRobin{r.clone()} }

// Step moves a thread that blocks to the end.
func (r *roundRobin) Step(e Event) {
	r.Queue.Step(e)
	if e.Thread >= 0 && !e.Can(e.Thread) {
		r.Move(e.Thread, len(r.Order)-1)
	}
}

// runToCompletion is the explorer of RunToCompletion.
type runToCompletion struct{ Queue }

// RunToCompletion makes an explorer that goes on with the thread that was started last,
// or made able to go on last: who receives a message, gets a lock, or is woken.
func RunToCompletion() Explorer { return &runToCompletion{} }

// Copy copies the explorer.
func (r *runToCompletion) Copy() Explorer { return &runToCompletion{r.clone()} }

// Start puts a thread in front.
func (r *runToCompletion) Start(t, _ int) { r.Order = slices.Insert(r.Order, 0, t) }

// Step puts those in front that can go on now.
func (r *runToCompletion) Step(e Event) {
	r.Queue.Step(e)
	for w := e.Woken; w != 0; w &= w - 1 {
		r.Move(bits.TrailingZeros64(w), 0)
	}
}

// probabilistic is the explorer of ProbabilisticRoundRobin.
type probabilistic struct {
	roundRobin
	pcg rand.PCG
}

// ProbabilisticRoundRobin makes makers of explorers that are RoundRobin, but put a new
// thread at a random place, which depends on the seed and what has happened.
func ProbabilisticRoundRobin(seed uint64) func() Explorer {
	return func() Explorer { return &probabilistic{pcg: *rand.NewPCG(seed, 0x707272)} }
}

// Copy copies the explorer.
func (p *probabilistic) Copy() Explorer { return &probabilistic{roundRobin{p.clone()}, p.pcg} }

// Start puts a thread at a random place.
func (p *probabilistic) Start(t, _ int) {
	p.Order = slices.Insert(p.Order, rand.New(&p.pcg).IntN(len(p.Order)+1), t)
}
