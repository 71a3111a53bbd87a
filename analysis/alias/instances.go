package alias

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"whoop/ir"
)

// What two threads may both touch. The analysis proper has one object for all that an
// allocation makes, whoever runs it: what a transaction has is mixed with what other
// transactions have, as soon as one of them is stored where others may find it. So for a
// type-safe program the points-to sets are computed once more, with one thread singled
// out for each entry: the one run of it that is under way, "me", has objects and
// variables of its own (a context, whose children are those of allocation wrappers), and
// all other runs of it share those of another context, "the others"; functions that code
// not seen calls have context 0. Globals and what code not seen knows are common to all.
// What me stores there is found by the others, and the other way round; what it starts is
// one of the others.
//
// Two accesses by two threads race only if me, running the first, and the others, running
// the second, have a place in common; and the same with the roles exchanged. That is so
// in each execution, whichever of its threads one calls me, so a pair of accesses for
// which either fails is no race (Result.Disjoint).
//
// What me hands out by its last stores (see lastStores) nobody finds before it is over,
// and it accesses nothing afterwards: these stores are left out for it. What the others
// hand out is found in runs that are over, where threads that outlive the run do not know
// it (publication.go, waited.go).
//
// Blocks are looked at only once they may be reached: a flag that nothing ever sets, in
// all the objects that it may be read from, is false (flags.go). So what only a
// transaction that writes does is not done by one that reads.

// worldsLimit is how many instructions the entries may have together, each with all that
// it reaches. Precision only.
const worldsLimit = 1000000

// Disjoint finds out which accesses have nothing in common when two threads execute them.
// In programs that are not type-safe, and very large ones, it says nothing.
type Disjoint struct {
	s     *solver
	b     *regionBuilder
	parts map[partKey]*part
	runs  map[runKey]bool
	// joined are the parts by their classes, which classIDs numbers.
	joined   map[string]*part
	classIDs map[*class]int
	// pairs numbers what accesses touch in the two worlds of an entry, texts the parts,
	// objects the objects in there.
	pairs   map[[2]int]int
	texts   map[string]int
	objects map[*object]int
}

// runKey names a function in a world.
type runKey struct {
	world int32
	f     *ir.Func
}

// partKey names an operand in a world.
type partKey struct {
	in      ir.Instr
	operand int
	world   int32
}

// part is what an operand may touch.
type part struct {
	unknown bool
	spans   map[*object][]span
	number  int // see Disjoint.number
}

// Separate computes the facts that Disjoint has for a program; nil if there are none.
func (r *Result) Separate(ctx context.Context) (a *Disjoint, err error) {
	if !r.prog.TypeSafe || r.Size() > worldsLimit {
		return nil, nil
	}
	defer gaveUp(&err)
	opt := r.opt
	opt.worlds, opt.first = true, r.s
	s := solveProgram(ctx, r.prog, opt)
	s.ctx = context.Background()
	s.final()
	a = &Disjoint{s: s, b: newRegionBuilder(s), parts: map[partKey]*part{}, runs: map[runKey]bool{}, joined: map[string]*part{}, classIDs: map[*class]int{}, pairs: map[[2]int]int{}, texts: map[string]int{}, objects: map[*object]int{}}
	for k := range s.insts {
		a.runs[runKey{s.worldOf(k.ctx), k.fn}] = true
	}
	return a, nil
}

// final forgets what only solving needs: the sets stay as they are.
func (s *solver) final() {
	for _, n := range s.nodes {
		n.cons, n.succ, n.out, n.delta = nil, nil, set{}, set{}
	}
}

// Size is how many instructions the entries have, each with all that it reaches.
func (r *Result) Size() int {
	size, n := map[*ir.Func]int{}, 0
	for _, f := range r.prog.Funcs {
		for _, b := range f.Blocks {
			size[f] += len(b.Instrs) + 1
		}
	}
	for _, e := range r.prog.Entries {
		for _, f := range r.Reachable(e) {
			n += size[f]
		}
	}
	return n
}

// Never reports whether two accesses, one of a thread that runs e and one of another that
// runs f, are never to the same place.
func (a *Disjoint) Never(e *ir.Entry, in ir.Instr, x Access, f *ir.Entry, jn ir.Instr, y Access) bool {
	if a == nil {
		return false
	}
	return !meet(a.part(in, x, a.s.worlds[e.Func]), a.part(jn, y, a.s.others[f.Func])) ||
		!meet(a.part(in, x, a.s.others[e.Func]), a.part(jn, y, a.s.worlds[f.Func]))
}

// Class numbers what an access by an entry touches: for Never, accesses by it with the
// same number are alike.
func (a *Disjoint) Class(e *ir.Entry, in ir.Instr, x Access) int {
	if a == nil {
		return 0
	}
	k := [2]int{a.number(a.part(in, x, a.s.worlds[e.Func])), a.number(a.part(in, x, a.s.others[e.Func]))}
	n, ok := a.pairs[k]
	if !ok {
		n = len(a.pairs)
		a.pairs[k] = n
	}
	return n
}

