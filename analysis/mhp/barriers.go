package mhp

import (
	"fmt"
	"math"
	"slices"

	"whoop/analysis/alias"
	"whoop/analysis/dataflow"
	"whoop/ir"
)

// Barriers. Where no more threads wait at a barrier, in the whole run, than it is made
// for, each of its crossings takes all of them: a thread gets through its k-th wait only
// when all others have come to their k-th. So what one of them does after k waits and
// what another one does after fewer do not overlap. How many waits a thread has behind it
// at an instruction is found out as a set of numbers, with remainders for loops that wait
// several times.

// barrier is a barrier variable whose waiting threads are all known.
type barrier struct {
	// phases are, for each entry that waits, how many waits it may have behind it at each
	// of its instructions.
	phases map[*ir.Entry]map[ir.Instr]count
}

// spot is where a barrier is: a global variable, or a part of one.
type spot struct {
	g   *ir.Global
	off int64
}

// barrierSize is how many bytes of a variable at most a barrier takes.
const barrierSize = 32

// findBarriers returns the barriers of which all waiting threads are known.
func (w *world) findBarriers() []*barrier {
	at, ok := w.waits()
	if !ok || len(at) == 0 {
		return nil
	}
	for _, e := range w.p.Entries {
		if w.cg.opaque(e.Func) {
			return nil // code not seen may wait, too
		}
	}
	var spots []spot
	byWait := map[ir.Instr]spot{}
	for in, s := range at {
		if _, wait := in.(*ir.BarrierWait); wait {
			byWait[in] = s
			if !slices.Contains(spots, s) {
				spots = append(spots, s)
			}
		}
	}
	slices.SortFunc(spots, func(a, b spot) int {
		return slices.Index(w.p.Globals, a.g)*barrierSize*2 + int(a.off) - slices.Index(w.p.Globals, b.g)*barrierSize*2 - int(b.off)
	})
	var out []*barrier
	for _, s := range spots {
		if b := w.barrier(s, at); b != nil {
			out = append(out, b)
		}
	}
	return out
}

// waits finds where the barriers are that instructions set up and wait at; false where
// that of one is not known.
func (w *world) waits() (map[ir.Instr]spot, bool) {
	at := map[ir.Instr]spot{}
	for _, f := range w.p.Funcs {
		for _, b := range f.Blocks {
			for i, in := range b.Instrs {
				var addr ir.Expr
				switch in := in.(type) {
				case *ir.BarrierInit:
					addr = in.Barrier
				case *ir.BarrierWait:
					addr = in.Barrier
				default:
					continue
				}
				c := w.place(f, w.expand(b, i, addr), nil)
				if c == nil || c.global == nil || c.idx != "" || c.via != nil {
					return nil, false
				}
				at[in] = spot{c.global, c.off}
			}
		}
	}
	return at, true
}

// barrier follows the threads that wait at one; nil where there may be more than it is
// made for.
func (w *world) barrier(s spot, at map[ir.Instr]spot) *barrier {
	size, ok := w.madeFor(s, at)
	if !ok || w.overwritten(s) {
		return nil
	}
	isWait := func(in ir.Instr) bool {
		_, wait := in.(*ir.BarrierWait)
		return wait && at[in] == s
	}
	b := &barrier{phases: map[*ir.Entry]map[ir.Instr]count{}}
	threads := int64(0)
	for _, e := range w.p.Entries {
		waits := false
		w.cg.notables(e.Func, func(in ir.Instr) { waits = waits || isWait(in) })
		if !waits {
			continue
		}
		n, ok := w.instances(e)
		if threads += n; !ok || threads > size {
			return nil
		}
		b.phases[e] = w.countWaits(e.Func, isWait)
	}
	return b
}

// madeFor is for how many threads the barrier is: main sets it up, once.
func (w *world) madeFor(s spot, at map[ir.Instr]spot) (int64, bool) {
	var only *ir.BarrierInit
	for in, t := range at {
		if init, ok := in.(*ir.BarrierInit); ok && t.g == s.g && t.off < s.off+barrierSize && s.off < t.off+barrierSize {
			if only != nil || t != s {
				return 0, false
			}
			only = init
		}
	}
	if only == nil {
		return 0, false
	}
	f, b := w.cg.fnOf(only), w.cg.blockOf(only)
	if !w.onceInMain(f, b) {
		return 0, false
	}
	k, ok := fold(w.expand(b, w.indexOf[only], only.Count)).(ir.Const)
	if !ok || !k.Val.IsInt64() || k.Val.Int64() > math.MaxInt32 {
		return 0, false
	}
	return k.Val.Int64(), true
}

