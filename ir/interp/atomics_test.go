package interp_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
)

// object is a type of atomic objects, with values for them. Pointers are into array.
type object struct {
	typ     string
	values  []string
	pointer bool
}

var objects = []object{
	{"_Bool", []string{"0", "1"}, false},
	{"char", []string{"-128", "-1", "0", "5", "127"}, false},
	{"signed char", []string{"-128", "-1", "7"}, false},
	{"unsigned char", []string{"0", "1", "200", "255"}, false},
	{"short", []string{"-32768", "-1", "300"}, false},
	{"unsigned short", []string{"0", "65535", "40000"}, false},
	{"int", []string{"-2147483647-1", "-1", "0", "123456"}, false},
	{"unsigned int", []string{"0", "4294967295u", "3000000000u"}, false},
	{"long", []string{"-1", "1L<<40", "-(1L<<62)"}, false},
	{"unsigned long", []string{"0", "~0UL", "1UL<<63", "5"}, false},
	{"long long", []string{"-3", "1LL<<33"}, false},
	{"unsigned long long", []string{"~0ULL", "1ULL<<32"}, false},
	{"enum low", []string{"LM", "LA", "LB"}, false},
	{"enum high", []string{"HA", "HB"}, false},
	{"int *", []string{"array+1", "array+3"}, true},
	{"struct node *", []string{"nodes+1", "nodes+3"}, true},
	{"char *", []string{"text+2", "text+4"}, true},
	{"void *", []string{"array+1", "array"}, true},
}

// preamble declares what the functions use.
const preamble = `#include <stdatomic.h>
#include <stdarg.h>
enum low { LM = -1, LA, LB = 5 };
enum high { HA = 1, HB = 200 };
struct node { int v; struct node *next; };
static int array[8] = {10, 11, 12, 13, 14, 15, 16, 17};
static struct node nodes[6] = {{20, nodes + 1}, {21, nodes + 2}, {22, nodes}, {23, nodes + 4}, {24, nodes + 5}, {25, nodes + 1}};
static char text[8] = "abcdefg";
static volatile int no = 0, yes = 1;
static long long last(int n, ...) { va_list l; long long r; va_start(l, n);
	r = n == 4 ? va_arg(l, int) : va_arg(l, long); va_end(l); return r; }
static long long wide(long long v) { return v; }
static int narrow(int v) { return v; }
#define KIND(e) _Generic((e), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, int: 7, \
	unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, int *: 13, struct node *: 14, char *: 15, void *: 16, default: 99)
#define AT(p, b) ((p) ? (long long)((const volatile char *)(p) - (const volatile char *)(b)) + 1000 : -7)
`

// calls are the operations: O stands for the object's address, V and W for values, T for
// its type.
var calls = func() []string {
	out := []string{"__atomic_load_n(O, 5)", "__atomic_load_n(O, __ATOMIC_RELAXED)", "__atomic_exchange_n(O, V, 5)", "__sync_lock_test_and_set(O, V)",
		"__sync_val_compare_and_swap(O, W, V)", "__sync_bool_compare_and_swap(O, W, V)", "__atomic_compare_exchange_n(O, &(T){W}, V, 0, 5, 5)",
		"({ T r; __atomic_load(O, &r, 5); r; })", "({ T r, v = V; __atomic_exchange(O, &v, &r, 5); r; })", "({ T v = V; __atomic_store(O, &v, 5); v; })",
		"({ T v = V, e = W; _Bool b = __atomic_compare_exchange(O, &e, &v, 0, 5, 5); e; })", "({ T e = W; __atomic_compare_exchange_n(O, &e, V, 0, 5, 5); e; })",
		"(__atomic_store_n(O, V, 5), *O)", "(__sync_lock_release(O), *O)", "atomic_load(O)", "atomic_load_explicit(O, memory_order_acquire)", "atomic_exchange(O, V)",
		"(atomic_store(O, V), atomic_load(O))", "(atomic_init(O, V), *O)", "atomic_compare_exchange_strong(O, &(T){W}, V)",
		"({ T e = W; atomic_compare_exchange_strong_explicit(O, &e, V, memory_order_seq_cst, memory_order_relaxed); e; })"}
	for _, op := range []string{"add", "sub", "and", "or", "xor", "nand"} {
		out = append(out, "__atomic_fetch_"+op+"(O, N, 5)", "__atomic_"+op+"_fetch(O, N, 5)", "__sync_fetch_and_"+op+"(O, N)", "__sync_"+op+"_and_fetch(O, N)")
		if op != "nand" {
			out = append(out, "atomic_fetch_"+op+"(O, N)", "atomic_fetch_"+op+"_explicit(O, N, memory_order_release)")
		}
	}
	return out
}()

