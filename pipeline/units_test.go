package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// unitsModule is a module with a library, two programs that use it, each with a race of
// its own, and a package without entry points that only one program imports.
var unitsModule = map[string]string{
	"go.mod": "module units\n\ngo 1.24\n",
	"box/box.go": `package box
import "sync"
type Box struct { mu sync.Mutex; n int; hint int }
func (b *Box) Put(n int) { b.mu.Lock(); b.n = n; b.mu.Unlock() }
func (b *Box) Get() int { b.mu.Lock(); defer b.mu.Unlock(); return b.n }
func (b *Box) Hint() int { return b.hint }
func (b *Box) SetHint(n int) { b.hint = n }
`,
	"text/text.go": `package text
func Up(s string) string { return s + "!" }
`,
	"cmd/one/main.go": `package main
import ("units/box"; "units/text")
var last string
func main() {
	b := &box.Box{}
	b.SetHint(1)
	go func() { last = text.Up("a"); b.Put(1) }()
	last = "b"
	println(b.Get(), b.Hint())
}
`,
	"cmd/two/main.go": `package main
import "units/box"
var total int
func main() {
	b := &box.Box{}
	go func() { total++; b.Put(1) }()
	total++
	println(b.Get())
}
`,
}

// TestUnits: main packages are programs of their own, which do not run together, and
// libraries one for users that are not known; the report is about all.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, unitsModule)
	verify := func(opt Options) (*diag.Report, error) {
		opt.Jobs = 2
		return Verify(context.Background(), dir+"/...", opt)
	}
	rep, err := verify(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var races []string
	for _, r := range rep.Races {
		races = append(races, r.First.Entry+" / "+r.Second.Entry+": "+r.Field)
	}
	for _, want := range []string{"last", "total", "Box.hint"} {
		if n := len(slices.DeleteFunc(slices.Clone(races), func(r string) bool { return !strings.Contains(r, want) })); n == 0 {
			t.Errorf("no race on %s", want)
		}
	}
	for _, r := range rep.Races { // of one program alone
		a, _, inA := strings.Cut(r.First.Entry, ": ")
		b, _, inB := strings.Cut(r.Second.Entry, ": ")
		if inA != inB || inA && a != b {
			t.Errorf("a race of %s and %s", r.First.Entry, r.Second.Entry)
		}
		if strings.Contains(r.Field, "Box.hint") && inA {
			t.Errorf("%s has a race on the hint, which it does not have in that program", r.First.Entry)
		}
	}
	var names []string
	for _, e := range rep.Entries {
		names = append(names, e.Name)
	}
	for _, want := range []string{"cmd/one: main", "cmd/two: main", "(*Box).Put"} {
		if !slices.Contains(names, want) {
			t.Errorf("no entry point %s among %q", want, names)
		}
	}
	if rep, err = verify(Options{Pairs: []string{"(*Box).Put,(*Box).Get"}}); err != nil || len(rep.Pairs) != 1 || rep.Verdict != diag.RaceFree {
		t.Errorf("one pair: %v, %v", rep, err)
	}
	if _, err := verify(Options{Pairs: []string{"cmd/one: main,cmd/two: main"}}); err == nil || !strings.Contains(err.Error(), "different programs") {
		t.Errorf("a pair of two programs: %v", err)
	}
	if _, err := verify(Options{Pairs: []string{"main,main"}}); err == nil || !strings.Contains(err.Error(), "there are: ") {
		t.Errorf("no such entry point: %v", err)
	}
}

// writeFiles makes files with their directories.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestApartLibraries: what users get from one library does not call what they get from
// another one that it has nothing to do with, a generic type's values are none of the
// functions that another library has, and entry points of one name are told apart.
func TestApartLibraries(t *testing.T) {
	const cache = `package %s
import "sync"
type Cache[K comparable, V any] struct { mu sync.Mutex; m map[K]V }
func New[K comparable, V any]() *Cache[K, V] { return &Cache[K, V]{m: map[K]V{}} }
func (c *Cache[K, V]) Get(k K) V { c.mu.Lock(); defer c.mu.Unlock(); return c.m[k] }
func (c *Cache[K, V]) Put(k K, v V) { c.mu.Lock(); c.m[k] = v; c.mu.Unlock() }
`
	files := map[string]string{
		"go.mod":       "module apart\n\ngo 1.24\n",
		"one/one.go":   fmt.Sprintf(cache, "one"),
		"two/two.go":   fmt.Sprintf(cache, "two"),
		"util/util.go": "package util\nfunc Up(n int) int { return n + 1 }\n",
		"hooks/hooks.go": `package hooks
import ("apart/util"; "sync")
var Start = util.Up(1)
type Hooks struct { mu sync.Mutex; n int }
func (h *Hooks) Get(k int) any { return Func(func() { h.mu.Lock(); h.n++; h.mu.Unlock() }) }
func (h *Hooks) Put(f func() int) { h.mu.Lock(); h.n++; h.mu.Unlock() }
type Func func()
func (f Func) Run() { f() }
`,
	}
	dir := t.TempDir()
	writeFiles(t, dir, files)
	rep, err := Verify(context.Background(), dir+"/...", Options{Jobs: 1})
	if err != nil || rep.Verdict != diag.RaceFree {
		t.Fatalf("%v, %v", rep, err)
	}
	var names []string
	for _, e := range rep.Entries {
		names = append(names, e.Name)
	}
	for _, want := range []string{"one: (*Cache[K, V]).Get", "two: (*Cache[K, V]).Get", "hooks: (*hooks.Hooks).Get"} {
		if !slices.Contains(names, want) {
			t.Errorf("no entry point %s among %q", want, names)
		}
	}
	files["both/both.go"] = "package both\nimport (_ \"apart/one\"; _ \"apart/two\"; _ \"apart/hooks\"; \"sync\")\ntype Both struct { mu sync.Mutex; N int }\nfunc (b *Both) Inc() { b.mu.Lock(); b.N++; b.mu.Unlock() }\n"
	writeFiles(t, dir, files)
	if rep, err := Verify(context.Background(), dir+"/...", Options{Jobs: 1}); err != nil || slices.ContainsFunc(rep.Entries, func(e *ir.Entry) bool { return strings.Contains(e.Name, ": ") }) {
		t.Errorf("where one package imports all others, they are one program: %v, %v", rep, err)
	}
	p, err := Load(dir+"/...", Options{}) // all together
	if err != nil || p.EntryByName("(*hooks.Hooks).Get") == nil && p.EntryByName("(*Hooks).Get") == nil {
		t.Errorf("all together: %v", err)
	}
}
