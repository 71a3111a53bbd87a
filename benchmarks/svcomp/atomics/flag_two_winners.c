/*
 * Two threads look at an atomic flag and then set it, in two steps.
 *
 * unreach-call: false, both may find the flag clear before either sets it; then both count themselves.
 * no-data-race: false, in the same executions both write the plain variable "winners" with nothing between
 *   them.
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
atomic_int taken;
int winners;
void *worker(void *arg)
{
	if (!atomic_load(&taken)) {
		atomic_store(&taken, 1);
		winners++;
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(winners <= 1);
	return 0;
}
