package bmc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/pipeline"
	"whoop/report"
)

// check runs bmc on C source in every mode, and returns the bugs found, "kind line csb"
// each; all modes must agree.
func check(t *testing.T, src string, csb, unroll int) (bugs string, rep *diag.BoundedReport) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte("#include <pthread.h>\n#include <assert.h>\n"+src), 0o666); err != nil {
		t.Fatal(err)
	}
	// the last time without formulas first
	for i, y := range append(slices.Clone(pipeline.Yields), "mr") {
		o := pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: csb, Unroll: unroll, Yields: y, FormulasOnly: i < len(pipeline.Yields)}
		r, err := pipeline.BMC(context.Background(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, b := range r.Runs[0].Bugs {
			out = append(out, fmt.Sprintf("%s %d", b.Kind, b.CSB))
			if want := fmt.Sprintf(", %d of them", b.CSB); !strings.Contains(report.Interleaving(b.Execution), want) {
				t.Errorf("%s: csb=%d, but the execution shown has another number of preemptions:\n%s", y, b.CSB, report.Interleaving(b.Execution))
			}
			marked(t, &b)
		}
		sort.Strings(out)
		if got := strings.Join(out, ", "); i == 0 {
			bugs, rep = got, r
		} else if got != bugs {
			t.Errorf("all finds %q, %s finds %q", bugs, y, got)
		}
	}
	return bugs, rep
}

// marked checks that an execution is printed with as many marks of switches as are
// counted below it, and with something between two.
func marked(t *testing.T, b *diag.Bug) {
	t.Helper()
	const mark, preempted = "-- context switch: ", "(which could have gone on)"
	lines := strings.Split(strings.TrimSpace(report.Interleaving(b.Execution)), "\n")
	n, p, empty := 0, 0, false
	for i, l := range lines {
		if !strings.Contains(l, mark) {
			continue
		}
		n++
		if strings.Contains(l, preempted) {
			p++
		}
		empty = empty || i+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "-- ")
	}
	footer := strings.Fields(lines[len(lines)-1]) // "2 context switches, 1 of them a preemption"
	if len(footer) < 4 || footer[0] != fmt.Sprint(n) || footer[3] != fmt.Sprint(p) || empty {
		t.Errorf("%d switches marked, %d of them preemptions; an empty turn: %v\n%s", n, p, empty, report.Interleaving(b.Execution))
	}
}

const two = `
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
`

const spawnBoth = `
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, f, 0);
	pthread_create(&b, 0, g, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
`

// TestShapes are small programs with known answers. The first two are the trap of
// reductions: between two adjacent regions under a lock, or two atomic sections, others
// may run though no access races.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name, src   string
		csb, unroll int
		want        string
		answer      diag.Answer
	}{
		{"adjacent lock regions", two + `
void *f(void *a) {
	pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);
	return 0;
}
void *g(void *a) { pthread_mutex_lock(&m); assert(x != 1); pthread_mutex_unlock(&m); return 0; }` + spawnBoth, 1, 1, "assert 1", diag.HasBug},
		{"adjacent atomic sections", two + `
void *f(void *a) {
	__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();
	__VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end();
	return 0;
}
void *g(void *a) { __VERIFIER_atomic_begin(); int v = x; __VERIFIER_atomic_end(); assert(v != 1); return 0; }` + spawnBoth, 1, 1, "assert 1", diag.HasBug},
		{"one region is not divided", two + `
void *f(void *a) { pthread_mutex_lock(&m); x = 1; x = 2; pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); assert(x != 1); pthread_mutex_unlock(&m); return 0; }` + spawnBoth, 3, 1, "", diag.NoBug},
		{"lost update under a lock", two + `
void *f(void *a) {
	pthread_mutex_lock(&m); int t = x; pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m); x = t + 1; pthread_mutex_unlock(&m);
	return 0;
}
void *g(void *a) { return f(a); }` + strings.Replace(spawnBoth, "return 0", "assert(x == 2);\n\treturn 0", 1), 1, 1, "assert 1", diag.HasBug},
		{"locks in opposite order", two + `
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }` + spawnBoth, 1, 1, "deadlock 1", diag.HasBug},
		{"a bug beyond the bound is not kept back", two + `
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }` + spawnBoth, 0, 1, "deadlock 1", diag.HasBug},
		{"the program ends inside a call", two + `
extern void exit(int);
void leave(void) { pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); exit(0); }
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); while (1) leave(); }`, 1, 1, "race 1", diag.HasBug},
		{"double lock", two + `
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
void *g(void *a) { return 0; }` + spawnBoth, 0, 1, "double-lock 0", diag.HasBug},
		{"unlock of a lock not held", two + `
void *f(void *a) { pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { return 0; }` + spawnBoth, 0, 1, "unlock-not-held 0", diag.HasBug},
		{"a race of equal values", two + `
void *f(void *a) { x = 1; return 0; }
void *g(void *a) { x = 1; return 0; }` + spawnBoth, 1, 1, "race 1", diag.HasBug},
		{"a lost wake-up", two + `
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *a) {
	pthread_mutex_lock(&m); int r = x; pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m); if (!r) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
	return 0;
}
void *g(void *a) { pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }` + spawnBoth, 1, 1, "deadlock 1", diag.HasBug},
		{"a wait in a loop", two + `
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }` + spawnBoth, 3, 2, "", diag.NoBug},
		{"a loop beyond its bound", two + `
extern int __VERIFIER_nondet_int(void);
void *f(void *a) { int k = 0, e = __VERIFIER_nondet_int(); while (k < e) k++; pthread_mutex_lock(&m); x = k; pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); assert(x < 30); pthread_mutex_unlock(&m); return 0; }` + spawnBoth, 1, 2, "", diag.Bounded},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, rep := check(t, c.src, c.csb, c.unroll)
			if got != c.want || rep.Answer() != c.answer {
				t.Errorf("%q, %s; want %q, %s (%+v)", got, rep.Answer(), c.want, c.answer, rep.Runs[0])
			}
		})
	}
}
