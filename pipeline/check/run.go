package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whoop/diag"
	"whoop/internal/live"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/pipeline/memcleanup"
)

// Options say what is asked and how much may be spent.
type Options struct {
	Property Property
	// Timeout bounds the whole (0: none).
	Timeout time.Duration
	// Yields is as for bmc: all, epp or mr (default).
	Yields string
	// RoundsOnly is as for bmc.
	LalRepsOnly bool
	// CSB bounds the preemptions, Unroll the iterations that are tried at last; 0: they
	// grow until the answer is known.
	CSB, Unroll int
	// Asserted: the program has an assertion before every operation that may overflow
	// (see frontend/c.Options.Overflow), which no-overflow is about.
	Asserted bool
	// Engines are those that are asked: verify, absint, invariants, bmc; empty: all.
	Engines []string
	// Brief: of the ways to go over states, only one is tried, within few states.
	Brief bool
	// Memory bounds the solvers' memory in MiB (0: a default).
	Memory uint
	// Heap, where not 0, is how many bytes may be alive while states are gone through.
	Heap uint64
	// Flags are what the program was loaded with, for traces.
	Flags []string
}

// Step is what one engine was asked and said.
type Step struct {
	Engine, Outcome string
	Seconds         float64
}

// Result is the answer.
type Result struct {
	Property Property
	// Answer is "TRUE", "FALSE" or "UNKNOWN"; Reason says why it is not known.
	Answer, Reason string
	// Bug is what was found, nil where the answer is not FALSE.
	Bug *diag.Bug
	// Assumptions are what a proof rests on.
	Assumptions []ir.Assumption
	Steps       []Step
}

// Verdict is the line that competitions read.
func (r *Result) Verdict() string {
	switch r.Answer {
	case "FALSE":
		return fmt.Sprintf("FALSE(%s)", r.violated())
	case "TRUE":
		return "TRUE"
	}
	return fmt.Sprintf("UNKNOWN(%s)", r.Reason)
}

// violated is the property that does not hold; of valid-memsafety, which part.
func (r *Result) violated() string {
	if r.Property != MemSafety {
		return string(r.Property)
	}
	if r.Bug != nil && r.Bug.Kind == memcleanup.Tag {
		return "valid-memtrack"
	}
	if r.Bug != nil && (r.Bug.Kind == "invalid-free" || r.Bug.Kind == "double-free") {
		return "valid-free"
	}
	return "valid-deref"
}

// ExitStatus is 0 for TRUE, 1 for FALSE, 3 for UNKNOWN.
func (r *Result) ExitStatus() int {
	switch r.Answer {
	case "FALSE":
		return 1
	case "TRUE":
		return 0
	}
	return 3
}

// kinds are the bugs that violate a property.
var kinds = map[Property][]string{Unreach: {"reach_error"}, DataRace: {"race"}, Deadlock: {"deadlock", "double-lock"}, MemSafety: {pipeline.Memory},
	Overflow: {"overflow", "overflow-unclear"}, MemCleanup: {memcleanup.Tag, memcleanup.TagUnclear}, Termination: {"deadlock", "double-lock"}}

// kindsOf are the bugs that are looked for in a program. Where it allocates memory, that
// this is freed is part of its safety, which an execution without end says nothing of.
func kindsOf(prop Property, p *ir.Program) []string {
	if prop == MemSafety && memcleanup.Instrumented(p) {
		return []string{pipeline.Memory, memcleanup.Tag, memcleanup.TagUnclear, "deadlock", "double-lock"}
	}
	return kinds[prop]
}

// run is a question under way.
type run struct {
	ctx   context.Context
	p     *ir.Program
	opt   Options
	res   *Result
	facts *diag.Report
	gaps  []string // why proofs have gaps
	// waits: the program is one with spurious wake-ups, which are these operations.
	waits map[ir.Instr]bool
	// kinds are the bugs that are looked for; doubt is why there is no TRUE any more, ""
	// where there may be.
	kinds []string
	doubt string
	// walked: runs by chance were made.
	walked bool
	// unfollowed: abstract interpretation does not get to the assertions.
	unfollowed bool
	// stepped: lockstep was asked.
	stepped bool
	// clean: a bug that depends on code not seen was found already; others are looked
	// for.
	clean bool
}