// onceInMain reports whether a block is executed once at most, by main.
func (w *world) onceInMain(f *ir.Func, b *ir.Block) bool {
	if w.innermost(f, b) != nil || len(w.cg.cfg(f).Irreducible()) > 0 || !w.runsOnce(f) {
		return false
	}
	for _, e := range w.p.Entries {
		if e.Func == f && !isMain(e) {
			return false
		}
	}
	return w.calledOnce(f, map[*ir.Func]bool{})
}

// calledOnce reports whether a function is called once at most in a run of main: at one
// place, outside loops, of a function of which that is so, too.
func (w *world) calledOnce(f *ir.Func, above map[*ir.Func]bool) bool {
	if above[f] {
		return false
	}
	above[f] = true
	var caller *ir.Func
	for _, g := range w.p.Funcs {
		for _, in := range w.cg.sites[g] {
			if !slices.Contains(w.cg.callees[in], f) {
				continue
			}
			if caller != nil || w.innermost(g, w.cg.blockOf(in)) != nil || len(w.cg.cfg(g).Irreducible()) > 0 {
				return false
			}
			caller = g
		}
	}
	isEntry := slices.ContainsFunc(w.p.Entries, func(e *ir.Entry) bool { return e.Func == f })
	if caller == nil {
		return isEntry
	}
	return !isEntry && w.calledOnce(caller, above)
}

// overwritten reports whether something else may write where the barrier is.
func (w *world) overwritten(s spot) bool {
	for r, ins := range w.writers {
		if len(ins) == 0 || !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool { return o.Global == s.g }) {
			continue
		}
		lo, hi := r.Offset, r.Offset+max(r.Size, 1)
		if r.Elem != 0 {
			lo, hi = r.ArrayStart, memberEnd(s.g.Type, r.ArrayStart)
		}
		if !r.Exact || lo < s.off+barrierSize && s.off < hi {
			return true
		}
	}
	return false
}

// memberEnd is where the member, or the array of which all elements are meant, ends that
// lies at an offset of a variable.
func memberEnd(t ir.Type, off int64) int64 {
	if st, ok := t.(*ir.Struct); ok && !st.Union {
		for _, f := range st.Fields {
			if off >= f.Offset && off < f.Offset+f.Type.Size() {
				return f.Offset + memberEnd(f.Type, off-f.Offset)
			}
		}
	}
	return t.Size()
}

// instances is how many threads of an entry there are in a run of the program at most.
func (w *world) instances(e *ir.Entry) (int64, bool) {
	if isMain(e) {
		return 1, true
	}
	if !e.Spawned {
		return 0, false
	}
	n, started := int64(0), false
	for _, s := range w.sites {
		if !slices.Contains(s.targets, e) {
			continue
		}
		started = true
		k, ok := w.executions(s)
		if !ok || k > math.MaxInt32 || n > math.MaxInt32 {
			return 0, false
		}
		n += k
	}
	return n, started
}

// executions is how often main executes a spawn at most.
func (w *world) executions(s *site) (int64, bool) {
	l := w.innermost(s.fn, s.block)
	if l == nil {
		return 1, w.onceInMain(s.fn, s.block)
	}
	c := w.counts[s.fn][l.Head]
	if c == nil || c.incAt == nil || !w.onceInMain(s.fn, c.exit) {
		return 0, false
	}
	for _, m := range w.loops[s.fn] {
		if m.Head != l.Head && m.Contains(l.Head) {
			return 0, false
		}
	}
	lo, hi, ok := c.span()
	return max(hi-lo+1, 0), ok
}

