package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"whoop/analysis/alias"
	"whoop/bmc"
	"whoop/diag"
	"whoop/frontend/golang/program"
	"whoop/internal/live"
	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// Yields are the values of BMCOptions.Yields: where threads may be switched beside
// synchronisation.
var Yields = []string{"all", "epp", "mr"}

// Leak is the property that no goroutine blocks for good when main has returned.
const Leak = bmc.Leak

// Properties are what bmc looks for.
var Properties = []string{"assert", "reach_error", "race", "deadlock", "panic", "double-lock", "unlock-not-held", "overflow", "memcleanup", Leak}

// Memory is a property that is looked for only where it is named: no access outside of an
// object or to freed memory, no invalid free.
const Memory = diag.Memory

// BMCOptions are those of bmc beside the ones of all commands.
type BMCOptions struct {
	Options
	// CSB, Rounds, Unroll and Recursion are the bounds; see bmc.Options.
	CSB, Rounds, Unroll, Recursion int
	// Yields is all (at every shared access), epp (at accesses of pairs that verify did
	// not prove) or mr (at accesses that verify did not prove not to race).
	Yields string
	// Properties are what is looked for; empty: all.
	Properties []string
	// Threads is how many instances of each entry point of a pair run (default 1).
	Threads int
	// Unbounded looks at all executions at once, whatever their preemptions; where that
	// is too much, CSB is the bound.
	Unbounded bool
	// FormulasOnly: the states of programs with a main function are not gone through (see
	// states).
	FormulasOnly bool
	// Undrawn: no executions are drawn before formulas are made (see draws.go).
	Undrawn bool
	// RoundsOnly asks with the formulas of Lal and Reps alone, as bmc.Options has it.
	LalRepsOnly bool
	// Before is how often each other entry point may have run before a driver's pair,
	// where races are looked for that take it (0: once; negative: not at all).
	Before int
	// Visible, where not 0, is how often loops are unrolled that end by constants and in
	// which others may run, and Spawns how many threads run of those that one instruction
	// creates; see bmc.Options.
	Visible, Spawns int
	// Waits are operations on mutexes that stand for a wait on a condition variable; see
	// bmc.Options.
	Waits map[ir.Instr]bool
	// Clean looks only for bugs that do not depend on what code not seen yields; see
	// bmc.Options.
	Clean bool
	// FirstBug ends the check of a harness with its first bug.
	FirstBug bool
	// Failures: calls may fail that need not.
	Failures bool
	// Memory bounds the solvers' memory in MiB of all solvers together (default 8000).
	Memory uint
	// Flags are what the program was loaded with, for traces.
	Flags []string
	// Facts is what Prove said of the program; nil: it is asked where its proofs are
	// wanted.
	Facts *diag.Report
}

// BMC looks for bugs in the executions within the bounds.
func BMC(ctx context.Context, path string, opt BMCOptions) (*diag.BoundedReport, error) {
	start := time.Now()
	if opt.Root == "" && program.Is(path) {
		opt.Root = "main"
		opt.Flags = append(slices.Clone(opt.Flags), "--root=main")
	}
	ctx, cancel := limited(ctx, opt.Timeout)
	defer cancel()
	live.On(ctx).Engine("reading "+opt.name(path), "")
	p, _, err := load(ctx, path, opt.Options)
	var unread *Late
	if errors.As(err, &unread) {
		return unreadReport(opt.name(path), unread, opt, start), nil
	}
	if err != nil {
		return nil, err
	}
	if err := exact(p); err != nil {
		return nil, err
	}
	rep, err := CheckProgram(ctx, p, opt)
	if err != nil {
		return nil, err
	}
	notTranslated(rep)
	if g := guessedInitialiser(p); g != "" && slices.ContainsFunc(rep.Runs, func(r diag.Run) bool { return len(r.Bugs) > 0 }) {
		rep.Notes = append(rep.Notes, g)
	}
	for _, f := range append([]string{path}, opt.More...) {
		readMarkers(f, p, false).apply(rep)
	}
	rep.Settle()
	rep.Input, rep.Seconds = opt.name(path), time.Since(start).Seconds()
	return rep, nil
}

