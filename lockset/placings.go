package lockset

import (
	"maps"
	"reflect"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Placings say who owns the objects on the heap. Some objects are holders: those with a
// lock in them, and those that are not on the heap; of an array, each element is one. The
// others are containers or plain data, and have an owner once a holder leads to them:
// what a holder's cell leads to is owned by the holder, and what a container's cell leads
// to is owned by the container's owner. The rows of a table that a box points to, and the
// nodes of its list, are owned by the box.
//
// That an owner is for ever is found out by a linear analysis. Who makes an object gets a
// token for placing it. Assignments, arguments, results and stores move the token. An
// object whose token somebody has is free; so is what free containers lead to. A store is
// in order
//   - of null,
//   - of the token of a free object, to a cell of a holder or of a container: it gets the
//     owner of the cell, or becomes part of the free container,
//   - of a pointer to an object of the same owner as the cell's,
//   - of a pointer to an object with an owner, to a cell of a free container: the
//     container gets that owner, and may be placed with it only,
//   - of what was found in a free container, to a cell of the container, or of somebody
//     else: then all objects of the container's token get that cell's owner.
//
// A cell with other stores is spoilt, and so is one with a store that rests on what was
// found in a spoilt cell. The others are good cells.
//
// Claim: in each execution there is a function that gives each object at most one owner,
// never changes, and such that the good cells of a holder h lead to objects of owner h
// alone, those of a container with an owner h to such of h, and those of a free container
// to free objects of the same token. By induction over the steps. A step that stores
// nothing in a good cell, and moves no token, changes nothing. A store of the second kind
// gives all objects of one token the cell's owner, or joins the objects of two tokens of
// which one is used up: they had no owner, so none changes, and no good cell outside led
// to them. The other kinds store what the claim allows. The analysis follows tokens by
// registers, and a register that lends its token to another has none.
//
// An object that a pointer leads to is the one that it was computed from (assumption
// memory-safety).

// origin is what is known of a pointer in a register: it is null, or one of these.
type origin struct {
	// fresh are the allocations whose object the register has the token of. params are the
	// parameters, as bits, whose value it has, with the token if the caller gave that.
	fresh  ids
	params uint64
	// from is the owner of the object that it leads to, as a key of owners; "" for none.
	// cells are the regions of the cells that this rests on; made are allocations of what
	// it may lead to beside that what these cells lead to.
	from  string
	cells ids
	made  ids
	// part is the register of a free container: the pointer leads to an object of its
	// token, as long as it has that.
	part *ir.Reg
}

// ids is an ordered set of numbers of allocations or regions.
type ids []int

func (s ids) with(t ids) ids {
	if len(t) == 0 {
		return s
	}
	if len(s) == 0 {
		return t
	}
	switch {
	case s.holds(t):
		return s // most often: nobody changes a set
	case t.holds(s):
		return t
	}
	out := slices.Concat(s, t)
	slices.Sort(out)
	return slices.Compact(out)
}

// holds reports whether all of t is in s.
func (s ids) holds(t ids) bool {
	if len(t) > len(s) {
		return false
	}
	if len(t) == 1 {
		_, is := slices.BinarySearch(s, t[0])
		return is
	}
	i := 0
	for _, x := range t {
		for i < len(s) && s[i] < x {
			i++
		}
		if i == len(s) || s[i] != x {
			return false
		}
	}
	return true
}

// joined is what is known where one of two origins is the pointer's; false where that is
// nothing.
func (o origin) joined(p origin) (origin, bool) {
	if o.from != "" && p.from != "" && o.from != p.from {
		return origin{}, false
	}
	if o.part != p.part && !o.null() && !p.null() {
		return origin{}, false
	}
	out := origin{fresh: o.fresh.with(p.fresh), params: o.params | p.params, from: o.from, cells: o.cells.with(p.cells), made: o.made.with(p.made)}
	if out.from == "" {
		out.from = p.from
	}
	if out.part = o.part; out.part == nil {
		out.part = p.part
	}
	return out, true
}

func (o origin) equal(p origin) bool {
	return o.params == p.params && o.from == p.from && o.part == p.part &&
		slices.Equal(o.fresh, p.fresh) && slices.Equal(o.cells, p.cells) &&
		slices.Equal(o.made, p.made)
}

// token reports whether the register may have a token.
func (o origin) token() bool { return len(o.fresh) > 0 || o.params != 0 }

func (o origin) null() bool { return !o.token() && o.from == "" && o.part == nil }

// origins are those of registers; of the others nothing is known. nil: cannot be reached.
type origins map[*ir.Reg]origin

// originLattice orders origins: less is known of more.
type originLattice struct{}

func (originLattice) Bottom() origins { return nil }

func (originLattice) Join(a, b origins) origins {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	same := true
	for r, o := range a {
		p, ok := b[r]
		j, joins := o.joined(p)
		if same = ok && joins && j.equal(o); !same {
			break
		}
	}
	if same {
		return a // most often: nobody changes a value
	}
	out := origins{}
	for r, o := range a {
		if p, ok := b[r]; ok {
			if j, ok := o.joined(p); ok {
				out[r] = j
			}
		}
	}
	return out
}

func (originLattice) Equal(a, b origins) bool {
	if reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() {
		return true
	}
	return (a == nil) == (b == nil) && maps.EqualFunc(a, b, origin.equal)
}

// owner is an owner as an expression over registers that have not changed since: the
// holder off bytes after root, or whoever owns what a parameter pointed to at the start.
type owner struct {
	root ir.Expr // nil: of a parameter
	off  int64
	regs []*ir.Reg
	// param is the parameter, or the one that root is, -1 for none.
	param int
}

// relative is an owner in terms of a parameter, for callers: who owns what it points to,
// or the holder off bytes after it.
type relative struct {
	param  int
	holder bool
	off    int64
}

// placed is what calls of a function do with tokens.
type placed struct {
	// outside: not all callers are known.
	outside bool
	// stored are the regions that parameters are stored in as free objects, by the owners
	// of the cells.
	stored map[int]map[relative]ids
	// result is what the function returns; known: it was found out. none: it does not
	// return. owner is that of the result, where it has one.
	result      origin
	owner       relative
	known, none bool
	// left is what it leaves in the members of its results, by their numbers.
	left map[int]outcomeOf
	// changed: it is not what it was when the function was last followed.
	changed bool
}

// clear forgets what was found out.
func (s *placed) clear() {
	*s = placed{outside: s.outside, stored: map[int]map[relative]ids{}, owner: unrelated,
		none: true, left: map[int]outcomeOf{}}
}

// unrelated is an owner that is not one of a parameter; unknownOwner is its key at calls.
// Nothing is known to be of it.
var unrelated = relative{param: -1}

const unknownOwner = "?"

// placings finds the good cells.
type placings struct {
	f      *facts
	allocs []*ir.Alloc
	number map[*ir.Alloc]int
	region map[int]*alias.Region
	// locks are the regions of locks, locked the allocations of objects with locks in them.
	locks  []*alias.Region
	locked map[*ir.Alloc]bool
	funcs  map[*ir.Func]*placed
	// contents are the allocations whose objects are stored in a region with the token.
	contents map[int]ids
	// needs are the regions that a store to a region rests on, copied those that a copy
	// of memory to it does.
	needs, copied map[int]ids
	// noted are the copies of memory that are in copied.
	noted map[*ir.MemCopy]bool
	// spoilt are the regions in which something else may be stored, or something found in
	// such a one; direct are the former, with those that they are copied to; bad are those
	// that the run before has found.
	spoilt, direct, bad map[int]bool
	// idle are the regions that the run before has found not to carry pointers.
	idle map[int]bool
	// pointers and numbers are the regions that are accessed as such.
	pointers, numbers map[int]bool
	// loose are the functions that do something else with the address of their results
	// than results.go knows.
	loose map[*ir.Func]bool
	// late says why there is no more time; cut is what it said when it was up.
	late func() error
	cut  error
}

// maxPlacingRounds bounds the rounds over all functions until their summaries are stable.
// Where they are not, there are no good cells.
const maxPlacingRounds = 16

// maxPlacingRuns is how often all is done anew, knowing the cells that were found spoilt:
// what is found in one says nothing of its owner, and who stores it somewhere spoils that
// cell, but keeps the token of the object that it lies in. So does what is copied from
// one, or to one. Each run is right by itself, whatever cells are taken for bad. After the
// first one these are cells of containers alone: where what lies in an array spoils cells
// of it, the array may well have one owner.
const maxPlacingRuns = 5

// placings looks at everything that the program may write; locks are the regions of its
// locks. When there is no more time, there are no good cells.
func (f *facts) placings(locks []*alias.Region, late func() error) *placings {
	p := &placings{f: f, late: late, locks: locks, number: map[*ir.Alloc]int{}, region: map[int]*alias.Region{}, locked: map[*ir.Alloc]bool{}, funcs: map[*ir.Func]*placed{},
		contents: map[int]ids{}, needs: map[int]ids{}, copied: map[int]ids{},
		spoilt: map[int]bool{}, pointers: map[int]bool{}, numbers: map[int]bool{},
		loose: map[*ir.Func]bool{}, bad: map[int]bool{}}
	if f.wild {
		return p
	}
	for _, k := range locks {
		for _, o := range k.Objects {
			p.locked[o.Alloc] = true
		}
	}
	var fns []*ir.Func
	for _, e := range f.p.Entries {
		for _, fn := range f.reach[e] {
			if p.funcs[fn] == nil {
				p.funcs[fn] = &placed{outside: f.al.Known(fn)}
				fns = append(fns, fn)
			}
		}
	}
	for _, e := range f.p.Entries {
		if s := p.funcs[e.Func]; s != nil {
			s.outside = true
		}
	}
	for _, fn := range fns {
		p.addressesTaken(fn)
	}
	flows := make([]*placing, len(fns))
	for i, fn := range fns {
		flows[i] = p.flowOf(fn, func(in ir.Instr) ir.Instr { return in })
		flows[i].sum = p.funcs[fn]
	}
	p.findLoose(fns, flows)
	callers := p.callers(fns)
	stable := false
	for n := 0; n < maxPlacingRuns; n++ {
		if !p.run(fns, flows, callers) {
			return &placings{f: f, cut: p.cut}
		}
		if stable = p.stillIdle(); stable && len(p.direct) == len(p.bad) {
			break
		}
		p.bad = p.direct
		if n == 0 {
			maps.DeleteFunc(p.bad, func(r int, _ bool) bool { return !p.inContainers(p.region[r]) })
		}
	}
	if !stable {
		return &placings{f: f}
	}
	p.bad = maps.Clone(p.spoilt)
	return p
}

// stillIdle notes which regions carry no pointers, and reports whether the run has taken
// only such for idle.
func (p *placings) stillIdle() bool {
	carries, still := p.carriers(), true
	for r := range p.idle {
		still = still && !carries[r]
	}
	p.idle = map[int]bool{}
	for r, c := range carries {
		if !c {
			p.idle[r] = true
		}
	}
	return still
}

// callers are the functions that ask for the summary of one, by their numbers.
func (p *placings) callers(fns []*ir.Func) map[*ir.Func][]int {
	out := map[*ir.Func][]int{}
	for i, fn := range fns {
		seen := map[*ir.Func]bool{}
		for in := range fn.Instrs() {
			c, ok := in.(*ir.Call)
			if !ok {
				continue
			}
			gs, _ := p.f.al.Callees(c)
			for _, g := range gs {
				if !seen[g] {
					seen[g] = true
					out[g] = append(out[g], i)
				}
			}
		}
	}
	return out
}

// run finds what there is with what is known to be bad; false where summaries do not
// become stable.
func (p *placings) run(fns []*ir.Func, flows []*placing, callers map[*ir.Func][]int) bool {
	p.contents, p.needs, p.copied, p.spoilt = map[int]ids{}, map[int]ids{}, map[int]ids{},
		maps.Clone(p.bad)
	p.noted = map[*ir.MemCopy]bool{}
	for _, fn := range fns {
		p.funcs[fn].clear()
	}
	// Callees first, and later those alone that call something of which more is known.
	open := make([]bool, len(flows))
	for i := range open {
		open[i] = true
	}
	for n := 0; slices.Contains(open, true); n++ {
		if n > maxPlacingRounds {
			return false
		}
		for i, w := range slices.Backward(flows) {
			if !open[i] {
				continue
			}
			if p.cut = p.late(); p.cut != nil {
				return false
			}
			open[i], w.sum.changed = false, false
			if w.summarise(); w.sum.changed {
				for _, c := range callers[fns[i]] {
					open[c] = true
				}
			}
		}
	}
	for _, fn := range fns {
		if s := p.funcs[fn]; s.outside {
			for _, by := range s.stored {
				for _, rs := range by {
					p.spoil(rs)
				}
			}
		}
	}
	p.spread()
	return true
}

// addressesTaken marks the functions that are not only called by name: their callers are
// not all known.
func (p *placings) addressesTaken(fn *ir.Func) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, isCall := in.(*ir.Call)
			direct := isCall && ir.FuncOf(call.Callee) != nil
			if isCall && !direct {
				fns, _ := p.f.al.Callees(call)
				for _, g := range fns {
					if p.funcs[g] != nil {
						p.funcs[g].outside = true
					}
				}
			}
			for i, e := range ir.Operands(in) {
				if direct && i == 0 {
					continue
				}
				ir.WalkExpr(e, func(e ir.Expr) bool {
					if a, ok := e.(ir.FuncAddr); ok && p.funcs[a.Func] != nil {
						p.funcs[a.Func].outside = true
					}
					return true
				})
			}
		}
	}
}

