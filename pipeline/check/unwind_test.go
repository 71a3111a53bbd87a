package check

import "testing"

// TestCleanup: cleanup handlers run where they are popped, and where the thread ends in
// between.
func TestCleanup(t *testing.T) {
	const head = "int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void un(void *p) { pthread_mutex_unlock(p); } void inc(void *p) { ++*(int *)p; } void bad(void *p) { reach_error(); }\n" +
		"#define PUSH pthread_cleanup_push\n#define POP pthread_cleanup_pop\n"
	with := func(body string) string {
		return head + "void *f(void *a) { " + body + " return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }"
	}
	for _, v := range []verdict{
		{"popped, and run", with("pthread_mutex_lock(&m); PUSH(un, &m); x++; POP(1);"), DataRace, "TRUE"},
		{"popped, and not run", with("PUSH(bad, 0); POP(0);"), Unreach, "TRUE"},
		{"run", with("PUSH(bad, 0); POP(1);"), Unreach, "FALSE(unreach-call)"},
		{"the thread ends", with("PUSH(bad, 0); pthread_exit(0); POP(0);"), Unreach, "FALSE(unreach-call)"},
		{"the thread ends after it", with("PUSH(bad, 0); POP(0); pthread_exit(0);"), Unreach, "TRUE"},
		{"the last one first", with("pthread_mutex_lock(&m); PUSH(un, &m); PUSH(inc, &x); if (y) pthread_exit(0); POP(1); POP(1);"), DataRace, "TRUE"},
		{"and not the first", with("pthread_mutex_lock(&m); PUSH(inc, &x); PUSH(un, &m); pthread_exit(0); POP(1); POP(1);"), DataRace, "FALSE(no-data-race)"},
		{"under no lock", with("PUSH(inc, &x); pthread_exit(0); POP(1);"), DataRace, "FALSE(no-data-race)"},
		{"of a caller", head + "void end(void) { pthread_exit(0); } void *f(void *a) { PUSH(bad, 0); end(); POP(0); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }", Unreach, "FALSE(unreach-call)"},
		{"of a caller's that has popped it", head + "void end(void) { pthread_exit(0); } void *f(void *a) { PUSH(bad, 0); POP(0); end(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }", Unreach, "TRUE"},
		{"of a caller's, under its lock", head + "void end(void) { pthread_exit(0); } void *f(void *a) { pthread_mutex_lock(&m); PUSH(un, &m); PUSH(inc, &x); end(); POP(0); POP(0); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }", DataRace, "TRUE"},
		{"of a caller's, behind the lock", head + "void end(void) { pthread_exit(0); } void *f(void *a) { pthread_mutex_lock(&m); PUSH(inc, &x); PUSH(un, &m); end(); POP(0); POP(0); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }", DataRace, "FALSE(no-data-race)"},
		{"in a function of its own", head + "void g(void) { pthread_mutex_lock(&m); PUSH(un, &m); x++; POP(1); } void *f(void *a) { g(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); g(); pthread_join(t, 0); return 0; }", DataRace, "TRUE"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestCancelled: a thread ends early only if it was cancelled itself, and may be.
func TestCancelled(t *testing.T) {
	const head = "#include <unistd.h>\nint x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n" +
		"#define PUSH pthread_cleanup_push\n#define POP pthread_cleanup_pop\nvoid un(void *p) { pthread_mutex_unlock(p); } void bad(void *p) { reach_error(); } void inc(void *p) { x++; } void rest(void) { sleep(1); }\n" +
		"void *quiet(void *a) { sleep(1); return 0; }\n"
	with := func(body, other string) string {
		return head + "void *f(void *a) { " + body + " return 0; } int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, quiet, 0); " + other + " pthread_join(t, 0); pthread_join(u, 0); return 0; }"
	}
	const sleeps, state = "PUSH(bad, 0); sleep(1); POP(0);", "int o; pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &o); "
	for _, v := range []verdict{
		{"cancelled", with(sleeps, "pthread_cancel(t);"), Unreach, "FALSE(unreach-call)"},
		{"another one is", with(sleeps, "pthread_cancel(u);"), Unreach, "TRUE"},
		{"not to be cancelled", with(state+sleeps, "pthread_cancel(t);"), Unreach, "TRUE"},
		{"to be cancelled again", with(state+"pthread_setcancelstate(o, 0); "+sleeps, "pthread_cancel(t);"), Unreach, "FALSE(unreach-call)"},
		{"in a function that is called", with("PUSH(bad, 0); rest(); POP(0);", "pthread_cancel(t);"), Unreach, "FALSE(unreach-call)"},
		{"no cancellation point", with("PUSH(bad, 0); x++; POP(0);", "pthread_cancel(t);"), Unreach, "TRUE"},
		{"anywhere", with("int o; pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &o); PUSH(bad, 0); x++; POP(0);", "pthread_cancel(t);"), Unreach, "FALSE(unreach-call)"},
		{"a handler beside main", with("PUSH(inc, 0); sleep(1); POP(0);", "pthread_cancel(t); x++;"), DataRace, "FALSE(no-data-race)"},
		{"while it waits", with("pthread_mutex_lock(&m); PUSH(un, &m); while (!x) pthread_cond_wait(&c, &m); POP(1);", "pthread_cancel(t); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"), DataRace, "TRUE"},
		{"by itself", with("PUSH(bad, 0); pthread_cancel(pthread_self()); pthread_testcancel(); POP(0);", ""), Unreach, "FALSE(unreach-call)"},
		{"main, by another", head + "pthread_t me; void *f(void *a) { pthread_cancel(me); return 0; } int main(void) { pthread_t t; me = pthread_self(); pthread_create(&t, 0, f, 0); PUSH(bad, 0); pthread_join(t, 0); sleep(1); POP(0); return 0; }", Unreach, "FALSE(unreach-call)"},
		{"not main", head + "pthread_t me; void *f(void *a) { pthread_cancel(pthread_self()); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); PUSH(bad, 0); pthread_join(t, 0); sleep(1); POP(0); return 0; }", Unreach, "TRUE"},
		{"deadlocks are not excluded", with("sleep(1);", "pthread_cancel(t);"), Deadlock, "UNKNOWN"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestLongjmp: what follows where setjmp returns again is not followed, the rest is.
func TestLongjmp(t *testing.T) {
	const head = "#include <setjmp.h>\nint x, y; jmp_buf b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { x++; return 0; } void *g(void *a) { y++; return 0; } void fail(void) { longjmp(b, 1); }\n"
	with := func(body string) string {
		return head + "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); " + body + " pthread_join(t, 0); return 0; }"
	}
	for _, v := range []verdict{
		{"a race before", with("x++; if (!setjmp(b)) fail();"), DataRace, "FALSE(no-data-race)"},
		{"a race after", with("if (!setjmp(b)) y++; x++;"), DataRace, "FALSE(no-data-race)"},
		{"a race of others", head + "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); if (!setjmp(b)) fail(); return 0; }", DataRace, "FALSE(no-data-race)"},
		{"a race after the jump", with("if (setjmp(b)) x++; else fail();"), DataRace, "UNKNOWN"},
		{"none that is seen", with("if (!setjmp(b)) y++;"), DataRace, "UNKNOWN"},
		{"by sigsetjmp", head + "sigjmp_buf s; int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (!sigsetjmp(s, 1)) x++; else siglongjmp(s, 2); return 0; }", DataRace, "FALSE(no-data-race)"},
	} {
		t.Run(v.name, v.run)
	}
}
