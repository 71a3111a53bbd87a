package seqz

import (
	"fmt"

	"whoop/ir"
)

// body is the state of building one procedure's body.
type body struct {
	u     *unfolder
	p     *Proc
	out   *ir.Func
	count int
}

// unfold fills p.Body.
func (u *unfolder) unfold(p *Proc) {
	b := &body{u: u, p: p, out: &ir.Func{Name: p.Source.Name, Result: p.Source.Result, Pos: p.Source.Pos, Variadic: p.Source.Variadic}}
	regs := map[*ir.Reg]*ir.Reg{}
	for _, r := range p.Source.Params {
		n := &ir.Reg{Name: r.Name, Type: r.Type, Pos: r.Pos}
		regs[r] = n
		b.out.Params = append(b.out.Params, n)
	}
	b.copyFunc(p.Source, regs, p.Chain, nil, nil)
	p.Body = b.out
}

// copyFunc copies f's blocks into the body; returns go to cont after assigning dst (both
// nil in the root, where they stay returns). It returns the copy of f's entry block.
func (b *body) copyFunc(f *ir.Func, regs map[*ir.Reg]*ir.Reg, chain []Frame, cont *ir.Block, dst *ir.Reg) *ir.Block {
	b.u.note(f)
	c := &copier{body: b, f: f, regs: regs, chain: chain, cont: cont, dst: dst, blocks: map[*ir.Block]*ir.Block{}}
	b.count++
	c.serial = b.count
	for _, blk := range f.Blocks {
		c.blocks[blk] = c.newBlock(blk.Name)
	}
	for _, blk := range f.Blocks {
		c.block(blk)
	}
	return c.blocks[f.Blocks[0]]
}

// copier copies one instance of a function.
type copier struct {
	*body
	f      *ir.Func
	regs   map[*ir.Reg]*ir.Reg
	blocks map[*ir.Block]*ir.Block
	chain  []Frame
	cont   *ir.Block
	dst    *ir.Reg
	serial int
	cur    *ir.Block
}

func (c *copier) newBlock(name string) *ir.Block {
	blk := &ir.Block{Name: fmt.Sprintf("%s.%d.%d", name, c.serial, len(c.out.Blocks))}
	c.out.Blocks = append(c.out.Blocks, blk)
	return blk
}

func (c *copier) reg(r *ir.Reg) *ir.Reg {
	if r == nil || r.Ghost {
		return r
	}
	n := c.regs[r]
	if n == nil {
		n = &ir.Reg{Name: fmt.Sprintf("%s.%d", r.Name, c.serial), Type: r.Type, Pos: r.Pos}
		c.regs[r] = n
		c.out.Regs = append(c.out.Regs, n)
	}
	return n
}

func (c *copier) expr(e ir.Expr) ir.Expr {
	if e == nil {
		return nil
	}
	return ir.MapExpr(e, func(e ir.Expr) ir.Expr {
		if u, ok := e.(ir.Use); ok {
			return ir.Use{Reg: c.reg(u.Reg)}
		}
		return e
	})
}

// emit appends an instruction that stands for orig.
func (c *copier) emit(in, orig ir.Instr) {
	c.cur.Instrs = append(c.cur.Instrs, in)
	c.u.seq.Origin[in] = Origin{Instr: orig, Func: c.f, Calls: c.chain}
}

func (c *copier) copyInstr(in ir.Instr) ir.Instr {
	return ir.MapDefs(ir.MapOperands(in, c.expr), c.reg)
}

func (c *copier) block(blk *ir.Block) {
	c.cur = c.blocks[blk]
	for _, in := range blk.Instrs {
		switch in := in.(type) {
		case *ir.Call:
			c.call(in)
		case *ir.Once:
			c.once(in)
		default:
			c.emit(c.copyInstr(in), in)
		}
	}
	if r, ok := blk.Term.(*ir.Return); ok && c.cont != nil {
		if c.dst != nil && r.Val != nil {
			v := c.expr(r.Val)
			if !ir.Equal(v.Type(), c.dst.Type) {
				v = ir.Cast{X: v, T: c.dst.Type}
			}
			c.emit(&ir.Assign{Base: ir.Base{Pos: r.Pos}, Dst: c.dst, X: v}, nil)
		}
		c.cur.Term = &ir.Goto{TermBase: r.TermBase, Targets: []*ir.Block{c.cont}}
		return
	}
	c.cur.Term = ir.MapTerm(blk.Term, c.expr, func(b *ir.Block) *ir.Block { return c.blocks[b] })
}

// call inlines a call's possible targets, each in a branch of its own, or leaves a call
// of a procedure.
func (c *copier) call(in *ir.Call) {
	var bodies []*ir.Func
	external := false
	fns, _ := calleesOf(in, c.u.res)
	for _, f := range fns {
		if len(f.Blocks) > 0 {
			bodies = append(bodies, f)
		} else {
			external = true
		}
	}
	_, direct := in.Callee.(ir.FuncAddr)
	if external || len(bodies) == 0 {
		c.noBody(in)
		if len(bodies) == 0 {
			return
		}
	}
	if direct && len(bodies) == 1 {
		c.target(in, bodies[0], c.args(in), c.reg(in.Dst))
		return
	}
	c.branch(in, bodies, external)
}

