package absint

import (
	"context"
	"fmt"
	"slices"

	"whoop/analysis/alias"
	"whoop/internal/graph"
	"whoop/ir"
)

// maxInlined bounds the instructions of an entry after its calls were inlined.
const maxInlined = 60_000

// A flat program is one in which the entries' functions have no calls of functions with
// bodies: each call is a copy of what is called. So what is found out about a function
// depends on where it is called from.
type flat struct {
	prog *ir.Program
	// orig leads back to the instructions of the program as it was.
	orig map[ir.Instr]ir.Instr
	// once are the allocations of variables that their functions execute once, at most,
	// or of which there is one at a time.
	once map[*ir.Alloc]bool
	// params are the assignments to parameters of functions that are observed.
	params map[*ir.Assign]param
}

// param is a parameter of a function of the program as it was.
type param struct {
	fn *ir.Func
	i  int
}

// flatten inlines all calls. It is an error where that is not possible: recursion,
// functions that are not understood or not known, and too much of it.
func flatten(p *ir.Program, al *alias.Result, observe func(*ir.Func) bool) (*flat, error) {
	q, m := ir.CloneWithMap(p)
	fl := &flat{prog: q, orig: map[ir.Instr]ir.Instr{}, once: map[*ir.Alloc]bool{},
		params: map[*ir.Assign]param{}}
	in := &inliner{flat: fl, al: al, back: map[ir.Instr]ir.Instr{}, acyclic: map[*ir.Func]map[*ir.Block]bool{}, first: map[*ir.Func][]*ir.Reg{},
		funcs: m.Funcs, observed: map[*ir.Func]*ir.Func{}}
	for o, c := range m.Instrs {
		in.back[c] = o
	}
	for _, f := range p.Funcs {
		if observe != nil && observe(f) {
			in.observed[m.Funcs[f]] = f
		}
	}
	bodies := map[*ir.Func][]*ir.Block{}
	regs := map[*ir.Func][]*ir.Reg{}
	for _, e := range q.Entries {
		f := e.Func
		if f == nil || bodies[f] != nil {
			continue
		}
		if f.Unknown != "" {
			return nil, fmt.Errorf("%s is not understood: %s", f.Name, f.Unknown)
		}
		in.regs, in.size, in.out = nil, 0, nil
		r := map[*ir.Reg]*ir.Reg{}
		for _, p := range f.Params {
			r[p] = p
		}
		if _, err := in.body(f, r, nil, []*ir.Func{f}); err != nil {
			return nil, err
		}
		bodies[f], regs[f] = in.out, in.regs
	}
	for f, b := range bodies {
		f.Blocks, f.Regs = b, regs[f]
		fl.renew(f)
	}
	return fl, nil
}

type inliner struct {
	*flat
	al       *alias.Result
	funcs    map[*ir.Func]*ir.Func
	back     map[ir.Instr]ir.Instr           // to the program as it was
	observed map[*ir.Func]*ir.Func           // to the program as it was
	acyclic  map[*ir.Func]map[*ir.Block]bool // blocks that are on no cycle
	first    map[*ir.Func][]*ir.Reg          // registers that may be read before they are written

	regs []*ir.Reg
	size int
	out  []*ir.Block
}

// exit says where returns go.
type exit struct {
	dst *ir.Reg
	to  *ir.Block
}

// body copies the body of f; params are in r. It returns the copy's entry.
func (n *inliner) body(f *ir.Func, r map[*ir.Reg]*ir.Reg, x *exit, stack []*ir.Func) (*ir.Block, error) {
	if n.acyclic[f] == nil {
		n.acyclic[f], n.first[f] = acyclic(f), uninitialised(f)
	}
	for _, l := range f.Regs {
		c := *l
		if x != nil {
			c.Name = fmt.Sprintf("%s.%s.%d", f.Name, l.Name, len(n.regs))
		}
		r[l] = &c
		n.regs = append(n.regs, &c)
	}
	copies := map[*ir.Block]*ir.Block{}
	rpo := ir.RPO(f)
	for _, b := range rpo {
		c := &ir.Block{Name: b.Name}
		if x != nil {
			c.Name = fmt.Sprintf("%s.%s.%d", f.Name, b.Name, len(n.out))
		}
		copies[b] = c
		n.out = append(n.out, c)
	}
	sub := func(e ir.Expr) ir.Expr {
		return ir.MapExpr(e, func(e ir.Expr) ir.Expr {
			if u, ok := e.(ir.Use); ok && r[u.Reg] != nil {
				return ir.Use{Reg: r[u.Reg]}
			}
			return e
		})
	}
	if x != nil {
		for _, l := range n.first[f] {
			copies[f.Blocks[0]].Instrs = append(copies[f.Blocks[0]].Instrs, &ir.Havoc{Base: ir.Base{Pos: f.Pos}, Dst: r[l]})
		}
	}
	for _, b := range rpo {
		cur := copies[b]
		for _, in := range b.Instrs {
			if n.size++; n.size > maxInlined {
				return nil, fmt.Errorf("too large when calls are inlined")
			}
			c := ir.MapDefs(ir.MapOperands(in, sub), func(d *ir.Reg) *ir.Reg {
				if r[d] != nil {
					return r[d]
				}
				return d
			})
			n.orig[c] = n.back[in]
			if a, ok := c.(*ir.Alloc); ok && n.acyclic[f][b] {
				n.once[a] = true
			}
			next, err := n.instr(in, c, cur, stack)
			if err != nil {
				return nil, err
			}
			cur = next
		}
		if err := n.term(b.Term, cur, x, sub, copies); err != nil {
			return nil, err
		}
	}
	return copies[f.Blocks[0]], nil
}

