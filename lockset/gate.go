package lockset

import (
	"fmt"
	"math/big"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Gates: variables that say who may go on. Who changes one from its first value has all
// of a resource until the variable is set back. Words that atomic exchanges change are in
// words.go; here are the two kinds that need another resource to say what a change found.
//
// Flags under a lock: `if (dev->busy) return; dev->busy = 1;`. All accesses of the flag
// are under a lock that they have in common (else void). Who has read 0 there, and has
// released no lock since, has the *window*: the flag is 0 still. A store of something else
// by who has the window finds 0. The gate has all of its resource while the flag is 0, and
// that store inhales it. Only who has it stores 0 (an obligation).
//
// Counters: `if (!atomic_dec_and_test(&free)) { atomic_inc(&free); return; }`. Who steps
// away from the first value owes a step back: it has a unit of *debt*, and each step back
// takes one (an obligation). So the counter is at its first value, or on the other side of
// what steps lead to, only if nobody has debts. A step that finds the first value inhales
// all of the gate's resource, which a thread loses with any step back. So who has it has a
// debt, and nobody else finds the first value meanwhile.
//
// Other writes are by the maker of a new object, or by main while it is alone: nobody else
// has anything then, and the writer's ledger says afterwards that it has nothing either.

// gate is the theory of what a change of such a variable gives.
type gate struct {
	region *alias.Region
	// first says what changed: the window, or the debts.
	first *guard
	// step is 1 or -1 for a counter, the way that leads away from the first value start;
	// 0 for a flag.
	step  int
	start int64
	// opened is set for one that lasts from the open of a file to its release.
	opened *opened
}

// window is the theory of having seen a flag at 0 under its lock.
type window struct{ region *alias.Region }

// debt is the theory of steps that are to be taken back.
type debt struct {
	region *alias.Region
	step   int
}

func (t *gate) traits() traits {
	return traits{whole: t.opened == nil, everywhere: true, hidden: true}
}
func (*window) traits() traits { return traits{whole: true, hidden: true} }
func (*debt) traits() traits   { return traits{everywhere: true, hidden: true} }

// initial: nobody has anything at the start, but for the calls on an open file.
func (t *gate) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	return shareOf(t.opened.share(x.entry))
}

func (*window) initial(*instrumenter, *guard) (full, some ir.Expr) { return nil, nil }
func (*debt) initial(*instrumenter, *guard) (full, some ir.Expr)   { return nil, nil }

func (t *gate) rests() *guard { return t.first }

// atCell is the condition that an address is that of the region's cell in the guard's
// object.
func atCell(addr ir.Expr, r *alias.Region, g *guard) ir.Expr {
	base := ir.Expr(nil)
	if g.frame != nil {
		base = ir.Use{Reg: g.frame.watch}
	} else {
		base = asPtr(ir.GlobalAddr{Global: single(r)})
	}
	return ir.Binary{Op: "eq", X: asPtr(addr), Y: asPtr(offsetFrom(base, r.Offset))}
}

// writesCell reports whether an instruction may write a region.
func (x *instrumenter) writesCell(in ir.Instr, r *alias.Region) bool {
	return slices.Contains(x.f.writeIDs[x.seq.Origin[in].Instr], r.ID)
}

func (t *gate) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	if !x.writesCell(in, t.region) || ends(in) {
		return nil
	}
	if op := countOpOf(in); op != nil && op.step != 0 && t.step != 0 {
		at := atCell(op.addr, t.region, g)
		if op.step != t.step {
			return []permission.Transfer{{Kind: permission.Exhale, Share: permission.Full, If: at}}
		}
		old := in.(*ir.RMW)
		if old.Dst == nil || !acquires(old.Order) {
			return nil
		}
		return []permission.Transfer{permission.Gets(permission.Full, ir.Binary{Op: "land", X: t.found(old.Dst), Y: at})}
	}
	st, ok := in.(*ir.Store)
	orig := x.seq.Origin[in].Instr
	mine := x.f.fresh[orig] || x.alone(orig)
	if !ok || mine {
		return []permission.Transfer{permission.Loses()}
	}
	at := atCell(st.Addr, t.region, g)
	if v, known := ir.ConstBits(st.Val); t.step != 0 || !known || v == 0 {
		return []permission.Transfer{permission.Owes(permission.Full, at)}
	}
	if x.isOn != nil && !x.isActive(t.first) { // nil: it is not known yet which are
		return nil
	}
	found := ir.Binary{Op: "land", X: t.first.Has(permission.Full), Y: at}
	return []permission.Transfer{permission.Gets(permission.Full, found)}
}

