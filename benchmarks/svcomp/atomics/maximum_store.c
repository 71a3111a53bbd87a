/*
 * Threads record the maximum of their values by a comparison and a separate store.
 *
 * unreach-call: false, the thread with 3 may compare with 0, then 7 is stored, then 3 over it.
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
	if (atomic_load(&top) < v)
		atomic_store(&top, v);
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
