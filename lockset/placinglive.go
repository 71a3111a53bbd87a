package lockset

import (
	"math/bits"

	"whoop/ir"
)

// What is known of a register that is not read any more is of no use: to forget it is to
// know less, which is always right. In functions with thousands of blocks that is nearly
// all that there is to know.

// needed finds, for each block, the registers of which something must be known at its
// start and after it: those that are read later, also by a copy.
func (w *placing) needed() (first, after map[*ir.Block]map[*ir.Reg]bool) {
	number, regs := map[*ir.Reg]int{}, []*ir.Reg{}
	numberOf := func(r *ir.Reg) (int, bool) {
		if !w.across[r] {
			return 0, false
		}
		n, known := number[r]
		if !known {
			n = len(regs)
			number[r], regs = n, append(regs, r)
		}
		return n, true
	}
	type facts struct{ read, set []int }
	of := make([]facts, len(w.order))
	at := make(map[*ir.Block]int, len(w.order))
	for i, b := range w.order {
		at[b] = i
		of[i].read, of[i].set = w.readFirst(b, numberOf)
	}
	words := (len(regs) + 63) / 64
	start, end := make([]uint64, words*len(w.order)), make([]uint64, words*len(w.order))
	row := func(of []uint64, i int) []uint64 { return of[i*words : (i+1)*words] }
	now := make([]uint64, words)
	for again := true; again; {
		again = false
		for i := len(w.order) - 1; i >= 0; i-- {
			out := row(end, i)
			for _, s := range w.order[i].Succs() {
				for k, x := range row(start, at[s]) {
					out[k] |= x
				}
			}
			copy(now, out)
			for _, n := range of[i].set {
				now[n/64] &^= 1 << (n % 64)
			}
			for _, n := range of[i].read {
				now[n/64] |= 1 << (n % 64)
			}
			in := row(start, i)
			for k, x := range now {
				again = again || x&^in[k] != 0
				in[k] |= x
			}
		}
	}
	setsOf := func(rows []uint64) map[*ir.Block]map[*ir.Reg]bool {
		out := make(map[*ir.Block]map[*ir.Reg]bool, len(w.order))
		for i, b := range w.order {
			live := map[*ir.Reg]bool{}
			for k, word := range row(rows, i) {
				for ; word != 0; word &= word - 1 {
					live[regs[k*64+bits.TrailingZeros64(word)]] = true
				}
			}
			out[b] = live
		}
		return out
	}
	return setsOf(start), setsOf(end)
}

// readFirst are the registers that a block reads before it sets them, and those that it
// sets, by their numbers. A copy is read as what it is a copy of.
func (w *placing) readFirst(b *ir.Block, numberOf func(*ir.Reg) (int, bool)) (read, set []int) {
	isSet, isRead := map[*ir.Reg]bool{}, map[*ir.Reg]bool{}
	note := func(r *ir.Reg) {
		if n, across := numberOf(r); across && !isSet[r] && !isRead[r] {
			isRead[r] = true
			read = append(read, n)
		}
	}
	reads := func(es []ir.Expr) {
		for _, e := range es {
			for _, r := range ir.RegsOf(e) {
				note(r)
				for c, ok := w.same[r]; ok; c, ok = w.same[r] {
					r = c.reg
					note(r)
				}
			}
		}
	}
	for _, in := range b.Instrs {
		reads(ir.Operands(in))
		for _, d := range ir.Defs(in) {
			if n, across := numberOf(d); across && !isSet[d] {
				isSet[d] = true
				set = append(set, n)
			}
		}
	}
	reads(ir.TermOperands(b.Term))
	return read, set
}

// forgetUnneeded drops what is known of registers that nobody reads after a block. Members
// of results stay, and what others are parts of.
func (w *placing) forgetUnneeded(b *ir.Block, at origins) {
	if w.live == nil {
		w.first, w.live = w.needed()
	}
	live := w.live[b]
	kept := map[*ir.Reg]bool{}
	for r, o := range at {
		if w.across[r] && (live[r] || r.Ghost) {
			kept[r] = true
			if o.part != nil {
				kept[o.part] = true
			}
		}
	}
	for r := range at {
		if !w.across[r] || !kept[r] {
			delete(at, r)
		}
	}
}

// fewOrigins is how many origins are handed on to all blocks that come after one, needed
// there or not.
const fewOrigins = 32

// along is what must be known at the start of a block of what is known after another one,
// which has several behind it. A function that chooses among thousands of entry points has
// parameters for each of them, of which each block reads a few.
func (w *placing) along(s *ir.Block, at origins) origins {
	first := w.first[s]
	if len(at) <= fewOrigins || len(first) >= len(at) {
		return at
	}
	out := make(origins, len(first))
	keep := func(r *ir.Reg) {
		if o, ok := at[r]; ok {
			if out[r] = o; o.part != nil {
				if whole, ok := at[o.part]; ok {
					out[o.part] = whole
				}
			}
		}
	}
	for r := range first {
		keep(r)
	}
	for _, r := range w.members {
		keep(r)
	}
	return out
}
