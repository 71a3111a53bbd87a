package explore_test

import (
	"fmt"

	"whoop/explore"
	"whoop/ir"
	"whoop/ir/interp"
)

func Example() {
	p, err := ir.Parse("demo.wir", []byte(`program "demo"
global n: i32
func inc() void {
  reg x: i32
entry:
  x := load seq_cst &n             @"demo.c":3
  store seq_cst &n, add(x, i32 1)  @"demo.c":4
  return
}
func main() i32 {
  reg h: u64
  reg x: i32
entry:
  h, _ := spawn inc()
  call inc()
  join h
  x := load plain &n               @"demo.c":9
  assert eq(x, i32 2) tag assert   @"demo.c":9
  return i32 0
}
`))
	if err != nil {
		panic(err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		panic(err)
	}
	h := interp.MainOf(p.FuncByName("main"))
	r, err := explore.Exhaustive(m, h, explore.Options{Bound: 2})
	if err != nil {
		panic(err)
	}
	for _, f := range r.Findings {
		fmt.Println(f, f.Schedule, explore.Replay(m, h, f))
	}
	fmt.Println(r.Complete, r.Executions)
	// Output:
	// assert assert: demo.c:9 (cost 1) [0 0 0 1 1 1 1 0 0 0 0] <nil>
	// true 13
}
