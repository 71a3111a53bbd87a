package entry

import (
	"testing"

	"whoop/ir"
)

// A pointer of a node that is stored at what the same pointer leads to: whether it is
// constant rests on itself.
func TestPlaceOfItself(t *testing.T) {
	p := parse(t, `
program "list"
struct node size 8 {
  next: *struct("node") @0
}
global head: *struct("node")
func t1(p: *void) void {
e:
  return
}
func main() i32 {
  reg a: *struct("node")
  reg b: *struct("node")
e:
  a := load plain &head
  b := load plain field(a, node, next)
  store plain field(b, node, next), a
  register timer_setup obj b calls fn t1 kinds timer
  return i32 0
}
`)
	if err := Infer(p, set(t), Options{}); err != nil {
		t.Fatal(err)
	}
	x := &inferrer{p: p, m: set(t), cg: newCallGraph(p)}
	for in := range p.FuncByName("main").Instrs() {
		if r, ok := in.(*ir.Register); ok {
			if at, known := x.placeOf(r.Obj); known {
				t.Errorf("the place %+v is stored to after it was set up", at)
			}
		}
	}
}
