package interp

import (
	"fmt"
	"sort"
	"strings"
	"testing"
)

// outcomes explores all schedules (and, with a seed, all answers to choices of two) depth
// first with snapshots.
type outcomes struct {
	m      *Program
	ends   map[string]int // status, error kind or results
	races  map[string]bool
	hashed map[Hash]bool
	states int
}

func explore(t *testing.T, src string, cfg Config, merge bool) *outcomes {
	t.Helper()
	m := compile(t, src, cfg)
	o := &outcomes{m: m, ends: map[string]int{}, races: map[string]bool{}}
	if merge {
		o.hashed = map[Hash]bool{}
	}
	var h Harness
	if f := m.IR.FuncByName("main"); f != nil {
		h = MainOf(f)
	} else {
		for _, e := range m.IR.Entries {
			r := RootOf(e)
			if e.Init {
				h.Init = append(h.Init, r)
			} else {
				h.Roots = append(h.Roots, r)
			}
		}
	}
	o.visit(m.Start(h, Zero{}), NewRaces(), 0)
	return o
}

func (o *outcomes) visit(s *State, d *Races, depth int) {
	o.states++
	if o.states > 2_000_000 {
		panic("too many states")
	}
	if s.Status() != Running {
		key := s.Status().String()
		if s.Err() != nil {
			key = string(s.Err().Kind)
		}
		for _, g := range o.m.IR.Globals {
			if g.Name == "result" {
				if v, ok := s.Global(g, 0, g.Type); ok && s.Status() == Done {
					key += fmt.Sprint(" ", int64(v[0]))
				}
			}
		}
		o.ends[key]++
		return
	}
	if o.hashed != nil {
		h := s.Hash()
		if o.hashed[h] {
			return
		}
		o.hashed[h] = true
	}
	for _, t := range s.Enabled() {
		c := s.Snapshot()
		var e *Race
		ev := c.StepVisible(t)
		if o.hashed == nil { // races depend on the past, which merging forgets
			dc := d.Clone()
			for _, r := range dc.Observe(ev) {
				e = &r
				o.races[fmt.Sprint(e.First.Instr.At().Line, "-", e.Second.Instr.At().Line)] = true
			}
			o.visit(c, dc, depth+1)
			continue
		}
		o.visit(c, d, depth+1)
	}
}