// found is the condition that a step of a counter found its first value; or the last one
// that its type has, which is not reached (assumption counter), so that the condition
// says the same of the sum, whatever sums beyond that are.
func (t *gate) found(old *ir.Reg) ir.Expr {
	n := old.Type.(ir.Int)
	last := maxOf(n)
	if t.step < 0 {
		last = ir.Wrap(n, new(big.Int).Add(last, big.NewInt(1)))
	}
	is := func(v ir.Const) ir.Expr { return ir.Binary{Op: "eq", X: ir.Use{Reg: old}, Y: v} }
	return ir.Binary{Op: "lor", X: is(ir.IntConst(n, t.start)), Y: is(ir.Const{T: n, Val: last})}
}

// transfers: who reads 0 has the window, until it may release a lock, or the flag is
// written.
func (t *window) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	switch in := in.(type) {
	case *ir.Load:
		orig := x.seq.Origin[in].Instr
		reads := slices.ContainsFunc(x.f.acc[orig], func(a alias.Access) bool { return slices.Contains(a.Regions, t.region) })
		if !reads || in.Dst == nil || in.Order != ir.Plain || in.Dst.Type.Size() != t.region.Size || x.f.fresh[orig] {
			return nil
		}
		is := wordIsZero(ir.Use{Reg: in.Dst})
		if is == nil {
			return nil
		}
		return []permission.Transfer{permission.Gets(permission.Full, ir.Binary{Op: "land", X: is, Y: atCell(in.Addr, t.region, g)})}
	case *ir.Assign, *ir.Alloc, *ir.Assume, *ir.Assert, *ir.Lock, *ir.Call:
		// a procedure that is called says itself what it does
		return nil
	case *ir.Store:
		if in.Order == ir.Plain && !x.writesCell(in, t.region) {
			return nil
		}
	}
	return []permission.Transfer{permission.Loses()}
}

func (t *debt) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	if !x.writesCell(in, t.region) || ends(in) {
		return nil
	}
	op := countOpOf(in)
	switch {
	case op == nil || op.step == 0:
		return []permission.Transfer{permission.Loses()}
	case op.step == t.step:
		return []permission.Transfer{permission.Gets(permission.Some, atCell(op.addr, t.region, g))}
	}
	return []permission.Transfer{permission.Owes(permission.Some, atCell(op.addr, t.region, g))}
}

// maxGates bounds the gates of a program. Precision only.
const maxGates = 12

// maxDebts is how many units a ledger of debts counts.
const maxDebts = 2

// gateLocks finds the variables that are gates.
func (l *locks) gateLocks() {
	l.gates = map[int][]*guard{}
	if l.f.wild {
		return
	}
	writers := l.f.writers()
	var rs []*alias.Region
	for r := range l.f.touches {
		rs = append(rs, r)
	}
	slices.SortFunc(rs, func(a, b *alias.Region) int { return a.ID - b.ID })
	tested := findGuarded(l.f.p)
	n := 0
	for _, r := range rs {
		if n >= maxGates {
			break
		}
		if !r.Exact || r.Size > 8 || l.f.writtenOutside(r) || l.f.synced(r) || !lasting(r) {
			continue
		}
		if l.isFlag(r, writers[r], tested) {
			n++
			l.gate(r, "flag", &gate{region: r}, &window{r})
		}
		for _, step := range []int{-1, 1} {
			start, ok := l.countsFrom(r, writers[r], step, tested)
			if !ok {
				continue
			}
			n++
			key := fmt.Sprintf("count%+d", step)
			first := l.gate(r, key, &gate{region: r, step: step, start: start}, &debt{r, step})
			for i := range maxDebts {
				name := fmt.Sprintf("$debt%d.%s", i, first.Held[1].Name)
				first.Units = append(first.Units, &ir.Reg{Name: name, Type: ir.Bool{}, Ghost: true})
			}
		}
	}
}

// gate makes the guards of a variable, and returns what they rest on. They come before
// it: they read it as it is before the instruction.
func (l *locks) gate(r *alias.Region, kind string, t *gate, first theory) *guard {
	at := fmt.Sprintf("%s:%d+%d", kind, r.Group, r.Offset)
	gates := []*gate{t}
	var fr *frame
	if v := single(r); v == nil || r.Elem != 0 {
		fr = l.frame(fmt.Sprintf("x:%d", r.Group))
	} else {
		at = fmt.Sprintf("%s:%s+%d", kind, v.Name, r.Offset)
		if o := l.onlyOpen(); o != nil && t.step == 0 {
			gates = append(gates, &gate{region: r, opened: o})
		}
	}
	for i, t := range gates {
		g := l.token([]string{"gate:", "opened:"}[i]+at, "its turn", fr, t)
		if fr == nil {
			l.global = append(l.global, g)
		} else {
			l.gates[r.Group] = append(l.gates[r.Group], g)
		}
	}
	h := l.token("first:"+at, "its turn", fr, first)
	for _, t := range gates {
		t.first = h
	}
	return h
}

// lasting reports whether the objects of a region are not on a stack.
func lasting(r *alias.Region) bool {
	return len(r.Objects) > 0 && !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
		return o.Kind == alias.KindStack || o.Global != nil && o.Global.ThreadLocal
	})
}

