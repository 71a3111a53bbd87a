package golang

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/precise"
	"whoop/ir"
	"whoop/ir/build"
)

// fn lowers one function.
type fn struct {
	// several: it starts what is handed over at several places, of which pos is the
	// first.
	several bool
	*lowering
	*build.Writer
	*irgen.Builder
	*precise.Fn
	blocks  map[*ssa.BasicBlock]*ir.Block
	vals    map[ssa.Value]irgen.Value
	skip    map[ssa.Instruction]bool
	posOf   map[ssa.Value]token.Pos
	defers  []*deferred
	pending []pendingList
	frame   map[*frameInfo]ir.Expr   // where frames are, that this function made or has captured
	ints    map[*form.IntVar]*ir.Reg // the registers of captured integers
	// capturedVals are what a closure's variables have that are never written.
	capturedVals map[*ssa.FreeVar]irgen.Value
	ret          *ir.Reg // hidden parameter: where the results but for the first scalar go
	waited       map[string]*ir.Reg
	nested       int  // see libraryContainer
	inObject     bool // see fillObject
	byUsers      bool // see usersGive
	// gotBack is what the program returned to the library function at hand, and backDepth
	// how deep in such values one is: see callbackresults.go.
	gotBack   []given
	writeLock ir.Expr // see writing
	backDepth int
	allNew    bool // so are the objects that its pointers lead to
	// later is what the initialisation hands out at its end.
	later irgen.Value
	// atEnd start what constructors handed out.
	atEnd []func()
	// foreigns are the dynamic types of interface values that are nil or of types which
	// the program does not know. lookedAt reports whether an argument of an open call, of
	// type any, is printed; nil: all are.
	lookedAt func(i int) bool
	foreigns map[*ir.Reg]bool
	// See unwinding: exit is where the function goes to unwind, quiet: nobody asks after
	// calls whether they unwind.
	exit  *ir.Block
	quiet bool
}

// deferred is a defer statement.
type deferred struct {
	site *ssa.Defer
	flag *ir.Reg       // whether it was executed; nil where it surely was
	list *deferredList // of one in a loop
	call *irgen.Call
}

func newFn(l *lowering, sf *ssa.Function, f *ir.Func) *fn {
	b := irgen.NewBuilder(f, l.lay)
	x := &fn{lowering: l, Writer: b.Writer, Builder: b, blocks: map[*ssa.BasicBlock]*ir.Block{}, vals: map[ssa.Value]irgen.Value{},
		posOf: map[ssa.Value]token.Pos{}, frame: map[*frameInfo]ir.Expr{}, waited: map[string]*ir.Reg{},
		foreigns: map[*ir.Reg]bool{}, ints: map[*form.IntVar]*ir.Reg{},
		capturedVals: map[*ssa.FreeVar]irgen.Value{}}
	x.Fn = precise.NewFn(b, l.precise, x, sf)
	return x
}

// repeat runs a piece of code any number of times.
func (x *fn) repeat(body func()) {
	x.Inexact()
	head, in, after := x.Block("repeat"), x.Block("body"), x.Block("after")
	x.Jump(head)
	x.Start(head)
	x.Jump(in, after)
	x.Start(in)
	body()
	x.Jump(head)
	x.Start(after)
}

// declare returns the IR function of an SSA function, whose body is lowered later.
func (l *lowering) declare(sf *ssa.Function) *ir.Func {
	if f := l.funcs[sf]; f != nil {
		return f
	}
	f := l.newFunc(sf, l.FuncName(sf))
	if l.Bodies != nil {
		for _, a := range l.Bodies.Assumes[sf] {
			l.p.Assume(a[0], ir.Pos{}, "%s", a[1])
		}
	}
	l.funcs[sf] = f
	l.queue = append(l.queue, sf)
	return f
}

// newFunc makes a function with the parameters of an SSA function.
func (l *lowering) newFunc(sf *ssa.Function, name string) *ir.Func {
	f := &ir.Func{Name: l.Unique(name), Pos: l.Pos(sf.Pos())}
	if f.Pos.Line == 0 && sf.Parent() == nil && sf.Object() != nil {
		f.Pos = l.Pos(sf.Object().Pos())
	}
	for i, p := range sf.Params {
		name := p.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("$%d", i)
		}
		for _, lf := range l.lay.Of(p.Type()).Leaves {
			f.Params = append(f.Params, &ir.Reg{Name: irgen.Join(name, lf.Name), Type: lf.T})
		}
	}
	var ret *ir.Struct
	f.Result, ret = l.results(sf.Signature)
	if ret != nil {
		f.Params = append(f.Params, &ir.Reg{Name: ir.Results, Type: ir.Ptr{Elem: ret}})
	}
	if len(sf.FreeVars) > 0 {
		f.Params = append(f.Params, &ir.Reg{Name: ir.Captured, Type: irgen.FuncT})
	}
	l.p.Funcs = append(l.p.Funcs, f)
	return f
}

