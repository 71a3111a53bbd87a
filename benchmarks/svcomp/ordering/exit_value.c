/*
 * A thread returns its result by the value of its function.
 *
 * unreach-call: true, the join yields what the thread returned.
 * no-data-race: true, nothing is shared.
 */
#include <pthread.h>
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
void *worker(void *arg)
{
	return (void *)((long)arg + 1);
}
int main(void)
{
	pthread_t t;
	void *r;
	pthread_create(&t, 0, worker, (void *)41);
	pthread_join(t, &r);
	__VERIFIER_assert((long)r == 42);
	return 0;
}
