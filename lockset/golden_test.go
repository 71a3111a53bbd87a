package lockset

import (
	"context"
	command "flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whoop/analysis/alias"
	"whoop/analysis/mhp"
	"whoop/ir"
	"whoop/smt"
	"whoop/smt/z3"
)

var update = command.Bool("update", false, "write the golden files")

// TestGolden writes down what is proved of each program in testdata: the resources that
// were found, what each access has, and the verdict of each pair. A line that ends with
// "# ok" is of the repaired program alone, and one that ends with "# racy" of the racy
// one.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.wir")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".wir"), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, v := range []string{"ok", "racy"} {
				text, verdicts := proved(t, f, variant(string(src), v))
				fmt.Fprintf(&got, "== %s\n%s", v, text)
				if racy := slices.Contains(verdicts, "racy"); racy != (v == "racy") {
					t.Errorf("%s: %v", v, verdicts)
				}
			}
			golden := strings.TrimSuffix(f, ".wir") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("got\n%s\nwant\n%s(go test ./lockset -run TestGolden -update; read what changes)", &got, want)
			}
		})
	}
}

// variant leaves out the lines of the other variant.
func variant(src, v string) string {
	other := map[string]string{"ok": "# racy", "racy": "# ok"}[v]
	var out strings.Builder
	for l := range strings.Lines(src) {
		if !strings.HasSuffix(strings.TrimSpace(l), other) {
			out.WriteString(l)
		}
	}
	return out.String()
}

// proved is what is proved of a program, with the verdicts of its pairs.
func proved(t *testing.T, name, src string) (text string, verdicts []string) {
	t.Helper()
	p, err := ir.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	al := alias.Analyze(p, alias.Options{})
	mh, err := mhp.AnalyzeContext(ctx, p, al)
	if err != nil {
		t.Fatal(err)
	}
	apart, err := al.Separate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Jobs: 1, Apart: apart, Solvers: func() smt.Solvers { return z3.NewContext(z3.Options{Timeout: 30 * time.Second}) }}
	f, err := gather(ctx, p, al, apart, mh)
	if err != nil {
		t.Fatal(err)
	}
	l := findLocks(t.Context(), f, strings.Contains(src, "# uniprocessor\n"), false)
	with := newPartners(f, l, nil, nil)
	sums, err := summarise(ctx, f, l, with, opt)
	if err != nil {
		t.Fatal(err)
	}
	rep := pairs(ctx, f, l, with, sums, nil, opt)
	var b strings.Builder
	for _, g := range l.list {
		_, theory, _ := strings.Cut(fmt.Sprintf("%T", g.theory), ".")
		of := ""
		if g.frame != nil {
			of = " of each " + g.frame.key
		}
		fmt.Fprintf(&b, "resource %s: %s%s\n", g.name, theory, of)
	}
	for _, e := range p.Entries {
		fmt.Fprintf(&b, "entry %s\n", e.Name)
		s := sums[e]
		for _, st := range s.sites {
			fmt.Fprintf(&b, "  %-40s %s\n", st.origin.Instr, has(l, st))
		}
		for _, g := range l.list {
			if s.lost[g] {
				fmt.Fprintf(&b, "  does not keep %s\n", g.name)
			}
		}
		for _, a := range s.unknown {
			fmt.Fprintf(&b, "  unknown: %s\n", a.Text)
		}
	}
	for _, x := range rep.Pairs {
		fmt.Fprintf(&b, "pair %s, %s: %s\n", x.First, x.Second, x.Verdict)
		var may []string
		for in := range x.MayRace {
			may = append(may, fmt.Sprint(in))
		}
		slices.Sort(may)
		for _, in := range may {
			fmt.Fprintf(&b, "  may race: %s\n", in)
		}
		verdicts = append(verdicts, string(x.Verdict))
	}
	return b.String(), verdicts
}

// has is what an access was proved to have.
func has(l *locks, st *site) string {
	var out []string
	for _, g := range l.list {
		switch st.held[g] {
		case ir.Exclusive:
			out = append(out, g.name)
		case ir.Shared:
			out = append(out, g.name+" (some)")
		}
	}
	switch {
	case st.dead:
		return "is not reached"
	case st.undecided != "":
		return "undecided: " + st.undecided
	case len(out) == 0:
		return "-"
	}
	return strings.Join(out, ", ")
}
