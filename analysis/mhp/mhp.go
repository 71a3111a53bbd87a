package mhp

import (
	"context"
	"slices"
	"sync"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Result holds the facts about one program. It may be used by several goroutines.
type Result struct {
	prog     *ir.Program
	excluded map[[2]string]string
	spawners map[*ir.Entry]*spawner
	roots    []*ir.Entry
	barriers []*barrier
	ended    map[placed]*Ended
	keeps    map[*ir.Entry]bool
	// sometimes are the sites of main whose threads are joined on some ways only.
	sometimes map[*ir.Entry][]Sometimes

	mu       sync.Mutex // guards what follows
	registry *registry
	answers  map[question]answer
	places   map[placeKey]ir.Instr
	placeOf  map[placed]ir.Instr
	// anywhere: answers for an entry do not depend on the place; nil until all else is
	// known.
	anywhere map[*ir.Entry]bool
	// surely are the facts for a program in which code that was not seen starts nothing;
	// the result itself where there is no such code.
	surely *Result
}

// placed is an instruction as an entry executes it.
type placed struct {
	e  *ir.Entry
	in ir.Instr
}

// placeKey tells the instructions of an entry apart as far as answers depend on them: by
// the sites whose threads may be alive, and by the barriers that have been crossed.
type placeKey struct {
	e     *ir.Entry
	alive string
}

type question struct {
	a, b *ir.Entry
	x, y ir.Instr
}

type answer struct {
	may bool
	why string
}

// Analyze computes which entries may overlap and, for every instruction, which others may
// be running then.
func Analyze(p *ir.Program, al *alias.Result) *Result {
	r, err := AnalyzeContext(context.Background(), p, al)
	if err != nil {
		panic(err) // nothing ends the background
	}
	return r
}

// AnalyzeContext is Analyze that gives up when ctx ends, with its error.
func AnalyzeContext(ctx context.Context, p *ir.Program, al *alias.Result) (*Result, error) {
	r, w, err := analyze(ctx, p, al, false)
	if err != nil {
		return nil, err
	}
	r.surely = r
	if slices.ContainsFunc(p.Entries, func(e *ir.Entry) bool { return w.cg.opaque(e.Func) }) {
		if r.surely, _, err = analyze(ctx, p, al, true); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// analyze computes the facts; seen: code that was not seen counts as starting, joining
// and registering nothing.
func analyze(ctx context.Context, p *ir.Program, al *alias.Result, seen bool) (*Result, *world, error) {
	r := &Result{prog: p, excluded: map[[2]string]string{}, spawners: map[*ir.Entry]*spawner{},
		answers: map[question]answer{}, places: map[placeKey]ir.Instr{}, placeOf: map[placed]ir.Instr{}}
	for _, x := range p.Exclusions {
		r.excluded[[2]string{x.A, x.B}] = x.Reason
		r.excluded[[2]string{x.B, x.A}] = x.Reason
	}
	w, err := newWorld(ctx, p, al, seen)
	if err != nil {
		return nil, nil, err
	}
	r.findRoots(w)
	if err := r.buildSpawners(ctx, w); err != nil {
		return nil, nil, err
	}
	r.findEnded(w)
	r.findSometimes(w)
	r.registry = newRegistry(p, w, r.excluded)
	if len(w.sites) > 0 {
		r.barriers = w.findBarriers()
	}
	r.anywhere = map[*ir.Entry]bool{}
	for _, e := range p.Entries {
		r.anywhere[e] = r.isAnywhere(e)
	}
	w.cg.forget()
	return r, w, nil
}

// Entries reports whether any parts of the two entries may overlap (a == b: of two
// instances); if not, why.
func (r *Result) Entries(a, b *ir.Entry) (bool, string) { return r.Parallel(a, nil, b, nil) }

// Multi reports whether two instances of e may overlap. For threads it is found out,
// whatever Entry.Multi says.
func (r *Result) Multi(e *ir.Entry) bool {
	ok, _ := r.Entries(e, e)
	return ok
}

// Parallel reports whether instruction x, executed by a, may happen in parallel with y,
// executed by b (a == b: by two instances of it); if not, why. A nil instruction stands
// for any.
func (r *Result) Parallel(a *ir.Entry, x ir.Instr, b *ir.Entry, y ir.Instr) (bool, string) {
	if len(r.excluded) > 0 {
		if why, ok := r.excluded[[2]string{a.Name, b.Name}]; ok {
			return false, why
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	q := question{a, b, r.place(a, x), r.place(b, y)}
	ans, ok := r.answers[q]
	if !ok {
		if a.Spawned || b.Spawned {
			ans.may, ans.why = r.threads(a, q.x, b, q.y)
			if ans.may && r.crossed(a, q.x, b, q.y) {
				ans.may, ans.why = false, "a barrier is crossed between them"
			}
		} else {
			ans.may, ans.why = r.drivers(a, q.x, b, q.y)
		}
		r.answers[q] = ans
	}
	return ans.may, ans.why
}

// Surely reports whether x, executed by a, may happen in parallel with y, executed by b,
// even if functions that are not understood start no threads and register nothing. Where
// Parallel holds and Surely does not, only such a function could make them overlap.
func (r *Result) Surely(a *ir.Entry, x ir.Instr, b *ir.Entry, y ir.Instr) bool {
	ok, _ := r.surely.Parallel(a, x, b, y)
	return ok
}

// Anywhere reports whether no answer about an entry depends on the place in it.
func (r *Result) Anywhere(e *ir.Entry) bool { return r.anywhere[e] && r.surely.anywhere[e] }

// Place returns an instruction of e, always the same one, for which all answers are those
// for x; nil where they do not depend on the place.
func (r *Result) Place(e *ir.Entry, x ir.Instr) ir.Instr {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.place(e, x)
}

func (r *Result) place(e *ir.Entry, x ir.Instr) ir.Instr {
	if x == nil || r.anywhere[e] {
		return nil
	}
	sp, ordered := r.spawners[e], r.ordered(e)
	switch x.(type) {
	case *ir.Register, *ir.Unregister:
		if ordered {
			return x
		}
	}
	if r.anywhere == nil && r.isAnywhere(e) {
		return nil
	}
	if p := r.placeOf[placed{e, x}]; p != nil {
		return p
	}
	var alive []byte
	if sp != nil {
		alive = make([]byte, len(sp.sites))
		for i, s := range sp.sites {
			if s.alive(x) {
				alive[i] = 1
			}
		}
	}
	for _, b := range r.barriers {
		alive = append(alive, b.phase(e, x)...)
	}
	if ordered {
		alive = append(alive, r.registry.phase(e, x)...)
	}
	k := placeKey{e, string(alive)}
	if r.places[k] == nil {
		r.places[k] = x
	}
	r.placeOf[placed{e, x}] = r.places[k]
	return r.places[k]
}

// ordered reports whether it matters what an entry has registered, or taken back.
func (r *Result) ordered(e *ir.Entry) bool {
	return e.Init && len(r.registry.regs[e]) > 0 || e.Exit && len(r.registry.unregs[e]) > 0
}

// isAnywhere reports whether answers for an entry do not depend on the place.
func (r *Result) isAnywhere(e *ir.Entry) bool {
	sp := r.spawners[e]
	return !r.ordered(e) && (sp == nil || (len(sp.sites) == 0 || r.again(e)) && !r.waits(e))
}

// again reports whether a run of e may meet what other runs of it have started: there may
// be several runs of what starts it, or of itself. Then it does not matter which threads
// its own run has started (see threads, where a repeated root leads to both).
func (r *Result) again(e *ir.Entry) bool {
	return slices.ContainsFunc(r.roots, func(root *ir.Entry) bool {
		return repeated(root) && (root == e || r.spawners[root].below[e])
	})
}

// crossed reports whether a barrier is between two instructions; nil instructions stand
// for any.
func (r *Result) crossed(a *ir.Entry, x ir.Instr, b *ir.Entry, y ir.Instr) bool {
	if x == nil || y == nil {
		return false
	}
	return slices.ContainsFunc(r.barriers, func(w *barrier) bool { return w.apart(a, x, b, y) })
}

// waits reports whether an entry waits at barriers.
func (r *Result) waits(e *ir.Entry) bool {
	return slices.ContainsFunc(r.barriers, func(w *barrier) bool { return w.phases[e] != nil })
}
