/*
 * The barrier names one of its threads, which writes the common result.
 *
 * unreach-call: true, exactly one wait returns the special value, so the result is written once.
 * no-data-race: true, only that thread writes, main reads after the joins.
 */
#define _GNU_SOURCE
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
pthread_barrier_t b;
int written;
void *worker(void *arg)
{
	if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
		written++;
	return 0;
}
int main(void)
{
	pthread_barrier_init(&b, 0, 2);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(written == 1);
	return 0;
}
