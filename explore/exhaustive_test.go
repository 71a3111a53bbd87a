package explore

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"whoop/internal/testscope"
	"whoop/ir/interp"
)

func binomial(n, k int) int { return int(new(big.Int).Binomial(int64(n), int64(k)).Int64()) }

// independent makes a program of threads f0, f1, … with n visible stores each, to
// variables of their own.
func independent(t *testing.T, threads, n int) (*interp.Program, interp.Harness) {
	var b strings.Builder
	var roots []string
	b.WriteString("program \"independent\"\n")
	for k := range threads {
		fmt.Fprintf(&b, "global x%d: i32\nfunc f%d() void {\nentry:\n", k, k)
		for i := range n {
			fmt.Fprintf(&b, " store plain &x%d, i32 %d\n", k, i)
		}
		b.WriteString(" return\n}\n")
		roots = append(roots, fmt.Sprintf("f%d", k))
	}
	m := compile(t, "independent.wir", b.String())
	return m, harness(t, m, roots...)
}

// TestExecutions: the number of executions of two threads of n independent steps, the
// start and the end among them, is the number of ways to shuffle them.
func TestExecutions(t *testing.T) {
	for n := 2; n <= 7; n++ {
		m, h := independent(t, 2, n-2)
		r := explore(t, m, h, Options{Bound: -1})
		if want := binomial(2*n, n); r.Executions != want || r.Depth != 2*n || len(r.Findings) > 0 || r.BoundHit || !r.Complete {
			t.Errorf("%d steps: %+v, want %d executions", n, r, want)
		}
		// A state for each proper prefix and each execution.
		states := 0
		for i := range n + 1 {
			for j := range n + 1 {
				states += binomial(i+j, i)
			}
		}
		if r.States != states {
			t.Errorf("%d steps: %d states, want %d", n, r.States, states)
		}
	}
	m, h := independent(t, 3, 1)
	if r := explore(t, m, h, Options{Bound: -1}); r.Executions != 1680 { // 9!/(3!)³
		t.Errorf("three threads of three steps: %d executions, want 1680", r.Executions)
	}
}

// TestBoundedExecutions: when the steps of two threads form i and j blocks, there are
// i+j-2 preemptions, since the thread that ends first is left for free.
func TestBoundedExecutions(t *testing.T) {
	const n = 5
	m, h := independent(t, 2, n-2)
	for bound := 0; bound <= 2*n; bound++ {
		want := 0
		for i := 1; i <= n; i++ {
			for j := max(1, i-1); j <= min(n, i+1); j++ {
				if i+j-2 <= bound {
					ways := binomial(n-1, i-1) * binomial(n-1, j-1)
					if i == j {
						ways *= 2 // either thread begins
					}
					want += ways
				}
			}
		}
		r := explore(t, m, h, Options{Bound: bound})
		if r.Executions != want || !r.Complete || r.BoundHit != (bound < 2*n-2) {
			t.Errorf("bound %d: %d executions, complete %t, bound hit %t; want %d", bound, r.Executions, r.Complete, r.BoundHit, want)
		}
	}
}

// TestCachedStates: two threads of n independent steps have (n+1)² states; which of them
// was last is told apart.
func TestCachedStates(t *testing.T) {
	m, h := independent(t, 2, 3)
	r := explore(t, m, h, Options{Bound: -1, Cache: true})
	if r.Executions == 0 || r.States > 4*6*6 || !r.Complete {
		t.Errorf("%+v", r)
	}
}

// TestInputsMultiply: an execution for each list of answers.
func TestInputsMultiply(t *testing.T) {
	m := compile(t, "inputs.wir", `program "inputs"
func f(b: bool, n: u16) void {
  reg c: u1
entry:
  goto l, m, o
l:
  goto o
m:
  c := havoc
  if eq(c, u1 0) then o else o
o:
  return
}
`)
	r := explore(t, m, harness(t, m, "f"), Options{Bound: -1, Values: []uint64{0, 3, 1 << 15, 65535, 9}})
	if want := 2 * 5 * (1 + 2 + 1); r.Executions != want || !r.Sampled {
		t.Errorf("%d executions, want %d", r.Executions, want)
	}
}

