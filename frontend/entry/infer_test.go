package entry

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/frontend/models"
	"whoop/ir"
)

func parse(t *testing.T, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("t.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p
}

func set(t *testing.T) *models.Set {
	t.Helper()
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// show prints the entries, exclusions and the kinds of assumptions, a line each.
func show(p *ir.Program) string {
	var b strings.Builder
	for _, e := range p.Entries {
		fmt.Fprintf(&b, "%s %s", e.Name, e.Kind)
		for _, f := range []struct {
			on   bool
			name string
		}{{e.Multi, "multi"}, {e.Spawned, "spawned"}, {e.Init, "init"}, {e.Exit, "exit"}} {
			if f.on {
				b.WriteString(" " + f.name)
			}
		}
		if len(e.Holds) > 0 {
			fmt.Fprintf(&b, " holds %s", strings.Join(e.Holds, ","))
		}
		if len(e.Private) > 0 {
			fmt.Fprintf(&b, " private %v", e.Private)
		}
		b.WriteString("\n")
	}
	for _, x := range p.Exclusions {
		fmt.Fprintf(&b, "not %s|%s\n", x.A, x.B)
	}
	return b.String()
}

// Each testdata/NAME.wir begins with a comment that is the expected outcome of Infer.
func TestInfer(t *testing.T) {
	files, err := filepath.Glob("testdata/*.wir")
	if err != nil || len(files) == 0 {
		t.Fatal("no test programs", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			for _, l := range strings.Split(string(src), "\n") {
				if w, ok := strings.CutPrefix(l, "//= "); ok {
					want.WriteString(w + "\n")
				}
			}
			p := parse(t, string(src))
			if err := Infer(p, set(t), Options{}); err != nil {
				t.Fatal(err)
			}
			if got := show(p); got != want.String() {
				t.Errorf("got:\n%swant:\n%s", got, want.String())
			}
			roundTrip(t, p, string(src))
		})
	}
}

// roundTrip writes the entry points of p as an ep.yaml, applies it to the same program
// without entries, and compares.
func roundTrip(t *testing.T, p *ir.Program, src string) {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, p); err != nil {
		t.Fatal(err)
	}
	c, err := ParseConfig("ep.yaml", out.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	q := parse(t, src)
	if err := c.Apply(q, set(t)); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	if a, b := show(p), show(q); a != b {
		t.Errorf("the written file says something else:\n%swas:\n%s", b, a)
	}
}

func TestNoEntries(t *testing.T) {
	p := parse(t, "func lib_get() void {\na:\n  return\n}\nfunc printk() void extern\n")
	err := Infer(p, set(t), Options{})
	if err == nil || !strings.Contains(err.Error(), "ep.yaml") || !strings.Contains(err.Error(), "lib_get") || strings.Contains(err.Error(), "printk") {
		t.Fatalf("error is %v", err)
	}
}

// What only other modules call is no entry point, and an assumption says so.
func TestExported(t *testing.T) {
	p := parse(t, `program "exported"
global __UNIQUE_ID___addressable_shown7: *void = { 0 = fn shown }
func shown() void {
entry:
  return
}
func main() i32 {
entry:
  return i32 0
}
`)
	if err := Infer(p, set(t), Options{}); err != nil {
		t.Fatal(err)
	}
	if len(p.Entries) != 1 || !slices.ContainsFunc(p.Assumptions, func(a ir.Assumption) bool {
		return a.Kind == "exported" && strings.HasSuffix(a.Text, ": shown")
	}) {
		t.Errorf("the entries are %v, the assumptions %v", p.Entries, p.Assumptions)
	}
}
