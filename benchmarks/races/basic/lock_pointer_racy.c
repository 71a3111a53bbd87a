/* The lock pointer is changed while the threads use it: they may hold different locks. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t gm = PTHREAD_MUTEX_INITIALIZER, om = PTHREAD_MUTEX_INITIALIZER;
static struct wrap { pthread_mutex_t *m; int v; } wr = { &gm, 0 };
struct shared { pthread_mutex_t *lock; long sum; };
static int plain;
static void *worker(void *arg)
{
	struct shared *s = arg;
	pthread_mutex_lock(wr.m);
	wr.v++; // NORACE
	pthread_mutex_unlock(wr.m);
	pthread_mutex_lock(&gm);
	wr.v++; // NORACE
	pthread_mutex_unlock(&gm);
	for (int i = 0; i < 1000; i++) {
		s->lock = i & 1 ? &gm : &om; // RACE!
		pthread_mutex_t *l = s->lock; // RACE!
		pthread_mutex_lock(l);
		s->sum++; // RACE!
		pthread_mutex_unlock(l);
	}
	return 0;
}
int main(void)
{
	pthread_t a, b;
	pthread_mutex_t *l = malloc(sizeof *l);
	struct shared *s = malloc(sizeof *s);
	if (!l || !s)
		return 1;
	pthread_mutex_init(l, 0);
	s->lock = l;
	s->sum = 0;
	pthread_create(&a, 0, worker, s);
	pthread_create(&b, 0, worker, s);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return (int)s->sum + wr.v + plain; // NORACE
}
