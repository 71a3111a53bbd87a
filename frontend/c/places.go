package c

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Place is where an expression can be put into a source file, to be evaluated whenever an
// execution is there.
type Place struct {
	// Loop: before each evaluation of a loop's condition; Pos is the loop's keyword.
	// Otherwise: before the statement or declaration at Pos, which belongs to a block.
	// Lines and columns are those of the text, whatever its line markers say.
	Loop bool
	Pos  ir.Pos
	Func string
	// Offset is where in the text to put "expression, " for a loop, "expression; "
	// otherwise. Empty: the loop has no condition, so that ", 1" is to follow the
	// expression in place of ", ".
	Offset int
	Empty  bool
	// Do: a do loop, whose body comes before its condition. Body is where to put
	// "expression; " at the start of that, 0 where it is no block.
	Do   bool
	Body int
	// Why tells why facts are of use there: "loop", "body" (the start of a for loop's
	// body), "entry" (of a function), "lock" (behind a call that takes a lock, or waits),
	// "assert"; "" for other places.
	Why string
	// Vars are the variables in scope at Pos that the function names.
	Vars []Var
}

// Var is a variable, or a member of one, that has a number or a pointer.
type Var struct {
	// Expr is its C expression. Integers have a type Int; of pointers Pointer is set.
	Expr    string
	Int     ir.Int
	Pointer bool
}

