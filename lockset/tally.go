package lockset

import (
	"fmt"
	"slices"
	"sync"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Tallies: main waits until a counter says that the threads which it started are done. It
// counts up (`done++` by each thread, until there are n) or down (from n, or from what
// main added before it started each), under a lock or by atomic operations.
//
// Each thread that steps the counter has a unit from its start, and a step takes it (an
// obligation): so it steps once. Main has the rest, which is all while no unit is out. It
// also keeps a number: the value that the counter has when all units are back. A thread
// that main starts adds a step to it, what main adds or stores changes it alike (a store
// needs that no unit is out, an obligation). Units that are out are steps that are
// missing: if main reads what the number says, or a value beyond it, none is out, and it
// inhales all. Only main starts such threads (an obligation of the others).
//
// The number may be on the side where less is proved: not below the truth for steps up,
// not above it for steps down. Steps make the counter lag behind the number, so it wraps
// around later, and then says less. Where main adds against the steps (`left++` before a
// start, `left--` at the end), the counter is ahead of other counters of its size: that
// it does not wrap around there is an assumption.

// tally is the theory of one such counter.
type tally struct {
	region *alias.Region
	// start is its first value, step what each thread adds.
	start, step int64
	// workers are the functions of the threads that step it.
	workers map[*ir.Func]bool
	// steps are the additions that are no single instructions.
	steps map[ir.Instr]draw
	// plain: it is accessed otherwise than by atomic operations.
	plain bool
	// added is what main adds to it.
	added []int64
}

// back reports whether main adds to the counter against the steps.
func (t *tally) back() bool {
	return slices.ContainsFunc(t.added, func(k int64) bool { return k < 0 != (t.step < 0) })
}

func (*tally) traits() traits { return traits{everywhere: true, hidden: true} }

// initial: a thread has a unit; main has all, since there are no threads.
func (t *tally) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	if x.isMain() {
		return ir.BoolConst(true), ir.BoolConst(true)
	}
	if x.entry.Spawned && t.workers[x.entry.Func] {
		return nil, ir.BoolConst(true)
	}
	return nil, nil
}

func (t *tally) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	orig := x.seq.Origin[in].Instr
	switch in := in.(type) {
	case *ir.Spawn:
		if f := ir.FuncOf(in.Fn); f != nil && !t.workers[f] {
			return nil
		}
		if !x.isMain() {
			return []permission.Transfer{{Kind: permission.Owe, Share: permission.Full, Owed: true}}
		}
		return t.starts(in, g)
	case *ir.Load:
		if !x.isMain() || !x.readsCell(in, t.region) {
			return nil
		}
		n, op := ir.Use{Reg: g.Number}, "ge"
		if t.step < 0 {
			op = "le"
		}
		all := ir.Binary{Op: op, X: signed(ir.Use{Reg: in.Dst}), Y: n}
		known := ir.Unary{Op: "lnot", X: t.beyond(n, maxTally)}
		return []permission.Transfer{permission.Gets(permission.Full, ir.Binary{Op: "land", X: all, Y: known})}
	}
	if !x.writesCell(in, t.region) {
		return nil
	}
	if !x.isMain() {
		return []permission.Transfer{permission.Owes(permission.Some, nil)}
	}
	if k, ok := t.stepOf(orig); ok {
		return []permission.Transfer{{Kind: permission.Owe, Number: t.after(g, k)}}
	}
	return []permission.Transfer{
		{Kind: permission.Owe, Share: permission.Full, Owed: !x.alone(orig)},
		{Kind: permission.Inhale, Share: permission.Full, Number: signed(in.(*ir.Store).Val)}}
}

// starts is the start of a thread by main: a unit is out, and one more step is to come.
func (t *tally) starts(in *ir.Spawn, g *guard) []permission.Transfer {
	gone, number := ir.Expr(nil), t.after(g, t.step)
	if in.OK != nil {
		gone = ir.Use{Reg: in.OK}
		number = ir.Select{C: gone, X: number, Y: ir.Use{Reg: g.Number}}
	}
	return []permission.Transfer{
		{Kind: permission.Exhale, Share: permission.Full, If: gone},
		{Kind: permission.Inhale, Share: permission.Some, Number: number}}
}

// readsCell reports whether an instruction reads what lies in a region.
func (x *instrumenter) readsCell(in *ir.Load, r *alias.Region) bool {
	return slices.ContainsFunc(x.f.acc[x.seq.Origin[in].Instr], func(a alias.Access) bool {
		return slices.Contains(a.Regions, r)
	})
}

// signed is a value of the counter as a number on both sides of 0.
func signed(e ir.Expr) ir.Expr {
	n := e.Type().(ir.Int)
	n.Signed = true
	return ir.Cast{X: ir.Cast{X: e, T: n}, T: ir.I64}
}

// maxTally is where the number stops, so that it never wraps around.
const maxTally = 1 << 62

// beyond is the condition that a number is beyond a limit, in the direction of the steps.
func (t *tally) beyond(n ir.Expr, limit int64) ir.Expr {
	if t.step < 0 {
		return ir.Binary{Op: "lt", X: n, Y: ir.IntConst(ir.I64, -limit)}
	}
	return ir.Binary{Op: "gt", X: n, Y: ir.IntConst(ir.I64, limit)}
}

// after is the number after k was added. One that is beyond its end stays there, and says
// nothing any more; against the steps, one beyond the other end may say less.
func (t *tally) after(g *guard, k int64) ir.Expr {
	n := ir.Expr(ir.Use{Reg: g.Number})
	sum := ir.Binary{Op: "add", X: n, Y: ir.IntConst(ir.I64, k)}
	if k < 0 != (t.step < 0) {
		back := &tally{step: -t.step}
		end := ir.IntConst(ir.I64, t.step*-maxTally)
		sum.X = ir.Select{C: back.beyond(n, maxTally), X: end, Y: n}
	}
	return ir.Select{C: t.beyond(n, maxTally), X: n, Y: sum}
}

