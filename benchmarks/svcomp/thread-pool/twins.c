/*
 * Any number of threads raises two counters together under a mutex; main compares them once.
 *
 * unreach-call: true, the counters change in one critical section and are equal whenever the mutex is free.
 * no-data-race: true, all accesses hold the mutex.
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
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned a, b;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	a++;
	b++;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	pthread_mutex_lock(&m);
	__VERIFIER_assert(a == b);
	pthread_mutex_unlock(&m);
	return 0;
}
