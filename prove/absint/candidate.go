package absint

import (
	"math/big"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// A candidate is a fact about a thread at a point, or (pair) about two threads at two
// points: x op y, where y may be a constant. Or another variable (a flag) is not 0, where
// unless is not nil. Where given is not nil, all that is said only of when that is true.
type candidate struct {
	// eq ne lt le, next (x is y + 1), ge and almost (x is y + 1 at most) of signed
	// numbers; gap (x + num is y at most), apart (they differ by num at least); true
	// false for Booleans
	op     string
	x, y   slot
	num    uint64
	isNum  bool
	unless *slot
	given  *slot
	id     int // of those of its point
}

// implies reports whether a candidate says all that another one does, as far as that is
// seen at a glance.
func (c candidate) implies(d candidate) bool {
	if c.op == "gap" || d.op == "gap" {
		return false
	}
	if c.x != d.x && !(c.op == "eq" && !c.isNum && !d.isNum && c.y == d.x && c.x == d.y) {
		return c.op == "lt" && d.op == "ne" && c.x == d.y && c.y == d.x && c.unless == nil && d.unless == nil && c.given == d.given && !c.isNum && !d.isNum
	}
	if c.given != d.given && c.given != nil || c.unless != d.unless && c.unless != nil {
		return false
	}
	weaker := c.given != d.given || c.unless != d.unless
	if c.isNum != d.isNum || !c.isNum && c.x == d.x && c.y != d.y {
		return false
	}
	if !c.isNum {
		switch c.op {
		case "eq":
			return d.op == "le" || d.op == "ge" || weaker && d.op == "eq"
		case "next":
			return c.x == d.x && (d.op == "almost" && c.x.signed || weaker && d.op == "next")
		case "lt":
			return c.x == d.x && (d.op == "le" || d.op == "ne" || weaker && d.op == "lt")
		}
		return weaker && c.op == d.op
	}
	a, b := int64(c.num<<(64-max(c.x.width, 1))), int64(d.num<<(64-max(d.x.width, 1)))
	below := a <= b
	if !c.x.signed {
		below = uint64(a) <= uint64(b)
	}
	switch {
	case c.op == d.op && c.num == d.num:
		return weaker
	case c.op == "eq" && d.op == "ne":
		return c.num != d.num
	case c.op == "eq" && d.op == "le", c.op == "le" && d.op == "le":
		return below
	case c.op == "eq" && d.op == "ge", c.op == "ge" && d.op == "ge":
		return a >= b
	}
	return false
}

// number gives the candidates of a point numbers, and finds which ones imply others. A
// candidate that another one implies is not asked about.
func (p *point) number() {
	p.by = make([][]int, len(p.inv))
	of := map[slot][]int{}
	for i := range p.inv {
		p.inv[i].id = i
		of[p.inv[i].x] = append(of[p.inv[i].x], i)
	}
	for i, d := range p.inv {
		for _, list := range [][]int{of[d.x], of[d.y]} {
			for _, j := range list {
				if c := p.inv[j]; i != j && c.implies(d) && (j < i || !d.implies(c)) && !slices.Contains(p.by[i], j) {
					p.by[i] = append(p.by[i], j)
				}
			}
		}
	}
}

// term is the candidate over the values of its slots; second is whether the slot is that
// of the second thread.
func (iv *invariants) term(c candidate, val func(s slot, second bool) *bv.Term, pair bool) *bv.Term {
	b := iv.b
	if c.given != nil {
		g := val(*c.given, false)
		c.given = nil
		return b.Or(iv.term(c, val, pair), b.Not(g))
	}
	x := val(c.x, false)
	switch c.op {
	case "true":
		return x
	case "false":
		return b.Not(x)
	}
	var y *bv.Term
	if c.isNum {
		y = b.Num(c.x.width, c.num)
	} else {
		if y = val(c.y, pair); y.Width < x.Width { // the number of threads that x is
			y = iv.widened(c.y, y)
		}
	}
	var t *bv.Term
	switch {
	case c.op == "eq":
		t = b.Eq(x, y)
	case c.op == "ne":
		t = b.Not(b.Eq(x, y))
	case c.op == "next":
		t = b.Eq(x, b.Add(y, b.Num(y.Width, 1)))
	case c.op == "almost":
		t = b.SLe(x, b.Add(y, b.Num(y.Width, 1)))
	case c.op == "ge":
		t = b.SLe(y, x)
	case c.op == "gap":
		t = iv.atMost(c.x, b.Add(x, b.Num(x.Width, c.num)), y)
	case c.op == "apart":
		d := b.Num(x.Width, c.num)
		t = b.Or(iv.atMost(c.x, b.Add(x, d), y), iv.atMost(c.x, b.Add(y, d), x))
	case c.op == "lt" && c.x.signed:
		t = b.SLt(x, y)
	case c.op == "lt":
		t = b.ULt(x, y)
	case c.x.signed:
		t = b.SLe(x, y)
	default:
		t = b.ULe(x, y)
	}
	if c.unless != nil {
		f := val(*c.unless, false)
		t = b.Or(t, b.Not(b.Eq(f, b.Num(f.Width, 0))))
	}
	return t
}

// atMost compares values of a slot's type.
func (iv *invariants) atMost(s slot, x, y *bv.Term) *bv.Term {
	if s.signed {
		return iv.b.SLe(x, y)
	}
	return iv.b.ULe(x, y)
}

// widened is a variable's value in the width of numbers of threads.
func (iv *invariants) widened(s slot, v *bv.Term) *bv.Term {
	if s.signed {
		return iv.b.SExt(v, countBits)
	}
	return iv.b.ZExt(v, countBits)
}

// guess makes the candidates of a point.
func (iv *invariants) guess(p *point) {
	vars := slices.Concat(p.slots, iv.sharedSlots)
	for i, x := range vars {
		if x.width == 0 {
			p.inv = append(p.inv, candidate{op: "true", x: x}, candidate{op: "false", x: x})
			continue
		}
		if x.kind == regSlot && ir.IsPtr(x.reg.Type) {
			p.inv = append(p.inv, candidate{op: "eq", x: x, isNum: true}, candidate{op: "ne", x: x, isNum: true})
			continue
		}
		for _, n := range iv.nums {
			num := n & (^uint64(0) >> (64 - x.width))
			p.inv = append(p.inv, candidate{op: "eq", x: x, num: num, isNum: true}, candidate{op: "ne", x: x, num: num, isNum: true})
		}
		for _, n := range iv.nums {
			if iv.small[x] {
				break
			}
			num := n & (^uint64(0) >> (64 - x.width))
			if x.signed || num != 0 && num != ^uint64(0)>>(64-x.width) {
				p.inv = append(p.inv, candidate{op: "le", x: x, num: num, isNum: true})
			}
		}
		for _, n := range iv.tops {
			if num := n & (^uint64(0) >> (64 - x.width)); !iv.small[x] && int64(n) > 0 && num == n {
				p.inv = append(p.inv, candidate{op: "le", x: x, num: num, isNum: true})
			}
		}
		if x.signed && !iv.small[x] {
			p.inv = append(p.inv, candidate{op: "ge", x: x, isNum: true}, candidate{op: "ge", x: x, num: 1, isNum: true})
		}
		for _, y := range vars[i+1:] {
			if y.kind == regSlot && ir.IsPtr(y.reg.Type) || y.width != x.width || y.kind == sharedSlot && x.kind == sharedSlot && iv.small[x] != iv.small[y] {
				continue
			}
			p.inv = append(p.inv, candidate{op: "eq", x: x, y: y}, candidate{op: "ne", x: x, y: y})
			if iv.small[x] || iv.small[y] {
				continue
			}
			var orders []candidate
			for _, op := range []string{"lt", "le"} {
				orders = append(orders, candidate{op: op, x: x, y: y}, candidate{op: op, x: y, y: x})
			}
			p.inv = append(p.inv, orders...)
			if x.kind == regSlot || y.kind == regSlot {
				p.inv = append(p.inv, candidate{op: "next", x: x, y: y}, candidate{op: "next", x: y, y: x})
			}
			for _, d := range iv.strides {
				if x.local() {
					p.inv = append(p.inv, candidate{op: "gap", x: x, y: y, num: d})
				}
				if y.local() {
					p.inv = append(p.inv, candidate{op: "gap", x: y, y: x, num: d})
				}
			}
			if x.local() == y.local() {
				continue
			}
			// one of the two has been raised, the other is about to be
			if x.signed && y.signed && y.kind == sharedSlot {
				p.inv = append(p.inv, candidate{op: "almost", x: x, y: y}, candidate{op: "almost", x: y, y: x})
			}
			if iv.racy != nil {
				continue
			}
			for k := range iv.flags {
				f := &iv.flags[k]
				if *f == x || *f == y {
					continue
				}
				for _, o := range orders[:2] {
					o.unless = f
					p.inv = append(p.inv, o)
				}
			}
		}
	}
}

// guessLater adds, of threads that are not started yet, what may only hold once they may
// be: main makes it true before that.
func (iv *invariants) guessLater(p *point) {
	if p.block != nil || p.thread.main {
		return
	}
	flag := slot{kind: startedSlot, flag: p.thread}
	for _, c := range slices.Clone(p.inv) {
		if c.x.kind != startedSlot && c.x.kind != takenSlot {
			c.given = &flag
			p.inv = append(p.inv, c)
		}
	}
}

// maxStrides bounds the strides that are guessed.
const maxStrides = 2

// findStrides finds the numbers that the program adds, besides one: the least ones.
func (iv *invariants) findStrides() {
	found := map[uint64]bool{}
	for _, t := range iv.a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Assign, *ir.Store:
				case *ir.RMW:
					if c, ok := in.Val.(ir.Const); ok && in.Op == "add" && c.T.Bits <= 64 {
						found[irterm.Low(c.Val)] = true
					}
					continue
				default:
					continue
				}
				for _, e := range ir.Operands(in) {
					ir.WalkExpr(e, func(e ir.Expr) bool {
						if s, ok := e.(ir.Binary); ok && s.Op == "add" {
							if c, ok := s.Y.(ir.Const); ok && c.T.Bits <= 64 {
								found[irterm.Low(c.Val)] = true
							}
						}
						return true
					})
				}
			}
		}
	}
	for d := uint64(2); d <= 16 && len(iv.strides) < maxStrides; d++ {
		if found[d] {
			iv.strides = append(iv.strides, d)
		}
	}
}