// guessedInitialiser says which value bugs may rest on that is not known, "" where there
// is none.
func guessedInitialiser(p *ir.Program) string {
	i := slices.IndexFunc(p.Assumptions, func(a ir.Assumption) bool { return a.Kind == "initialiser" })
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("a bug may rest on a value that is not known: %s: %s", p.Assumptions[i].Pos, p.Assumptions[i].Text)
}

// unreadReport is the report on an input that was not read in time.
func unreadReport(path string, why *Late, opt BMCOptions, start time.Time) *diag.BoundedReport {
	run := diag.Run{Threads: []string{path}, Answer: diag.Undecided, Reason: why.Error(), CSB: -1}
	return &diag.BoundedReport{Tool: "whoop", Command: "bmc", Input: path, Yields: opt.Yields, CSB: opt.CSB, Unroll: opt.Unroll, Properties: opt.Properties,
		Runs: []diag.Run{run}, Seconds: time.Since(start).Seconds()}
}

// Unfinished is the report of a check that has not ended though its context has.
func Unfinished(ctx context.Context, path string, opt BMCOptions) *diag.BoundedReport {
	rep := unreadReport(opt.name(path), &Late{Path: path, Err: context.Cause(ctx)}, opt, time.Now())
	rep.Runs[0].Reason = Ended(ctx) + ": no part of the check was done"
	return rep
}

// notTranslated makes runs undecided that found no bug, and met a function whose body is
// not known to the front end.
func notTranslated(rep *diag.BoundedReport) {
	for i := range rep.Runs {
		r := &rep.Runs[i]
		at := slices.IndexFunc(r.Assumptions, func(a ir.Assumption) bool { return a.Kind == "unknown" })
		if at >= 0 && len(r.Bugs) == 0 && r.Reason == "" {
			r.Reason = fmt.Sprintf("%s: executions are followed up to here: %s", r.Assumptions[at].Pos, r.Assumptions[at].Text)
		}
	}
}

// exact reports programs that do more than their source: a bug of theirs is not confirmed
// by replaying it.
func exact(p *ir.Program) error {
	for _, a := range p.Assumptions {
		if a.Kind == "inexact" {
			return fmt.Errorf("%s: bmc would report bugs that the source need not have: %s; use verify", a.Pos, a.Text)
		}
	}
	return nil
}

// CheckProgram is BMC for a program that is loaded already.
func CheckProgram(ctx context.Context, p *ir.Program, opt BMCOptions) (*diag.BoundedReport, error) {
	ctx, cancel := limited(ctx, opt.Timeout)
	defer cancel()
	for _, w := range opt.Pairs {
		if err := checkPair([]*ir.Program{p}, w); err != nil {
			return nil, err
		}
	}
	rep := &diag.BoundedReport{Tool: "whoop", Command: "bmc", Yields: opt.Yields, CSB: opt.CSB, Unroll: opt.Unroll, Properties: opt.Properties}
	if len(rep.Properties) == 0 {
		// these are asserted on request
		rep.Properties = slices.DeleteFunc(slices.Clone(Properties), func(s string) bool {
			return s == "overflow" && !opt.C.Overflow || s == "memcleanup" && !opt.Leaks || s == "panic" && !p.TypeSafe || s == Leak
		})
	}
	if looseLocks(p) {
		opt.Properties = slices.DeleteFunc(slices.Clone(rep.Properties), func(s string) bool { return s == "double-lock" || s == "unlock-not-held" })
		rep.Properties = opt.Properties
		rep.Notes = append(rep.Notes, "misuse of locks is not looked for: some may be of a kind that allows it")
	}
	rep.Assumptions = append(rep.Assumptions, p.Assumptions...)
	facts, err := proofs(ctx, p, opt, rep)
	if err != nil {
		return nil, err
	}
	rep.Assumptions = append(rep.Assumptions, wakeUps(p)...)
	runs, first := harnesses(p, facts, opt), initRuns(p, facts, rep)
	if len(runs)+len(first) == 0 {
		return nil, fmt.Errorf("nothing to check: no main function, and no pair of entry points that may run at the same time")
	}
	shared, err := bmc.Prepare(p)
	if err != nil {
		return nil, err
	}
	for i := range runs {
		runs[i].shared = shared
		runs[i].open = append(runs[i].open, seqReader(p, &runs[i], rep)...)
	}
	if err := runAll(ctx, p, runs, opt, rep); err != nil {
		return nil, err
	}
	rep.Runs = append(rep.Runs, first...)
	rep.Settle()
	for i := range runs {
		for _, a := range runs[i].taken {
			if !slices.Contains(rep.Assumptions, a) {
				rep.Assumptions = append(rep.Assumptions, a)
			}
		}
	}
	return rep, nil
}

