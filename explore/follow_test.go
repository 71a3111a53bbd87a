package explore_test

import (
	"testing"

	"whoop/explore"
	"whoop/explore/dpor"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/vm"
)

// ownAgain has an instruction that a thread executes on memory of its own, then on what
// is shared, and another thread that goes on between, so that the order of these counts.
// The assertion fails in one order alone.
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
	for _, alg := range []dpor.Algorithm{dpor.DFS, dpor.Source, dpor.Optimal} {
		followed(t, ownAgain, alg)
	}
}

// followed is what goes wrong in a program, at least one thing, followed in the
// interpreter and replayed.
func followed(t *testing.T, src string, alg dpor.Algorithm) (found []*explore.Finding) {
	t.Helper()
	p, err := ir.Parse("p.wir", []byte(src))
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
	m, err := vm.New(c, p.FuncByName("main"), vm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h := interp.MainOf(p.FuncByName("main"))
	s := dpor.New(m, dpor.Options{Algorithm: alg, Found: func(s *dpor.Search, f dpor.Found) bool {
		x, err := explore.Follow(ref, h, s.Path(f))
		if err != nil {
			t.Errorf("algorithm %d: %v is not confirmed: %v", alg, f, err)
			return true
		}
		if err := explore.Replay(ref, h, x); err != nil {
			t.Errorf("algorithm %d: %s does not replay: %v", alg, x, err)
		}
		found = append(found, x)
		return true
	}})
	if s.Run(); len(found) == 0 {
		t.Errorf("algorithm %d finds nothing", alg)
	}
	return found
}

// joinedTwice joins a thread in two places at a time, which one of both may do.
const joinedTwice = `program "twice.c"
global x: i32
global h: u64
func a() void @1:1 {
entry:
  store seq_cst &x, i32 1 @2:1
  return
}
func b() void @3:1 {
  reg k: u64
entry:
  k := load seq_cst &h @4:1
  join k @5:1
  return
}
func main() i32 @6:1 {
  reg k: u64
  reg l: u64
entry:
  k, _ := spawn a() @7:1
  store seq_cst &h, k @8:1
  l, _ := spawn b() @9:1
  join k @10:1
  join l @11:1
  return i32 0
}
entry a kind "thread" spawned
entry b kind "thread" spawned
entry main kind "main"
`

// TestFollowJoin: the machines differ in who is wrong of those that join a thread in two
// places; that somebody is wrong is confirmed.
func TestFollowJoin(t *testing.T) {
	for _, f := range followed(t, joinedTwice, dpor.Optimal) {
		if f.Err == nil || f.Err.Kind != interp.ErrHandle {
			t.Errorf("found %s", f)
		}
	}
}