// Run asks the engines for the property. Errors are about programs and options that
// cannot be used.
func Run(ctx context.Context, p *ir.Program, opt Options) (*Result, error) {
	if !slices.ContainsFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" }) {
		return nil, fmt.Errorf("%s has no main function: properties are of programs, whoop verify and whoop bmc check drivers", p.Name)
	}
	if opt.Yields == "" {
		opt.Yields = "mr"
	}
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.Timeout, &pipeline.TimeUp{Limit: opt.Timeout})
		defer cancel()
	}
	r := &run{ctx: ctx, p: p, opt: opt, res: &Result{Property: opt.Property, Answer: "UNKNOWN"}, gaps: gaps(p.Assumptions), kinds: kindsOf(opt.Property, p)}
	if r.res.Reason = r.unasked(); r.res.Reason != "" {
		return r.res, nil
	}
	if r.trivial() {
		return r.res, nil
	}
	for _, a := range p.Assumptions {
		woken := a.Kind == "woken" && (opt.Property == Deadlock || opt.Property == Termination)
		// executions are left out, and others are there that may not be
		if a.Kind == "unmodelled" || a.Kind == "initialiser" || woken {
			r.res.Reason = fmt.Sprintf("%s: %s", a.Pos, oneLine(a.Text))
			return r.res, nil
		}
	}
	for _, ask := range []func() error{r.verify, r.stroll, r.abstract, r.states, r.bounded} {
		err := ask()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
			r.late(ctx)
			return r.res, nil
		}
		if err != nil || r.res.Answer != "UNKNOWN" {
			return r.res, err
		}
	}
	if ctx.Err() != nil {
		r.late(ctx)
	}
	return r.res, nil
}

// late makes the reason of an UNKNOWN that the time is up, or the run was interrupted;
// what was known by then follows.
func (r *run) late(ctx context.Context) {
	why := pipeline.Ended(ctx)
	if before := r.res.Reason; before != "" && !strings.Contains(before, why) {
		why += "; by then: " + before
	}
	r.res.Reason = why
}

func (r *run) wants(engine string) bool {
	return len(r.opt.Engines) == 0 || slices.Contains(r.opt.Engines, engine)
}

// unasked says why nothing is asked; "" where something is.
func (r *run) unasked() string {
	switch {
	case r.kinds == nil:
		return fmt.Sprintf("no engine answers %s yet", r.opt.Property)
	case r.opt.Property == Overflow && !r.opt.Asserted:
		return "the program was loaded without the assertions that its operations do not overflow"
	case r.opt.Property == MemCleanup && memcleanup.Allocates(r.p) && !memcleanup.Instrumented(r.p):
		return "the program was loaded without the assertions that its memory is freed"
	case r.opt.Property == Termination && waiting(r.p):
		return "an execution may be one of wake-ups without end"
	}
	return ""
}

// proved answers TRUE, or says what the proof lacks.
func (r *run) proved(assumptions []ir.Assumption) {
	if g := gaps(assumptions); len(g) > 0 {
		r.gaps = g
	}
	r.res.Assumptions = assumptions
	if r.doubt != "" {
		r.res.Reason = r.doubt
		return
	}
	if len(r.gaps) > 0 {
		r.res.Reason = "no violation, but the proof has gaps: " + r.gaps[0]
		return
	}
	r.res.Answer, r.res.Reason = "TRUE", ""
}

// begin says which engine works from now on, and when that is.
func (r *run) begin(engine string) time.Time {
	live.On(r.ctx).Engine(engine, "")
	return time.Now()
}

func (r *run) step(engine, outcome string, start time.Time) {
	r.res.Steps = append(r.res.Steps, Step{Engine: engine, Outcome: outcome, Seconds: time.Since(start).Seconds()})
}

