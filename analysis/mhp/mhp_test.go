package mhp

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"whoop/analysis/alias"
	"whoop/ir"
)

// prelude declares what the tests' programs share.
const prelude = `
program "t"
global g: i32
global h: u64
global hs: [4]u64
global n: i32
func A(arg: *void) *void {
e:
  store plain &g, i32 100
  return null *void
}
func B(arg: *void) *void {
e:
  store plain &g, i32 200
  return null *void
}
entry main kind "main"
entry A kind "thread" spawned
entry B kind "thread" spawned
`

// marks finds the stores of the constants to g: mark 1 is "store plain &g, i32 1".
func marks(p *ir.Program) map[int64]ir.Instr {
	out := map[int64]ir.Instr{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if s, ok := in.(*ir.Store); ok {
					if k, ok := s.Val.(ir.Const); ok {
						out[k.Val.Int64()] = in
					}
				}
			}
		}
	}
	return out
}

func load(t *testing.T, src string) (*ir.Program, *Result) {
	t.Helper()
	p, err := ir.Parse("t.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p, Analyze(p, alias.Analyze(p, alias.Options{}))
}

// check compares with a line like "main@1|A=no A|A=yes": may main at mark 1 and A (at its
// start) overlap? The answer "guess" is: only where code that was not seen starts
// threads.
func check(t *testing.T, p *ir.Program, r *Result, want string) {
	t.Helper()
	m := marks(p)
	side := func(s string) (*ir.Entry, ir.Instr) {
		name, mark, at := strings.Cut(s, "@")
		e := p.EntryByName(name)
		if e == nil {
			t.Fatalf("no entry %q", name)
		}
		if !at {
			return e, nil
		}
		var k int64
		fmt.Sscan(mark, &k)
		if m[k] == nil {
			t.Fatalf("no mark %s", mark)
		}
		return e, m[k]
	}
	for _, w := range strings.Fields(want) {
		q, ans, _ := strings.Cut(w, "=")
		l, rt, _ := strings.Cut(q, "|")
		a, x := side(l)
		b, y := side(rt)
		for range 2 {
			may, why := r.Parallel(a, x, b, y)
			if may != (ans != "no") {
				t.Errorf("%s: got %v %s", w, may, why)
			}
			if sure := r.Surely(a, x, b, y); sure != (ans == "yes") {
				t.Errorf("%s: surely is %v", w, sure)
			}
			if !may && why == "" {
				t.Errorf("%s: no reason", w)
			}
			a, x, b, y = b, y, a, x
		}
	}
}

func TestThreads(t *testing.T) {
	for _, tc := range threadCases {
		t.Run(tc.name, func(t *testing.T) {
			src := tc.src
			if !strings.Contains(src, "program") {
				src = prelude + src
			}
			p, r := load(t, src)
			check(t, p, r, tc.want)
		})
	}
}

var threadCases = []struct{ name, src, want string }{
	{"before the spawn and after the join", `
func main() i32 {
  reg t: *u64; reg x: u64
e:
  t := alloc stack u64, u64 1 name t
  store plain &g, i32 1
  spawn A(null *void) handle t
  store plain &g, i32 2
  x := load plain t
  join x
  store plain &g, i32 3
  return i32 0
}`, "main@1|A=no main@2|A=yes main@3|A=no A|A=no main|A=yes B|A=yes"}, // nothing is known of B: no spawn site names it
	{"a function that is called when all threads have ended", `
func last() void alone {
e:
  fence seq_cst
  store plain &g, i32 2
  spawn B(null *void)
  store plain &g, i32 3
  return
}
func main() i32 {
e:
  spawn A(null *void)
  store plain &g, i32 1
  call last()
  store plain &g, i32 4
  return i32 0
}`, "main@1|A=yes main@2|A=no main@3|A=no main@4|A=no main@2|B=no main@3|B=yes A|B=no"},
	{"another handle is joined", `
func main() i32 {
  reg t, s: *u64; reg x: u64
e:
  t := alloc stack u64, u64 1 name t
  s := alloc stack u64, u64 1 name s
  spawn A(null *void) handle t
  x := load plain s
  join x
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=yes"},
	{"the handle is overwritten", `
func main() i32 {
  reg t: *u64; reg x: u64
e:
  t := alloc stack u64, u64 1 name t
  spawn A(null *void) handle t
  store plain t, u64 7
  x := load plain t
  join x
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=yes"},
	{"the handle is overwritten by a second spawn", `
func main() i32 {
  reg t: *u64; reg x: u64
e:
  t := alloc stack u64, u64 1 name t
  spawn A(null *void) handle t
  spawn B(null *void) handle t
  x := load plain t
  join x
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=yes main@3|B=no A|B=yes"},
	{"one after the other", `
func main() i32 {
  reg t: *u64; reg x: u64
e:
  t := alloc stack u64, u64 1 name t
  spawn A(null *void) handle t
  x := load plain t
  join x
  spawn B(null *void) handle t
  return i32 0
}`, "A|B=no main|B=yes"},
	{"both alive", `
func main() i32 {
  reg x: u64
e:
  spawn A(null *void) handle &h
  spawn B(null *void) handle &hs
  return i32 0
}`, "A|B=yes A|A=no B|B=no"},
	{"handle loaded too early", `
func main() i32 {
  reg x: u64
e:
  x := load plain &h
  spawn A(null *void) handle &h
  join x
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=yes"},
	{"joined on one path only", `
func main() i32 {
  reg x: u64
e:
  spawn A(null *void) handle &h
  goto a, b
a:
  x := load plain &h
  join x
  store plain &g, i32 1
  goto b
b:
  store plain &g, i32 2
  return i32 0
}`, "main@1|A=no main@2|A=yes"},
	{"spawned in a loop", `
func main() i32 {
e:
  goto l
l:
  spawn A(null *void) handle &h
  goto l, x
x:
  store plain &g, i32 1
  return i32 0
}`, "A|A=yes main@1|A=yes"},
	{"spawned and joined in every iteration", `
func main() i32 {
  reg x: u64
e:
  goto l
l:
  spawn A(null *void) handle &h
  x := load plain &h
  join x
  store plain &g, i32 1
  goto l, z
z:
  return i32 0
}`, "A|A=no main@1|A=no"},
	{"a failed spawn", `
func main() i32 {
  reg rc: i32; reg ok: bool
e:
  _, ok := spawn A(null *void) handle &h
  rc := select(ok, i32 0, i32 11)
  if ne(rc, i32 0) then bad else good
bad:
  store plain &g, i32 1
  return i32 1
good:
  store plain &g, i32 2
  return i32 0
}`, "main@1|A=no main@2|A=yes"},
	{"a branch on something else", `
func main() i32 {
  reg rc: i32; reg ok: bool
e:
  rc := havoc
  _, ok := spawn A(null *void) handle &h
  if ne(rc, i32 0) then bad else good
bad:
  store plain &g, i32 1
  return i32 1
good:
  return i32 0
}`, "main@1|A=yes"},
	{"in callees, by a global handle", `
func start() void {
e:
  spawn A(null *void) handle &h
  return
}
func stop_() void {
  reg x: u64
e:
  x := load plain &h
  join x
  return
}
func main() i32 {
e:
  store plain &g, i32 1
  call start()
  store plain &g, i32 2
  call stop_()
  store plain &g, i32 3
  return i32 0
}`, "main@1|A=no main@2|A=yes main@3|A=no"},
	{"a callee that overwrites the handle", `
func start() void {
e:
  spawn A(null *void) handle &h
  return
}
func main() i32 {
  reg x: u64
e:
  call start()
  store plain &h, u64 1
  x := load plain &h
  join x
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=yes"},
	{"a local handle of an earlier invocation", `
func f() void {
  reg t: *u64; reg x: u64
e:
  t := alloc stack u64, u64 1 name t
  goto a, b
a:
  spawn A(null *void) handle t
  return
b:
  x := load plain t
  join x
  return
}
func main() i32 {
e:
  call f()
  call f()
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=yes A|A=yes"},
	{"the register is the handle", `
func main() i32 {
  reg t, k: u64
e:
  t, _ := spawn A(null *void)
  k := t
  goto f
f:
  join k
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=no"},
	{"the register is stored", `
func main() i32 {
  reg t, k: u64
e:
  t, _ := spawn A(null *void)
  store plain &h, t
  goto f
f:
  k := load plain &h
  join k
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=no"},
	{"the register changes", `
func main() i32 {
  reg t: u64
e:
  t, _ := spawn A(null *void)
  t := havoc
  join t
  store plain &g, i32 3
  return i32 0
}`, "main@3|A=yes"},
	{"nested threads that are joined", `
func C(arg: *void) *void {
  reg x: u64
e:
  spawn A(null *void) handle &h
  store plain &g, i32 10
  x := load plain &h
  join x
  store plain &g, i32 11
  return null *void
}
entry C kind "thread" spawned
func main() i32 {
  reg x: u64
e:
  spawn C(null *void) handle &hs
  store plain &g, i32 1
  x := load plain &hs
  join x
  store plain &g, i32 2
  spawn B(null *void) handle &hs
  return i32 0
}`, "main@1|A=yes main@2|A=no A|C=yes C@10|A=yes C@11|A=no B|A=no B|C=no main@2|C=no"},
	{"nested threads that are left", `
func C(arg: *void) *void {
e:
  spawn A(null *void) handle &h
  return null *void
}
entry C kind "thread" spawned
func main() i32 {
  reg x: u64
e:
  spawn C(null *void) handle &hs
  x := load plain &hs
  join x
  store plain &g, i32 2
  spawn B(null *void) handle &hs
  return i32 0
}`, "main@2|A=yes B|A=yes"},
	{"two threads that share a handle", `
func C(arg: *void) *void {
  reg x: u64
e:
  spawn A(null *void) handle &h
  x := load plain &h
  join x
  store plain &g, i32 11
  return null *void
}
entry C kind "thread" spawned
func main() i32 {
  reg x: u64
e:
  spawn C(null *void) handle &hs
  spawn C(null *void) handle index(&hs, i32 1, 8, *u64)
  x := load plain &hs
  join x
  x := load plain index(&hs, i32 1, 8, *u64)
  join x
  store plain &g, i32 2
  return i32 0
}`, "C@11|A=yes main@2|A=yes C|C=yes"},
	{"threads that start each other", `
func C(arg: *void) *void {
e:
  spawn C(null *void) handle &h
  return null *void
}
entry C kind "thread" spawned
func main() i32 {
e:
  store plain &g, i32 1
  spawn C(null *void) handle &hs
  return i32 0
}`, "C|C=yes main@1|C=no"},
	{"unseen code", `
func u() void unknown "asm"
func main() i32 {
e:
  call u()
  store plain &g, i32 1
  spawn A(null *void) handle &hs
  store plain &g, i32 2
  return i32 0
}`, "main@1|A=guess A|A=guess main@1|B=yes main@2|A=yes"},
	{"never started", `
func dead() void {
e:
  spawn B(null *void) handle &hs
  return
}
func main() i32 {
e:
  spawn A(null *void) handle &hs
  return i32 0
}`, "main|B=no A|B=no"},
	{"a function pointer", `
global fp: *func(*void) *void
func main() i32 {
  reg f: *func(*void) *void; reg x: u64
e:
  store plain &fp, fn A
  f := load plain &fp
  store plain &g, i32 1
  spawn *f(null *void) handle &h
  return i32 0
}`, "main@1|A=no main|A=yes"},
}

// TestC is a C program as the front end lowers it (testdata/threads.c).
func TestC(t *testing.T) {
	src, err := os.ReadFile("testdata/threads.wir")
	if err != nil {
		t.Fatal(err)
	}
	p, r := load(t, string(src))
	check(t, p, r, `main@1|w=no main@2|w=no main@3|w=yes main@3|v=yes main@4|w=no main@4|v=yes main@5|v=no main@5|w=no
		main@6|w=yes main@7|w=no main@8|w=no main@9|v=no main@10|w=yes main@11|w=no`)
}
