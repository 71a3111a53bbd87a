package c_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/benchmarks/expect"
	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/internal/testscope"
	"whoop/ir"
)

// load lowers a file, validates the result and checks that it prints and parses back.
func load(t *testing.T, path string, defines ...string) *ir.Program {
	t.Helper()
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Load(path, m, c.Options{Defines: defines})
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return p
}

// Files named on the command line by WHOOP_C are lowered and printed: a debugging aid.
func TestShow(t *testing.T) {
	path := os.Getenv("WHOOP_C")
	if path == "" {
		t.Skip("WHOOP_C is not set")
	}
	ir.Print(os.Stdout, load(t, path))
}

// Every program of the corpus lowers without an unknown function.
func TestCorpus(t *testing.T) {
	ps, err := expect.Programs("../../benchmarks/races/*/*.c", "../../benchmarks/drivers/*.c",
		"../../benchmarks/handlers/*.c", "../../examples/*/*.c", "testdata/*.c")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range ps {
		if !testscope.Every(i, 3) { // all are lowered by the tests in benchmarks
			continue
		}
		p := load(t, f.Path, f.Defines...)
		for _, fn := range p.Funcs {
			if fn.Unknown != "" {
				t.Errorf("%s: %s is not understood: %s", f.Name, fn.Name, fn.Unknown)
			}
		}
	}
}

// lowered lowers C text and returns its printed IR.
func lowered(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.c")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	ir.Print(&b, load(t, path))
	return b.String()
}

