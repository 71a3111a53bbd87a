package golang

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// fn lowers one function.
type fn struct {
	// several: it starts what is handed over at several places, of which pos is the
	// first.
	several bool
	*lowering
	sf     *ssa.Function
	f      *ir.Func
	cur    *ir.Block // nil after a jump
	blocks map[*ssa.BasicBlock]*ir.Block
	vals   map[ssa.Value]value
	used   map[string]int
	count  int
	pos    ir.Pos
	site   ssa.Instruction // what is being lowered
	unused bool            // the values that are being made are not used
	skip   map[ssa.Instruction]bool
	// arguments of variadic library calls, which are not put into a slice
	extra   map[ssa.Instruction][]ssa.Value
	posOf   map[ssa.Value]token.Pos
	defers  []*deferred
	pending []pendingList
	frame   map[*frameInfo]ir.Expr   // where frames are, that this function made or has captured
	ints    map[*form.IntVar]*ir.Reg // the registers of captured integers
	// capturedVals are what a closure's variables have that are never written.
	capturedVals map[*ssa.FreeVar]value
	ret          *ir.Reg // hidden parameter: where the results but for the first scalar go
	waited       map[string]*ir.Reg
	nested       int  // see libraryContainer
	inObject     bool // see fillObject
	// gotBack is what the program returned to the library function at hand, and backDepth
	// how deep in such values one is: see callbackresults.go.
	gotBack   []given
	writeLock ir.Expr // see writing
	backDepth int
	allNew    bool // so are the objects that its pointers lead to
	// later is what the initialisation hands out at its end.
	later value
	// atEnd start what constructors handed out.
	atEnd []func()
	// foreigns are the dynamic types of interface values that are nil or of types which
	// the program does not know. lookedAt reports whether an argument of an open call, of
	// type any, is printed; nil: all are.
	lookedAt func(i int) bool
	foreigns map[*ir.Reg]bool
	// checked are the pointers that are known not to be nil from a block on.
	checked map[ssa.Value]*ssa.BasicBlock
	visited map[*ssa.Range]visiting // see rangeExact
	// See unwinding: exit is where the function goes to unwind, quiet: nobody asks after
	// calls whether they unwind, inside: a panic here is in an atomic section.
	exit          *ir.Block
	quiet, inside bool
}

// deferred is a defer statement.
type deferred struct {
	site *ssa.Defer
	flag *ir.Reg       // whether it was executed; nil where it surely was
	list *deferredList // of one in a loop
	call *prepared
}

func newFn(l *lowering, sf *ssa.Function, f *ir.Func) *fn {
	return &fn{lowering: l, sf: sf, f: f, blocks: map[*ssa.BasicBlock]*ir.Block{}, vals: map[ssa.Value]value{}, used: map[string]int{},
		posOf: map[ssa.Value]token.Pos{}, frame: map[*frameInfo]ir.Expr{}, waited: map[string]*ir.Reg{},
		checked: map[ssa.Value]*ssa.BasicBlock{}, visited: map[*ssa.Range]visiting{},
		foreigns: map[*ir.Reg]bool{}, ints: map[*form.IntVar]*ir.Reg{},
		capturedVals: map[*ssa.FreeVar]value{}}
}

func (x *fn) fail(format string, args ...any) {
	panic(unsupported{x.pos, fmt.Sprintf(format, args...)})
}

func (x *fn) base() ir.Base { return ir.Base{Pos: x.pos} }

// reg makes a register; names are made unique within the function.
func (x *fn) reg(name string, t ir.Type) *ir.Reg {
	n := x.used[name]
	x.used[name]++
	if n > 0 || name == "" {
		name = fmt.Sprintf("%s#%d", name, n)
	}
	r := &ir.Reg{Name: name, Type: t}
	x.f.Regs = append(x.f.Regs, r)
	return r
}

func (x *fn) temp(t ir.Type) *ir.Reg { return x.reg("t", t) }

func (x *fn) block(name string) *ir.Block {
	x.count++
	return &ir.Block{Name: fmt.Sprintf("%s%d", name, x.count)}
}

// start makes b the current block.
func (x *fn) start(b *ir.Block) {
	x.f.Blocks = append(x.f.Blocks, b)
	x.cur = b
}

func (x *fn) emit(in ir.Instr) {
	if x.cur != nil {
		x.cur.Instrs = append(x.cur.Instrs, in)
	}
}

