package bmc

import (
	"context"
	"errors"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
)

// TestReplayEnds: an execution that the interpreter follows without the model, which may
// be without end, is given up, and so is any when the time is up.
func TestReplayEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	run := func(r *replayer) (n int, err error) {
		for ; err == nil && n <= 2*interp.MaxInvisible; n++ {
			err = r.onPath()
		}
		return n, err
	}
	r := &replayer{u: &unrolling{ctx: ctx}}
	if n, err := run(r); !errors.Is(err, errOff) || n < interp.MaxInvisible {
		t.Errorf("after %d steps: %v", n, err)
	}
	cancel()
	r.off = 0
	if n, err := run(r); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, after %d steps: %v", n, err)
	}
}

// TestInitStep: a call that reads several registers without a value is one step of an
// init entry's path, and a load of memory that was never written is one, too.
func TestInitStep(t *testing.T) {
	call, load := &ir.Call{}, &ir.Load{}
	main := &thread{}
	path := []*logEntry{{in: call}, {in: load}, {in: call}, {in: load}}
	r := &replayer{u: &unrolling{threads: []*thread{main}}, x: &execution{path: map[*thread][]*logEntry{main: path}}, cursor: map[*thread]int{}}
	for range 3 {
		if r.initStep(&interp.Query{Kind: interp.InUninit, Instr: call}); r.cur != nil || r.cursor[main] != 0 {
			t.Fatalf("a register without a value is a step of the path: %d", r.cursor[main])
		}
	}
	for i, want := range []int{2, 4} {
		if r.initStep(&interp.Query{Kind: interp.InUninit, Instr: load}); r.cur != path[want-1] || r.cursor[main] != want {
			t.Fatalf("load %d: the path is at %d", i, r.cursor[main])
		}
	}
}
