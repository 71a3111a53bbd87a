package witness

import (
	"slices"
	"strings"
	"testing"

	"whoop/ir"
)

// TestStatements: a dollar stands before each character at which a statement begins.
func TestStatements(t *testing.T) {
	const marked = `#define SKIP(x) { x; }
$int g = 1, h[] = { 1, { 2 } }; /* ; no */
$static void f(int a, int b) // { nor here
{
	$int x = a, y;
	$for ($$int i = 0; i < 3; i++) $x += i;
	$while (x) { $x--; }
	$if (a) $x = 1; $else $if (b) { $y = ';'; } $else { $y = (a) ? 1 : 2; }
	$do { $g++; } $while (g < 3);
	$switch (x) { $case 1: $g = 2; $break; $default: $f("a;\"{", 'x'); }
again:
	$g = (int){ 3 };
	;
	$return;
}
`
	want := []int{}
	plain := strings.Builder{}
	text := strings.ReplaceAll(marked, "($$int", "(int") // the head of a loop is one statement
	text = strings.ReplaceAll(text, "\nagain:", "\n$again:")
	// taken for a block, which does no harm
	text = strings.ReplaceAll(text, "(int){ 3 }", "(int){ $3 }")
	for _, c := range text {
		if c == '$' {
			want = append(want, plain.Len())
			continue
		}
		plain.WriteRune(c)
	}
	s := newSource([]byte(plain.String()))
	show := func(offs []int) string {
		var b strings.Builder
		last := 0
		for _, o := range offs {
			b.WriteString(plain.String()[last:o] + "$")
			last = o
		}
		return b.String() + plain.String()[last:]
	}
	if !slices.Equal(s.starts, want) {
		t.Errorf("got\n%s\nwant\n%s", show(s.starts), show(want))
	}
}

// TestClosing: the parenthesis that ends the arguments of the call in each line, which
// begins at the first letter.
func TestClosing(t *testing.T) {
	for _, x := range []struct{ line, want string }{
		{"f(a, (b), \")\") + g(x);", "f(a, (b), \")\")"},
		{"(*p->f[2])(x)", "(*p->f[2])(x)"},
		{"s.op[i](1)(2)", "s.op[i](1)"},
		{"f", ""},
		{"x + f(1)", ""},
		{"f(", ""},
	} {
		src := &sources{read: func(string) ([]byte, error) { return []byte(x.line), nil }, files: map[string]*source{}}
		end, ok := src.closing(ir.Pos{File: "a.c", Line: 1, Col: 1})
		if got := x.line[:end.Col]; ok != (x.want != "") || ok && got != x.want {
			t.Errorf("%s: %t %q, want %q", x.line, ok, got, x.want)
		}
	}
}

// TestExpression: the variable, member or element that each line begins with.
func TestExpression(t *testing.T) {
	for _, x := range []struct{ line, want string }{
		{"x = 3;", "x"}, {"r->q[ r->n ] + 1;", "r->q[r->n]"}, {"*p;", "*p"}, {"a.b[1][i];", "a.b[1][i]"},
		{"f(x);", ""}, {"a[i++];", ""}, {"a[f(1)];", ""}, {"3 + x;", ""}, {"x", ""},
	} {
		src := &sources{read: func(string) ([]byte, error) { return []byte(x.line), nil }, files: map[string]*source{}}
		if got := src.expression(ir.Pos{File: "a.c", Line: 1, Col: 1}); got != x.want {
			t.Errorf("%s: %q, want %q", x.line, got, x.want)
		}
	}
}

// TestAtoms: what is understood of constraints.
func TestAtoms(t *testing.T) {
	for _, x := range []struct {
		text string
		want []atom
		all  bool
	}{
		{"1", nil, true},
		{`\result == 7`, []atom{{`\result`, "==", 7, 7}}, true},
		{"( x==-3 ) && 0x10U>= y;", []atom{{"x", "==", -3, 1<<64 - 3}, {"y", "<=", 16, 16}}, true},
		{"a.b[2] != 5 && x < y", []atom{{"a.b[2]", "!=", 5, 5}}, false},
		{"x == 18446744073709551615ULL", []atom{{"x", "==", -1, 1<<64 - 1}}, true},
		{"r->q[i] == 7 && *p < 2", []atom{{"r->q[i]", "==", 7, 7}, {"*p", "<", 2, 2}}, true},
		{"f(x) == 1", nil, false},
		{"x == 99999999999999999999", nil, false},
	} {
		got, all := atoms(x.text)
		if !slices.Equal(got, x.want) || all != x.all {
			t.Errorf("%s: %v %t, want %v %t", x.text, got, all, x.want, x.all)
		}
	}
	i8, u8 := ir.Int{Bits: 8, Signed: true}, ir.Int{Bits: 8}
	for _, x := range []struct {
		text string
		t    ir.Type
		v    uint64
		want bool
	}{
		{"x == -1", i8, 255, true}, {"x == -1", u8, 255, true}, {"x < 0", i8, 255, true}, {"x < 0", u8, 255, false},
		{"x >= 200", u8, 200, true}, {"x > -5", i8, 252, true}, {"x != 4", i8, 4, false}, {"x <= 3", u8, 4, false},
	} {
		as, _ := atoms(x.text)
		if got := as[0].holds(x.t, x.v); got != x.want {
			t.Errorf("%s for %d as %v: %t", x.text, x.v, x.t, got)
		}
	}
}

// FuzzSource: no text makes the splitter fail, and starts ascend.
func FuzzSource(f *testing.F) {
	f.Add("int f(void) { if (x) y; case 3: \"a\\\"; // \\\n /* ' */ }")
	f.Fuzz(func(t *testing.T, text string) {
		s := newSource([]byte(text))
		if !slices.IsSorted(s.starts) {
			t.Error(s.starts)
		}
		for off := range min(len(text)+1, 200) {
			p := s.pos("a.c", off)
			if back, ok := s.offset(p.Line, p.Col); !ok || back != off {
				t.Errorf("%d is %v, which is %d", off, p, back)
			}
			s.closing(s.statement(off))
		}
	})
}
