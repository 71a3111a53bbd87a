/*
 * Two threads add one to an atomic counter.
 *
 * unreach-call: true, fetch_add is one indivisible step, so both additions are in the sum.
 * no-data-race: true, the threads touch the counter by atomic operations only; main asserts after both joins.
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
	atomic_fetch_add(&n, 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
