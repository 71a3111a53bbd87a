package dpor

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/ir/vm"
)

// messages makes programs whose threads send and receive.
type messages struct {
	draw   *rand.Rand
	b      strings.Builder
	caps   [2]int
	blocks int
}

// queueType has room for three messages; a queue may have less.
const queueType = `struct queue size 36 {
  closed: u8 @0; cap: i32 @8; count: i32 @12; buf: [3]i32 @24
}
`

// messagesOf is a random program of a few threads and two queues.
func messagesOf(seed uint64, ops int) string {
	g := &messages{draw: rand.New(rand.NewPCG(seed, 0x6d7367))}
	g.f("program \"messages\"\n%sglobal x: i32\nglobal y: i32\n", queueType)
	for q := range g.caps {
		g.caps[q] = 1 + g.draw.IntN(3)
		g.f("global q%d: struct(\"queue\") = { 8 = i32 %d }\n", q, g.caps[q])
	}
	threads := 2 + g.draw.IntN(2)
	for t := range threads {
		g.f("func w%d() void {\n", t)
		g.body(1 + g.draw.IntN(ops))
		g.f("return\n}\n")
	}
	g.f("func main() i32 {\nreg h0, h1, h2: u64\n")
	g.regs()
	g.f("begin:\nv := i32 0\n")
	for t := range threads {
		g.f("h%d, _ := spawn w%d()\n", t, t)
	}
	for range g.draw.IntN(3) {
		g.op()
	}
	if g.draw.IntN(2) == 0 {
		for t := range threads {
			g.f("join h%d\n", t)
		}
	}
	g.f("return i32 0\n}\n")
	return g.b.String()
}

func (g *messages) f(format string, args ...any) { fmt.Fprintf(&g.b, format, args...) }

func (g *messages) regs() { g.f("reg v, r: i32\nreg c0, c1: u8\nreg n0, n1: i32\n") }

func (g *messages) body(ops int) {
	g.regs()
	g.f("begin:\nv := i32 0\n")
	for range ops {
		g.op()
	}
}

// at is the address of a member of a queue.
func at(q int, member string) string { return fmt.Sprintf("field(&q%d, \"queue\", %s)", q, member) }

func slot(q int, i string) string { return fmt.Sprintf("index(%s, %s, 4, *i32)", at(q, "buf"), i) }

// await begins a section once a condition holds of the state of queues, in c0, n0 and so
// on.
func (g *messages) await(until string, ops []string, queues ...int) {
	g.f("await ")
	for i, q := range queues {
		if i > 0 {
			g.f(", ")
		}
		g.f("c%d := %s, n%d := %s", i, at(q, "closed"), i, at(q, "count"))
	}
	g.f(" until %s what \"uses\" queues ", until)
	for i, op := range ops {
		if i > 0 {
			g.f(", ")
		}
		g.f("%s %d 36", op, 2*i)
	}
	g.f("\n")
}

// ready is the condition that an operation on the i-th queue of an await does not block.
func (g *messages) ready(op string, i, q int) string {
	if op == "send" {
		return fmt.Sprintf("lor(ne(c%d, u8 0), lt(n%d, i32 %d))", i, i, g.caps[q])
	}
	return fmt.Sprintf("lor(ne(c%d, u8 0), gt(n%d, i32 0))", i, i)
}

// do sends or receives, in a section, and ends it.
func (g *messages) do(op string, i, q int) {
	if op == "send" {
		g.f("assert eq(c%d, u8 0) tag \"panic\" msg \"send on closed channel\"\n", i)
		g.f("store seq_cst %s, v\n", slot(q, fmt.Sprintf("n%d", i)))
		g.f("store seq_cst %s, add(n%d, i32 1)\natomic_end\n", at(q, "count"), i)
		return
	}
	k := g.blocks
	g.blocks++
	g.f("if gt(n%d, i32 0) then take%d else none%d\ntake%d:\nv := load seq_cst %s\n", i, k, k,
		k, slot(q, "i32 0"))
	for s := range 2 {
		g.f("r := load seq_cst %s\nstore seq_cst %s, r\n", slot(q, fmt.Sprint("i32 ", s+1)),
			slot(q, fmt.Sprint("i32 ", s)))
	}
	g.f("store seq_cst %s, i32 0\nstore seq_cst %s, sub(n%d, i32 1)\natomic_end\ngoto after%d\n", slot(q, "i32 2"), at(q, "count"), i, k)
	g.f("none%d:\nv := i32 9\natomic_end\ngoto after%d\nafter%d:\n", k, k, k)
}

