/*
 * Threads record the maximum of their values with a compare-and-exchange loop.
 *
 * unreach-call: true, a store happens only over the smaller value just compared, so the recorded value never
 *   falls and both values went in.
 * no-data-race: true, all accesses are atomic.
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
atomic_int top;
void record(int v)
{
	int old = atomic_load(&top);
	while (old < v && !atomic_compare_exchange_strong(&top, &old, v))
		;
}
void *low(void *arg)
{
	record(3);
	return 0;
}
void *high(void *arg)
{
	record(7);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, low, 0);
	pthread_create(&t2, 0, high, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(atomic_load(&top) == 7);
	return 0;
}
