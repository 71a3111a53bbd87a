package c

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// cc rejects a function in which two blocks declare a local label of the same name, as
// two waits of the kernel's do that macros expand to. Such a file is parsed alone,
// written again from its tokens with other names for the labels, and then parsed and
// checked.

// twoLabels is the message about such a function.
const twoLabels = "this labeled statement is not understood"

// flattened translates sources from their tokens, with a name of its own for each local
// label.
func flattened(cfg *cc.Config, sources []cc.Source) (*cc.AST, error) {
	ast, err := cc.Parse(cfg, sources)
	if err != nil {
		return nil, err
	}
	w := &tokenWriter{}
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		ts := cc.NodeTokens(tu.ExternalDeclaration)
		w.scopes, w.waiting = nil, false
		for i := 0; i < len(ts); i++ {
			if i+8 < len(ts) && ts[i+3].SrcStr() == "__func__" && ts[i].SrcStr() == "static" {
				i += 8 // the parser puts it at the beginning of every function
				continue
			}
			w.write(ts, i)
		}
	}
	return cc.Translate(cfg, []cc.Source{{Name: "<tokens>", Value: w.b.String() + "\n"}})
}

// tokenWriter writes tokens at their places.
type tokenWriter struct {
	b         strings.Builder
	file      string
	line, col int
	last      string // the byte before
	// scopes are the local labels of the blocks around, with their new names; waiting:
	// they are being declared.
	scopes  []map[string]string
	waiting bool
	labels  int
}

// write writes the token at i, at its line, and not left of its column.
func (w *tokenWriter) write(ts []cc.Token, i int) {
	t := ts[i]
	p, text := t.Position(), w.renamed(ts, i)
	if text == "" {
		return
	}
	if p.Filename != w.file || p.Line < w.line || p.Line > w.line+20 {
		fmt.Fprintf(&w.b, "\n#line %d \"%s\"\n", p.Line, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.Filename))
		w.file, w.line, w.col, w.last = p.Filename, p.Line, 1, ";"
	}
	for ; w.line < p.Line; w.line++ {
		w.b.WriteByte('\n')
		w.col = 1
	}
	blanks := p.Column - w.col
	if blanks < 0 || blanks == 0 && !strings.ContainsAny(text[:1]+w.last, ";,(){}[]") {
		blanks = 1
	}
	w.b.WriteString(strings.Repeat(" ", min(blanks, 200)))
	w.b.WriteString(text)
	w.col += blanks + len(text)
	w.last = text[len(text)-1:]
	if n := strings.Count(text, "\n"); n > 0 {
		w.line += n
	}
}

// renamed is the text of the token at i: of a local label, its new name.
func (w *tokenWriter) renamed(ts []cc.Token, i int) string {
	text := ts[i].SrcStr()
	switch {
	case text == "{":
		w.scopes = append(w.scopes, nil)
	case text == "}":
		if len(w.scopes) > 0 {
			w.scopes = w.scopes[:len(w.scopes)-1]
		}
	case text == "__label__":
		w.waiting = len(w.scopes) > 0
	case text == ";":
		w.waiting = false
	case w.waiting && text != ",":
		s := &w.scopes[len(w.scopes)-1]
		if *s == nil {
			*s = map[string]string{}
		}
		w.labels++
		(*s)[text] = fmt.Sprintf("%s__%d", text, w.labels)
		return (*s)[text]
	case isLabel(ts, i):
		for k := len(w.scopes) - 1; k >= 0; k-- {
			if name := w.scopes[k][text]; name != "" {
				return name
			}
		}
	}
	return text
}

// isLabel reports whether the token at i stands where a label does: after goto, after &&
// at the beginning of an operand, or before the colon of a statement.
func isLabel(ts []cc.Token, i int) bool {
	at := func(k int) string {
		if k < 0 || k >= len(ts) {
			return ""
		}
		return ts[k].SrcStr()
	}
	switch at(i - 1) {
	case "goto":
		return true
	case "&&":
		switch at(i - 2) {
		case "=", "(", ",", "{", "[", "return", "?", ":", "==", "!=", "-":
			return true
		}
	case ";", "{", "}", ":", ")", "else", "do":
		return at(i+1) == ":"
	}
	return false
}
