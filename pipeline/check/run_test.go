package check

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"whoop/internal/testscope"
	"whoop/pipeline"
)

var (
	every = flag.Int("every", testscope.Count(10, 1), "TestOwnTasks runs one of so many tasks")
	limit = flag.Duration("limit", 5*time.Second, "of a task in TestOwnTasks; what is not answered by then is unknown")
)

var propertyLine = regexp.MustCompile(`property_file: \.\./properties/(\S+)\.prp\s+expected_verdict: (true|false)`)

// TestOwnTasks: no verdict on the tasks of benchmarks/svcomp is wrong. Nothing is asked
// of how many there are.
func TestOwnTasks(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/svcomp/*/*.yml")
	if err != nil || len(files) < 150 {
		t.Fatalf("%d tasks, %v", len(files), err)
	}
	right, unknown := 0, 0
	for i := 0; i < len(files); i += *every {
		src, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		program := strings.TrimSuffix(files[i], ".yml") + ".c"
		var o pipeline.Options
		if strings.Contains(string(src), "ILP32") {
			o.C.DataModel = "ILP32"
		}
		p, err := pipeline.Load(program, o)
		if err != nil {
			t.Errorf("%s: %v", program, err)
			continue
		}
		for _, m := range propertyLine.FindAllStringSubmatch(string(src), -1) {
			p := p
			if o := asserting(o, Property(m[1])); o.C.Overflow || o.Leaks {
				if p, err = pipeline.Load(program, o); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Run(context.Background(), p, Options{Asserted: Property(m[1]) == Overflow, Property: Property(m[1]), Timeout: *limit})
			if err != nil {
				t.Errorf("%s: %s: %v", program, m[1], err)
				continue
			}
			want := strings.ToUpper(m[2])
			switch r.Answer {
			case want:
				right++
			case "UNKNOWN":
				unknown++
				t.Logf("%s: %s: %s", program, m[1], r.Verdict())
			default:
				t.Errorf("%s: %s: %s, expected %s (%+v)", program, m[1], r.Verdict(), want, r.Steps)
			}
		}
	}
	t.Logf("%d right, %d unknown", right, unknown)
}

// asserting are the options to load a program with for a property.
func asserting(o pipeline.Options, prop Property) pipeline.Options {
	o.C.Overflow = prop == Overflow
	o.Leaks = prop == MemSafety || prop == MemCleanup
	return o
}

// run1 writes a program and asks.
func run1(t *testing.T, src string, opt Options) *Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := pipeline.Load(file, asserting(pipeline.Options{}, opt.Property))
	if err != nil {
		t.Fatal(err)
	}
	opt.Asserted = opt.Property == Overflow
	r, err := Run(context.Background(), p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const head = `#include <pthread.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
`

// TestVerdicts: what is not proved is not TRUE, and what rests on code that is not seen
// is not FALSE.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, src string
		prop      Property
		want      string
	}{
		{"no error in the program", `int x; void *f(void *a) { return 0; } int main(void) { return 0; }`, Unreach, "TRUE"},
		{"reached", `int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"a deterministic function that is not followed", `char b[8]; int main(void) { const char *s = "a"; strcpy(b, s); if (b[0] != 'a') reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"a copy of a literal", `char b[8] = "xyz"; int main(void) { strcpy(b, "a"); if (b[0] != 'a' || b[1] != 0 || b[2] != 'z') reach_error(); return 0; }`, Unreach, "TRUE"},
		{"waiting in a loop is complete with one iteration", `volatile int go; int x;
void *f(void *a) { __atomic_store_n(&go, 1, 5); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (!__atomic_load_n(&go, 5)) ; if (!go) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"an access outside of its object may do anything", `int a[4]; int main(void) { int i = __VERIFIER_nondet_int(); a[i] = 1; if (a[0] == 2) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"which is a violation of memory safety", `int a[4]; int main(void) { int i = __VERIFIER_nondet_int(); a[i] = 1; return 0; }`, MemSafety, "FALSE(valid-deref)"},
		{"a thread that never gets to run", `int x; void *f(void *a) { x = 1; return 0; }
int main(void) { pthread_t t[5000]; for (int i = 0; i < 5000; i++) pthread_create(&t[i], 0, f, 0); return 0; }`, DataRace, "FALSE(no-data-race)"},
		{"a mutex taken twice", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }`, Deadlock, "FALSE(no-deadlock)"},
		{"a mutex of which that is not known", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }`, Deadlock, "UNKNOWN"},
		{"the result of a thread that exits", `void *f(void *a) { if (__VERIFIER_nondet_int()) pthread_exit((void *)5); return (void *)7; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0); pthread_join(t, &r); if (r != (void *)5 && r != (void *)7) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"which may be either", `void *f(void *a) { if (__VERIFIER_nondet_int()) pthread_exit((void *)5); return (void *)7; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0); pthread_join(t, &r); if (r == (void *)5) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"a thread that is cancelled", `void *f(void *a) { pthread_mutex_t n; pthread_mutex_init(&n, 0); pthread_mutex_lock(&n); pthread_mutex_lock(&n); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_cancel(t); pthread_join(t, 0); reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"a handler of signals", `#include <signal.h>
int x; void h(int s) { x = 1; } void *f(void *a) { x = 2; return 0; }
int main(void) { pthread_t t; signal(SIGALRM, h); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }`, DataRace, "UNKNOWN"},
		{"half a copy may be seen", `struct p { int a, b; } s, t = {7, 0};
void *f(void *a) { s = t; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); if (s.a == 7) { s.b = 5; if (s.b != 5) reach_error(); } return 0; }`, Unreach, "UNKNOWN"},
		{"but not under a mutex", `struct p { int a, b; } s, t = {7, 0}; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); s = t; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); pthread_mutex_lock(&m); if (s.a == 7) { s.b = 5; if (s.b != 5) reach_error(); } pthread_mutex_unlock(&m); return 0; }`, Unreach, "TRUE"},
		{"a constructor", `__attribute__((constructor)) void c(void) { reach_error(); } int main(void) { return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"variadic arguments", `#include <stdarg.h>
int v(int n, ...) { va_list l; va_start(l, n); int s = va_arg(l, int); va_end(l); return s; } int main(void) { if (v(1, 2) != 2) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"a main that is not understood", `#include <setjmp.h>
jmp_buf b; int main(void) { if (setjmp(b) == 0) longjmp(b, 1); else reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"a function that ends without a result", `int x; void *f(void *a) { x = 1; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); if (x) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"bit-fields: promotion and assignment", `struct { unsigned a : 3; _Bool b : 1; int c : 4; } s;
int main(void) { s.a = 2; if (s.a - 3 >= 0) reach_error(); if ((s.a = 10) != 2) reach_error(); s.b = 2; if (s.b != 1) reach_error(); int y = s.c = 9; if (y != -7) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"_Bool", `_Bool g = 256; _Bool f(int x) { return x; } int t(_Bool b) { return b; }
int main(void) { _Bool b = 1; b += 1; if (b != 1 || !g || f(256) != 1 || t(256) != 1) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"a string shorter than the array", `int main(void) { char t[5] = "ab"; if (t[4]) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"compound assignment of atomics", `_Atomic int v = 1; void *f(void *a) { v *= 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); v *= 3; pthread_join(t, 0); if (v != 6) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"rows of variable length", `int f(int n, int a[n][n]) { return a[1][1]; } int main(void) { int a[2][2] = {1, 2, 3, 4}; if (f(2, a) != 4) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"an error behind a pointer", `int main(void) { void (*f)(void) = reach_error; f(); return 0; }`, Unreach, "UNKNOWN"},
		{"the program's own function with the name of a lock's", `void spin_lock(int *l) {} void spin_unlock(int *l) {} int l, x; void *f(void *a) { spin_lock(&l); x++; spin_unlock(&l); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); return 0; }`, DataRace, "FALSE(no-data-race)"},
		{"a variable that has ended", `int *g; void f(void) { int x = 1; g = &x; } int main(void) { f(); return *g; }`, MemSafety, "FALSE(valid-deref)"},
		{"a string that is too long", `int main(void) { char b[4]; strcpy(b, "abcd"); return 0; }`, MemSafety, "FALSE(valid-deref)"},
		{"a string that may be too long", `int main(void) { char b[4]; const char *s = "abc"; strcpy(b, s); return 0; }`, MemSafety, "UNKNOWN"},
		{"variables that are handed down", `void set(int *p, int v) { *p = v; } int main(void) { int x, b[3]; set(&x, 3); for (int i = 0; i < 3; i++) set(&b[i], i); return 0; }`, MemSafety, "TRUE"},
		{"a thread that is not understood", `#include <setjmp.h>
jmp_buf b; int a[4], x, u; int *p = &a[0];
void *f(void *z) { setjmp(b); __atomic_store_n(&p, &a[2], 5); return 0; }
void *g(void *z) { int i = __atomic_load_n(&x, 5); __atomic_store_n(&a[i & 3], 1, 5); __atomic_store_n(&a[2], 3, 5); return 0; }
int main(void) { pthread_t t, s; pthread_create(&t, 0, f, 0); pthread_create(&s, 0, g, 0); pthread_join(t, 0); pthread_join(s, 0); if (u == 2) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"threads that go on after main", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { pthread_mutex_lock(&m); return 0; }
int main(void) { pthread_t t, s; pthread_create(&t, 0, f, 0); pthread_create(&s, 0, f, 0); pthread_exit(0); }`, Deadlock, "UNKNOWN"},
		{"a bit-field's store leaves the next member alone", `struct { unsigned a : 20; char c; } s; void *f(void *x) { s.a = 70000; return 0; } void *g(void *x) { s.c = 6; return 0; }
int main(void) { pthread_t t, r; pthread_create(&t, 0, f, 0); pthread_create(&r, 0, g, 0); pthread_join(t, 0); pthread_join(r, 0);
  if (s.a != 70000 || s.c != 6) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"and does not race with it", `struct { unsigned a : 20; char c; } s; void *f(void *x) { s.a = 1; return 0; } void *g(void *x) { s.c = 6; return 0; }
int main(void) { pthread_t t, r; pthread_create(&t, 0, f, 0); pthread_create(&r, 0, g, 0); return 0; }`, DataRace, "TRUE"},
		{"but with its neighbour", `struct { int a : 7; int b : 13; char c; } s; void *f(void *x) { s.a = 1; return 0; } void *g(void *x) { return (void *)(long)s.b; }
int main(void) { pthread_t t, r; pthread_create(&t, 0, f, 0); pthread_create(&r, 0, g, 0); return 0; }`, DataRace, "FALSE(no-data-race)"},
		{"initialised bit-fields", `struct { int b : 20; short d : 9; } u = {2, 4}; struct { int b : 9; char c; short d : 9; } v = {2, 3, 4}; struct { int b : 20; char c; short d : 9; } w = {2, 3, 4};
int main(void) { if (u.b != 2 || u.d != 4 || v.b != 2 || v.c != 3 || v.d != 4 || w.b != 2 || w.d != 4) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"structs without tags that have members of the same names", `struct { char a; char b; short c; } s = {1, 2, 3}; struct { short a; char b; char c; } t = {1000, 2, 3};
int main(void) { t.a = -1; s.c = -1; if (t.b != 2 || s.b != 2) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"one tag in two blocks", `void f(void) { struct S { char a; } x; x.a = 1; } void g(void) { struct S { long a; } y; y.a = 1L << 40; if (y.a != 1L << 40) reach_error(); }
int main(void) { f(); g(); return 0; }`, Unreach, "TRUE"},
		{"what a thread makes is not main's own", `int *p; void *f(void *x) { int l; __atomic_store_n(&p, &l, 5); l = 5; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int *q = __atomic_load_n(&p, 5); if (q) *q = 3; return 0; }`, DataRace, "FALSE(no-data-race)"},
		{"an input of the library", `#include <stdlib.h>
int main(void) { if (rand() == 7) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"which is not negative", `#include <stdlib.h>
int main(void) { if (rand() < 0) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"an error that needs nothing of what is not known", `int main(void) { int n = __VERIFIER_nondet_int(); char b[4]; if (n > 3) strcpy(b, "x"); if (n > 3 && b[0] != 'x' || n == 2) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"a number that decides nothing", `#include <stdio.h>
int main(void) { int n = printf("a"), m = n + 1; if (m) m++; reach_error(); return m; }`, Unreach, "FALSE(unreach-call)"},
		{"one argument read twice", `#include <stdlib.h>
int main(int argc, char **argv) { int n = atoi(argv[1]); if (n != atoi(argv[1])) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"one argument read once", `#include <stdio.h>
int main(int argc, char **argv) { int n = 0; sscanf(argv[1], "%d", &n); if (n == 7) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"a text of the program's own", `#include <stdio.h>
int main(int argc, char **argv) { int n = 0; sscanf("5", "%d", &n); if (n == 7) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"keys are told apart", `pthread_key_t a, b; int main(void) { if (pthread_key_create(&a, 0) || pthread_key_create(&b, 0)) reach_error();
  pthread_setspecific(a, &a); if (pthread_getspecific(b) || pthread_getspecific(a) != &a) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"a condition variable among local variables", `struct s { pthread_mutex_t m; pthread_cond_t c; int n; };
void *f(void *a) { struct s *p = a; pthread_mutex_lock(&p->m); p->n = 1; pthread_cond_signal(&p->c); pthread_mutex_unlock(&p->m); return 0; }
int main(void) { struct s s; pthread_t t; s.n = 0; pthread_mutex_init(&s.m, 0); pthread_cond_init(&s.c, 0); pthread_create(&t, 0, f, &s);
  pthread_mutex_lock(&s.m); while (!s.n) pthread_cond_wait(&s.c, &s.m); pthread_mutex_unlock(&s.m); reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"polling under a lock", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int done, data;
void *f(void *a) { for (;;) { pthread_mutex_lock(&m); int d = done; pthread_mutex_unlock(&m); if (d) break; } if (data != 7) reach_error(); return 0; }
void *g(void *a) { data = 7; pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }`, Unreach, "TRUE"},
		{"polling for what comes too early", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int done, data;
void *f(void *a) { for (;;) { pthread_mutex_lock(&m); int d = done; pthread_mutex_unlock(&m); if (d) break; } if (data != 7) reach_error(); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); data = 7; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"polling that keeps another thread from the lock", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int done, data;
void *f(void *a) { for (;;) { pthread_mutex_lock(&m); int d = done; pthread_mutex_unlock(&m); if (d) break; } if (data != 7) reach_error(); return 0; }
void *g(void *a) { data = 7; if (pthread_mutex_trylock(&m)) { if (pthread_mutex_trylock(&m)) reach_error(); } else pthread_mutex_unlock(&m); pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"polling that changes something", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int done, data;
void *f(void *a) { for (;;) { pthread_mutex_lock(&m); int d = done; data++; pthread_mutex_unlock(&m); if (d) break; } if (data == 3) reach_error(); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"a variable that one path leaves unwritten", `int main(void) { int x; if (__VERIFIER_nondet_int()) x = 0; if (x != 0) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"a variable that is written where it is read", `int main(void) { int x, c = __VERIFIER_nondet_int(); if (c) x = 1; if (c && x != 1) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"a join of a detached thread", `void *w(void *a) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_detach(t); if (pthread_join(t, 0) == 0) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"a mutex that was never initialised", `int main(void) { pthread_mutex_t m; pthread_mutex_lock(&m); reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"a pointer that was never written may be null", `#include <stdlib.h>
struct s { struct s *p; }; int main(void) { struct s *x = malloc(sizeof *x); if (!x->p) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"or not", `#include <stdlib.h>
struct s { struct s *p; }; int main(void) { struct s *x = malloc(sizeof *x); if (x->p) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"and leads nowhere", `#include <stdlib.h>
struct s { struct s *p; int v; }; int main(void) { struct s *x = malloc(sizeof *x); if (x->p) x->p->v = 1; return 0; }`, MemSafety, "FALSE(valid-deref)"},
		{"a list under a lock", `#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct s { struct s *p; int v; } *l;
void *f(void *a) { struct s *n = malloc(sizeof *n); pthread_mutex_lock(&m); n->v = 1; n->p = l->p; l->p = n; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; l = malloc(sizeof *l); l->p = 0; l->v = 0; pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m); struct s *q = l->p; if (q && q->v != 1) reach_error(); pthread_mutex_unlock(&m); return 0; }`, Unreach, "TRUE"},
		{"an overflow", `int main(void) { int n = __VERIFIER_nondet_int(); return n + 1 > 0; }`, Overflow, "FALSE(no-overflow)"},
		{"no overflow", `int main(void) { int n = __VERIFIER_nondet_int(); if (n < 100 && n > -100) n = n * n + 1; unsigned u = n; u = u * u; return u == 1; }`, Overflow, "TRUE"},
		{"an overflow behind an operation without a result", `int main(void) { int n = __VERIFIER_nondet_int(); int m = 1 << (n & 63); return m + n; }`, Overflow, "FALSE(no-overflow)"},
		{"an operation without a result", `int main(void) { int n = __VERIFIER_nondet_int(); return 0 << (n & 63); }`, Overflow, "UNKNOWN"},
		{"an overflow of an operand that is not evaluated", `int main(void) { int n = __VERIFIER_nondet_int(); return n < 10 && n > 0 && n + 1 > 5 ? n - 1 : (int)sizeof(n * n); }`, Overflow, "TRUE"},
		{"an overflow whose result is not used", `int main(void) { int n = __VERIFIER_nondet_int(); n * n; return 0; }`, Overflow, "FALSE(no-overflow)"},
		{"constants that overflow", `int main(void) { return 2147483647 + 1; }`, Overflow, "FALSE(no-overflow)"},
		{"a block that is lost", `#include <stdlib.h>
int main(void) { int *p = malloc(4); p = 0; return p == 0; }`, MemSafety, "FALSE(valid-memtrack)"},
		{"a block that a global leads to", `#include <stdlib.h>
struct s { char c; struct s *p; } __attribute__((packed)); struct s g; int main(void) { g.p = malloc(sizeof g); return 0; }`, MemSafety, "UNKNOWN"},
		{"is not cleaned up", `#include <stdlib.h>
int *g; int main(void) { g = malloc(4); return 0; }`, MemCleanup, "FALSE(valid-memcleanup)"},
		{"a stream is the library's", `#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r"); return f == 0; }`, MemCleanup, "TRUE"},
		{"an exit before the end", `#include <stdlib.h>
int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) exit(1); free(p); return 0; }`, MemCleanup, "UNKNOWN"},
		{"what fails says how", `#include <errno.h>
#include <semaphore.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_rwlock_t l; pthread_cond_t c = PTHREAD_COND_INITIALIZER; sem_t s; struct timespec t;
int main(void) { pthread_rwlock_init(&l, 0); sem_init(&s, 0, 0); pthread_rwlock_wrlock(&l); pthread_mutex_lock(&m);
  if (pthread_mutex_trylock(&m) != EBUSY || pthread_rwlock_tryrdlock(&l) != EBUSY || pthread_rwlock_timedwrlock(&l, &t) != ETIMEDOUT) reach_error();
  int r = pthread_cond_timedwait(&c, &m, &t); if (r && r != ETIMEDOUT || sem_trywait(&s) != -1 || sem_timedwait(&s, &t) != -1) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"with C11 threads, too", `#include <threads.h>
mtx_t m; cnd_t c; struct timespec t; int main(void) { mtx_init(&m, mtx_timed); cnd_init(&c); mtx_lock(&m);
  if (mtx_trylock(&m) != thrd_busy || mtx_timedlock(&m, &t) != thrd_timedout) reach_error();
  int r = cnd_timedwait(&c, &m, &t); if (r != thrd_success && r != thrd_timedout) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"structs are atomic as a whole", `#include <stdatomic.h>
struct s { int a, b; }; _Atomic(struct s) g; struct s h;
void *f(void *x) { struct s n = {2, 2}, e = {2, 2}; if (x) atomic_store(&g, n); else g = n; n.a = n.b = 3; if (!atomic_compare_exchange_strong(&g, &e, n) && e.a != 5) reach_error(); return 0; }
int main(void) { pthread_t t; struct s n = {5, 5}, o, i = {1, 1}; atomic_init(&g, i); pthread_create(&t, 0, f, __VERIFIER_nondet_int() ? &h : 0); struct s v = g; if (v.a != v.b) reach_error();
  v = atomic_exchange(&g, n); if (v.a != v.b || v.a == 5) reach_error(); pthread_join(t, 0);
  __atomic_store(&h, &n, 5); __atomic_load(&h, &o, 5); if (o.b != 5) reach_error(); int x = 1, y = 2, z; __atomic_exchange(&x, &y, &z, 5); if (x != 2 || z != 1) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"and need not stay as they were", `struct s { int a, b; }; _Atomic struct s g; void *f(void *x) { struct s n = {2, 2}; g = n; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); struct s v = g, w = g; if (v.a != w.a) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"bytes that no member has", `struct s { char c; int i; }; struct s g; int main(void) { struct s e = g, n = {1, 1}; if (!__atomic_compare_exchange_n(&g, &e, n, 0, 5, 5)) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"bits that are counted, and exact results", `#include <limits.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define ASSERT(c) if (!(c)) reach_error()
int main(void) {
  ASSERT(__builtin_popcount(0xF0F0F0FFu) == 20); ASSERT(__builtin_popcountl(~0UL) == 64); ASSERT(__builtin_popcountll(1ULL<<63|1) == 2);
  ASSERT(__builtin_clz(1) == 31); ASSERT(__builtin_clzl(1) == 63); ASSERT(__builtin_clzll(1ULL<<40) == 23); ASSERT(__builtin_ctz(8) == 3); ASSERT(__builtin_ctzl(1UL<<63) == 63); ASSERT(__builtin_ffs(0)==0 && __builtin_ffs(12)==3 && __builtin_ffsll(1LL<<62)==63); ASSERT(__builtin_parity(7)==1);
  unsigned u = __VERIFIER_nondet_uint(); if (u) { int c = __builtin_clz(u); ASSERT(c >= 0 && c <= 31 && (u >> (31 - c)) == 1); int z = __builtin_ctz(u); ASSERT((u >> z) & 1); ASSERT(z == 0 || (u & ((1u << z) - 1)) == 0); ASSERT(__builtin_ffs(u) == z + 1); }
  int r; ASSERT(__builtin_add_overflow(INT_MAX, 1, &r) && r == INT_MIN); ASSERT(!__builtin_add_overflow(INT_MAX, -1, &r) && r == INT_MAX - 1);
  unsigned char b; ASSERT(__builtin_add_overflow(200, 100, &b) && b == 44); ASSERT(__builtin_sub_overflow(1u, 2u, &u) && u == UINT_MAX); ASSERT(!__builtin_sub_overflow(1u, 2u, &r) && r == -1);
  unsigned long ul; long sl; ASSERT(__builtin_mul_overflow(~0UL, ~0UL, &ul) && ul == 1); ASSERT(__builtin_mul_overflow(LONG_MIN, ~0UL, &sl)); ASSERT(!__builtin_mul_overflow(LONG_MIN, 1UL, &sl) && sl == LONG_MIN); ASSERT(__builtin_mul_overflow(-1, 1UL, &ul));
  ASSERT(__builtin_sadd_overflow(INT_MAX, 1, &r)); ASSERT(!__builtin_saddl_overflow(INT_MAX, 1, &sl) && sl == (long)INT_MAX + 1); ASSERT(__builtin_umull_overflow(1UL << 63, 2, &ul)); ASSERT(__builtin_ssubll_overflow(LLONG_MIN, 1, (long long *)&sl));
  ASSERT(__builtin_mul_overflow_p(1 << 20, 1 << 20, (int)0)); ASSERT(!__builtin_mul_overflow_p(1 << 20, 1 << 20, (long)0));
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); if (!__builtin_add_overflow(n, m, &r)) ASSERT((long)n + m == r);
  return 0;
}`, Unreach, "TRUE"},
		{"the leading zeros of zero", `int main(void) { if (__builtin_clz(__VERIFIER_nondet_int()) > 31) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"a sum that does not fit", `int main(void) { int r; if (__builtin_add_overflow(__VERIFIER_nondet_int(), 1, &r) && r < 0) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"the length of a literal", `static int n = __builtin_strlen("abc"); int main(void) { if (n != 3) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"an initialiser that is not constant", `int q, x = 1 + __builtin_popcount(q); int main(void) { if (x == 5) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"one that is", `int x = __builtin_popcount(7) + __builtin_clz(1); int main(void) { static int z = __builtin_ffs(4); if (x != 34 || z != 3) reach_error(); return 0; }`, Unreach, "TRUE"},
		{"strings in arrays", `
#define ASSERT(c) if (!(c)) reach_error()
struct s { char n[4]; char m[8]; } g = {"abc", "abd"}; char t[6]; const char k[] = "key";
int main(void) { char al[8] = "abc", *p = al; ASSERT(strlen(al) == 3 && strlen("hello") == 5 && strlen(&al[1]) == 2 && strlen(al + 3) == 0); ASSERT(strcmp(al, "abc") == 0 && strcmp("abc", al) == 0); ASSERT(strcmp(g.n, g.m) < 0 && strcmp(g.m, g.n) > 0 && strncmp(g.n, g.m, 2) == 0 && strncmp(g.n, g.m, 3) < 0);
  ASSERT(memcmp(g.n, g.m, 2) == 0 && memcmp(g.m, g.n, 3) > 0 && !memcmp(k, "key", 4) && !memcmp(g.n, g.m, 0)); ASSERT(strcmp("\xff", "a") > 0); ASSERT(strlen(t) == 0);
  al[1] = 0; ASSERT(strlen(al) == 1 && strcmp(al, "a") == 0 && strncmp(al, "axx", 1) == 0 && strncmp(al, "a", 9) == 0); int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 5) { t[i] = 'x'; ASSERT((strlen(t) == 1) == (i == 0)); }
  return 0; }`, Unreach, "TRUE"},
		{"whose order is a sign only", `int main(void) { char a[4] = "b"; if (strcmp(a, "a") == 7) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"and one without an end", `char a[2] = "ab"; int main(void) { if (strlen(a) == 2) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"which end before the bound", `int main(void) { char a[4] = "a"; return strncmp(a, "b", 9); }`, MemSafety, "UNKNOWN"},
		{"a loop with an end", `int main(void) { int n = 0; for (int i = 0; i < 9; i++) n += i; return n; }`, Termination, "TRUE"},
		{"a loop that may have none", `int main(void) { unsigned n = 1; while (n) n += 2; return 0; }`, Termination, "UNKNOWN"},
		{"a loop that waits", `int f; int main(void) { while (!f) ; return 0; }`, Termination, "UNKNOWN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run1(t, head+c.src, Options{Property: c.prop, Unroll: 3})
			if got := r.Verdict(); got != c.want && !(c.want == "UNKNOWN" && strings.HasPrefix(got, "UNKNOWN(")) {
				t.Errorf("%s, want %s; %+v", got, c.want, r.Steps)
			}
		})
	}
}
