package lockset

import (
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/seqz"
	"whoop/smt/vcgen"
)

// site is one access of an entry to watched regions, in one calling context: to one
// region, or to many at once where the access is so coarse that asking for each would
// cost more than it is worth.
type site struct {
	entry   *ir.Entry
	origin  seqz.Origin
	acc     *alias.Access // nobody changes it
	class   int           // see partners
	regions []*alias.Region
	// held lists, by lock function, what was proved: exclusive or any mode.
	held map[*guard]ir.Mode
	// dead: the access was proved unreachable.
	dead bool
	// undecided is the solver's reason where some lock could not be decided.
	undecided string
}

// claim is a candidate's meaning: at some sites of one instruction, fn is held in a mode
// (0 exclusive, 1 any).
type claim struct {
	sites []*site
	fn    *guard
	mode  int
}

// instrumented is one procedure with its ghost code and candidates.
type instrumented struct {
	proc *seqz.Proc
	opts vcgen.Options
}

// instrumenter adds the lockset ghost code to the procedures of one entry.
type instrumenter struct {
	f        *facts
	l        *locks
	partners *partners
	// entries run the procedures, several where they are alike (see joint.go); entry is
	// the first of them, or the one that the present root is of. callers are those that
	// each procedure is run by.
	entries    []*ir.Entry
	late       func() error // why there is no more time; nil while there is
	locksAlone bool         // see Options
	layouts    bool         // the same
	entry      *ir.Entry
	root       int
	callers    map[*seqz.Proc][]caller
	seq        *seqz.Seq
	claims     map[int]*claim
	// dead gives the sites that a candidate says are unreachable.
	dead    map[int][]*site
	askDead bool
	// deadHere is such a candidate of the present block, with nothing since that may keep
	// executions from going on; -1: none.
	deadHere int
	n        int // candidates so far
	limit    int // so many candidates are too many; see run
	// guesses are the candidates that only help to prove others, with the locks that they
	// are about; nil: several, or none.
	guesses map[int]*guard
	// unasked are the locks of which nothing is to be proved.
	unasked map[*guard]bool
	sites   []*site
	active  []*guard // the guards that the entry may have: there are ledgers for these
	isOn    map[*guard]bool
	// moved remembers what instructions do to the active guards.
	moved    map[ir.Instr][]move
	pre      map[*seqz.Proc][]vcgen.Candidate
	post     map[*seqz.Proc][]vcgen.Candidate
	may      *mayHold
	contract map[*seqz.Proc]*contract
	// atStart are the candidates that say that a lock is held at the start of a
	// procedure, which never changes it; steady those of the present procedure, and
	// sameHere those made in the present block since a lock last changed.
	atStart          map[*seqz.Proc]map[madeKey]int
	steady, sameHere map[madeKey]int
	// ghosts says what the ghost registers of the active locks mean.
	ghosts map[*ir.Reg]heldGhost
	// allOwned are the tokens that the entry holds of all objects when it starts; see
	// somewhere.
	allOwned map[*guard]bool
	// handovers gives the token that a candidate says is there when a spawn hands it
	// over.
	handovers map[int]*guard
	// endings are the arguments of threads that joins have waited for.
	endings map[*ir.Join]*given
	// before are the registers with the value of a counter before a draw.
	before map[ir.Instr][]*ir.Reg
	// startedWith are the objects that the threads which joins wait for were started
	// with, where their handles lie in these.
	startedWith map[*ir.Join]ir.Expr
	// aloneAgain are the instructions before which the last thread has ended.
	aloneAgain map[ir.Instr]bool
	// pointerLoads are the ghost loads of lock pointers.
	pointerLoads map[*ir.Load]*pointerCell
	// discipline: see Options. handlings are what is to be proved for it.
	discipline bool
	handlings  []*handling
	// flow says who owns what in the present procedure, originsAt at the starts of its
	// blocks, origins at the present place.
	flow      *placing
	originsAt map[*ir.Block]origins
	origins   origins
	// cellOps are what instructions do to the cells of structures; foundAt are the
	// registers that lead to objects in them, at the starts of blocks.
	cellOps map[*structure]map[ir.Instr]*cellOp
	foundAt map[*ir.Block]map[*structure][]pointed
	// leaving are ghost instructions of the present procedure at the ends of blocks.
	leaving map[*ir.Block][]ir.Instr
	// paramOwners are constants that stand for the owners of what parameters point to.
	paramOwners map[*ir.Reg]*ir.Reg
}

