package lockset

import (
	"iter"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
	"whoop/seqz"
)

// theory says why a resource keeps accesses apart: who has which share of it at the
// start, and which instructions hand shares on. What follows is the same for all of them:
// candidates, ghost code, obligations, the comparison of summaries.
type theory interface {
	// initial is what the entry has when it starts, as conditions: of all of the
	// resource, and of some of it. They are nil where it never has any.
	initial(x *instrumenter, g *guard) (full, some ir.Expr)
	// transfers are what an instruction of the entry does to its share, in this order.
	transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer
	traits() traits
}

// traits are what the rest of the analysis has to know of a theory.
type traits struct {
	// whole: nobody ever has a part of the resource.
	whole bool
	// everywhere: the resource counts only if all entries are analysed, since any of them
	// may owe something.
	everywhere bool
	// hidden: reports do not name the resource among the locks held.
	hidden bool
}

// voider is a theory some of whose resources protect nothing after all. lost are those
// that protect nothing for other reasons.
type voider interface {
	void(j *comparer, g *guard, lost map[*guard]bool) bool
	// depends is the region whose accesses decide it, in all pairs; nil: none does.
	depends() *alias.Region
}

// A theory that is no voider any more would be believed where it must not be.
var (
	_ voider = (*flag)(nil)
	_ voider = (*gate)(nil)
	_ voider = (*refcount)(nil)
	_ voider = (*taken)(nil)
	_ voider = (*tally)(nil)
	_ voider = (*ticket)(nil)
)

// entitled is a theory that rests on another resource: what is proved of that one
// matters.
type entitled interface{ rests() *guard }

// onesided is a theory of resources that one entry has alone, and all others share.
type onesided interface{ side() *ir.Entry }

// theoryOf is the theory of a guard, where it is one of type T.
func theoryOf[T theory](g *guard) (T, bool) {
	t, ok := g.theory.(T)
	return t, ok
}

// isLock reports whether a guard is one of a lock at an address.
func isLock(g *guard) bool {
	_, ok := g.theory.(*lock)
	return ok
}

// excludes reports whether a guard is a lock or a section: who has it sees what those
// that had it before have done.
func (g *guard) excludes() bool {
	switch g.theory.(type) {
	case *lock, section:
		return true
	}
	return false
}

// begins reports whether the entry may have a share of the guard when it starts.
func (x *instrumenter) begins(g *guard) bool {
	full, some := g.theory.initial(x, g)
	return full != nil || some != nil
}

// initialValueOf is what the entry has of a guard when it starts: all of it (mode 0), or
// some of it (mode 1).
func (x *instrumenter) initialValueOf(g *guard, mode int) ir.Expr {
	full, some := g.theory.initial(x, g)
	if mode == 0 && full != nil {
		return full
	}
	if mode == 1 && some != nil {
		return some
	}
	return ir.BoolConst(false)
}

// acquires reports whether an instruction may give the entry a share of a guard.
func (x *instrumenter) acquires(in ir.Instr, g *guard) bool {
	for _, t := range g.theory.transfers(x, in, g) {
		if t.Kind == permission.Inhale {
			return true
		}
	}
	return false
}

// move is a transfer of a guard's share.
type move struct {
	g *guard
	t permission.Transfer
}

// moves are the transfers of an instruction, of the active guards.
func (x *instrumenter) moves(in ir.Instr) []move {
	out, known := x.moved[in]
	if !known {
		changed := redefined(in)
		for _, g := range x.active {
			for _, t := range g.theory.transfers(x, in, g) {
				if changed == nil {
					out = append(out, move{g, t})
				} else if t, ok := still(t, changed); ok {
					out = append(out, move{g, t})
				}
			}
		}
		x.moved[in] = out
	}
	return out
}

// redefined are the registers that an instruction reads as operands, and changes: behind
// it its operands are not known any more.
func redefined(in ir.Instr) []*ir.Reg {
	var out []*ir.Reg
	for _, r := range ir.Defs(in) {
		if slices.ContainsFunc(ir.Operands(in), func(e ir.Expr) bool { return ir.UsesReg(e, r) }) {
			out = append(out, r)
		}
	}
	return out
}

// still is a transfer as it can be said behind an instruction that has changed registers:
// who may lose a share loses it, and who may get one does not.
func still(t permission.Transfer, changed []*ir.Reg) (permission.Transfer, bool) {
	reads := func(e ir.Expr) bool {
		return e != nil && slices.ContainsFunc(changed, func(r *ir.Reg) bool { return ir.UsesReg(e, r) })
	}
	if !reads(t.If) {
		return t, true
	}
	if t.Kind == permission.Inhale {
		return t, false
	}
	t.If, t.Share = nil, permission.Full
	return t, true
}

// updates is the ghost code of an instruction.
func (x *instrumenter) updates(in ir.Instr) []ir.Instr {
	var out []ir.Instr
	for _, m := range x.moves(in) {
		out = append(out, m.g.Apply(m.t, in.At())...)
	}
	return out
}

// tested are the registers of a procedure that decide what it has: results of
// instructions that may hand it a share, what is computed of these, and numbers that it
// hands to threads.
func (x *instrumenter) tested(p *seqz.Proc) map[*ir.Reg]bool {
	out := map[*ir.Reg]bool{}
	for _, b := range p.Body.Blocks {
		for _, in := range b.Instrs {
			results := slices.Concat(ir.Defs(in), x.before[in])
			for _, m := range x.moves(in) {
				for _, r := range results {
					if m.t.If != nil && !ir.IsPtr(r.Type) && ir.UsesReg(m.t.If, r) {
						out[r] = true
					}
				}
			}
		}
	}
	for again := len(out) > 0; again; {
		again = false
		for _, b := range p.Body.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assign); ok && !out[a.Dst] && reads(a.X, out) {
					out[a.Dst], again = true, true
				}
			}
		}
	}
	x.testedSpawns(p.Body, out)
	return out
}

// owed are the obligations of an instruction: that the entry has what it hands on. Those
// of guards that are not active fail where they are not vacuous.
func (x *instrumenter) owed(in ir.Instr) []check {
	var out []check
	for g, t := range x.handed(in) {
		if cond := g.Obligation(t, x.isActive(g)); cond != nil {
			id := x.candidate()
			x.handovers[id] = g
			out = append(out, check{id, &ir.Assert{Base: ir.Base{Pos: in.At()}, Cond: cond, Tag: "lockset"}})
		}
	}
	return out
}

// handed are what an instruction does to guards, where it may hand something on.
func (x *instrumenter) handed(in ir.Instr) iter.Seq2[*guard, permission.Transfer] {
	return func(yield func(*guard, permission.Transfer) bool) {
		switch in.(type) {
		case *ir.Spawn, *ir.Register, *ir.SemPost, *ir.Store, *ir.RMW, *ir.CmpXchg,
			*ir.Free:
		default:
			return
		}
		for _, g := range x.l.list {
			if x.locksAlone && !isLock(g) {
				continue // it is lost: see findLost
			}
			for _, t := range g.theory.transfers(x, in, g) {
				if !yield(g, t) {
					return
				}
			}
		}
	}
}

// isActive reports whether a guard is one of those that the entry keeps a ledger of.
func (x *instrumenter) isActive(g *guard) bool { return x.isOn[g] }
