/*
 * Two threads increment a counter that starts two below the largest int.
 *
 * unreach-call: true, the end value is the largest int.
 * no-data-race: true, the counter is under the mutex.
 * no-overflow: true, the two increments reach the largest value and do not pass it.
 */
#include <limits.h>
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = INT_MAX - 2;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == INT_MAX);
	return 0;
}