// term ends a copied block.
func (n *inliner) term(t ir.Term, cur *ir.Block, x *exit, sub func(ir.Expr) ir.Expr, copies map[*ir.Block]*ir.Block) error {
	ret, ok := t.(*ir.Return)
	if !ok || x == nil {
		cur.Term = ir.MapTerm(t, sub, func(b *ir.Block) *ir.Block { return copies[b] })
		return nil
	}
	base := ir.Base{Pos: ret.Pos}
	if x.dst != nil {
		if ret.Val != nil {
			cur.Instrs = append(cur.Instrs, &ir.Assign{Base: base, Dst: x.dst, X: sub(ret.Val)})
		} else {
			cur.Instrs = append(cur.Instrs, &ir.Havoc{Base: base, Dst: x.dst})
		}
	}
	cur.Term = &ir.Goto{TermBase: ir.TermBase{Pos: ret.Pos}, Targets: []*ir.Block{x.to}}
	return nil
}

// instr appends the copy c of in to cur, or what it stands for; it returns the block that
// goes on.
func (n *inliner) instr(in, c ir.Instr, cur *ir.Block, stack []*ir.Func) (*ir.Block, error) {
	switch c := c.(type) {
	case *ir.Call:
		fns, complete := n.al.Callees(n.back[in].(*ir.Call))
		if fa, ok := c.Callee.(ir.FuncAddr); ok {
			if len(fa.Func.Blocks) == 0 {
				if fa.Func.Unknown != "" {
					return nil, fmt.Errorf("%s is not understood: %s", fa.Func.Name, fa.Func.Unknown)
				}
				cur.Instrs = append(cur.Instrs, c)
				return cur, nil
			}
			return n.calls(c, []*ir.Func{fa.Func}, false, cur, stack)
		}
		if !complete || len(fns) == 0 {
			return nil, fmt.Errorf("%s: a call of a function that is not known", c.Pos)
		}
		var own []*ir.Func
		for _, f := range fns {
			own = append(own, n.funcs[f])
		}
		return n.calls(c, own, true, cur, stack)
	case *ir.Once:
		if fa, ok := c.Fn.(ir.FuncAddr); ok {
			return n.calls(&ir.Call{Base: c.Base, Callee: fa}, []*ir.Func{fa.Func, nil}, false, cur, stack)
		}
		return nil, fmt.Errorf("%s: once calls a function that is not named", c.Pos)
	case *ir.Lock:
		if c.Try {
			return n.try(c, cur), nil
		}
	case *ir.CondWait: // it may wake up at any time: it releases the mutex and takes it again
		cur.Instrs = append(cur.Instrs, &ir.Unlock{Base: c.Base, Lock: c.Mutex, Mode: ir.Exclusive, Class: "mutex"},
			&ir.Lock{Base: c.Base, Lock: c.Mutex, Mode: ir.Exclusive, Class: "mutex"})
		if c.Dst != nil {
			cur.Instrs = append(cur.Instrs, &ir.Havoc{Base: c.Base, Dst: c.Dst})
		}
		return cur, nil
	}
	cur.Instrs = append(cur.Instrs, c)
	return cur, nil
}

// try makes a lock operation that may fail a choice: the lock is taken, or it is not.
func (n *inliner) try(c *ir.Lock, cur *ir.Block) *ir.Block {
	yes, no, next := n.block("taken"), n.block("free"), n.block("tried")
	cur.Term = &ir.Goto{TermBase: ir.TermBase{Pos: c.Pos}, Targets: []*ir.Block{yes, no}}
	l := *c
	l.Try, l.Dst = false, nil
	yes.Instrs = append(yes.Instrs, &l)
	if c.Dst != nil {
		yes.Instrs = append(yes.Instrs, &ir.Assign{Base: c.Base, Dst: c.Dst, X: ir.BoolConst(true)})
		no.Instrs = append(no.Instrs, &ir.Assign{Base: c.Base, Dst: c.Dst, X: ir.BoolConst(false)})
	}
	for _, b := range []*ir.Block{yes, no} {
		b.Term = &ir.Goto{TermBase: ir.TermBase{Pos: c.Pos}, Targets: []*ir.Block{next}}
	}
	return next
}

