/*
 * Independent reads of independent writes, asking for an outcome that is allowed.
 *
 * unreach-call: false, x = 1, then all four reads, then y = 1.
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
int r1, r2, r3, r4;
void *thread1(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return 0;
}
void *thread2(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return 0;
}
void *thread3(void *arg)
{
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	r2 = atomic_load_explicit(&y, memory_order_relaxed);
	return 0;
}
void *thread4(void *arg)
{
	r3 = atomic_load_explicit(&y, memory_order_relaxed);
	r4 = atomic_load_explicit(&x, memory_order_relaxed);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3, t4;
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_create(&t3, 0, thread3, 0);
	pthread_create(&t4, 0, thread4, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	pthread_join(t4, 0);
	__VERIFIER_assert(!(r1 == 1 && r2 == 0 && r3 == 0 && r4 == 1));
	return 0;
}