// Places finds the loops, and the statements and declarations in blocks, of a file (src
// nil: read from disk). Those within macros, and statements with labels, are left out.
func Places(path string, src []byte, opt Options) ([]Place, error) {
	if src == nil {
		var err error
		if src, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	plain := lineMarker.ReplaceAll(src, nil)
	u, err := Parse(path, plain, opt)
	if err != nil {
		return nil, err
	}
	f := &placeFinder{path: path, text: plain, types: NewTypes(opt.DataModel)}
	f.lineStarts(src, rewrite(plain))
	for t := u.AST.TranslationUnit; t != nil; t = t.TranslationUnit {
		switch d := t.ExternalDeclaration; {
		case d == nil:
		case d.Case == cc.ExternalDeclarationDecl:
			f.declare(d.Declaration)
		case d.Case == cc.ExternalDeclarationFuncDef:
			f.function(d.FunctionDefinition)
		}
	}
	return f.out, nil
}

// lineMarker is a line that says where the next ones come from.
var lineMarker = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(line[ \t]+)?[0-9]+.*$`)

type placeFinder struct {
	path   string
	text   []byte
	types  *Types
	lines  []int  // offsets in the source as it is; -1 where a rewrite changed the line
	starts []int  // offsets of the lines in text
	body   string // the function's text
	named  map[string]bool
	name   string
	vars   []*cc.Declarator // in scope, inner ones last
	out    []Place
}

// lineStarts finds the lines. Those that are rewritten before they are parsed have no
// offsets.
func (f *placeFinder) lineStarts(src, rewritten []byte) {
	was, now, plain := bytes.SplitAfter(src, []byte("\n")), bytes.SplitAfter(rewritten, []byte("\n")), bytes.SplitAfter(f.text, []byte("\n"))
	at, off := 0, 0
	for i := range was {
		start := at
		if i >= len(now) || i >= len(plain) || !bytes.Equal(now[i], plain[i]) {
			start = -1
		}
		f.lines = append(f.lines, start)
		f.starts = append(f.starts, off)
		at += len(was[i])
		if i < len(plain) {
			off += len(plain[i])
		}
	}
}

// at is the offset of a token; ok is false where the text does not show it there: it
// comes from a macro, or another file.
func (f *placeFinder) at(p ir.Pos, token string) (off int, ok bool) {
	if p.File != f.path || p.Line < 1 || p.Line > len(f.lines) || f.lines[p.Line-1] < 0 || token == "" {
		return 0, false
	}
	k := f.starts[p.Line-1] + p.Col - 1
	if k+len(token) > len(f.text) || string(f.text[k:k+len(token)]) != token {
		return 0, false
	}
	return f.lines[p.Line-1] + p.Col - 1, true
}

func (f *placeFinder) declare(n *cc.Declaration) {
	if n == nil {
		return
	}
	if n.Case == cc.DeclarationAuto {
		f.vars = append(f.vars, n.Declarator)
		return
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if d := l.InitDeclarator.Declarator; d != nil {
			f.vars = append(f.vars, d)
		}
	}
}

func (f *placeFinder) function(def *cc.FunctionDefinition) {
	depth := len(f.vars)
	f.name, f.body = def.Declarator.Name(), cc.NodeSource(def.CompoundStatement)
	f.named = map[string]bool{}
	f.vars = append(f.vars, def.Declarator)
	ft, ok := def.Declarator.Type().(*cc.FunctionType)
	if ok && def.Declarator.Name() != "" {
		for _, p := range ft.Parameters() {
			if p.Declarator != nil {
				f.vars = append(f.vars, p.Declarator)
			}
		}
		f.compound(def.CompoundStatement, "entry")
	}
	f.vars = append(f.vars[:depth:depth], def.Declarator)
}

// compound finds the places in a block; first is why its first item is one.
func (f *placeFinder) compound(n *cc.CompoundStatement, first string) {
	depth, why := len(f.vars), first
	for b := n.BlockItemList; b != nil; b = b.BlockItemList {
		text := cc.NodeSource(b.BlockItem)
		if w := interest(text); w != "" && b.BlockItem.Case == cc.BlockItemStmt {
			why = w
		}
		if f.statement(b.BlockItem, text, why) { // the first item may be cc's own __func__
			why = ""
		}
		switch b.BlockItem.Case {
		case cc.BlockItemDecl:
			f.declare(b.BlockItem.Declaration)
		case cc.BlockItemStmt:
			if s := b.BlockItem.Statement; s.Case == cc.StatementExpr && takes.MatchString(text) {
				why = "lock"
			}
			f.stmt(b.BlockItem.Statement)
		}
	}
	f.vars = f.vars[:depth:depth]
}

// takes recognises calls that take locks, asserts statements that check something.
var (
	takes   = regexp.MustCompile(`\b(\w*_)?(lock|rdlock|wrlock|acquire|atomic_begin|wait|join)\s*\(`)
	asserts = regexp.MustCompile(`\b(\w*_)?assert\w*\s*\(|\breach_error\s*\(|\b__VERIFIER_error\s*\(`)
)

// interest says why a statement's text makes it a place.
func interest(text string) string {
	if asserts.MatchString(text) && len(text) < 300 {
		return "assert"
	}
	return ""
}

// statement makes a place of a block's item, and reports whether it did.
func (f *placeFinder) statement(n *cc.BlockItem, text, why string) bool {
	if n.Case == cc.BlockItemFuncDef || n.Case == cc.BlockItemStmt && (n.Statement.Case == cc.StatementLabeled || n.Statement.Case == cc.StatementCompound) {
		return false
	}
	if n.Case == cc.BlockItemDecl && n.Declaration.Case == cc.DeclarationAssert {
		return false
	}
	p := pos(n.Position())
	off, ok := f.at(p, firstWord.FindString(strings.TrimSpace(text)))
	if ok {
		f.add(Place{Pos: p, Func: f.name, Offset: off, Why: why})
	}
	return ok
}

var firstWord = regexp.MustCompile(`^(\w+|.)`)

func (f *placeFinder) stmt(n *cc.Statement) {
	if n == nil {
		return
	}
	switch n.Case {
	case cc.StatementLabeled:
		f.stmt(n.LabeledStatement.Statement)
	case cc.StatementCompound:
		f.compound(n.CompoundStatement, "")
	case cc.StatementSelection:
		f.stmt(n.SelectionStatement.Statement)
		f.stmt(n.SelectionStatement.Statement2)
	case cc.StatementIteration:
		f.loop(n.IterationStatement)
	}
}

// loop makes a place of a loop, and goes into its body. What a for loop declares is not
// in scope at its keyword.
func (f *placeFinder) loop(n *cc.IterationStatement) {
	p := Place{Loop: true, Pos: pos(n.Token.Position()), Func: f.name, Why: "loop"}
	_, ok := f.at(p.Pos, n.Token.SrcStr())
	var tok cc.Token
	switch n.Case {
	case cc.IterationStatementWhile:
		tok = n.Token2 // (
	case cc.IterationStatementDo:
		tok, p.Do = n.Token3, true
		if b := n.Statement; b.Case == cc.StatementCompound {
			if off, ok := f.at(pos(b.CompoundStatement.Token.Position()), "{"); ok {
				p.Body = off + 1
			}
		}
	case cc.IterationStatementFor:
		tok, p.Empty = n.Token3, n.ExpressionList2 == nil
	case cc.IterationStatementForDecl:
		tok, p.Empty = n.Declaration.Token, n.ExpressionList == nil
	}
	off, in := f.at(pos(tok.Position()), tok.SrcStr())
	depth, body := len(f.vars), ""
	vars := f.vars
	if n.Case == cc.IterationStatementForDecl {
		f.declare(n.Declaration)
		body = "body"
	}
	if p.Offset = off + 1; ok && in {
		p.Vars = f.inScope(vars, f.vars[depth:])
		f.out = append(f.out, p)
	}
	if n.Statement.Case == cc.StatementCompound {
		f.compound(n.Statement.CompoundStatement, body)
	} else {
		f.stmt(n.Statement)
	}
	f.vars = f.vars[:depth:depth]
}

func (f *placeFinder) add(p Place) {
	p.Vars = f.inScope(f.vars, nil)
	if !slices.ContainsFunc(f.out, func(o Place) bool { return o.Offset == p.Offset }) {
		f.out = append(f.out, p)
	}
}

// inScope lists the variables that the function names; those with the name of a hidden
// one are left out.
func (f *placeFinder) inScope(ds, hidden []*cc.Declarator) []Var {
	seen := map[string]bool{}
	for _, d := range hidden {
		seen[d.Name()] = true
	}
	var out []Var
	for i := len(ds) - 1; i >= 0; i-- {
		d := ds[i]
		if name := d.Name(); name == "" || seen[name] {
			continue
		} else if seen[name] = true; d.IsTypename() || !f.names(name) {
			continue
		}
		out = f.variable(d.Name(), d.Type(), d.Name(), out)
	}
	slices.Reverse(out)
	return out
}

// names reports whether the function's text has an expression's words.
func (f *placeFinder) names(expr string) bool {
	if ok, known := f.named[expr]; known {
		return ok
	}
	ok, err := regexp.MatchString(`(^|[^\w.>])`+strings.ReplaceAll(regexp.QuoteMeta(expr), `\.`, `\s*\.\s*`)+`\b`, f.body)
	f.named[expr] = ok && err == nil
	return f.named[expr]
}

// variable appends a variable, or its members that the function names.
func (f *placeFinder) variable(expr string, t cc.Type, name string, out []Var) []Var {
	if t == nil || t.Kind() == cc.Function || t.Kind() == cc.Array {
		return out
	}
	switch it := f.types.Type(t).(type) {
	case ir.Int:
		if t.Kind() == cc.Bool {
			it = ir.Int{Bits: 1}
		}
		return append(out, Var{Expr: expr, Int: it})
	case ir.Bool:
		return append(out, Var{Expr: expr, Int: ir.Int{Bits: 1}})
	case ir.Ptr:
		return append(out, Var{Expr: expr, Pointer: true})
	}
	if s, ok := t.(*cc.StructType); ok {
		for i := 0; i < s.NumFields(); i++ {
			if m := s.FieldByIndex(i); m != nil && m.Name() != "" && !m.IsBitfield() && f.names(expr+"."+m.Name()) {
				out = f.variable(expr+"."+m.Name(), m.Type(), name, out)
			}
		}
	}
	return out
}