func (n *inliner) block(name string) *ir.Block {
	b := &ir.Block{Name: fmt.Sprintf("%s.%d", name, len(n.out))}
	n.out = append(n.out, b)
	return b
}

// calls replaces a call by copies of what may be called; nil is for no call.
func (n *inliner) calls(c *ir.Call, fns []*ir.Func, choose bool, cur *ir.Block, stack []*ir.Func) (*ir.Block, error) {
	next := n.block("after")
	g := &ir.Goto{TermBase: ir.TermBase{Pos: c.Pos}}
	cur.Term = g
	for _, f := range fns {
		b := n.block("call")
		g.Targets = append(g.Targets, b)
		if f == nil {
			b.Term = &ir.Goto{TermBase: g.TermBase, Targets: []*ir.Block{next}}
			continue
		}
		for _, s := range stack {
			if s == f {
				return nil, fmt.Errorf("%s is recursive", f.Name)
			}
		}
		if f.Unknown != "" {
			return nil, fmt.Errorf("%s is not understood: %s", f.Name, f.Unknown)
		}
		if choose {
			b.Instrs = append(b.Instrs, &ir.Assume{Base: c.Base, Cond: ir.Binary{Op: "eq", X: c.Callee, Y: ir.FuncAddr{Func: f}}})
		}
		if len(f.Blocks) == 0 {
			return nil, fmt.Errorf("%s: an indirect call of %s, which has no body", c.Pos, f.Name)
		}
		if len(f.Params) > len(c.Args) {
			return nil, fmt.Errorf("%s: too few arguments for %s", c.Pos, f.Name)
		}
		r := map[*ir.Reg]*ir.Reg{}
		for i, p := range f.Params {
			if !ir.Equal(p.Type, c.Args[i].Type()) && !(ir.IsPtr(p.Type) && ir.IsPtr(c.Args[i].Type())) {
				return nil, fmt.Errorf("%s: argument %d of %s is of another type", c.Pos, i+1, f.Name)
			}
			q := *p
			q.Name = fmt.Sprintf("%s.%s.%d", f.Name, p.Name, len(n.regs))
			r[p] = &q
			n.regs = append(n.regs, &q)
			in := &ir.Assign{Base: c.Base, Dst: &q, X: c.Args[i]}
			b.Instrs = append(b.Instrs, in)
			if n.observed[f] != nil {
				n.params[in] = param{n.observed[f], i}
			}
		}
		dst := c.Dst
		if dst != nil && !ir.Equal(dst.Type, f.Result) && !(ir.IsPtr(dst.Type) && ir.IsPtr(f.Result)) {
			return nil, fmt.Errorf("%s: the result of %s is of another type", c.Pos, f.Name)
		}
		head, err := n.body(f, r, &exit{dst, next}, append(stack[:len(stack):len(stack)], f))
		if err != nil {
			return nil, err
		}
		b.Term = &ir.Goto{TermBase: g.TermBase, Targets: []*ir.Block{head}}
	}
	return next, nil
}

// acyclic returns the blocks of f that are on no cycle.
func acyclic(f *ir.Func) map[*ir.Block]bool {
	out := map[*ir.Block]bool{}
	for _, c := range graph.Components(f.Blocks, (*ir.Block).Succs) {
		if len(c) == 1 && !slices.Contains(c[0].Succs(), c[0]) {
			out[c[0]] = true
		}
	}
	return out
}

// uninitialised returns the registers of f that may be read before they are written.
func uninitialised(f *ir.Func) []*ir.Reg {
	live := ir.Liveness(f)
	var out []*ir.Reg
	for _, r := range f.Regs {
		if live[f.Blocks[0]][r] {
			out = append(out, r)
		}
	}
	return out
}

// Inlined is a program whose entries call no functions with bodies.
type Inlined struct {
	Prog *ir.Program
	// Orig leads back to the instructions of the program as it was.
	Orig map[ir.Instr]ir.Instr
	// Once are the allocations of which there is one object at a time, at most.
	Once map[*ir.Alloc]bool
	// Acyclic are the blocks that an execution of the entry's function comes to once, at
	// most.
	Acyclic map[*ir.Block]bool
}

// Inline inlines all calls. It is an error where that is not possible: recursion,
// functions that are not understood or not known, and too much of it.
func Inline(ctx context.Context, p *ir.Program) (*Inlined, []ir.Assumption, error) {
	before, err := alias.AnalyzeContext(ctx, p, alias.Options{})
	if err != nil {
		return nil, nil, err
	}
	fl, err := flatten(p, before, nil)
	if err != nil {
		return nil, nil, err
	}
	out := &Inlined{Prog: fl.prog, Orig: fl.orig, Once: fl.once, Acyclic: map[*ir.Block]bool{}}
	for _, e := range fl.prog.Entries {
		for b := range acyclic(e.Func) {
			out.Acyclic[b] = true
		}
	}
	return out, before.Assumptions(), nil
}
