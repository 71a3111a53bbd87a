package absint

import (
	"context"
	"testing"

	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// once starts one thread; main goes on after it.
const once = `
func main() i32 {
  reg h: u64
  reg r, s: i32
entry:
  h, _ := spawn w()
`

// TestNotProved: steps that others may notice before they are over, and ends of threads,
// are seen by the invariants, too.
func TestNotProved(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"a thread that returns within an atomic section", once + `
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "may fail"
  return i32 0
}
func w() void {
entry:
  atomic_begin
  store plain &x, i32 1
  return
}`},
		{"a thread that exits within an atomic section", once + `
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "may fail"
  return i32 0
}
func w() void {
entry:
  atomic_begin
  store plain &x, i32 1
  stop exit null *void
}`},
		{"an atomic section that aborts", once + `
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "holds"
  return i32 0
}
func w() void {
entry:
  atomic_begin
  store plain &x, i32 1
  stop abort
}`},
		{"a loop that is entered within an atomic section and leaves it", once + `
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "may fail"
  return i32 0
}
func w() void {
entry:
  atomic_begin
  goto loop
loop:
  store plain &x, i32 1
  atomic_end
  store plain &x, i32 0
  atomic_begin
  goto loop, rest
rest:
  atomic_end
  return
}`},
		{"a copy of several variables, of which one is seen first", once + `
  r := load plain field(&p, two, a)
  if eq(r, i32 7) then seen else rest
seen:
  store plain field(&p, two, b), i32 5
  s := load plain field(&p, two, b)
  assert eq(s, i32 5) tag assert msg "may fail"
  goto rest
rest:
  return i32 0
}
func w() void {
entry:
  memcopy plain &p, &q, u64 8
  return
}`},
		{"a lock that its holder takes again", `
func main() i32 {
entry:
  lockinit mutex &m recursive
  lock exclusive mutex &m
  lock exclusive mutex &m
  assert false tag assert msg "may fail"
  unlock exclusive mutex &m
  unlock exclusive mutex &m
  return i32 0
}
func w() void {
entry:
  return
}`},
	} {
		t.Run(c.name, func(t *testing.T) { expectOf(t, c.src) })
	}
}

func expectOf(t *testing.T, body string) {
	src := "program \"test\"\nstruct two size 8 {\n  a: i32 @0\n  b: i32 @4\n}\nglobal x: i32\nglobal y: i32\nglobal p: struct(two)\nglobal q: struct(two) = { 0 = i32 7 }\nglobal m: opaque(\"mutex\", 8)\n" + body +
		"\nentry main kind \"main\"\nentry w kind \"thread\" multi spawned\n"
	p, err := ir.Parse("test.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	r, err := Analyze(context.Background(), p, Options{Solver: func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }})
	if err != nil || r.Incomplete != "" {
		t.Fatal(err, r)
	}
	expect(t, p, r)
}
