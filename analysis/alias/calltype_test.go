package alias

import (
	"strings"
	"testing"

	"whoop/ir"
)

// TestCallsOfType: in type-safe programs a call through a function value runs no function
// with another number of parameters, though points-to sets of two types mix; in C it may.
func TestCallsOfType(t *testing.T) {
	text := `program "calls" typesafe
global g: i32
func one(p: *i32) void {
start:
  store plain p, i32 1
  return
}
func two(p: *i32, q: *i32) void {
start:
  store plain q, i32 2
  return
}
func main() void {
  reg f: *func(*i32) void
start:
  goto a, b
a:
  f := fn one
  goto c
b:
  f := cast(*func(*i32) void, fn two)
  goto c
c:
  call *f(&g)
  return
}
entry main kind "main"
`
	for _, safe := range []bool{true, false} {
		src := text
		if !safe {
			src = strings.Replace(src, " typesafe", "", 1)
		}
		p, err := ir.Parse("calls.wir", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		r := Analyze(p, Options{})
		for in := range p.FuncByName("main").Instrs() {
			call, ok := in.(*ir.Call)
			if !ok {
				continue
			}
			fns, _ := r.Callees(call)
			if want := map[bool]int{true: 1, false: 2}[safe]; len(fns) != want {
				t.Errorf("typesafe %t: %d functions are called, want %d", safe, len(fns), want)
			}
		}
	}
}
