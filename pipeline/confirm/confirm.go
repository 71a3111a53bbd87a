package confirm

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/diag"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/pipeline/check"
)

// Options of a run.
type Options struct {
	// Input is what the report was made with.
	Input pipeline.Options
	// Executions is how many executions of a program with a main function are explored,
	// before anything else is asked (0: none).
	Executions int64
	// Budget is the time that all engines may take together; 0: explore alone is asked.
	Budget time.Duration
}

// Bounds of the search for executions: races need few preemptions (Musuvathi and Qadeer,
// PLDI 2007), and a small bound ends soon.
const (
	preemptions = 2
	iterations  = 2
)

// Run asks the other engines about what the report has left open, and enters what they
// say. An engine that cannot be asked is left out, with a note.
func Run(ctx context.Context, path string, rep *diag.Report, opt Options) {
	start := time.Now()
	r := &run{ctx: ctx, path: path, rep: rep, opt: opt, start: start}
	if opt.Executions > 0 && open(rep) {
		r.explore()
	}
	if opt.Executions > 0 && open(rep) && len(opt.Input.More) == 0 {
		r.views()
	}
	if opt.Budget > 0 && open(rep) {
		var cancel context.CancelFunc
		r.ctx, cancel = context.WithTimeout(ctx, opt.Budget)
		defer cancel()
		if len(opt.Input.More) == 0 {
			r.check()
		}
		if open(rep) && r.ctx.Err() == nil {
			r.bmc()
		}
	}
	rep.Seconds += time.Since(start).Seconds()
}

// open reports whether some pair is not decided, or may race.
func open(rep *diag.Report) bool {
	return slices.ContainsFunc(rep.Pairs, isOpen)
}

func isOpen(p diag.Pair) bool { return p.Verdict == diag.Racy || p.Verdict == diag.Unknown }

// run is a question under way.
type run struct {
	ctx  context.Context
	path string
	rep  *diag.Report
	opt  Options
	// start is when the other engines are first asked.
	start time.Time
}

// check asks whether a C program with a main function has a race. It may take half of the
// time.
func (r *run) check() {
	p, err := pipeline.Load(r.path, r.opt.Input)
	if err != nil || p.TypeSafe || !slices.ContainsFunc(p.Entries, isMain) {
		return // the report says what is wrong, or there is no such program
	}
	res, err := check.Run(r.ctx, p, check.Options{Property: check.DataRace, Timeout: r.opt.Budget / 2})
	if err != nil {
		r.rep.Notes = append(r.rep.Notes, fmt.Sprintf("check was not asked: %v", err))
		return
	}
	switch {
	case res.Answer == "TRUE" && !slices.ContainsFunc(r.rep.Entries, outside):
		by := "check"
		if n := len(res.Steps); n > 0 {
			by = "check, by " + res.Steps[n-1].Engine
		}
		r.prove(by, append(res.Assumptions, unfailing(p)...))
	case res.Bug != nil:
		r.confirm(res.Bug)
	}
}

// unfailing is what check assumes of programs that allocate memory or start threads: as
// the rules of competitions have it, neither fails.
func unfailing(p *ir.Program) []ir.Assumption {
	var out []ir.Assumption
	for _, f := range p.Funcs {
		for in := range f.Instrs() {
			switch i := in.(type) {
			case *ir.Alloc:
				if i.MayFail {
					out = append(out, ir.Assumption{Kind: "failing-call", Pos: i.Pos,
						Text: "the allocation does not fail"})
				}
			case *ir.Spawn:
				if i.OK != nil {
					out = append(out, ir.Assumption{Kind: "failing-call", Pos: i.Pos,
						Text: "the thread is started"})
				}
			}
		}
	}
	return out
}

// outside reports whether an entry is none of what main starts: check says nothing of it.
func outside(e *ir.Entry) bool { return !isMain(e) && !e.Spawned }

func isMain(e *ir.Entry) bool { return e.Kind == "main" }

// prove makes all open pairs race-free.
func (r *run) prove(by string, assumed []ir.Assumption) {
	for i := range r.rep.Pairs {
		if p := &r.rep.Pairs[i]; isOpen(*p) {
			r.proved(p, by)
		}
	}
	r.rep.Races, r.rep.Guards, r.rep.Cut, r.rep.Regions.Racy = nil, nil, 0, 0
	r.rep.Assumptions = append(r.rep.Assumptions, assumed...)
	r.rep.Finish()
}

// proved makes a pair race-free.
func (r *run) proved(p *diag.Pair, by string) {
	p.Verdict, p.Reason, p.Doubt = diag.RaceFree, "proved by "+by, ""
	p.AllMayRace, p.MayRace = false, map[ir.Instr]bool{}
}

// bmc looks for executions of the pairs that may race.
func (r *run) bmc() {
	end, _ := r.ctx.Deadline()
	facts := *r.rep
	facts.Pairs = slices.Clone(r.rep.Pairs)
	// what it says of instructions is of another reading of the program
	for i := range facts.Pairs {
		p := &facts.Pairs[i]
		p.AllMayRace, p.MayRace = p.Verdict != diag.RaceFree, map[ir.Instr]bool{}
	}
	in := r.opt.Input
	in.Timeout, in.Pairs = time.Until(end), racy(r.rep)
	res, err := pipeline.BMC(r.ctx, r.path, pipeline.BMCOptions{Options: in, CSB: preemptions, Unroll: iterations,
		Yields: "all", Properties: []string{"race"}, Facts: &facts})
	if err != nil {
		r.rep.Notes = append(r.rep.Notes, fmt.Sprintf("no execution was looked for: %v", err))
		return
	}
	for i := range res.Runs {
		for k := range res.Runs[i].Bugs {
			r.confirm(&res.Runs[i].Bugs[k])
		}
	}
}

// racy names the pairs that may race, as --pairs wants them; nothing for a program with a
// main function, which is run as a whole.
func racy(rep *diag.Report) []string {
	var out []string
	for _, p := range rep.Pairs {
		if p.Verdict == diag.Racy {
			out = append(out, p.First+","+p.Second)
		}
	}
	if slices.ContainsFunc(rep.Entries, isMain) {
		return nil
	}
	return out
}

// confirm enters an execution in the races that it shows. One that rests on what code not
// seen yields confirms nothing.
func (r *run) confirm(b *diag.Bug) {
	if b.Kind != "race" || b.OnlyIf() || b.Execution == nil {
		return
	}
	for i := range r.rep.Races {
		x := &r.rep.Races[i]
		if x.Confirmed == nil && (same(x, b.Place, b.Other) || same(x, b.Other, b.Place)) {
			x.Confirmed = b
		}
	}
}

// same reports whether a race is between two places, by their lines: of x++, one engine
// names the read, and another one the write.
func same(x *diag.Race, first, second diag.BugPlace) bool {
	at := func(a diag.Access, p diag.BugPlace) bool {
		return a.Pos.File == p.Pos.File && a.Pos.Line == p.Pos.Line
	}
	return at(x.First, first) && at(x.Second, second)
}