// TestLimits: what stops early says so, and why.
func TestLimits(t *testing.T) {
	m := compile(t, "loop.wir", `program "loop"
global x: i32
func f() void {
entry:
  store plain &x, i32 1
  goto entry
}
func g() void {
entry:
  atomic_begin
  goto l
l:
  store plain &x, i32 1
  goto l
}
`)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		root, reason string
		opt          Options
	}{
		{"f", "more than 5 states", Options{MaxStates: 5}},
		{"f", "an execution of more than 7 macro steps", Options{MaxDepth: 7}},
		{"f", "context canceled", Options{Context: done}},
		{"f", "an execution of more than 10000 macro steps", Options{}},
		{"g", "an atomic section of more than 65536 visible instructions", Options{}},
		{"f", "", Options{Cache: true}},
	} {
		r := explore(t, m, harness(t, m, c.root), c.opt)
		if r.Complete != (c.reason == "") || r.Reason != c.reason || r.Executions > 0 {
			t.Errorf("%s: %+v, want reason %q", c.root, r, c.reason)
		}
	}
}

// TestUnusable: options that make no sense are errors.
func TestUnusable(t *testing.T) {
	m, h := independent(t, 1, 1)
	for _, opt := range []Options{{Bound: -2}, {Values: []uint64{}}} {
		if _, err := Exhaustive(m, h, opt); err == nil {
			t.Errorf("%+v: no error", opt)
		}
	}
	if _, err := Exhaustive(m, interp.Harness{}, Options{}); err == nil {
		t.Error("no threads: no error")
	}
}

// TestReplayRefuses: a finding that was changed does not replay.
func TestReplayRefuses(t *testing.T) {
	for _, name := range []string{"race2", "section_cost", "section_assume", "abba", "lostupdate", "inputs"} {
		if name == "inputs" && !testscope.All() { // seconds, which TestCases takes already
			continue
		}
		m, h, x := readCase(t, "testdata/"+name+".wir")
		for _, f := range explore(t, m, h, x.opt).Findings {
			for what, change := range map[string]func(f *Finding){
				"cost":   func(f *Finding) { f.Preemptions++ },
				"thread": func(f *Finding) { f.Schedule = append(f.Schedule, 7) },
				"answer": func(f *Finding) { f.Inputs = append(f.Inputs, 0) },
				"short":  func(f *Finding) { f.Schedule = f.Schedule[:max(0, len(f.Schedule)-1)] },
				"race": func(f *Finding) {
					if f.Race != nil {
						r := *f.Race
						r.Second.Addr += 64
						f.Race = &r
					} else {
						f.Preemptions--
					}
				},
			} {
				g := *f
				g.Schedule, g.Inputs = slices.Clone(f.Schedule), slices.Clone(f.Inputs)
				change(&g)
				if what == "short" && len(f.Schedule) == 0 {
					continue
				}
				if Replay(m, h, &g) == nil {
					t.Errorf("%s: %s replays with another %s", name, f, what)
				}
			}
		}
	}
}

// TestEndlessSection: an atomic section that does not end, and chooses all the time, ends
// the search with few of its ways.
func TestEndlessSection(t *testing.T) {
	m := compile(t, "endless.wir", `program "endless"
global x: i32
func f() void {
  reg r: i32
entry:
  atomic_begin
  goto loop
loop:
  r := load plain &x
  store plain &x, add(r, i32 1)
  goto loop, again
again:
  store plain &x, i32 7
  goto loop
}
`)
	for _, most := range []int{1, 200, 3_000} {
		r := explore(t, m, harness(t, m, "f", "f"), Options{Bound: -1, Cache: true, MaxStates: most})
		if r.Complete || r.States > most {
			t.Errorf("at most %d states: %d, complete: %v", most, r.States, r.Complete)
		}
	}
}
