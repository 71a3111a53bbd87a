package interp

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestDeadlockReport: what each thread holds and wants.
func TestDeadlockReport(t *testing.T) {
	const src = `
struct dev size 16 { lock: u64 @0; n: i64 @8 }
global a: struct("dev")
global b: [2]struct("dev")
func f() void {
entry:
  lock exclusive mutex field(index(&b, i64 1, 16, *struct("dev")), dev, lock)
  lock exclusive mutex &a
  return
}
func main() i64 {
  reg h: u64
entry:
  h, _ := spawn f()
  lock exclusive mutex &a
  lock exclusive mutex field(index(&b, i64 1, 16, *struct("dev")), dev, lock)
  return i64 0
}`
	m := compile(t, src, Config{})
	s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
	s.StepVisible(0)
	s.StepVisible(0)
	if e := s.Peek(1); len(e.Sync) != 1 || e.Sync[0].Kind != SyncAcquire || s.Ended(1) {
		t.Errorf("peek: %+v", e)
	}
	s.StepVisible(1)
	s.StepVisible(0)
	s.StepVisible(1)
	if s.Status() != Deadlock {
		t.Fatal(s.Status())
	}
	got := ""
	for th := ThreadID(0); th < 2; th++ {
		for _, h := range s.Held(th) {
			got += fmt.Sprint(th, " holds ", s.Describe(h.Addr), "; ")
		}
		k, a, _ := s.Wants(th)
		got += fmt.Sprint(th, " wants ", k == WantsLock, " ", s.Describe(a), "; ")
	}
	want := "0 holds a.lock; 0 wants true b[1].lock; 1 holds b[1].lock; 1 wants true a.lock; "
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestCallbacks: registered functions run later, unless unregistered before.
func TestCallbacks(t *testing.T) {
	const src = `
global result: i64
func tick(p: *i64) void {
  reg x: i64
entry:
  x := load relaxed p
  store relaxed p, add(x, i64 1)
  return
}
func main() i64 {
entry:
  register add_timer obj &result calls fn tick args(&result) kinds timer
  unregister del_timer obj &result kinds timer
  return i64 0
}`
	for n, want := range []string{"done 0", "done 0, done 1", "done 0, done 1, done 2"} {
		if got := explore(t, src, Config{Callbacks: n}, true).String(); got != want {
			t.Errorf("%d runs: %s, want %s", n, got, want)
		}
	}
}

// TestRegistrations: roots start after their registration and not after its end.
func TestRegistrations(t *testing.T) {
	const src = `
global dev: *i64
global result: i64
func init() i32 {
entry:
  register driver kinds probe, remove
  return i32 0
}
func probe() i32 {
  reg p: *i64
entry:
  p := alloc heap i64, u64 1 zero
  store plain &dev, p
  register chrdev kinds "file_operations"
  return i32 0
}
func remove() void {
  reg p: *i64
entry:
  p := load plain &dev
  assume ne(p, null *void)
  unregister chrdev kinds "file_operations"
  free p
  return
}
func read() void {
  reg p: *i64
  reg x: i64
entry:
  p := load plain &dev
  x := load plain p
  store plain &result, add(x, i64 1)
  return
}
func never() void {
entry:
  assert false tag never
  return
}
entry i func init kind "init" init
entry p func probe kind "probe"
entry d func remove kind "remove"
entry r func read kind "file_operations.read"
entry n func never kind "other.x"
exclude p, d "the core serialises them"
`
	m := compile(t, src+"func more() void {\nentry:\n register x kinds other\n return\n}", Config{})
	h := HarnessOf(m.IR, m.IR.Entries[1:]...)
	h.Registrations = true
	o := &outcomes{m: m, ends: map[string]int{}, races: map[string]bool{}}
	o.visit(m.Start(h, Zero{}), NewRaces(), 0)
	if o.String() != "done 0, done 1, infeasible" {
		t.Error(o.String())
	}
}

// TestHandlerUnregistered: a handler that is registered by itself does not start behind
// an Unregister of its kind, which waits for it.
func TestHandlerUnregistered(t *testing.T) {
	const src = `
global dev: i64
global result: i64
func init() i32 {
entry:
  register request_irq obj &dev calls fn handler args(&dev) kinds irq
  return i32 0
}
func handler(p: *i64) void {
  reg x: i64
entry:
  x := load plain p
  assert eq(x, i64 0) tag "late"
  store plain &result, i64 1
  return
}
func remove() void {
entry:
  FREE
  store plain &dev, i64 1
  return
}
entry i func init kind "init" init
entry h func handler kind "irq"
entry d func remove kind "exit" exit
`
	for free, want := range map[string]string{
		"unregister free_irq obj &dev kinds irq, irq_thread": "done 0, done 1",
		"unregister del_timer obj &dev kinds timer":          "assert, done 1"} {
		m := compile(t, strings.ReplaceAll(src, "FREE", free), Config{})
		h := HarnessOf(m.IR, m.IR.Entries[1:]...)
		h.Registrations = true
		o := &outcomes{m: m, ends: map[string]int{}, races: map[string]bool{}}
		o.visit(m.Start(h, Zero{}), NewRaces(), 0)
		if o.String() != want {
			t.Errorf("%s: %s", free, o.String())
		}
	}
}

// TestUnknownSize: an allocation of an arbitrary size is as large as it is used.
func TestUnknownSize(t *testing.T) {
	const src = `
func main() i64 {
  reg n: u64
  reg p: *i64
  reg x: i64
entry:
  n := havoc
  p := alloc heap i64, div(n, u64 8) zero
  store plain index(p, i64 7, 8, *i64), i64 5
  x := load plain index(p, i64 3, 8, *i64)
  return x
}`
	if s := run(t, compile(t, src, Config{}), Zero{}); s.Status() != Done || s.Result(0)[0] != 0 {
		t.Error(s.Status(), s.Err())
	}
}

// TestAssumedInputs: a result that shows whether a call worked fits.
func TestAssumedInputs(t *testing.T) {
	const src = `
global m: u64
func main() i64 {
  reg ok: bool
  reg r: i32
entry:
  ok := lock exclusive mutex &m try
  ok := lock exclusive mutex &m try
  r := havoc
  assume eq(eq(r, i32 0), ok)
  return cast(i64, ne(r, i32 0))
}`
	for seed := Random(0); seed < 10; seed++ {
		if s := run(t, compile(t, src, Config{}), seed); s.Status() != Done || s.Result(0)[0] != 1 {
			t.Error(s.Status(), s.Err())
		}
	}
}

func BenchmarkHash(b *testing.B) {
	m := compile(b, fmt.Sprintf(counter, "", "plain", "plain", ""), Config{})
	s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
	s.StepVisible(0)
	s.StepVisible(0)
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			s.Hash()
		}
	})
	b.Run("snapshot", func(b *testing.B) {
		for b.Loop() {
			s.Snapshot()
		}
	})
	b.Run("snapshot and step", func(b *testing.B) {
		for b.Loop() {
			s.Snapshot().StepVisible(1)
		}
	})
}

