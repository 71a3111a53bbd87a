/*
 * Dekker's algorithm: on conflict, who does not have the turn steps back.
 *
 * unreach-call: true, a thread enters only when it has shown interest and sees the other without; of two that
 *   show interest the later one sees the earlier.
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
atomic_int wants[2], turn;
int n;
void *worker(void *arg)
{
	long me = (long)arg;
	long other = 1 - me;
	atomic_store(&wants[me], 1);
	while (atomic_load(&wants[other])) {
		if (atomic_load(&turn) != me) {
			atomic_store(&wants[me], 0);
			while (atomic_load(&turn) != me)
				;
			atomic_store(&wants[me], 1);
		}
	}
	n++;
	atomic_store(&turn, (int)other);
	atomic_store(&wants[me], 0);
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
