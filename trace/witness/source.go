package witness

import (
	"os"
	"path/filepath"
	"regexp"
	"sort"

	"whoop/ir"
)

// sources are the program's files, read when they are asked for.
type sources struct {
	read  func(file string) ([]byte, error)
	files map[string]*source
}

func newSources(read func(string) ([]byte, error)) *sources {
	if read == nil {
		read = os.ReadFile
	}
	return &sources{read: read, files: map[string]*source{}}
}

// of returns a file; nil where it cannot be read.
func (x *sources) of(file string) *source {
	s, ok := x.files[file]
	if !ok {
		if text, err := x.read(file); err == nil {
			s = newSource(text)
		}
		x.files[file] = s
	}
	return s
}

// statement is where the statement begins that p is in; p itself where the source does
// not tell.
func (x *sources) statement(p ir.Pos) ir.Pos {
	s := x.of(p.File)
	off, ok := s.offset(p.Line, p.Col)
	if !ok {
		return p
	}
	return s.pos(p.File, s.statement(off))
}

// inside is a place for p inside its statement, but not its start; p where the source
// does not tell.
func (x *sources) inside(p ir.Pos) ir.Pos {
	s := x.of(p.File)
	off, ok := s.offset(p.Line, p.Col)
	if !ok {
		return p
	}
	if start := s.statement(off); off == start {
		if i := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].off > start }); i < len(s.tokens) {
			off = s.tokens[i].off
		}
	}
	return s.pos(p.File, off)
}

// closing is the parenthesis that ends the arguments of the call at p.
func (x *sources) closing(p ir.Pos) (ir.Pos, bool) {
	s := x.of(p.File)
	off, ok := s.offset(p.Line, p.Col)
	if !ok {
		return p, false
	}
	end, ok := s.closing(off)
	return s.pos(p.File, end), ok
}

// callee is the first word of the call at p.
func (x *sources) callee(p ir.Pos) string {
	s := x.of(p.File)
	off, ok := s.offset(p.Line, p.Col)
	if !ok {
		return ""
	}
	i := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].off >= off })
	if i == len(s.tokens) || !s.word(i) {
		return ""
	}
	return s.str(i)
}

// expression is the text of a variable with members and elements, or of what it points
// to, that begins at p; "" if it is something else, or has effects.
func (x *sources) expression(p ir.Pos) string {
	s := x.of(p.File)
	off, ok := s.offset(p.Line, p.Col)
	if !ok {
		return ""
	}
	i := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].off >= off })
	start := i
	for s.is(i, '*') {
		i++
	}
	if i >= len(s.tokens) || !s.word(i) {
		return ""
	}
	for i++; i < len(s.tokens); i++ {
		switch {
		case s.is(i, '['):
			i = s.match(i)
		case s.is(i, '.'):
			i++
		case s.is(i, '-') && s.is(i+1, '>'):
			i += 2
		default:
			text := spaces.ReplaceAllString(string(s.text[s.tokens[start].off:s.tokens[i-1].end]), "")
			if s.is(i, '(') || !designator.MatchString(text) {
				return ""
			}
			return text
		}
	}
	return ""
}

// designator is what expression may return.
var designator = regexp.MustCompile(`^\**[A-Za-z_](\w|\.|->|\[|\])*$`)

// sameFile reports whether a witness's name of a file means a program's file; no name
// means the input.
func sameFile(name, file, input string) bool {
	if name == "" {
		return file == input
	}
	return name == file || filepath.Base(name) == filepath.Base(file)
}

// source is a C file, split into tokens: enough to find where statements begin and calls
// end.
type source struct {
	text   []byte
	lines  []int // offsets of the lines' starts
	tokens []token
	starts []int // offsets of the statements' starts, ascending
}

// token is a word or a character.
type token struct{ off, end int }

func newSource(text []byte) *source {
	s := &source{text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	s.split()
	(&starter{s: s, first: true}).run()
	return s
}

// offset converts a line and column; without a column it is the line's first token.
func (s *source) offset(line, col int) (int, bool) {
	if s == nil || line < 1 || line > len(s.lines) {
		return 0, false
	}
	if col > 0 {
		return min(s.lines[line-1]+col-1, len(s.text)), true
	}
	i := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].off >= s.lines[line-1] })
	if i == len(s.tokens) || line < len(s.lines) && s.tokens[i].off >= s.lines[line] {
		return 0, false
	}
	return s.tokens[i].off, true
}

// pos converts an offset.
func (s *source) pos(file string, off int) ir.Pos {
	line := sort.SearchInts(s.lines, off+1)
	return ir.Pos{File: file, Line: line, Col: off - s.lines[line-1] + 1}
}

