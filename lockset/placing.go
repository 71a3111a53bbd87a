package lockset

import (
	"fmt"
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/analysis/dataflow"
	"whoop/ir"
)

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
		w.sum.stored[param][by], w.sum.changed = old.with(rs), true
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
	// live are those of them that are read after a block, and first those that are at its
	// start; nil: not needed yet.
	live, first map[*ir.Block]map[*ir.Reg]bool
	// same gives registers that are copies of another wherever they are used.
	same map[*ir.Reg]copied
	// constant are the parameters that are never assigned.
	constant map[*ir.Reg]int
	// results are the variables for results, and the parameter that leads to one; members
	// are the registers that stand for their members, left what returns of the present
	// round leave there.
	results map[*ir.Reg]bool
	members map[member]*ir.Reg
	left    map[int]outcomeOf
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
				for _, r := range ir.RegsOf(e) {
					seen(r, b)
				}
			}
			for _, d := range ir.Defs(in) {
				seen(d, b)
				delete(w.constant, d)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			for _, r := range ir.RegsOf(e) {
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
	w.findResults()
	return w
}

// ownerOf is the key of the owner of what a parameter points to.
func ownerOf(param *ir.Reg) string { return "owner of " + param.Name }

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
			w.returnsMembers(at)
		}
		w.forgetUnneeded(b, at)
		succs := b.Succs()
		for _, s := range succs {
			if len(succs) > 1 {
				emit(s, w.along(s, at))
			} else {
				emit(s, at)
			}
		}
	})
}

// summarise follows the function once, with the summaries that there are.
func (w *placing) summarise() {
	if len(w.blocks) == 0 {
		if w.sum.none {
			w.sum.none, w.sum.known, w.sum.changed = false, false, true
		}
		return
	}
	w.returned, w.none, w.unknown, w.left = origin{}, true, false, map[int]outcomeOf{}
	w.flow()
	w.summariseMembers()
	known, by := !w.unknown && w.result != nil && ir.IsPtr(w.result), unrelated
	if o := w.owners[w.returned.from]; o != nil && known {
		if by = w.relativeTo(spot{key: w.returned.from}); by == unrelated {
			known = false
		}
	}
	if w.sum.none != w.none || w.sum.known != known || w.sum.owner != by || !w.sum.result.equal(w.returned) {
		w.sum.none, w.sum.known, w.sum.owner, w.sum.result, w.sum.changed = w.none, known, by, w.returned, true
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
		return o, ok && o.part == nil && (off == 0 || !o.token())
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
		w.forget(in.Dst, at)
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
		part, isPart := w.partOf(in.X, at)
		if ok {
			w.take(in.X, at)
		}
		w.defined(in, at)
		if w.set(in.Dst, v, ok, at); isPart && part.part != in.Dst {
			w.set(in.Dst, part, true, at)
		}
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
	if w.restsOnBad(v) {
		return
	}
	if o := w.owners[v.from]; ok && ir.IsPtr(r.Type) && !(o != nil && slices.Contains(o.regs, r)) {
		at[r] = v
	}
}

// restsOnBad reports whether an origin was found out from a cell that is spoilt.
func (w *placing) restsOnBad(v origin) bool {
	return slices.ContainsFunc(v.cells, func(c int) bool { return w.bad[c] })
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
		w.forgetParts(d, at)
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
	if p, is := w.partOf(ptr, at); is {
		return spot{known: true, free: true, reg: p.part, made: at[p.part].fresh, cells: p.cells}
	}
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
	for _, r := range ir.RegsOf(root) {
		key += fmt.Sprintf(" %p", r) // names need not be unique
	}
	if w.owners[key] == nil {
		o := &owner{root: root, off: off, regs: ir.RegsOf(root), param: -1}
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
	if c := w.cell(in.Addr); c != nil {
		w.takeMember(c, in, at)
		return
	}
	w.defined(in, at)
	switch {
	case from.owned():
		w.set(in.Dst, origin{from: from.key, cells: rs.with(from.cells)}, true, at)
	case from.known && from.free && from.reg != nil && from.reg != in.Dst:
		w.set(in.Dst, origin{part: from.reg, cells: rs.with(from.cells)}, true, at)
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
	if c := w.cell(in.Addr); c != nil {
		w.putMember(c, in, at)
		return
	}
	if p, is := w.partOf(in.Val, at); is {
		w.storePart(in, p, at)
		return
	}
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

// given updates the registers after a value was stored in cells of a spot. What spoilt
// cells lead to says nothing of who owns the container.
func (w *placing) given(val ir.Expr, v origin, rs ids, to spot, at origins) {
	bad := !slices.ContainsFunc(rs, func(r int) bool { return !w.bad[r] })
	if !bad && (to.free || to.mixed || to.param > 0) && v.from != "" && v.from != to.key {
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
