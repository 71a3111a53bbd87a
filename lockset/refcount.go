package lockset

import (
	"fmt"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Reference counts. The counter of an object says how many units of it are out; a thread
// that has a unit may use the object, and who takes off the last one has it alone.
//
// Whoever makes an object has all of it. Setting the counter to k gives that away for k
// units, of which each is some share. An addition of 1 is by who has a unit (an
// obligation), and makes one more. A subtraction of 1 is by who has a unit (an
// obligation), and takes it; who finds 1 there has all of the object. A spawn hands a
// unit to the thread that gets the object. So the counter is at least the number of units
// that threads have, and where it gets to 0 nobody has one.
//
// The ledger counts the first few units. It may say less than there is, never more.

// refcount is the theory of the counters in one member of the objects of a group of
// regions.
type refcount struct {
	region *alias.Region
	// made are the allocations of the objects.
	made map[ir.Instr]bool
	// steps are the additions that are no single instructions: these are under a lock
	// that all additions have in common (see void).
	steps map[ir.Instr]draw
}

// maxUnits is how many units a ledger counts. Each is a register more.
const maxUnits = 4

func (*refcount) traits() traits { return traits{everywhere: true, hidden: true} }

// initial: a thread has a unit of the object that it gets.
func (c *refcount) initial(x *instrumenter, g *guard) (full, some ir.Expr) {
	params := x.params()
	if x.l.owner(x.entry) && len(params) > 0 {
		return nil, g.frame.isBase(asPtr(ir.Use{Reg: params[0]}))
	}
	return nil, nil
}

func (c *refcount) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	orig := x.seq.Origin[in].Instr
	switch in := in.(type) {
	case *ir.Alloc:
		if c.made[orig] {
			return []permission.Transfer{{Share: permission.Full, If: gainOwn(in, g)}}
		}
	case *ir.Free: // who has all of it; if not, that is the race
		return nil
	case *ir.Spawn:
		if arg := x.ownArgument(in); arg != nil {
			nothing := ir.Binary{Op: "eq", X: arg, Y: ir.Null{T: ir.VPtr}}
			t := permission.Owes(permission.Some, g.frame.isBase(arg))
			t.Or = nothing
			return []permission.Transfer{t}
		}
	}
	if len(x.f.writeIDs[orig]) == 0 || !slices.Contains(x.f.writeIDs[orig], c.region.ID) {
		return nil
	}
	op := c.op(x, in)
	if op == nil {
		return []permission.Transfer{permission.Owes(permission.Full, nil)}
	}
	cell := asPtr(offsetFrom(ir.Use{Reg: g.frame.watch}, c.region.Offset))
	at := ir.Binary{Op: "eq", X: asPtr(op.addr), Y: cell}
	switch op.step {
	case 1:
		has := permission.Transfer{Kind: permission.Owe, Share: permission.Some, If: at, Owed: true}
		return []permission.Transfer{has, permission.Gets(permission.Some, at)}
	case -1:
		out := []permission.Transfer{permission.Owes(permission.Some, at)}
		for _, old := range op.old {
			// The counter was 1 at least: it is the number of units, of which one was
			// there.
			last := ir.Binary{Op: "le", X: ir.Use{Reg: old}, Y: ir.IntConst(old.Type.(ir.Int), 1)}
			out = append(out, permission.Gets(permission.Full, ir.Binary{Op: "land", X: at, Y: last}))
		}
		return out
	}
	out := []permission.Transfer{permission.Owes(permission.Full, at)}
	for i := range int64(maxUnits) {
		more := ir.Binary{Op: "gt", X: op.first, Y: ir.IntConst(op.first.Type().(ir.Int), i)}
		out = append(out, permission.Gets(permission.Some, ir.Binary{Op: "land", X: at, Y: more}))
	}
	return out
}

// countOp is an operation on a counter.
type countOp struct {
	addr ir.Expr
	// step is 1 or -1 for additions, 0 for a store of a first value.
	step int
	// old are the registers with the value before; none where it does not matter, or what
	// the others did before is not seen.
	old   []*ir.Reg
	first ir.Expr
}

// op reads an instruction as one on a counter; nil where it is something else.
func (c *refcount) op(x *instrumenter, in ir.Instr) *countOp {
	if d, ok := c.steps[x.seq.Origin[in].Instr]; ok {
		return &countOp{addr: in.(*ir.Store).Addr, step: int(d.k), old: x.before[in]}
	}
	return countOpOf(in)
}

