package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/pipeline"
)

// TestLanguage: what the C language says of programs, by data model.
func TestLanguage(t *testing.T) {
	const head = "#include <pthread.h>\nextern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int); extern void reach_error(void);\n#define ASSERT(c) if (!(c)) reach_error()\n"
	for _, c := range []struct {
		name, model, src string
		prop             Property
		want             string
	}{
		{"a bool is 0 or 1", "", `int main(void) { int x = __VERIFIER_nondet_bool(); ASSERT(x <= 1); return 0; }`, Unreach, "TRUE"},
		{"and may be both", "", `int main(void) { int x = __VERIFIER_nondet_bool(); if (x && !__VERIFIER_nondet_bool()) reach_error(); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"argc is not negative", "", `int main(int argc, char **argv) { int x = -argc; return x == 5; }`, Overflow, "TRUE"},
		{"and may be any other", "", `int main(int argc, char **argv) { ASSERT(argc != 7); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"the arguments are strings", "", `int main(int argc, char **argv) { if (argc >= 2 && !argv[1]) reach_error(); ASSERT(argc < 3 || argv[3] || argc == 3); return 0; }`, Unreach, "TRUE"},
		{"unless they are changed", "", `int main(int argc, char **argv) { if (argc >= 2) { argv[1] = 0; ASSERT(argv[1]); } return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"arguments of models have the types of parameters", "", `int main(void) { __VERIFIER_assume(1L << 32); reach_error(); return 0; }`, Unreach, "TRUE"},
		{"the size of an array of variable length is evaluated", "", `int main(void) { int n = 5; int s = sizeof(int[n++]); ASSERT(n == 6 && s == 20); return 0; }`, Unreach, "TRUE"},

		{"constants of floating point", "", `int main(void) { ASSERT((_Bool)0.5 == 1 && (int)2.7 == 2 && 0.5 > 0.25 && (int)-1.5 == -1 && !0.0 && 3 == 3.0); return 0; }`, Unreach, "TRUE"},
		{"numbers and characters", "", `#include <stdlib.h>
#include <ctype.h>
int main(void) { int n = __VERIFIER_nondet_int(); if (n > -9 && n < 9) ASSERT(abs(n) >= 0 && abs(-3) == 3); int (*up)(int) = 0; ASSERT(abs(3) == 3); ASSERT((toupper)('x') == 'X' && (tolower)('A') == 'a' && (isdigit)('7') && !(isdigit)('x')); return 0; }`, Unreach, "TRUE"},
		{"bytes in the order of the network, and the first bit", "", `#include <arpa/inet.h>
#include <strings.h>
#include <string.h>
volatile int x = 1, z; int main(void) { unsigned n = __VERIFIER_nondet_int(); ASSERT(htonl(0x01020304) == 0x04030201 && ntohs(0x0102) == 0x0201 && ntohl(htonl(n)) == n); ASSERT(ffs(x) == 1 && ffs(z) == 0 && ffs(x << 31) == 32 && ffsl(x * 8L) == 4);
int k = ffs(z++); ASSERT(k == 0 && z == 1); return 0; }`, Unreach, "TRUE"},
		{"the least number", "", `#include <stdlib.h>
int main(void) { return abs(__VERIFIER_nondet_int()); }`, Overflow, "FALSE(no-overflow)"},
		{"several characters", "", `int main(void) { const char *s = "it's 'ab'"; ASSERT('ab' == 24930 && s[6] == 'a'); return 0; }`, Unreach, "TRUE"},
		{"bit-fields without a name do not align", "", `struct s { short a; unsigned : 5; char b; }; struct z { char a; unsigned : 0; char b; }; union { struct z z[2]; char c[10]; } u;
int main(void) { u.z[1].b = 7; ASSERT(sizeof(struct s) == 4 && sizeof(struct z) == 5 && u.c[9] == 7); return 0; }`, Unreach, "TRUE"},
		{"packed bit-fields lie where they fit", "", `struct s { unsigned char a : 4; unsigned short b : 16; unsigned c : 30; unsigned d : 2; } __attribute__((packed)); union { struct s s; unsigned char x[7]; } u;
int main(void) { u.s.b = 0xabcd; u.s.c = 0x2fedcba9; u.s.d = 2; u.s.a = 5; ASSERT(u.x[0] == 0xd5 && u.x[1] == 0xbc && u.s.b == 0xabcd && u.s.c == 0x2fedcba9 && u.s.d == 2 && sizeof u == 7); return 0; }`, Unreach, "TRUE"},
		{"bit-fields of several types share bytes", "", `struct p { int s; unsigned a : 1, b : 3; _Bool c : 1, d : 1; signed char g : 4; unsigned short h : 9; int e; unsigned char k : 2; unsigned long l : 40; };
static struct p x = {0, 1U, 5U, (_Bool)1, (_Bool)0, -3, 300, 7, 2, 0x1234567890}; struct p y;
int main(void) { ASSERT(x.a == 1 && x.b == 5 && x.c == 1 && x.d == 0 && x.g == -3 && x.h == 300 && x.e == 7 && x.k == 2 && x.l == 0x1234567890); x.d = 5; x.a = 0; x.g = 7; x.h = 511;
ASSERT(x.a == 0 && x.b == 5 && x.c == 1 && x.d == 1 && x.g == 7 && x.h == 511 && x.e == 7); y.c = 1; y.l = 0xffffffffffUL; y.k = 1; ASSERT(y.a == 0 && y.c == 1 && y.d == 0 && y.l == 0xffffffffffUL && y.k == 1 && y.b == 0);
x.b += 4; y.g--; ASSERT(x.b == 1 && x.c == 1 && x.a == 0 && y.g == -1 && y.h == 0 && y.d == 0); return 0; }`, Unreach, "TRUE"},
		{"and lie before others that are initialised", "", `struct s { signed char a; long b : 1; unsigned c : 5; int d : 19; _Bool e; signed char g[3]; } s = { -59, 1, .d = 1, .g = {1, [2] = -34} };
int main(void) { ASSERT(s.a == -59 && s.b == -1 && s.d == 1 && !s.e && s.g[0] == 1 && s.g[1] == 0 && s.g[2] == -34); return 0; }`, Unreach, "TRUE"},
		{"constants of enumerations are of type int", "", `enum e { A, B = 5 }; enum { BIG = 0x80000000, NEG = -1 }; int x = -1; volatile int c = 1; enum e v = B; int si = B > -1, arr[2] = { B - 6 };
int main(void) { ASSERT(x < B && (c ? -1 : A) < 0 && (x ? x : B) < 0 && (B, -1) < A && ~A < 0 && (A - 6) / 2 == -3 && (-B) >> 1 < 0 && x % B == -1); ASSERT(v < -1); ASSERT(si == 1 && arr[0] == -1);
long l = c ? -B : A; ASSERT(l == -5); v = -1; ASSERT(v > 0 && NEG < 0 && BIG > 0); switch ((long)x) { case A - 1: break; default: reach_error(); } struct { enum e f : 3; } s; s.f = 5; ASSERT(s.f == B); return 0; }`, Unreach, "TRUE"},
		{"variadic arguments", "", `#include <stdarg.h>
struct P { int a; long b; double d; char c[30]; }; long sum(int n, ...) { va_list a; va_start(a, n); long s = 0; for (int i = 0; i < n; i++) s += va_arg(a, int); va_end(a); return s; }
struct P pick(int k, ...) { va_list a, b; va_start(a, k); va_copy(b, a); struct P p = va_arg(a, struct P); int z = va_arg(a, int); p.a += z; struct P q = va_arg(b, struct P); p.b += q.b; return p; }
int mix(const char *f, ...) { va_list a; va_start(a, f); int r = 0; for (; *f; f++) switch (*f) { case 'i': r += va_arg(a, int); break; case 'l': r += va_arg(a, long); break; case 'p': r += *va_arg(a, int *); break;
  case 'f': r += va_arg(a, int (*)(void))(); break; case 'u': r += va_arg(a, unsigned) >> 31; } va_end(a); return r; }
long list(int n, va_list a) { long s = 0; while (n--) s += va_arg(a, long long); return s; } long wrap(int n, ...) { va_list a; va_start(a, n); long r = list(n, a); va_end(a); return r; } int two(void) { return 2; }
int main(void) { int g = 100; char c = -3; short h = 7; struct P p = {1, 2, 3.0, "x"}; struct P q = pick(1, p, 5); ASSERT(sum(3, 1, -2, 40) == 39 && sum(2, c, h) == 4 && sum(0) == 0); ASSERT(q.a == 6 && q.b == 4);
  ASSERT(mix("ilpfu", -1, 5L, &g, two, 0x80000000u) == 107); ASSERT(wrap(2, 4LL, -1LL) == 3); long (*fp)(int, ...) = sum; ASSERT(fp(1, 9) == 9); return 0; }`, Unreach, "TRUE"},
		{"that is written through", "", `#include <stdarg.h>
int x; void set(int n, ...) { va_list a; va_start(a, n); *va_arg(a, int *) = 1; va_end(a); } void *f(void *a) { set(1, &x); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; return 0; }`, DataRace, "FALSE(no-data-race)"},
		{"more than a list is followed for", "", `#include <stdarg.h>
#include <stdio.h>
char x[9] = "x"; void lg(const char *f, ...) { va_list a; va_start(a, f); vprintf(f, a); va_end(a); } void *f(void *a) { lg("", 1, 2, 3, 4, 5, 6, 7, 8, x); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x[0] = 2; return 0; }`, DataRace, "UNKNOWN"},
		{"a struct that the library returns", "", `#include <stdlib.h>
int main(void) { div_t d = div(7, 2); ASSERT(d.quot == 3); return 0; }`, Unreach, "UNKNOWN"},
		{"constants of enumerations that are made of others", "", `enum e { A, B }; enum f { X = A - 1 }; enum g { Y = B + 4, Z = Y * B }; int main(void) { ASSERT(Y == 5 && Z - 6 < 0); return 0; }`, Unreach, "TRUE"},
		{"and are negative", "", `enum e { A, B }; enum f { X = A - 1 }; int main(void) { enum f q = X; ASSERT(X < 0 && q < 0); return 0; }`, Unreach, "UNKNOWN"},
		{"the bits of a floating point number", "", `union { float f; unsigned u; } x; union { double d; unsigned long u; } y; int main(void) { x.f = 1.0f; y.d = -2.0; ASSERT(x.u == 0x3f800000 && y.u == 0xc000000000000000); return 0; }`, Unreach, "TRUE"},
		{"threads of a pragma", "", "int x; int main(void) {\n#pragma omp parallel for\nfor (int i = 0; i < 9; i++) x++;\nreturn 0; }", DataRace, "UNKNOWN"},
		{"functions in the linker's table", "", `int x; void *f(void *a) { x++; return 0; } static void c(void) { pthread_t t; pthread_create(&t, 0, f, 0); } __attribute__((section(".init_array"), used)) static void (*i)(void) = c;
int main(void) { x++; return 0; }`, DataRace, "UNKNOWN"},
		{"and end with their struct", "", `struct s { long a; short b : 7; } __attribute__((packed)) s; int main(void) { s.b = 9; s.a = -1; ASSERT(s.b == 9 && sizeof s == 9); return 0; }`, Unreach, "TRUE"},
		{"as do those of 32-bit programs", "ILP32", `struct s { long long b : 20; } s; union { long long b : 20; } u; int main(void) { s.b = 9; u.b = 7; ASSERT(s.b == 9 && u.b == 7); return 0; }`, Unreach, "TRUE"},
		{"arithmetic of wide ones is as wide as compilers will", "", `struct s { unsigned long a : 40; } s; int main(void) { unsigned long x = s.a - 1; ASSERT(x >> 39 == 1); return 0; }`, Unreach, "UNKNOWN"},
		{"unless the other operand is as wide", "", `struct s { unsigned long a : 40; unsigned b : 3; } s; int main(void) { unsigned long x = s.a - 1UL; s.b = 1; ASSERT(x >> 39 == (1 << 25) - 1 && -s.b < 0 && ~s.b < 0); s.a = 1UL << 39; s.a++; ASSERT(s.a == (1UL << 39 | 1)); return 0; }`, Unreach, "TRUE"},
		{"packed members", "", `struct s { char a; int b __attribute__((packed)); char c; } s; int main(void) { ASSERT(sizeof s == 12); return 0; }`, Unreach, "UNKNOWN"},
		{"vectors", "", `typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 a = {1, 2, 3, 4}; ASSERT(a[2] == 3); return 0; }`, Unreach, "UNKNOWN"},
		{"addresses of labels", "", `int main(void) { static void *t[] = {&&a, &&b, &&c}; int r = 0, pc = 0; int prog[] = {0, 1, 0, 2};
  goto *t[prog[pc++]]; a: r += 1; goto *t[prog[pc++]]; b: r += 10; goto *t[prog[pc++]]; c: ASSERT(r == 12); ASSERT(r != 12); return 0; }`, Unreach, "FALSE(unreach-call)"},
		{"atomic pointers", "", `#include <stdatomic.h>
int a[4] = {1, 2, 3, 4}; int *_Atomic p = a; int main(void) { ASSERT(*atomic_fetch_add(&p, 4) == 1); ASSERT(*p == 2); atomic_int n = 3; ASSERT(atomic_fetch_sub(&n, 2) == 3 && n == 1); return 0; }`, Unreach, "TRUE"},
		{"a copied struct", "", `struct s { int a; int *p; }; int g = 5; int main(void) { struct s s = {1, &g}; struct s t = s; *t.p = 7; ASSERT(g == 7); return 0; }`, Unreach, "TRUE"},
		{"waiting as gcc expands it", "", `unsigned nx, sv; int x; void lock(void) { unsigned me = __atomic_fetch_add(&nx, 1, 5);
  while (__extension__({ __auto_type p = &sv; __typeof__((void)0, *p) tmp; __atomic_load(p, &tmp, 5); tmp; }) != me) ; }
void *f(void *a) { lock(); x++; __atomic_fetch_add(&sv, 1, 5); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); return 0; }`, DataRace, "TRUE"},
		{"assembly without instructions", "", `int main(void) { int x = 1; asm volatile("" ::: "memory"); ASSERT(x == 1); return 0; }`, Unreach, "TRUE"},

		{"pointers have 4 bytes", "ILP32", `struct n { struct n *next; int v; } *list; int main(void) { struct n x, *p = &x; x.next = p; list = x.next;
  ASSERT(sizeof p == 4 && sizeof(struct n) == 8 && sizeof(long) == 4 && sizeof(unsigned[3]) == 12 && list == &x && (char *)&list->v - (char *)list == 4); return 0; }`, Unreach, "TRUE"},
		{"in unions", "ILP32", `union { int i[2]; struct { void *a; int b; } s; } u; void *f(void *a) { u.i[1] = 7; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); u.s.b = 1; pthread_join(t, 0); return 0; }`, DataRace, "FALSE(no-data-race)"},
		{"in arrays", "ILP32", `int main(void) { int *a[3] = {0}; int *p = (int *)a; return p[5]; }`, MemSafety, "FALSE(valid-deref)"},
		{"in memory", "ILP32", `#include <stdlib.h>
struct n { int v; struct n *p; }; int main(void) { struct n *a = malloc(8); if (!a) return 0; a->p = 0; free(a); return 0; }`, MemSafety, "TRUE"},
		{"and as integers 32 bits", "ILP32", `int g, h, got; void *f(void *a) { got = (int)a; return (void *)(got + 1); }
int main(void) { int i = __VERIFIER_nondet_int(); pthread_t t; void *r; if (i > 1000) return 0; pthread_create(&t, 0, f, (void *)i); pthread_join(t, &r);
  ASSERT(got == i && (int)r == i + 1); ASSERT((unsigned)&g != (unsigned)&h && (unsigned)&g);
  void *p = (void *)-1, *q = (void *)0xffffffffu; ASSERT(p == q); return 0; }`, Unreach, "TRUE"},
		{"whose bytes are not followed", "ILP32", `int x; int main(void) { int *p = &x; unsigned char *b = (unsigned char *)&p; ASSERT(b[3] != 7); return 0; }`, Unreach, "UNKNOWN"},
		{"in a list of threads", "ILP32", `#include <stdlib.h>
struct n { struct n *next; int v; } *list; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { struct n *x = a; pthread_mutex_lock(&m); x->next = list; list = x; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; struct n y = {0, 1}, z = {0, 2}; pthread_create(&t, 0, f, &y); f(&z); pthread_join(t, 0); ASSERT(list->v + list->next->v == 3 && !list->next->next); return 0; }`, Unreach, "TRUE"},

		{"a variable of an iteration given to a thread", "", `void *f(void *a) { (*(int *)a)++; return 0; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) { int id = i; pthread_create(&t[i], 0, f, &id); } for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }`, DataRace, "UNKNOWN"},
		{"is used after its end", "", `void *f(void *a) { return (void *)(long)*(int *)a; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) { int id = i; pthread_create(&t[i], 0, f, &id); } for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }`, MemSafety, "FALSE(valid-deref)"},
		{"or not where the thread is waited for", "", `int x; void *f(void *a) { x = *(int *)a; return 0; }