// looseLocks reports whether locks may be of a kind that allows what is an error with
// others.
func looseLocks(p *ir.Program) bool {
	return slices.ContainsFunc(p.Assumptions, func(a ir.Assumption) bool { return a.Kind == "lock-kind" })
}

// proofs runs verify where its proofs are wanted; nil where they are not. A driver's
// pairs come from it in any case.
func proofs(ctx context.Context, p *ir.Program, opt BMCOptions, rep *diag.BoundedReport) (*diag.Report, error) {
	if opt.Yields == "all" && mainOf(p) != nil {
		return nil, nil
	}
	if opt.Facts != nil {
		if opt.Yields != "all" {
			rep.Assumptions = opt.Facts.Assumptions
		}
		return opt.Facts, nil
	}
	start := time.Now()
	prove := opt.Options
	prove.Timeout, prove.DumpSMT = 0, "" // the context has the time of both
	if board := live.On(ctx); board != nil {
		board.Engine("verify", "")
		prove.Progress = func(done, total int, _ string) { board.Part("entry points", done, total) }
	}
	r, err := Prove(ctx, p, prove)
	if err != nil {
		return nil, err
	}
	if opt.Yields != "all" {
		rep.VerifySeconds = time.Since(start).Seconds()
		rep.Assumptions = r.Assumptions
	}
	return r, nil
}

// mainOf is the main function of a program that starts its threads itself, nil for
// drivers.
func mainOf(p *ir.Program) *ir.Entry {
	for _, e := range p.Entries {
		if e.Kind == "main" {
			return e
		}
	}
	return nil
}

// job is a harness to check, with what is proved about it.
type job struct {
	h      bmc.Harness
	names  []string
	may    map[ir.Instr]bool // accesses that may race; nil: all
	proved bool
	facts  bool          // verify was asked
	shared *bmc.Prepared // what the jobs have in common
	// plain is the harness without the entries that are run to set up what the roots get;
	// nil: there are none.
	plain *bmc.Harness
	// once runs the entry that opens what the roots get, opens, once only, where each
	// root has one for itself.
	once  *bmc.Harness
	opens *ir.Entry
	// history is the harness in which other entries may have run before; nil: there is
	// none.
	history *bmc.Harness
	// taken are the assumptions that setting up makes, open what it leaves out.
	taken, open []ir.Assumption
}

// harnesses are the program as a whole, or a driver's pairs.
func harnesses(p *ir.Program, facts *diag.Report, opt BMCOptions) []job {
	if e := mainOf(p); e != nil {
		j := job{h: bmc.Harness{Roots: []bmc.Root{root(e)}, Main: true, Stays: slices.Contains(opt.Properties, Leak)}, names: []string{e.Name}}
		if facts != nil {
			j.may = map[ir.Instr]bool{}
			j.proved, j.facts = true, true
			for _, pr := range facts.Pairs {
				j.merge(pr)
			}
		}
		return []job{j}
	}
	if facts == nil {
		return nil
	}
	prep := newPreparer(p, opt.Before)
	var out []job
	for _, pr := range facts.Pairs {
		a, b := p.EntryByName(pr.First), p.EntryByName(pr.Second)
		if a == nil || b == nil || a.Init || b.Init || a.Spawned || b.Spawned {
			continue
		}
		j := job{may: map[ir.Instr]bool{}, proved: true, facts: true}
		for range max(opt.Threads, 1) {
			j.h.Roots = append(j.h.Roots, root(a), root(b))
			j.names = append(j.names, a.Name, b.Name)
		}
		j.merge(pr)
		prep.prepare(&j)
		out = append(out, j)
	}
	return out
}

