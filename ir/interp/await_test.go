package interp

import (
	"sort"
	"strings"
	"testing"

	"whoop/ir"
)

// waiting is a program whose main does some steps while a thread does others; a and b are
// 0 at first.
func waiting(main, thread string) string {
	return "global a: i32\nglobal b: i32\nglobal result: i32\nfunc w() void {\n reg x, y: i32\nentry:\n" + thread + "\n return\n}\n" +
		"func main() void {\n reg x, y: i32\nentry:\n spawn w()\n" + main + "\n return\n}\n"
}

// TestAwait explores all schedules of small programs.
func TestAwait(t *testing.T) {
	for _, tc := range []struct{ name, main, thread, want string }{
		{"goes on once the condition holds", " await x := &a until eq(x, i32 1)\n store seq_cst &result, x\n atomic_end", " store seq_cst &a, i32 1", "done 1"},
		{"of two cells, neither alone", " await x := &a, y := &b until land(eq(x, i32 1), eq(y, i32 1))\n atomic_end\n store seq_cst &result, add(x, y)",
			" store seq_cst &a, i32 1\n store seq_cst &b, i32 1", "done 2"},
		{"waits for ever", " await x := &a until eq(x, i32 2)\n atomic_end", " store seq_cst &a, i32 1", "deadlock"},
		{"waits for ever, or came first", " await x := &a until eq(x, i32 0)\n atomic_end", " store seq_cst &a, i32 1", "deadlock, done 0"},
		{"the section is not interrupted", " await x := &a until eq(x, i32 0)\n store seq_cst &a, i32 1\n store seq_cst &a, i32 0\n atomic_end",
			" await x := &a until true\n store seq_cst &result, x\n atomic_end", "done 0"},
		{"in a section it is an assumption", " atomic_begin\n await x := &a until eq(x, i32 1)\n atomic_end\n atomic_end\n store seq_cst &result, x",
			" store seq_cst &a, i32 1", "done 1, infeasible"},
		{"nothing to wait for", " await until false\n atomic_end", "", "deadlock"},
		{"a null address is an error", " await x := null *i32 until eq(x, i32 1)\n atomic_end", "", "null-dereference"},
	} {
		o := explore(t, waiting(tc.main, tc.thread), Config{}, false)
		var ends []string
		for k := range o.ends {
			ends = append(ends, k)
		}
		sort.Strings(ends)
		if got := strings.Join(ends, ", "); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestAwaitWants: who is blocked says on which cell.
func TestAwaitWants(t *testing.T) {
	m := compile(t, "global a: i32\nfunc main() void {\n reg x: i32\nentry:\n await x := &a until eq(x, i32 1) what \"waits for\"\n atomic_end\n return\n}\n", Config{})
	s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
	for s.Status() == Running {
		s.Step(0)
	}
	kind, at, _ := s.Wants(0)
	if s.Status() != Deadlock || kind != WantsCondition || s.Describe(at) != "a" {
		t.Errorf("%s, wants %d of %s", s.Status(), kind, s.Describe(at))
	}
	if a, ok := s.Next(0).Instr.(*ir.Await); !ok || a.What != "waits for" {
		t.Errorf("it is at %v", s.Next(0).Pos)
	}
}