// number numbers the parts from 1 on: parts that are alike have the same number.
func (a *Disjoint) number(p *part) int {
	if p.number != 0 {
		return p.number
	}
	type place struct {
		object, lo, hi int64
		folded         int64 // 1: yes
	}
	var all []place
	for o, spans := range p.spans {
		n, ok := a.objects[o]
		if !ok {
			n = len(a.objects)
			a.objects[o] = n
		}
		for _, s := range spans {
			x := place{int64(n), s.lo, s.hi, 0}
			if s.folded {
				x.folded = 1
			}
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(x, y place) int {
		return cmp.Or(cmp.Compare(x.object, y.object), cmp.Compare(x.lo, y.lo),
			cmp.Compare(x.hi, y.hi), cmp.Compare(x.folded, y.folded))
	})
	key := strconv.AppendBool(nil, p.unknown)
	for _, x := range all {
		for _, v := range []int64{x.object, x.lo, x.hi, x.folded} {
			key = binary.AppendVarint(key, v)
		}
	}
	k := string(key)
	n, ok := a.texts[k]
	if !ok {
		n = len(a.texts) + 1
		a.texts[k] = n
	}
	p.number = n
	return n
}

// Runs reports whether a run of an entry may get to a function.
func (a *Disjoint) Runs(e *ir.Entry, f *ir.Func) bool {
	return a == nil || a.runs[runKey{a.s.worlds[e.Func], f}]
}

// part finds what an access may touch in a world.
func (a *Disjoint) part(in ir.Instr, x Access, world int32) *part {
	k := partKey{in, x.operand, world}
	if p := a.parts[k]; p != nil {
		return p
	}
	var all []*class
	if rs := a.s.recs[in]; x.operand < len(rs) { // else it is never reached
		r := rs[x.operand]
		for i, n := range r.nodes {
			if a.s.worldOf(r.ctxs[i]) != world {
				continue
			}
			cs := a.b.classOf(r, n, in.At())
			for _, c := range []*class{cs.rest, cs.own} {
				if c != nil && !slices.Contains(all, c) {
					all = append(all, c)
				}
			}
		}
	}
	p := a.join(all)
	a.parts[k] = p
	return p
}

// join is the part of some classes, always the same one for the same classes.
func (a *Disjoint) join(cs []*class) *part {
	ids := make([]int, len(cs))
	for i, c := range cs {
		n, ok := a.classIDs[c]
		if !ok {
			n = len(a.classIDs)
			a.classIDs[c] = n
		}
		ids[i] = n
	}
	slices.Sort(ids)
	k := fmt.Sprint(ids)
	p := a.joined[k]
	if p == nil {
		p = &part{spans: map[*object][]span{}}
		for _, c := range cs {
			p.add(c)
		}
		a.joined[k] = p
	}
	return p
}

func (p *part) add(c *class) {
	p.unknown = p.unknown || c.unknown
	for _, x := range c.spans {
		p.spans[x.obj], _ = addSpans(p.spans[x.obj], []span{x.span})
	}
}

// nowhere reports whether nothing is touched: the operand is never reached, or null.
func (p *part) nowhere() bool { return !p.unknown && len(p.spans) == 0 }

// meet reports whether two parts may have a byte in common.
func meet(p, q *part) bool {
	if p.nowhere() || q.nowhere() {
		return false
	}
	if p.unknown || q.unknown {
		return true
	}
	if len(p.spans) > len(q.spans) {
		p, q = q, p
	}
	for o, ps := range p.spans {
		for _, x := range ps {
			for _, y := range q.spans[o] {
				if x == everywhere || y == everywhere || x.folded || y.folded || x.lo < y.hi && y.lo < x.hi {
					return true
				}
			}
		}
	}
	return false
}

// addWorlds gives the function of each entry two contexts. A main function and an
// initialisation run once: the run that is singled out is the only one, and one context
// does for both. What it hands out by its last stores counts there.
func (s *solver) addWorlds() {
	s.worlds, s.others, s.blocks = map[*ir.Func]int32{}, map[*ir.Func]int32{}, map[blockKey]bool{}
	s.ofThreads, s.ofOthers, s.ofInit = map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
	for _, e := range s.prog.Entries {
		if e.Func == nil || s.worlds[e.Func] != 0 {
			continue
		}
		for _, to := range []map[*ir.Func]int32{s.worlds, s.others} {
			w := int32(len(s.ctxs))
			s.ctxs = append(s.ctxs, callContext{world: w})
			to[e.Func] = w
		}
		if !e.Multi && !e.Spawned && (e.Kind == "main" || e.Init) {
			s.worlds[e.Func] = s.others[e.Func]
		}
	}
	for _, e := range s.prog.Entries {
		if e.Func != nil && e.Init {
			s.ofInit[s.worlds[e.Func]] = true
		}
		if e.Func != nil && e.Spawned {
			s.ofThreads[s.worlds[e.Func]], s.ofThreads[s.others[e.Func]] = true, true
			s.ofOthers[s.others[e.Func]] = true
		}
	}
}

// singledOut reports whether a context of an entry's function is that of the run which is
// told from all others.
func (s *solver) singledOut(f *ir.Func, ctx int32) bool {
	w := s.worlds[f]
	return w != 0 && w != s.others[f] && w == s.worldOf(ctx)
}

// inRun reports whether a context is that of an entry which nothing in the program starts
// as a thread: what it has waited for is over when it hands out its last. Of what the
// initialisation starts nothing else is left in the worlds, so that is not waited for.
func (s *solver) inRun(ctx int32) bool {
	w := s.worldOf(ctx)
	return w != 0 && !s.ofThreads[w] && !s.ofInit[w]
}

// worldOf is the context of the world that a context is in.
func (s *solver) worldOf(ctx int32) int32 {
	if ctx < 0 {
		return 0
	}
	return s.ctxs[ctx].world
}
