package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// place is how an error begins that is about a place in a source file.
var place = regexp.MustCompile(`^([^:\n]+):(\d+):(\d+): `)

// located is an error for people: where it is about a place in a file that can be read,
// with the line and a caret below the column, as compilers show it.
func located(err error, color bool) string {
	text := err.Error()
	if at, ok := err.(*fs.PathError); ok { // without the name of the system call
		text = at.Path + ": " + at.Err.Error()
	}
	m := place.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	n, _ := strconv.Atoi(m[2]) // digits, see place
	col, _ := strconv.Atoi(m[3])
	line, ok := lineOf(m[1], n)
	if !ok {
		return text
	}
	caret := "^"
	if color {
		caret = "\x1b[1;31m^\x1b[0m"
	}
	return text + "\n    | " + line + "\n    | " + before(line, col) + caret
}

// before is the space up to a column of a line, in bytes from 1, with its tabs.
func before(line string, col int) string {
	var b strings.Builder
	for i, c := range line {
		if i >= col-1 {
			break
		}
		if c != '\t' {
			c = ' '
		}
		b.WriteRune(c)
	}
	return b.String()
}

// lineOf is a line of a text file.
func lineOf(file string, n int) (string, bool) {
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for k := 1; s.Scan(); k++ {
		if k == n {
			return s.Text(), utf8.Valid(s.Bytes())
		}
	}
	return "", false
}

// colorTerminalOf reports whether a writer is a terminal that shows colours.
func colorTerminalOf(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// didYouMean suggests the name that a word may have been meant for; "" where none is
// near.
func didYouMean(word string, names []string) string {
	best, least := "", 3
	for _, n := range names {
		d := distance(word, n)
		if strings.HasPrefix(n, word) && len(word) > 1 {
			d = min(d, 1)
		}
		if d < least && d*2 <= len(n) {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// distance is how many letters are to be changed, added, left out or swapped with their
// neighbour to make one word of another.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case x[i-1] == y[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

func commandNames(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			out = append(out, c.Name())
		}
	}
	return out
}

// wantedValue says what a flag takes, where it was given a value that it does not take.
func wantedValue(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	f := bad.GetFlag()
	want := map[string]string{"duration": "a time, as 30s or 5m", "int": "a number", "int64": "a number", "uint64": "a number",
		"bool": "true or false"}[f.Value.Type()]
	if want == "" {
		return err
	}
	return usage("--%s %q: want %s", f.Name, bad.GetValue(), want)
}

// meantFlag suggests a flag of a command where an error is that there is none of a name.
func meantFlag(cmd *cobra.Command, err error) string {
	word, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return ""
	}
	word, _, _ = strings.Cut(word, "=")
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	slices.Sort(names)
	return didYouMean("--"+word, names)
}