// trivial answers where nothing in the program can violate the property.
func (r *run) trivial() bool {
	if r.opt.Property != Unreach && r.opt.Property != Overflow && r.opt.Property != MemCleanup {
		return false
	}
	for _, f := range r.p.Funcs {
		if f.Unknown != "" {
			return false
		}
		for in := range f.Instrs() {
			if a, ok := in.(*ir.Assert); ok && slices.Contains(r.kinds, a.Tag) {
				return false
			}
		}
	}
	r.step("syntax", "nothing to violate", time.Now())
	r.proved(r.p.Assumptions)
	return r.res.Answer == "TRUE"
}

// verify proves race-freedom, and what bmc may leave out. It may take a third of the time
// at most.
func (r *run) verify() error {
	if !r.wants("verify") && r.opt.Yields == "all" {
		return nil
	}
	start := r.begin("verify")
	ctx := r.ctx
	o := pipeline.Options{Jobs: jobs(r.p), QueryTimeout: 10 * time.Second, ProveLockUsage: true}
	if r.opt.Timeout > 0 {
		o.Timeout = r.opt.Timeout / 3
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.opt.Timeout/3+2*time.Second)
		defer cancel()
	}
	facts, err := pipeline.Prove(ctx, r.p, o)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if err != nil {
		r.step("verify", "no end within its time", start)
		r.opt.Yields = "all"
		return r.ctx.Err()
	}
	r.facts = facts
	r.step("verify", string(facts.Verdict), start)
	if r.opt.Property == DataRace && facts.Proved() && r.wants("verify") {
		r.proved(facts.Assumptions)
	}
	return nil
}

// jobs is how many entries verify looks at at once. Each needs a context of Z3, which
// costs more than a small entry does, unless it has the memory of the one before.
func jobs(p *ir.Program) int {
	n := 0
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			n += len(b.Instrs)
		}
	}
	if n < 4000 {
		return 1
	}
	return 2
}

// bound is a rung of the ladder that bmc climbs.
type bound struct{ csb, unroll, visible, spawns int }

var ladder = []bound{{1, 1, 1, 2}, {2, 2, 5, 3}, {3, 3, 8, 4}, {4, 5, 12, 6}, {5, 8, 20, 10}, {7, 12, 30, 20}, {9, 20, 50, 30}, {12, 40, 100, 60}, {16, 100, 200, 60}}

// rungs are those of the ladder, within the bounds that the user gave: up to the one with
// so many iterations, and all with the csb that was asked for.
func (o *Options) rungs() []bound {
	top := len(ladder) - 1
	if o.Unroll > 0 {
		if i := slices.IndexFunc(ladder, func(b bound) bool { return b.unroll >= o.Unroll }); i >= 0 {
			top = i
		}
	}
	var out []bound
	for i, b := range ladder {
		if i >= top && o.Unroll > 0 { // from here on csb alone grows
			t := ladder[top]
			b.unroll, b.visible, b.spawns = o.Unroll, t.visible, t.spawns
		}
		b.csb = cmp.Or(o.CSB, b.csb)
		out = append(out, b)
		if o.CSB > 0 && i == top {
			break
		}
	}
	return out
}

// bounded climbs the ladder until there is a bug, or a proof that there is none.
func (r *run) bounded() error {
	if !r.wants("bmc") {
		r.res.Reason = "not proved by the engines that were asked"
		if err := r.walks(); err != nil || r.res.Answer != "UNKNOWN" {
			return err
		}
		if err := r.lockstep(); err != nil || r.res.Answer != "UNKNOWN" {
			return err
		}
		if err := r.invariants(); err != nil || r.res.Answer != "UNKNOWN" {
			return err
		}
		return r.statesBy(lateEffort)
	}
	rungs := r.opt.rungs()
	if r.opt.CSB == 0 && r.opt.Unroll == 0 && r.wants("invariants") && (r.abstractable() || r.raceable()) && !r.unfollowed {
		done, next, err := r.glance(rungs[0])
		if err != nil || r.res.Answer != "UNKNOWN" {
			return err
		}
		reason := r.res.Reason
		if err := r.walks(); err != nil || r.res.Answer != "UNKNOWN" {
			return err
		}
		if err := r.lockstep(); err != nil || r.res.Answer != "UNKNOWN" {
			return err
		}
		if err := r.invariants(); err != nil || r.res.Answer != "UNKNOWN" {
			return err
		}
		r.res.Reason = reason
		if done {
			return r.statesBy(lateEffort)
		}
		rungs = rungs[next:]
	}
	rungs, err := r.firstRungs(rungs)
	if err != nil || rungs == nil {
		return err
	}
	if err := r.walks(); err != nil || r.res.Answer != "UNKNOWN" {
		return err
	}
	if err := r.lockstep(); err != nil || r.res.Answer != "UNKNOWN" {
		return err
	}
	if err := r.statesBy(lateEffort); err != nil || r.res.Answer != "UNKNOWN" {
		return err
	}
	for i := 0; i < len(rungs); i++ {
		done, again, err := r.rung(rungs[i])
		if done || err != nil {
			return err
		}
		if again {
			i--
		}
	}
	return nil
}

