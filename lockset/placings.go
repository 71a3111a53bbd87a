package lockset

import (
	"fmt"
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/analysis/dataflow"
	"whoop/internal/graph"
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
//     container gets that owner, and may be placed with it only.
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
	out := slices.Concat(s, t)
	slices.Sort(out)
	return slices.Compact(out)
}

// joined is what is known where one of two origins is the pointer's; false where that is
// nothing.
func (o origin) joined(p origin) (origin, bool) {
	if o.from != "" && p.from != "" && o.from != p.from {
		return origin{}, false
	}
	out := origin{fresh: o.fresh.with(p.fresh), params: o.params | p.params, from: o.from, cells: o.cells.with(p.cells), made: o.made.with(p.made)}
	if out.from == "" {
		out.from = p.from
	}
	return out, true
}

func (o origin) equal(p origin) bool {
	return o.params == p.params && o.from == p.from && slices.Equal(o.fresh, p.fresh) && slices.Equal(o.cells, p.cells) && slices.Equal(o.made, p.made)
}

// token reports whether the register may have a token.
func (o origin) token() bool { return len(o.fresh) > 0 || o.params != 0 }

func (o origin) null() bool { return !o.token() && o.from == "" }

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
	// spoilt are the regions in which something else may be stored.
	spoilt map[int]bool
	// pointers and numbers are the regions that are accessed as such.
	pointers, numbers map[int]bool
	changed           bool
}

// maxPlacingRounds bounds the rounds over all functions until their summaries are stable.
// Where they are not, there are no good cells.
const maxPlacingRounds = 16

