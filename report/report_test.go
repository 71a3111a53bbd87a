package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"whoop/diag"
	"whoop/ir"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata")

// at is a place in the sample source.
func at(line, col int) ir.Pos {
	return ir.Pos{File: "testdata/sample.c", Line: line, Col: col}
}

// sample has a bit of everything.
func sample() *diag.Report {
	r := &diag.Report{Tool: "whoop", Version: "0", Command: "verify", Input: "testdata/sample.c",
		Entries: []*ir.Entry{{Name: "dev_read", Kind: "file_operations.read", Pos: at(8, 5)}, {Name: "dev_write", Kind: "file_operations.write", Pos: at(15, 5)},
			{Name: "dev_irq", Kind: "irq", Pos: at(23, 5)}},
		Pairs: []diag.Pair{{First: "dev_read", Second: "dev_read", Verdict: diag.RaceFree, Seconds: 0.5},
			{First: "dev_read", Second: "dev_write", Verdict: diag.Racy, Seconds: 0.5},
			{First: "dev_write", Second: "dev_irq", Verdict: diag.Unknown, Reason: "testdata/sample.c:25: setjmp <is> not understood", Seconds: 0.25}},
		Excluded: []ir.Exclusion{{A: "dev_irq", B: "dev_irq", Reason: "an interrupt handler does not interrupt itself"}},
		Regions:  diag.Regions{Total: 3, Racy: 1},
		Stages:   []diag.Stage{{Name: "points-to", Rounds: 2, Nodes: 5, Edges: 4, Members: 7, Sets: 3, Time: time.Second / 2, Ended: true}, {Name: "one run", Rounds: 1, Time: time.Second}},
		Counters: diag.Counters{Queries: 9, Candidates: 8, Dropped: 2, Obligations: 7, Inlined: 1},
		Notes:    []string{"interrupted"}, Seconds: 1.25,
		Assumptions: []ir.Assumption{{Kind: "inline-asm", Pos: at(25, 2), Text: "outputs are arbitrary"},
			{Kind: "inline-asm", Pos: at(11, 2), Text: "outputs are arbitrary"}, {Kind: "memory-safety", Text: "pointers stay within their objects"}},
	}
	w := diag.Access{Kind: "write", Entry: "dev_write", Function: "count", Pos: at(4, 2), Order: ir.Plain, Calls: []diag.Frame{{Function: "count", Pos: at(19, 2)}}}
	rd := diag.Access{Kind: "read", Entry: "dev_read", Function: "dev_read", Pos: at(11, 9), Order: ir.Plain, Locks: []string{"dev.lock", "rtnl"},
		Steps: []diag.Step{{Does: "lock", Lock: "dev.lock", Pos: at(10, 2)}, {Does: "unlock", Lock: "dev.lock", Pos: at(12, 1)}}}
	r.Races = []diag.Race{{Region: "dev.stats", First: w, Second: rd, Why: "nothing orders dev_write and dev_read"},
		{Region: "dev.stats", First: rd, Second: w, Why: "the same, turned round"}}
	r.Finish()
	return r
}

// accepted is the sample with a finding, and its race accepted by a comment, a warning by
// a baseline.
func accepted() *diag.Report {
	r := sample()
	held := diag.Finding{Kind: "lock-held-blocking", Level: diag.Warning, Pos: at(11, 2), Function: "dev_read", Subject: "mu", Message: "mu is held at a receive",
		Related: []diag.Related{{Pos: at(8, 5), Message: "mu is taken here"}}}
	copied := diag.Finding{Kind: "lock-copy", Level: diag.Warning, Pos: at(15, 2), Subject: "T", Message: "this assignment copies a T"}
	r.AddFindings(held, copied)
	r.Accept(func(diag.Race) *diag.Acceptance {
		return &diag.Acceptance{By: "comment", Reason: "statistics only", Pos: at(4, 9)}
	}, func(f diag.Finding) *diag.Acceptance {
		if f.Kind != "lock-copy" {
			return nil
		}
		return &diag.Acceptance{By: "baseline", Reason: "known by base.json"}
	})
	return r
}

