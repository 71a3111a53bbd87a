/*
 * A recursive mutex is taken by a function and again by its callee.
 *
 * unreach-call: true, the mutex stays held until its outer unlock, so both steps of one thread are seen
 *   together.
 * no-data-race: true, all accesses hold the mutex.
 */
#define _GNU_SOURCE
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
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int a, b;
void inc(int *p)
{
	pthread_mutex_lock(&m);
	(*p)++;
	pthread_mutex_unlock(&m);
}
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	inc(&a);
	inc(&b);
	pthread_mutex_unlock(&m);
	return 0;
}
void *checker(void *arg)
{
	pthread_mutex_lock(&m);
	__VERIFIER_assert(a == b);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_create(&t3, 0, checker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