// op is a random operation.
func (g *messages) op() {
	q := g.draw.IntN(2)
	ops := []string{"send", "receive"}
	switch g.draw.IntN(14) {
	case 0, 1, 2:
		g.f("v := i32 %d\n", 1+g.draw.IntN(3))
		g.await(g.ready("send", 0, q), ops[:1], q)
		g.do("send", 0, q)
	case 3, 4, 5, 6:
		g.await(g.ready("receive", 0, q), ops[1:], q)
		g.do("receive", 0, q)
	case 7: // a close
		g.f("await c0 := %s until true what \"closes\"\n", at(q, "closed"))
		g.f("assert eq(c0, u8 0) tag \"panic\" msg \"close of closed channel\"\nstore seq_cst %s, u8 1\natomic_end\n", at(q, "closed"))
	case 8, 9: // a selection, or a try
		k := g.blocks
		g.blocks++
		a, b := ops[g.draw.IntN(2)], ops[g.draw.IntN(2)]
		until := fmt.Sprintf("lor(%s, %s)", g.ready(a, 0, q), g.ready(b, 1, 1-q))
		try := g.draw.IntN(2) == 0
		if try {
			until = "true"
		}
		g.await(until, []string{a, b}, q, 1-q)
		if try {
			g.f("goto first%d, second%d, neither%d\n", k, k, k)
		} else {
			g.f("goto first%d, second%d\n", k, k)
		}
		g.f("first%d:\nassume %s\n", k, g.ready(a, 0, q))
		g.do(a, 0, q)
		g.f("goto over%d\nsecond%d:\nassume %s\n", k, k, g.ready(b, 1, 1-q))
		g.do(b, 1, 1-q)
		if try {
			g.f("goto over%d\nneither%d:\nassume lnot(%s)\nassume lnot(%s)\natomic_end\n", k,
				k, g.ready(a, 0, q), g.ready(b, 1, 1-q))
		}
		g.f("goto over%d\nover%d:\n", k, k)
	case 10: // the number of messages
		g.f("v := load seq_cst %s\n", at(q, "count"))
	case 11:
		g.f("store seq_cst &x, v\n")
	case 12:
		g.f("store plain &y, v\n")
	case 13:
		g.f("r := load seq_cst &x\nassert ne(r, i32 %d) tag \"assert\"\n", 1+g.draw.IntN(9))
	}
}

func seen(m map[uint64]int) map[uint64]bool {
	out := map[uint64]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// TestMessages: on random programs that send, receive and select, all algorithms find what the
// plain exploration of the interpreter finds, and end in the same states, with an
// execution for each trace.
func TestMessages(t *testing.T) {
	taken, full, redundant := 0, 0, int64(0)
	for n := *seed; n < *seed+uint64(*programs); n++ {
		src := messagesOf(n, 4)
		p := parsed(t, src)
		if err := ir.Validate(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", n, err, src)
		}
		names := vm.NewNames(nil)
		opt := searchBy(t, p, Optimal, false, 5000, 0, names)
		if opt.reason != "" {
			continue
		}
		taken++
		redundant += opt.Blocked
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d: %s\n%s", n, fmt.Sprintf(format, args...), src)
		}
		from := search(t, p, Source, false, 0)
		dfs := search(t, p, DFS, false, 4000)
		for i, o := range []outcome{opt, from} {
			if dfs.reason == "" {
				if len(dfs.traces) != len(o.traces) || i == 0 && int(o.Executions()) != len(o.traces) {
					fail("DFS sees %d traces, there are %d in %d executions", len(dfs.traces),
						len(o.traces), o.Executions())
				}
				if got, want := slices.Sorted(maps.Keys(o.states)),
					slices.Sorted(maps.Keys(dfs.states)); !slices.Equal(got, want) {
					fail("it ends in %d states, DFS in %d", len(got), len(want))
				}
			}
			if want := reference(t, p, false); !slices.Equal(o.found, want) {
				fail("found\n%q, want\n%q", o.found, want)
			}
		}
		if dfs.reason == "" {
			full++
		}
		if n%4 != 0 {
			continue
		}
		for _, alg := range []Algorithm{Source, Optimal} { // by several workers
			o := searchBy(t, p, alg, false, 0, 1+int(n/4%3), names)
			if !maps.Equal(seen(o.traces), seen(opt.traces)) || !slices.Equal(o.found, opt.found) {
				fail("algorithm %d with %d workers sees %d traces, there are %d, and finds %q of %q", alg, 1+n/4%3,
					len(o.traces), len(opt.traces), o.found, opt.found)
			}
		}
	}
	t.Logf("%d explored, %d of them by DFS, too; %d executions were redundant", taken, full, redundant)
}

// exchange is a program with so many senders of n messages each, and receivers of them
// all, over one queue.
func exchange(capacity, senders, receivers, n int) string {
	g := &messages{caps: [2]int{capacity, 1}}
	g.f("program \"exchange\"\n%sglobal q0: struct(\"queue\") = { 8 = i32 %d }\n", queueType, capacity)
	ops := []string{"send", "receive"}
	for t := range senders + receivers {
		op, times := ops[0], n
		if t >= senders {
			op, times = ops[1], n*senders/receivers
		}
		g.f("func w%d() void {\n", t)
		g.regs()
		g.f("begin:\nv := i32 %d\n", t)
		for range times {
			g.await(g.ready(op, 0, 0), []string{op}, 0)
			g.do(op, 0, 0)
		}
		g.f("return\n}\n")
	}
	g.f("func main() i32 {\nreg h: u64\nbegin:\n")
	for t := range senders + receivers {
		g.f("h, _ := spawn w%d()\n", t)
	}
	g.f("return i32 0\n}\n")
	return g.b.String()
}

// TestExchange: a send and a receive are ordered by the messages alone, whatever the
// capacity is: executions differ by the order of sends and that of receives.
func TestExchange(t *testing.T) {
	for capacity := 1; capacity <= 3; capacity++ {
		for _, x := range []struct {
			senders, receivers, n int
			want                  int64
		}{{1, 1, 6, 1}, {2, 1, 2, 6}, {3, 1, 2, 90}, {2, 2, 2, 36}} {
			src := exchange(capacity, x.senders, x.receivers, x.n)
			for _, alg := range []Algorithm{Source, Optimal} {
				c := explored(t, src, alg)
				if c.Executions() != x.want || alg == Optimal && c.Blocked != 0 {
					t.Errorf("capacity %d, %d senders of %d, %d receivers, algorithm %d: %+v, want %d executions", capacity,
						x.senders, x.n, x.receivers, alg, c, x.want)
				}
			}
		}
	}
}
