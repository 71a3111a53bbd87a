package witness

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// Options bound a replay; zero values are the defaults.
type Options struct {
	// Steps is how many instructions are executed in all (2 million).
	Steps int
	// Deviations is how often an execution may do something else than what is likely (3).
	Deviations int
	// Source reads a file of the program; nil: from disk.
	Source func(file string) ([]byte, error)
}

// Result is the outcome of a replay.
type Result struct {
	// Confirmed: an execution along the waypoints shows the violation; it is Execution,
	// and Trace replays it. Otherwise Reason says why not.
	Confirmed bool
	Reason    string
	Execution *trace.Execution
	Trace     *trace.Trace
	// Notes are remarks on what was found.
	Notes []string
	// Steps counts the instructions executed, Deviations how often the execution does
	// something else than is likely.
	Steps, Deviations int
}

// search looks for an execution.
type search struct {
	ctx    context.Context
	m      *interp.Program
	h      interp.Harness
	v      *Violation
	src    *sources
	points []Waypoint // to follow, but for the targets
	ends   []Waypoint
	kinds  []string
	bind   map[string]interp.ThreadID
	args   []interp.Query // main's arguments, at the start of an execution
	steps  int
	limit  int
	// lenient: waypoints that are not reached are passed over.
	lenient bool
	// far is how many waypoints were passed at best, why what stopped the execution that
	// did, last the failure of a target.
	far       int
	why, last string
}

// alternative is another way to go on.
type alternative struct {
	w  *walk
	do func(w *walk)
}

// Replay looks for an execution of p that passes the waypoints in their order, each by
// its thread, and ends in the violation at the target. It is a search: at no cost, the
// thread of the next waypoint runs until it is there, and leaves a statement when another
// thread is named; queries are answered as the waypoints say. Anything else is a
// deviation: a thread is left earlier or later, another one runs first, a waypoint is
// passed the next time, a query is answered otherwise. Executions are tried with no
// deviation, then with one, and so on; where none is found, once more without the
// waypoints that the thread does not reach by itself, since tools differ in what they
// take for a step. What is found is replayed by package trace. An error means that the
// witness cannot be used for this program; what is not found is a Result that is not
// confirmed.
func (v *Violation) Replay(ctx context.Context, p *ir.Program, opt Options) (*Result, error) {
	if opt.Steps == 0 {
		opt.Steps = 2_000_000
	}
	if opt.Deviations == 0 {
		opt.Deviations = 3
	}
	main := slices.IndexFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
	if main < 0 {
		return nil, fmt.Errorf("%s: a witness is about a main function, and the program has none", p.Name)
	}
	r := &search{ctx: ctx, v: v, src: newSources(opt.Source), limit: opt.Steps, far: -1}
	if r.kinds = kinds(v.Meta.Specification); r.kinds == nil {
		return nil, fmt.Errorf("the witness's specification %q is not known", v.Meta.Specification)
	}
	if slices.Equal(r.kinds, []string{"overflow"}) && !asserts(p, "overflow") {
		return &Result{Reason: "overflows are not looked for: the program was loaded without assertions about them"}, nil
	}
	if slices.Equal(r.kinds, []string{leaked}) && !asserts(p, leaked) {
		return &Result{Reason: "memory that is left is not looked for: the program was loaded without assertions about it"}, nil
	}
	if r.ends = v.targets(); len(r.ends) == 0 {
		return nil, fmt.Errorf("the witness has no target")
	}
	var err error
	if r.m, err = interp.Compile(p, interp.Config{}); err != nil {
		return nil, err
	}
	for _, s := range v.Segments[:len(v.Segments)-1] {
		for _, w := range s.follow() {
			if v.After && w.Type == Assumption && w.At.Line == 0 && w.At.Offset == 0 {
				continue // an edge that says nothing of the place
			}
			r.points = append(r.points, w)
		}
	}
	r.h = interp.Harness{Roots: []interp.Root{interp.RootOf(p.Entries[main])}, Main: true}
	r.limit = opt.Steps / 2
	res := r.all(opt.Deviations)
	if !res.Confirmed && len(r.points) > 0 && ctx.Err() == nil {
		r.limit, r.lenient = r.steps+opt.Steps/2, true
		if x := r.all(opt.Deviations); x.Confirmed {
			res = x
		}
	}
	res.Steps = r.steps
	res.Notes = append(res.Notes, r.notes()...)
	return res, nil
}

// all searches with more and more deviations.
func (r *search) all(most int) *Result {
	binds := bindings(r.v)
	for d := 0; d <= most; d++ {
		for _, b := range binds {
			r.bind = b
			if res := r.explore(r.start(d)); res != nil {
				res.Deviations = d
				return res
			}
			if r.exhausted() {
				return &Result{Reason: r.reason(fmt.Sprintf("given up after %d steps", r.steps))}
			}
		}
	}
	return &Result{Reason: r.reason(fmt.Sprintf("no execution with up to %d deviations shows it", most))}
}

