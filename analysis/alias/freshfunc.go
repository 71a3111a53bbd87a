package alias

import (
	"math/bits"
	"slices"

	"whoop/ir"
)

// summary says what a function does with its parameters.
type summary struct {
	escapes []bool // parameter i may be published
	inner   []bool // what is reachable from parameter i may be published
	lent    []bool // parameter i may be handed to code not seen (lend.go)
	params  []bool // parameter i, or what is reachable from it, may be returned
	fresh   bool   // an unpublished allocation may be returned
	top     bool   // something else may be returned
}

// freshness analyses functions on demand.
type freshness struct {
	s         *solver
	summaries map[*ir.Func]*summary // nil: under way
	sites     map[*ir.Func]int      // calls, callbacks, spawns
	args      map[*ir.Func][]argument
	calls     map[*ir.Func]int // calls looked at
	live      map[*ir.Func][][]*ir.Reg
	fresh     map[ir.Instr]bool
	// first is the first of the reached functions that may be left.
	first int
}

// An argument says what all calls seen pass for a parameter.
type argument struct {
	fresh  bool // an unpublished object
	own    bool // of a caller's frame, which survives being lent (lend.go)
	flat   bool // that, without pointers in it
	cyclic bool // that may be found again from itself
}

// freshFunc is the analysis of one function.
type freshFunc struct {
	*freshness
	f     *ir.Func
	item  map[ir.Instr]int
	owned items // allocations of this function (and parameters that are fresh at every call)
	local items // allocations of this function
	frame items // of those, variables of frames (lend.go)
	flat  items // of those, variables without pointers in them
	sum   *summary
	final bool
}

// freshAccesses returns the instructions whose addresses all lie in unpublished objects.
func freshAccesses(s *solver) map[ir.Instr]bool {
	a := &freshness{s: s, summaries: map[*ir.Func]*summary{}, sites: map[*ir.Func]int{},
		args: map[*ir.Func][]argument{}, calls: map[*ir.Func]int{},
		live: map[*ir.Func][][]*ir.Reg{}, fresh: map[ir.Instr]bool{}}
	for _, f := range s.reached {
		a.summary(f)
	}
	for _, in := range s.callOrder() {
		for _, f := range s.callees[in].fns {
			a.sites[f]++
			if _, ok := in.(*ir.Call); !ok {
				a.sites[f] += 1 << 20 // runs in a thread of its own, or with unknown arguments
			}
		}
	}
	for f := range s.entryFns {
		a.sites[f] += 1 << 20
	}
	// Callers first, so that callees know whether their parameters are fresh at every
	// call.
	done := map[*ir.Func]bool{}
	for f := a.next(done); f != nil; f = a.next(done) {
		done[f] = true
		a.newFunc(f).run(true)
	}
	return a.fresh
}

// next picks a function all of whose calls have been looked at, or runs on its own, or
// any; nil where all are done.
func (a *freshness) next(done map[*ir.Func]bool) *ir.Func {
	for a.first < len(a.s.reached) && done[a.s.reached[a.first]] {
		a.first++
	}
	var first *ir.Func
	for _, f := range a.s.reached[a.first:] {
		if done[f] {
			continue
		}
		if first == nil {
			first = f
		}
		if a.calls[f] >= a.sites[f] || a.sites[f] >= 1<<20 {
			return f
		}
	}
	return first
}

// summary returns the summary of f; a recursive one is the worst.
func (a *freshness) summary(f *ir.Func) *summary {
	if x, ok := a.summaries[f]; ok {
		return x
	}
	a.summaries[f] = nil
	if len(f.Blocks) == 0 {
		return nil
	}
	ff := a.newFunc(f)
	ff.run(false)
	a.summaries[f] = ff.sum
	return ff.sum
}

