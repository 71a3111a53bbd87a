package program

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/interp"
	"golang.org/x/tools/go/ssa/ssautil"
)

// specialisedSource calls generic functions and methods for other types than type
// parameters in generic functions, in all ways that there are.
const specialisedSource = `package main

type number interface{ ~int | ~float64 }

type stack[T any] struct {
	items []T
	sub   *stack[T]
}

func newStack[T any](xs ...T) *stack[T] { return &stack[T]{items: xs} }

func (s *stack[T]) push(x T) *stack[T] { s.items = append(s.items, x); return s }
func (s *stack[T]) pop() (x T, ok bool) {
	if len(s.items) == 0 {
		return
	}
	last := len(s.items) - 1
	x, s.items = s.items[last], s.items[:last]
	return x, true
}
func (s stack[T]) size() int { return len(s.items) }
func (s *stack[T]) each(f func(int, T) bool) {
	for i, x := range s.items {
		if !f(i, x) {
			return
		}
	}
}
func (s *stack[T]) all() func(func(T) bool) {
	return func(yield func(T) bool) {
		for _, x := range s.items {
			if !yield(x) {
				return
			}
		}
	}
}

type res[T any] struct {
	v    T
	uses int
}

func (r *res[T]) use() T { r.uses++; return r.v }
func (r res[T]) seen() int { return r.uses }

type pool[T any] struct {
	stack[*res[T]]
	byName map[string]*pair[string, *res[T]]
	made   int
}

type pair[A, B any] struct {
	a A
	b B
}

func pairOf[A, B any](a A, b B) pair[A, B] { return pair[A, B]{a: a, b: b} }
func (p pair[A, B]) swap() pair[B, A]      { return pairOf(p.b, p.a) }
func (p *pair[A, B]) first(a A) (old A)    { old, p.a = p.a, a; return }

func (p *pool[T]) get(name string, v T) *res[T] {
	defer func() { p.made++ }()
	if r, ok := p.pop(); ok {
		return r
	}
	r := &res[T]{v: v}
	e := pairOf(name, r)
	if p.byName == nil {
		p.byName = map[string]*pair[string, *res[T]]{}
	}
	p.byName[name] = &e
	return r
}
func (p *pool[T]) put(r *res[T]) { p.push(r).push(nil).pop() }

func apply[A, B any](xs []A, f func(A) B) []B {
	var out []B
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}
func filter[S ~[]E, E any](xs S, f func(E) bool) S {
	var out S
	for _, x := range xs {
		if f(x) {
			out = append(out, x)
		}
	}
	return out
}
func is[T any](x any) bool { _, ok := x.(T); return ok }
func zero[T any]() (x T)   { return }
func kind[T any](x T) string {
	switch v := any(x).(type) {
	case int:
		return "int"
	case []int:
		return "ints"
	case *res[int]:
		v.use()
		return "res of int"
	case interface{ seen() int }:
		return "seen"
	}
	return "other"
}
func sum[N number](xs ...N) N {
	var s N
	for _, x := range xs {
		s += x
	}
	return s
}
func chanOf[T any](n int) (chan T, func(T)) {
	c := make(chan T, n)
	return c, func(x T) { c <- x }
}

type lister[T any] interface{ list() []T }
type one[T any] struct{ x T }

func (o one[T]) list() []T { return []T{o.x} }
func flat[T any, L lister[T]](ls []L) (out []T) {
	for _, l := range ls {
		out = append(out, l.list()...)
	}
	return
}
func loopOf[T any](n int, x T) int {
	if n == 0 {
		return 0
	}
	return 1 + loopOf(n-1, x)
}
func matrix[T any](x T) [2][2]T { return [2][2]T{{x, x}, {x}} }
func later[T any](f func(T), x T) { defer f(x); var y T; f(y) }

func user[T any](a, b T) {
	var p pool[T]
	r := p.get("a", a)
	r.use()
	p.put(r)
	println(p.size(), p.get("b", b) == r, r.seen(), p.made, len(p.byName), zero[*res[T]]() == nil)
	s := newStack(r, &res[T]{v: b})
	s.each(func(i int, r *res[T]) bool { r.use(); println(i, r.uses); return i < 1 })
	for x := range s.all() {
		println(x.seen())
	}
	ps := apply([]T{a, b}, func(x T) pair[T, *res[T]] { return pairOf(x, &res[T]{v: x, uses: 3}) })
	println(len(ps), ps[1].swap().a.uses, pairOf(ps[0], 2).swap().a)
	q := pairOf(r, ps)
	old := q.first(nil)
	println(old == r, q.a == nil, len(q.b))
	println(len(filter([]*res[T]{r, nil}, func(r *res[T]) bool { return r != nil })))
	println(is[*res[T]](r), is[res[T]](r), is[[]T](r), kind(r), kind([]T{a}), kind(map[int]T{}))
	c, send := chanOf[pair[T, int]](2)
	send(pairOf(a, 1))
	go func() { send(pairOf(b, 2)) }()
	println((<-c).b, (<-c).b, sum(1, 2, 3), sum(0.5))
	println(len(flat[*res[T]]([]one[*res[T]]{{r}, {nil}})), loopOf(3, r), len(matrix(r)), matrix(pairOf(a, 7))[0][1].b)
	later(func(p pair[int, T]) { println(p.a) }, pairOf(9, a))
	both[pair[T, T]]()
}

func both[T any]() {
	s := newStack[map[string]T]()
	s.push(map[string]T{"a": zero[T]()})
	println(s.size(), kind(s.items[0]), len(newStack[stack[T]](*newStack[T]()).items))
}

func main() {
	user(1, 2)
	user("a", "b")
	user([]int{1}, nil)
	user[any](nil, 3)
	user(pairOf(1, "x"), pair[int, string]{})
	user(struct{}{}, struct{}{})
}
`

