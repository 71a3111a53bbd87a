package c

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"whoop/frontend/models"
	"whoop/internal/testscope"
	"whoop/ir"
)

// A file that is written again from its tokens is the same program, at the same lines.
func TestFlattenedIsTheSame(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/*/*/*.c")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	drivers, err := filepath.Glob("../../benchmarks/drivers/*.c")
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range append(files, drivers...) {
		if !testscope.Every(i, 10) {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{NoSystemHeaders: true}
		a, err := Parse(f, src, opt)
		if err != nil || len(a.Degraded) > 0 {
			continue
		}
		b := *a
		opt.KernelHeaders = a.kernel
		cfg, err := config(f, opt)
		if err != nil {
			t.Fatal(err)
		}
		if b.AST, err = flattened(cfg, sourcesOf(f, a.text, opt)); err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if x, y := printed(t, a, m), printed(t, &b, m); x != y {
			k := 0
			for k < len(x) && k < len(y) && x[k] == y[k] {
				k++
			}
			t.Errorf("%s: another program: %.200s\nwas %.200s", f, y[max(k-80, 0):], x[max(k-80, 0):])
		}
	}
}

// column finds the column of a place.
var column = regexp.MustCompile(`((?:@|:)\d+):\d+`)

// printed prints a unit's program without columns.
func printed(t *testing.T, u *Unit, m *models.Set) string {
	t.Helper()
	p, err := Lower([]*Unit{u}, NewTypes(""), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	ir.Print(&b, p)
	return column.ReplaceAllString(b.String(), "$1")
}

// Local labels of macros that are used twice, one inside of the other, and beside labels
// of the function are told apart.
func TestLocalLabels(t *testing.T) {
	src := `int x;
#define WAIT(c) ({ __label__ out, again; int r = 0; void *p = &&out; again: if (!(c)) { if (x && out) goto out; goto again; } r = 1; out: r; })
int f(int out) { return WAIT(x > 1) + WAIT(WAIT(x > 2)); }
int main(void) { int n = 0; { __label__ out; if (x) goto out; n++; out: n += 2; } { __label__ out; if (!x) goto out; n += 4; out: n += 8; }
	if (n) goto out; n = f(1);
out:	return n ? n : x; }
`
	u, err := Parse("labels.c", []byte(src), Options{})
	if err != nil || len(u.Degraded) > 0 {
		t.Fatal(err, u)
	}
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Lower([]*Unit{u}, NewTypes(""), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Funcs {
		if f.Unknown != "" {
			t.Errorf("%s: %s", f.Name, f.Unknown)
		}
		for _, b := range f.Blocks {
			if at := b.Term.At(); at.Line > 7 || at.File != "labels.c" {
				t.Errorf("%s: a place %v", f.Name, at)
			}
		}
	}
}
