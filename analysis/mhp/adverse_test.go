package mhp

import "testing"

// TestAdverse has programs that come close to a rule but break one of its conditions.
func TestAdverse(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"only some iterations join", `
func main() i32 {
  reg i, j: i32; reg x: u64
e:
  i := i32 0
  goto h1
h1:
  if lt(i, i32 3) then b1 else x1
b1:
  spawn A(null *void) handle index(&hs, i, 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  j := i32 0
  goto h2
h2:
  if lt(j, i32 3) then b2 else x2
b2:
  goto b3, b4
b3:
  x := load plain index(&hs, j, 8, *u64)
  join x
  goto b4
b4:
  j := add(j, i32 1)
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`, "main@2|A=yes"},
		{"the spawning loop counts before it spawns", `
func main() i32 {
  reg i, j: i32; reg x: u64
e:
  i := i32 0
  goto h1
h1:
  if lt(i, i32 3) then b1 else x1
b1:
  i := add(i, i32 1)
  goto c1
c1:
  spawn A(null *void) handle index(&hs, i, 8, *u64)
  goto h1
x1:
  j := i32 0
  goto h2
h2:
  if lt(j, i32 3) then b2 else x2
b2:
  x := load plain index(&hs, j, 8, *u64)
  join x
  j := add(j, i32 1)
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`, "main@2|A=yes"},
		{"the joining loop counts before it joins", `
func main() i32 {
  reg i, j: i32; reg x: u64
e:
  i := i32 0
  goto h1
h1:
  if lt(i, i32 3) then b1 else x1
b1:
  spawn A(null *void) handle index(&hs, i, 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  j := i32 0
  goto h2
h2:
  if lt(j, i32 3) then b2 else x2
b2:
  j := add(j, i32 1)
  x := load plain index(&hs, j, 8, *u64)
  join x
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`, "main@2|A=yes"},
		{"joined before spawned in every iteration", `
func main() i32 {
  reg i, j: i32; reg x: u64
e:
  i := i32 0
  goto h1
h1:
  if lt(i, i32 3) then b1 else x1
b1:
  x := load plain index(&hs, i, 8, *u64)
  join x
  spawn A(null *void) handle index(&hs, i, 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  return i32 0
}`, "A|A=yes"},
		{"another thread writes the handle", `
func W(arg: *void) *void {
e:
  store plain &h, u64 0
  return null *void
}
entry W kind "thread" spawned
func main() i32 {
  reg x: u64
e:
  spawn W(null *void) handle &hs
  spawn A(null *void) handle &h
  x := load plain &h
  join x
  store plain &g, i32 2
  return i32 0
}`, "main@2|A=yes"},
		{"an inner invocation joins a handle of its own", `
func f() void {
  reg t: *u64; reg x: u64
e:
  t := alloc stack u64, u64 1 name t
  goto a, b
a:
  spawn A(null *void) handle t
  call f()
  store plain &g, i32 1
  return
b:
  x := load plain t
  join x
  return
}
func main() i32 {
e:
  call f()
  return i32 0
}`, "main@1|A=yes"},
		{"an inner invocation leaves a thread", `
func f(p: *u64) void {
  reg x: u64
e:
  goto a, b
a:
  spawn A(null *void) handle p
  return
b:
  call f(&h)
  x := load plain p
  join x
  store plain &g, i32 1
  return
}
func main() i32 {
e:
  call f(&hs)
  return i32 0
}`, "main@1|A=yes"},
		{"the handle's place is a parameter", `
func f(p: *u64) void {
  reg x: u64
e:
  goto a, b
a:
  spawn A(null *void) handle p
  return
b:
  x := load plain p
  join x
  return
}
func main() i32 {
e:
  call f(&h)
  call f(&hs)
  store plain &g, i32 1
  return i32 0
}`, "main@1|A=yes"},
		{"joined before spawned, at different places", `
func f(p: *u64) void {
  reg x: u64
e:
  x := load plain p
  join x
  spawn A(null *void) handle p
  return
}
func main() i32 {
e:
  call f(&h)
  call f(&hs)
  return i32 0
}`, "A|A=yes"},
		{"joined before spawned, at different places, recursively", `
func f(p: *u64) void {
  reg x: u64
e:
  x := load plain p
  join x
  spawn A(null *void) handle p
  goto a, b
a:
  call f(&h)
  goto b
b:
  return
}
func main() i32 {
e:
  call f(&hs)
  return i32 0
}`, "A|A=yes"},
		{"handles through a global pointer", through("yield"), "main@1|A=yes main@2|A=no"},
		{"the global pointer changes", through("store plain &q, &h"), "main@2|A=yes"},
		{"the first by itself, the others in a loop", first("0", "1"), "main@1|A=yes main@1|B=yes main@2|A=no main@2|B=no"},
		{"the loop overwrites the first", first("0", "0"), "main@2|A=yes"},
		{"the loop overwrites the last", first("2", "1"), "main@2|A=yes"},
		{"another thread writes the bound", steady("W"), "main@2|A=yes"},
		{"the bound is written between the loops", steady("between"), "main@2|A=yes"},
		{"the bound is written before the loops", steady("before"), "main@2|A=no"},
		{"the bound is never written", steady(""), "main@2|A=no"},
		{"the starts differ", `
func main() i32 {
  reg i, j, k: i32; reg x: u64
e:
  k := havoc
  i := i32 0
  goto h1
h1:
  if lt(i, k) then b1 else x1
b1:
  spawn A(null *void) handle index(&hs, i, 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  j := i32 1
  goto h2
h2:
  if lt(j, k) then b2 else x2
b2:
  x := load plain index(&hs, j, 8, *u64)
  join x
  j := add(j, i32 1)
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`, "main@2|A=yes"},
		{"the result of an earlier spawn", `
func main() i32 {
  reg x: u64; reg ok, c: bool
e:
  _, ok := spawn B(null *void) handle &h
  c := lnot(ok)
  _, ok := spawn A(null *void) handle &hs
  if c then bad else good
bad:
  store plain &g, i32 1
  return i32 1
good:
  return i32 0
}`, "main@1|A=yes"},
		{"the result may be anything else as well", `
func main() i32 {
  reg x: u64; reg rc: i32; reg ok: bool
e:
  _, ok := spawn A(null *void) handle &h
  rc := havoc
  assume eq(ge(rc, i32 0), ok)
  if lt(rc, i32 1) then bad else good
bad:
  store plain &g, i32 1
  return i32 1
good:
  store plain &g, i32 2
  return i32 0
}`, "main@1|A=yes main@2|A=yes"},
		{"a negative result", `
func main() i32 {
  reg x: u64; reg rc: i32; reg ok: bool
e:
  _, ok := spawn A(null *void) handle &h
  rc := havoc
  assume eq(ge(rc, i32 0), ok)
  if lt(rc, i32 0) then bad else good
bad:
  store plain &g, i32 1
  return i32 1
good:
  store plain &g, i32 2
  return i32 0
}`, "main@1|A=no main@2|A=yes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, r := load(t, prelude+tc.src)
			check(t, p, r, tc.want)
		})
	}
}

