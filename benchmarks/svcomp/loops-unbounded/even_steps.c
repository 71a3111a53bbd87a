/*
 * Threads raise a counter by two as often as unknown values say.
 *
 * unreach-call: true, the counter starts even, each critical section adds two (or wraps from the largest even
 *   value to 0): it stays even.
 * no-data-race: true, all concurrent accesses hold the mutex.
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
unsigned n;
void *worker(void *arg)
{
	while (__VERIFIER_nondet_bool()) {
		pthread_mutex_lock(&m);
		n++;
		n++;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_mutex_lock(&m);
	__VERIFIER_assert(n % 2 == 0);
	pthread_mutex_unlock(&m);
	return 0;
}
