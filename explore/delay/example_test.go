package delay_test

import (
	"fmt"
	"slices"

	"whoop/explore/delay"
	"whoop/ir"
	"whoop/ir/vm"
)

// chain is a program of three servers that wait for each other's initialisation and then
// serve, and of a thread that makes two of them fail. That is an error only if both fail
// once all are initialised, and before one has served.
const chain = `program "chain"
global ready: i32
global phase: i32
global served: i32
global failed: i32
func server(i: i32) void {
reg n, p: i32
entry:
  n := rmw add seq_cst &ready, i32 1
  if eq(n, i32 2) then last else serve
last:
  store seq_cst &phase, i32 1
  goto serve
serve:
  await p := &phase until eq(p, i32 1)
  atomic_end
  rmw add seq_cst &served, i32 1
  return
}
func fault() void {
reg p, s: i32
entry:
  rmw add seq_cst &failed, i32 1
  p := load seq_cst &phase
  rmw add seq_cst &failed, i32 1
  s := load seq_cst &served
  assert lor(eq(p, i32 0), ne(s, i32 0)) tag "both failed"
  return
}
func main() i32 {
entry:
  spawn fault()
  spawn server(i32 1)
  spawn server(i32 2)
  spawn server(i32 3)
  return i32 0
}
`

// phased is an explorer of one's own: threads go on in the order of creation, but the
// fault comes last until the program says that it is set up, by a store to the variable
// phase, and first from then on.
type phased struct{ delay.Queue }

const fault = 1 // the first thread that main starts

func (p *phased) Copy() delay.Explorer {
	c := *p
	c.Order = slices.Clone(p.Order)
	return &c
}

func (p *phased) Start(t, parent int) {
	p.Queue.Start(t, parent)
	p.Move(fault, len(p.Order)-1)
}

func (p *phased) Step(e delay.Event) {
	p.Queue.Step(e)
	if st, ok := e.At.(*ir.Store); ok && ir.ExprString(st.Addr) == "&phase" {
		p.Move(fault, 0)
	}
}

// A custom explorer finds what needs two failures at a certain time without a delay, and
// with the fewest states.
func Example_custom() {
	prog, err := ir.Parse("chain.wir", []byte(chain))
	if err != nil {
		panic(err)
	}
	c, err := vm.Compile(prog)
	if err != nil {
		panic(err)
	}
	for _, x := range []struct {
		name string
		mk   func() delay.Explorer
	}{{"custom", func() delay.Explorer { return &phased{} }}, {"round robin", delay.RoundRobin}, {"run to completion", delay.RunToCompletion}} {
		m, err := vm.New(c, prog.FuncByName("main"), vm.Config{})
		if err != nil {
			panic(err)
		}
		r := delay.Search(m, delay.Options{Make: x.mk, Bound: -1, Found: func(f delay.Found) bool { return false }})
		fmt.Printf("%s: %d states\n", x.name, r.States)
	}
	// Output:
	// custom: 9 states
	// round robin: 114 states
	// run to completion: 238 states
}
