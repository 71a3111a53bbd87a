/*
 * Two threads increment an atomic counter by a load and a store of their own.
 *
 * unreach-call: false, both threads may load 0 before either stores 1; the counter ends at 1.
 * no-data-race: true, every access is atomic: the lost update is not a data race.
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
atomic_int n;
void *worker(void *arg)
{
	int v = atomic_load(&n);
	atomic_store(&n, v + 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(atomic_load(&n) == 2);
	return 0;
}
