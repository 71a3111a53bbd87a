package ir

import (
	"fmt"
	"strconv"
)

type tokKind int

const (
	tokEOF tokKind = iota
	tokNewline
	tokIdent
	tokString // text is the unquoted value
	tokNumber
	tokPunct
)

// token is a lexical element of the textual form.
type token struct {
	kind      tokKind
	text      string
	line, col int
}

func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "end of file"
	case tokNewline:
		return "end of line"
	case tokString:
		return Quote(t.text)
	}
	return "'" + t.text + "'"
}

// is reports whether t is the given word or punctuation.
func (t token) is(text string) bool {
	return (t.kind == tokIdent || t.kind == tokPunct) && t.text == text
}

func (t token) isName() bool { return t.kind == tokIdent || t.kind == tokString }

// lexer cuts text into tokens. Ends of lines are tokens (as is ';'), except inside
// parentheses.
type lexer struct {
	src       []byte
	off       int
	line, col int
	depth     int // open parentheses
}

// lex returns all tokens of src, the last one being tokEOF.
func lex(src []byte) ([]token, error) {
	l := &lexer{src: src, line: 1, col: 1}
	var out []token
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		if t.kind == tokNewline && (l.depth > 0 || len(out) == 0 || out[len(out)-1].kind == tokNewline) {
			continue
		}
		out = append(out, t)
		if t.kind == tokEOF {
			return out, nil
		}
	}
}

func (l *lexer) advance(n int) string {
	s := string(l.src[l.off : l.off+n])
	l.off += n
	l.col += n
	return s
}

func (l *lexer) errorf(format string, args ...any) error {
	return fmt.Errorf("%d:%d: %s", l.line, l.col, fmt.Sprintf(format, args...))
}

func (l *lexer) peek(n int) byte {
	if l.off+n < len(l.src) {
		return l.src[l.off+n]
	}
	return 0
}

// skip passes blanks and comments (from '#' or '//' to the end of the line).
func (l *lexer) skip() {
	for l.off < len(l.src) {
		switch c := l.peek(0); {
		case c == ' ' || c == '\t' || c == '\r':
			l.advance(1)
		case c == '#' || c == '/' && l.peek(1) == '/':
			for l.off < len(l.src) && l.src[l.off] != '\n' {
				l.advance(1)
			}
		default:
			return
		}
	}
}

func (l *lexer) next() (token, error) {
	l.skip()
	t := token{line: l.line, col: l.col}
	if l.off >= len(l.src) {
		return t, nil
	}
	c := l.peek(0)
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	n := 1
	switch {
	case c == '\n':
		t.kind, t.text = tokNewline, l.advance(1)
		l.line, l.col = l.line+1, 1
		return t, nil
	case c == ';':
		t.kind = tokNewline
	case identByte(c, true):
		t.kind = tokIdent
		for identByte(l.peek(n), false) {
			n++
		}
	case digit(c), c == '-' && digit(l.peek(1)):
		t.kind = tokNumber
		for digit(l.peek(n)) {
			n++
		}
	case c == '"':
		return l.str(t)
	default:
		t.kind, n = tokPunct, l.punct(c)
		if n == 0 {
			return t, l.errorf("unexpected character %q", c)
		}
	}
	t.text = l.advance(n)
	return t, nil
}

// punct returns the length of the punctuation that begins with c, 0 for none, and counts
// parentheses.
func (l *lexer) punct(c byte) int {
	switch c {
	case ':':
		if l.peek(1) == '=' {
			return 2
		}
		return 1
	case '(', '[':
		l.depth++
		return 1
	case ')', ']':
		l.depth--
		return 1
	case ',', '{', '}', '*', '&', '@', '=':
		return 1
	case '.':
		if l.peek(1) == '.' && l.peek(2) == '.' {
			return 3
		}
	}
	return 0
}

func (l *lexer) str(t token) (token, error) {
	n := 1
	for l.peek(n) != '"' {
		if l.off+n >= len(l.src) || l.peek(n) == '\n' {
			return t, l.errorf("string without end")
		}
		if l.peek(n) == '\\' {
			n++
		}
		n++
	}
	if l.off+n >= len(l.src) {
		return t, l.errorf("string without end")
	}
	s, err := strconv.Unquote(string(l.src[l.off : l.off+n+1]))
	if err != nil {
		return t, l.errorf("bad string")
	}
	l.advance(n + 1)
	t.kind, t.text = tokString, s
	return t, nil
}
