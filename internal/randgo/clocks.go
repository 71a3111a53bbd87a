package randgo

// clock is a vector clock: how much of each goroutine is known.
type clock []int

// join adds what another clock knows.
func (c *clock) join(d clock) {
	for len(*c) < len(d) {
		*c = append(*c, 0)
	}
	for i, n := range d {
		(*c)[i] = max((*c)[i], n)
	}
}

func (c clock) at(i int) int {
	if i < len(c) {
		return c[i]
	}
	return 0
}

func (c clock) copy() clock { return append(clock(nil), c...) }

// access is something that a goroutine did to an object.
type access struct {
	kind string // what it is: read, write, send, close, add, wait
	by   int    // the goroutine
	at   int    // how far the goroutine was
	line int
}

// The kinds of conflicts, as verify calls them. Reuse is a WaitGroup that is added to
// before its Wait has returned.
const (
	DataRace   = "data-race"
	SendClose  = "send-close"
	CloseClose = "close-close"
	AddWait    = "add-wait"
	Reuse      = "wait-reuse"
)

// conflicts has the kind of conflict of two kinds of accesses that nothing orders, the
// two in the order of the alphabet.
var conflicts = map[[2]string]string{
	{"read", "write"}: DataRace, {"write", "write"}: DataRace,
	{"close", "send"}: SendClose, {"close", "close"}: CloseClose,
	{"add", "wait"}: AddWait,
}

// history is what was done to an object.
type history []access

// Conflict is two operations that nothing orders, with their lines, the smaller first.
type Conflict struct {
	Kind          string
	First, Second int
}

// note adds an access, and tells the conflicts that it has with earlier ones.
func (h *history) note(t *thread, kind string, line int) {
	for _, a := range *h {
		k := [2]string{a.kind, kind}
		if k[0] > k[1] {
			k[0], k[1] = k[1], k[0]
		}
		if c := conflicts[k]; c != "" && a.by != t.id && a.at > t.clock.at(a.by) {
			t.m.found[Conflict{c, min(a.line, line), max(a.line, line)}] = true
		}
	}
	*h = append(*h, access{kind, t.id, t.clock.at(t.id), line})
}

// The objects.
type (
	variable struct {
		history
		n int
	}
	channel struct {
		history
		cap    int
		buf    int
		slots  []clock // of each place in the buffer, in turn
		in     int     // the next place to send to, and to receive from
		out    int
		closed bool
		last   clock // of the close
	}
	chanVar struct {
		history
		ch *channel
	}
	group struct {
		history
		count   int
		added   int // the line of the last Add from zero
		blocked []*waiter
		clock   clock
	}
	mutex struct {
		holder *thread
		clock  clock
	}
	once struct {
		state int // 1: it runs; 2: it is over
		clock clock
	}
	timerVar struct {
		history
		timer *timer
	}
	// timer is a timer of AfterFunc. Each start of it has a number, and its goroutine
	// runs where that is the last one and the timer active.
	timer struct {
		body   func(*thread)
		made   clock // of who made it
		start  int
		active bool
	}
	flag struct {
		set   bool
		clock clock
	}
)

// waiter is a thread that waits for a group.
type waiter struct{ woken bool }

func newChannel(n int) *channel { return &channel{cap: n, slots: make([]clock, n)} }

func newObject(o *Object) any {
	switch o.Kind {
	case Int, Bool:
		return &variable{}
	case Chan:
		v := &chanVar{}
		if o.Cap >= 0 {
			v.ch = newChannel(o.Cap)
		}
		return v
	case Group:
		return &group{}
	case Mutex:
		return &mutex{}
	case OnceK:
		return &once{}
	case Timer:
		return &timerVar{}
	}
	return &flag{}
}