// spread drops the cells that are no good ones after all, and what rests on them, and
// carries contents along the stores of values that were found unrelated.
func (p *placings) spread() {
	carries := p.carriers()
	for id, r := range p.region {
		if !carries[id] {
			delete(p.spoilt, id)
		} else if !p.candidate(r) {
			p.spoilt[id] = true
		}
	}
	p.direct = maps.Clone(p.spoilt)
	closure(p.direct, p.copied)
	for id, from := range p.copied {
		p.needs[id] = p.needs[id].with(from)
	}
	rests := map[int][]int{} // what rests on a region
	for id, from := range p.needs {
		for _, c := range from {
			rests[c] = append(rests[c], id)
		}
	}
	work, queued := slices.Collect(maps.Keys(rests)), map[int]bool{}
	for _, c := range work {
		queued[c] = true
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		work, queued[c] = work[:len(work)-1], false
		for _, id := range rests[c] {
			changed := p.spoilt[c] && !p.spoilt[id]
			if changed {
				p.spoilt[id] = true
			}
			if more := p.contents[id].with(p.contents[c]); len(more) > len(p.contents[id]) {
				p.contents[id], changed = more, true
			}
			if changed && !queued[id] {
				queued[id] = true
				work = append(work, id)
			}
		}
	}
}

