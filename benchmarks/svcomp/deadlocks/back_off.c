/*
 * Two mutexes in opposite order, but the second is tried, and if it is taken the first is given back.
 *
 * no-deadlock: true, nobody waits while holding a mutex.
 * no-data-race: true, the counter is under both mutexes.
 * unreach-call: true, a thread leaves its loop after exactly one increment.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int n;
void both(pthread_mutex_t *p, pthread_mutex_t *q)
{
	for (;;) {
		pthread_mutex_lock(p);
		if (pthread_mutex_trylock(q) == 0)
			break;
		pthread_mutex_unlock(p);
	}
	n++;
	pthread_mutex_unlock(q);
	pthread_mutex_unlock(p);
}
void *first(void *arg)
{
	both(&a, &b);
	return 0;
}
void *second(void *arg)
{
	both(&b, &a);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