// maxTops bounds the numbers that findTops finds.
const maxTops = 6

// findTops finds what numbers that are drawn are at most, where x + a is compared with a
// constant before x grows by a stride: as far as the comparison lets them get, and one
// stride further.
func (iv *invariants) findTops() {
	add := func(n uint64) {
		if len(iv.tops) < maxTops && !slices.Contains(iv.tops, n) && !slices.Contains(iv.nums, n) {
			iv.tops = append(iv.tops, n)
		}
	}
	see := func(e ir.Expr) bool {
		c, ok := e.(ir.Binary)
		if !ok {
			return true
		}
		switch c.Op {
		case "lt", "le", "gt", "ge":
		default:
			return true
		}
		k, ok := c.Y.(ir.Const)
		if !ok || k.T.Bits > 64 {
			return true
		}
		limit := int64(irterm.Low(k.Val)) - offset(c.X)
		if limit <= 0 {
			return true
		}
		for _, d := range slices.Concat([]uint64{0, 1}, iv.strides) {
			add(uint64(limit) + d)
		}
		return true
	}
	for _, t := range iv.a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assume); ok {
					ir.WalkExpr(a.Cond, see)
				}
			}
			if br, ok := b.Term.(*ir.Branch); ok {
				ir.WalkExpr(br.Cond, see)
			}
		}
	}
}

