package report

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"whoop/diag"
	"whoop/ir"
	"whoop/trace"
)

// browser opens Chromium, which is not needed for anything else.
func browser(t *testing.T) context.Context {
	t.Helper()
	for _, n := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(n)
		if err != nil {
			continue
		}
		alloc, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)...)
		t.Cleanup(stop)
		ctx, stop := chromedp.NewContext(alloc)
		t.Cleanup(stop)
		ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
		t.Cleanup(stop)
		return ctx
	}
	t.Skip("no Chromium: pages are not looked at in a browser (Debian: apt-get install chromium)")
	return nil
}

// manyRaces is a report with 200 pairs and 30 races.
func manyRaces() *diag.Report {
	r := &diag.Report{Tool: "whoop", Command: "verify", Input: "testdata/sample.c", Verdict: diag.Racy}
	for i := range 20 {
		r.Entries = append(r.Entries, &ir.Entry{Name: fmt.Sprintf("entry%02d", i)})
	}
	for i := range 20 {
		for k := i; k < 20 && len(r.Pairs) < 200; k++ {
			p := diag.Pair{First: r.Entries[i].Name, Second: r.Entries[k].Name, Verdict: diag.RaceFree}
			if k == i+1 {
				p.Verdict = diag.Racy
			}
			r.Pairs = append(r.Pairs, p)
		}
	}
	at := func(line int) ir.Pos { return ir.Pos{File: "testdata/sample.c", Line: line, Col: 2} }
	for i := range 30 {
		a, b := fmt.Sprintf("entry%02d", i%18), fmt.Sprintf("entry%02d", i%18+1)
		r.Races = append(r.Races, diag.Race{Region: fmt.Sprintf("S.f%d", i), Field: fmt.Sprintf("S.f%d", i), Why: "nothing orders them", Same: true,
			First:  diag.Access{Kind: "write", Entry: a, Function: a, Pos: at(4), Locks: []string{"dev.lock"}},
			Second: diag.Access{Kind: "read", Entry: b, Function: b, Pos: at(11 + i%8)}})
	}
	r.Assumptions = []ir.Assumption{{Kind: "memory-model", Text: "memory is sequentially consistent"}}
	return r
}

// stepped is a report of explore with one execution of two threads.
func stepped() *diag.Exploration {
	x := &trace.Execution{Trace: &trace.Trace{Bug: trace.Bug{Kind: "assert", Message: "the assertion is false"}}, Threads: []string{"main", "T1 add"}, Switches: 1, Preemptions: 1}
	at := func(line int) ir.Pos { return ir.Pos{File: "testdata/sample.c", Line: line, Col: 2} }
	for i := range 12 {
		x.Steps = append(x.Steps, trace.Step{Pos: at(4), Text: fmt.Sprintf("n := %d", i), Locks: []string{"m"}})
	}
	x.Steps = append(x.Steps, trace.Step{Thread: 1, Pos: at(11), Text: "n is 11", Switch: true, Preempted: true},
		trace.Step{Thread: 1, Pos: at(12), Text: "the assertion is false", Last: true})
	return &diag.Exploration{Tool: "whoop", Command: "explore", Input: "testdata/sample.c", Strategy: "dfs", Bound: -1,
		Bugs: []diag.Bug{{Kind: "assert", Message: "the assertion is false", Execution: x}}}
}

// watched is put into a page to note what its console complains of.
const watched = `<script>window.complaints = [];
addEventListener("error", e => complaints.push(e.message));
for (const k of ["error", "warn"]) console[k] = (...a) => complaints.push(a.join(" "));</script>`

// load opens a page in a window of a width.
func load(t *testing.T, ctx context.Context, width int64, html []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	html = bytes.Replace(html, []byte("<head>"), []byte("<head>"+watched), 1)
	if err := os.WriteFile(path, html, 0o644); err != nil {
		t.Fatal(err)
	}
	act(t, ctx, chromedp.EmulateViewport(width, 900))
	act(t, ctx, chromedp.Navigate("file://"+path))
}

