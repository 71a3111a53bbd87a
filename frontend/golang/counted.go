package golang

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Channels on which goroutines say that they are done, and of which as much is received
// as there are goroutines:
//
//	for i := 0; i < n; i++ { go func() { work(i); done <- true }() }
//	for i := 0; i < n; i++ { <-done }
//
// Such a channel is like a WaitGroup: a goroutine holds its token shared until it sends,
// which it does once at most, and who has received from all of them holds it exclusively.

// counted is such a channel.
type counted struct {
	// All goroutines have sent after the receive after, or where the block all begins,
	// which is behind the loop of receives; the other one is nil.
	after *ssa.UnOp
	all   *ssa.BasicBlock
}

// countedChan looks whether a channel is counted, and gives the goroutines their tokens.
func (t *tokens) countedChan(c *channel) *counted {
	if c.made == nil || len(c.releases) == 0 || t.anyCutShort(c.takers) {
		return nil
	}
	home := c.made.Parent()
	if !t.l.once.runs(home) {
		return nil
	}
	var sites []ssa.CallInstruction
	seen := map[*ssa.Function]bool{}
	for _, r := range c.releases {
		s, ok := r.(*ssa.Send)
		if !ok {
			return nil
		}
		f := t.goroutineOf(s)
		if f == nil || f == home || seen[f] {
			return nil
		}
		seen[f] = true
		for _, site := range t.l.once.sites[f] {
			if site.Parent() != home {
				return nil
			}
			sites = append(sites, site)
		}
	}
	out := c.oneByOne(sites)
	if out == nil && len(sites) == 1 {
		out = c.inLoop(iterations(sites[0].Block()))
	}
	if out == nil {
		return nil
	}
	for _, s := range sites {
		t.start[s] = append(t.start[s], startToken{lock: t.chanOrder(c), mode: ir.Shared})
	}
	return out
}

// oneByOne: goroutines that are started outside of loops, and as many receives, one after
// the other, or in a loop.
func (c *channel) oneByOne(sites []ssa.CallInstruction) *counted {
	for _, s := range sites {
		if onCycle(s.Block()) {
			return nil
		}
	}
	if out := c.inLoop(ssa.NewConst(constant.MakeInt64(int64(len(sites))), types.Typ[types.Int])); out != nil {
		return out
	}
	var chain []*ssa.UnOp
	for _, r := range c.receives {
		if r.Parent() != c.made.Parent() || onCycle(r.Block()) {
			continue
		}
		if n := len(chain); n > 0 && !comesBefore(chain[n-1], r) {
			return nil
		}
		chain = append(chain, r)
		if len(chain) == len(sites) {
			return &counted{after: r}
		}
	}
	return nil
}

// comesBefore reports whether an instruction is executed before another one, whenever
// that is.
func comesBefore(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, in := range a.Block().Instrs {
		if in == a || in == b {
			return in == a
		}
	}
	return false
}

// inLoop: a loop that ends when it has received n times, and in no other way.
func (c *channel) inLoop(n ssa.Value) *counted {
	if n == nil {
		return nil
	}
	for _, r := range c.receives {
		if r.Parent() != c.made.Parent() {
			continue
		}
		if bound := iterations(r.Block()); bound == nil || !sameNumber(bound, n) {
			continue
		}
		if exit := everyTime(r.Block(), n); exit != nil && !onCycle(exit) {
			return &counted{all: exit}
		}
	}
	return nil
}

// everyTime is the block behind the loop around b, if it is got to only when b has been
// executed n times: each way around the loop passes b, the only way out is the test of
// the counter, and the block has no other predecessor than that, but for the test before
// the first iteration. Otherwise it is nil.
func everyTime(b *ssa.BasicBlock, n ssa.Value) *ssa.BasicBlock {
	in := func(x *ssa.BasicBlock) bool { return x == b || leadsTo(x, b) && leadsTo(b, x) }
	var test *ssa.BasicBlock
	for _, x := range b.Parent().Blocks {
		if !in(x) {
			continue
		}
		if x != b && reachesAvoiding(x, x, b) {
			return nil
		}
		for _, s := range x.Succs {
			if !in(s) && !endsInPanic(s) {
				if test != nil {
					return nil
				}
				test = x
			}
		}
	}
	if test == nil || !countsTo(test, n) {
		return nil
	}
	exit := test.Succs[1]
	for _, p := range exit.Preds {
		if p == test {
			continue
		}
		cmp := lessThan(p, n)
		if cmp == nil || !isConst(cmp.X, 0) || p.Succs[1] != exit || in(p) {
			return nil
		}
	}
	return exit
}

// endsInPanic reports whether a block ends in a panic statement: what is deferred runs
// without the token.
func endsInPanic(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok
}

// lessThan is the comparison with n at the end of a block that goes to its first
// successor where something is less; nil where there is none.
func lessThan(x *ssa.BasicBlock, n ssa.Value) *ssa.BinOp {
	br, ok := x.Instrs[len(x.Instrs)-1].(*ssa.If)
	if !ok || x.Succs[0] == x.Succs[1] {
		return nil
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS || !sameNumber(cmp.Y, n) {
		return nil
	}
	return cmp
}

// countsTo reports whether a block ends with the test of a loop that leaves it after n
// iterations: at their beginning, as "i < n" of a counter from 0 on or "i+1 < n" of one
// from -1 on, or at their end, as "i+1 < n" of a counter from 0 on.
func countsTo(x *ssa.BasicBlock, n ssa.Value) bool {
	cmp := lessThan(x, n)
	if cmp == nil {
		return false
	}
	if phi, ok := cmp.X.(*ssa.Phi); ok {
		return phi.Block() == x && counter(phi, 0)
	}
	if countsInMemory(cmp.X, x) {
		return true
	}
	next, ok := cmp.X.(*ssa.BinOp)
	if !ok || next.Op != token.ADD || !isConst(next.Y, 1) {
		return false
	}
	phi, ok := next.X.(*ssa.Phi)
	if !ok {
		return false
	}
	return phi.Block() == x && counter(phi, -1) && next.Block() == x || phi.Block() == x.Succs[0] && counter(phi, 0)
}

// gotAll takes the token of a channel where all goroutines have sent.
func (t *tokens) gotAll(x *fn, c *channel) {
	x.emit(&ir.Lock{Base: x.base(), Lock: t.chanOrder(c), Mode: ir.Exclusive, Class: ir.GhostOrder})
}

// behind takes the tokens of channels of which all has been received when a block starts,
// and of groups whose channels are closed then.
func (t *tokens) behind(x *fn, b *ssa.BasicBlock) {
	for _, c := range t.exits[b] {
		t.gotAll(x, c)
	}
	for _, fan := range t.closed[b] {
		t.foundClosed(x, fan)
	}
}
