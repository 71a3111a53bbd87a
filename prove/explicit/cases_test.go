package explicit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
	"whoop/trace"
)

const head = `#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define check(c) do { if (!(c)) reach_error(); } while (0)
`

// source loads the text of a C program.
func source(t *testing.T, src string) *ir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(head+src), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := pipeline.Load(file, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ask asks in all ways; it returns those that prove the program, and a trace where one
// was found.
func ask(t *testing.T, p *ir.Program, reduced bool) (proved map[string]bool, found *trace.Trace) {
	t.Helper()
	o := Options{States: 25_000, Wanted: func(a *ir.Assert) bool { return a.Tag == "reach_error" }}
	if reduced {
		facts, err := pipeline.Prove(context.Background(), p, pipeline.Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		o.MayRace = pipeline.MayRace(facts)
	}
	proved = map[string]bool{}
	for _, c := range []struct {
		name                   string
		views, values, threads int
	}{{"two", 2, 6, 0}, {"fine", 2, 40, 0}, {"three", 3, 6, 0}, {"all", 0, 1000, 0}, {"few", 0, 1000, 2}, {"elements", 2, 2, 0}, {"rough", 0, 3, 0}, {"counted", 1, 100, 0}, {"forgotten", 0, 1000, 0}} {
		o.Views, o.Values, o.Threads = c.views, c.values, c.threads
		check := Check
		if c.name == "elements" {
			check = Elements
		}
		if c.name == "rough" {
			check = Roughly
		}
		o.Counted, o.Forget = c.name == "counted", c.name == "forgotten"
		r, err := check(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Proved {
			proved[c.name] = true
		}
		if r.Trace != nil && found == nil {
			found = r.Trace
		}
	}
	return proved, found
}

const many = `int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }`

const stack = `unsigned a[66]; int top; pthread_mutex_t m;
void *in(void *x) { for (int i = 0; i < 66; i++) { pthread_mutex_lock(&m); unsigned v = __VERIFIER_nondet_int(); `

func unstack(most int) string {
	return fmt.Sprintf(`pthread_mutex_unlock(&m); } return 0; }
void *out(void *x) { for (int i = 0; i < 66; i++) { pthread_mutex_lock(&m); if (top > 0) { top--; check(a[top] <= %d); } pthread_mutex_unlock(&m); } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, in, 0); pthread_create(&t, 0, out, 0); }`, most)
}

const queue = `int a[15], b[15], full; pthread_mutex_t m;
void *in(void *x) { pthread_mutex_lock(&m); if (!full) { for (int i = 0; i < 15; i++) { int v = __VERIFIER_nondet_int(); `

func unqueue(same string) string {
	return `} full = 1; } pthread_mutex_unlock(&m); return 0; }
void *out(void *x) { pthread_mutex_lock(&m); if (full) for (int i = 0; i < 15; i++) check(` + same + `); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, in, 0); pthread_create(&t, 0, out, 0); }`
}

// TestCases: programs in which an assertion can fail are never proved, and those in which
// none can are proved in one way at least.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		name, src string
		proved    string // how it must be proved; "": an assertion can fail
		shown     bool   // an execution in which it does must be found
	}{
		{name: "a thread may be stopped for ever behind an unlock", src: `pthread_mutex_t m; int x;
void *worker(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); abort(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_mutex_lock(&m); check(x == 0); pthread_mutex_unlock(&m); }`, shown: true},
		{name: "the end of main ends the program, but not before others have run", src: `int x;
void *worker(void *a) { check(x == 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); x = 1; return 0; }`, shown: true},
		{name: "two threads inside", src: `int in, c;
void *worker(void *a) { int was; __VERIFIER_atomic_begin(); was = in; __VERIFIER_atomic_end(); if (was) return 0;
 __VERIFIER_atomic_begin(); in = 1; __VERIFIER_atomic_end(); c++; check(c == 1); c--; in = 0; return 0; }` + many, shown: true},
		{name: "one thread inside", src: `int in, c;
void *worker(void *a) { int was; __VERIFIER_atomic_begin(); was = in; in = 1; __VERIFIER_atomic_end(); if (was) return 0;
 c++; check(c == 1); c--; in = 0; return 0; }` + many, proved: "two"},
		{name: "three threads at once", src: `int n;
void *worker(void *a) { __VERIFIER_atomic_begin(); n++; check(n < 3); __VERIFIER_atomic_end(); __VERIFIER_atomic_begin(); n--; __VERIFIER_atomic_end(); return 0; }` + many, shown: true},
		{name: "a counter without a bound wraps", src: `int n;
void *worker(void *a) { __VERIFIER_atomic_begin(); n++; check(n > 0); __VERIFIER_atomic_end(); return 0; }` + many},
		{name: "a counter with a bound", src: `int n;
void *worker(void *a) { __VERIFIER_atomic_begin(); if (n < 500) n++; check(n > 0); __VERIFIER_atomic_end(); return 0; }` + many, proved: "two"},
		{name: "remainders of negative numbers", src: `int main(void) { int x = __VERIFIER_nondet_int(); if (x % 3 != 0) check(x % 3 > 0); }`, shown: true},
		{name: "remainders", src: `int main(void) { int x = __VERIFIER_nondet_int(); if (x % 4 == 2) check(x % 2 == 0); if (x > 0) check(x % 3 >= 0); }`, proved: "two"},
		{name: "the last index of an array that nobody reads", src: `int a[10]; int i;
void *worker(void *x) { int k; __VERIFIER_atomic_begin(); k = i; i = i + 1; __VERIFIER_atomic_end(); if (k > 10) return 0; a[k] = 1; check(k < 11); return 0; }` + many},
		{name: "elements of which each has a lock, together", src: `struct { int n; pthread_mutex_t m; } r[4];
void *worker(void *x) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; pthread_mutex_lock(&r[i].m); r[i].n = 1; int j = (i + 1) % 4; check(r[i].n + r[j].n < 2); r[i].n = 0; pthread_mutex_unlock(&r[i].m); return 0; }` + many, shown: true},
		{name: "what was read of another element", src: `struct { int n; pthread_mutex_t m; } r[4];
void *worker(void *x) { int v = r[0].n; pthread_mutex_lock(&r[1].m); int w = r[1].n; check(v == 0 || w > 5); pthread_mutex_unlock(&r[1].m); return 0; }
void *other(void *x) { pthread_mutex_lock(&r[0].m); r[0].n = 1; pthread_mutex_unlock(&r[0].m); return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, other, 0); } }`, shown: true},
		{name: "elements, each by itself", src: `struct { int n; pthread_mutex_t m; } r[6];
void *worker(void *x) { for (int i = 0; i < 6; i++) { pthread_mutex_lock(&r[i].m); check(r[i].n == 0); r[i].n = 1; r[i].n = 0; pthread_mutex_unlock(&r[i].m); } return 0; }` + many, proved: "elements"},
		{name: "elements with the lock of a neighbour", src: `struct { int n; pthread_mutex_t m; } r[3];
void *worker(void *x) { int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int() != 0; if (i < 0 || i > 1) return 0; pthread_mutex_lock(&r[i + k].m); check(r[i].n == 0); r[i].n = 1; r[i].n = 0; pthread_mutex_unlock(&r[i + k].m); return 0; }` + many, shown: true},
		{name: "a wait that ends without a signal", src: `pthread_mutex_t m; pthread_cond_t c; int ready;
void *worker(void *x) { pthread_mutex_lock(&m); if (!ready) pthread_cond_wait(&c, &m); check(ready); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); }`},
		{name: "a wait in a loop", src: `pthread_mutex_t m; pthread_cond_t c; int ready;
void *worker(void *x) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); check(ready); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); }`, proved: "all"},
		{name: "a thread that is not waited for", src: `int x;
void *worker(void *a) { x = 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0); pthread_join(t, 0); x = 2; check(x == 2); }`, shown: true},
		{name: "threads that are waited for", src: `int x;
void *worker(void *a) { x = 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0); pthread_join(t, 0); pthread_join(u, 0); x = 2; check(x == 2); }`, proved: "all"},
		{name: "threads that are waited for, again and again", src: `int x;
void *worker(void *a) { x = 1; return 0; }
int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) { x = 0; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); check(x == 1); } }`, proved: "all"},
		{name: "threads that are waited for, but for the tenth", src: `int x;
void *worker(void *a) { x = 1; return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 12; i++) { x = 0; pthread_create(&t, 0, worker, 0); if (i != 9) pthread_join(t, 0); check(x == 1); } }`, shown: true},
		{name: "a thread that is waited for by two, and its number used again", src: `int done, go; pthread_t h;
void *worker(void *a) { return 0; }
void *waiter(void *a) { pthread_t k = h; while (!go); pthread_join(k, 0); check(done); return 0; }
int main(void) { pthread_t w; pthread_create(&h, 0, worker, 0); pthread_create(&w, 0, waiter, 0); pthread_join(h, 0);
 for (int i = 0; i < 12; i++) { pthread_create(&h, 0, worker, 0); if (i == 11) go = 1; pthread_join(h, 0); } }`},
		{name: "pointers to what others have, and to itself", src: `struct node { struct node *next; int n; };
void *worker(void *a) { struct node *x = a; x->next->next->n = 3; return 0; }
int main(void) { struct node a, b; pthread_t t; a.next = &b; b.next = &a; a.n = b.n = 0; pthread_create(&t, 0, worker, &a); pthread_join(t, 0); check(a.n == 3); check(b.n == 0); }`, proved: "all"},
		{name: "pointers to what others have, otherwise", src: `struct node { struct node *next; int n; };
void *worker(void *a) { struct node *x = a; x->next->next->n = 3; return 0; }
int main(void) { struct node a, b; pthread_t t; a.next = &b; b.next = &a; a.n = b.n = 0; pthread_create(&t, 0, worker, &a); check(a.n == 0); pthread_join(t, 0); }`, shown: true},
		{name: "a long array", src: stack + `check(top < 66); a[top] = v % 7; top++; ` + unstack(6), proved: "rough"},
		{name: "a long array, and what is in it", src: stack + `a[top] = v % 7; top++; ` + unstack(5), shown: true},
		{name: "a long array that is written late", src: stack + `a[top] = top == 60 ? 9 : v % 7; top++; ` + unstack(6)},
		{name: "a long array, an element for each thread", src: `int a[100], i;
void *worker(void *p) { int k; __VERIFIER_atomic_begin(); k = i; if (k < 100) i++; __VERIFIER_atomic_end(); if (k >= 100) return 0; a[k]++; check(a[k] == 1); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }`},
		{name: "as many as there are", src: `int x;
void *worker(void *a) { int t = x; x = t + 1; return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 7; i++) pthread_create(&t, 0, worker, 0); check(x <= 7); }`, proved: "counted"},
		{name: "as many as there are, and one", src: `int x;
void *worker(void *a) { int t = x; x = t + 1; return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 7; i++) pthread_create(&t, 0, worker, 0); check(x <= 6); }`},
		{name: "what is put in is what comes out", src: queue + `a[i] = v; b[i] = v; ` + unqueue("(a[i] > 0) == (b[i] > 0) && a[i] == b[i]"), proved: "forgotten"},
		{name: "what is put in next to it", src: queue + `a[i] = v; b[i] = i == 7 ? v + 1 : v; ` + unqueue("(a[i] > 0) == (b[i] > 0) && a[i] == b[i]")},
		{name: "what was compared before", src: `int x; pthread_mutex_t m;
void *worker(void *a) { pthread_mutex_lock(&m); int is = x > 5; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); check(is == (x > 5)); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; x = __VERIFIER_nondet_int(); pthread_create(&t, 0, worker, 0); pthread_mutex_lock(&m); if (x == 7) x = 6; pthread_mutex_unlock(&m); }`, proved: "all"},
		{name: "what was compared before, and changed", src: `int x; pthread_mutex_t m;
void *worker(void *a) { pthread_mutex_lock(&m); int is = x > 5; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); check(is == (x > 5)); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; x = __VERIFIER_nondet_int(); pthread_create(&t, 0, worker, 0); pthread_mutex_lock(&m); if (x == 7) x = 5; pthread_mutex_unlock(&m); }`},
		{name: "half of a copy", src: `struct pair { int a, b; } s;
void *worker(void *x) { struct pair p; p.a = 1; p.b = 1; s = p; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); int b = s.b, a = s.a; check(b == 0 || a == 1); b = s.b; check(s.a == 0 || b == 1); }`},
		{name: "a use after free", src: `int main(void) { int *p = malloc(4); *p = 1; free(p); check(*p == 1); }`},
		{name: "a lock that is released by another thread", src: `pthread_mutex_t m; int x;
void *worker(void *a) { pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, worker, 0); pthread_mutex_lock(&m); check(x == 1); }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := source(t, c.src)
			for _, reduced := range []bool{false, true} {
				proved, found := ask(t, p, reduced)
				if c.proved == "" && len(proved) > 0 {
					t.Errorf("proved: %v", proved)
				}
				if c.proved != "" && !proved[c.proved] && (reduced || c.proved != "rough" && c.proved != "forgotten") {
					t.Errorf("not proved by %s, only by %v", c.proved, proved)
				}
				if c.shown && found == nil {
					t.Errorf("no execution was found")
				}
				if found != nil {
					replays(t, p, found)
				}
			}
		})
	}
}

// replays checks that a trace shows what it says.
func replays(t *testing.T, p *ir.Program, x *trace.Trace) {
	t.Helper()
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := x.Harness(p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Replay(m, h, x); err != nil {
		t.Error(err)
	}
}