// golden compares got with a file of testdata. A missing file is a failure.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update to make it)", err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, d)
	}
}

// assets are the style and the script of pages, which say nothing about a report.
var assets = regexp.MustCompile(`(?s)<style>.*?</style>\n|<script>.*?</script>\n`)

func TestGolden(t *testing.T) {
	for name, render := range map[string]func(*bytes.Buffer, *diag.Report) error{
		"sample.txt":     func(b *bytes.Buffer, r *diag.Report) error { return Text(b, r, Options{Stats: true}) },
		"color.txt":      func(b *bytes.Buffer, r *diag.Report) error { return Text(b, r, Options{Color: true}) },
		"sample.json":    func(b *bytes.Buffer, r *diag.Report) error { return JSON(b, r) },
		"sample.sarif":   func(b *bytes.Buffer, r *diag.Report) error { return SARIF(b, r) },
		"sample.gnu":     func(b *bytes.Buffer, r *diag.Report) error { return GNU(b, r) },
		"accepted.gnu":   func(b *bytes.Buffer, _ *diag.Report) error { return GNU(b, accepted()) },
		"sample.md":      func(b *bytes.Buffer, r *diag.Report) error { return Markdown(b, r) },
		"sample.html":    func(b *bytes.Buffer, r *diag.Report) error { return HTML(b, r) },
		"accepted.txt":   func(b *bytes.Buffer, _ *diag.Report) error { return Text(b, accepted(), Options{}) },
		"accepted.json":  func(b *bytes.Buffer, _ *diag.Report) error { return JSON(b, accepted()) },
		"accepted.sarif": func(b *bytes.Buffer, _ *diag.Report) error { return SARIF(b, accepted()) },
		"accepted.html":  func(b *bytes.Buffer, _ *diag.Report) error { return HTML(b, accepted()) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := render(&b, sample()); err != nil {
				t.Fatal(err)
			}
			golden(t, name, assets.ReplaceAll(b.Bytes(), nil))
		})
	}
}

// TestSARIFValid: what is written passes the validator of the format.
func TestSARIFValid(t *testing.T) {
	for name, r := range map[string]*diag.Report{"sample": sample(), "accepted": accepted(), "empty": {}, "many": manyRaces()} {
		var b bytes.Buffer
		if err := SARIF(&b, r); err != nil {
			t.Fatal(err)
		}
		doc, err := sarif.FromBytes(b.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := doc.Validate(); err != nil {
			t.Errorf("%s as it is read: %v", name, err)
		}
		var plain any
		if err := json.Unmarshal(b.Bytes(), &plain); err != nil {
			t.Fatal(err)
		}
		for _, run := range plain.(map[string]any)["runs"].([]any) {
			for _, res := range run.(map[string]any)["results"].([]any) {
				if res.(map[string]any)["partialFingerprints"] == nil {
					t.Errorf("%s: a result without a fingerprint", name)
				}
			}
		}
	}
}

// TestEmpty: a report of nothing has arrays, not null, in every format for programs.
func TestEmpty(t *testing.T) {
	for name, render := range map[string]func(*bytes.Buffer) error{
		"json":  func(b *bytes.Buffer) error { return JSON(b, &diag.Report{}) },
		"sarif": func(b *bytes.Buffer) error { return SARIF(b, &diag.Report{}) },
	} {
		var b bytes.Buffer
		if err := render(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "null") {
			t.Errorf("%s: null in %s", name, b.String())
		}
	}
}

// TestDocumented: every key of the JSON report is named in docs/reference/json.md.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/reference/json.md")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := JSON(&b, accepted()); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	for k := range keys(v, map[string]bool{}) {
		if !strings.Contains(string(doc), "`"+k+"`") {
			t.Errorf("docs/reference/json.md does not document %q", k)
		}
	}
}