// createRuntime makes a package runtime with what the interpreter needs.
func createRuntime(t *testing.T, prog *ssa.Program) {
	file, err := parser.ParseFile(prog.Fset, "runtime.go", "package runtime; type errorString string; func (e errorString) Error() string { return string(e) }", 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}
	pkg, err := (&types.Config{}).Check("runtime", prog.Fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	prog.CreatePackage(pkg, []*ast.File{file}, info, true)
}

// TestSpecialise runs a program as it is, and with the copies of generic functions: it
// prints the same. No call of the rest needs a body that SSA form does not have.
func TestSpecialise(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module a\n\ngo 1.24\n", "a.go": specialisedSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(change func([]*packages.Package)) (string, *ssa.Package) {
		cfg := request{dir: dir, patterns: []string{"."}}.config(packages.LoadSyntax)
		pkgs, err := packages.Load(cfg, ".")
		if err != nil || firstError(pkgs) != nil {
			t.Fatal(err, firstError(pkgs))
		}
		change(pkgs)
		prog, built := ssautil.Packages(pkgs, BuilderMode|ssa.SanityCheckFunctions)
		createRuntime(t, prog)
		prog.Build()
		var out bytes.Buffer
		interp.CapturedOutput = &out
		defer func() { interp.CapturedOutput = nil }()
		if code := interp.Interpret(built[0], 0, types.SizesFor("gc", "amd64"), "a.go", nil); code != 0 {
			t.Fatalf("exit status %d, after %s", code, out.String())
		}
		return out.String(), built[0]
	}
	want, _ := run(func([]*packages.Package) {})
	got, p := run(specialise)
	if got != want {
		t.Errorf("with copies it prints\n%s\nwant\n%s", got, want)
	}
	copies, left := 0, []string{}
	for name, m := range p.Members {
		f, ok := m.(*ssa.Function)
		if !ok || f.TypeParams().Len() == 0 {
			continue
		}
		if strings.HasPrefix(name, Copied) {
			copies++
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok && c.Common().StaticCallee() != nil && wanted(c.Common().StaticCallee().TypeArgs()) {
					left = append(left, f.Name()+" calls "+c.Common().StaticCallee().Name())
				}
			}
		}
	}
	if copies < 20 || len(left) > 0 {
		t.Errorf("%d copies; left: %q", copies, left)
	}
}
