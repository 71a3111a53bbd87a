package strategy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"whoop/explore"
	"whoop/explore/delay"
	"whoop/explore/dpor"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
	"whoop/ir/vm"
	"whoop/trace"
)

// Names are the strategies.
var Names = []string{Portfolio, "dfs", "source-dpor", "optimal-dpor", "context-bound",
	"liveness", "delay:rr", "delay:rtc", "delay:prr", "random", Iterated, "pct", "pos", "urw",
	"sample:rr", "sample:rtc", "sample:prr", Walk}

// Walk is the strategy that draws executions in the interpreter.
const Walk = "walk"

// Parallel reports whether several workers can explore by a strategy.
func Parallel(name string) bool { return name == Portfolio || Resumes(name) }

// Resumes reports whether an exploration by a strategy can have a checkpoint.
func Resumes(name string) bool { return name == "dfs" || strings.HasSuffix(name, "-dpor") }

// CountsStates reports whether Options.MaxStates ends a strategy.
func CountsStates(name string) bool {
	return name == "context-bound" || name == "liveness" || strings.HasPrefix(name, "delay:")
}

// Samples reports whether a strategy draws executions, and so never covers all.
func Samples(name string) bool {
	return slices.Contains([]string{"random", Iterated, "pct", "pos", "urw", Walk}, name) ||
		strings.HasPrefix(name, "sample:")
}

// Options say how a program is explored; zero values are the defaults.
type Options struct {
	// Strategy is one of Names.
	Strategy string
	// Roots are the names of a driver's entry points that run beside each other, Init of
	// those that run before them; none: the main function runs. Prepared is what is known
	// of the program, nil: it is looked at.
	Init, Roots []string
	Prepared    *Prepared
	// Bound is the greatest number of preemptions for context-bound, of delays for delay
	// and sample (-1: any), and the depth of bugs for pct (at least 1).
	Bound int
	// Seed makes what is drawn what it is.
	Seed uint64
	// Executions ends the exploration after so many; 0: never, and after DefaultSamples
	// where they are drawn.
	Executions int64
	// MaxStates ends delay, context-bound and liveness after so many states; 0: never.
	MaxStates int64
	// Work ends walk, and an exhaustive strategy that one machine explores, after so many
	// steps of all executions together; 0: never.
	Work int64
	// Quiet tells of accesses that do not race, which are then no events (see
	// vm.CompileQuiet); nil: that is not known of any.
	Quiet func(ir.Instr) bool
	// Observers, of the two DPORs: the order of two writes of one cell counts only where
	// something reads what the last one wrote, or it is there in the end. By one worker,
	// without a checkpoint and without Quiet.
	Observers bool
	// ReadsFrom, of dfs and the two DPORs: Result.Classes is counted. By one worker, without
	// a checkpoint.
	ReadsFrom bool
	// Alike, of delay without a bound: states in which threads have changed places that
	// were started alike are taken for one, where nothing tells these threads apart.
	Alike bool
	// FastOnly: what package vm does not take is not explored.
	FastOnly bool
	// MaxEvents is how long an execution may be, in events of package vm (0: LongDrawn
	// where executions are drawn, else LongSearched).
	MaxEvents int
	// Workers is how many searches explore at a time (0: one), of dfs and the two DPORs.
	// With several, which of the findings comes first may differ.
	Workers int
	// Processes is how many workers there are beside these in other processes, which Start
	// starts; they run Serve with the other end of the connection.
	Processes int
	Start     func() (io.ReadWriteCloser, error)
	// Checkpoint is a directory: an exploration that was left goes on from there, of dfs
	// and the two DPORs. Every is how often it is written (0: every five seconds).
	Checkpoint string
	Every      time.Duration
	// Hot are names of global variables that should not be other than zero for ever, and
	// WeakFairness which executions count, of liveness (see explore.LivenessOptions).
	Hot          []string
	WeakFairness bool
	// KeepGoing: the exploration does not end with the first finding.
	KeepGoing bool
	// Failures: what may fail without need does so, too.
	Failures bool
	// Ignore are kinds of errors that need not be any: an execution that has one is not
	// followed further.
	Ignore []string
	// Stays: other threads go on when main has returned, and those that block for good then
	// are looked for, nothing else; for the strategies of FindsLeaks.
	Stays bool
	// Wanted reports whether an error is looked for, by walk: others and deadlocks are
	// then passed over; nil: all are. NoRaces: walk looks for no data races, which takes
	// less time.
	Wanted  func(*interp.Error) bool
	NoRaces bool
	// Context ends the exploration early; nil: never.
	Context context.Context
	// Progress is told now and then how far the exploration is; nil: nobody is.
	Progress func(Progress)
}

