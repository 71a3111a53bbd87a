// Package expect reads what the programs under benchmarks say of their own lines. A
// comment at a line begins with one of these marks:
//
//   - RACE!: the line races and must be reported.
//   - RACE: it is reported but does not race, a known imprecision; its cause follows.
//   - RULED OUT: the same, and verify goes through the executions of the program by default,
//     and finds that it does not race.
//   - NORACE: it must not be reported.
//   - UNSEEN: Go's race detector shows a race there, or would, and verify reports none.
//     Its cause follows: an assumption that verify prints, or a limit in
//     docs/explanation/go-limits.md.
//
// "RACE! if RACY" is of the racy twin alone, where a file is two programs (Programs).
//
// In goes a source file, C or Go; out comes the mark of each line that has one. Compare
// holds the lines of a report against them:
//
//	marks, err := expect.Read("golang/counter_racy/main.go") // marks[12] == expect.Race
package expect

import (
	"bufio"
	"os"
	"slices"
	"strings"
)

// Mark is the expectation of one line.
type Mark string

// The marks.
const (
	Race   Mark = "RACE!"     // must be reported
	Alarm  Mark = "RACE"      // reported by a known imprecision
	Ruled  Mark = "RULED OUT" // the same, but executions show that there is none
	NoRace Mark = "NORACE"    // must not be reported
	Unseen Mark = "UNSEEN"    // a race for Go's race detector alone
)

// Read returns the marks of a file by line, counted from 1, where some macros are defined.
// Its errors are those of reading the file.
func Read(path string, defines ...string) (map[int]Mark, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	racy := slices.Contains(defines, RacyMacro)
	out, open := map[int]Mark{}, []bool{true} // which groups of #if are compiled; the last one
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		last := len(open) - 1
		switch word, rest, _ := strings.Cut(sc.Text(), " "); {
		case strings.HasPrefix(word, "#if"):
			open = append(open, open[last] && (rest != RacyMacro || racy == (word == "#ifdef")))
		case word == "#else":
			open[last] = open[last-1] && !open[last]
		case word == "#endif":
			open = open[:last]
		case open[last]:
			if m, ok := mark(sc.Text(), racy); ok {
				out[n] = m
			}
		}
	}
	return out, sc.Err()
}

// mark finds the mark in a line's comment.
func mark(line string, racy bool) (Mark, bool) {
	_, c, ok := strings.Cut(line, "// ")
	if !ok {
		return "", false
	}
	for _, m := range []Mark{Race, NoRace, Alarm, Ruled, Unseen} {
		if why, ok := strings.CutPrefix(c, string(m)); ok {
			if strings.HasPrefix(why, " if "+RacyMacro) && !racy {
				return NoRace, true
			}
			return m, true
		}
	}
	return "", false
}
