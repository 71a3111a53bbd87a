package c_test

import (
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir"
)

// FuzzLower: whatever the text, parsing and lowering end without a panic, and what they yield is a valid program.
func FuzzLower(f *testing.F) {
	f.Add("int x; void f(void) { x++; }")
	f.Add("struct s { int a:3; union { int b; char c[4]; }; } v; int g(struct s *p) { switch (p->a) { case 1 ... 2: return p->b; default: goto out; } out: return ({ int t = 1; t; }); }")
	f.Add("#include <pthread.h>\nstatic pthread_mutex_t m; void *t(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }")
	// Inputs cc did not end on: an incomplete declaration, a missing header, unfinished tokens at the end of the file.
	f.Add("int *;")
	f.Add("#include <nowhere.h>\n*a) { return a;")
	f.Add("#include <p}h")
	f.Add("int x = 'a\\\n")
	m, err := models.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string) {
		u, err := c.Parse("fuzz.c", []byte(src), c.Options{})
		if err != nil {
			return
		}
		p, err := c.Lower([]*c.Unit{u}, c.NewTypes(""), m, c.Options{})
		if err != nil {
			return
		}
		if err := ir.Validate(p); err != nil {
			t.Error(err)
		}
	})
}