// DefaultSamples is how many executions are drawn where nothing else ends that; LongDrawn
// and LongSearched are how many events executions have at most that are drawn, and those
// of exhaustive strategies, which have one for each turn of a loop.
const (
	DefaultSamples = 10_000
	LongDrawn      = 10_000
	LongSearched   = 1000
)

// Progress is how far an exploration is.
type Progress struct {
	Executions int64
	Total      float64 // an estimate; 0: not known
}

// Result is what an exploration has shown.
type Result struct {
	// Traces show what goes wrong, each thing once, in the order in which it was found.
	Traces []*trace.Trace
	// Findings are what they were made of, but those of before a checkpoint and of walk.
	// Under context-bound, their costs are the least ones.
	Findings []*explore.Finding
	// Complete: nothing else can go wrong within the bound. Reason says why not.
	Complete bool
	Reason   string
	// BoundHit: executions with more preemptions than the bound were left out.
	BoundHit bool
	// Open, of a driver's entry points, is what was not followed; NotBegun: no execution
	// gets to them.
	Open     []ir.Assumption
	NotBegun bool
	// Weak is where the program first asks for an atomic access that is weaker than
	// sequentially consistent, as the executions are; nil where it does nowhere.
	Weak *ir.Pos
	// Doubts: a race was foreseen that the interpreter has never come to. It need not be
	// one, but that there is none was not shown.
	Doubts bool
	// Notes say what was done in another way than asked for.
	Notes []string
	// Executions have come to an end, Redundant ones were cut off since they are
	// equivalent to others, in Stuck ones a thread stands still, at an error or a false
	// assumption, and Deadlocks ended with threads that wait for each other.
	Executions, Redundant, Stuck, Deadlocks int64
	// Unread are those of the Redundant ones that Observers cut off, Alike those of the
	// Executions that differ from others only in what is in memory in the end.
	Unread, Alike int64
	// Classes, with Options.ReadsFrom, is how many of the executions that end, or come to a
	// deadlock, differ in which write some event reads.
	Classes int64
	// Events that were executed, and those of the longest execution; in the interpreter,
	// macro steps. States were visited, where they are told apart (context-bound).
	Events, States int64
	Longest        int
	// Strata counts the executions by their delays, of delay, and by their stratum, of irs.
	Strata []int64
	// Stops counts why workers have stopped, where there are several.
	Stops   dpor.Stops
	sampled bool // a worker in another process has tried a few of arbitrary numbers
}

// Run explores a program. Its errors are about the options, and programs without a main
// function.
func Run(p *ir.Program, opt Options) (*Result, error) {
	if !slices.Contains(Names, opt.Strategy) {
		return nil, fmt.Errorf("there is no strategy %q", opt.Strategy)
	}
	if opt.Observers && (!strings.HasSuffix(opt.Strategy, "-dpor") || len(opt.Roots) > 0 ||
		opt.Workers > 1 || opt.Processes > 0 || opt.Checkpoint != "" || opt.Quiet != nil) {
		return nil, errors.New("observers are for the two DPORs, one worker, no checkpoint and no proofs")
	}
	if opt.ReadsFrom && (!Resumes(opt.Strategy) || len(opt.Roots) > 0 || opt.Workers > 1 ||
		opt.Processes > 0 || opt.Checkpoint != "") {
		return nil, errors.New("classes are counted by dfs and the two DPORs, one worker, no checkpoint")
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	if Samples(opt.Strategy) && opt.Executions == 0 {
		opt.Executions = DefaultSamples
	}
	if opt.MaxEvents == 0 {
		opt.MaxEvents = LongSearched
		if Samples(opt.Strategy) {
			opt.MaxEvents = LongDrawn
		}
	}
	r, err := newRun(p, opt)
	if err != nil {
		return nil, err
	}
	if at, weak := irutil.WeakAtomic(p); weak {
		r.res.Weak = &at
	}
	switch {
	case !r.h.Main:
		return r.res, r.driver()
	case opt.Strategy == "context-bound":
		return r.res, r.exhaustive(opt.Bound)
	case opt.Strategy == "liveness":
		return r.res, r.liveness()
	case strings.HasPrefix(opt.Strategy, "delay:"):
		return r.res, r.delayed()
	case opt.Strategy == Portfolio:
		return r.res, r.portfolio()
	case opt.Strategy == Iterated:
		return r.res, r.iterated()
	case opt.Strategy == Walk:
		return r.res, r.walk()
	}
	return r.res, r.machine()
}

// newRun prepares an exploration.
func newRun(p *ir.Program, opt Options) (*run, error) {
	r := &run{opt: opt, p: p, res: &Result{}, tried: map[any]int{}, known: map[string]bool{}}
	if i := slices.IndexFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" }); len(opt.Roots) > 0 {
		r.start = trace.Trace{Init: opt.Init, Roots: opt.Roots}
	} else if i >= 0 {
		r.main = p.Entries[i]
		r.start = trace.Trace{Main: true, Init: []string{}, Roots: []string{r.main.Name}}
	} else {
		return nil, errors.New("the program has no main function")
	}
	var err error
	if opt.Prepared != nil {
		r.m = opt.Prepared.m
	} else if r.m, err = interp.Compile(p, interp.Config{}); err != nil {
		return nil, err
	}
	if r.main != nil {
		r.h = interp.MainOf(r.main.Func)
		r.h.Stays, r.start.Stays = opt.Stays, opt.Stays
		return r, nil
	}
	r.h, err = r.start.Harness(p)
	return r, err
}