// maxGlance bounds the first look by bmc.
const maxGlance = 4 * time.Second

// glance is the first rung within an eighth of the time, or maxGlance: most bugs show
// there. It says with which rung to go on: the same, where the time did not suffice.
func (r *run) glance(b bound) (done bool, next int, err error) {
	limit := maxGlance
	if r.opt.Timeout > 0 {
		limit = min(limit, r.opt.Timeout/8)
	}
	return r.within(b, limit)
}

// firstRungs climbs within a fifth of the time, or maxGlance: small programs are decided
// soon. It returns the rungs that are left, none where no more is to be asked.
func (r *run) firstRungs(rungs []bound) ([]bound, error) {
	if !r.stateful() || r.opt.CSB > 0 || r.opt.Unroll > 0 {
		return rungs, nil
	}
	limit := maxGlance
	if r.opt.Timeout > 0 {
		limit = r.opt.Timeout / 5
	}
	clock := worked // by which time is measured; see limited
	if r.opt.Timeout > 0 {
		start := time.Now()
		clock = func() time.Duration { return time.Since(start) }
	}
	for end := clock() + limit; len(rungs) > 0 && clock() < end; {
		done, next, err := r.within(rungs[0], end-clock())
		if err != nil || r.res.Answer != "UNKNOWN" {
			return nil, err
		}
		if done {
			return []bound{}, nil
		}
		if next == 0 {
			break
		}
		rungs = rungs[next:]
	}
	return rungs, nil
}

// within asks about a rung within a limit; see glance.
func (r *run) within(b bound, limit time.Duration) (done bool, next int, err error) {
	whole := r.ctx
	ctx, cancel := r.limited(limit)
	defer cancel()
	r.ctx = ctx
	done, again, err := r.rung(b)
	r.ctx = whole
	switch {
	case ctx.Err() != nil && whole.Err() == nil && r.res.Answer == "UNKNOWN":
		return false, 0, nil
	case again:
		return false, 0, err
	}
	return done, 1, err
}

// rung asks bmc within a bound; again: for something else within the same one.
func (r *run) rung(b bound) (done, again bool, err error) {
	start := r.begin("bmc")
	o := pipeline.BMCOptions{CSB: b.csb, Unroll: b.unroll, Visible: b.visible, Spawns: b.spawns, Yields: r.opt.Yields, Properties: r.kinds, FirstBug: true, Clean: r.clean, Unbounded: r.opt.CSB == 0, LalRepsOnly: r.opt.LalRepsOnly,
		Undrawn: true, Waits: r.waits, Memory: r.opt.Memory, Flags: r.opt.Flags, Facts: r.facts}
	o.Jobs = 1
	rep, err := pipeline.CheckProgram(r.ctx, r.p, o)
	if err != nil {
		return true, false, err
	}
	x := rep.Runs[0]
	r.step(fmt.Sprintf("bmc csb=%d unroll=%d", b.csb, b.unroll), string(x.Answer)+" "+x.Reason, start)
	switch {
	case len(x.Bugs) > 0:
		again = r.bug(&x.Bugs[0])
		return !again, again, nil
	case x.Whole():
		if x.Spun && (r.opt.Property == Termination || r.opt.Property == MemSafety && memcleanup.Instrumented(r.p)) {
			r.doubt = cmp.Or(r.doubt, "a thread may wait in a loop for ever")
		}
		return true, false, r.none(append(slices.Clone(rep.Assumptions), x.Assumptions...))
	case x.Reason != "":
		r.res.Reason = oneLine(cmp.Or(r.doubt, x.Reason))
		return true, false, nil
	}
	// a greater bound says the same
	if x.Exhaustive && x.Unrolled && len(x.Assumptions) > 0 && !slices.ContainsFunc(x.Assumptions, func(a ir.Assumption) bool { return a.Kind == "threads" }) {
		r.res.Reason = cmp.Or(r.doubt, fmt.Sprintf("no violation, but %s: %s", x.Assumptions[0].Pos, oneLine(x.Assumptions[0].Text)))
		return true, false, nil
	}
	r.res.Reason = cmp.Or(r.doubt, fmt.Sprintf("no bug within csb=%d, unroll=%d", b.csb, b.unroll))
	if len(x.Assumptions) > 0 && r.doubt == "" {
		r.res.Reason += fmt.Sprintf(": %s: %s", x.Assumptions[0].Pos, x.Assumptions[0].Text)
	}
	// the rungs above would say the same
	return r.opt.CSB > 0 && b.unroll == r.opt.Unroll && !x.Shallow, false, nil
}

