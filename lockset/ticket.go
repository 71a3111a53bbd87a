package lockset

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Tickets: numbers that are drawn from a counter which only goes up. Each thread gets
// others, so the elements of an array with the numbers that it drew are its own. A
// counter is a global integer that is written by draws alone, but for main while no other
// thread is alive: an atomic addition of a positive constant, or a store of what was read
// right before plus one under a lock that is common to all draws (see undrawn). Who draws
// v with an addition of k holds the tokens of v up to v+k-1 exclusively, for ever. The
// numbers may also be counted from the value after the addition (++next): these are
// tokens of their own.

// ticket is the meaning of one pseudo-lock "ticket": numbers of a counter, each plus
// shift.
type ticket struct {
	counter *counter
	shift   int64
	// base is the cell that the array's address is read from; nil for global arrays.
	base *pointerCell
}

func (*ticket) traits() traits { return traits{whole: true, everywhere: true, hidden: true} }

// initial: nobody has a number before it is drawn.
func (*ticket) initial(*instrumenter, *guard) (full, some ir.Expr) { return nil, nil }

// transfers: who draws a number has it, until the counter may be set anew.
func (t *ticket) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	if t.restarts(x, in) {
		return []permission.Transfer{permission.Loses()}
	}
	switch in.(type) {
	case *ir.RMW, *ir.Store:
		if drawn := t.drawn(x, in, g); drawn != nil {
			return []permission.Transfer{{Share: permission.Full, If: drawn}}
		}
	}
	return nil
}

// counter is a variable that numbers are drawn from.
type counter struct {
	region *alias.Region
	name   string
	at     ir.Pos
	draws  map[ir.Instr]draw
	// round: it may come round to numbers that were drawn before, after as many draws as
	// it has values.
	round bool
}

// draw is an addition of k to a counter; in loads the value before it was read, where it
// is no single instruction.
type draw struct {
	k     int64
	loads []*ir.Load
}

// maxTickets bounds the tokens of drawn numbers. Precision only.
const maxTickets = 16

// ticketLocks adds the tokens of numbers that are drawn, for the arrays that entries
// access which draw.
func (l *locks) ticketLocks() {
	if l.f.wild {
		return
	}
	for _, c := range l.counters() {
		for _, e := range l.f.p.Entries {
			if !l.draws(e, c) {
				continue
			}
			for _, r := range l.f.watchedRegions() {
				if r.Exact && r.Elem != 0 && len(l.tickets) < maxTickets && l.writes(e, r) {
					l.ticketLock(e, c, r)
				}
			}
		}
	}
}

// ticketLock relates the elements of a region, which is part of an array, to numbers of
// the counter.
func (l *locks) ticketLock(e *ir.Entry, c *counter, r *alias.Region) {
	array, base, cell := "", ir.Expr(nil), (*pointerCell)(nil)
	if g := single(r); g != nil {
		array = fmt.Sprintf("%s+%d", g.Name, r.ArrayStart)
		base = ir.IndexAddr{Base: asPtr(ir.GlobalAddr{Global: g}), Idx: ir.IntConst(ir.I64, r.ArrayStart), Stride: 1, T: ir.VPtr}
	} else if u, g := l.arrayCell(e, r); g != nil {
		array = fmt.Sprintf("*%s+%d", g.Name, u.Offset)
		v := pointerIn(u, "$drawn."+c.name+"."+array)
		if fn := l.fns[fmt.Sprintf("ticket:%s:0:%s", c.name, array)]; fn != nil {
			v = fn.cell().value
		}
		base, cell = ir.Use{Reg: v}, &pointerCell{u, offsetFrom(asPtr(ir.GlobalAddr{Global: g}), u.Offset), v}
	} else {
		return
	}
	for shift := int64(0); shift <= 1; shift++ {
		key := fmt.Sprintf("ticket:%s:%d:%s", c.name, shift, array)
		fr := l.frame(key)
		fr.watch.Type = ir.I64
		fn := l.fns[key]
		if fn == nil {
			fn = l.token(key, "its number", fr, &ticket{c, shift, cell})
			l.tickets = append(l.tickets, fn)
		}
		element := ir.IndexAddr{Base: offsetFrom(base, r.Offset), Idx: ir.Use{Reg: fr.watch}, Stride: r.Elem, T: ir.VPtr}
		if !slices.ContainsFunc(l.numbered[r], func(k regionLock) bool { return k.fn == fn }) {
			l.numbered[r] = append(l.numbered[r], regionLock{fn: fn, perRegion: true, watched: func(a ir.Expr) ir.Expr {
				return ir.Binary{Op: "eq", X: asPtr(a), Y: element}
			}})
		}
	}
}

