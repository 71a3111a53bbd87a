package explicit

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"whoop/ir"
)

// TestArithmetic: for each number that a symbol may stand for, one of the ways to
// evaluate an expression keeps that number and yields what the expression is then.
func TestArithmetic(t *testing.T) {
	for seed := range uint64(4000) {
		g := rand.New(rand.NewPCG(seed, 7))
		typ := []ir.Int{ir.I8, ir.U8, {Bits: 16, Signed: true}}[g.IntN(3)]
		reg := &ir.Reg{Name: "r", Type: typ}
		f := &ir.Func{Name: "f", Regs: []*ir.Reg{reg}, Result: ir.Void{}}
		f.Blocks = []*ir.Block{{Name: "b", Term: &ir.Return{}}}
		p := &program{prog: &ir.Program{}, byFn: map[*ir.Func]*fn{}}
		p.main = p.addFn(f)
		all, _ := limits(typ)
		s := span{lo: all.lo + int64(g.IntN(250)), m: []int64{0, 0, 2, 3}[g.IntN(4)]}
		s.hi = min(s.lo+int64(g.IntN(40)), all.hi)
		if s.m > 0 {
			s.r = int64(g.IntN(int(s.m)))
		}
		if s = s.tight(); s.lo > s.hi {
			continue
		}
		e := expression(g, reg, typ, 3)
		if g.IntN(2) == 0 {
			e = ir.Binary{Op: []string{"eq", "ne", "lt", "le", "gt", "ge"}[g.IntN(6)], X: e, Y: expression(g, reg, typ, 2)}
		}
		ways, ok := evaluate(p, reg, s, e)
		for n := s.lo; n <= s.hi && ok; n++ {
			if !s.has(n) {
				continue
			}
			want := concrete(e, n, typ)
			found := false
			for _, w := range ways {
				found = found || w.kept.has(n) && w.covers(n, want)
			}
			if !found {
				t.Fatalf("seed %d: %s with r = %d in %v is %d, not among %v", seed, show(e), n, s, want, ways)
			}
		}
	}
}

// A way is one in which an expression was evaluated: what is left of the symbol, and the
// value.
type way struct {
	kept, r span
	v       val
}

func (w way) covers(n, want int64) bool {
	switch {
	case w.v.kind == number:
		return w.v.n == want
	case w.v.kind == symbol && w.v.o == 0:
		return n+w.v.n == want
	case w.v.kind == symbol:
		return w.r.has(want)
	}
	return true
}

// evaluate evaluates in all ways; ok is false where the expression has no value for some
// numbers.
func evaluate(p *program, reg *ir.Reg, s span, e ir.Expr) (out []way, ok bool) {
	defer func() {
		if _, given := recover().(surprise); given {
			ok = false
		}
	}()
	for script := []int(nil); ; {
		x := p.newExec(&shared{}, &local{frames: []frame{{fn: p.main, regs: make([]val, 1)}}}, script)
		x.set(reg, x.symbol(s))
		func() {
			defer func() {
				if e := recover(); e != nil {
					if _, given := e.(dropped); !given {
						panic(e)
					}
				}
			}()
			v := x.eval(e)
			w := way{kept: x.spans[0], v: v}
			if v.kind == symbol {
				w.r, _ = x.span(v)
			}
			out = append(out, w)
		}()
		var more bool
		if script, more = x.next(); !more {
			return out, true
		}
	}
}

func expression(g *rand.Rand, reg *ir.Reg, t ir.Int, depth int) ir.Expr {
	if depth == 0 || g.IntN(4) == 0 {
		if g.IntN(3) > 0 {
			return ir.Use{Reg: reg}
		}
		return ir.IntConst(t, int64(g.IntN(12)-4))
	}
	switch g.IntN(5) {
	case 0:
		return ir.Cast{X: ir.Cast{X: expression(g, reg, t, depth-1), T: ir.I32}, T: t}
	case 1:
		return ir.Binary{Op: "rem", X: expression(g, reg, t, depth-1), Y: ir.IntConst(t, int64(1+g.IntN(9)))}
	}
	return ir.Binary{Op: []string{"add", "sub", "add", "mul", "and"}[g.IntN(5)], X: expression(g, reg, t, depth-1), Y: expression(g, reg, t, g.IntN(depth))}
}

// concrete is an expression's value where the register has a number, by arithmetic on
// integers of any size.
func concrete(e ir.Expr, n int64, t ir.Int) int64 {
	switch e := e.(type) {
	case ir.Use:
		return n
	case ir.Const:
		return e.Val.Int64()
	case ir.Cast:
		return ir.Wrap(e.T.(ir.Int), big.NewInt(concrete(e.X, n, t))).Int64()
	case ir.Binary:
		a, b := concrete(e.X, n, t), concrete(e.Y, n, t)
		if _, ok := e.Type().(ir.Bool); ok {
			c := map[string]bool{"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}
			return boolVal(c[e.Op]).n
		}
		r := map[string]int64{"add": a + b, "sub": a - b, "mul": a * b, "and": a & b}[e.Op]
		if e.Op == "rem" {
			r = a % b
		}
		return ir.Wrap(t, big.NewInt(r)).Int64()
	}
	return 0
}

func show(e ir.Expr) string { return fmt.Sprintf("%+v", e) }