// uses are where the static type of a result matters: E stands for the call, T for the
// object's type.
var uses = []string{"E", "no ? 0 : E", "yes ? E : 0u", "~E", "-E", "+E", "!E", "E << 3", "E >> 1", "E < 1", "E < 1u", "E > -1", "E == -1", "E + 1u", "E * 3L", "E / 3", "E % 7",
	"sizeof((double)E * 2)", "sizeof(E + 0.5f)", "({ __auto_type k = E; k; })", "({ __auto_type k = E; ~k; })", "({ __typeof__(E) k = E; k; })", "sizeof(E)", "sizeof(+E)", "sizeof(__typeof__(E))",
	"KIND(E)", "KIND(+E)", "KIND(no ? 1 : E)", "KIND((E, E))", "last(sizeof(+E), E)", "wide(E)", "narrow(E)", "array[E & 3]", "(0, E)", "(T)E", "(short)E", "(unsigned char)E",
	"({ long long s = 5; s += E; s; })", "({ unsigned char s = 5; s -= E; s; })", "({ long s; switch (E) { case -1: s = 1; break; case 5: s = 2; break; case 255: s = 3; break; default: s = 4; } s; })",
	"E && 1", "E || 0", "(E & 0xf0) >> 2", "E ^ -1L", "({ int k = 0; for (int i = 0; i < (E & 3); i++) k++; k; })"}

// pointerUses are those of pointers; B is what they point into.
var pointerUses = []string{"AT(E, B)", "!E", "no ? 0 : AT(E, B)", "AT(no ? 0 : E, B)", "E == B", "E != 0", "sizeof(E)", "KIND(E)", "AT(E + 1, B)", "({ __auto_type k = E; AT(k, B); })",
	"({ __typeof__(E) k = E; AT(k, B); })", "E ? 1 : 2", "(unsigned long)E == (unsigned long)B"}

// memberUses are those of pointers that point to something.
var memberUses = map[string][]string{"int *": {"*E", "E[1]", "E - array", "*(E + 1)"}, "struct node *": {"E->v", "(*E).v", "E->next->v", "E[1].v", "sizeof(*E)", "sizeof(E->next)"},
	"char *": {"*E", "E[1]", "~*E", "sizeof(*E)"}}

// fill puts values into a call on the object named o of type t.
func fill(rng *rand.Rand, call, o string, t object) string {
	value := func() string { return t.values[rng.IntN(len(t.values))] }
	number := []string{"1", "-1", "3u", "0x55", "1000000007L"}[rng.IntN(5)]
	if t.pointer {
		number = []string{"0", map[string]string{"int *": "4", "struct node *": "16"}[t.typ]}[rng.IntN(2)]
		if number == "" {
			number = "2"
		}
	}
	typ := regexp.MustCompile(`\b[OTVWN]\b`)
	return typ.ReplaceAllStringFunc(call, func(s string) string {
		switch s {
		case "O":
			return "&" + o
		case "T":
			return t.typ
		case "N":
			return number
		}
		return "(" + value() + ")"
	})
}

// atomicFunctions are functions of no parameters, each on a line, that use results of
// atomic functions in all ways.
func atomicFunctions(rng *rand.Rand) []string {
	var out []string
	for _, t := range objects {
		for _, qualified := range []string{t.typ, "volatile " + t.typ, "_Atomic(" + t.typ + ")", "volatile _Atomic(" + t.typ + ")"} {
			if t.pointer && strings.HasPrefix(qualified, "volatile "+t.typ) {
				qualified = t.typ + "volatile"
			}
			for _, call := range calls {
				if !t.pointer || !noPointer.MatchString(call) {
					out = append(out, atomicFunction(rng, len(out), t, qualified, call))
				}
			}
		}
	}
	return out
}