// offset is the constant that an expression adds to what it is about.
func offset(e ir.Expr) int64 {
	s, ok := e.(ir.Binary)
	if !ok {
		return 0
	}
	c, ok := s.Y.(ir.Const)
	switch {
	case !ok || c.T.Bits > 64:
		return 0
	case s.Op == "add":
		return offset(s.X) + int64(irterm.Low(c.Val))
	case s.Op == "sub":
		return offset(s.X) - int64(irterm.Low(c.Val))
	}
	return 0
}

// constants are the numbers that the program compares with, or stores.
func (iv *invariants) constants() {
	count := map[uint64]int{0: 1 << 20, 1: 1 << 20}
	see := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if _, ok := e.(ir.IndexAddr); ok {
				return false
			}
			if c, ok := e.(ir.Const); ok && c.T.Bits <= 64 && c.T.Bits > 1 {
				count[irterm.Low(c.Val)]++
			}
			return true
		})
	}
	for _, t := range iv.a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				switch in.(type) {
				case *ir.Alloc, *ir.Spawn, *ir.Call:
					continue
				}
				for _, e := range ir.Operands(in) {
					see(e)
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				see(e)
			}
		}
	}
	for n := range count {
		iv.nums = append(iv.nums, n)
	}
	slices.SortFunc(iv.nums, func(x, y uint64) int {
		if count[x] != count[y] {
			return count[y] - count[x]
		}
		return new(big.Int).SetUint64(x).Cmp(new(big.Int).SetUint64(y))
	})
	if len(iv.nums) > maxNums {
		iv.nums = iv.nums[:maxNums]
	}
}
