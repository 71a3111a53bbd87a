/*
 * A worker counts until main asks it to stop, and leaves its count, cut off at 50.
 *
 * unreach-call: true, the count is cut off at 50 and never negative.
 * no-data-race: true, the request is atomic, the result is written by the worker and read after the join.
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
atomic_int stop;
int result;
void *worker(void *arg)
{
	int n = 0;
	while (!atomic_load(&stop))
		if (n < 50)
			n++;
	result = n;
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	atomic_store(&stop, 1);
	pthread_join(t1, 0);
	__VERIFIER_assert(result >= 0 && result <= 50);
	return 0;
}
