package report

import (
	"os"
	"strings"

	"whoop/ir"
)

// sources reads source lines for the report.
type sources struct {
	files map[string][]string
	html  map[string][]string // with colours; see colored
}

func newSources() *sources { return &sources{map[string][]string{}, map[string][]string{}} }

// line returns the text of a position's line; ok is false where the file cannot be read.
func (s *sources) line(p ir.Pos) (string, bool) {
	ls, seen := s.files[p.File]
	if !seen {
		b, err := os.ReadFile(p.File)
		if err == nil {
			ls = strings.Split(string(b), "\n")
		}
		s.files[p.File] = ls
	}
	if p.Line < 1 || p.Line > len(ls) {
		return "", false
	}
	return strings.TrimRight(ls[p.Line-1], "\r"), true
}
