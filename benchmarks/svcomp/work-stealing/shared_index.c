/*
 * Three workers draw task numbers from one atomic counter.
 *
 * unreach-call: true, each number below 3 is drawn by exactly one of three draws.
 * no-data-race: true, the result of a task is written by the worker that drew it, main reads after the joins.
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
atomic_int next;
int result[3];
void *worker(void *arg)
{
	int task = atomic_fetch_add(&next, 1);
	if (task < 3)
		result[task] += 1;
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_create(&t3, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	for (int i = 0; i < 3; i++)
		__VERIFIER_assert(result[i] == 1);
	return 0;
}