// results says how a function returns: the first scalar as the result, the others through
// a pointer to a struct (nil for none).
func (l *lowering) results(sig *types.Signature) (ir.Type, *ir.Struct) {
	leaves := l.lay.Of(sig.Results()).Leaves
	if len(leaves) == 0 {
		return ir.Void{}, nil
	}
	if len(leaves) == 1 {
		return leaves[0].T, nil
	}
	name, off := "results", int64(0)
	var fs []ir.Field
	for i, lf := range leaves[1:] {
		name += " " + lf.T.String()
		fs = append(fs, ir.Field{Name: fmt.Sprintf("r%d", i+1), Type: lf.T, Offset: off})
		off += 8
	}
	return leaves[0].T, l.lay.SharedStruct(name, "results", off, fs...)
}

// function lowers the body.
func (x *fn) function() {
	x.Pos = x.F.Pos
	x.positions()
	for _, p := range x.F.Params {
		x.Used[p.Name]++
	}
	x.Start(x.Block("entry"))
	x.parameters()
	order := reversePostorder(x.Sf)
	for _, b := range order {
		x.blocks[b] = x.Block("b")
		x.phis(b)
	}
	x.findDefers(order)
	x.findVariadic(order)
	if init := x.InitOf(x.Sf); init != nil {
		x.CallFunc(init, nil, nil)
	}
	x.tokens.starting(x)
	x.Jump(x.blocks[x.Sf.Blocks[0]])
	for _, b := range order {
		x.Start(x.blocks[b])
		x.tokens.behind(x, b)
		for _, in := range b.Instrs {
			if x.Cur == nil {
				break
			}
			x.locate(in)
			x.instr(in)
		}
	}
	x.Prune()
}

// reversePostorder lists a function's blocks so that a block comes after all that lead to
// it, loops aside: values are made before they are used, and defer statements before the
// returns that run them.
func reversePostorder(f *ssa.Function) []*ssa.BasicBlock {
	seen := map[*ssa.BasicBlock]bool{}
	var post []*ssa.BasicBlock
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b] = true
		for i := len(b.Succs) - 1; i >= 0; i-- {
			if s := b.Succs[i]; !seen[s] {
				visit(s)
			}
		}
		post = append(post, b)
	}
	if f.Recover != nil {
		visit(f.Recover)
	}
	visit(f.Blocks[0])
	slices.Reverse(post)
	return post
}

// positions finds the source of values that have no position of their own.
func (x *fn) positions() {
	for _, b := range x.Sf.Blocks {
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.DebugRef); ok && !d.IsAddr {
				if v, ok := d.X.(ssa.Instruction); ok && !v.Pos().IsValid() {
					if _, known := x.posOf[d.X]; !known {
						x.posOf[d.X] = d.Expr.Pos()
					}
				}
			}
		}
	}
}

// locate sets the current position to that of an instruction, where it has one.
func (x *fn) locate(in ssa.Instruction) {
	x.Site = in
	p := in.Pos()
	if v, ok := in.(ssa.Value); ok && !p.IsValid() {
		p = x.posOf[v]
	}
	if u, ok := in.(*ssa.UnOp); ok && !p.IsValid() && u.Op == token.MUL {
		p = x.posOf[u.X]
	}
	if p.IsValid() {
		x.Pos = x.lowering.Pos(p)
	}
}

// parameters binds parameters and what is captured.
func (x *fn) parameters() {
	i := 0
	for _, p := range x.Sf.Params {
		n := len(x.layoutOf(p).Leaves)
		var v irgen.Value
		for _, r := range x.F.Params[i : i+n] {
			v = append(v, ir.Use{Reg: r})
		}
		i += n
		x.vals[p] = v
	}
	if _, ret := x.results(x.Sf.Signature); ret != nil {
		x.ret = x.F.Params[i]
		i++
	}
	if len(x.Sf.FreeVars) > 0 {
		x.captured(ir.Use{Reg: x.F.Params[i]})
	}
}

// phis makes the registers of a block's phis.
func (x *fn) phis(b *ssa.BasicBlock) {
	for _, in := range b.Instrs {
		p, ok := in.(*ssa.Phi)
		if !ok {
			return
		}
		name := p.Comment
		if name == "" {
			name = p.Name()
		}
		var v irgen.Value
		for _, lf := range x.layoutOf(p).Leaves {
			v = append(v, ir.Use{Reg: x.Reg(irgen.Join(name, lf.Name), lf.T)})
		}
		x.vals[p] = v
	}
}

// edge sets the phis of a successor and returns the block to jump to: a block of its own
// where the edge needs one.
func (x *fn) edge(from, to *ssa.BasicBlock, index int) *ir.Block {
	if _, ok := to.Instrs[0].(*ssa.Phi); !ok {
		return x.blocks[to]
	}
	saved := x.Cur
	b := x.Block("edge")
	x.Start(b)
	x.copyPhis(to, index)
	x.Jump(x.blocks[to])
	x.Cur = saved
	return b
}

