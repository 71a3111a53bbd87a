package interp_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir"
	"whoop/ir/interp"
)

// operations are functions f0, f1, …, one a line, each with one operation on numbers near
// the limits of some types.
func operations(g *rand.Rand, n int) string {
	types := []string{"signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"}
	number := func(t string) string {
		bits := map[byte]int{'c': 8, 's': 16, 'i': 32, 'l': 64}[strings.TrimPrefix(strings.TrimPrefix(t+"i", "unsigned "), "signed ")[0]]
		if t == "unsigned" {
			bits = 32
		}
		edge := []string{"1", "-1", "7", "31", fmt.Sprintf("(((%s)1 << %d) - 1)", "unsigned long", bits-1), fmt.Sprintf("(1ul << %d)", bits-1), fmt.Sprintf("(1ul << %d)", bits/2)}
		return fmt.Sprintf("(%s)%s", t, edge[g.IntN(len(edge))])
	}
	var b strings.Builder
	b.WriteString("volatile long sink; ")
	for i := range n {
		x, y := types[g.IntN(len(types))], types[g.IntN(len(types))]
		e := fmt.Sprintf("x %s y", []string{"+", "-", "*", "<<", "+", "*"}[g.IntN(6)])
		switch g.IntN(9) {
		case 0:
			e = "-x"
		case 1:
			e = []string{"x++", "--x"}[g.IntN(2)]
		case 2:
			y = x // the compiler multiplies in the narrower type, where it may
			e = fmt.Sprintf("x %s= y", []string{"+", "-", "<<"}[g.IntN(3)])
		case 3:
			e = "y && x + y"
		}
		fmt.Fprintf(&b, "void f%d(void) { %s x = %s; %s y = %s; sink = %s; }\n", i, x, number(x), y, number(y), e)
	}
	return b.String()
}

var sanitized = regexp.MustCompile(`(?m)^\S*t\.c:(\d+):\d+: runtime error`)

// TestOverflowAgainstSanitizer: an assertion about overflow fails exactly where the
// compiler's sanitizer says that an operation overflows, or that a shift has no result.
func TestOverflowAgainstSanitizer(t *testing.T) {
	const seed, n = 20, 600
	text := operations(rand.New(rand.NewPCG(seed, 0)), n)
	file := filepath.Join(t.TempDir(), "t.c")
	var calls strings.Builder
	for i := range n {
		fmt.Fprintf(&calls, "f%d(); ", i)
	}
	if err := os.WriteFile(file, []byte(text+"int main(void) { "+calls.String()+"return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := file + ".out"
	if _, err := exec.Command("gcc", "-w", "-O0", "-fsanitize=undefined", "-o", bin, file).CombinedOutput(); err != nil {
		t.Skip("no gcc with -fsanitize=undefined")
	}
	out, err := exec.Command(bin).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := map[int]bool{}
	for _, m := range sanitized.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[1])
		want[line-1] = true
	}
	if len(want) < n/10 || len(want) > n*9/10 {
		t.Errorf("%d of %d operations overflow", len(want), n)
	}
	p := checked(t, file)
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		s := m.Start(interp.MainOf(p.FuncByName(fmt.Sprintf("f%d", i))), interp.Zero{})
		for s.Status() == interp.Running {
			s.Step(s.Enabled()[0])
		}
		e := s.Err()
		if got := e != nil && (e.Tag == c.TagOverflow || e.Tag == c.TagUnclear); got != want[i] || e != nil && !got {
			t.Errorf("seed %d: %s: overflow %t, the sanitizer says %t (%v)", seed, strings.Split(text, "\n")[i], got, want[i], e)
		}
	}
}

// checked lowers a C file with the assertions about overflow.
func checked(t *testing.T, file string) *ir.Program {
	t.Helper()
	set, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Load(file, set, c.Options{Overflow: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
