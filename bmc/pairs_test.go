package bmc_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whoop/diag"
	"whoop/pipeline"
)

const pairEntries = `version: 1
infer: false
entries:
  - func: f
  - func: g
`

// pair runs bmc on the pair of the functions f and g of C source.
func pair(t *testing.T, src string) *diag.BoundedReport {
	t.Helper()
	dir := t.TempDir()
	path, entries := filepath.Join(dir, "p.c"), filepath.Join(dir, "ep.yaml")
	for name, text := range map[string]string{path: "#include <pthread.h>\n" + src, entries: pairEntries} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{CSB: 2, Unroll: 2, Yields: "mr",
		Options: pipeline.Options{Jobs: 1, EntryPoints: entries, Pairs: []string{"f,g"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Runs[0].Bugs {
		marked(t, &r.Runs[0].Bugs[i])
	}
	return r
}

// TestScheduledElsewhere: a handler that an entry point outside of the pair schedules may
// run in the pair.
func TestScheduledElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.c")
	src := `#include <linux/module.h>
#include <linux/fs.h>
#include <linux/workqueue.h>
static struct { int n; struct work_struct w; } g;
static void wk(struct work_struct *w) { g.n++; }
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { g.n--; return 0; }
static int op(struct inode *i, struct file *f) { schedule_work(&g.w); return 0; }
static const struct file_operations fo = { .open = op, .read = rd };
static int __init ini(void) { INIT_WORK(&g.w, wk); return register_chrdev(240, "x", &fo); }
module_init(ini);
`
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, y := range pipeline.Yields {
		r, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{CSB: 1, Unroll: 1, Yields: y, Options: pipeline.Options{Jobs: 1, Pairs: []string{"wk,rd"}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Runs) != 1 || len(r.Runs[0].Bugs) == 0 {
			t.Errorf("%s: no race of the work item with the reader: %+v", y, r.Runs)
		}
	}
}

// TestPairLocks: pairs whose locks are all that can go wrong. Orders that no path takes
// count for nothing, those that one takes do.
func TestPairLocks(t *testing.T) {
	const locks = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, y; extern int coin(void);\n"
	for _, c := range []struct{ name, src, bug string }{
		{"one after the other, in a loop", `
void f(int k) { for (int i = 0; i < k; i++) { if (coin()) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n); } }
void g(int k) { for (int i = 0; i < k; i++) { pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } }`, ""},
		{"one inside the other on one side", `
void f(int k) { for (int i = 0; i < k; i++) { pthread_mutex_lock(&m); x++; if (coin()) { pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n); } pthread_mutex_unlock(&m); } }
void g(int k) { for (int i = 0; i < k; i++) { pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } }`, ""},
		{"one inside the other on both sides", `
void f(int k) { for (int i = 0; i < k; i++) { pthread_mutex_lock(&m); x++; if (coin()) { pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n); } pthread_mutex_unlock(&m); } }
void g(int k) { for (int i = 0; i < k; i++) { pthread_mutex_lock(&n); y++; if (coin()) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } pthread_mutex_unlock(&n); } }`, "deadlock"},
		{"a lock kept in the first iteration", `
void f(int k) { for (int i = 0; i < k; i++) { pthread_mutex_lock(&m); x++; if (i) pthread_mutex_unlock(&m); } }
void g(int k) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }`, "double-lock"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := pair(t, locks+c.src)
			kinds := map[string]bool{}
			for _, b := range r.Runs[0].Bugs {
				kinds[b.Kind] = true
			}
			if c.bug == "" && (len(kinds) > 0 || !r.Runs[0].Exhaustive) || c.bug != "" && !kinds[c.bug] {
				t.Errorf("bugs %v, all switches %v; want %q", kinds, r.Runs[0].Exhaustive, c.bug)
			}
		})
	}
}

// TestPairWaits: a semaphore that neither of a pair signals is no deadlock, since another
// entry point may; that is said.
func TestPairWaits(t *testing.T) {
	r := pair(t, `#include <semaphore.h>
sem_t s; int x;
void f(int k) { sem_wait(&s); }
void g(int k) { __atomic_store_n(&x, 1, 5); }`)
	said := false
	for _, a := range r.Runs[0].Assumptions {
		said = said || a.Kind == "waits"
	}
	if len(r.Runs[0].Bugs) > 0 || !said {
		t.Errorf("want no bug, and a note: %+v", r.Runs[0])
	}
}

// TestPairIndex: that an index stays within a ring buffer is seen without interleavings,
// and that it may not is said.
func TestPairIndex(t *testing.T) {
	const ring = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; char ring[512]; unsigned head, count;\n"
	for _, c := range []struct {
		name, size string
		undefined  bool
	}{{"within", "512", false}, {"beyond", "513", true}} {
		t.Run(c.name, func(t *testing.T) {
			src := ring + `void f(char c) { pthread_mutex_lock(&m); ring[(head + count) % ` + c.size + `] = c; count++; pthread_mutex_unlock(&m); }
void g(unsigned k) { pthread_mutex_lock(&m); head = k % ` + c.size + `; count = 0; ring[head] = 0; pthread_mutex_unlock(&m); }`
			r := pair(t, src)
			undefined := false
			for _, a := range r.Runs[0].Assumptions {
				undefined = undefined || a.Kind == "undefined"
			}
			if undefined != c.undefined || len(r.Runs[0].Bugs) > 0 || !r.Runs[0].Exhaustive {
				t.Errorf("undefined %v, want %v: %+v", undefined, c.undefined, r.Runs[0])
			}
		})
	}
}

// TestFailuresJoin: with calls that may fail, a thread that was made is joined.
func TestFailuresJoin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.c")
	src := `#include <pthread.h>
#include <assert.h>
int ran;
void *w(void *q) { ran = 1; return 0; }
int main(void) { pthread_t t; if (pthread_create(&t, 0, w, 0) != 0) return 1; pthread_join(t, 0); assert(ran == 0); return 0; }
`
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{CSB: 1, Unroll: 1, Yields: "mr", Failures: true, Options: pipeline.Options{Jobs: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Runs[0].Bugs) != 1 {
		t.Errorf("the assertion fails where the thread was made: %+v", r.Runs[0])
	}
}

// TestManyRaces: a pair that races in many places has each of them once, with the one
// preemption that it takes, and what locks or the order of the accesses exclude is not
// among them.
func TestManyRaces(t *testing.T) {
	r := pair(t, `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int a, b, c, d, e, done; extern int coin(void);
void f(int k) {
	switch (k) {
	case 0: a++; b++; c++; break;
	case 1: d++; break;
	default: pthread_mutex_lock(&m); e++; done = 1; pthread_mutex_unlock(&m);
	}
}
void g(int k) {
	c = 1; b = 1; a = 1;
	if (k == 3) d = 1;
	pthread_mutex_lock(&m);
	e++;
	pthread_mutex_unlock(&m);
}`)
	lines := map[int]int{}
	for _, b := range r.Runs[0].Bugs {
		if b.Kind != "race" || b.CSB != 1 {
			t.Errorf("%s at line %d with %d preemptions", b.Kind, b.Place.Pos.Line, b.CSB)
		}
		lines[b.Place.Pos.Line]++
		lines[b.Other.Pos.Line]++
	}
	for line, n := range lines {
		if line != 5 && line != 6 && line != 11 && line != 12 {
			t.Errorf("%d races at line %d", n, line)
		}
	}
	// Of each counter two accesses of f (the read and the write) race with the write of
	// g, at one place: they are shown once.
	if len(r.Runs[0].Bugs) != 4 {
		t.Errorf("%d races, want 4", len(r.Runs[0].Bugs))
	}
}