func (a *freshness) newFunc(f *ir.Func) *freshFunc {
	n := len(f.Params)
	ff := &freshFunc{freshness: a, f: f, item: map[ir.Instr]int{},
		sum: &summary{escapes: make([]bool, n), inner: make([]bool, n), lent: make([]bool, n), params: make([]bool, n)}}
	next := 2 * ff.numParams()
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ir.Alloc:
			case *ir.Call:
				if x.Dst == nil || !ir.IsPtr(x.Dst.Type) {
					continue
				}
			default:
				continue
			}
			if next < maxItems {
				ff.item[in] = next
				ff.local |= 1 << next
				if inFrame(in) {
					ff.frame |= 1 << next
				}
				if a, ok := in.(*ir.Alloc); ok && ff.frame&(1<<next) != 0 && !hasPointers(a.Elem) {
					ff.flat |= 1 << next
				}
				next++
			}
		}
	}
	ff.owned = ff.local
	return ff
}

// numParams is how many parameters are tracked.
func (ff *freshFunc) numParams() int { return min(len(ff.f.Params), 8) }

// start is the state at the function's entry.
func (ff *freshFunc) start() *freshState {
	st := &freshState{env: map[*ir.Reg]value{}}
	for i := range ff.numParams() {
		p := ff.f.Params[i]
		if !ff.s.holdsAddress(p.Type) {
			continue
		}
		obj, inner := items(1)<<(2*i), items(1)<<(2*i+1)
		st.contains[2*i], st.contains[2*i+1] = inner, inner
		st.outside |= obj | inner
		st.env[p] = value{set: obj}
		if as := ff.args[ff.f]; ff.final && ff.calls[ff.f] == ff.sites[ff.f] && i < len(as) && as[i].fresh {
			ff.owned |= obj
			if as[i].own {
				ff.frame |= obj
			}
			if as[i].flat {
				ff.flat |= obj
			}
			if as[i].cyclic {
				st.contains[2*i+1] |= obj
			}
		}
	}
	return st
}

// run iterates to the fixpoint; the final run records fresh accesses, calls and the
// summary are taken in each.
func (ff *freshFunc) run(final bool) {
	if len(ff.f.Blocks) == 0 {
		return
	}
	ff.final = final
	blocks, at := reversePostorder(ff.f)
	in, queued := make([]*freshIn, len(blocks)), make([]bool, len(blocks))
	needs := ff.live[ff.f]
	if needs == nil {
		needs = live(blocks, at)
		ff.live[ff.f] = needs
	}
	in[0], queued[0] = ff.start().startOf(needs[0]), true
	var st *freshState
	for i := 0; i < len(blocks); { // the first that is queued
		if !queued[i] {
			i++
			continue
		}
		ff.s.check() // states of large functions are large
		queued[i] = false
		b := blocks[i]
		st = in[i].state(needs[i], st)
		for _, x := range b.Instrs {
			ff.step(st, x)
		}
		i++
		if b.Term == nil {
			continue
		}
		for _, n := range b.Term.Succs() {
			k := at[n]
			if in[k] == nil {
				in[k] = st.startOf(needs[k])
			} else if !in[k].join(st, needs[k]) {
				continue
			}
			queued[k] = true
			i = min(i, k)
		}
	}
	for i, b := range blocks {
		if in[i] != nil {
			st = in[i].state(needs[i], st)
			ff.finish(b, st)
		}
	}
}

