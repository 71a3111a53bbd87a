package dpor

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"whoop/ir/vm"
)

// Budget is how many executions a worker explores before it tells what it has found for
// nodes that others know. Where others have nothing to do, it stops after Hurry of them.
const (
	Budget = 4096
	Hurry  = 16
)

// mostDisputed is of how much that it has found for such nodes it tells at once.
const mostDisputed = 256

// Stops counts why workers have stopped.
type Stops struct {
	// Budget: so many executions were explored. Disputed: something is to be explored
	// from nodes that others know. Asked: others had nothing to do. Done: all behind the
	// head was explored. Heads were given away.
	Budget, Disputed, Asked, Done, Heads int64
}

// Pool explores the executions of a program by several searches at a time. Each explores
// what is behind one head of the shared part of the tree, and gives away branches where
// others have nothing to do.
//
// What is disputed, a sequence for a node that others know, is inserted there under a
// lock, and is explored once, whoever finds it how often. The executions are those of one
// search: one of each trace with Optimal and Source, each interleaving with DFS. How many
// redundant ones Source cuts off may differ.
type Pool struct {
	opt Options

	Counts
	Stops Stops
	// Incomplete tells why not everything was explored, "" where it was.
	Incomplete string

	budget, hurry int64
	searches      []*Search
	links         []*link
	workers       int  // searches and links that are not lost
	sampled       bool // some link has tried a few of arbitrary numbers
	calls         *sync.Mutex
	mu            sync.Mutex
	changed       *sync.Cond
	frontier      []*head
	idle          int
	// hungry is how many workers have nothing to do and find nothing waiting.
	hungry atomic.Int32
	halt   atomic.Bool
	over   bool
	made   atomic.Int64
	// due: all workers shall stop for a snapshot; quit: and then end.
	due, quit atomic.Bool
	kept      Snapshot // what was explored before
	reason    string   // why it has quit
}