func (x *fn) assign(r *ir.Reg, e ir.Expr) {
	x.emit(&ir.Assign{Base: x.base(), Dst: r, X: typed(e, r.Type)})
}

func (x *fn) end(t ir.Term) {
	if x.cur != nil {
		x.cur.Term = t
	}
	x.cur = nil
}

func (x *fn) term() ir.TermBase { return ir.TermBase{Pos: x.pos} }

func (x *fn) jump(to ...*ir.Block) { x.end(&ir.Goto{TermBase: x.term(), Targets: to}) }

func (x *fn) branch(c ir.Expr, then, els *ir.Block) {
	x.end(&ir.Branch{TermBase: x.term(), Cond: c, Then: then, Else: els})
}

func (x *fn) stop(kind string) { x.end(&ir.Stop{TermBase: x.term(), Kind: kind}) }

// when runs then if c holds.
func (x *fn) when(c ir.Expr, then func()) { x.choose(c, then, nil) }

// choose runs one of two pieces of code; c nil: an arbitrary one.
func (x *fn) choose(c ir.Expr, then, els func()) {
	a, after := x.block("then"), x.block("after")
	b := after
	if els != nil {
		b = x.block("else")
	}
	if c == nil {
		x.jump(a, b)
	} else {
		x.branch(c, a, b)
	}
	x.start(a)
	then()
	x.jump(after)
	if els != nil {
		x.start(b)
		els()
		x.jump(after)
	}
	x.start(after)
}

// anyOf runs one of n pieces of code, or none.
func (x *fn) anyOf(n int, run func(i int)) {
	after := x.block("after")
	targets := []*ir.Block{after}
	for range n {
		targets = append(targets, x.block("one"))
	}
	x.jump(targets...)
	for i := range n {
		x.start(targets[i+1])
		run(i)
		x.jump(after)
	}
	x.start(after)
}

// repeat runs a piece of code any number of times.
func (x *fn) repeat(body func()) {
	x.inexact()
	head, in, after := x.block("repeat"), x.block("body"), x.block("after")
	x.jump(head)
	x.start(head)
	x.jump(in, after)
	x.start(in)
	body()
	x.jump(head)
	x.start(after)
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
	f := &ir.Func{Name: l.unique(name), Pos: l.Pos(sf.Pos())}
	if f.Pos.Line == 0 && sf.Parent() == nil && sf.Object() != nil {
		f.Pos = l.Pos(sf.Object().Pos())
	}
	for i, p := range sf.Params {
		name := p.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("$%d", i)
		}
		for _, lf := range l.lay.of(p.Type()).leaves {
			f.Params = append(f.Params, &ir.Reg{Name: join(name, lf.name), Type: lf.t})
		}
	}
	var ret *ir.Struct
	f.Result, ret = l.results(sf.Signature)
	if ret != nil {
		f.Params = append(f.Params, &ir.Reg{Name: ir.Results, Type: ir.Ptr{Elem: ret}})
	}
	if len(sf.FreeVars) > 0 {
		f.Params = append(f.Params, &ir.Reg{Name: ir.Captured, Type: funcT})
	}
	l.p.Funcs = append(l.p.Funcs, f)
	return f
}

func join(name, member string) string {
	if member == "" {
		return name
	}
	return name + "." + member
}

// results says how a function returns: the first scalar as the result, the others through
// a pointer to a struct (nil for none).
func (l *lowering) results(sig *types.Signature) (ir.Type, *ir.Struct) {
	leaves := l.lay.of(sig.Results()).leaves
	if len(leaves) == 0 {
		return ir.Void{}, nil
	}
	if len(leaves) == 1 {
		return leaves[0].t, nil
	}
	name, off := "results", int64(0)
	var fs []ir.Field
	for i, lf := range leaves[1:] {
		name += " " + lf.t.String()
		fs = append(fs, ir.Field{Name: fmt.Sprintf("r%d", i+1), Type: lf.t, Offset: off})
		off += 8
	}
	return leaves[0].t, l.lay.sharedStruct(name, "results", off, fs...)
}