// bug answers FALSE where the bug is one for sure; again: another one may be.
func (r *run) bug(b *diag.Bug) (again bool) {
	switch {
	case r.doubtful(b) != "":
		r.doubt = r.doubtful(b)
		r.kinds = slices.DeleteFunc(slices.Clone(r.kinds), func(k string) bool { return k == b.Kind })
		if again = len(r.kinds) > 0; !again {
			r.res.Reason = r.doubt
		}
		return again
	case len(b.Guesses) > 0:
		r.doubt = fmt.Sprintf("a violation that depends on what code not seen does at %s", b.Guesses[0])
		if r.clean { // not all such values are known to bmc
			r.res.Reason = r.doubt
			return false
		}
		r.clean = true
		return true
	default:
		r.res.Answer, r.res.Bug = "FALSE", b
	}
	return false
}

// doubtful says why a bug is none of the property for sure, though there is no TRUE with
// it; "" where it is one.
func (r *run) doubtful(b *diag.Bug) string {
	stuck := b.Kind == "deadlock" || b.Kind == "double-lock"
	switch {
	case b.Kind == "overflow-unclear":
		return fmt.Sprintf("an operation at %s has no result: %s", b.Place.Pos, b.Message)
	case b.Kind == memcleanup.TagUnclear:
		return fmt.Sprintf("the program may end at %s with memory that is not freed", b.Place.Pos)
	case b.Kind == memcleanup.Tag && r.opt.Property == MemSafety && len(b.Lost) == 0:
		return fmt.Sprintf("memory that is not freed at the end (%s) is reachable, or may be", b.Place.Pos)
	case stuck && r.opt.Property == MemSafety:
		return "memory may be lost in an execution that waits for ever"
	case stuck && r.opt.Property == Termination:
		return "an execution waits for ever"
	}
	return ""
}

// none answers TRUE where bmc has seen all executions, and nothing is missing.
func (r *run) none(assumptions []ir.Assumption) error {
	if why := beyond(r.p); r.opt.Property == MemSafety && why != "" {
		r.res.Reason = "no invalid access was found, but " + why + ": that is not followed"
		return nil
	}
	r.proved(assumptions)
	if r.res.Answer == "TRUE" && r.waits == nil {
		return r.withSpurious(r.ctx)
	}
	return nil
}

// oneLine makes a reason fit the verdict's line.
func oneLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// harmless are the assumptions that a verdict may rest on: those that are always made,
// that a task is a whole program, and those that add executions and leave none out.
var harmless = map[string]bool{"whole-program": true, "memory-safety": true, "lock-discipline": true, "memory-model": true, "address-stability": true,
	"spawn-target": true, "callback-target": true, "woken": true, "failing-call": true}

// gaps are the reasons why a proof under the assumptions does not count.
func gaps(as []ir.Assumption) []string {
	var out []string
	for _, a := range as {
		if !harmless[a.Kind] {
			out = append(out, fmt.Sprintf("%s at %s: %s", a.Kind, a.Pos, oneLine(a.Text)))
		}
	}
	return out
}
