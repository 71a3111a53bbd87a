package lockset

import (
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Words that are locks: a spin lock made of an atomic exchange, a flag that says who may
// go on. A word is one as long as only who changed it from 0 makes it 0 again (an
// obligation).
//
// While the word is 0, the lock has all of the resource, and nobody else any. An
// operation that finds 0 and leaves something else inhales it. One that leaves 0 exhales
// it first. What leaves another number, and does not find 0, changes nothing. Other
// writes are by the maker of a new object, or by main while it is alone: nobody else has
// the lock then, and the writer's ledger says afterwards that it has none either.

// The lock may be some bits of the word (lock.bits): then what is said of 0 is said of
// these bits, and operations that leave them as they are change nothing.

// allBits is a word that is a lock as a whole.
const allBits = ^uint64(0)

// wordOp is what an instruction does to the bits of a word that may be a lock.
type wordOp struct {
	addr ir.Expr
	t    ir.Type
	// frees: it leaves 0. Otherwise it leaves something else, or what was there.
	frees bool
	// took is the condition, after it, that it found 0 and left something else; nil where
	// that is not known.
	took ir.Expr
}

// wordOpOf reads an instruction as an operation on bits of a word that are a lock; nil
// where it may leave anything there.
func wordOpOf(in ir.Instr, bits uint64) *wordOp {
	switch in := in.(type) {
	case *ir.RMW:
		op := &wordOp{addr: in.Addr, t: in.Val.Type()}
		v, known := ir.ConstBits(in.Val)
		if !known {
			return nil
		}
		switch {
		case in.Op == "or" && v&bits == 0, in.Op == "and" && v&bits == bits&typeBits(op.t):
		case in.Op == "xchg" && v&bits == 0, in.Op == "and" && v&bits == 0:
			op.frees = true
		case in.Op != "xchg" && in.Op != "or":
			return nil
		case in.Dst != nil && acquires(in.Order):
			op.took = bitsAreZero(ir.Use{Reg: in.Dst}, bits)
		}
		return op.ordered(in.Order)
	case *ir.CmpXchg:
		op := &wordOp{addr: in.Addr, t: in.New.Type()}
		old, known := ir.ConstBits(in.Expected)
		val, set := ir.ConstBits(in.New)
		switch {
		case set && val&bits == 0:
			op.frees = !known || old&bits != 0
		case !set && !(known && old&bits == 0): // it may leave 0 where there was something else
			return nil
		case (!known || old&bits == 0) && acquires(in.Order):
			op.took = exchanged(in, bits)
		}
		return op.ordered(in.Order)
	case *ir.Store:
		v, known := ir.ConstBits(in.Val)
		if !known {
			return nil
		}
		return (&wordOp{addr: in.Addr, t: in.Val.Type(), frees: v&bits == 0}).ordered(in.Order)
	}
	return nil
}

// ordered is the operation, unless it frees the word in an order that does not show what
// was done before.
func (op *wordOp) ordered(o ir.Order) *wordOp {
	if op.frees && !releases(o) {
		return nil
	}
	return op
}

// typeBits are the bits that values of a type have.
func typeBits(t ir.Type) uint64 {
	if n := t.Size() * 8; n < 64 {
		return 1<<n - 1
	}
	return allBits
}

// wordIsZero is the condition that a word is 0.
func wordIsZero(e ir.Expr) ir.Expr { return bitsAreZero(e, allBits) }

// bitsAreZero is the condition that bits of a word are 0.
func bitsAreZero(e ir.Expr, bits uint64) ir.Expr {
	switch t := e.Type().(type) {
	case ir.Int:
		if bits != allBits {
			e = ir.Binary{Op: "and", X: e, Y: ir.Const{T: t, Val: ir.Wrap(t, new(big.Int).SetUint64(bits))}}
		}
		return ir.Binary{Op: "eq", X: e, Y: ir.IntConst(t, 0)}
	case ir.Bool:
		return ir.Unary{Op: "lnot", X: e}
	case ir.Ptr:
		return ir.Binary{Op: "eq", X: e, Y: ir.Null{T: t}}
	}
	return nil
}

// exchanged is the condition that an exchange found 0 and left something else; nil where
// its result is not kept.
func exchanged(in *ir.CmpXchg, bits uint64) ir.Expr {
	var done ir.Expr
	switch {
	case in.OK != nil:
		done = ir.Use{Reg: in.OK}
	case in.Dst != nil && !in.Weak:
		done = ir.Binary{Op: "eq", X: ir.Use{Reg: in.Dst}, Y: in.Expected}
	default:
		return nil
	}
	if _, known := ir.ConstBits(in.Expected); !known {
		done = ir.Binary{Op: "land", X: done, Y: bitsAreZero(in.Expected, bits)}
	}
	if _, known := ir.ConstBits(in.New); !known {
		done = ir.Binary{Op: "land", X: done, Y: ir.Unary{Op: "lnot", X: bitsAreZero(in.New, bits)}}
	}
	return done
}

// wordTarget is what an operation on a word may be on; nothing where it is none, or the
// word is not known to be a cell of its own.
func wordTarget(in ir.Instr, acc []alias.Access) (target, bool) {
	op := wordOpOf(in, allBits)
	if rmw, ok := in.(*ir.RMW); ok && op == nil && rmw.Op == "and" { // of some bits
		op = &wordOp{addr: rmw.Addr, t: rmw.Val.Type()}
	}
	if op == nil || len(acc) == 0 {
		return target{}, false
	}
	var out target
	for _, a := range acc {
		out.unknown = out.unknown || a.Unknown
		for _, r := range a.Regions {
			out.unknown = out.unknown || !r.Exact || r.Size != op.t.Size()
			if !slices.Contains(out.regions, r) {
				out.regions = append(out.regions, r)
			}
		}
	}
	return out, true
}

// findWords marks the lock functions of words that are locks, and adds those of bits.
func (l *locks) findWords() {
	takes := map[uint64][]ir.Instr{}
	for _, in := range l.f.instructions() {
		op := wordOpOf(in, allBits)
		if op == nil || op.took == nil || len(l.f.targets[in].regions) == 0 {
			continue
		}
		takes[allBits] = append(takes[allBits], in)
		if rmw, ok := in.(*ir.RMW); ok && rmw.Op == "or" {
			if v, _ := ir.ConstBits(rmw.Val); bits.OnesCount64(v) == 1 {
				takes[v] = append(takes[v], in)
			}
		}
	}
	if l.f.wild {
		return
	}
	for _, bits := range slices.Sorted(maps.Keys(takes)) {
		spoilt := l.spoiltWords(bits)
		for _, g := range slices.Clone(l.list) {
			k, ok := theoryOf[*lock](g)
			if !ok || k.bits != 0 {
				continue
			}
			if cells := l.wordCells(g, k, bits, takes[bits], spoilt); len(cells) == 0 {
				continue
			} else if bits == allBits {
				k.bits, k.cells = bits, cells
			} else {
				l.beside(g, fmt.Sprintf("bits:%d:%x", g.id, bits), &lock{addr: k.addr, regions: k.regions, pointer: k.pointer, bits: bits, cells: cells})
			}
		}
	}
}

// beside adds a guard that protects what another one may protect.
func (l *locks) beside(g *guard, key string, t theory) {
	h := l.add(key, g.name, g.frame, t)
	if slices.Contains(l.global, g) {
		l.global = append(l.global, h)
	}
	for s, gs := range l.typed {
		if slices.Contains(gs, g) {
			l.typed[s] = append(gs, h)
		}
	}
	for r, rls := range l.perReg {
		for _, rl := range rls {
			if rl.fn == g {
				rl.fn = h
				l.perReg[r] = append(l.perReg[r], rl)
			}
		}
	}
}

// wordCells are where the words lie whose bits are a lock that a lock function is of;
// none where it is no such lock.
func (l *locks) wordCells(g *guard, k *lock, bits uint64, takes []ir.Instr, spoilt map[*alias.Region]bool) map[*alias.Region]bool {
	cells := map[*alias.Region]bool{}
	for _, in := range takes {
		if !l.f.affects(in, wordOpOf(in, bits).addr, g) {
			continue
		}
		t := l.f.targets[in]
		if t.unknown {
			return nil
		}
		for _, r := range t.regions {
			if l.mayLieIn(g, k, r) {
				cells[r] = true
			}
		}
	}
	for r := range cells {
		if spoilt[r] {
			return nil
		}
	}
	return cells
}

// mayLieIn reports whether a lock at a fixed address may lie in a region; others always
// may.
func (l *locks) mayLieIn(g *guard, k *lock, r *alias.Region) bool {
	if g.frame != nil || k.pointer != nil {
		return true
	}
	h, off, ok := constAddr(k.addr)
	return !ok || mayBeAt([]*alias.Region{r}, h, off)
}

// spoiltWords are the regions that hold no words which are locks: something else is
// written there, or lock operations of the program are on them.
func (l *locks) spoiltWords(bits uint64) map[*alias.Region]bool {
	spoilt, seen := map[*alias.Region]bool{}, map[list]bool{}
	for _, e := range l.f.p.Entries {
		for _, f := range l.f.reach[e] {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if wordOpOf(in, bits) != nil && !l.f.targets[in].unknown || l.f.fresh[in] || l.f.mh.Alone(e, in) {
						continue
					}
					for _, a := range l.f.acc[in] {
						if k := listOf(a.Regions); a.Write && !a.Fresh && !seen[k] {
							seen[k] = true
							for _, r := range a.Regions {
								spoilt[r] = true
							}
						}
					}
				}
			}
		}
	}
	for _, r := range l.regions {
		spoilt[r] = spoilt[r] || l.f.synced(r) || l.f.al.WrittenOutside(r)
	}
	return spoilt
}

// wordTransfers are those of an instruction on a word that is a lock.
func (k *lock) wordTransfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	orig := x.seq.Origin[in].Instr
	op := wordOpOf(in, k.bits)
	if op == nil || !x.affects(in, op.addr, g) {
		if k.rewrites(x.f, orig) {
			return []permission.Transfer{permission.Loses()}
		}
		return nil
	}
	switch {
	case op.frees:
		t := permission.Transfer{Kind: permission.Exhale, Share: permission.Full, If: k.is(op.addr)}
		t.Owed = !x.f.fresh[orig] && !x.alone(orig) // else nobody has it
		return []permission.Transfer{t}
	case op.took != nil:
		took := ir.Binary{Op: "land", X: op.took, Y: k.is(op.addr)}
		return []permission.Transfer{permission.Gets(permission.Full, took)}
	}
	return nil
}

// rewrites reports whether an instruction may write the word by other means.
func (k *lock) rewrites(f *facts, in ir.Instr) bool {
	if len(f.writeIDs[in]) == 0 {
		return false
	}
	return slices.ContainsFunc(f.acc[in], func(a alias.Access) bool {
		return a.Write && slices.ContainsFunc(a.Regions, func(r *alias.Region) bool { return k.cells[r] })
	})
}
