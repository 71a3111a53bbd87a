/*
 * The R test: y is stored by both threads, the second then reads x. Relaxed order, judged under sequential
 * consistency.
 *
 * unreach-call: true, if y ends as 2, y = 2 comes after y = 1 and so after x = 1, and the read of x after that.
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
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return 0;
}
void *thread2(void *arg)
{
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(!(y == 2 && r1 == 0));
	return 0;
}
