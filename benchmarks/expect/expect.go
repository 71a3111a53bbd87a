// Package expect reads what the programs under benchmarks say of their own lines. A
// comment at a line begins with one of these marks:
//
//   - RACE!: the line races and must be reported.
//   - RACE: it is reported but does not race, a known imprecision; its cause follows.
//   - NORACE: it must not be reported.
//   - UNSEEN: Go's race detector shows a race there, or would, and verify reports none.
//     Its cause follows: an assumption that verify prints, or a limit in
//     docs/explanation/go-limits.md.
//
// In goes a source file, C or Go; out comes the mark of each line that has one. Compare
// holds the lines of a report against them:
//
//	marks, err := expect.Read("golang/counter_racy/main.go") // marks[12] == expect.Race
package expect

import (
	"bufio"
	"os"
	"strings"
)

// Mark is the expectation of one line.
type Mark string

// The marks.
const (
	Race   Mark = "RACE!"  // must be reported
	Alarm  Mark = "RACE"   // reported by a known imprecision
	NoRace Mark = "NORACE" // must not be reported
	Unseen Mark = "UNSEEN" // a race for Go's race detector alone
)

// Read returns the marks of a file by line, counted from 1. Its errors are those of
// reading the file.
func Read(path string) (map[int]Mark, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[int]Mark{}
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		if m, ok := mark(sc.Text()); ok {
			out[n] = m
		}
	}
	return out, sc.Err()
}

// mark finds the mark in a line's comment.
func mark(line string) (Mark, bool) {
	_, c, ok := strings.Cut(line, "// ")
	if !ok {
		return "", false
	}
	for _, m := range []Mark{Race, NoRace, Alarm, Unseen} {
		if strings.HasPrefix(c, string(m)) {
			return m, true
		}
	}
	return "", false
}