// statement is the last start of a statement that is not behind an offset.
func (s *source) statement(off int) int {
	if i := sort.SearchInts(s.starts, off+1); i > 0 {
		return s.starts[i-1]
	}
	return off
}

// closing is the parenthesis that ends the arguments of the call that begins at an
// offset.
func (s *source) closing(off int) (int, bool) {
	i := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].off >= off })
	if i < len(s.tokens) && s.is(i, '(') { // (*f)(x)
		i = s.match(i) + 1
	}
	for ; i < len(s.tokens); i++ {
		switch {
		case s.is(i, '('):
			if i = s.match(i); i < len(s.tokens) {
				return s.tokens[i].off, true
			}
			return 0, false
		case s.is(i, '['):
			i = s.match(i)
		case !s.word(i) && !s.is(i, '.') && !s.is(i, '-') && !s.is(i, '>') && !s.is(i, '*'):
			return 0, false
		}
	}
	return 0, false
}

// match is the token that closes the bracket at i.
func (s *source) match(i int) int {
	depth := 0
	for ; i < len(s.tokens); i++ {
		switch s.text[s.tokens[i].off] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

func (s *source) is(i int, c byte) bool {
	return i >= 0 && i < len(s.tokens) && s.text[s.tokens[i].off] == c
}
func (s *source) word(i int) bool  { return letter(s.text[s.tokens[i].off]) }
func (s *source) str(i int) string { return string(s.text[s.tokens[i].off:s.tokens[i].end]) }
func letter(c byte) bool           { return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }
func digit(c byte) bool            { return c >= '0' && c <= '9' }
func (s *source) at(i int) (c byte) {
	if i < len(s.text) {
		c = s.text[i]
	}
	return c
}

// split finds the tokens; comments and the lines of the preprocessor are left out.
func (s *source) split() {
	for i, fresh := 0, true; i < len(s.text); {
		c, start := s.text[i], i
		switch {
		case c == '\n':
			i, fresh = i+1, true
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
			continue
		case c == '/' && s.at(i+1) == '*':
			for i += 2; i < len(s.text) && !(s.text[i] == '*' && s.at(i+1) == '/'); i++ {
			}
			i += 2
			continue
		case c == '/' && s.at(i+1) == '/', c == '#' && fresh:
			for ; i < len(s.text) && (s.text[i] != '\n' || s.text[i-1] == '\\'); i++ {
			}
			continue
		case c == '"' || c == '\'':
			for i++; i < len(s.text) && s.text[i] != c && s.text[i] != '\n'; i++ {
				if s.text[i] == '\\' {
					i++
				}
			}
			i++
		case letter(c) || digit(c):
			for i++; i < len(s.text) && (letter(s.text[i]) || digit(s.text[i])); i++ {
			}
		default:
			i++
		}
		fresh = false
		s.tokens = append(s.tokens, token{start, min(i, len(s.text))})
	}
}

// starter finds where statements begin.
type starter struct {
	s     *source
	stack []byte // open brackets: ( [ {, i of an initialiser, h of the head of a control statement
	first bool   // the next token begins a statement
	head  bool   // the next parenthesis is the head of a control statement
	label bool   // the next colon ends a label
}

func (t *starter) run() {
	for i := range t.s.tokens {
		t.token(i)
	}
}

func (t *starter) top() byte {
	if n := len(t.stack); n > 0 {
		return t.stack[n-1]
	}
	return 0
}

func (t *starter) token(i int) {
	s := t.s
	c := s.text[s.tokens[i].off]
	if t.first && c != ';' && c != '}' && c != '{' {
		s.starts = append(s.starts, s.tokens[i].off)
		t.first = false
		if s.word(i) {
			t.keyword(s.str(i), s.is(i+1, ':'))
			return
		}
	}
	switch c {
	case '(', '[':
		if c == '(' && t.head {
			c, t.head = 'h', false
		}
		t.stack = append(t.stack, c)
	case '{':
		if t.top() == 'i' || s.is(i-1, '=') || s.is(i-1, ',') {
			c = 'i'
		}
		t.stack = append(t.stack, c)
		t.first = c == '{'
	case ')', ']', '}':
		open := t.top()
		if n := len(t.stack); n > 0 {
			t.stack = t.stack[:n-1]
		}
		t.first = open == 'h' || c == '}' && open == '{'
	case ';':
		t.first = t.top() == '{' || t.top() == 0
	case ':':
		t.first = t.label
		t.label = false
	}
}

// keyword is the first word of a statement.
func (t *starter) keyword(w string, colon bool) {
	switch w {
	case "if", "while", "for", "switch":
		t.head = true
	case "else", "do":
		t.first = true
	case "case", "default":
		t.label = true
	default:
		t.label = colon
	}
}
