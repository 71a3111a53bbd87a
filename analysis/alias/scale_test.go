package alias

import (
	"fmt"
	"strings"
	"testing"

	"whoop/ir"
)

func parsed(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("scale.wir", []byte(text))
	if err == nil {
		err = ir.Validate(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCursor checks that a pointer that walks through a buffer, in a register or in
// memory, costs a few cells, and still leads to all of it.
func TestCursor(t *testing.T) {
	const text = `program "cursor"
global at: *u8
global x: i32
func main(n: u64) i32 {
  reg b, p, q: *u8
  reg v: **i32
  reg w: *i32
a:
  b := alloc heap u8, n
  p := b
  store plain &at, b
  store plain index(cast(**i32, b), i64 5, 8, **i32), &x
  goto l
l:
  p := index(p, i64 1, 1, *u8)
  q := load plain &at
  store plain &at, index(q, i64 1, 1, *u8)
  if eq(n, u64 0) then l else z
z:
  v := cast(**i32, p)
  w := load plain v
  store plain w, i32 1 @1
  v := cast(**i32, q)
  w := load plain v
  store plain w, i32 1 @2
  return i32 0
}
entry main kind "main"
`
	r := Analyze(parsed(t, text), Options{})
	got := printed(r)
	for _, want := range []string{":1 store write {x", ":2 store write {x"} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q:\n%s", want, got)
		}
	}
	if n := len(r.s.cells); n > 40 {
		t.Errorf("%d cells", n)
	}
}

// TestHeader checks that going back to a header and on again leaves a pointer where it
// is.
func TestHeader(t *testing.T) {
	const text = `program "header"
func main(n: u64) i32 {
  reg b, p: *u8
a:
  b := alloc heap u8, n
  p := index(b, i64 8, 1, *u8)
  goto l
l:
  b := index(p, i64 -8, 1, *u8)
  store plain b, u8 1 @1
  p := index(b, i64 8, 1, *u8)
  store plain p, u8 1 @2
  if eq(n, u64 0) then l else z
z:
  return i32 0
}
entry main kind "main"
`
	r := Analyze(parsed(t, text), Options{})
	got := printed(r)
	for _, want := range []string{":1 store write {heap(-)}", ":2 store write {heap(-)+8}"} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q:\n%s", want, got)
		}
	}
}

// TestManyCopies checks that a copy between many buffers takes edges for each of them,
// not for each pair, and loses no pointer.
func TestManyCopies(t *testing.T) {
	const n = 100
	var b strings.Builder
	b.WriteString("program \"copies\"\nglobal x: i32\n")
	for i := range n {
		fmt.Fprintf(&b, "global from%d: [4]*i32\nglobal to%d: [4]*i32\n", i, i)
	}
	b.WriteString("func main(n: u64, k: i64) i32 {\n  reg d, s: **i32\n  reg w: *i32\na:\n  store plain index(cast(**i32, &from7), i64 1, 8, **i32), &x\n")
	choose := "  d := null **i32\n  s := null **i32\n"
	for i := range n {
		choose += fmt.Sprintf("  d := select(eq(k, i64 %d), cast(**i32, &to%[1]d), d)\n  s := select(eq(k, i64 %[1]d), cast(**i32, &from%[1]d), s)\n", i)
	}
	b.WriteString(choose + "  memcopy plain d, s, n\n  w := load plain index(cast(**i32, &to3), i64 2, 8, **i32)\n  store plain w, i32 1 @1\n  return i32 0\n}\nentry main kind \"main\"\n")
	p := parsed(t, b.String())
	r := Analyze(p, Options{})
	if got := printed(r); !strings.Contains(got, ":1 store write {x}") {
		t.Errorf("the pointer is lost:\n%s", got)
	}
	if len(r.s.linked) > maxCopyPairs || r.s.edges > 12*n+2*maxCopyPairs {
		t.Errorf("%d pairs linked, %d edges", len(r.s.linked), r.s.edges)
	}
}

// TestShortCopy checks that what is too short for a pointer copies none.
func TestShortCopy(t *testing.T) {
	const text = `program "short"
global x: i32
global a: *i32 = { 0 = &x }
global b: *i32
func main() i32 {
  reg w: *i32
a:
  memcopy plain &b, &a, u64 %d
  w := load plain &b
  store plain w, i32 1 @1
  return i32 0
}
entry main kind "main"
`
	for size, want := range map[int]bool{4: false, 8: true} {
		got := printed(Analyze(parsed(t, fmt.Sprintf(text, size)), Options{}))
		if strings.Contains(got, ":1 store write {x}") != want {
			t.Errorf("%d bytes:\n%s", size, got)
		}
	}
}
