package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"whoop/diag"
	"whoop/explore/strategy"
	"whoop/internal/live"
	"whoop/ir"
	"whoop/trace"
)

// Before formulas are made of a program with a main function, glanceStates of its states
// are gone through; while the solvers work, one more for each workPerState of their units
// of work. Both are about half of the time then. No more than mostStates are remembered,
// and the bugs with few preemptions are looked for in boundedStates. Times decide
// nothing: the answer is the same on every machine. Where one bug is enough, formulas
// mostly show it at once: only firstStates come before them, and the others of the glance
// where they show none.
const (
	glanceStates  = 150_000
	firstStates   = 5_000
	workPerState  = 40
	mostStates    = 4_000_000
	boundedStates = 150_000
	longestEvents = 5_000
)

// states goes through all states of a program with a main function, in steps. Where it
// comes to the end, that is the answer to all that bmc asks, without bounds: there is no
// bug, or those there are; then executions within the bound tell how many preemptions
// each takes. What is not exactly so is not answered (see exactly). A nil *states answers
// nothing.
type states struct {
	p      *ir.Program
	j      *job
	opt    BMCOptions
	ctx    context.Context
	cancel context.CancelFunc
	next   func() (uint64, bool)
	end    func()
	seen   uint64 // states so far
	over   bool
	res    *strategy.Result
	answer *diag.Run // nil: not known
}

// newStates prepares the search; nil where it would not answer.
func newStates(ctx context.Context, p *ir.Program, j *job, opt BMCOptions) *states {
	if !j.h.Main || opt.FormulasOnly || opt.LalRepsOnly || opt.Rounds > 0 || opt.Waits != nil || opt.Clean || opt.Unbounded ||
		slices.Contains(opt.Properties, Memory) || slices.Contains(opt.Properties, Leak) || !exactly(p) {
		return nil
	}
	x := &states{p: p, j: j, opt: opt}
	x.ctx, x.cancel = context.WithCancel(ctx)
	x.next, x.end = iter.Pull(x.run)
	return x
}

// exactly reports whether the machine that goes through the states does exactly what the
// program does: no code is called that is not seen, and none at which an execution stops.
func exactly(p *ir.Program) bool {
	return allSeen(p) && !slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool {
		return anyInstr(f, func(in ir.Instr) bool {
			c, ok := in.(*ir.Call)
			if !ok {
				return false
			}
			a, ok := c.Callee.(ir.FuncAddr)
			return ok && len(a.Func.Blocks) == 0
		})
	})
}

// allSeen reports whether no instruction stands for code that is not seen: the machine
// goes on behind a function without a body as if it did nothing.
func allSeen(p *ir.Program) bool {
	return len(bodiless(p)) == 0 && !slices.ContainsFunc(p.Assumptions,
		func(a ir.Assumption) bool { return a.Kind == "extern-call" || a.Kind == "unknown" }) &&
		!slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool {
			return anyInstr(f, func(in ir.Instr) bool {
				t, ok := in.(*ir.Touch)
				return ok && (t.Deep || t.Write || t.Perhaps)
			})
		})
}

// bodiless are the functions without a body whose addresses the entry points may come
// to: what is called, started as a thread or run at its end, by whatever way.
func bodiless(p *ir.Program) []*ir.Func {
	var out []*ir.Func
	funcs, globals := map[*ir.Func]bool{}, map[*ir.Global]bool{}
	var visit func(e ir.Expr)
	enter := func(f *ir.Func) {
		if f == nil || funcs[f] {
			return
		}
		if funcs[f] = true; len(f.Blocks) == 0 {
			out = append(out, f)
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, e := range ir.Operands(in) {
					if !stops(in, e) {
						visit(e)
					}
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				visit(e)
			}
		}
	}
	visit = func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			switch e := e.(type) {
			case ir.FuncAddr:
				enter(e.Func)
			case ir.GlobalAddr:
				if !globals[e.Global] {
					globals[e.Global] = true
					for _, c := range e.Global.Init {
						visit(c.Value)
					}
				}
			}
			return true
		})
	}
	for _, e := range p.Entries {
		enter(e.Func)
	}
	return out
}

// passedOver says of the functions without a body that they may be run as if they did
// nothing.
func passedOver(p *ir.Program) []ir.Assumption {
	var out []ir.Assumption
	for _, f := range bodiless(p) {
		out = append(out, ir.Assumption{Kind: "extern-call", Pos: f.Pos,
			Text: f.Title() + " has no body: its result is arbitrary, and it changes nothing"})
	}
	return out
}