// placings looks at everything that the program may write; locks are the regions of its
// locks.
func (f *facts) placings(locks []*alias.Region) *placings {
	p := &placings{f: f, locks: locks, number: map[*ir.Alloc]int{}, region: map[int]*alias.Region{}, locked: map[*ir.Alloc]bool{}, funcs: map[*ir.Func]*placed{},
		contents: map[int]ids{}, needs: map[int]ids{}, copied: map[int]ids{}, spoilt: map[int]bool{}, pointers: map[int]bool{}, numbers: map[int]bool{}}
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
				p.funcs[fn] = &placed{outside: f.al.Known(fn), stored: map[int]map[relative]ids{}, owner: unrelated, none: true}
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
	for n := 0; ; n++ {
		p.changed = false
		for _, w := range flows {
			w.summarise()
		}
		if !p.changed {
			break
		}
		if n == maxPlacingRounds {
			return &placings{f: f}
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
	return p
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
	for id, from := range p.copied {
		p.needs[id] = p.needs[id].with(from)
	}
	for again := true; again; {
		again = false
		for id, from := range p.needs {
			for _, c := range from {
				if p.spoilt[c] && !p.spoilt[id] {
					p.spoilt[id], again = true, true
				}
				if more := p.contents[id].with(p.contents[c]); len(more) > len(p.contents[id]) {
					p.contents[id], again = more, true
				}
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
	for again := true; again; {
		again = false
		for id, from := range p.copied {
			if !out[id] && slices.ContainsFunc(from, func(c int) bool { return out[c] }) {
				out[id], again = true, true
			}
		}
	}
	return out
}

// candidate reports whether all that is ever in the cells of a region is null, or was
// stored by code that is seen.
func (p *placings) candidate(r *alias.Region) bool {
	return r.Exact && !p.f.writtenOutside(r) && !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
		return o.Kind == alias.KindExtern || o.Global != nil && startsWithPointer(o.Global, r)
	})
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

// spot is where something is stored.
type spot struct {
	// known: it is known whose cells these are: those of key, or free ones, or one of both.
	known bool
	key   string
	free  bool
	mixed bool
	// cells are what this rests on; reg has the token of a free container, one of made.
	cells ids
	reg   *ir.Reg
	made  ids
	// param is the number of the parameter, from 1 on, that points to the container: its
	// token may have come with it.
	param int
}

// owned reports whether the cells are those of an owner.
func (s spot) owned() bool { return s.known && !s.free && !s.mixed }

// place notes that a value is stored in cells of a spot.
func (w *placing) place(rs ids, v origin, ok bool, to spot) {
	if w.sum == nil || ok && v.null() {
		return
	}
	if ok && to.param > 0 && v.from != "" && v.from != to.key && !v.token() {
		w.needToken(to.param-1, w.relativeTo(spot{key: v.from}), rs)
		to.key = v.from
	}
	for _, r := range rs {
		if !ok || !to.known || v.from != "" && !to.free && v.from != to.key {
			w.spoilt[r] = true
			continue
		}
		if more := w.contents[r].with(v.fresh).with(v.made); len(more) > len(w.contents[r]) {
			w.contents[r] = more
		}
		w.needs[r] = w.needs[r].with(v.cells).with(to.cells)
	}
	by := w.relativeTo(to)
	for i := 0; ok && v.params>>i != 0; i++ {
		if v.params>>i&1 == 0 {
			continue
		}
		w.needToken(i, by, rs)
	}
}

// needToken notes that the object of a parameter, which must be free, gets an owner, and
// that this matters to cells of regions.
func (w *placing) needToken(param int, by relative, rs ids) {
	if w.sum.stored[param] == nil {
		w.sum.stored[param] = map[relative]ids{}
	}
	if old := w.sum.stored[param][by]; len(old.with(rs)) > len(old) {
		w.sum.stored[param][by], w.changed = old.with(rs), true
	}
}

// relativeTo is a spot in terms of the function's parameters.
func (w *placing) relativeTo(to spot) relative {
	if o := w.owners[to.key]; o != nil && o.param >= 0 {
		return relative{param: o.param, holder: o.root != nil, off: o.off}
	}
	return unrelated
}

// placing is the flow of tokens through one function, or through the body of a procedure
// of a sequential program.
type placing struct {
	*placings
	// source is the instruction of the program that one of the body was made from.
	source func(ir.Instr) ir.Instr
	params []*ir.Reg
	blocks []*ir.Block
	order  []*ir.Block
	// sum receives what the function does; nil where origins alone are asked for.
	sum    *placed
	result ir.Type
	// returned, none, unknown: what it returns in the present round: nothing yet; something
	// of which nothing is known.
	returned      origin
	none, unknown bool
	owners        map[string]*owner
	// in are the keys of the owners that a register is a part of.
	in map[*ir.Reg][]string
	// across are the registers that are used in other blocks than the one that sets them.
	across map[*ir.Reg]bool
	// same gives registers that are copies of another wherever they are used.
	same map[*ir.Reg]copied
	// constant are the parameters that are never assigned.
	constant map[*ir.Reg]int
}

func (p *placings) flowOf(fn *ir.Func, source func(ir.Instr) ir.Instr) *placing {
	w := &placing{placings: p, source: source, params: fn.Params, blocks: fn.Blocks, order: ir.RPO(fn), result: fn.Result,
		owners: map[string]*owner{}, in: map[*ir.Reg][]string{}, across: map[*ir.Reg]bool{}, same: map[*ir.Reg]copied{}, constant: map[*ir.Reg]int{}}
	for i, r := range fn.Params {
		w.constant[r] = i
		w.owners[ownerOf(r)] = &owner{param: i}
	}
	home := map[*ir.Reg]*ir.Block{}
	seen := func(r *ir.Reg, b *ir.Block) {
		if old, ok := home[r]; ok && old != b {
			w.across[r] = true
		}
		home[r] = b
	}
	for _, r := range fn.Params {
		if len(fn.Blocks) > 0 {
			home[r] = fn.Blocks[0]
		}
	}
	for _, b := range w.order {
		for _, in := range b.Instrs {
			for _, e := range ir.Operands(in) {
				for _, r := range regsOf(e) {
					seen(r, b)
				}
			}
			for _, d := range ir.Defs(in) {
				seen(d, b)
				delete(w.constant, d)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			for _, r := range regsOf(e) {
				seen(r, b)
			}
		}
	}
	w.findCopies()
	for r := range w.same {
		if w.across[r] {
			of, _ := w.original(r)
			w.across[of] = true
		}
	}
	return w
}

// copied is a copy of a register, off bytes on.
type copied struct {
	reg *ir.Reg
	off int64
}

// findCopies finds the registers with one definition that is a copy: of a register that
// never changes, or of one that does not change while the copy is used, in one block.
func (w *placing) findCopies() {
	defs, inCycle := map[*ir.Reg][]ir.Instr{}, map[ir.Instr]bool{}
	for _, c := range graph.Components(w.blocks[:min(1, len(w.blocks))], func(b *ir.Block) []*ir.Block { return b.Succs() }) {
		cycle := len(c) > 1 || slices.Contains(c[0].Succs(), c[0])
		for _, b := range c {
			for _, in := range b.Instrs {
				inCycle[in] = cycle
				for _, d := range ir.Defs(in) {
					defs[d] = append(defs[d], in)
				}
			}
		}
	}
	fixed := func(r *ir.Reg) bool {
		_, param := w.constant[r]
		return param || len(defs[r]) == 1 && !inCycle[defs[r][0]]
	}
	for _, b := range w.order {
		for i, in := range b.Instrs {
			as, ok := in.(*ir.Assign)
			if ok && len(defs[as.Dst]) == 1 && ir.IsPtr(as.Dst.Type) {
				root, off := splitAddr(as.X)
				if u, isReg := root.(ir.Use); isReg && u.Reg != as.Dst && (fixed(u.Reg) || off == 0 && !w.across[as.Dst] && unchanged(b, i, u.Reg, as.Dst)) {
					w.same[as.Dst] = copied{u.Reg, off}
				}
			}
		}
	}
}

// unchanged reports whether dst is only used after instruction i of a block, and r is not
// set between that and the last use.
func unchanged(b *ir.Block, i int, r, dst *ir.Reg) bool {
	set := false
	uses := func(es []ir.Expr) bool {
		return slices.ContainsFunc(es, func(e ir.Expr) bool { return slices.Contains(regsOf(e), dst) })
	}
	for _, in := range b.Instrs[:i+1] {
		if uses(ir.Operands(in)) {
			return false
		}
	}
	for _, in := range b.Instrs[i+1:] {
		if set && uses(ir.Operands(in)) {
			return false
		}
		set = set || slices.Contains(ir.Defs(in), r)
	}
	return !set || !uses(ir.TermOperands(b.Term))
}

// original is the register that another is a copy of, or itself, and how far the copy is
// from it.
func (w *placing) original(r *ir.Reg) (*ir.Reg, int64) {
	off := int64(0)
	for n := 0; n < 32; n++ {
		c, ok := w.same[r]
		if !ok {
			break
		}
		r, off = c.reg, off+c.off
	}
	return r, off
}

// regs are the registers of an expression, copies as what they are
// copies of.
func (w *placing) regs(e ir.Expr) []*ir.Reg {
	out := regsOf(e)
	for i, r := range out {
		out[i], _ = w.original(r)
	}
	return out
}

// ownerOf is the key of the owner of what a parameter points to.
func ownerOf(param *ir.Reg) string { return "owner of " + param.Name }

func regsOf(e ir.Expr) []*ir.Reg {
	var out []*ir.Reg
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if u, ok := e.(ir.Use); ok {
			out = append(out, u.Reg)
		}
		return true
	})
	return out
}

// flow finds the origins at the start of each block.
func (w *placing) flow() map[*ir.Block]origins {
	start := origins{}
	for i, r := range w.params {
		switch {
		case !ir.IsPtr(r.Type):
		case i < 64 && w.sum != nil && !w.sum.outside:
			start[r] = origin{params: 1 << i}
		default:
			start[r] = origin{from: ownerOf(r)}
		}
	}
	return dataflow.Forward(w.order, originLattice{}, w.blocks[0], start, func(b *ir.Block, at origins, emit func(*ir.Block, origins)) {
		if at == nil {
			return
		}
		at = maps.Clone(at)
		for _, in := range b.Instrs {
			if !w.instr(in, at) {
				return
			}
		}
		if ret, ok := b.Term.(*ir.Return); ok && w.sum != nil {
			w.returns(ret.Val, at)
		}
		for r := range at {
			if !w.across[r] {
				delete(at, r)
			}
		}
		for _, s := range b.Succs() {
			emit(s, at)
		}
	})
}

// summarise follows the function once, with the summaries that there are.
func (w *placing) summarise() {
	if len(w.blocks) == 0 {
		if w.sum.none {
			w.sum.none, w.sum.known, w.changed = false, false, true
		}
		return
	}
	w.returned, w.none, w.unknown = origin{}, true, false
	w.flow()
	known, by := !w.unknown && w.result != nil && ir.IsPtr(w.result), unrelated
	if o := w.owners[w.returned.from]; o != nil && known {
		if by = w.relativeTo(spot{key: w.returned.from}); by == unrelated {
			known = false
		}
	}
	if w.sum.none != w.none || w.sum.known != known || w.sum.owner != by || !w.sum.result.equal(w.returned) {
		w.sum.none, w.sum.known, w.sum.owner, w.sum.result, w.changed = w.none, known, by, w.returned, true
	}
}

// returns adds a result.
func (w *placing) returns(val ir.Expr, at origins) {
	w.none = false
	if val == nil {
		w.unknown = true
		return
	}
	v, ok := w.value(val, at)
	if j, joins := w.returned.joined(v); ok && joins {
		w.returned = j
	} else {
		w.unknown = true
	}
}

// value is the origin of an expression; false where nothing is known.
func (w *placing) value(e ir.Expr, at origins) (origin, bool) {
	switch e := e.(type) {
	case ir.Null:
		return origin{}, true
	case ir.Use:
		r, off := w.original(e.Reg)
		o, ok := at[r]
		return o, ok && (off == 0 || !o.token())
	case ir.Cast:
		if ir.IsPtr(e.T) && ir.IsPtr(e.X.Type()) {
			return w.value(e.X, at)
		}
		return origin{}, ir.IsNull(e)
	case ir.IndexAddr:
		return w.value(e.Base, at)
	case ir.FieldAddr:
		v, ok := w.value(e.Base, at)
		return v, ok && !v.token()
	case ir.Select:
		x, ok := w.value(e.X, at)
		y, also := w.value(e.Y, at)
		if !ok || !also {
			return origin{}, false
		}
		return x.joined(y)
	}
	return origin{}, ir.IsNull(e)
}

// take removes the tokens of the registers of an expression.
func (w *placing) take(e ir.Expr, at origins) {
	for _, r := range w.regs(e) {
		if at[r].token() {
			delete(at, r)
		}
	}
}

// instr follows one instruction; false where nothing comes after it, as far as is known.
func (w *placing) instr(in ir.Instr, at origins) bool {
	switch in := in.(type) {
	case *ir.Alloc:
		w.defined(in, at)
		if in.Kind != "stack" {
			if a, ok := w.source(in).(*ir.Alloc); ok {
				at[in.Dst] = origin{fresh: ids{w.alloc(a)}}
			}
		}
		return true
	case *ir.Assign:
		if _, copied := w.same[in.Dst]; copied {
			w.defined(in, at)
			return true
		}
		v, ok := w.value(in.X, at)
		if index, is := in.X.(ir.IndexAddr); is && v.token() && !isZeroConst(index.Idx) {
			ok = false // the register keeps the token of the whole
		}
		if ok {
			w.take(in.X, at)
		}
		w.defined(in, at)
		w.set(in.Dst, v, ok, at)
		return true
	case *ir.Load:
		w.load(in, at)
		return true
	case *ir.Store:
		w.store(in, at)
		return true
	case *ir.MemCopy:
		w.copy(in, at)
		return true
	case *ir.Call:
		return w.call(in, at)
	case *ir.Free:
		return true // what was in the cells before does not change
	case *ir.MemSet:
		if isZeroConst(in.Val) {
			return true
		}
	}
	w.overwritten(in)
	w.defined(in, at)
	return true
}

// overwritten notes that an instruction writes nobody knows what.
func (w *placing) overwritten(in ir.Instr) {
	for _, a := range w.f.acc[w.source(in)] {
		if a.Write {
			w.place(w.regions(a), origin{}, false, spot{})
		}
	}
}

// set gives a register an origin, unless its owner is said with the register itself.
func (w *placing) set(r *ir.Reg, v origin, ok bool, at origins) {
	if o := w.owners[v.from]; ok && ir.IsPtr(r.Type) && !(o != nil && slices.Contains(o.regs, r)) {
		at[r] = v
	}
}

func isZeroConst(e ir.Expr) bool {
	n, ok := ir.ConstInt(e)
	return ok && n == 0
}

func (w *placing) alloc(in *ir.Alloc) int {
	n, ok := w.number[in]
	if !ok && w.sum != nil {
		n = len(w.allocs)
		w.number[in] = n
		w.allocs = append(w.allocs, in)
	}
	return n
}

func (w *placing) regions(a alias.Access) ids {
	var out ids
	for _, r := range a.Regions {
		if w.sum != nil {
			w.region[r.ID] = r
		}
		out = append(out, r.ID)
	}
	slices.Sort(out)
	return out
}

// defined drops what is known of the registers that an instruction defines, and what is
// said with them.
func (w *placing) defined(in ir.Instr, at origins) {
	for _, d := range ir.Defs(in) {
		delete(at, d)
		for _, k := range w.in[d] {
			for r, o := range at {
				if o.from == k {
					delete(at, r)
				}
			}
		}
	}
}

// spotOf is where the cells are that are accessed at an address: in a holder, or in a
// container.
func (w *placing) spotOf(acc alias.Access, addr ir.Expr, at origins) spot {
	if acc.Unknown || len(acc.Regions) == 0 {
		return spot{}
	}
	first := acc.Regions[0]
	inner, whole := w.inContainers(first), w.wholeHolder(first)
	for _, r := range acc.Regions {
		if w.inContainers(r) != inner || !inner && (!r.Exact || r.Offset != first.Offset || r.ArrayStart != first.ArrayStart || w.wholeHolder(r) != whole) {
			return spot{}
		}
	}
	if inner {
		return w.container(rootOf(addr), at)
	}
	root, n := splitAddr(addr)
	off := first.Offset
	if index, ok := root.(ir.IndexAddr); ok && whole && index.Stride == first.Elem && n == off {
		root, n = splitAddr(index.Base)
		off = first.ArrayStart
	} else if whole {
		return spot{}
	}
	return spot{known: true, key: w.holder(root, n-off)}
}

// wholeHolder reports whether the holder of the cells of a region is the whole object,
// though they lie in an array: no element of that has a lock.
func (p *placings) wholeHolder(r *alias.Region) bool {
	return r.Elem != 0 && !slices.ContainsFunc(p.locks, func(k *alias.Region) bool {
		return k.Elem == r.Elem && k.ArrayStart == r.ArrayStart && shareObject(k, r)
	})
}

// container is the spot of the cells of a container.
func (w *placing) container(ptr ir.Expr, at origins) spot {
	v, ok := w.value(ptr, at)
	u, isReg := ir.Uncast(ptr).(ir.Use)
	if !ok || !isReg || v.null() {
		return spot{}
	}
	reg, _ := w.original(u.Reg)
	switch {
	case v.params != 0:
		if i, one := single1(v.params); one && len(v.fresh) == 0 && v.from == "" {
			return spot{known: true, key: ownerOf(w.params[i]), param: i + 1, reg: reg}
		}
		return spot{}
	case v.from != "" && len(v.fresh) == 0:
		return spot{known: true, key: v.from, cells: v.cells}
	case v.from != "":
		return spot{known: true, key: v.from, mixed: true, cells: v.cells, reg: reg, made: v.fresh.with(v.made)}
	}
	return spot{known: true, free: true, reg: reg, made: v.fresh}
}

// single1 is the number of the only bit that is set.
func single1(bits uint64) (int, bool) {
	if bits == 0 || bits&(bits-1) != 0 {
		return 0, false
	}
	n := 0
	for ; bits>>n != 1; n++ {
	}
	return n, true
}

// holder is the key of the holder off bytes after a root.
func (w *placing) holder(root ir.Expr, off int64) string {
	if u, ok := ir.Uncast(root).(ir.Use); ok {
		r, more := w.original(u.Reg)
		root, off = ir.Use{Reg: r}, off+more
	}
	root = ir.MapExpr(root, func(e ir.Expr) ir.Expr {
		if u, ok := e.(ir.Use); ok {
			if r, off := w.original(u.Reg); off == 0 {
				return ir.Use{Reg: r}
			}
		}
		return e
	})
	key := fmt.Sprintf("%s%+d", ir.ExprString(root), off)
	for _, r := range regsOf(root) {
		key += fmt.Sprintf(" %p", r) // names need not be unique
	}
	if w.owners[key] == nil {
		o := &owner{root: root, off: off, regs: regsOf(root), param: -1}
		if u, ok := ir.Uncast(root).(ir.Use); ok {
			if i, param := w.constant[u.Reg]; param {
				o.param = i
			}
		}
		w.owners[key] = o
		for _, r := range o.regs {
			w.in[r] = append(w.in[r], key)
		}
	}
	return key
}

// splitAddr splits an address into a root and a constant offset.
func splitAddr(e ir.Expr) (root ir.Expr, off int64) {
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			off += x.S.Fields[x.Index].Offset
			e = x.Base
		case ir.IndexAddr:
			n, ok := ir.ConstInt(x.Idx)
			if !ok {
				return e, off
			}
			off += n * x.Stride
			e = x.Base
		case ir.Cast:
			if !ir.IsPtr(x.T) || !ir.IsPtr(x.X.Type()) {
				return e, off
			}
			e = x.X
		default:
			return e, off
		}
	}
}

// load follows a load: what a cell of an owner leads to is the owner's.
func (w *placing) load(in *ir.Load, at origins) {
	acc := w.f.acc[w.source(in)]
	var from spot
	var rs ids
	if len(acc) == 1 {
		rs = w.touch(acc[0], ir.IsPtr(in.Dst.Type))
		if ir.IsPtr(in.Dst.Type) && !ir.UsesReg(in.Addr, in.Dst) {
			from = w.spotOf(acc[0], in.Addr, at)
		}
	}
	w.defined(in, at)
	if from.owned() {
		w.set(in.Dst, origin{from: from.key, cells: rs.with(from.cells)}, true, at)
	}
}

// touch are the regions of an access, noted as those of pointers or of numbers.
func (w *placing) touch(a alias.Access, pointer bool) ids {
	rs := w.regions(a)
	for _, r := range rs {
		if w.sum == nil {
			break
		}
		if pointer {
			w.pointers[r] = true
		} else {
			w.numbers[r] = true
		}
	}
	return rs
}

// store follows a store: the object of a token gets the owner of the cell.
func (w *placing) store(in *ir.Store, at origins) {
	v, ok := w.value(in.Val, at)
	var to spot
	var rs ids
	for _, a := range w.f.acc[w.source(in)] {
		if a.Write {
			to = w.spotOf(a, in.Addr, at)
			rs = w.touch(a, ir.IsPtr(in.Val.Type()))
			w.place(rs, v, ok, to)
		}
	}
	if !ok || v.null() {
		return
	}
	w.given(in.Val, v, rs, to, at)
}

// given updates the registers after a value was stored in cells of a spot.
func (w *placing) given(val ir.Expr, v origin, rs ids, to spot, at origins) {
	if (to.free || to.mixed || to.param > 0) && v.from != "" && v.from != to.key {
		w.set(to.reg, origin{from: v.from, cells: v.cells.with(to.cells), made: to.made}, true, at)
	}
	if !v.token() {
		return
	}
	for _, r := range w.regs(val) {
		if at[r].token() {
			delete(at, r)
			if to.owned() {
				w.set(r, origin{from: to.key, cells: rs.with(to.cells)}, true, at)
			}
		}
	}
}

// copy follows a copy of memory between containers: as a store of what the source leads
// to. A free source is used up.
func (w *placing) copy(in *ir.MemCopy, at origins) {
	var read ids
	var sources []*alias.Region
	from := spot{}
	acc := w.f.acc[w.source(in)]
	for _, a := range acc {
		if !a.Write {
			read, sources = w.regions(a), a.Regions
			if from = w.spotOf(a, in.Src, at); !w.allInContainers(a) {
				from = spot{}
			}
		}
	}
	for _, a := range acc {
		if !a.Write {
			continue
		}
		to, rs := w.spotOf(a, in.Dst, at), w.regions(a)
		if w.sum == nil {
			continue
		}
		for _, r := range rs {
			if !from.known || from.mixed || !to.known || !w.allInContainers(a) || from.owned() && !to.free && from.key != to.key {
				w.spoilt[r] = true
				continue
			}
			for _, c := range sources {
				if !w.apart(in, w.region[r], c) {
					w.copied[r] = w.copied[r].with(ids{c.ID})
				}
			}
			w.needs[r] = w.needs[r].with(from.cells).with(to.cells)
		}
		if from.owned() && (to.free || to.mixed) {
			w.set(to.reg, origin{from: from.key, cells: from.cells.with(read).with(to.cells), made: to.made}, true, at)
		}
	}
	if from.free && from.reg != nil {
		delete(at, from.reg)
	}
}

// apart reports whether a copy of whole elements leaves alone cells of r with what is in
// cells of c: these are other members of the element.
func (w *placing) apart(in *ir.MemCopy, r, c *alias.Region) bool {
	if in.Elem == nil {
		return false
	}
	ofElements := func(r *alias.Region) bool {
		return r.Exact && (r.Elem == in.Elem.Size() || r.Elem == 0 && !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
			return o.Type == nil || o.Type.Size() != in.Elem.Size()
		}))
	}
	return ofElements(r) && ofElements(c) && r.Offset != c.Offset
}