// copyPhis assigns the phis of a block at once: values are read before any phi changes.
func (x *fn) copyPhis(to *ssa.BasicBlock, index int) {
	mine := map[*ir.Reg]bool{}
	var dst []*ir.Reg
	var src []ir.Expr
	for _, in := range to.Instrs {
		p, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		v := x.Val(p.Edges[index])
		for i, d := range x.vals[p] {
			r := d.(ir.Use).Reg
			mine[r] = true
			dst, src = append(dst, r), append(src, v[i])
		}
	}
	for i := range src {
		others := false
		ir.WalkExpr(src[i], func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok && mine[u.Reg] && u.Reg != dst[i] {
				others = true
			}
			return true
		})
		if others {
			t := x.Temp(src[i].Type())
			x.Assign(t, src[i])
			src[i] = ir.Use{Reg: t}
		}
	}
	for i := range src {
		if u, ok := src[i].(ir.Use); !ok || u.Reg != dst[i] {
			x.Assign(dst[i], src[i])
		}
	}
}

// predIndex is the position of an edge among the predecessors of its target; n tells
// parallel edges apart.
func predIndex(from, to *ssa.BasicBlock, n int) int {
	for i, p := range to.Preds {
		if p == from {
			if n == 0 {
				return i
			}
			n--
		}
	}
	panic("an edge without a predecessor")
}

// findDefers makes the flags of defer statements.
func (x *fn) findDefers(order []*ssa.BasicBlock) {
	for _, b := range order {
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.Defer)
			if !ok {
				continue
			}
			def := &deferred{site: d}
			if form.OnCycle(b) {
				x.inLoop(def)
			} else if b != x.Sf.Blocks[0] || x.unwinding != nil {
				def.flag = x.Reg("deferred", irgen.BoolT)
				x.Assign(def.flag, irgen.BoolConst(false))
			}
			x.defers = append(x.defers, def)
		}
	}
	x.defers = orderDefers(x.defers)
}

// RunDefers calls what is deferred, the last first. Where one of these panics, the others
// run still.
func (x *fn) RunDefers() {
	at := x.Pos
	var panicked *ir.Reg
	if x.defersBack() {
		panicked = x.Temp(ir.U8)
		x.Assign(panicked, ir.IntConst(ir.U8, irgen.Running))
	}
	after := func(d *deferred) {
		if panicked != nil && x.mayUnwind(d.site) {
			state := x.Read(x.unwound())
			x.When(irgen.Bin("ne", state, ir.IntConst(ir.U8, irgen.Running)), func() {
				x.Assign(panicked, state)
				x.WriteNum(x.unwound(), irgen.Running)
			})
		}
	}
	for i := len(x.defers) - 1; i >= 0; i-- {
		d := x.defers[i]
		if d.list != nil {
			x.runList(d, func(d *deferred) {
				if x.unwinding != nil {
					x.caught(d)
					x.deferredRun(d)
				} else {
					x.perform(d.call)
					after(d)
				}
			})
			continue
		}
		if d.call == nil {
			continue // not on any path to here
		}
		if x.unwinding != nil {
			x.onceDeferred(d, func() { x.deferredRun(d) })
			continue
		}
		call := func() {
			x.Pos = x.lowering.Pos(d.site.Pos())
			saved := x.Site
			x.Site = d.site
			defer func() { x.Site = saved }()
			x.perform(d.call)
			if x.mayUnwind(d.site) {
				x.When(irgen.Bin("eq", x.Read(x.unwound()), ir.IntConst(ir.U8, irgen.Running)), func() { x.tokens.comesBack(x, d.site) })
			} else {
				x.tokens.comesBack(x, d.site)
			}
			after(d)
		}
		if d.flag == nil {
			call()
		} else {
			x.When(irgen.Cond(ir.Use{Reg: d.flag}), call)
		}
	}
	x.Pos = at
	if panicked != nil {
		state := ir.Use{Reg: panicked}
		x.When(irgen.Bin("ne", state, ir.IntConst(ir.U8, irgen.Running)), func() { x.ended(state) })
	}
}

// defersBack reports whether a deferred call may come back because something has
// panicked.
func (x *fn) defersBack() bool {
	return slices.ContainsFunc(x.defers, func(d *deferred) bool { return x.mayUnwind(d.site) })
}

// Prune drops blocks that cannot be reached.
func (x *fn) Prune() {
	x.leave()
	x.finishLists()
	for _, b := range x.F.Blocks {
		if b.Term == nil {
			b.Term = &ir.Stop{Kind: "unreachable"}
		}
	}
	x.F.Blocks = ir.RPO(x.F)
}

// isBody reports whether the function that is lowered is one of package stdgo.
func (x *fn) isBody() bool {
	return x.Bodies != nil && x.Sf != nil && form.PkgOf(x.Sf) == x.Bodies.Pkg.Pkg
}