// stops reports whether an operand of an instruction is what it calls, of which the
// machine knows that it is not understood: it goes on behind no such call.
func stops(in ir.Instr, e ir.Expr) bool {
	c, isCall := in.(*ir.Call)
	f := ir.FuncOf(e)
	return isCall && f != nil && f == ir.FuncOf(c.Callee) && len(f.Blocks) == 0 && f.Unknown != ""
}

// wakeUps is the assumption about programs of C that wait for a condition variable, which
// may wake up by itself: executions where it does are not among those that are run.
func wakeUps(p *ir.Program) []ir.Assumption {
	if !wakesUp(p) {
		return nil
	}
	return []ir.Assumption{{Kind: "wake-up", Text: "a thread that waits for a condition variable wakes up when it is signalled, and never by itself"}}
}

func wakesUp(p *ir.Program) bool {
	return !p.TypeSafe && slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool {
		return anyInstr(f, func(in ir.Instr) bool { _, ok := in.(*ir.CondWait); return ok })
	})
}

// anyInstr reports whether a function has such an instruction.
func anyInstr(f *ir.Func, such func(ir.Instr) bool) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool { return slices.ContainsFunc(b.Instrs, such) })
}

// run is the search; it yields how many states it has seen now and then.
func (x *states) run(yield func(uint64) bool) {
	n, going := uint64(0), true
	board := live.On(x.ctx)
	x.res = x.explore("delay:rr", -1, mostStates, func() {
		board.Add("states", 1024)
		if n += 1024; going && !yield(n) {
			going = false
			x.cancel()
		}
	})
}

// explore runs a strategy; nil where it cannot.
func (x *states) explore(name string, bound int, most int64, progress func()) *strategy.Result {
	o := strategy.Options{Strategy: name, Bound: bound, MaxStates: most,
		MaxEvents: longestEvents, KeepGoing: true, FastOnly: true, Alike: true,
		Failures: x.opt.Failures, Context: x.ctx, Progress: func(strategy.Progress) { progress() }}
	if may := x.j.may; x.j.facts && may != nil &&
		(x.opt.Yields == "mr" || x.opt.Yields == "epp" && x.j.proved) {
		o.Quiet = func(in ir.Instr) bool { return !atomic(in) && !may[in] }
	}
	if looseLocks(x.p) {
		o.Ignore = []string{"double-lock", "unlock-not-held"}
	}
	r, err := strategy.Run(x.p, o)
	if err != nil {
		return nil
	}
	return r
}

// glance is how many states are gone through before formulas are made.
func glance(opt BMCOptions) uint64 {
	if opt.FirstBug {
		return firstStates
	}
	return glanceStates
}

// open reports whether the search goes on.
func (x *states) open() bool { return x != nil && !x.over }

// stop ends the search.
func (x *states) stop() {
	if x != nil {
		x.cancel()
		x.end()
	}
}

// search goes on until so many states were seen; the answer is nil where it is not known.
func (x *states) search(most uint64) *diag.Run {
	for x.open() && x.seen < most {
		n, more := x.next()
		if x.seen = n; !more {
			x.over = true
			x.answer = x.settle()
		}
	}
	if x == nil {
		return nil
	}
	return x.answer
}

// settle is what the search has shown; nil where that is no answer.
func (x *states) settle() *diag.Run {
	if x.res == nil || !x.res.Complete || x.res.Doubts {
		return nil
	}
	run := &diag.Run{Threads: x.j.names, CSB: x.opt.CSB, AllRounds: true, Exhaustive: true, Unrolled: true,
		Proved: x.j.proved && x.opt.Yields != "all", Counters: map[string]int{"states": int(x.res.States)}}
	run.Assumptions = append(slices.Clone(x.j.open), unfollowed(x.p)...)
	if len(x.res.Traces) == 0 {
		x.j.oneLayout(x.p, run)
		return run
	}
	if !x.reported(x.res) {
		return nil
	}
	within := x.within()
	if within == nil {
		return nil
	}
	if !x.show(run, within, false) || !x.show(run, x.res, true) {
		return nil
	}
	if x.opt.FirstBug && len(run.Bugs) > 1 {
		run.Bugs = run.Bugs[:1]
	}
	return run
}

