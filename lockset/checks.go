package lockset

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/seqz"
	"whoop/smt/vcgen"
)

// check is an assertion with its candidate.
type check struct {
	id     int
	assert *ir.Assert
}

// accessChecks makes the sites of an instruction and one assertion for each lock that may
// protect it.
func (x *instrumenter) accessChecks(in ir.Instr, b *ir.Block, i int, res *resolver, may lockSet) []check {
	o := x.seq.Origin[in]
	if o.Instr == nil || x.f.fresh[o.Instr] || x.idle(o) {
		return nil
	}
	if _, isCall := in.(*ir.Call); isCall {
		return nil
	}
	c := &checker{instrumenter: x, in: in, o: o, now: may, made: map[madeKey]int{}}
	c.any = slices.ContainsFunc(may, func(w uint64) bool { return w != 0 })
	for _, acc := range x.f.acc[o.Instr] {
		if acc.Fresh {
			continue
		}
		c.access(acc, func(addr ir.Expr) ir.Expr { return res.expand(addr, b, i) })
	}
	if len(c.sites) == 0 || !x.askDead {
		return c.out
	}
	if x.deadHere >= 0 {
		x.dead[x.deadHere] = append(x.dead[x.deadHere], c.sites...)
	} else {
		id := x.candidate()
		x.dead[id], x.deadHere = c.sites, id
		c.out = append(c.out, check{id, &ir.Assert{Base: ir.Base{Pos: in.At()}, Cond: ir.BoolConst(false), Tag: "lockset"}})
	}
	return c.out
}

// idle reports whether an instruction is in a function, or in one called by one, that a
// run of the entry never gets to.
func (x *instrumenter) idle(o seqz.Origin) bool {
	return !x.f.apart.Runs(x.entry, o.Func) || slices.ContainsFunc(o.Calls, func(c seqz.Frame) bool { return !x.f.apart.Runs(x.entry, c.Func) })
}

// checker makes the checks of one instruction.
type checker struct {
	*instrumenter
	in    ir.Instr
	o     seqz.Origin
	now   lockSet // what may be held here; any: something may
	any   bool
	sites []*site
	out   []check
	// made are the claims that do not depend on the region: all sites of the instruction
	// share them.
	made map[madeKey]int
}

type madeKey struct {
	fn   *guard
	mode int
}

func (c *checker) mayHold(fn *guard, mode int) bool { return c.may.has(c.now, fn, mode) }

// coarse is how many watched regions an access may touch before it becomes one site for
// all of them, for which only locks are tried that do not depend on the region. Precision
// only.
const coarse = 32

// access makes the sites of one access, one for each watched region it may touch, or one
// for all.
func (c *checker) access(acc alias.Access, expand func(ir.Expr) ir.Expr) {
	watched, class := c.partners.some(use{c.entry, c.o.Instr, acc}, c.f.watchedOf(acc.Regions))
	var bases []typedBase
	addr := copiedOperand(c.o.Instr, c.in, acc.Addr)
	var roots []ir.Expr
	if len(watched) > 0 && c.any && addr != nil {
		full := expand(addr)
		bases, roots = typedBases(full), []ir.Expr{rootOf(addr), rootOf(full)}
		if _, freed := c.in.(*ir.Free); freed {
			if s, ok := pointee(ir.Uncast(addr).Type()); ok {
				bases = append(bases, typedBase{s, addr, 0, true})
			}
		}
	}
	if len(watched) > coarse {
		c.site(acc, class, watched, func() []regionLock {
			return append(append(c.l.forAll(), c.typedLocks(bases)...), c.holderLocks(watched, roots)...)
		}, addr)
		return
	}
	for i, r := range watched {
		c.site(acc, class, watched[i:i+1:i+1], func() []regionLock { return c.candidates(r, addr, roots, bases) }, addr)
	}
}

func (c *checker) site(acc alias.Access, class int, rs []*alias.Region, locks func() []regionLock, addr ir.Expr) {
	s := &site{entry: c.entry, origin: c.o, acc: acc, class: class, regions: rs, held: map[*guard]ir.Mode{}}
	c.instrumenter.sites = append(c.instrumenter.sites, s)
	c.sites = append(c.sites, s)
	if !c.any {
		return
	}
	for _, rl := range locks() {
		c.claim(s, rl, addr)
	}
}

// claim asserts that a lock is held at a site, in each mode that is possible.
func (c *checker) claim(s *site, rl regionLock, addr ir.Expr) {
	if !c.knows(rl.fn) {
		return
	}
	for mode, h := range rl.fn.Held {
		if o, ok := rl.fn.theory.(onesided); ok && (mode == 0) != (o.side() == c.entry) {
			continue
		}
		// a token is held alone or not at all
		if !c.mayHold(rl.fn, mode) || mode == 1 && rl.fn.Whole {
			continue
		}
		k := madeKey{rl.fn, mode}
		if rl.watched == nil {
			if c.again(k, s) {
				continue
			}
		} else if id, ok := c.made[k]; ok && !rl.perRegion {
			c.claims[id].sites = append(c.claims[id].sites, s)
			continue
		}
		var cond ir.Expr = ir.Use{Reg: h}
		if rl.watched != nil {
			cond = ir.Binary{Op: "lor", X: ir.Unary{Op: "lnot", X: rl.watched(addr)}, Y: cond}
		}
		id := c.candidate()
		c.claims[id] = &claim{[]*site{s}, rl.fn, mode}
		switch {
		case rl.watched == nil:
			c.sameHere[k] = id
		case !rl.perRegion:
			c.made[k] = id
		}
		c.out = append(c.out, check{id, &ir.Assert{Base: ir.Base{Pos: c.in.At()}, Cond: cond, Tag: "lockset"}})
	}
}

