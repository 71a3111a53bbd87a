package dpor

import (
	"encoding/gob"
	"io"
	"slices"

	"whoop/explore"
	"whoop/ir/interp"
	"whoop/ir/vm"
)

// Workers in other processes. A pool gives such a worker a head with the nodes that lead
// to it (task), and gets back what is left behind the head after a number of executions,
// with what is disputed (farResult): the worker has then made all known that it found, as
// for a Snapshot. So the pool treats it as one of its own that stops. Where a worker is
// lost, its head waits as before: nothing of it was counted.
//
// Threads have the numbers of the pool's names: a worker asks for those it does not know.

// Setup is what a worker has to know before: the machine is up to the caller.
type Setup struct {
	Algorithm Algorithm
	MaxEvents int
}

// task is a head with the nodes from the first state to its own.
type task struct {
	Path   []taskNode
	Budget int64
}

// taskNode is a shared node; its head Via leads on, or is the task.
type taskNode struct {
	Sleep, Begun []sleeping
	Done         []answered
	Backtrack    uint64
	Heads        []taskHead
	Via          int
}

type taskHead struct {
	Branch branch
	State  uint8
	Sleep  []sleeping
	Silent bool
}

// farResult is what a worker has done behind a head; Left is nil where nothing is left.
type farResult struct {
	Counts     Counts
	Incomplete string
	Disputed   []farDispute
	Left       *SavedNode
	Stopped    bool // the search has ended
	Sampled    bool // of arbitrary numbers, a few were tried
}

// farDispute is disputed, and sequence, for package gob.
type farDispute struct {
	Node     int
	Initials uint64
	Add      int
	Ordered  bool // it is a sequence
	Threads  []int32
	From, To []int32
	Scripts  [][]int
	Varies   []bool
	Ops      []vm.Op
	Comes    []uint64
	Gone     []uint64
	Left     int
}

func packDispute(d disputed) farDispute {
	f := farDispute{Node: d.node, Initials: d.initials, Add: d.add}
	if q := d.seq; q != nil {
		f.Ordered, f.Ops, f.Comes, f.Gone, f.Left = true, q.ops, q.comes, q.gone, q.left
		for _, e := range q.events {
			f.Threads, f.From, f.To, f.Scripts = append(f.Threads, e.thread),
				append(f.From, e.from), append(f.To, e.to), append(f.Scripts, e.script)
			f.Varies = append(f.Varies, e.varies)
		}
	}
	return f
}

func (f *farDispute) unpack() disputed {
	d := disputed{node: f.Node, initials: f.Initials, add: f.Add}
	if f.Ordered {
		d.seq = &sequence{ops: f.Ops, comes: f.Comes, gone: f.Gone, left: f.Left}
		for i, t := range f.Threads {
			d.seq.has |= 1 << t
			d.seq.events = append(d.seq.events, planned{t, f.From[i], f.To[i], f.Scripts[i], f.Varies[i]})
		}
	}
	return d
}

// Far is something that went wrong in a worker of another process.
type Far struct {
	Key  Key
	Sure bool // it was not only foreseen
	// Kind and At are those of a failure.
	Kind interp.ErrorKind
	At   any
	Path explore.Path
}

// wire is Far with numbers of instructions (see vm.Program.Source); -1 is none.
type wire struct {
	Race, Sure, Deadlock bool
	Kind, Where          string
	At, At2              int32
	Parents              [][2]int
	Steps                []wireStep
	Thread, Other        int
	PathAt, PathOther    int32
}

type wireStep struct {
	Thread int
	At     int32
	Answers,
	Own []wireUse
}

type wireUse struct {
	Thread int
	At     int32
	Value  uint64
}

// message is what a worker sends: one of these.
type message struct {
	Name    *vm.Name // asks for its number
	Found   *wire    // asks whether to go on
	Outcome *farResult
}

// link is a worker in another process, as the pool sees it.
type link struct {
	conn  io.ReadWriteCloser
	enc   *gob.Encoder
	dec   *gob.Decoder
	scout *Search // finds out what a head's event touches
}

// Join makes a worker in another process one of the pool's, before it runs; the machine
// is one as those of NewPool. The worker runs Serve.
func (p *Pool) Join(conn io.ReadWriteCloser, m *vm.Machine) {
	o := Options{Algorithm: p.opt.Algorithm, MaxEvents: p.opt.MaxEvents}
	s := New(m, o)
	s.root(&head{state: running})
	p.links = append(p.links, &link{conn, gob.NewEncoder(conn), gob.NewDecoder(conn), s})
}

// far lets a worker in another process explore heads until none is left.
func (p *Pool) far(l *link) {
	defer l.conn.Close()
	for {
		h := p.take()
		if h == nil {
			return
		}
		task, ok := p.send(l, h)
		if !ok {
			continue
		}
		out, err := p.ask(l, task)
		if err != nil {
			p.lose(h)
			return
		}
		p.back(h, out)
		if out.Stopped {
			p.stop()
			return
		}
	}
}

