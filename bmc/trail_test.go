package bmc_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
)

// trailHead declares what the programs about objects of variable size use; s is from 1 to
// 20 in them.
const trailHead = `#include <stdlib.h>
#include <string.h>
#include <alloca.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; int k; };
struct fl { long n; char data[]; };
struct fi { int n; int data[]; };
static int x;
static void *w(void *p) { x = 1; return 0; }
`

const trailMain = `int main(void) {
	unsigned u = __VERIFIER_nondet_uint();
	if (u < 1 || u > 20) return 0;
	size_t s = u;
	pthread_t t;
	BODY
	pthread_create(&t, 0, w, 0);
	x = 2;
	pthread_join(t, 0);
	return 0;
}
`

// TestTrail: objects have the size in bytes that was asked for, also where that is no
// literal and not one of whole elements: what is behind a struct is there, and nothing is
// behind that. The race after the accesses is found, unless all executions end before.
func TestTrail(t *testing.T) {
	for _, c := range []struct {
		name, body string
		out        bool // an access may be outside
	}{
		{"flexible member", "struct fl *f = malloc(sizeof *f + s); f->n = s; f->data[s - 1] = 7; assert(f->data[s - 1] == 7);", false},
		{"flexible member, one more", "struct fl *f = malloc(sizeof *f + s); f->data[s] = 7;", true},
		{"flexible array of int", "struct fi *f = malloc(sizeof *f + s * sizeof(int)); f->data[s - 1] = 9; assert(f->data[s - 1] == 9);", false},
		{"flexible array of int, one more", "struct fi *f = malloc(sizeof *f + s * sizeof(int)); f->data[s] = 9;", true},
		{"calloc", "int *a = calloc(s, sizeof *a); assert(a[s - 1] == 0); a[0] = 3; assert(a[0] == 3);", false},
		{"calloc, one more", "int *a = calloc(s, sizeof *a); a[s] = 3;", true},
		{"calloc of more than there is", "int *a = calloc((size_t)-1 / 2 + s, sizeof *a); assert(!a);", false},
		{"calloc of two variables", "struct fl *a = calloc((size_t)-1 / 2 + s, s + 4); assert(!a);", false},
		{"calloc of structs with a tail", "char *a = calloc(s, 12); struct node *n = (struct node *)a; n->next = 0; a[12 * s - 1] = 1; assert(a[8] == 0);", false},
		{"calloc of structs with a tail, one more", "char *a = calloc(s, 12); a[12 * s] = 1;", true},
		{"realloc", "char *a = malloc(s); a[0] = 5; a = realloc(a, s + 10); assert(a[0] == 5); a[s + 9] = 1;", false},
		{"realloc, one more", "char *a = malloc(s); a = realloc(a, s + 10); a[s + 10] = 1;", true},
		{"alloca", "struct node *n = alloca(sizeof *n + s); n->next = 0; *(char *)(n + 1) = 3;", false},
		{"alloca, one more", "struct node *n = alloca(sizeof *n + s); ((char *)(n + 1))[s] = 3;", true},
		{"array of variable length", "int a[s]; a[s - 1] = 3; assert(a[s - 1] == 3);", false},
		{"array of variable length, one more", "int a[s]; a[s] = 3;", true},
		{"memset", "struct node *n = malloc(sizeof *n + s); memset(n + 1, 5, s); assert(((char *)(n + 1))[s - 1] == 5);", false},
		{"memset, one more", "struct node *n = malloc(sizeof *n + s); memset(n + 1, 5, s + 1);", true},
		{"memcpy", "char b[32] = \"abcdefghijklmnopqrstuvwxyz\"; struct node *n = malloc(sizeof *n + s); memcpy(n + 1, b, s); assert(*(char *)(n + 1) == 'a');", false},
		{"memcpy, one more", "char b[32] = \"abcdefghijklmnopqrstuvwxyz\"; struct node *n = malloc(sizeof *n + s); memcpy(n + 1, b, s + 1);", true},
		{"memcpy of all", "char b[20] = {1}; char *p = malloc(s); memcpy(p, b, s); char c[20]; memcpy(c, p, s); assert(c[0] == 1);", false},
		{"behind a cast", "struct node *n = malloc(sizeof(struct node) + sizeof(int) * s); int *q = (int *)(n + 1); q[s - 1] = 4; q[0] = 1;", false},
		{"a smaller one", "struct node *n = malloc(s); if (s >= 8) n->next = 0;", false},
		{"a smaller one, one less", "struct node *n = malloc(s); if (s >= 7) n->next = 0;", true},
		{"a literal in a variable", "int d = 7; s = sizeof d; struct node *n = malloc(sizeof *n + s); memcpy(n + 1, &d, s); assert(*(int *)(n + 1) == 7);", false},
		{"a fill that begins and ends anywhere", "char *p = calloc(1, s + 30); memset(p + s, 5, 9); assert(p[s] == 5 && p[s + 8] == 5 && !p[s - 1] && !p[s + 9]); int v; memcpy(&v, p + 8, 4); assert(s != 10 || v == 0x05050000);", false},
		{"a fill that begins and ends anywhere, one more", "char *p = malloc(s + 8); memset(p + s, 5, 9);", true},
		{"a fill of a part of a number", "int v = 0x01020304; memset(&v, 0, u % 4); assert(v == 0x01020304 || v == 0x01020300 || v == 0x01020000 || v == 0x01000000);", false},
		{"a copy of a part of a number", "int v = 0x01020304, d = 0; memcpy(&d, &v, u % 4); assert(d == 0 || d == 4 || d == 0x0304 || d == 0x020304);", false},
		{"a copy to anywhere", "char b[32] = {0}; int v = 0x01020304; memcpy(b + s, &v, 4); assert(b[s] == 4 && b[s + 3] == 1); int d; memcpy(&d, b + 4, 4); assert(s != 5 || d == 0x02030400);", false},
		{"a copy from anywhere to anywhere", "char b[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; s = u % 5; memmove(b + s, b + s / 2, s); assert(s != 4 || b[4] == 3 && b[7] == 6 && b[3] == 4 && b[8] == 9);", false},
		{"realloc to less and more", "char *a = malloc(s); memset(a, 7, s); a = realloc(a, s > 9 ? s - 9 : s + 9); assert(a[0] == 7); if (s < 10) a[s + 8] = 1;", false},
		{"two sizes", "s = u & 1 ? 4 : 12; char *p = malloc(s); p[3] = 1; if (s > 4) p[11] = 2;", false},
		{"two sizes, one more", "s = u & 1 ? 4 : 12; char *p = malloc(s); if (s > 4) p[12] = 2;", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := memory(t, "#include <pthread.h>\n#include <assert.h>\n"+trailHead+strings.Replace(trailMain, "BODY", c.body, 1))
			r := rep.Runs[0]
			out := slices.ContainsFunc(r.Bugs, func(b diag.Bug) bool { return b.Kind == "out-of-bounds" })
			race := slices.ContainsFunc(r.Bugs, func(b diag.Bug) bool { return b.Kind == "race" })
			other := slices.ContainsFunc(r.Bugs, func(b diag.Bug) bool { return b.Kind != "race" && b.Kind != "out-of-bounds" })
			if out != c.out || !race && !c.out || other || r.Reason != "" || !c.out && len(r.Assumptions) > 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// memory runs bmc on C source for assertions, races and invalid accesses.
func memory(t *testing.T, src string) *diag.BoundedReport {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: 1, Unroll: 2, Yields: "mr",
		Properties: []string{"race", "assert", pipeline.Memory}})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// trailProgram is a random program that makes objects of variable size and accesses their
// ends; s is from 1 to 6.
func trailProgram(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	size := pick("s", "sizeof(struct node) + s", "sizeof(struct fl) + s", "sizeof(struct fi) + s * sizeof(int)", "2 * s", "s * sizeof(struct node)", "s + 3", "s * 12")
	var b strings.Builder
	b.WriteString(trailHead + "int main(void) {\n\tunsigned u = __VERIFIER_nondet_uint();\n\tif (u < 1 || u > 6) return 0;\n\tsize_t s = u, n = " + size + ";\n\tchar from[128] = {1, 2, 3};\n")
	typ := pick("char", "struct node", "struct fl", "struct fi", "int", "long")
	fmt.Fprintf(&b, "\t%s *p = %s;\n", typ, pick("malloc("+size+")", "malloc(n)", "alloca("+size+")", "calloc(1, "+size+")", "calloc("+size+", 1)", "calloc(s, 12)", "realloc(malloc(s), "+size+")"))
	for range 1 + r.Intn(2) {
		off := pick("0", "n - 1", "n", "n - 4", "s", "8", "16 + s - 1", "8 + 4 * (s - 1)", "n / 2")
		fmt.Fprintf(&b, "\t%s;\n", pick("((char *)p)["+off+"] = 1", "*(int *)((char *)p + ("+off+")) = 1", "memset(p, 0, "+off+")", "memcpy(p, from, "+off+")", "memcpy(from, p, "+off+")",
			"memset((char *)p + s, 1, n - s)", "*(char *)(p + 1) = 1",
			"memcpy((char *)p + s, from, "+off+")", "memcpy(from, (char *)p + s, n - s)", "memmove((char *)p + 1, p, "+off+")", "memset(from + ("+off+"), 1, s)", "if (s > 3) ((char *)p)["+off+"] = 2"))
	}
	b.WriteString("\treturn 0;\n}\n")
	return b.String()
}

// TestTrailRandom holds bmc against the interpreter on random programs: an access outside
// is found where one size has one.
func TestTrailRandom(t *testing.T) {
	n := int64(testscope.Fewer(max(*programs/10, 15)))
	t.Logf("seeds %d to %d", *seed, *seed+n-1)
	for s := *seed; s < *seed+n && !t.Failed(); s++ {
		src := trailProgram(s)
		rep := memory(t, src)
		path := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := pipeline.Load(path, pipeline.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", s, err, src)
		}
		want := outside(t, p)
		r := rep.Runs[0]
		if got := len(r.Bugs) > 0; got != want || r.Reason != "" || !want && slices.ContainsFunc(r.Assumptions, func(a ir.Assumption) bool { return a.Kind == "undefined" }) {
			t.Errorf("seed %d: a bug %v, want %v: %+v\n%s", s, got, want, r, src)
		}
	}
}

// outside runs a program with each value that its input may have, and reports whether one
// of the executions fails.
func outside(t *testing.T, p *ir.Program) bool {
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for u := range uint64(7) {
		st := m.Start(interp.MainOf(p.FuncByName("main")), interp.InputFunc(func(q *interp.Query) uint64 {
			if h, ok := q.Instr.(*ir.Havoc); ok && h.Input {
				return u
			}
			return 0
		}))
		for st.Status() == interp.Running {
			st.Step(0)
		}
		if st.Status() == interp.Failed {
			return true
		}
	}
	return false
}
