/*
 * Peterson's algorithm with sequentially consistent atomics.
 *
 * unreach-call: true, who enters has seen the other not interested, or the turn set by the other after its own:
 *   never both.
 * no-data-race: true, the counter is touched inside only, and the atomics order the visits.
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
atomic_int interested[2], turn;
int n;
void *worker(void *arg)
{
	long me = (long)arg;
	atomic_store(&interested[me], 1);
	atomic_store(&turn, (int)(1 - me));
	while (atomic_load(&interested[1 - me]) && atomic_load(&turn) == 1 - me)
		;
	n++;
	atomic_store(&interested[me], 0);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
