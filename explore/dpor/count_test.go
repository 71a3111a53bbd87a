package dpor

import (
	"flag"
	"fmt"
	"syscall"
	"testing"
	"time"

	"whoop/ir/vm"
)

// spawning is a program whose main starts n threads of worker, with the numbers from 0,
// and joins them.
func spawning(globals, worker string, n int) string {
	s := "program \"p\"\n" + globals + worker + "func main() i32 {\n"
	for i := range n {
		s += fmt.Sprintf("reg h%d: u64\n", i)
	}
	s += "entry:\n"
	for i := range n {
		s += fmt.Sprintf("h%d, _ := spawn worker(i32 %d)\n", i, i)
	}
	for i := range n {
		s += fmt.Sprintf("join h%d\n", i)
	}
	return s + "return i32 0\n}\n"
}

// readers: thread 0 writes a variable that all others read. There are 2^n traces for n
// readers.
func readers(n int) string {
	return spawning("global x: i32\n", `func worker(i: i32) void {
reg r: i32
entry:
  if eq(i, i32 0) then w else r
w:
  store seq_cst &x, i32 1
  return
r:
  r := load seq_cst &x
  return
}
`, n+1)
}

// writers: n+1 threads write one variable: (n+1)! traces.
func writers(n int) string {
	return spawning("global x: i32\n", `func worker(i: i32) void {
entry:
  store seq_cst &x, i
  return
}
`, n+1)
}

// lastzero: thread 0 looks for the last element that is zero, thread i makes element i
// one more than the one before it: (n+3)*2^(n-2) traces.
func lastzero(n int) string {
	return spawning(fmt.Sprintf("global a: [%d]i32\n", n+1), fmt.Sprintf(`func worker(i: i32) void {
reg k, r: i32
entry:
  if eq(i, i32 0) then find else add
find:
  k := i32 %d
  goto loop
loop:
  r := load seq_cst index(&a, k, 4, *i32)
  if ne(r, i32 0) then next else done
next:
  k := sub(k, i32 1)
  goto loop
add:
  r := load seq_cst index(&a, sub(i, i32 1), 4, *i32)
  store seq_cst index(&a, i, 4, *i32), add(r, i32 1)
  goto done
done:
  return
}
`, n), n+1)
}

// indexer: n threads enter four keys each into a hash table with open addressing, by
// exchanges: 8^(n-11) traces from 11 threads on (Flanagan, Godefroid: Dynamic
// partial-order reduction, POPL 2005).
func indexer(n int) string {
	return spawning("global table: [128]i32\n", `func worker(i: i32) void {
reg m, w, h, r: i32
reg ok: bool
entry:
  m := i32 0
  goto loop
loop:
  if lt(m, i32 4) then key else done
key:
  m := add(m, i32 1)
  w := add(mul(m, i32 11), i)
  h := rem(mul(w, i32 7), i32 128)
  goto try
try:
  r, ok := cmpxchg seq_cst index(&table, h, 4, *i32), i32 0, w
  if ok then loop else next
next:
  h := rem(add(h, i32 1), i32 128)
  goto try
done:
  return
}
`, n)
}

