/*
 * Workers read the next task number and then store the one after it.
 *
 * unreach-call: false, two workers may read the same number: a task runs twice, another never.
 * no-data-race: false, both write the result of the same task at once.
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
int result[2];
void *worker(void *arg)
{
	int task = atomic_load(&next);
	atomic_store(&next, task + 1);
	if (task < 2)
		result[task] += 1;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(result[0] == 1 && result[1] == 1);
	return 0;
}
