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

// TestPairLocks: pairs whose locks are all that can go wrong. Orders that no path takes count for nothing, those that one takes do.
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

// TestPairIndex: that an index stays within a ring buffer is seen without interleavings, and that it may not is said.
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
