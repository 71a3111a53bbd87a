/*
 * Each thread chooses one of two counters and takes the mutex of the same index.
 *
 * unreach-call: true, each thread adds one to one counter, and none is lost.
 * no-data-race: true, a counter is touched under its own mutex.
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
extern unsigned int __VERIFIER_nondet_uint(void);
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int n[2];
void *worker(void *arg)
{
	unsigned i = __VERIFIER_nondet_uint() % 2;
	pthread_mutex_lock(&m[i]);
	n[i]++;
	pthread_mutex_unlock(&m[i]);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n[0] + n[1] == 2);
	return 0;
}
