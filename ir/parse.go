package ir

import (
	"fmt"
	"strconv"
)

// Parse reads a program in the form that Print writes (docs/reference/ir.md). Errors are
// "name:line:column: message". The program is well-formed as text: names resolve and are
// unique where text must tell them apart; Validate checks types.
func Parse(name string, src []byte) (*Program, error) {
	toks, err := lex(src)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	p := &parser{toks: toks, prog: &Program{}, structs: map[string]*Struct{}, globals: map[string]*Global{},
		funcs: map[string]*Func{}, ghosts: map[string]*Reg{}}
	p.declare()
	for _, body := range []bool{true, false} { // structs first: expressions name their members
		p.at = 0
		for p.err == nil && p.tok().kind != tokEOF {
			p.top(body)
		}
	}
	if p.err != nil {
		return nil, fmt.Errorf("%s:%w", name, p.err)
	}
	p.cellTypes()
	return p.prog, nil
}

// cellTypes gives initial cells without a written type that of their value, now that all
// declarations are read.
func (p *parser) cellTypes() {
	for _, g := range p.prog.Globals {
		for i := range g.Init {
			if c := &g.Init[i]; c.Type == nil {
				c.Type = c.Value.Type()
			}
		}
	}
}

// parser reads tokens; after the first error it only sees the end of the file.
type parser struct {
	toks    []token
	at      int
	err     error
	depth   int    // nesting of expressions and types
	file    string // of the last position
	prog    *Program
	structs map[string]*Struct
	globals map[string]*Global
	funcs   map[string]*Func
	ghosts  map[string]*Reg
	// of the current function:
	regs   map[string]*Reg
	blocks map[string]*blockRef
}

func (p *parser) tok() token { return p.peek(0) }

func (p *parser) peek(n int) token {
	last := len(p.toks) - 1
	if p.err != nil || p.at+n > last {
		return p.toks[last]
	}
	return p.toks[p.at+n]
}

func (p *parser) failAt(t token, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%d:%d: %s", t.line, t.col, fmt.Sprintf(format, args...))
	}
}

func (p *parser) fail(format string, args ...any) { p.failAt(p.tok(), format, args...) }

func (p *parser) take() token {
	t := p.tok()
	if p.at < len(p.toks)-1 {
		p.at++
	}
	return t
}

// accept passes the word or punctuation s if it is next.
func (p *parser) accept(s string) bool {
	if p.tok().is(s) {
		p.take()
		return true
	}
	return false
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.fail("expected '%s', found %s", s, p.tok())
	}
}

func (p *parser) name(what string) string {
	if !p.tok().isName() {
		p.fail("expected %s, found %s", what, p.tok())
		return ""
	}
	return p.take().text
}

func (p *parser) str(what string) string {
	if p.tok().kind != tokString {
		p.fail("expected %s in quotes, found %s", what, p.tok())
		return ""
	}
	return p.take().text
}

func (p *parser) number(what string) int64 {
	t := p.tok()
	n, err := strconv.ParseInt(t.text, 10, 64)
	if t.kind != tokNumber || err != nil {
		p.fail("expected %s, a number, found %s", what, t)
		return 0
	}
	p.take()
	return n
}

func (p *parser) endLine() {
	if k := p.tok().kind; k == tokNewline {
		p.take()
	} else if k != tokEOF && !p.tok().is("}") {
		p.fail("expected end of line, found %s", p.tok())
	}
}

func (p *parser) skipNewlines() {
	for p.tok().kind == tokNewline {
		p.take()
	}
}

// list calls f for each element of a list separated by commas.
func (p *parser) list(f func()) {
	f()
	for p.err == nil && p.accept(",") {
		f()
	}
}

// pos reads an optional position: @"file":line:col, where the file may be left out if it
// is that of the position before.
func (p *parser) pos() Pos {
	if !p.accept("@") {
		return Pos{}
	}
	if p.tok().kind == tokString {
		p.file = p.take().text
		if !p.accept(":") {
			return Pos{File: p.file}
		}
	}
	pos := Pos{File: p.file, Line: int(p.number("a line"))}
	if p.accept(":") {
		pos.Col = int(p.number("a column"))
	}
	return pos
}

// declare makes the structs, globals and functions named at top level, so that uses may
// come before declarations.
func (p *parser) declare() {
	depth := 0
	var open token
	for i, t := range p.toks[:len(p.toks)-1] {
		name := p.toks[i+1]
		switch {
		case t.is("{"):
			if depth == 0 {
				open = t
			}
			depth++
		case t.is("}"):
			depth--
			if depth < 0 {
				p.failAt(t, "'}' without '{'")
				return
			}
		case depth != 0 || t.kind != tokIdent || !name.isName() || i > 0 && p.toks[i-1].kind != tokNewline:
		case t.text == "struct" || t.text == "union":
			s := &Struct{Name: name.text, Union: t.text == "union"}
			declareOne(p, p.structs, name, s)
			p.prog.Structs = append(p.prog.Structs, s)
		case t.text == "global":
			g := &Global{Name: name.text}
			declareOne(p, p.globals, name, g)
			p.prog.Globals = append(p.prog.Globals, g)
		case t.text == "func":
			f := &Func{Name: name.text}
			declareOne(p, p.funcs, name, f)
			p.prog.Funcs = append(p.prog.Funcs, f)
		}
	}
	if depth > 0 {
		p.failAt(open, "'{' without '}'")
	}
}

func declareOne[T any](p *parser, m map[string]T, t token, x T) {
	if _, dup := m[t.text]; dup {
		p.failAt(t, "%s is declared twice", Quote(t.text))
	}
	m[t.text] = x
}

// top reads one top-level declaration: the structs in the first pass, everything else in
// the second.
func (p *parser) top(structs bool) {
	p.skipNewlines()
	t := p.tok()
	if t.kind == tokEOF {
		return
	}
	if t.kind != tokIdent {
		p.fail("expected a declaration, found %s", t)
		return
	}
	isStruct := t.text == "struct" || t.text == "union"
	if isStruct != structs {
		p.skipDecl()
		return
	}
	p.take()
	switch t.text {
	case "struct", "union":
		p.structure()
	case "program":
		p.prog.Name = p.str("the program's name")
		p.prog.TypeSafe = p.accept("typesafe")
		p.prog.NarrowPointers = p.accept("narrow")
	case "global":
		p.global()
	case "ghost":
		p.regDecl(p.ghosts, &p.prog.Ghosts, true)
	case "func":
		p.fn()
	case "entry":
		p.entry()
	case "exclude":
		x := Exclusion{A: p.name("an entry")}
		p.expect(",")
		x.B = p.name("an entry")
		x.Reason = p.str("the reason")
		p.prog.Exclusions = append(p.prog.Exclusions, x)
	case "assumption":
		a := Assumption{Kind: p.name("a kind"), Text: p.str("a text")}
		a.Pos = p.pos()
		p.prog.Assumptions = append(p.prog.Assumptions, a)
	default:
		p.failAt(t, "expected a declaration (struct, global, func, entry, …), found %s", t)
	}
	p.endLine()
}

// skipDecl passes a declaration with its body.
func (p *parser) skipDecl() {
	depth := 0
	for p.tok().kind != tokEOF {
		switch t := p.take(); {
		case t.is("{"):
			depth++
		case t.is("}"):
			depth--
		case t.kind == tokNewline && depth <= 0:
			return
		}
	}
}