// merge adds what was not proved about a pair.
func (j *job) merge(pr diag.Pair) {
	if pr.Verdict != diag.RaceFree {
		j.proved = false
	}
	if pr.AllMayRace {
		j.may = nil
	}
	if j.may != nil {
		for in := range pr.MayRace {
			j.may[in] = true
		}
	}
}

// MayRace are the accesses that verify did not prove to be free of races, and those that
// are synchronisation.
func MayRace(facts *diag.Report) func(ir.Instr) bool {
	races := Racing(facts)
	return func(in ir.Instr) bool { return atomic(in) || races(in) }
}

// Racing are the accesses that verify did not prove to be free of races.
func Racing(facts *diag.Report) func(ir.Instr) bool {
	j := job{may: map[ir.Instr]bool{}}
	for _, pr := range facts.Pairs {
		j.merge(pr)
	}
	return func(in ir.Instr) bool { return j.may == nil || j.may[in] }
}

// RacingPairs says of accesses that verify did not prove them not to race where threads
// of two entries, given by their names in any order, meet.
func RacingPairs(facts *diag.Report) func(first, second string, in ir.Instr) bool {
	pairs := map[[2]string]diag.Pair{}
	for _, pr := range facts.Pairs {
		pairs[[2]string{pr.First, pr.Second}] = pr
		pairs[[2]string{pr.Second, pr.First}] = pr
	}
	return func(first, second string, in ir.Instr) bool {
		pr := pairs[[2]string{first, second}]
		return pr.AllMayRace || pr.MayRace[in]
	}
}

func root(e *ir.Entry) bmc.Root {
	return bmc.Root{Func: e.Func, Entry: e, Name: e.Name, Private: e.Private}
}

// bounds are the options of a job's check.
func (j *job) bounds(opt BMCOptions) bmc.Options {
	o := bmc.Options{Prepared: j.shared, CSB: opt.CSB, Rounds: opt.Rounds, Unroll: opt.Unroll, Recursion: opt.Recursion, Failures: opt.Failures, FirstBug: opt.FirstBug, Clean: opt.Clean, Unbounded: opt.Unbounded, LalRepsOnly: opt.LalRepsOnly,
		MaxVisible: opt.Visible, MaxSpawns: opt.Spawns, OneDepth: opt.Visible > 0}
	if opt.Waits != nil {
		o.Waits = func(in ir.Instr) bool { return opt.Waits[in] }
	}
	if len(opt.Properties) > 0 {
		o.Properties = map[string]bool{}
		for _, p := range opt.Properties {
			o.Properties[p] = true
		}
	}
	may := j.may
	if j.facts {
		o.Reduced = func(in ir.Instr) bool { return may == nil || atomic(in) || may[in] }
	}
	if opt.Yields == "all" || may == nil || opt.Yields == "epp" && !j.proved {
		return o
	}
	o.NoRace = func(in ir.Instr) bool { return !may[in] }
	o.Yield = o.Reduced
	return o
}

// yields are the points at which threads might be switched in each mode, of those that
// are known; see diag.Run.
func (j *job) yields(s *bmc.Stats) map[string]int {
	out := map[string]int{"all": s.AllYields}
	if s.MRYields < 0 {
		return out
	}
	out["mr"], out["epp"] = s.MRYields, s.AllYields
	if j.proved {
		out["epp"] = s.MRYields
	}
	return out
}