// heldGhost: a ghost register says that a lock is held, exclusively (0) or in any mode
// (1).
type heldGhost struct {
	fn   *guard
	mode int
}

func (x *instrumenter) candidate() int {
	x.n++
	return x.n - 1
}

// guess numbers a candidate that only helps to prove others.
func (x *instrumenter) guess(about *guard) int {
	id := x.candidate()
	x.guesses[id] = about
	return id
}

// idleGuesses are the guesses about locks of which nothing is to be proved, which it
// notes in unasked. all: nothing is to be proved at all.
func (x *instrumenter) idleGuesses() (ids []int, all bool) {
	if len(x.guesses) == x.n {
		return nil, true
	}
	asked := map[*guard]bool{}
	for _, c := range x.claims {
		asked[c.fn] = true
	}
	for _, fn := range x.handovers {
		asked[fn] = true
	}
	for _, fn := range x.active {
		if t, ok := fn.theory.(entitled); ok {
			asked[t.rests()] = true
		}
	}
	for _, fn := range x.active {
		x.unasked[fn] = isLock(fn) && !asked[fn] && len(x.handlings) == 0
	}
	for id, fn := range x.guesses {
		if x.unasked[fn] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, false
}

// run instruments every procedure in place. It ends as soon as there are more candidates
// than the limit.
//
// Where there is no more time it ends early, with something that must not be used.
func (x *instrumenter) run() []*instrumented {
	x.claims, x.dead, x.guesses, x.unasked = map[int]*claim{}, map[int][]*site{}, map[int]*guard{}, map[*guard]bool{}
	x.handovers, x.allOwned = map[int]*guard{}, map[*guard]bool{}
	x.pointerLoads, x.moved = map[*ir.Load]*pointerCell{}, map[ir.Instr][]move{}
	x.pre, x.post = map[*seqz.Proc][]vcgen.Candidate{}, map[*seqz.Proc][]vcgen.Candidate{}
	x.findCallers()
	x.findBefore()
	x.findStartedWith()
	x.active, x.ghosts = x.activeLocks(), map[*ir.Reg]heldGhost{}
	x.isOn = map[*guard]bool{}
	for _, fn := range x.active {
		x.isOn[fn] = true
		for mode, h := range fn.Held {
			x.ghosts[h] = heldGhost{fn, mode}
		}
		for _, u := range fn.Units {
			x.ghosts[u] = heldGhost{fn, 1}
		}
	}
	x.findAlone()
	res := map[*seqz.Proc]*resolver{}
	for _, p := range x.seq.Procs {
		if x.late() != nil {
			return nil
		}
		res[p] = newResolver(p.Body)
	}
	x.may, x.atStart = newMayHold(x, res), map[*seqz.Proc]map[madeKey]int{}
	for _, p := range x.seq.Procs[x.seq.Roots:] {
		x.atStart[p] = map[madeKey]int{}
		x.pre[p] = x.heldCandidates(x.atStart[p], x.active, x.may.entry[p])
		for _, fn := range x.may.changed(p) {
			delete(x.atStart[p], madeKey{fn, 0})
			delete(x.atStart[p], madeKey{fn, 1})
		}
		x.post[p] = x.heldCandidates(nil, x.may.changed(p), x.may.entry[p], x.may.exit[p])
	}
	if x.late() != nil {
		return nil
	}
	x.contracts(res)
	var out []*instrumented
	for i, p := range x.seq.Procs {
		if x.n > x.limit || x.late() != nil {
			break
		}
		if x.idle(p) {
			x.sitesOf(p)
			continue
		}
		out = append(out, x.proc(p, res[p], i < x.seq.Roots))
	}
	return out
}

// heldCandidates guesses, for a point, that each of the locks is held there that one of
// the sets says may be. The candidates' numbers are put into at where it is not nil.
func (x *instrumenter) heldCandidates(at map[madeKey]int, fns []*guard, sets ...lockSet) []vcgen.Candidate {
	var cs []vcgen.Candidate
	for _, fn := range fns {
		if x.somewhere(fn) {
			continue
		}
		may := func(mode int) bool {
			return slices.ContainsFunc(sets, func(s lockSet) bool { return x.may.has(s, fn, mode) })
		}
		for mode, h := range fn.Held {
			if may(mode) {
				cs = append(cs, vcgen.Candidate{ID: x.guess(fn), Cond: ir.Use{Reg: h}})
				if at != nil {
					at[madeKey{fn, mode}] = cs[len(cs)-1].ID
				}
			}
		}
		if fn.Depth != nil && may(1) {
			cs = append(cs, vcgen.Candidate{ID: x.guess(fn), Cond: fn.Deep(1)})
		}
	}
	return cs
}

// activeLocks are the lock functions that some lock operation of the entry may acquire.
func (x *instrumenter) activeLocks() []*guard {
	on := map[*guard]bool{}
	var open []*guard // that no instruction was found to acquire yet
	for _, fn := range x.l.list {
		if x.locksAlone && !isLock(fn) {
			continue
		}
		if on[fn] = x.someBegins(fn); !on[fn] {
			open = append(open, fn)
		}
	}
	for _, p := range x.seq.Procs {
		if x.late() != nil {
			break
		}
		for _, b := range p.Body.Blocks {
			for _, in := range b.Instrs {
				open = slices.DeleteFunc(open, func(fn *guard) bool {
					on[fn] = x.acquires(in, fn)
					return on[fn]
				})
			}
		}
	}
	var out []*guard
	for _, fn := range x.l.list {
		if !on[fn] || isLock(fn) && fn.cell() != nil && x.classify(fn.cell().region) != vcgen.Constant {
			continue
		}
		out = append(out, fn)
		if len(out) == maxLocks {
			break
		}
	}
	return out
}

// maxLocks bounds the lock functions of one entry. Those left out protect nothing in the
// eyes of the proof: precision is lost, soundness is not. Programs whose points-to sets
// are coarse would have thousands.
const maxLocks = 96

// affects reports whether a lock operation may be on the lock that fn names.
func (x *instrumenter) affects(in ir.Instr, addr ir.Expr, fn *guard) bool {
	return x.f.affects(x.seq.Origin[in].Instr, addr, fn)
}

// affects reports whether the lock operation orig, on the address addr, may be on the
// lock that fn names.
func (f *facts) affects(orig ir.Instr, addr ir.Expr, fn *guard) bool {
	k := fn.theory.(*lock)
	if k.pointer != nil {
		return true
	}
	if fn.frame == nil {
		if g, off, ok := constAddr(addr); ok {
			h, foff, _ := constAddr(k.addr)
			return g == h && off == foff
		}
	}
	t, ok := f.targets[orig]
	if !ok || t.unknown || len(t.regions) == 0 {
		return true
	}
	if fn.frame == nil {
		h, off, _ := constAddr(k.addr)
		return mayBeAt(t.regions, h, off)
	}
	if len(k.regions) == 0 {
		return true
	}
	for _, r := range t.regions {
		for _, q := range k.regions {
			if shareObject(r, q) && !(r.Exact && r.Elem == q.Elem && r.ArrayStart == q.ArrayStart && r.Offset != q.Offset) {
				return true
			}
		}
	}
	return false
}

// mayBeAt reports whether one of the regions may have a cell at offset off of global g.
func mayBeAt(rs []*alias.Region, g *ir.Global, off int64) bool {
	for _, r := range rs {
		for _, o := range r.Objects {
			if o.Global == g && !(r.Exact && r.Elem == 0 && r.Offset != off) {
				return true
			}
		}
	}
	return false
}

// proc instruments one procedure.
func (x *instrumenter) proc(p *seqz.Proc, res *resolver, root bool) *instrumented {
	out := &instrumented{proc: p, opts: vcgen.Options{Init: map[*ir.Reg]ir.Expr{}, Invariants: map[*ir.Block][]vcgen.Candidate{},
		Asserts: map[*ir.Assert]int{}, Calls: map[*ir.Call]*vcgen.Summary{}, Pre: x.pre[p], Post: x.post[p], LoopKeep: x.loopKeep, Layouts: x.layouts}}
	x.contract[p].inside(x, p, &out.opts)
	if root {
		x.begin(p)
		defer x.begin(x.seq.Procs[0])
		for _, fn := range x.active {
			for mode, h := range fn.Held {
				out.opts.Init[h] = x.initialValueOf(fn, mode)
			}
			if fn.Depth != nil {
				out.opts.Init[fn.Depth] = ir.IntConst(ir.I64, 0)
			}
			if fn.Number != nil {
				out.opts.Init[fn.Number] = fn.Start
			}
			for i, u := range fn.Units {
				if out.opts.Init[u] = ir.BoolConst(false); i == 0 {
					out.opts.Init[u] = x.initialValueOf(fn, 1)
				}
			}
		}
	}
	owners := x.flowOf(p)
	for call, q := range p.Calls {
		s := &vcgen.Summary{Pre: x.pre[q], Post: x.post[q]}
		for _, fn := range x.may.changed(q) {
			s.Modifies = append(s.Modifies, fn.Registers()...)
		}
		x.contract[q].at(call, owners[call], s)
		out.opts.Calls[call] = s
	}
	order := slices.Concat(x.orderCandidates(p.Body, res), x.numberCandidates(p.Body), x.chunkCandidates(p.Body), x.elementCandidates(p.Body), x.releaseCandidates(p.Body, res))
	x.leaving = map[*ir.Block][]ir.Instr{}
	var bounds []ir.Expr
	for _, h := range vcgen.HeadsOf(p.Body) {
		counts := append(x.tallyCandidates(h, res), x.permitCandidates(h, res)...)
		bounds = append(bounds, counts...)
		here := slices.Concat(order, x.foundCandidates(h), counts)
		out.opts.Invariants[h] = x.loopCandidates(here, x.may.at[h])
	}
	out.opts.Tested = x.tested(p)
	testedBounds(out.opts.Tested, bounds)
	if len(p.Body.Blocks) > 0 {
		var given []ir.Instr
		if root {
			given = x.atDistance()
		}
		defer func(b *ir.Block) { b.Instrs = slices.Concat(x.readPointers(), given, b.Instrs) }(p.Body.Blocks[0])
	}
	x.memory(&out.opts)
	for _, b := range p.Body.Blocks {
		x.block(out, b, res, slices.Clone(x.may.at[b]))
	}
	return out
}

// block rewrites one block: assertions before each access, ghost updates after each lock
// operation.
func (x *instrumenter) block(out *instrumented, b *ir.Block, res *resolver, may lockSet) {
	var ins []ir.Instr
	x.deadHere, x.steady, x.sameHere = -1, x.atStart[out.proc], map[madeKey]int{}
	x.origins = maps.Clone(x.originsAt[b])
	for i, in := range b.Instrs {
		back := x.regained(in)
		if len(back) > 0 {
			x.sameHere = map[madeKey]int{}
			ins = append(ins, back...)
		}
		checks := x.accessChecks(out.proc, in, b, i, res, may)
		checks = append(checks, x.owed(in)...)
		checks = append(checks, x.handled(in)...)
		for _, a := range checks {
			out.opts.Asserts[a.assert] = a.id
			ins = append(ins, a.assert)
		}
		ins = append(ins, in)
		values := x.known(in)
		ins = append(ins, values...)
		if x.flow != nil && x.origins != nil && !x.flow.instr(in, x.origins) {
			x.origins = nil // nothing comes after it
		}
		held := x.owned(in)
		ins = append(ins, held...)
		files := x.ofFile(in)
		ins = append(ins, files...)
		ups := x.updates(in)
		_, assume := in.(*ir.Assume)
		_, call := in.(*ir.Call)
		if call || assume || len(held)+len(files)+len(values) > 0 {
			x.deadHere = -1
		}
		if call || assume || len(held)+len(files)+len(values)+len(ups) > 0 {
			x.sameHere = map[madeKey]int{}
		}
		ins = append(ins, ups...)
		ins = append(ins, x.readAgain(in)...)
		x.may.transfer(&may, in)
	}
	ins = append(ins, x.leaving[b]...)
	if x.isRoot(out.proc) {
		for _, a := range x.opens(b) {
			out.opts.Asserts[a.assert] = a.id
			ins = append(ins, a.assert)
		}
	}
	b.Instrs = ins
}
