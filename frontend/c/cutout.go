package c

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// cutOut replaces the body of the function definition that an error lies in by a
// prototype's semicolon, keeping lines.
func cutOut(path string, src []byte, err error) ([]byte, Degraded, bool) {
	for _, m := range errorPlace.FindAllStringSubmatch(err.Error(), -1) {
		if filepath.Base(m[1]) != filepath.Base(path) {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		b, ok := enclosing(src, line)
		if !ok {
			continue
		}
		return without(src, []body{b}), Degraded{Name: b.name, Pos: ir.Pos{File: path, Line: b.line}, header: headerLine(src, b),
			Reason: Rejected + plain(m[0])}, true
	}
	return nil, Degraded{}, false
}

var funcName = regexp.MustCompile(`([A-Za-z_]\w*)\s*\([^;{}]*\)\s*$`)

// enclosing finds the function body around a line.
func enclosing(src []byte, line int) (body, bool) {
	for _, b := range bodies(src) {
		if last := b.line + bytes.Count(src[b.from:b.to], []byte("\n")); b.line <= line && line <= last {
			return b, true
		}
	}
	return body{}, false
}

// header is the text since the last semicolon or closing brace, without blanks before it.
func header(b []byte) []byte {
	i := bytes.LastIndexAny(b, ";}")
	return bytes.TrimLeft(b[i+1:], " \t\r\n")
}

// headerLine is the line on which the header of a body begins.
func headerLine(src []byte, b body) int {
	return b.line - bytes.Count(header(src[:b.from]), []byte("\n"))
}

// nameCut finds out which functions were cut out: the header may be a macro's, or end in
// attributes. They are declared where the header is, and nowhere defined. A body that
// belongs to no function is the error that it was cut out for.
func (u *Unit) nameCut() error {
	var out []Degraded
	for _, d := range u.Degraded {
		names := declaredAt(u.AST, d)
		if len(names) == 0 {
			return fmt.Errorf("%s", strings.TrimPrefix(d.Reason, Rejected))
		}
		if slices.Contains(names, d.Name) {
			names = []string{d.Name}
		}
		for _, n := range names {
			d.Name = n
			out = append(out, d)
		}
	}
	u.Degraded = out
	return nil
}

// declaredAt lists the functions that the file declares on the lines of a header, and
// does not define.
func declaredAt(ast *cc.AST, d Degraded) []string {
	var names []string
	defined := map[string]bool{}
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		x := tu.ExternalDeclaration
		switch x.Case {
		case cc.ExternalDeclarationFuncDef:
			defined[x.FunctionDefinition.Declarator.Name()] = true
		case cc.ExternalDeclarationDecl:
			for l := x.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				at := l.InitDeclarator.Declarator
				if p := at.Position(); at.Type().Kind() == cc.Function && p.Filename == d.Pos.File && d.header <= p.Line && p.Line <= d.Pos.Line {
					names = append(names, at.Name())
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return defined[n] })
}

// unknownMacros finds what looks like a macro that is not defined: NAME(x); outside of
// functions. The parser takes it for a declaration in the style of old C, in which names
// of parameters stand for nothing; what the macro would have defined is missing then.
func unknownMacros(ast *cc.AST, path string) error {
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		x := tu.ExternalDeclaration
		if x.Case == cc.ExternalDeclarationFuncDef {
			if d := x.FunctionDefinition.Declarator; d.Type().Kind() != cc.Function {
				return fmt.Errorf("%s: %s has a body, and is no function", pos(d.Position()), d.Name())
			}
			continue
		}
		if x.Case != cc.ExternalDeclarationDecl || hasType(x.Declaration.DeclarationSpecifiers) {
			continue
		}
		for l := x.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			d := l.InitDeclarator.Declarator
			if dd := d.DirectDeclarator; dd != nil && dd.Case == cc.DirectDeclaratorFuncIdent && dd.IdentifierList != nil && d.Position().Filename == path {
				return fmt.Errorf("%s: %s(…) is no macro that is known here, and no declaration: include the header that defines it, or define it (-D, --include)",
					pos(d.Position()), d.Name())
			}
		}
	}
	return nil
}

// hasType reports whether a declaration says a type.
func hasType(s *cc.DeclarationSpecifiers) bool {
	for ; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersTypeSpec {
			return true
		}
	}
	return false
}

// scanner steps over comments, strings and characters.
type scanner struct{ src []byte }

// next returns the offset after the token at i, and its first byte (0 for what is
// skipped).
func (s scanner) next(i int) (int, byte) {
	b := s.src
	switch {
	case b[i] == '/' && i+1 < len(b) && b[i+1] == '*':
		if j := bytes.Index(b[i+2:], []byte("*/")); j >= 0 {
			return i + 2 + j + 2, 0
		}
		return len(b), 0
	case b[i] == '/' && i+1 < len(b) && b[i+1] == '/':
		for i < len(b) && b[i] != '\n' {
			i++
		}
		return i, 0
	case b[i] == '"' || b[i] == '\'':
		q := b[i]
		for i++; i < len(b) && b[i] != q && b[i] != '\n'; i++ {
			if b[i] == '\\' {
				i++
			}
		}
		return min(i+1, len(b)), 0
	}
	return i + 1, b[i]
}