// send begins a head, and packs it; false where there is nothing to explore.
func (p *Pool) send(l *link, h *head) (*task, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begin(l.scout, h) {
		return nil, false
	}
	t := &task{Budget: p.budget}
	for g := h; g.node != nil; g = g.node.by {
		x := g.node
		n := taskNode{Sleep: slices.Clone(x.sleep), Begun: slices.Clone(x.begun),
			Done: slices.Clone(x.done), Backtrack: x.backtrack, Via: slices.Index(x.heads, g)}
		for _, y := range x.heads {
			n.Heads = append(n.Heads, taskHead{y.copied(), uint8(y.state), slices.Clone(y.sleep), y.silent})
		}
		t.Path = append(t.Path, n)
	}
	slices.Reverse(t.Path)
	return t, true
}

// copied is the branch with a list of its own, which others may add to.
func (b *branch) copied() branch {
	c := *b
	c.Subs = nil
	for _, s := range b.Subs {
		y := s.copied()
		c.Subs = append(c.Subs, &y)
	}
	return c
}

// ask sends a task, and answers what the worker asks, until that has done it.
func (p *Pool) ask(l *link, t *task) (*farResult, error) {
	if err := l.enc.Encode(t); err != nil {
		return nil, err
	}
	for {
		var m message
		if err := l.dec.Decode(&m); err != nil {
			return nil, err
		}
		var err error
		switch {
		case m.Outcome != nil:
			return m.Outcome, nil
		case m.Name != nil:
			err = l.enc.Encode(l.scout.m.Names().Number(*m.Name))
		case m.Found != nil:
			goOn := true
			if p.opt.Far != nil {
				p.calls.Lock()
				goOn = p.opt.Far(m.Found.unpack(l.scout.m.Program()))
				p.calls.Unlock()
			}
			err = l.enc.Encode(goOn)
		}
		if err != nil {
			return nil, err
		}
	}
}

// back settles what a worker has done behind a head.
func (p *Pool) back(h *head, out *farResult) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept.Counts.add(&out.Counts)
	p.sampled = p.sampled || out.Sampled
	if p.kept.Incomplete == "" {
		p.kept.Incomplete = out.Incomplete
	}
	p.tallied(out.Counts.Executions())
	h.Subs = nil
	var path []*head
	for g := h; g != nil; {
		path = append(path, g)
		if g.node == nil {
			break
		}
		g = g.node.by
	}
	slices.Reverse(path)
	for i := range out.Disputed {
		d := out.Disputed[i].unpack()
		p.settle(path[d.node+1], d)
	}
	switch {
	case out.Stopped:
	case out.Left == nil:
		p.Stops.Done++
		p.finished(h, false)
	default:
		p.noted(p.budget, len(out.Disputed))
		n := len(p.frontier)
		h.state, h.child = split, p.restored(out.Left, h, h.node.depth+1)
		p.Stops.Heads += int64(len(p.frontier) - n)
		p.count()
		p.changed.Broadcast()
	}
}

// lose puts a head back whose worker is lost.
func (p *Pool) lose(h *head) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.state, h.silent, h.lost = waiting, false, true
	p.frontier = append(p.frontier, h)
	p.workers--
	p.count()
	p.changed.Broadcast()
}

// Serve is a worker in another process: it explores what it is asked to, until the
// connection ends. The machine's names must ask (see Asking).
func Serve(m *vm.Machine, o Setup, found *Asking) (err error) {
	defer func() {
		if found.err != nil && recover() != nil {
			err = found.err // the machine has a thread without a number
		}
	}()
	s := New(m, Options{Algorithm: o.Algorithm, MaxEvents: o.MaxEvents, Found: found.found})
	s.root(&head{state: running})
	for {
		var t task
		if err := found.dec.Decode(&t); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		out := s.serve(&t)
		out.Sampled = m.Sampled()
		if err := found.enc.Encode(&message{Outcome: out}); err != nil {
			return err
		}
	}
}

// Asking is the connection of a worker to its pool.
type Asking struct {
	enc     *gob.Encoder
	dec     *gob.Decoder
	err     error
	sources map[any]int32
	known   map[Key]int
}

// NewAsking makes the connection of a worker; the decoder and encoder are those that the
// caller has used before, if any.
func NewAsking(enc *gob.Encoder, dec *gob.Decoder, p *vm.Program) *Asking {
	a := &Asking{enc: enc, dec: dec, sources: map[any]int32{}, known: map[Key]int{}}
	for i, src := range p.Sources() {
		if _, ok := a.sources[src]; !ok {
			a.sources[src] = int32(i)
		}
	}
	return a
}

// Number asks for the number of a thread; one too large where the connection has ended.
func (a *Asking) Number(n vm.Name) (t int) {
	if a.ask(&message{Name: &n}, &t); a.err != nil {
		return vm.MaxThreads // there is none: the search ends
	}
	return t
}