// stepOf is what an instruction adds to the counter; false where it stores a value.
func (t *tally) stepOf(in ir.Instr) (int64, bool) {
	if d, ok := t.steps[in]; ok {
		return d.k, true
	}
	return atomicStep(in)
}

// atomicStep is what an atomic operation adds to a counter.
func atomicStep(in ir.Instr) (int64, bool) {
	rmw, ok := in.(*ir.RMW)
	if !ok || rmw.Op != "add" && rmw.Op != "sub" {
		return 0, false
	}
	k, ok := ir.ConstInt(rmw.Val)
	if n, isInt := rmw.Val.Type().(ir.Int); isInt && !n.Signed && n.Bits == 32 && k > 1<<31 {
		k -= 1 << 32
	}
	if rmw.Op == "sub" {
		k = -k
	}
	return k, ok && k > -maxDrawn && k < maxDrawn
}

// maxTallies bounds the tallies of a program. Precision only.
const maxTallies = 4

// tallyLocks finds the counters that main waits for.
func (l *locks) tallyLocks() {
	if l.f.wild || !slices.ContainsFunc(l.f.p.Entries, isMain) {
		return
	}
	for _, in := range l.f.instructions() {
		if sp, ok := in.(*ir.Spawn); ok && ir.FuncOf(sp.Fn) == nil {
			return
		}
	}
	var rs []*alias.Region
	for r := range l.f.touches {
		rs = append(rs, r)
	}
	slices.SortFunc(rs, func(a, b *alias.Region) int { return a.ID - b.ID })
	tested, n := sync.OnceValue(func() *guarded { return findGuarded(l.f.p) }), 0
	for _, r := range rs {
		t := l.tallyAt(r, tested)
		if t == nil || n == maxTallies {
			continue
		}
		n++
		g := l.token("tally:"+single(r).Name+fmt.Sprint(r.Offset), "the threads are done", nil, t)
		g.Number = &ir.Reg{Name: "$tally." + g.Held[1].Name, Type: ir.I64, Ghost: true}
		g.Start = ir.IntConst(ir.I64, t.start)
		l.global = append(l.global, g)
	}
}

// tallyAt is the tally in a region; nil where that is something else.
func (l *locks) tallyAt(r *alias.Region, tested func() *guarded) *tally {
	v := single(r)
	if v == nil || v.Extern || !r.Exact || r.Elem != 0 || r.Size != 4 && r.Size != 8 || l.f.al.WrittenOutside(r) || l.f.synced(r) {
		return nil
	}
	t := &tally{region: r, workers: map[*ir.Func]bool{}, steps: map[ir.Instr]draw{}}
	var known, waits bool
	if t.start, known = firstValue(v, r.Offset); !known || t.start > 1<<30 || t.start < -1<<30 {
		return nil
	}
	for _, c := range l.f.touches[r] {
		for _, u := range c.uses {
			if len(u.acc.Regions) != 1 || u.acc.Unknown || u.acc.Unseen {
				return nil
			}
			alone := l.f.mh.Alone(u.entry, u.in)
			t.plain = t.plain || !alone && !u.acc.Order.Atomic()
			if u.acc.Write && !l.tallies(t, u, alone) {
				return nil
			}
			if ld, ok := u.in.(*ir.Load); ok && isMain(u.entry) {
				if ld.Dst == nil || !ir.IsInt(ld.Dst.Type) || ld.Dst.Type.Size() != r.Size || !acquires(ld.Order) {
					return nil
				}
				waits = waits || tested().tests(ld, ld.Dst)
			}
		}
	}
	if !waits || t.step == 0 {
		return nil
	}
	return t
}

// tallies notes what a write does to a tally; false where it is nothing that one knows.
func (l *locks) tallies(t *tally, u use, alone bool) bool {
	k, known := atomicStep(u.in)
	if st, ok := u.in.(*ir.Store); ok {
		if !ir.IsInt(st.Val.Type()) || st.Val.Type().Size() != t.region.Size || !releases(st.Order) && st.Order != ir.Plain {
			return false
		}
		d, adds := draw{}, false
		if st.Order == ir.Plain {
			d, adds = l.addition(st, t.region, func(*ir.Load) bool { return true }) // there is one cell
		}
		if adds && d.k > -maxDrawn && d.k < maxDrawn {
			k, known = d.k, true
			t.steps[u.in] = d
		}
	}
	if rmw, ok := u.in.(*ir.RMW); ok && (!releases(rmw.Order) || !stepsInCell(rmw, t.region)) {
		return false
	}
	if isMain(u.entry) {
		_, stores := u.in.(*ir.Store)
		if known {
			t.added = append(t.added, k)
		}
		return known || stores
	}
	if !known || k != 1 && k != -1 || t.step != 0 && t.step != k || !u.entry.Spawned || alone {
		return false
	}
	t.step = k
	t.workers[u.entry.Func] = true
	return true
}

func (t *tally) depends() *alias.Region { return t.region }

// void: where some accesses are not atomic, all are under a lock, but where main is alone.
func (t *tally) void(j *comparer, _ *guard, lost map[*guard]bool) bool {
	if !t.plain {
		return false
	}
	common := j.heldAtAll(t.region, lost, func(st *site) (counts, alone bool) {
		return !j.f.mh.Alone(st.entry, st.origin.Instr), st.acc.Write
	})
	return len(common) == 0
}