func countOpOf(in ir.Instr) *countOp {
	switch in := in.(type) {
	case *ir.RMW:
		k, ok := ir.ConstInt(in.Val)
		t, isInt := in.Val.Type().(ir.Int)
		if !ok || !isInt || t.Bits < 32 || in.Op != "add" && in.Op != "sub" {
			return nil
		}
		if !t.Signed && t.Bits == 32 && k == 1<<32-1 {
			k = -1
		}
		if in.Op == "sub" {
			k = -k
		}
		op := &countOp{addr: in.Addr, step: int(k)}
		if k < 0 && in.Dst != nil && acquires(in.Order) {
			op.old = []*ir.Reg{in.Dst}
		}
		if k == 1 || k == -1 && releases(in.Order) {
			return op
		}
	case *ir.Store:
		if _, ok := in.Val.Type().(ir.Int); ok {
			return &countOp{addr: in.Addr, first: in.Val}
		}
	}
	return nil
}

// refcountLocks finds the counters of objects from which a last unit may be taken.
func (l *locks) refcountLocks() {
	l.refcounts = map[int][]*guard{}
	if l.f.wild {
		return
	}
	writers := l.f.writers()
	for _, r := range l.f.watchedRegions() {
		if !r.Exact || r.Elem != 0 || r.Size != 4 && r.Size != 8 || !allHeap(r) ||
			l.f.al.WrittenOutside(r) {
			continue
		}
		c := &refcount{region: r, made: map[ir.Instr]bool{}, steps: map[ir.Instr]draw{}}
		if !l.counted(c, writers) {
			continue
		}
		for _, o := range r.Objects {
			if o.Alloc != nil {
				c.made[o.Alloc] = true
			}
		}
		fr := l.frame(fmt.Sprintf("x:%d", r.Group))
		g := l.token(fmt.Sprintf("refs:%d+%d", r.Group, r.Offset), "its reference count", fr, c)
		if g.Units == nil {
			for i := range maxUnits {
				name := fmt.Sprintf("$unit%d.%s", i, g.Held[1].Name)
				g.Units = append(g.Units, &ir.Reg{Name: name, Type: ir.Bool{}, Ghost: true})
			}
		}
		l.refcounts[r.Group] = append(l.refcounts[r.Group], g)
	}
}

// counted reports whether a region is written as a counter alone, and somebody takes off
// the last unit. It notes the additions that are no single instructions.
func (l *locks) counted(c *refcount, writers map[*alias.Region][]ir.Instr) bool {
	if l.f.synced(c.region) { // it is a lock or semaphore, too
		return false
	}
	last := false
	for _, in := range writers[c.region] {
		if ends(in) {
			continue
		}
		acc := l.f.acc[in]
		if !stepsInCell(in, c.region) {
			return false
		}
		if slices.ContainsFunc(acc, func(a alias.Access) bool { return a.Unknown || a.Unseen }) {
			return false
		}
		only := len(acc) == 1 && len(acc[0].Regions) == 1
		if st, ok := in.(*ir.Store); ok && only && st.Order == ir.Plain {
			if d, ok := l.addition(st, c.region, l.sameCell(st)); ok && (d.k == 1 || d.k == -1) {
				c.steps[in] = d
				last = last || d.k < 0
				continue
			}
		}
		op := countOpOf(in)
		if op == nil {
			return false
		}
		last = last || op.step < 0 && len(op.old) > 0
	}
	return last
}

// stepsInCell reports whether an operation on a counter is on all of it.
func stepsInCell(in ir.Instr, r *alias.Region) bool {
	switch in := in.(type) {
	case *ir.Store:
		return in.Val.Type().Size() == r.Size
	case *ir.RMW:
		return in.Val.Type().Size() == r.Size
	}
	return true
}

// sameCell tells which loads before a store, in its block, are from the address that it
// stores to: in the same words, of registers that do not change in between.
func (l *locks) sameCell(st *ir.Store) func(*ir.Load) bool {
	b, addr := l.blockOf(st), ir.ExprString(st.Addr)
	end := slices.Index(b.Instrs, ir.Instr(st))
	return func(ld *ir.Load) bool {
		from := slices.Index(b.Instrs, ir.Instr(ld))
		if from < 0 || from > end || ir.ExprString(ld.Addr) != addr {
			return false
		}
		for _, in := range b.Instrs[from:end] {
			for _, r := range ir.Defs(in) {
				if ir.UsesReg(st.Addr, r) {
					return false
				}
			}
		}
		return true
	}
}

func (c *refcount) depends() *alias.Region { return c.region }

// void reports whether two additions may mix: some are no single instructions, and there
// is no lock that all hold.
func (c *refcount) void(j *comparer, _ *guard, lost map[*guard]bool) bool {
	if len(c.steps) == 0 {
		return false
	}
	common := j.heldAtAll(c.region, lost, func(st *site) (counts, alone bool) {
		_, step := c.steps[st.origin.Instr]
		_, rmw := st.origin.Instr.(*ir.RMW)
		return st.acc.Write && (step || rmw), true
	})
	return len(common) == 0
}

// ends reports whether an instruction ends an object, and writes nothing.
func ends(in ir.Instr) bool {
	_, ok := in.(*ir.Free)
	return ok
}