// countWaits counts the waits that a thread which runs root has behind it.
func (w *world) countWaits(root *ir.Func, isWait func(ir.Instr) bool) map[ir.Instr]count {
	sums := map[*ir.Func]count{}
	ins := map[*ir.Func]map[*ir.Block]count{}
	reach := w.cg.reachable(root)
	lat := counts{}
	effect := func(in ir.Instr) count {
		switch {
		case isWait(in):
			return count{true, 1, 1, 0}
		case !w.cg.isCall[in]:
			return zero
		}
		var sum count
		for _, g := range w.cg.callees[in] {
			if len(g.Blocks) == 0 {
				sum = lat.Join(sum, zero)
			} else {
				sum = lat.Join(sum, sums[g])
			}
		}
		if _, once := in.(*ir.Once); once || len(w.cg.callees[in]) == 0 {
			sum = lat.Join(sum, zero)
		}
		return sum
	}
	for changed := true; changed; {
		changed = false
		for _, f := range w.cg.order {
			if !reach[f] || len(f.Blocks) == 0 {
				continue
			}
			var out count
			ins[f] = dataflow.Forward(w.cg.cfg(f).RPO, lat, f.Blocks[0], zero, func(b *ir.Block, v count, emit func(*ir.Block, count)) {
				for _, in := range b.Instrs {
					v = v.plus(effect(in))
				}
				if _, ok := b.Term.(*ir.Return); ok {
					out = lat.Join(out, v)
				}
				for _, s := range b.Succs() {
					emit(s, v)
				}
			})
			if out != sums[f] {
				sums[f], changed = lat.Join(sums[f], out), true
			}
		}
	}
	before := map[ir.Instr]count{}
	at := map[*ir.Func]count{root: zero}
	for work := []*ir.Func{root}; len(work) > 0; work = work[1:] {
		f := work[0]
		for _, b := range w.cg.cfg(f).RPO {
			cur := at[f].plus(ins[f][b])
			for _, in := range b.Instrs {
				before[in] = lat.Join(before[in], cur)
				for _, g := range w.cg.callees[in] {
					if n := lat.Join(at[g], cur); n != at[g] && len(g.Blocks) > 0 {
						at[g] = n
						work = append(work, g)
					}
				}
				cur = cur.plus(effect(in))
			}
		}
	}
	return before
}

// count is a set of numbers, empty where ok is false: lo, lo+step, lo+2*step and so on,
// up to hi. Granger's congruences (1989) with bounds.
type count struct {
	ok           bool
	lo, hi, step int64 // step is 0 for one number
}

var zero = count{ok: true}

// endless is where counting ends, and spread how many numbers apart a set's bounds may be
// before it has no upper one.
const (
	endless = math.MaxInt32
	spread  = 64
)

func (c count) plus(d count) count {
	if !c.ok || !d.ok {
		return count{}
	}
	return count{true, c.lo + d.lo, c.hi + d.hi, gcd(c.step, d.step)}.bounded()
}

func (c count) bounded() count {
	if c.hi-c.lo > spread || c.hi >= endless {
		c.hi = endless
	}
	c.lo = min(c.lo, endless)
	return c
}

// apart reports whether two sets have no number in common.
func (c count) apart(d count) bool {
	if !c.ok || !d.ok {
		return false
	}
	if c.hi < d.lo || d.hi < c.lo {
		return true
	}
	g := gcd(c.step, d.step)
	return c.lo < endless && d.lo < endless && g > 1 && (c.lo-d.lo)%g != 0
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// counts is the lattice of counts.
type counts struct{}

func (counts) Bottom() count { return count{} }
func (counts) Join(a, b count) count {
	switch {
	case !a.ok:
		return b
	case !b.ok:
		return a
	}
	return count{true, min(a.lo, b.lo), max(a.hi, b.hi), gcd(gcd(a.step, b.step), a.lo-b.lo)}.bounded()
}
func (counts) Equal(a, b count) bool { return a == b }

// apart reports whether a crossing of the barrier is between two instructions of two
// threads.
func (b *barrier) apart(e *ir.Entry, x ir.Instr, f *ir.Entry, y ir.Instr) bool {
	p, q := b.phases[e], b.phases[f]
	return p != nil && q != nil && p[x].apart(q[y])
}

// phase tells instructions of an entry apart by the waits it has behind it.
func (b *barrier) phase(e *ir.Entry, x ir.Instr) string {
	if b.phases[e] == nil {
		return ""
	}
	return fmt.Sprint(b.phases[e][x])
}