// draws reports whether an entry draws numbers from a counter.
func (l *locks) draws(e *ir.Entry, c *counter) bool {
	for _, t := range l.f.touches[c.region] {
		for _, u := range t.writes {
			if _, ok := c.draws[u.in]; ok && u.entry == e {
				return true
			}
		}
	}
	return false
}

// writes reports whether an entry writes a region.
func (l *locks) writes(e *ir.Entry, r *alias.Region) bool {
	return slices.ContainsFunc(l.f.touches[r], func(c *cluster) bool {
		return slices.ContainsFunc(c.writes, func(u use) bool { return u.entry == e })
	})
}

// counters finds the variables that numbers are drawn from.
func (l *locks) counters() []*counter {
	var rs []*alias.Region
	for r := range l.f.touches {
		rs = append(rs, r)
	}
	sort.Slice(rs, func(i, j int) bool { return rs[i].ID < rs[j].ID })
	var out []*counter
	for _, r := range rs {
		if c := l.counterAt(r); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// counterAt is the counter in a region; nil where that is something else.
func (l *locks) counterAt(r *alias.Region) *counter {
	g := single(r)
	if g == nil || g.Extern || g.ThreadLocal || !r.Exact || r.Elem != 0 || r.Size != 4 && r.Size != 8 {
		return nil
	}
	if l.f.al.WrittenOutside(r) { // users of a library may count anew
		return nil
	}
	c := &counter{region: r, name: place(g.Name, g.Type, r.Offset), at: g.Pos, draws: map[ir.Instr]draw{}}
	for _, t := range l.f.touches[r] {
		for _, u := range t.writes {
			if d, t, ok := l.drawOf(u, r); ok {
				c.draws[u.in] = d
				_, plain := u.in.(*ir.Store)
				c.round = c.round || t.Bits < 64 && !(t.Signed && plain && !l.f.p.TypeSafe)
			} else if !l.f.mh.Alone(u.entry, u.in) {
				return nil
			}
		}
	}
	if len(c.draws) == 0 {
		return nil
	}
	return c
}

// drawOf is the draw that a write of a region is, and the counter's type.
func (l *locks) drawOf(u use, r *alias.Region) (draw, ir.Int, bool) {
	if len(u.acc.Regions) != 1 || u.acc.Unknown {
		return draw{}, ir.Int{}, false
	}
	switch in := u.in.(type) {
	case *ir.RMW:
		if in.Dst == nil || in.Op != "add" {
			return draw{}, ir.Int{}, false
		}
		t, isInt := in.Dst.Type.(ir.Int)
		k, ok := positive(in.Val)
		return draw{k: k}, t, isInt && ok && t.Size() == r.Size
	case *ir.Store:
		t, isInt := in.Val.Type().(ir.Int)
		if !isInt || in.Order != ir.Plain || t.Size() != r.Size {
			return draw{}, ir.Int{}, false
		}
		d, ok := l.addition(in, r, func(*ir.Load) bool { return true }) // there is one cell
		return d, t, ok && d.k > 0 && d.k <= maxDrawn
	}
	return draw{}, ir.Int{}, false
}

// maxDrawn is how many numbers may be drawn at a time. More is no draw: added to an
// unsigned counter, 2^32-1 takes one off.
const maxDrawn = 1 << 16

// positive is the value of a constant that a draw may add.
func positive(e ir.Expr) (int64, bool) {
	k, ok := e.(ir.Const)
	if !ok || !k.Val.IsInt64() || k.Val.Sign() <= 0 || k.Val.Int64() > maxDrawn {
		return 0, false
	}
	return k.Val.Int64(), true
}

// addition reads a store as one of what loads right before it, in the same block, have
// read there, plus a constant; same says of a load from the region that it is from the
// cell that is stored to.
func (l *locks) addition(in *ir.Store, r *alias.Region, same func(*ir.Load) bool) (draw, bool) {
	b := l.blockOf(in)
	at := slices.Index(b.Instrs, ir.Instr(in))
	was := map[*ir.Reg]bool{} // registers with the value before
	var d draw
	for i := at - 1; i >= 0; i-- {
		if !l.undisturbed(b.Instrs[i], r) {
			break
		}
		if ld, ok := b.Instrs[i].(*ir.Load); ok && ld.Order == ir.Plain && l.alone(ld, r) && ld.Dst != nil && ir.Equal(ld.Dst.Type, in.Val.Type()) && definedOnce(b, ld.Dst) && same(ld) {
			d.loads = append(d.loads, ld)
			was[ld.Dst] = true
		}
	}
	sum := in.Val
	for i := at - 1; i >= 0; i-- { // what the stored register was assigned
		u, ok := sum.(ir.Use)
		if !ok {
			break
		}
		if slices.Contains(ir.Defs(b.Instrs[i]), u.Reg) {
			as, ok := b.Instrs[i].(*ir.Assign)
			if !ok {
				return draw{}, false
			}
			sum = as.X
			at = i
		}
	}
	add, ok := sum.(ir.Binary)
	if !ok || add.Op != "add" && add.Op != "sub" {
		return draw{}, false
	}
	k, ok := ir.ConstInt(add.Y)
	x := add.X
	if add.Op == "sub" {
		k = -k
	} else if !ok {
		k, ok = ir.ConstInt(add.X)
		x = add.Y
	}
	for i := at - 1; ok && i >= 0; i-- { // copies of what was read
		u, isUse := x.(ir.Use)
		if !isUse || was[u.Reg] {
			break
		}
		if slices.Contains(ir.Defs(b.Instrs[i]), u.Reg) {
			as, isAssign := b.Instrs[i].(*ir.Assign)
			if !isAssign {
				return draw{}, false
			}
			x = as.X
		}
	}
	u, isUse := x.(ir.Use)
	d.k = k
	return d, ok && isUse && was[u.Reg]
}

// additions are the additions to counters that tokens are about.
func (l *locks) additions() []map[ir.Instr]draw {
	var out []map[ir.Instr]draw
	for _, g := range l.list {
		switch t := g.theory.(type) {
		case *ticket:
			out = append(out, t.counter.draws)
		case *refcount:
			out = append(out, t.steps)
		}
	}
	return out
}

// blockOf is the block of an instruction of the program.
func (l *locks) blockOf(in ir.Instr) *ir.Block {
	if l.blocks == nil {
		l.blocks = map[ir.Instr]*ir.Block{}
		for _, f := range l.f.p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if _, ok := in.(*ir.Store); ok {
						l.blocks[in] = b
					}
				}
			}
		}
	}
	return l.blocks[in]
}

