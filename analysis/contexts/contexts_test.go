package contexts

import (
	"strings"
	"testing"

	"whoop/ir"
)

const program = `
global a: u32
global b: u32

func set(p: *u32) void {
e:
  store plain p, u32 1
  return
}

func twice(p: *u32) void {
e:
  call set(p)
  call set(p)
  return
}

func loop(p: *u32) void {
e:
  call loop(p)
  call set(p)
  return
}

func one() void {
e:
  call twice(&a)
  return
}

func two() void {
e:
  call twice(&b)
  call loop(&b)
  return
}

entry "one" func one
entry "two" func two
`

func parsed(t *testing.T) *ir.Program {
	t.Helper()
	p, err := ir.Parse("test", []byte(program))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(p *ir.Program) string {
	var b strings.Builder
	ir.Print(&b, p)
	return b.String()
}

// TestSplit: each call has a copy of its own, recursion one for each call from outside,
// and the original stays as it was.
func TestSplit(t *testing.T) {
	p := parsed(t)
	before := text(p)
	q, _ := Split(p, Options{})
	if text(p) != before {
		t.Error("the program was changed")
	}
	if err := ir.Validate(q); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, f := range q.Funcs {
		count[f.Title()]++
	}
	for name, want := range map[string]int{"one": 1, "two": 1, "twice": 2, "loop": 1, "set": 5} {
		if count[name] != want {
			t.Errorf("%d of %s, want %d", count[name], name, want)
		}
	}
}

// TestLimit: without room there are no copies.
func TestLimit(t *testing.T) {
	q, _ := Split(parsed(t), Options{Limit: 1})
	for _, f := range q.Funcs {
		if strings.Contains(f.Name, "@") {
			t.Errorf("a copy %s", f.Name)
		}
	}
}

// TestSmall: functions that nobody has room for have copies of the small ones that they
// call.
func TestSmall(t *testing.T) {
	p, err := ir.Parse("small", []byte("program \"small\" typesafe\n"+program))
	if err != nil {
		t.Fatal(err)
	}
	q, _ := Split(p, Options{Limit: 12}) // no room for paths
	if err := ir.Validate(q); err != nil {
		t.Fatal(err)
	}
	callers := map[*ir.Func]int{}
	for _, f := range q.Funcs {
		for _, g := range calleesOf(f) {
			callers[g]++
		}
	}
	copies := 0
	for _, f := range q.Funcs {
		if f.Title() == "set" {
			copies++
			if callers[f] > 1 {
				t.Errorf("%s is called at %d places", f.Name, callers[f])
			}
		}
	}
	if copies < 3 {
		t.Errorf("%d copies of set; want one for each call", copies)
	}
}

// TestSmallAbove: a small function above one that is too large to be copied has a copy
// for each call; one that calls itself has not.
func TestSmallAbove(t *testing.T) {
	body := strings.Repeat("  store plain p, u32 1\n", smallWhole+1)
	src := "program \"above\" typesafe\nglobal a: u32\nglobal b: u32\n" +
		"func large(p: *u32) void {\ne:\n" + body + "  return\n}\n" +
		"func again(p: *u32) void {\ne:\n  call again(p)\n  call large(p)\n  return\n}\n" +
		"func on(p: *u32) void {\ne:\n  call large(p)\n  return\n}\n" +
		"func one() void {\ne:\n  call on(&a)\n  call on(&b)\n  call again(&a)\n  call again(&b)\n  return\n}\n" +
		"entry \"one\" func one\n"
	p, err := ir.Parse("above", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	q, _ := Split(p, Options{Limit: 100})
	if err := ir.Validate(q); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, f := range q.Funcs {
		count[f.Title()]++
	}
	for name, want := range map[string]int{"on": 2, "large": 1, "again": 1} {
		if count[name] != want {
			t.Errorf("%d of %s, want %d", count[name], name, want)
		}
	}
}
