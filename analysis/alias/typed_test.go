package alias

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"whoop/internal/testscope"
	"whoop/ir"
)

// Random type-safe programs: pointers to structs of one structure that are converted (a
// and b), to one of equal size that is not (c), interfaces as a number of the dynamic
// type and a box, copies of structs, pointers to a type parameter's memory, and, in some,
// puns. What their executions touch must be among what the analysis says.

const typedHeader = `program "typed" typesafe
struct i size 16 { type: u32 @0, data: *void @8 }
struct a size 40 { p: *struct("a") @0, o: *struct("c") @8, e: struct("i") @16, n: u64 @32 }
struct b size 40 { p: *struct("a") @0, o: *struct("c") @8, e: struct("i") @16, n: u64 @32 }
struct c size 40 { p: *struct("c") @0, o: *struct("a") @8, e: struct("i") @16, n: u64 @32 }
struct box size 64 sum { __1: *struct("a") @0 const, __2: *struct("b") @8 const, __3: *struct("c") @16 const, __4: struct("a") @24 const }
struct s size 16 { q: *u8 @0, f: u8 @8, g: [4]u8 @9 }
struct "type parameter" size 16 { __value: u32 @0 }
global ga: struct("a")
global gb: struct("b")
global gc: struct("c")
global va: [3]struct("a")
global ge: struct("i")
global gs: struct("s")
global gy: [8]u8
`

func typedProgram(r *rand.Rand, puns bool) string {
	var b strings.Builder
	b.WriteString(typedHeader)
	n := 2 + r.IntN(2)
	for i := range n {
		fmt.Fprintf(&b, `func f%d(a0: *struct("a"), b0: *struct("b"), c0: *struct("c"), t0: u32, d0: *void) *struct("a") {
  reg a1: *struct("a")
  reg b1: *struct("b")
  reg c1: *struct("c")
  reg t1: u32
  reg d1: *void
  reg x: *struct("box")
  reg g: *struct("type parameter")
  reg h: **struct("a")
  reg k: i64
  reg u: u64
  reg v: u8
  reg s0, s1: *struct("s")
  reg y0, y1: *u8
start:
  s0 := &gs
  s1 := alloc heap struct("s"), u64 1 zero
  y0 := cast(*u8, &gy)
  y1 := field(s1, s, f)
  a1 := &ga
  b1 := &gb
  c1 := &gc
  t1 := u32 0
  d1 := null *void
  k := havoc
  goto b0
`, i)
		blocks := 1 + r.IntN(3)
		for k := range blocks {
			fmt.Fprintf(&b, "b%d:\n", k)
			for range 3 + r.IntN(8) {
				b.WriteString("  " + typedStep(r, n, puns) + "\n")
			}
			fmt.Fprintf(&b, "  goto b%d, end\n", r.IntN(blocks))
		}
		b.WriteString("end:\n  return a1\n}\n")
	}
	b.WriteString(`func main() i32 {
  reg a: *struct("a")
s:
  a := call f0(&ga, &gb, &gc, u32 0, null *void)
  a := call f1(a, &gb, &gc, u32 0, null *void)
  return i32 0
}
entry main kind "main"
`)
	return b.String()
}

