package dpor

import (
	"fmt"
	"strings"
	"testing"

	"whoop/ir/vm"
)

// pingPong: n+1 times, a message and an answer to the one before pass each other. There
// are 2^(n+1) interleavings.
func pingPong(n int) string {
	var s strings.Builder
	s.WriteString("program \"p\"\nglobal ping: i32\nglobal pong: i32\nfunc a() void {\nentry:\n  store seq_cst &ping, i32 1\n  return\n}\n")
	s.WriteString("func b() void {\nentry:\n  store seq_cst &pong, i32 1\n  return\n}\nfunc main() i32 {\n  reg h: u64\n  reg g: u64\nentry:\n")
	for range n + 1 {
		s.WriteString("  h, _ := spawn a()\n  g, _ := spawn b()\n  join h\n  join g\n")
	}
	s.WriteString("  return i32 0\n}\n")
	return s.String()
}

// philosophers: n of them take two forks each, the one with the lower number first.
func philosophers(n int) string {
	return spawning(fmt.Sprintf("global fork: [%d]u32\n", n), fmt.Sprintf(`func worker(i: i32) void {
reg j, a, b: i32
entry:
  j := rem(add(i, i32 1), i32 %d)
  a := select(lt(i, j), i, j)
  b := select(lt(i, j), j, i)
  lock exclusive mutex index(&fork, a, 4, *u32)
  lock exclusive mutex index(&fork, b, 4, *u32)
  unlock exclusive mutex index(&fork, b, 4, *u32)
  unlock exclusive mutex index(&fork, a, 4, *u32)
  return
}
`, n), n)
}

// store: clients with so many requests each to back-ends in turn, which count them.
func store(backs, clients, requests int) string {
	return spawning(fmt.Sprintf("global back: [%d]i32\n", backs), fmt.Sprintf(`func worker(i: i32) void {
reg k, r: i32
entry:
  k := i32 0
  goto loop
loop:
  if lt(k, i32 %d) then ask else done
ask:
  r := rmw add seq_cst index(&back, rem(add(i, k), i32 %d), 4, *i32), i32 1
  k := add(k, i32 1)
  goto loop
done:
  return
}
`, requests, backs), clients)
}

// TestEstimate holds estimates, after shares of the executions, against how many there
// were in the end.
func TestEstimate(t *testing.T) {
	for _, x := range []struct {
		name string
		src  string
		alg  Algorithm
		off  float64 // by which factor an estimate may be off after 1%, either way
	}{
		{"ping-pong 10", pingPong(10), DFS, 1},
		{"ping-pong 12", pingPong(12), DFS, 1},
		{"philosophers 4", philosophers(4), DFS, 2},
		{"store 2 2 7", store(2, 2, 7), DFS, 2},
		{"store 2 3 3", store(2, 3, 3), DFS, 2},
		{"store 2 3 4", store(2, 3, 4), DFS, 2},
		{"readers 6", readers(6), DFS, 2},
		{"writers 6", writers(6), DFS, 2},
		{"lastzero 4", lastzero(4), DFS, 2},
		{"philosophers 11", philosophers(11), Optimal, 3.33},
		// threads that make many events one after the other: too few are expected at first
		{"store 2 2 10", store(2, 2, 10), Optimal, 60},
		{"store 2 3 4", store(2, 3, 4), Optimal, 12},
		{"store 2 4 3", store(2, 4, 3), Optimal, 6},
		{"store 3 4 3", store(3, 4, 3), Optimal, 5},
		{"readers 10", readers(10), Optimal, 3.33},
		{"readers 12", readers(12), Optimal, 3.33},
		{"writers 6", writers(6), Optimal, 3.33},
		{"writers 7", writers(7), Optimal, 3.33},
		{"lastzero 11", lastzero(11), Optimal, 3.33},
		{"lastzero 12", lastzero(12), Optimal, 3.33},
		{"indexer 14", indexer(14), Optimal, 3.33},
		// of source-DPOR, it is a guess
		{"writers 6", writers(6), Source, 8},
		{"readers 12", readers(12), Source, 600},
	} {
		c, err := vm.Compile(parsed(t, x.src))
		if err != nil {
			t.Fatal(err)
		}
		m, err := vm.New(c, c.IR.FuncByName("main"), vm.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var estimates []float64
		probed := 0.0
		if x.alg == DFS {
			probed = Probe(m, 1000, 10000, 1)
		}
		s := New(m, Options{Algorithm: x.alg, Probed: probed,
			Ended: func(s *Search) { estimates = append(estimates, s.Estimate()) }})
		s.Run()
		n, total := len(estimates), float64(s.ends())
		part := func(percent int) float64 { return estimates[n*percent/100] / total }
		t.Logf("%s, algorithm %d: %.0f; after 1%% %.2f of it, 10%% %.2f, 50%% %.2f", x.name, x.alg, total, part(1), part(10), part(50))
		if e := part(1); e > x.off || e < 1/x.off {
			t.Errorf("%s, algorithm %d: after 1%%, %.2f of %.0f executions are expected", x.name, x.alg, e, total)
		}
	}
}
