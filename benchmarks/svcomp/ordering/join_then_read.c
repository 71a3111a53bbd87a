/*
 * Main reads a result after it has joined the thread.
 *
 * unreach-call: true, the result is written before the thread ends.
 * no-data-race: true, the join orders write and read.
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
int result;
void *worker(void *arg)
{
	result = 5;
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	pthread_join(t1, 0);
	__VERIFIER_assert(result == 5);
	return 0;
}
