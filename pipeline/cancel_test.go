package pipeline

import (
	"testing"

	"whoop/diag"
)

// TestCancel: a thread that is cancelled may end at each cancellation point, after its
// cleanup handlers.
func TestCancel(t *testing.T) {
	const head = "#include <pthread.h>\n#include <semaphore.h>\n#include <unistd.h>\nint x; sem_t s; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n" +
		"#define PUSH pthread_cleanup_push\n#define POP pthread_cleanup_pop\nvoid un(void *p) { pthread_mutex_unlock(p); } void inc(void *p) { x++; } void late(void *p) { pthread_mutex_unlock(p); x++; }\n" +
		"void locked(void *p) { pthread_mutex_lock(p); x++; pthread_mutex_unlock(p); } void rest(void) { sleep(1); }\n"
	for _, k := range []struct {
		name, thread, cancel string
		want                 diag.Verdict
	}{
		{"a handler at sleep", "PUSH(inc, 0); sleep(1); POP(0);", "pthread_cancel(t);", diag.Racy},
		{"nobody cancels", "PUSH(inc, 0); sleep(1); POP(0);", "", diag.RaceFree},
		{"a handler that locks", "PUSH(locked, &m); sleep(1); POP(0);", "pthread_cancel(t);", diag.RaceFree},
		{"a handler that takes another lock", "PUSH(locked, &o); sleep(1); POP(0);", "pthread_cancel(t);", diag.Racy},
		{"at a wait", "pthread_mutex_lock(&m); PUSH(un, &m); while (!x) pthread_cond_wait(&c, &m); x++; POP(1);", "pthread_cancel(t);", diag.RaceFree},
		{"which it ends first", "pthread_mutex_lock(&m); PUSH(late, &m); while (!x) pthread_cond_wait(&c, &m); POP(0); pthread_mutex_unlock(&m);", "pthread_cancel(t);", diag.Racy},
		{"in a function that is called", "PUSH(inc, 0); rest(); POP(0);", "pthread_cancel(t);", diag.Racy},
		{"at pthread_testcancel", "PUSH(inc, 0); pthread_testcancel(); POP(0);", "pthread_cancel(t);", diag.Racy},
		{"at a semaphore", "PUSH(inc, 0); sem_wait(&s); POP(0);", "pthread_cancel(t);", diag.Racy},
		{"at none", "PUSH(inc, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); POP(0);", "pthread_cancel(t);", diag.RaceFree},
		{"after it was popped", "PUSH(inc, 0); POP(0); sleep(1);", "pthread_cancel(t);", diag.RaceFree},
		{"without handlers", "sleep(1); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "pthread_cancel(t);", diag.RaceFree},
	} {
		t.Run(k.name, func(t *testing.T) {
			verdictOf(t, head+"void *f(void *a) { "+k.thread+" return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); "+k.cancel+" pthread_join(t, 0); return x; }\n", k.want)
		})
	}
}
