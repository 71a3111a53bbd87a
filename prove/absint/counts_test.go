package absint

import "testing"

// thirty starts that many threads.
const thirty = `
func main() i32 {
  reg h: u64
  reg i: i32
entry:
  i := i32 0
  goto loop
loop:
  if lt(i, i32 30) then more else rest
more:
  h, _ := spawn w()
  i := add(i, i32 1)
  goto loop
rest:
  return i32 0
}
`

// TestCounts: what follows from how many threads there are at most, or have done
// something, is proved, and no more.
func TestCounts(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"each thread raises a number once", thirty + `
func w() void {
  reg r: i32
entry:
  r := load plain &x
  assert le(r, i32 30) tag assert msg "holds"
  assert lt(r, i32 29) tag assert msg "may fail"
  r := load plain &x
  store plain &x, add(r, i32 1)
  return
}`},
		{"each thread raises a number twice", thirty + `
func w() void {
  reg r: i32
entry:
  r := load plain &x
  assert le(r, i32 30) tag assert msg "may fail"
  r := load plain &x
  store plain &x, add(r, i32 1)
  r := load plain &x
  store plain &x, add(r, i32 1)
  return
}`},
		{"one raises the first number before the second", thirty + `
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
		{"one raises the second number before the first", thirty + `
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
		{"the first to come", thirty + `
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
		{"the first to come, who goes again", thirty + `
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