// others are the writes of a region that are not by the maker of a new object, or by main
// while it is alone.
func (l *locks) others(writes []ir.Instr) (out []ir.Instr) {
	for _, in := range writes {
		if !ends(in) && !l.f.fresh[in] && !l.onlyAlone(in) {
			out = append(out, in)
		}
	}
	return out
}

// onlyAlone reports whether an instruction runs while there is no other thread.
func (l *locks) onlyAlone(in ir.Instr) bool {
	for _, e := range l.f.p.Entries {
		if !l.f.mh.Alone(e, in) && slices.ContainsFunc(l.f.reach[e], func(f *ir.Func) bool { return contains(f, in) }) {
			return false
		}
	}
	return true
}

// isFlag reports whether a region is a flag that somebody tests and sets under a lock.
func (l *locks) isFlag(r *alias.Region, writes []ir.Instr, tested *guarded) bool {
	set := false
	for _, in := range l.others(writes) {
		st, ok := in.(*ir.Store)
		if !ok || st.Order != ir.Plain || st.Val.Type().Size() != r.Size || !l.f.onlyExact(st) || !tested.there(st) {
			return false
		}
		v, known := ir.ConstBits(st.Val)
		if !known {
			return false
		}
		set = set || v != 0
	}
	if !set {
		return false
	}
	reads := false
	for _, c := range l.f.touches[r] {
		for _, u := range c.uses {
			if u.acc.Order.Atomic() {
				return false
			}
			ld, ok := u.in.(*ir.Load)
			reads = reads || ok && ld.Dst != nil && tested.tests(ld, ld.Dst)
		}
	}
	return reads
}

// onlyExact reports whether a store is to cells of its own size.
func (f *facts) onlyExact(st *ir.Store) bool {
	acc := f.acc[st]
	return len(acc) == 1 && !acc[0].Unknown && !acc[0].Unseen && !slices.ContainsFunc(acc[0].Regions, func(r *alias.Region) bool {
		return !r.Exact || r.Size != st.Val.Type().Size()
	})
}

// countsFrom is the value that a counter steps away from and back to, where it is one.
func (l *locks) countsFrom(r *alias.Region, writes []ir.Instr, step int, tested *guarded) (start int64, ok bool) {
	if r.Size != 4 && r.Size != 8 {
		return 0, false
	}
	taken := false
	for _, in := range l.others(writes) {
		rmw, ok := in.(*ir.RMW)
		if !ok || !stepsInCell(in, r) || slices.ContainsFunc(l.f.acc[in], func(a alias.Access) bool { return a.Unknown || a.Unseen }) {
			return 0, false
		}
		op := countOpOf(in)
		if op == nil || op.step != step && !releases(rmw.Order) {
			return 0, false
		}
		taken = taken || op.step == step && rmw.Dst != nil && acquires(rmw.Order) && tested.tests(in, rmw.Dst)
	}
	if !taken {
		return 0, false
	}
	var values []int64
	for _, in := range writes {
		if ends(in) || slices.Contains(l.others([]ir.Instr{in}), in) {
			continue
		}
		st, ok := in.(*ir.Store)
		if !ok || st.Val.Type().Size() != r.Size {
			if set, ok := in.(*ir.MemSet); ok && isZeroConst(set.Val) {
				values = append(values, 0)
				continue
			}
			return 0, false
		}
		v, known := ir.ConstInt(st.Val)
		if !known {
			return 0, false
		}
		values = append(values, v)
	}
	for _, o := range r.Objects {
		v, known := firstIn(o, r)
		if !known {
			return 0, false
		}
		values = append(values, v)
	}
	if step < 0 {
		return slices.Max(values), true
	}
	return slices.Min(values), true
}

// firstIn is the value that an object has in a region when it is made.
func firstIn(o *alias.Object, r *alias.Region) (int64, bool) {
	switch {
	case o.Global != nil && !o.Global.Extern && r.Elem == 0:
		return firstValue(o.Global, r.Offset)
	case o.Alloc != nil && o.Alloc.Zero:
		return 0, true
	}
	return 0, false
}

func (t *gate) depends() *alias.Region { return t.region }

// void: of a flag, there must be a lock that is held at all accesses, alone at writes; but
// where there is no other thread. Of a counter, all steps back must be shown to be by who
// has stepped away.
func (t *gate) void(j *comparer, _ *guard, lost map[*guard]bool) bool {
	if t.step != 0 {
		return lost[t.first]
	}
	common := j.heldAtAll(t.region, lost, func(st *site) (counts, alone bool) {
		in := st.origin.Instr
		return !ends(in) && !j.f.mh.Alone(st.entry, in), st.acc.Write
	})
	return len(common) == 0
}

// isGate reports whether a guard is a gate, or what one rests on.
func isGate(g *guard) bool {
	switch g.theory.(type) {
	case *gate, *window, *debt:
		return true
	}
	return false
}
