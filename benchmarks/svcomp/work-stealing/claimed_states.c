/*
 * Each task has a state that goes from open to taken by a compare-and-exchange; two workers try all tasks.
 *
 * unreach-call: true, the exchange of a state succeeds once, so each task runs once; every task is tried.
 * no-data-race: true, the run counter of a task is touched by the worker that took it.
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
atomic_int state[2];
int runs[2];
void *worker(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int open = 0;
		if (atomic_compare_exchange_strong(&state[i], &open, 1))
			runs[i]++;
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
	__VERIFIER_assert(runs[0] == 1 && runs[1] == 1);
	return 0;
}
