/*
 * Main sets a variable and then creates the thread that reads it.
 *
 * unreach-call: true, the thread starts after the store.
 * no-data-race: true, the creation orders write and read.
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
int limit;
void *worker(void *arg)
{
	__VERIFIER_assert(limit == 4);
	return 0;
}
int main(void)
{
	limit = 4;
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	pthread_join(t1, 0);
	return 0;
}
