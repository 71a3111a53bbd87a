package models

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	comments   = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	directives = regexp.MustCompile(`(?m)^[ \t]*#(?:[^\n\\]|\\\n|\\.)*$`)
	attributes = regexp.MustCompile(`__attribute__\s*\(\(.*?\)\)`)
	prototype  = regexp.MustCompile(`(?s)^[\w\s\*]*?[\s\*](\w+)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*$`)
)

// prototypes lists the functions a header declares without a body.
func prototypes(src string) []string {
	src = attributes.ReplaceAllString(directives.ReplaceAllString(comments.ReplaceAllString(src, " "), ""), "")
	var out []string
	for _, decl := range strings.Split(blocksOut(src), ";") {
		decl = strings.TrimSpace(decl)
		if strings.HasPrefix(decl, "typedef") || strings.HasPrefix(decl, "static") || strings.Contains(decl, "{}") {
			continue
		}
		if m := prototype.FindStringSubmatch(decl); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}

// blocksOut replaces every { … } by {}; a function's body then also ends its declaration.
func blocksOut(src string) string {
	var b strings.Builder
	depth := 0
	for _, c := range src {
		switch {
		case c == '{':
			if depth == 0 {
				b.WriteString("{")
			}
			depth++
		case c == '}':
			depth--
			if depth == 0 {
				b.WriteString("}")
				if s := b.String(); strings.HasSuffix(strings.TrimSuffix(s, "{}"), ") ") || strings.HasSuffix(strings.TrimSuffix(s, "{}"), ")") {
					b.WriteString(";")
				}
			}
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func TestPrototypes(t *testing.T) {
	got := prototypes("#define X(a) \\\n f(a);\n/* int no(void); */ extern int yes(int (*f)(void), ...);\n" +
		"struct s { int (*m)(void); };\nstatic inline int body(void) { return g(); }\nstruct s *ptr(void); int v;\ntypedef int (*t)(void);")
	if !slices.Equal(got, []string{"yes", "ptr"}) {
		t.Errorf("got %v", got)
	}
}

// Every function that the kernel headers of this repository declare has a model.
func TestKernelHeadersAreModelled(t *testing.T) {
	s := load(t)
	var missing []string
	n := 0
	err := filepath.WalkDir("../c/include/kernel", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".h" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, f := range prototypes(string(src)) {
			n++
			if s.Func(f) == nil {
				missing = append(missing, f+" ("+filepath.Base(path)+")")
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 50 {
		t.Errorf("only %d prototypes found: does this test read the headers?", n)
	}
	if len(missing) > 0 {
		t.Errorf("%d of %d functions have no model:\n%s", len(missing), n, strings.Join(missing, "\n"))
	}
}
