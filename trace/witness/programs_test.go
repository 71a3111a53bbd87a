package witness_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"whoop/ir"
	"whoop/pipeline"
	"whoop/trace"
	"whoop/trace/witness"
)

const head = `#include <pthread.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { abort(); }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
int x, y, z;
`

// programs have one bug each, of a kind.
var programs = []struct{ name, kind, src string }{
	{"lost update", "reach_error", `
void *inc(void *a) { int t = x; x = t + 1; return 0; }
int main(void) {
	pthread_t p, q;
	pthread_create(&p, 0, inc, 0);
	pthread_create(&q, 0, inc, 0);
	pthread_join(p, 0);
	pthread_join(q, 0);
	if (x != 2)
		reach_error();
	return 0;
}`},
	{"statement cut in two", "reach_error", `
void *inc(void *a) { x++; x += 2; return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, inc, 0);
	x = x + y + z + 1;
	y = x++ + z;
	pthread_join(p, 0);
	if (x == 3 && y == 2)
		reach_error();
	return 0;
}`},
	{"input values", "reach_error", `
void *set(void *a) { y = __VERIFIER_nondet_int(); return 0; }
int main(int argc, char **argv) {
	pthread_t p;
	int a = __VERIFIER_nondet_int(), b;
	unsigned char c = __VERIFIER_nondet_uchar();
	pthread_create(&p, 0, set, 0);
	b = y;
	x = __VERIFIER_nondet_int() + __VERIFIER_nondet_int();
	if (a == -7 && c == 200 && b == 42 && x == 1000 && argc == 5)
		reach_error();
	return 0;
}`},
	{"loops", "reach_error", `
void *up(void *a) { for (int i = 0; i < 3; i++) x++; return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, up, 0);
	for (int i = 0; i < 3; i++) x++;
	pthread_join(p, 0);
	if (x == 4)
		reach_error();
	return 0;
}`},
	{"atomic sections", "reach_error", `
void *two(void *a) { __VERIFIER_atomic_begin(); x++; y++; __VERIFIER_atomic_end(); return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, two, 0);
	int a = x;
	int b = y;
	if (a != b)
		reach_error();
	return 0;
}`},
	{"condition variable", "reach_error", `
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *wait(void *a) {
	pthread_mutex_lock(&m);
	while (!x)
		pthread_cond_wait(&c, &m);
	y = z;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, wait, 0);
	pthread_mutex_lock(&m);
	x = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	z = 1;
	pthread_join(p, 0);
	if (!y)
		reach_error();
	return 0;
}`},
	{"deadlock", "deadlock", `
void *other(void *a) { pthread_mutex_lock(&k); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&k); return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, other, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&k);
	y++;
	pthread_mutex_unlock(&k);
	pthread_mutex_unlock(&m);
	pthread_join(p, 0);
	return 0;
}`},
	{"double lock", "double-lock", `
int main(void) {
	pthread_mutex_lock(&m);
	if (__VERIFIER_nondet_int() > 3)
		pthread_mutex_lock(&m);
	return 0;
}`},
	{"unlock not held", "unlock-not-held", `
void *other(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, other, 0);
	if (x)
		pthread_mutex_unlock(&m);
	return 0;
}`},
	{"race", "race", `
void *other(void *a) { pthread_mutex_lock(&m); x = y + 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, other, 0);
	y = 5;
	pthread_join(p, 0);
	return x;
}`},
	{"race in an atomic section", "race", `
void *other(void *a) { __VERIFIER_atomic_begin(); y = 1; x = 2; __VERIFIER_atomic_end(); return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, other, 0);
	x = 3;
	pthread_join(p, 0);
	return x;
}`},
	{"indeterminate values", "reach_error", `
void *nothing(void *a) { return 0; }
int main(void) {
	pthread_t p;
	struct { int a, b[4]; } s;
	int v;
	int *q = &v;
	pthread_create(&p, 0, nothing, &s);
	if (s.b[2] == 99 && *q == -3)
		reach_error();
	return 0;
}`},
	{"indeterminate values of others", "reach_error", `
struct s { int a, b[4]; };
int third(struct s *p, int i) { int v = p->b[ i ]; return v; }
void *nothing(void *a) { return 0; }
int main(void) {
	pthread_t p;
	struct s s;
	pthread_create(&p, 0, nothing, &s);
	if (third(&s, 2) == 99)
		reach_error();
	return 0;
}`},
	{"assertion", "assert", `
#include <assert.h>
void *other(void *a) { x = 1; return 0; }
int main(void) {
	pthread_t p;
	pthread_create(&p, 0, other, 0);
	assert(!x);
	return 0;
}`},
}

