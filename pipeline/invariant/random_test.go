package invariant

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whoop/frontend/c"
	"whoop/internal/testscope"
	"whoop/trace/witness"
)

var (
	programs = flag.Int("programs", testscope.Count(2, 40), "how many random C programs")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "the first random C program")
	keep     = flag.String("keep", "", "write C programs with violated invariants to this folder")
)

// TestRandom finds invariants at all places of random C programs, and holds them against
// executions.
func TestRandom(t *testing.T) {
	claims, unfollowed := 0, 0
	for s := *seed; s < *seed+uint64(*programs); s++ {
		g := &cgen{Rand: rand.New(rand.NewPCG(s, 7))}
		text := g.program()
		src := source(t, text)
		invs, err := find(context.Background(), src, func(c.Place) bool { return true })
		if err != nil {
			unfollowed++
			t.Logf("seed %d: %v", s, err)
			continue
		}
		rs, err := Check(context.Background(), src, invs, Limits{NoProof: true, Executions: 60, Steps: 60_000, Seed: s * 1000})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", s, err, text)
		}
		claims += len(rs)
		for _, r := range rs {
			if !r.Holds() {
				t.Errorf("seed %d: line %d: %s: %s (execution %d)", s, r.Invariant.At.Line, r.Invariant.Value, r.Unusable, r.Executions)
				if *keep != "" {
					if err := os.WriteFile(filepath.Join(*keep, fmt.Sprintf("r%d.c", s)), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	t.Logf("%d invariants of %d programs; %d were not followed", claims, *programs, unfollowed)
}

// cgen writes a random C program: two threads and main, with numbers of all widths in
// variables, members, unions, elements and heap objects, which pointers lead to, under
// locks that are taken in many ways.
type cgen struct {
	*rand.Rand
	b     strings.Builder
	depth int
	loops int
	held  int // locks that are held
	main  bool
	// alone: no threads, no inputs, and nothing that C leaves open.
	alone bool

	labels int
}

func (g *cgen) label() int {
	g.labels++
	return g.labels
}

func (g *cgen) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("  ", g.depth) + fmt.Sprintf(format, args...) + "\n")
}

func (g *cgen) pick(xs ...string) string { return xs[g.IntN(len(xs))] }

const prologue = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct in { short h; signed char e; };
struct st { int a; unsigned char b; struct in s; long l; int *p; struct st *next; };
union un { int i; unsigned u; short h[2]; unsigned char c[4]; };
int x, y = 3, arr[4] = {1, 2, 3};
unsigned u = 5;
short sh = -2;
unsigned char uc = 250;
signed char sc;
long lo;
_Bool bo;
struct st st, su = {1, 2, {3, 4}, 5, &x, 0};
struct st *ps = &st;
union un un;
int *pi = &x;
unsigned char *pc = &uc;
pthread_mutex_t m0, m1, ms[2], *pm = &m0;
pthread_rwlock_t rw;
pthread_cond_t cv;
pthread_mutex_t rec;
static int inc(int *p, int d) { *p += d; return *p; }
static int dec(int *p, int d) { static int calls; calls++; *p -= d; return calls; }
static void swap(struct st *a, struct st *b) { struct st t = *a; *a = *b; *b = t; }
static int twice(int v) { if (v > 10) return v; return v * 2; }
int (*fp)(int *, int) = inc;
`

func (g *cgen) program() string {
	g.b.WriteString(prologue)
	for _, w := range []string{"w0", "w1"} {
		g.line("void *%s(void *arg)\n{", w)
		g.body(3+g.IntN(6), false)
		g.line("  %s", g.pick("return 0;", "return &y;", "pthread_exit(q);", "return q;", "return (void *)(long)k;"))
		g.line("}")
	}
	g.line("int main(void)\n{\n  pthread_t t0, t1; void *r = 0; void *arg = &arr[1];")
	g.line("  pthread_mutexattr_t at; pthread_mutexattr_init(&at); pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&rec, &at);")
	g.body(2, true)
	g.line("  pthread_create(&t0, 0, w0, %s);", g.pick("&x", "&y", "&k", "q", "&arr[2]", "&st.a"))
	g.line("  pthread_create(&t1, 0, %s, %s);", g.pick("w0", "w1", "w1"), g.pick("&x", "&y", "&st.a", "q"))
	if g.IntN(2) == 0 {
		g.block(2)
	}
	if g.IntN(2) == 0 {
		g.line("  pthread_join(t0, &r);")
		if g.IntN(2) == 0 {
			g.line("  pthread_join(t1, 0);")
		}
		g.line("  if (r) x = %s;", g.pick("*(int *)r", "(int)(long)r", "1"))
		g.block(2)
	}
	g.line("  return 0;\n}")
	return g.b.String()
}

// body declares the local variables, and does a few things.
func (g *cgen) body(n int, main bool) {
	g.main = main
	g.depth = 1
	g.line("int k = %d, v = %s; int *q = %s; struct st loc = su; struct st *n = 0;", g.IntN(5), g.pick("x", "1", "-7"), g.pick("malloc(sizeof(int))", "calloc(1, sizeof(int))", "arg", "&v", "&x"))
	g.line("if (!q) return 0;")
	g.line("*q = %d; unsigned char c = %d;", g.IntN(9), g.IntN(256))
	g.block(n)
	g.depth = 0
}

func (g *cgen) block(n int) {
	for range n {
		g.statement()
	}
}

// place is something that can be written.
func (g *cgen) place() string {
	return g.pick("x", "y", "u", "sh", "uc", "sc", "lo", "bo", "st.a", "st.b", "st.s.h", "su.l", "su.s.e", "un.i", "un.u", "un.h[1]", "un.c[2]", "k", "v", "c", "*pi", "*pc",
		"*q", "arr[0]", "arr[3]", fmt.Sprintf("arr[%s & 3]", g.value(0)), "ps->a", "ps->s.h", "ps->b", "loc.a", "loc.s.h", "*(int *)arg", "k", "v", "x")
}

// value is an expression.
func (g *cgen) value(depth int) string {
	if depth <= 0 || g.IntN(3) == 0 {
		return g.pick("x", "y", "u", "sh", "uc", "sc", "lo", "bo", "st.a", "st.b", "su.s.h", "un.i", "un.c[1]", "k", "v", "c", "*pi", "*pc", "*q", "arr[1]", "ps->a", "loc.l",
			fmt.Sprint(g.IntN(6)-1), fmt.Sprint(g.IntN(300)), "k", "v")
	}
	a, b := g.value(depth-1), g.value(depth-1)
	switch g.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-", "*", "&", "|", "^"), b)
	case 3:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("<<", ">>"), g.pick("1", "3", "("+b+" & 7)"))
	case 4:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("/", "%"), g.pick("3", "-2", "7u", "((int)("+b+") | 1)"))
	case 5, 6:
		return fmt.Sprintf("((%s)%s)", g.pick("char", "short", "unsigned", "unsigned char", "long", "_Bool", "unsigned short", "signed char", "unsigned long"), a)
	case 7:
		return "(" + g.cond(1) + ")"
	case 8:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(1), a, b)
	case 9:
		return fmt.Sprintf("%s(%s)", g.pick("-", "~", "!"), a)
	case 10:
		return fmt.Sprintf("twice(%s)", a)
	case 11:
		return fmt.Sprintf("arr[%s & 3]", a)
	}
	return a
}

func (g *cgen) cond(depth int) string {
	a, b := g.value(depth), g.value(depth)
	switch g.IntN(6) {
	case 0:
		if !g.alone {
			return "__VERIFIER_nondet_int()"
		}
	case 1:
		return fmt.Sprintf("%s && %s", a, b)
	case 2:
		return fmt.Sprintf("%s || %s < %d", a, b, g.IntN(9))
	}
	return fmt.Sprintf("%s %s %s", a, g.pick("==", "!=", "<", "<=", ">", ">="), g.pick(b, fmt.Sprint(g.IntN(8)-1)))
}

func (g *cgen) statement() {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 5 {
		g.line("%s = %s;", g.place(), g.value(1))
		return
	}
	n := g.IntN(26)
	if g.alone && (n >= 15 && n <= 17 || n == 21) {
		n = 0
	}
	switch n {
	case 0, 1, 2, 3, 4:
		g.line("%s %s %s;", g.place(), g.pick("=", "=", "=", "+=", "-=", "|=", "^="), g.value(2))
	case 5:
		g.line("%s%s;", g.pick("k", "v", "x", "uc", "st.a", "u", "sc"), g.pick("++", "--"))
	case 6:
		g.line("pi = %s;", g.pick("&x", "&y", "&arr[1]", "&st.a", "&un.i", "q", "&arr[k & 3]", "(int *)&u", "&ps->a"))
	case 7:
		g.line("pc = %s;", g.pick("&uc", "&st.b", "&un.c[1]", "(unsigned char *)&x", "(unsigned char *)&sh + 1", "&un.c[v & 3]", "&su.b"))
	case 8:
		g.line("ps = %s;", g.pick("&st", "&su", "ps == &st ? &su : &st", "n ? n : ps"))
	case 9:
		g.line("%s;", g.pick("st = su", "su = st", "loc = st", "st = loc", "swap(&st, &su)", "*ps = loc", "loc = *ps", "un.i = x", "memcpy(&x, &un, 4)",
			"memcpy(&st.s, &su.s, sizeof st.s)", "memset(&un, 1, 2)", "memset(&st, 0, sizeof st)", "memcpy(arr, arr + 2, 8)", "memmove(arr + 1, arr, 8)", "memset(arr, -1, 8)"))
	case 10:
		to := g.place()
		if g.alone { // which is evaluated first?
			to = "v"
		}
		g.line("%s = fp(%s, %s);", to, g.pick("&x", "&y", "pi", "q", "&arr[2]", "&st.a", "&k"), g.value(1))
	case 11:
		g.line("fp = %s;", g.pick("inc", "dec", "fp == inc ? dec : inc"))
	case 12, 13:
		g.line("if (%s) {", g.cond(2))
		g.block(1 + g.IntN(2))
		if g.IntN(2) == 0 {
			g.line("} else {")
			g.block(1)
		}
		g.line("}")
	case 14:
		g.loop()
	case 15, 16, 17:
		g.locked()
	case 18:
		g.line("n = calloc(1, sizeof *n); if (n) { n->a = %s; n->b = 1; n->next = ps; n->p = %s; ps = n; }", g.value(1), g.pick("pi", "q", "&x"))
	case 19:
		g.line("if (ps->next) ps = ps->next;")
	case 20:
		g.line("switch (%s & 3) { case 0: %s = 1; case 1: %s = %s; break; case 2: k = 4; break; default: v++; }", g.value(1), g.place(), g.place(), g.value(1))
	case 21:
		g.line("__VERIFIER_atomic_begin(); %s = %s; %s = %s; __VERIFIER_atomic_end();", g.place(), g.value(1), g.place(), g.value(1))
	case 22:
		g.line("%s = %s(&%s, %s);", g.place(), g.pick("__sync_fetch_and_add", "__sync_lock_test_and_set", "__sync_add_and_fetch", "__sync_fetch_and_or"), g.pick("x", "y", "u", "arr[1]", "un.i"), g.value(1))
	case 23:
		g.line("%s = __sync_bool_compare_and_swap(&%s, %s, %s);", g.place(), g.pick("x", "y", "st.a"), g.value(1), g.value(1))
	case 24:
		g.line("if (su.p) *su.p = %s;", g.value(1))
	case 25:
		g.line("%s", g.pick("pm = &ms[k & 1];", "pm = &m1;", "su.p = pi;", "if (n != ps) free(n); n = 0;", "q = pi;", fmt.Sprintf("if (v > 3) goto out%d; k = v; out%d: v = 2;", g.label(), g.labels)))
	}
}

func (g *cgen) loop() {
	i := fmt.Sprintf("i%d", g.loops)
	g.loops++
	switch g.IntN(3) {
	case 0:
		g.line("for (int %s = 0; %s < %d; %s++) {", i, i, 1+g.IntN(12), i)
	case 1:
		g.line("for (unsigned char %s = %d; %s > 3; %s -= %d) {", i, 100+g.IntN(100), i, i, 40+g.IntN(40))
	default:
		g.line("int %s = 0;", i)
		g.line("while (%s < %s) {", i, g.pick("3", "(k & 7)", "15"))
		defer g.line("}")
		defer g.line("  %s += %d; if (%s) %s;", i, 1+g.IntN(3), g.cond(1), g.pick("break", "continue", "k++"))
		g.block(1 + g.IntN(2))
		return
	}
	g.block(1 + g.IntN(2))
	g.line("}")
}

// locked is a critical section, which is left in its middle at times.
func (g *cgen) locked() {
	if g.held > 1 {
		g.line("%s = %s;", g.place(), g.value(2))
		return
	}
	g.held++
	defer func() { g.held-- }()
	m := g.pick("&m0", "&m0", "&m1", "&ms[0]", "&ms[1]", "&rec")
	switch g.IntN(6) {
	case 0:
		g.line("if (pthread_mutex_trylock(%s) == 0) {", m)
		g.block(1 + g.IntN(2))
		g.line("  pthread_mutex_unlock(%s);\n}", m)
	case 1:
		g.line("pthread_rwlock_%slock(&rw);", g.pick("rd", "wr"))
		g.block(1 + g.IntN(2))
		g.line("pthread_rwlock_unlock(&rw);")
	case 2:
		g.line("{ pthread_mutex_t *lk = %s; pthread_mutex_lock(lk);", g.pick("pm", "&ms[k & 1]", "&m0"))
		g.block(1 + g.IntN(2))
		g.line("pthread_mutex_unlock(lk); }")
	default:
		g.line("pthread_mutex_lock(%s);", m)
		g.block(1 + g.IntN(3))
		if g.IntN(3) == 0 {
			g.line(g.pick("pthread_mutex_unlock(%[1]s); pthread_mutex_lock(%[1]s);", "if (k) { pthread_mutex_unlock(%[1]s); x = 9; pthread_mutex_lock(%[1]s); }", "if (__VERIFIER_nondet_int()) pthread_cond_wait(&cv, %[1]s); else pthread_cond_broadcast(&cv);"), m)
			g.block(1)
		}
		g.line("pthread_mutex_unlock(%s);", m)
	}
}

// TestCompiled runs random sequential programs compiled, and in the interpreter: the
// numbers that they compute are the same.
func TestCompiled(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	ran, lost := 0, 0
	for s := *seed; s < *seed+uint64(*programs)*3; s++ {
		g := &cgen{Rand: rand.New(rand.NewPCG(s, 9)), alone: true}
		g.line("unsigned long chk;\nint main(void)\n{\n  void *arg = &arr[1];")
		g.body(12, true)
		for _, e := range []string{"x", "y", "u", "sh", "uc", "sc", "lo", "bo", "st.a", "st.b", "st.s.h", "st.s.e", "st.l", "su.a", "su.b", "su.s.h", "su.s.e", "su.l", "un.u", "arr[0]", "arr[1]",
			"arr[2]", "arr[3]", "k", "v", "c", "*q", "loc.a", "loc.b", "loc.s.h", "loc.l", "*pi", "*pc", "ps->a", "ps->l"} {
			g.line("  chk = chk * 31 + (unsigned long)%s;", e)
		}
		text := prologue + g.b.String()
		line := strings.Count(text, "\n") + 1
		src := source(t, text+"  return 0;\n}\n")
		run := strings.TrimSuffix(src.Path, ".c")
		if err := os.WriteFile(run+"_run.c", []byte("#include <stdio.h>\n"+text+"printf(\"%lu\\n\", chk);\n  return 0;\n}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(gcc, "-w", "-fwrapv", "-fno-strict-aliasing", "-O0", "-o", run, run+"_run.c").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		out, err := exec.CommandContext(ctx, run).Output()
		cancel()
		if err != nil {
			continue // a division of the least number, or no end
		}
		ran++
		inv := witness.Invariant{At: witness.Location{Line: line}, Value: "chk == " + strings.TrimSpace(string(out)) + "ul"}
		not := witness.Invariant{At: inv.At, Value: "!(" + inv.Value + ")"}
		rs, err := Check(context.Background(), src, []witness.Invariant{inv, not}, Limits{NoProof: true, Executions: 1, Steps: 500_000})
		if err != nil {
			t.Fatal(err)
		}
		if rs[0].Holds() && rs[1].Holds() {
			lost++ // undefined behaviour, or no end
		} else if r := rs[0]; !r.Holds() {
			t.Errorf("seed %d: not %s %s", s, r.Invariant.Value, r.Unusable)
			if *keep != "" {
				if err := os.WriteFile(filepath.Join(*keep, fmt.Sprintf("c%d.c", s)), []byte(text+"  return 0;\n}\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d programs, of which %d do not get to their ends in the interpreter", ran, lost)
}
