package golang

import (
	"go/constant"
	"go/types"
	"math/big"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// layoutOf is the layout of a value's type.
func (l *lowering) layoutOf(v ssa.Value) *irgen.Layout { return l.lay.Of(v.Type()) }

// arbitrary is any value of a type. Pointers in it are null or to fresh objects: see
// fromOutside for others.
func (x *fn) arbitrary(t types.Type) irgen.Value {
	if x.Exact {
		return x.UnknownValue(t)
	}
	var out irgen.Value
	for _, lf := range x.lay.Of(t).Leaves {
		if ir.IsPtr(lf.T) {
			out = append(out, x.ZeroLeaf(lf))
		} else {
			out = append(out, x.havoc(lf.T))
		}
	}
	return out
}

func (x *fn) havoc(t ir.Type) ir.Expr {
	if !x.Unused {
		x.Inexact()
	}
	r := x.Temp(t)
	x.Emit(&ir.Havoc{Base: x.Base(), Dst: r})
	return ir.Use{Reg: r}
}

// Inexact notes that the program does more than the Go program here: what is proved of it
// holds, but what it may do wrong need not be possible. The first place is enough.
func (x *fn) Inexact() {
	if x.Exact {
		x.Cut(x.NotExact())
		return
	}
	if !x.approximate {
		x.approximate = true
		x.p.Assume("inexact", x.Pos, "from here on the analysis also follows what the Go program cannot do: its races need not be real")
	}
}

// constant is a Go constant.
func (x *fn) constant(c *ssa.Const) irgen.Value {
	if c.Value == nil {
		return x.Zero(c.Type())
	}
	lay := x.lay.Of(c.Type())
	if len(lay.Leaves) != 1 {
		return x.arbitrary(c.Type()) // a constant of a type parameter's type
	}
	t, ok := lay.Leaves[0].T.(ir.Int)
	if !ok {
		if i, exact := constant.Int64Val(constant.ToInt(c.Value)); exact {
			// uintptr constants as unsafe.Pointer
			return irgen.Value{ir.Cast{X: ir.IntConst(ir.U64, i), T: lay.Leaves[0].T}}
		}
		return x.arbitrary(c.Type())
	}
	switch b, _ := c.Type().Underlying().(*types.Basic); {
	case c.Value.Kind() == constant.Bool:
		return irgen.Value{irgen.BoolConst(constant.BoolVal(c.Value))}
	case b != nil && b.Info()&types.IsInteger != 0:
		v, ok := new(big.Int).SetString(constant.ToInt(c.Value).ExactString(), 10)
		if ok {
			return irgen.Value{ir.Const{T: t, Val: ir.Wrap(t, v)}}
		}
	}
	return irgen.Value{x.text(c.Value.ExactString())}
}