// function lowers the body.
func (x *fn) function() {
	x.pos = x.f.Pos
	x.positions()
	for _, p := range x.f.Params {
		x.used[p.Name]++
	}
	x.start(x.block("entry"))
	x.parameters()
	order := reversePostorder(x.sf)
	for _, b := range order {
		x.blocks[b] = x.block("b")
		x.phis(b)
	}
	x.findDefers(order)
	x.findVariadic(order)
	if init := x.InitOf(x.sf); init != nil {
		x.callFunc(init, nil, nil)
	}
	x.tokens.starting(x)
	x.jump(x.blocks[x.sf.Blocks[0]])
	for _, b := range order {
		x.start(x.blocks[b])
		x.tokens.behind(x, b)
		for _, in := range b.Instrs {
			if x.cur == nil {
				break
			}
			x.locate(in)
			x.instr(in)
		}
	}
	x.prune()
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
	for _, b := range x.sf.Blocks {
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
	x.site = in
	p := in.Pos()
	if v, ok := in.(ssa.Value); ok && !p.IsValid() {
		p = x.posOf[v]
	}
	if u, ok := in.(*ssa.UnOp); ok && !p.IsValid() && u.Op == token.MUL {
		p = x.posOf[u.X]
	}
	if p.IsValid() {
		x.pos = x.lowering.Pos(p)
	}
}

// parameters binds parameters and what is captured.
func (x *fn) parameters() {
	i := 0
	for _, p := range x.sf.Params {
		n := len(x.layoutOf(p).leaves)
		var v value
		for _, r := range x.f.Params[i : i+n] {
			v = append(v, ir.Use{Reg: r})
		}
		i += n
		x.vals[p] = v
	}
	if _, ret := x.results(x.sf.Signature); ret != nil {
		x.ret = x.f.Params[i]
		i++
	}
	if len(x.sf.FreeVars) > 0 {
		x.captured(ir.Use{Reg: x.f.Params[i]})
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
		var v value
		for _, lf := range x.layoutOf(p).leaves {
			v = append(v, ir.Use{Reg: x.reg(join(name, lf.name), lf.t)})
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
	saved := x.cur
	b := x.block("edge")
	x.start(b)
	x.copyPhis(to, index)
	x.jump(x.blocks[to])
	x.cur = saved
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
		v := x.val(p.Edges[index])
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
			t := x.temp(src[i].Type())
			x.assign(t, src[i])
			src[i] = ir.Use{Reg: t}
		}
	}
	for i := range src {
		if u, ok := src[i].(ir.Use); !ok || u.Reg != dst[i] {
			x.assign(dst[i], src[i])
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
			} else if b != x.sf.Blocks[0] || x.unwinding != nil {
				def.flag = x.reg("deferred", boolT)
				x.assign(def.flag, boolConst(false))
			}
			x.defers = append(x.defers, def)
		}
	}
	x.defers = orderDefers(x.defers)
}

// runDefers calls what is deferred, the last first. Where one of these panics, the others
// run still.
func (x *fn) runDefers() {
	at := x.pos
	var panicked *ir.Reg
	if x.defersBack() {
		panicked = x.temp(ir.U8)
		x.assign(panicked, ir.IntConst(ir.U8, running))
	}
	after := func(d *deferred) {
		if panicked != nil && x.mayUnwind(d.site) {
			state := x.read(x.unwound())
			x.when(bin("ne", state, ir.IntConst(ir.U8, running)), func() {
				x.assign(panicked, state)
				x.writeNum(x.unwound(), running)
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
			x.pos = x.lowering.Pos(d.site.Pos())
			saved := x.site
			x.site = d.site
			defer func() { x.site = saved }()
			x.perform(d.call)
			after(d)
		}
		if d.flag == nil {
			call()
		} else {
			x.when(cond(ir.Use{Reg: d.flag}), call)
		}
	}
	x.pos = at
	if panicked != nil {
		state := ir.Use{Reg: panicked}
		x.when(bin("ne", state, ir.IntConst(ir.U8, running)), func() { x.ended(state) })
	}
}

// defersBack reports whether a deferred call may come back because something has
// panicked.
func (x *fn) defersBack() bool {
	return slices.ContainsFunc(x.defers, func(d *deferred) bool { return x.mayUnwind(d.site) })
}

// prune drops blocks that cannot be reached.
func (x *fn) prune() {
	x.leave()
	x.finishLists()
	for _, b := range x.f.Blocks {
		if b.Term == nil {
			b.Term = &ir.Stop{Kind: "unreachable"}
		}
	}
	x.f.Blocks = ir.RPO(x.f)
}

// isBody reports whether the function that is lowered is one of package stdgo.
func (x *fn) isBody() bool {
	return x.Bodies != nil && x.sf != nil && form.PkgOf(x.sf) == x.Bodies.Pkg.Pkg
}
