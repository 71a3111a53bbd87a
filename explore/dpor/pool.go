package dpor

import (
	"sync"
	"sync/atomic"

	"whoop/ir/vm"
)

// Budget is how many executions a worker explores before it tells what it has found for
// nodes that others know. Where others have nothing to do, it stops after Hurry of them.
const (
	Budget = 4096
	Hurry  = 16
)

// Stops counts why workers have stopped.
type Stops struct {
	// Budget: so many executions were explored. Disputed: something is to be explored from
	// nodes that others know. Asked: others had nothing to do. Done: all behind the head was
	// explored. Heads were given away.
	Budget, Disputed, Asked, Done, Heads int64
}

// Pool explores the executions of a program by several searches at a time. Each explores
// what is behind one head of the shared part of the tree, and gives away branches where
// others have nothing to do.
//
// What is disputed, a sequence for a node that others know, is inserted there under a lock,
// and is explored once, whoever finds it how often. The executions are those of one search:
// one of each trace with Optimal and Source, each interleaving with DFS. How many redundant
// ones Source cuts off may differ.
type Pool struct {
	opt Options

	Counts
	Stops Stops
	// Incomplete tells why not everything was explored, "" where it was.
	Incomplete string

	budget, hurry int64
	searches      []*Search
	mu            sync.Mutex
	changed       *sync.Cond
	frontier      []*head
	idle          int
	// hungry is how many workers have nothing to do and find nothing waiting.
	hungry atomic.Int32
	halt   atomic.Bool
	over   bool
	made   atomic.Int64
}

// NewPool prepares as many workers as there are machines. They must be of one program, in
// their first states, and share their names. Functions of the options may be called by any
// worker, but one after the other.
func NewPool(ms []*vm.Machine, opt Options) *Pool {
	p := &Pool{opt: opt, budget: Budget, hurry: Hurry}
	p.changed = sync.NewCond(&p.mu)
	var calls sync.Mutex
	for _, m := range ms {
		o := opt
		o.MaxExecutions = 0
		if opt.Found != nil {
			o.Found = func(s *Search, f Found) bool {
				calls.Lock()
				defer calls.Unlock()
				return opt.Found(s, f)
			}
		}
		if opt.Ended != nil {
			o.Ended = func(s *Search) {
				calls.Lock()
				defer calls.Unlock()
				opt.Ended(s)
			}
		}
		if opt.Progress != nil {
			o.Progress = func(s *Search) {
				if calls.TryLock() {
					defer calls.Unlock()
					opt.Progress(s)
				}
			}
		}
		s := New(m, o)
		s.pool = p
		p.searches = append(p.searches, s)
	}
	return p
}

// Made is how many executions have ended so far.
func (p *Pool) Made() int64 { return p.made.Load() }

// Run explores all executions, or until the options end it.
func (p *Pool) Run() {
	top := &head{state: running}
	p.searches[0].root(top)
	p.searches[0].failures()
	var all sync.WaitGroup
	for i, s := range p.searches {
		all.Add(1)
		go func() {
			defer all.Done()
			if i == 0 {
				p.explore(s)
			}
			p.work(s)
		}()
	}
	all.Wait()
	p.collect()
}

// limited counts the executions of a search, and ends it where enough were made.
func (p *Pool) limited(s *Search) {
	if n := s.Executions() - s.tallied; n >= 64 || p.opt.MaxExecutions > 0 {
		s.tallied += n
		if made := p.made.Add(n); p.opt.MaxExecutions > 0 && made >= p.opt.MaxExecutions {
			s.stop(limitReached(made))
		}
	}
}

// collect adds up what the workers have done.
func (p *Pool) collect() {
	for _, s := range p.searches {
		p.Counts.add(&s.Counts)
		if p.Incomplete == "" {
			p.Incomplete = s.Incomplete
		}
	}
}

func (c *Counts) add(d *Counts) {
	c.Complete += d.Complete
	c.Blocked += d.Blocked
	c.Stuck += d.Stuck
	c.Deadlocks += d.Deadlocks
	c.Long += d.Long
	c.Events += d.Events
	c.Longest = max(c.Longest, d.Longest)
}