// definedOnce reports whether one instruction of a block defines a register.
func definedOnce(b *ir.Block, r *ir.Reg) bool {
	n := 0
	for _, in := range b.Instrs {
		if slices.Contains(ir.Defs(in), r) {
			n++
		}
	}
	return n == 1
}

// undisturbed reports whether an instruction runs no other code, changes no lock and
// writes nothing of a region.
func (l *locks) undisturbed(in ir.Instr, r *alias.Region) bool {
	switch in.(type) {
	case *ir.Assign, *ir.Load, *ir.Store, *ir.Assume, *ir.Assert, *ir.Havoc:
	default:
		return false
	}
	for _, a := range l.f.acc[in] {
		if a.Write && (a.Unknown || slices.Contains(a.Regions, r)) {
			return false
		}
	}
	return true
}

// drawn is the condition under which an instruction draws the watched number; nil where
// it does not.
func (t *ticket) drawn(x *instrumenter, in ir.Instr, fn *guard) ir.Expr {
	d, ok := t.counter.draws[x.seq.Origin[in].Instr]
	if !ok {
		return nil
	}
	w := ir.Use{Reg: fn.frame.watch}
	is := func(r *ir.Reg) ir.Expr {
		first := ir.Expr(ir.Use{Reg: r})
		if t.shift != 0 { // as the program computes it, in the counter's type
			first = ir.Binary{Op: "add", X: first, Y: ir.IntConst(r.Type.(ir.Int), t.shift)}
		}
		from := ir.Cast{X: first, T: ir.I64}
		if d.k == 1 {
			return ir.Binary{Op: "eq", X: from, Y: w}
		}
		return ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: from, Y: w}, Y: ir.Binary{Op: "lt", X: w, Y: ir.Binary{Op: "add", X: from, Y: ir.IntConst(ir.I64, d.k)}}}
	}
	if rmw, ok := in.(*ir.RMW); ok {
		return is(rmw.Dst)
	}
	var any ir.Expr
	for _, r := range x.before[in] {
		if any == nil {
			any = is(r)
		} else {
			any = ir.Binary{Op: "lor", X: any, Y: is(r)}
		}
	}
	return any
}

