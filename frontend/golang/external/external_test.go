package external

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"

	"whoop/internal/kept"
)

// noLibrary knows time.AfterFunc alone.
type noLibrary struct{}

func (noLibrary) Starts(name string) (int, string, bool) { return 1, "", name == "time.AfterFunc" }
func (noLibrary) Reflects(path string) bool              { return path == "fmt" }

const kit = `package kit

import ("fmt"; "sync"; "time")

func Now(f func())   { f() }
func Defer(f func()) { defer f() }
func Start(f func()) { go f() }
func Timer(f func()) { time.AfterFunc(1, f) }
func Unused(f func()) {}
func Capture(f func()) { g := func() { f() }; Now(g) }
func Inside(f func()) { go func() { f() }() }
func Pass(f func())   { Start(f) }
func Once(f func())   { var o sync.Once; o.Do(f) }

var kept func()

func Keep(f func())          { kept = f }
func Return(f func()) func() { return func() { f() } }
func Print(v any)            { fmt.Println(v) }
func Loop(n int, f func())   { if n > 0 { f(); Loop(n-1, f) } }
func Generic[T any](xs []T, f func(T)) { for _, x := range xs { f(x) } }
func Many(fs ...func())      { for _, f := range fs { f() } }
func Chan(c chan func(), f func()) { c <- f }
func Var(f func())           { g := f; if g == nil { g = func() {} }; g() }

type Options struct{ hook func() }

func With(f func()) func(*Options) { return func(o *Options) { o.hook = f } }
func Run(opts ...func(*Options))   { o := &Options{}; for _, f := range opts { f(o) }; o.hook() }
`

// TestParam: what functions of a package do with what they are given.
func TestParam(t *testing.T) {
	w := world(t, "Now", "Keep", "Run")
	for name, want := range map[string]Bits{
		"Now": Now, "Defer": Now, "Start": Go, "Timer": Go, "Unused": 0, "Capture": Now, "Inside": Go, "Pass": Go, "Once": Now, "Keep": Kept,
		"Return": Kept, "Print": Now | Looked, "Many": Now, "Var": Now, "With": Kept, "Run": Now,
	} {
		if got := w.Param(ref("x.org/kit", "x.org/kit."+name), 0); got != want {
			t.Errorf("%s: %b, want %b", name, got, want)
		}
	}
	for name, want := range map[string]Bits{"Loop": Now, "Generic": Now, "Chan": Kept} {
		if got := w.Param(ref("x.org/kit", "x.org/kit."+name), 1); got != want {
			t.Errorf("%s: %b, want %b", name, got, want)
		}
	}
	if b := w.Param(ref("x.org/none", "x.org/none.F"), 0); b != All {
		t.Errorf("a package without source: %b", b)
	}
}

// TestAsync: what is kept is called by goroutines if one may reach a call of its
// signature.
func TestAsync(t *testing.T) {
	plain := FuncKey(types.NewSignatureType(nil, nil, nil, nil, nil, false))
	w := world(t, "Keep", "Run")
	if w.Async("x.org/kit", plain) {
		t.Error("Run starts nothing")
	}
	if !w.Now(ref("x.org/kit", "x.org/kit.Run"), plain) {
		t.Error("Run calls the hook")
	}
	w = world(t, "Keep", "Start")
	if w.Async("x.org/kit", plain) {
		t.Error("Start starts what it is given alone")
	}
}

// world makes a module of the package, extracts its facts, keeps them, and reads them
// again.
func world(t *testing.T, calls ...string) *World {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module x.org/kit\n\ngo 1.26\n", "kit.go": kit} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cfg := packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles}
	roots, err := packages.Load(&cfg, ".")
	if err != nil {
		t.Fatal(err)
	}
	prog := Program{Imports: []string{"x.org/kit"}}
	for _, c := range calls {
		prog.Calls = append(prog.Calls, ref("x.org/kit", "x.org/kit."+c))
	}
	cache := filepath.Join(t.TempDir(), "cache")
	var w *World
	for range 2 {
		src := NewSource(cfg, []string{"."}, roots, Options{Library: noLibrary{}, Cache: kept.At(cache)})
		w = NewWorld(src, prog)
		if u := w.Unknown(); len(u) > 0 {
			t.Fatal(u)
		}
	}
	if fs, err := filepath.Glob(filepath.Join(cache, "*")); err != nil || len(fs) != 1 {
		t.Fatalf("in the cache: %v, %v", fs, err)
	}
	return w
}