func (o *outcomes) String() string {
	var out []string
	for k := range o.ends {
		out = append(out, k)
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}

const counter = `
global m: u64
global result: i64
global h: [2]u64
func f(a: *void) *void {
  reg x: i64
entry:
  %s
  x := load %s &result       @10
  store %s &result, add(x, i64 1) @11
  %s
  return null *void
}
func main() i64 {
  reg v, w: u64
entry:
  spawn f(null *void) handle &h
  spawn f(null *void) handle index(&h, i64 1, 8, *u64)
  v := load plain &h
  w := load plain index(&h, i64 1, 8, *u64)
  join v
  join w
  return i64 0
}`

func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
		races           int
	}{
		{"lost update", fmt.Sprintf(counter, "", "plain", "plain", ""), "done 1, done 2", 3},
		{"atomic lost update", fmt.Sprintf(counter, "", "relaxed", "relaxed", ""), "done 1, done 2", 0},
		{"locked", fmt.Sprintf(counter, "lock exclusive mutex &m", "plain", "plain", "unlock exclusive mutex &m"), "done 2", 0},
		{"atomic section", fmt.Sprintf(counter, "atomic_begin", "plain", "plain", "atomic_end"), "done 2", 0},
		{"readers exclude no readers", fmt.Sprintf(counter, "lock shared rwlock &m", "plain", "plain", "unlock any rwlock &m"), "done 1, done 2", 3},
		{"deadlock", `
global a: u64
global b: u64
func f() void {
entry:
  lock exclusive mutex &b
  lock exclusive mutex &a
  unlock exclusive mutex &a
  unlock exclusive mutex &b
  return
}
func main() i64 {
  reg h: u64
entry:
  h, _ := spawn f()
  lock exclusive mutex &a
  lock exclusive mutex &b
  unlock exclusive mutex &b
  unlock exclusive mutex &a
  join h
  return i64 0
}`, "deadlock, done", 0},
		{"condition", `
global m: u64
global c: u64
global ready: i32
global result: i64
func f() void {
entry:
  lock exclusive mutex &m
  store plain &ready, i32 1
  store plain &result, i64 7
  condsignal &c
  unlock exclusive mutex &m
  return
}
func main() i64 {
  reg h: u64
  reg x: i32
entry:
  h, _ := spawn f()
  lock exclusive mutex &m
  goto test
test:
  x := load plain &ready
  if eq(x, i32 0) then sleep else over
sleep:
  condwait &c, &m
  goto test
over:
  unlock exclusive mutex &m
  join h
  return i64 0
}`, "done 7", 0},
		{"lost signal", `
global m: u64
global c: u64
func f() void {
entry:
  lock exclusive mutex &m
  condsignal &c
  unlock exclusive mutex &m
  return
}
func main() i64 {
entry:
  spawn f()
  lock exclusive mutex &m
  condwait &c, &m
  unlock exclusive mutex &m
  return i64 0
}`, "deadlock, done", 0},
		{"timed wait", `
global m: u64
global c: u64
global result: i64
func f() void {
entry:
  lock exclusive mutex &m
  condsignal &c
  unlock exclusive mutex &m
  return
}
func main() i64 {
  reg ok: bool
entry:
  spawn f()
  lock exclusive mutex &m
  ok := condwait &c, &m timed
  unlock exclusive mutex &m
  store plain &result, cast(i64, ok)
  return i64 0
}`, "done 0, done 1", 0},
		{"barrier", `
global b: u64
global x: i64
global result: i64
func f() void {
  reg last: bool
entry:
  store plain &x, i64 5
  last := barrierwait &b
  return
}
func main() i64 {
  reg v: i64
entry:
  barrierinit &b, u32 2
  spawn f()
  barrierwait &b
  v := load plain &x
  store plain &result, v
  return i64 0
}`, "done 5", 0},
		{"semaphore as message", `
global s: u64
global x: i64
global result: i64
func f() void {
entry:
  store plain &x, i64 5
  sempost &s
  return
}
func main() i64 {
  reg v: i64
entry:
  spawn f()
  semwait &s
  v := load plain &x
  store plain &result, v
  return i64 0
}`, "done 5", 0},
		{"once", `
global o: u64
global result: i64
func init() void {
  reg x: i64
entry:
  x := load plain &result
  store plain &result, add(x, i64 1)
  return
}
func f() void {
  reg x: i64
entry:
  once &o, fn init
  x := load plain &result
  return
}
func main() i64 {
  reg a, b: u64
entry:
  a, _ := spawn f()
  b, _ := spawn f()
  join a
  join b
  return i64 0
}`, "done 1", 0},
		{"release and acquire", `
global x: i64
global flag: i32
global result: i64
func f() void {
entry:
  store plain &x, i64 5
  store release &flag, i32 1
  return
}
func main() i64 {
  reg v: i64
  reg g: i32
entry:
  spawn f()
  g := load acquire &flag
  assume eq(g, i32 1)
  v := load plain &x
  store plain &result, v
  return i64 0
}`, "done 5, infeasible", 0},
		{"relaxed is no order", `
global x: i64
global flag: i32
func f() void {
entry:
  store plain &x, i64 5 @7
  store relaxed &flag, i32 1
  return
}
func main() i64 {
  reg v: i64
  reg g: i32
entry:
  spawn f()
  g := load relaxed &flag
  assume eq(g, i32 1)
  v := load plain &x @18
  return i64 0
}`, "done, infeasible", 1},
		{"relaxed with fences", `
global x: i64
global flag: i32
func f() void {
entry:
  store plain &x, i64 5
  fence release
  store relaxed &flag, i32 1
  return
}
func main() i64 {
  reg v: i64
  reg g: i32
entry:
  spawn f()
  g := load relaxed &flag
  assume eq(g, i32 1)
  fence acquire
  v := load plain &x
  return i64 0
}`, "done, infeasible", 0},
		{"bytes beside each other", `
global x: i64
func f() void {
entry:
  store plain cast(*u8, &x), u8 5
  return
}
func main() i64 {
entry:
  spawn f()
  store plain index(&x, i64 1, 1, *u16), u16 7
  return i64 0
}`, "done", 0},
		{"use after free by another thread", `
func f(p: *i64) void {
  reg x: i64
entry:
  x := load plain p
  return
}
func main() i64 {
  reg p: *i64
entry:
  p := alloc heap i64, u64 1 zero
  spawn f(p)
  free p
  return i64 0
}`, "done, use-after-free", 1},
		{"driver", `
global dev: *i64
global result: i64
func init() void {
  reg p: *i64
entry:
  p := alloc heap i64, u64 1 zero
  store plain &dev, p
  return
}
func inc() void {
  reg p: *i64
  reg x: i64
entry:
  p := load plain &dev
  x := load plain p
  store plain p, add(x, i64 1)
  store plain &result, add(x, i64 1)
  return
}
entry i func init kind "init" init
entry a func inc kind "file_operations.read" holds big
entry b func inc kind "file_operations.write" holds big
`, "done 2", 0},
		{"exclusion", `
global result: i64
func inc() void {
  reg x: i64
entry:
  x := load plain &result
  store plain &result, add(x, i64 1)
  return
}
entry a func inc kind "x"
entry b func inc kind "y"
exclude a, b "they say so"
`, "done 2", -1},
		{"arguments may be shared", `
global result: i64
func inc(p: *i64) void {
  reg x: i64
entry:
  x := load plain p
  store plain p, i64 1
  store plain &result, x
  return
}
entry a func inc kind "x" private 0
entry b func inc kind "y"
entry c func inc kind "y"
`, "done 0, done 1", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			merged := explore(t, c.src, Config{}, true)
			plain := merged
			if c.races >= 0 {
				plain = explore(t, c.src, Config{}, false)
			}
			if plain.String() != c.want || merged.String() != c.want {
				t.Errorf("got %s and with merged states %s, want %s", plain, merged, c.want)
			}
			if c.races >= 0 && len(plain.races) != c.races {
				t.Errorf("races %v, want %d", plain.races, c.races)
			}
			if merged.states > plain.states {
				t.Errorf("%d states, merged %d", plain.states, merged.states)
			}
		})
	}
}