// within are executions within the bound: of the smallest bound that shows all that goes
// wrong, so that each takes as few preemptions as it can. It is nil where that is not
// known.
func (x *states) within() *strategy.Result {
	for bound := 0; ; bound++ {
		r := x.explore("context-bound", bound, boundedStates, func() {})
		if r == nil || !r.Complete && r.Reason != strategy.NumbersTried || !x.reported(r) {
			return nil // numbers: no state depends on one
		}
		if bound >= x.opt.CSB || !slices.ContainsFunc(x.res.Traces,
			func(t *trace.Trace) bool { return !shows(r.Traces, t) }) {
			return r
		}
	}
}

// shows reports whether one of the traces shows what another one does.
func shows(traces []*trace.Trace, t *trace.Trace) bool {
	return slices.ContainsFunc(traces, func(o *trace.Trace) bool {
		switch {
		case o.Bug.Kind != t.Bug.Kind:
			return false
		case t.Bug.Kind == "deadlock":
			return true
		case t.Bug.Kind == "race":
			return o.Bug.At == t.Bug.At && o.Bug.AtToo == t.Bug.AtToo ||
				o.Bug.At == t.Bug.AtToo && o.Bug.AtToo == t.Bug.At
		}
		return o.Bug.At == t.Bug.At
	})
}

// reported reports whether all that goes wrong are bugs that bmc knows, and no executions
// that it cuts.
func (x *states) reported(r *strategy.Result) bool {
	return !slices.ContainsFunc(r.Traces, func(t *trace.Trace) bool { return !slices.Contains(Properties, t.Bug.Kind) })
}

// show adds what was found to the bugs of a run, but what it has already; beyond: it
// takes more preemptions than the bound. It is false where a bug depends on what is not
// known.
func (x *states) show(run *diag.Run, r *strategy.Result, beyond bool) bool {
	var order []int
	for i := range r.Traces {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Findings[a].Preemptions, r.Findings[b].Preemptions) })
	var bugs []diag.Bug
	for _, i := range order {
		t, f := r.Traces[i], r.Findings[i]
		if len(x.opt.Properties) > 0 && !slices.Contains(x.opt.Properties, t.Bug.Kind) || has(run.Bugs, t) || has(bugs, t) {
			continue
		}
		t.Options = append([]string{}, x.opt.Flags...)
		b, err := Confirmed(x.p, t)
		if err != nil || len(b.Guesses) > 0 {
			return false
		}
		switch {
		case f.Race != nil:
			x.describe(b, f.Race.First.Instr, f.Race.Second.Instr)
		case f.Err != nil && f.Err.Func != nil:
			b.Place.Function = f.Err.Func.Name
		}
		if !beyond {
			b.CSB = f.Preemptions
		} else {
			b.CSB, run.Exhaustive = max(b.Preemptions, x.opt.CSB+1), false
		}
		bugs = append(bugs, *b)
	}
	slices.SortStableFunc(bugs, func(a, b diag.Bug) int {
		return cmp.Or(cmp.Compare(a.CSB, b.CSB), cmp.Compare(slices.Index(Properties, a.Kind), slices.Index(Properties, b.Kind)),
			ir.Pos.Compare(a.Place.Pos, b.Place.Pos), ir.Pos.Compare(a.Other.Pos, b.Other.Pos))
	})
	run.Bugs = append(run.Bugs, bugs...)
	return true
}

// has reports whether bugs are at the places of a trace's; of deadlocks, one is enough.
func has(bugs []diag.Bug, t *trace.Trace) bool {
	at, too := t.Bug.At.Pos(), t.Bug.AtToo.Pos()
	return slices.ContainsFunc(bugs, func(b diag.Bug) bool {
		switch {
		case b.Kind != t.Bug.Kind:
			return false
		case b.Kind == "deadlock":
			return true
		case b.Kind == "race":
			return b.Place.Pos == at && b.Other.Pos == too || b.Place.Pos == too && b.Other.Pos == at
		}
		return b.Place.Pos == at
	})
}

// describe says of a race what the trace does not: its functions, and operations that are
// more than accesses.
func (x *states) describe(b *diag.Bug, first, second ir.Instr) {
	b.Place.Function, b.Other.Function = functionOf(x.p, first), functionOf(x.p, second)
	b.Message = ""
	if op, other := ir.OperationOf(first), ir.OperationOf(second); op != "" && other != "" {
		b.Message = fmt.Sprintf("%s beside %s", op, other)
	}
}

func functionOf(p *ir.Program, in ir.Instr) string {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			if slices.Contains(b.Instrs, in) {
				return f.Name
			}
		}
	}
	return ""
}