// live lists for each of some blocks of a function, which reversePostorder numbers, the
// registers that are read before they are set from there on: nobody needs others at its
// start. For each read the blocks are gone back through to where the register is set.
func live(blocks []*ir.Block, at map[*ir.Block]int) [][]*ir.Reg {
	preds := make([][]int32, len(blocks))
	uses := map[*ir.Reg]*regUses{}
	var order []*ir.Reg
	of := func(r *ir.Reg) *regUses {
		u := uses[r]
		if u == nil {
			u = &regUses{}
			uses[r] = u
			order = append(order, r)
		}
		return u
	}
	for i, b := range blocks {
		read := func(e ir.Expr) {
			ir.WalkExpr(e, func(x ir.Expr) bool {
				if use, ok := x.(ir.Use); ok {
					if u := of(use.Reg); !endsWith(u.sets, i) && !endsWith(u.reads, i) {
						u.reads = append(u.reads, int32(i))
					}
				}
				return true
			})
		}
		for _, x := range b.Instrs {
			for _, e := range ir.Operands(x) {
				read(e)
			}
			for _, r := range ir.Defs(x) {
				if u := of(r); !endsWith(u.sets, i) {
					u.sets = append(u.sets, int32(i))
				}
			}
		}
		if b.Term == nil {
			continue
		}
		for _, e := range ir.TermOperands(b.Term) {
			read(e)
		}
		for _, n := range b.Term.Succs() {
			preds[at[n]] = append(preds[at[n]], int32(i))
		}
	}
	out := make([][]*ir.Reg, len(blocks))
	seen, stop := make([]int, len(blocks)), make([]int, len(blocks)) // by register, from 1 on
	for n, r := range order {
		u := uses[r]
		for _, i := range u.sets {
			stop[i] = n + 1
		}
		work := u.reads
		for len(work) > 0 {
			k := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[k] == n+1 {
				continue
			}
			seen[k] = n + 1
			out[k] = append(out[k], r)
			for _, p := range preds[k] {
				if stop[p] != n+1 {
					work = append(work, p)
				}
			}
		}
	}
	return out
}

// regUses are the blocks that read a register before they set it, and those that set it.
type regUses struct{ reads, sets []int32 }

func endsWith(bs []int32, b int) bool { return len(bs) > 0 && bs[len(bs)-1] == int32(b) }

// reversePostorder lists the blocks of a function that are reached, each before those
// that it leads to, loops aside; at is where each is in the list.
func reversePostorder(f *ir.Func) (blocks []*ir.Block, at map[*ir.Block]int) {
	at = map[*ir.Block]int{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		at[b] = -1
		if b.Term != nil {
			for _, n := range b.Term.Succs() {
				if _, seen := at[n]; !seen {
					visit(n)
				}
			}
		}
		blocks = append(blocks, b)
	}
	visit(f.Blocks[0])
	slices.Reverse(blocks)
	for i, b := range blocks {
		at[b] = i
	}
	return blocks, at
}

// finish takes the results of a block from the state at its start.
func (ff *freshFunc) finish(b *ir.Block, st *freshState) {
	for _, x := range b.Instrs {
		if ff.final {
			ff.record(st, x)
		}
		ff.step(st, x)
		ff.note(st)
	}
	t, ok := b.Term.(*ir.Return)
	if !ok || t.Val == nil || !ff.s.holdsAddress(t.Val.Type()) {
		return
	}
	v := st.eval(t.Val)
	ff.sum.top = ff.sum.top || v.top || v.set&ff.local&st.pub != 0
	ff.sum.fresh = ff.sum.fresh || v.set&ff.local != 0
	all := st.closure(v.set)
	for i := range ff.numParams() {
		ff.sum.params[i] = ff.sum.params[i] || all&(3<<(2*i)) != 0
	}
}

// note adds to the summary what is published.
func (ff *freshFunc) note(st *freshState) {
	for i := range ff.f.Params {
		if i >= ff.numParams() {
			ff.sum.escapes[i], ff.sum.inner[i], ff.sum.lent[i] = true, true, true
			continue
		}
		ff.sum.lent[i] = ff.sum.lent[i] || st.lent&(1<<(2*i)) != 0
		ff.sum.escapes[i] = ff.sum.escapes[i] || st.pub&(1<<(2*i)) != 0
		ff.sum.inner[i] = ff.sum.inner[i] || st.pub&(2<<(2*i)) != 0
	}
}

// record decides whether an access is fresh, and what is fresh at a call.
func (ff *freshFunc) record(st *freshState, in ir.Instr) {
	if c, ok := in.(*ir.Call); ok {
		ff.recordCall(st, c)
		return
	}
	rs := ff.s.recs[in]
	fresh := len(rs) > 0
	for _, r := range rs {
		v := st.eval(r.addr)
		r.fresh = (r.mode != deep || ff.s.leadsNowhere(r.addr) || ff.ends(st, in, r, v)) && ff.isFresh(st, v)
		fresh = fresh && r.fresh
	}
	if _, spawn := in.(*ir.Spawn); fresh && !spawn {
		ff.fresh[in] = true
	}
}

