package golang

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/frontend/golang/library"
	"whoop/internal/testscope"
	"whoop/ir"
)

// lower loads a package, validates the program and checks that it prints and parses back
// identically.
func lower(t *testing.T, path string) (*ir.Program, string) {
	t.Helper()
	p, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var a, b bytes.Buffer
	if err := ir.Print(&a, p); err != nil {
		t.Fatal(err)
	}
	q, err := ir.Parse("printed", a.Bytes())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := ir.Print(&b, q); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("%s: it prints differently after parsing", path)
	}
	return p, a.String()
}

// source writes a main package into a module of its own and returns its directory.
func source(t *testing.T, version, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, s := range map[string]string{"go.mod": "module example.com/m\n\ngo " + version + "\n", "m.go": "package main\n\n" + text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestCorpus: every program of the corpus lowers without an unknown function, but for
// methods of type parameters, the same way twice.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/golang/*/*.go")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for i, f := range files {
		if !testscope.Every(i, 4) { // all are lowered by TestGolang in benchmarks
			continue
		}
		d := filepath.Dir(f)
		p, text := lower(t, d)
		for _, f := range p.Funcs {
			if f.Unknown != "" && filepath.Base(d) != "lib_param_boxed" {
				t.Errorf("%s: %s is not understood: %s", d, f.Name, f.Unknown)
			}
		}
		if i%8 == 0 {
			if _, again := lower(t, d); again != text {
				t.Errorf("%s: it is lowered differently the second time", d)
			}
		}
	}
}

// TestLower: small pieces of Go and what their lowering must, and must not, contain.
func TestLower(t *testing.T) {
	for _, tc := range []struct{ name, text, want, not string }{
		{"mutex", "import \"sync\"\nvar mu sync.Mutex\nfunc main() { mu.Lock(); mu.Unlock() }", "lock exclusive mutex field(&mu, sync.Mutex, __state)", ""},
		{"read lock", "import \"sync\"\nvar mu sync.RWMutex\nfunc main() { mu.RLock(); mu.RUnlock() }", "unlock shared mutex", "lock exclusive"},
		{"atomic type", "import \"sync/atomic\"\nvar n atomic.Int32\nfunc main() { n.Add(2) }", "rmw add seq_cst", "store plain &n"},
		{"atomic function", "import \"sync/atomic\"\nvar n int64\nfunc main() { atomic.StoreInt64(&n, 1) }", "store seq_cst &n, i64 1", ""},
		{"local of main is a global", "func main() { x := 1; go func() { x = 2; println(x) }() }", "store plain &main.x, i64 2", "alloc heap i64"},
		{"local of a repeated function is not", "func f() { x := 1; go func() { x = 2; println(x) }() }\nfunc main() { f(); f() }", "alloc heap i64", "&f.x"},
		{"map header", "var m = map[int]int{}\nfunc main() { m[1] = 2 }", "__count", ""},
		{"deferred call", "import \"sync\"\nvar mu sync.Mutex\nfunc main() { mu.Lock(); defer mu.Unlock(); println() }", "unlock exclusive", "deferred :="},
		{"conditional defer", "import \"sync\"\nvar mu sync.Mutex\nfunc f(b bool) { if b { defer mu.Unlock() }; println() }\nfunc main() { f(true) }", "deferred := u8 1", ""},
		{"print reads", "import \"fmt\"\ntype t struct{ a int }\nfunc main() { fmt.Println(&t{}) }", "read deep printed why \"fmt.Println\"", "write deep"},
		{"unknown library code", "import \"encoding/json\"\nvar x int\nfunc main() { json.Unmarshal(nil, &x) }", "read write deep", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, got := lower(t, source(t, "1.26", tc.text))
			if !strings.Contains(got, tc.want) || tc.not != "" && strings.Contains(got, tc.not) {
				t.Errorf("want %q, not %q, in\n%s", tc.want, tc.not, got)
			}
		})
	}
}

