/*
 * A chain of three threads passes a message through two flags. Relaxed order, judged under sequential
 * consistency.
 *
 * unreach-call: true, x = 1 comes before y = 1, that before its read, that before z = 1, and that before the
 *   last two reads.
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
atomic_int x, y, z;
int r1, r2, r3;
void *thread1(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return 0;
}
void *thread2(void *arg)
{
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	atomic_store_explicit(&z, 1, memory_order_relaxed);
	return 0;
}
void *thread3(void *arg)
{
	r2 = atomic_load_explicit(&z, memory_order_relaxed);
	r3 = atomic_load_explicit(&x, memory_order_relaxed);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_create(&t3, 0, thread3, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	__VERIFIER_assert(!(r1 == 1 && r2 == 1 && r3 == 0));
	return 0;
}