// NumbersTried is why an exploration is not complete that comes to an input of more than
// one bit.
const NumbersTried = "of arbitrary numbers, 0 and 1 alone were tried"

// run is an exploration.
type run struct {
	opt   Options
	p     *ir.Program
	m     *interp.Program
	h     interp.Harness
	main  *ir.Entry   // nil: a driver's entry points run
	start trace.Trace // what executions start with
	res   *Result
	tried map[any]int     // how often what goes wrong was followed in vain; -1: it was confirmed
	known map[string]bool // keys of findings
}

// machine explores with package vm.
func (r *run) machine() error {
	c, err := vm.CompileQuiet(r.p, r.opt.Quiet)
	if err != nil {
		return err
	}
	cfg := vm.Config{Failures: r.opt.Failures, Stays: r.h.Stays, Attempts: !Samples(r.opt.Strategy) && irutil.BlocksInside(r.p) != nil}
	o := dpor.Options{MaxEvents: r.opt.MaxEvents, MaxExecutions: r.opt.Executions, MaxWork: r.opt.Work,
		Context: r.opt.Context, Found: r.found, Observers: r.opt.Observers}
	switch r.opt.Strategy {
	case "dfs":
		o.Algorithm = dpor.DFS
	case "source-dpor":
		o.Algorithm = dpor.Source
	case "optimal-dpor":
		o.Algorithm = dpor.Optimal
	case "random", "pct", "pos", "urw":
		o.Algorithm, cfg.Values = dpor.Sampled, drawnValues
		o.Next, cfg.Draw = chooser(r.opt, newDrawn(r.opt))
	default:
		d := delay.NewSampler(explorer(r.opt), r.opt.Seed, r.opt.Bound)
		cfg.Draw = d.Answer
		o.Algorithm = dpor.Sampled
		o.Next = func(s *dpor.Search, enabled []int) int {
			k, last := s.Len(), -1
			if k > 0 {
				last = s.Thread(k - 1)
			}
			return d.Next(s.Machine(), k, last, enabled)
		}
	}
	if classes := map[uint64]bool{}; r.opt.ReadsFrom {
		stuck := int64(0)
		o.Ended = func(s *dpor.Search) {
			if s.Stuck == stuck {
				classes[s.ReadsFrom()] = true
			}
			stuck, r.res.Classes = s.Stuck, int64(len(classes))
		}
	}
	var from *checkpoint
	if r.opt.Checkpoint != "" {
		if from, err = r.resume(); err != nil {
			return err
		}
	}
	cfg.Names = vm.NewNames(nil)
	if from != nil {
		cfg.Names = vm.NewNames(from.Search.Names)
	}
	var ms []*vm.Machine
	for range max(r.opt.Workers, 1) {
		m, err := vm.New(c, r.main.Func, cfg)
		if err != nil {
			return err
		}
		ms = append(ms, m)
	}
	counts, reason, err := r.searched(c, cfg, ms, o, from)
	if err != nil {
		return err
	}
	for _, m := range ms {
		if why := m.Unsupported(); why != "" && !Samples(r.opt.Strategy) && len(r.res.Traces) == 0 {
			return r.instead(why)
		}
	}
	r.counted(&counts, reason, r.res.sampled ||
		slices.ContainsFunc(ms, (*vm.Machine).Sampled) || from != nil && from.Sampled)
	return nil
}