// steady is a program whose loops read the global n; who says where n is written.
func steady(who string) string {
	put := func(at string) string {
		if at == who {
			return "store plain &n, add(k, i32 1)"
		}
		return "yield"
	}
	return `
func W(arg: *void) *void {
  reg k: i32
e:
  k := havoc
  ` + put("W") + `
  return null *void
}
entry W kind "thread" spawned
func main() i32 {
  reg i, j, k, l, m: i32; reg x: u64
e:
  k := havoc
  spawn W(null *void) handle &h
  ` + put("before") + `
  i := i32 0
  goto h1
h1:
  l := load plain &n
  if lt(i, l) then b1 else x1
b1:
  spawn A(null *void) handle index(&hs, i, 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  ` + put("between") + `
  j := i32 0
  goto h2
h2:
  m := load plain &n
  if lt(j, m) then b2 else x2
b2:
  x := load plain index(&hs, j, 8, *u64)
  join x
  j := add(j, i32 1)
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`
}

// through is a program that keeps its handles where a global points to; between the loops
// it does as told.
func through(between string) string {
	return `
global q: *u64
func main() i32 {
  reg i: i32; reg x: u64; reg p, p2, m: *u64
e:
  m := alloc heap u64, u64 8
  store plain &q, m
  i := i32 0
  goto h1
h1:
  if lt(i, i32 3) then b1 else x1
b1:
  p := load plain &q
  spawn A(null *void) handle index(p, i, 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  store plain &g, i32 1
  ` + between + `
  i := i32 0
  goto h2
h2:
  if lt(i, i32 3) then b2 else x2
b2:
  p2 := load plain &q
  x := load plain index(p2, i, 8, *u64)
  join x
  i := add(i, i32 1)
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`
}

// first is a program that spawns A at index one and then B at the indices from start up
// to 2.
func first(one, start string) string {
	return `
func main() i32 {
  reg i: i32; reg x: u64
e:
  spawn A(null *void) handle index(&hs, i32 ` + one + `, 8, *u64)
  i := i32 ` + start + `
  goto h1
h1:
  if lt(i, i32 3) then b1 else x1
b1:
  spawn B(null *void) handle index(&hs, i, 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  store plain &g, i32 1
  i := i32 0
  goto h2
h2:
  if lt(i, i32 3) then b2 else x2
b2:
  x := load plain index(&hs, i, 8, *u64)
  join x
  i := add(i, i32 1)
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`
}
