package dpor

import (
	"maps"
	"slices"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
)

// late is a program that starts threads between operations that others may notice.
const late = `program "late"
global x: i32
global y: i32
func w(i: i32) void {
reg r: i32
entry:
  r := load seq_cst &x
  store seq_cst &y, add(r, i)
  return
}
func main() i32 {
reg h0, h1, h2: u64
reg r: i32
entry:
  store seq_cst &x, i32 1
  h0, _ := spawn w(i32 0)
  store seq_cst &x, i32 2
  r := load seq_cst &y
  h1, _ := spawn w(i32 1)
  store seq_cst &x, i32 3
  h2, _ := spawn w(i32 2)
  store seq_cst &x, i32 4
  join h0
  join h1
  join h2
  return i32 0
}
`

// timed is a program in which a wait may end by a signal, or by itself before.
const timed = `program "timed"
global m: u32
global c: u32
global set: i32
func w() void {
reg ok: bool
reg r: i32
entry:
  lock exclusive mutex &m
  r := load plain &set
  if eq(r, i32 0) then wait else done
wait:
  ok := condwait &c, &m timed
  assert ok tag "woken"
  goto done
done:
  unlock exclusive mutex &m
  return
}
func main() i32 {
reg h: u64
entry:
  h, _ := spawn w()
  lock exclusive mutex &m
  store plain &set, i32 1
  condsignal &c
  unlock exclusive mutex &m
  join h
  return i32 0
}
`

// counted is a program in which a semaphore may be taken before any of the operations of
// others on it.
const counted = `program "counted"
global sem: opaque("sem", 8)
func w() void {
reg ok: bool
entry:
  semwait &sem
  ok := semwait &sem try
  sempost &sem
  return
}
func main() i32 {
reg h0, h1, h2: u64
entry:
  seminit &sem, i32 2
  h0, _ := spawn w()
  h1, _ := spawn w()
  h2, _ := spawn w()
  return i32 0
}
`

// tried is a program with a section that may come to a false assumption, which depends on
// an input. What it accesses before depends on what others have written.
const tried = `program "tried"
global i: i32
global a: [2]i32
global go: i32
func w() void {
entry:
  store seq_cst &go, i32 1
  store plain index(&a, i32 0, 4, *i32), i32 1
  store seq_cst &i, i32 1
  return
}
func main() i32 {
reg r, s: i32
reg b: bool
entry:
  spawn w()
  atomic_begin
  r := load seq_cst &i
  store plain index(&a, r, 4, *i32), i32 2
  s := load seq_cst &go
  b := havoc
  assume lor(b, ne(r, i32 0))
  atomic_end
  return i32 0
}
`

// TestCases: programs in which an algorithm could leave something out.
func TestCases(t *testing.T) {
	for _, x := range []struct {
		name string
		p    *ir.Program
	}{
		{"late", parsed(t, late)},
		{"timed", parsed(t, timed)},
		{"counted", parsed(t, counted)},
		{"tried", parsed(t, tried)},
		// races where it blocks
		{"section", randprog.Generate(305761, randprog.Config{Size: sizeOf(305761), Workers: 1})},
		// races with a section that waits
		{"exchange", randprog.Generate(5851, randprog.Config{Size: sizeOf(5851), Workers: 3})},
		// an exchange that fails
		{"weak", randprog.Generate(104961, randprog.Config{Size: sizeOf(104961), Workers: 1})},
		// a sequence that ends at a leaf
		{"leaf", randprog.Generate(222187, randprog.Config{Size: sizeOf(222187), Workers: 3})},
	} {
		t.Run(x.name, func(t *testing.T) {
			dfs := search(t, x.p, DFS, false, 0)
			for _, alg := range []Algorithm{Source, Optimal} {
				o := search(t, x.p, alg, false, 0)
				if int(o.Executions()) != len(dfs.traces) {
					t.Errorf("%d executions, there are %d traces", o.Executions(), len(dfs.traces))
				}
				if got, want := slices.Sorted(maps.Keys(o.states)), slices.Sorted(maps.Keys(dfs.states)); !slices.Equal(got, want) {
					t.Errorf("it ends in %d states, of %d", len(got), len(want))
				}
				if want := reference(t, x.p, false); !slices.Equal(o.found, want) {
					t.Errorf("found\n%q, want\n%q", o.found, want)
				}
			}
		})
	}
}

func parsed(t testing.TB, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("p.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
