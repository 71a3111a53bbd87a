package build

import (
	"fmt"
	"strconv"
	"strings"

	"whoop/ir"
)

// Writer writes one function of the IR.
type Writer struct {
	F     *ir.Func
	Cur   *ir.Block      // nil after a jump
	Pos   ir.Pos         // of what is emitted
	Used  map[string]int // names of registers
	count int            // of blocks
}

// New is a writer of a function that has blocks already: names of registers and blocks
// are different from those that are there.
func New(f *ir.Func) *Writer {
	x := &Writer{F: f, Used: map[string]int{}}
	for _, r := range f.Regs {
		x.used(r.Name)
	}
	for _, r := range f.Params {
		x.used(r.Name)
	}
	for _, b := range f.Blocks {
		n, _ := strconv.Atoi(b.Name[len(strings.TrimRight(b.Name, "0123456789")):])
		x.count = max(x.count, n)
	}
	return x
}

// used notes the name of a register, which may be one that Reg has made unique.
func (x *Writer) used(name string) {
	stem, number, _ := strings.Cut(name, "#")
	n, _ := strconv.Atoi(number)
	x.Used[stem] = max(x.Used[stem], n+1)
}

func (x *Writer) Base() ir.Base { return ir.Base{Pos: x.Pos} }

// Reg makes a register; names are made unique within the function.
func (x *Writer) Reg(name string, t ir.Type) *ir.Reg {
	n := x.Used[name]
	x.Used[name]++
	if n > 0 || name == "" {
		name = fmt.Sprintf("%s#%d", name, n)
	}
	r := &ir.Reg{Name: name, Type: t}
	x.F.Regs = append(x.F.Regs, r)
	return r
}

func (x *Writer) Temp(t ir.Type) *ir.Reg { return x.Reg("t", t) }

func (x *Writer) Block(name string) *ir.Block {
	x.count++
	return &ir.Block{Name: fmt.Sprintf("%s%d", name, x.count)}
}

// Start makes b the current block.
func (x *Writer) Start(b *ir.Block) {
	x.F.Blocks = append(x.F.Blocks, b)
	x.Cur = b
}

func (x *Writer) Emit(in ir.Instr) {
	if x.Cur != nil {
		x.Cur.Instrs = append(x.Cur.Instrs, in)
	}
}

func (x *Writer) Assign(r *ir.Reg, e ir.Expr) {
	x.Emit(&ir.Assign{Base: x.Base(), Dst: r, X: Typed(e, r.Type)})
}

func (x *Writer) End(t ir.Term) {
	if x.Cur != nil {
		x.Cur.Term = t
	}
	x.Cur = nil
}

func (x *Writer) Term() ir.TermBase { return ir.TermBase{Pos: x.Pos} }

func (x *Writer) Jump(to ...*ir.Block) { x.End(&ir.Goto{TermBase: x.Term(), Targets: to}) }

func (x *Writer) Branch(c ir.Expr, then, els *ir.Block) {
	x.End(&ir.Branch{TermBase: x.Term(), Cond: c, Then: then, Else: els})
}

func (x *Writer) Stop(kind string) { x.End(&ir.Stop{TermBase: x.Term(), Kind: kind}) }

// When runs then if c holds.
func (x *Writer) When(c ir.Expr, then func()) { x.Choose(c, then, nil) }

// Choose runs one of two pieces of code; c nil: an arbitrary one.
func (x *Writer) Choose(c ir.Expr, then, els func()) {
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
func (x *Writer) AnyOf(n int, run func(i int)) {
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

// Hold puts an expression into a register, so that it can be used after what it reads has
// changed.
func (x *Writer) Hold(e ir.Expr) ir.Expr {
	switch e.(type) {
	case ir.Use, ir.Const, ir.Null, ir.GlobalAddr, ir.FuncAddr:
		return e
	}
	r := x.Temp(e.Type())
	x.Emit(&ir.Assign{Base: x.Base(), Dst: r, X: e})
	return ir.Use{Reg: r}
}
