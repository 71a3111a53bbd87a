package reduction

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// loop is a thread that does something n times; i counts.
func loop(name, body string) string {
	return fmt.Sprintf("func %s() void {\n  reg i: i32\n  reg k: i32\n  reg a: i32\n  reg b: i32\n  reg h: u64\nentry:\n  i := i32 0\n  goto head\nhead:\n  k := load plain &n\n  if lt(i, k) then body else end\n"+
		"body:\n%s  i := add(i, i32 1)\n  goto head\nend:\n  return\n}\n", name, body)
}

// twoLoops is a program of two such threads, and a question about x and y.
func twoLoops(one, two, assert string) string {
	return "program \"p\"\nglobal m: opaque(\"mutex\", 8)\nglobal n: i32\nglobal x: i32\nglobal y: i32\nglobal t: [4]i32\nglobal q: [1000]i32\nglobal u: i32\n" + loop("one", one) + loop("two", two) +
		"func main() i32 {\n  reg h: u64\n  reg g: u64\n  reg n: i32\n  reg a: i32\n  reg b: i32\nentry:\n  n := havoc input\n  store plain &n, n\n  h, _ := spawn one()\n  g, _ := spawn two()\n  join h\n  join g\n" +
		"  a := load plain &x\n  b := load plain &y\n  assert " + assert + " tag assert\n  return i32 0\n}\n" +
		"entry main kind \"main\"\nentry one kind \"thread\" spawned\nentry two kind \"thread\" spawned\n"
}

func add(v string, c int) string {
	return fmt.Sprintf("  a := load plain &%s\n  store plain &%s, add(a, i32 %d)\n", v, v, c)
}

const index = "index(cast(*i32, &t), i, 4, *i32)"

// put and take are the iterations of a producer and a consumer: x is how many numbers
// were put, u how many were taken, y one that was taken.
const (
	put  = "  atomic_begin\n  a := load plain &x\n  assume le(i32 0, a)\n  assume lt(a, i32 1000)\n  b := load plain " + at + "\n  assume eq(b, i32 0)\n  store plain &x, add(a, i32 1)\n  atomic_end\n"
	take = "  atomic_begin\n  a := load plain &x\n  b := load plain &u\n  assume le(i32 0, b)\n  assume lt(b, a)\n  assume lt(b, i32 1000)\n  a := load plain " + from + "\n  store plain &y, a\n  store plain &u, add(b, i32 1)\n  atomic_end\n"
	at   = "index(cast(*i32, &q), a, 4, *i32)"
	from = "index(cast(*i32, &q), b, 4, *i32)"
)

// takeOne waits for putOne.
const (
	putOne  = "  store seq_cst &x, i32 1\n"
	takeOne = "  atomic_begin\n  a := load plain &x\n  assume ne(a, i32 0)\n  store plain &y, i32 1\n  atomic_end\n"
)

const indexB = "index(cast(*i32, &t), b, 4, *i32)"

func section(s string) string { return "  atomic_begin\n" + s + "  atomic_end\n" }

