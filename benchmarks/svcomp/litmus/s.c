/*
 * The S test: the second thread stores to x after it saw y. Relaxed order, judged under sequential consistency.
 *
 * unreach-call: true, if y was seen, x = 2 is already done, and x = 1 comes after it and stays.
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
int r1;
void *thread1(void *arg)
{
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return 0;
}
void *thread2(void *arg)
{
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(!(r1 == 1 && x == 2));
	return 0;
}
