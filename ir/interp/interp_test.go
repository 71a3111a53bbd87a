package interp

import (
	"strings"
	"testing"

	"whoop/ir"
)

// compile parses and compiles a program.
func compile(t testing.TB, src string, cfg Config) *Program {
	t.Helper()
	p, err := ir.Parse("test.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Compile(p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run executes main, always the first thread that can step.
func run(t testing.TB, m *Program, in Inputs) *State {
	t.Helper()
	s := m.Start(MainOf(m.IR.FuncByName("main")), in)
	for n := 0; s.Status() == Running; n++ {
		if n > 1<<24 {
			t.Fatal("it does not end")
		}
		s.Step(s.Enabled()[0])
	}
	return s
}

// body is a program whose main has the given registers and instructions.
func body(decls, regs, code string) string {
	return decls + "\nfunc main() i64 {\n" + regs + "\nentry:\n" + code + "\n}\n"
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		expr string
		want int64
	}{
		{"cast(i64, add(i32 2147483647, i32 1))", -2147483648},
		{"cast(i64, sub(u8 3, u8 5))", 254},
		{"cast(i64, mul(i16 300, i16 300))", 24464},
		{"div(i64 -7, i64 2)", -3},
		{"rem(i64 -7, i64 2)", -1},
		{"cast(i64, div(u32 4294967295, u32 2))", 2147483647},
		{"cast(i64, shr(i32 -8, i32 1))", -4},
		{"cast(i64, shr(u32 4294967288, u32 1))", 2147483644},
		{"cast(i64, shl(i8 64, i8 1))", -128},
		{"cast(i64, not(u16 1))", 65534},
		{"neg(i64 5)", -5},
		{"cast(i64, cast(i8, i32 200))", -56},
		{"cast(i64, cast(u8, i32 -1))", 255},
		{"cast(i64, cast(u32, i8 -1))", 4294967295},
		{"cast(i64, lt(i32 -1, i32 0))", 1},
		{"cast(i64, lt(u32 4294967295, u32 0))", 0},
		{"select(eq(null *i8, null *void), i64 1, i64 2)", 1},
		{"cast(i64, land(ne(i64 0, i64 0), eq(div(i64 1, i64 0), i64 1)))", 0},
		{"cast(i64, cast(bool, i64 4294967296))", 1},
		{"cast(i64, mul(i128 18446744073709551616, i128 3))", 0},
		{"cast(i64, shr(mul(i128 18446744073709551616, i128 -3), i128 64))", -3},
		{"cast(i64, div(u128 340282366920938463463374607431768211455, u128 18446744073709551616))", -1},
		{"cast(i64, lt(i128 -1, i128 0))", 1},
		{"sub(cast(i64, index(null *i8, i32 -3, 4, *i32)), i64 1)", -13},
		{"cast(i64, cast(u3, i32 13))", 5},
	} {
		m := compile(t, body("", "", "return "+c.expr), Config{})
		s := run(t, m, Zero{})
		if s.Status() != Done || int64(s.Result(0)[0]) != c.want {
			t.Errorf("%s: %v %v, %v, want %d", c.expr, s.Status(), s.Result(0), s.Err(), c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	const regs = "reg p, q: *i64; reg x: i64; reg b: bool"
	const decls = "global m: u64\nglobal g: [2]i64\nglobal s: u32\nfunc f() void {\nentry:\n return\n}"
	for _, c := range []struct {
		code string
		want ErrorKind
	}{
		{"x := load plain null *i64", ErrNull},
		{"x := load plain index(null *i64, i64 100, 8, *i64)", ErrNull},
		{"store plain cast(*i64, i64 1234567890123), x", ErrBadPointer},
		{"x := load plain index(&g, i64 2, 8, *i64)", ErrBounds},
		{"x := load plain index(&g, i64 -1, 8, *i64)", ErrBounds},
		{"x := load plain index(&g, i64 15, 1, *i64)", ErrBounds},
		{"x := load plain index(&g, i64 1073741824, 8, *i64)", ErrBadPointer},
		{"p := alloc heap i64, u64 1; free p; x := load plain p", ErrUseAfterFree},
		{"p := alloc heap i64, u64 1; free p; free p", ErrDoubleFree},
		{"p := alloc heap i64, u64 2; free index(p, i64 1, 8, *i64)", ErrFree},
		{"free &g", ErrFree},
		{"x := div(i64 1, sub(x, x))", ErrDivZero},
		{"p := alloc heap i64, u64 1; lock exclusive mutex p", ErrLockInit},
		{"lockdestroy mutex &m; lock exclusive mutex &m", ErrLockInit},
		{"lock exclusive mutex &m; lockdestroy mutex &m", ErrLockHeld},
		{"lock exclusive mutex &m; lock exclusive mutex &m", ErrDoubleLock},
		{"lock shared rwlock &m; lock exclusive rwlock &m", ErrDoubleLock},
		{"unlock exclusive mutex &m", ErrUnlock},
		{"lock shared rwlock &m; unlock exclusive rwlock &m", ErrUnlock},
		{"lock exclusive mutex &m; unlock any mutex &m; unlock any mutex &m", ErrUnlock},
		{"condwait &s, &m", ErrUnlock},
		{"join i64 17", ErrHandle},
		{"spawn f() handle &m; join i64 2; join i64 2", ErrHandle},
		{"call *cast(*func() void, &g)()", ErrCall},
		{"call *cast(*func() void, null *void)()", ErrNull},
		{"assert eq(x, add(x, i64 1)) tag mine", ErrAssert},
		{"atomic_end", ErrAtomic},
		{"memcopy plain &g, null *void, u64 8", ErrNull},
		{"memset plain &g, u8 0, u64 17", ErrBounds},
		{"barrierwait &m", ErrLockInit},
		{"x := call rec()", ErrLimit},
		{"p := alloc heap i64, i64 -1", ErrLimit},
	} {
		src := decls + "\nfunc rec() i64 {\nreg r: i64\nentry:\n r := call rec()\n return r\n}\n" + body("", regs, c.code+"\nreturn x")
		s := run(t, compile(t, src, Config{}), Zero{})
		if s.Err() == nil || s.Err().Kind != c.want {
			t.Errorf("%s: %v, %v, want %s", c.code, s.Status(), s.Err(), c.want)
		}
	}
}

// TestInstructions runs programs that end with 1 where everything is as it should be.
func TestInstructions(t *testing.T) {
	for name, c := range map[string]struct{ decls, regs, code string }{
		"memory of many sizes": {"global g: i64", "reg a: u8; reg b: u16; reg c: i32; reg r: i64", `
			store plain &g, i64 72623859790382856
			a := load plain index(&g, i64 7, 1, *u8)
			b := load plain index(&g, i64 1, 1, *u16)
			store plain index(&g, i64 2, 1, *u8), u8 255
			c := load plain &g
			r := cast(i64, land(land(eq(a, u8 1), eq(b, u16 1543)), eq(c, i32 100599560)))
			return r`},
		"pointers copied bytewise": {"global g: i64 = { 0 = i64 5 }\nglobal p: *i64 = { 0 = &g }\nglobal q: *i64", "reg i: i64; reg c: u8; reg x: *i64; reg r: i64", `
			i := i64 0
			goto loop
		loop:
			if lt(i, i64 8) then body else out
		body:
			c := load plain index(&p, i, 1, *u8)
			store plain index(&q, i, 1, *u8), c
			i := add(i, i64 1)
			goto loop
		out:
			x := load plain &q
			r := load plain x
			return sub(r, i64 4)`},
		"memcopy and memset": {"global g: [4]i64 = { 0 = i64 1, 8 = i64 2, 16 = i64 3 }", "reg r, x: i64", `
			memcopy plain index(&g, i64 1, 8, *i64), &g, u64 16
			r := load plain index(&g, i64 2, 8, *i64)
			memset plain &g, u8 255, u64 8
			x := load plain &g
			return sub(sub(r, i64 2), x)`},
		"atomics": {"global g: i32", "reg o: i32; reg ok: bool; reg r: i64", `
			o := rmw add seq_cst &g, i32 5
			rmw nand seq_cst &g, i32 4
			o, ok := cmpxchg seq_cst &g, i32 -5, i32 1
			o, _ := cmpxchg seq_cst &g, i32 7, i32 9
			r := cast(i64, land(ok, eq(o, i32 1)))
			return r`},
		"alloc zero": {"", "reg p: *i64; reg r: i64", `
			p := alloc heap i64, u64 4 zero mayfail
			r := load plain index(p, i64 3, 8, *i64)
			free p
			return add(r, i64 1)`},
		"function pointers": {"func one(x: i64) i64 {\nentry:\n return add(x, i64 1)\n}\nglobal t: [1]*func(i64) i64 = { 0 = fn one }",
			"reg f: *func(i64) i64; reg r: i64", `
			f := load plain &t
			r := call *f(i64 0)
			return r`},
		"recursive lock": {"global m: u64", "reg ok: bool", `
			lockinit mutex &m recursive
			lock exclusive mutex &m
			lock exclusive mutex &m
			unlock exclusive mutex &m
			unlock exclusive mutex &m
			ok := lock exclusive mutex &m try
			return cast(i64, ok)`},
		"try": {"global m: u64", "reg ok: bool", `
			lock exclusive mutex &m
			ok := lock exclusive mutex &m try
			return cast(i64, lnot(ok))`},
		"semaphore": {"global m: u64", "reg ok, no: bool", `
			seminit &m, i32 1
			semwait &m
			no := semwait &m try
			sempost &m
			ok := semwait &m try
			return cast(i64, land(ok, lnot(no)))`},
		"once": {"global m: u64\nglobal g: i64\nfunc f() void {\nreg x: i64\nentry:\n x := load plain &g\n store plain &g, add(x, i64 1)\n return\n}", "reg x: i64", `
			once &m, fn f
			once &m, fn f
			x := load plain &g
			return x`},
		"spawn and join": {"global h: u64\nfunc f(a: *void) *void {\nentry:\n return index(a, i64 1, 1, *void)\n}", "reg v: u64; reg x: *void; reg ok: bool", `
			v, ok := spawn f(null *void) handle &h
			v := load plain &h
			x := join v
			return cast(i64, x)`},
		"threadlocal": {"global t: i64 threadlocal = { 0 = i64 1 }\nfunc f() void {\nentry:\n store plain &t, i64 7\n return\n}", "reg h: u64; reg x: i64", `
			h, _ := spawn f()
			join h
			x := load plain &t
			return x`},
		"ghosts": {"ghost n: i64\nfunc f() void {\nentry:\n n := add(n, i64 1)\n return\n}", "", `
			call f()
			return n`},
		"opaque": {"global d: opaque(\"double\", 8)\nglobal w: opaque(\"vec\", 32)", "reg x: opaque(\"double\", 8); reg i: i64; reg v: opaque(\"vec\", 32)", `
			store plain &d, const(opaque("double", 8), "1.0")
			i := load plain &d
			v := const(opaque("vec", 32), "a")
			store plain &w, v
			v := load plain &w
			return cast(i64, eq(i, i64 4607182418800017408))`},
		"uninitialised memory keeps its value": {"", "reg p: *i64; reg x, y: i64", `
			p := alloc stack i64, u64 1
			x := load plain p
			y := load plain p
			return add(i64 1, sub(x, y))`},
	} {
		s := run(t, compile(t, body(c.decls, c.regs, strings.ReplaceAll(c.code, "\t", " ")), Config{}), Zero{})
		if s.Status() != Done || s.Result(0)[0] != 1 {
			t.Errorf("%s: %v %v %v", name, s.Status(), s.Result(0), s.Err())
		}
	}
}

// BenchmarkLoop measures instructions of arithmetic, branches and memory.
func BenchmarkLoop(b *testing.B) {
	const src = `
global a: [1024]i32
func main() i64 {
  reg i, x: i32
  reg s: i64
entry:
  i := i32 0
  goto loop
loop:
  x := load plain index(&a, and(i, i32 1023), 4, *i32)
  store plain index(&a, and(i, i32 1023), 4, *i32), add(x, i)
  s := add(s, cast(i64, x))
  i := add(i, i32 1)
  if lt(i, i32 2000000000) then loop else out
out:
  return s
}`
	m := compile(b, src, Config{})
	b.Run("step", func(b *testing.B) {
		s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
		for i := 0; i < b.N; i++ {
			s.Step(0)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Minstr/s")
	})
	b.Run("visible", func(b *testing.B) {
		s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
		for i := 0; i < b.N; i += 5 {
			s.StepVisible(0)
			s.StepVisible(0)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Minstr/s")
	})
	b.Run("snapshot", func(b *testing.B) {
		s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
		for i := 0; i < b.N; i++ {
			s.Snapshot()
			s.StepVisible(0)
		}
	})
}

// BenchmarkCalls measures recursion.
func BenchmarkCalls(b *testing.B) {
	const src = `
func fib(n: i32) i32 {
  reg x, y: i32
entry:
  if lt(n, i32 2) then small else big
small:
  return n
big:
  x := call fib(sub(n, i32 1))
  y := call fib(sub(n, i32 2))
  return add(x, y)
}
func main() i64 {
  reg r: i32
entry:
  r := call fib(i32 90)
  return cast(i64, r)
}`
	m := compile(b, src, Config{})
	s := m.Start(MainOf(m.IR.FuncByName("main")), Zero{})
	for i := 0; i < b.N; i++ {
		s.Step(0)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Minstr/s")
}
