package interp

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"
	"testing"
)

// randomProgram makes a program of a main function and two threads with few shared
// accesses.
func randomProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("global result: i64\nglobal x: i64\nglobal m: u64\nglobal n: u64\nglobal p: *i64\nghost g: i64\n")
	shared := []string{"&x", "&result", "&x"}
	body := func(name string, size int) {
		fmt.Fprintf(&b, "func %s() void {\n reg a, b: i64\n reg q: *i64\n reg l: *i64\n reg ok: bool\nentry:\n l := alloc stack i64, u64 1 name l\n store plain l, i64 1\n", name)
		label, held := 0, []string{}
		for i := 0; i < size; i++ {
			g := shared[r.Intn(len(shared))]
			switch r.Intn(15) {
			case 0, 1:
				fmt.Fprintf(&b, " a := load plain %s\n", g)
			case 2, 3:
				fmt.Fprintf(&b, " store plain %s, add(a, i64 %d)\n", g, r.Intn(3))
			case 4:
				b.WriteString(" b := load plain l\n store plain l, add(a, b)\n a := add(b, i64 1)\n")
			case 5:
				label++
				fmt.Fprintf(&b, " if eq(a, i64 %d) then t%d else e%d\nt%d:\n a := add(a, i64 1)\n store plain &x, a\n goto e%d\ne%d:\n", r.Intn(3), label, label, label, label, label)
			case 6, 13, 14:
				lock := []string{"&m", "&n"}[r.Intn(2)]
				if len(held) == 0 || len(held) == 1 && held[0] != lock {
					fmt.Fprintf(&b, " lock exclusive mutex %s\n", lock)
					held = append(held, lock)
				}
			case 7:
				if len(held) > 0 {
					fmt.Fprintf(&b, " unlock exclusive mutex %s\n", held[len(held)-1])
					held = held[:len(held)-1]
				}
			case 8:
				b.WriteString(" q := alloc heap i64, u64 1 zero\n store plain q, a\n store plain &p, q\n")
			case 9:
				label++
				fmt.Fprintf(&b, " q := load plain &p\n if eq(q, null *i64) then e%d else t%d\nt%d:\n a := load plain q\n goto e%d\ne%d:\n", label, label, label, label, label)
			case 10:
				fmt.Fprintf(&b, " rmw add seq_cst %s, i64 1\n g := add(g, i64 1)\n", g)
			case 11:
				fmt.Fprintf(&b, " assert ne(a, i64 %d) tag t\n", r.Intn(9))
			case 12:
				fmt.Fprintf(&b, " a, ok := cmpxchg seq_cst %s, i64 0, add(g, i64 2)\n", g)
			}
		}
		for len(held) > 0 {
			fmt.Fprintf(&b, " unlock exclusive mutex %s\n", held[len(held)-1])
			held = held[:len(held)-1]
		}
		b.WriteString(" return\n}\n")
	}
	body("f", 3+r.Intn(6))
	body("h", 3+r.Intn(6))
	b.WriteString("func main() i64 {\n reg s, t: u64\n reg v, w: i64\nentry:\n s, _ := spawn f()\n t, _ := spawn h()\n join s\n join t\n")
	b.WriteString(" v := load plain &x\n w := load plain &result\n store plain &result, add(mul(w, i64 100), v)\n return i64 0\n}\n")
	return b.String()
}

// ends explores all schedules; merge forgets states seen before, visible steps to visible
// instructions.
func ends(t *testing.T, m *Program, merge, visible bool) string {
	seen, out := map[Hash]bool{}, map[string]bool{}
	n := 0
	var visit func(s *State)
	visit = func(s *State) {
		if n++; n > 100000 {
			return
		}
		if s.Status() != Running {
			key := s.Status().String()
			if s.Err() != nil {
				key = string(s.Err().Kind)
			} else if v, ok := s.Global(m.IR.GlobalByName("result"), 0, m.IR.Globals[0].Type); ok && s.Status() == Done {
				key = fmt.Sprint(int64(v[0]))
			}
			out[key] = true
			return
		}
		if merge {
			if h := s.Hash(); seen[h] {
				return
			} else {
				seen[h] = true
			}
		}
		ts := s.Enabled()
		for i, u := range ts {
			c := s
			if i < len(ts)-1 {
				c = s.Snapshot()
			}
			if visible {
				c.StepVisible(u)
			} else {
				c.Step(u)
			}
			visit(c)
		}
	}
	h := MainOf(m.IR.FuncByName("main"))
	visit(m.Start(h, Zero{}))
	if n > 100000 {
		return ""
	}
	var keys []string
	for k := range out {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return strings.Join(keys, " ")
}

// TestReductions: leaving out switches before invisible instructions and merging states
// with equal hashes changes no end.
func TestReductions(t *testing.T) {
	full := 0
	for seed := int64(0); seed < 250; seed++ {
		src := randomProgram(rand.New(rand.NewSource(seed)))
		m := compile(t, src, Config{})
		want := ends(t, m, true, false)
		if want == "" {
			continue
		}
		if got := ends(t, m, true, true); got != want {
			t.Fatalf("seed %d: visible steps: %s, all steps: %s\n%s", seed, got, want, src)
		}
		if seed%10 > 0 {
			continue
		}
		if got := ends(t, m, false, true); got != "" {
			full++
			if got != want {
				t.Fatalf("seed %d: without merging: %s, with: %s\n%s", seed, got, want, src)
			}
		}
	}
	if full < 10 {
		t.Errorf("only %d programs were explored in full", full)
	}
}
