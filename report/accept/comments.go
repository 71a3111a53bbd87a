package accept

import (
	"bytes"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"whoop/ir"
)

// Comment is a whoop:ignore comment.
type Comment struct {
	Pos    ir.Pos
	Reason string
	// Line is the line whose accesses it is about: its own where there is code before or
	// after it, else the next line with code; 0 where a blank line or the end of the file
	// comes first.
	Line int
	used bool
}

// marker starts a comment that is for us.
const marker = "whoop:ignore"

// Set is the comments of some files.
type Set struct{ all []*Comment }

// Files lists the source files that positions of programs name, sorted.
func Files(ps ...*ir.Program) []string {
	set := map[string]bool{}
	note := func(at ir.Pos) {
		if at.File != "" {
			set[at.File] = true
		}
	}
	for _, p := range ps {
		for _, f := range p.Funcs {
			note(f.Pos)
			for in := range f.Instrs() {
				note(in.At())
			}
		}
	}
	out := make([]string, 0, len(set))
	for f := range set {
		out = append(out, f)
	}
	sort.Strings(out)
	return out
}

// Comments reads the whoop:ignore comments of C and Go files. Files that cannot be read
// have none: the places of preprocessed or printed programs need not exist.
func Comments(files []string) *Set { return CommentsBy(files, os.ReadFile) }

// CommentsBy is Comments where read gives the text of a file.
func CommentsBy(files []string, read func(name string) ([]byte, error)) *Set {
	s := &Set{}
	for _, f := range files {
		if src, err := read(f); err == nil {
			s.all = append(s.all, scan(f, src)...)
		}
	}
	return s
}

// scan finds the whoop:ignore comments of one file.
func scan(file string, src []byte) []*Comment {
	if !bytes.Contains(src, []byte(marker)) {
		return nil
	}
	l := &lexer{file: file, src: src, raw: filepath.Ext(file) == ".go", line: 1, code: map[int]bool{}, comment: map[int]bool{}}
	for l.at < len(l.src) {
		l.next()
	}
	var out []*Comment
	for _, c := range l.found {
		c.Line = l.covers(c)
		out = append(out, c.Comment)
	}
	return out
}

// lexer tells comments from code and from the texts of string and character literals.
type lexer struct {
	file          string
	src           []byte
	raw           bool // `…` is a string
	at, line, bol int  // offset, line, and where the line begins
	code, comment map[int]bool
	found         []pending
}

// pending is a comment that ends on line end.
type pending struct {
	*Comment
	end int
}

// next goes over one comment, literal or character.
func (l *lexer) next() {
	rest := l.src[l.at:]
	switch c := rest[0]; {
	case bytes.HasPrefix(rest, []byte("//")):
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		l.note(string(rest[2:n]), n)
	case bytes.HasPrefix(rest, []byte("/*")):
		n, text := len(rest), rest[2:]
		if i := bytes.Index(text, []byte("*/")); i >= 0 {
			n, text = i+4, text[:i]
		}
		l.note(string(text), n)
	case c == '"', c == '\'':
		l.quoted(c)
	case c == '`' && l.raw:
		l.skip(1)
		for l.at < len(l.src) && l.src[l.at] != '`' {
			l.skip(1)
		}
		l.skip(1)
	default:
		l.skip(1)
	}
}

// quoted goes over a literal that ends at the quote c, or with the line.
func (l *lexer) quoted(c byte) {
	l.skip(1)
	for l.at < len(l.src) && l.src[l.at] != c && l.src[l.at] != '\n' {
		if l.src[l.at] == '\\' {
			l.skip(1)
		}
		l.skip(1)
	}
	if l.at < len(l.src) && l.src[l.at] == c {
		l.skip(1)
	}
}

// skip goes over n characters of code.
func (l *lexer) skip(n int) {
	for ; n > 0 && l.at < len(l.src); n-- {
		switch l.src[l.at] {
		case '\n':
			l.line, l.bol = l.line+1, l.at+1
		case ' ', '\t', '\r', '\f', '\v':
		default:
			l.code[l.line] = true
		}
		l.at++
	}
}

// note goes over a comment of n bytes and remembers it where it is for us.
func (l *lexer) note(text string, n int) {
	start := ir.Pos{File: l.file, Line: l.line, Col: l.at - l.bol + 1}
	for i := l.at; i < l.at+n; i++ {
		l.comment[l.line] = true
		if l.src[i] == '\n' {
			l.line, l.bol = l.line+1, i+1
		}
	}
	l.at += n
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), marker)
	if !ok || rest != "" && !strings.ContainsRune(" \t\r\n", rune(rest[0])) {
		return
	}
	l.found = append(l.found, pending{&Comment{Pos: start, Reason: strings.Join(strings.Fields(rest), " ")}, l.line})
}

// covers is the line that a comment is about.
func (l *lexer) covers(c pending) int {
	if l.code[c.Pos.Line] {
		return c.Pos.Line
	}
	for i := c.end; l.comment[i] || l.code[i]; i++ {
		if l.code[i] {
			return i
		}
	}
	return 0
}
