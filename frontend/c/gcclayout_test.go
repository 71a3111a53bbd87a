package c_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir"
)

// layouts are struct definitions with the members whose offsets are compared; bit-fields
// have none in C.
var layouts = []struct{ name, def, members string }{
	{"a", "struct a { char c; int i; short s; long l; char t; };", "c i s l t"},
	{"b", "struct b { char c; double d; float f; void *p; _Bool o; };", "c d f p o"},
	{"d", "struct d { int x : 3; int y : 30; char z; unsigned long w : 40; int v; };", "z v"},
	{"e", "struct e { char a; int b : 8; short c; unsigned : 0; char d; };", "a c d"},
	{"g", "struct g { int n; struct { char c; union { long l; char b[3]; } u; } in; int tail; };", "n in tail"},
	{"h", "struct h { char c; struct { int x; char y; }; short z; };", "c x y z"},
	{"k", "struct k { unsigned char n; unsigned long data[]; };", "n data"},
	{"m", "struct m { char c; long l; int i; } __attribute__((packed));", "c l i"},
	{"o", "struct o { char c; int i __attribute__((aligned(16))); char d; };", "c i d"},
	{"q", "struct q { short s[3]; char m[2][5]; long l; };", "s m l"},
	{"r", "enum er { R1, R2 = 70000 }; struct r { char c; enum er e; long long x; };", "c e x"},
	{"t", "struct t { long double x; char c; int i; };", "x c i"},
	{"v", "struct v { _Bool a : 1, b : 1; char c; unsigned short d : 9; unsigned short e : 9; char f; };", "c f"},
	{"w", "struct w { char a; _Alignas(32) char b; char c; };", "a b c"},
	{"na", "struct na { short f; _Bool g; unsigned : 0; _Bool h : 1; };", "f g"},
	{"nb", "struct nb { char a; unsigned : 0; char b; };", "a b"},
	{"nc", "struct nc { char a; long : 0; char b; };", "a b"},
	{"nd", "struct nd { short a; unsigned : 5; char b; };", "a b"},
	{"ne", "struct ne { char a; int : 0; };", "a"},
	{"pa", "struct pa { unsigned char a : 4; unsigned short b : 16; unsigned c : 30; unsigned d : 2; } __attribute__((packed));", ""},
	{"pe", "struct pe { char c; struct { char a; int b; } __attribute__((packed)) p; short d; };", "c p d"},
	{"pf", "struct pf { _Alignas(16) char a; struct { char a; long b; } __attribute__((packed)) p; };", "a p"},
	{"pg", "struct pg { union { struct { char a; int b; } __attribute__((packed)) p; char x[3]; } u[2]; char e; };", "u e"},
	{"ph", "struct ph { char a; struct { short x; } __attribute__((aligned(8))) s; char e; };", "a s e"},
	{"x", "struct x { void (*f)(int); char c; int (*g[2])(void); };", "f c g"},
}

// Our layout is gcc's.
func TestLayoutIsGccs(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	want := gccLayout(t, gcc)
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layouts {
		src := l.def + fmt.Sprintf("\nstruct %s v; int main(void) { return *(char *)&v; }\n", l.name)
		u, err := c.Parse("layout.c", []byte(src), c.Options{})
		if err != nil {
			t.Errorf("%s: %v", l.name, err)
			continue
		}
		p, err := c.Lower([]*c.Unit{u}, c.NewTypes(""), m, c.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := ours(p, l.name, l.members); got != want[l.name] {
			t.Errorf("struct %s: ours %q, gcc's %q", l.name, got, want[l.name])
		}
	}
}

// gccLayout compiles and runs a program that prints sizes and offsets.
func gccLayout(t *testing.T, gcc string) map[string]string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n#include <stddef.h>\n")
	for _, l := range layouts {
		b.WriteString(l.def + "\n")
	}
	b.WriteString("int main(void) {\n")
	for _, l := range layouts {
		fmt.Fprintf(&b, "printf(\"%s %%zu\", sizeof(struct %s));\n", l.name, l.name)
		for _, f := range strings.Fields(l.members) {
			fmt.Fprintf(&b, "printf(\" %s=%%zu\", offsetof(struct %s, %s));\n", f, l.name, f)
		}
		b.WriteString("puts(\"\");\n")
	}
	b.WriteString("return 0; }\n")
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "l.c"), filepath.Join(dir, "l")
	if err := os.WriteFile(src, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-w", "-o", bin, src).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, rest, _ := strings.Cut(line, " ")
		got[name] = rest
	}
	return got
}

// ours prints a struct's layout in the IR like gccLayout.
func ours(p *ir.Program, name, members string) string {
	for _, s := range p.Structs {
		if s.Name != name {
			continue
		}
		out := fmt.Sprint(s.Bytes)
		for _, f := range strings.Fields(members) {
			if off, ok := offset(s, f); ok {
				out += fmt.Sprintf(" %s=%d", f, off)
			}
		}
		return out
	}
	return "no such struct"
}

// offset finds a member, also in anonymous ones.
func offset(s *ir.Struct, name string) (int64, bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Offset, true
		}
		if in, ok := f.Type.(*ir.Struct); ok && f.Name == "" {
			if off, ok := offset(in, name); ok {
				return f.Offset + off, true
			}
		}
	}
	return 0, false
}
