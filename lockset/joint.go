package lockset

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/seqz"
	"whoop/smt/vcgen"
)

// Entries together. Most entries of a library are methods that call the same functions,
// and what these do to locks is the same for all of them. With Options.Joint the entries
// that are alike are analysed together: their procedures are roots of one sequential
// program, and what they share is there once. What is guessed of a procedure then has to
// hold for all calls, whichever root they come from, so what Houdini keeps holds in the
// runs of each of them. Reads count as what they are for all entries that run them: where
// these differ, as arbitrary.
//
// Entries are alike if no theory is about one of them: none gives it a share when it
// starts, but for what its first parameter points to (own, refcount), which each root has
// for itself. What a transfer does depends on the entry only where it is the one that the
// theory is about, and that one begins with a share. Main functions and initialisations
// are alone as well: what has ended when is known of those.
//
// What is lost is precision: a function that one entry calls with a lock held, and
// another one without, has it in neither.

// jointSize is how many instructions the functions have together that entries which are
// analysed together run.
const jointSize = 20000

// jointInlined is inlinedTotal for entries that are analysed together.
const jointInlined = 16000

// together divides the entries into groups that are analysed together; members: some
// stand for others, so there are few, which have most functions in common.
func (f *facts) together(l *locks, members bool) [][]*ir.Entry {
	var out [][]*ir.Entry
	var now []*ir.Entry
	in, size := map[*ir.Func]bool{}, 0
	limit := jointSize
	if members {
		limit = crowdMaxSize
	}
	for _, e := range f.p.Entries {
		if !l.alike(e) {
			out = append(out, []*ir.Entry{e})
			continue
		}
		more := 0
		for _, fn := range f.reach[e] {
			if !in[fn] {
				more += length(fn)
			}
		}
		if size += more; size > limit && len(now) > 0 {
			out = append(out, now)
			now, in, size = nil, map[*ir.Func]bool{}, 0
			for _, fn := range f.reach[e] {
				size += length(fn)
			}
		}
		now = append(now, e)
		for _, fn := range f.reach[e] {
			in[fn] = true
		}
	}
	if len(now) > 0 {
		out = append(out, now)
	}
	return out
}

func length(f *ir.Func) int {
	n := 0
	for _, b := range f.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// alike reports whether no theory is about an entry.
func (l *locks) alike(e *ir.Entry) bool {
	if e.Kind == "main" || e.Init || len(e.Holds) > 0 || len(e.Func.Blocks) == 0 {
		return false
	}
	x := &instrumenter{f: l.f, l: l, entries: []*ir.Entry{e}, entry: e,
		seq: &seqz.Seq{Procs: []*seqz.Proc{{Source: e.Func, Body: e.Func}}, Roots: 1}}
	return !slices.ContainsFunc(l.list, func(g *guard) bool {
		switch t := g.theory.(type) {
		case *own:
			return t.element != nil && t.element.entry == e
		case *refcount:
			return false
		}
		return x.begins(g)
	})
}

// begin makes the entry of a root the present one.
func (x *instrumenter) begin(root *seqz.Proc) {
	x.root = slices.Index(x.seq.Procs, root)
	x.entry = x.entries[x.root]
}

// params are the parameters of the present entry; a function that is not understood has
// none.
func (x *instrumenter) params() []*ir.Reg { return x.seq.Procs[x.root].Body.Params }

// someBegins reports whether one of the entries may have a share of a guard when it
// starts.
func (x *instrumenter) someBegins(g *guard) bool {
	for _, p := range x.seq.Procs[:x.seq.Roots] {
		if x.begin(p); x.begins(g) {
			x.begin(x.seq.Procs[0])
			return true
		}
	}
	x.begin(x.seq.Procs[0])
	return false
}

// caller is an entry with a chain of calls that leads to a procedure. runs: it may get
// there; else each such chain has a function that no run of the entry gets to.
type caller struct {
	entry *ir.Entry
	chain []seqz.Frame
	runs  bool
}

// runner is an entry that runs an instruction.
type runner struct {
	entry  *ir.Entry
	origin seqz.Origin
}

// findCallers finds the entries that each procedure is run by.
func (x *instrumenter) findCallers() {
	x.callers = map[*seqz.Proc][]caller{}
	for i, e := range x.entries {
		of := map[*seqz.Proc]caller{x.seq.Procs[i]: {e, nil, true}}
		order := []*seqz.Proc{x.seq.Procs[i]}
		for _, runs := range []bool{true, false} {
			for k := 0; k < len(order); k++ {
				for _, c := range x.callsIn(order[k]) {
					if _, seen := of[c.proc]; !seen && (!runs || x.gets(e, c.frames)) {
						of[c.proc] = caller{e, slices.Concat(of[order[k]].chain, c.frames), runs}
						order = append(order, c.proc)
					}
				}
			}
		}
		for _, p := range order {
			x.callers[p] = append(x.callers[p], of[p])
		}
	}
}

// procCall is a call that stays one: of which procedure, and the frames down to it from
// the procedure that it is in.
type procCall struct {
	proc   *seqz.Proc
	frames []seqz.Frame
}

// callsIn are the calls that a procedure has.
func (x *instrumenter) callsIn(p *seqz.Proc) []procCall {
	var out []procCall
	for _, b := range p.Body.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ir.Call); ok && p.Calls[call] != nil {
				q := p.Calls[call]
				out = append(out, procCall{q,
					append(slices.Clone(x.seq.Origin[in].Calls[len(p.Chain):]),
						seqz.Frame{Func: q.Source, Call: in.At()})})
			}
		}
	}
	return out
}

