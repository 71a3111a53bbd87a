package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whoop/diag"
)

// TestRelease: a pair that a lock keeps apart which somebody may release who does not hold it is not proved to be.
func TestRelease(t *testing.T) {
	const head = "#include <pthread.h>\nint x, c; struct s { pthread_mutex_t m; int n; } g; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t v = PTHREAD_COND_INITIALIZER;\n" +
		"#define lock pthread_mutex_lock\n#define unlock pthread_mutex_unlock\nvoid give(pthread_mutex_t *p) { unlock(p); } void take(pthread_mutex_t *p) { lock(p); }\n"
	const rest = "void *f(void *a) { lock(&m); x++; unlock(&m); return 0; }\n" +
		"int main(void) { pthread_t t, u, w; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_create(&w, 0, third, 0); return 0; }\n"
	for _, k := range []struct {
		name, third string
		want        diag.Verdict
	}{
		{"not held", "unlock(&m);", diag.Unknown},
		{"by a function", "give(&m);", diag.Unknown},
		{"twice", "lock(&m); unlock(&m); unlock(&m);", diag.Unknown},
		{"twice on one path", "lock(&m); unlock(&m); if (c) unlock(&m);", diag.Unknown},
		{"after a try that may have failed", "if (pthread_mutex_trylock(&m)) x = x; unlock(&m);", diag.Racy},
		{"after a try whose result nobody reads", "pthread_mutex_trylock(&m); unlock(&m);", diag.Unknown},
		{"of another lock", "lock(&o); unlock(&m); unlock(&o);", diag.Unknown},
		{"before it is taken", "unlock(&m); lock(&m); unlock(&m);", diag.Unknown},
		{"by a wait", "lock(&o); pthread_cond_wait(&v, &m); unlock(&o);", diag.Unknown},
		{"in a loop, taken once", "lock(&m); for (int i = 0; i < 2; i++) unlock(&m);", diag.Unknown},
		{"that protects nothing", "unlock(&o);", diag.RaceFree},
		{"held", "lock(&m); unlock(&m);", diag.RaceFree},
		{"held, by functions", "take(&m); give(&m);", diag.RaceFree},
		{"held on the same condition", "int k = c; if (k) lock(&m); if (k) unlock(&m);", diag.RaceFree},
		{"after a try that worked", "if (!pthread_mutex_trylock(&m)) unlock(&m);", diag.RaceFree},
		{"in a loop", "for (int i = 0; i < 2; i++) { lock(&m); unlock(&m); }", diag.RaceFree},
		{"by a wait that holds it", "lock(&m); pthread_cond_wait(&v, &m); unlock(&m);", diag.RaceFree},
		{"after an early return", "lock(&m); if (x) { unlock(&m); return 0; } unlock(&m);", diag.RaceFree},
	} {
		t.Run(k.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.c")
			if err := os.WriteFile(file, []byte(head+"void *third(void *a) { "+k.third+" return 0; }\n"+rest), 0o600); err != nil {
				t.Fatal(err)
			}
			rep, err := Verify(context.Background(), file, Options{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Verdict != k.want {
				t.Errorf("%s, want %s: %+v", rep.Verdict, k.want, rep.Pairs)
			}
		})
	}
}
