package c

import "testing"

func TestUnnamed(t *testing.T) {
	for _, c := range [][2]string{
		{"x = (void (*)(A *info))f;", "x = (void (*)(A *    ))f;"},
		{"(*)(int a, struct S const *b, size_t, const size_t, struct S, unsigned long int)", "(*)(int  , struct S const * , size_t, const size_t, struct S, unsigned long int)"},
		{"(* const)(size_t n, struct S s, A *, A * const, char c[3])", "(* const)(size_t  , struct S  , A *, A * const, char  [3])"},
		{"(*)(int (*cb)(int x, A y), int z)", "(*)(int (*  )(int  , A  ), int  )"},
		{"(*)(int n, int a[n])", "(*)(int n, int a[n])"},
		{"f(a * (*p)(b * c))", "f(a * (*p)(b * c))"},
		{"(*)(void, ...)", "(*)(void, ...)"},
		{`"(*)(A *info)" /* (*)(A *info) */`, `"(*)(A *info)" /* (*)(A *info) */`},
		{"(*)(A *info", "(*)(A *info"},
	} {
		if got := string(unnamed([]byte(c[0]))); got != c[1] {
			t.Errorf("%s becomes %s, not %s", c[0], got, c[1])
		}
	}
}
