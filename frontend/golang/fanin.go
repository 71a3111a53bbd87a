package golang

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// A goroutine that waits for the others and then closes a channel, for which somebody
// waits who wants to know that all is done:
//
//	go func() { wg.Wait(); close(out) }()
//	for v := range out { ... }
//
// The closer holds the token of the WaitGroup exclusively from its wait on, and gives it
// back before it closes the channel, or sends to it. Who finds the channel closed then
// takes it: one function, of which there is one run for each run of the one that counts.
// Where the closer alone sends and closes, after its wait, whatever is received says that
// it has waited; from other channels, only what came without a value.

// fanIn is such a channel.
type fanIn struct {
	g   *group
	key string // of the group's operations
	// taker learns that the group has been waited for: whenever it receives, if always;
	// otherwise at the blocks in tokens.closed.
	taker  *ssa.Function
	always bool
}

// waitedIn is the goroutine which waits for a group in the place of home, that counts and
// starts: home starts it once, when all is counted. It is nil where there is no such one.
func (t *tokens) waitedIn(g *group, home *ssa.Function) *ssa.Function {
	f, o := g.waits[0].Parent(), t.l.once
	if f == home || slices.ContainsFunc(g.waits, func(w ssa.CallInstruction) bool { return w.Parent() != f }) {
		return nil
	}
	sites := o.Sites[f]
	if len(sites) != 1 || !o.Known(f) {
		return nil
	}
	at, ok := sites[0].(*ssa.Go)
	if !ok || at.Parent() != home || form.OnCycle(at.Block()) || form.CalleeOf(at) != f {
		return nil
	}
	for _, c := range slices.Concat(g.adds, g.gos, g.sites) {
		if c == ssa.CallInstruction(at) || c.Parent() != home || form.MayFollow(at, c) {
			return nil
		}
	}
	return f
}

// fanIns finds the channels that are closed when a group has been waited for.
func (t *tokens) fanIns() {
	for _, k := range form.SortedKeys(t.groups) {
		g := t.groups[k]
		if !g.ok || g.closer == nil {
			continue
		}
		if !g.local {
			for _, k2 := range form.SortedKeys(t.chans) {
				t.fanOf(g, k, t.chans[k2])
			}
			continue
		}
		for _, b := range g.home.Blocks {
			for _, in := range b.Instrs {
				if m, ok := in.(*ssa.MakeChan); ok && !form.OnCycle(b) {
					t.localFanOf(g, k, m)
				}
			}
		}
	}
}

// fanOf looks at a channel with a fixed address.
func (t *tokens) fanOf(g *group, key_ string, c *channel) {
	if c.made == nil || c.open || t.strayed(c) || len(c.takers) == 0 {
		return
	}
	fan := &fanIn{g: g, key: key_, taker: c.made.Parent()}
	if !c.takers[fan.taker] {
		if len(c.takers) != 1 {
			return
		}
		for f := range c.takers {
			fan.taker = f
		}
	}
	is := func(v ssa.Value) bool { return t.channelOf(v) == c }
	if t.l.once.Runs(fan.taker) && t.released(fan, c.releases) && t.closedIn(fan, is) {
		c.fan = fan
	}
}

// localFanOf looks at a channel that each run of a function makes, as it does the group.
func (t *tokens) localFanOf(g *group, key_ string, m *ssa.MakeChan) {
	u := usesOf(m)
	if !u.known {
		return
	}
	fan := &fanIn{g: g, key: key_, taker: g.home}
	var releases []ssa.Instruction
	site := t.l.once.Sites[g.closer][0]
	// and not that of another run, which the closer was given
	mine := func(in ssa.Instruction, ch ssa.Value) bool {
		releases = append(releases, in)
		return in.Parent() != g.closer || madeFor(ch, site) == m
	}
	for _, c := range u.closes {
		if !mine(c, c.(ssa.CallInstruction).Common().Args[0]) {
			return
		}
	}
	for _, s := range u.sends {
		if !mine(s.in, s.ch) {
			return
		}
	}
	is := func(v ssa.Value) bool { return form.MadeAt(v) == m }
	if t.released(fan, releases) && t.closedIn(fan, is) {
		t.fans[m] = fan
	}
}