// TestLoopVariables: before Go 1.22 a loop has one variable for all iterations.
func TestLoopVariables(t *testing.T) {
	text := "func main() { for i := 0; i < 3; i++ { go func() { i += 2 }() } }"
	const own = "alloc heap i64, u64 1 zero name i"
	if _, got := lower(t, source(t, "1.21", text)); strings.Contains(got, own) {
		t.Errorf("one variable for the whole loop is wanted:\n%s", got)
	}
	if _, got := lower(t, source(t, "1.22", text)); !strings.Contains(got, own) {
		t.Errorf("one variable for each iteration is wanted:\n%s", got)
	}
	text = "func main() { for i := 0; i < 3; i++ { go func() { println(i) }() } }"
	if _, got := lower(t, source(t, "1.21", text)); strings.Contains(got, ir.NumberedSuffix) {
		t.Errorf("the loop writes what it captured:\n%s", got)
	}
	if _, got := lower(t, source(t, "1.22", text)); strings.Contains(got, own) || !strings.Contains(got, "(cast(*void, \"&closure\"), \"i#1\")") {
		t.Errorf("the goroutine gets the number:\n%s", got)
	}
}

// TestEntries: names and kinds of entry points.
func TestEntries(t *testing.T) {
	for _, tc := range []struct {
		dir  string
		want []string
	}{
		{"counter_racy", []string{"main main", "worker goroutine"}},
		{"wg_param", []string{"main main", "worker goroutine"}},
		{"http_handler", []string{"handle http handler", "main main"}},
		{"lib_janitor", []string{"(*Store).Close method", "(*Store).Put method", "(*Store).Sweeps method", "(*Store).sweep goroutine", "init (packages) init"}},
		{"lib_bydoc", []string{"(*Meter).Add method", "init (packages) init"}},
	} {
		p, _ := lower(t, "../../benchmarks/golang/"+tc.dir)
		var got []string
		for _, e := range p.Entries {
			got = append(got, e.Name+" "+e.Kind)
		}
		slices.Sort(got)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.dir, got, tc.want)
		}
	}
}

// TestNotUnderstood: what cannot be lowered makes the function unknown, with the reason.
func TestNotUnderstood(t *testing.T) {
	p, _ := lower(t, source(t, "1.26", "import \"iter\"\nfunc main() { next, _ := iter.Pull(func(func(int) bool) {}); next() }"))
	if f := p.FuncByName("main"); f == nil || f.Unknown != "iter.Pull[int]" {
		t.Errorf("main is %v", f)
	}
}

// TestNotFollowed: programs in which something is done that verify would follow wrongly;
// some function is not understood, with the reason.
func TestNotFollowed(t *testing.T) {
	for _, tc := range []struct{ name, src, reason string }{
		{"a deferred call runs at the end of the function around the loop", `
import "sync"
var mu sync.Mutex
var n int
func each(f func(int) bool) { f(1) }
func main() {
	for range each {
		mu.Lock()
		defer mu.Unlock()
		n++
	}
}`, "a defer statement in a loop over a function"},
		{"a library type under another name", `
import "sync"
type pool sync.Pool
var p = pool{New: func() any { return new(int) }}
func main() { (*sync.Pool)(&p).Get() }`, "a conversion of"},
	} {
		p, _ := lower(t, source(t, "1.26", tc.src))
		if !slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool { return strings.Contains(f.Unknown, tc.reason) }) {
			t.Errorf("%s: all is understood", tc.name)
		}
	}
	for _, tc := range []struct{ name, src, reason string }{
		{"a promoted method of a generic type", `
type base[T any] struct { v T }
func (b *base[T]) Get() T { return b.v }
// S is safe for concurrent use.
type S[T any] struct { base[T]; mu sync.Mutex }
func (s *S[T]) Set(v T) { s.mu.Lock(); s.v = v; s.mu.Unlock() }
`, "Get, a promoted method of a generic type"},
		{"an instance that depends on type parameters", `
// S is safe for concurrent use.
type S[T any] struct { mu sync.Mutex; vs []T }
func (s *S[T]) Add(v T) { s.mu.Lock(); s.vs = append(s.vs, v); s.mu.Unlock() }
func Len[T any](s *S[*T]) int { return len(s.vs) }
`, "methods of S[*T], which depends on type parameters"},
		{"a part whose type depends on type parameters", `
type Cell[T any] struct { v T }
func (c *Cell[T]) Set(v T) { c.v = v }
type S[T any] struct { mu sync.Mutex; c *Cell[*T] }
func New[T any]() *S[T] { return &S[T]{c: &Cell[*T]{}} }
func (s *S[T]) Cell() *Cell[*T] { return s.c }
func (s *S[T]) Has() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.c.v != nil }
`, "Cell[*T], which depends on type parameters"},
		{"a method of a type parameter", `
type locker interface { Lock(); Unlock() }
// S is safe for concurrent use.
type S[L locker] struct { mu sync.Mutex; l L; n int }
func New[L locker](l L) *S[L] { return &S[L]{l: l} }
func (s *S[L]) Add() { s.l.Lock(); defer s.l.Unlock(); s.n++ }
`, "whose type is a type parameter"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "q.go": "package q\nimport \"sync\"\n" + tc.src} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p, _ := lower(t, dir)
		if !slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool { return strings.Contains(f.Unknown, tc.reason) }) {
			t.Errorf("%s: all is understood", tc.name)
		}
	}
}

