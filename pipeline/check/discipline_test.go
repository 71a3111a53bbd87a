package check

import "testing"

// TestDiscipline: a lock that is released by another thread, made anew or written over
// protects nothing.
func TestDiscipline(t *testing.T) {
	const mutex = "#include <string.h>\n#include <semaphore.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;"
	const inc = " pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
	for _, v := range []verdict{
		{"another thread releases it", mutex + "void *f(void *a) { pthread_mutex_unlock(&m);" + inc + " return 0; } int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0); x++; pthread_mutex_unlock(&m); return 0; }", DataRace, "UNKNOWN"},
		{"a third thread releases it", mutex + "void *f(void *a) {" + inc + " return 0; } void *g(void *a) { pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t, u; pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); x++; return 0; }", DataRace, "UNKNOWN"},
		{"as absint sees it", mutex + "void *f(void *a) { pthread_mutex_lock(&m); x = 1; if (x != 1) reach_error(); pthread_mutex_unlock(&m); return 0; } void *g(void *a) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); return 0; }", Unreach, "UNKNOWN"},
		{"it is made anew", racing(mutex, inc, "pthread_mutex_init(&m, 0);"+inc), DataRace, "FALSE(no-data-race)"},
		{"whether or not it is a race", mutex + "void *f(void *a) { pthread_mutex_lock(&m); x = 1; if (x != 1) reach_error(); x = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); return 0; }", Unreach, "FALSE(unreach-call)"},
		{"a semaphore is made anew", racing("#include <semaphore.h>\nsem_t s; int x; void g(void) { sem_wait(&s); x++; sem_post(&s); } void h(void) { sem_init(&s, 0, 1); }", "g();", "h(); h(); g();"), DataRace, "FALSE(no-data-race)"},
		{"it is written over while it is held", "#include <string.h>\n" + racing(mutex, inc, "pthread_mutex_lock(&m); memset(&m, 0, sizeof m); x++;"), DataRace, "UNKNOWN"},
		{"with the struct that it is in", racing("struct s { pthread_mutex_t m; int v; } s, z;", "pthread_mutex_lock(&s.m); s.v++; pthread_mutex_unlock(&s.m);", "pthread_mutex_lock(&s.m); s = z; pthread_mutex_unlock(&s.m);"), DataRace, "UNKNOWN"},
		{"a once control is new again", racing("pthread_once_t o = PTHREAD_ONCE_INIT; int x; void in(void) { x++; }", "pthread_once(&o, in);", "pthread_once_t z = PTHREAD_ONCE_INIT; o = z; pthread_once(&o, in);"), DataRace, "UNKNOWN"},
		{"in one thread, too", "#include <string.h>\npthread_once_t o = PTHREAD_ONCE_INIT; int x; void in(void) { x++; } int main(void) { pthread_once(&o, in); pthread_once_t z = PTHREAD_ONCE_INIT; memcpy(&o, &z, sizeof o); pthread_once(&o, in); if (x == 2) reach_error(); return 0; }", Unreach, "UNKNOWN"},
		{"a barrier of one thread", "pthread_barrier_t b; int main(void) { pthread_barrier_init(&b, 0, 1); if (pthread_barrier_wait(&b) != PTHREAD_BARRIER_SERIAL_THREAD) reach_error(); return 0; }", Unreach, "TRUE"},
		{"a lock is destroyed while it is held", racing(mutex, inc, "pthread_mutex_lock(&m); pthread_mutex_destroy(&m); pthread_mutex_init(&m, 0); x++;"), DataRace, "UNKNOWN"},
		{"before there are threads", "#include <string.h>\nstruct s { pthread_mutex_t m; int v; } s; void *f(void *a) { pthread_mutex_lock(&s.m); s.v++; pthread_mutex_unlock(&s.m); return 0; } int main(void) { pthread_t t; memset(&s, 0, sizeof s); s.m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_create(&t, 0, f, 0); f(0); return 0; }", DataRace, "TRUE"},
		{"which bmc sees alike", "#include <string.h>\nstruct s { pthread_mutex_t m; int v; } s; void *f(void *a) { pthread_mutex_lock(&s.m); s.v = 1; if (s.v != 1) reach_error(); s.v = 0; pthread_mutex_unlock(&s.m); return 0; } int main(void) { pthread_t t; memset(&s, 0, sizeof s); pthread_create(&t, 0, f, 0); f(0); return 0; }", Unreach, "TRUE"},
	} {
		t.Run(v.name, v.run)
	}
}

