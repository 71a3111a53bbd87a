/*
 * Each thread chooses a counter, and a mutex by a second choice.
 *
 * unreach-call: false, two threads may choose the same counter and different mutexes, an addition is lost.
 * no-data-race: false, the same accesses.
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
	unsigned j = __VERIFIER_nondet_uint() % 2;
	pthread_mutex_lock(&m[j]);
	n[i]++;
	pthread_mutex_unlock(&m[j]);
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