// again adds a site to a claim that says the same: that the lock is held at the start of
// a procedure that does not change it, or at another access of the block.
func (c *checker) again(k madeKey, s *site) bool {
	id, ok := c.sameHere[k]
	if !ok {
		id, ok = c.steady[k]
	}
	if !ok {
		return false
	}
	if c.claims[id] == nil {
		c.claims[id] = &claim{fn: k.fn, mode: k.mode}
	}
	c.claims[id].sites = append(c.claims[id].sites, s)
	return true
}

// candidates lists the locks that may protect the access and may be held: global ones
// always, those relative to the watched address where the address is known, and those of
// the structs that the address expression goes through.
func (c *checker) candidates(r *alias.Region, addr ir.Expr, roots []ir.Expr, bases []typedBase) []regionLock {
	var out []regionLock
	whole := whole(c.in)
	_, freed := c.in.(*ir.Free)
	for _, rl := range c.l.perReg[r] {
		switch {
		case rl.watched == nil || (addr != nil && !whole):
			out = append(out, rl)
		case freed && addr != nil && rl.ofBase != nil:
			rl.watched = rl.ofBase
			out = append(out, rl)
		}
	}
	out = append(out, c.holderLocks([]*alias.Region{r}, roots)...)
	if r.Exact && r.Elem == 0 && !whole {
		return out
	}
	return append(out, c.typedLocks(bases)...)
}

// typedLocks are the locks of the structs that an address expression goes through.
func (c *checker) typedLocks(bases []typedBase) []regionLock {
	var out []regionLock
	seen := map[*ir.Struct]bool{}
	for _, tb := range bases {
		if seen[tb.s] {
			continue
		}
		seen[tb.s] = true
		base := tb.base
		for _, fn := range c.l.typed[tb.s] {
			if c.mayHold(fn, 1) {
				out = append(out, regionLock{fn: fn, watched: func(ir.Expr) ir.Expr { return fn.frame.isBase(asPtr(base)) }})
			}
		}
	}
	return out
}

// copiedOperand finds the operand of the copy that stands where want stands in the
// original.
func copiedOperand(orig, copied ir.Instr, want ir.Expr) ir.Expr {
	from, to := ir.Operands(orig), ir.Operands(copied)
	for i, e := range from {
		if sameExpr(e, want) && i < len(to) {
			return to[i]
		}
	}
	return nil
}

// sameExpr compares expressions by structure; types are left out: they may hold slices,
// which do not compare.
func sameExpr(a, b ir.Expr) bool { return ir.SameNode(a, b, sameExpr) }

// whole reports whether an instruction touches more than the cell its address names; then
// the address says nothing about which cell of a region it is.
func whole(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.Spawn:
		return false
	}
	return true
}

// memory tells the VC generator what reads may yield and what instructions write.
func (x *instrumenter) memory(o *vcgen.Options) {
	reads := x.f.reads[x.entry]
	o.Value = func(in *ir.Load) ir.Expr {
		if c := x.pointerLoads[in]; c != nil {
			return x.f.initialValue(in, c.region)
		}
		return reads[x.seq.Origin[in].Instr].value
	}
	o.Read = func(in *ir.Load) (vcgen.ReadClass, []int) {
		if c := x.pointerLoads[in]; c != nil {
			if x.f.classifyRegion(x.entry, c.region) == vcgen.Private {
				return vcgen.Private, []int{c.region.ID}
			}
			return vcgen.Constant, nil
		}
		f := reads[x.seq.Origin[in].Instr]
		return f.class, f.regions
	}
	o.Writes = func(in ir.Instr) []int {
		return x.f.writeIDs[x.seq.Origin[in].Instr]
	}
	o.Latch = func(in ir.Instr) *vcgen.Latch { return x.f.latches.of[x.seq.Origin[in].Instr] }
	o.Zeros = func(in *ir.Alloc) []vcgen.ZeroMember {
		a, _ := x.seq.Origin[in].Instr.(*ir.Alloc)
		return x.f.zeroIn[a]
	}
	o.New = func(in *ir.Alloc) []vcgen.NewCell {
		a, _ := x.seq.Origin[in].Instr.(*ir.Alloc)
		return x.f.newCells[a]
	}
	o.Breaks = func(in ir.Instr) []int { return x.f.latches.breaks[x.seq.Origin[in].Instr] }
}