// act runs an action of the browser.
func act[T any](t *testing.T, ctx context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func eval[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	return act(t, ctx, chromedp.Evaluate[T](js))
}

// quiet checks that the console has nothing to say, and that nothing is wider than the
// window.
func quiet(t *testing.T, ctx context.Context) {
	t.Helper()
	if c := eval[[]string](t, ctx, "complaints"); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
	if eval[bool](t, ctx, `document.documentElement.scrollWidth > document.documentElement.clientWidth`) {
		t.Error("the page is wider than its window")
	}
	if n := eval[int](t, ctx, `performance.getEntriesByType("resource").length`); n > 0 {
		t.Errorf("the page loads %d other files", n)
	}
}

// TestRacesInBrowser: the first race is visible without scrolling in wide and narrow
// windows; the matrix leaves the races of a pair; links open their race.
func TestRacesInBrowser(t *testing.T) {
	ctx := browser(t)
	var b bytes.Buffer
	if err := HTML(&b, manyRaces()); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{400, 1400} {
		load(t, ctx, width, b.Bytes())
		if bottom := eval[float64](t, ctx, `document.querySelector("details.race .source").getBoundingClientRect().bottom`); bottom > 900 {
			t.Errorf("%d px: the first race ends at %.0f px, below the window", width, bottom)
		}
		if n := eval[int](t, ctx, `document.querySelectorAll("details.race").length`); n != 30 {
			t.Errorf("%d races", n)
		}
		left := eval[int](t, ctx, `(() => {
			document.querySelector(".matrix .racy button").click();
			return Array.from(document.querySelectorAll("details.race")).filter(r => !r.hidden).length;
		})()`)
		if left < 1 || left > 4 {
			t.Errorf("the matrix leaves %d races of a pair", left)
		}
		opened := false
		for try := 0; try < 40 && !opened; try++ {
			opened = eval[bool](t, ctx, `(() => { location.hash = "race-30"; const r = document.getElementById("race-30"); return r.open && !r.hidden; })()`)
			time.Sleep(50 * time.Millisecond)
		}
		if !opened {
			t.Error("the link to a race does not open it")
		}
		if !eval[bool](t, ctx, `!document.querySelector("#assumptions details").open`) {
			t.Error("the assumptions are not folded")
		}
		quiet(t, ctx)
	}
}

// TestStepsInBrowser: an execution is stepped through by keys; equal iterations are
// folded; the panel shows the source and the values of the step.
func TestStepsInBrowser(t *testing.T) {
	ctx := browser(t)
	var b bytes.Buffer
	if err := ExplorationHTML(&b, stepped()); err != nil {
		t.Fatal(err)
	}
	const press = `(keys => { for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })); return document.querySelector(".panel").textContent + "|" + document.querySelector(".run .count").textContent; })`
	for _, width := range []int64{400, 1400} {
		load(t, ctx, width, b.Bytes())
		if n := eval[int](t, ctx, `document.querySelectorAll(".lanes .row").length`); n != 4 {
			t.Errorf("%d steps are drawn, want 4: two of the loop, two more", n)
		}
		if s := eval[string](t, ctx, `Array.from(document.querySelectorAll(".lanes .switch"), e => e.textContent).join("|")`); !strings.Contains(s, "10 more iterations like this|↷ main → T1 add (which could have gone on)") {
			t.Errorf("between the steps: %q", s)
		}
		if s := eval[string](t, ctx, press+`(["j", "j", "j", "k"])`); !strings.Contains(s, "T1 add: n is 11") || !strings.Contains(s, "main holds m") || !strings.HasSuffix(s, "|step 3 of 4") {
			t.Errorf("after three steps on and one back: %q", s)
		}
		if eval[int](t, ctx, `document.querySelectorAll(".panel .source .at").length`) != 1 {
			t.Error("the panel shows no source line")
		}
		quiet(t, ctx)
	}
}

// programs is a report of three programs, two of which have a variable of one name.
func programs() *diag.Report {
	r := manyRaces()
	r.Programs = []diag.Program{{Name: "cmd/a"}, {Name: "cmd/b"}, {Name: "cmd/c"}}
	for i, e := range r.Entries {
		x := &r.Programs[0]
		if i >= 10 {
			x = &r.Programs[1]
		}
		x.Entries = append(x.Entries, e.Name)
	}
	x := r.Races[0]
	y := x
	y.First.Entry, y.Second.Entry = "entry15", "entry16"
	y.First.Pos.File, y.Second.Pos.File = "testdata/other.c", "testdata/other.c"
	r.Races = append(r.Races, y)
	r.Entries = append(r.Entries, &ir.Entry{Name: "main"})
	r.Programs[2].Entries = []string{"main"}
	r.Pairs = append(r.Pairs, diag.Pair{First: "main", Second: "main", Verdict: diag.RaceFree})
	return r
}

// TestProgramsInBrowser: the index has a line a program, sorts and filters them, leads to
// the first races, and leaves those of a program.
func TestProgramsInBrowser(t *testing.T) {
	ctx := browser(t)
	var b bytes.Buffer
	if err := HTML(&b, programs()); err != nil {
		t.Fatal(err)
	}
	const names = `Array.from(document.querySelectorAll("#index tbody tr"), r => r.hidden ? "-" : r.cells[0].textContent).join(" ")`
	for _, width := range []int64{400, 1400} {
		load(t, ctx, width, b.Bytes())
		if s := eval[string](t, ctx, names); s != "cmd/a cmd/b cmd/c" {
			t.Errorf("the programs are %q", s)
		}
		if s := eval[string](t, ctx, `document.querySelectorAll("#index thead th button")[0].click(), document.querySelectorAll("#index thead th button")[0].click(), `+names); s != "cmd/c cmd/b cmd/a" {
			t.Errorf("sorted by name, downwards: %q", s)
		}
		if s := eval[string](t, ctx, `(() => { const f = document.querySelector("form.filters"); f.elements.verdict.value = "race-free"; f.dispatchEvent(new Event("input")); return `+names+` + "|" + f.querySelector("output").value; })()`); s != "cmd/c - -|1 of 3 programs" {
			t.Errorf("filtered: %q", s)
		}
		if n := eval[int](t, ctx, `(() => { document.querySelector(".program[data-program='1']").click(); return Array.from(document.querySelectorAll("details.race")).filter(r => !r.hidden).length; })()`); n != 11 {
			t.Errorf("%d races of the second program, want 11", n)
		}
		if s := eval[string](t, ctx, `Array.from(document.querySelectorAll("#index tbody tr")).find(r => r.cells[0].textContent === "cmd/b").cells[7].textContent`); !strings.HasSuffix(s, ", 8 more") {
			t.Errorf("the first races of the second program: %q", s)
		}
		quiet(t, ctx)
	}
}

// TestModulesInBrowser: the index of many reports leads to their pages.
func TestModulesInBrowser(t *testing.T) {
	ctx := browser(t)
	var b bytes.Buffer
	modules := []Module{{Name: "char/good", Verdict: diag.RaceFree, Page: "char/good.html", Free: 12, Entries: 4, Seconds: 10, Memory: 5 << 20},
		{Name: "char/bad", Verdict: diag.Racy, Page: "char/bad.html", Racy: 2, First: []string{"dev.n", "dev.m"}, Findings: 7, Seconds: 9},
		{Name: "net/broken", Verdict: diag.Unknown, Problem: "it cannot be preprocessed"}}
	if err := IndexHTML(&b, "scan", "drivers", "0", modules); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{400, 1400} {
		load(t, ctx, width, b.Bytes())
		if s := eval[string](t, ctx, `Array.from(document.querySelectorAll("#index tbody a"), a => a.getAttribute("href")).join(" ")`); s != "char/bad.html char/bad.html#race-1 char/bad.html#race-2 char/good.html" {
			t.Errorf("the links: %q", s)
		}
		if s := eval[string](t, ctx, `(() => { const b = Array.from(document.querySelectorAll("#index thead button")).find(b => b.textContent === "seconds"); b.click(); return Array.from(document.querySelectorAll("#index tbody tr"), r => r.cells[6].textContent).join(" "); })()`); s != "0.0 9.0 10.0" {
			t.Errorf("sorted by seconds: %q", s)
		}
		quiet(t, ctx)
	}
}
