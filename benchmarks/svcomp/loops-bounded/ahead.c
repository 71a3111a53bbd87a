/*
 * A thread raises two atomic counters in turn, a first; an observer reads b and then a.
 *
 * unreach-call: true, at any time a is at least b, and a only grows, so the later read of a is at least the
 *   earlier read of b.
 * no-data-race: true, the counters are atomic.
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
atomic_int a, b;
void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		atomic_fetch_add(&a, 1);
		atomic_fetch_add(&b, 1);
	}
	return 0;
}
void *observer(void *arg)
{
	int y = atomic_load(&b);
	int x = atomic_load(&a);
	__VERIFIER_assert(x >= y);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, observer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
