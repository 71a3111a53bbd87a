package ir

// blockRef is a block of the current function, and where it was first named.
type blockRef struct {
	b       *Block
	first   token
	defined bool
}

func (p *parser) structure() {
	s := p.structs[p.name("the struct's name")]
	p.expect("size")
	size := p.number("a size")
	prints := p.accept("prints")
	sum := p.accept("sum")
	whole := p.accept("whole")
	closed := p.accept("closed")
	p.expect("{")
	if p.err != nil {
		return
	}
	s.Bytes, s.Prints, s.Sum, s.Whole, s.Closed = size, prints, sum, whole, closed
	p.skipNewlines()
	for p.err == nil && !p.accept("}") {
		f := Field{Name: p.name("a member")}
		p.expect(":")
		f.Type = p.typ()
		p.expect("@")
		f.Offset = p.number("an offset")
		if p.accept("bits") {
			f.BitOffset = int(p.number("a bit offset"))
			p.expect(":")
			f.BitWidth = int(p.number("a bit width"))
		}
		f.Hidden, f.Own, f.Const = p.accept("hidden"), p.accept("own"), p.accept("const")
		s.Fields = append(s.Fields, f)
		p.accept(",")
		p.skipNewlines()
		if p.tok().kind == tokEOF {
			p.fail("expected '}', found %s", p.tok())
		}
	}
}

func (p *parser) global() {
	g := p.globals[p.name("the global's name")]
	p.expect(":")
	t := p.typ()
	if p.err != nil {
		return
	}
	g.Type = t
	for again := true; again; {
		switch {
		case p.accept("static"):
			g.Static = true
		case p.accept("const"):
			g.Const = true
		case p.accept("extern"):
			g.Extern = true
		case p.accept("threadlocal"):
			g.ThreadLocal = true
		default:
			again = false
		}
	}
	g.Pos = p.pos()
	if !p.accept("=") {
		return
	}
	p.expect("{")
	p.skipNewlines()
	for p.err == nil && !p.accept("}") {
		c := InitCell{Offset: p.number("an offset")}
		if p.accept(":") {
			c.Type = p.typ()
		}
		p.expect("=")
		c.Value = p.expr()
		if p.err != nil {
			return
		}
		c.Pos = p.pos()
		g.Init = append(g.Init, c)
		p.accept(",")
		p.skipNewlines()
	}
}

// regDecl reads "a, b: type @pos" and adds the registers.
func (p *parser) regDecl(scope map[string]*Reg, to *[]*Reg, ghost bool) {
	var regs []*Reg
	p.list(func() {
		t := p.tok()
		r := &Reg{Name: p.name("a register"), Ghost: ghost}
		declareOne(p, scope, t, r)
		regs = append(regs, r)
	})
	p.expect(":")
	typ := p.typ()
	pos := p.pos()
	for _, r := range regs {
		r.Type, r.Pos = typ, pos
	}
	*to = append(*to, regs...)
}

func (p *parser) fn() {
	f := p.funcs[p.name("the function's name")]
	p.regs, p.blocks = map[string]*Reg{}, map[string]*blockRef{}
	p.expect("(")
	if p.err != nil {
		return
	}
	if !p.accept(")") {
		p.list(func() { p.param(f) })
		p.expect(")")
	}
	f.Result = p.typ()
	f.Extern = p.accept("extern")
	f.Relays = p.accept("relays")
	f.Alone = p.accept("alone")
	if p.accept("unknown") {
		f.Unknown = p.str("the reason")
	}
	f.Pos = p.pos()
	if p.accept("{") {
		p.body(f)
	}
	p.regs, p.blocks = nil, nil
}

func (p *parser) param(f *Func) {
	if f.Variadic {
		p.fail("a parameter after '...'")
	}
	if p.accept("...") {
		f.Variadic = true
		return
	}
	t := p.tok()
	r := &Reg{Name: p.name("a parameter")}
	p.expect(":")
	r.Type = p.typ()
	r.Pos = p.pos()
	if r.Name != "" { // prototypes leave names out
		declareOne(p, p.regs, t, r)
	}
	f.Params = append(f.Params, r)
}