func (ff *freshFunc) isFresh(st *freshState, v value) bool {
	return !v.top && v.set != 0 && v.set&(st.pub|^ff.owned) == 0
}

// recordCall notes which arguments are fresh, and reachable through no other argument.
func (ff *freshFunc) recordCall(st *freshState, c *ir.Call) {
	cs := ff.s.callees[c]
	if cs == nil {
		return
	}
	for _, f := range cs.fns {
		first := ff.calls[f] == 0
		ff.calls[f]++
		if first {
			ff.args[f] = make([]argument, len(f.Params))
		}
		for i := range f.Params {
			ok := i < len(c.Args) && ff.isFresh(st, st.eval(c.Args[i]))
			for j := range c.Args {
				ok = ok && (i == j || st.closure(st.eval(c.Args[j]).set)&st.eval(c.Args[i]).set == 0)
			}
			a := &ff.args[f][i]
			a.fresh = ok && (first || a.fresh)
			a.own = ok && (first || a.own) && st.eval(c.Args[i]).set&^ff.frame == 0
			a.flat = a.own && (first || a.flat) && st.eval(c.Args[i]).set&^ff.flat == 0
			if ok {
				v := st.eval(c.Args[i])
				a.cyclic = a.cyclic || st.closure(st.load(v).set)&v.set != 0
			}
		}
	}
}

func (ff *freshFunc) step(st *freshState, in ir.Instr) {
	switch x := in.(type) {
	case *ir.Assign:
		if ff.s.holdsAddress(x.Dst.Type) {
			st.assign(x.Dst, st.eval(x.X))
		}
		return
	case *ir.Load:
		if ff.s.holdsAddress(x.Dst.Type) {
			st.assign(x.Dst, st.load(st.eval(x.Addr)))
		}
		return
	case *ir.Store:
		ff.store(st, st.eval(x.Addr), st.eval(x.Val), ff.s.holdsAddress(x.Val.Type()))
		return
	case *ir.Alloc:
		if i, ok := ff.item[in]; ok {
			st.create(i)
			st.env[x.Dst] = value{set: 1 << i}
		} else {
			delete(st.env, x.Dst)
		}
		return
	case *ir.Call:
		ff.call(st, x)
		return
	}
	ff.stepMemory(st, in)
	for _, d := range ir.Defs(in) {
		delete(st.env, d)
	}
}

// assign sets a register.
func (st *freshState) assign(r *ir.Reg, v value) {
	if v == topValue {
		delete(st.env, r)
		return
	}
	st.env[r] = v
}

// store: a pointer stored anywhere but in an unpublished object of this function is
// published.
func (ff *freshFunc) store(st *freshState, addr, val value, pointer bool) {
	if !pointer {
		return
	}
	for i := range ff.numParams() { // p->next = p: what the caller sees of it is the same
		own := items(3) << (2 * i)
		if addr.set != 0 && !addr.top && !val.top && (addr.set|val.set)&^own == 0 {
			st.contains[2*i] |= val.set
			st.contains[2*i+1] |= val.set
			return
		}
	}
	if addr.top || addr.set&(st.pub|^ff.local) != 0 {
		st.publish(val)
	}
	for w := addr.set; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(uint64(w))
		st.contains[i] |= val.set
		if val.top {
			st.outside |= 1 << i
		}
		if st.pub&(1<<i) != 0 {
			st.publish(val)
		}
	}
}

