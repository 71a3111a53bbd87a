package randprog

import (
	"slices"

	"whoop/ir"
)

// Shrink makes a program smaller as long as it fails: it tries one edit after the other
// (edits) and keeps those after which the program is valid and fails still holds, until
// none is left. It returns p itself where nothing can be left out, and calls fails with
// valid programs alone; p is not changed. What remains keeps its position.
//
// fails must be a function of the program. It should ask for just the failure that is
// looked for, since most small programs are wrong in some other way, and bound its work,
// since a program may lose what ends its loops.
func Shrink(p *ir.Program, fails func(*ir.Program) bool) *ir.Program {
	for again := true; again; {
		again = false
		for _, e := range edits() {
			for k := 0; ; {
				q := ir.Clone(p)
				if !e(q, k) {
					break
				}
				if ir.Validate(q) == nil && fails(q) {
					p, again = q, true
				} else {
					k++
				}
			}
		}
	}
	return p
}

// An edit changes place number k of a program, counted from 0, and reports whether there
// is one. It may leave an invalid program behind (a global that is still used, gone).
// Every edit makes something smaller: the number of parts, of targets, of nodes of
// expressions, of constants that are not 0. So shrinking ends.
type edit func(p *ir.Program, k int) bool

func edits() []edit {
	out := []edit{emptyBody, dropFunc}
	for _, n := range []int{8, 4, 2, 1} {
		out = append(out, func(p *ir.Program, k int) bool { return dropInstrs(p, k, n) })
	}
	return append(out, oneTarget, endBlock, dropBlock, mergeBlocks, skipBlock, simplify, dropDst, dropGlobal, dropInit,
		dropStruct, dropReg, dropEntry, dropRest)
}

// places counts the places of an edit down.
type places int

// here reports whether the next place is the one.
func (k *places) here() bool {
	*k--
	return *k == -1
}

// drop removes element k of a list.
func drop[T any](xs *[]T, k int) bool {
	if k >= len(*xs) {
		return false
	}
	*xs = slices.Delete(*xs, k, k+1)
	return true
}

// zero is a constant of type t, or nil where there is none.
func zero(t ir.Type) ir.Expr {
	switch t := t.(type) {
	case ir.Int:
		return ir.IntConst(t, 0)
	case ir.Bool:
		return ir.BoolConst(false)
	case ir.Ptr:
		return ir.Null{T: t}
	}
	return nil
}

// ret is a return of zero.
func ret(f *ir.Func, pos ir.Pos) ir.Term {
	return &ir.Return{TermBase: ir.TermBase{Pos: pos}, Val: zero(f.Result)}
}

// emptyBody makes a function return at once.
func emptyBody(p *ir.Program, k int) bool {
	n := places(k)
	for _, f := range p.Funcs {
		if len(f.Blocks) == 0 || len(f.Blocks) == 1 && len(f.Blocks[0].Instrs) == 0 || !n.here() {
			continue
		}
		f.Blocks = f.Blocks[:1]
		f.Blocks[0].Instrs, f.Blocks[0].Term = nil, ret(f, f.Pos)
		return true
	}
	return false
}

// dropFunc drops a function and its entries.
func dropFunc(p *ir.Program, k int) bool {
	if k >= len(p.Funcs) {
		return false
	}
	f := p.Funcs[k]
	p.Entries = slices.DeleteFunc(p.Entries, func(e *ir.Entry) bool { return e.Func == f })
	return drop(&p.Funcs, k)
}

// dropInstrs drops n instructions next to each other.
func dropInstrs(p *ir.Program, k, n int) bool {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			if c := len(b.Instrs) - n + 1; k >= max(c, 0) {
				k -= max(c, 0)
				continue
			}
			b.Instrs = slices.Delete(b.Instrs, k, k+n)
			return true
		}
	}
	return false
}

// eachBlock calls f with all blocks until it returns true, and reports whether it did.
func eachBlock(p *ir.Program, f func(*ir.Func, *ir.Block) bool) bool {
	for _, fn := range p.Funcs {
		for _, b := range fn.Blocks {
			if f(fn, b) {
				return true
			}
		}
	}
	return false
}

// oneTarget makes a branch or a choice go to one of its targets.
func oneTarget(p *ir.Program, k int) bool {
	n := places(k)
	return eachBlock(p, func(_ *ir.Func, b *ir.Block) bool {
		targets := b.Succs()
		if len(targets) < 2 {
			return false
		}
		for _, t := range targets {
			if n.here() {
				b.Term = &ir.Goto{TermBase: ir.TermBase{Pos: b.Term.At()}, Targets: []*ir.Block{t}}
				return true
			}
		}
		return false
	})
}

// endBlock makes a block return that goes on.
func endBlock(p *ir.Program, k int) bool {
	n := places(k)
	return eachBlock(p, func(f *ir.Func, b *ir.Block) bool {
		if len(b.Succs()) == 0 || !n.here() {
			return false
		}
		b.Term = ret(f, b.Term.At())
		return true
	})
}

// dropBlock drops a block, which nothing may lead to; without the first one, a function
// begins with the next.
func dropBlock(p *ir.Program, k int) bool {
	for _, f := range p.Funcs {
		if k < len(f.Blocks) {
			return drop(&f.Blocks, k)
		}
		k -= len(f.Blocks)
	}
	return false
}