// chunks are the registers that count up from a number that was drawn with an addition of
// more than one, each with a register that has that number.
func (x *instrumenter) chunks(f *ir.Func) map[*ir.Reg]*ir.Reg {
	counts, firsts := map[*ir.Reg]*ir.Reg{}, map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, fn := range x.l.tickets {
				if fn.theory.(*ticket).counter.draws[x.seq.Origin[in].Instr].k > 1 {
					for _, r := range x.numbersAt(in) {
						firsts[r] = true
					}
				}
			}
		}
	}
	if len(firsts) == 0 {
		return counts
	}
	assigns := func(visit func(a *ir.Assign)) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assign); ok {
					visit(a)
				}
			}
		}
	}
	up := map[*ir.Reg]bool{} // registers that are one of the others plus a constant
	assigns(func(a *ir.Assign) {
		if add, ok := a.X.(ir.Binary); ok && add.Op == "add" {
			_, k := positive(add.Y)
			up[a.Dst] = up[a.Dst] || k
		}
	})
	for again := true; again; {
		again = false
		assigns(func(a *ir.Assign) {
			u, ok := ir.Uncast(a.X).(ir.Use)
			if !ok || !firsts[u.Reg] || firsts[a.Dst] {
				return
			}
			firsts[a.Dst], again = true, true
		})
	}
	assigns(func(a *ir.Assign) { // i := from; … i := t, where t is i plus one
		u, ok := a.X.(ir.Use)
		if ok && up[u.Reg] && firsts[a.Dst] {
			counts[a.Dst] = nil
		}
	})
	assigns(func(a *ir.Assign) {
		u, ok := a.X.(ir.Use)
		if _, is := counts[a.Dst]; ok && is && firsts[u.Reg] {
			counts[a.Dst] = u.Reg
		}
	})
	return counts
}

// numbersAt are the registers with the number that an instruction draws.
func (x *instrumenter) numbersAt(in ir.Instr) []*ir.Reg {
	if rmw, ok := in.(*ir.RMW); ok {
		return []*ir.Reg{rmw.Dst}
	}
	return x.before[in]
}

