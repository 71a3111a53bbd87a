package summaries

import (
	"context"
	"fmt"
	"slices"

	consistent "whoop/internal/houdini"
	"whoop/internal/late"
	"whoop/smt"
	"whoop/smt/vcgen"
)

// Proc is one procedure with its verification condition; B built the terms.
type Proc struct {
	Name string
	B    *smt.Builder
	VC   *vcgen.VC
}

// Result is the outcome of Houdini.
type Result struct {
	// Holds is the set of candidates proved.
	Holds map[int]bool
	// Undecided gives, for candidates dropped because the solver did not answer, its
	// reason.
	Undecided map[int]string
	// Queries counts solver calls, Dropped the refuted candidates, Remembered the turns
	// that an earlier run had answered.
	Queries, Dropped, Remembered int
}

type houdini struct {
	ctx     context.Context
	res     *Result
	procs   []*state
	dump    func(name, script string) error
	solvers smt.Solvers
	known   Known
	// procedures of which something is asserted, the one that was used last at the end
	open []*state
}

// maxOpen bounds how many procedures keep what their solvers know: each takes some 20 MB,
// a large program has hundreds of procedures, and asserting it again costs little (bbolt:
// 7.5 GB with all open, 1.3 with 8 and a tenth more time).
const maxOpen = 16

// state is a procedure being worked on.
type state struct {
	*Proc
	s          smt.Solver         // nil: none yet
	consistent bool               // a query with the axioms has had a model
	pending    []vcgen.Obligation // obligations whose candidate is still believed
	queries    int
	content    []byte // of its condition; nil: not needed yet
}

// Options of a run.
type Options struct {
	// Solvers makes the procedures' solvers.
	Solvers smt.Solvers
	// Drop are candidates that are not believed from the start.
	Drop []int
	// Dump, where not nil, receives each query that was decided, as SMT-LIB with the
	// answer as its status.
	Dump func(name, script string) error
	// Known, where not nil, has answers of earlier runs, and takes those of this one.
	// What it answers is not dumped.
	Known Known
}

// Houdini starts from all candidates 0..n-1 being believed and drops what some procedure
// refutes. Of the procedures that are to be looked at it takes the first one: where
// callers come before what they call, as Unfold has them, that takes two thirds of the
// queries that taking turns does (bbolt: 20,000 of 31,000).
func Houdini(ctx context.Context, procs []*Proc, n int, opt Options) (*Result, error) {
	h := &houdini{ctx: ctx, res: &Result{Holds: map[int]bool{}, Undecided: map[int]string{}},
		dump: opt.Dump, solvers: opt.Solvers, known: opt.Known}
	for i := 0; i < n; i++ {
		h.res.Holds[i] = true
	}
	for _, i := range opt.Drop {
		h.res.Holds[i] = false
	}
	defer func() {
		for _, p := range h.procs {
			if p.s != nil {
				p.s.Close()
			}
		}
	}()
	for _, p := range procs {
		h.add(p)
	}
	assumed := make([][]int, len(procs))
	for i, p := range procs {
		assumed[i] = p.VC.Assumed
	}
	err := consistent.Run(ctx, consistent.First, assumed, func(i int) ([]int, error) {
		dropped, err := h.turn(h.procs[i])
		if err != nil {
			err = fmt.Errorf("houdini: %s: %w", procs[i].Name, err)
		}
		return dropped, err
	})
	if err != nil {
		return nil, err
	}
	return h.res, nil
}

func (h *houdini) add(p *Proc) {
	st := &state{Proc: p, pending: p.VC.Obligations}
	h.procs = append(h.procs, st)
	for _, id := range p.VC.Refuted {
		if h.res.Holds[id] {
			h.res.Holds[id] = false
			h.res.Dropped++
		}
	}
}

// turn works on p with its solver, and returns what it drops.
func (h *houdini) turn(p *state) ([]int, error) {
	if p.pending = h.believed(p.pending); len(p.pending) == 0 {
		return nil, nil
	}
	key, dropped, known := h.remembered(p)
	if known {
		return dropped, nil
	}
	if err := h.use(p); err != nil {
		return nil, err
	}
	dropped, err := h.settle(p)
	if err == nil && !p.consistent && len(p.pending) > 0 {
		var given []int
		given, err = h.axioms(p)
		dropped = append(dropped, given...)
	}
	if err == nil {
		h.note(p, key, dropped)
	}
	return dropped, err
}

// use readies the solver of p, and lets that of the procedure that was not used for the
// longest time forget what it knows where too many do.
func (h *houdini) use(p *state) error {
	if i := slices.Index(h.open, p); i >= 0 {
		h.open = append(slices.Delete(h.open, i, i+1), p)
		return nil
	}
	if len(h.open) == maxOpen {
		if err := h.open[0].s.Forget(); err != nil {
			return err
		}
		h.open = slices.Delete(h.open, 0, 1)
	}
	if p.s == nil {
		s, err := h.solvers.New()
		if err != nil {
			return err
		}
		p.s = s
	}
	h.open = append(h.open, p)
	for _, a := range p.VC.Axioms {
		if err := p.s.Assert(a); err != nil {
			return err
		}
	}
	return nil
}

