package irgen

import (
	"fmt"
	"go/types"

	"whoop/ir"
	"whoop/ir/build"
)

// Builder writes one function of the IR, with Go's values.
type Builder struct {
	*build.Writer
	Types *Layouts
}

// NewBuilder is a builder of a function that has no blocks yet.
func NewBuilder(f *ir.Func, types *Layouts) *Builder {
	return &Builder{Writer: &build.Writer{F: f, Used: map[string]int{}}, Types: types}
}

// Unsupported is the panic by which lowering a function gives up.
type Unsupported struct {
	At     ir.Pos
	Reason string
}

func (x *Builder) Fail(format string, args ...any) {
	panic(Unsupported{x.Pos, fmt.Sprintf(format, args...)})
}

// Zero is the zero value of a type.
func (x *Builder) Zero(t types.Type) Value {
	var out Value
	for _, lf := range x.Types.Of(t).Leaves {
		out = append(out, x.ZeroLeaf(lf))
	}
	return out
}

func (x *Builder) ZeroLeaf(lf Leaf) ir.Expr {
	switch t := lf.T.(type) {
	case ir.Int:
		return ir.IntConst(t, 0)
	case ir.Ptr:
		if lf.Blob == nil {
			return ir.Null{T: t}
		}
		r := x.Temp(t)
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: lf.Blob, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: "zero"})
		return ir.Use{Reg: r}
	}
	panic("a leaf is an integer or a pointer")
}

// Load reads a value from memory.
func (x *Builder) Load(t types.Type, addr ir.Expr, order ir.Order) Value {
	var out Value
	for _, lf := range x.Types.Of(t).Leaves {
		r := x.Temp(lf.T)
		if lf.Blob != nil {
			x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: lf.Blob, Count: ir.IntConst(ir.U64, 1), Kind: "heap"})
			x.Emit(&ir.MemCopy{Base: x.Base(), Dst: ir.Use{Reg: r}, Src: lf.Addr(addr), Size: ir.IntConst(ir.U64, lf.Blob.Size()), Elem: lf.Blob, Order: order})
		} else {
			x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: lf.Addr(addr), Order: order})
		}
		out = append(out, ir.Use{Reg: r})
	}
	return out
}

// Store writes a value to memory.
func (x *Builder) Store(t types.Type, addr ir.Expr, v Value, order ir.Order) {
	for i, lf := range x.Types.Of(t).Leaves {
		if lf.Blob != nil {
			x.Emit(&ir.MemCopy{Base: x.Base(), Dst: lf.Addr(addr), Src: v[i], Size: ir.IntConst(ir.U64, lf.Blob.Size()), Elem: lf.Blob, Order: order})
		} else {
			x.Emit(&ir.Store{Base: x.Base(), Addr: lf.Addr(addr), Val: Typed(v[i], lf.T), Order: order})
		}
	}
}

func (x *Builder) HoldAll(v Value) Value {
	out := make(Value, len(v))
	for i, e := range v {
		out[i] = x.Hold(e)
	}
	return out
}

// Zeroed are registers with the zero value of a type.
func (x *Builder) Zeroed(t types.Type) []*ir.Reg {
	var dst []*ir.Reg
	for i, z := range x.Zero(t) {
		dst = append(dst, x.Temp(x.Types.Of(t).Leaves[i].T))
		x.Assign(dst[i], z)
	}
	return dst
}

func (x *Builder) AssignAll(dst []*ir.Reg, v Value) {
	for i, e := range v {
		x.Assign(dst[i], e)
	}
}

func UseAll(rs []*ir.Reg) Value {
	var out Value
	for _, r := range rs {
		out = append(out, ir.Use{Reg: r})
	}
	return out
}

func Join(name, member string) string {
	if member == "" {
		return name
	}
	return name + "." + member
}
