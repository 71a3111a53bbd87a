package lockset

import (
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

// wordOp is what an instruction does to a word that may be a lock.
type wordOp struct {
	addr ir.Expr
	t    ir.Type
	// frees: it leaves 0. Otherwise it leaves something else, or what was there.
	frees bool
	// took is the condition, after it, that it found 0 and left something else; nil where
	// that is not known.
	took ir.Expr
}

// wordOpOf reads an instruction as an operation on a word that is a lock; nil where it
// may leave anything.
func wordOpOf(in ir.Instr) *wordOp {
	switch in := in.(type) {
	case *ir.RMW:
		op := &wordOp{addr: in.Addr, t: in.Val.Type()}
		v, known := word(in.Val)
		switch {
		case !known || in.Op != "xchg" && !(in.Op == "or" && v != 0):
			return nil
		case v == 0:
			op.frees = true
		case in.Dst != nil && acquires(in.Order):
			op.took = wordIsZero(ir.Use{Reg: in.Dst})
		}
		return op.ordered(in.Order)
	case *ir.CmpXchg:
		op := &wordOp{addr: in.Addr, t: in.New.Type()}
		old, known := word(in.Expected)
		val, set := word(in.New)
		switch {
		case set && val == 0:
			op.frees = true
		case !set && !(known && old == 0): // it may leave 0 where there was something else
			return nil
		case (!known || old == 0) && acquires(in.Order):
			op.took = exchanged(in)
		}
		return op.ordered(in.Order)
	case *ir.Store:
		v, known := word(in.Val)
		if !known {
			return nil
		}
		return (&wordOp{addr: in.Addr, t: in.Val.Type(), frees: v == 0}).ordered(in.Order)
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

// word is the value of a constant of a type that a lock may have.
func word(e ir.Expr) (int64, bool) { return ir.ConstInt(e) }

// wordIsZero is the condition that a word is 0.
func wordIsZero(e ir.Expr) ir.Expr {
	switch t := e.Type().(type) {
	case ir.Int:
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
func exchanged(in *ir.CmpXchg) ir.Expr {
	var done ir.Expr
	switch {
	case in.OK != nil:
		done = ir.Use{Reg: in.OK}
	case in.Dst != nil && !in.Weak:
		done = wordIsZero(ir.Use{Reg: in.Dst})
	default:
		return nil
	}
	if _, known := word(in.Expected); !known {
		done = ir.Binary{Op: "land", X: done, Y: wordIsZero(in.Expected)}
	}
	if _, known := word(in.New); !known {
		done = ir.Binary{Op: "land", X: done, Y: ir.Unary{Op: "lnot", X: wordIsZero(in.New)}}
	}
	return done
}

// wordTarget is what an operation on a word may be on; nothing where it is none, or the
// word is not known to be a cell of its own.
func wordTarget(in ir.Instr, acc []alias.Access) (target, bool) {
	op := wordOpOf(in)
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

// findWords marks the lock functions of words that are locks.
func (l *locks) findWords() {
	var takes []ir.Instr
	for _, in := range l.f.instructions() {
		if op := wordOpOf(in); op != nil && op.took != nil && len(l.f.targets[in].regions) > 0 {
			takes = append(takes, in)
		}
	}
	if len(takes) == 0 || l.f.wild {
		return
	}
	spoilt := l.spoiltWords()
	for _, g := range l.list {
		if k, ok := theoryOf[*lock](g); ok {
			k.word = l.isWord(g, k, takes, spoilt)
		}
	}
}

// isWord reports whether a lock function is of words that are locks, and notes where they
// lie.
func (l *locks) isWord(g *guard, k *lock, takes []ir.Instr, spoilt map[*alias.Region]bool) bool {
	cells := map[*alias.Region]bool{}
	for _, in := range takes {
		if !l.f.affects(in, wordOpOf(in).addr, g) {
			continue
		}
		t := l.f.targets[in]
		if t.unknown {
			return false
		}
		for _, r := range t.regions {
			if l.mayLieIn(g, k, r) {
				cells[r] = true
			}
		}
	}
	for r := range cells {
		if spoilt[r] {
			return false
		}
	}
	k.cells = cells
	return len(cells) > 0
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
func (l *locks) spoiltWords() map[*alias.Region]bool {
	spoilt := map[*alias.Region]bool{}
	for _, e := range l.f.p.Entries {
		for _, f := range l.f.reach[e] {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if wordOpOf(in) != nil && !l.f.targets[in].unknown || l.f.fresh[in] || l.f.mh.Alone(e, in) {
						continue
					}
					for _, a := range l.f.acc[in] {
						for _, r := range a.Regions {
							spoilt[r] = spoilt[r] || a.Write && !a.Fresh
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
	op := wordOpOf(in)
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
