/*
 * One of two threads passes the mutexes the other way round.
 *
 * unreach-call: false, a counter is then incremented under two different mutexes, an increment may be lost.
 * no-data-race: false, the same accesses.
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
pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t mb = PTHREAD_MUTEX_INITIALIZER;
int a;
void add(pthread_mutex_t *m, int *p)
{
	pthread_mutex_lock(m);
	(*p)++;
	pthread_mutex_unlock(m);
}
void *first(void *arg)
{
	add(&ma, &a);
	return 0;
}
void *second(void *arg)
{
	add(&mb, &a);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(a == 2);
	return 0;
}