// TestUniprocessor: with interrupts off the handler does not run.
func TestUniprocessor(t *testing.T) {
	const src = `
global result: i64
func task() void {
  reg x: i64
entry:
  irq_disable irq
  x := load plain &result
  store plain &result, add(x, i64 1)
  irq_enable irq
  return
}
func handler() void {
  reg x: i64
entry:
  x := load plain &result
  store plain &result, add(x, i64 1)
  return
}
entry t func task kind "x"
entry h func handler kind "irq"
`
	if got := explore(t, src, Config{Uniprocessor: true}, true).String(); got != "done 2" {
		t.Errorf("one processor: %s", got)
	}
	if got := explore(t, src, Config{}, true).String(); got != "done 1, done 2" {
		t.Errorf("many processors: %s", got)
	}
}

// TestSpurious: a wait without a loop may end without its signal.
func TestSpurious(t *testing.T) {
	const src = `
global m: u64
global c: u64
func main() i64 {
entry:
  lock exclusive mutex &m
  condwait &c, &m
  unlock exclusive mutex &m
  return i64 0
}`
	if got := explore(t, src, Config{}, true).String(); got != "deadlock" {
		t.Errorf("without: %s", got)
	}
	if got := explore(t, src, Config{Spurious: true}, true).String(); got != "done" {
		t.Errorf("with: %s", got)
	}
}

// TestSnapshots: stepping a snapshot leaves the original as it was, and the same steps
// lead to the same hash.
func TestSnapshots(t *testing.T) {
	m := compile(t, fmt.Sprintf(counter, "lock exclusive mutex &m", "plain", "plain", "unlock exclusive mutex &m"), Config{})
	s := m.Start(MainOf(m.IR.FuncByName("main")), Random(1))
	for s.Status() == Running {
		before := s.Hash()
		c := s.Snapshot()
		for k := 0; c.Status() == Running; k++ {
			ts := c.Enabled()
			c.Step(ts[k%len(ts)])
		}
		if s.Hash() != before {
			t.Fatal("the snapshot's steps changed the state")
		}
		ts := s.Enabled()
		d := s.Snapshot()
		d.Step(ts[len(ts)-1])
		s.Step(ts[len(ts)-1])
		if s.Hash() != d.Hash() {
			t.Fatal("the same step leads to different hashes")
		}
	}
}

// TestHashRenames: the order in which threads allocate does not matter.
func TestHashRenames(t *testing.T) {
	const src = `
global a: *i64
global b: *i64
func f(p: **i64) void {
  reg x: *i64
entry:
  x := alloc heap i64, u64 1 zero
  store plain p, x
  return
}
func main() i64 {
entry:
  spawn f(&a)
  spawn f(&b)
  yield
  stop exit
}`
	m := compile(t, src, Config{})
	s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
	for s.NumThreads() < 3 {
		s.Step(0)
	}
	end := func(order ...ThreadID) Hash {
		c := s.Snapshot()
		for _, t := range order {
			for !c.Ended(t) {
				c.Step(t)
			}
		}
		return c.Hash()
	}
	if end(1, 2) != end(2, 1) {
		t.Error("the hash depends on the order of allocations")
	}
	if end(1) == end(2) {
		t.Error("different states hash equally")
	}
}

// TestInputs: an execution with recorded answers repeats.
func TestInputs(t *testing.T) {
	const src = `
global e: [4]i64 extern
func f(p: **i64, n: i32) i64 {
  reg q: *i64
  reg x, y: i64
  reg c: bool
entry:
  q := load plain p
  x := load plain q
  y := load plain index(&e, and(cast(i64, n), i64 3), 8, *i64)
  c := havoc
  goto one, two
one:
  return add(x, y)
two:
  return select(c, x, y)
}
entry f kind "x"`
	m := compile(t, src, Config{})
	h := Harness{Roots: []Root{RootOf(m.IR.Entries[0])}}
	for seed := Random(1); seed < 200; seed++ {
		var log List
		in := InputFunc(func(q *Query) uint64 {
			v := seed.Input(q)
			log = append(log, v)
			return v
		})
		s := m.Start(h, in)
		for s.Status() == Running {
			s.Step(0)
		}
		r := m.Start(h, log)
		for r.Status() == Running {
			r.Step(0)
		}
		if fmt.Sprint(s.Status(), s.Err(), s.Result(0)) != fmt.Sprint(r.Status(), r.Err(), r.Result(0)) || s.Hash() != r.Hash() {
			t.Fatalf("seed %d: %v %v %v, again %v %v %v", seed, s.Status(), s.Err(), s.Result(0), r.Status(), r.Err(), r.Result(0))
		}
		if s.Err() != nil && s.Err().Kind != ErrNull {
			t.Errorf("seed %d: %v", seed, s.Err())
		}
	}
}
