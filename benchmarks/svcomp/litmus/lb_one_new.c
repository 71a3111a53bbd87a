/*
 * Load buffering, asking for an outcome that sequential consistency allows.
 *
 * unreach-call: false, the first thread may run before the second reads y.
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
int r1, r2;
void *thread1(void *arg)
{
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return 0;
}
void *thread2(void *arg)
{
	r2 = atomic_load_explicit(&y, memory_order_relaxed);
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
	__VERIFIER_assert(r2 == 0);
	return 0;
}
