/*
 * Two threads raise a counter n times each under a mutex, n unknown.
 *
 * unreach-call: true, no increment is lost, the end value is 2n (in unsigned arithmetic, which wraps on both
 *   sides alike).
 * no-data-race: true, n is written before the threads start, the counter is under the mutex.
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
extern unsigned int __VERIFIER_nondet_uint(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned n, total;
void *worker(void *arg)
{
	for (unsigned i = 0; i < n; i++) {
		pthread_mutex_lock(&m);
		total++;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	n = __VERIFIER_nondet_uint();
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(total == 2 * n);
	return 0;
}