// load writes a program to a file and reads it.
func load(t *testing.T, src string) *ir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prog.c")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := pipeline.Load(file, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bug lets bmc find a bug.
func bug(t *testing.T, p *ir.Program, kind string) *trace.Trace {
	t.Helper()
	rep, err := pipeline.CheckProgram(context.Background(), p, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1, Timeout: time.Minute},
		CSB: 3, Unroll: 3, Yields: "mr", Properties: []string{kind}, FirstBug: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rep.Runs {
		for _, b := range r.Bugs {
			if b.Kind == kind {
				return b.Execution.Trace
			}
		}
	}
	t.Fatalf("bmc finds no %s: %s %s", kind, rep.Answer(), rep.Runs[0].Reason)
	return nil
}

var meta = witness.Meta{Producer: witness.Producer{Name: "whoop", Version: "test"}, Created: time.Unix(1e9, 0)}

// TestRoundTrip: a trace of each kind of bug is written in both formats, read again, and
// replayed without a deviation.
func TestRoundTrip(t *testing.T) {
	for _, x := range programs {
		t.Run(x.name, func(t *testing.T) {
			p := load(t, head+x.src)
			tr := bug(t, p, x.kind)
			for _, f := range []witness.Format{witness.YAML, witness.GraphML} {
				b, res, err := witness.Checked(context.Background(), p, tr, meta, f, witness.Options{})
				if err != nil {
					v, _ := witness.FromTrace(p, tr, meta)
					var s strings.Builder
					v.WriteYAML(&s)
					t.Fatalf("%s: %v\n%s", f, err, s.String())
				}
				if res.Deviations > 0 || len(res.Notes) > 0 {
					t.Errorf("%s: %d deviations, notes %q\n%s", f, res.Deviations, res.Notes, b)
				}
				if got := res.Trace.Bug; got.Kind != x.kind || x.kind != "deadlock" && x.kind != "race" && got.At != tr.Bug.At {
					t.Errorf("%s: the replay shows %+v, want %+v", f, got, tr.Bug)
				}
				sameAgain(t, b)
			}
		})
	}
}

// sameAgain: what was read is the same after it was written and read again.
func sameAgain(t *testing.T, b []byte) {
	t.Helper()
	w, err := witness.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if b[0] == '<' {
		err = w.Violation.WriteGraphML(&again)
	} else {
		err = w.Violation.WriteYAML(&again)
	}
	if err != nil {
		t.Fatal(err)
	}
	v, err := witness.Read(&again)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(w, v, cmpopts.IgnoreUnexported(witness.Violation{})); d != "" {
		t.Errorf("read, written and read again it differs:\n%s", d)
	}
}

// TestUnchanged: a bug that is repaired is not confirmed by the old witness.
func TestUnchanged(t *testing.T) {
	p := load(t, head+programs[0].src)
	b, _, err := witness.Checked(context.Background(), p, bug(t, p, "reach_error"), meta, witness.YAML, witness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fixed := load(t, head+strings.Replace(programs[0].src, "int t = x; x = t + 1;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", 1))
	w, err := witness.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	res, err := w.Violation.Replay(context.Background(), fixed, witness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Confirmed || res.Reason == "" {
		t.Fatalf("confirmed: %+v", res.Trace)
	}
	if len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "another version") {
		t.Errorf("notes %q", res.Notes)
	}
}