int main(void) { for (int i = 0; i < 2; i++) { pthread_t t; int id = i; pthread_create(&t, 0, f, &id); pthread_join(t, 0); ASSERT(x == i); } return 0; }`, Unreach, "TRUE"},
		{"which is no race, either", "", `int x; void *f(void *a) { x = *(int *)a; return 0; }
int main(void) { for (int i = 0; i < 2; i++) { pthread_t t; int id = i; pthread_create(&t, 0, f, &id); pthread_join(t, 0); } return 0; }`, DataRace, "TRUE"},
		{"a variable of a function that has returned", "", `void *f(void *a) { (*(int *)a)++; return 0; } void start(pthread_t *t) { int x = 0; pthread_create(t, 0, f, &x); }
int main(void) { pthread_t t[2]; start(&t[0]); start(&t[1]); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }`, DataRace, "UNKNOWN"},
		{"a block that has ended", "", `int main(void) { int *p; { int x = 3; p = &x; } return *p; }`, MemSafety, "FALSE(valid-deref)"},
		{"and one that has not", "", `int main(void) { int *p, s = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; if (i == 1) continue; s += *p; if (s > 5) break; } ASSERT(s == 2); return 0; }`, Unreach, "TRUE"},
		{"whose pointers may be compared", "", `int main(void) { int *p, s = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; if (i == 1) continue; s += *p; if (s > 5) return *p; } return s; }`, MemSafety, "TRUE"},
		{"in a literal", "", `int main(void) { int *p; if (1) { p = &(int){3}; } return *p; }`, MemSafety, "FALSE(valid-deref)"},
		{"the result of a function", "", `int *f(void) { int x = 1; return &x; } int main(void) { return *f(); }`, MemSafety, "FALSE(valid-deref)"},
		{"with a goto out of it", "", `int main(void) { int *p; { int x = 3; p = &x; goto out; } out: ASSERT(*p == 3); return 0; }`, Unreach, "UNKNOWN"},
		{"pointers in structs of one block", "", `struct s { int *p; }; int get(struct s *s) { return *s->p; } int main(void) { for (int i = 0; i < 2; i++) { int x = i; struct s s = {&x}; ASSERT(get(&s) == i); } return 0; }`, Unreach, "TRUE"},
		{"a variable of a thread that has ended", "", `__thread int x; void *f(void *a) { return &x; } int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0); pthread_join(t, &r); return *(int *)r; }`, MemSafety, "UNKNOWN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(head+c.src), 0o644); err != nil {
				t.Fatal(err)
			}
			o := asserting(pipeline.Options{}, c.prop)
			o.C.DataModel = c.model
			p, err := pipeline.Load(file, o)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(context.Background(), p, Options{Property: c.prop, Unroll: 4, Asserted: c.prop == Overflow})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Verdict(); got != c.want && !(c.want == "UNKNOWN" && strings.HasPrefix(got, "UNKNOWN(")) {
				t.Errorf("%s, want %s; %+v", got, c.want, r.Steps)
			}
		})
	}
}
