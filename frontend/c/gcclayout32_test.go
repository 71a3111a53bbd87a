package c_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
)

// In 32-bit programs, too.
func TestLayout32IsGccs(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	check := func(src string) error {
		cmd := exec.Command(gcc, "-m32", "-w", "-fsyntax-only", "-x", "c", "-")
		cmd.Stdin = strings.NewReader(src)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %s", err, out)
		}
		return nil
	}
	if check("int x;") != nil {
		t.Skip("gcc has no -m32")
	}
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	more := append(layouts[:len(layouts):len(layouts)], []struct{ name, def, members string }{
		{"ll", "struct ll { char c; long long x; double d; };", "c x d"},
		{"pp", "struct pp { void *p; char c; struct pp *n[3]; unsigned long l; };", "p c n l"},
		{"un", "struct un { char c; union { void *p; long long l; char b[5]; } u; short s; };", "c u s"},
		{"bf", "struct bf { char c; long long w : 40; int v; };", "c v"},
		{"al", "struct al { char c; long long x __attribute__((aligned(8))); int i; };", "c x i"},
	}...)
	for _, l := range more {
		if l.name == "d" { // a bit-field that is wider than its type
			continue
		}
		o := c.Options{DataModel: "ILP32"}
		u, err := c.Parse("layout.c", []byte(l.def+fmt.Sprintf("\nstruct %s v; int main(void) { return *(char *)&v; }\n", l.name)), o)
		if err != nil {
			t.Errorf("%s: %v", l.name, err)
			continue
		}
		p, err := c.Lower([]*c.Unit{u}, c.NewTypes("ILP32"), m, o)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(ours(p, l.name, l.members))
		src := l.def + fmt.Sprintf("\n_Static_assert(sizeof(struct %s) == %s, \"\");\n", l.name, got[0])
		for _, f := range got[1:] {
			name, off, _ := strings.Cut(f, "=")
			src += fmt.Sprintf("_Static_assert(__builtin_offsetof(struct %s, %s) == %s, \"\");\n", l.name, name, off)
		}
		if err := check(src); err != nil {
			t.Errorf("struct %s: ours %q: %v", l.name, got, err)
		}
	}
}
