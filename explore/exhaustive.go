package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
)

// Options says how much is explored.
type Options struct {
	// Bound is the greatest number of preemptions of an execution; -1: no bound.
	Bound int
	// Values are the answers to queries for numbers of more than one bit; nil: 0 and 1.
	Values []uint64
	// Tested says which numbers decide anything, and what they are compared with: of
	// others, one value is tried, of these, those constants beside Values. nil: that does
	// not count.
	Tested *irutil.Tested
	// Failures: what may fail without need (interp.InFailure) does so, too.
	Failures bool
	// Cache: states that were visited before with the same last thread and no greater
	// cost are not visited again. Findings and their costs are the same, the execution
	// that shows a finding may be another.
	Cache bool
	// MaxStates is how many states are visited (0: no limit), MaxDepth how many macro
	// steps an execution has (0: 10000). Beyond them, the result is not complete.
	MaxStates, MaxDepth int
	// Context ends the exploration early; nil: never.
	Context context.Context
	// Last is asked of each finding whether the exploration ends with it; nil: it never
	// does.
	Last func(*Finding) bool
	// Progress is told of each state that is visited how many executions have ended; nil:
	// nobody is.
	Progress func(executions int)
}

// Result is what an exploration has shown.
type Result struct {
	// Findings are what went wrong, each once, with its least cost; ordered by kind, tag
	// and places.
	Findings []*Finding
	// Complete: all executions within the bound were explored, for the answers
	// considered. Reason says why not.
	Complete bool
	Reason   string
	// BoundHit: some execution was left out since it has more preemptions than
	// Options.Bound. A complete result where this is false holds without a bound.
	BoundHit bool
	// Sampled: some query was for a number of more than one bit, and only Options.Values
	// were tried.
	Sampled bool
	// Executions counts executions that ended, States the states visited (each time),
	// Depth is the greatest number of macro steps of an execution.
	Executions, States, Depth int
	// Waits, of a driver's entry points, are where a thread waited that none of the
	// harness signals, each once: another entry point may. Begun: the entries before the
	// roots have run to their ends in some execution.
	Waits []ir.Instr
	Begun bool
}

// Has reports whether there is a finding of a kind.
func (r *Result) Has(kind string) bool {
	return slices.ContainsFunc(r.Findings, func(f *Finding) bool { return f.Kind == kind })
}

// Exhaustive explores all executions of a program whose cost is within a bound; see the
// package comment. Its errors are about the options alone: what goes wrong in the program
// is in the result, even if that is not complete.
func Exhaustive(m *interp.Program, h interp.Harness, opt Options) (*Result, error) {
	if opt.Bound < -1 {
		return nil, fmt.Errorf("explore: the bound %d is neither -1 nor a number of preemptions", opt.Bound)
	}
	if len(h.Roots) == 0 {
		return nil, errors.New("explore: the harness has no thread")
	}
	if opt.Values == nil {
		opt.Values = []uint64{0, 1}
	}
	if len(opt.Values) == 0 {
		return nil, errors.New("explore: no values to answer queries for numbers with")
	}
	if opt.MaxDepth == 0 {
		opt.MaxDepth = 10000
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	x := &search{opt: opt, res: &Result{Complete: true}, numbers: number(m.IR), unread: unread(m.IR), found: map[identity]*Finding{},
		seen: map[visited]int{}, harness: &h}
	for in := (&asker{opt: &x.opt, unread: x.unread}); in != nil; in = in.next() {
		s := m.Start(h, in)
		x.res.Sampled = x.res.Sampled || in.sampled
		x.answers = in.answers()
		if !notSetUp(&h, s) {
			x.res.Begun = true
			x.visit(s, -1, 0)
		}
		if in.next() != nil && !x.mayList(0) {
			break
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(x.found), identity.compare) {
		x.res.Findings = append(x.res.Findings, x.found[id])
	}
	return x.res, nil
}

// search is a depth-first search. The path to the current state is its macro steps'
// threads and all answers.
type search struct {
	opt      Options
	res      *Result
	numbers  numbers
	unread   map[ir.Instr]bool // Havocs whose values nobody reads
	schedule []interp.ThreadID
	answers  []uint64
	found    map[identity]*Finding
	seen     map[visited]int // the least cost it was visited with
	harness  *interp.Harness
	ended    bool // by Options.Last
}

// unread finds the Havocs whose values nobody reads.
func unread(p *ir.Program) map[ir.Instr]bool {
	out := map[ir.Instr]bool{}
	for _, f := range p.Funcs {
		live := irutil.LiveDefs(f)
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if h, ok := in.(*ir.Havoc); ok && !h.Dst.Ghost && !live[in] {
					out[in] = true
				}
			}
		}
	}
	return out
}

// visited is a state with what else its future costs depend on.
type visited struct {
	state interp.Hash
	last  interp.ThreadID
}

// visit explores everything from a state, which costs so much and was reached by a macro
// step of last (-1: none).
func (x *search) visit(s *interp.State, last interp.ThreadID, cost int) {
	if !x.mayVisit() {
		return
	}
	x.res.States++
	if x.opt.Progress != nil {
		x.opt.Progress(x.res.Executions)
	}
	x.res.Depth = max(x.res.Depth, len(x.schedule))
	if s.Status() != interp.Running {
		x.end(s, cost)
		return
	}
	if x.opt.Cache {
		v := visited{s.Hash(), last}
		if c, ok := x.seen[v]; ok && c <= cost {
			return
		}
		x.seen[v] = cost
	}
	var steps []*step
	for _, t := range s.Enabled() {
		steps = append(steps, x.steps(s, t)...)
	}
	x.pendingRaces(steps, cost)
	for _, st := range steps {
		c := cost
		if st.thread != last && last >= 0 && s.CanStep(last) {
			c++
		}
		if x.opt.Bound >= 0 && c > x.opt.Bound {
			x.res.BoundHit = true
			continue
		}
		x.take(st, steps, c)
	}
}

