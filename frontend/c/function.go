package c

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// local is where a local variable lives: in a register, or in memory at an address.
type local struct {
	reg  *ir.Reg
	addr ir.Expr
}

// lowerer lowers one function.
type lowerer struct {
	*unit
	f        *ir.Func
	name     string
	cur      *ir.Block // nil after a jump: what follows is dead until a label
	locals   map[*cc.Declarator]local
	byName   map[string]local
	labels   map[string]*ir.Block
	brk, cnt []*ir.Block
	cases    map[*cc.LabeledStatement]*ir.Block
	used     map[string]int
	result   ir.Expr // hidden result address of a struct function
	returns  cc.Type // the result's C type
	blocks   int
	static   bool // lowers the initialiser of a global
	computed []computedGoto
	attrs    map[any]lockKind // lock attributes set in this function, by their variables
	texts    map[string]bool  // arguments of main that calls have read as numbers
	// the number of main's arguments at the start, and the name of its argv; nil where
	// they may have changed
	argc *ir.Reg
	argv string
	// the statement expression around what is lowered, "" where there is none
	within   string
	scopes   []*scope           // the blocks around what is lowered, the function's first
	cleans   *cc.InitDeclarator // a variable with a cleanup function, nil where there is none
	seq      seqReads
	ignored  cc.Node           // the call of which the result is not used
	depths   map[*ir.Block]int // how many scopes are around where break and continue go
	handlers []handler         // cleanup handlers that are pushed
	asms     []placedAt        // inline assembly of which the outputs are arbitrary
	compared map[*ir.Reg]bool  // addresses of variables that atomic exchanges compare with
	// blocks that nothing jumps to, as far as known when they were started
	dead map[*ir.Block]bool
}

func (l *lowerer) fail(n cc.Node, format string, args ...any) {
	panic(unsupported{pos(n.Position()), fmt.Sprintf(format, args...)})
}

// reg makes a new register; names are made unique within the function.
func (l *lowerer) reg(name string, t ir.Type) *ir.Reg {
	n := l.used[name]
	l.used[name]++
	if n > 0 || name == "" {
		name = fmt.Sprintf("%s#%d", name, n)
	}
	r := &ir.Reg{Name: name, Type: t}
	l.f.Regs = append(l.f.Regs, r)
	return r
}

// temp makes a register for a value. It gives up where there is none of that type: x++ of
// a function.
func (l *lowerer) temp(t ir.Type) *ir.Reg {
	switch t.(type) {
	case ir.FuncType, ir.Void:
		panic(unsupported{l.lastPlace(), fmt.Sprintf("a value of type %s", t)})
	}
	return l.reg("t", t)
}

// lastPlace is the place of what was lowered last.
func (l *lowerer) lastPlace() ir.Pos {
	if l.cur != nil && len(l.cur.Instrs) > 0 {
		return l.cur.Instrs[len(l.cur.Instrs)-1].At()
	}
	return l.f.Pos
}

func (l *lowerer) block(name string) *ir.Block {
	l.blocks++
	return &ir.Block{Name: fmt.Sprintf("%s%d", name, l.blocks)}
}

// start makes b the current block.
func (l *lowerer) start(b *ir.Block) {
	l.f.Blocks = append(l.f.Blocks, b)
	l.cur = b
}

// emit appends an instruction; dead code goes nowhere.
func (l *lowerer) emit(in ir.Instr) {
	if l.cur != nil {
		l.fit(in)
		if _, call := in.(*ir.Call); call && len(l.handlers) > 0 {
			l.ending.inside = append(l.ending.inside, in)
		}
		l.cur.Instrs = append(l.cur.Instrs, in)
	}
}

func (l *lowerer) end(t ir.Term) {
	if l.cur != nil {
		l.cur.Term = t
	}
	l.cur = nil
}

func (l *lowerer) jump(at ir.Pos, to ...*ir.Block) {
	l.end(&ir.Goto{TermBase: ir.TermBase{Pos: at}, Targets: to})
}

func (l *lowerer) branch(at ir.Pos, c ir.Expr, then, els *ir.Block) {
	l.end(&ir.Branch{TermBase: ir.TermBase{Pos: at}, Cond: c, Then: then, Else: els})
}

func at(n cc.Node) ir.Base { return ir.Base{Pos: pos(n.Position())} }

