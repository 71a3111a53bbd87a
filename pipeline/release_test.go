package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"whoop/diag"
)

// TestRelease: a pair that a lock keeps apart which somebody may release who does not
// hold it is not proved to be.
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
			verdictOf(t, head+"void *third(void *a) { "+k.third+" return 0; }\n"+rest, k.want)
		})
	}
}

// verdictOf verifies a C file.
func verdictOf(t *testing.T, src string, want diag.Verdict) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	rep, err := Verify(context.Background(), file, Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Verdict != want {
		t.Errorf("%s, want %s: %+v", rep.Verdict, want, rep.Pairs)
	}
}

// TestDestroyed: what synchronises is not destroyed, or freed, while others may use it.
func TestDestroyed(t *testing.T) {
	const head = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\nstruct s { int n; pthread_mutex_t m; sem_t e; pthread_cond_t c; pthread_rwlock_t r; pthread_barrier_t b; } g, *h;\npthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;\n"
	const makes = "h = malloc(sizeof *h); pthread_mutex_init(&h->m, 0); "
	for _, k := range []struct {
		name, thread, before, after string
		want                        diag.Verdict
	}{
		{"a mutex", "pthread_mutex_lock(&g.m); pthread_mutex_unlock(&g.m);", "", "pthread_mutex_destroy(&g.m); pthread_join(t, 0);", diag.Racy},
		{"a mutex, joined", "pthread_mutex_lock(&g.m); pthread_mutex_unlock(&g.m);", "", "pthread_join(t, 0); pthread_mutex_destroy(&g.m);", diag.RaceFree},
		{"a mutex, before", "pthread_mutex_lock(&g.m); pthread_mutex_unlock(&g.m);", "pthread_mutex_destroy(&g.m); pthread_mutex_init(&g.m, 0);", "pthread_join(t, 0);", diag.RaceFree},
		{"another mutex", "pthread_mutex_lock(&g.m); pthread_mutex_unlock(&g.m);", "", "pthread_mutex_destroy(&o);", diag.RaceFree},
		{"under a common lock", "pthread_mutex_lock(&o); pthread_mutex_lock(&g.m); pthread_mutex_unlock(&g.m); pthread_mutex_unlock(&o);", "", "pthread_mutex_lock(&o); pthread_mutex_destroy(&g.m); pthread_mutex_unlock(&o);", diag.RaceFree},
		{"a mutex that is tried", "if (!pthread_mutex_trylock(&g.m)) pthread_mutex_unlock(&g.m);", "", "pthread_mutex_destroy(&g.m);", diag.Racy},
		{"a readers' lock", "pthread_rwlock_rdlock(&g.r); pthread_rwlock_unlock(&g.r);", "", "pthread_rwlock_destroy(&g.r);", diag.Racy},
		{"a semaphore", "sem_post(&g.e);", "sem_init(&g.e, 0, 1);", "sem_wait(&g.e); sem_destroy(&g.e);", diag.Racy},
		{"a semaphore, joined", "sem_post(&g.e);", "sem_init(&g.e, 0, 0);", "sem_wait(&g.e); pthread_join(t, 0); sem_destroy(&g.e);", diag.RaceFree},
		{"a condition variable", "pthread_cond_signal(&g.c);", "pthread_cond_init(&g.c, 0);", "pthread_cond_destroy(&g.c);", diag.Racy},
		{"a condition variable that is waited for", "pthread_mutex_lock(&g.m); pthread_cond_wait(&g.c, &g.m); pthread_mutex_unlock(&g.m);", "", "pthread_cond_destroy(&g.c);", diag.Racy},
		{"a barrier", "pthread_barrier_wait(&g.b);", "pthread_barrier_init(&g.b, 0, 2);", "pthread_barrier_wait(&g.b); pthread_barrier_destroy(&g.b);", diag.RaceFree},
		{"a barrier that others wait at", "pthread_barrier_wait(&g.b);", "pthread_barrier_init(&g.b, 0, 2);", "pthread_barrier_destroy(&g.b);", diag.Racy},
		{"memory with a mutex in it", "pthread_mutex_lock(&h->m); pthread_mutex_unlock(&h->m);", makes, "free(h);", diag.Racy},
		{"memory with a mutex in it, joined", "pthread_mutex_lock(&h->m); pthread_mutex_unlock(&h->m);", makes, "pthread_join(t, 0); pthread_mutex_destroy(&h->m); free(h);", diag.RaceFree},
		{"other members are accessed beside it", "pthread_mutex_lock(&h->m); pthread_mutex_unlock(&h->m);", makes, "h->n = 1; pthread_join(t, 0); free(h);", diag.RaceFree},
	} {
		t.Run(k.name, func(t *testing.T) {
			verdictOf(t, head+"void *f(void *a) { "+k.thread+" return 0; }\nint main(void) { pthread_t t; "+k.before+" pthread_create(&t, 0, f, 0); "+k.after+" return 0; }\n", k.want)
		})
	}
}