// closure adds to a set of regions those that something is copied to from one of them.
func closure(set map[int]bool, copied map[int]ids) {
	for again := true; again; {
		again = false
		for id, from := range copied {
			if !set[id] && slices.ContainsFunc(from, func(c int) bool { return set[c] }) {
				set[id], again = true, true
			}
		}
	}
}

// carriers are the regions that may hold pointers: those of which some access is one of a
// pointer, or that none is known of, and those that such are copied to. The others lead
// nowhere, whatever is stored there.
func (p *placings) carriers() map[int]bool {
	out := map[int]bool{}
	for id := range p.region {
		out[id] = p.pointers[id] || !p.numbers[id]
	}
	closure(out, p.copied)
	return out
}

// candidate reports whether all that is ever in the cells of a region is null, or was
// stored by code that is seen.
func (p *placings) candidate(r *alias.Region) bool {
	return r.Exact && !p.f.writtenOutside(r) && !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
		return o.Kind == alias.KindExtern && !p.madeZero(r, o) ||
			o.Global != nil && startsWithPointer(o.Global, r)
	})
}

// madeZero reports whether the cells of a region are zero in an object that code not seen
// has made, until the program stores something there. Such code copies no object that has
// a lock (assumption type-safe).
func (p *placings) madeZero(r *alias.Region, o *alias.Object) bool {
	return p.f.al.ZeroAtFirst(r, o) && slices.ContainsFunc(p.locks,
		func(k *alias.Region) bool { return slices.Contains(k.Objects, o) })
}