// stepMemory handles the effects of the other instructions on what is published.
func (ff *freshFunc) stepMemory(st *freshState, in ir.Instr) {
	switch x := in.(type) {
	case *ir.RMW:
		ff.store(st, st.eval(x.Addr), value{st.eval(x.Val).set, true}, ff.s.holdsAddress(x.Val.Type()))
		if x.Dst != nil {
			st.publish(st.load(st.eval(x.Addr))) // the old value is not followed
		}
	case *ir.CmpXchg:
		ff.store(st, st.eval(x.Addr), st.eval(x.New), ff.s.holdsAddress(x.New.Type()))
		if x.Dst != nil {
			st.publish(st.load(st.eval(x.Addr)))
		}
	case *ir.MemCopy:
		v := st.load(st.eval(x.Src))
		ff.store(st, st.eval(x.Dst), value{st.closure(v.set), v.top}, true)
	case *ir.MemSet:
		st.outside |= st.eval(x.Dst).set
	case *ir.Touch:
		if v := st.eval(x.Addr); x.Deep && x.Write {
			if x.Core && !registersAt(ff.f, x.Pos) {
				ff.lend(st, v)
			} else if !x.Borrow {
				st.publish(v)
			}
			st.outside |= st.closure(v.set)
		} else if x.Write {
			st.outside |= v.set
		} else if x.Deep && !x.Borrow && ff.moves(st, x, v) {
			st.publish(v)
		}
	case *ir.Spawn, *ir.Register, *ir.Once:
		for _, e := range ir.Operands(in) {
			st.publish(st.eval(e))
		}
	}
}

// moves reports whether code not seen that only reads what it is given in C may hand that
// on: to what another argument leads to, what this one does, or its caller.
func (ff *freshFunc) moves(st *freshState, t *ir.Touch, v value) bool {
	if ff.s.prog.TypeSafe {
		return false
	}
	p, ok := ir.Uncast(t.Addr).Type().(ir.Ptr)
	numbers := ok && p.Elem.Size() > 0 && !hasPointers(p.Elem)
	return !alone(ff.f, t) || !numbers && st.load(v) != (value{})
}

// call applies the summaries of what is called.
func (ff *freshFunc) call(st *freshState, c *ir.Call) {
	cs := ff.s.callees[c]
	args := make([]value, len(c.Args))
	var all items
	for i, a := range c.Args {
		args[i] = st.eval(a)
		all |= st.closure(args[i].set)
	}
	known := cs != nil && cs.complete()
	var res value
	if known {
		for _, f := range cs.fns {
			if res, known = ff.apply(st, f, args, res); !known {
				break
			}
		}
	}
	if !known {
		for _, v := range args {
			st.publish(v)
		}
		res = value{all, true}
	}
	st.outside |= all // the callee may have stored what it liked
	if !known {
		st.tangle(all)
	}
	// One that is known has published what it stored in another argument (see store).
	for _, v := range args {
		st.tangle(st.closure(v.set))
	}
	ff.result(st, c, res, all)
}

// tangle: each of the items may lead to all of them.
func (st *freshState) tangle(all items) {
	for w := all; w != 0; w &= w - 1 {
		st.contains[bits.TrailingZeros64(uint64(w))] |= all
	}
}

const freshResult = items(1) << maxItems

// apply publishes what f publishes of its arguments and adds what it returns to res; the
// bit freshResult stands for a new object.
func (ff *freshFunc) apply(st *freshState, f *ir.Func, args []value, res value) (value, bool) {
	sum := ff.summary(f)
	if sum == nil || len(args) != len(f.Params) {
		return res, false
	}
	for i, v := range args {
		if sum.escapes[i] {
			st.publish(v)
		} else if sum.lent[i] {
			ff.lend(st, v)
		}
		if sum.inner[i] {
			st.publish(st.load(v))
		}
		if sum.params[i] {
			res = res.join(value{st.closure(v.set), v.top})
		}
	}
	if sum.fresh {
		res.set |= freshResult
	}
	res.top = res.top || sum.top
	return res, true
}

// result assigns what a call returns.
func (ff *freshFunc) result(st *freshState, c *ir.Call, res value, args items) {
	if c.Dst == nil {
		return
	}
	delete(st.env, c.Dst)
	if !ff.s.holdsAddress(c.Dst.Type) {
		return
	}
	i, ok := ff.item[c]
	if res.set&freshResult != 0 {
		res.set &^= freshResult
		if ok {
			st.create(i)
			st.contains[i] |= args
			st.outside |= 1 << i
			res.set |= 1 << i
		} else {
			res.top = true
		}
	}
	st.assign(c.Dst, res)
}
