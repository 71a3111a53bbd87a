package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// builtin lowers a call of a builtin function.
func (x *fn) builtin(p *irgen.Call) irgen.Value {
	b := p.CC.Value.(*ssa.Builtin)
	args := p.Args
	typ := func(i int) types.Type { return p.CC.Args[i].Type() }
	switch b.Name() {
	case "len", "cap":
		if _, ok := typ(0).Underlying().(*types.Chan); ok && x.Exact {
			if b.Name() == "len" {
				x.Weak("the length of a channel")
			}
			return irgen.Value{x.ChanLength(p.CC.Args[0], b.Name() == "cap")}
		}
		return irgen.Value{x.lengthOf(typ(0), args[0], b.Name() == "cap")}
	case "append":
		return x.appendCall(typ(0), p)
	case "copy":
		return x.copyCall(p)
	case "delete", "clear":
		if _, ok := typ(0).Underlying().(*types.Map); ok && x.Exact {
			var k irgen.Value
			if b.Name() == "delete" {
				k = args[1]
			}
			x.DeleteExact(typ(0), args[0][0], k)
			return nil
		}
		x.remove(typ(0), args[0])
		return nil
	case "close":
		x.closeChan(p.CC.Args[0])
		return nil
	case "print", "println":
		return nil
	case "min", "max":
		return x.minMax(b.Name(), p)
	case "recover":
		if x.Exact {
			return x.recover()
		}
		return x.recovered()
	case "ssa:wrapnilchk":
		return args[0]
	case "ssa:deferstack":
		return x.arbitrary(b.Type().(*types.Signature).Results().At(0).Type())
	case "real", "imag", "complex":
		return x.arbitrary(p.CC.Signature().Results().At(0).Type())
	case "Add", "String", "Slice", "StringData", "SliceData", "Sizeof", "Offsetof", "Alignof":
		return x.unsafeCall(b.Name(), p)
	}
	x.Fail("the builtin %s", b.Name())
	return nil
}

func (x *fn) unsafeCall(name string, p *irgen.Call) irgen.Value {
	if x.Exact {
		x.Inexact()
	}
	x.p.Assume("unsafe", x.Pos, "unsafe.%s is followed as plain pointer arithmetic", name)
	t := p.CC.Signature().Results().At(0).Type()
	switch name {
	case "Add":
		return irgen.Value{x.Hold(ir.IndexAddr{Base: p.Args[0][0], Idx: irgen.Typed(p.Args[1][0], irgen.IntT), Stride: 1, T: ir.VPtr})}
	case "Slice":
		n := irgen.Typed(p.Args[1][0], irgen.IntT)
		return irgen.Value{irgen.Typed(p.Args[0][0], x.lay.Of(t).Leaves[0].T), n, n}
	case "SliceData":
		return irgen.Value{irgen.Typed(p.Args[0][0], x.lay.Of(t).Leaves[0].T)}
	}
	return x.arbitrary(t)
}

// lengthOf is len or cap.
func (x *fn) lengthOf(t types.Type, v irgen.Value, capacity bool) ir.Expr {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if capacity {
			return v[2]
		}
		return v[1]
	case *types.Array:
		return ir.IntConst(irgen.IntT, u.Len())
	case *types.Pointer:
		return ir.IntConst(irgen.IntT, u.Elem().Underlying().(*types.Array).Len())
	case *types.Map:
		n := x.Temp(irgen.IntT)
		x.Assign(n, ir.IntConst(irgen.IntT, 0))
		x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.Assign(n, x.ReadMap(v[0])) })
		return ir.Use{Reg: n}
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && x.Exact {
		return x.TextLen(v[0])
	}
	return x.length(nil) // of strings and channels
}

func (x *fn) appendCall(t types.Type, p *irgen.Call) irgen.Value {
	if len(p.Args) == 1 {
		return p.Args[0]
	}
	if _, ok := t.Underlying().(*types.Slice); !ok {
		return x.arbitrary(t)
	}
	if _, ok := p.CC.Args[1].Type().Underlying().(*types.Slice); !ok {
		if x.Exact {
			v := x.CopyOfText(p.Args[1][0], false)
			return x.appended(t, p.Args[0], v, x.Hold(v[1]))
		}
		return x.appended(t, p.Args[0], nil, x.length(nil)) // append([]byte, string...)
	}
	return x.appended(t, p.Args[0], p.Args[1], p.Args[1][1])
}

func (x *fn) copyCall(p *irgen.Call) irgen.Value {
	t, ok := p.CC.Args[0].Type().Underlying().(*types.Slice)
	if !ok {
		return irgen.Value{x.length(nil)}
	}
	dst := p.Args[0]
	bytes := func(n ir.Expr) ir.Expr {
		return irgen.Bin("mul", n, ir.IntConst(irgen.IntT, max(x.lay.Of(t.Elem()).Mem.Size(), 1)))
	}
	src := p.Args[1]
	if _, ok := p.CC.Args[1].Type().Underlying().(*types.Slice); !ok && x.Exact {
		src = x.CopyOfText(p.Args[1][0], false)
	} else if !ok {
		n := x.length(dst[1])
		x.When(irgen.Bin("gt", n, ir.IntConst(irgen.IntT, 0)), func() {
			x.Emit(&ir.Touch{Base: x.Base(), Addr: dst[0], Size: bytes(n), Write: true, Why: "copy of a string"})
		})
		return irgen.Value{n}
	}
	n := x.Hold(ir.Select{C: irgen.Bin("lt", dst[1], src[1]), X: dst[1], Y: src[1]})
	x.When(irgen.Bin("gt", n, ir.IntConst(irgen.IntT, 0)), func() { x.copyElements(dst[0], src[0], n, t.Elem()) })
	return irgen.Value{n}
}

// remove is delete of a map's element, or clear.
func (x *fn) remove(t types.Type, v irgen.Value) {
	switch u := t.Underlying().(type) {
	case *types.Map:
		x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.writeMap(v[0]) })
	case *types.Slice:
		n := irgen.Bin("mul", v[1], ir.IntConst(irgen.IntT, max(x.lay.Of(u.Elem()).Mem.Size(), 1)))
		x.When(irgen.Bin("gt", v[1], ir.IntConst(irgen.IntT, 0)), func() {
			x.Emit(&ir.MemSet{Base: x.Base(), Dst: v[0], Val: ir.IntConst(ir.U8, 0), Size: n, Order: ir.Plain})
		})
	}
}

func (x *fn) minMax(name string, p *irgen.Call) irgen.Value {
	t := p.CC.Args[0].Type()
	if !form.IsInt(t) {
		return x.arbitrary(t)
	}
	op := "lt"
	if name == "max" {
		op = "gt"
	}
	out := p.Args[0][0]
	for _, a := range p.Args[1:] {
		out = x.Hold(ir.Select{C: irgen.Bin(op, out, a[0]), X: out, Y: a[0]})
	}
	return irgen.Value{out}
}
