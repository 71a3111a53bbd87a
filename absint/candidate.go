package absint

import (
	"math/big"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

// A candidate is a fact about a thread at a point, or (pair) about two threads at two points: x op y, where y may be a constant. Or
// another variable (a flag) is not 0, where unless is not nil.
type candidate struct {
	op     string // eq ne lt le, next (x is y + 1), ge of signed numbers; true false for Booleans
	x, y   slot
	num    uint64
	isNum  bool
	unless *slot
}

// term is the candidate over the values of its slots; second is whether the slot is that of the second thread.
func (iv *invariants) term(c candidate, val func(s slot, second bool) *bv.Term, pair bool) *bv.Term {
	b := iv.b
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
		y = val(c.y, pair)
	}
	var t *bv.Term
	switch {
	case c.op == "eq":
		t = b.Eq(x, y)
	case c.op == "ne":
		t = b.Not(b.Eq(x, y))
	case c.op == "next":
		t = b.Eq(x, b.Add(y, b.Num(y.Width, 1)))
	case c.op == "ge":
		t = b.SLe(y, x)
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
			if x.local() == y.local() {
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

// constants are the numbers that the program compares with, or stores.
func (iv *invariants) constants() {
	count := map[uint64]int{0: 1 << 20, 1: 1 << 20}
	see := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if _, ok := e.(ir.IndexAddr); ok {
				return false
			}
			if c, ok := e.(ir.Const); ok && c.T.Bits <= 64 && c.T.Bits > 1 {
				count[low(c.Val)]++
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