// work explores heads until none is left.
func (p *Pool) work(s *Search) {
	if !s.share.on {
		s.root(&head{state: running})
	}
	for {
		h := p.take()
		if h == nil {
			return
		}
		if p.start(s, h) {
			p.explore(s)
		}
	}
}

// take waits for a head, the one nearest to the root; nil where nothing is left.
func (p *Pool) take() *head {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle++
	p.count()
	for len(p.frontier) == 0 && !p.over && !p.halt.Load() {
		p.changed.Wait()
	}
	if p.over || p.halt.Load() {
		return nil
	}
	p.idle--
	h := p.next()
	p.count()
	return h
}

// next takes a head off the frontier.
func (p *Pool) next() *head {
	best := 0
	for i, h := range p.frontier {
		if h.node.depth < p.frontier[best].node.depth {
			best = i
		}
	}
	h := p.frontier[best]
	p.frontier = append(p.frontier[:best], p.frontier[best+1:]...)
	h.state = running
	if h.node.ordered { // from here on, it gets no sequences
		h.sleep = h.node.sleepers(h.thread)
	}
	return h
}

// count tells how many workers have nothing to do.
func (p *Pool) count() { p.hungry.Store(int32(p.idle - len(p.frontier))) }

// start begins a head; false where there is nothing to explore.
func (p *Pool) start(s *Search, h *head) bool {
	p.mu.Lock()
	s.lead(h)
	ops, script, asked, ok := s.peek(h)
	x := h.node
	if !ok || x.asleep(h.thread) || x.started(h.thread, script, h) {
		p.finished(h, true)
		p.mu.Unlock()
		return false
	}
	h.ops, h.script = ops, script
	x.begin(h.thread, ops)
	if s.opt.Algorithm == Source {
		h.sleep = x.sleepers(h.thread)
	}
	p.give(x.others(h.thread, script, asked, ops))
	s.enter(h)
	p.mu.Unlock()
	return true
}

// explore explores the head that a search has begun, and those that it keeps where it gives
// others away.
func (p *Pool) explore(s *Search) {
	for p.slice(s) {
		continue
	}
}

// slice explores until there is something to tell. It reports whether the search goes on.
func (p *Pool) slice(s *Search) bool {
	from := s.ends()
	done := s.slice(func() bool {
		k := s.ends() - from
		return k >= p.hurry && p.hungry.Load() > 0 || k >= p.budget || p.halt.Load()
	})
	if s.done {
		p.stop()
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	disputes, h := len(s.share.disputed), s.task()
	p.submit(s)
	switch {
	case p.halt.Load():
		return false
	case done:
		p.Stops.Done++
		p.finished(h, false)
		return false
	default:
		p.reason(s, s.ends()-from, disputes)
		p.split(s)
	}
	return true
}

func (p *Pool) reason(s *Search, n int64, disputes int) {
	switch {
	case disputes > 0:
		p.Stops.Disputed++
	case n >= p.budget:
		p.Stops.Budget++
	default:
		p.Stops.Asked++
	}
}

// submit inserts what a search has found for nodes that others know.
func (p *Pool) submit(s *Search) {
	for _, d := range s.share.disputed {
		g := s.headAt(d.node)
		x := g.node
		if d.seq == nil {
			if x.backtrack&d.initials == 0 {
				p.give([]*head{x.add(branch{thread: int32(d.add)})})
			}
			continue
		}
		if h := x.insert(g, d.seq); h != nil {
			p.give([]*head{h})
		}
	}
	s.share.disputed = s.share.disputed[:0]
}

// split gives branches away while others have nothing to do.
func (p *Pool) split(s *Search) {
	for p.idle > len(p.frontier) {
		k := s.shallowest()
		if k < 0 {
			return
		}
		p.give(s.publish(k))
	}
}

// give adds heads to the frontier.
func (p *Pool) give(heads []*head) {
	p.Stops.Heads += int64(len(heads))
	p.frontier = append(p.frontier, heads...)
	p.count()
	for range heads {
		p.changed.Signal()
	}
}

// finished notes that a head is explored.
func (p *Pool) finished(h *head, failed bool) {
	if h.finish(failed) {
		p.over = true
		p.changed.Broadcast()
	}
}

// stop ends the work of all.
func (p *Pool) stop() {
	p.halt.Store(true)
	p.mu.Lock()
	p.changed.Broadcast()
	p.mu.Unlock()
}
