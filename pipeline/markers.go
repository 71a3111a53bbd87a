package pipeline

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"whoop/ir"
)

// Preprocessed drivers: what is reported about X.i is said of the files that it was made
// of, which its line markers name. Programs with a main function are left alone: who asks
// about those gives, and wants, the lines of the preprocessed file.

// markers knows where the lines of a preprocessed file come from.
type markers struct {
	path  string
	lines []marker
	text  *regexp.Regexp
	files map[string][]string
}

// marker: the lines after line are those of file from at on.
type marker struct {
	line int
	file string
	at   int
}

var lineMarker = regexp.MustCompile(`^#\s*(?:line\s+)?(\d+)\s+"([^"]*)"`)

// readMarkers reads the markers of a preprocessed kernel file, of any preprocessed file
// where always; nil where path is no such file.
func readMarkers(path string, p *ir.Program, always bool) *markers {
	if filepath.Ext(path) != ".i" || !always && p.FuncByName("main") != nil && !p.FuncByName("main").Extern {
		return nil
	}
	src, err := os.ReadFile(path)
	if err != nil || !always && !bytes.Contains(src, []byte("/include/linux/")) {
		return nil
	}
	m := &markers{path: path, files: map[string][]string{}, text: regexp.MustCompile(`([(@]?)(?:` + regexp.QuoteMeta(path) + `|\b` + regexp.QuoteMeta(filepath.Base(path)) + `):(\d+)(?::\d+)?`)}
	for i, l := range bytes.Split(src, []byte("\n")) {
		if x := lineMarker.FindSubmatch(l); x != nil {
			n, _ := strconv.Atoi(string(x[1]))
			m.lines = append(m.lines, marker{i + 1, string(x[2]), n})
		}
	}
	return m
}

// at is where a line comes from.
func (m *markers) at(line int) (file string, n int) {
	i := sort.Search(len(m.lines), func(i int) bool { return m.lines[i].line >= line }) - 1
	if i < 0 || strings.HasPrefix(m.lines[i].file, "<") {
		return m.path, line
	}
	k := m.lines[i]
	return k.file, k.at + line - k.line - 1
}

// pos is a position in the original file. Macros were replaced, so that its column is
// that of the line's first word.
func (m *markers) pos(p ir.Pos) ir.Pos {
	if p.File != m.path || p.Line == 0 {
		return p
	}
	f, n := m.at(p.Line)
	if f == m.path {
		return p
	}
	return ir.Pos{File: f, Line: n, Col: m.indent(f, n) + 1}
}

// indent is how many bytes of blanks a line of a file begins with; 0 where the file is
// not there.
func (m *markers) indent(file string, line int) int {
	ls, ok := m.files[file]
	if !ok {
		if src, err := os.ReadFile(file); err == nil {
			ls = strings.Split(string(src), "\n")
		}
		m.files[file] = ls
	}
	if line < 1 || line > len(ls) {
		return 0
	}
	return len(ls[line-1]) - len(strings.TrimLeft(ls[line-1], " \t"))
}

// replace replaces positions in a text.
func (m *markers) replace(s string) string {
	if !strings.Contains(s, filepath.Base(m.path)+":") {
		return s
	}
	return m.text.ReplaceAllStringFunc(s, func(t string) string {
		k := m.text.FindStringSubmatch(t)
		n, _ := strconv.Atoi(k[2])
		f, n := m.at(n)
		if k[1] != "" { // in the name of an object
			f = filepath.Base(f)
		}
		return k[1] + f + ":" + strconv.Itoa(n)
	})
}

// apply replaces the positions in a report.
func (m *markers) apply(rep any) {
	if m != nil {
		m.walk(reflect.ValueOf(rep))
	}
}

var posType = reflect.TypeFor[ir.Pos]()

func (m *markers) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && reported(v.Type().Elem()) {
			m.walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			m.walk(v.Index(i))
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(m.replace(v.String()))
		}
	case reflect.Struct:
		if v.Type() == posType {
			if v.CanSet() {
				v.Set(reflect.ValueOf(m.pos(v.Interface().(ir.Pos))))
			}
			return
		}
		if !reported(v.Type()) {
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				m.walk(f)
			}
		}
	}
}

// reported tells the types that reports are made of: those of package diag, and
// assumptions.
func reported(t reflect.Type) bool {
	return strings.HasSuffix(t.PkgPath(), "/diag") || t == reflect.TypeFor[ir.Assumption]() || t == posType
}

// SourceLine is where a line of a preprocessed file comes from; the same line where
// nothing says so.
func SourceLine(path string, line int) (file string, n int) {
	m := readMarkers(path, nil, true)
	if m == nil {
		return path, line
	}
	return m.at(line)
}