// Small pieces of C and what their lowering must, and must not, contain.
func TestLower(t *testing.T) {
	for _, tc := range []struct{ name, text, want, not string }{
		{"pointer to atomic", "_Atomic int *p; void f(void) { p = 0; }", "store plain &p", ""},
		{"through a pointer to atomic", "_Atomic int *p; void f(void) { *p = 1; }", "store seq_cst t", ""},
		{"atomic pointer", "int *_Atomic p; void f(void) { p = 0; }", "store seq_cst &p", ""},
		{"through an atomic pointer", "int *_Atomic p; void f(void) { *p = 1; }", "store plain t", ""},
		{"atomic struct", "struct s { int a, b; }; _Atomic struct s g, *p; void f(struct s *q) { *p = *q; *q = g; }", "memcopy seq_cst", "store"},
		{"atomic array", "_Atomic int a[3]; void f(void) { a[1]++; }", "rmw add seq_cst", ""},
		{"atomic typedef", "typedef _Atomic int ai; struct s { ai *q; } g; void f(void) { *g.q = 1; }", "store seq_cst t", "load seq_cst"},
		{"volatile is not atomic", "volatile int v; void f(void) { v = 1; }", "store volatile &v", ""},
		{"pointer to const", "const char *m = \"a\"; void f(void) { m = 0; }", "global m: *i8 @", "global m: *i8 const"},
		{"string", "char s[] = \"ab\";", "1 = i8 98", ""},
		{"bit-fields", "struct { unsigned a : 3, b : 5; } g = {1, 2};", "0 = u32 17", ""},
		{"initialiser that a constant chooses", "int f(void); int g(void); int (*t[3])(void) = {(1 ? f : (void *)0), ((0 || 0) ? ((f)) : g), 0 ? f : (void *)0};", "{\n  0 = fn f @1:48\n  8 = fn g @1:69\n}", "assumption"},
		{"range of elements", "int a[6] = {[1 ... 2] = 7, 8};", "{\n  4 = i32 7 @1:25\n  8 = i32 7 @1:25\n  12 = i32 8 @1:28\n}", ""},
		{"range of lists", "struct { int x, y; } a[3] = {[0 ... 1] = {.y = 7}, [2].x = 8};", "4 = i32 7 @1:48\n  12 = i32 7 @1:48\n  16 = i32 8", "assumption"},
		{"range that is mended", "int a[3] = {[0 ... 2] = 7, [1] = 0};", "0 = i32 7 @1:25\n  8 = i32 7", "4 = i32"},
		{"range with effects", "int n(void); void f(void) { int a[3] = {[0 ... 2] = n()}; }", "assumption unmodelled", ""},
		{"variable with two names", "int a; extern int b __attribute__((alias(\"a\"))); void f(void) { b = 1; }", "store plain &a, i32 1", "assumption"},
		{"variable with a label", "int a; extern int b __asm__(\"a\"); void f(void) { b = 1; }", "store plain &a, i32 1", "assumption"},
		{"bit-field that is mended", "struct { unsigned a : 3, b : 5; } g = {.b = 5, .a = 1, .b = 2};", "0 = u32 17", ""},
		{"size of an array parameter", "int f(int a[10]) { return sizeof(a) + sizeof a; }", "return i32 16", ""},
		{"wide string", "int *f(void) { return L\"ab\"; }", "assumption unmodelled", ""},
		{"wide characters", "int w[] = L\"ab\";", "assumption unmodelled", ""},
		{"UTF-8", "const char *f(void) { return u8\"ab\"; }", "assumption unmodelled", ""},
		{"string that begins with u8", "const char *f(void) { return \"u8\"; }", "0 = i8 117", "assumption"},
		{"file-scope literal", "int *p = (int[]){7, 8};", "4 = i32 8", "assumption"},
		{"static label table", "int f(int i) { static void *t[] = {&&a, &&b}; goto *t[i]; a: return 1; b: return 2; }", "then a.", "unknown"},
		{"declaration before the first case", "int f(int x) { switch (x) { int y; case 1: y = 2; int *p = &y; return *p; } return 0; }", "alloc stack i32", ""},
		{"switch promotes", "int f(char c) { switch (c) { case 200: return 1; } return 0; }", "i32 200", ""},
		{"untyped malloc", "void *malloc(unsigned long); struct s { int a, b; }; void *f(void) { return malloc(2 * sizeof(struct s)); }", "alloc heap struct(\"s\"), u64 2", ""},
		{"asm goto", "int f(int a) { asm goto(\"x\" : : \"r\"(a) : : out); return 1; out: return 2; }", "return i32 2", ""},
		{"cleanup", "void u(int *p); int f(void) { int x __attribute__((cleanup(u))) = 1; return x; }", "unknown \"variable with a cleanup function that is not defined here: u\"", ""},
		{"cleanup function", "void u(int *p) {} int f(void) { int x __attribute__((cleanup(u))) = 1; return x; }", "call u(cast(*i32, \"&x\"))", "unknown"},
		{"cleanup beside goto", "void u(int *p) {} int f(int a) { if (a) goto out; { int x __attribute__((cleanup(u))) = 1; } out: return 1; }", "unknown \"variable with a cleanup function, beside goto\"", ""},
		{"nested function", "int f(int a) { int g(int b) { return b; } return g(a); }", "unknown", ""},
		{"assembly that hides a value", "void *h(void *p) { unsigned long v; __asm__(\"\" : \"=r\"(v) : \"0\"(p)); return (void *)v; }", "v := ", "havoc"},
		{"assembly for the data of a processor", "int d; int *h(void) { unsigned long v; asm(\"add \" \"%%\" \"gs\" \":\" \"%1\" \", %0\" : \"=r\"(v) : \"m\"(d), \"0\"(&d)); return (int *)v; }", "add(cast(u64, &d)", ""},
		{"other assembly", "void *h(void *p) { unsigned long v; __asm__(\"inc %0\" : \"=r\"(v) : \"0\"(p)); return (void *)v; }", "havoc", ""},
		{"exchange in assembly", "void *f(void **p, void *v) { switch (sizeof(*p)) { case 4: asm(\"xchgl %0, %1\" : \"+r\"(v), \"+m\"(*p) : : \"memory\"); break; case 8: asm volatile(\"\" \"xchg\" \"q %q0, %1\\n\" : \"+r\"(v), \"+m\"(*p) : : \"memory\"); } return v; }", "rmw xchg seq_cst p, ", "inline-asm"},
		{"addition in assembly", "int f(int *p, int v) { asm(\"lock; xaddl %0, %1\" : \"+r\"(v), \"+m\"(*p)); return v; }", "rmw add seq_cst p, ", "havoc"},
		{"addition that is not atomic", "int f(int *p, int v) { asm(\"xaddl %0, %1\" : \"+r\"(v), \"+m\"(*p)); return v; }", "havoc", "rmw"},
		{"comparison in assembly", "int f(int *p, int v) { int old = 3; char z; asm(\"lock\\n cmpxchgl %[new], %[ptr]\" \"/* z*/\\n\" : \"=@cc\" \"z\"(z), [ptr] \"+m\"(*p), [old] \"+a\"(old) : [new] \"r\"(v)); return z; }", "cmpxchg seq_cst p, ", "havoc"},
		{"exchange of another size", "long f(long *p, long v) { asm(\"xchgl %0, %1\" : \"+r\"(v), \"+m\"(*p)); return v; }", "havoc", "rmw"},
		{"exchange with more", "long f(long *p, long v) { asm(\"xchgq %0, %1; incq %1\" : \"+r\"(v), \"+m\"(*p)); return v; }", "havoc", "rmw"},
		{"external", "void e(const int *p, int *q, void (*c)(void)); int a, b; void k(void) {} void f(void) { e(&a, &b, k); }", "register e calls fn k", ""},
		{"variadic", "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); return __builtin_va_arg(a, int); }", "load plain cast(*i32, field(t, \"$variadic argument\", value))", "assumption"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := lowered(t, tc.text)
			if !strings.Contains(got, tc.want) {
				t.Errorf("no %q in\n%s", tc.want, got)
			}
			if tc.not != "" && strings.Contains(got, tc.not) {
				t.Errorf("%q in\n%s", tc.not, got)
			}
		})
	}
}
