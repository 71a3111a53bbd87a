package c_test

import (
	"strings"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir"
)

// FuzzLower: whatever the text, parsing and lowering end without a panic, and what they
// yield is a valid program.
func FuzzLower(f *testing.F) {
	f.Add("int x; void f(void) { x++; }")
	f.Add("struct s { int a:3; union { int b; char c[4]; }; } v; int g(struct s *p) { switch (p->a) { case 1 ... 2: return p->b; default: goto out; } out: return ({ int t = 1; t; }); }")
	f.Add("#include <pthread.h>\nstatic pthread_mutex_t m; void *t(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }")
	// Inputs cc did not end on: an incomplete declaration, a missing header, unfinished
	// tokens at the end of the file.
	f.Add("int *;")
	f.Add("#include <nowhere.h>\n*a) { return a;")
	f.Add("#include <p}h")
	f.Add("int x = 'a\\\n")
	// A function before a header, labels of blocks, casts to unions, atomic functions,
	// numbers for addresses.
	f.Add("static int f(int x) { return x; }\n#include <stdio.h>\nint main(void) { return f(1); }")
	f.Add("int x; int f(void) { return ({ __label__ o; if (x) goto o; o: x; }) + ({ __label__ o; if (x) goto o; o: 2; }); }")
	f.Add("union u { int a; long b; } g = (union u)3L; int f(union u v) { return v.a; } int main(void) { return f((union u)4); }")
	f.Add("#include <stdatomic.h>\n_Atomic(int *) p; short s; int main(void) { return *atomic_load(&p) + ~__atomic_fetch_add(&s, 1, 5) + _Generic(s, short: 1, default: 2); }")
	f.Add("#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) { pthread_create(1, 2, 3, 4); pthread_mutex_lock(5); free(6); memcpy(1, 2, \"3\"); return strlen(3); }")
	m, err := models.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string) {
		u, err := c.Parse("fuzz.c", []byte(src), c.Options{NoSystemHeaders: true})
		if err != nil {
			clear(t, err.Error())
			return
		}
		p, err := c.Lower([]*c.Unit{u}, c.NewTypes(""), m, c.Options{})
		if err != nil {
			clear(t, err.Error())
			return
		}
		for _, f := range p.Funcs {
			clear(t, f.Unknown)
		}
		if err := ir.Validate(p); err != nil {
			t.Error(err)
		}
	})
}

// clear checks that a message is one for a user.
func clear(t *testing.T, message string) {
	t.Helper()
	for _, bad := range []string{"runtime error", "lowering failed", "TODO", "%!", "\n", "interface conversion"} {
		if strings.Contains(message, bad) {
			t.Errorf("the message %q", message)
		}
	}
}