// probes is how many executions are drawn to estimate how many dfs makes.
const probes = 1000

// searched explores by a search a machine, from a checkpoint if there is one. It tells
// what was done, and why not all was.
func (r *run) searched(c *vm.Program, cfg vm.Config, ms []*vm.Machine, o dpor.Options,
	from *checkpoint) (dpor.Counts, string, error) {
	made := (*dpor.Search).Executions
	if r.opt.Progress != nil {
		o.Progress = func(s *dpor.Search) {
			p := Progress{Executions: made(s)}
			switch {
			case o.Algorithm == dpor.Sampled:
				p.Total = float64(o.MaxExecutions)
			case len(ms) == 1:
				p.Total = s.Estimate()
			}
			r.opt.Progress(p)
		}
	}
	if len(ms) == 1 && r.opt.Checkpoint == "" && r.opt.Processes == 0 {
		if o.Algorithm == dpor.DFS && r.opt.Progress != nil {
			o.Probed = dpor.Probe(ms[0], probes, r.opt.MaxEvents, 1)
		}
		s := dpor.New(ms[0], o)
		s.Run()
		return s.Counts, s.Incomplete, nil
	}
	if r.opt.Checkpoint != "" {
		sampled := from != nil && from.Sampled
		if o.Every = r.opt.Every; o.Every == 0 {
			o.Every = checkpointEvery
		}
		o.Save = func(s *dpor.Snapshot) error {
			return r.save(s, sampled || slices.ContainsFunc(ms, (*vm.Machine).Sampled))
		}
	}
	o.Far = r.foundFar
	pool := dpor.NewPool(ms, o)
	if err := r.join(pool, c, cfg, o); err != nil {
		return dpor.Counts{}, "", err
	}
	if from != nil {
		pool.Resume(&from.Search)
	}
	made = func(*dpor.Search) int64 { return pool.Made() }
	pool.Run()
	if r.opt.Checkpoint != "" && pool.Over() {
		r.forget()
	}
	r.res.Stops = pool.Stops
	r.res.sampled = pool.Sampled()
	return pool.Counts, pool.Incomplete, nil
}

// counted takes over what a search has done, and why it did not explore all; sampled: of
// arbitrary numbers, it has tried a few.
func (r *run) counted(c *dpor.Counts, reason string, sampled bool) {
	x := r.res
	x.Executions, x.Redundant, x.Stuck, x.Deadlocks = c.Executions(), c.Blocked, c.Stuck, c.Deadlocks
	x.Events, x.Longest, x.Unread, x.Alike = c.Events, c.Longest, c.Unread, c.Alike
	switch {
	case x.Reason != "":
	case Samples(r.opt.Strategy) && c.Executions() >= r.opt.Executions:
		x.Reason = "executions were drawn"
	default:
		x.Reason = reason
	}
	if x.Reason == "" {
		x.Reason = r.unconfirmed()
	}
	x.Doubts = r.doubts()
	if x.Reason == "" && sampled && !Samples(r.opt.Strategy) {
		x.Reason = NumbersTried
	}
	x.Complete = x.Reason == ""
}

// unconfirmed tells of a race that was foreseen so often that it was not looked at any
// more.
func (r *run) unconfirmed() string {
	for k, n := range r.tried {
		if k, race := k.(dpor.Key); race && n > maxTries {
			return fmt.Sprintf("a race between %v and %v was foreseen %d times, and confirmed in none of those looked at", pos(k.At), pos(k.At2), n)
		}
	}
	return ""
}

// doubts reports whether something was foreseen and never confirmed.
func (r *run) doubts() bool {
	for _, n := range r.tried {
		if n > 0 {
			return true
		}
	}
	return false
}

// maxTries is how often a race that is foreseen is looked at in the interpreter in vain;
// then ever more seldom.
const maxTries = 20000

// found confirms what a search has come upon, and keeps its trace.
func (r *run) found(s *dpor.Search, f dpor.Found) bool {
	if r.h.Stays && !f.Deadlock {
		return true
	}
	if f.Failure != nil && r.unfollowed(f.Failure.Kind, pos(f.Failure.Src)) {
		return true
	}
	return r.confirm(s.KeyOf(f), f.Failure != nil || f.Deadlock, func() explore.Path { return s.Path(f) })
}

