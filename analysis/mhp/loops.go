package mhp

import (
	"whoop/ir"
)

// counted is a loop "for (i = Start; Cond(i); i += Step)": the head tests Cond, every
// iteration changes the counter once.
type counted struct {
	fn      *ir.Func
	loop    *ir.Loop
	counter *ir.Reg
	inc     ir.Instr // the change of the counter
	incAt   *ir.Block
	exit    *ir.Block // where the head goes when Cond fails
	start   ir.Const
	step    int64
	op      string // Cond is "op(X, Y)", X over the counter alone
	cond    string // printed, with "$" for the counter
	bound   ir.Expr
	// fixed: the bound keeps its value from the loop's start on, in this invocation of
	// the function.
	fixed bool
}

// findCounted returns the counted loops of f by their heads.
func (w *world) findCounted(f *ir.Func) map[*ir.Block]*counted {
	out := map[*ir.Block]*counted{}
	g := w.cg.cfg(f)
	for _, l := range w.loops[f] {
		if c := w.counted(f, g, l); c != nil {
			out[l.Head] = c
		}
	}
	return out
}

func (w *world) counted(f *ir.Func, g *ir.CFG, l *ir.Loop) *counted {
	br, ok := l.Head.Term.(*ir.Branch)
	if !ok || l.Contains(br.Then) == l.Contains(br.Else) {
		return nil
	}
	cond := simplify(w.steadyLoads(l.Head, w.expand(l.Head, len(l.Head.Instrs), br.Cond)))
	c := &counted{fn: f, loop: l, exit: br.Else}
	if l.Contains(br.Else) {
		cond, c.exit = simplify(ir.Unary{Op: "lnot", X: cond}), br.Then
	}
	cmp, ok := cond.(ir.Binary)
	if !ok {
		return nil
	}
	c.counter = counterOf(cmp.X)
	if c.counter == nil {
		if c.counter = counterOf(cmp.Y); c.counter == nil {
			return nil
		}
		cmp.X, cmp.Y, cmp.Op = cmp.Y, cmp.X, mirror(cmp.Op)
	}
	c.bound, c.op = cmp.Y, cmp.Op
	if !w.increment(g, c) || !w.starts(g, c) || !c.proceeds() {
		return nil
	}
	cmp.X, cmp.Y = narrowed(cmp.X), narrowed(cmp.Y)
	c.cond = ir.ExprString(ir.MapExpr(cmp, func(e ir.Expr) ir.Expr {
		if u, ok := e.(ir.Use); ok && u.Reg == c.counter {
			return ir.OpaqueConst{T: ir.I64, Text: "$"}
		}
		return e
	}))
	c.fixed = w.boundFixed(g, c)
	return c
}

// simplify undoes what C's conversions do to conditions: (int)(a < b) != 0 and the like,
// and pushes negations down.
func simplify(e ir.Expr) ir.Expr {
	switch x := e.(type) {
	case ir.Cast:
		if ir.Equal(x.T, ir.Bool{}) {
			if ir.Equal(x.X.Type(), ir.Bool{}) {
				return simplify(x.X)
			}
			if c, ok := x.X.(ir.Cast); ok && ir.Equal(c.X.Type(), ir.Bool{}) {
				return simplify(c.X)
			}
		}
	case ir.Unary:
		if x.Op == "lnot" {
			return negate(simplify(x.X))
		}
	case ir.Binary:
		c, ok := x.X.(ir.Cast)
		k, ok2 := x.Y.(ir.Const)
		if ok && ok2 && k.Val.Sign() == 0 && ir.Equal(c.X.Type(), ir.Bool{}) {
			switch x.Op {
			case "ne":
				return simplify(c.X)
			case "eq":
				return negate(simplify(c.X))
			}
		}
	}
	return e
}

func negate(e ir.Expr) ir.Expr {
	if b, ok := e.(ir.Binary); ok {
		if op := map[string]string{"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}[b.Op]; op != "" {
			return ir.Binary{Op: op, X: b.X, Y: b.Y}
		}
	}
	return ir.Unary{Op: "lnot", X: e}
}

// mirror is the comparison with its sides exchanged.
func mirror(op string) string {
	if m := map[string]string{"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}[op]; m != "" {
		return m
	}
	return op
}

