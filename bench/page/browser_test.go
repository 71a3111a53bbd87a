package page

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// browser finds Chromium, which is not needed for anything else.
func browser(t *testing.T) string {
	for _, n := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Skip("no Chromium: the page is not looked at in a browser (Debian: apt-get install chromium)")
	return ""
}

// TestBrowser opens the page from its file, sorts the runs by processor time, opens a
// task's log, and looks for the plots.
func TestBrowser(t *testing.T) {
	path := browser(t)
	dir := t.TempDir()
	r, logs := sample()
	for name, f := range logs {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(dir, r, Options{}); err != nil {
		t.Fatal(err)
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)...)
	defer stop()
	ctx, stop := chromedp.NewContext(alloc)
	defer stop()
	ctx, stop = context.WithTimeout(ctx, 2*time.Minute)
	defer stop()

	const sortBy = `(() => {
		const heads = Array.from(document.querySelectorAll("#runs thead th"));
		const i = heads.findIndex(h => h.textContent.startsWith("CPU"));
		heads[i].querySelector("button").click();
		return Array.from(document.querySelectorAll("#runs tbody tr"), r => Number(r.cells[i].dataset.v));
	})()`
	do(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, Name)))
	up := do(t, ctx, chromedp.Evaluate[[]float64](sortBy))
	down := do(t, ctx, chromedp.Evaluate[[]float64](sortBy))
	plots := do(t, ctx, chromedp.Evaluate[int](`document.querySelectorAll("figure svg").length`))
	log := do(t, ctx, chromedp.Evaluate[string](`(() => {
		document.querySelector("#runs tbody tr button.open").click();
		return document.getElementById("panel").hidden ? "" : document.getElementById("panel-log").textContent;
	})()`))
	wide := do(t, ctx, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > document.documentElement.clientWidth`))
	if len(up) != len(r.Runs) || !sort.Float64sAreSorted(up) {
		t.Errorf("sorted by CPU time: %v", up)
	}
	slices.Reverse(down)
	if !sort.Float64sAreSorted(down) {
		t.Errorf("sorted the other way: %v", down)
	}
	if plots < 2 {
		t.Errorf("%d plots", plots)
	}
	if !strings.HasPrefix(log, "log of ") {
		t.Errorf("the panel shows %q", log)
	}
	if wide {
		t.Error("the page is wider than its window")
	}
}

// do runs an action of the browser.
func do[T any](t *testing.T, ctx context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
