package check

import (
	"strings"
	"testing"
)

// verdict is one line of a table of programs: want is what is said of prop, "UNKNOWN" for any reason.
type verdict struct {
	name, src string
	prop      Property
	want      string
}

func (v verdict) run(t *testing.T) {
	r := run1(t, head+v.src, Options{Property: v.prop, Unroll: 3})
	if got := r.Verdict(); got != v.want && !(v.want == "UNKNOWN" && strings.HasPrefix(got, "UNKNOWN(")) {
		t.Errorf("%s, want %s; %+v", got, v.want, r.Steps)
	}
}

// racing is a program in which a thread runs one statement while main runs another.
func racing(decls, thread, main string) string {
	return decls + " void *f(void *a) { " + thread + " return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); " + main + " pthread_join(t, 0); return 0; }"
}

// TestLibrary: what functions of the library do through the pointers that they are given.
func TestLibrary(t *testing.T) {
	const logging = "#include <stdio.h>\n#include <stdarg.h>\nchar b[8] = \"abc\"; void lg(const char *f, ...) { va_list v; va_start(v, f); vprintf(f, v); va_end(v); }\n"
	for _, v := range []verdict{
		{"fopen reads its path", racing("#include <stdio.h>\nchar b[8];", `fopen(b, "r");`, "b[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"open reads its path", racing("#include <fcntl.h>\nchar b[8];", `open(b, O_RDONLY);`, "b[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"fcntl may write", racing("#include <fcntl.h>\nstruct flock b;", `fcntl(0, F_GETLK, &b);`, "if (b.l_type) pthread_yield();"), DataRace, "UNKNOWN"},
		{"printf reads its format", racing("#include <stdio.h>\nchar b[8] = \"%d\";", `printf(b, 1);`, "b[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"printf writes for %n", racing("#include <stdio.h>\nint b;", `printf("a%n", &b);`, "b = 1;"), DataRace, "FALSE(no-data-race)"},
		{"and does not else", racing("#include <stdio.h>\nint b;", `printf("a%p", &b);`, "b = 1;"), DataRace, "TRUE"},
		{"variadic arguments are handed on", racing(logging, `lg("%s", b);`, "b[0] = 1;"), DataRace, "UNKNOWN"},
		{"where they are numbers and literals", racing(logging, `lg("%s%d", "text", 1);`, "b[0] = 1;"), DataRace, "TRUE"},
		{"strsep may write the text", "#include <string.h>\nchar s[8] = \"a,b\", *b = s; int main(void) { strsep(&b, \",\"); if (s[1] == 0) reach_error(); return 0; }", Unreach, "UNKNOWN"},
		{"strsep reads the text", racing("#include <string.h>\nchar s[8] = \"a,b\", *b = s;", `strsep(&b, ",");`, "s[1] = 3;"), DataRace, "FALSE(no-data-race)"},
		{"the environment is one object", racing("#include <stdlib.h>\n", `char *x = getenv("A"); if (x) x[0] = 1;`, "f(0);"), DataRace, "UNKNOWN"},
		{"a buffer of a stream", "#include <stdio.h>\nchar b[99]; int main(void) { setvbuf(stdout, b, _IOFBF, 99); putchar(1); if (b[0]) reach_error(); return 0; }", Unreach, "UNKNOWN"},
		{"a stream without a buffer", "#include <stdio.h>\nchar b[99]; int main(void) { setvbuf(stdout, 0, _IONBF, 0); putchar(1); if (b[0]) reach_error(); return 0; }", Unreach, "TRUE"},
		{"errx does not return", "#include <err.h>\nint main(void) { errx(1, \"no\"); reach_error(); return 0; }", Unreach, "TRUE"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestConstants: what is constant is not written.
func TestConstants(t *testing.T) {
	for _, v := range []verdict{
		{"a literal", `int main(void) { char *s = "abc"; s[0] = 'x'; return 0; }`, MemSafety, "FALSE(valid-deref)"},
		{"that is set as a whole", "#include <string.h>\nint main(void) { char *s = \"abc\"; memset(s, 0, 4); return 0; }", MemSafety, "FALSE(valid-deref)"},
		{"a const object", `const int c = 5; int main(void) { *(int *)&c = 6; return 0; }`, MemSafety, "FALSE(valid-deref)"},
		{"where that is not asked", `const int c = 5; int main(void) { *(int *)&c = 6; if (c == 6) reach_error(); return 0; }`, Unreach, "UNKNOWN"},
		{"read by another thread", racing("const int c = 3;", "*(int *)&c = 4;", "int k = c;"), DataRace, "UNKNOWN"},
		{"that is read only", `const int c = 5; const char k[] = "ab"; int main(void) { const char *s = "abc"; return s[1] + c + k[0]; }`, MemSafety, "TRUE"},
	} {
		t.Run(v.name, v.run)
	}
}