// function lowers the definition into l.f.
func (l *lowerer) function(def *cc.FunctionDefinition) {
	l.start(l.block("entry"))
	for _, p := range l.f.Params {
		l.used[p.Name]++
	}
	l.open()
	l.params(def)
	l.mainArgs(def)
	l.items(def.CompoundStatement)
	l.cleanOnly()
	if l.cur != nil {
		var v ir.Expr
		if !ir.Equal(l.f.Result, ir.Void{}) {
			v = l.zero(l.f.Result)
			if l.f.Name != "main" {
				r := l.temp(l.f.Result)
				// indeterminate
				l.emit(&ir.Havoc{Base: ir.Base{Pos: pos(def.CompoundStatement.Token2.Position())}, Dst: r, Input: true})
				v = ir.Use{Reg: r}
			}
		}
		l.leave(0, pos(def.CompoundStatement.Token2.Position()))
		l.end(&ir.Return{TermBase: ir.TermBase{Pos: pos(def.CompoundStatement.Token2.Position())}, Val: v})
	}
	l.prune()
	l.promote()
	l.seqReaders()
	if strings.HasPrefix(l.f.Name, atomicPrefix) {
		l.atomically()
	}
}

// atomicPrefix begins the names of functions whose bodies are atomic sections, by the
// rules of SV-COMP.
const atomicPrefix = "__VERIFIER_atomic_"

// atomically makes the function's body an atomic section.
func (l *lowerer) atomically() {
	first := l.f.Blocks[0]
	first.Instrs = append([]ir.Instr{&ir.AtomicBegin{Base: ir.Base{Pos: l.f.Pos}}}, first.Instrs...)
	for _, b := range l.f.Blocks {
		if r, ok := b.Term.(*ir.Return); ok {
			b.Instrs = append(b.Instrs, &ir.AtomicEnd{Base: ir.Base{Pos: r.Pos}})
		}
	}
}

// zero is the zero value of a scalar type.
func (l *lowerer) zero(t ir.Type) ir.Expr {
	switch t := t.(type) {
	case ir.Int:
		return ir.IntConst(t, 0)
	case ir.Ptr:
		return ir.Null{T: t}
	case ir.Bool:
		return ir.BoolConst(false)
	}
	return ir.OpaqueConst{T: t, Text: "0"}
}

// params binds the parameters: to their registers, or to stack copies where their address
// is taken.
func (l *lowerer) params(def *cc.FunctionDefinition) {
	ft := def.Declarator.Type().(*cc.FunctionType)
	l.returns = ft.Result()
	i := 0
	if isStruct(ft.Result()) {
		l.result = ir.Use{Reg: l.f.Params[0]}
		i = 1
	}
	l.byName = map[string]local{}
	decls := paramDecls(def)
	for _, p := range ft.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		r := l.f.Params[i]
		i++
		d := decls[p.Name()]
		v := local{reg: r}
		t := p.Type().Decay()
		switch {
		case isStruct(t):
			v = local{addr: ir.Use{Reg: r}}
		case d == nil || d.AddressTaken():
			v = local{addr: l.stack(p.Name(), l.types.Type(t), pos(def.Position()))}
			l.emit(&ir.Store{Base: at(def), Addr: v.addr, Val: ir.Use{Reg: r}, Order: ir.Plain})
			l.declared(v.addr)
		}
		if d != nil {
			l.locals[d] = v
		}
		l.byName[p.Name()] = v
	}
}

// paramDecls lists the parameters' declarators by name.
func paramDecls(def *cc.FunctionDefinition) map[string]*cc.Declarator {
	out := map[string]*cc.Declarator{}
	ft := def.Declarator.Type().(*cc.FunctionType)
	for _, p := range ft.Parameters() {
		if p.Declarator != nil {
			out[p.Name()] = p.Declarator
		}
	}
	return out
}

// stack allocates a local object and returns its address.
func (l *lowerer) stack(name string, t ir.Type, at ir.Pos) ir.Expr {
	r := l.reg("&"+name, ir.Ptr{Elem: t})
	in := &ir.Alloc{Base: ir.Base{Pos: at}, Dst: r, Elem: t, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Name: name}
	if first := l.f.Blocks[0]; l.cur == nil || l.dead[l.cur] {
		// a declaration that jumps pass over: switch (x) { int y; case 1: … }
		first.Instrs = append(first.Instrs, in)
	} else {
		l.emit(in)
	}
	return ir.Use{Reg: r}
}

// prune drops blocks that cannot be reached and ends those without a terminator.
func (l *lowerer) prune() {
	l.dispatch()
	for _, b := range l.f.Blocks {
		if b.Term == nil {
			b.Term = &ir.Stop{Kind: "unreachable"}
		}
	}
	seen := map[*ir.Block]bool{}
	work := []*ir.Block{l.f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if b.Term == nil {
			b.Term = &ir.Stop{Kind: "unreachable"}
		}
		work = append(work, b.Term.Succs()...)
	}
	kept := l.f.Blocks[:0]
	in := map[*ir.Block]bool{}
	for _, b := range l.f.Blocks {
		if seen[b] {
			kept = append(kept, b)
			in[b] = true
		}
	}
	for b := range seen {
		if !in[b] {
			panic("a jump leads to a block that was never placed: " + b.Name)
		}
	}
	l.f.Blocks = kept
	l.assumeAsm(in)
}
