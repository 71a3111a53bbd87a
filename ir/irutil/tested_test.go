package irutil_test

import (
	"slices"
	"testing"

	"whoop/ir"
	"whoop/ir/irutil"
)

// TestTested: through calls, globals and the memory that pointers lead to, it is seen
// what a value is compared with, and that another one decides nothing.
func TestTested(t *testing.T) {
	p, err := ir.Parse("t.wir", []byte(`program "t"
global g: i32
global h: i32

func ask(x: i32) i32 {
entry:
  return add(x, i32 1)
}

func main() void {
  reg a: i32
  reg b: i32
  reg c: i32
  reg d: i32
  reg n: i32
  reg r: i32
entry:
  a := havoc
  b := havoc
  c := havoc
  n := havoc
  store plain &g, b
  store plain &h, c
  r := call ask(a)
  d := load plain &g
  if eq(r, i32 7) then yes else no
yes:
  if lt(d, n) then no else yes
no:
  return
}
`))
	if err != nil {
		t.Fatal(err)
	}
	x := irutil.TestedOf(p)
	f := p.FuncByName("main")
	get := func(name string) (irutil.Against, bool) {
		i := slices.IndexFunc(f.Regs, func(r *ir.Reg) bool { return r.Name == name })
		return x.Reg(f.Regs[i])
	}
	if a, ok := get("a"); !ok || !slices.Contains(a.Consts, 7) || a.Ordered {
		t.Errorf("a: %v %t", a, ok)
	}
	if b, ok := get("b"); !ok || !b.Ordered {
		t.Errorf("b: %v %t", b, ok)
	}
	if c, ok := get("c"); ok {
		t.Errorf("c: %v", c)
	}
}
