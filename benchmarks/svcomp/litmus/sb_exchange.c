/*
 * Store buffering with exchanges in the place of the stores.
 *
 * unreach-call: true, the later exchange is followed by a read that sees the earlier one; each variable is
 *   exchanged once, from 0.
 * no-data-race: true, the shared variables are atomic; the registers are their threads' own until the joins.
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
atomic_int x, y;
int r3, r1, r4, r2;
void *thread1(void *arg)
{
	r3 = atomic_exchange_explicit(&x, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return 0;
}
void *thread2(void *arg)
{
	r4 = atomic_exchange_explicit(&y, 1, memory_order_relaxed);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(!(r1 == 0 && r2 == 0) && r3 == 0 && r4 == 0);
	return 0;
}