// TestParallel: snapshots may be run by different goroutines.
func TestParallel(t *testing.T) {
	m := compile(t, fmt.Sprintf(counter, "", "plain", "plain", ""), Config{})
	s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
	for s.NumThreads() < 3 {
		s.Step(0)
	}
	var wg sync.WaitGroup
	hashes := make([]Hash, 8)
	for k := range hashes {
		c := s.Snapshot()
		wg.Go(func() {
			for c.Status() == Running {
				ts := c.Enabled()
				c.Step(ts[len(ts)-1])
				c.Hash()
			}
			hashes[k] = c.Hash()
		})
	}
	wg.Wait()
	for _, h := range hashes {
		if h != hashes[0] {
			t.Error("the same schedule leads to different hashes")
		}
	}
}

// TestInitEntries: every init entry runs to its end before the roots, one after the
// other.
func TestInitEntries(t *testing.T) {
	const src = `
global n: i64
func a() void {
entry:
  store plain &n, i64 1
  return
}
func b() void {
  reg x: i64
entry:
  x := load plain &n
  store plain &n, add(x, i64 1)
  return
}
func root() void {
  reg x: i64
entry:
  x := load plain &n
  assert eq(x, i64 2) tag order
  return
}
entry a func a kind "init" init
entry b func b kind "probe" init
entry r func root kind "read"
`
	m := compile(t, src, Config{})
	s := m.Start(HarnessOf(m.IR, m.IR.EntryByName("r")), Zero{})
	for s.Status() == Running {
		s.Step(s.Enabled()[0])
	}
	if s.Status() != Done {
		t.Error(s.Status(), s.Err())
	}
}
