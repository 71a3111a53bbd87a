/*
 * Three threads add different amounts with relaxed order.
 *
 * unreach-call: true, the memory order does not change that an addition is indivisible: the sum is 1 + 2 + 4.
 * no-data-race: true, all accesses by threads are atomic; main reads after the joins.
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
atomic_uint sum;
void *worker(void *arg)
{
	atomic_fetch_add_explicit(&sum, (unsigned)(unsigned long)arg, memory_order_relaxed);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, worker, (void*)1);
	pthread_create(&t2, 0, worker, (void*)2);
	pthread_create(&t3, 0, worker, (void*)4);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	__VERIFIER_assert(atomic_load_explicit(&sum, memory_order_relaxed) == 7);
	return 0;
}