// keys gathers the keys of all objects in v.
func keys(v any, into map[string]bool) map[string]bool {
	switch x := v.(type) {
	case map[string]any:
		for k, y := range x {
			into[k] = true
			keys(y, into)
		}
	case []any:
		for _, y := range x {
			keys(y, into)
		}
	}
	return into
}

// on is a race on a field, of places in a.go.
func on(field string, first, second diag.Access) diag.Race {
	return diag.Race{Region: "heap(a.go:9)." + field, Field: field, First: first, Second: second, Same: true, Why: "nothing orders them"}
}

func in(kind, entry string, line int, locks ...string) diag.Access {
	return diag.Access{Kind: kind, Entry: entry, Pos: ir.Pos{File: "a.go", Line: line, Col: 1}, Locks: locks}
}

// Races on one field are one thing to look at; first come the fields that are accessed
// with a lock elsewhere, and of their races those where one side has it.
func TestRacesByField(t *testing.T) {
	r := &diag.Report{Input: "x", Guards: []diag.Guard{{Field: "S.n", Lock: "S.mu", Held: 2, Places: 3}},
		Races: []diag.Race{on("S.free", in("write", "e", 1), in("write", "f", 2)), on("S.n", in("write", "e", 3), in("read", "f", 4)),
			on("S.n", in("write", "e", 3), in("write", "g", 5, "S.mu")), on("S.free", in("read", "g", 6), in("write", "f", 2))}}
	groups := groupRaces(r)
	if len(groups) != 2 || groups[0].field != "S.n" || groups[0].races[0].Second.Entry != "g" || len(groups[1].races) != 2 {
		t.Errorf("the groups are %v", groups)
	}
	var out bytes.Buffer
	if err := Text(&out, r, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"race 1 on S.n\n  a.go:3:1: write by e\n", "  also: e,f\n  S.mu is held at 2 of 3 places\n  1 more race on it\n    reads at a.go:4:1\n", "4 races (shown as 2)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

// Freed memory comes first, that of a device which is removed before that of one which
// could not be set up; parameters of a module come last.
func TestRacesByGravity(t *testing.T) {
	free := on("S.failed", in("read", "work", 1), in("free", "probe", 2))
	gone := on("S.removed", in("read", "work", 1), in("free", "remove", 3))
	r := &diag.Report{Input: "x", Guards: []diag.Guard{{Field: "S.n", Lock: "S.mu", Held: 2, Places: 3}},
		Entries: []*ir.Entry{{Name: "probe", Init: true}, {Name: "remove", Exit: true}, {Name: "work"}, {Name: "parameter p", Kind: ir.ParameterKind}},
		Races:   []diag.Race{on("p", in("write", "parameter p", 9), in("write", "work", 4)), on("S.n", in("write", "work", 5), in("write", "read", 6, "S.mu")), free, gone}}
	var got []string
	for _, g := range groupRaces(r) {
		got = append(got, g.field)
	}
	if want := []string{"S.removed", "S.failed", "S.n", "p"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// A large report is short by default, and has everything with All.
func TestLargeReport(t *testing.T) {
	r := &diag.Report{Input: "x"}
	for i := range 30 {
		e := fmt.Sprintf("entry%02d", i)
		r.Entries = append(r.Entries, &ir.Entry{Name: e})
		r.Pairs = append(r.Pairs, diag.Pair{First: e, Second: e, Verdict: diag.Racy}, diag.Pair{First: e, Second: "other", Verdict: diag.Unknown, Reason: "too large"})
		a := in("write", e, i+1)
		for range 9 {
			a.Calls = append(a.Calls, diag.Frame{Function: "f", Pos: ir.Pos{File: "a.go", Line: 1}})
		}
		r.Races = append(r.Races, on(fmt.Sprintf("S.f%02d", i), a, in("read", e, 99)))
		r.Assumptions = append(r.Assumptions, ir.Assumption{Kind: "open-calls", Text: fmt.Sprintf("function %02d", i)}, ir.Assumption{Kind: "panics", Text: fmt.Sprintf("panic %02d", i)})
	}
	r.Entries = append(r.Entries, &ir.Entry{Name: "free"})
	var some, all bytes.Buffer
	if err := Text(&some, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := Text(&all, r, Options{All: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "large.txt", some.Bytes())
	for i := range 30 {
		for _, want := range []string{fmt.Sprintf(" entry%02d | entry%02d | racy", i, i), fmt.Sprintf(" on S.f%02d\n", i), fmt.Sprintf("function %02d", i), fmt.Sprintf("panic %02d", i)} {
			if !strings.Contains(all.String(), want) {
				t.Errorf("%q is missing", want)
			}
		}
	}
	if strings.Contains(all.String(), "…") {
		t.Error("a chain is cut")
	}
}

// TestFindings: fields whose races are of the same entry points are one finding where
// there are many; those of one pair alone are not, and not those that a lock mostly
// protects.
func TestFindings(t *testing.T) {
	r := &diag.Report{Input: "x"}
	for i := range 14 {
		f := fmt.Sprintf("S.f%02d", i)
		r.Races = append(r.Races, on(f, in("write", "read", i+1), in("read", "reset", 99)), on(f, in("write", "read", i+1), in("write", "next", i+1)), on(f, in("write", "next", i+1), in("read", "reset", 99)))
	}
	r.Races = append(r.Races, on("S.guarded", in("write", "read", 50), in("read", "reset", 51)), on("S.single", in("write", "read", 52), in("read", "read", 53)), on("S.other", in("write", "check", 60), in("read", "reset", 61)),
		on("S.other", in("write", "check", 60), in("read", "read", 62)), on("S.last", in("write", "check", 70), in("read", "close", 71)), on("S.last", in("write", "check", 70), in("read", "open", 71)))
	r.Guards = []diag.Guard{{Field: "S.guarded", Lock: "S.mu", Held: 3, Places: 5}, {Field: "S.f03", Lock: "S.mu", Held: 1, Places: 5}}
	var got []string
	for _, f := range raceFindings(r) {
		got = append(got, f.title())
	}
	slices.Sort(got)
	if want := []string{"S.f00 and 13 more fields", "S.guarded", "S.other and 1 more field", "S.single"}; !slices.Equal(got, want) {
		t.Errorf("findings %q, want %q", got, want)
	}
	var all, some bytes.Buffer
	if err := Text(&all, r, Options{All: true}); err != nil {
		t.Fatal(err)
	}
	if err := Text(&some, r, Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range 14 {
		f := fmt.Sprintf("S.f%02d", i)
		if !strings.Contains(some.String(), f) || !strings.Contains(all.String(), " on "+f+"\n") {
			t.Errorf("%s is not named", f)
		}
	}
}

// TestUnread: of an input that was not read in time nothing is said but that.
func TestUnread(t *testing.T) {
	var b strings.Builder
	r := &diag.Report{Input: "x", Verdict: diag.Unknown, Looked: diag.Looked{Unread: true}}
	if err := Text(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	want := "x: unknown: the time was up before the input was read; nothing was looked at, "
	if got := strings.TrimSpace(b.String()); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is freed beside one entry point is one finding where there are many fields.
func TestFreedIsOneFinding(t *testing.T) {
	r := &diag.Report{Input: "x", Entries: []*ir.Entry{{Name: "remove", Exit: true}, {Name: "work"}}}
	for i := range 20 {
		r.Races = append(r.Races, on(fmt.Sprintf("S.f%02d", i), in("read", "work", i), in("free", "remove", 99)))
	}
	if fs := raceFindings(r); len(fs) != 1 || len(fs[0].same) != 19 {
		t.Errorf("there are %d findings", len(fs))
	}
}
