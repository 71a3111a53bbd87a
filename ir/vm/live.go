package vm

import (
	"slices"

	"whoop/ir"
	"whoop/ir/irutil"
)

// maxLive bounds the memory for what is live in a function, in operands.
const maxLive = 1 << 20

// liveness finds the registers that may be read from each instruction on; base is the
// first temporary.
func (c *fc) liveness(base int) {
	x := c.x
	x.firstTemp = int32(base)
	sets, size := map[any]int32{}, 0
	irutil.LiveBefore(x.f, func(at any, live map[*ir.Reg]bool) {
		var set []operand
		for r := range live {
			set = append(set, c.slots[r])
			if k, ok := c.lazy[r]; ok {
				set = append(set, k)
			}
		}
		slices.Sort(set)
		sets[at] = int32(len(x.liveSets))
		x.liveSets = append(x.liveSets, set)
		size += len(set)
	})
	if size > maxLive {
		x.liveSets = nil
		return
	}
	for _, at := range x.src {
		x.live = append(x.live, sets[at])
	}
}

// frame adds what may still be read of a frame. Of an instruction that has begun, these
// are its temporaries, too.
func (h *hasher) frame(f *fn, r []uint64, pc int32) {
	if f.live == nil || int(pc) >= len(f.code) {
		for _, w := range r {
			h.add(w)
		}
		return
	}
	for _, k := range f.liveSets[f.live[pc]] {
		h.add(r[k])
	}
	if pc > 0 && f.src[pc] == f.src[pc-1] {
		for _, w := range r[f.firstTemp:f.temps[pc]] {
			h.add(w)
		}
	}
}
