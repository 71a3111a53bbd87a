package golang

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
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
	if c.made == nil || len(c.releases) == 0 {
		return nil
	}
	home := c.made.Parent()
	if !t.l.once.Runs(home) {
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
		for _, site := range t.l.once.Sites[f] {
			if site.Parent() != home {
				return nil
			}
			sites = append(sites, site)
		}
	}
	out := c.oneByOne(sites)
	if out == nil && len(sites) == 1 {
		out = c.inLoop(form.Iterations(sites[0].Block()))
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
		if form.OnCycle(s.Block()) {
			return nil
		}
	}
	if out := c.inLoop(ssa.NewConst(constant.MakeInt64(int64(len(sites))), types.Typ[types.Int])); out != nil {
		return out
	}
	var chain []*ssa.UnOp
	for _, r := range c.receives {
		if r.Parent() != c.made.Parent() || form.OnCycle(r.Block()) {
			continue
		}
		if n := len(chain); n > 0 && !form.ComesBefore(chain[n-1], r) {
			return nil
		}
		chain = append(chain, r)
		if len(chain) == len(sites) {
			return &counted{after: r}
		}
	}
	return nil
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
		if bound := form.Iterations(r.Block()); bound == nil || !form.SameNumber(bound, n) {
			continue
		}
		if exit := form.EveryTime(r.Block(), n); exit != nil && !form.OnCycle(exit) {
			return &counted{all: exit}
		}
	}
	return nil
}

// gotAll takes the token of a channel where all goroutines have sent.
func (t *tokens) gotAll(x *fn, c *channel) {
	x.Emit(&ir.Lock{Base: x.Base(), Lock: t.chanOrder(c), Mode: ir.Exclusive, Class: ir.GhostOrder})
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