// noPointer finds the operations that make no pointers to objects of pointers.
var noPointer = regexp.MustCompile(`_(and|or|xor|nand)(_fetch|_explicit|_and_fetch|\()`)

func atomicFunction(rng *rand.Rand, n int, t object, qualified, call string) string {
	o := fmt.Sprintf("o%d", n)
	ways := uses
	if t.pointer {
		ways = pointerUses
		if m := memberUses[t.typ]; m != nil && rng.IntN(2) == 0 {
			ways = m
		}
	}
	base := map[string]string{"int *": "array", "struct node *": "nodes", "char *": "text", "void *": "(void *)array"}[t.typ]
	initial := t.values[rng.IntN(len(t.values))]
	use := ways[rng.IntN(len(ways))]
	// a choice that the parser does not make; it is not understood
	if strings.HasPrefix(t.typ, "enum") && strings.HasPrefix(use, "KIND") {
		use = "~E"
	}
	// a _Bool, whatever the object
	if regexp.MustCompile(`^(__sync_bool|__atomic_compare|atomic_compare)`).MatchString(call) {
		use = uses[rng.IntN(len(uses))]
	}
	if t.pointer && strings.Contains(call, "release(") { // a null pointer
		use = []string{"AT(E, B)", "!E", "E == B", "E != 0", "sizeof(E)", "KIND(E)", "E ? 1 : 2"}[rng.IntN(7)]
	}
	text := regexp.MustCompile(`\b[ETB]\b`).ReplaceAllStringFunc(use, func(s string) string {
		switch s {
		case "E":
			return fill(rng, call, o, t)
		case "T":
			return t.typ
		}
		return base
	})
	after := "(long long)" + o
	if t.pointer {
		after = "AT(" + o + ", " + base + ")"
	}
	return fmt.Sprintf("static %s %s = %s; long long f%d(void) { long long r = (long long)(%s); return r * 31 + %s; }", qualified, o, initial, n, text, after)
}

// agree compares what functions f0, f1, … return here and as gcc translates them. Those
// that gcc rejects are left out; it returns how many were not.
func agree(t *testing.T, name string, functions []string) int {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	file, bin := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.out")
	write := func() []int {
		var b, calls strings.Builder
		b.WriteString(preamble)
		var used []int
		for i, f := range functions {
			b.WriteString(f + "\n")
			if f != "" {
				fmt.Fprintf(&calls, "__builtin_printf(\"%%lld\\n\", f%d());\n", i)
				used = append(used, i)
			}
		}
		b.WriteString("#ifdef MAIN\nint setvbuf(void *, char *, int, unsigned long);\nextern void *stdout;\nint main(void) {\nsetvbuf(stdout, 0, 1, 512);\n" + calls.String() + "return 0; }\n#endif\n")
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return used
	}
	write()
	first := strings.Count(preamble, "\n") + 1
	diagnostics, _ := exec.Command(gcc, "-w", "-fmax-errors=0", "-ftrack-macro-expansion=0", "-fsyntax-only", file).CombinedOutput()
	for _, m := range regexp.MustCompile(`a\.c:(\d+):\d+: error`).FindAllStringSubmatch(string(diagnostics), -1) {
		line, _ := strconv.Atoi(m[1])
		functions[line-first] = ""
	}
	used := write()
	if out, err := exec.Command(gcc, "-w", "-O0", "-fwrapv", "-DMAIN", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatalf("%v in %s", err, functions[used[strings.Count(string(out), "\n")]])
	}
	want := strings.Fields(string(out))
	set, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Load(file, set, c.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for k, i := range used {
		if got := result(m, p.FuncByName(fmt.Sprintf("f%d", i))); got != want[k] {
			if wrong++; wrong <= 20 {
				t.Errorf("%s: gcc's program returns %s, this one %s:\n%s", name, want[k], got, functions[i])
			}
		}
	}
	if wrong > 20 {
		t.Errorf("%s: %d are wrong", name, wrong)
	}
	return len(used)
}

// result runs a function and prints what it returns, or why it does not.
func result(m *interp.Program, f *ir.Func) string {
	if f == nil {
		return "nothing: it is missing"
	}
	s := m.Start(interp.MainOf(f), interp.Zero{})
	for s.Status() == interp.Running {
		s.Step(s.Enabled()[0])
	}
	if s.Status() != interp.Done {
		return fmt.Sprintf("nothing: %v %v %s", s.Status(), s.Err(), f.Unknown)
	}
	return strconv.FormatInt(int64(s.Result(0)[0]), 10)
}

// Results of the compilers' atomic functions, and of those of <stdatomic.h>, have the
// type of the object, wherever it matters.
func TestAtomicTypes(t *testing.T) {
	const seed = 32
	functions := atomicFunctions(rand.New(rand.NewPCG(seed, 1)))
	if n := agree(t, fmt.Sprintf("seed %d", seed), functions); n < len(functions)*3/4 {
		t.Errorf("gcc takes %d of %d functions only", n, len(functions))
	}
}

// Random expressions of atomic functions, arithmetic and conversions have the values that
// gcc's programs have.
func TestRandomAtomicExpressions(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 2))
	n := testscope.Fewer(400)
	var functions []string
	for i := range n {
		g := &expressions{rng: rng, function: i}
		e := g.expression(4)
		functions = append(functions, fmt.Sprintf("%s long long f%d(void) { return (long long)(%s)%s; }", g.objects.String(), i, e, g.after.String()))
	}
	if left := agree(t, fmt.Sprintf("seed %d", seed), functions); left < n*9/10 {
		t.Errorf("gcc takes %d of %d functions only", left, n)
	}
}

