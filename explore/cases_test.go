package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
)

// expectation is the comments at the beginning of a case:
//
//	# roots F …         the harness has a thread for each of these functions (else main's)
//	# bound N, # cache, # failures  options
//	# sampled           Result.Sampled is to be true
//	# expect KIND [TAG] LINE … cost N   a finding; all others are wrong
type expectation struct {
	opt      Options
	roots    []string
	sampled  bool
	findings []string
}

func readCase(t *testing.T, path string) (*interp.Program, interp.Harness, *expectation) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x := &expectation{}
	bound := false
	for _, line := range strings.Split(string(src), "\n") {
		w := strings.Fields(line)
		if len(w) < 2 || w[0] != "#" {
			continue
		}
		switch w[1] {
		case "roots":
			x.roots = w[2:]
		case "bound":
			bound = true
			if x.opt.Bound, err = strconv.Atoi(w[2]); err != nil {
				t.Fatal(err)
			}
		case "cache":
			x.opt.Cache = true
		case "failures":
			x.opt.Failures = true
		case "sampled":
			x.sampled = true
		case "expect":
			x.findings = append(x.findings, strings.Join(w[2:], " "))
		}
	}
	if !bound {
		t.Fatalf("%s does not tell the bound", path)
	}
	slices.Sort(x.findings)
	m := compile(t, path, string(src))
	return m, harness(t, m, x.roots...), x
}

func compile(t *testing.T, path, src string) *interp.Program {
	t.Helper()
	p, err := ir.Parse(path, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// harness has a thread for each function, or main's.
func harness(t *testing.T, m *interp.Program, roots ...string) interp.Harness {
	t.Helper()
	var h interp.Harness
	for _, r := range roots {
		f := m.IR.FuncByName(r)
		if f == nil {
			t.Fatalf("no function %s", r)
		}
		h.Roots = append(h.Roots, interp.Root{Func: f})
	}
	if len(roots) == 0 {
		return interp.MainOf(m.IR.FuncByName("main"))
	}
	return h
}

func explore(t *testing.T, m *interp.Program, h interp.Harness, opt Options) *Result {
	t.Helper()
	r, err := Exhaustive(m, h, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if err := Replay(m, h, f); err != nil {
			t.Errorf("%s does not replay: %v", f, err)
		}
	}
	return r
}

// lines formats findings as cases expect them, those with at most a cost.
func lines(r *Result, bound int) []string {
	var out []string
	for _, f := range r.Findings {
		if bound >= 0 && f.Preemptions > bound {
			continue
		}
		s := f.Kind
		if f.Tag() != "" {
			s += " " + f.Tag()
		}
		for _, p := range f.Positions() {
			s += fmt.Sprintf(" %d", p.Line)
		}
		out = append(out, fmt.Sprintf("%s cost %d", s, f.Preemptions))
	}
	slices.Sort(out)
	return out
}

// TestCases: the findings of each case are exactly those expected, with and without a
// cache, and with each bound those of no greater cost.
func TestCases(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.wir")
	if len(paths) < 10 {
		t.Fatalf("only %d cases", len(paths))
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".wir"), func(t *testing.T) {
			m, h, x := readCase(t, path)
			r := explore(t, m, h, x.opt)
			if got := lines(r, -1); !slices.Equal(got, x.findings) || !r.Complete || r.Sampled != x.sampled {
				t.Errorf("complete %t (%s), sampled %t, findings:\n  %s\nwant:\n  %s", r.Complete, r.Reason, r.Sampled,
					strings.Join(got, "\n  "), strings.Join(x.findings, "\n  "))
			}
			for bound := range 4 {
				if x.opt.Bound >= 0 && bound > x.opt.Bound {
					break
				}
				for _, cache := range []bool{true, x.opt.Cache} {
					opt := x.opt
					opt.Bound, opt.Cache = bound, cache
					b := explore(t, m, h, opt)
					if got, want := lines(b, -1), lines(r, bound); !slices.Equal(got, want) || !b.Complete {
						t.Errorf("bound %d, cache %t: complete %t, findings %q, want %q", bound, cache, b.Complete, got, want)
					}
				}
			}
		})
	}
}
