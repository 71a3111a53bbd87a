/*
 * Two reads of one variable by one thread, asking that they agree.
 *
 * unreach-call: false, the store may come between the reads.
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
atomic_int x;
int r1, r2;
void *thread1(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return 0;
}
void *thread2(void *arg)
{
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
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
	__VERIFIER_assert(r1 == r2);
	return 0;
}