// TestDisciplined: locks that are used well are seen to be, by verify alone.
func TestDisciplined(t *testing.T) {
	const s = "#include <stdlib.h>\nstruct s { pthread_mutex_t m; int n, a[4]; };"
	for name, src := range map[string]string{
		"a global lock":        racing("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "f(0);"),
		"held in a loop":       racing(s+"struct s g;", "struct s *p = &g; pthread_mutex_lock(&p->m); for (int i = 0; i < 4; i++) p->a[i]++; pthread_mutex_unlock(&p->m);", "f(0);"),
		"a lock of the heap":   s + "void *f(void *a) { struct s *p = a; pthread_mutex_lock(&p->m); p->n++; pthread_mutex_unlock(&p->m); return 0; } int main(void) { pthread_t t; struct s *p = malloc(sizeof *p); pthread_mutex_init(&p->m, 0); p->n = 0; pthread_create(&t, 0, f, p); f(p); pthread_join(t, 0); pthread_mutex_destroy(&p->m); free(p); return 0; }",
		"tried":                racing("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;", "if (!pthread_mutex_trylock(&m)) { x++; pthread_mutex_unlock(&m); }", "f(0);"),
		"condition variables":  racing("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c; int x;", "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); x--; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); x++; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"),
		"by functions":         racing("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; void lock(pthread_mutex_t *l) { pthread_mutex_lock(l); } void unlock(pthread_mutex_t *l) { pthread_mutex_unlock(l); }", "lock(&m); x++; unlock(&m);", "f(0);"),
		"initialised in main":  "pthread_mutex_t m; int x; void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_mutex_init(&m, 0); pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); pthread_mutex_destroy(&m); return 0; }",
		"readers and writers":  racing("pthread_rwlock_t l; int x;", "pthread_rwlock_rdlock(&l); int y = x; pthread_rwlock_unlock(&l);", "pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);"),
		"two locks of a table": racing(s+"struct s g[2];", "for (int i = 0; i < 2; i++) { pthread_mutex_lock(&g[i].m); g[i].n++; pthread_mutex_unlock(&g[i].m); }", "f(0);"),
	} {
		t.Run(name, func(t *testing.T) {
			if r := run1(t, head+src, Options{Property: DataRace, Engines: []string{"verify"}}); r.Verdict() != "TRUE" {
				t.Errorf("%s; %+v", r.Verdict(), r.Steps)
			}
		})
	}
}

// TestDestroyed: there is no TRUE where what synchronises is destroyed or freed while
// others may use it.
func TestDestroyed(t *testing.T) {
	const decls = "#include <stdlib.h>\n#include <semaphore.h>\npthread_mutex_t g, *m; sem_t s;"
	const heap = "#include <stdlib.h>\npthread_mutex_t *m; void *f(void *a) { pthread_mutex_lock(m); pthread_mutex_unlock(m); return 0; } int main(void) { pthread_t t; m = malloc(sizeof *m); pthread_mutex_init(m, 0); pthread_create(&t, 0, f, 0); "
	for _, v := range []verdict{
		{"a mutex", racing(decls, "pthread_mutex_lock(&g); pthread_mutex_unlock(&g);", "pthread_mutex_destroy(&g);"), DataRace, "UNKNOWN"},
		{"a semaphore", racing(decls, "sem_post(&s);", "sem_init(&s, 0, 1); sem_wait(&s); sem_destroy(&s);"), DataRace, "UNKNOWN"},
		{"freed", heap + "pthread_mutex_destroy(m); free(m); return 0; }", DataRace, "UNKNOWN"},
		{"freed after the thread", heap + "pthread_join(t, 0); pthread_mutex_destroy(m); free(m); return 0; }", DataRace, "TRUE"},
		{"which is an access", heap + "free(m); return 0; }", MemSafety, "FALSE(valid-deref)"},
		{"which is none after the thread", heap + "pthread_join(t, 0); free(m); return 0; }", MemSafety, "TRUE"},
		{"destroyed after the thread", "pthread_mutex_t g; void *f(void *a) { pthread_mutex_lock(&g); pthread_mutex_unlock(&g); return 0; } int main(void) { pthread_t t; pthread_mutex_init(&g, 0); pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_mutex_destroy(&g); pthread_mutex_init(&g, 0); f(0); return 0; }", DataRace, "TRUE"},
		{"used after it was destroyed", "pthread_mutex_t g; int x; int main(void) { pthread_mutex_init(&g, 0); pthread_mutex_destroy(&g); pthread_mutex_lock(&g); if (x) reach_error(); return 0; }", Unreach, "TRUE"},
	} {
		t.Run(v.name, v.run)
	}
}
