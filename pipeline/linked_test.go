package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whoop/diag"
)

// TestLinked: what two files of a program have in common.
func TestLinked(t *testing.T) {
	const main = "\nvoid *f(void *a);\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); use(); return 0; }\n"
	// a prototype, and a function that cc has no value for
	const rejected = "int first(int v);\n\nextern inline __attribute__((__gnu_inline__)) __attribute__((__unused__)) int odd(int v)\n" +
		"{\n switch (v) { case __builtin_popcount(3): return 1; }\n return 0;\n}\nextern int y;\n"
	for _, c := range []struct {
		name, first, second string
		want                diag.Verdict
	}{
		{"a variable", "int x; static void use(void) { x = 1; }", "extern int x; void *f(void *a) { x = 2; return 0; }", diag.Racy},
		{"static ones", "static int x; static void use(void) { x = 1; }", "static int x; void *f(void *a) { x = 2; return 0; }", diag.RaceFree},
		{"a struct that is declared in two ways", "struct s { int a, b; } s; static void use(void) { s.b = 1; }", "struct s { char c[8]; }; extern struct s s; void *f(void *a) { s.c[5] = 2; return 0; }", diag.Racy},
		{"a weak function", "int x; __attribute__((weak)) void use(void) {}", "extern int x; void use(void) { x = 1; } void *f(void *a) { x = 2; return 0; }", diag.Racy},
		{"one that is declared to be weak", "int x; void use(void) __attribute__((weak)); void use(void) {}", "extern int x; void use(void) { x = 1; } void *f(void *a) { x = 2; return 0; }", diag.Racy},
		{"or by a pragma", "int x;\n#pragma weak use\nvoid use(void) {}", "extern int x; void use(void) { x = 1; } void *f(void *a) { x = 2; return 0; }", diag.Racy},
		{"a weak one that replaces nothing", "int x; __attribute__((weak)) void use(void) { x = 3; }", "extern int x; void *f(void *a) { x = 2; return 0; }", diag.Racy},
		{"a weak one in the second file", "int x; void use(void) {}", "extern int x; __attribute__((weak)) void use(void) { x = 1; } void *f(void *a) { x = 2; return 0; }", diag.RaceFree},
		{"a header's functions, one of which the parser rejects", "int x; " + rejected + "void use(void) { x = 1; }", rejected + "extern int x; void *f(void *a) { x = 2; return 0; }", diag.Racy},
		{"the bytes of a constant in a case", "int x, y; int which(int v) { switch (v) { case ((unsigned short)__builtin_bswap16((__u16)((0x0800)))): return 1; } return 0; } static void use(void) { if (which(8)) x = 1; }", "extern int x, y; void *f(void *a) { y = 2; return 0; }", diag.RaceFree},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"1.c": "#include <pthread.h>\n" + c.first + main, "2.c": c.second + "\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			rep, err := Verify(context.Background(), dir, Options{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Verdict != c.want {
				t.Errorf("%s, want %s", rep.Verdict, c.want)
			}
		})
	}
}
