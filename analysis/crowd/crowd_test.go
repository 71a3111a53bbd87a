package crowd

import (
	"strings"
	"testing"

	"whoop/ir"
)

const program = `
program "p" typesafe
global a: u32
global b: u32

func get() u32 {
  reg v: u32
e:
  v := load plain &a
  return v
}

func put(v: u32) void {
e:
  store plain &a, v
  return
}

func given(p: *u32) void {
e:
  store plain p, u32 1
  return
}

func other(p: *u32, n: u32) void {
e:
  store plain p, n
  return
}

func worker() void {
e:
  return
}

func main() void {
e:
  spawn given(&a)
  spawn other(&b, u32 3)
  spawn worker()
  return
}

entry "main" func main kind "init" init
entry "get" func get kind "method" multi
entry "put" func put kind "method" multi
entry "given" func given kind "callback" multi spawned
entry "other" func other kind "callback" multi spawned
entry "worker" func worker kind "goroutine" multi spawned
`

func text(p *ir.Program) string {
	var b strings.Builder
	ir.Print(&b, p)
	return b.String()
}

// TestMerge: methods are one entry, callbacks another one that starts where they did, and
// what the program starts by itself stays.
func TestMerge(t *testing.T) {
	p, err := ir.Parse("p", []byte(program))
	if err != nil {
		t.Fatal(err)
	}
	before := text(p)
	m := Merge(p)
	if text(p) != before {
		t.Error("the program was changed")
	}
	if err := ir.Validate(m.Program); err != nil {
		t.Fatalf("%v\n%s", err, text(m.Program))
	}
	var names []string
	for _, e := range m.Program.Entries {
		of := e.Name
		for _, x := range p.Entries { // in their order
			for _, y := range m.Members[e] {
				if x == y {
					of += " " + x.Name
				}
			}
		}
		names = append(names, of)
	}
	want := "main; worker; users get put; code not seen given other"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("entries %s, want %s", got, want)
	}
	for in, from := range m.Of {
		if in == from || in.At() != from.At() {
			t.Errorf("%s is a copy of %s", ir.InstrString(in), ir.InstrString(from))
		}
	}
	out := text(m.Program)
	for _, spawn := range []string{
		`spawn "code not seen"(&a, null *u32, u32 0)`,
		`spawn "code not seen"(null *u32, &b, u32 3)`,
		`spawn worker()`,
	} {
		if !strings.Contains(out, spawn) {
			t.Errorf("no %s in\n%s", spawn, out)
		}
	}
}

// TestNamed: where entries of a kind are registered, which entry is which matters.
func TestNamed(t *testing.T) {
	for _, more := range []string{`  register "r" kinds "method"`, `  unregister "r" kinds "method"`} {
		src := strings.Replace(program, "  spawn worker()\n", "  spawn worker()\n"+more+"\n", 1)
		p, err := ir.Parse("p", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", more, err)
		}
		if m := Merge(p); len(m.Members) > 0 {
			t.Errorf("%s: merged", more)
		}
	}
}

// TestApart: what something is known of is not merged.
func TestApart(t *testing.T) {
	for _, attrs := range []string{`multi nonnull 0`, ``, `multi exit`, `multi holds "rtnl"`} {
		src := "program \"p\" typesafe\nglobal a: u32\n" +
			"func f(p: *u32) void {\ne:\n  store plain p, u32 1\n  return\n}\n" +
			"func g(p: *u32) void {\ne:\n  store plain p, u32 1\n  return\n}\n" +
			"entry \"f\" func f kind \"method\" " + attrs + "\n" +
			"entry \"g\" func g kind \"method\" " + attrs + "\n"
		p, err := ir.Parse("p", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", attrs, err)
		}
		if m := Merge(p); len(m.Members) > 0 {
			t.Errorf("%q: merged", attrs)
		}
	}
}

// TestPointer: what a pointer may lead to stays apart where a thread runs what one leads
// to, and only that.
func TestPointer(t *testing.T) {
	src := strings.Replace(program, "  spawn worker()\n",
		"  spawn worker()\n  store plain &held, fn other\n  q := load plain &held\n"+
			"  spawn *q(&a, u32 1)\n", 1)
	src = strings.Replace(src, "global b: u32\n",
		"global b: u32\nglobal held: *func(*u32, u32) void\n"+`
func third(p: *u32) void {
e:
  return
}
`, 1)
	src = strings.Replace(src, "func main() void {\n",
		"func main() void {\n  reg q: *func(*u32, u32) void\n", 1)
	src = strings.Replace(src, "  spawn given(&a)\n",
		"  spawn given(&a)\n  spawn third(&b)\n", 1)
	src += "entry \"third\" func third kind \"callback\" multi spawned\n"
	p, err := ir.Parse("p", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m := Merge(p)
	if err := ir.Validate(m.Program); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range m.Program.Entries {
		names = append(names, e.Name)
	}
	want := "main; other; worker; users; code not seen"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("entries %s, want %s", got, want)
	}
	for e, of := range m.Members {
		for _, y := range of {
			if y.Name == "other" {
				t.Errorf("%s stands for other", e.Name)
			}
		}
	}
}
