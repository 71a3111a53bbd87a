package absint

import "testing"

// many starts n threads, n from 1 to 100, or less if it likes.
const many = `
func main() i32 {
  reg h: u64
  reg i, k: i32
entry:
  k := havoc
  store plain &y, k
  assume land(gt(k, i32 0), lt(k, i32 100))
  i := i32 0
  goto loop
loop:
  if lt(i, k) then more else rest
more:
  h, _ := spawn w()
  i := add(i, i32 1)
  goto loop
rest:
  return i32 0
}
`

// TestCounts: what follows from how many threads there are at most, or have done something, is proved, and no more.
func TestCounts(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"each thread raises a number once", many + `
func w() void {
  reg r, n: i32
entry:
  n := load plain &y
  r := load plain &x
  assert le(r, n) tag assert msg "holds"
  assert lt(r, sub(n, i32 1)) tag assert msg "may fail"
  r := load plain &x
  store plain &x, add(r, i32 1)
  return
}`},
		{"each thread raises a number twice", many + `
func w() void {
  reg r, n: i32
entry:
  n := load plain &y
  r := load plain &x
  assert le(r, n) tag assert msg "may fail"
  r := load plain &x
  store plain &x, add(r, i32 1)
  r := load plain &x
  store plain &x, add(r, i32 1)
  return
}`},
		{"a loop raises a number", many + `
func w() void {
  reg r, n: i32
entry:
  n := load plain &y
  goto loop
loop:
  r := load plain &x
  assert le(r, n) tag assert msg "may fail"
  store plain &x, add(r, i32 1)
  goto loop, rest
rest:
  return
}`},
		{"one raises the first number before the second", many + `
func w() void {
  reg r, s: i32
entry:
  rmw add seq_cst &x, i32 1
  atomic_begin
  r := load plain &x
  s := load plain field(&p, two, a)
  assert lt(s, r) tag assert msg "holds"
  atomic_end
  rmw add seq_cst field(&p, two, a), i32 1
  return
}`},
		{"one raises the second number before the first", many + `
func w() void {
  reg r, s: i32
entry:
  rmw add seq_cst field(&p, two, a), i32 1
  atomic_begin
  r := load plain &x
  s := load plain field(&p, two, a)
  assert lt(s, r) tag assert msg "may fail"
  atomic_end
  rmw add seq_cst &x, i32 1
  return
}`},
		{"the first to come", many + `
func w() void {
  reg r: i32
entry:
  rmw add seq_cst &x, i32 1
  r := load plain &x
  if eq(r, i32 1) then in else out
in:
  r := load plain field(&p, two, a)
  assert eq(r, i32 0) tag assert msg "holds"
  store plain field(&p, two, a), i32 1
  store plain field(&p, two, a), i32 0
  goto in
out:
  return
}`},
		{"the first to come, who goes again", many + `
func w() void {
  reg r: i32
entry:
  rmw add seq_cst &x, i32 1
  r := load plain &x
  if eq(r, i32 1) then in else out
in:
  r := load plain field(&p, two, a)
  assert eq(r, i32 0) tag assert msg "may fail"
  rmw sub seq_cst &x, i32 1
  store plain field(&p, two, a), i32 1
  return
out:
  return
}`},
	} {
		t.Run(c.name, func(t *testing.T) { expectOf(t, c.src) })
	}
}