// counterOf returns the register of "i" or "(wider)i".
func counterOf(e ir.Expr) *ir.Reg {
	for {
		switch x := e.(type) {
		case ir.Use:
			return x.Reg
		case ir.Cast:
			if !widens(x) {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// increment finds the counter's only change in the loop, in every iteration: i := i ±
// constant.
func (w *world) increment(g *ir.CFG, c *counted) bool {
	for _, b := range c.loop.Blocks {
		for i, in := range b.Instrs {
			for _, d := range ir.Defs(in) {
				if d != c.counter {
					continue
				}
				a, ok := in.(*ir.Assign)
				if !ok || c.inc != nil {
					return false
				}
				c.inc, c.incAt = in, b
				if c.step, ok = stepOf(w.expand(b, i, a.X), c.counter); !ok {
					return false
				}
			}
		}
	}
	return c.inc != nil && w.everyIteration(g, c.loop, c.incAt)
}

// stepOf reads "i + k".
func stepOf(e ir.Expr, counter *ir.Reg) (int64, bool) {
	b, ok := e.(ir.Binary)
	if !ok || b.Op != "add" && b.Op != "sub" {
		return 0, false
	}
	u, ok := b.X.(ir.Use)
	k, ok2 := b.Y.(ir.Const)
	if !ok || !ok2 || u.Reg != counter || !k.Val.IsInt64() {
		return 0, false
	}
	if b.Op == "sub" {
		return -k.Val.Int64(), true
	}
	return k.Val.Int64(), true
}

// proceeds reports whether the counter takes every value from the start to the end once:
// steps of one towards the bound.
func (c *counted) proceeds() bool {
	t, ok := c.counter.Type.(ir.Int)
	if !ok {
		return false
	}
	switch c.op {
	case "lt":
		return c.step == 1
	case "gt":
		return c.step == -1
	case "ne":
		return c.step == 1 || c.step == -1
	case "le":
		return c.step == 1 && t.Signed
	case "ge":
		return c.step == -1 && t.Signed
	}
	return false
}

// everyIteration reports whether b runs in every iteration that is completed, and is in
// no inner loop.
func (w *world) everyIteration(g *ir.CFG, l *ir.Loop, b *ir.Block) bool {
	if w.innermost(g.Func, b) != l {
		return false
	}
	for _, latch := range l.Back {
		if !g.Dominates(b, latch) {
			return false
		}
	}
	return true
}

func (w *world) innermost(f *ir.Func, b *ir.Block) *ir.Loop {
	var in *ir.Loop
	for _, l := range w.loops[f] {
		if l.Contains(b) && (in == nil || len(l.Blocks) < len(in.Blocks)) {
			in = l
		}
	}
	return in
}

// starts finds the constant that the counter has when the loop is entered.
func (w *world) starts(g *ir.CFG, c *counted) bool {
	var entry *ir.Block
	for _, p := range g.Preds[c.loop.Head] {
		if c.loop.Contains(p) || !g.Reachable(p) {
			continue
		}
		if entry != nil {
			return false
		}
		entry = p
	}
	seen := map[*ir.Block]bool{}
	for b := entry; b != nil && !seen[b]; {
		seen[b] = true
		if in, i := lastDef(b, len(b.Instrs), c.counter); in != nil {
			a, ok := in.(*ir.Assign)
			if !ok {
				return false
			}
			c.start, ok = fold(w.expand(b, i, a.X)).(ir.Const)
			return ok
		}
		var only *ir.Block
		for _, p := range g.Preds[b] {
			if only != nil {
				return false
			}
			only = p
		}
		b = only
	}
	return false
}

// fold evaluates casts of constants.
func fold(e ir.Expr) ir.Expr {
	return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		if c, ok := x.(ir.Cast); ok {
			k, ok := c.X.(ir.Const)
			t, ok2 := c.T.(ir.Int)
			if ok && ok2 {
				return ir.Const{T: t, Val: ir.Wrap(t, k.Val)}
			}
		}
		return x
	})
}

// boundFixed reports whether nothing that the bound reads can change once the loop is
// entered.
func (w *world) boundFixed(g *ir.CFG, c *counted) bool {
	after := reachableFrom(c.loop.Head, nil)
	ok := true
	ir.WalkExpr(c.bound, func(e ir.Expr) bool {
		u, isUse := e.(ir.Use)
		if !isUse {
			return ok
		}
		if u.Reg.Ghost || u.Reg == c.counter {
			ok = false
		}
		for _, d := range w.defs[u.Reg] {
			if after[w.cg.blockOf(d)] {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// reachableFrom returns the blocks that b leads to, b included, not going through stop.
func reachableFrom(b, stop *ir.Block) map[*ir.Block]bool {
	seen := map[*ir.Block]bool{b: true}
	work := []*ir.Block{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range x.Succs() {
			if s != stop && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// beforeInc reports whether instruction at of block b sees the counter as the head tested
// it.
func (c *counted) beforeInc(b *ir.Block, at int) bool {
	if b == c.incAt {
		for i, in := range b.Instrs {
			if in == c.inc {
				return at <= i
			}
		}
	}
	for _, s := range c.incAt.Succs() {
		if s != c.loop.Head && reachableFrom(s, c.loop.Head)[b] {
			return false
		}
	}
	return true
}

// span returns the counter's values [lo, hi] where they are known numbers.
func (c *counted) span() (lo, hi int64, ok bool) {
	k, isConst := fold(c.bound).(ir.Const)
	if !isConst || !k.Val.IsInt64() || !c.start.Val.IsInt64() {
		return 0, 0, false
	}
	s, e := c.start.Val.Int64(), k.Val.Int64()
	switch {
	case c.op == "lt" || c.op == "ne" && c.step == 1 && s <= e:
		return s, e - 1, true
	case c.op == "le":
		return s, e, true
	case c.op == "gt" || c.op == "ne" && c.step == -1 && s >= e:
		return e + 1, s, true
	case c.op == "ge":
		return e, s, true
	}
	return 0, 0, false
}

// covers reports whether d's counter takes all values that c's takes.
func (d *counted) covers(c *counted) bool {
	lo, hi, ok := c.span()
	lo2, hi2, ok2 := d.span()
	if ok && ok2 {
		return lo2 <= lo && hi <= hi2
	}
	return c.fn == d.fn && c.fixed && c.cond == d.cond && c.step == d.step && c.start.Val.Cmp(d.start.Val) == 0
}

// narrowed is e without the outer conversions that keep the value: then "i < n" is one
// condition for counters of any type.
func narrowed(e ir.Expr) ir.Expr {
	for {
		c, ok := e.(ir.Cast)
		if !ok {
			return e
		}
		to, ok := c.T.(ir.Int)
		from, ok2 := c.X.Type().(ir.Int)
		if !ok || !ok2 || to.Bits < from.Bits || to.Signed != from.Signed && (from.Signed || to.Bits == from.Bits) {
			return e
		}
		e = c.X
	}
}
