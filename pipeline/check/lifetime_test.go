package check

import "testing"

// TestLifetime: what runs before main, and at the end of the process, while other threads
// go on.
func TestLifetime(t *testing.T) {
	const head = "#include <stdlib.h>\n#include <unistd.h>\nint x, n; pthread_t t; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { x++; return 0; }\n" +
		"void *l(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }\n"
	const bye = "void bye(void) { x++; } void locked(void) { l(0); } void joins(void) { pthread_join(t, 0); x++; }\n"
	main := func(body string) string {
		return head + bye + "int main(void) { pthread_create(&t, 0, f, 0); " + body + " }"
	}
	for _, v := range []verdict{
		{"a handler races", main("atexit(bye); return 0;"), DataRace, "FALSE(no-data-race)"},
		{"by exit", main("atexit(bye); exit(1);"), DataRace, "FALSE(no-data-race)"},
		{"by exit of another thread", head + bye + "void *g(void *a) { exit(1); } int main(void) { pthread_t u; atexit(bye); pthread_create(&u, 0, g, 0); pthread_create(&t, 0, f, 0); pthread_join(u, 0); return 0; }", DataRace, "FALSE(no-data-race)"},
		{"_exit calls none", main("atexit(bye); _exit(1);"), DataRace, "TRUE"},
		{"quick_exit calls none", main("atexit(bye); quick_exit(1);"), DataRace, "TRUE"},
		{"but others", main("at_quick_exit(bye); quick_exit(1);"), DataRace, "FALSE(no-data-race)"},
		{"which exit does not call", main("at_quick_exit(bye); exit(1);"), DataRace, "TRUE"},
		{"none is registered", main("return 0;"), DataRace, "TRUE"},
		{"after the join", main("atexit(bye); pthread_join(t, 0); return 0;"), DataRace, "TRUE"},
		{"that joins", main("atexit(joins); return 0;"), DataRace, "TRUE"},
		{"under a lock", head + bye + "int main(void) { atexit(locked); pthread_create(&t, 0, l, 0); return 0; }", DataRace, "TRUE"},
		{"with an argument", head + "void bye(int s, void *p) { ++*(int *)p; } int main(void) { on_exit(bye, &x); pthread_create(&t, 0, f, 0); return 0; }", DataRace, "FALSE(no-data-race)"},
		{"a destructor", head + "__attribute__((destructor)) void bye(void) { x++; } int main(void) { pthread_create(&t, 0, f, 0); return 0; }", DataRace, "FALSE(no-data-race)"},
		{"a constructor starts a thread", head + "__attribute__((constructor)) void go(void) { pthread_create(&t, 0, f, 0); } int main(void) { x++; return 0; }", DataRace, "FALSE(no-data-race)"},
		{"which main joins", head + "__attribute__((constructor)) void go(void) { pthread_create(&t, 0, f, 0); } int main(void) { pthread_join(t, 0); x++; return 0; }", DataRace, "TRUE"},
		{"the last one is called first", head + "void a(void) { if (n != 1) reach_error(); } void b(void) { n = 1; } int main(void) { atexit(a); atexit(b); return 0; }", Unreach, "TRUE"},
		{"and not the first", head + "void a(void) { if (n != 1) reach_error(); } void b(void) { n = 1; } int main(void) { atexit(b); atexit(a); return 0; }", Unreach, "FALSE(unreach-call)"},
		{"handlers register others", head + "void a(void) { reach_error(); } void b(void) { atexit(a); } int main(void) { atexit(b); return 0; }", Unreach, "FALSE(unreach-call)"},
		{"the status", head + "void a(int s, void *p) { if (s != 3) reach_error(); } int main(void) { on_exit(a, 0); if (x) exit(3); return 3; }", Unreach, "TRUE"},
		{"constructors by priority", head + "__attribute__((constructor(102))) void b(void) { if (!n) reach_error(); } __attribute__((constructor(101))) void a(void) { n = 1; } int main(void) { return 0; }", Unreach, "TRUE"},
		{"those without one are last", head + "__attribute__((constructor)) void b(void) { if (!n) reach_error(); } __attribute__((constructor(101))) void a(void) { n = 1; } int main(void) { return 0; }", Unreach, "TRUE"},
		{"destructors after handlers", head + "__attribute__((destructor)) void b(void) { if (!n) reach_error(); } void a(void) { n = 1; } int main(void) { atexit(a); return 0; }", Unreach, "TRUE"},
		{"main ends as a thread", head + "void a(void) { reach_error(); } int main(void) { atexit(a); pthread_exit(0); }", Unreach, "FALSE(unreach-call)"},
	} {
		t.Run(v.name, v.run)
	}
}
