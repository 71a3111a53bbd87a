package report

import (
	"fmt"
	"html"
	"html/template"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"whoop/ir"
)

// around is how many lines before and after a place are shown; wholeFile is how long a
// file may be to be coloured as a whole, of longer ones only the lines shown are (a
// comment that begins above them is then read as code).
const around, wholeFile = 5, 200_000

// lockCall matches lines that take or release locks.
var lockCall = regexp.MustCompile(`\w*([lL]ock|LOCK)\w*\s*\(`)

// excerpt is the lines around a place as HTML, with their numbers; that of the place is
// marked, and further lines of marked. "" where the file cannot be read.
func (s *sources) excerpt(at ir.Pos, marked map[int]bool) template.HTML {
	if _, ok := s.line(at); !ok {
		return ""
	}
	lines := s.files[at.File]
	from, to := max(at.Line-around, 1), min(at.Line+around, len(lines))
	colored := s.colored(at.File, from, to)
	var b strings.Builder
	b.WriteString(`<div class="source">`)
	for n := from; n <= to; n++ {
		var class []string
		if n == at.Line || marked[n] {
			class = append(class, "at")
		}
		if lockCall.MatchString(lines[n-1]) {
			class = append(class, "lockop")
		}
		fmt.Fprintf(&b, `<div class="%s"><i>%d</i><span class="l">%s</span></div>`, strings.Join(class, " "), n, colored[n-from])
	}
	b.WriteString("</div>")
	return template.HTML(b.String())
}

// colored are the lines from to to of a file as HTML with colours.
func (s *sources) colored(file string, from, to int) []string {
	if all, ok := s.html[file]; ok {
		return all[from-1 : to]
	}
	lines := s.files[file]
	text := strings.Join(lines, "\n")
	if len(text) > wholeFile {
		return highlight(file, lines[from-1:to])
	}
	all := highlight(file, lines)
	s.html[file] = all
	return all[from-1 : to]
}

// highlight is lines of a file as HTML.
func highlight(file string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = html.EscapeString(strings.TrimRight(l, "\r"))
	}
	name := "c"
	if filepath.Ext(file) == ".go" {
		name = "go"
	}
	lexer := lexers.Get(name)
	if lexer == nil {
		return out
	}
	it, err := chroma.Coalesce(lexer).Tokenise(nil, strings.Join(lines, "\n")+"\n")
	if err != nil {
		return out
	}
	for i, tokens := range chroma.SplitTokensIntoLines(it.Tokens()) {
		if i >= len(out) {
			break
		}
		var b strings.Builder
		for _, t := range tokens {
			text := html.EscapeString(strings.TrimRight(t.Value, "\r\n"))
			if c := colorClass(t.Type); c != "" && text != "" {
				text = `<span class="` + c + `">` + text + `</span>`
			}
			b.WriteString(text)
		}
		out[i] = b.String()
	}
	return out
}

// colorClass is the class of a token in the page's style; "" for those without a colour.
func colorClass(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "n"
	}
	return ""
}