// Functions with a size in their names, clang's, those on structs and on 128 bits, and
// those that a program has itself: main returns the line of the first check that fails.
func TestOtherAtomics(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other.c")
	if err := os.WriteFile(file, []byte(otherAtomics), 0o666); err != nil {
		t.Fatal(err)
	}
	p := load(t, file)
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := result(m, p.FuncByName("main")); got != "0" {
		t.Errorf("line %s: a check fails", got)
	}
}

const otherAtomics = `#include <stdatomic.h>
#define CHECK(c) do { if (!(c)) return __LINE__; } while (0)
struct p { int a, b; };
union u { int a; long f; };
static _Atomic(struct p) ap;
static _Atomic(union u) au;
static unsigned __int128 w;
static _Atomic(__int128) wa = 3;
static int *_Atomic p;
static int arr[4] = {1, 2, 3, 4};
static int v;
static _Atomic unsigned short us = 65535;
static int __sync_fetch_and_sub(int *q, int n) { int o = *q; *q = o - n - n; return o; }
extern int __sync_lock_test_and_set(int *, int);
int main(void) {
	CHECK(__c11_atomic_fetch_add(&us, 1, 5) == 65535 && us == 0);
	p = arr;
	CHECK(*__c11_atomic_fetch_add(&p, 1, 5) == 1 && *p == 2);
	CHECK(__c11_atomic_load(&p, 5)[1] == 3);
	int e = 5;
	CHECK(!__c11_atomic_compare_exchange_strong(&v, &e, 1, 5, 5) && e == 0);
	CHECK(__c11_atomic_fetch_max(&v, 7, 5) == 0 && v == 7);
	CHECK(__c11_atomic_fetch_min(&v, -1, 5) == 7 && v == -1);
	__c11_atomic_init(&v, 4);
	__c11_atomic_store(&v, v + 1, 5);
	CHECK(__c11_atomic_exchange(&v, 0, 5) == 5);
	__atomic_store_4((void *)&v, -1, 5);
	CHECK(v == -1 && __atomic_load_4(&v, 5) > 0);
	CHECK(__sync_fetch_and_add_4((void *)&v, 2) == 4294967295u && v == 1);
	CHECK(sizeof(__atomic_load_2((void *)&v, 5)) == 2 && sizeof(__sync_val_compare_and_swap_8(&p, 0, 0)) == 8);
	struct p q = {1, 2}, z;
	CHECK(atomic_load(&ap).a == 0);
	atomic_store(&ap, q);
	CHECK(atomic_load(&ap).b == 2);
	z = atomic_exchange(&ap, ((struct p){3, 4}));
	CHECK(z.a == 1);
	__auto_type y = atomic_load(&ap);
	CHECK(y.a == 3 && atomic_compare_exchange_strong(&ap, &y, q) && atomic_load(&ap).a == 1);
	CHECK(sizeof(atomic_load(&au)) == 8);
	CHECK(__atomic_fetch_add(&w, 1, 5) == 0 && w == 1 && atomic_load(&wa) == 3 && sizeof(atomic_load(&wa)) == 16);
	struct gap { char c; int n; } g = {0, 0}, h = {1, 2};
	static _Atomic(struct gap) ag;
	CHECK(!atomic_compare_exchange_strong(&ag, &g, h) || atomic_load(&ag).n == 2);
	int k = 0x500;
	CHECK(!__atomic_test_and_set(&k, 5) && k == 0x501);
	__atomic_clear((char *)&k, 5);
	CHECK(k == 0x500);
	CHECK(__sync_fetch_and_sub(&k, 1) == 0x500 && k == 0x4fe);
	CHECK(__sync_lock_test_and_set(&k, 6) == 0x4fe && k == 6);
	return 0;
}
`