// noBody stands for a call of something that is not there: its result is arbitrary. An
// instruction there is in any case, for what the call accesses.
func (c *copier) noBody(in *ir.Call) {
	dst := c.reg(in.Dst)
	if dst == nil {
		dst = &ir.Reg{Name: fmt.Sprintf("$unused.%d", len(c.out.Regs)), Type: ir.I64}
		c.out.Regs = append(c.out.Regs, dst)
	}
	c.emit(&ir.Havoc{Base: in.Base, Dst: dst}, in)
}

func (c *copier) args(in *ir.Call) []ir.Expr {
	args := make([]ir.Expr, len(in.Args))
	for i, a := range in.Args {
		args[i] = c.expr(a)
	}
	return args
}

// branch chooses among several targets; skip adds the choice of doing nothing (an
// external target).
func (c *copier) branch(in *ir.Call, fns []*ir.Func, skip bool) {
	choose := &ir.Goto{TermBase: ir.TermBase{Pos: in.Pos}}
	c.cur.Term = choose
	after := c.newBlock("called")
	if skip {
		choose.Targets = append(choose.Targets, after)
	}
	callee := c.expr(in.Callee)
	for _, f := range fns {
		c.cur = c.newBlock("target")
		choose.Targets = append(choose.Targets, c.cur)
		is := ir.Binary{Op: "eq", X: ir.Cast{X: callee, T: ir.VPtr}, Y: ir.Cast{X: ir.FuncAddr{Func: f}, T: ir.VPtr}}
		c.emit(&ir.Assume{Base: in.Base, Cond: is}, nil)
		c.target(in, f, c.args(in), c.reg(in.Dst))
		c.cur.Term = &ir.Goto{TermBase: choose.TermBase, Targets: []*ir.Block{after}}
	}
	c.cur = after
}

// target runs f here: inlined where it may be, as a call of its own procedure otherwise.
// What is inlined here was not on a cycle with what calls it, so the copies end.
func (c *copier) target(in ir.Instr, f *ir.Func, args []ir.Expr, dst *ir.Reg) {
	chain := append(append([]Frame{}, c.chain...), Frame{f, in.At()})
	if !c.u.inlines(c.f, f) {
		call := &ir.Call{Base: ir.Base{Pos: in.At()}, Dst: dst, Callee: ir.FuncAddr{Func: f}, Args: args}
		c.p.Calls[call] = c.u.proc(f, chain)
		c.emit(call, in)
		return
	}
	c.u.seq.Inlined++
	regs := map[*ir.Reg]*ir.Reg{}
	sub := &copier{body: c.body, f: f, regs: regs, serial: c.count + 1, chain: chain}
	for i, p := range f.Params {
		n := sub.reg(p)
		if i < len(args) {
			v := args[i]
			if !ir.Equal(v.Type(), p.Type) {
				v = ir.Cast{X: v, T: p.Type}
			}
			c.emit(&ir.Assign{Base: ir.Base{Pos: in.At()}, Dst: n, X: v}, nil)
		} else {
			c.emit(&ir.Havoc{Base: ir.Base{Pos: in.At()}, Dst: n}, nil)
		}
	}
	if dst != nil && ir.Equal(f.Result, ir.Void{}) {
		c.emit(&ir.Havoc{Base: ir.Base{Pos: in.At()}, Dst: dst}, nil)
	}
	pre, after := c.cur, c.newBlock("after")
	entry := c.copyFunc(f, regs, chain, after, dst)
	pre.Term = &ir.Goto{TermBase: ir.TermBase{Pos: in.At()}, Targets: []*ir.Block{entry}}
	c.cur = after
}

// once runs its function under a lock of its own, or finds that it has run. From then on
// that lock is held shared for ever: whoever holds it alone runs the function, and that
// is over.
func (c *copier) once(in *ir.Once) {
	ctl := c.expr(in.Ctl)
	c.emit(&ir.Lock{Base: in.Base, Lock: ctl, Mode: ir.Exclusive, Class: "once"}, in)
	choose := &ir.Goto{TermBase: ir.TermBase{Pos: in.Pos}}
	c.cur.Term = choose
	after := c.newBlock("once")
	choose.Targets = []*ir.Block{after}
	fns := c.u.res.Funcs(in.Fn, c.f)
	for _, f := range fns {
		if len(f.Blocks) == 0 {
			continue
		}
		c.cur = c.newBlock("once")
		choose.Targets = append(choose.Targets, c.cur)
		c.target(in, f, nil, nil)
		c.cur.Term = &ir.Goto{TermBase: choose.TermBase, Targets: []*ir.Block{after}}
	}
	c.cur = after
	c.emit(&ir.Unlock{Base: in.Base, Lock: ctl, Mode: ir.Exclusive, Class: "once"}, in)
	c.emit(&ir.Lock{Base: in.Base, Lock: ctl, Mode: ir.Shared, Class: "once"}, in)
}
