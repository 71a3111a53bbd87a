package delay

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/ir/irutil"
)

// crowd is a random program whose main starts several threads of one or two functions and
// joins them; each function takes locks, and reads and writes two variables.
func crowd(seed uint64) string {
	draw := rand.New(rand.NewPCG(seed, 0x63726f77))
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	f("program \"crowd\"\nglobal x: i32\nglobal y: i32\nglobal m: u32\nglobal n: u32\nglobal s: opaque(\"sem\", 8)")
	for w := range 2 {
		f("func w%d(i: i32) void {\nreg r, q: i32\nreg ok: bool\nentry:\nr := i32 0\nq := i32 0", w)
		held := ""
		for range 1 + draw.IntN(5) {
			switch draw.IntN(9) {
			case 0, 1:
				if held == "" {
					held = []string{"m", "n"}[draw.IntN(2)]
					f("lock exclusive mutex &%s", held)
				}
			case 2:
				f("r := load seq_cst &x")
			case 3:
				f("store seq_cst &x, add(r, i32 1)")
			case 4:
				f("q := rmw add seq_cst &y, i32 1\nassert ne(q, i32 %d) tag \"assert\"", 1+draw.IntN(4))
			case 5:
				f("store seq_cst &y, i")
			case 6:
				f("semwait &s")
			case 7:
				f("sempost &s")
			case 8:
				f("r := load plain &x")
			}
			if held != "" && draw.IntN(3) == 0 {
				f("unlock exclusive mutex &%s", held)
				held = ""
			}
		}
		if held != "" && draw.IntN(8) != 0 {
			f("unlock exclusive mutex &%s", held)
		}
		f("return\n}")
	}
	k := 2 + draw.IntN(3)
	f("func main() i32 {\nreg t: *[4]u64\nreg h: u64\nreg i, r: i32\nentry:\nt := alloc stack [4]u64, u64 1 name t\nseminit &s, i32 %d", draw.IntN(3))
	for i := range k {
		f("spawn w%d(i32 %d) handle index(t, i32 %d, 8, *u64)", draw.IntN(4)/3, draw.IntN(4)/3, i)
	}
	if draw.IntN(2) == 0 {
		f("store seq_cst &y, i32 %d", draw.IntN(3))
	}
	switch draw.IntN(6) {
	case 0: // not all
		k--
	case 1:
		k = 0
	}
	for i := range k {
		f("h := load plain index(t, i32 %d, 8, *u64)\njoin h", i)
		if draw.IntN(12) == 0 {
			f("store seq_cst &x, i32 0")
		}
	}
	f("r := load seq_cst &x\nassert ne(r, i32 %d) tag \"assert\"\nreturn i32 0\n}", draw.IntN(4))
	return b.String()
}

// TestAlike: what goes wrong is the same where threads that are alike may change places.
func TestAlike(t *testing.T) {
	taken, apart, all, few := 0, 0, int64(0), int64(0)
	for n := *seed; n < *seed+4*uint64(*programs); n++ {
		p, err := ir.Parse("p.wir", []byte(crowd(n)))
		if err != nil {
			t.Fatal(err)
		}
		if err := ir.Validate(p); err != nil {
			t.Fatalf("%v\n%s", err, crowd(n))
		}
		if !irutil.JoinsAtOnce(p, p.FuncByName("main")) {
			continue
		}
		search := func(alike bool) (map[string]bool, *Result) {
			found := map[string]bool{}
			x := Search(machine(t, p), Options{Make: RoundRobin, Bound: -1, Alike: alike,
				Found: func(f Found) bool {
					a, b := fmt.Sprintf("%p", f.Place.At), fmt.Sprintf("%p", f.Place.At2)
					found[fmt.Sprint(f.Place.Kind, min(a, b), max(a, b))] = true
					return true
				}})
			return found, x
		}
		got, x := search(true)
		if x.Apart {
			apart++
			continue
		}
		want, y := search(false)
		if x.Incomplete+y.Incomplete != "" || !maps.Equal(got, want) || x.States > y.States {
			t.Fatalf("seed %d: %d states show %q, all %d show %q, %s\n%s", n, x.States,
				slices.Sorted(maps.Keys(got)),
				y.States, slices.Sorted(maps.Keys(want)), x.Incomplete, crowd(n))
		}
		taken++
		all, few = all+y.States, few+x.States
	}
	t.Logf("%d programs, %d states of %d; in %d threads are told apart", taken, few, all, apart)
	if taken < *programs || 3*few > 2*all {
		t.Error("the test says little")
	}
}

// TestIncrements: n threads of m locked increments have few states.
func TestIncrements(t *testing.T) {
	const src = `program "increments"
global x: i32
global m: u32
func w() void {
reg i, r: i32
entry:
  i := i32 0
  goto loop
loop:
  if lt(i, i32 4) then body else done
body:
  lock exclusive mutex &m
  r := load plain &x
  store plain &x, add(r, i32 1)
  unlock exclusive mutex &m
  i := add(i, i32 1)
  goto loop
done:
  return
}
func main() i32 {
reg h0, h1, h2, h3: u64
reg r: i32
entry:
  h0, _ := spawn w()
  h1, _ := spawn w()
  h2, _ := spawn w()
  h3, _ := spawn w()
  join h0
  join h1
  join h2
  join h3
  r := load plain &x
  assert eq(r, i32 16) tag "assert"
  return i32 0
}
`
	p, err := ir.Parse("p.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for alike, want := range map[bool]int64{false: 6627, true: 1907} {
		x := Search(machine(t, p), Options{Make: RoundRobin, Bound: -1, Alike: alike})
		if x.Incomplete != "" || x.Stuck+x.Deadlocks != 0 || x.States != want {
			t.Errorf("alike %v: %d states, want %d; %+v", alike, x.States, want, x)
		}
	}
}
