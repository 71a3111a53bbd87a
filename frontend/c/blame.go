package c

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// parserFailure is what cc does not tell the place of: a panic, or something that it does
// not do yet.
type parserFailure struct {
	path string
	line int // 0 where it is not known
	what string
}

func (f *parserFailure) Error() string {
	at := f.path
	if f.line > 0 {
		at = fmt.Sprintf("%s:%d", f.path, f.line)
	}
	return fmt.Sprintf("%s: internal error of the C parser, please report it with the file: %s", at, f.what)
}

// placeless turns an error of cc that has no place into a parserFailure.
func placeless(path string, err error) error {
	var f *parserFailure
	if err == nil || errors.As(err, &f) || errorPlace.MatchString(err.Error()) || strings.Contains(err.Error(), endName+":") {
		return err
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return &parserFailure{path: path, what: plain(line)}
}

// body is the body of a function in a text: the offsets of its braces and its end, and
// the line it starts at.
type body struct {
	name     string
	from, to int
	line     int
}

// bodies lists the bodies of functions.
func bodies(src []byte) []body {
	var out []body
	depth, line, start, startLine := 0, 1, 0, 0
	sc := scanner{src: src}
	for i := 0; i < len(src); {
		n, tok := sc.next(i)
		switch tok {
		case '{':
			if depth == 0 {
				start, startLine = i, line
			}
			depth++
		case '}':
			depth--
			if depth == 0 {
				if m := funcName.FindSubmatch(header(src[:start])); m != nil {
					out = append(out, body{string(m[1]), start, i + 1, startLine})
				}
			}
		}
		line += bytes.Count(src[i:n], []byte("\n"))
		i = n
	}
	return out
}

// without is a text in which a semicolon stands for each of some bodies.
func without(src []byte, bs []body) []byte {
	var out []byte
	done := 0
	for _, b := range bs {
		out = append(append(out, src[done:b.from]...), ';')
		out = append(out, strings.Repeat("\n", bytes.Count(src[b.from:b.to], []byte("\n")))...)
		done = b.to
	}
	return append(out, src[done:]...)
}

// blame looks for the function that makes cc fail without a place, and cuts it out: the
// first of those with which the text is rejected, where it is not rejected without all of
// them.
func blame(path string, src []byte, err error, parse func([]byte) error) ([]byte, Degraded, bool) {
	var f *parserFailure
	bs := bodies(src)
	if !errors.As(err, &f) || len(bs) == 0 || parse(without(src, bs)) != nil {
		return nil, Degraded{}, false
	}
	k := sort.Search(len(bs)-1, func(k int) bool { return parse(without(src, bs[:k+1])) == nil })
	b := bs[k]
	d := Degraded{Name: b.name, Pos: ir.Pos{File: path, Line: b.line}, header: headerLine(src, b),
		Reason: fmt.Sprintf("%s%s:%d: internal error of the C parser, please report it: %s", Rejected, path, b.line, f.what)}
	return without(src, bs[k:k+1]), d, true
}

// located finds the line up to which a text has to be read for cc to fail on it without a
// place.
func located(src []byte, err error, parse func([]byte) error) error {
	var f *parserFailure
	if !errors.As(err, &f) || f.line > 0 {
		return err
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	f.line = 1 + sort.Search(len(lines)-1, func(k int) bool {
		var g *parserFailure
		return errors.As(parse(append(bytes.Join(lines[:k+1], nil), '\n')), &g)
	})
	return f
}

// guarded turns a panic of cc into an error.
func guarded(path string, f func() (*cc.AST, error)) (ast *cc.AST, err error) {
	defer func() {
		if r := recover(); r != nil {
			ast, err = nil, &parserFailure{path: path, what: "it fails on what it reads (" + strings.TrimPrefix(fmt.Sprint(r), "runtime error: ") + ")"}
		}
	}()
	ast, err = f()
	return ast, placeless(path, err)
}