// gets reports whether runs of an entry may get to all functions of a chain.
func (x *instrumenter) gets(e *ir.Entry, chain []seqz.Frame) bool {
	return !slices.ContainsFunc(chain, func(f seqz.Frame) bool { return !x.f.apart.Runs(e, f.Func) })
}

// runners are the entries that may run an instruction of a procedure: not those of which
// it is known that they never get to its function, or on no chain of calls. A procedure
// may have several chains, of which one is enough.
func (x *instrumenter) runners(p *seqz.Proc, o seqz.Origin) []runner {
	var out []runner
	inside := o.Calls[len(p.Chain):]
	for _, c := range x.callers[p] {
		if !c.runs || !x.f.apart.Runs(c.entry, o.Func) || !x.gets(c.entry, inside) {
			continue
		}
		if len(x.entries) > 1 || !x.gets(c.entry, p.Chain) {
			o.Calls = slices.Concat(c.chain, inside)
		}
		out = append(out, runner{c.entry, o})
	}
	return out
}

// isRoot reports whether a procedure is that of an entry.
func (x *instrumenter) isRoot(p *seqz.Proc) bool {
	return slices.Contains(x.seq.Procs[:x.seq.Roots], p)
}

// alone reports whether nothing else runs when an instruction is executed.
func (x *instrumenter) alone(in ir.Instr) bool {
	return !slices.ContainsFunc(x.entries, func(e *ir.Entry) bool { return !x.f.mh.Alone(e, in) })
}

// classify classifies a region for all entries.
func (x *instrumenter) classify(r *alias.Region) vcgen.ReadClass {
	c := x.f.classifyRegion(x.entry, r)
	for _, e := range x.entries[1:] {
		if x.f.classifyRegion(e, r) != c {
			return vcgen.Arbitrary
		}
	}
	return c
}

// read is what is known of a load, for all entries that run it.
func (x *instrumenter) read(in ir.Instr) readFact {
	var out readFact
	first := true
	for _, e := range x.entries {
		fact, ok := x.f.reads[e][in]
		switch {
		case !ok:
		case first:
			out, first = fact, false
		case fact.class != out.class || !slices.Equal(fact.regions, out.regions):
			return readFact{}
		case fact.value == nil || out.value != nil &&
			ir.ExprString(fact.value) != ir.ExprString(out.value):
			out.value = nil
		}
	}
	return out
}

// perEntry divides what was found out about entries together.
func (x *instrumenter) perEntry(sum *summary) map[*ir.Entry]*summary {
	out := map[*ir.Entry]*summary{}
	if x.callers == nil {
		x.findCallers()
	}
	for i, e := range x.entries {
		s := &summary{entry: e, cut: sum.cut, whole: sum.whole, seconds: sum.seconds / float64(len(x.entries))}
		if i == 0 {
			s.lost, s.doubted, s.misused, s.counters = sum.lost, sum.doubted, sum.misused, sum.counters
		}
		out[e] = s
	}
	for _, st := range sum.sites {
		out[st.entry].sites = append(out[st.entry].sites, st)
	}
	for _, p := range x.seq.Procs {
		for _, c := range x.callers[p] {
			out[c.entry].unknown = append(out[c.entry].unknown, p.Unknown...)
		}
	}
	if sum.cut != nil && !sum.whole {
		for e, s := range out {
			t := x.f.sketch(e, x.partners, sum.cut)
			t.seconds, t.counters = s.seconds, s.counters
			out[e] = t
		}
	}
	return out
}