func (p *parser) body(f *Func) {
	var cur *Block
	p.skipNewlines()
	for p.err == nil && !p.accept("}") {
		switch {
		case p.tok().isName() && p.peek(1).is(":"):
			cur = p.label(f)
		case cur == nil && p.tok().is("reg"):
			p.take()
			p.regDecl(p.regs, &f.Regs, false)
			p.endLine()
		case cur == nil:
			p.fail("expected 'reg' or a block's label, found %s", p.tok())
		case cur.Term != nil:
			p.fail("an instruction after the end of the block %s", Quote(cur.Name))
		default:
			p.statement(cur)
			p.endLine()
		}
		p.skipNewlines()
	}
	var undefined *blockRef
	for _, r := range p.blocks {
		if !r.defined && (undefined == nil || before(r.first, undefined.first)) {
			undefined = r
		}
	}
	if undefined != nil {
		p.failAt(undefined.first, "there is no block %s in %s", Quote(undefined.b.Name), Quote(f.Name))
	}
}

func before(a, b token) bool { return a.line < b.line || a.line == b.line && a.col < b.col }

func (p *parser) label(f *Func) *Block {
	t := p.tok()
	b := p.block()
	r := p.blocks[t.text]
	if r.defined {
		p.failAt(t, "the block %s is there twice", Quote(t.text))
	}
	r.defined = true
	f.Blocks = append(f.Blocks, b)
	p.expect(":")
	return b
}

// block reads a block's name.
func (p *parser) block() *Block {
	t := p.tok()
	name := p.name("a block")
	r := p.blocks[name]
	if r == nil {
		r = &blockRef{b: &Block{Name: name}, first: t}
		p.blocks[name] = r
	}
	return r.b
}

func (p *parser) entry() {
	t := p.tok()
	e := &Entry{Name: p.name("the entry's name")}
	fname := e.Name
	if p.accept("func") {
		t = p.tok()
		fname = p.name("a function")
	}
	if e.Func = p.funcs[fname]; e.Func == nil {
		p.failAt(t, "there is no function %s", Quote(fname))
	}
	for again := true; again && p.err == nil; {
		switch {
		case p.accept("kind"):
			e.Kind = p.str("a kind")
		case p.accept("multi"):
			e.Multi = true
		case p.accept("spawned"):
			e.Spawned = true
		case p.accept("init"):
			e.Init = true
		case p.accept("exit"):
			e.Exit = true
		case p.accept("always"):
			e.Always = true
		case p.accept("holds"):
			p.list(func() { e.Holds = append(e.Holds, p.name("a lock")) })
		case p.accept("private"):
			p.list(func() { e.Private = append(e.Private, int(p.number("a parameter's index"))) })
		case p.accept("nonnull"):
			p.list(func() { e.NonNull = append(e.NonNull, int(p.number("a parameter's index"))) })
		case p.accept("serial"):
			p.list(func() { e.Serial = append(e.Serial, int(p.number("a parameter's index"))) })
		case p.accept("stop"):
			e.Stop = p.name("a function")
		case p.accept("given"):
			p.list(func() { e.Given = append(e.Given, p.given()) })
		case p.accept("same"):
			p.list(func() { e.Same = append(e.Same, p.same()) })
		default:
			again = false
		}
	}
	e.Pos = p.pos()
	p.prog.Entries = append(p.prog.Entries, e)
}

func (p *parser) given() ArgSource {
	g := ArgSource{Param: int(p.number("a parameter's index"))}
	p.expect("in")
	g.S = p.structRef()
	p.expect("at")
	g.Off = p.number("an offset")
	return g
}

func (p *parser) same() SameArgument {
	x := SameArgument{Param: int(p.number("a parameter's index"))}
	p.expect("as")
	x.Of = p.name("an entry")
	x.OfParam = int(p.number("a parameter's index"))
	p.expect("at")
	x.Off = p.number("an offset")
	return x
}
