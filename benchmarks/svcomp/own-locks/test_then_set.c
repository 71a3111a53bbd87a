/*
 * A spin lock that tests and sets in two steps.
 *
 * unreach-call: false, both threads may see the lock free before either takes it, and lose an increment.
 * no-data-race: false, in the same executions both write the counter at once.
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
atomic_int lock;
int n;
void *worker(void *arg)
{
	while (atomic_load(&lock))
		;
	atomic_store(&lock, 1);
	n++;
	atomic_store(&lock, 0);
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
