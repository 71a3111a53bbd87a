package absint

import (
	"context"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

const spawns = `
func main() i32 {
  reg h: u64
  reg b: bool
entry:
  goto loop
loop:
  h, _ := spawn w()
  goto loop, rest
rest:
`

// TestAnalyze: each assertion with the message "holds" must be proved, those with "may
// fail" must not be.
func TestAnalyze(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"what is mended before the unlock", spawns + `
  lock exclusive mutex &m
  call check()
  unlock exclusive mutex &m
  return i32 0
}
func check() void {
  reg r: i32
entry:
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "holds"
  return
}
func w() void {
entry:
  lock exclusive mutex &m
  store plain &x, i32 1
  store plain &x, i32 0
  unlock exclusive mutex &m
  return
}`},
		{"a read without the lock", spawns + `
  b := havoc
  return i32 0
}
func w() void {
  reg r: i32
entry:
  lock exclusive mutex &m
  store plain &x, i32 1
  store plain &x, i32 0
  unlock exclusive mutex &m
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "may fail"
  assert le(r, i32 1) tag assert msg "holds"
  return
}`},
		{"a writer without the lock", spawns + `
  store plain &x, i32 2
  return i32 0
}
func w() void {
  reg r: i32
entry:
  lock exclusive mutex &m
  store plain &x, i32 0
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "may fail"
  unlock exclusive mutex &m
  return
}`},
		{"atomic sections", spawns + `
  return i32 0
}
func w() void {
  reg r: i32
entry:
  atomic_begin
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "holds"
  store plain &x, i32 1
  store plain &x, i32 0
  atomic_end
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "holds"
  return
}`},
		{"a try that may fail", spawns + `
  return i32 0
}
func w() void {
  reg ok: bool
  reg r: i32
entry:
  ok := lock exclusive mutex &m try
  if ok then yes else no
yes:
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "holds"
  store plain &x, i32 1
  store plain &x, i32 0
  unlock exclusive mutex &m
  return
no:
  r := load plain &x
  assert eq(r, i32 0) tag assert msg "may fail"
  return
}`},
		{"waiting gives the mutex away", spawns + `
  return i32 0
}
func w() void {
  reg r: i32
entry:
  lock exclusive mutex &m
  store plain &x, i32 1
  condwait &c, &m
  r := load plain &x
  assert eq(r, i32 1) tag assert msg "may fail"
  store plain &x, i32 0
  unlock exclusive mutex &m
  return
}`},
		{"before threads are started", `
func main() i32 {
  reg r: i32
  reg h: u64
entry:
  store plain &x, i32 5
  r := load plain &x
  assert eq(r, i32 5) tag assert msg "holds"
  h, _ := spawn w()
  r := load plain &x
  assert eq(r, i32 5) tag assert msg "may fail"
  return i32 0
}
func w() void {
  reg r: i32
entry:
  r := load plain &x
  assert eq(r, i32 5) tag assert msg "holds"
  store plain &x, i32 6
  r := load plain &x
  assert eq(r, i32 6) tag assert msg "holds"
  return
}`},
		{"a flag tested and set in one step", spawns + `
  return i32 0
}
func w() void {
  reg r: i32
entry:
  r := rmw xchg seq_cst &x, i32 1
  if eq(r, i32 0) then in else entry
in:
  store plain &y, i32 1
  r := load plain &y
  assert eq(r, i32 1) tag assert msg "holds"
  store plain &y, i32 0
  store seq_cst &x, i32 0
  return
}`},
		{"a flag tested in one step and set in another", spawns + `
  return i32 0
}
func w() void {
  reg r: i32
entry:
  r := load seq_cst &x
  if eq(r, i32 0) then in else entry
in:
  store seq_cst &x, i32 1
  store plain &y, i32 1
  r := load plain &y
  assert eq(r, i32 1) tag assert msg "may fail"
  store plain &y, i32 0
  store seq_cst &x, i32 0
  return
}`},
		{"what a thread ends with is another's from then on", `
func main() i32 {
  reg h: u64
  reg p: *i32
  reg r: i32
entry:
  h, _ := spawn w()
  p := join h
  r := load plain p
  assert ne(r, i32 5) tag assert msg "may fail"
  return i32 0
}
func w() *i32 {
  reg q: *i32
entry:
  q := alloc heap i32, u64 1
  store plain q, i32 5
  stop exit q
}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "program \"test\"\nglobal x: i32\nglobal y: i32\nglobal m: opaque(\"mutex\", 8)\nglobal c: opaque(\"cond\", 8)\n" + c.src +
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
		})
	}
}

func expect(t *testing.T, p *ir.Program, r *Result) {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assert); ok && r.MayFail[in] != (a.Msg == "may fail") {
					t.Errorf("%s: %v %s; may fail: %v", f.Name, a.Cond, a.Msg, r.MayFail[in])
				}
			}
		}
	}
}

// TestNotFollowed: what the analysis does not follow is an error that says so.
func TestNotFollowed(t *testing.T) {
	for src, want := range map[string]string{
		"func main() i32 {\nentry:\n  call main()\n  return i32 0\n}":                                       "recursive",
		"func main() i32 unknown \"why\"":                                                                   "not understood",
		"func main() i32 {\n  reg p: *i32\nentry:\n  p := havoc\n  store plain p, i32 1\n  return i32 0\n}": "may lead anywhere",
	} {
		p, err := ir.Parse("test.wir", []byte("program \"test\"\n"+src+"\nentry main kind \"main\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Analyze(context.Background(), p, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}