func explored(t testing.TB, src string, alg Algorithm) Counts {
	t.Helper()
	p := parsed(t, src)
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := vm.New(c, p.FuncByName("main"), vm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(m, Options{Algorithm: alg})
	s.Run()
	if s.Incomplete != "" {
		t.Fatal(s.Incomplete)
	}
	return s.Counts
}

// TestCounts holds the numbers of executions against closed forms.
func TestCounts(t *testing.T) {
	for _, x := range []struct {
		name     string
		src      string
		complete int64
		blocked  int64 // of source-DPOR; -1: not told
	}{
		{"readers 1", readers(1), 2, 0},
		{"readers 8", readers(8), 256, 0},
		{"readers 12", readers(12), 4096, 0},
		{"writers 1", writers(1), 2, 0},
		{"writers 6", writers(6), 5040, 0},
		{"lastzero 2", lastzero(2), 5, -1},
		{"lastzero 5", lastzero(5), 64, -1},
		{"lastzero 11", lastzero(11), 7168, 52905}, // Fytas 2018, table 7.1: 60,073 in all
		{"indexer 11", indexer(11), 1, 0},
		{"indexer 12", indexer(12), 8, -1},
		{"indexer 14", indexer(14), 512, -1},
	} {
		o := explored(t, x.src, Optimal)
		if o.Complete != x.complete || o.Blocked != 0 {
			t.Errorf("%s: optimal explores %d executions and cuts off %d, want %d and none", x.name, o.Complete, o.Blocked, x.complete)
		}
		s := explored(t, x.src, Source)
		if s.Complete != x.complete || x.blocked >= 0 && s.Blocked != x.blocked {
			t.Errorf("%s: source explores %d executions and cuts off %d, want %d and %d", x.name, s.Complete, s.Blocked, x.complete, x.blocked)
		}
	}
}

var all = flag.Bool("all", false, "count large programs, too")

// TestClosedForms holds both algorithms against closed forms, size by size; the large
// ones with -all.
func TestClosedForms(t *testing.T) {
	factorial := func(n int) int64 {
		f := int64(1)
		for k := 2; k <= n; k++ {
			f *= int64(k)
		}
		return f
	}
	for _, x := range []struct {
		name          string
		src           func(int) string
		from, to, far int // far: with -all
		want          func(int) int64
	}{
		{"readers", readers, 1, 13, 18, func(n int) int64 { return 1 << n }},
		{"writers", writers, 1, 6, 9, func(n int) int64 { return factorial(n + 1) }},
		{"lastzero", lastzero, 2, 10, 15, func(n int) int64 { return int64(n+3) << n / 4 }},
		{"indexer", indexer, 12, 14, 17, func(n int) int64 { return 1 << (3 * (n - 11)) }},
	} {
		to := x.to
		if *all {
			to = x.far
		}
		for n := x.from; n <= to; n++ {
			for _, alg := range []Algorithm{Source, Optimal} {
				if alg == Source && n > x.to {
					continue // it cuts off too many on the way
				}
				c := explored(t, x.src(n), alg)
				if c.Complete != x.want(n) || c.Stuck+c.Deadlocks+c.Long != 0 || alg == Optimal && c.Blocked != 0 {
					t.Errorf("%s %d, algorithm %d: %+v, want %d executions", x.name, n, alg, c, x.want(n))
				}
			}
		}
	}
}

// TestReadsFrom: the order of writes counts only where it decides what is read.
func TestReadsFrom(t *testing.T) {
	for _, x := range []struct {
		name, src string
		classes   int
	}{
		{"readers 6", readers(6), 64}, {"writers 5", writers(5), 1}, {"lastzero 6", lastzero(6), 144},
		{"a reader of 3 writes", spawning("global x: i32\n", "func worker(i: i32) void {\nreg r: i32\nentry:\n"+
			"  if eq(i, i32 0) then r else w\nw:\n  store seq_cst &x, i\n  return\nr:\n  r := load seq_cst &x\n  return\n}\n", 4), 4},
	} {
		for _, alg := range []Algorithm{DFS, Source, Optimal} {
			if o := search(t, parsed(t, x.src), alg, false, 20000); o.reason == "" && len(o.reads) != x.classes {
				t.Errorf("%s, algorithm %d: %d classes, want %d", x.name, alg, len(o.reads), x.classes)
			}
		}
	}
}

// BenchmarkOptimal measures programs with known numbers of executions, in processor
// seconds.
func BenchmarkOptimal(b *testing.B) {
	for _, x := range []struct{ name, src string }{
		{"readers15", readers(15)}, {"writers8", writers(8)}, {"lastzero11", lastzero(11)}, {"lastzero15", lastzero(15)},
		{"indexer16", indexer(16)},
	} {
		b.Run(x.name, func(b *testing.B) {
			n, start := int64(0), processor()
			for b.Loop() {
				c := explored(b, x.src, Optimal)
				n += c.Executions()
			}
			spent := (processor() - start).Seconds()
			b.ReportMetric(spent/float64(b.N), "cpu-s/op")
			b.ReportMetric(float64(n)/spent, "executions/cpu-s")
		})
	}
}

// processor is the processor time that the test has used.
func processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
