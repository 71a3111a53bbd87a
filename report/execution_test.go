package report

import (
	"bytes"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// lost has two threads that lose an update.
const lost = `
global n: i32
func add() void {
  reg x: i32
entry:
  x := load plain &n             @"a.c":3:2
  store plain &n, add(x, i32 1)  @"a.c":4:2
  return                         @"a.c":5:1
}
func main() void {
  reg a: u64
  reg b: u64
  reg x: i32
entry:
  a, _ := spawn add()           @"a.c":8:2
  b, _ := spawn add()           @"a.c":9:2
  join a                         @"a.c":10:2
  join b                         @"a.c":11:2
  x := load plain &n             @"a.c":12:2
  assert eq(x, i32 2) tag assert @"a.c":12:9
  return                         @"a.c":13:1
}
entry main func main kind "main"
entry add func add kind "thread" spawned
`

// TestExecution: each thread has a column, switches are marked, values shown.
func TestExecution(t *testing.T) {
	p, err := ir.Parse("a.wir", []byte(lost))
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	tr := &trace.Trace{Schema: trace.Schema, Program: trace.Hash(p), Main: true, Roots: []string{"main"},
		Schedule: trace.Schedule{{Thread: 0, Steps: 2}, {Thread: 1, Steps: 1}, {Thread: 2, Steps: 1}, {Thread: 1, Steps: 1}, {Thread: 2, Steps: 2}, {Thread: 1, Steps: 1}, {Thread: 0, Steps: 4}},
		Bug:      trace.Bug{Kind: "assert", At: trace.Place{File: "a.c", Line: 12, Column: 9}, Message: "the sum is wrong"}}
	h, err := tr.Harness(p)
	if err != nil {
		t.Fatal(err)
	}
	x, err := trace.Replay(m, h, trace.Minimise(m, h, tr))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Execution(&b, x, ExecutionOptions{Width: 100}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-- context switch: main -> T", "(which could have gone on)", "(which waits or has ended)", "n is 0", "n := 1", "assert: main at a.c:12:9: the sum is wrong",
		"4 context switches, 1 of them a preemption"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
