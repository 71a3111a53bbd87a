/*
 * A spin lock made of an atomic flag protects a counter.
 *
 * unreach-call: true, test-and-set lets one thread in at a time, no increment is lost.
 * no-data-race: true, the counter is touched between acquire and release of the flag only.
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
atomic_flag lock = ATOMIC_FLAG_INIT;
int n;
void *worker(void *arg)
{
	while (atomic_flag_test_and_set(&lock))
		;
	n++;
	atomic_flag_clear(&lock);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