// mergeBlocks makes one block of two, where the first alone leads to the second and
// nowhere else.
func mergeBlocks(p *ir.Program, k int) bool {
	n := places(k)
	for _, f := range p.Funcs {
		preds := ir.Preds(f)
		for _, b := range f.Blocks {
			ss := b.Succs()
			if len(ss) != 1 || ss[0] == b || ss[0] == f.Blocks[0] || len(preds[ss[0]]) != 1 || !n.here() {
				continue
			}
			b.Instrs, b.Term = append(b.Instrs, ss[0].Instrs...), ss[0].Term
			f.Blocks = slices.DeleteFunc(f.Blocks, func(x *ir.Block) bool { return x == ss[0] })
			return true
		}
	}
	return false
}

// skipBlock makes what leads to an empty block lead to where that goes.
func skipBlock(p *ir.Program, k int) bool {
	n := places(k)
	for _, f := range p.Funcs {
		for i, b := range f.Blocks {
			ss := b.Succs()
			if i == 0 || len(b.Instrs) > 0 || len(ss) != 1 || ss[0] == b || !n.here() {
				continue
			}
			for _, x := range f.Blocks {
				x.Term = ir.MapTerm(x.Term, nil, func(t *ir.Block) *ir.Block {
					if t == b {
						return ss[0]
					}
					return t
				})
			}
			return drop(&f.Blocks, i)
		}
	}
	return false
}

// dropDst drops a result that need not be there.
func dropDst(p *ir.Program, k int) bool {
	n := places(k)
	return eachBlock(p, func(_ *ir.Func, b *ir.Block) bool {
		for i, in := range b.Instrs {
			for j := range ir.Defs(in) {
				if !n.here() {
					continue
				}
				b.Instrs[i] = ir.MapDefs(in, func(r *ir.Reg) *ir.Reg {
					if j--; j == -1 {
						return nil
					}
					return r
				})
				return true
			}
		}
		return false
	})
}

func dropGlobal(p *ir.Program, k int) bool { return drop(&p.Globals, k) }

func dropStruct(p *ir.Program, k int) bool { return drop(&p.Structs, k) }

func dropEntry(p *ir.Program, k int) bool { return drop(&p.Entries, k) }

// dropInit drops an initial value.
func dropInit(p *ir.Program, k int) bool {
	for _, g := range p.Globals {
		if k < len(g.Init) {
			return drop(&g.Init, k)
		}
		k -= len(g.Init)
	}
	return false
}

// dropReg drops a register, which nothing may use.
func dropReg(p *ir.Program, k int) bool {
	for _, f := range p.Funcs {
		if k < len(f.Regs) {
			return drop(&f.Regs, k)
		}
		k -= len(f.Regs)
	}
	return drop(&p.Ghosts, k)
}

// dropRest drops an assumption or an exclusion.
func dropRest(p *ir.Program, k int) bool {
	if k < len(p.Assumptions) {
		return drop(&p.Assumptions, k)
	}
	return drop(&p.Exclusions, k-len(p.Assumptions))
}

// simplify replaces an operand, or a part of it, by something simpler.
func simplify(p *ir.Program, k int) bool {
	n := places(k)
	// replacement returns the variant of e that is the place, or e.
	found := false
	replacement := func(e ir.Expr) ir.Expr {
		if found {
			return e
		}
		for _, v := range variants(e) {
			if n.here() {
				found = true
				return v
			}
		}
		return e
	}
	return eachBlock(p, func(_ *ir.Func, b *ir.Block) bool {
		for i, in := range b.Instrs {
			if out := ir.MapOperands(in, replacement); found {
				b.Instrs[i] = out
				return true
			}
		}
		if out := ir.MapTerm(b.Term, replacement, nil); found {
			b.Term = out
		}
		return found
	})
}

// variants lists the expressions that are e but for one node that is simpler.
func variants(e ir.Expr) []ir.Expr {
	var nodes []ir.Expr
	ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		nodes = append(nodes, x)
		return x
	})
	var out []ir.Expr
	for j := len(nodes) - 1; j >= 0; j-- { // the whole first
		for _, s := range simpler(nodes[j]) {
			i := 0
			out = append(out, ir.MapExpr(e, func(x ir.Expr) ir.Expr {
				if i++; i-1 == j {
					return s
				}
				return x
			}))
		}
	}
	return out
}

// simpler lists what an expression may be replaced by: constants, and its direct parts of
// the same type.
func simpler(e ir.Expr) []ir.Expr {
	var out []ir.Expr
	switch x := e.(type) {
	case ir.Const:
		if x.Val.Sign() != 0 {
			out = append(out, ir.IntConst(x.T, 0))
		}
		return out
	case ir.BoolConst, ir.Null, ir.OpaqueConst:
		return nil
	}
	if z := zero(e.Type()); z != nil {
		out = append(out, z)
	}
	switch t := e.Type().(type) {
	case ir.Int:
		out = append(out, ir.IntConst(t, 1))
	case ir.Bool:
		out = append(out, ir.BoolConst(true))
	}
	root := true
	ir.WalkExpr(e, func(x ir.Expr) bool {
		if root {
			root = false
			return true
		}
		if ir.Equal(x.Type(), e.Type()) || ir.IsPtr(x.Type()) && ir.IsPtr(e.Type()) {
			out = append(out, x)
		}
		return false
	})
	return out
}