// typedStep is some instructions. Numbers of types are those of the members of box.
func typedStep(r *rand.Rand, funcs int, puns bool) string {
	reg := func(kind string) string { return fmt.Sprintf("%s%d", kind, r.IntN(2)) }
	if r.IntN(5) == 0 {
		return bytesStep(r, puns)
	}
	kind := []string{"a", "b", "c"}[r.IntN(3)]
	x, y := reg(kind), reg(kind)
	a, b, c, d := reg("a"), reg("b"), reg("c"), reg("d")
	number := map[string]int{"a": 1, "b": 2, "c": 3}[kind]
	whole := func(e string) string { return fmt.Sprintf(`field(cast(*struct("box"), %s), box, __4)`, e) }
	most := 15
	if puns {
		most = 19
	}
	switch r.IntN(most) {
	case 0:
		return fmt.Sprintf("%s := alloc heap struct(%q), u64 1 zero", x, kind)
	case 1:
		return []string{a + " := null *struct(\"a\")", a + " := &ga", b + " := &gb", c + " := &gc", fmt.Sprintf(`%s := index(cast(*struct("a"), &va), k, 40, *struct("a"))`, a)}[r.IntN(5)]
	case 2:
		return []string{fmt.Sprintf(`%s := cast(*struct("b"), %s)`, b, a), fmt.Sprintf(`%s := cast(*struct("a"), %s)`, a, b)}[r.IntN(2)]
	case 3, 4: // a pointer in an interface
		return fmt.Sprintf("x := alloc heap struct(\"box\"), u64 1 zero\n  store plain field(x, box, __%d), %s\n  t%s := u32 %d\n  %s := cast(*void, x)", number, x, d[1:], number, d)
	case 5, 6: // and out of it
		return fmt.Sprintf("assume eq(t%s, u32 %d)\n  %s := load plain field(cast(*struct(\"box\"), %s), box, __%d)", d[1:], number, x, d, number)
	case 7: // a struct in an interface, and the address of its copy
		return fmt.Sprintf("x := alloc heap struct(\"box\"), u64 1 zero\n  memcopy plain field(x, box, __4), %s, u64 40 elem struct(\"a\")\n  t%s := u32 4\n  %s := cast(*void, x)", a, d[1:], d)
	case 8:
		return fmt.Sprintf("assume eq(t%s, u32 4)\n  memcopy plain %s, %s, u64 40 elem struct(\"a\")", d[1:], a, whole(d))
	case 9:
		return fmt.Sprintf("store plain field(%s, %s, p), %s", x, kind, map[string]string{"a": reg("a"), "b": reg("a"), "c": reg("c")}[kind])
	case 10:
		return fmt.Sprintf("%s := load plain field(%s, %s, p)", map[string]string{"a": a, "b": a, "c": c}[kind], x, kind)
	case 11:
		return []string{fmt.Sprintf("store plain field(%s, a, o), %s", a, c), fmt.Sprintf("%s := load plain field(%s, c, o)", a, c), fmt.Sprintf("%s := load plain field(%s, b, o)", c, b), fmt.Sprintf("store plain field(%s, c, o), %s", c, a)}[r.IntN(4)]
	case 12: // an interface in memory
		return fmt.Sprintf("store plain field(field(%s, %s, e), i, type), t%s\n  store plain field(field(%[1]s, %[2]s, e), i, data), %[4]s", x, kind, d[1:], d)
	case 13:
		return fmt.Sprintf("t%s := load plain field(field(%s, %s, e), i, type)\n  %s := load plain field(field(%[2]s, %[3]s, e), i, data)", d[1:], y, kind, d)
	case 14:
		return []string{
			fmt.Sprintf("%s := call f%d(%s, %s, %s, t%s, %s)", a, r.IntN(funcs), reg("a"), b, c, d[1:], d),
			fmt.Sprintf("g := cast(*struct(\"type parameter\"), %s)\n  %s := cast(*struct(\"a\"), g)", a, reg("a")),
			fmt.Sprintf("memcopy plain %s, %s, u64 40 elem struct(%q)", x, y, kind),
		}[r.IntN(3)]
	case 15: // an address of one type as one of another
		return []string{fmt.Sprintf(`%s := pun(*struct("a"), cast(*void, %s))`, a, c), fmt.Sprintf(`%s := pun(*struct("c"), cast(*void, %s))`, c, b)}[r.IntN(2)]
	case 16: // memory of one type as that of another
		return fmt.Sprintf("h := pun(**struct(\"a\"), cast(*void, field(%s, c, p)))\n  ", c) + []string{a + " := load plain h", "store plain h, " + a}[r.IntN(2)]
	case 17: // through an integer
		return fmt.Sprintf("u := cast(u64, %s)\n  u := add(u, u64 %d)\n  h := cast(**struct(\"a\"), u)\n  %s := load plain h", c, 8*r.IntN(2), a)
	}
	return fmt.Sprintf("h := pun(**struct(\"a\"), index(cast(*u8, %s), i64 8, 1, *u8))\n  store plain h, %s", a, reg("a"))
}

// bytesStep is a step with pointers to bytes.
func bytesStep(r *rand.Rand, puns bool) string {
	reg := func(kind string) string { return fmt.Sprintf("%s%d", kind, r.IntN(2)) }
	st, y, d := reg("s"), reg("y"), reg("d")
	most := 10
	if puns {
		most = 13
	}
	switch r.IntN(most) {
	case 0:
		return y + " := field(" + st + ", s, f)"
	case 1:
		return y + " := index(cast(*u8, field(" + st + ", s, g)), i64 2, 1, *u8)"
	case 2:
		return y + " := index(cast(*u8, &gy), i64 3, 1, *u8)"
	case 3:
		return "store plain field(" + st + ", s, q), " + y
	case 4:
		return y + " := load plain field(" + st + ", s, q)\n  assume ne(" + y + ", null *u8)"
	case 5:
		return "store plain " + y + ", u8 1"
	case 6:
		return "v := load plain " + y
	case 7:
		return st + " := alloc heap struct(\"s\"), u64 1 zero"
	case 8: // a pointer to bytes as the data of an interface
		return fmt.Sprintf("%s := cast(*void, %s)\n  t%s := u32 5", d, y, d[1:])
	case 9:
		if r.IntN(2) == 0 { // at once: others come between often
			return fmt.Sprintf("%s := cast(*void, %s)\n  t%s := u32 5\n  %[2]s := cast(*u8, %[1]s)\n  store plain %[2]s, u8 1", d, y, d[1:])
		}
		return fmt.Sprintf("assume eq(t%s, u32 5)\n  %s := cast(*u8, %s)", d[1:], y, d)
	case 10: // a number of another type as bytes
		return fmt.Sprintf("%s := pun(*u8, cast(*void, field(%s, a, n)))", y, reg("a"))
	case 11: // bytes as a struct
		return fmt.Sprintf("%s := pun(*struct(\"s\"), cast(*void, &gy))\n  v := load plain field(%[1]s, s, f)\n  %[1]s := &gs", st)
	}
	return fmt.Sprintf("%s := pun(*u8, cast(*void, field(%s, c, p)))", y, reg("c"))
}

func TestRandomTypedPrograms(t *testing.T) {
	n := testscope.Fewer(testscope.Count(600, 6000))
	checked, unknown := 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		src := typedProgram(r, seed%3 == 0)
		p, err := ir.Parse("typed.wir", []byte(src))
		if err == nil {
			err = ir.Validate(p)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		m := &machine{t: t, r: r, res: Analyze(p, Options{NoHeapCloning: seed%2 == 0})}
		for range 20 {
			m.run(p)
		}
		checked, unknown = checked+m.checked, unknown+m.unknown
		if t.Failed() {
			t.Fatalf("seed %d\n%s\n%s", seed, src, printed(m.res))
		}
	}
	if checked < 10*n || unknown > checked/10 {
		t.Errorf("%d accesses checked, %d of them unknown", checked, unknown)
	}
	t.Logf("%d accesses checked, %d unknown", checked, unknown)
}
