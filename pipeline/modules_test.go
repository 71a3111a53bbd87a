package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whoop/diag"
)

// otherModule is a module that a program uses: what its functions hand out, and call, is
// not known but from the program and, of methods that only select, from their source.
const otherModule = `package lib

import "io"

type Options struct{ Log io.Writer }

type Obj struct {
	o      Options
	w      io.Writer
	parent *Obj
	Run    func()
}

var std io.Writer

func New(o Options) *Obj { return &Obj{o: o} }

func SetDefault(w io.Writer) { std = w }

func (b *Obj) SetOut(w io.Writer) { b.w = w }

func (b *Obj) Add(c *Obj) { c.parent = b }

func (b *Obj) Option() io.Writer { return b.o.Log }

func (b *Obj) Default() io.Writer { return std }

func (b *Obj) Out() io.Writer { return b.writer() }

func (b *Obj) writer() io.Writer {
	if b.w != nil {
		return b.w
	}
	if b.parent != nil {
		return b.parent.writer()
	}
	return std
}

func (b *Obj) Start() { b.Run() }

type tee struct{ a, b io.Writer }

func (t tee) Write(p []byte) (int, error) {
	t.a.Write(p)
	return t.b.Write(p)
}

func (b *Obj) Make(f func() io.Writer) { b.w = f() }

func (b *Obj) Flush() { b.w.Write(nil) }

func (b *Obj) Tee(w io.Writer) io.Writer { return tee{b.w, w} }
`

const counter = `
type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) {
	c.n++
	return len(p), nil
}

type (
	w1 struct{}
	w2 struct{}
	w3 struct{}
	w4 struct{}
	w5 struct{}
	w6 struct{ c *counter }
)

func (w1) Write(p []byte) (int, error)   { return 1, nil }
func (w2) Write(p []byte) (int, error)   { return 2, nil }
func (w3) Write(p []byte) (int, error)   { return 3, nil }
func (w4) Write(p []byte) (int, error)   { return 4, nil }
func (w5) Write(p []byte) (int, error)   { return 5, nil }
func (w w6) Write(p []byte) (int, error) { return w.c.Write(p) }

func pick(n int) io.Writer {
	switch n {
	case 1:
		return w1{}
	case 2:
		return w2{}
	case 3:
		return w3{}
	case 4:
		return w4{}
	case 5:
		return w5{}
	}
	return w6{&counter{}}
}

var done = make(chan bool)

func both(f func()) {
	go func() {
		f()
		done <- true
	}()
	f()
	<-done
}
`

// TestOtherModules: what a method of another module hands out may be what the module was
// given, by whatever way.
func TestOtherModules(t *testing.T) {
	for _, c := range []struct {
		name, main string
		want       diag.Verdict
	}{
		{"an option", `b := lib.New(lib.Options{Log: &counter{}}); both(func() { fmt.Fprintln(b.Option(), "a") })`, diag.Racy},
		{"what was set", `b := lib.New(lib.Options{}); b.SetOut(&counter{}); both(func() { fmt.Fprintln(b.Out(), "a") })`, diag.Racy},
		{"a parent's", `b, c := lib.New(lib.Options{}), lib.New(lib.Options{}); b.SetOut(&counter{}); b.Add(c); both(func() { fmt.Fprintln(c.Out(), "a") })`, diag.Racy},
		{"the package's", `b := lib.New(lib.Options{}); lib.SetDefault(&counter{}); both(func() { fmt.Fprintln(b.Default(), "a") })`, diag.Racy},
		{"what a method wraps that a type has from an embedded one", `var f interface{ Tee(io.Writer) io.Writer } = struct{ *lib.Obj }{lib.New(lib.Options{})}; w := f.Tee(&counter{}); both(func() { fmt.Fprintln(w, "a") })`, diag.Racy},
		{"one of many types that a function returned", `b := lib.New(lib.Options{}); b.Make(func() io.Writer { return pick(len(fmt.Sprint(b))) }); both(func() { b.Flush() })`, diag.Racy},
		{"one of many types, of which it has the first", `b := lib.New(lib.Options{}); b.Make(func() io.Writer { return w1{} }); pick(1); both(func() { b.Flush() })`, diag.RaceFree},
		{"a function in a field", `n := 0; b := &lib.Obj{Run: func() { n++ }}; both(func() { b.Start() })`, diag.Racy},
		{"a function in a field that nobody calls", `n := 0; b := &lib.Obj{Run: func() { n++ }}; both(func() { b.Out(); b.Option() })`, diag.RaceFree},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"go.mod":     "module program\n\ngo 1.24\n\nrequire lib v0.0.0\n\nreplace lib => ./lib\n",
				"lib/go.mod": "module lib\n\ngo 1.24\n", "lib/lib.go": otherModule,
				"main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"io\"\n\n\t\"lib\"\n)\n" + counter + "\nfunc main() {\n\t_ = fmt.Sprint(io.EOF)\n\t" + c.main + "\n}\n",
			} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			rep, err := Verify(context.Background(), dir, Options{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Verdict != c.want {
				t.Errorf("%s, want %s", rep.Verdict, c.want)
			}
		})
	}
}