func (w *placing) allInContainers(a alias.Access) bool {
	return !slices.ContainsFunc(a.Regions, func(r *alias.Region) bool { return !w.inContainers(r) })
}

// call follows a call: tokens go to the functions that store or return them. False where
// none of these returns.
func (w *placing) call(in *ir.Call, at origins) bool {
	orig, ok := w.source(in).(*ir.Call)
	if !ok {
		w.defined(in, at)
		return true
	}
	fns, complete := w.f.al.Callees(orig)
	w.overwritten(in)
	var result origin
	known, goesOn := complete && in.Dst != nil && ir.IsPtr(in.Dst.Type), !complete || len(fns) == 0
	gone := map[int]origin{}
	for _, g := range fns {
		s := w.funcs[g]
		if s == nil {
			known, goesOn = false, true
			continue
		}
		args := &arguments{w: w, call: in, at: at, used: map[*ir.Reg]bool{}}
		for i := range g.Params {
			for by, rs := range s.stored[i] {
				v, ok := args.take(i)
				to := args.spot(by)
				w.place(rs, v, ok, to)
				after := origin{}
				if len(s.stored[i]) == 1 && to.owned() && by != unrelated {
					after = origin{from: to.key, cells: rs.with(to.cells)}
				}
				if _, twice := gone[i]; twice {
					after = origin{}
				}
				gone[i] = after
				if ok && (to.free || to.mixed) && v.from != "" {
					w.set(to.reg, origin{from: v.from, cells: v.cells.with(to.cells), made: to.made}, true, at)
				}
			}
		}
		if s.none {
			continue
		}
		goesOn = true
		r, ok := origin{fresh: s.result.fresh, cells: s.result.cells, made: s.result.made}, s.known
		if s.known && s.owner != unrelated {
			to := args.spot(s.owner)
			r.from, r.cells, ok = to.key, r.cells.with(to.cells), ok && to.owned()
		}
		for i := 0; s.known && s.result.params>>i != 0; i++ {
			if s.result.params>>i&1 == 1 {
				v, has := args.take(i)
				j, joins := r.joined(v)
				r, ok, gone[i] = j, ok && has && joins, origin{}
			}
		}
		if ok {
			r, ok = r.joined(result)
		}
		result, known = r, known && ok
	}
	for i, after := range gone {
		if i >= len(in.Args) {
			continue
		}
		for _, r := range w.regs(in.Args[i]) {
			if at[r].token() {
				delete(at, r)
				w.set(r, after, after.from != "", at)
			}
		}
	}
	w.defined(in, at)
	if known && goesOn {
		w.set(in.Dst, result, true, at)
	}
	return goesOn
}

// arguments are those of a call: each token is there once.
type arguments struct {
	w    *placing
	call *ir.Call
	at   origins
	used map[*ir.Reg]bool
}

// take is the origin of an argument; false where nothing is known of it.
func (g *arguments) take(i int) (origin, bool) {
	if i >= len(g.call.Args) {
		return origin{}, false
	}
	v, ok := g.w.value(g.call.Args[i], g.at)
	for _, r := range g.w.regs(g.call.Args[i]) {
		if g.at[r].token() {
			ok = ok && !g.used[r]
			g.used[r] = true
		}
	}
	return v, ok
}

// spot is what is relative to a parameter, at the call.
func (g *arguments) spot(by relative) spot {
	if by.param < 0 || by.param >= len(g.call.Args) {
		return spot{known: by == unrelated, key: unknownOwner}
	}
	arg := g.call.Args[by.param]
	if !by.holder {
		return g.w.container(arg, g.at)
	}
	root, off := splitAddr(arg)
	return spot{known: true, key: g.w.holder(root, off+by.off)}
}
