package irgen

import (
	"go/types"

	"whoop/ir"
)

// at is the address of a thread's variable; part is the leaf of one that is an interface.
func ThreadVar(g *ir.Global) ir.Expr { return ir.GlobalAddr{Global: g} }

// Element is the address of an element.
func (x *Builder) Element(base ir.Expr, elem types.Type, idx ir.Expr) ir.Expr {
	lay := x.Types.Of(elem)
	return ir.IndexAddr{Base: base, Idx: idx, Stride: RoundUp(lay.Size, lay.Align), T: ir.Ptr{Elem: lay.Mem}}
}

// Member is the address of a member of a modelled type that a pointer leads to.
func (x *Builder) Member(p ir.Expr, t types.Type, i int) ir.Expr {
	s, ok := x.Types.Of(t).Mem.(*ir.Struct)
	if !ok {
		return p
	}
	if pt := p.Type().(ir.Ptr); !ir.Equal(pt.Elem, s) {
		p = ir.Cast{X: p, T: ir.Ptr{Elem: s}}
	}
	return ir.FieldAddr{Base: p, S: s, Index: i}
}

func (x *Builder) Read(g *ir.Global) ir.Expr {
	r := x.Temp(g.Type)
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: ThreadVar(g), Order: ir.Plain})
	return ir.Use{Reg: r}
}

func (x *Builder) Write(g *ir.Global, v ir.Expr) {
	x.Emit(&ir.Store{Base: x.Base(), Addr: ThreadVar(g), Val: Typed(v, g.Type), Order: ir.Plain})
}

func (x *Builder) WriteNum(g *ir.Global, n int64) { x.Write(g, ir.IntConst(g.Type.(ir.Int), n)) }

// ReadMap is the access of an operation that only reads the map; it returns the number of
// elements.
func (x *Builder) ReadMap(m ir.Expr) ir.Expr {
	r := x.Temp(IntT)
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: MapCount(m), Order: ir.Plain})
	return ir.Use{Reg: r}
}

// MakeObject makes a map or a channel.
func (x *Builder) MakeObject(t types.Type, name string) ir.Expr {
	pt := x.Types.Of(t).Leaves[0].T.(ir.Ptr)
	r := x.Reg("&"+name, pt)
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: pt.Elem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	return ir.Use{Reg: r}
}

// MapCount is the address of the part of a map that every operation accesses.
func MapCount(m ir.Expr) ir.Expr {
	return ir.FieldAddr{Base: m, S: m.Type().(ir.Ptr).Elem.(*ir.Struct), Index: 0}
}

// LockerField is the index of the field L of sync.Cond.
func LockerField(t types.Type) int {
	st := t.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if st.Field(i).Name() == "L" {
			return i
		}
	}
	return -1
}
