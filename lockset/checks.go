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
func (x *instrumenter) accessChecks(p *seqz.Proc, in ir.Instr, b *ir.Block, i int,
	res *resolver, may lockSet) []check {
	o := x.seq.Origin[in]
	if o.Instr == nil || x.f.fresh[o.Instr] {
		return nil
	}
	if _, isCall := in.(*ir.Call); isCall {
		return nil
	}
	by := x.runners(p, o)
	if len(by) == 0 {
		return nil
	}
	c := &checker{instrumenter: x, in: in, by: by, now: may, made: map[madeKey]int{}}
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

// checker makes the checks of one instruction.
type checker struct {
	*instrumenter
	in    ir.Instr
	by    []runner
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
	var watched []*alias.Region // of all of them together
	var rs [][]*alias.Region
	classes := make([]int, len(c.by))
	all := c.f.watchedOf(acc.Regions)
	for k, r := range c.by {
		some, class := c.partners.some(use{r.entry, c.orig(), &acc}, all)
		rs, classes[k] = append(rs, some), class
		if len(some) > len(watched) {
			watched = some
		}
	}
	if len(c.by) > 1 && len(watched) > 0 && len(watched) < len(all) {
		some := map[*alias.Region]bool{}
		for _, more := range rs {
			for _, r := range more {
				some[r] = true
			}
		}
		watched = slices.DeleteFunc(slices.Clone(all), func(r *alias.Region) bool { return !some[r] })
	}
	var bases []typedBase
	addr := copiedOperand(c.orig(), c.in, acc.Addr)
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
	of := func(k int, rs []*alias.Region) *site {
		return &site{entry: c.by[k].entry, origin: c.by[k].origin, acc: &acc,
			class: classes[k], regions: rs}
	}
	if len(watched) > coarse {
		var ss []*site
		for k := range c.by {
			if len(rs[k]) > 0 {
				ss = append(ss, of(k, rs[k]))
			}
		}
		c.claimAll(ss, func() []regionLock {
			return append(append(c.l.forAll(), c.typedLocks(bases)...), c.holderLocks(watched, roots)...)
		}, addr)
		return
	}
	for i, r := range watched {
		var ss []*site
		for k := range c.by {
			if slices.Contains(rs[k], r) {
				ss = append(ss, of(k, watched[i:i+1:i+1]))
			}
		}
		c.claimAll(ss, func() []regionLock { return c.candidates(r, addr, roots, bases) }, addr)
	}
}

// orig is the instruction of the program that the present one is a copy of.
func (c *checker) orig() ir.Instr { return c.by[0].origin.Instr }

// claimAll notes sites that are alike but for their entries, and makes their claims.
func (c *checker) claimAll(ss []*site, locks func() []regionLock, addr ir.Expr) {
	c.instrumenter.sites = append(c.instrumenter.sites, ss...)
	c.sites = append(c.sites, ss...)
	if !c.any {
		return
	}
	for _, rl := range locks() {
		c.claim(ss, rl, addr)
	}
}

// claim asserts that a lock is held at sites, in each mode that is possible.
func (c *checker) claim(ss []*site, rl regionLock, addr ir.Expr) {
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
			if c.again(k, ss) {
				continue
			}
		} else if id, ok := c.made[k]; ok && !rl.perRegion {
			c.claims[id].sites = append(c.claims[id].sites, ss...)
			continue
		}
		var cond ir.Expr = ir.Use{Reg: h}
		if rl.watched != nil {
			cond = ir.Binary{Op: "lor", X: ir.Unary{Op: "lnot", X: rl.watched(addr)}, Y: cond}
		}
		id := c.candidate()
		c.claims[id] = &claim{slices.Clone(ss), rl.fn, mode}
		switch {
		case rl.watched == nil:
			c.sameHere[k] = id
		case !rl.perRegion:
			c.made[k] = id
		}
		c.out = append(c.out, check{id, &ir.Assert{Base: ir.Base{Pos: c.in.At()}, Cond: cond, Tag: "lockset"}})
	}
}

// again adds sites to a claim that says the same: that the lock is held at the start of
// a procedure that does not change it, or at another access of the block.
func (c *checker) again(k madeKey, ss []*site) bool {
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
	c.claims[id].sites = append(c.claims[id].sites, ss...)
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
	o.Value = func(in *ir.Load) ir.Expr {
		if c := x.pointerLoads[in]; c != nil {
			return x.f.initialValue(in, c.region)
		}
		return x.read(x.seq.Origin[in].Instr).value
	}
	o.Read = func(in *ir.Load) (vcgen.ReadClass, []int) {
		if c := x.pointerLoads[in]; c != nil {
			if x.classify(c.region) == vcgen.Private {
				return vcgen.Private, []int{c.region.ID}
			}
			return vcgen.Constant, nil
		}
		f := x.read(x.seq.Origin[in].Instr)
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
