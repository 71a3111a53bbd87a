/*
 * Two threads write, meet at a barrier, and read what the other wrote.
 *
 * unreach-call: true, nobody passes the barrier before both have written.
 * no-data-race: true, the barrier orders the writes before the reads.
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
int v[2];
void *worker(void *arg)
{
	long me = (long)arg;
	v[me] = 1;
	pthread_barrier_wait(&b);
	__VERIFIER_assert(v[1 - me] == 1);
	return 0;
}
int main(void)
{
	pthread_barrier_init(&b, 0, 2);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
