package irgen

import (
	"fmt"
	"go/types"

	"whoop/ir"
)

// Builder writes one function of the IR.
type Builder struct {
	F     *ir.Func
	Types *Layouts
	Cur   *ir.Block      // nil after a jump
	Pos   ir.Pos         // of what is emitted
	Used  map[string]int // names of registers
	count int            // of blocks
}

// Unsupported is the panic by which lowering a function gives up.
type Unsupported struct {
	At     ir.Pos
	Reason string
}

func (x *Builder) Base() ir.Base { return ir.Base{Pos: x.Pos} }

// Reg makes a register; names are made unique within the function.
func (x *Builder) Reg(name string, t ir.Type) *ir.Reg {
	n := x.Used[name]
	x.Used[name]++
	if n > 0 || name == "" {
		name = fmt.Sprintf("%s#%d", name, n)
	}
	r := &ir.Reg{Name: name, Type: t}
	x.F.Regs = append(x.F.Regs, r)
	return r
}

func (x *Builder) Temp(t ir.Type) *ir.Reg { return x.Reg("t", t) }

func (x *Builder) Block(name string) *ir.Block {
	x.count++
	return &ir.Block{Name: fmt.Sprintf("%s%d", name, x.count)}
}

// Start makes b the current block.
func (x *Builder) Start(b *ir.Block) {
	x.F.Blocks = append(x.F.Blocks, b)
	x.Cur = b
}

func (x *Builder) Emit(in ir.Instr) {
	if x.Cur != nil {
		x.Cur.Instrs = append(x.Cur.Instrs, in)
	}
}

func (x *Builder) Assign(r *ir.Reg, e ir.Expr) {
	x.Emit(&ir.Assign{Base: x.Base(), Dst: r, X: Typed(e, r.Type)})
}

func (x *Builder) End(t ir.Term) {
	if x.Cur != nil {
		x.Cur.Term = t
	}
	x.Cur = nil
}

func (x *Builder) Term() ir.TermBase { return ir.TermBase{Pos: x.Pos} }

func (x *Builder) Jump(to ...*ir.Block) { x.End(&ir.Goto{TermBase: x.Term(), Targets: to}) }

func (x *Builder) Branch(c ir.Expr, then, els *ir.Block) {
	x.End(&ir.Branch{TermBase: x.Term(), Cond: c, Then: then, Else: els})
}

func (x *Builder) Stop(kind string) { x.End(&ir.Stop{TermBase: x.Term(), Kind: kind}) }

func (x *Builder) Fail(format string, args ...any) {
	panic(Unsupported{x.Pos, fmt.Sprintf(format, args...)})
}

// When runs then if c holds.
func (x *Builder) When(c ir.Expr, then func()) { x.Choose(c, then, nil) }

// Choose runs one of two pieces of code; c nil: an arbitrary one.
func (x *Builder) Choose(c ir.Expr, then, els func()) {
	a, after := x.Block("then"), x.Block("after")
	b := after
	if els != nil {
		b = x.Block("else")
	}
	if c == nil {
		x.Jump(a, b)
	} else {
		x.Branch(c, a, b)
	}
	x.Start(a)
	then()
	x.Jump(after)
	if els != nil {
		x.Start(b)
		els()
		x.Jump(after)
	}
	x.Start(after)
}

// AnyOf runs one of n pieces of code, or none.
func (x *Builder) AnyOf(n int, run func(i int)) {
	after := x.Block("after")
	targets := []*ir.Block{after}
	for range n {
		targets = append(targets, x.Block("one"))
	}
	x.Jump(targets...)
	for i := range n {
		x.Start(targets[i+1])
		run(i)
		x.Jump(after)
	}
	x.Start(after)
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

// Hold puts an expression into a register, so that it can be used after what it reads has
// changed.
func (x *Builder) Hold(e ir.Expr) ir.Expr {
	switch e.(type) {
	case ir.Use, ir.Const, ir.Null, ir.GlobalAddr, ir.FuncAddr:
		return e
	}
	r := x.Temp(e.Type())
	x.Emit(&ir.Assign{Base: x.Base(), Dst: r, X: e})
	return ir.Use{Reg: r}
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