// chunkCandidates guesses, for loop heads, that what counts up from a number that was
// drawn is not below it.
func (x *instrumenter) chunkCandidates(f *ir.Func) []ir.Expr {
	var out []ir.Expr
	for i, from := range x.chunks(f) {
		if from != nil && ir.Equal(i.Type, from.Type) {
			out = append(out, ir.Binary{Op: "le", X: ir.Use{Reg: from}, Y: ir.Use{Reg: i}})
		}
	}
	return sorted(out)
}

// findBefore finds the registers that the values before draws were read into.
func (x *instrumenter) findBefore() {
	x.before = map[ir.Instr][]*ir.Reg{}
	if len(x.l.additions()) == 0 {
		return
	}
	for _, p := range x.seq.Procs {
		for _, b := range p.Body.Blocks {
			for i, in := range b.Instrs {
				orig := x.seq.Origin[in].Instr
				for _, ds := range x.l.additions() {
					for _, ld := range ds[orig].loads {
						for k := i - 1; k >= 0; k-- {
							if x.seq.Origin[b.Instrs[k]].Instr == ir.Instr(ld) {
								if r := b.Instrs[k].(*ir.Load).Dst; !slices.Contains(x.before[in], r) {
									x.before[in] = append(x.before[in], r)
								}
								break
							}
						}
					}
				}
			}
		}
	}
}

// restarts reports whether an instruction may set the counter anew, so that numbers are
// drawn again that were drawn before.
func (t *ticket) restarts(x *instrumenter, in ir.Instr) bool {
	orig := x.seq.Origin[in].Instr
	_, draws := t.counter.draws[orig]
	return !draws && slices.Contains(x.f.writeIDs[orig], t.counter.region.ID)
}

func (t *ticket) depends() *alias.Region { return t.counter.region }

// void reports whether some draw adds to the counter under no lock that all others hold,
// too.
func (t *ticket) void(j *comparer, _ *guard, lost map[*guard]bool) bool {
	atomics := true
	common := j.heldAtAll(t.counter.region, lost, func(st *site) (counts, alone bool) {
		_, draws := t.counter.draws[st.origin.Instr]
		if !draws || !st.acc.Write {
			return false, false
		}
		atomics = atomics && st.acc.Order.Atomic()
		return true, true
	})
	return !atomics && len(common) == 0
}

// roundAssumptions are those behind the numbers of counters that are not wide, and behind
// reference counts.
func (j *comparer) roundAssumptions() []ir.Assumption {
	used := map[ir.Assumption]bool{}
	for _, s := range j.sums {
		for _, st := range s.sites {
			for fn := range st.held {
				if o := openedOf(fn); o != nil {
					used[ir.Assumption{Kind: "file-context", Pos: o.open.Pos, Text: "the core calls release once for each open that returned 0, after all other calls on that file"}] = true
				}
				switch t := fn.theory.(type) {
				case *ticket:
					if t.counter.round {
						used[ir.Assumption{Kind: "counter", Pos: t.counter.at, Text: fmt.Sprintf("fewer numbers are drawn from %s than it has values", t.counter.name)}] = true
					}
				case *gate:
					if t.step != 0 {
						used[ir.Assumption{Kind: "counter", Text: fmt.Sprintf("fewer steps of %s are out than it has values", j.f.title(t.region.Name))}] = true
					}
				case *tally:
					if t.back() {
						used[ir.Assumption{Kind: "counter", Text: fmt.Sprintf("what the main function adds to %s does not make it wrap around", j.f.title(t.region.Name))}] = true
					}
				case *refcount:
					used[ir.Assumption{Kind: "counter", Text: fmt.Sprintf("fewer references are out than %s has values", j.f.title(t.region.Name))}] = true
				}
			}
		}
	}
	out := slices.Collect(maps.Keys(used))
	sort.Slice(out, func(i, j int) bool { return out[i].Text < out[j].Text })
	return out
}
