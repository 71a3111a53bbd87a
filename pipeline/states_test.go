package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/diag"
)

const increments = `#include <pthread.h>
#include <assert.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int c;
static void *w(void *u) { for (int i = 0; i < %d; i++) { %s } return 0; }
int main(void) {
	pthread_t t[%d];
	for (int i = 0; i < %[3]d; i++) pthread_create(&t[i], 0, w, 0);
	for (int i = 0; i < %[3]d; i++) pthread_join(t[i], 0);
	assert(c == %[4]d);
	return 0;
}
`

const queue = `#include <pthread.h>
#include <assert.h>
#define N %d
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int q[N], head, tail, count;
static void *put(void *u) {
	for (int i = 0; i < N + 2; i++) {
		pthread_mutex_lock(&l);
		%s (count == N) pthread_cond_wait(&full, &l);
		q[tail] = i; tail = (tail + 1) %% N; count++;
		pthread_cond_signal(&empty);
		pthread_mutex_unlock(&l);
	}
	return 0;
}
static void *get(void *u) {
	for (int i = 0; i < N + 2; i++) {
		pthread_mutex_lock(&l);
		while (count == 0) pthread_cond_wait(&empty, &l);
		assert(q[head] == i); head = (head + 1) %% N; count--;
		%s
		pthread_mutex_unlock(&l);
	}
	return 0;
}
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, put, 0); pthread_create(&b, 0, get, 0);
	pthread_join(a, 0); pthread_join(b, 0);
	return 0;
}
`

// TestStates: what formulas take minutes for is answered by the states, for all switches
// and iterations, or with the bug and its least number of preemptions.
func TestStates(t *testing.T) {
	type test struct{ name, src, bugs string }
	var tests []test
	whole, split := "pthread_mutex_lock(&l); c++; pthread_mutex_unlock(&l);",
		"pthread_mutex_lock(&l); int t = c; pthread_mutex_unlock(&l); pthread_mutex_lock(&l); c = t + 1; pthread_mutex_unlock(&l);"
	for _, n := range [][2]int{{2, 8}, {3, 4}, {4, 3}, {5, 2}, {6, 2}} {
		tests = append(tests, test{fmt.Sprint("whole", n), fmt.Sprintf(increments, n[1], whole, n[0], n[0]*n[1]), ""})
	}
	tests = append(tests, test{"split", fmt.Sprintf(increments, 3, split, 2, 6), "assert 1"},
		test{"bare", fmt.Sprintf(increments, 2, "c++;", 2, 4), "assert 1, race 1"})
	for _, n := range []int{1, 3, 6} {
		tests = append(tests, test{fmt.Sprint("queue", n), fmt.Sprintf(queue, n, "while", "pthread_cond_signal(&full);"), ""},
			test{fmt.Sprint("silent", n), fmt.Sprintf(queue, n, "while", ""), "deadlock 0"})
	}
	for _, x := range tests {
		path := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(path, []byte(x.src), 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := BMC(context.Background(), path, BMCOptions{Options: Options{Jobs: 1}, CSB: 3, Unroll: 2, Yields: "mr"})
		if err != nil {
			t.Fatal(err)
		}
		r := &rep.Runs[0]
		var bugs []string
		for _, b := range r.Bugs {
			bugs = append(bugs, fmt.Sprintf("%s %d", b.Kind, b.CSB))
		}
		if got := strings.Join(bugs, ", "); got != x.bugs || r.Counters["states"] == 0 || !r.Exhaustive || !r.Unrolled ||
			(r.Answer == diag.NoBug) != (x.bugs == "") {
			t.Errorf("%s: %s: %s, want %q; %v, %+v", x.name, r.Answer, got, x.bugs, r.Counters, r.Reason)
		}
	}
}

// TestNotByStates: where the states are not exactly what the program does, formulas
// answer.
func TestNotByStates(t *testing.T) {
	for name, body := range map[string]string{
		"code not seen": "extern int f(void); if (f()) x = 1;",
		"a number":      "extern unsigned __VERIFIER_nondet_uint(void); if (__VERIFIER_nondet_uint() == 77) assert(x);",
		"undefined":     "int *p = 0; if (x) *p = 1;",
	} {
		path := filepath.Join(t.TempDir(), "p.c")
		src := "#include <pthread.h>\n#include <assert.h>\nstatic int x;\nstatic void *w(void *p) { x = 1; return p; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); " + body + " return 0; }"
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := BMC(context.Background(), path, BMCOptions{Options: Options{Jobs: 1}, CSB: 1, Unroll: 2, Yields: "mr"})
		if err != nil {
			t.Fatal(err)
		}
		if n := rep.Runs[0].Counters["states"]; n != 0 {
			t.Errorf("%s: answered after %d states", name, n)
		}
	}
}

// TestManySplit: of six threads whose increments are split by their lock, the states are
// gone through; the bug takes one preemption, though more are looked at.
func TestManySplit(t *testing.T) {
	f := filepath.Join(t.TempDir(), "split.c")
	body := "pthread_mutex_lock(&l); int x = c; pthread_mutex_unlock(&l); pthread_mutex_lock(&l); c = x + 1; pthread_mutex_unlock(&l);"
	if err := os.WriteFile(f, fmt.Appendf(nil, increments, 1, body, 6, 6), 0o600); err != nil {
		t.Fatal(err)
	}
	rep, err := BMC(context.Background(), f, BMCOptions{Options: Options{Jobs: 1}, CSB: 3,
		Unroll: 2, Yields: "mr"})
	if err != nil {
		t.Fatal(err)
	}
	r := rep.Runs[0]
	if r.Counters["states"] == 0 || len(r.Bugs) != 1 || r.Bugs[0].Kind != "assert" ||
		r.Bugs[0].CSB != 1 {
		t.Errorf("%d states, bugs %+v %s", r.Counters["states"], r.Bugs, r.Reason)
	}
}
