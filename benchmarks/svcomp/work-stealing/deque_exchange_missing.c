/*
 * As a deque of Chase and Lev, but the owner takes the last task without the exchange.
 *
 * unreach-call: false, the thief may have read top and bottom before the owner lowered the bottom; both run the
 *   last task.
 * no-data-race: false, then both write its run counter at once.
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
atomic_int top, bottom = 1;
int runs[1];
void *owner(void *arg)
{
	int e = atomic_load(&bottom) - 1;
	atomic_store(&bottom, e);
	if (atomic_load(&top) <= e)
		runs[e]++;
	return 0;
}
void *thief(void *arg)
{
	int f = atomic_load(&top);
	int e = atomic_load(&bottom);
	if (f < e && atomic_compare_exchange_strong(&top, &f, f + 1))
		runs[f]++;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, owner, 0);
	pthread_create(&t2, 0, thief, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(runs[0] <= 1);
	return 0;
}