func (a *Asking) ask(m *message, answer any) {
	if a.err == nil {
		a.err = a.enc.Encode(m)
	}
	if a.err == nil {
		a.err = a.dec.Decode(answer)
	}
}

// mostAsked is how often something that goes wrong is told.
const mostAsked = 200

// found tells the pool of something that went wrong.
func (a *Asking) found(s *Search, f Found) bool {
	k := s.KeyOf(f)
	if a.known[k]++; a.known[k] > mostAsked && a.known[k]&(a.known[k]-1) != 0 {
		return true
	}
	goOn := true
	a.ask(&message{Found: a.pack(s, f, k)}, &goOn)
	return goOn && a.err == nil
}

func (a *Asking) at(src any) int32 {
	if i, ok := a.sources[src]; ok && src != nil {
		return i
	}
	return -1
}

func (a *Asking) pack(s *Search, f Found, k Key) *wire {
	p := s.Path(f)
	w := &wire{Race: f.race(), Sure: f.Failure != nil ||
		f.Deadlock, Deadlock: f.Deadlock, Kind: string(k.Kind), Where: k.where,
		At: a.at(k.At), At2: a.at(k.At2),
		Parents: p.Parents, Thread: p.Thread, Other: p.Other, PathAt: a.at(p.At),
		PathOther: a.at(p.OtherAt)}
	for _, st := range p.Steps {
		x := wireStep{Thread: st.Thread, At: a.at(st.At)}
		for _, y := range st.Answers {
			x.Answers = append(x.Answers, wireUse{y.Thread, a.at(y.At), y.Value})
		}
		for _, y := range st.Own {
			x.Own = append(x.Own, wireUse{y.Thread, a.at(y.At), uint64(y.N)})
		}
		w.Steps = append(w.Steps, x)
	}
	return w
}

func (w *wire) unpack(p *vm.Program) Far {
	src := func(i int32) any {
		if i < 0 {
			return nil
		}
		return p.Source(i)
	}
	f := Far{Key: Key{Kind: interp.ErrorKind(w.Kind), At: src(w.At), At2: src(w.At2),
		where: w.Where}, Sure: w.Sure}
	f.Path = explore.Path{Parents: w.Parents, Deadlock: w.Deadlock, Thread: w.Thread,
		Other: w.Other, At: src(w.PathAt), OtherAt: src(w.PathOther)}
	if !w.Race && !w.Deadlock {
		f.Kind, f.At = interp.ErrorKind(w.Kind), src(w.At)
		f.Path.Kind = f.Kind
	}
	for _, st := range w.Steps {
		x := explore.Step{Thread: st.Thread, At: src(st.At)}
		for _, y := range st.Answers {
			x.Answers = append(x.Answers, explore.StepAnswer{Thread: y.Thread, At: src(y.At),
				Value: y.Value})
		}
		for _, y := range st.Own {
			x.Own = append(x.Own, explore.StepOwn{Thread: y.Thread, At: src(y.At), N: int(y.Value)})
		}
		f.Path.Steps = append(f.Path.Steps, x)
	}
	return f
}

// serve explores what is behind a task's head.
func (s *Search) serve(t *task) *farResult {
	before := s.Counts
	before.Longest = 0
	h := t.head(s.opt.Algorithm == Optimal)
	s.lead(h)
	s.enter(h)
	from, done := s.ends(), false
	if !s.done {
		done = s.slice(func() bool { return s.ends()-from >= t.Budget && s.settled() })
	}
	out := &farResult{Counts: s.Counts, Incomplete: s.Incomplete, Stopped: s.done}
	out.Counts.less(&before)
	for _, d := range s.share.disputed {
		out.Disputed = append(out.Disputed, packDispute(d))
	}
	s.told()
	if s.done || done {
		return out
	}
	s.retire()
	if last := s.task(); last.state == running {
		last.finish(false) // nothing is left of it
	}
	if slices.Contains(h.node.heads, h) && h.child != nil {
		out.Left = saved(h.child)
	}
	return out
}

// head makes the nodes that lead to the head of a task.
func (t *task) head(ordered bool) *head {
	g := &head{state: split}
	for depth, n := range t.Path {
		x := &shared{by: g, sleep: n.Sleep, begun: n.Begun, done: n.Done,
			backtrack: n.Backtrack, depth: depth, ordered: ordered}
		g.child = x
		for _, y := range n.Heads {
			x.heads = append(x.heads, &head{branch: y.Branch, node: x,
				state: headState(y.State), sleep: y.Sleep, silent: y.Silent})
		}
		g = x.heads[n.Via]
	}
	return g
}

// less takes away what was counted before.
func (c *Counts) less(d *Counts) {
	c.Complete -= d.Complete
	c.Blocked -= d.Blocked
	c.Unread -= d.Unread
	c.Alike -= d.Alike
	c.Stuck -= d.Stuck
	c.Deadlocks -= d.Deadlocks
	c.Long -= d.Long
	c.Events -= d.Events
}
