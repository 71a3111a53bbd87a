package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"whoop/diag"
	"whoop/ir"
	"whoop/pipeline"
)

// Options say what is asked and how much may be spent.
type Options struct {
	Property Property
	// Timeout bounds the whole (0: none).
	Timeout time.Duration
	// Yields is as for bmc: all, epp or mr (default).
	Yields string
	// RoundsOnly is as for bmc.
	RoundsOnly bool
	// CSB bounds the preemptions, Unroll the iterations that are tried at last; 0: they grow until the answer is known.
	CSB, Unroll int
	// Engines are those that are asked: verify, bmc; empty: all.
	Engines []string
	// Memory bounds the solvers' memory in MiB (0: a default).
	Memory uint
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
var kinds = map[Property][]string{Unreach: {"reach_error"}, DataRace: {"race"}, Deadlock: {"deadlock", "double-lock"}, MemSafety: {pipeline.Memory}}

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
}

// Run asks the engines for the property. Errors are about programs and options that cannot be used.
func Run(ctx context.Context, p *ir.Program, opt Options) (*Result, error) {
	if !slices.ContainsFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" }) {
		return nil, fmt.Errorf("%s has no main function: properties are of programs, whoop verify and whoop bmc check drivers", p.Name)
	}
	if opt.Yields == "" {
		opt.Yields = "mr"
	}
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.Timeout)
		defer cancel()
	}
	r := &run{ctx: ctx, p: p, opt: opt, res: &Result{Property: opt.Property, Answer: "UNKNOWN"}, gaps: gaps(p.Assumptions)}
	if kinds[opt.Property] == nil {
		r.res.Reason = fmt.Sprintf("no engine answers %s yet", opt.Property)
		return r.res, nil
	}
	if r.trivial() {
		return r.res, nil
	}
	for _, a := range p.Assumptions {
		if a.Kind == "unmodelled" { // executions are left out, and others are there that may not be
			r.res.Reason = fmt.Sprintf("%s: %s", a.Pos, oneLine(a.Text))
			return r.res, nil
		}
	}
	if err := r.verify(); err != nil || r.res.Answer != "UNKNOWN" {
		return r.res, err
	}
	return r.res, r.bounded()
}

func (r *run) wants(engine string) bool {
	return len(r.opt.Engines) == 0 || slices.Contains(r.opt.Engines, engine)
}

// proved answers TRUE, or says what the proof lacks.
func (r *run) proved(assumptions []ir.Assumption) {
	if g := gaps(assumptions); len(g) > 0 {
		r.gaps = g
	}
	r.res.Assumptions = assumptions
	if len(r.gaps) > 0 {
		r.res.Reason = "no violation, but the proof has gaps: " + r.gaps[0]
		return
	}
	r.res.Answer, r.res.Reason = "TRUE", ""
}

func (r *run) step(engine, outcome string, start time.Time) {
	r.res.Steps = append(r.res.Steps, Step{Engine: engine, Outcome: outcome, Seconds: time.Since(start).Seconds()})
}

// trivial answers where nothing in the program can violate the property.
func (r *run) trivial() bool {
	if r.opt.Property != Unreach {
		return false
	}
	for _, f := range r.p.Funcs {
		if f.Unknown != "" {
			return false
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assert); ok && a.Tag == "reach_error" {
					return false
				}
			}
		}
	}
	r.step("syntax", "no error to reach", time.Now())
	r.proved(r.p.Assumptions)
	return r.res.Answer == "TRUE"
}

// verify proves race-freedom, and what bmc may leave out. It may take a third of the time at most.
func (r *run) verify() error {
	if !r.wants("verify") && r.opt.Yields == "all" {
		return nil
	}
	start := time.Now()
	ctx := r.ctx
	o := pipeline.Options{Jobs: 2, QueryTimeout: 10 * time.Second}
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
	if r.opt.Property == DataRace && facts.Verdict == diag.RaceFree && r.wants("verify") {
		r.proved(facts.Assumptions)
	}
	return nil
}

// bound is a rung of the ladder that bmc climbs.
type bound struct{ csb, unroll, visible, spawns int }

var ladder = []bound{{1, 1, 1, 2}, {2, 2, 5, 3}, {3, 3, 8, 4}, {4, 5, 12, 6}, {5, 8, 20, 10}, {7, 12, 30, 20}, {9, 20, 50, 30}, {12, 40, 100, 60}, {16, 100, 200, 60}}

// bounded climbs the ladder until there is a bug, or a proof that there is none.
func (r *run) bounded() error {
	if !r.wants("bmc") {
		r.res.Reason = "verify did not prove it"
		return nil
	}
	rungs := ladder
	if r.opt.CSB > 0 || r.opt.Unroll > 0 {
		rungs = []bound{{max(r.opt.CSB, 1), max(r.opt.Unroll, 1), 20, 20}}
	}
	for _, b := range rungs {
		start := time.Now()
		o := pipeline.BMCOptions{CSB: b.csb, Unroll: b.unroll, Visible: b.visible, Spawns: b.spawns, Yields: r.opt.Yields, Properties: kinds[r.opt.Property], FirstBug: true, Unbounded: r.opt.CSB == 0, RoundsOnly: r.opt.RoundsOnly,
			Waits: r.waits, Memory: r.opt.Memory, Flags: r.opt.Flags, Facts: r.facts}
		o.Jobs = 1
		rep, err := pipeline.CheckProgram(r.ctx, r.p, o)
		if err != nil {
			return err
		}
		x := rep.Runs[0]
		r.step(fmt.Sprintf("bmc csb=%d unroll=%d", b.csb, b.unroll), string(x.Answer)+" "+x.Reason, start)
		switch x.Answer {
		case diag.HasBug:
			if g := x.Bugs[0].Guesses; len(g) > 0 {
				r.res.Reason = fmt.Sprintf("a violation that depends on what code not seen does at %s", g[0])
				return nil
			}
			r.res.Answer, r.res.Bug = "FALSE", &x.Bugs[0]
			return nil
		case diag.NoBug:
			if why := beyond(r.p); r.opt.Property == MemSafety && why != "" {
				r.res.Reason = "no invalid access was found, but " + why + ": that is not followed"
				return nil
			}
			if e := callback(r.p); e != nil {
				r.res.Reason = fmt.Sprintf("no violation, but calls of %s (%s) are not followed", e.Name, e.Kind)
				return nil
			}
			r.proved(append(slices.Clone(rep.Assumptions), x.Assumptions...))
			if r.res.Answer == "TRUE" && r.waits == nil {
				return r.withSpurious(r.ctx)
			}
			return nil
		case diag.Undecided:
			r.res.Reason = oneLine(x.Reason)
			return nil
		}
		r.res.Reason = fmt.Sprintf("no bug within csb=%d, unroll=%d", b.csb, b.unroll)
		if len(x.Assumptions) > 0 {
			r.res.Reason += ": " + x.Assumptions[0].Text
		}
	}
	return nil
}

// callback is an entry point that neither the start of the program nor a thread is: a handler of signals, say. verify knows
// them, bmc does not run them.
func callback(p *ir.Program) *ir.Entry {
	for _, e := range p.Entries {
		if e.Kind != "main" && !e.Spawned {
			return e
		}
	}
	return nil
}

// oneLine makes a reason fit the verdict's line.
func oneLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// harmless are the assumptions that a verdict may rest on: those that are always made, and those that add executions and
// leave none out.
var harmless = map[string]bool{"memory-safety": true, "lock-discipline": true, "memory-model": true, "address-stability": true,
	"varargs": true, "spawn-target": true, "callback-target": true}

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