// unfollowed are the parts of a program with a main function that bmc does not run, and
// that the assumptions do not stand for: handlers that the system calls, and functions
// whose effects are not known.
func unfollowed(p *ir.Program) []ir.Assumption {
	var out []ir.Assumption
	for _, e := range p.Entries {
		if e.Kind != "main" && !e.Spawned {
			out = append(out, ir.Assumption{Kind: "callback", Pos: e.Pos, Text: fmt.Sprintf("calls of %s (%s) are not followed", e.Name, e.Kind)})
		}
	}
	for _, a := range p.Assumptions {
		if a.Kind == "unmodelled" || a.Kind == "woken" {
			out = append(out, a)
		}
	}
	return out
}

// oneLayout notes where a run that has found no bug in all executions of a program with a
// main function has followed one layout of memory, and others may do something else.
func (j *job) oneLayout(p *ir.Program, run *diag.Run) {
	if len(run.Bugs) == 0 && run.Whole() {
		run.Assumptions = append(run.Assumptions, j.layouts(p)...)
	}
}

// layouts are the places of a program with a main function that tell layouts apart.
func (j *job) layouts(p *ir.Program) []ir.Assumption {
	if !j.h.Main || !numbersOfAddresses(p) {
		return nil
	}
	return layouts(p, alias.Analyze(p, alias.Options{}))
}

// atomic reports whether an access is synchronisation: others may depend on its order
// though it does not race.
func atomic(in ir.Instr) bool {
	switch i := in.(type) {
	case *ir.RMW, *ir.CmpXchg:
		return true
	case *ir.Load:
		return i.Order.Atomic()
	case *ir.Store:
		return i.Order.Atomic()
	case *ir.MemCopy:
		return i.Order.Atomic()
	case *ir.MemSet:
		return i.Order.Atomic()
	}
	return false
}

// Solver returns a maker of solvers for bit vectors that use at most so many MiB; 0: a
// default.
func Solver(memory uint) func() (bv.Solver, error) {
	if memory == 0 {
		memory = 8000
	}
	return func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{Memory: memory}) }
}