func (r *search) reason(end string) string {
	if err := r.ctx.Err(); err != nil {
		end = "interrupted: " + err.Error()
	}
	n := len(r.points)
	switch {
	case r.far < n && r.far >= 0:
		p := r.points[r.far]
		end += fmt.Sprintf("; %d of %d waypoints were passed, next is %s", r.far, n, r.describe(&p))
	case r.last != "":
		end += "; all waypoints were passed, but " + r.last
	}
	if r.why != "" && r.last == "" {
		end += ": " + r.why
	}
	return end
}

func (r *search) describe(p *Waypoint) string {
	at := fmt.Sprintf("%s at %s:%d", p.Type, p.At.File, p.At.Line)
	if p.At.Column > 0 {
		at += fmt.Sprintf(":%d", p.At.Column)
	}
	if p.Thread != "" {
		at += " of thread " + p.Thread
	}
	return at
}

// notes are remarks on the file.
func (r *search) notes() []string {
	var out []string
	for _, s := range r.v.Segments {
		if len(s.follow()) != len(s) {
			out = append(out, "waypoints to avoid are not regarded")
			break
		}
	}
	if len(r.v.Meta.Hashes) == 0 {
		return out
	}
	for _, f := range files(r.m.IR, r.src) {
		b, err := r.src.read(f)
		if err != nil {
			continue
		}
		h := sha256.Sum256(b)
		if !slices.Contains(slices.Collect(maps.Values(r.v.Meta.Hashes)), hex.EncodeToString(h[:])) {
			out = append(out, fmt.Sprintf("the witness was made for another version of the program: the hash of %s is not in it", f))
		}
	}
	return out
}

func (r *search) start(deviations int) *walk {
	w := &walk{r: r, cur: -1, left: deviations, answers: map[interp.ThreadID][]uint64{}, force: map[query]uint64{}, skips: map[int]int{}}
	w.s = r.m.Start(r.h, interp.InputFunc(w.input))
	w.open = nil
	return w
}

func (r *search) exhausted() bool { return r.steps > r.limit || r.ctx.Err() != nil }

// explore runs a walk, then its alternatives, the last ones first.
func (r *search) explore(w *walk) *Result {
	var alts []alternative
	if res := r.run(w, &alts); res != nil {
		return res
	}
	for i := len(alts) - 1; i >= 0 && !r.exhausted(); i-- {
		a := alts[i]
		alts[i] = alternative{}
		c := a.w.clone()
		c.left--
		a.do(c)
		if res := r.explore(c); res != nil {
			return res
		}
	}
	return nil
}

// maxPending bounds the alternatives that are kept for one execution.
const maxPending = 5000

// branch keeps an alternative, if the walk may still deviate.
func (r *search) branch(w *walk, alts *[]alternative, do func(w *walk)) {
	if w != nil && w.left > 0 && len(*alts) < maxPending {
		*alts = append(*alts, alternative{w, do})
	}
}

// run follows the waypoints; nil where the execution does not show the violation.
func (r *search) run(w *walk, alts *[]alternative) *Result {
	for !r.exhausted() {
		r.progress(w)
		switch w.s.Status() {
		case interp.Failed:
			return r.failed(w)
		case interp.Deadlock:
			return r.dead(w)
		case interp.Done, interp.Infeasible:
			r.stop(w, "the execution ends: "+w.s.Status().String())
			return nil
		}
		var before *walk // for other answers
		if w.left > 0 {
			before = w.clone()
		}
		over, res := r.turn(w, before, alts)
		for _, c := range w.open {
			for _, v := range c.others {
				r.branch(before, alts, func(w *walk) { w.force[c.q] = v })
			}
		}
		w.open = nil
		if over {
			return res
		}
	}
	return nil
}

// turn takes the next step; over tells that the walk has come to its end.
func (r *search) turn(w, before *walk, alts *[]alternative) (over bool, res *Result) {
	if w.i == len(r.points) {
		return r.final(w, before, alts)
	}
	t := r.thread(w, &r.points[w.i])
	if w.cur >= 0 && w.cur != t && r.leave(w, alts) {
		return false, nil
	}
	if r.lenient && w.tried != w.i+1 && !r.reaches(w, t) {
		w.i++
		w.over++
		return false, nil
	}
	w.tried = w.i + 1
	if !w.running(t) {
		return !r.help(w, t, alts), nil
	}
	i := w.i
	if !w.settle(t) || w.i != i {
		r.skip(before, i, w, alts)
		return false, nil
	}
	if w.pass(t, true) {
		r.skip(before, i, w, alts)
		return false, nil
	}
	r.others(w, t, alts)
	w.visible(t)
	return false, nil
}

// skip keeps the alternative to pass a waypoint the next time the thread is there.
func (r *search) skip(before *walk, i int, w *walk, alts *[]alternative) {
	if w.i != i {
		r.branch(before, alts, func(w *walk) { w.skips[i]++ })
	}
}

// others keeps the alternatives that another thread takes a step first.
func (r *search) others(w *walk, t interp.ThreadID, alts *[]alternative) {
	if w.left == 0 {
		return
	}
	var c *walk
	for u := range interp.ThreadID(w.s.NumThreads()) {
		if u == t || !w.running(u) {
			continue
		}
		if c == nil {
			c = w.clone()
		}
		r.branch(c, alts, func(w *walk) { w.step(u) })
	}
}