// TestErrors: what cannot be loaded.
func TestErrors(t *testing.T) {
	for _, tc := range []struct{ path, want string }{
		{"./no/such/dir", "no such directory"},
		{"no/such/dir", "there is no file, directory or package of that name"},
		{source(t, "1.26", "func main() { undefined() }"), "does not compile\n"},
		{source(t, "1.26", "") + "/missing.go", ""},
	} {
		if _, err := Load(tc.path, Options{}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.path, err, tc.want)
		}
	}
}

// TestModels: mistakes in model files are errors.
func TestModels(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"version: 2", "want 1"},
		{"version: 1\nfuncs: [{names: [f], op: locks}]", "is none of"},
		{"version: 1\npackages: {p: writes}", "is none of"},
		{"version: 1\nfunctions: []", "not found"},
		{"version: 1\ntypes: {T: {size: 4, fields: [a]}}", "1 fields and 0 kinds"},
		{"version: 1\ntypes: {T: {size: 4, fields: [a], kinds: [u12]}}", "u12"},
		{"version: 1\nfuncs: [{names: [(*p.L).Lock], op: lock}]", "no type p.L with 2 members"},
		{"version: 1\nfuncs: [{names: [(*p.G).Wait], op: wait}]", "no type p.G with the members of sync.WaitGroup"},
		{"version: 1\ntypes: {p.G: {size: 8, fields: [count], kinds: [u64]}}\nfuncs: [{names: [(*p.G).Done], op: done}]", "no type p.G"},
		{"version: 1\nfuncs: [{names: [(*p.M).Load], op: get}]", "no type p.M with a bag"},
	} {
		f := filepath.Join(t.TempDir(), "m.yaml")
		if err := os.WriteFile(f, []byte(tc.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := library.Load([]string{f}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: %v, want %q", tc.text, err, tc.want)
		}
	}
}

// TestMains: several programs at once do not run together.
func TestMains(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"lib/l.go":   "package lib\n\nvar N int\n",
		"cmd/a/m.go": "package main\n\nimport \"example.com/m/lib\"\n\nfunc main() { go work(); lib.N++ }\n\nfunc work() { println() }\n",
		"cmd/b/m.go": "package main\n\nimport \"example.com/m/lib\"\n\nfunc main() { lib.N++ }\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := lower(t, dir+"/cmd/...")
	if len(p.Entries) != 3 || len(p.Exclusions) != 2 {
		t.Errorf("%d entries, exclusions %v; want 3 and 2", len(p.Entries), p.Exclusions)
	}
}

// TestAssertedParameter: a value that is asserted to have a type parameter's type is one
// of the user's, and the method goes on.
func TestAssertedParameter(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p.go": `package p
import "sync"
// Pool is safe for concurrent use.
type Pool[T any] struct { mu sync.Mutex; p sync.Pool; last any; n int }
func (p *Pool[T]) Get() T { p.n++; return p.p.Get().(T) }
func (p *Pool[T]) Last() (T, bool) { p.mu.Lock(); defer p.mu.Unlock(); v, ok := p.last.(T); return v, ok }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := lower(t, dir)
	for _, f := range p.Funcs {
		if f.Unknown != "" {
			t.Errorf("%s: %s", f.Name, f.Unknown)
		}
	}
}
