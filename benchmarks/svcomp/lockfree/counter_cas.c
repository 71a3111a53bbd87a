/*
 * Two threads increment by a compare-and-exchange loop.
 *
 * unreach-call: true, an exchange succeeds only if nobody changed the counter since it was read, so each thread
 *   adds exactly one.
 * no-data-race: true, all accesses of the threads are atomic.
 */
#include <pthread.h>
#include <stdatomic.h>
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
atomic_int n;
void *worker(void *arg)
{
	int old = atomic_load(&n);
	while (!atomic_compare_exchange_strong(&n, &old, old + 1))
		;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(atomic_load(&n) == 2);
	return 0;
}