// released looks at the sends to a channel and what closes it: only the closer closes it,
// after it has waited.
func (t *tokens) released(fan *fanIn, releases []ssa.Instruction) bool {
	fan.always = len(releases) > 0
	closes := 0
	for _, r := range releases {
		call, ok := r.(ssa.CallInstruction)
		after := t.afterWait(fan.g, r)
		if ok && (!form.IsBuiltin(call) || !after) { // a library function may close it
			return false
		}
		if fan.always = fan.always && after; ok {
			closes++
		}
	}
	return fan.always || closes > 0
}

// afterWait reports whether an instruction is executed by the closer alone, when it has
// waited; before that it does nothing that may panic where a close is deferred.
func (t *tokens) afterWait(g *group, r ssa.Instruction) bool {
	if r.Parent() != g.closer {
		return false
	}
	if _, deferred := r.(*ssa.Defer); !deferred {
		return slices.ContainsFunc(g.waits, func(w ssa.CallInstruction) bool { return form.ComesBefore(w, r) })
	}
	for _, in := range g.closer.Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.DebugRef, *ssa.Alloc, *ssa.Store:
		case *ssa.Defer:
			if in != r {
				return false
			}
		case *ssa.Call:
			return slices.Contains(g.waits, ssa.CallInstruction(in))
		default:
			return false
		}
	}
	return false
}

// closedIn finds where the taker knows that the closer has waited: after any receive, or
// where a test says that the channel, of which is knows the values, is closed.
func (t *tokens) closedIn(fan *fanIn, is func(ssa.Value) bool) bool {
	if fan.taker == fan.g.closer {
		return false
	}
	if fan.always {
		return true
	}
	found := false
	for _, b := range fan.taker.Blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || len(b.Succs[1].Preds) != 1 {
			continue
		}
		open, ok := br.Cond.(*ssa.Extract)
		if !ok || open.Index != 1 {
			continue
		}
		switch r := open.Tuple.(type) {
		case *ssa.UnOp:
			ok = r.Op == token.ARROW && is(r.X)
		case *ssa.Select:
			ok = slices.ContainsFunc(r.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && is(s.Chan) && form.InCase(b, r, s) })
		default:
			ok = false
		}
		if ok {
			found = true
			t.closed[b.Succs[1]] = append(t.closed[b.Succs[1]], fan)
		}
	}
	return found
}

// fanIn is what a channel tells of a group when it is closed, or nil.
func (t *tokens) fanIn(v ssa.Value) *fanIn {
	if len(t.fans) > 0 {
		if m := form.MadeAt(v); m != nil && t.fans[m] != nil {
			return t.fans[m]
		}
	}
	if addr := t.l.constant_(v); addr != nil {
		if c := t.chans[ir.ExprString(addr)]; c != nil {
			return c.fan
		}
	}
	return nil
}

// objectOf is the address of a local group in a function that has it; nil for other
// groups, whose address is fixed.
func (g *group) objectOf(x *fn) ir.Expr {
	if !g.local {
		return nil
	}
	return x.address(g.is[x.Sf])
}

// foundClosed takes the token of the group where its channel says so.
func (t *tokens) foundClosed(x *fn, fan *fanIn) { t.take(x, fan.g, fan.key, fan.g.objectOf(x)) }

// closing gives the token of a group back before the channel is closed.
func (t *tokens) closing(x *fn, v ssa.Value) {
	if fan := t.fanIn(v); fan != nil && x.Sf == fan.g.closer {
		t.giveBack(x, fan.g, fan.key, fan.g.objectOf(x))
	}
}
