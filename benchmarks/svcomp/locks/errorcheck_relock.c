/*
 * A mutex of the error-checking kind refuses to be taken twice by its owner.
 *
 * unreach-call: true, the second lock returns EDEADLK and changes nothing; the owner still holds the mutex
 *   once.
 * no-data-race: true, the counter is touched only by the owner.
 */
#define _GNU_SOURCE
#include <errno.h>
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
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int n;
void *worker(void *arg)
{
	if (pthread_mutex_lock(&m) == 0) {
		int again = pthread_mutex_lock(&m);
		__VERIFIER_assert(again == EDEADLK);
		n++;
	pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