// expressions draws arithmetic expressions. Each atomic call has an object of its own, so
// that the order of evaluation says nothing.
type expressions struct {
	rng            *rand.Rand
	function       int
	count          int
	objects, after strings.Builder
}

func (g *expressions) pick(from ...string) string { return from[g.rng.IntN(len(from))] }

// call is an atomic call whose value is a number.
func (g *expressions) call(depth int) string {
	t := objects[g.rng.IntN(len(objects))]
	for t.pointer {
		t = objects[g.rng.IntN(len(objects))]
	}
	o := fmt.Sprintf("o%d_%d", g.function, g.count)
	g.count++
	fmt.Fprintf(&g.objects, "static %s %s = %s; ", g.pick(t.typ, "volatile "+t.typ, "_Atomic("+t.typ+")"), o, t.values[g.rng.IntN(len(t.values))])
	fmt.Fprintf(&g.after, " * 31 + (long long)%s", o)
	v := g.expression(depth - 1)
	call := calls[g.rng.IntN(len(calls))]
	for strings.Contains(call, "_compare_") && strings.HasPrefix(call, "(") {
		call = calls[g.rng.IntN(len(calls))]
	}
	if g.rng.IntN(3) > 0 { // what is computed is given to it
		call = regexp.MustCompile(`\b[VN]\b`).ReplaceAllLiteralString(call, "("+v+")")
	}
	return fill(g.rng, call, o, t)
}

// expression is arithmetic of a depth at most.
func (g *expressions) expression(depth int) string {
	if depth <= 0 {
		return g.pick("1", "-1", "7u", "200", "-5L", "no", "yes", "'a'")
	}
	a := g.expression(depth - 1 - g.rng.IntN(2))
	switch g.rng.IntN(9) {
	case 0:
		return "(" + a + " " + g.pick("+", "-", "*", "&", "|", "^", "<", "==", "!=", ">=", ",") + " " + g.expression(depth-1) + ")"
	case 1:
		return g.pick("~", "-", "!", "+") + "(" + a + ")"
	case 2:
		return "((" + a + ") " + g.pick("<<", ">>") + " (" + g.pick("1", "3", "7") + "))"
	case 3:
		return "(" + g.expression(depth-2) + " ? " + a + " : " + g.expression(depth-1) + ")"
	case 4:
		return "((" + g.pick("char", "unsigned char", "short", "unsigned", "long", "_Bool", "__typeof__("+a+")") + ")(" + a + "))"
	case 5:
		return "((" + a + ") " + g.pick("/", "%") + " " + g.pick("3", "7u", "5L") + ")"
	case 6:
		return "({ __auto_type k = " + a + "; " + g.pick("k", "~k", "sizeof k", "k + 1u") + "; })"
	}
	return g.call(depth)
}
