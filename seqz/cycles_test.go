package seqz

import (
	"fmt"
	"strings"
	"testing"

	"whoop/ir"
)

// direct resolves direct calls only.
type direct struct{}

func (direct) Callees(*ir.Call) ([]*ir.Func, bool)     { return nil, true }
func (direct) Funcs(e ir.Expr, in *ir.Func) []*ir.Func { return nil }

// program has a function for each line "name: callees".
func program(t *testing.T, lines ...string) *ir.Program {
	t.Helper()
	var b strings.Builder
	for _, l := range lines {
		name, calls, _ := strings.Cut(l, ":")
		fmt.Fprintf(&b, "func %s() void {\nb:\n", name)
		for _, c := range strings.Fields(calls) {
			fmt.Fprintf(&b, "  call %s()\n", c)
		}
		b.WriteString("  return\n}\n")
	}
	p, err := ir.Parse("cycles.wir", []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return p
}

// procs describes the procedures of a sequential program: their functions and the calls
// that stay.
func procs(s *Seq) string {
	var out []string
	for _, p := range s.Procs {
		n := 0
		for _, b := range p.Body.Blocks {
			for _, in := range b.Instrs {
				if _, ok := in.(*ir.Call); ok {
					n++
				}
			}
		}
		out = append(out, fmt.Sprintf("%s %d", p.Source.Name, n))
	}
	return strings.Join(out, ", ")
}

func TestCycles(t *testing.T) {
	for _, tc := range []struct {
		name  string
		funcs []string
		max   int
		want  string
	}{
		{"no cycle", []string{"main: a b", "a: b b", "b:"}, 0, "main 0"},
		{"itself", []string{"main: a", "a: a b", "b:"}, 0, "main 1, a 1"},
		{"in turn", []string{"main: a b", "a: b c", "b: a c", "c:"}, 0, "main 2, b 1, a 1"},
		{"below a cycle", []string{"main: a", "a: b a", "b: c c", "c: c d", "d:"}, 0, "main 3, c 1, a 3"},
		{"too large", []string{"main: a", "a: b b b b", "b: c c c c", "c:"}, 5, "main 4, b 0"},
	} {
		p := program(t, tc.funcs...)
		seq := Unfold([]*ir.Entry{{Name: "main", Func: p.FuncByName("main")}}, direct{},
			Options{MaxInline: tc.max})
		if got := procs(seq); got != tc.want {
			t.Errorf("%s: the procedures and their calls are %s, want %s", tc.name, got, tc.want)
		}
	}
}

// Functions that all call each other twice have 2^n paths without a repetition: what is
// inlined must not follow them.
func TestDenseCycle(t *testing.T) {
	var lines, all []string
	for i := range 12 {
		all = append(all, fmt.Sprintf("f%d f%d", i, i))
	}
	lines = append(lines, "main: f0")
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("f%d: %s", i, strings.Join(all, " ")))
	}
	p := program(t, lines...)
	seq := Unfold([]*ir.Entry{{Name: "main", Func: p.FuncByName("main")}}, direct{}, Options{})
	n := 0
	for _, q := range seq.Procs {
		for _, b := range q.Body.Blocks {
			n += len(b.Instrs)
		}
	}
	if len(seq.Procs) != 13 || n > 500 {
		t.Errorf("%d procedures with %d instructions, want 13 with a few hundred", len(seq.Procs), n)
	}
}
