package alias

import (
	"math/bits"
	"slices"

	"whoop/ir"
)

// Registers are mutable, and the points-to analysis does not know the order of things. So
// each register is split into webs first: its definitions that reach a common use.
// Different webs are different variables to the analysis.

// webKey names a use (or a definition) of a register; site is an ir.Instr or an ir.Term.
type webKey struct {
	site any
	reg  *ir.Reg
	def  bool
}

// splitWebs numbers the webs of f's registers. Web 0, the one of the value at the
// function's entry, is not entered.
func (s *solver) splitWebs(f *ir.Func) {
	sites := map[*ir.Reg][]ir.Instr{}
	var order []*ir.Reg
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range ir.Defs(in) {
				if !s.holdsAddress(r.Type) || r.Ghost {
					continue
				}
				if sites[r] == nil {
					order = append(order, r)
				}
				sites[r] = append(sites[r], in)
			}
		}
	}
	var multi []*ir.Reg
	for _, r := range order {
		if len(sites[r]) > 1 || slices.Contains(f.Params, r) {
			multi = append(multi, r)
		}
	}
	if len(multi) == 0 {
		return
	}
	uses := usesOf(f, multi)
	for _, r := range multi {
		w := &webs{reg: r, defs: sites[r], uses: uses[r], in: map[*ir.Block]defSet{}}
		w.number = map[ir.Instr]int{}
		for i, d := range w.defs {
			w.number[d] = i + 1
		}
		w.solve(f)
		w.enter(f, s.webOf)
	}
}

// usesOf finds the instructions and terminators that read the registers.
func usesOf(f *ir.Func, regs []*ir.Reg) map[*ir.Reg]map[any]bool {
	out := map[*ir.Reg]map[any]bool{}
	for _, r := range regs {
		out[r] = map[any]bool{}
	}
	look := func(site any, es []ir.Expr) {
		for _, e := range es {
			ir.WalkExpr(e, func(x ir.Expr) bool {
				if u, ok := x.(ir.Use); ok && out[u.Reg] != nil {
					out[u.Reg][site] = true
				}
				return true
			})
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			look(in, ir.Operands(in))
		}
		if b.Term != nil {
			look(b.Term, ir.TermOperands(b.Term))
		}
	}
	return out
}

// defSet is a set of definition numbers; 0 is the value at the function's entry.
type defSet []uint64

// webs splits one register.
type webs struct {
	reg    *ir.Reg
	defs   []ir.Instr
	uses   map[any]bool
	number map[ir.Instr]int
	in     map[*ir.Block]defSet // definitions that reach the block's start
	root   []int
}

func (w *webs) one(d int) defSet {
	s := make(defSet, len(w.defs)/64+1)
	s[d/64] |= 1 << (d % 64)
	return s
}

// after returns the definitions that reach the end of a block.
func (w *webs) after(b *ir.Block) defSet {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if d, ok := w.number[b.Instrs[i]]; ok {
			return w.one(d)
		}
	}
	return w.in[b]
}

// solve computes the reaching definitions and joins those that meet at a use.
func (w *webs) solve(f *ir.Func) {
	w.in[f.Blocks[0]] = w.one(0)
	work := []*ir.Block{f.Blocks[0]}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if b.Term == nil {
			continue
		}
		out := w.after(b)
		for _, n := range b.Term.Succs() {
			old, seen := w.in[n]
			if !seen {
				w.in[n] = slices.Clone(out)
				work = append(work, n)
				continue
			}
			changed := false
			for i := range out {
				if out[i]&^old[i] != 0 {
					old[i] |= out[i]
					changed = true
				}
			}
			if changed {
				work = append(work, n)
			}
		}
	}
	w.root = make([]int, len(w.defs)+1)
	for i := range w.root {
		w.root[i] = i
	}
}

func (w *webs) find(d int) int {
	for w.root[d] != d {
		d = w.root[d]
	}
	return d
}

// meet joins all definitions in s and returns their web.
func (w *webs) meet(s defSet) int {
	web := -1
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			d := w.find(i*64 + bits.TrailingZeros64(word))
			switch {
			case web < 0:
				web = d
			case d < web:
				w.root[web] = d
				web = d
			case d > web:
				w.root[d] = web
			}
		}
	}
	return max(web, 0)
}

// enter joins at every use and writes down the results; blocks that cannot be reached
// stay in web 0.
func (w *webs) enter(f *ir.Func, webOf map[webKey]int) {
	at := map[any]int{}
	for _, b := range f.Blocks {
		cur, ok := w.in[b]
		if !ok {
			continue
		}
		for _, in := range b.Instrs {
			if w.uses[in] {
				at[in] = w.meet(cur)
			}
			if d, ok := w.number[in]; ok {
				cur = w.one(d)
			}
		}
		if b.Term != nil && w.uses[b.Term] {
			at[b.Term] = w.meet(cur)
		}
	}
	for site, d := range at {
		if n := w.find(d); n != 0 {
			webOf[webKey{site, w.reg, false}] = n
		}
	}
	for in, d := range w.number {
		if n := w.find(d); n != 0 {
			webOf[webKey{in, w.reg, true}] = n
		}
	}
}
