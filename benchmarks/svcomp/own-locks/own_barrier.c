/*
 * A barrier of one atomic counter between two phases of two threads.
 *
 * unreach-call: true, a thread passes when both have arrived, after both have written.
 * no-data-race: true, the arrivals order the writes before the reads.
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
atomic_int arrived;
int v[2];
void *worker(void *arg)
{
	long me = (long)arg;
	v[me] = 1;
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < 2)
		;
	__VERIFIER_assert(v[1 - me] == 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
