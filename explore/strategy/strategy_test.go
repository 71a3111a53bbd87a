package strategy

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"whoop/internal/randprog"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/trace"
)

var (
	programs = flag.Int("programs", testscope.Count(60, 600), "random programs to explore")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "seed of the first random program")
)

// bugs are what traces show, in order.
func bugs(r *Result) []string {
	var out []string
	for _, t := range r.Traces {
		places := []trace.Place{t.Bug.At, t.Bug.AtToo}
		slices.SortFunc(places, func(a, b trace.Place) int { return a.Line - b.Line })
		if t.Bug.Kind == "deadlock" {
			places = nil // which of several with the same kind does not matter here
		}
		out = append(out, fmt.Sprint(t.Bug.Kind, places))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestStrategies: on random programs, exhaustive strategies find the same, drawn
// executions show nothing else, and all traces replay (Run checks that).
func TestStrategies(t *testing.T) {
	found, drawn := 0, 0
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: 5 + int(n%4), Selects: n%2 == 1})
		want := explored(t, p, Options{Strategy: "context-bound", Bound: -1, KeepGoing: true})
		found += len(want)
		for _, s := range []string{Portfolio, "dfs", "source-dpor", "optimal-dpor", "delay:rr", "delay:rtc", "delay:prr"} {
			if got := explored(t, p, Options{Strategy: s, Bound: -1, KeepGoing: true}); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s finds\n%q, want\n%q\n%s", n, s, got, want, ir.String(p))
			}
		}
		for _, s := range []string{"random", Iterated, "pct", "pos", "urw", "sample:rr",
			"sample:rtc", "sample:prr"} {
			got := explored(t, p, Options{Strategy: s, Bound: 4, Seed: n, Executions: 300, KeepGoing: true})
			drawn += len(got)
			for _, b := range got {
				if !slices.Contains(want, b) {
					t.Fatalf("seed %d: %s finds %q, want one of\n%q\n%s", n, s, b, want, ir.String(p))
				}
			}
		}
	}
	t.Logf("seeds %d to %d: %d bugs, %d found by drawing", *seed, *seed+uint64(*programs)-1, found, drawn)
	if drawn < 7*found { // of eight times as many
		t.Errorf("of %d bugs, drawing finds %d in eight ways", found, drawn)
	}
}

func explored(t *testing.T, p *ir.Program, opt Options) []string {
	t.Helper()
	r, err := Run(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete == Samples(opt.Strategy) {
		t.Fatalf("%s: complete: %t, %s\n%s", opt.Strategy, r.Complete, r.Reason, ir.String(p))
	}
	return bugs(r)
}

// ownFirst has an instruction that accesses what its thread has for itself before it
// accesses what the threads share.
const ownFirst = `program "own.c"
global total: i32
func bump(p: *i32) void @1:1 {
  reg v: i32
entry:
  v := load plain p @2:1
  store plain p, add(v, i32 1) @3:1
  return
}
func w(x: *void) *void @4:1 {
  reg l: *i32
entry:
  l := alloc stack i32, u64 1 zero name l @5:1
  call bump(l) @6:1
  call bump(l) @7:1
  call bump(&total) @8:1
  return null *void
}
func main() i32 @9:1 {
  reg s: *u64
  reg t: *u64
entry:
  s := alloc stack u64, u64 1 zero name s @9:2
  t := alloc stack u64, u64 1 zero name t @9:3
  spawn w(i32 0) handle s @10:1
  spawn w(i32 0) handle t @11:1
  return i32 0
}
entry w kind "thread" multi spawned
entry main kind "main"
`

// TestOwnFirst: a race is confirmed where the interpreter comes to its instruction before
// the access of the race, since what the other machine knows to be the thread's own is
// visible there.
func TestOwnFirst(t *testing.T) {
	p, err := ir.Parse("own.wir", []byte(ownFirst))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"dfs", "source-dpor", "optimal-dpor"} {
		got := explored(t, p, Options{Strategy: s, Bound: -1, KeepGoing: true})
		want := []string{"race[{ 2 1} { 3 1}]", "race[{ 3 1} { 3 1}]"}
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", s, got, want)
		}
	}
}

// choice has sections that choose an alternative, as a select statement does: with one
// answer they block, with the other one they go through.
const choice = `program "choice"
global set: i32
func w(i: i32) void {
  reg v: i32
  reg u: i32
entry:
  await v := &set until true what "looks" @1:1
  goto yes, no @2:1
yes:
  assume ne(v, i32 0) @3:1
  atomic_end @3:2
  return
no:
  assume eq(v, i32 0) @4:1
  atomic_end @4:2
  await u := &set until true what "sets" @5:1
  assert eq(u, i32 0) tag once @6:1
  store seq_cst &set, i32 1 @7:1
  atomic_end @7:2
  return
}
func main() i32 {
  reg s: *u64
  reg t: *u64
entry:
  s := alloc stack u64, u64 1 zero name s @9:2
  t := alloc stack u64, u64 1 zero name t @9:3
  spawn w(i32 0) handle s @10:1
  spawn w(i32 0) handle t @11:1
  return i32 0
}
entry w kind "thread" multi spawned
entry main kind "main"
`

// TestChoice: every strategy that explores all executions finds what goes wrong behind a
// section that blocks with its first alternative.
func TestChoice(t *testing.T) {
	p, err := ir.Parse("choice.wir", []byte(choice))
	if err != nil {
		t.Fatal(err)
	}
	want := explored(t, p, Options{Strategy: "dfs", Bound: -1, KeepGoing: true})
	if len(want) != 1 {
		t.Fatalf("dfs finds %q", want)
	}
	for _, s := range []string{"source-dpor", "optimal-dpor", "delay:rr", "delay:rtc", "delay:prr"} {
		if got := explored(t, p, Options{Strategy: s, Bound: -1, KeepGoing: true}); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", s, got, want)
		}
	}
}

// TestIterated: stratum i has 100+3^i executions of 100 events more than those before it;
// what is far from the start is found later than what is not.
func TestIterated(t *testing.T) {
	src := `program "p"
global x: i32
global y: i32
global m: u32
func worker(i: i32) void {
  reg k: i32
entry:
  store plain &x, i  @1
  k := i32 0
  goto loop
loop:
  lock exclusive mutex &m
  unlock exclusive mutex &m
  k := add(k, i32 1)
  if lt(k, i32 120) then loop else done
done:
  store plain &y, i  @2
  return
}
func main() i32 {
  reg a: u64
  reg b: u64
entry:
  a, _ := spawn worker(i32 0)
  b, _ := spawn worker(i32 1)
  join a
  join b
  return i32 0
}
entry main kind "main"
`
	p, err := ir.Parse("p.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		executions int64
		strata     []int64
		found      int
	}{{204, []int64{101, 103}, 1}, {1000, []int64{101, 103, 109, 127, 181, 343, 36}, 2}} {
		r, err := Run(p, Options{Strategy: Iterated, Seed: 1, Executions: x.executions, KeepGoing: true})
		if err != nil || !slices.Equal(r.Strata, x.strata) || r.Executions != x.executions ||
			len(r.Traces) != x.found || r.Complete {
			t.Errorf("%d executions: strata %d, %d found: %v %s", r.Executions, r.Strata,
				len(r.Traces), err, r.Reason)
		}
	}
}