// take goes on with a macro step, one of those possible in a state; c is the cost after
// it.
func (x *search) take(st *step, steps []*step, c int) {
	ns, na := len(x.schedule), len(x.answers)
	x.schedule = append(x.schedule, st.thread)
	x.answers = append(x.answers, st.answers...)
	x.sectionRaces(st, steps, c)
	if st.endless {
		x.incomplete(fmt.Sprintf("an atomic section of more than %d visible instructions", maxSection))
	} else {
		x.visit(st.after, st.thread, c)
	}
	x.schedule, x.answers = x.schedule[:ns], x.answers[:na]
}

// steps lists the macro steps that t can make in s, one for each list of answers to its
// queries. Where states are bounded, no more are listed than may be visited, and those no
// longer than befits so many: an atomic section that does not end, and asks, has more
// ways through it than there is memory.
func (x *search) steps(s *interp.State, t interp.ThreadID) []*step {
	var out []*step
	length, longest := 0, maxWays
	if x.opt.MaxStates > 0 {
		longest = min(longest, x.opt.MaxStates*eachState)
	}
	for in := (&asker{opt: &x.opt, unread: x.unread, base: s.Inputs()}); in != nil; in = in.next() {
		c := s.Snapshot()
		c.SetInputs(in)
		st := makeStep(c, t)
		st.answers = in.answers()
		x.res.Sampled = x.res.Sampled || in.sampled
		out = append(out, st)
		length += st.length
		switch more := in.next() != nil; {
		case !more:
		case length > longest:
			x.incomplete("an atomic section with too many ways through it")
			return out
		case !x.mayList(len(out)):
			return out
		}
	}
	return out
}

// Bounds of the macro steps of a thread in one state: visible instructions in all, and
// for each state that may be visited.
const (
	maxWays   = 1 << 22
	eachState = 64
)

// mayList reports whether the limits allow for more macro steps than so many.
func (x *search) mayList(n int) bool {
	switch {
	case x.opt.MaxStates > 0 && x.res.States+n >= x.opt.MaxStates:
		x.incomplete(fmt.Sprintf("more than %d states", x.opt.MaxStates))
	case x.opt.Context.Err() != nil:
		x.incomplete(x.opt.Context.Err().Error())
	default:
		return true
	}
	return false
}

// mayVisit reports whether the limits allow for one more state.
func (x *search) mayVisit() bool {
	switch {
	case x.opt.MaxStates > 0 && x.res.States >= x.opt.MaxStates:
		x.incomplete(fmt.Sprintf("more than %d states", x.opt.MaxStates))
	case len(x.schedule) > x.opt.MaxDepth:
		x.incomplete(fmt.Sprintf("an execution of more than %d macro steps", x.opt.MaxDepth))
	case x.opt.Context.Err() != nil:
		x.incomplete(x.opt.Context.Err().Error())
	case x.ended:
		x.incomplete("ended with a finding")
	default:
		return true
	}
	return false
}

// incomplete notes that something was left out; the first reason is kept.
func (x *search) incomplete(reason string) {
	if x.res.Complete {
		x.res.Complete, x.res.Reason = false, reason
	}
}

// end is the end of an execution.
func (x *search) end(s *interp.State, cost int) {
	switch s.Status() {
	case interp.Infeasible:
		return
	case interp.Failed:
		x.report(&Finding{Kind: string(s.Err().Kind), Preemptions: cost, Err: s.Err()})
	case interp.Deadlock:
		x.deadlock(s, cost)
	}
	x.res.Executions++
}

// pendingRaces reports the conflicts of what different threads are about to access.
func (x *search) pendingRaces(steps []*step, cost int) {
	for i, st := range steps {
		for _, su := range steps[:i] {
			if su.thread != st.thread {
				x.conflicts(su, su.pending, st, false, cost)
			}
		}
	}
}

// sectionRaces reports the conflicts of what a macro step accesses inside atomic sections
// with what other threads were about to access.
func (x *search) sectionRaces(st *step, steps []*step, cost int) {
	for _, su := range steps {
		if su.thread != st.thread {
			x.conflicts(st, st.section, su, true, cost)
		}
	}
}

// conflicts reports the races between accesses that st makes and what su is about to
// access.
func (x *search) conflicts(st *step, made []access, su *step, section bool, cost int) {
	for _, a := range made {
		for _, b := range su.pending {
			// what it reads belongs to a section, too
			if _, await := b.instr.(*ir.Await); !a.Conflicts(b.Access) || section && await {
				continue
			}
			r := &Race{First: RaceAccess{st.thread, a.Access, a.instr, nil}, Section: section,
				Second: RaceAccess{su.thread, b.Access, b.instr, su.answers[:su.npending]}}
			if !section {
				r.First.Answers = st.answers[:st.npending]
			}
			x.report(&Finding{Kind: KindRace, Preemptions: cost, Race: r})
		}
	}
}

// report keeps a finding of the current path, unless it is known with no greater cost.
func (x *search) report(f *Finding) {
	id := x.numbers.identity(f)
	if old := x.found[id]; old != nil && old.Preemptions <= f.Preemptions {
		return
	}
	f.Schedule, f.Inputs = slices.Clone(x.schedule), slices.Clone(x.answers)
	x.found[id] = f
	x.ended = x.ended || x.opt.Last != nil && x.opt.Last(f)
}
