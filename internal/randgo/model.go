package randgo

import (
	"iter"
	"math/rand/v2"
)

// Budget bounds an exploration.
type Budget struct {
	// Runs is the number of executions; Steps that of one execution.
	Runs, Steps int
	// Seed is that of the random choices.
	Seed uint64
}

// Foreign is the panic of who unlocks what another one holds, or nobody. verify assumes
// that no program does.
const Foreign = "unlock by another one than the holder"

// Outcome is what executions have shown.
type Outcome struct {
	Found map[Conflict]bool
	// All: all executions were looked at.
	All bool
	// Runs counts executions.
	Runs int
	// Panics counts executions by the panic that ended them.
	Panics map[string]int
}

// Shows reports whether two lines have a conflict.
func (o *Outcome) Shows(first, second int) bool {
	for c := range o.Found {
		if c.First == first && c.Second == second {
			return true
		}
	}
	return false
}

// Explore executes the program: in all ways if there are no more than the budget has
// runs, otherwise in random ones. Text must have been called.
func (p *Program) Explore(b Budget) *Outcome {
	out := &Outcome{Found: map[Conflict]bool{}, Panics: map[string]int{}}
	c := &chooser{}
	for out.Runs < b.Runs/2 && !out.All {
		p.execute(c, b, out)
		out.All = !c.next()
	}
	r := rand.New(rand.NewPCG(b.Seed, 7))
	for !out.All && out.Runs < b.Runs {
		p.execute(&chooser{random: r, sticky: r.IntN(3) * 4}, b, out)
	}
	return out
}

// chooser makes choices: at random, or all sequences one after the other.
type chooser struct {
	random *rand.Rand
	sticky int // 0, or how seldom another goroutine than the last one goes on
	taken  []int
	of     []int
	at     int
}

func (c *chooser) choose(n int) int {
	if c.random != nil {
		return c.random.IntN(n)
	}
	if c.at == len(c.taken) {
		c.taken, c.of = append(c.taken, 0), append(c.of, n)
	}
	c.at++
	return c.taken[c.at-1]
}

// next prepares the next sequence; false where there is none.
func (c *chooser) next() bool {
	c.taken, c.of = c.taken[:c.at], c.of[:c.at]
	c.at = 0
	for len(c.taken) > 0 {
		i := len(c.taken) - 1
		if c.taken[i]++; c.taken[i] < c.of[i] {
			return true
		}
		c.taken, c.of = c.taken[:i], c.of[:i]
	}
	return false
}

// machine is one execution.
type machine struct {
	p       *Program
	c       *chooser
	found   map[Conflict]bool
	globals map[string]any
	threads []*thread
	crash   string // the panic that ended it
}

// thread is a goroutine: a coroutine that yields before each operation what it waits for.
type thread struct {
	m       *machine
	id      int
	clock   clock
	pending *operation
	next    func() (*operation, bool)
	stop    func()
	yield   func(*operation) bool
	over    bool
}

// operation is what a thread does next, when it is ready.
type operation struct {
	ready func() bool
	// cases are what it does to channels while it blocks; met is 1 + the index of the one
	// that another thread has completed.
	cases []port
	met   int
}

// port is an operation on a channel.
type port struct {
	ch   *channel
	send bool
	line int
}

// abort ends a coroutine whose execution is over.
type abort struct{}

// raised is a panic of the program; explicit: of a panic statement, which may be
// recovered.
type raised struct {
	what     string
	explicit bool
}

// execute runs the program once.
func (p *Program) execute(c *chooser, b Budget, out *Outcome) {
	m := &machine{p: p, c: c, found: out.Found, globals: map[string]any{}}
	for _, o := range p.Objects {
		if o.Place == Global {
			m.globals[o.Name] = newObject(o)
		}
	}
	main := m.spawn(nil, func(t *thread) { t.main() })
	last := main
	for steps := 0; steps < b.Steps && !main.over && m.crash == ""; steps++ {
		ready := m.ready()
		if len(ready) == 0 {
			break
		}
		if !(c.sticky > 0 && m.isReady(last) && c.random.IntN(c.sticky+1) > 0) {
			last = ready[0]
			if len(ready) > 1 {
				last = ready[c.choose(len(ready))]
			}
		}
		last.advance()
	}
	out.Runs++
	if m.crash != "" {
		out.Panics[m.crash]++
	}
	for _, t := range m.threads {
		t.stop()
	}
}

// isReady reports whether a thread may go on.
func (m *machine) isReady(t *thread) bool { return !t.over && t.pending.ready() }

func (m *machine) ready() []*thread {
	var out []*thread
	for _, t := range m.threads {
		if m.isReady(t) {
			out = append(out, t)
		}
	}
	return out
}

// spawn makes a thread that knows what its maker does, and takes it to its first
// operation.
func (m *machine) spawn(by *thread, f func(*thread)) *thread {
	t := &thread{m: m, id: len(m.threads)}
	if by != nil {
		t.clock.join(by.clock)
		by.tick()
	}
	t.clock.join(make(clock, t.id+1))
	t.tick()
	m.threads = append(m.threads, t)
	t.next, t.stop = iter.Pull(func(yield func(*operation) bool) {
		defer func() {
			switch x := recover().(type) {
			case nil, abort:
			case raised:
				m.crash = x.what
			default:
				panic(x)
			}
		}()
		t.yield = yield
		f(t)
	})
	t.advance()
	return t
}

func (t *thread) tick() { t.clock[t.id]++ }

// advance runs a thread up to its next operation.
func (t *thread) advance() {
	op, ok := t.next()
	if t.pending = op; !ok {
		t.over = true
	}
}

var always = func() bool { return true }

// wait yields until an operation is ready and chosen.
func (t *thread) wait(op *operation) {
	t.tick()
	if !t.yield(op) {
		panic(abort{})
	}
}

// point is where another thread may go on.
func (t *thread) point() { t.wait(&operation{ready: always}) }

func (t *thread) fail(what string) { panic(raised{what: what}) }