func runJob(ctx context.Context, p *ir.Program, j *job, opt BMCOptions) (diag.Run, error) {
	start := time.Now()
	all := newStates(ctx, p, j, opt)
	if all != nil {
		live.On(ctx).Engine("states", "")
	}
	defer all.stop()
	var drawn []diag.Bug
	if opt.FirstBug {
		if drawn = all.draw(); len(drawn) > 0 {
			run := all.drawnRun(drawn)
			run.Seconds = time.Since(start).Seconds()
			return run, nil
		}
	}
	before := glance(opt)
	if run := all.search(before); run != nil {
		run.Seconds = time.Since(start).Seconds()
		return *run, nil
	}
	bounds := j.bounds(opt)
	if all.open() {
		bounds.Rival = func(work uint64) bool { return all.search(before+work/workPerState) != nil }
	}
	if !opt.FirstBug {
		drawn = all.draw()
	}
	if j.h.Main {
		live.On(ctx).Engine("formulas", "")
	}
	moment := len(drawn) > 0 && opt.Timeout == 0 // of formulas
	if moment {
		bounds.Rival = func(work uint64) bool {
			return all.search(before+work/workPerState) != nil || work >= drawnWork
		}
	}
	res, err := bmc.Check(ctx, p, j.h, bounds, Solver(opt.Memory))
	if err == nil && moment && res.Settled {
		res.Reason = drawnReason
	}
	more := uint64(0)
	if err == nil && len(res.Bugs) == 0 {
		more = glanceStates
	}
	if run := all.search(more); run != nil {
		run.Seconds = time.Since(start).Seconds()
		return *run, nil
	}
	if err == nil && res.NoInit && j.once != nil {
		one, err := bmc.Check(ctx, p, *j.once, j.bounds(opt), Solver(opt.Memory))
		if err != nil {
			return diag.Run{}, err
		}
		if !one.NoInit {
			return notTwice(j, time.Since(start)), nil
		}
	}
	if err == nil && res.NoInit && j.plain != nil {
		j.h, j.plain, j.taken, j.open = *j.plain, nil, nil, nil
		res, err = bmc.Check(ctx, p, j.h, j.bounds(opt), Solver(opt.Memory))
	}
	if err != nil {
		return diag.Run{}, err
	}
	if len(res.Unconfirmed) > 0 { // the interpreter has another layout
		if ls := j.layouts(p); len(ls) > 0 {
			res.Unconfirmed, j.open = nil, append(j.open, ls...)
		}
	}
	run := diag.Run{Threads: j.names, CSB: res.CSB, Rounds: res.Rounds, AllRounds: res.AllRounds, Exhaustive: res.Exhaustive, Unrolled: res.Unrolled, Spun: res.Spun, Shallow: res.Shallow,
		Proved: j.proved && opt.Yields != "all", Reason: reason(ctx, res), Yields: res.Stats.Yields, YieldsBy: j.yields(&res.Stats), Counters: counters(&res.Stats)}
	run.Phases = map[string]time.Duration{"unfold": res.Stats.Unfold, "encode": res.Stats.Encode, "solve": res.Stats.Solve}
	for _, l := range res.Limits {
		// a Go program is exact up to there
		if p.TypeSafe && l.Kind == "unknown" && run.Reason == "" {
			why := l.Text
			if strings.HasPrefix(why, "not followed") {
				_, why, _ = strings.Cut(why, ": ")
			}
			run.Reason = fmt.Sprintf("%s: executions are followed up to here: %s", l.At, why)
		}
		run.Assumptions = append(run.Assumptions, ir.Assumption{Kind: l.Kind, Pos: l.At, Text: l.Text})
	}
	run.Assumptions = append(run.Assumptions, j.open...)
	if j.h.Main {
		run.Assumptions = append(run.Assumptions, unfollowed(p)...)
	}
	if len(res.Bugs) > 0 {
		if err := showBugs(p, j, res, opt, &run); err != nil {
			return run, err
		}
	}
	addDrawn(&run, drawn)
	if err := afterOthers(ctx, p, j, res, opt, &run); err != nil {
		return run, err
	}
	j.oneLayout(p, &run)
	run.Seconds = time.Since(start).Seconds()
	return run, nil
}

// reason says why a check is not what was asked for.
func reason(ctx context.Context, res *bmc.Result) string {
	var out []string
	if why := res.Reason; why != "" {
		done := "no bound was checked to the end"
		if res.CSB >= 0 {
			done = fmt.Sprintf("csb 0 to %d done", res.CSB)
		}
		if err := ctx.Err(); err != nil && why == err.Error() {
			why = Ended(ctx)
		}
		out = append(out, why+" ("+done+")")
	}
	for _, u := range res.Unconfirmed {
		out = append(out, "internal error: an execution was found that the interpreter does not confirm: "+u)
	}
	return strings.Join(out, "; ")
}

func counters(s *bmc.Stats) map[string]int {
	return map[string]int{"threads": s.Threads, "instructions": s.Instructions, "positions": s.Positions, "yields": s.Yields, "cells": s.Cells,
		"shared": s.Shared, "terms": s.Terms, "queries": s.Queries, "goals": s.Goals}
}

// Formula writes what bmc asks about a program, or about the pair of entry points that
// opt.Pairs names, as an SMT-LIB script.
func Formula(ctx context.Context, w io.Writer, p *ir.Program, opt BMCOptions) error {
	for _, x := range opt.Pairs {
		if err := checkPair([]*ir.Program{p}, x); err != nil {
			return err
		}
	}
	facts, err := proofs(ctx, p, opt, &diag.BoundedReport{})
	if err != nil {
		return err
	}
	jobs := harnesses(p, facts, opt)
	if len(jobs) != 1 {
		return fmt.Errorf("%d pairs of entry points: name one with --pairs, a script is about one", len(jobs))
	}
	return bmc.Formula(ctx, w, p, jobs[0].h, jobs[0].bounds(opt))
}
