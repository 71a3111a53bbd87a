package ir

import "math/big"

// maxNesting bounds the depth of expressions and types, so that no input overflows the
// stack.
const maxNesting = 50_000

// enter counts a level of nesting; it reports false, with an error, when there are too
// many.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxNesting {
		p.fail("nested too deeply")
	}
	return p.err == nil
}

// typ reads a type; after an error it returns Void.
func (p *parser) typ() Type {
	defer func() { p.depth-- }()
	if !p.enter() {
		return Void{}
	}
	t := p.tok()
	if it, ok := intType(t.text); ok && t.kind == tokIdent {
		p.take()
		return it
	}
	switch {
	case p.accept("*"):
		narrow := p.accept("narrow")
		return Ptr{Elem: p.typ(), Narrow: narrow}
	case p.accept("["):
		n := p.number("a length")
		p.expect("]")
		return Array{p.typ(), n}
	case p.accept("void"):
		return Void{}
	case p.accept("bool"):
		return Bool{}
	case p.accept("opaque"):
		p.expect("(")
		o := Opaque{Name: p.str("a name")}
		p.expect(",")
		o.Bytes = p.number("a size")
		p.expect(")")
		return o
	case p.accept("func"):
		return p.funcType()
	case p.accept("struct"):
		p.expect("(")
		s := p.structRef()
		p.expect(")")
		return s
	}
	p.fail("expected a type, found %s", t)
	return Void{}
}

func (p *parser) funcType() Type {
	var f FuncType
	p.expect("(")
	if !p.accept(")") {
		p.list(func() {
			if f.Variadic {
				p.fail("a parameter after '...'")
			}
			if p.accept("...") {
				f.Variadic = true
			} else {
				f.Params = append(f.Params, p.typ())
			}
		})
		p.expect(")")
	}
	f.Result = p.typ()
	return f
}

func (p *parser) structRef() *Struct {
	t := p.tok()
	name := p.name("a struct")
	s := p.structs[name]
	if s == nil {
		p.failAt(t, "there is no struct %s", Quote(name))
		s = &Struct{}
	}
	return s
}

func (p *parser) ptrType() Ptr {
	t := p.tok()
	pt, ok := p.typ().(Ptr)
	if !ok {
		p.failAt(t, "expected a pointer type")
	}
	return pt
}

// expr reads an expression; after an error it returns some expression.
func (p *parser) expr() Expr {
	defer func() { p.depth-- }()
	if !p.enter() {
		return BoolConst(false)
	}
	t := p.tok()
	switch {
	case t.is("&"):
		p.take()
		name := p.tok()
		g := p.globals[p.name("a global")]
		if g == nil {
			p.failAt(name, "there is no global %s", Quote(name.text))
			g = &Global{Type: Void{}}
		}
		return GlobalAddr{g}
	case t.kind == tokString, t.kind == tokIdent && !reserved(t.text):
		return Use{p.reg()}
	case t.kind == tokIdent:
		p.take()
		return p.wordExpr(t)
	}
	p.fail("expected an expression, found %s", t)
	return BoolConst(false)
}

// reg reads a register's name.
func (p *parser) reg() *Reg {
	t := p.tok()
	name := p.name("a register")
	if r := p.regs[name]; r != nil {
		return r
	}
	if r := p.ghosts[name]; r != nil {
		return r
	}
	p.failAt(t, "there is no register %s", Quote(name))
	return &Reg{Type: Void{}}
}

// wordExpr reads an expression that begins with the reserved word t.
func (p *parser) wordExpr(t token) Expr {
	if it, ok := intType(t.text); ok {
		return p.intConst(it)
	}
	switch t.text {
	case "true", "false":
		return BoolConst(t.text == "true")
	case "null":
		return Null{p.ptrType()}
	case "fn":
		return FuncAddr{p.funcRef()}
	}
	p.expect("(")
	e := p.compound(t)
	p.expect(")")
	return e
}

func (p *parser) intConst(t Int) Expr {
	n := p.tok()
	v, ok := new(big.Int).SetString(n.text, 10)
	if n.kind != tokNumber || !ok {
		p.fail("expected a number after %s, found %s", t, n)
		v = new(big.Int)
	}
	p.take()
	return Const{t, v}
}

func (p *parser) funcRef() *Func {
	t := p.tok()
	name := p.name("a function")
	f := p.funcs[name]
	if f == nil {
		p.failAt(t, "there is no function %s", Quote(name))
		f = &Func{Result: Void{}}
	}
	return f
}

// compound reads the part in parentheses of an expression that begins with the word t.
func (p *parser) compound(t token) Expr {
	comma := func() { p.expect(",") }
	switch t.text {
	case "field":
		return p.fieldAddr()
	case "index":
		e := IndexAddr{Base: p.expr()}
		comma()
		e.Idx = p.expr()
		comma()
		e.Stride = p.number("a stride")
		comma()
		e.T = p.ptrType()
		return e
	case "cast", "pun":
		e := Cast{T: p.typ(), Pun: t.text == "pun"}
		comma()
		e.X = p.expr()
		return e
	case "select":
		e := Select{C: p.expr()}
		comma()
		e.X = p.expr()
		comma()
		e.Y = p.expr()
		return e
	case "const":
		e := OpaqueConst{T: p.typ()}
		comma()
		e.Text = p.str("a text")
		return e
	case "neg", "not", "lnot":
		return Unary{t.text, p.expr()}
	}
	if !binaryOp(t.text) {
		p.failAt(t, "expected an expression, found %s", t)
		return BoolConst(false)
	}
	e := Binary{Op: t.text, X: p.expr()}
	comma()
	e.Y = p.expr()
	return e
}

func binaryOp(op string) bool {
	switch op {
	case "add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr",
		"eq", "ne", "lt", "le", "gt", "ge", "land", "lor":
		return true
	}
	return false
}

func (p *parser) fieldAddr() Expr {
	e := FieldAddr{Base: p.expr()}
	p.expect(",")
	e.S = p.structRef()
	p.expect(",")
	t := p.tok()
	if t.kind == tokNumber {
		e.Index = int(p.number("a member's index"))
	} else {
		e.Index = e.S.FieldAt(p.name("a member"))
	}
	if p.err == nil && (e.Index < 0 || e.Index >= len(e.S.Fields)) {
		p.failAt(t, "struct %s has no member %s", Quote(e.S.Name), t)
	}
	if p.err != nil {
		return BoolConst(false)
	}
	return e
}
