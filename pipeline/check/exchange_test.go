package check

import "testing"

// TestWeakExchange: a weak exchange may fail though the values are equal; one that is
// tried again until it works is proved all the same.
func TestWeakExchange(t *testing.T) {
	const atomic = "#include <stdatomic.h>\n_Atomic int x; "
	const two = " int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); if (x != 2) reach_error(); return 0; }"
	adds := func(body string) string { return atomic + "void *f(void *a) { " + body + " return 0; }" + two }
	once := func(body string) string { return atomic + "int main(void) { " + body + " return 0; }" }
	for _, v := range []verdict{
		{"its result", once("int e = 0; if (!atomic_compare_exchange_weak(&x, &e, 1)) reach_error();"), Unreach, "FALSE(unreach-call)"},
		{"what it writes", once("int e = 0; atomic_compare_exchange_weak(&x, &e, 1); if (x != 1) reach_error();"), Unreach, "FALSE(unreach-call)"},
		{"the value that it finds", once("int e = 0; atomic_compare_exchange_weak(&x, &e, 1); if (e != 0) reach_error();"), Unreach, "TRUE"},
		{"twice", once("int e = 0; if (!atomic_compare_exchange_weak(&x, &e, 1) && !atomic_compare_exchange_weak(&x, &e, 1)) reach_error();"), Unreach, "FALSE(unreach-call)"},
		{"a strong one", once("int e = 0; if (!atomic_compare_exchange_strong(&x, &e, 1)) reach_error();"), Unreach, "TRUE"},
		{"by the builtin", once("int e = 0; if (!__atomic_compare_exchange_n(&x, &e, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) reach_error();"), Unreach, "FALSE(unreach-call)"},
		{"by the builtin that is not", once("int e = 0; if (!__atomic_compare_exchange_n(&x, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) reach_error();"), Unreach, "TRUE"},
		{"by the generic one", once("int e = 0, n = 1; if (!__atomic_compare_exchange(&x, &e, &n, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) reach_error();"), Unreach, "FALSE(unreach-call)"},
		{"it is not known whether it is", once("int e = 0; if (!__atomic_compare_exchange_n(&x, &e, 1, x, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) reach_error();"), Unreach, "FALSE(unreach-call)"},
		{"with orders", once("int e = 0; if (!atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_acquire, memory_order_relaxed)) reach_error();"), Unreach, "FALSE(unreach-call)"},
		{"of a struct", "#include <stdatomic.h>\nstruct s { long a, b; }; _Atomic struct s q; int main(void) { struct s e = {0, 0}, n = {1, 1}; if (!atomic_compare_exchange_weak(&q, &e, n)) reach_error(); return 0; }", Unreach, "FALSE(unreach-call)"},
		{"a strong one of a struct", "#include <stdatomic.h>\nstruct s { long a, b; }; _Atomic struct s q; int main(void) { struct s e = {0, 0}, n = {1, 1}; if (!atomic_compare_exchange_strong(&q, &e, n)) reach_error(); return 0; }", Unreach, "TRUE"},
		{"tried again", adds("int e = atomic_load(&x); while (!atomic_compare_exchange_weak(&x, &e, e + 1)) ;"), Unreach, "TRUE"},
		{"tried again with the value read anew", adds("int e; do { e = atomic_load(&x); } while (!atomic_compare_exchange_weak(&x, &e, e + 1));"), Unreach, "TRUE"},
		{"tried once", adds("int e = atomic_load(&x); atomic_compare_exchange_weak(&x, &e, e + 1);"), Unreach, "FALSE(unreach-call)"},
		{"tried again with the old value", adds("int e = atomic_load(&x); while (!atomic_compare_exchange_weak(&x, &e, e + 1)) x = e;"), Unreach, "FALSE(unreach-call)"},
		{"tried again where it is taken to have failed for a value", adds("int e = 0; if (!atomic_compare_exchange_weak(&x, &e, 1)) { e = 1; while (!atomic_compare_exchange_weak(&x, &e, 2)) e = 1; }"), Unreach, "TRUE"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestRetryIsBounded: bmc alone decides loops that try a weak exchange again, since an
// iteration that fails without cause changes nothing.
func TestRetryIsBounded(t *testing.T) {
	const src = "#include <stdatomic.h>\n_Atomic int x; void *f(void *a) { int e; do { e = atomic_load(&x); } while (!atomic_compare_exchange_weak(&x, &e, e + 1)); return 0; } " +
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); if (x != 2) reach_error(); return 0; }"
	if r := run1(t, head+src, Options{Property: Unreach, Engines: []string{"bmc"}, Unroll: 1}); r.Verdict() != "TRUE" {
		t.Errorf("%s; %+v", r.Verdict(), r.Steps)
	}
}
