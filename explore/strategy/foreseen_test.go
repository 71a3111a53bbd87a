package strategy

import (
	"fmt"
	"testing"

	"whoop/explore/dpor"
	"whoop/ir"
	"whoop/ir/vm"
)

// lopsided is a program with two threads of four and two stores to one variable, each
// with as many other operations that nobody else notices: 15 orders of the stores.
const lopsided = `program "lopsided"
global x: i32
global y: i32
global z: i32
func w() void {
entry:
  store seq_cst &x, i32 1
  store seq_cst &y, i32 1
  store seq_cst &x, i32 2
  store seq_cst &y, i32 1
  store seq_cst &x, i32 3
  store seq_cst &x, i32 4
  return
}
func v() void {
entry:
  store seq_cst &z, i32 1
  store seq_cst &x, i32 5
  store seq_cst &z, i32 1
  store seq_cst &x, i32 6
  return
}
func main() i32 {
entry:
  spawn w()
  spawn v()
  return i32 0
}
entry main kind "main"
`

// TestUniform: urw draws each order of the stores as often as the others, pos and random
// do not.
func TestUniform(t *testing.T) {
	p, err := ir.Parse("lopsided.wir", []byte(lopsided))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"urw", "pos", "random"} {
		const samples = 6000
		seen := drawnOrders(t, p, Options{Strategy: name, Seed: 3, Executions: samples})
		least, most := samples, 0
		for _, n := range seen {
			least, most = min(least, n), max(most, n)
		}
		t.Logf("%s: %d orders, each drawn %d to %d times", name, len(seen), least, most)
		if even := float64(least) > 0.8*samples/15 && float64(most) < 1.2*samples/15; len(seen) != 15 || even != (name == "urw") {
			t.Errorf("%s: %d orders, each drawn %d to %d times", name, len(seen), least, most)
		}
	}
}

// drawnOrders draws executions, and counts the orders of the threads' stores to x.
func drawnOrders(t *testing.T, p *ir.Program, opt Options) map[string]int {
	t.Helper()
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	d := newDrawn(opt)
	o := dpor.Options{Algorithm: dpor.Sampled, MaxExecutions: opt.Executions}
	o.Next, _ = chooser(opt, d)
	at := map[any]bool{} // the stores to x
	for _, f := range p.Funcs {
		for _, in := range f.Blocks[0].Instrs {
			if st, ok := in.(*ir.Store); ok && ir.ExprString(st.Addr) == "&x" {
				at[in] = true
			}
		}
	}
	out := map[string]int{}
	o.Ended = func(s *dpor.Search) {
		order := ""
		for i := range s.Len() {
			if ops := s.Ops(i); len(ops) > 0 && at[c.Source(ops[0].Src)] {
				order += fmt.Sprint(s.Thread(i))
			}
		}
		out[order]++
	}
	m, err := vm.New(c, p.FuncByName("main"), vm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	dpor.New(m, o).Run()
	return out
}
