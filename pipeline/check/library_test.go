package check

import (
	"strings"
	"testing"
)

// verdict is one line of a table of programs: want is what is said of prop, "UNKNOWN" for
// any reason.
type verdict struct {
	name, src string
	prop      Property
	want      string
}

func (v verdict) run(t *testing.T) {
	r := run1(t, head+v.src, Options{Property: v.prop, Unroll: 3})
	if got := r.Verdict(); got != v.want && !(v.want == "UNKNOWN" && strings.HasPrefix(got, "UNKNOWN(")) {
		t.Errorf("%s, want %s; %+v", got, v.want, r.Steps)
	} else if strings.Contains(got, "internal error") {
		t.Error(got)
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
		{"strsep reads the text", racing("#include <string.h>\nchar s[8] = \"a,b\", *b = s;", `strsep(&b, ",");`, "s[0] = 3;"), DataRace, "FALSE(no-data-race)"},
		{"the environment is one object", racing("#include <stdlib.h>\n", `char *x = getenv("A"); if (x) x[0] = 1;`, "f(0);"), DataRace, "UNKNOWN"},
		{"the text of an error", "#include <string.h>\nint main(void) { if (!strerror(3)) reach_error(); return 0; }", Unreach, "TRUE"},
		{"is somewhere in memory of the library's", "#include <string.h>\nint main(void) { return *strerror(3); }", MemSafety, "UNKNOWN"},
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

// TestRealloc: what is moved is what both objects have.
func TestRealloc(t *testing.T) {
	const head = "#include <stdlib.h>\n"
	for _, v := range []verdict{
		{"to a larger one", head + `int main(void) { int *p = malloc(8); p[0] = 5; p[1] = 6; int *q = realloc(p, 16); if (q[0] != 5 || q[1] != 6) reach_error(); q[3] = 1; free(q); return 0; }`, Unreach, "TRUE"},
		{"whose memory is safe", head + `int main(void) { int *p = malloc(8); p[0] = 5; p[1] = 6; int *q = realloc(p, 16); q[3] = q[0]; free(q); return 0; }`, MemSafety, "TRUE"},
		{"to a smaller one", head + `int main(void) { int *p = malloc(8); int *q = realloc(p, 4); q[1] = 1; free(q); return 0; }`, MemSafety, "FALSE(valid-deref)"},
		{"from none", head + `int main(void) { int *q = realloc(0, 4); q[0] = 1; free(q); return 0; }`, MemSafety, "TRUE"},
		{"the old one is gone", head + `int main(void) { int *p = malloc(8); int *q = realloc(p, 16); p[0] = 1; free(q); return 0; }`, MemSafety, "FALSE(valid-deref)"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestLibraryParts: of what library functions are given, they access no more than they
// must for sure; what is known of it is exact.
func TestLibraryParts(t *testing.T) {
	const two = "char b[60] = \"ab\", c[60] = \"b\"; "
	for _, v := range []verdict{
		{"printf reads a string's beginning", racing("#include <stdio.h>\n"+two, `printf("%s", b);`, "b[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"and perhaps no more", racing("#include <stdio.h>\n"+two, `printf("%s", b);`, "b[50] = 1;"), DataRace, "UNKNOWN"},
		{"through void *", racing("#include <stdio.h>\n"+two+"void *p = b;", `printf("%s", p);`, "b[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"wide ones", racing("#include <stdio.h>\n#include <wchar.h>\nwchar_t w[9];", `printf("%ls", w);`, "w[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"by position", racing("#include <stdio.h>\n"+two, `printf("%2$s%1$d", 1, (void *)b);`, "b[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"after a width", racing("#include <stdio.h>\n"+two, `printf("%*d%s", 1, 2, b);`, "b[0] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"an address", racing("#include <stdio.h>\n"+two, `printf("%p", b);`, "b[0] = 1;"), DataRace, "TRUE"},
		{"a format that is not seen", racing("#include <stdio.h>\nint x; const char *g[2] = {\"%p\"};", `printf(g[0], &x);`, "x = 1;"), DataRace, "UNKNOWN"},
		{"strcpy to a long array", racing("#include <string.h>\n"+two, `strcpy(c, b);`, "c[50] = 1;"), DataRace, "UNKNOWN"},
		{"fread has a size", racing("#include <stdio.h>\n"+two, `fread(b, 2, 5, stdin);`, "b[10] = 1;"), DataRace, "TRUE"},
		{"and reads so much", racing("#include <stdio.h>\n"+two, `fread(b, 2, 5, stdin);`, "b[9] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"one struct", racing("#include <time.h>\nstruct timespec s[2], *p = s;", `clock_gettime(0, p);`, "p[1].tv_sec = 1;"), DataRace, "TRUE"},
		{"as many as are counted", racing("#include <poll.h>\nstruct pollfd g[4];", `poll(g, 2, 0);`, "g[2].fd = 1;"), DataRace, "TRUE"},
		{"two numbers", racing("#include <unistd.h>\nint g[4];", `pipe(g);`, "g[1] = 1;"), DataRace, "FALSE(no-data-race)"},
		{"an address may be larger than its type", racing("#include <sys/socket.h>\nchar g[100];", `bind(0, (struct sockaddr *)g, 100);`, "g[50] = 1;"), DataRace, "UNKNOWN"},
		{"scanf into characters", racing("#include <stdio.h>\n"+two, `scanf("%*d%s", b);`, "b[1] = 1;"), DataRace, "UNKNOWN"},
		{"scanf and numbers", racing("#include <stdio.h>\nint n[3];", `scanf("%*d%5d", n);`, "n[1] = 1;"), DataRace, "TRUE"},
		{"code not seen may access what it gets", racing("int ext(int *); int x;", `ext(&x);`, "x = 1;"), DataRace, "UNKNOWN"},
		{"also behind a number", racing("int ext(long); int x;", `ext((long)&x);`, "x = 1;"), DataRace, "UNKNOWN"},
		{"the end of a number is in its text", racing("#include <stdlib.h>\n"+two, `char *e; strtol(b, &e, 10); if (*e == 'x') f(0);`, "c[0] = 1;"), DataRace, "TRUE"},
		{"getline may make a line", racing("#include <stdio.h>\n", `char *l = 0; size_t n = 0; if (getline(&l, &n, stdin) > 0) puts(l);`, "f(0);"), DataRace, "TRUE"},
		{"strtok keeps where it is", racing("#include <string.h>\n"+two, `strtok(b, ",");`, `strtok(c, ",");`), DataRace, "FALSE(no-data-race)"},
		{"strtok_r does not", racing("#include <string.h>\n"+two, `char *s; strtok_r(b, ",", &s); strtok_r(0, ",", &s);`, `char *s; strtok_r(c, ",", &s); strtok_r(0, ",", &s);`), DataRace, "TRUE"},
		{"localtime has one result", racing("#include <time.h>\n", `time_t n = 0; localtime(&n);`, `time_t n = 0; localtime(&n);`), DataRace, "UNKNOWN"},
		{"errno is a thread's own", racing("#include <errno.h>\n", `errno = 1;`, `errno = 2; if (errno) f(0);`), DataRace, "TRUE"},
		{"which the library writes", "#include <errno.h>\n#include <stdio.h>\nint main(void) { errno = 0; puts(\"a\"); if (errno) reach_error(); return 0; }", Unreach, "UNKNOWN"},
		{"and others may look at", racing("#include <errno.h>\nint *e;", `if (e) *e = 1;`, `e = &errno; `), DataRace, "UNKNOWN"},
		{"what is mapped shared", racing("#include <sys/mman.h>\n", `*(int *)mmap(0, 9, 3, MAP_SHARED, 3, 0) = 1;`, `*(int *)mmap(0, 9, 3, MAP_SHARED, 3, 0) = 1;`), DataRace, "UNKNOWN"},
		{"and what is not", racing("#include <sys/mman.h>\n", `*(int *)mmap(0, 9, 3, MAP_PRIVATE, 3, 0) = 1;`, `*(int *)mmap(0, 9, 3, MAP_PRIVATE, 3, 0) = 1;`), DataRace, "TRUE"},
		{"environ is the environment", racing("#include <stdlib.h>\nextern char **environ;", `char *x = environ[0]; if (x) x[0] = 1;`, `char *x = getenv("A"); if (x) x[0] = 1;`), DataRace, "UNKNOWN"},
		{"the holder of a robust mutex may end", racing("int x; pthread_mutex_t m; pthread_mutexattr_t a;", `pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);`,
			`pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&m, &a); f(0);`), DataRace, "UNKNOWN"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestCalledBack: functions that code not seen calls, at once or later.
func TestCalledBack(t *testing.T) {
	const start = " int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; pthread_join(t, 0); return 0; }"
	for _, v := range []verdict{
		{"qsort calls at once", "#include <stdlib.h>\nint x, a[4]; pthread_mutex_t m; int c(const void *p, const void *q) { x++; return 0; } void *f(void *p) { pthread_mutex_lock(&m); qsort(a, 4, 4, c); pthread_mutex_unlock(&m); return 0; } " +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); return 0; }", DataRace, "TRUE"},
		{"without a lock", "#include <stdlib.h>\nint x, a[4]; int c(const void *p, const void *q) { x++; return 0; } void *f(void *p) { int b[4]; qsort(b, 4, 4, c); return 0; }" + start, DataRace, "FALSE(no-data-race)"},
		{"a signal handler in a struct", "#include <signal.h>\n#include <string.h>\nint x; void h(int n) { x++; } void *f(void *p) { struct sigaction s; memset(&s, 0, sizeof s); s.sa_handler = h; sigaction(2, &s, 0); return 0; }" + start, DataRace, "UNKNOWN"},
		{"no handler", "#include <signal.h>\n#include <string.h>\nint x; void *f(void *p) { struct sigaction s; memset(&s, 0, sizeof s); s.sa_handler = SIG_IGN; sigaction(2, &s, 0); return 0; }" + start, DataRace, "TRUE"},
		{"in a struct of the program's", "struct s { void (*g)(void); }; void ext(struct s *); int x; void h(void) { x++; } void *f(void *p) { struct s s = {h}; ext(&s); return 0; }" + start, DataRace, "UNKNOWN"},
		{"in one that is const there", "struct s { void (*g)(void); }; void ext(const struct s *); int x; void h(void) { x++; } void *f(void *p) { struct s s = {h}; ext(&s); return 0; }" + start, DataRace, "UNKNOWN"},
		{"a thread that runs a function of the library", "#include <stdio.h>\nchar b[9]; int main(void) { pthread_t t; pthread_create(&t, 0, (void *(*)(void *))puts, b); b[0] = 1; return 0; }", DataRace, "UNKNOWN"},
		{"headers of the kernel for programs", "#include <unistd.h>\n#include <linux/futex.h>\nint x; void *f(void *p) { return 0; }" + start, DataRace, "TRUE"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestLibraryRoom: what library functions access must be there.
func TestLibraryRoom(t *testing.T) {
	head := func(body string) string {
		return "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\nint main(void) { char *p = malloc(2); if (!p) return 0; " + body + " free(p); return 0; }"
	}
	for _, v := range []verdict{
		{"strcpy", head(`strcpy(p, "hello");`), MemSafety, "FALSE(valid-deref)"},
		{"read", head("read(0, p, 9);"), MemSafety, "FALSE(valid-deref)"},
		{"read that fits", head("read(0, p, 2);"), MemSafety, "TRUE"},
		{"write", head("p[0] = p[1] = 1; write(0, p, 9);"), MemSafety, "FALSE(valid-deref)"},
		{"fread of several", head("fread(p, 2, 2, stdin);"), MemSafety, "FALSE(valid-deref)"},
		{"fgets", head("fgets(p, 9, stdin);"), MemSafety, "FALSE(valid-deref)"},
		{"fgets that fits", head("fgets(p, 2, stdin);"), MemSafety, "TRUE"},
		{"a struct", head("time((time_t *)p);"), MemSafety, "FALSE(valid-deref)"},
		{"that need not be there", "#include <time.h>\nint main(void) { time_t *p = 0; time(p); return 0; }", MemSafety, "TRUE"},
		{"a string", head("p[0] = 0; free(p); printf(\"%s\", p); p = 0;"), MemSafety, "FALSE(valid-deref)"},
		{"of unknown length", head(`sprintf(p, "%d", 12345);`), MemSafety, "UNKNOWN"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestAllocators: malloc and free behind pointers are what they are by their names.
func TestAllocators(t *testing.T) {
	const head = "#include <stdlib.h>\nstatic void *(*get)(size_t) = malloc; static void *(*zero)(size_t, size_t) = calloc; static void (*put)(void *) = free; int *p, x;\n"
	for _, v := range []verdict{
		{"objects of one's own", racing(head, "int *q = get(4); *q = 1; put(q);", "int *r = get(4); *r = 1; put(r);"), DataRace, "TRUE"},
		{"a common one", head + "void *f(void *a) { *p = 1; return 0; } int main(void) { pthread_t t; p = get(4); pthread_create(&t, 0, f, 0); *p = 2; return 0; }", DataRace, "FALSE(no-data-race)"},
		{"freed beside", head + "void *f(void *a) { *p = 1; return 0; } int main(void) { pthread_t t; p = get(4); pthread_create(&t, 0, f, 0); put(p); return 0; }", DataRace, "FALSE(no-data-race)"},
		{"cleared", head + "int main(void) { p = zero(2, 4); if (p[1]) reach_error(); return 0; }", Unreach, "TRUE"},
		{"freed twice", head + "int main(void) { p = get(4); put(p); put(p); return 0; }", MemSafety, "FALSE(valid-free)"},
	} {
		t.Run(v.name, v.run)
	}
}