// confirm runs something that goes wrong in the interpreter, and keeps it, unless it is
// known; sure: it is not only foreseen. The answer is whether the search goes on.
func (r *run) confirm(key any, sure bool, path func() explore.Path) bool {
	n := r.tried[key]
	if n < 0 {
		return true
	}
	if r.tried[key]++; n > maxTries && n&(n-1) != 0 {
		return true
	}
	x, err := explore.Follow(r.m, r.h, path())
	if err != nil {
		if sure {
			r.incomplete("internal error, please report it: what goes wrong is not confirmed by the interpreter: %v", err)
		}
		return true
	}
	r.tried[key] = -1
	return r.keep(x)
}

// unfollowed reports whether an error only says that an execution is not followed
// further, and notes that.
func (r *run) unfollowed(k interp.ErrorKind, at ir.Pos) bool {
	switch {
	case k == interp.ErrLimit:
		r.incomplete("%s: an execution exceeds a limit of the machine", at)
	case k == interp.ErrUnknown:
		r.incomplete("%s: executions are followed up to what is not seen: a function that could not be read, or what another unit initialises", at)
	case !r.h.Main && !aboutThreads(k):
		r.open("undefined", at, "an access outside of its object or to freed memory, a division by zero, a call of no function or misuse of a lock: executions are followed up to there")
	case slices.Contains(r.opt.Ignore, string(k)):
		r.incomplete("%s: the lock may be of a kind that allows this (%s), and what follows is not explored", at, k)
	default:
		return false
	}
	return true
}

// incomplete notes why not everything was explored; the first reason counts.
func (r *run) incomplete(format string, args ...any) {
	if r.res.Reason == "" {
		r.res.Reason = fmt.Sprintf(format, args...)
	}
}

// keep makes a trace of a finding; false ends the exploration.
func (r *run) keep(x *explore.Finding) bool {
	if r.known[x.Key()] || r.h.Stays && !leaks(x) {
		return true
	}
	t, err := traceOf(r.m, r.h, x)
	if err != nil {
		r.incomplete("internal error, please report it: %s does not replay: %v", x.Key(), err)
		return true
	}
	r.res.Findings = append(r.res.Findings, x)
	return r.keepTrace(x.Key(), t)
}

// keepTrace keeps the trace of what is called key, if it is the first one; false ends the
// exploration.
func (r *run) keepTrace(key string, t *trace.Trace) bool {
	if r.known[key] {
		return true
	}
	r.known[key] = true
	t.Input, t.Program = r.p.Name, trace.Hash(r.p)
	t.Main, t.Init, t.Roots = r.start.Main, append([]string{}, r.start.Init...), r.start.Roots
	t.Stays = r.start.Stays
	r.res.Traces = append(r.res.Traces, t)
	return r.opt.KeepGoing
}

// exhaustive explores in the interpreter.
func (r *run) exhaustive(bound int) error {
	o := explore.Options{Bound: bound, Cache: true, Values: r.values(),
		Failures: r.opt.Failures, Context: r.opt.Context, MaxStates: int(r.opt.MaxStates)}
	if !r.h.Main {
		o.MaxDepth, o.Tested = r.opt.MaxEvents, r.opt.Prepared.tested
	}
	if r.h.Stays {
		o.Last = func(f *explore.Finding) bool { return !r.opt.KeepGoing && leaks(f) }
	} else if !r.opt.KeepGoing {
		o.Last = func(f *explore.Finding) bool { return f.Err == nil || !r.unfollowed(f.Err.Kind, f.Err.Pos) }
	}
	if r.opt.Progress != nil {
		o.Progress = func(n int) { r.opt.Progress(Progress{Executions: int64(n)}) }
	}
	x, err := explore.Exhaustive(r.m, r.h, o)
	if err != nil {
		return err
	}
	r.res.Executions, r.res.States, r.res.Longest = int64(x.Executions), int64(x.States), x.Depth
	for _, f := range x.Findings {
		if f.Err != nil && r.unfollowed(f.Err.Kind, f.Err.Pos) {
			continue
		}
		r.keep(f)
	}
	for _, w := range x.Waits {
		r.open("waits", w.At(), "a wait that another entry point may end is not taken for a deadlock")
	}
	r.res.NotBegun = !x.Begun && x.Complete
	switch {
	case !x.Complete:
		r.incomplete("%s", x.Reason)
	case x.Sampled:
		r.incomplete("%s", r.numbersTried())
	}
	r.res.Complete, r.res.BoundHit = r.res.Reason == "", x.BoundHit
	return nil
}

func pos(src any) ir.Pos {
	switch x := src.(type) {
	case ir.Instr:
		return x.At()
	case ir.Term:
		return x.At()
	}
	return ir.Pos{}
}