// TestCases: what is proved, and what is not and must not be.
func TestCases(t *testing.T) {
	all := func(ir.Instr) bool { return true }
	locked := func(s string) string {
		return "  lock exclusive mutex &m\n" + s + "  unlock exclusive mutex &m\n"
	}
	for _, c := range []struct {
		name, src string
		safe      func(ir.Instr) bool
		proved    bool
		why       string
	}{
		{"the same", twoLoops(add("x", 3), add("y", 3), "eq(a, b)"), all, true, ""},
		{"the same, not known to be free of races", twoLoops(add("x", 3), add("y", 3), "eq(a, b)"), nil, true, ""},
		{"not the same", twoLoops(add("x", 3), add("y", 2), "eq(a, b)"), all, false, "no order"},
		{"twice", twoLoops(add("x", 2), add("y", 1)+add("y", 1), "eq(a, b)"), all, true, ""},
		{"to and fro in sections", twoLoops(locked(add("x", 1)), locked(add("x", -1)), "eq(a, i32 0)"), all, true, ""},
		{"to and fro torn", twoLoops(add("x", 1), add("x", -1), "eq(a, i32 0)"), nil, false, "no order"},
		{"a flag is no race, and seen", twoLoops("  store seq_cst &x, i32 1\n", "  a := load seq_cst &x\n  store plain &y, a\n", "eq(b, i32 0)"), all, false, "no order"},
		{"a section with a loop is seen, also where nothing follows", twoLoops("  atomic_begin\n  a := i32 0\n  goto inner\ninner:\n  store plain &x, i32 1\n  a := add(a, i32 1)\n  if lt(a, i32 2) then inner else over\nover:\n"+
			"  atomic_end\n  assume false\n", "  atomic_begin\n  a := load plain &x\n  atomic_end\n  assert eq(a, i32 0) tag assert\n", "eq(b, b)"), all, false, "no order"},
		{"what is done before the program ends is seen", twoLoops("  store seq_cst &x, i32 1\n  goto gone\ngone:\n  stop abort\non:\n", "  a := load seq_cst &x\n  assert eq(a, i32 0) tag assert\n", "eq(b, b)"), all, false, "no order"},
		{"a section that ends the program is not", twoLoops("  atomic_begin\n  store seq_cst &x, i32 1\n  goto gone\ngone:\n  stop abort\non:\n", "  a := load seq_cst &x\n  assert eq(a, i32 0) tag assert\n", "eq(b, b)"), all, true, ""},
		{"what waits for the other is done after it", twoLoops(takeOne, putOne, "eq(b, i32 0)"), all, false, "no order"},
		{"what the other waits for is done before it", twoLoops(putOne, takeOne, "eq(b, i32 0)"), all, false, "no order"},
		{"a queue of two ends", twoLoops(put, take, "eq(b, i32 0)"), all, true, ""},
		{"a queue with something at its other end", twoLoops(put, strings.Replace(take, from, at, 1), "eq(b, i32 0)"), all, false, "no order"},
		{"an array that may be left", twoLoops("  a := load plain "+index+"\n"+add("x", 1), add("y", 1), "eq(a, b)"), all, false, "one may leave an array"},
		{"an array whose index others change", twoLoops("  a := load seq_cst &x\n  assume lt(a, i32 4)\n  assume le(i32 0, a)\n  b := load seq_cst &x\n  a := load plain "+indexB+"\n", "  store seq_cst &x, i32 7\n", "eq(b, b)"), all, false, "one may leave an array"},
		{"an array whose index others do not change in a section", twoLoops(section("  a := load seq_cst &x\n  assume lt(a, i32 4)\n  assume le(i32 0, a)\n  b := load seq_cst &x\n  a := load plain "+indexB+"\n"), "  store seq_cst &x, i32 7\n", "eq(b, b)"), all, true, ""},
		{"an array whose index others change between sections", twoLoops(section("  a := load seq_cst &x\n  assume lt(a, i32 4)\n  assume le(i32 0, a)\n")+section("  b := load seq_cst &x\n  a := load plain "+indexB+"\n"), "  store seq_cst &x, i32 7\n", "eq(b, b)"), all, false, "one may leave an array"},
		{"an array that is not left", twoLoops("  assume lt(i, i32 4)\n  a := load plain "+index+"\n"+add("x", 1), add("y", 1), "eq(a, b)"), all, true, ""},
		{"a lock that is not held", twoLoops("  unlock exclusive mutex &m\n"+add("x", 1), add("y", 1), "eq(a, b)"), all, false, "one may leave an array, or release"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ir.Parse("p.wir", []byte(c.src))
			if err == nil {
				err = ir.Validate(p)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, c.src)
			}
			r, err := Prove(context.Background(), p, Options{Safe: c.safe, Solver: func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }})
			if err != nil {
				t.Fatal(err)
			}
			if r.Proved != c.proved || !strings.Contains(r.Why, c.why) {
				t.Errorf("proved: %v (%s), %q; want %v, %q", r.Proved, r.Order, r.Why, c.proved, c.why)
			}
		})
	}
}

// TestNotFollowed: what is not followed is an error that says what and where.
func TestNotFollowed(t *testing.T) {
	for _, c := range []struct{ name, one, want string }{
		{"division", "  a := load plain &x\n  store plain &x, div(a, i) @7\n", "7: a division that may be by zero"},
		{"nested", "  a := i32 0\n  h, _ := spawn two() @7\n", "7: a thread starts another"},
		{"semaphore", "  semwait &m @7\n", "7: *ir.SemWait is not followed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ir.Parse("p.wir", []byte(twoLoops(c.one, add("y", 1), "eq(a, b)")))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Prove(context.Background(), p, Options{Solver: func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		})
	}
}

// TestSpawnInLoop: a block that leads to itself may start any number of threads, so that
// they are not followed as one.
func TestSpawnInLoop(t *testing.T) {
	for _, body := range []string{
		"  goto again\nagain:\n  h, _ := spawn one()\n  n := havoc input\n  if eq(n, i32 0) then again else rest\nrest:\n",
		"  goto again\nagain:\n  h, _ := spawn one()\n  goto test\ntest:\n  n := havoc input\n  if eq(n, i32 0) then again else rest\nrest:\n",
	} {
		src := strings.Replace(twoLoops(add("x", 1), add("y", 1), "eq(a, b)"), "  h, _ := spawn one()\n", body, 1)
		p, err := ir.Parse("p.wir", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Prove(context.Background(), p, Options{Solver: func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }})
		if err == nil || !strings.Contains(err.Error(), "started in a loop") {
			t.Errorf("the error is %v", err)
		}
	}
}