// NewPool prepares as many workers as there are machines. They must be of one program, in
// their first states, and share their names. Functions of the options may be called by
// any worker, but one after the other.
func NewPool(ms []*vm.Machine, opt Options) *Pool {
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	p := &Pool{opt: opt, budget: Budget, hurry: Hurry}
	p.changed = sync.NewCond(&p.mu)
	calls := &sync.Mutex{}
	p.calls = calls
	for _, m := range ms {
		o := opt
		o.MaxExecutions, o.Context, o.Observers = 0, nil, false
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

// Over reports whether nothing is left to explore.
func (p *Pool) Over() bool { return p.over }

// Made is how many executions have ended so far.
func (p *Pool) Made() int64 { return p.made.Load() }

// Run explores all executions, or until the options end it.
func (p *Pool) Run() {
	defer p.clock()()
	resumed := p.kept.Root != nil
	if !resumed {
		p.searches[0].root(&head{state: running})
		p.searches[0].failures()
	}
	p.workers = len(p.searches) + len(p.links)
	var all sync.WaitGroup
	for _, l := range p.links {
		all.Go(func() { p.far(l) })
	}
	for i, s := range p.searches {
		all.Add(1)
		go func() {
			defer all.Done()
			if i == 0 && !resumed {
				p.explore(s)
			}
			p.work(s)
		}()
	}
	all.Wait()
	p.Counts, p.Incomplete = p.total(), p.lacking()
	if p.Incomplete == "" && !p.over {
		p.Incomplete = p.reason
	}
}

// clock makes snapshots due, and ends the work when the context does. The result stops
// it.
func (p *Pool) clock() func() {
	quit := context.AfterFunc(p.opt.Context, func() { p.leave(p.opt.Context.Err().Error()) })
	end := make(chan bool)
	if p.opt.Save != nil && p.opt.Every > 0 {
		go func() {
			t := time.NewTicker(p.opt.Every)
			defer t.Stop()
			for {
				select {
				case <-t.C:
					p.due.Store(true)
				case <-end:
					return
				}
			}
		}()
	}
	return func() { quit(); close(end) }
}

// leave ends the work of all where they are.
func (p *Pool) leave(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason == "" {
		p.reason = reason
	}
	p.quit.Store(true)
	p.due.Store(true)
}

// limited counts the executions of a search, and ends it where enough were made.
func (p *Pool) limited(s *Search) {
	if n := s.Executions() - s.tallied; n >= 64 || p.opt.MaxExecutions > 0 {
		s.tallied += n
		if made := p.made.Add(n); p.opt.MaxExecutions > 0 && made >= p.opt.MaxExecutions && !p.quit.Load() {
			p.leave(limitReached(made))
		}
	}
}

// tallied counts executions that others have made; p.mu is held.
func (p *Pool) tallied(n int64) {
	if made := p.made.Add(n); p.opt.MaxExecutions > 0 && made >= p.opt.MaxExecutions &&
		!p.quit.Load() {
		go p.leave(limitReached(made))
	}
}

// Sampled reports whether a worker in another process has tried a few of arbitrary
// numbers.
func (p *Pool) Sampled() bool { return p.sampled }

// total is what all workers have done.
func (p *Pool) total() Counts {
	c := p.kept.Counts
	for _, s := range p.searches {
		c.add(&s.Counts)
	}
	return c
}

// lacking is why not everything will have been explored once nothing is left.
func (p *Pool) lacking() string {
	why := p.kept.Incomplete
	for _, s := range p.searches {
		if why == "" {
			why = s.Incomplete
		}
	}
	return why
}

func (c *Counts) add(d *Counts) {
	c.Complete += d.Complete
	c.Blocked += d.Blocked
	c.Unread += d.Unread
	c.Alike += d.Alike
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

// take waits for a head; nil where nothing is left.
func (p *Pool) take() *head {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle++
	p.count()
	for (len(p.frontier) == 0 || p.due.Load()) && !p.over && !p.halt.Load() {
		if p.due.Load() && p.idle == p.workers {
			p.snap()
			continue
		}
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

// next takes a head off the frontier: the one nearest to the root, behind which there is
// most to explore. A single worker takes the farthest one, in the order of one search.
func (p *Pool) next() *head {
	best := 0
	for i, h := range p.frontier {
		d, b := h.node.depth, p.frontier[best].node.depth
		if p.workers > 1 && d < b || p.workers == 1 && d > b {
			best = i
		}
	}
	h := p.frontier[best]
	p.frontier = append(p.frontier[:best], p.frontier[best+1:]...)
	h.state = running
	if h.node.ordered { // from here on, it gets no sequences
		h.sleep = h.node.sleepers(h.Thread)
		for i := range h.sleep {
			h.sleep[i].Open = h.sleep[i].Open || h.lost
		}
	}
	return h
}

// count tells how many workers have nothing to do.
func (p *Pool) count() { p.hungry.Store(int32(p.idle - len(p.frontier))) }

// start begins a head; false where there is nothing to explore.
func (p *Pool) start(s *Search, h *head) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begin(s, h) {
		return false
	}
	s.enter(h)
	return true
}

// begin is start without the head's event.
func (p *Pool) begin(s *Search, h *head) bool {
	s.lead(h)
	ops, touches, script, asked, ok := s.peek(h)
	x := h.node
	if ok {
		p.same(h, script)
	}
	if !ok || x.asleep(h.Thread) || x.started(h.Thread, script, h) {
		p.finished(h, true)
		return false
	}
	h.Ops, h.Script, h.silent = ops, script, len(asked) == 0
	x.begin(h.Thread, touches, false)
	if s.opt.Algorithm == Source {
		h.sleep = x.sleepers(h.Thread)
	}
	p.give(x.others(h.Thread, script, asked, touches, len(touches) > len(ops) || s.m.Fuzzy()))
	return true
}

// same joins a head that is about to start, with answers that are now known, and those
// that wait and turn out to be the same. Their answers were foreseen where other queries
// come.
func (p *Pool) same(h *head, script []int) {
	x := h.node
	for _, w := range slices.Clone(x.heads) {
		if w == h || w.state != waiting || w.Thread != h.Thread {
			continue
		}
		if slices.Equal(padded(w.Script, len(script)), script) {
			merge(&h.Subs, w.Subs, nil)
			x.heads = slices.DeleteFunc(x.heads, func(y *head) bool { return y == w })
			p.frontier = slices.DeleteFunc(p.frontier, func(y *head) bool { return y == w })
		}
	}
	p.count()
}

// explore explores the head that a search has begun, and those that it keeps where it
// gives others away.
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
		return k >= p.hurry && p.hungry.Load() > 0 || k >= p.budget ||
			len(s.share.disputed) >= mostDisputed || p.halt.Load() || p.due.Load() && s.settled()
	})
	return p.tell(s, done, s.ends()-from)
}

// tell settles what a search has to tell after n executions; done: it has explored its
// head. It reports whether the search goes on.
func (p *Pool) tell(s *Search, done bool, n int64) bool {
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
	case p.due.Load() && s.settled():
		p.give(s.retire())
		if h = s.task(); h.state == running {
			p.finished(h, false) // nothing is left of it
		}
		return false
	default:
		p.noted(n, disputes)
		p.split(s)
	}
	return true
}

// noted counts why a search has stopped after n executions.
func (p *Pool) noted(n int64, disputes int) {
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
		p.settle(s.headAt(d.node), d)
	}
	s.told()
}

// settle inserts something disputed at the node that head g leads on from.
func (p *Pool) settle(g *head, d disputed) {
	x := g.node
	if d.seq == nil {
		if x.backtrack&d.initials == 0 {
			p.give([]*head{x.add(branch{Thread: int32(d.add)})})
		}
		return
	}
	if h := x.insert(g, d.seq); h != nil {
		p.give([]*head{h})
	}
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
	for _, l := range p.links {
		l.conn.Close()
	}
	p.mu.Unlock()
}