// startsWithPointer reports whether a cell of a region may be initialised with a pointer
// in a variable's definition.
func startsWithPointer(g *ir.Global, r *alias.Region) bool {
	return slices.ContainsFunc(g.Init, func(c ir.InitCell) bool {
		return !ir.IsNull(c.Value) && ir.IsPtr(c.Value.Type()) && (r.Elem != 0 || c.Offset == r.Offset)
	})
}

// writtenOutside reports whether code not seen, as that of a library's users, may write
// to a region by itself; of an array, to anything in it.
func (f *facts) writtenOutside(r *alias.Region) bool {
	if r.Elem == 0 {
		return f.al.WrittenOutside(r)
	}
	return f.al.WrittenOutside(&alias.Region{Objects: r.Objects, Offset: r.ArrayStart, Size: 1 << 40})
}

// inContainers reports whether the cells of a region lie in containers alone; else they
// are cells of holders.
func (p *placings) inContainers(r *alias.Region) bool {
	return len(r.Objects) > 0 && !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
		return o.Alloc == nil || o.Alloc.Kind == "stack" || p.locked[o.Alloc]
	})
}

// good lists the good cells that may lead to objects, by ID: those of holders, or those of
// containers.
func (p *placings) good(containers bool) []*alias.Region {
	var out []*alias.Region
	for _, id := range slices.Sorted(maps.Keys(p.contents)) {
		if r := p.region[id]; !p.spoilt[id] && len(p.contents[id]) > 0 && p.inContainers(r) == containers {
			out = append(out, r)
		}
	}
	return out
}

// owned are the allocations of the objects that the cells of a region lead to, through
// containers, too.
func (p *placings) owned(r *alias.Region, inner map[*ir.Alloc][]*alias.Region) []*ir.Alloc {
	var out []*ir.Alloc
	seen := map[*ir.Alloc]bool{}
	var add func(r *alias.Region)
	add = func(r *alias.Region) {
		for _, n := range p.contents[r.ID] {
			if a := p.allocs[n]; !seen[a] {
				seen[a] = true
				out = append(out, a)
				for _, c := range inner[a] {
					add(c)
				}
			}
		}
	}
	add(r)
	return out
}

func (p *placings) spoil(rs ids) {
	for _, r := range rs {
		p.spoilt[r] = true
	}
}
