package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// builtin lowers a call of a builtin function.
func (x *fn) builtin(p *prepared) value {
	b := p.cc.Value.(*ssa.Builtin)
	args := p.args
	typ := func(i int) types.Type { return p.cc.Args[i].Type() }
	switch b.Name() {
	case "len", "cap":
		if _, ok := typ(0).Underlying().(*types.Chan); ok && x.Exact {
			if b.Name() == "len" {
				x.weak("the length of a channel")
			}
			return value{x.chanLength(p.cc.Args[0], b.Name() == "cap")}
		}
		return value{x.lengthOf(typ(0), args[0], b.Name() == "cap")}
	case "append":
		return x.appendCall(typ(0), p)
	case "copy":
		return x.copyCall(p)
	case "delete", "clear":
		if _, ok := typ(0).Underlying().(*types.Map); ok && x.Exact {
			var k value
			if b.Name() == "delete" {
				k = args[1]
			}
			x.deleteExact(typ(0), args[0][0], k)
			return nil
		}
		x.remove(typ(0), args[0])
		return nil
	case "close":
		if x.Exact {
			x.closeExact(p.cc.Args[0])
			return nil
		}
		x.closes(p.cc.Args[0])
		x.tokens.releasing(x, p.cc.Args[0])
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
		return x.arbitrary(p.cc.Signature().Results().At(0).Type())
	case "Add", "String", "Slice", "StringData", "SliceData", "Sizeof", "Offsetof", "Alignof":
		return x.unsafeCall(b.Name(), p)
	}
	x.fail("the builtin %s", b.Name())
	return nil
}

func (x *fn) unsafeCall(name string, p *prepared) value {
	if x.Exact {
		x.inexact()
	}
	x.p.Assume("unsafe", x.pos, "unsafe.%s is followed as plain pointer arithmetic", name)
	t := p.cc.Signature().Results().At(0).Type()
	switch name {
	case "Add":
		return value{x.hold(ir.IndexAddr{Base: p.args[0][0], Idx: typed(p.args[1][0], intT), Stride: 1, T: ir.VPtr})}
	case "Slice":
		n := typed(p.args[1][0], intT)
		return value{typed(p.args[0][0], x.lay.of(t).leaves[0].t), n, n}
	case "SliceData":
		return value{typed(p.args[0][0], x.lay.of(t).leaves[0].t)}
	}
	return x.arbitrary(t)
}

// lengthOf is len or cap.
func (x *fn) lengthOf(t types.Type, v value, capacity bool) ir.Expr {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if capacity {
			return v[2]
		}
		return v[1]
	case *types.Array:
		return ir.IntConst(intT, u.Len())
	case *types.Pointer:
		return ir.IntConst(intT, u.Elem().Underlying().(*types.Array).Len())
	case *types.Map:
		n := x.temp(intT)
		x.assign(n, ir.IntConst(intT, 0))
		x.when(not(isNil(v[0])), func() { x.assign(n, x.readMap(v[0])) })
		return ir.Use{Reg: n}
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && x.Exact {
		return x.textLen(v[0])
	}
	return x.length(nil) // of strings and channels
}

func (x *fn) appendCall(t types.Type, p *prepared) value {
	if len(p.args) == 1 {
		return p.args[0]
	}
	if _, ok := t.Underlying().(*types.Slice); !ok {
		return x.arbitrary(t)
	}
	if _, ok := p.cc.Args[1].Type().Underlying().(*types.Slice); !ok {
		if x.Exact {
			v := x.copyOfText(p.args[1][0], false)
			return x.appended(t, p.args[0], v, x.hold(v[1]))
		}
		return x.appended(t, p.args[0], nil, x.length(nil)) // append([]byte, string...)
	}
	return x.appended(t, p.args[0], p.args[1], p.args[1][1])
}

func (x *fn) copyCall(p *prepared) value {
	t, ok := p.cc.Args[0].Type().Underlying().(*types.Slice)
	if !ok {
		return value{x.length(nil)}
	}
	dst := p.args[0]
	bytes := func(n ir.Expr) ir.Expr {
		return bin("mul", n, ir.IntConst(intT, max(x.lay.of(t.Elem()).mem.Size(), 1)))
	}
	src := p.args[1]
	if _, ok := p.cc.Args[1].Type().Underlying().(*types.Slice); !ok && x.Exact {
		src = x.copyOfText(p.args[1][0], false)
	} else if !ok {
		n := x.length(dst[1])
		x.when(bin("gt", n, ir.IntConst(intT, 0)), func() {
			x.emit(&ir.Touch{Base: x.base(), Addr: dst[0], Size: bytes(n), Write: true, Why: "copy of a string"})
		})
		return value{n}
	}
	n := x.hold(ir.Select{C: bin("lt", dst[1], src[1]), X: dst[1], Y: src[1]})
	x.when(bin("gt", n, ir.IntConst(intT, 0)), func() { x.copyElements(dst[0], src[0], n, t.Elem()) })
	return value{n}
}

// remove is delete of a map's element, or clear.
func (x *fn) remove(t types.Type, v value) {
	switch u := t.Underlying().(type) {
	case *types.Map:
		x.when(not(isNil(v[0])), func() { x.writeMap(v[0]) })
	case *types.Slice:
		n := bin("mul", v[1], ir.IntConst(intT, max(x.lay.of(u.Elem()).mem.Size(), 1)))
		x.when(bin("gt", v[1], ir.IntConst(intT, 0)), func() {
			x.emit(&ir.MemSet{Base: x.base(), Dst: v[0], Val: ir.IntConst(ir.U8, 0), Size: n, Order: ir.Plain})
		})
	}
}

func (x *fn) minMax(name string, p *prepared) value {
	t := p.cc.Args[0].Type()
	if !form.IsInt(t) {
		return x.arbitrary(t)
	}
	op := "lt"
	if name == "max" {
		op = "gt"
	}
	out := p.args[0][0]
	for _, a := range p.args[1:] {
		out = x.hold(ir.Select{C: bin(op, out, a[0]), X: out, Y: a[0]})
	}
	return value{out}
}
