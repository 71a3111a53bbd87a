package interp

import (
	"slices"

	"whoop/ir"
)

// visible reports whether other threads may notice the instruction, or it others.
func (c *fc) visible(in ir.Instr) bool {
	if c.m.cfg.Visible != nil {
		return c.m.cfg.Visible(in)
	}
	if c.m.binds.At(in) != nil {
		return true
	}
	switch i := in.(type) {
	case *ir.Assign, *ir.Havoc, *ir.Assume, *ir.Call, *ir.Alloc:
		return false
	case *ir.Load:
		return !c.own.Address(i.Addr)
	case *ir.Store:
		return !c.own.Address(i.Addr)
	case *ir.MemCopy:
		return !c.own.Address(i.Dst) || !c.own.Address(i.Src)
	case *ir.MemSet:
		return !c.own.Address(i.Dst)
	case *ir.Touch:
		return !c.own.Address(i.Addr)
	}
	return true
}

// maxLive bounds the memory for liveness before each instruction of a function, in words.
const maxLive = 1 << 22

// bitset is a set of slots.
type bitset []uint64

func (b bitset) put(st slotType, on bool) {
	for k := st.slot; st.slot >= 0 && k < st.slot+st.n; k++ {
		if on {
			b[k/64] |= 1 << (k % 64)
		} else {
			b[k/64] &^= 1 << (k % 64)
		}
	}
}

func (b bitset) has(k int) bool { return b[k/64]>>(k%64)&1 != 0 }

// uses adds the registers that expressions read.
func (c *fc) uses(b bitset, es []ir.Expr) {
	for _, e := range es {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok {
				b.put(c.slots[u.Reg], true)
			}
			return true
		})
	}
}

// backward turns the live registers at the end of a block into those at its beginning; at
// is told those before each op.
func (c *fc) backward(b *ir.Block, cur bitset, at func(pc int, live bitset)) {
	pc := c.start[b] + len(b.Instrs)
	c.uses(cur, ir.TermOperands(b.Term))
	at(pc, cur)
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		pc--
		reads := ir.Operands(b.Instrs[i])
		if w, ok := b.Instrs[i].(*ir.Await); ok { // whose condition is about what it sets
			c.uses(cur, []ir.Expr{w.Cond})
			reads = w.Addrs
		}
		for _, r := range ir.Defs(b.Instrs[i]) {
			cur.put(c.slots[r], false)
		}
		c.uses(cur, reads)
		at(pc, cur)
	}
}

// liveness finds the registers that may be read before they are written, and those live
// before each op (not in functions so large that this would take much memory: there all
// registers count).
func (c *fc) liveness() {
	x := c.x
	if len(x.code) == 0 {
		return
	}
	n := (x.slots + 63) / 64
	in := make(map[*ir.Block]bitset, len(x.f.Blocks))
	for _, b := range x.f.Blocks {
		in[b] = make(bitset, n)
	}
	cur := make(bitset, n)
	out := func(b *ir.Block) {
		clear(cur)
		for _, t := range b.Term.Succs() {
			for k, w := range in[t] {
				cur[k] |= w
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for bi := len(x.f.Blocks) - 1; bi >= 0; bi-- {
			b := x.f.Blocks[bi]
			out(b)
			c.backward(b, cur, func(int, bitset) {})
			if !slices.Equal(cur, in[b]) {
				copy(in[b], cur)
				changed = true
			}
		}
	}
	for _, r := range x.f.Regs {
		if st := c.slots[r]; in[x.f.Blocks[0]].has(st.slot) {
			x.arbitrary = append(x.arbitrary, st)
		}
	}
	if n*len(x.code) > maxLive {
		return
	}
	x.live = make([]bitset, len(x.code))
	back := make(bitset, n*len(x.code))
	for _, b := range x.f.Blocks {
		out(b)
		c.backward(b, cur, func(pc int, live bitset) {
			x.live[pc] = back[pc*n : pc*n+n]
			copy(x.live[pc], live)
		})
	}
}
