package explore_test

import (
	"testing"

	"whoop/explore"
	"whoop/explore/dpor"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/vm"
)

// ownAgain has an instruction that a thread executes on memory of its own, then on what is
// shared, and another thread that goes on between, so that the order of these counts. The
// assertion fails in one order alone.
const ownAgain = `program "again.c"
global a: i32
global b: i32
func put(p: *i32, k: i32) void @1:1 {
entry:
  store seq_cst p, k @2:1
  return
}
func w(x: *void) void @4:1 {
  reg l: *i32
  reg v: i32
entry:
  l := alloc stack i32, u64 1 zero name l @5:1
  call put(l, i32 1) @6:1
  call put(&a, i32 1) @7:1
  call put(l, i32 2) @8:1
  call put(l, i32 3) @9:1
  v := load seq_cst &b @10:1
  if eq(v, i32 1) then on else off
on:
  call put(l, i32 4) @11:1
  call put(&a, i32 2) @12:1
  return
off:
  return
}
func main() i32 @20:1 {
  reg r: i32
  reg q: i32
entry:
  spawn w(null *void) @21:1
  r := load seq_cst &a @22:1
  store seq_cst &b, r @23:1
  q := load seq_cst &a @24:1
  assert ne(add(mul(r, i32 2), q), i32 4) tag "order" @25:1
  return i32 0
}
entry w kind "thread" spawned
entry main kind "main"
`

// TestFollowOwn: what nobody notices in the other machine is an operation in the
// interpreter; it is not taken for a later one of the same instruction.
func TestFollowOwn(t *testing.T) {
	p, err := ir.Parse("again.wir", []byte(ownAgain))
	if err != nil {
		t.Fatal(err)
	}
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, alg := range []dpor.Algorithm{dpor.DFS, dpor.Source, dpor.Optimal} {
		m, err := vm.New(c, p.FuncByName("main"), vm.Config{})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		s := dpor.New(m, dpor.Options{Algorithm: alg, Found: func(s *dpor.Search, f dpor.Found) bool {
			found++
			h := interp.MainOf(p.FuncByName("main"))
			x, err := explore.Follow(ref, h, s.Path(f))
			if err != nil {
				t.Errorf("algorithm %d: %v is not confirmed: %v", alg, f, err)
				return true
			}
			if err := explore.Replay(ref, h, x); err != nil {
				t.Errorf("algorithm %d: %s does not replay: %v", alg, x, err)
			}
			return true
		}})
		if s.Run(); found != 1 {
			t.Errorf("algorithm %d: %d errors, want 1", alg, found)
		}
	}
}
