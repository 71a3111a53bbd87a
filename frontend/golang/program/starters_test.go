package program

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const startersSource = `package a

import "sync"

type group struct{ wg sync.WaitGroup }

func (g *group) Go(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}
func (g *group) Wait() { g.wg.Wait() }

type outer struct{ group }

type R struct {
	*outer
	next *R
}

func (r *R) run()     {}
func (r R) value()    {}
func done(x int) func() { return func() {} }

func two(f, g func()) { go func() { f(); g(); f() }() }
func returns(f func()) { if f == nil { return }; go f() }
func result(f func()) int { go f(); return 1 }
func defers(f func()) { defer done(1)(); go f() }
func loops(f func()) { for range 3 { go f() } }
func self(f func()) { go f(); self(f) }
func generic[T any](f func(T), x T) { go f(x) }
func variadic(f ...func()) { go f[0]() }
func sets(f func()) { f = done(2); go f() }
func blank(_ int, f func()) { go f() }
func twice(g *group, f func()) { g.Go(f); g.Go(f) }

func inPlace() { var g group; n := 0; g.Go(func() { n++ }); g.Wait(); println(n) }
func promoted(r *R) { r.Go(r.run) }
func changed(r *R) { r.Go(r.run); r = r.next }
func looped(r *R) { for ; r != nil; r = r.next { r.Go(r.run) } }
func named() (r *R) { r.Go(r.run); return &R{} }
func valued(r *R) { r.Go(r.value) }
func made() { two(done(1), done(2)) }
func nothing() { returns(done(3)); result(done(3)); defers(done(3)); loops(done(3)); self(done(3)); variadic(done(3)) }
func param() { generic(func(int) {}, 3) }
func setting() { sets(done(3)) }
func unnamed() { blank(len("x"), done(3)) }
func nested() { var g group; twice(&g, func() {}); g.Wait() }
func once(g *group, f func()) { g.Go(f) }
func repeat(g *group, f func()) { once(g, f) }
func again(f func()) { go func() { f(); f() }() }
func wrapped(f func()) { again(f) }
func repeated() { var g group; repeat(&g, func() { wrapped(func() {}) }); g.Wait() }
func waits(g *group) { g.Wait() }
func ping(f func(), n int) { go f(); pong(f, n); pong(f, n) }
func pong(f func(), n int) { go f(); ping(f, n); ping(f, n) }
func pinged() { ping(done(3), 2) }
type queue chan int
func (q *queue) set(r queue) { *q = r }
func (q queue) get() {}
func takes(q queue, f func(queue)) { go f(q) }
func sent(q, r queue) { takes(q, queue.get); q.set(r) }
func ranged(rs []*R) { var g group; r := rs[0]; for _, (r) = range rs { g.Go(r.run) } }
func started() { go two(done(1), done(2)) }
`

// TestInlineStarters reads a package with functions that start what they are given. What
// remains of their calls says which bodies were put in the place of calls. Variables on
// the heap are those that goroutines have: an argument that is not the same at all times,
// as r.run where r changes, and as the group behind a pointer, is in one.
func TestInlineStarters(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module a\n\ngo 1.24\n", "a.go": startersSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := request{dir: dir, patterns: []string{"."}}.config(packages.NeedName | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedFiles)
	pkgs, err := packages.Load(cfg, ".")
	if err != nil || firstError(pkgs) != nil {
		t.Fatal(err, firstError(pkgs))
	}
	inlineStarters(pkgs)
	prog, built := ssautil.Packages(pkgs, BuilderMode|ssa.SanityCheckFunctions)
	prog.Build()
	for _, tc := range []struct{ fn, calls, vars string }{
		{"inPlace", "Add Wait", "g n"},
		{"promoted", "Add", "g r"},
		{"changed", "Add run$bound", "f g"},
		{"looped", "Add run$bound", "f g"},
		{"named", "Add run$bound", "complit f g"},
		{"valued", "Add value$bound", "f g"},
		{"made", "done done", "f g"},
		{"nothing", "defers done done done done done done loops result returns self variadic", "varargs"},
		{"param", "generic", ""},
		{"setting", "done done", ""},
		{"unnamed", "done", ""},
		{"nested", "Add Add Wait", "f f g"},
		{"repeated", "Add Wait", "g"},
		{"waits", "Wait", ""},
		{"pinged", "done ping", ""},
		{"sent", "get$thunk set", "q"},
		{"ranged", "Add run$bound", "f g"},
		{"started", "done done two", ""},
	} {
		fn := built[0].Func(tc.fn)
		calls, vars := map[string]int{}, map[string]int{}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Alloc:
					vars[in.Comment]++
				case *ssa.MakeClosure:
					if strings.HasSuffix(in.Fn.Name(), "$bound") {
						calls[in.Fn.Name()]++
					}
				case ssa.CallInstruction:
					if g := in.Common().StaticCallee(); g != nil && g.Parent() == nil {
						name, _, _ := strings.Cut(g.Name(), "[")
						calls[name]++
					}
				}
			}
		}
		if got := sorted(calls); got != tc.calls {
			t.Errorf("%s calls %q, want %q", tc.fn, got, tc.calls)
		}
		if got := sorted(vars); got != tc.vars {
			t.Errorf("%s has variables on the heap %q, want %q", tc.fn, got, tc.vars)
		}
	}
}

// sorted lists names, each as often as it was found.
func sorted(names map[string]int) string {
	var out []string
	for _, n := range slices.Sorted(maps.Keys(names)) {
		for range names[n] {
			out = append(out, n)
		}
	}
	return strings.Join(out, " ")
}