// step lets a thread go on to its next step that others may notice, and take it.
func (w *walk) step(id interp.ThreadID) {
	if w.settle(id) {
		w.visible(id)
	}
}

// leave decides whether the thread that passed the last waypoint goes on with its
// statement before another one runs: to its end, unless its own next waypoint is inside
// the same statement. It tells whether it took a step.
func (r *search) leave(w *walk, alts *[]alternative) bool {
	id := w.cur
	if w.stopped || !w.running(id) {
		return false
	}
	s := w.s.Snapshot()
	s.SetInputs(interp.Zero{})
	next, ok := ahead(s, id)
	pl := w.of(id)
	if !ok || pl.seen == nil || pl.seen[instr(next)] || r.src.statement(next.Pos) != pl.at {
		w.stopped = true
		return false
	}
	stay := pl.steps == 0 || !r.inside(w, id, pl.at)
	if w.left > 0 {
		if stay {
			r.branch(w.clone(), alts, func(w *walk) { w.stopped = true })
		} else {
			r.branch(w.clone(), alts, func(w *walk) { w.step(id) })
		}
	}
	if !stay {
		w.stopped = true
		return false
	}
	w.step(id)
	return true
}

// inside reports whether the thread's next waypoint is inside a statement, not at its
// start.
func (r *search) inside(w *walk, id interp.ThreadID, at ir.Pos) bool {
	for i := w.i; i < len(r.points); i++ {
		p := &r.points[i]
		if t, ok := r.bind[p.Thread]; !ok || t != id {
			continue
		}
		q, ok := r.here(p.At, at)
		return ok && q.Col > 0 && q != r.src.statement(q)
	}
	for _, p := range r.ends {
		if t, ok := r.bind[p.Thread]; ok && t == id {
			_, ok := r.here(p.At, at)
			return ok
		}
	}
	return false
}

// thread is who is to pass a waypoint: the one it names; else one that gets there by
// itself, if there is one.
func (r *search) thread(w *walk, p *Waypoint) interp.ThreadID {
	if t, ok := r.bind[p.Thread]; ok {
		return t
	}
	if w.pickFor == w.i+1 && w.running(w.pick) {
		return w.pick
	}
	pick := max(w.cur, 0)
	order := []interp.ThreadID{pick}
	for u := range interp.ThreadID(w.s.NumThreads()) {
		if u != pick {
			order = append(order, u)
		}
	}
	if len(order) > 1 {
		for _, u := range order {
			if r.reaches(w, u) {
				pick = u
				break
			}
		}
	}
	if !w.running(pick) {
		for _, u := range order {
			if w.running(u) {
				pick = u
				break
			}
		}
	}
	w.pick, w.pickFor = pick, w.i+1
	return pick
}

// maxAhead is how many steps a thread is followed to see whether it gets somewhere.
const maxAhead = 200

func (r *search) reaches(w *walk, id interp.ThreadID) bool {
	c := w.clone()
	for range maxAhead {
		if !c.running(id) {
			return false
		}
		if c.settle(id) && !c.pass(id, true) {
			c.visible(id)
		}
		if c.i != w.i {
			return true
		}
	}
	return false
}

// help lets another thread take a step where the one that is to run cannot: the one it
// waits for, if that is known.
func (r *search) help(w *walk, t interp.ThreadID, alts *[]alternative) bool {
	if int(t) < w.s.NumThreads() && (t < 0 || w.s.Ended(t)) {
		r.stop(w, fmt.Sprintf("thread %d has ended", t))
		return false
	}
	who := interp.ThreadID(-1)
	if int(t) < w.s.NumThreads() {
		who = waitsFor(w.s, t)
	}
	var can []interp.ThreadID
	for u := range interp.ThreadID(w.s.NumThreads()) {
		if u != t && w.running(u) {
			can = append(can, u)
		}
	}
	if len(can) == 0 {
		r.stop(w, fmt.Sprintf("thread %d cannot go on, nor can another", t))
		return false
	}
	if !slices.Contains(can, who) {
		who = can[0]
	}
	if w.left > 0 && len(can) > 1 {
		c := w.clone()
		for _, u := range can {
			if u != who {
				r.branch(c, alts, func(w *walk) { w.step(u) })
			}
		}
	}
	w.step(who)
	return true
}

// waitsFor is the thread whose end or lock a thread waits for, -1 where that is not
// known.
func waitsFor(s *interp.State, t interp.ThreadID) interp.ThreadID {
	kind, a, u := s.Wants(t)
	switch kind {
	case interp.WantsThread:
		return u
	case interp.WantsLock:
		for u := range interp.ThreadID(s.NumThreads()) {
			for _, h := range s.Held(u) {
				if h.Addr == a && u != t {
					return u
				}
			}
		}
	}
	return -1
}

// progress notes how far the best execution came.
func (r *search) progress(w *walk) {
	if w.i > r.far {
		r.far, r.why = w.i, ""
	}
}

func (r *search) stop(w *walk, why string) {
	if w.i >= r.far && r.why == "" {
		r.why = why
	}
}
