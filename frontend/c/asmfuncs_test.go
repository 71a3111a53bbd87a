package c

import "testing"

// The names of functions whose headers have attributes, which have parentheses too.
func TestDefinedName(t *testing.T) {
	for head, want := range map[string]string{
		"static int f(int a) ": "f",
		"\nstatic inline __attribute__((__gnu_inline__)) __attribute__((__always_inline__)) _Bool\ntest_and_set(long n, volatile unsigned long *p)\n": "test_and_set",
		"int g(void (*h)(int), int n) __attribute__((noinline)) ":                                                                                     "g",
		"struct s ":                 "",
		"enum e { a = (1) }; int x": "",
		"int a[] = ":                "",
	} {
		if got := definedName([]byte(head)); got != want {
			t.Errorf("%q: got %q, want %q", head, got, want)
		}
	}
	if got := asmFunctions([]byte("static __attribute__((__always_inline__)) int f(int *p) { asm(\"inc %0\" : \"+m\"(*p)); return 0; } int g(int *p) { return f(p); } int h(void) { return 0; }")); !got["f"] || !got["g"] || got["h"] {
		t.Errorf("got %v", got)
	}
}