// axioms checks that the axioms alone can be satisfied, where no query has shown it: from
// contradictory ones anything would follow. It returns what it drops.
func (h *houdini) axioms(p *state) ([]int, error) {
	r, why, err := h.check(p)
	switch {
	case err != nil:
		return nil, err
	case r == smt.Unsat:
		return nil, fmt.Errorf("internal error: the axioms contradict each other")
	case r == smt.Unknown:
		return h.giveUp(p.pending, fmt.Errorf("the axioms could not be checked: %w", why)), nil
	}
	return nil, nil
}

// settle drops what p refutes until nothing is refuted under the current assumptions.
func (h *houdini) settle(p *state) ([]int, error) {
	var dropped []int
	for {
		ids, err := h.refute(p)
		if err != nil {
			return nil, err
		}
		dropped = append(dropped, ids...)
		h.res.Dropped += len(ids)
		if !slices.ContainsFunc(ids, func(id int) bool { return slices.Contains(p.VC.Assumed, id) }) {
			return dropped, nil // p assumed none of them
		}
	}
}

// refute drops the candidates that models violate, until there is no further one under
// what is believed now: what is dropped meanwhile stays assumed till the end, so the
// solver keeps what it has learnt; less models are left by that, none of them a wrong
// one.
func (h *houdini) refute(p *state) ([]int, error) {
	p.pending = h.believed(p.pending)
	if len(p.pending) == 0 {
		return nil, nil
	}
	if err := p.s.Push(); err != nil {
		return nil, err
	}
	defer p.s.Pop()
	for _, id := range p.VC.Assumed {
		g := vcgen.Guard(p.B, id)
		if !h.res.Holds[id] {
			g = p.B.Not(g)
		}
		if err := p.s.Assert(g); err != nil {
			return nil, err
		}
	}
	var dropped []int
	for {
		ids, err := h.violating(p)
		if err != nil || len(ids) == 0 {
			return dropped, err
		}
		dropped = append(dropped, ids...)
	}
}

// believed are the obligations of candidates that are not dropped.
func (h *houdini) believed(os []vcgen.Obligation) []vcgen.Obligation {
	var out []vcgen.Obligation
	for _, o := range os {
		if h.res.Holds[o.ID] {
			out = append(out, o)
		}
	}
	return out
}

// violating asks one query and drops the candidates its model violates.
func (h *houdini) violating(p *state) ([]int, error) {
	p.pending = h.believed(p.pending)
	if len(p.pending) == 0 {
		return nil, nil
	}
	var bad []*smt.Term
	for _, o := range p.pending {
		bad = append(bad, o.Violated)
	}
	if err := p.s.Assert(p.B.Or(bad...)); err != nil {
		return nil, err
	}
	r, why, err := h.check(p)
	switch {
	case err != nil:
		return nil, err
	case r == smt.Unsat:
		return nil, nil
	case r == smt.Unknown:
		return h.giveUp(p.pending, why), nil
	}
	return h.violated(p, p.pending)
}

// check decides what is asserted for p, and dumps it where it is decided; why is the
// reason of Unknown.
func (h *houdini) check(p *state) (r smt.Result, why, err error) {
	h.res.Queries++
	p.queries++
	r, why = p.s.Check(h.ctx)
	p.consistent = p.consistent || r == smt.Sat
	switch {
	case h.ctx.Err() != nil:
		return r, why, h.ctx.Err()
	case h.dump == nil || r == smt.Unknown:
		return r, why, nil
	}
	status := map[smt.Result]string{smt.Sat: "sat", smt.Unsat: "unsat"}[r]
	script := fmt.Sprintf("(set-info :status %s)\n%s", status, p.s.SMTLIB())
	return r, nil, h.dump(fmt.Sprintf("%s-%d", p.Name, p.queries), script)
}

// giveUp drops every candidate still to be proved.
func (h *houdini) giveUp(live []vcgen.Obligation, why error) []int {
	late.Set(h.ctx)
	var ids []int
	for _, o := range live {
		if h.res.Holds[o.ID] {
			h.res.Holds[o.ID] = false
			h.res.Undecided[o.ID] = fmt.Sprint(why)
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func (h *houdini) violated(p *state, live []vcgen.Obligation) ([]int, error) {
	var ids []int
	for _, o := range live {
		if !h.res.Holds[o.ID] {
			continue
		}
		v, err := p.s.Holds(o.Violated)
		if err != nil {
			return nil, err
		}
		if v {
			h.res.Holds[o.ID] = false
			ids = append(ids, o.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("the solver's model violates no candidate")
	}
	return ids, nil
}
